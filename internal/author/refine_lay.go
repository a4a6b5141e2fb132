package author

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// slot is one place in a new order of tasks: a task that exists, by its number before, or a new one.
type slot struct {
	old  int
	task *Task
	// moved says that the task leaves its place in the documents, and goes where its neighbour stands: the one before it, or with
	// before the one that follows. A new task goes there, too. Tasks that don't move keep the order that they have.
	moved, before bool
}

// staying reports whether the slot's texts stay where they are.
func (s slot) staying() bool { return s.old > 0 && !s.moved }

// layout is a new order of the tasks of a plan while it is made. Its numbers are those of before, unless it says otherwise.
type layout struct {
	desk  *revise.Desk
	order []slot
	// heirs are the tasks, by new number, that stand where others depend on a task: of one that was split its parts, of one that
	// goes whatever a person said. Without heirs it is the task itself.
	heirs map[int][]int
	to    map[int]int // the new number of each task that stays in the plan
	files map[string]bool
	// Left are mentions that a person should look at.
	left []Mention
	lite bool
	// sections is the level of the headings of sections in new records of a Lite plan.
	sections int
}

// Mention is a place that names a task by a number that changes, and that was left as it is, because nobody can be sure of it.
type Mention struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Task int    `json:"task"` // as it is written
	Text string `json:"text"` // the line
}

// lay makes every document of a plan, Full or Lite, and its state.json agree with a new order of its tasks (LF-10): index lines,
// records, headings, file names, links and anchors, "Depends on" lines, the groups table, counts, entries, locators, checkpoint and
// blocker. PROGRESS.md is history, and never rewritten. Numbers in prose are not touched but told: see layout.left.
func lay(d *revise.Desk, order []slot, heirs map[int][]int) (*layout, error) {
	l := &layout{desk: d, order: order, heirs: heirs, to: map[int]int{}, files: map[string]bool{}, lite: d.View.Format == lite}
	last := 0
	for i, s := range order {
		if s.old > 0 {
			l.to[s.old] = i + 1
		}
		if s.staying() {
			if s.old < last || d.Task(s.old) == nil {
				return nil, fmt.Errorf("task %d stays, and would stand behind task %d", s.old, last)
			}
			last = s.old
		}
	}
	for i := range d.View.Tasks {
		if t := &d.View.Tasks[i]; t.File != "" && t.File != readmeFile {
			l.files[t.File] = true
		}
	}
	if err := l.readme(); err != nil {
		return nil, err
	}
	l.records()
	if f := d.S.Files[promptsFile]; f != nil && f.Err == nil {
		l.document(promptsFile)
	}
	l.state()
	return l, nil
}

// renumbered maps the tasks that have another number now.
func (l *layout) renumbered() map[int]int {
	changed := map[int]int{}
	for old, new := range l.to {
		if old != new {
			changed[old] = new
		}
	}
	return changed
}

// gone are the tasks that are no more, ascending.
func (l *layout) gone() []int {
	var gone []int
	for i := range l.desk.View.Tasks {
		if id := l.desk.View.Tasks[i].ID; l.to[id] == 0 {
			gone = append(gone, id)
		}
	}
	return gone
}

// records edits the task files of a Full plan, renames them, and makes new ones.
func (l *layout) records() {
	for i := range l.desk.View.Tasks {
		t := &l.desk.View.Tasks[i]
		if t.File == "" || t.File == readmeFile {
			continue
		}
		if l.to[t.ID] == 0 {
			l.desk.Remove(t.File)
			continue
		}
		names := planmd.NamesInTask(t.Doc.Src)
		e := l.desk.Record(t)
		for _, p := range l.patches(t.File, t.Doc, names.Refs, func(int) *plan.TaskView { return t }) {
			e.Replace(p.at, p.text)
		}
		if name := l.fileName(t.File); name != t.File {
			l.desk.Rename(t.File, name)
		}
	}
	for i, s := range l.order {
		if s.task != nil && !l.lite {
			text := record(s.task, i+1, nil, full)
			if l.desk.S.README.CRLF() {
				text = strings.ReplaceAll(text, "\n", "\r\n")
			}
			l.desk.Create(taskFile(i+1, s.task.Title), []byte(text))
		}
	}
}

// document edits a document that has no structure of its own.
func (l *layout) document(name string) {
	names := planmd.NamesIn(l.desk.S.Files[name].Data)
	doc := &planmd.ReadREADME(l.desk.S.Files[name].Data).Doc
	e := l.desk.Edit(name, doc)
	for _, p := range l.patches(name, doc, names.Refs, nil) {
		e.Replace(p.at, p.text)
	}
}

