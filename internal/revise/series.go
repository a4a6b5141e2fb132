package revise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
)

// AmendEach appends one amendment for each of several changes of a task's scope, with numbers that follow one another (AM-1, PD-12).
// Unlike Amend it doesn't ask whether the same was said before: its callers find nothing to change the second time. first is
// the number of the first one. The task must have a record with a Completion & Log.
func (d *Desk) AmendEach(t *plan.TaskView, all []Amendment) (first int, err error) {
	section := t.Record.Section(planmd.CompletionLog)
	if section == nil {
		return 0, fmt.Errorf("task %d has no Completion & Log to append to", t.ID)
	}
	first, end := 1, section.Body.End
	for i := range t.Record.Log.Amendments {
		a := &t.Record.Log.Amendments[i]
		first, end = max(first, a.Number+1), max(end, a.Span.End)
	}
	level := 4 // a labelled line has no level; what is below any heading of the record has
	if section.Level > 0 {
		level = min(section.Level+1, 6)
	}
	var log []string
	for i := range all {
		body := render(all[i].fields())
		log = append(log, strings.Repeat("#", level)+" "+amendmentHead(first+i, d.Date())+"\n\n"+body)
		d.copy(t.ID, first+i, body)
	}
	if len(log) > 0 {
		d.Record(t).AppendTo(planmd.Span{Start: section.Head.Start, End: end}, strings.Join(log, "\n"))
	}
	return first, nil
}

// Sort puts changes into the order in which they become visible: as Revision has them, state.json last (PS-19).
func Sort(changes []disk.Change) {
	place := func(c disk.Change) int {
		if c.Path == state.StateFile {
			return rank(disk.Change{Remove: true}) + 1
		}
		return rank(c)
	}
	slices.SortFunc(changes, func(a, b disk.Change) int {
		return cmp.Or(place(a)-place(b), cmp.Compare(a.Path, b.Path))
	})
}
