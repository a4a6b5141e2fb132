package author

import (
	"fmt"
	"slices"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// carry adds the criterion that an amendment makes to the task in which it has to hold: whoever works that task reads its Acceptance
// Criteria, and not the logs of others (AM-2).
func (w *amending) carry(number int) {
	to, text := w.carried(number)
	if to == nil {
		return
	}
	section := to.Record.Section(planmd.Acceptance)
	if section == nil {
		return // the amendment alone says it; that the section is missing verify says
	}
	if slices.ContainsFunc(to.Doc.Criteria(section), func(c planmd.Criterion) bool { return revise.OneLine(c.Text) == text }) {
		return
	}
	w.d.Record(to).AddCriterion(section, text)
	w.added = to
}

// carried is the criterion to add, and the task to add it to; nil for none.
func (w *amending) carried(number int) (to *plan.TaskView, text string) {
	switch w.Disposition {
	case DispositionRevised:
		return w.task, revise.OneLine(fmt.Sprintf("%s (Amendment %d revises a criterion to this)", w.Revised, number))
	case DispositionDeferred:
		return w.target, revise.OneLine(fmt.Sprintf("%s (deferred from Task %d by its Amendment %d)", w.Original, w.Task, number))
	}
	return nil, ""
}

// mark marks the invalidated evidence of a task that is open. That of a completed one is marked when it is reopened, so that no
// completed task ever rests on nothing (AM-3, GU-6).
func (w *amending) mark(number int) {
	if w.done() || w.task.Entry == nil {
		return
	}
	for i := range w.task.Entry.Gates {
		g := &w.task.Entry.Gates[i]
		named := slices.ContainsFunc(w.Invalidated, func(c string) bool { return evidence.Command(c) == evidence.Command(g.Command) })
		if !named || evidence.Invalidated(g.Evidence) {
			continue
		}
		gates := w.d.Entry(w.Task).Member("gates")
		gates.Elems[i].Set("evidence", strictjson.NewString(update.Invalidate(g.Evidence, w.Now, number)))
	}
}

// faithful reads what would be written: one amendment more, without fault, and one open criterion more where one is added. Everything
// else of the records reads as before.
func (w *amending) faithful(r *publish.Revision, already bool) error {
	for _, t := range []*plan.TaskView{w.task, w.target} {
		if t == nil {
			continue
		}
		back := recordIn(r, t)
		if back == nil {
			continue // its file does not change
		}
		amendments, boxes := len(t.Record.Log.Amendments), boxesOf(t.Record)
		if t == w.task && !already {
			amendments++
		}
		if t == w.added {
			boxes++
		}
		if len(back.Log.Amendments) != amendments || boxesOf(back) != boxes || len(back.Sections) < len(t.Record.Sections) {
			return refuse("guard/amend-text", "the record of task %d would not read as it should: %d amendments, %d criteria", t.ID, len(back.Log.Amendments), boxesOf(back))
		}
		if t != w.task || amendments == 0 {
			continue
		}
		if faults := verify.AmendmentFaults(&back.Log.Amendments[amendments-1], w.Now); len(faults) > 0 {
			return refuse(faults[0].Rule, "%s", faults[0].Message)
		}
	}
	return nil
}

// recordIn is a task's record as a revision would leave it; nil when its file does not change.
func recordIn(r *publish.Revision, t *plan.TaskView) *planmd.Record {
	for _, c := range r.Changes {
		if c.Path != t.File {
			continue
		}
		if t.File != readmeFile {
			return &planmd.ReadTask(c.Data).Record
		}
		back := planmd.ReadREADME(c.Data)
		for _, list := range [][]planmd.Record{back.Records, back.Loose} {
			for i := range list {
				if n, ok := list[i].AnchorTask(); ok && n == t.ID || list[i].ID == t.ID {
					return &list[i]
				}
			}
		}
	}
	return nil
}

func boxesOf(r *planmd.Record) int {
	if s := r.Section(planmd.Acceptance); s != nil {
		return len(s.Boxes)
	}
	return 0
}
