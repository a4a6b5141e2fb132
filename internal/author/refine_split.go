package author

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/strictjson"
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
	Refined // its Added are the parts
	Landed  []Landing
	More    []Landing // what the task had not
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
		r, err := begin(s, p.Who, &p.Warrant, &out.Refined)
		if err != nil {
			return nil, err
		}
		w := &splitting{Split: p, out: out, r: r, d: r.desk}
		w.Parts = slices.Clone(p.Parts) // decided twice, it begins anew
		if w.t, err = r.task(p.Task); err != nil {
			return nil, err
		}
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
	r   *reordering
	d   *revise.Desk
	t   *plan.TaskView
}

// maySplit: the task was never started, and is no Final Review.
func (w *splitting) maySplit() error {
	if w.Task == w.r.reviewed() {
		return refuse("guard/final-review", "task %d is the Final Review, which is one task", w.Task)
	}
	if why := history(w.d.S, w.t); why != "" {
		return refuse("guard/history", "task %d is not split, because %s", w.Task, why)
	}
	return nil
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

// rivals are paths that two tasks of a parallel group would both plan to write (AG-6).
func (w *splitting) rivals() []Gap {
	if !w.grouped() {
		return nil
	}
	c, writes := gaps{}, besides(w.d, w.Task)
	for i := range w.Parts {
		for _, p := range w.Parts[i].Surface.Planned {
			if other := writes[path.Clean(p)]; other != "" && other != w.part(i) {
				c.add(w.place(i), fmt.Sprintf("%s and %s of a parallel group both plan to write %s", other, w.part(i), p))
			}
			writes[path.Clean(p)] = w.part(i)
		}
	}
	return c.list
}

func (w *splitting) part(i int) string { return fmt.Sprintf("part %d", i+1) }

// besides are the paths that the other tasks of a task's parallel group plan to write, and which task (AG-6).
func besides(d *revise.Desk, task int) map[string]string {
	writes := map[string]string{}
	rows := d.S.README.Groups
	own := slices.IndexFunc(rows, func(g planmd.Group) bool { return slices.Contains(g.Tasks, task) })
	if own < 0 {
		return writes
	}
	for _, row := range rows {
		for _, id := range row.Tasks {
			t := d.Task(id)
			if row.Name != rows[own].Name || id == task || t == nil || t.Record == nil {
				continue
			}
			m := markdown{doc: t.Doc}
			for _, p := range m.task(t.Record).Surface.Planned {
				writes[path.Clean(p)] = fmt.Sprintf("task %d", id)
			}
		}
	}
	return writes
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
	for _, other := range otherSections(w.t.Record.Sections) { // no part can have it, and nobody knows what it demands
		c.add(fmt.Sprintf("task %d", w.Task), fmt.Sprintf("no part has its section %q: move what it says into another one first, by hand", oneLine(other.Label)))
	}
	for _, d := range demands(&whole) {
		times[d.key()]++
		if times[d.key()] > 1 {
			continue // told with the first
		}
		in := parts[d.key()]
		switch {
		case len(in) == 0:
			c.add(fmt.Sprintf("task %d", w.Task), fmt.Sprintf("no part has its %s: %q", d.kind, strictjson.Shorten(oneLine(d.text), 200)))
		case d.single && len(in) > 1:
			c.add(w.place(in[1]), fmt.Sprintf("the %s of task %d stands in %d parts: %q", d.kind, w.Task, len(in), strictjson.Shorten(oneLine(d.text), 200)))
		}
		w.out.Landed = append(w.out.Landed, w.landing(d, in))
	}
	for i := range w.Parts {
		for _, d := range demands(&w.Parts[i]) {
			if in := parts[d.key()]; times[d.key()] == 0 && len(in) > 0 {
				w.out.More = append(w.out.More, w.landing(d, in))
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

// revision lays the plan out anew.
func (w *splitting) revision() (*publish.Revision, error) {
	order := w.order()
	if err := w.r.keep(order, func(*plan.TaskView) string {
		return "; add the rest with refine add, then make the task smaller with refine edit"
	}); err != nil {
		return nil, err
	}
	err := w.r.lay(order, map[int][]int{w.Task: w.heirs()})
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(w.out.More, func(a Landing) bool { return a.Kind == "criterion" || a.Kind == "gate" || a.Kind == "output" }) {
		if w.out.Pending, err = w.grow(w.d); err != nil {
			return nil, err
		}
	}
	w.note()
	rev, err := w.r.end("refine split", fmt.Sprint(w.Task))
	if err != nil {
		return nil, err
	}
	return rev, noSecrets(w.d.S, rev, w.Now)
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
	var all []int
	for n := range w.Parts {
		all = append(all, w.Task+n)
	}
	return all
}

// note tells PROGRESS.md where each requirement went, and which numbers changed.
func (w *splitting) note() {
	bullets := []string{fmt.Sprintf("Split: %s, which was Task %d, into Tasks %d to %d", quotedTitle(w.t.Title), w.Task, w.Task, w.Task+len(w.Parts)-1)}
	for _, l := range w.out.Landed {
		bullets = append(bullets, fmt.Sprintf("%s in %s: %s", strings.ToUpper(l.Kind[:1])+l.Kind[1:], tasksNamed(l.Tasks), revise.Quote(l.Text)))
	}
	for _, l := range w.out.More {
		bullets = append(bullets, fmt.Sprintf("New %s in %s: %s", l.Kind, tasksNamed(l.Tasks), revise.Quote(l.Text)))
	}
	w.r.note("a task split", bullets...)
}

// noSecrets refuses a revision that brings one in (PS-7).
func noSecrets(s *plan.Snapshot, rev *publish.Revision, now time.Time) error {
	after, err := standing(s, rev)
	if err != nil {
		return err
	}
	for _, f := range newFindings(s, after, verify.Options{Now: now}) {
		if strings.HasPrefix(f.Rule, "secret/") {
			return refuse(f.Rule, "%s", f.Message)
		}
	}
	return nil
}

// otherSections are the sections with words whose heading means nothing here. What stands in them would be lost in silence; those below
// another section belong to it.
func otherSections(sections []planmd.Section) []planmd.Section {
	var list []planmd.Section
	end := 0
	for _, s := range sections {
		if s.Head.Start < end {
			continue
		}
		end = s.Body.End
		if s.Kind == planmd.Other && !s.Empty {
			list = append(list, s)
		}
	}
	return list
}
