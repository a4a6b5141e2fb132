package author

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
)

// Edit changes sections of one open task (LF-10). What follows from a change of what is demanded is part of it:
//
//   - a criterion or gate that is dropped or reworded leaves an amendment of its own in the log, with reason and authority (AM-1);
//     one that is dropped and not replaced needs the word of a person (AM-2, AM-4)
//   - a criterion or gate that is added grows the scope: approval is pending again, unless a person's authority is stated (LF-7)
//   - a dropped or changed gate invalidates its own records; a changed criterion those that are named, or all of the task
//     when none is; with records at stake the edit is refused until it is confirmed (LF-10)
//   - a ticked criterion whose words stay keeps its tick, and its bytes; another one is open
//
// A completed task is reopened first (GU-6). The log is never edited. A task file keeps its name, so that links to it hold.
type Edit struct {
	revise.Who
	Task int
	Text TaskEdit
	Warrant
	// Confirm says that the evidence at stake may be invalidated; Invalidates names the commands whose records changed criteria
	// invalidate.
	Confirm     bool
	Invalidates []string
}

// Edited is what an edit did.
type Edited struct {
	Sections    []string // whose words changed, with "title" and "Depends on"
	Revised     []rewording
	Added       []string // criteria and gates
	Amendments  []int    // their numbers in the task's log
	Invalidated []string // commands whose records are marked
	Pending     bool     // approval is pending again
}

// Decide is the decision that publish carries out. out, which is not nil, tells what it came to.
func (e Edit) Decide(out *Edited) publish.Decide {
	return func(s *plan.Snapshot) (*publish.Revision, error) {
		*out = Edited{}
		d := revise.New(s, e.Who)
		w := &editing{Edit: e, out: out, d: d, t: d.Task(e.Task)}
		for _, step := range []func() error{w.mayEdit, w.texts, w.holds, w.scope, w.invalidate} {
			if err := step(); err != nil {
				return nil, err
			}
		}
		if len(out.Sections) == 0 {
			return &publish.Revision{}, nil
		}
		w.note()
		d.State() // its time moves with every change
		r, err := d.Revision("refine edit", fmt.Sprint(e.Task))
		if err != nil {
			return nil, err
		}
		if w.out.Pending {
			r.Expected = append(r.Expected, pendingExpected)
		}
		return r, w.told(r)
	}
}

// editing is an edit under way.
type editing struct {
	Edit
	out *Edited
	d   *revise.Desk
	t   *plan.TaskView
	// now is the task as it will read: the parts that are given in what it says already.
	now Task
	// want are the bodies that have to read back, by section.
	want map[planmd.SectionKind]string
	// What became of criteria and gates.
	criteria, gates       []rewording
	newCriteria, newGates []string
}

// mayEdit: the task is there, open, has a record, and is the one that the text names.
func (w *editing) mayEdit() error {
	s := w.d.S
	switch {
	case s.README == nil:
		return refuse("guard/unreadable", "the plan has no README.md that can be read")
	case w.t == nil:
		return refuse("guard/unknown-task", "there is no task %d; the plan has %d", w.Task, len(w.d.View.Tasks))
	case w.t.Record == nil || w.t.Doc == nil:
		return refuse("guard/no-record", "task %d has no record that could be edited", w.Task)
	case w.t.Status == state.Completed:
		return refuse("guard/completed", "task %d is completed", w.Task)
	case w.t.Status == state.Skipped:
		return refuse("guard/skipped", "task %d is out of scope", w.Task)
	case w.Text.Number != 0 && w.Text.Number != w.Task:
		return &Incomplete{[]Gap{{"heading", fmt.Sprintf("the text is of task %d, and task %d is to be edited", w.Text.Number, w.Task)}}}
	}
	return w.Warrant.check()
}

// texts puts the new words in place of the old ones, section by section.
func (w *editing) texts() error {
	m := markdown{doc: w.t.Doc}
	was := m.task(w.t.Record)
	w.now, w.want = was, map[planmd.SectionKind]string{}
	for _, p := range w.Text.parts {
		w.now.take(p, &w.Text.task)
	}
	if gaps := slices.Concat(w.Text.lacks(&w.now), w.dependencies(), w.rivals()); len(gaps) > 0 {
		return &Incomplete{gaps}
	}
	for _, p := range w.Text.parts {
		w.section(p)
	}
	if err := w.title(); err != nil {
		return err
	}
	w.depends()
	w.compare(&was)
	return nil
}

