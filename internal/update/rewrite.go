package update

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// Rewriting says what a rewrite of the whole state means to do beside keeping everything: what is not said is refused.
type Rewriting struct {
	// Renumber maps the old number of a task to its new one; a task that is not in it keeps its number.
	Renumber map[int]int
	// Archived are tasks, by old number, whose entry goes: their record was moved to PROGRESS.md first (PS-10).
	Archived []int
	// Reopened are completed tasks, by old number, that are open afterwards, their evidence marked (GU-6).
	Reopened []int
	// Completed are open tasks, by old number, whose box the README has ticked (PS-18).
	Completed []int
	// Started are tasks that state.json did not know, whose log says that they are in progress (PS-18).
	Started []int
	// Skipped are tasks, by old number, that a person removed from scope (PS-10).
	Skipped []int
	// Unblocked says that a person or a refine resolves the blocker (GU-5).
	Unblocked bool
	// Migrated says that a declared migration changes the era (PS-21).
	Migrated bool
}

// Rewrite is the check at the second door to state.json (DESIGN 3): create, approve, promote, refine, migrate and reconcile write
// the state as a whole, and no record, outcome or history may be lost or made up by it (LF-9, LF-10, PS-10, PS-18, PS-21). old is nil
// for create. It returns nil when the rewrite may be written.
func Rewrite(old, new *state.State, means Rewriting) *Refusal {
	w := &rewriting{old: old, new: new, means: means, from: map[int]*state.Task{}}
	if old == nil {
		w.old = &state.State{}
	}
	checks := []func() *Refusal{w.shape, w.identity, w.mapping, w.tasks, w.fresh, w.blocker}
	for _, check := range checks {
		if r := check(); r != nil {
			return r
		}
	}
	return nil
}

// rewriting is the comparison of two states, and what is said about it.
type rewriting struct {
	old, new *state.State
	means    Rewriting
	from     map[int]*state.Task // old entries by new number
}

// shape: numbers 1 to N, and what follows from the entries (PS-9, PS-17).
func (w *rewriting) shape() *Refusal {
	if w.new == nil || w.new.Era == state.Unknown || w.new.Era == "" {
		return refuse("guard/lost", "the new state is none that this tool knows")
	}
	for i := range w.new.Tasks {
		if w.new.Tasks[i].ID != i+1 {
			return refuse("state/task-ids", "entry %d of the new state has id %d", i+1, w.new.Tasks[i].ID)
		}
	}
	status, completed := w.new.Derived()
	switch {
	case w.new.TaskCount != len(w.new.Tasks):
		return refuse("state/task-count", "the new state says %d tasks and has %d", w.new.TaskCount, len(w.new.Tasks))
	case w.new.CompletedCount != completed:
		return refuse("state/completed-count", "the new state says %d completed tasks and has %d", w.new.CompletedCount, completed)
	case w.new.Status != status:
		return refuse("state/status", "the new state says %s, but its entries make it %s", w.new.Status, status)
	}
	return nil
}

// identity: the same plan, in the same era but for a migration; a format that goes from Lite to Full only (PS-8, PS-21, LF-9);
// and every field that nobody asked about.
func (w *rewriting) identity() *Refusal {
	eras := []state.Era{"", state.V1, state.V2, state.V5}
	switch was, is := slices.Index(eras, w.old.Era), slices.Index(eras, w.new.Era); {
	case was <= 0:
		return nil // create: nothing was there
	case is < was || is != was && !w.means.Migrated:
		return refuse("schema/torn", "the rewrite takes state.json from generation %s to %s", w.old.Era, w.new.Era)
	}
	switch {
	case w.old.Plan != w.new.Plan:
		return refuse("state/plan-name", "the rewrite takes the plan's name from %q to %q", shorten(w.old.Plan), shorten(w.new.Plan))
	case w.old.Format == "full" && w.new.Format == "lite":
		return refuse("state/format", "the rewrite takes the plan from Full to Lite")
	}
	return keeps("state.json", root(w.old), root(w.new), stateFields)
}

