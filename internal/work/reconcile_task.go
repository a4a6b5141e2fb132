package work

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// This file: what becomes of one entry of state.json (PS-9, PS-18).

// entry makes the entry of a task of the index, from the one that stands where there is one.
type entry struct {
	w    *reconciling
	t    *plan.TaskView
	node *strictjson.Value
	at   int // place of the old entry in state.json, -1 for none
	c    Correction
}

// tasks makes all entries, in the order of the index. Those that only state.json knows are left out: they have no history.
func (w *reconciling) tasks() *strictjson.Value {
	place := map[int]int{}
	for i := range w.st.Tasks {
		place[w.st.Tasks[i].ID] = i
	}
	list := strictjson.NewArray()
	for i := range w.s.README.Index {
		id := w.s.README.Index[i].ID
		at, known := place[id]
		if !known {
			at = -1
		}
		list.Elems = append(list.Elems, w.task(id, at))
	}
	for i := range w.st.Tasks {
		if t := &w.st.Tasks[i]; t.ID > len(w.s.README.Index) {
			w.means.Archived = append(w.means.Archived, t.ID)
			w.correct(Correction{Task: t.ID, Title: t.Title, Markdown: "no line", State: string(t.Status), Direction: NotInMarkdown,
				Changes: []string{"entry dropped: it has no history"}})
			w.notes.add("No line in README.md, and no history, so dropped", t.ID)
		}
	}
	if at := firstOf(w.fileless); at > 0 {
		w.undecided.line(&w.s.README.Doc, w.s.README.Index[at-1].Span, 0, "no task file that state.json could name: %s", tasksOf(w.fileless))
	}
	for _, what := range w.ask.words {
		w.Answer.Questions = append(w.Answer.Questions, tasksOf(w.ask.tasks[what])+": "+what)
	}
	return list
}

func (w *reconciling) correct(c Correction) { w.Answer.Tasks = append(w.Answer.Tasks, c) }

// task makes one entry.
func (w *reconciling) task(id, at int) *strictjson.Value {
	e := &entry{w: w, t: w.views[id], at: at}
	e.c = Correction{Task: id, Title: e.t.Title, Markdown: e.markdown(), State: "no entry", Direction: NotInState}
	if at < 0 {
		e.fresh()
	} else {
		e.kept(&w.st.Tasks[at])
	}
	if len(e.c.Changes) > 0 {
		w.correct(e.c)
	}
	e.ask()
	return e.node
}

// markdown is what box and log say.
func (e *entry) markdown() string {
	text := "open"
	if e.t.Checked {
		text = "done"
	}
	if e.t.Record != nil && e.t.Record.Log.State != planmd.LogNone {
		text += ", log " + strings.ReplaceAll(string(e.t.Record.Log.State), "_", " ")
	}
	return text
}

func (e *entry) changed(format string, args ...any) {
	e.c.Changes = append(e.c.Changes, fmt.Sprintf(format, args...))
}

// ask lists what only a person can tell (C37, WP-1): the box is the index, whatever log or commits say.
func (e *entry) ask() {
	w, id := e.w, e.t.ID
	if e.t.Checked {
		switch {
		case e.t.Record != nil && (e.t.Record.Log.State == planmd.LogPending || e.t.Record.Log.State == planmd.LogInProgress):
			w.ask.add("box ticked, and log "+strings.ReplaceAll(string(e.t.Record.Log.State), "_", " ")+": fill the log, or open the box", id)
		case e.at >= 0 && w.st.Tasks[e.at].Status == state.Skipped:
			w.ask.add("taken out of scope, and box ticked: which holds?", id)
		}
		return
	}
	if w.open == 0 && (e.at < 0 || w.st.Tasks[e.at].Status != state.Skipped) {
		w.open = id
	}
	switch {
	case logSaid(e.t) == planmd.LogCompleted:
		w.ask.add("log says completed, and box open: a proven task is ticked first, then reconciled", id)
	case len(w.named[id]) > 0:
		w.ask.add(fmt.Sprintf("box open, and commit %.12s names it: a proven task is ticked first, then reconciled", w.named[id][0].ID), id)
	}
}

