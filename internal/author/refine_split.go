package author

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// Split puts two or more tasks in the place of one that was never started, so that no requirement is lost (LF-10):
//
//   - each criterion and each output of the task stands in exactly one part, verbatim up to white space
//   - each gate, planned path, instruction and rollback stands in one part at least: parts may be proven by the same command, and
//     work one file one after the other; in a parallel group no two plan the same file (AG-6)
//   - what a part has beyond that is added; an added criterion, gate or output grows the scope (LF-7)
//
// A part without dependencies of its own waits for what the task waited for and for the parts before it; one that names parts, counted
// from 1, waits for these. What waited for the task waits for all parts, or for the last one when that waits for all others.
type Split struct {
	revise.Who
	Task  int
	Parts []Task
	Warrant
}

// Parted is what a split did. Numbers are those of the plan afterwards.
type Parted struct {
	Tasks      []int // the parts
	Landed     []Landing
	Added      []Landing
	Renumbered map[int]int // by the number before
	Left       []Mention   // that name a number that changed, and were left
	Pending    bool        // approval is pending again
}

// Landing is one requirement and the tasks it stands in.
type Landing struct {
	Kind  string `json:"kind"` // criterion, output, gate, planned path, instruction, rollback
	Text  string `json:"text"`
	Tasks []int  `json:"tasks"`
}

// ReadParts reads the tasks of a split: an outline, of which nothing but tasks counts.
func ReadParts(src []byte) ([]Task, []Gap) {
	o, gaps := ReadOutline(src)
	return o.Tasks, gaps
}

// Decide is the decision that publish carries out. out, which is not nil, tells what it came to.
func (p Split) Decide(out *Parted) publish.Decide {
	return func(s *plan.Snapshot) (*publish.Revision, error) {
		*out = Parted{}
		d := revise.New(s, p.Who)
		w := &splitting{Split: p, out: out, d: d, t: d.Task(p.Task)}
		w.Parts = slices.Clone(p.Parts) // decided twice, it begins anew
		if err := w.maySplit(); err != nil {
			return nil, err
		}
		if gaps := append(w.lacks(), w.land()...); len(gaps) > 0 {
			return nil, &Incomplete{gaps}
		}
		return w.revision()
	}
}

// splitting is a split under way.
type splitting struct {
	Split
	out *Parted
	d   *revise.Desk
	t   *plan.TaskView
}

// maySplit: the task is there, was never started, is no Final Review, and nothing behind it has history, for it would get another number.
func (w *splitting) maySplit() error {
	s := w.d.S
	switch {
	case s.README == nil:
		return refuseRefine("guard/unreadable", "the plan has no README.md that can be read")
	case w.t == nil:
		return refuseRefine("guard/unknown-task", "there is no task %d; the plan has %d", w.Task, len(w.d.View.Tasks))
	case w.t.Record == nil || w.t.Doc == nil:
		return refuseRefine("guard/no-record", "task %d has no record that could be split", w.Task)
	case w.t.ID == w.d.View.Tasks[len(w.d.View.Tasks)-1].ID:
		return refuseRefine("guard/final-review", "task %d is the Final Review, which is one task", w.Task)
	}
	if why := history(s, w.t); why != "" {
		return refuseRefine("guard/history", "task %d keeps its number and its records: %s", w.Task, why)
	}
	for i := range w.d.View.Tasks {
		t := &w.d.View.Tasks[i]
		if why := history(s, t); t.ID > w.Task && why != "" {
			return refuseRefine("guard/history", "task %d would get another number, and can't: %s", t.ID, why)
		}
	}
	return w.Warrant.check()
}

// lacks are what keeps the parts from being tasks (PD-5, PD-6).
func (w *splitting) lacks() []Gap {
	c := gaps{}
	if len(w.Parts) < 2 {
		c.add("outline", fmt.Sprintf("a split needs two tasks at least, and %d is given", len(w.Parts)))
	}
	for i := range w.Parts {
		p := &w.Parts[i]
		c.task(i, p, len(w.Parts))
		if endsWithReview(p.Title) {
			c.add(w.place(i), fmt.Sprintf("task %d (%s) would be a second Final Review", i+1, oneLine(p.Title)))
		}
	}
	return append(c.list, w.rivals()...)
}

func (w *splitting) place(i int) string { return or(w.Parts[i].place, fmt.Sprintf("tasks[%d]", i)) }

// rivals are paths that two parts of a parallel group both plan to write (AG-6).
func (w *splitting) rivals() []Gap {
	if !slices.ContainsFunc(w.d.S.README.Groups, func(g planmd.Group) bool { return slices.Contains(g.Tasks, w.Task) }) {
		return nil
	}
	c, writes := gaps{}, map[[2]string]int{}
	for i := range w.Parts {
		c.planned(w.place(i), "of task "+fmt.Sprint(w.Task), i+1, w.Parts[i].Surface.Planned, writes)
	}
	return c.list
}

