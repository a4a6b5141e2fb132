package work

import (
	"slices"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
)

// Claim are the commits that name a task whose box is open.
type Claim struct {
	Task    int
	Commits []git.Commit // the newest first
	// Begun says that the task's own records, or those of turns, tell that work on it began: its commits are part of that (WP-2: the commit
	// comes first).
	Begun bool
}

// commits lists what the history says of open tasks. It is never progress: a commit that names a task which nobody began is asked about
// (C37); one whose transaction is a gap already is told there.
func (r *Resumed) commits(s *plan.Snapshot, f Facts) {
	named := namedTasks(f.History, s.Name)
	for i := range r.View.Tasks {
		t := &r.View.Tasks[i]
		list := slices.DeleteFunc(named[t.ID], func(c git.Commit) bool { return t.Entry != nil && sameCommit(c.ID, t.Entry.Commit) })
		if len(list) == 0 || t.Checked {
			continue
		}
		claim := Claim{Task: t.ID, Commits: list, Begun: begun(t) || slices.Contains(f.Turned, t.ID)}
		r.Claims = append(r.Claims, claim)
		if !claim.Begun && !r.lacks(t.ID) {
			r.Doubts = append(r.Doubts, Doubt{Kind: "commit", Task: t.ID, Commits: list})
		}
	}
}

// lacks reports whether a gap is about a task.
func (r *Resumed) lacks(task int) bool {
	return slices.ContainsFunc(r.Gaps, func(g Gap) bool { return slices.Contains(g.Tasks, task) })
}

// begun reports whether the records of an open task tell that work on it began.
func begun(t *plan.TaskView) bool {
	if t.Entry != nil && (t.Entry.Status != state.Pending || t.Entry.StartedAt != nil || len(t.Entry.Gates) > 0) {
		return true
	}
	return t.Record != nil && (t.Record.Log.State == planmd.LogInProgress || t.Record.Log.State == planmd.LogBlocked)
}