// logSaid is the state of a task's log.
func logSaid(t *plan.TaskView) planmd.LogState {
	if t.Record == nil {
		return planmd.LogNone
	}
	return t.Record.Log.State
}

// fresh is an entry for a task that only the markdown knows.
func (e *entry) fresh() {
	e.node = strictjson.NewObject()
	e.node.Set("id", strictjson.NewInt(e.t.ID))
	e.node.Set("title", strictjson.NewString(e.title()))
	e.locate()
	status := state.Pending
	switch {
	case e.t.Checked:
		status = state.Completed
	case logSaid(e.t) == planmd.LogInProgress:
		status = state.InProgress
		e.w.means.Started = append(e.w.means.Started, e.t.ID)
	}
	e.node.Set("status", strictjson.NewString(string(status)))
	e.c.Changes = nil
	e.changed("entry added: %s", status)
	if status == state.Completed {
		e.complete(nil)
	} else {
		e.w.notes.add("New entries, "+strings.ReplaceAll(string(status), "_", " "), e.t.ID)
	}
	e.node.Set("gates", strictjson.NewArray())
}

// title is the task's title, as one line.
func (e *entry) title() string {
	if title := strings.Join(strings.Fields(e.t.Title), " "); title != "" {
		return title
	}
	return fmt.Sprintf("Task %d", e.t.ID)
}

// kept is the entry that stands, as far as it agrees with the markdown.
func (e *entry) kept(was *state.Task) {
	w := e.w
	e.node = was.Node.Clone()
	e.c.State, e.c.Direction = string(was.Status), Details
	if !e.known(was) {
		e.c.State = "unknown status"
	}
	line := w.s.README.Index[e.t.ID-1].Title
	if w.faulty(e.at, "title") || strings.TrimSpace(was.Title) == "" || line != "" && verify.TitleKey(line) != verify.TitleKey(was.Title) {
		e.node.Set("title", strictjson.NewString(e.title()))
		e.changed("title as in README.md")
		w.notes.add("Title as in README.md", e.t.ID)
	}
	if w.misplaced(e, was) && e.locate() {
		e.changed("locator corrected")
		w.notes.add("Locator corrected", e.t.ID)
	}
	if gates := e.node.Member("gates"); gates == nil || gates.Kind == strictjson.Null {
		e.node.Set("gates", strictjson.NewArray())
		e.changed("empty list of records added")
		w.notes.add("Empty list of records added", e.t.ID)
	}
	e.status(was)
}

// known reports whether an entry's status is one of the standard's.
func (e *entry) known(was *state.Task) bool {
	return slices.Contains([]state.Status{state.Pending, state.InProgress, state.Completed, state.Blocked, state.Skipped}, was.Status)
}

// status makes the entry agree with the box (PS-18). Where both say that the task is open, the entry knows more.
func (e *entry) status(was *state.Task) {
	w, b := e.w, e.w.st.Blocked
	stands := b != nil && b.Task == e.t.ID
	switch {
	case e.t.Checked && was.Status != state.Completed:
		e.c.Direction = StateBehind
		e.node.Set("status", strictjson.NewString(string(state.Completed)))
		e.changed("completed")
		e.complete(was)
	case e.t.Checked:
		if w.faulty(e.at, "completed_at") || was.CompletedAt == nil || was.CompletedAt.Value.IsZero() {
			e.changed("completed_at: %s", e.stamp(was))
			w.notes.add("completed_at missing, or no time", e.t.ID)
		}
	case was.Status == state.Completed:
		e.c.Direction = StateAhead
		e.lower(was, stands)
	case stands && was.Status != state.Blocked:
		e.set(state.Blocked)
	case !e.known(was):
		e.set(e.begun())
	}
}

// set gives an open task another status.
func (e *entry) set(status state.Status) {
	e.node.Set("status", strictjson.NewString(string(status)))
	e.changed("%s", strings.ReplaceAll(string(status), "_", " "))
	e.w.notes.add("Status now "+strings.ReplaceAll(string(status), "_", " "), e.t.ID)
}

// begun is the status of an open task by its log: one that says completed under an open box is work that was begun.
func (e *entry) begun() state.Status {
	if said := logSaid(e.t); said == planmd.LogInProgress || said == planmd.LogCompleted {
		return state.InProgress
	}
	return state.Pending
}

