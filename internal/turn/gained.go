package turn

import (
	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
	"github.com/deepworkplan/dwp/internal/work"
)

// This file: verifiable progress, and the gates that show it (UN-3).

// gain compares the task before and after.
func (k *judging) gain() {
	g := &k.j.Gained
	// A turn that ends on a failing gate never completes (WP-4).
	g.Completed = done(k.is) && !done(k.was) && len(failingGates(k.After, k.is)) == 0
	had := map[string]bool{}
	for _, r := range latest(k.Before, k.Task) {
		had[evidence.Command(r.Command)] = k.proves(r)
	}
	for _, r := range latest(k.After, k.Task) {
		if k.proves(r) && !had[evidence.Command(r.Command)] {
			g.Gates = append(g.Gates, r.Command)
		}
	}
	g.Checkpoint = checkpointMoved(k.Before, k.After, k.Task)
	if k.Git && !k.Rewound { // commits that replace others are no progress
		for _, c := range k.Commits {
			g.Commits = append(g.Commits, c.ID)
		}
	}
	g.Criteria = ticked(k.was, k.is)
}

// latest are the records of a task that count: the last of each command, unless a refine or reopening made it history (PS-13).
func latest(s *plan.Snapshot, task int) (list []work.GateRecord) {
	for _, r := range work.Gates(s, task) {
		if !r.History {
			list = append(list, r)
		}
	}
	return list
}

// proves reports whether a record shows that its command passed: by its own words it ran, and ran tests; and, when gates have to be
// observed, dwp ran it and the log is there (AM-3, PS-13).
func (k *judging) proves(r work.GateRecord) bool {
	never, admits := evidence.NeverRan(r.Evidence)
	_, zero := evidence.ZeroSelected(r.Evidence)
	return r.Passes && !(admits && !never.Hint) && !zero && (!k.Observed || seen(r))
}

func seen(r work.GateRecord) bool { return r.Observed && r.Log == work.LogIntact }

// checkpointMoved reports whether the resume point is another step of the task. Where every task begins it is none: whoever starts a
// task and does nothing has not moved.
func checkpointMoved(before, after *plan.Snapshot, task int) bool {
	if after.State == nil || after.State.Checkpoint == nil {
		return false
	}
	is := after.State.Checkpoint
	if is.Task != task || is.Step == "start" {
		return false
	}
	if before.State == nil || before.State.Checkpoint == nil {
		return true
	}
	was := before.State.Checkpoint
	return was.Task != is.Task || was.Step != is.Step
}

// ticked counts the acceptance criteria that were open before and are ticked now. Criteria that are new are not counted, so that an agent
// makes no progress by writing some.
func ticked(was, is *plan.TaskView) (n int) {
	open := map[string]int{}
	for _, c := range criteria(was) {
		if c.Open {
			open[c.Text]++
		}
	}
	for _, c := range criteria(is) {
		if c.Boxed && !c.Open && open[c.Text] > 0 {
			open[c.Text]--
			n++
		}
	}
	return n
}

func criteria(t *plan.TaskView) []planmd.Criterion {
	if t.Record == nil || t.Doc == nil {
		return nil
	}
	s := t.Record.Section(planmd.Acceptance)
	if s == nil {
		return nil
	}
	return t.Doc.Criteria(s)
}

// asserted: a completed task rests on nothing that was only written down. Where gates have to be observed that stops; else it is told.
func (k *judging) asserted() {
	if !k.j.Gained.Completed {
		return
	}
	const text = "task %d is completed on a gate that dwp did not see run: %s"
	for _, r := range latest(k.After, k.Task) {
		switch {
		case !r.Passes || seen(r):
		case k.Observed:
			k.stop(S1, "turn/asserted", "run the gate with dwp gate run; when it fails, reopen the task", text, k.Task, r.Command)
			return
		default:
			k.find("turn/asserted", text, k.Task, r.Command)
		}
	}
}

// failing lists the gates that fail at the end of the turn. By itself that stops nothing, for the next turn may mend it; what fails on
// the base branch, too, no turn mends (WP-4).
func (k *judging) failing() {
	for _, r := range failingGates(k.After, k.is) {
		switch {
		case done(k.is):
			if !done(k.was) {
				k.stop(S1, "turn/gate-failing", "reopen the task, or amend it and name the command that replaces the gate", "task %d is completed on a gate that fails: %s", k.Task, r.Command)
			}
		case evidence.OnBase(r.Evidence) && k.j.Result != Blocked:
			k.stop(S1, "turn/gate-failing", "mend the base branch, or amend the task and name the command that replaces the gate",
				"a gate fails without the task's work, too, as a run on the base branch showed: %s", r.Command)
		default:
			k.find("turn/gate-failing", "%s", r.Command)
		}
	}
}

// failingGates are the latest records of a task that fail and that no amendment replaces.
func failingGates(s *plan.Snapshot, t *plan.TaskView) (list []work.GateRecord) {
	var passing, known []string
	records := latest(s, t.ID)
	for _, r := range records {
		known = append(known, r.Command)
		if r.Passes {
			passing = append(passing, r.Command)
		}
	}
	for _, r := range records {
		if !r.Passes && !replaced(t, r.Command, passing, known) {
			list = append(list, r)
		}
	}
	return list
}

func replaced(t *plan.TaskView, command string, passing, known []string) bool {
	if t.Record == nil {
		return false
	}
	for i := range t.Record.Log.Amendments {
		if verify.Replaces(&t.Record.Log.Amendments[i], command, passing, known) {
			return true
		}
	}
	return false
}

// waitsForPerson is the human gate for which a task waits when nothing else of it is left: every other criterion is ticked, and its gates
// pass (UN-6). nil when there is other work, or when the answer stands.
func waitsForPerson(s *plan.Snapshot, t *plan.TaskView) *work.HumanGate {
	if done(t) || t.Status == state.Skipped {
		return nil
	}
	open := 0
	for _, c := range criteria(t) {
		if c.Open {
			open++
		}
	}
	records := latest(s, t.ID)
	if open == 0 || len(records) == 0 || len(failingGates(s, t)) > 0 {
		return nil
	}
	var first *work.HumanGate
	for _, g := range work.HumanGates(s, t) {
		if g.Checked || g.Section != planmd.Acceptance {
			continue
		}
		open--
		if g.Answer == "" && first == nil {
			first = &g
		}
	}
	if open > 0 {
		return nil
	}
	return first
}
