package turn

import (
	"slices"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/update"
)

// guards is the table of the preconditions of unattended work (UN-1).
var guards = []update.Guard{
	{ID: "guard/turn-standard", Requirement: "UN-1", Title: "a turn is taken of a plan whose standard this dwp knows",
		Hint: "use a dwp that knows it, or give README.md its Standard line"},
	{ID: "guard/turn-layer", Requirement: "UN-1", Title: "a turn needs README.md, manifest.json and state.json",
		Hint: "dwp reconcile makes state.json from the markdown; a plan that never had the files is worked with a person watching"},
	{ID: "guard/turn-whole", Requirement: "UN-1", Title: "a turn is taken of a plan that is written to its end",
		Hint: "finish what was begun: dwp status says what it is"},
	{ID: "guard/turn-opt-in", Requirement: "UN-1", Title: "a person opened the plan to unattended work",
		Hint: "a person runs dwp approve PLAN --by NAME --unattended"},
	{ID: "guard/turn-approval", Requirement: "UN-1", Title: "a person approved the plan before it is worked alone",
		Hint: "a person runs dwp approve PLAN --by NAME"},
	{ID: "guard/turn-gates", Requirement: "UN-1", Title: "every task that is worked alone has a gate",
		Hint: "write under Validation the command that shows that the task is done; dwp refine edit changes a task of an approved plan"},
}

// Guards returns the preconditions, in the order in which they are looked for. The slice is the caller's.
func Guards() []update.Guard { return slices.Clone(guards) }

