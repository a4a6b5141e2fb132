package update

import (
	"fmt"
	"slices"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// Refusal is why a change is not made. Nothing was written, and the message says so.
type Refusal struct {
	// Rule is an ID of the catalogue (what verify would report of the result), or one of Guards.
	Rule        string
	Requirement string
	Message     string
	Hint        string // what to do
	// Usage says that the change is no request at all: exit code 2, not 1.
	Usage bool
}

// Error is the message: a refusal may be passed on as an error.
func (r *Refusal) Error() string { return r.Message }

// Guard describes one rule of this package: one that speaks of changes, not of a plan at rest.
type Guard struct {
	ID, Requirement string
	Title           string // what it demands
	Hint            string // what to do when it refuses
	usage           bool
}

// guards is the table of the rules that verify has no equal for. Every command that writes refuses by them: a hint that names a flag
// of dwp state update says so, and names the command that a person would use first.
var guards = []Guard{
	{ID: "guard/task", Requirement: "GU-1", Title: "a change names one task", Hint: "name it with --task N", usage: true},
	{ID: "guard/status", Requirement: "GU-1", Title: "a status is one of the standard's",
		Hint: "use pending, in_progress, completed or blocked", usage: true},
	{ID: "guard/unknown-task", Requirement: "GU-1", Title: "the task exists", Hint: "look at the plan's tasks; new ones come through refine"},
	{ID: "guard/no-state", Requirement: "GU-1", Title: "there is a state.json to change", Hint: "dwp reconcile makes it from the markdown, which is the truth"},
	{ID: "guard/unreadable", Requirement: "GU-1", Title: "the files that a guard reads can be read",
		Hint: "mend the file; dwp verify names the place"},
	{ID: "guard/moving", Requirement: "GU-9", Title: "the folder holds still while it is read", Hint: "try again when nothing else writes into it"},
	{ID: "guard/moved-on", Requirement: "GU-9", Title: "state.json is the one that the caller looked at",
		Hint: "read it again, and make the change to what it says now"},
	{ID: "guard/not-approved", Requirement: "GU-8", Title: "the plan is approved before work starts",
		Hint: "a person approves the plan's scope with dwp approve; an agent does not"},
	{ID: "guard/text", Requirement: "GU-2", Title: "given texts are UTF-8", Hint: "give the text as UTF-8"},
	{ID: "guard/options", Requirement: "GU-2", Title: "the options of one change agree with each other", Hint: "make two changes of it"},
	{ID: "guard/gate-form", Requirement: "GU-2", Title: "the short form of a gate is command|exit_code|evidence",
		Hint: "with a | in command or evidence, use --gate-json '{\"command\": …, \"passes\": …, \"exit_code\": …, \"evidence\": …}'"},
	{ID: "guard/gate-older", Requirement: "GU-4", Title: "a record is not replaced by an older run", Hint: "run the gate again and record what it says now"},
	{ID: "guard/gate-mark", Requirement: "GU-4", Title: "new evidence does not carry the mark of invalidated evidence",
		Hint: "run the gate and record its own result"},
	{ID: "guard/old-evidence", Requirement: "GU-6", Title: "only new evidence closes a reopened task", Hint: "run the gate again and record what it says now"},
	{ID: "guard/skip", Requirement: "PS-10", Title: "an update never skips a task", Hint: "a person removes a task from scope through refine, with an amendment"},
	{ID: "guard/skipped-left", Requirement: "PS-10", Title: "skipped tasks are archived before the plan ends",
		Hint: "refine moves the skipped task's record to PROGRESS.md and removes its entry and index line"},
	{ID: "guard/not-started", Requirement: "VP-1", Title: "the task that ends the plan is started before it is completed",
		Hint: "set it to in_progress, do its work, then complete it"},
	{ID: "guard/completed", Requirement: "GU-6", Title: "a completed task changes only when it is reopened",
		Hint: "dwp reopen opens it again, by an amendment; so does dwp state update --status in_progress --reopen-reason"},
	{ID: "guard/amendment", Requirement: "GU-6", Title: "a task is reopened by an amendment in its log",
		Hint: "record the amendment first, in the task's log and in PROGRESS.md, with dwp amend"},
	{ID: "guard/dependants", Requirement: "GU-6", Title: "the amendment says what becomes of completed tasks that build on this one",
		Hint: "say of each in the amendment that it is reopened, or preserved and why"},
	{ID: "guard/not-completed", Requirement: "GU-6", Title: "only a completed task is reopened",
		Hint: "go on with the task as it is; with dwp state update leave --reopen-reason out"},
	{ID: "guard/blocker", Requirement: "GU-5", Title: "nothing that waits for a blocker moves while it stands",
		Hint: "a person resolves it: dwp unblock records the answer; so does dwp state update --resolve-blocker on its own task"},
	{ID: "guard/other-blocker", Requirement: "GU-5", Title: "another task's blocker is neither replaced nor cleared",
		Hint: "write the second question to analysis_results/QUESTIONS.md, where it waits"},
	{ID: "guard/no-blocker", Requirement: "GU-5", Title: "a blocker that is resolved stands",
		Hint: "go on with the task as it is; with dwp state update leave --resolve-blocker out"},
	{ID: "guard/block-reason", Requirement: "GU-5", Title: "a blocked task says why",
		Hint: "dwp block asks for it; with dwp state update give --block-reason, beginning with its class: [S1] to [S4] or [C1] to [C5]"},
	{ID: "guard/resolve-status", Requirement: "GU-5", Title: "a resolved task goes on",
		Hint: "with dwp state update give --status in_progress or --status completed"},
	{ID: "guard/person", Requirement: "GU-5", Title: "inside a turn a person's recorded answer resolves a blocker",
		Hint: "a person answers in analysis_results/QUESTIONS.md (Answer: … on DATE), or amends the task"},
	{ID: "guard/lost", Requirement: "LF-10", Title: "a rewrite loses no record, outcome or history", Hint: "keep what the old state says, or say where it went"},
	{ID: "guard/invented", Requirement: "PS-18", Title: "a rewrite invents no record and completes nothing by itself",
		Hint: "record gates and completions through guarded updates"},
	{ID: "guard/candidate", Requirement: "VP-1", Title: "a candidate follows from the current state by allowed changes of the last open task",
		Hint: "make the candidate from the current state.json"},
}

// Guards returns the rules of this package, in the order of listings. The slice is the caller's.
func Guards() []Guard { return slices.Clone(guards) }

// refuse makes a refusal under a rule of the catalogue or of guards.
func refuse(id, format string, args ...any) *Refusal {
	r := &Refusal{Rule: id, Message: fmt.Sprintf(format, args...) + "; nothing was written"}
	for i := range guards {
		if guards[i].ID == id {
			r.Requirement, r.Hint, r.Usage = guards[i].Requirement, guards[i].Hint, guards[i].usage
			return r
		}
	}
	if known, ok := rule.Lookup(id); ok {
		r.Requirement, r.Hint = known.Requirement, known.Mend
	}
	return r
}

// hint gives a refusal a hint of its own.
func (r *Refusal) hint(text string) *Refusal {
	if text != "" {
		r.Hint = text
	}
	return r
}

// warn adds a warning.
func (g *guard) warn(format string, args ...any) {
	g.warnings = append(g.warnings, fmt.Sprintf(format, args...))
}

// shorten keeps messages readable whatever they quote.
func shorten(text string) string { return strictjson.Shorten(text, 60) }