// take puts a given part into a task. Of a JSON document what a section leaves out stays as it is.
func (t *Task) take(p part, given *Task) {
	has := func(name string) bool { return p.fields == nil || slices.Contains(p.fields, name) }
	switch p.kind {
	case planmd.Context:
		t.Context = given.Context
	case planmd.Reads:
		t.Read = given.Read
	case planmd.Goal:
		t.Goal = given.Goal
	case planmd.Instructions:
		t.Instructions = given.Instructions
	case planmd.Acceptance:
		t.Acceptance = given.Acceptance
	case planmd.Outputs:
		t.Outputs = given.Outputs
	case planmd.Checklist:
		t.Checklist = given.Checklist
	case planmd.Rollback:
		t.Rollback = given.Rollback
	case planmd.Delta:
		t.Delta = given.Delta
	case planmd.Validation:
		if has("gates") {
			t.Gates = given.Gates
		}
		if has("validation") {
			t.Validation = given.Validation
		}
	case planmd.Surface:
		if p.fields == nil {
			t.Surface = given.Surface
			return
		}
		for name, to := range map[string][2]*string{"consumers": {&t.Surface.Consumers, &given.Surface.Consumers}, "risk": {&t.Surface.Risk, &given.Surface.Risk},
			"mapping": {&t.Surface.Mapping, &given.Surface.Mapping}, "gate": {&t.Surface.Gate, &given.Surface.Gate}} {
			if has("surface." + name) {
				*to[0] = *to[1]
			}
		}
		if has("surface.planned") {
			t.Surface.Planned = given.Surface.Planned
		}
	}
}

// compare notes what became of criteria and gates.
func (w *editing) compare(was *Task) {
	for _, p := range w.Text.parts {
		switch p.kind {
		case planmd.Acceptance:
			w.criteria, w.newCriteria = compareTexts(w.criteriaNow(), w.newTexts(p))
		case planmd.Validation:
			w.gates, w.newGates = compareTexts(was.Gates, w.now.Gates)
		}
	}
	w.out.Revised = slices.Concat(w.criteria, w.gates)
	w.out.Added = slices.Concat(w.newCriteria, w.newGates)
}

// criteriaNow are the criteria as they stand.
func (w *editing) criteriaNow() []string {
	s := w.t.Record.Section(planmd.Acceptance)
	if s == nil {
		return nil
	}
	return textsOf(criteria(listBody(w.t.Doc, w.t.Record, s)))
}

// newTexts are the criteria of a given part.
func (w *editing) newTexts(p part) []string {
	if p.fields != nil {
		return w.now.Acceptance
	}
	return textsOf(criteria(p.text))
}

// scope decides what a change of what is demanded leaves behind: amendments, and the approval (AM-1, LF-7).
func (w *editing) scope() error {
	if len(w.out.Revised) > 0 {
		if err := w.Warrant.forChange(w.Task, w.out.Revised); err != nil {
			return err
		}
	}
	if len(w.out.Added) > 0 {
		pending, err := w.Warrant.grow(w.d)
		if err != nil {
			return err
		}
		w.out.Pending = pending
	}
	return nil
}

// invalidate marks the evidence that rests on what is demanded no more, and writes the amendments, which name it.
func (w *editing) invalidate() error {
	for _, c := range w.Invalidates {
		if !slices.ContainsFunc(w.standing(), func(have string) bool { return commandKey(have) == commandKey(c) }) {
			return refuse("guard/no-evidence", "task %d has no record of %q that counts", w.Task, shortly(c))
		}
	}
	hit := w.hit()
	switch {
	case len(w.Invalidates) > 0 && len(w.criteria) == 0:
		return refuse("guard/no-evidence", "no criterion of task %d changes, so that no evidence is invalidated by one", w.Task)
	case len(hit) > 0 && !w.Confirm:
		return refuse("guard/confirm", "the change invalidates the record of %s", strings.Join(ticked(hit), ", "))
	}
	if len(w.out.Revised) == 0 {
		return nil
	}
	if w.t.Record.Section(planmd.CompletionLog) == nil {
		return refuse("guard/no-record", "task %d has no Completion & Log, where the amendment belongs", w.Task)
	}
	amendments := w.amendments(hit)
	for i := range amendments {
		if odd := amendments[i].Unfaithful(); len(odd) > 0 {
			return &Incomplete{[]Gap{{"amendment", strings.Join(odd, ", ") + " would not read as given in an amendment: it holds Markdown that ends it"}}}
		}
	}
	first, err := w.d.AmendEach(w.t, amendments)
	if err != nil {
		return err
	}
	for i := range w.out.Revised {
		w.out.Amendments = append(w.out.Amendments, first+i)
	}
	w.out.Invalidated = hit
	w.stamp(hit, first)
	return nil
}

// hit are the commands whose records lose their worth, in the order of the records: those of gates that go; and for a changed
// criterion those that the caller names, or all.
func (w *editing) hit() []string {
	gone := map[string]bool{}
	for _, g := range w.gates {
		gone[commandKey(g.Old)] = true
	}
	for _, c := range w.Invalidates {
		gone[commandKey(c)] = true
	}
	all := len(w.criteria) > 0 && len(w.Invalidates) == 0
	var hit []string
	for _, command := range w.standing() {
		if all || gone[commandKey(command)] {
			hit = append(hit, command)
		}
	}
	return hit
}