// turnRules is the table of what stops a plan that is worked alone. Nothing of it is a fault of the plan at rest, so verify reports none.
var turnRules = []rule.Rule{
	// S1: a gate fails, and the fix is outside the task.
	{ID: "turn/gate-failing", Requirement: "WP-4", Title: "a gate that fails is mended within two turns; one that fails without the task's work, too, is not the task's to mend",
		Why:     "An agent that tries the same again and again brings nothing but cost; and what fails without its work is no fault of the task.",
		Example: "the latest record of \"make test\" fails at the end of two turns in a row, and no other gate and no criterion came between",
		Mend:    "Look at the log that the record names. Mend the cause, or amend the task and name the command that replaces the gate; then unblock it."},
	{ID: "turn/asserted", Requirement: "UN-2", Title: "the gates of a completed task were run by dwp; with --observed they have to be",
		Why:     "An agent can write that a test passed without having run it.",
		Example: "task 3 is completed on a record whose evidence is \"14 passed\", and no log of the run is there",
		Mend:    "Run the gate yourself with dwp gate run; when it fails, reopen the task. Without --observed it is only told, and nothing stops."},
	// S2: an approval, a credential or a decision is missing.
	{ID: "turn/human-gate", Requirement: "UN-6", Title: "a criterion that names a person's approval is met by that person",
		Why:     "No trust given before stands in for an approval that the plan asks for by name.",
		Example: "\"- [x] Ana signs off the wording\", ticked in a turn, and no answer of hers in QUESTIONS.md",
		Mend:    "Ask the person; record the answer with dwp answer, or open the box again."},
	{ID: "turn/authority", Requirement: "UN-6", Title: "no approval, amendment, answer or configuration in a person's name comes from a turn",
		Why:     "Inside a turn there is no person; what appears in a person's name meanwhile may be the agent's own.",
		Example: "**Approval:** pending became approved while the agent ran",
		Mend:    "Find out whether the person did it. If so, unblock the task; if not, take it back."},
	{ID: "turn/demands", Requirement: "AM-1", Title: "a turn leaves the criteria and gates of every task as they were",
		Why:     "An agent that rewrites what it is measured by measures nothing; a change of a criterion is an amendment, with what was observed and why.",
		Example: "Validation of task 3 said \"make test\" when the turn began, and says \"true\" now",
		Mend:    "Put the criterion or the command back, or amend the task; then unblock it."},
	{ID: "turn/tests-removed", Requirement: "WP-5", Title: "no test is deleted to make a gate pass",
		Why:     "A gate that passes because its tests are gone proves nothing.",
		Example: "rates/round_test.go was deleted, and the task's planned surface doesn't name it",
		Mend:    "Put the test back. When it had to go, amend the task so that its surface names the file."},
	{ID: "turn/question", Requirement: "UN-7", Title: "a critical question about a task is answered before it goes on",
		Why:     "What follows rests on the answer.",
		Example: "Q2 (Task 3) of class C2 has no answer in QUESTIONS.md",
		Mend:    "Answer it with dwp answer."},
	{ID: "turn/approval", Requirement: "UN-1", Title: "the approval stands when a turn begins",
		Why:     "A person withdrew it, or it can't be told any more whether one was given.",
		Example: "**Approval:** pending, in a plan that was worked yesterday",
		Mend:    "A person approves the plan's scope as it stands with dwp approve."},
	// S3: reality differs from the plan.
	{ID: "turn/surface", Requirement: "WP-4", Title: "a turn changes only what its task names",
		Why:     "Files that the task doesn't speak of may be another task's, or another person's; nobody looked at changes there.",
		Example: "the task names rates/, and deploy/prod.yaml changed",
		Mend:    "Look at the files. Take the changes back, or name the paths as actual surface in the task's log; then unblock it."},
	{ID: "turn/state-by-hand", Requirement: "GU-1", Title: "state.json and the records of turns are written by dwp alone while a turn runs",
		Why:     "Only dwp's own commands keep the guards; a state that was written past them may say anything, and by the records a plan is stopped.",
		Example: "state.json says that task 3 is completed, and no command of this turn wrote that",
		Mend:    "Compare state.json with the markdown and the work; dwp reconcile makes it follow the markdown."},
	{ID: "turn/two-tasks", Requirement: "UN-2", Title: "a turn works one task",
		Why:     "Each task is judged by itself before the next begins; what was done to another one was not.",
		Example: "the turn was about task 3, and task 4 is in progress now",
		Mend:    "Look at what was done on the other task; then unblock it."},
	{ID: "turn/faults", Requirement: "UN-2", Title: "a turn leaves the plan no worse than it was",
		Why:     "The plan breaks a rule that it kept before; whoever goes on would rest on it.",
		Example: "the README counts 3 of 8 completed, and four boxes are ticked",
		Mend:    "dwp verify names each place; mend them, then unblock the task."},
	{ID: "turn/unseen", Requirement: "UN-3", Title: "what a turn changed can be seen",
		Why:     "A turn is judged by what git sees of the work tree; when git could be asked before it and can't be after it, nobody knows what was done.",
		Example: "the folder .git is gone, or its index can't be read, when the agent has ended",
		Mend:    "Look at the work tree: git status says what is wrong. Mend it, look at what changed, then unblock the task."},
	{ID: "turn/rewound", Requirement: "UN-3", Title: "history only grows while a turn runs",
		Why:     "Commits that others rest on are gone, or the work went to another branch.",
		Example: "HEAD is no longer a descendant of the commit at which the turn began",
		Mend:    "git reflog shows where HEAD was; put the branch back, or decide to go on from here."},
	{ID: "turn/standard", Requirement: "PS-22", Title: "the plan is of a standard that this dwp knows",
		Why:     "What a newer standard means can't be told here, and isn't guessed at.",
		Example: "**Standard:** DWP spec 6.0.0",
		Mend:    "Use a dwp that knows it."},
	{ID: "turn/malformed", Requirement: "UN-3", Title: "the plan's files can be read",
		Why:     "Work that rests on a misread plan is lost.",
		Example: "state.json ends in the middle of a record",
		Mend:    "dwp verify names the place."},
	{ID: "turn/duplicates", Requirement: "UN-3", Title: "each task number stands once",
		Why:     "Which of two tasks 3 is meant can't be told.",
		Example: "two index lines name Task 3",
		Mend:    "Give one of them its own number, through refine."},
	{ID: "turn/desync", Requirement: "PS-18", Title: "README.md and state.json agree about what is done",
		Why:     "One of the two is wrong, and the next task depends on which.",
		Example: "the box of task 3 is ticked, and state.json has it in progress",
		Mend:    "dwp reconcile makes state.json follow the markdown, and says what it found."},
	{ID: "turn/stuck", Requirement: "GU-7", Title: "some open task may start",
		Why:     "The open tasks wait for each other, or for one that was skipped: no turn changes that.",
		Example: "task 2 depends on 3, and 3 on 2",
		Mend:    "dwp refine edits the dependencies, or archives what was skipped."},
	{ID: "turn/missing-file", Requirement: "PD-5", Title: "what a task tells its reader to read first is there",
		Why:     "The task was planned on a document that the agent can't see.",
		Example: "Read Before Starting links analysis_results/tariffs.md, and there is no such file",
		Mend:    "Put the file back, or amend the task."},
	{ID: "turn/concurrent", Requirement: "UN-3", Title: "nobody else works on the files of a task that begins",
		Why:     "The agent's work and somebody else's unfinished work would be mixed, and committed as one.",
		Example: "task 3 names rates/round.go, which has changes that no turn made and nobody committed",
		Mend:    "Commit those changes or put them away; then go on."},
	// S4: two turns in a row without verifiable progress.
	{ID: "turn/no-progress", Requirement: "UN-3", Title: "of two turns in a row on a task one makes verifiable progress",
		Why:     "Nothing is got by a third turn like the two before: no new passing gate, no commit, no criterion, no checkpoint that moved.",
		Example: "turns 4 and 5 on task 3 ended with nothing that could be verified",
		Mend:    "Read the logs of the two turns. Say what is missing in the task or in an answer, or do the step yourself; then unblock it."},
}

// Rules returns what stops a plan, for explain, in the order of the conditions. The slice is the caller's.
func Rules() []rule.Rule {
	list := slices.Clone(turnRules)
	for i := range list {
		list[i].Level, list[i].Levels = rule.Must, "a turn that breaks it stops the plan until a person unblocks it"
	}
	return list
}
