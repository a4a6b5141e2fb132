package update

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/state"
)

// transition decides whether the task may go where the change sends it (PS-10, GU-6).
func (g *guard) transition() *Refusal {
	switch {
	case g.to == state.Skipped && g.from != state.Skipped:
		return refuse("guard/skip", "task %d can't be skipped by an update", g.task.ID)
	case g.from == state.Skipped:
		return refuse("guard/skip", "task %d was removed from scope", g.task.ID)
	case g.from != state.Completed && g.ch.ReopenReason != "" && !g.reopened():
		return refuse("guard/not-completed", "task %d is %s, so there is nothing to reopen", g.task.ID, g.from)
	case g.from != state.Completed && g.to == state.Completed && g.ch.ReopenReason != "":
		// One call does not open a task and close it: the same call again would be another one (GU-4).
		return refuse("guard/options", "a reopened task goes to in_progress or pending, not to %s", g.to).hint("leave --reopen-reason out to complete the task, which is open again")
	case g.from != state.Completed || g.to == state.Completed && g.ch.ReopenReason == "":
		return nil
	case g.ch.ReopenReason == "":
		return refuse("guard/completed", "task %d is completed; it doesn't go to %s by itself", g.task.ID, g.to)
	case g.to != state.InProgress && g.to != state.Pending:
		return refuse("guard/options", "a reopened task goes to in_progress or pending, not to %s", g.to).hint("dwp reopen opens it; with dwp state update give --status in_progress")
	}
	return g.reopen()
}

// reopened reports whether the open task was completed once: a change that reopens it again is a replay (C117).
func (g *guard) reopened() bool {
	return slices.ContainsFunc(g.task.Gates, func(r state.Gate) bool { return evidence.Invalidated(r.Evidence) })
}

// order: a task starts or completes only when everything it depends on is done, or out of scope (GU-7, PS-10). State.json
// decides: where the README's boxes differ, the desync is warned of.
func (g *guard) order() *Refusal {
	if g.from == g.to || g.to != state.InProgress && g.to != state.Completed {
		return nil
	}
	done := map[int]bool{}
	for i := range g.st.Tasks {
		t := &g.st.Tasks[i]
		done[t.ID] = t.Status == state.Completed || t.Status == state.Skipped
	}
	// A line may name the task itself, or one that doesn't exist: neither is ever done, and the refusal names it.
	var open []string
	for _, id := range g.s.DependsOn(g.task.ID) {
		if !done[id] {
			open = append(open, strconv.Itoa(id))
		}
	}
	if len(open) == 0 {
		return nil
	}
	return refuse("order/too-early", "task %d waits for task %s", g.task.ID, some(open)).hint("work the first open task; reconcile if the README says that it is done")
}

// some lists the first of many.
func some(list []string) string {
	const most = 5
	if n := len(list) - most; n > 0 {
		return strings.Join(list[:most], ", ") + " and " + strconv.Itoa(n) + " more"
	}
	return strings.Join(list, ", ")
}

// ending: what the last completing change owes beyond its own task (VP-1, PS-10, C105).
func (g *guard) ending() *Refusal {
	if g.to != state.Completed || g.from == state.Completed {
		return nil
	}
	skipped := 0
	for i := range g.st.Tasks {
		switch t := &g.st.Tasks[i]; {
		case t.ID == g.task.ID, t.Status == state.Completed:
		case t.Status == state.Skipped:
			skipped = t.ID
		default:
			return nil // not the last one
		}
	}
	switch {
	case skipped != 0:
		return refuse("guard/skipped-left", "task %d is the last open one, and task %d is skipped: that doesn't complete a plan", g.task.ID, skipped)
	case g.from != state.InProgress:
		return refuse("guard/not-started", "task %d ends the plan and is %s, not in progress", g.task.ID, g.from)
	}
	return nil
}