// demand is one thing that a task demands; one that is single stands in one part only.
type demand struct {
	kind, text string
	single     bool
}

// demands lists what a task demands. Our own words for what an outline left out are none of it.
func demands(t *Task) []demand {
	var all []demand
	add := func(kind string, single bool, texts ...string) {
		for _, text := range texts {
			if wordsKey(text) != "" {
				all = append(all, demand{kind, text, single})
			}
		}
	}
	add("criterion", true, t.Acceptance...)
	for _, text := range t.Outputs {
		if wordsKey(text) != wordsKey(ownOutput(t)) {
			add("output", true, text)
		}
	}
	add("gate", false, t.Gates...)
	add("planned path", false, t.Surface.Planned...)
	for _, text := range t.Instructions {
		if !slices.Contains(ownInstructions, text) {
			add("instruction", false, text)
		}
	}
	add("rollback", false, t.Rollback)
	return all
}

// key is what demands are compared by.
func (d demand) key() string { return d.kind + "\x00" + wordsKey(d.text) }

// land finds for each demand of the task the parts that it went to. What is missing, or stands twice where it must not, is a gap; what
// no demand of the task is was added.
func (w *splitting) land() []Gap {
	m := markdown{doc: w.t.Doc}
	whole := m.task(w.t.Record)
	if s := w.t.Record.Section(planmd.Acceptance); s != nil {
		whole.Acceptance = textsOf(criteria(listBody(w.t.Doc, w.t.Record, s)))
	}
	parts := map[string][]int{} // the parts that have a demand, once for each time
	for i := range w.Parts {
		for _, d := range demands(&w.Parts[i]) {
			parts[d.key()] = append(parts[d.key()], i)
		}
	}
	c, times := gaps{}, map[string]int{}
	for _, d := range demands(&whole) {
		times[d.key()]++
		if times[d.key()] > 1 {
			continue // told with the first
		}
		in := parts[d.key()]
		switch {
		case len(in) == 0:
			c.add("outline", fmt.Sprintf("no part has the %s of task %d: %q", d.kind, w.Task, shortly(d.text)))
		case d.single && len(in) > 1:
			c.add(w.place(in[1]), fmt.Sprintf("the %s of task %d stands in %d parts: %q", d.kind, w.Task, len(in), shortly(d.text)))
		}
		w.out.Landed = append(w.out.Landed, w.landing(d, in))
	}
	for i := range w.Parts {
		for _, d := range demands(&w.Parts[i]) {
			if in := parts[d.key()]; times[d.key()] == 0 && len(in) > 0 {
				w.out.Added = append(w.out.Added, w.landing(d, in))
				delete(parts, d.key())
			}
		}
	}
	return c.list
}

// landing names the tasks of parts by their numbers to come.
func (w *splitting) landing(d demand, in []int) Landing {
	l := Landing{Kind: d.kind, Text: oneLine(d.text)}
	for _, i := range in {
		if n := w.Task + i; !slices.Contains(l.Tasks, n) {
			l.Tasks = append(l.Tasks, n)
		}
	}
	return l
}

// revision lays the plan out anew, and reads it back.
func (w *splitting) revision() (*publish.Revision, error) {
	order := w.order()
	l, err := lay(w.d, order, map[int][]int{w.Task: w.heirs()})
	if err != nil {
		return nil, err
	}
	w.out.Renumbered, w.out.Left = l.renumbered(), l.left
	if slices.ContainsFunc(w.out.Added, func(a Landing) bool { return a.Kind == "criterion" || a.Kind == "gate" || a.Kind == "output" }) {
		if w.out.Pending, err = w.Warrant.grow(w.d); err != nil {
			return nil, err
		}
	}
	if err := w.Warrant.secrets(); err != nil {
		return nil, err
	}
	w.note()
	r, err := w.d.Revision("refine split", fmt.Sprint(w.Task))
	if err != nil {
		return nil, err
	}
	r.Means = update.Rewriting{Renumber: w.out.Renumbered, Archived: []int{w.Task}}
	if w.out.Pending {
		r.Expected = append(r.Expected, pendingExpected)
	}
	return r, w.holds(r)
}

// order is that of the tasks with the parts in the place of the one that is split.
func (w *splitting) order() []slot {
	var order []slot
	for i := range w.d.View.Tasks {
		id := w.d.View.Tasks[i].ID
		if id != w.Task {
			order = append(order, slot{old: id})
			continue
		}
		for n := range w.Parts {
			w.out.Tasks = append(w.out.Tasks, w.Task+n)
			w.Parts[n].DependsOn, w.Parts[n].HasDepends = w.waits(n)
		}
		for n := range w.Parts {
			order = append(order, slot{task: &w.Parts[n]})
		}
	}
	return order
}

