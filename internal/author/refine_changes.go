package author

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
)

// changesSchema is the JSON Schema of a change file; the decoder in refine_changes_json.go is what dwp uses, and a test proves that both
// refuse the same documents.
//
//go:embed changes.json
var changesSchema []byte

// ChangesSchema returns the JSON Schema of a change file.
func ChangesSchema() []byte { return slices.Clone(changesSchema) }

// Changes are several refinements as one operation (LF-10): all of them are made, or none. They are done in the order given; the numbers
// in them are those of the plan before the first one, so that nobody has to reckon what the ones before do to a number.
type Changes struct {
	revise.Who
	Steps []Step
	Warrant
	Confirm bool // as of Edit and Move
}

// Step is one refinement of a change file.
type Step struct {
	Do            string // add, edit, split, move, remove
	Task          int    // the one that is edited, split, moved or removed
	After, Before int    // of add and move; at most one
	New           Task   // of add
	Edit          TaskEdit
	Parts         []Task   // of split
	Invalidates   []string // of edit
	Archive, Drop bool     // of remove
	Redirect      int      // of remove
	Reason        string   // instead of that of the call
	place         string
}

// StepDone is what one step came to: one of the three is set.
type StepDone struct {
	Do     string
	Task   int // as the change file names it; 0 of add
	Now    int // its number when the step was done, before the step
	Edited *Edited
	Parted *Parted
	Tasks  *Refined // of add, move and remove
}

// Decide is the decision that publish carries out. out, which is not nil, tells what each step came to. Numbers in it are those after
// its step.
func (c Changes) Decide(out *[]StepDone) publish.Decide {
	return func(s *plan.Snapshot) (*publish.Revision, error) {
		*out = nil
		b := batch{Changes: c, s: s, now: map[int][]int{}, behind: map[int]int{}}
		for _, t := range s.Overview().Tasks {
			b.now[t.ID] = []int{t.ID}
		}
		for i := range c.Steps {
			done, err := b.step(&c.Steps[i])
			if err != nil {
				if err := b.failed(&c.Steps[i], err); err != nil {
					return nil, err
				}
				continue
			}
			*out = append(*out, done)
		}
		if len(b.gaps) > 0 {
			return nil, &Incomplete{b.gaps}
		}
		return b.revision(s)
	}
}

// batch is a series of refinements under way. Each is decided on the plan as the ones before leave it.
type batch struct {
	Changes
	s *plan.Snapshot
	// now are the numbers that a task, by its number before all, has at present: none when it is gone, several when it was split.
	now map[int][]int
	// behind counts the tasks that were added behind one, so that they stand in the order of the file.
	behind   map[int]int
	means    update.Rewriting
	expected []string
	warnings []string
	gaps     []Gap
}

// step decides one step, and goes on with the plan as it leaves it.
func (b *batch) step(st *Step) (StepDone, error) {
	done := StepDone{Do: st.Do, Task: st.Task}
	decide, err := b.decision(st, &done)
	if err != nil {
		return done, err
	}
	r, err := decide(b.s)
	if err != nil || len(r.Changes) == 0 {
		return done, err
	}
	after, err := standing(b.s, r)
	if err != nil {
		return done, err
	}
	b.s, b.warnings = after, append(b.warnings, r.Warnings...)
	b.expected = append(b.expected, r.Expected...)
	b.follow(st, &r.Means, &done)
	return done, nil
}

// decision is that of the command that does the same alone, with the numbers of the present.
func (b *batch) decision(st *Step, done *StepDone) (publish.Decide, error) {
	task, err := b.one(st, st.Task)
	if err != nil {
		return nil, err
	}
	done.Now = task
	after, before, err := b.position(st)
	if err != nil {
		return nil, err
	}
	warrant := b.Warrant
	if st.Reason != "" {
		warrant.Reason = st.Reason
	}
	switch st.Do {
	case "edit":
		done.Edited = &Edited{}
		e := st.Edit
		e.DependsOn = b.all(e.DependsOn)
		return Edit{Who: b.Who, Task: task, Text: e, Warrant: warrant, Confirm: b.Confirm, Invalidates: st.Invalidates}.Decide(done.Edited), nil
	case "split":
		done.Parted = &Parted{}
		return Split{Who: b.Who, Task: task, Parts: st.Parts, Warrant: warrant}.Decide(done.Parted), nil
	}
	done.Tasks = &Refined{}
	switch st.Do {
	case "add":
		return Add{Who: b.Who, Outline: b.outline(st, after, before), After: after, Before: before, Warrant: warrant}.Decide(done.Tasks), nil
	case "move":
		return Move{Who: b.Who, Task: task, After: after, Before: before, Confirm: b.Confirm, InTurn: b.InTurn}.Decide(done.Tasks), nil
	}
	redirect, err := b.one(st, st.Redirect)
	return Remove{Who: b.Who, Task: task, Archive: st.Archive, Redirect: redirect, Drop: st.Drop, Warrant: warrant}.Decide(done.Tasks), err
}

