package work

import (
	"slices"

	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/update"
)

// guards is the table of the rules of this package: what carrying a plan through its tasks is refused for.
var guards = []update.Guard{
	{ID: "guard/agent-name", Requirement: "UN-6", Title: "an approval is in the name of a person, never of an agent",
		Hint: "give the name of the person who approves with --by"},
	{ID: "guard/nothing-to-approve", Requirement: "LF-7", Title: "an approval is of work that is still to do",
		Hint: "new work comes through a plan of its own, or through refine"},
	{ID: "guard/unattended-layer", Requirement: "UN-1", Title: "unattended work needs a state layer of a known standard",
		Hint: "approve without --unattended, or give the plan its state layer first"},
	{ID: "guard/unreadable-name", Requirement: "PD-12", Title: "what is written reads back as it was given",
		Hint: "give a plain name; where README.md has a form that can't be extended, write its Approval line by hand"},
}

// Guards returns the rules of this package, in the order of listings. The slice is the caller's.
func Guards() []update.Guard {
	return slices.Concat(guards, coreGuards, reconcileGuards, ledgerGuards, handoffGuards, questionGuards)
}

// refuse makes a refusal under one of guards, or of those below.
func refuse(id, format string, args ...any) *publish.Refused {
	return publish.RefuseBy(Guards(), id, format, args...)
}