// fileName is the name that a task file has afterwards: its number changes, all else of it stays.
func (l *layout) fileName(name string) string {
	dir, base := path.Split(name)
	digits := base[:len(base)-len(strings.TrimLeft(base, "0123456789"))]
	if id, ok := plan.TaskNumber(base); !ok || l.to[id] == 0 {
		return name
	}
	id, _ := plan.TaskNumber(base)
	return dir + padded(l.to[id], digits) + base[len(digits):]
}

// padded writes a number as wide as another that begins with a nought.
func padded(n int, like string) string {
	if strings.HasPrefix(like, "0") {
		return fmt.Sprintf("%0*d", len(like), n)
	}
	return fmt.Sprint(n)
}

// state puts the entries of state.json in order.
func (l *layout) state() {
	root := l.desk.State()
	if root == nil {
		return
	}
	var entries []*strictjson.Value
	for i, s := range l.order {
		n := i + 1
		if s.task != nil {
			entries = append(entries, l.entry(n, s.task))
			continue
		}
		e := l.desk.Entry(s.old)
		if e == nil {
			continue // verify says so; the plan was refused before
		}
		entries = append(entries, e)
		if s.old == n {
			continue
		}
		e.Set("id", strictjson.NewInt(n))
		l.locate(e, n)
	}
	root.Member("tasks").Elems = entries
	for _, name := range []string{"checkpoint", "blocked"} {
		if v := root.Member(name); v != nil && v.Kind == strictjson.Object {
			l.renumberMember(v, "task")
		}
	}
	l.next(root)
}

// next keeps a checkpoint that says only what is next (isNext) at the first open task, where another one is first now: it would send
// who resumes past that one (PS-15, WP-1). Any other goes along with its task.
func (l *layout) next(root *strictjson.Value) {
	st := l.desk.S.State
	if st == nil || st.Checkpoint == nil || !isNext(st.Checkpoint) {
		return
	}
	cp, first := st.Checkpoint, slices.IndexFunc(st.Tasks, open)
	to := l.to[cp.Task]
	if first >= 0 && st.Tasks[first].ID == cp.Task {
		to = l.firstOpen(st)
	}
	if to == 0 {
		return
	}
	v := cp.Node.Clone()
	v.Set("task", strictjson.NewInt(to))
	if cp.Note == fmt.Sprintf(nextNote, cp.Task) { // the guard's own words
		v.Set("note", strictjson.NewString(fmt.Sprintf(nextNote, to)))
	}
	root.Set("checkpoint", v)
}

// open reports whether something is left to do of a task.
func open(t state.Task) bool { return t.Status != state.Completed && t.Status != state.Skipped }

// firstOpen is the number of the first open task in the new order; 0 for none.
func (l *layout) firstOpen(st *state.State) int {
	closed := map[int]bool{}
	for _, t := range st.Tasks {
		closed[t.ID] = !open(t)
	}
	return 1 + slices.IndexFunc(l.order, func(s slot) bool { return !closed[s.old] })
}

const nextNote = "next: task %d"

// locate makes an entry's locator lead to the record of its new number.
func (l *layout) locate(e *strictjson.Value, n int) {
	if file := e.Member("file"); file != nil && file.Kind == strictjson.String {
		e.Set("file", strictjson.NewString(l.fileName(file.Text)))
	}
	at := e.Member("locator")
	if at == nil || at.Kind != strictjson.Object || at.Member("value") == nil {
		return
	}
	value := fmt.Sprintf("#task-%d", n)
	if kind := at.Member("kind"); kind != nil && kind.Text == "file" {
		value = l.fileName(at.Member("value").Text)
	}
	at.Set("value", strictjson.NewString(value))
}

// renumberMember changes a member that holds the number of a task.
func (l *layout) renumberMember(v *strictjson.Value, name string) {
	m := v.Member(name)
	if m == nil || m.Kind != strictjson.Number {
		return
	}
	if id, err := strconv.Atoi(m.Text); err == nil && l.to[id] > 0 && l.to[id] != id {
		v.Set(name, strictjson.NewInt(l.to[id]))
	}
}

// entry is a new task in state.json: pending, in the form of the plan's era.
func (l *layout) entry(n int, t *Task) *strictjson.Value {
	d := draft{Plan: &Plan{}, choice: Choice{Format: full}}
	if l.lite {
		d.choice.Format = lite
	}
	e := d.entry(n, t)
	if l.desk.View.Era == state.V1 {
		v1 := strictjson.NewObject()
		for _, m := range e.Members {
			if m.Name == "locator" {
				m = strictjson.Member{Name: "file", Value: strictjson.NewString(taskFile(n, t.Title))}
			}
			v1.Set(m.Name, m.Value)
		}
		return v1
	}
	return e
}

// sortedKeys are the keys of a map of numbers, ascending.
func sortedKeys[V any](m map[int]V) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
