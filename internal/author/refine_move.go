package author

import (
	"fmt"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
)

// Move puts a task at another place (LF-10). One with history keeps its number, so it moves only with Confirm, and only where its number
// stays: under another heading of the index, say. Nor does any other task with history get another number.
type Move struct {
	revise.Who
	Task          int
	After, Before int // one of them; the other is 0
	Confirm       bool
	InTurn        bool
}

// Decide is the decision that publish carries out. out, which is not nil, tells what it came to.
func (m Move) Decide(out *Refined) publish.Decide {
	return func(s *plan.Snapshot) (*publish.Revision, error) {
		r, err := begin(s, m.Who, &Warrant{InTurn: m.InTurn}, out)
		if err != nil {
			return nil, err
		}
		order, err := m.order(r)
		if err != nil {
			return nil, err
		}
		if err := r.lay(order, nil); err != nil {
			return nil, err
		}
		if len(out.Renumbered) == 0 {
			if data, err := r.desk.Readme().Bytes(); err == nil && string(data) == string(s.README.Src) {
				return &publish.Revision{}, nil // it stands there already
			}
		}
		title := r.desk.Task(m.Task).Title
		out.Moved = &Position{Number: r.laid.to[m.Task], Title: title}
		r.note("a task moved", fmt.Sprintf("Moved: %s, Task %d before, %s", quotedTitle(title), m.Task, m.where()))
		return r.end("refine move", fmt.Sprint(m.Task), m.where())
	}
}

func (m *Move) where() string {
	if m.After > 0 {
		return fmt.Sprintf("behind Task %d as it was", m.After)
	}
	return fmt.Sprintf("before Task %d as it was", m.Before)
}

// order is the new order, which keeps the numbers that must be kept.
func (m *Move) order(r *reordering) ([]slot, error) {
	t, err := r.task(m.Task)
	if err != nil {
		return nil, err
	}
	at, err := r.place(m.After, m.Before)
	if err != nil {
		return nil, err
	}
	if m.Task == r.reviewed() {
		return nil, refuse("guard/review-last", "task %d is the Final Review", m.Task)
	}
	var order []slot
	moved := slot{old: m.Task, moved: true, before: m.Before > 0}
	for i, s := range r.slots() {
		if i == at {
			order = append(order, moved)
		}
		if s.old != m.Task {
			order = append(order, s)
		}
	}
	if at == len(r.desk.View.Tasks) {
		order = append(order, moved)
	}
	if why := history(r.desk.S, t); why != "" && !m.Confirm {
		return nil, refuse("guard/keeps-number", "task %d has history (%s): it moves only with --confirm, and only where it keeps its number", m.Task, why)
	}
	return order, r.keep(order, func(kept *plan.TaskView) string { return m.nearest(r, kept) })
}

// nearest tells the nearest place to which the task may go.
func (m *Move) nearest(r *reordering, kept *plan.TaskView) string {
	if kept.ID == m.Task {
		return ""
	}
	down := max(m.After, m.Before) > m.Task
	switch {
	case down && r.firstAbove(m.Task) == m.Task+1, !down && r.lastBelow(m.Task) == m.Task-1:
		return "; it stands as near as it can"
	case down:
		return fmt.Sprintf("; the nearest place is --before %d", r.firstAbove(m.Task))
	}
	return fmt.Sprintf("; the nearest place is --after %d", r.lastBelow(m.Task))
}

// lastBelow and firstAbove are the nearest tasks with history on either side of a number; 0 for none.
func (r *reordering) lastBelow(id int) int {
	for id--; id > 0; id-- {
		if history(r.desk.S, r.desk.Task(id)) != "" {
			return id
		}
	}
	return 0
}

func (r *reordering) firstAbove(id int) int {
	for id++; r.desk.Task(id) != nil; id++ {
		if history(r.desk.S, r.desk.Task(id)) != "" {
			return id
		}
	}
	return 0
}
