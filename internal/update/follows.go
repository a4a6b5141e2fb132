package update

import (
	"slices"
	"time"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
)

// Follows reports why a completed candidate doesn't follow from the current state by allowed changes of the last open task
// (VP-1, TRAPS "Publication"); nil when it does. It compares the two; whether the candidate is true to all other rules and to the
// plan's artefacts is for verify. now bounds the candidate's times (PS-11). A current state that is completed already is followed by
// itself, or by late evidence or a rerun of the gates of one task.
func Follows(current, candidate *state.State, now time.Time) *Refusal {
	f := &following{current: current, candidate: candidate, now: now}
	for _, check := range []func() *Refusal{f.kind, f.admitted, f.top, f.tasks, f.whole} {
		if r := check(); r != nil {
			return r
		}
	}
	return nil
}

// following is the comparison of a candidate with the current state.
type following struct {
	current, candidate *state.State
	now                time.Time
}

// kind: both are states that were read, of the same plan and era.
func (f *following) kind() *Refusal {
	for _, st := range []*state.State{f.current, f.candidate} {
		if st == nil || st.Doc == nil || st.Era == state.Unknown || st.Era == "" {
			return refuse("guard/candidate", "current state or candidate is no state.json that this tool knows")
		}
	}
	switch {
	case f.current.Plan != f.candidate.Plan:
		return refuse("guard/candidate", "the candidate is of plan %q, the current state of %q", shorten(f.candidate.Plan), shorten(f.current.Plan))
	case len(f.current.Tasks) != len(f.candidate.Tasks):
		return refuse("guard/candidate", "the candidate has %d tasks, the current state %d", len(f.candidate.Tasks), len(f.current.Tasks))
	case len(f.current.Tasks) == 0:
		return refuse("guard/candidate", "the plan has no tasks")
	}
	return nil
}

// admitted: nothing is published that was never approved, or is not ready (GU-8, LF-7).
func (f *following) admitted() *Refusal {
	for _, st := range []*state.State{f.current, f.candidate} {
		switch {
		case st.Era == state.V1:
		case st.Approval != "" && st.Approval != planmd.ApprovalApproved && st.Approval != planmd.ApprovalPreApproved:
			return refuse("guard/not-approved", "the plan is not approved: its approval is %s", shorten(st.Approval))
		case st.Materialization != "ready" || st.Promotion != nil:
			return refuse("materialization/partial", "the plan is not ready: it is %s", shorten(st.Materialization))
		}
	}
	return nil
}

// movable are the members of a state that a completing change writes.
var movable = []string{"tasks", "status", "completed_count", "updated_at", "updated_by", "checkpoint"}

// top: beside them, everything is as it was.
func (f *following) top() *Refusal {
	for _, name := range differing(root(f.current), root(f.candidate)) {
		if !slices.Contains(movable, name) {
			return refuse("guard/candidate", "the candidate changes %s", shorten(name))
		}
	}
	if was, is := f.current.UpdatedAt, f.candidate.UpdatedAt; was.Value.Sub(is.Value) > skew && !is.DateOnly && !was.DateOnly {
		return refuse("guard/candidate", "the candidate was updated at %s, before the current state, %s", shorten(is.Text), shorten(was.Text))
	}
	return nil
}

// tasks: one task may differ: the only open one, else, in a completed plan, one that takes late evidence.
func (f *following) tasks() *Refusal {
	changed := -1
	for i := range f.current.Tasks {
		was, is := &f.current.Tasks[i], &f.candidate.Tasks[i]
		differs := differing(node(was), node(is))
		switch {
		case len(differs) == 0 && was.Status == state.Completed:
			continue
		case len(differs) == 0:
			return refuse("guard/candidate", "the candidate leaves task %d %s", was.ID, was.Status)
		case was.Status == state.Completed && f.current.Status != state.Completed:
			return refuse("guard/candidate", "the candidate rewrites %s of task %d, which is finished", some(differs), was.ID)
		case changed >= 0:
			return refuse("guard/candidate", "the candidate changes task %d and task %d", f.current.Tasks[changed].ID, was.ID)
		}
		changed = i
		if r := f.task(was, is, differs); r != nil {
			return r
		}
	}
	return nil
}

// task: the last open one goes from in_progress to completed; its identity and start stay, its records follow.
func (f *following) task(was, is *state.Task, differs []string) *Refusal {
	// Title, locator, number and start are what the task is, not what became of it; so are fields that no schema knows.
	allowed := []string{"status", "completed_at", "commit", "gates", "outcome"}
	switch {
	case was.Status == state.Completed && (len(was.Gates) == 0 || rerun(was, is)):
		allowed = []string{"gates"}
	case was.Status == state.Completed:
		return refuse("guard/candidate", "the candidate rewrites %s of task %d, which is finished", some(differs), was.ID)
	case is.Status != state.Completed:
		return refuse("guard/candidate", "the candidate leaves task %d %s", was.ID, is.Status)
	case was.Status != state.InProgress:
		return refuse("guard/candidate", "the candidate takes task %d from %s to completed", was.ID, was.Status).
			hint("start the task, do its work, then make the candidate")
	}
	for _, name := range differs {
		if !slices.Contains(allowed, name) {
			return refuse("guard/candidate", "the candidate changes %s of task %d", shorten(name), was.ID)
		}
	}
	return f.records(was, is)
}

// rerun reports whether the records differ in nothing but when they ran last (GU-4).
func rerun(was, is *state.Task) bool {
	if len(was.Gates) != len(is.Gates) {
		return false
	}
	for i := range was.Gates {
		for _, name := range differing(was.Gates[i].Node, is.Gates[i].Node) {
			if name != "last_run" {
				return false
			}
		}
	}
	return true
}

// records: history stays as it was, in its order; no command loses its record.
func (f *following) records(was, is *state.Task) *Refusal {
	has := map[string]bool{}
	history := 0 // how far the candidate's records are matched: invalidated ones keep their order
	for i := range is.Gates {
		has[evidence.Command(is.Gates[i].Command)] = true
	}
	for i := range was.Gates {
		old := &was.Gates[i]
		if !has[evidence.Command(old.Command)] {
			return refuse("guard/candidate", "the candidate drops the record of %q of task %d", shorten(old.Command), was.ID)
		}
		if !evidence.Invalidated(old.Evidence) {
			continue
		}
		for history < len(is.Gates) && !same(old.Node, is.Gates[history].Node) {
			history++
		}
		if history == len(is.Gates) {
			return refuse("guard/candidate", "the candidate changes the invalidated record of %q of task %d", shorten(old.Command), was.ID)
		}
		history++
	}
	return nil
}

// whole: the candidate says of itself that it is completed, and when (PS-11, PS-15, PS-17).
func (f *following) whole() *Refusal {
	status, completed := f.candidate.Derived()
	if status != state.Completed || f.candidate.Status != status || f.candidate.CompletedCount != completed {
		return refuse("guard/candidate", "the candidate is not a completed plan: status %s, completed_count %d of %d", f.candidate.Status, f.candidate.CompletedCount, len(f.candidate.Tasks))
	}
	times := []*state.Time{&f.candidate.UpdatedAt}
	for i := range f.candidate.Tasks {
		times = append(times, f.candidate.Tasks[i].StartedAt, f.candidate.Tasks[i].CompletedAt)
	}
	for _, at := range times {
		if at != nil && at.Value.Sub(f.now) > skew {
			return refuse("time/future", "the candidate has a time in the future: %s", shorten(at.Text))
		}
	}
	return nil
}
