package cli

import "github.com/deepworkplan/dwp/internal/plan"

// holdWords says why no task may start, and how to go on where that is one step.
func holdWords(h plan.Hold) string {
	switch h {
	case plan.HoldNone:
		return "no task is open"
	case plan.HoldNewer:
		return "nothing to start: the plan follows a newer or unknown standard or schema"
	case plan.HoldMalformed:
		return "nothing to start: a file of the plan can't be read; see dwp verify"
	case plan.HoldPublishing:
		return "nothing to start: a publication was left half done (.finalizing.json); dwp recover finishes it"
	case plan.HoldOperation:
		return "nothing to start: an operation was left half done (.dwp-op); dwp recover finishes it"
	case plan.HoldPromoting:
		return "nothing to start: the plan is being promoted from lite to full; dwp promote goes on with it"
	case plan.HoldPartial:
		return "nothing to start: the plan is not written to its end"
	case plan.HoldUnapproved:
		return "nothing to start: the plan waits for a person's approval, which dwp approve records"
	case plan.HoldBlocked:
		return "nothing to start: the plan is blocked and needs a person"
	case plan.HoldCompleted:
		return "the plan is complete"
	case plan.HoldNoTasks:
		return "nothing to start: the README has no task list to work from"
	case plan.HoldAmbiguous:
		return "nothing to start: a task number stands twice"
	case plan.HoldDesync:
		return "nothing to start: README.md and state.json disagree; reconcile them first with dwp reconcile"
	case plan.HoldSkipped:
		return "nothing to start: only skipped tasks are left; archive them through refine"
	case plan.HoldDependences:
		return "nothing to start: the open tasks wait for each other"
	}
	return "nothing to start: " + string(h)
}

// holdExit is the exit code that goes with a hold (C97, C101): complete is done, blocked and unapproved need a person, the rest is a no.
func holdExit(h plan.Hold) int {
	switch h {
	case plan.HoldCompleted:
		return ExitOK
	case plan.HoldBlocked, plan.HoldUnapproved:
		return ExitBlocked
	}
	return ExitNo
}