// standing are the commands of the task's records that count, each once.
func (w *editing) standing() []string {
	var all []string
	if w.t.Entry == nil {
		return nil
	}
	for i := range w.t.Entry.Gates {
		g := &w.t.Entry.Gates[i]
		if !evidence.Invalidated(g.Evidence) && !slices.Contains(all, g.Command) {
			all = append(all, g.Command)
		}
	}
	return all
}

// amendments has one amendment for each criterion and gate that is no more what it was, verbatim (AM-1).
func (w *editing) amendments(hit []string) []revise.Amendment {
	var kept []string
	for _, c := range w.standing() {
		if !slices.Contains(hit, c) {
			kept = append(kept, c)
		}
	}
	var all []revise.Amendment
	for i, r := range w.out.Revised {
		a := revise.Amendment{
			Original: r.Old, Disposition: "revised", Revised: r.New,
			Affected: fmt.Sprint(w.Task), Invalidated: strings.Join(ticked(hit), ", "), Preserved: strings.Join(ticked(kept), ", "),
		}
		gate := i >= len(w.criteria)
		switch {
		case gate && r.New != "":
			a.Original, a.Revised = "gate `"+r.Old+"`", "gate `"+r.New+"`"
		case gate:
			a.Original, a.Disposition = "gate `"+r.Old+"`", "dropped; the gates of the task are "+strings.Join(ticked(w.now.Gates), ", ")
		case r.New == "":
			a.Disposition = "dropped"
		}
		all = append(all, w.Warrant.amend(a, w.Agent))
	}
	return all
}

// stamp marks the records of commands, by the amendment that says why.
func (w *editing) stamp(commands []string, amendment int) {
	if len(commands) == 0 {
		return
	}
	gates := w.d.Entry(w.Task).Member("gates")
	for _, record := range gates.Elems {
		command, text := record.Member("command"), record.Member("evidence")
		if command == nil || !slices.Contains(commands, command.Text) {
			continue
		}
		said := ""
		if text != nil {
			said = text.Text
		}
		if marked := update.Invalidate(said, w.Now, amendment); marked != said {
			record.Set("evidence", strictjson.NewString(marked))
		}
	}
}

// note tells PROGRESS.md, whose heading names the refine. The task is named where no entry of it is read.
func (w *editing) note() {
	bullets := []string{fmt.Sprintf("Changed of Task %d: %s", w.Task, strings.Join(w.out.Sections, ", "))}
	for _, r := range w.out.Revised {
		if r.New == "" {
			bullets = append(bullets, "Dropped: "+revise.Quote(r.Old))
		} else {
			bullets = append(bullets, "Revised: "+revise.Quote(r.Old)+" \u2192 "+revise.Quote(r.New))
		}
	}
	for _, text := range w.out.Added {
		bullets = append(bullets, "Added: "+revise.Quote(text))
	}
	if len(w.out.Invalidated) > 0 {
		bullets = append(bullets, "Evidence invalidated: "+strings.Join(ticked(w.out.Invalidated), ", "))
	}
	w.d.Note("Refine: a task edited", append(bullets, w.Warrant.told(w.out.Pending, w.Agent)...)...)
}

// told: log and PROGRESS.md read as what was added to them, and as nothing else.
func (w *editing) told(r *publish.Revision) error {
	after, err := standing(w.d.S, r)
	if err != nil {
		return err
	}
	entries, copies := 0, 0
	if p := w.d.S.Progress; p != nil {
		entries, copies = len(p.Entries), len(p.Amendments)
	}
	t := slices.IndexFunc(after.Overview().Tasks, func(t plan.TaskView) bool { return t.ID == w.Task && t.Record != nil })
	switch n := len(w.out.Amendments); {
	case t < 0 || len(after.Overview().Tasks[t].Record.Log.Amendments) != len(w.t.Record.Log.Amendments)+n:
		return &Incomplete{[]Gap{{"amendment", "it would not be found in the log of the task"}}}
	case after.Progress == nil || len(after.Progress.Entries) != entries || len(after.Progress.Amendments) != copies+n:
		return &Incomplete{[]Gap{{progressFile, "the note in it would read as an entry of a task, or as an amendment"}}}
	}
	return nil
}

// ticked puts commands into code spans.
func ticked(commands []string) []string {
	out := make([]string, len(commands))
	for i, c := range commands {
		out[i] = revise.Quote(c)
	}
	return out
}

// commandKey is how commands are compared here: a gate of several lines in a record is one line in another.
func commandKey(command string) string { return oneLine(command) }
