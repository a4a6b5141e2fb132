package plan

import (
	"slices"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
)

// Hold is why no task may start (GU-5, GU-8, PS-22).
type Hold string

// The holds, in the order in which they are looked for.
const (
	HoldNone        Hold = ""
	HoldNewer       Hold = "newer"        // PS-22: newer standard, unknown schema, newer generation
	HoldMalformed   Hold = "malformed"    // a JSON file or the README can't be read, or README is missing
	HoldPublishing  Hold = "publishing"   // .finalizing.json stands
	HoldOperation   Hold = "operation"    // .dwp-op stands
	HoldPromoting   Hold = "promoting"    // promotion marker
	HoldPartial     Hold = "partial"      // materialization is not finished (LF-4)
	HoldUnapproved  Hold = "unapproved"   // approval pending (LF-7)
	HoldBlocked     Hold = "blocked"      // a blocker stands and no independent task is open (GU-5)
	HoldCompleted   Hold = "completed"    // every task is done
	HoldNoTasks     Hold = "no-tasks"     // no index to work from
	HoldAmbiguous   Hold = "ambiguous"    // duplicate task numbers (C25)
	HoldDesync      Hold = "desync"       // state and boxes disagree: reconcile first (WP-1)
	HoldSkipped     Hold = "skipped"      // only skipped tasks are left: refine archives them (PS-10)
	HoldDependences Hold = "dependencies" // open tasks wait for each other
)

func (s *Snapshot) hold(o *Overview) Hold {
	st := s.State
	switch {
	case s.Foreign() != "":
		return HoldNewer
	case s.malformed():
		return HoldMalformed
	case s.has(state.FinalizeMark):
		return HoldPublishing
	case s.has(state.OperationMark):
		return HoldOperation
	case o.Materialization == promoting:
		return HoldPromoting
	case o.Materialization != ready:
		return HoldPartial
	case o.Approval != "" && o.Approval != planmd.ApprovalApproved && o.Approval != planmd.ApprovalPreApproved:
		return HoldUnapproved
	case s.blockerStands(o.Tasks) && (o.Next == 0 || !o.graph.declares()):
		return HoldBlocked
	case o.Status == state.Completed:
		return HoldCompleted
	case s.README == nil || len(s.README.Index) == 0:
		return HoldNoTasks
	case s.ambiguous(o.Tasks):
		return HoldAmbiguous
	case s.indexDoubtful() && o.Next == 0:
		return HoldMalformed // all that can be seen is done, and more may be hidden (C05)
	case desync(st, o.Tasks) || st == nil && s.Manifest != nil:
		return HoldDesync // a manifest without its state.json: reconcile makes it anew
	case o.Next != 0:
		return HoldNone
	case slices.ContainsFunc(o.Tasks, func(t TaskView) bool { return !t.satisfied() }):
		return HoldDependences
	}
	return HoldSkipped
}

// malformed reports whether a file that work needs is there but unreadable, or is no file, or the README is missing (C47, C49, C141).
func (s *Snapshot) malformed() bool {
	if s.README == nil || s.ManifestSyntax != nil || s.StateSyntax != nil {
		return true
	}
	for _, p := range []string{state.ManifestFile, state.StateFile} {
		if _, read := s.source(p); s.has(p) && !read {
			return true
		}
	}
	return slices.ContainsFunc(s.README.Problems, func(p planmd.Problem) bool { return p.Kind == planmd.ConflictMarker })
}

// ambiguous reports whether a task number stands twice in any one source (C25).
func (s *Snapshot) ambiguous(tasks []TaskView) bool {
	seen := map[int]bool{}
	for i := range tasks {
		if seen[tasks[i].ID] {
			return true
		}
		seen[tasks[i].ID] = true
	}
	records := map[int]bool{}
	for i := range s.README.Records {
		id := recordID(&s.README.Records[i])
		if id != 0 && records[id] {
			return true
		}
		records[id] = true
	}
	return false
}

// desync reports whether state.json and the boxes disagree about a task: completed in one only, or known to one only (PS-18).
func desync(st *state.State, tasks []TaskView) bool {
	if st == nil {
		return false
	}
	return slices.ContainsFunc(tasks, func(t TaskView) bool {
		switch {
		case t.Line == nil && t.Entry == nil:
			return false // a stray record is no task of either
		case t.Line == nil || t.Entry == nil:
			return true
		}
		return t.Checked != (t.Entry.Status == state.Completed)
	})
}