// waits is what part n waits for, in the numbers of the plan afterwards: what the task waited for, and parts.
func (w *splitting) waits(n int) (list []int, declared bool) {
	p, r := &w.Parts[n], w.t.Record
	if !p.HasDepends && !r.HasDepends && !w.grouped() {
		return nil, false // it waits for all earlier ones, as the task did
	}
	before := w.d.View.Graph().DependsOn(w.Task)
	if r.HasDepends {
		before = r.DependsOn
	}
	for _, id := range before {
		if id > w.Task {
			id += len(w.Parts) - 1
		}
		list = append(list, id)
	}
	parts := p.DependsOn
	if !p.HasDepends {
		for i := range n {
			parts = append(parts, i+1)
		}
	}
	for _, i := range parts {
		list = append(list, w.Task+i-1)
	}
	slices.Sort(list)
	return slices.Compact(list), true
}

// grouped reports whether the task stands in a parallel group, where nothing waits for what stands beside it unless it says so.
func (w *splitting) grouped() bool {
	return slices.ContainsFunc(w.d.S.README.Groups, func(g planmd.Group) bool { return slices.Contains(g.Tasks, w.Task) })
}

// heirs are the parts that stand where others named the task: all of them, or the last one when it waits for all others. A group's row
// names them all.
func (w *splitting) heirs() []int {
	last, seen := len(w.Parts)-1, map[int]bool{}
	var follow func(n int)
	follow = func(n int) {
		for _, id := range w.Parts[n].DependsOn {
			if i := id - w.Task; i >= 0 && i <= last && !seen[i] {
				seen[i] = true
				follow(i)
			}
		}
	}
	follow(last)
	// Without a line of its own a part waits for every earlier one.
	if chained := !w.Parts[last].HasDepends || len(seen) == last && !seen[last]; chained && !w.grouped() {
		return []int{w.Task + last}
	}
	return w.out.Tasks
}

// note tells PROGRESS.md where each requirement went, and which numbers changed.
func (w *splitting) note() {
	first, last := w.out.Tasks[0], w.out.Tasks[len(w.out.Tasks)-1]
	bullets := []string{fmt.Sprintf("The task was %q; its parts are tasks %d to %d", oneLine(w.t.Title), first, last)}
	for _, l := range w.out.Landed {
		bullets = append(bullets, fmt.Sprintf("%s in %s: %s", strings.ToUpper(l.Kind[:1])+l.Kind[1:], tasksNamed(l.Tasks), l.Text))
	}
	for _, l := range w.out.Added {
		bullets = append(bullets, fmt.Sprintf("Added %s in %s: %s", l.Kind, tasksNamed(l.Tasks), l.Text))
	}
	for _, old := range sortedKeys(w.out.Renumbered) {
		bullets = append(bullets, fmt.Sprintf("Task %d is Task %d from now on", old, w.out.Renumbered[old]))
	}
	w.d.Note(fmt.Sprintf("Refine: Task %d split", w.Task), append(bullets, w.Warrant.told(w.out.Pending, w.Agent)...)...)
}

// holds reads the plan as it will stand: every part reads as it was given, no task waits for itself, no secret came in (PS-7, GU-7).
func (w *splitting) holds(r *publish.Revision) error {
	after, err := afterRevision(w.d.S, r)
	if err != nil {
		return err
	}
	f := fidelity{level: 2}
	if w.d.View.Format == lite {
		f.level = 3
	}
	views := after.Overview().Tasks
	if want := len(w.d.View.Tasks) + len(w.Parts) - 1; len(views) != want {
		return &Incomplete{[]Gap{{"outline", fmt.Sprintf("a text of it reads as the index of tasks: %d tasks would be found, not %d", len(views), want)}}}
	}
	for n := range w.Parts {
		i := slices.IndexFunc(views, func(t plan.TaskView) bool { return t.ID == w.Task+n })
		if i < 0 {
			return &Incomplete{[]Gap{{w.place(n), fmt.Sprintf("task %d would not be found", w.Task+n)}}}
		}
		f.task(w.Task+n, &w.Parts[n], views[i])
	}
	if len(f.gaps) > 0 {
		return &Incomplete{f.gaps}
	}
	if stuck := ring(after); len(stuck) > 0 && len(ring(w.d.S)) == 0 {
		return &Incomplete{[]Gap{{"Depends on", "no task could ever start of " + tasksNamed(stuck) + ": they wait for each other"}}}
	}
	for _, found := range newFindings(w.d.S, after, verify.Options{Now: w.Now}) {
		if strings.HasPrefix(found.Rule, "secret/") {
			return refuseRefine(found.Rule, "%s", found.Message)
		}
	}
	return nil
}

// afterRevision is a plan with the changes of a revision, as far as its documents go.
func afterRevision(s *plan.Snapshot, r *publish.Revision) (*plan.Snapshot, error) {
	texts := map[string]string{}
	for name, f := range s.Files {
		if f.Err == nil {
			texts[name] = string(f.Data)
		}
	}
	for _, c := range r.Changes {
		if c.Remove {
			delete(texts, c.Path)
			continue
		}
		texts[c.Path] = string(c.Data)
	}
	return plan.Read(folderOf(texts), s.Name)
}
