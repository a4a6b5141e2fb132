package author

import (
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
)

// history says what history a task has: work that was done or recorded; "" for none. Such a task keeps its number (LF-10).
func history(s *plan.Snapshot, t *plan.TaskView) string {
	switch e := t.Entry; {
	case t.Checked:
		return "it is ticked"
	case e != nil && e.Status != state.Pending:
		return "its status is " + string(e.Status)
	case e != nil && len(e.Gates) > 0:
		return "it has gate records"
	case e != nil && (e.StartedAt != nil || e.CompletedAt != nil || e.Commit != ""):
		return "it was started"
	case e != nil && e.Outcome != nil:
		return "it has an outcome"
	case t.Status != state.Pending:
		return "its status is " + string(t.Status)
	case t.Record != nil && len(t.Record.Log.Amendments) > 0:
		return "its log has amendments"
	case s.State != nil && s.State.Checkpoint != nil && s.State.Checkpoint.Task == t.ID:
		return "the checkpoint is at it"
	}
	return ""
}
