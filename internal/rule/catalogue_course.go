package rule

// This file: where a plan stands in its course: resume point, blocker, approval, markers (PS-15, PS-16, LF, VP-4).

var checkpointRules = []Rule{
	{ID: "checkpoint/shape", Level: Must, Requirement: "PS-15",
		Title:   "a checkpoint has its fields with their types and lengths",
		Why:     "Whoever resumes reads the checkpoint first; a misshapen one sends them to the wrong place or nowhere.",
		Example: `"checkpoint": {"task": 2}`,
		Mend:    "Write task, step (up to 200 characters), at and note (up to 500)."},
	{ID: "checkpoint/task", Level: Must, Requirement: "PS-15",
		Title:   "the checkpoint names an existing task",
		Why:     "The resume point lies in a task that does not exist.",
		Example: `"checkpoint": {"task": 9, ...} in a plan of four tasks`,
		Mend:    "Name the task that is next."},
	{ID: "checkpoint/final", Level: Must, Requirement: "PS-15",
		Title:   "the checkpoint of a completed plan is its last task, step done",
		Why:     "A finished plan whose checkpoint still says start makes the next agent work it again.",
		Example: `all tasks completed, "checkpoint": {"task": 2, "step": "start"}`,
		Mend:    "Set the checkpoint to the last task, step done."},
	{ID: "checkpoint/stale", Level: Should, Requirement: "PS-15",
		Title:   "the checkpoint is not behind the work",
		Why:     "The checkpoint points at work that is done; whoever resumes there repeats it.",
		Example: `tasks 1 to 3 completed, "checkpoint": {"task": 1, "step": "instructions:2"}`,
		Mend:    "Move the checkpoint to the next open task."},
}

var blockedRules = []Rule{
	{ID: "blocked/shape", Level: Must, Requirement: "PS-16",
		Title:   "a blocker has its fields with their types and lengths",
		Why:     "A blocker has to tell a person what is missing; without its fields it cannot.",
		Example: `"blocked": {"task": 2}`,
		Mend:    "Write task, reason (up to 1000 characters), since and needs (up to 500)."},
	{ID: "blocked/task", Level: Must, Requirement: "PS-16",
		Title:   "the task of a blocker exists and is blocked",
		Why:     "The blocker names a task that is not stopped, so nobody can tell what waits.",
		Example: `"blocked": {"task": 2, ...} while task 2 is pending`,
		Mend:    "Make its task blocked, or clear the blocker."},
	{ID: "blocked/record", Level: Must, Requirement: "PS-16",
		Title:   "a blocked task has a blocker record",
		Why:     "A task is stopped and nothing says why or what it needs.",
		Example: `{"id": 2, "status": "blocked"} and "blocked": null`,
		Mend:    "Record the reason and what is needed, or set the task going again."},
	{ID: "blocked/class", Level: Should, Requirement: "PS-16",
		Title:   "a blocker's reason begins with its class",
		Why:     "The class tells at once whether a person, an access or a decision is missing; without it each blocker has to be read.",
		Example: `"reason": "no access to the staging database"`,
		Mend:    "Begin the reason with its class, such as [S2] or [C1]."},
}

var approvalRules = []Rule{
	{ID: "approval/missing", Level: Should, Requirement: "PD-4",
		Title:   "the README has an Approval line",
		Why:     "Whether the plan may be worked cannot be told from its README.",
		Example: "a README of standard 5 without an **Approval:** line",
		Mend:    "Add **Approval:** pending, approved or pre_approved, with the name of who approved."},
	{ID: "approval/unknown", Level: Must, Requirement: "PS-8",
		Title:   "the Approval line has a known value",
		Why:     "A word of another meaning is never taken for an approval.",
		Example: "**Approval:** maybe",
		Mend:    "Write pending, approved or pre_approved."},
	{ID: "approval/differs", Level: Must, Requirement: "PS-8",
		Title:   "README and state agree on approval",
		Why:     "One place says that work may start, the other that it may not.",
		Example: `**Approval:** pending and "approval": "approved"`,
		Mend:    "Find out who approved, and make both say it."},
	{ID: "approval/progress-under-pending", Level: Must, Requirement: "LF-7",
		Title:   "no work is done under a pending approval",
		Why:     "Work was started before anyone allowed it.",
		Example: `"approval": "pending" and a completed task`,
		Mend:    "Get the approval of a person on record, or undo the work."},
}

var materializationRules = []Rule{
	{ID: "materialization/partial", Level: Must, Requirement: "LF-4",
		Title:   "materialization is finished",
		Why:     "The plan was not written to its end; tasks or records may be missing. It must not be worked.",
		Example: "Plan Status: materializing",
		Mend:    "Complete the plan or discard the folder."},
}

var promotionRules = []Rule{
	{ID: "promotion/shape", Level: Must, Requirement: "PS-8",
		Title:   "the promotion marker has its form, and stands only while promoting",
		Why:     "An unknown marker is not resumed by guessing; the plan would stay between two formats.",
		Example: `"promotion": {"from": "full", "to": "lite", "phase": "intent"}`,
		Mend:    "Restore the marker from a backup; it is null unless a promotion is in progress."},
	{ID: "promotion/unfinished", Level: Must, Requirement: "LF-9",
		Title:   "no promotion is in progress",
		Why:     "The plan stands between Lite and Full; execute and resume refuse until it is through.",
		Example: `"materialization": "promoting"`,
		Mend:    "Finish the promotion."},
	{ID: "promotion/inline-left", Level: Must, Requirement: "LF-9",
		Title:   "no inline record stands in the README of a promoted plan",
		Why:     "The record now has a file of its own. A second version of it in the README goes stale, and readers follow either.",
		Example: `"plan_format": "lite", "format": "full", and ## Task 2: Serve prices {#task-2} in the README`,
		Mend:    "Compare the record with its task file, then remove it from the README."},
}

var operationRules = []Rule{
	{ID: "operation/unfinished", Level: Must, Requirement: "WP-2",
		Title:   "no operation was left half done",
		Why:     "A change of several files was cut off; some are new and some old.",
		Example: ".dwp-op/op.json",
		Mend:    "Finish it with dwp recover PLAN, before anything else changes the plan."},
}

var publicationRules = []Rule{
	{ID: "publication/unfinished", Level: Must, Requirement: "VP-4",
		Title:   "no publication was left half done",
		Why:     "The last publication was cut off; whether the plan is completed is open until it is recovered.",
		Example: ".finalizing.json",
		Mend:    "Finish it with dwp recover PLAN, or take it back with dwp recover PLAN --withdraw."},
}