// stateFields and taskFields are the members that rewrites work on; all others are kept (PS-21).
var (
	stateFields = []string{"schema", "plan", "updated_at", "updated_by", "status", "completed_count", "task_count", "format", "materialization",
		"approval", "promotion", "tasks", "checkpoint", "blocked"}
	taskFields = []string{"id", "title", "status", "file", "locator", "started_at", "completed_at", "commit", "gates", "outcome"}
)

// keeps refuses the loss of a member that rewrites don't work on. what names the object.
func keeps(what string, old, new *strictjson.Value, known []string) *Refusal {
	in := members(new)
	for _, m := range old.Members {
		if !slices.Contains(known, m.Name) && !same(m.Value, in[m.Name]) {
			return refuse("guard/lost", "the rewrite loses the field %q of %s", shorten(m.Name), what)
		}
	}
	return nil
}

// mapping finds for each old entry its new one. None goes but archived ones, and no two become one.
func (w *rewriting) mapping() *Refusal {
	for i := range w.old.Tasks {
		t := &w.old.Tasks[i]
		if slices.Contains(w.means.Archived, t.ID) {
			if t.Status == state.Completed {
				return refuse("guard/lost", "the rewrite archives task %d, which is completed", t.ID)
			}
			continue
		}
		to, moved := w.means.Renumber[t.ID]
		if !moved {
			to = t.ID
		}
		switch {
		case to < 1 || to > len(w.new.Tasks):
			return refuse("guard/lost", "the rewrite loses task %d", t.ID)
		case w.from[to] != nil:
			return refuse("guard/lost", "the rewrite makes tasks %d and %d one", w.from[to].ID, t.ID)
		}
		w.from[to] = t
	}
	return nil
}

// tasks compares each old entry with its new one.
func (w *rewriting) tasks() *Refusal {
	for _, to := range slices.Sorted(maps.Keys(w.from)) {
		was, is := w.from[to], &w.new.Tasks[to-1]
		for _, check := range []func(was, is *state.Task) *Refusal{w.status, w.gates, outcomeKept, historyKept} {
			if r := check(was, is); r != nil {
				return r
			}
		}
		if r := keeps("task "+strconv.Itoa(was.ID), node(was), node(is), taskFields); r != nil {
			return r
		}
	}
	return nil
}

// status: what a rewrite does to an entry's status it has to say.
func (w *rewriting) status(was, is *state.Task) *Refusal {
	said := func(list []int) bool { return slices.Contains(list, was.ID) }
	switch {
	case was.Status == is.Status:
		return nil
	case was.Status == state.Completed:
		if !said(w.means.Reopened) || is.Status == state.Skipped || is.CompletedAt != nil {
			return refuse("guard/lost", "the rewrite takes task %d from completed to %s", was.ID, is.Status)
		}
	case is.Status == state.Completed:
		if !said(w.means.Completed) {
			return refuse("guard/invented", "the rewrite completes task %d", was.ID)
		}
	case is.Status == state.Skipped:
		if !said(w.means.Skipped) {
			return refuse("guard/skip", "the rewrite skips task %d", was.ID)
		}
	case was.Status == state.Blocked && !w.means.Unblocked:
		return refuse("guard/blocker", "the rewrite takes task %d from blocked to %s", was.ID, is.Status)
	}
	return nil
}

// gates: every record is there, in its order, as it was or marked as invalidated; none is new.
func (w *rewriting) gates(was, is *state.Task) *Refusal {
	if len(is.Gates) > len(was.Gates) {
		return refuse("guard/invented", "task %d has %d gate records after the rewrite, %d before", was.ID, len(is.Gates), len(was.Gates))
	}
	for i := range was.Gates {
		old := &was.Gates[i]
		if i >= len(is.Gates) || !recordKept(old, &is.Gates[i]) {
			return refuse("guard/lost", "the rewrite loses or changes the record of %q of task %d", shorten(old.Command), was.ID)
		}
		if is.Status != state.Completed && was.Status == state.Completed && !evidence.Invalidated(is.Gates[i].Evidence) {
			return refuse("guard/lost", "the rewrite reopens task %d, and leaves the evidence of %q as if it counted", was.ID, shorten(old.Command))
		}
	}
	return nil
}

