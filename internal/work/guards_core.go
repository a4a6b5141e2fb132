package work

import (
	"fmt"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/update"
)

// coreGuards is the table of the rules by which start, checkpoint, block, unblock, reopen and complete refuse.
var coreGuards = []update.Guard{
	{ID: "guard/incomplete", Requirement: "WP-2", Title: "a task is completed only when nothing of it is missing",
		Hint: "mend each of them, then complete the task again"},
	{ID: "guard/criterion", Requirement: "WP-2", Title: "the criteria that a call names are criteria of the task",
		Hint: "count the checkboxes of Acceptance Criteria from 1"},
	{ID: "guard/human-gate", Requirement: "UN-6", Title: "a criterion that names a person's approval is met by that person only",
		Hint: "inside a turn, ask with dwp escalate --class C1; a person's dwp answer is taken, and stands in the log"},
	{ID: "guard/no-failure", Requirement: "WP-4", Title: "what is proven on the base is a failure that is recorded for the task",
		Hint: "run the gate with dwp gate run first; of a gate that passes there is nothing to prove"},
	{ID: "guard/no-base", Requirement: "WP-4", Title: "a base is a commit that differs from the work of the task",
		Hint: "name the commit or branch that the work began at with --base"},
	{ID: "guard/gate-unrecorded", Requirement: "WP-2", Title: "every command of Validation has a passing record",
		Hint: "run it with dwp gate run; when another check replaces it, an amendment says so"},
	{ID: "guard/bullets", Requirement: "WP-2", Title: "an entry of PROGRESS.md has 3 to 5 bullets", Hint: "give --bullet at most five times"},
	{ID: "guard/commit", Requirement: "WP-2", Title: "the commit of a task exists, names the task, and is no other task's",
		Hint: "commit the work first; a task that changed no source is completed with --commit none"},
	{ID: "guard/work-tree", Requirement: "WP-2", Title: "the work of a completed task is committed",
		Hint: "commit these files, or put them away"},
	{ID: "guard/commit-secret", Requirement: "WP-5", Title: "no commit of a task adds a secret",
		Hint: "take it out of the commit and revoke it: it counts as shown from now on"},
	{ID: "guard/which-task", Requirement: "GU-1", Title: "one task is in progress, or the call names one", Hint: "name the task by its number"},
	{ID: "guard/hold", Requirement: "WP-1", Title: "nothing starts in a plan that has to be mended first", Hint: "dwp status and dwp verify say more"},
	{ID: "guard/faithful", Requirement: "PD-8", Title: "what is written into a document reads back as it was given",
		Hint: "say it in plain words on one line, without Markdown that opens something"},
}

// gaps gathers everything that stands in the way, so that one round of mending is enough (VP-1, WP-2).
type gaps struct {
	task int
	list []rule.Finding
}

// add notes one. doc and at are where; doc is nil when it is no place in a document.
func (g *gaps) add(id, file string, doc *planmd.Doc, at planmd.Span, format string, args ...any) {
	f := rule.Finding{Rule: id, Level: rule.Must, Message: fmt.Sprintf(format, args...), Place: rule.Place{File: file, Task: g.task}}
	known := refuse(id, "")
	f.Requirement, f.Hint = known.Requirement, known.Hint
	if doc != nil {
		f.Line, f.Column = doc.Position(at.Start)
	}
	g.list = append(g.list, f)
}

// hint gives the last one a remedy of its own.
func (g *gaps) hint(text string) { g.list[len(g.list)-1].Hint = text }

// pass takes a refusal of another package up into the list.
func (g *gaps) pass(r *update.Refusal) {
	g.list = append(g.list, rule.Finding{Rule: r.Rule, Level: rule.Must, Requirement: r.Requirement, Message: bare(r.Message), Hint: r.Hint,
		Place: rule.Place{Task: g.task}})
}

// refused is the refusal that lists the gaps; nil without any.
func (g *gaps) refused() error {
	if len(g.list) == 0 {
		return nil
	}
	first := &g.list[0]
	r := refuse("guard/incomplete", "task %d can't be completed; missing: %d (%s: %s)", g.task, len(g.list), first.Rule, first.Message)
	r.Findings = g.list
	return r
}
