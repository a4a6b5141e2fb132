package verify

import (
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
)

// closedByAmendment counts the open boxes of a task's acceptance criteria that an amendment of its log closes: the criterion was
// revised to another one, deferred to a later task, or excepted, with the authority that takes (AM-2, AM-4). Its line stays as it was
// written (AM-1), so its box stays open.
func closedByAmendment(t plan.TaskView, acceptance *planmd.Section) (closed int) {
	amended := map[string]bool{}
	for i := range t.Record.Log.Amendments {
		if a := &t.Record.Log.Amendments[i]; closes(a) {
			amended[letters(a.Field(planmd.FieldOriginal))] = true
		}
	}
	if len(amended) == 0 {
		return 0
	}
	for _, c := range t.Doc.Criteria(acceptance) {
		if text := letters(c.Text); c.Open && text != "" && amended[text] {
			closed++
		}
	}
	return closed
}

// closes reports whether an amendment takes the place of the criterion that it quotes.
func closes(a *planmd.Amendment) bool {
	disposition := strings.ToLower(a.Field(planmd.FieldDisposition))
	switch {
	case len(AmendmentFaults(a, time.Time{})) > 0:
		return false
	case a.Field(planmd.FieldRevised) != "", planmd.Deferral(disposition):
		return true
	}
	return strings.HasPrefix(disposition, "exception")
}