// lower opens an entry whose box is open. Its records stay, marked as history (GU-6): what they prove was not accepted, or was taken
// back by hand, and only new evidence closes the task.
func (e *entry) lower(was *state.Task, blocked bool) {
	w := e.w
	status := e.begun()
	if blocked {
		status = state.Blocked
	}
	e.node.Set("status", strictjson.NewString(string(status)))
	e.node.Delete("completed_at")
	marked := 0
	if gates := e.node.Member("gates"); gates != nil {
		for i, g := range gates.Elems {
			if g.Kind != strictjson.Object || i >= len(was.Gates) || evidence.Invalidated(was.Gates[i].Evidence) {
				continue
			}
			g.Set("evidence", strictjson.NewString(update.Invalidate(was.Gates[i].Evidence, w.Now, 0)))
			marked++
		}
	}
	w.means.Reopened = append(w.means.Reopened, e.t.ID)
	e.changed("%s", strings.ReplaceAll(string(status), "_", " "))
	if marked > 0 {
		e.changed("%s kept as history", count(marked, "record"))
	}
	w.notes.add("Open in README.md, so opened; their records are history, and only new evidence closes them", e.t.ID)
}

// complete fills in what a completed entry has (PS-11). was is nil for a new one.
func (e *entry) complete(was *state.Task) {
	w, id := e.w, e.t.ID
	w.means.Completed = append(w.means.Completed, id)
	w.notes.add("Ticked in README.md, so completed", id)
	if was == nil || w.faulty(e.at, "completed_at") || was.CompletedAt == nil || was.CompletedAt.Value.IsZero() {
		e.changed("completed_at: %s", e.stamp(was))
	}
	if was == nil || was.Commit == "" && was.CommitNode == nil {
		if c := w.commitOf(id); c != "" {
			e.node.Set("commit", strictjson.NewString(c))
			e.changed("commit %.12s, which names the task", c)
			w.notes.add("commit: the only one that names the task", id)
		}
	}
	if was == nil || len(was.Gates) == 0 {
		w.Answer.Owing = append(w.Answer.Owing, id)
		e.changed("late evidence is due")
	}
}

// commitOf is the only commit that names a task, unless another task records it; "" for none, or for several.
func (w *reconciling) commitOf(id int) string {
	if len(w.named[id]) != 1 {
		return ""
	}
	const longest = 40 // digits: PS-11 has no longer names
	name := strings.ToLower(w.named[id][0].ID)
	name = name[:min(len(name), longest)]
	for c, owner := range w.owner {
		if owner != id && sameCommit(c, name) {
			return ""
		}
	}
	w.owner[name] = id
	return name
}

// misplaced reports whether an entry's locator does not lead to its task (PS-9).
func (w *reconciling) misplaced(e *entry, was *state.Task) bool {
	member := "locator"
	if w.era == state.V1 {
		member = "file"
	}
	return w.lost[e.t.ID] || was.Locator.Value == "" || w.faulty(e.at, member) || w.parts["format"]
}

// locate sets the entry's locator by where its record stands, and reports whether that changed anything. Without a file to name, a
// locator that stands stays: verify says what is wrong with it.
func (e *entry) locate() bool {
	w := e.w
	file := e.t.File
	if file == "" || file == revise.ReadmeFile {
		file = ""
		if e.t.Line != nil {
			file = path.Clean(e.t.Line.Link)
		}
		if n, ok := plan.TaskNumber(file); !ok || n != e.t.ID || strings.HasPrefix(file, "..") || path.IsAbs(file) {
			file = ""
		}
	}
	_, there := w.s.Nodes[file]
	switch {
	case w.lite:
		e.node.Set("locator", locator("inline", fmt.Sprintf("#task-%d", e.t.ID)))
	case e.at >= 0 && !there:
		return false
	case !there:
		w.fileless = append(w.fileless, e.t.ID)
		return false
	case w.era == state.V1:
		e.node.Set("file", strictjson.NewString(file))
	default:
		e.node.Set("locator", locator("file", file))
	}
	return true
}

func locator(kind, value string) *strictjson.Value {
	l := strictjson.NewObject()
	l.Set("kind", strictjson.NewString(kind))
	l.Set("value", strictjson.NewString(value))
	return l
}
