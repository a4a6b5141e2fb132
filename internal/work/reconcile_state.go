package work

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
)

// This file: what state.json says of the plan as a whole (PS-8, PS-15 to PS-17), and the operation that writes it.

// root is the new state.json, but for who made it when. It is the old one where nothing disagrees.
func (w *reconciling) root() (*strictjson.Value, error) {
	root := w.frame()
	tasks := w.tasks()
	if err := w.undecided.refused(); err != nil {
		return nil, err
	}
	root.Set("tasks", tasks)
	if err := w.blocker(root); err != nil {
		return nil, err
	}
	if err := w.approval(root); err != nil {
		return nil, err
	}
	w.axes(root)
	status := w.derived(root)
	w.checkpoint(root, status)
	return root, nil
}

// frame is the old state with all its fields, or what a new one begins with, in the order in which create writes them.
func (w *reconciling) frame() *strictjson.Value {
	if w.st.Doc != nil {
		return w.st.Doc.Root.Clone()
	}
	root := strictjson.NewObject()
	text := func(name, value string) { root.Set(name, strictjson.NewString(value)) }
	text("schema", state.SchemaURL(state.StateFile, w.era))
	text("plan", w.s.Name)
	text("updated_at", w.Time())
	text("status", string(state.Pending))
	root.Set("completed_count", strictjson.NewInt(0))
	root.Set("task_count", strictjson.NewInt(0))
	if w.era != state.V1 {
		text("format", w.format())
		text("materialization", "ready")
		text("approval", planmd.ApprovalPending)
		root.Set("promotion", strictjson.NewNull())
	}
	root.Set("tasks", strictjson.NewArray())
	root.Set("checkpoint", strictjson.NewNull())
	root.Set("blocked", strictjson.NewNull())
	return root
}

func (w *reconciling) format() string {
	if w.lite {
		return "lite"
	}
	return "full"
}

// plan notes a change of what is not about one task.
func (w *reconciling) plan(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.Answer.Plan = append(w.Answer.Plan, text)
	w.notes.say(text)
}

// axes puts format and materialization right where they can't be read (PS-8), and sees to times that can't.
func (w *reconciling) axes(root *strictjson.Value) {
	for _, name := range []string{"updated_at", "updated_by"} {
		if w.parts[name] && w.st.Doc != nil {
			w.plan("%s written anew", name)
			root.Set(name, strictjson.NewNull()) // who makes the change, and when, is written with it
		}
	}
	if w.era == state.V1 || w.st.Doc == nil {
		return
	}
	if w.parts["format"] {
		root.Set("format", strictjson.NewString(w.format()))
		w.plan("format: %s", w.format())
	}
	if w.parts["materialization"] {
		root.Set("materialization", strictjson.NewString("ready"))
		w.plan("materialization: ready")
	}
}

// blocker drops the blocker of a task whose box is ticked: a task that is done is not stopped. Its words are kept in PROGRESS.md.
// Inside a turn a box is no person's answer (GU-5, UN-6).
func (w *reconciling) blocker(root *strictjson.Value) error {
	b := w.st.Blocked
	if b == nil || !w.views[b.Task].Checked {
		return nil
	}
	if w.InTurn {
		return refuse("guard/person", "the blocker of task %d would go because its box is ticked: inside a turn only a person's answer resolves it", b.Task)
	}
	root.Set("blocked", strictjson.NewNull())
	w.means.Unblocked = true
	w.Answer.Plan = append(w.Answer.Plan, fmt.Sprintf("blocker of task %d dropped: its box is ticked", b.Task))
	text := fmt.Sprintf("blocker of task %d dropped, for its box is ticked. It said %s", b.Task, quoted(b.Reason))
	if b.Needs != "" {
		text += ", and needed " + quoted(b.Needs)
	}
	w.notes.say(text)
	return nil
}

