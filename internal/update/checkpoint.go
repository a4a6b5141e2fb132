package update

import (
	"fmt"

	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// Steps of a checkpoint that the guard itself writes.
const (
	stepStart = "start"
	stepDone  = "done"
)

// point is a resume point without its time.
type point struct {
	task       int
	step, note string
}

// writeCheckpoint moves the resume point (PS-15): to where the change asks, else forward only. A start never wipes a finer point, and
// never says that a task is closed (TRAPS). A completed plan's point is its last task, done.
func (g *guard) writeCheckpoint(e *edit, status state.Status) {
	p, moves := g.moved()
	asked, want := g.requested()
	if asked {
		p, moves = want, true
	}
	if status == state.Completed {
		p, moves = g.final(p.note), asked || len(e.touched) > 0
	}
	cp := g.st.Checkpoint
	if !moves || cp != nil && (point{cp.Task, cp.Step, cp.Note}) == p {
		return
	}
	v := strictjson.NewObject()
	if cp != nil { // for the order of its keys; it is a closed object, so there is nothing else in it
		v = cp.Node.Clone()
	}
	v.Set("task", strictjson.NewInt(p.task))
	setText(v, "step", p.step)
	setText(v, "at", utc(g.now))
	setText(v, "note", p.note)
	e.root.Set("checkpoint", v)
	e.touch("checkpoint")
}

// requested is the point that the change asks for. A note alone is about the point that stands, if that is in this task; the same
// point again keeps its note.
func (g *guard) requested() (asked bool, p point) {
	p = point{g.task.ID, g.ch.CheckpointStep, g.ch.CheckpointNote}
	if p.step == "" && p.note == "" {
		return false, p
	}
	cp := g.st.Checkpoint
	here := cp != nil && cp.Task == p.task
	switch {
	case p.step == "" && here:
		p.step = cp.Step
	case p.step == "":
		p.step = stepStart
	case p.note == "" && here && cp.Step == p.step:
		p.note = cp.Note
	}
	return true, p
}

// moved is the point that follows from what the change does.
func (g *guard) moved() (p point, moves bool) {
	switch next := g.nextOpen(); {
	case g.past != nil: // reopening is a request to come back here, from a later task or from the plan's end
		return point{g.task.ID, "reopened", g.ch.ReopenReason}, true
	case g.from == g.to:
	case g.to == state.InProgress && g.forward():
		return point{g.task.ID, stepStart, ""}, true
	case g.to == state.Completed && next != 0 && g.passed():
		return point{next, stepStart, fmt.Sprintf("next: task %d", next)}, true
	}
	return point{}, false
}

// final is the point of a completed plan. It keeps the note that stands there already.
func (g *guard) final(note string) point {
	p := point{g.st.Tasks[len(g.st.Tasks)-1].ID, stepDone, note}
	if step := g.ch.CheckpointStep; step != "" && step != stepDone {
		g.warn("a completed plan's checkpoint is its last task, step done; the step given is not written")
	}
	if cp := g.st.Checkpoint; cp != nil && note == "" && cp.Task == p.task && cp.Step == p.step {
		p.note = cp.Note
	}
	return p
}

// forward reports whether the start of the task lies ahead of the checkpoint. One inside a task that is still open stays: it is
// finer than a start.
func (g *guard) forward() bool {
	cp := g.st.Checkpoint
	if cp == nil || g.closed(cp.Task) {
		return true
	}
	return cp.Task < g.task.ID && cp.Step == stepStart
}

// passed reports whether the checkpoint is behind once the task is completed.
func (g *guard) passed() bool {
	cp := g.st.Checkpoint
	return cp == nil || cp.Task == g.task.ID || g.closed(cp.Task)
}

// closed reports whether a task is done, out of scope, or none.
func (g *guard) closed(id int) bool {
	for i := range g.st.Tasks {
		if t := &g.st.Tasks[i]; t.ID == id {
			return t.Status == state.Completed || t.Status == state.Skipped
		}
	}
	return true
}

// nextOpen is the first task that is still to do after this one is completed.
func (g *guard) nextOpen() int {
	for i := range g.st.Tasks {
		if t := &g.st.Tasks[i]; t.ID != g.task.ID && t.Status != state.Completed && t.Status != state.Skipped {
			return t.ID
		}
	}
	return 0
}
