package rule

// This file: the README besides its index, and the order of work (PD-4, GU-7, AG-6).

var readmeRules = []Rule{
	{ID: "readme/title", Level: Must, Levels: "should for plans of older shape", Requirement: "PD-4",
		Title:   "the README has a title",
		Why:     "Listings and reports name a plan by its title.",
		Example: "a README that begins with ## Goal",
		Mend:    "Begin the README with # and the title."},
	{ID: "readme/goal", Level: Must, Requirement: "PD-4",
		Title:   "the README has a Goal with words in it",
		Why:     "Whoever resumes re-anchors to the goal; without one the work drifts.",
		Example: "## Goal\n\nTBD",
		Mend:    "Write what is true when the plan is done."},
	{ID: "readme/context", Level: Must, Levels: "should for plans of older shape", Requirement: "PD-4",
		Title:   "the README has a Context with words in it",
		Why:     "Whoever resumes without the conversation needs to know where the work lives.",
		Example: "## Context\n\n...",
		Mend:    "Write what exists, where it lives and what constrains the work."},
	{ID: "readme/selection", Level: Should, Requirement: "PD-4",
		Title:   "the README records why its format was chosen",
		Why:     "Later it cannot be judged whether the plan should be promoted when nobody wrote why its format was chosen.",
		Example: "a README of standard 5 without a format-selection record",
		Mend:    "Add the observed scope, dependencies, detail needed, uncertainties and the reason."},
	{ID: "readme/advice", Level: Should, Requirement: "PD-4",
		Title:   "the README has guidelines, execution rules and an outputs table",
		Why:     "Guidelines and execution rules keep agents to one way of working; the outputs table says what to expect.",
		Example: "a README without Execution Rules",
		Mend:    "Add the section that the finding names."},
	{ID: "readme/variables", Level: Should, Requirement: "PD-4",
		Title:   "variables that tasks use are declared",
		Why:     "A task uses a variable that no one gave a value; each agent fills in its own.",
		Example: "{{STATION_ID}} in a task, no Variables section",
		Mend:    "Declare the variable and its value in the README."},
}

var parallelismRules = []Rule{
	{ID: "parallelism/missing", Level: Must, Requirement: "PD-4",
		Title:   "the plan states its parallelism decision",
		Why:     "Whether tasks may be worked side by side must be decided once, not by each agent.",
		Example: "a plan with plan_format, without an Execution line or a Team Agents table",
		Mend:    "Add Execution: sequential, with the reason, or a Team Agents table."},
	{ID: "parallelism/rationale", Level: Should, Requirement: "LF-8",
		Title:   "an Execution line says why",
		Why:     "Without the reason the decision cannot be checked when the plan changes.",
		Example: "Execution: sequential",
		Mend:    "Add the reason behind a dash."},
}

var groupsRules = []Rule{
	{ID: "groups/unknown-task", Level: Must, Requirement: "AG-6",
		Title:   "groups name existing tasks, each once",
		Why:     "A group that names a task that is not there, or one task twice, has no order that could be followed.",
		Example: "| A | 2, 9 | one | api/ | in a plan of four tasks",
		Mend:    "Correct the task numbers in the table."},
	{ID: "groups/file-ownership", Level: Must, Requirement: "AG-6",
		Title:   "two tasks of one group never own the same file",
		Why:     "Two agents that write one file at the same time lose each other's work.",
		Example: "two rows of group A that both own api/server.go",
		Mend:    "Give the file to one task, or move a task to a later group."},
	{ID: "groups/final-review", Level: Must, Requirement: "AG-6",
		Title:   "the Final Review shares no parallel group",
		Why:     "The review looks at the finished whole; beside other work it looks at something that still moves.",
		Example: "| B | 3, 4 | two | docs/ | with Task 4 the Final Review",
		Mend:    "Take the Final Review out of the group; it runs last and alone."},
}

var dependsRules = []Rule{
	{ID: "depends/unknown-task", Level: Must, Requirement: "GU-7",
		Title:   "dependencies name existing tasks",
		Why:     "A task that waits for one that is not there never starts.",
		Example: "Depends on: 9",
		Mend:    "Name an existing task."},
	{ID: "depends/cycle", Level: Must, Requirement: "GU-7",
		Title:   "dependencies have no cycle",
		Why:     "Tasks that wait for each other never start.",
		Example: "Task 2: Depends on: 3. Task 3: Depends on: 2",
		Mend:    "Remove one of the dependencies."},
}

var orderRules = []Rule{
	{ID: "order/too-early", Level: Must, Requirement: "GU-7",
		Title:   "no task was started or completed before the tasks it depends on",
		Why:     "A task rests on others that are not finished; what it built may not hold.",
		Example: "- [ ] Task 1\n- [x] Task 2",
		Mend:    "Finish the earlier task first, or declare the real dependencies."},
}