// approval takes the README's Approval line over where it has one; an approval that can't be read, and has no line, is pending: nothing
// is approved by a repair (PS-8, LF-7). Inside a turn an agent could have written the line (UN-6).
func (w *reconciling) approval(root *strictjson.Value) error {
	if w.era == state.V1 {
		return nil
	}
	says, has := w.s.README.ApprovalValue, w.st.Approval
	known := says != "" && says != planmd.ApprovalOther
	switch {
	case known && says != has && (has != "" || w.st.Doc == nil || w.parts["approval"]):
	case w.parts["approval"] && !known:
		says = planmd.ApprovalPending
	default:
		return nil
	}
	if w.InTurn && granted(says) && !granted(has) {
		return refuse("guard/in-turn", "README.md says %s, state.json %q: inside a turn no approval is taken over", says, has)
	}
	root.Set("approval", strictjson.NewString(says))
	switch {
	case w.st.Doc == nil:
	case known:
		w.plan("approval: %s, as in README.md", says)
	default:
		w.plan("approval: %s, for nothing says more", says)
	}
	return nil
}

// derived fills in what follows from the entries (PS-17, C33).
func (w *reconciling) derived(root *strictjson.Value) state.Status {
	all := map[state.Status]int{}
	for _, t := range root.Member("tasks").Elems {
		if s := t.Member("status"); s != nil {
			all[state.Status(s.Text)]++
		}
	}
	b := root.Member("blocked")
	status := state.Derive(all, b != nil && b.Kind == strictjson.Object)
	w.Answer.Completed = status == state.Completed
	for _, f := range []struct {
		name string
		want *strictjson.Value
	}{
		{"status", strictjson.NewString(string(status))},
		{"completed_count", strictjson.NewInt(all[state.Completed])},
		{"task_count", strictjson.NewInt(len(w.s.README.Index))},
	} {
		was := root.Member(f.name)
		if was != nil && was.Kind == f.want.Kind && was.Text == f.want.Text {
			continue
		}
		root.Set(f.name, f.want)
		switch {
		case w.st.Doc == nil:
		case was == nil:
			w.plan("%s: %s", f.name, f.want.Text)
		default:
			w.Answer.Plan = append(w.Answer.Plan, fmt.Sprintf("%s: %s, not %s", f.name, f.want.Text, strictjson.Shorten(was.Text, 40)))
			w.notes.say(fmt.Sprintf("%s: %s, not %s", f.name, f.want.Text, quoted(strictjson.Shorten(was.Text, 40))))
		}
	}
	return status
}

// quoted is a text of the old state.json as PROGRESS.md tells it: nothing in it is structure there, and no secret is passed on (PS-7).
func quoted(text string) string {
	if len(evidence.Secrets(text)) > 0 {
		return "what looks like a secret"
	}
	return revise.Quote(text)
}

// checkpoint writes the resume point where it moves.
func (w *reconciling) checkpoint(root *strictjson.Value, status state.Status) {
	cp := w.st.Checkpoint
	task, step, moves := w.point(status)
	if !moves {
		return
	}
	v := strictjson.NewObject()
	if cp != nil && !w.parts["checkpoint"] { // for the order of its keys
		v = cp.Node.Clone()
	}
	v.Set("task", strictjson.NewInt(task))
	v.Set("step", strictjson.NewString(step))
	v.Set("at", strictjson.NewString(w.Time()))
	v.Set("note", strictjson.NewString(""))
	root.Set("checkpoint", v)
	text := fmt.Sprintf("checkpoint: task %d, step %s", task, step)
	if w.st.Doc != nil {
		w.Answer.Plan = append(w.Answer.Plan, text)
	}
	if cp != nil {
		text += fmt.Sprintf(". It was task %d, step %s", cp.Task, quoted(cp.Step))
		if cp.Note != "" {
			text += ", note " + quoted(cp.Note)
		}
	}
	w.notes.say(text)
}

// point is where the resume point goes when it can't stay: it names no task, it stands in one that is finished, behind one that was
// opened again, or the plan is completed (PS-15). A plan that has none needs none before its end.
func (w *reconciling) point(status state.Status) (task int, step string, moves bool) {
	cp, last, back := w.st.Checkpoint, len(w.s.README.Index), firstOf(w.means.Reopened)
	touched := len(w.Answer.Tasks) > 0
	switch {
	case status == state.Completed:
		at := cp != nil && cp.Task == last && cp.Step == "done"
		return last, "done", w.era != state.V1 && !at && (cp != nil || touched)
	case cp != nil && back != 0 && cp.Task >= back:
		return back, "reconciled", cp.Task != back || cp.Step == "done"
	}
	if task = w.desk.View.Next; task == 0 {
		task = w.open
	}
	stays := cp == nil || w.stays(cp.Task, touched)
	return task, "start", task != 0 && (w.parts["checkpoint"] || !stays)
}