// recordKept: the same record, or the same with a mark of invalidation around its evidence, whose end may have been cut to fit.
func recordKept(old, new *state.Gate) bool {
	run := func(g *state.Gate) string {
		if g.LastRun == nil {
			return ""
		}
		return g.LastRun.Text
	}
	if old.Command != new.Command || old.Passes != new.Passes || !sameExit(old.ExitCode, new.ExitCode) || run(old) != run(new) {
		return false
	}
	if old.Evidence == new.Evidence {
		return true
	}
	if evidence.Invalidated(old.Evidence) || !evidence.Invalidated(new.Evidence) {
		return false
	}
	// Only a mark that would not have fitted may have cost the end of the evidence: nothing short of that is a reason to cut.
	const nearlyFull = 480
	kept, cut := strings.CutSuffix(unmarked(new.Evidence), "...")
	cut = cut && utf8.RuneCountInString(new.Evidence) >= nearlyFull
	return strings.Contains(new.Evidence, strings.TrimRight(old.Evidence, " ")) || cut && strings.HasPrefix(old.Evidence, kept)
}

// outcomeKept: the task's memory may grow, but nothing in it is taken out or reworded (PS-14).
func outcomeKept(was, is *state.Task) *Refusal {
	switch {
	case was.Outcome == nil:
		return nil
	case is.Outcome == nil:
		return refuse("guard/lost", "the rewrite loses the outcome of task %d", was.ID)
	}
	old, new := was.Outcome, is.Outcome
	missing := func(list, in []string) bool {
		return slices.ContainsFunc(list, func(line string) bool { return !slices.Contains(in, line) })
	}
	if missing(old.Tried, new.Tried) || missing(old.Failed, new.Failed) || old.Worked != "" && old.Worked != new.Worked || old.Notes != "" && old.Notes != new.Notes {
		return refuse("guard/lost", "the rewrite changes the outcome of task %d", was.ID)
	}
	return nil
}

// historyKept: when it started, when it ended, by which commit. A completed_at that is no time tells nobody when that was: a
// rewrite may put a time in its place, as it does where there is none (PS-11).
func historyKept(was, is *state.Task) *Refusal {
	at := func(t *state.Time) string {
		if t == nil {
			return ""
		}
		return t.Text
	}
	switch {
	case was.Commit != "" && was.Commit != is.Commit:
		return refuse("guard/lost", "the rewrite changes the commit of task %d", was.ID)
	case was.StartedAt != nil && at(was.StartedAt) != at(is.StartedAt):
		return refuse("guard/lost", "the rewrite changes when task %d was started", was.ID)
	case was.CompletedAt != nil && !was.CompletedAt.Value.IsZero() && is.Status == state.Completed && at(was.CompletedAt) != at(is.CompletedAt):
		return refuse("guard/lost", "the rewrite changes when task %d was completed", was.ID)
	}
	return nil
}

// fresh: an entry that is new has no history, unless the README says that it is done, or its log that it is begun (PS-18).
func (w *rewriting) fresh() *Refusal {
	for i := range w.new.Tasks {
		t := &w.new.Tasks[i]
		if w.from[t.ID] != nil {
			continue
		}
		ticked := t.Status == state.Completed && slices.Contains(w.means.Completed, t.ID)
		begun := t.Status == state.InProgress && slices.Contains(w.means.Started, t.ID)
		if len(t.Gates) > 0 || t.Status != state.Pending && !ticked && !begun {
			return refuse("guard/invented", "the rewrite makes up history of the new task %d: status %s, %d gate records", t.ID, t.Status, len(t.Gates))
		}
	}
	return nil
}

// blocker: it stands, on its own task, until it is resolved (GU-5).
func (w *rewriting) blocker() *Refusal {
	was, is := w.old.Blocked, w.new.Blocked
	if was == nil || w.means.Unblocked {
		return nil
	}
	to, moved := w.means.Renumber[was.Task]
	if !moved {
		to = was.Task
	}
	if is == nil || is.Task != to || is.Reason != was.Reason {
		return refuse("guard/lost", "the rewrite loses the blocker of task %d", was.Task)
	}
	return nil
}
