package state

import (
	"math"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// stateRules are the rule IDs of state.json's open objects (PS-8).
func stateRules() rules {
	return rules{missing: "state/missing-field", kind: "state/type", value: "state/value",
		time: "state/timestamp", unknown: "state/unknown-field"}
}

// state decodes what stands beside the schema URL; s has Doc, Schema and a known Era.
func (r *reader) state(s *State) {
	o := r.object(s.Doc.Root, nil, stateRules())
	o.text("schema", required) // read before; asked for so that rest knows it
	s.Plan = o.text("plan", required)
	if t := o.time("updated_at", required); t != nil {
		s.UpdatedAt = *t
	}
	s.UpdatedBy = o.actor("updated_by", stateRules())
	// A plan, other than a task, is never skipped (PS-8).
	s.Status = Status(o.choice("status", required, "pending", "in_progress", "completed", "blocked"))
	s.CompletedCount = o.count("completed_count", required, 0)
	s.TaskCount = o.count("task_count", required, 0)
	if s.Era != V1 {
		o.axes(s)
	}
	// Whether ids, counts and statuses agree with each other is for verify: it also sees the markdown.
	tasks := o.to("tasks")
	for i, v := range o.list("tasks", required) {
		s.Tasks = append(s.Tasks, r.task(v, tasks.element(i), s.Era))
	}
	s.Checkpoint = o.checkpoint()
	s.Blocked = o.blocker()
	o.rest("a state")
}

// axes decodes what v2 added (PS-8, LF-1).
func (o *object) axes(s *State) {
	s.Format = o.choice("format", required, "lite", "full")
	s.Materialization = o.choice("materialization", required, "materializing", "ready", "promoting")
	s.Approval = o.choice("approval", optional, "pending", "approved", "pre_approved")
	s.Promotion = o.promotion()
}

// promotion decodes the marker of a promotion (PS-8, LF-9). It is no closed object.
func (o *object) promotion() *Promotion {
	const shape = "promotion/shape"
	in := o.object("promotion", optional, rules{missing: shape, kind: shape, value: shape, unknown: "state/unknown-field"})
	if in == nil {
		return nil
	}
	p := &Promotion{
		From:  in.choice("from", required, "lite"),
		To:    in.choice("to", required, "full"),
		Phase: in.choice("phase", required, "intent", "tasks_written", "switched"),
		Node:  in.node,
	}
	in.list("tasks", optional) // its elements have no form of their own
	in.rest("a promotion")
	return p
}

// task decodes one entry (PS-9). Whatever is wrong with it, it keeps its place in the list, so that tasks[i] in a
// message is the i-th entry of the file.
func (r *reader) task(v *strictjson.Value, at *path, era Era) Task {
	t := Task{Node: v}
	ru := stateRules()
	ru.missing, ru.value = "state/task-fields", "state/task-value"
	o := r.object(v, at, ru)
	if o == nil {
		return t
	}
	t.ID = o.count("id", required, 1)
	t.Title = o.text("title", required)
	t.Status = Status(o.choice("status", required, "pending", "in_progress", "completed", "blocked", "skipped"))
	t.Locator = o.locator(era)
	t.StartedAt = o.time("started_at", optional)
	t.CompletedAt = o.time("completed_at", optional)
	t.Commit, t.CommitNode = o.commit()
	gates := o.to("gates")
	for i, v := range o.list("gates", required) {
		t.Gates = append(t.Gates, r.gate(v, gates.element(i)))
	}
	t.Outcome = o.outcome()
	o.rest("a task entry")
	return t
}

// locator decodes v1's file, and the closed locator of later eras, into one (PS-9).
func (o *object) locator(era Era) Locator {
	if era == V1 {
		if v := o.typed("file", required, strictjson.String, "a string"); v != nil {
			return Locator{Kind: "file", Value: v.Text, Node: v}
		}
		return Locator{}
	}
	in := o.object("locator", required, rules{missing: "state/task-fields", kind: "state/type", value: "state/task-value",
		unknown: "state/closed-object", closed: true})
	if in == nil {
		return Locator{}
	}
	l := Locator{Kind: in.choice("kind", required, "file", "inline"), Value: in.text("value", required), Node: in.node}
	in.rest("a locator")
	return l
}

// commit decodes a task's commit: 7 to 40 hexadecimal digits and nothing else, no line break either (PS-11).
func (o *object) commit() (string, *strictjson.Value) {
	const name, shape = "commit", "commit/shape"
	// Not typed(): a commit of another type is reported under the commit's own rule too.
	v := o.member(name, optional)
	if v == nil {
		return "", nil
	}
	if v.Kind != strictjson.String {
		o.r.wrongKind(shape, v, o.to(name), "a string of 7 to 40 hexadecimal digits")
		return "", v
	}
	if len(v.Text) < 7 || len(v.Text) > 40 || !isHex(v.Text) {
		o.r.report(shape, v, o.to(name), "", "is %q; it must be 7 to 40 hexadecimal digits", shorten(v.Text))
	}
	return v.Text, v
}

// isHex reports whether text has only hexadecimal digits, of either case.
func isHex(text string) bool {
	for i := range len(text) {
		c := text[i] | 0x20
		if (text[i] < '0' || text[i] > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Exit codes run from a signal's negative number, as Python gives it, to Windows' unsigned ones. Where an int has 32 bits
// the latter become negative: never 0, which alone has a meaning (PS-12).
const (
	minExit = math.MinInt32
	maxExit = math.MaxUint32
)

// gate decodes a gate record, a closed object (PS-12). Whatever is wrong with it, it keeps its place in the list.
func (r *reader) gate(v *strictjson.Value, at *path) Gate {
	const shape = "gate/shape"
	g := Gate{Node: v}
	o := r.object(v, at, rules{missing: shape, kind: shape, value: shape, length: "gate/length", line: "gate/one-line",
		time: "state/timestamp", unknown: "gate/unknown-field", closed: true})
	if o == nil {
		return g
	}
	// Whether the code fits the verdict, and what the evidence admits, is for verify (PS-12, PS-13).
	g.Command = o.atMost("command", required, 500)
	g.Passes = o.boolean("passes", required)
	if code, found := o.integer("exit_code", optional, minExit, maxExit); found {
		exit := int(code)
		g.ExitCode = &exit
	}
	g.LastRun = o.time("last_run", optional)
	g.Evidence = o.line("evidence", optional, 500)
	o.rest("a gate record")
	return g
}

// closedRules report everything under one rule, but times and unknown members under the general ones.
func closedRules(shape string) rules {
	return rules{missing: shape, kind: shape, value: shape, length: shape, line: shape,
		time: "state/timestamp", unknown: "state/closed-object", closed: true}
}

// outcome decodes a task's outcome, a closed object of single lines, none of them required (PS-14).
func (o *object) outcome() *Outcome {
	in := o.object("outcome", optional, closedRules("outcome/shape"))
	if in == nil {
		return nil
	}
	out := &Outcome{
		Tried:  in.lines("tried", 300),
		Failed: in.lines("failed", 300),
		Worked: in.line("worked", optional, 500),
		Notes:  in.line("notes", optional, 1000),
		Node:   in.node,
	}
	in.rest("an outcome")
	return out
}

// checkpoint decodes the resume point, a closed object (PS-15). The note is optional: an updater that is told only a step
// has nothing true to write there.
func (o *object) checkpoint() *Checkpoint {
	in := o.object("checkpoint", optional, closedRules("checkpoint/shape"))
	if in == nil {
		return nil
	}
	c := &Checkpoint{Task: in.count("task", required, 1), Step: in.atMost("step", required, 200), Node: in.node}
	if t := in.time("at", required); t != nil {
		c.At = *t
	}
	c.Note = in.atMost("note", optional, 500)
	in.rest("a checkpoint")
	return c
}

// blocker decodes why the plan stopped, a closed object (PS-16). What it needs is optional, as GU-2 has an option of its
// own for it.
func (o *object) blocker() *Blocker {
	in := o.object("blocked", optional, closedRules("blocked/shape"))
	if in == nil {
		return nil
	}
	b := &Blocker{Task: in.count("task", required, 1), Reason: in.atMost("reason", required, 1000), Node: in.node}
	if t := in.time("since", required); t != nil {
		b.Since = *t
	}
	b.Needs = in.atMost("needs", optional, 500)
	in.rest("a blocker")
	return b
}