// one is the present number of a task that has to be there; 0 of 0.
func (b *batch) one(st *Step, task int) (int, error) {
	now, known := b.now[task]
	switch {
	case task == 0:
		return 0, nil
	case !known:
		return 0, refuse("guard/unknown-task", "there is no task %d", task)
	case len(now) != 1:
		return 0, &Incomplete{[]Gap{{st.place, fmt.Sprintf("task %d was split or removed by a change above", task)}}}
	}
	return now[0], nil
}

// all are the present numbers of tasks; of one that was split those of its parts. What is no task's number stays, to be told.
func (b *batch) all(tasks []int) []int {
	var list []int
	for _, id := range tasks {
		now, known := b.now[id]
		if !known {
			now = []int{id}
		}
		list = append(list, now...)
	}
	return list
}

// position is the place that a step names: behind the last part of a task that was split, and behind what was added there before.
func (b *batch) position(st *Step) (after, before int, err error) {
	for _, named := range []int{st.After, st.Before} {
		if now, known := b.now[named]; named != 0 && known && len(now) == 0 {
			return 0, 0, &Incomplete{[]Gap{{st.place, fmt.Sprintf("task %d was removed by a change above", named)}}}
		}
	}
	if st.After != 0 {
		after = slices.Max(b.all([]int{st.After}))
		if st.Do == "add" {
			after += b.behind[st.After]
		}
	}
	if st.Before != 0 {
		before = slices.Min(b.all([]int{st.Before}))
	}
	return after, before, nil
}

// outline is the new task as refine add takes it: what it depends on has the numbers of the plan with the task in it.
func (b *batch) outline(st *Step, after, before int) []byte {
	at := len(b.s.Overview().Tasks) // the new task's number, and those of all behind it, are moved up
	switch {
	case before > 0:
		at = before
	case after > 0:
		at = after + 1
	}
	t := st.New
	t.DependsOn = nil
	for _, id := range b.all(st.New.DependsOn) {
		if id >= at {
			id++
		}
		t.DependsOn = append(t.DependsOn, id)
	}
	o := strictjson.NewObject()
	tasks := strictjson.NewArray()
	tasks.Elems = append(tasks.Elems, t.encode())
	o.Set("tasks", tasks)
	return strictjson.Format(o)
}

// follow notes where each task is after a step, and what the whole means to state.json.
func (b *batch) follow(st *Step, means *update.Rewriting, done *StepDone) {
	for old, now := range b.now {
		var next []int
		for _, id := range now {
			to, moved := means.Renumber[id]
			switch {
			case slices.Contains(means.Archived, id) && done.Parted != nil:
				for _, part := range done.Parted.Added {
					next = append(next, part.Number)
				}
			case slices.Contains(means.Archived, id):
			case moved:
				next = append(next, to)
			default:
				next = append(next, id)
			}
			if slices.Contains(means.Archived, id) && !slices.Contains(b.means.Archived, old) {
				b.means.Archived = append(b.means.Archived, old)
			}
			if slices.Contains(means.Skipped, id) {
				b.means.Skipped = append(b.means.Skipped, old)
			}
		}
		b.now[old] = next
	}
	b.means.Unblocked = b.means.Unblocked || means.Unblocked
	if st.Do == "add" && st.After != 0 {
		b.behind[st.After]++
	}
}

// failed gathers what steps lack, so that all of it is told at once; a step that is refused ends the series.
func (b *batch) failed(st *Step, err error) error {
	if e, ok := errors.AsType[*Incomplete](err); ok {
		for _, g := range e.Gaps {
			if !strings.HasPrefix(g.Place, st.place) {
				g.Place = st.place + ", " + g.Place
			}
			b.gaps = append(b.gaps, g)
		}
		return nil
	}
	if no, ok := errors.AsType[*publish.Refused](err); ok {
		no.Message = st.place + ": " + no.Message
		if len(b.gaps) > 0 {
			return &Incomplete{append(b.gaps, Gap{st.place, strings.TrimPrefix(no.Message, st.place+": ")})}
		}
	}
	return err
}

// revision is the series as one operation: what the last plan differs in from the first.
func (b *batch) revision(first *plan.Snapshot) (*publish.Revision, error) {
	r := &publish.Revision{Operation: "refine", Means: b.means, Expected: b.expected, Warnings: b.warnings}
	for i := range b.Steps {
		r.Args = append(r.Args, b.Steps[i].Do)
	}
	r.Means.Renumber = map[int]int{}
	for old, now := range b.now {
		if len(now) == 1 && now[0] != old && !slices.Contains(b.means.Archived, old) {
			r.Means.Renumber[old] = now[0]
		}
	}
	for name, f := range first.Files {
		if f.Err == nil && b.s.Files[name] == nil {
			r.Changes = append(r.Changes, disk.Change{Path: name, Remove: true})
		}
	}
	for name, f := range b.s.Files {
		if was := first.Files[name]; f.Err == nil && (was == nil || was.Err == nil && string(was.Data) != string(f.Data)) {
			r.Changes = append(r.Changes, disk.Change{Path: name, Data: f.Data})
		}
	}
	revise.Sort(r.Changes)
	return r, nil
}
