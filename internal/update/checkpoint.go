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

// writeCheckpoint moves the resume point (PS-15): to where the change asks, else forward only. A start never wipes a finer point, and
// never says that a task is closed (TRAPS). A completed plan's point is its last task, done.
func (g *guard) writeCheckpoint(e *edit, status state.Status) {
	task, step, note := g.ch.Task, g.ch.CheckpointStep, g.ch.CheckpointNote
	cp := g.st.Checkpoint
	asked := step != "" || note != ""
	switch {
	case status == state.Completed:
		if asked && step != "" && step != stepDone {
			g.warn("a completed plan's checkpoint is its last task, step done; the step given is not written")
		}
		task, step = g.st.Tasks[len(g.st.Tasks)-1].ID, stepDone
		if cp != nil && note == "" && cp.Task == task && cp.Step == stepDone {
			note = cp.Note
		}
	case asked && step == "":
		step = stepStart
		if cp != nil && cp.Task == task {
			step = cp.Step
		}
	case asked && cp != nil && note == "" && cp.Task == task && cp.Step == step:
		note = cp.Note // the same point again keeps its note
	case asked:
	case g.past != nil:
		step, note = "reopened", g.ch.ReopenReason
	case g.from != g.to && g.to == state.InProgress && g.forward():
		step = stepStart
	case g.from != g.to && g.to == state.Completed && g.passed():
		if task = g.nextOpen(); task == 0 {
			return
		}
		step, note = stepStart, fmt.Sprintf("next: task %d", task)
	default:
		return
	}
	if cp != nil && cp.Task == task && cp.Step == step && cp.Note == note {
		return
	}
	v := strictjson.NewObject()
	if cp != nil {
		v = cp.Node.Clone()
	}
	v.Set("task", strictjson.NewInt(task))
	setText(v, "step", step)
	setText(v, "at", utc(g.now))
	setText(v, "note", note)
	e.root.Set("checkpoint", v)
	e.touch("checkpoint")
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
