package update

import (
	"slices"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// edit is the new tree while it is made. It shares with the old one every value that doesn't change: the snapshot is never
// written to, and what other tasks hold is not even copied.
type edit struct {
	root, task *strictjson.Value
	touched    []string // what differs, in the order of the edits
}

// newEdit starts from the tree as it was read; entry is the place of the task in its list.
func newEdit(root *strictjson.Value, entry int) *edit {
	e := &edit{root: shallow(root)}
	tasks := shallow(root.Member("tasks"))
	e.task = tasks.Elems[entry].Clone()
	tasks.Elems[entry] = e.task
	e.root.Set("tasks", tasks)
	return e
}

// shallow copies a value but not what is in it.
func shallow(v *strictjson.Value) *strictjson.Value {
	c := *v
	c.Members, c.Elems = slices.Clone(v.Members), slices.Clone(v.Elems)
	return &c
}

// touch notes that something differs. What was touched decides whether there is anything to write (GU-4), and whether a completed
// task may take it (GU-6).
func (e *edit) touch(what string) {
	if !slices.Contains(e.touched, what) {
		e.touched = append(e.touched, what)
	}
}

// setText sets a string member of an object, and tells whether it differs from what stood there.
func setText(v *strictjson.Value, name, value string) bool {
	if old := v.Member(name); old != nil && old.Kind == strictjson.String && old.Text == value {
		return false
	}
	v.Set(name, strictjson.NewString(value))
	return true
}

// write makes the new file. Derived fields follow from the entries (PS-17); times are UTC (C137).
func (g *guard) write() (Result, *Refusal) {
	entry := slices.IndexFunc(g.st.Tasks, func(t state.Task) bool { return t.ID == g.task.ID })
	e := newEdit(g.st.Doc.Root, entry)
	g.writeTask(e)
	g.writeGates(e)
	g.writeOutcome(e)
	g.writeBlocker(e)
	if r := g.settled(e); r != nil {
		return Result{}, r
	}
	status := g.derive(e, entry)
	g.writeCheckpoint(e, status)
	old := g.s.Files[state.StateFile].Data
	if len(e.touched) == 0 {
		return Result{State: old, Warnings: g.warnings}, nil
	}
	if g.wait != nil {
		return Result{}, g.wait
	}
	g.writeUpdater(e)
	g.lagging()
	return Result{State: strictjson.Format(e.root), Changed: true, Terminal: status == state.Completed, Warnings: g.warnings}, nil
}

// writeTask sets status, times and commit. The times record transitions: a replay doesn't move them (GU-4).
func (g *guard) writeTask(e *edit) {
	if setText(e.task, "status", string(g.to)) {
		e.touch("status")
	}
	if g.to == state.InProgress && g.from != g.to && g.task.StartedAt == nil {
		e.task.Set("started_at", strictjson.NewString(utc(g.now)))
		e.touch("started_at")
	}
	switch {
	case g.to == state.Completed && g.from != g.to:
		e.task.Set("completed_at", strictjson.NewString(g.completedAt()))
		e.touch("completed_at")
	case g.past != nil && e.task.Delete("completed_at"):
		e.touch("completed_at")
	}
	if g.ch.Commit != "" && setText(e.task, "commit", g.ch.Commit) {
		e.touch("commit")
	}
}

// completedAt is now, or the start when another machine's clock is a little ahead: a task is not completed before it was started
// (PS-11, C139).
func (g *guard) completedAt() string {
	if t := g.task.StartedAt; t != nil && !t.DateOnly && t.Value.After(g.now) {
		return t.Value.UTC().Format("2006-01-02T15:04:05.999999999Z07:00")
	}
	return utc(g.now)
}

// writeGates replaces the list when a record differs; records that don't keep their nodes, and so their bytes.
func (g *guard) writeGates(e *edit) {
	if !slices.ContainsFunc(g.records, func(r record) bool { return r.changed }) {
		return
	}
	var list []*strictjson.Value
	for i := range g.records {
		list = append(list, g.records[i].value())
	}
	e.task.Set("gates", strictjson.NewArray(list...))
	e.touch("gates")
}

// value is the record in JSON: the node it stands in, edited.
func (r *record) value() *strictjson.Value {
	if !r.changed {
		return r.node
	}
	v := strictjson.NewObject()
	if r.node != nil {
		v = r.node.Clone()
	}
	setText(v, "command", r.Command)
	if old := v.Member("passes"); old == nil || old.Text != truth(r.Passes) {
		v.Set("passes", strictjson.NewBool(r.Passes))
	}
	if r.ExitCode == nil {
		v.Delete("exit_code")
	} else if n := strictjson.NewInt(*r.ExitCode); v.Member("exit_code") == nil || v.Member("exit_code").Text != n.Text {
		v.Set("exit_code", n)
	}
	if r.LastRun != "" {
		setText(v, "last_run", r.LastRun)
	}
	if r.Evidence != "" || v.Member("evidence") != nil {
		setText(v, "evidence", r.Evidence)
	}
	return v
}

// truth spells a boolean.
func truth(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// writeOutcome adds to the task's memory (PS-14). What was tried and what failed is added once: a replay adds nothing.
func (g *guard) writeOutcome(e *edit) {
	ch := &g.ch
	if ch.Worked == "" && ch.Notes == "" && len(ch.Tried) == 0 && len(ch.Failed) == 0 {
		return
	}
	out := e.task.Member("outcome")
	if out == nil || out.Kind != strictjson.Object {
		out = strictjson.NewObject(strictjson.Member{Name: "tried", Value: strictjson.NewArray()}, strictjson.Member{Name: "failed", Value: strictjson.NewArray()})
	}
	changed := addLines(out, "tried", ch.Tried)
	changed = addLines(out, "failed", ch.Failed) || changed
	changed = ch.Worked != "" && setText(out, "worked", ch.Worked) || changed
	changed = ch.Notes != "" && setText(out, "notes", ch.Notes) || changed
	if changed {
		e.task.Set("outcome", out)
		e.touch("outcome")
	}
}

// addLines appends to a list of an outcome what it doesn't hold yet.
func addLines(out *strictjson.Value, name string, lines []string) (changed bool) {
	list := out.Member(name)
	if list == nil || list.Kind != strictjson.Array {
		list = strictjson.NewArray()
	}
	for _, line := range lines {
		if !slices.ContainsFunc(list.Elems, func(v *strictjson.Value) bool { return v.Text == line }) {
			list.Elems = append(list.Elems, strictjson.NewString(line))
			changed = true
		}
	}
	if changed {
		out.Set(name, list)
	}
	return changed
}

// writeBlocker records, renews or clears the task's own blocker (GU-5, PS-16). Since when it stands doesn't move.
func (g *guard) writeBlocker(e *edit) {
	switch {
	case g.ch.ResolveBlocker && g.own:
		e.root.Set("blocked", strictjson.NewNull())
		e.touch("blocked")
	case g.ch.BlockReason == "" && g.ch.BlockNeeds == "":
	default:
		b := strictjson.NewObject(strictjson.Member{Name: "task", Value: strictjson.NewInt(g.task.ID)},
			strictjson.Member{Name: "reason", Value: strictjson.NewString("")}, strictjson.Member{Name: "since", Value: strictjson.NewString(utc(g.now))})
		if g.own {
			b = g.st.Blocked.Node.Clone()
		}
		changed := g.ch.BlockReason != "" && setText(b, "reason", g.ch.BlockReason)
		changed = g.ch.BlockNeeds != "" && setText(b, "needs", g.ch.BlockNeeds) || changed
		if changed {
			e.root.Set("blocked", b)
			e.touch("blocked")
		}
	}
}

// settled: a completed task that is not reopened takes late evidence when it has none, or a later run of its own gates with the
// same result; everything else is refused (GU-4, GU-6).
func (g *guard) settled(e *edit) *Refusal {
	if g.from != state.Completed || g.past != nil {
		return nil
	}
	for _, what := range e.touched {
		late := what == "gates" && len(g.task.Gates) == 0
		if late || what == "gates" && !slices.ContainsFunc(g.records, func(r record) bool { return r.changed && !r.rerun }) {
			continue
		}
		return refuse("guard/completed", "task %d is completed; its %s can't change", g.task.ID, what)
	}
	return nil
}

// derive recomputes what follows from the entries (PS-17, C33).
func (g *guard) derive(e *edit, entry int) state.Status {
	all := map[state.Status]int{}
	for i := range g.st.Tasks {
		if i != entry {
			all[g.st.Tasks[i].Status]++
		}
	}
	all[g.to]++
	blocked := g.st.Blocked != nil && !(g.ch.ResolveBlocker && g.own) || g.ch.BlockReason != ""
	status := state.Derive(all, blocked)
	setText(e.root, "status", string(status))
	if all[state.Completed] != g.st.CompletedCount {
		e.root.Set("completed_count", strictjson.NewInt(all[state.Completed]))
	}
	return status
}

// writeUpdater says when, and by whom (C93). A change without a name doesn't keep the name of who made the one before.
func (g *guard) writeUpdater(e *edit) {
	setText(e.root, "updated_at", utc(g.now))
	if g.ch.Agent == "" && g.ch.Model == "" {
		if g.st.UpdatedBy != nil {
			e.root.Delete("updated_by")
			g.warn("no agent is named; updated_by, which named the one before, is taken out")
		}
		return
	}
	who := strictjson.NewObject()
	if g.st.UpdatedBy != nil && g.st.UpdatedBy.Agent == g.ch.Agent {
		who = g.st.UpdatedBy.Node.Clone()
	}
	for _, m := range [][2]string{{"agent", g.ch.Agent}, {"model", g.ch.Model}} {
		if m[1] == "" {
			who.Delete(m[0])
			continue
		}
		setText(who, m[0], m[1])
	}
	e.root.Set("updated_by", who)
}

// lagging warns where the markdown says something else than the new state: verify will report it (GU-1, PS-18, WP-2). Nothing
// is repaired (GU-12).
func (g *guard) lagging() {
	id, done := g.task.ID, g.to == state.Completed
	switch {
	case g.line == nil || g.line.Line == nil:
		g.warn("the README's index has no line for task %d", id)
	case done && !g.line.Checked:
		g.warn("the README's box of task %d is still open: tick it and correct the count", id)
	case !done && g.line.Checked:
		g.warn("the README's box of task %d is ticked, but state.json says %s", id, g.to)
	}
	switch {
	case g.log == nil:
		g.warn("task %d has no record in the markdown", id)
	case done && g.log.Log.State != planmd.LogCompleted:
		g.warn("the log of task %d does not say completed", id)
	}
	if done && g.s.Progress != nil && !slices.ContainsFunc(g.s.Progress.Entries, func(p planmd.Entry) bool { return p.Task == id }) {
		g.warn("PROGRESS.md has no entry about task %d", id)
	}
	if done && g.task.Outcome == nil && g.ch.Worked == "" && g.ch.Notes == "" && len(g.ch.Tried)+len(g.ch.Failed) == 0 {
		g.warn("task %d leaves no outcome: say what was tried, what failed, what worked", id)
	}
}