// stays reports whether a resume point may stay where it is: in an open task, or where nothing was changed.
func (w *reconciling) stays(task int, touched bool) bool {
	t := w.views[task]
	return t != nil && t.Line != nil && !(touched && t.Checked)
}

// firstOf is the lowest number of a list; 0 of none.
func firstOf(list []int) int {
	if len(list) == 0 {
		return 0
	}
	return slices.Min(list)
}

// revision writes the new state, the copy of the old one, and why (PS-18, PS-19).
func (w *reconciling) revision(root *strictjson.Value, hasState, hasManifest bool) (*publish.Revision, error) {
	if err := w.published(); err != nil {
		return nil, err
	}
	if !hasManifest {
		text, err := w.manifest(root)
		if err != nil {
			return nil, err
		}
		w.desk.Create(state.ManifestFile, text)
	}
	if !hasState {
		w.plan("state.json made: generation %s", w.era)
	} else {
		w.keep()
	}
	w.desk.SetState(root)
	w.note(hasState)
	r, err := w.desk.Revision("reconcile", w.args()...)
	if err != nil {
		return nil, err
	}
	if !hasState || w.st.Doc == nil { // nobody was named before
		r.Warnings = nil
	}
	r.Means, r.Retire, r.Stricter = w.means, true, !hasState
	// A ticked task without proof is completed all the same: the finding stays until late evidence is given (PS-18). So
	// does that of work under an approval that the README takes back (LF-7).
	r.Expected = []string{"evidence/none", "evidence/failing", "evidence/invalidated", "evidence/empty", "evidence/never-ran", "evidence/zero-tests",
		"evidence/filtered-exit", "evidence/log-digest", "order/too-early",
		"approval/progress-under-pending"}
	w.left(r)
	return r, nil
}

// published refuses to change the state of a plan that was published, and stays completed: what changed after the receipt stays
// visible (VP-5). One that is opened again has its receipt kept under another name, and one whose state.json is lost has nothing left
// that the receipt speaks of.
func (w *reconciling) published() error {
	if _, stands := w.s.Nodes[state.ReceiptFile]; !stands || len(w.means.Reopened) > 0 || w.st.Status != state.Completed || !w.Answer.Completed {
		return nil
	}
	return refuse("guard/changed-after", "the plan is published, and README.md and state.json differ since")
}

// keep makes the copy of the old state.json, once: its name has the digest of what it holds.
func (w *reconciling) keep() {
	file := w.s.Files[state.StateFile]
	w.Answer.Copy = copyName(file)
	if _, stands := w.s.Nodes[w.Answer.Copy]; !stands {
		w.desk.Create(w.Answer.Copy, file.Data)
	}
	if w.st.Doc == nil || w.parts["tasks"] {
		w.Answer.Lost = "every gate record, outcome, commit and time of the old state.json"
	}
}

func copyName(f *plan.File) string { return "analysis_results/state-" + f.SHA256()[:8] + ".json" }

// args tell whoever finds the operation unfinished what was asked for.
func (w *reconciling) args() (args []string) {
	if w.Rebuild {
		args = append(args, "--rebuild")
	}
	if w.CreateLayer {
		args = append(args, "--create-layer")
	}
	return args
}

// left reads the new state by itself and lists what is wrong with it still.
func (w *reconciling) left(r *publish.Revision) {
	after := *w.s
	for _, c := range r.Changes {
		if c.Path == state.StateFile {
			after.State, after.StateFaults, _ = state.ReadState(c.Data)
			after.StateSyntax = nil
		}
	}
	w.leftovers(&after)
}

// evidenceRule reports whether a rule is about what records prove.
func evidenceRule(id string) bool { return strings.HasPrefix(id, "evidence/") }
