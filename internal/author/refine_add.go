package author

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
)

// Add puts new tasks into a plan (LF-10), before the Final Review unless a place is named. They are given in the form of an outline, of
// which nothing but tasks is needed, and lack nothing that create demands. Growing the scope returns approval to pending unless a
// person's authority is stated (LF-7); a plan under way then breaks a must rule until a person approves it, which is what it says:
// nothing goes on before. No task with history gets another number, so new tasks stand behind the last one that has any.
//
// A new task without a "Depends on" line waits for all earlier ones (GU-7). The numbers of such a line are those of the plan as it will
// stand.
type Add struct {
	revise.Who
	Outline       []byte
	After, Before int // at most one of them; the other is 0
	Warrant
}

// Decide is the decision that publish carries out. out, which is not nil, tells what it came to.
func (a Add) Decide(out *Refined) publish.Decide {
	return func(s *plan.Snapshot) (*publish.Revision, error) {
		r, err := begin(s, a.Who, &a.Warrant, out)
		if err != nil {
			return nil, err
		}
		at, err := r.place(a.After, a.Before)
		if err != nil {
			return nil, err
		}
		tasks, err := a.tasks(at, len(r.desk.View.Tasks))
		if err != nil {
			return nil, err
		}
		if r.stand(tasks, at) || r.stand(tasks, at-len(tasks)) {
			return &publish.Revision{Warnings: []string{"these very tasks stand there already; nothing is added"}}, nil
		}
		order := a.order(r, at, tasks)
		if err := r.keep(order, r.roomBehind); err != nil {
			return nil, err
		}
		if err := r.lay(order, nil); err != nil {
			return nil, err
		}
		if out.Pending, err = a.grow(r.desk); err != nil {
			return nil, err
		}
		var bullets, args []string
		for i := range tasks {
			title := oneLine(tasks[i].Title)
			bullets, args = append(bullets, fmt.Sprintf("New: %s is Task %d", quotedTitle(title), at+i+1)), append(args, title)
		}
		r.note(counted(len(tasks), "task")+" added", bullets...)
		return r.end("refine add", args...)
	}
}

// order puts new tasks behind so many that there are.
func (a *Add) order(r *reordering, at int, tasks []Task) []slot {
	order := r.slots()
	var fresh []slot
	for i := range tasks {
		fresh = append(fresh, slot{task: &tasks[i], before: a.Before > 0})
	}
	return append(order[:at:at], append(fresh, order[at:]...)...)
}

// stand reports whether these tasks are the ones that follow so many others, word for word and without history: the call before was cut
// off, or is repeated (C117).
func (r *reordering) stand(tasks []Task, at int) bool {
	if at < 0 || at+len(tasks) > len(r.desk.View.Tasks) {
		return false
	}
	format := r.desk.View.Format
	for i := range tasks {
		t := &r.desk.View.Tasks[at+i]
		have := strings.Fields(t.Doc.Text(t.Record.Span))
		if history(r.desk.S, t) != "" || !slices.EqualFunc(have, strings.Fields(record(&tasks[i], at+i+1, nil, format)), sameWord) {
			return false
		}
	}
	return true
}

// sameWord compares two words; the marks of two headings may stand for different levels.
func sameWord(a, b string) bool {
	return a == b || strings.Trim(a, "#") == "" && strings.Trim(b, "#") == ""
}

// roomBehind tells the nearest place at which no task with history gets another number.
func (r *reordering) roomBehind(*plan.TaskView) string {
	last := r.lastBelow(len(r.desk.View.Tasks) + 1)
	if last == r.reviewed() {
		return "; its work has begun, so there is no place for a new task: write a plan of its own"
	}
	return fmt.Sprintf("; the nearest place is --after %d", last)
}

// tasks reads the outline, and lists all that it lacks (PD-5, PD-6): at so many tasks before, of a plan of so many.
func (a *Add) tasks(at, count int) ([]Task, error) {
	o, found := readOutline(a.Outline, at+1)
	c := gaps{list: found}
	if len(o.Tasks) == 0 && len(found) == 0 {
		c.add("outline", "no task: write a heading \"## Task 1: title\", or the list \"tasks\"")
	}
	if len(o.Groups) > 0 {
		c.add("outline", "a groups table: groups are of the plan; add the tasks first, then put them into its table")
	}
	if count+len(o.Tasks) > mostTasks {
		c.add("outline", fmt.Sprintf("the plan would have %d tasks; at most %d make one plan", count+len(o.Tasks), mostTasks))
	}
	for i := range o.Tasks {
		t := o.Tasks[i]
		t.DependsOn = nil // its numbers are not those of the outline
		c.task(i, &t, len(o.Tasks))
		a.depends(&c, i, &o, at, count+len(o.Tasks))
		if endsWithReview(t.Title) {
			c.add(or(t.place, "tasks"), "the plan has its Final Review: a task of that title would be a second one")
		}
		if secrets := evidence.Secrets(record(&t, at+i+1, nil, full)); len(secrets) > 0 {
			return nil, refuse("secret/markdown", "the task %q holds what looks like a secret: %s", shortly(t.Title), secrets[0].Kind)
		}
	}
	if len(c.list) > 0 {
		return nil, &Incomplete{c.list}
	}
	return o.Tasks, nil
}

// depends judges what a new task depends on. A number that could as well be meant for a task of the outline itself is refused.
func (a *Add) depends(c *gaps, i int, o *Outline, at, count int) {
	t, own := &o.Tasks[i], at+i+1
	place := or(t.place, fmt.Sprintf("tasks[%d]", i))
	for _, id := range t.DependsOn {
		switch {
		case id < 1 || id > count:
			c.add(place, fmt.Sprintf("it depends on task %d, and the plan will have %d", id, count))
		case id == own:
			c.add(place, "it depends on itself: numbers are those of the plan as it will stand")
		case id > own:
			c.add(place, fmt.Sprintf("it depends on task %d, and will stand before it, as task %d", id, own))
		case len(o.Tasks) > 1 && at > 0 && id <= len(o.Tasks) && !a.numbered(at+1):
			c.add(place, fmt.Sprintf("it depends on task %d, of the plan or of the outline? Number the outline's headings as the tasks will stand, from %d, "+
				"or add the tasks one by one", id, at+1))
		}
	}
}

// numbered reports whether the outline numbers its tasks as they will stand in the plan.
func (a *Add) numbered(first int) bool {
	if strings.HasPrefix(strings.TrimSpace(string(a.Outline)), "{") {
		return false
	}
	_, odd := readOutline(a.Outline, 0)
	_, fits := readOutline(a.Outline, first)
	return len(odd) > len(fits)
}
