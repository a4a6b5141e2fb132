package rule

// This file: what a plan of the archetype orchestrator-hub keeps about its child plans (AG-4).

var hubRules = []Rule{
	{ID: "hub/manifest", Level: Info, Requirement: "AG-4",
		Title:   "a hub keeps ORCHESTRATOR_MANIFEST.md with a tracking table",
		Why:     "A hub coordinates plans in other repositories. Without the table nobody can tell which, where they live, and how far they got.",
		Example: `"archetype": "orchestrator-hub" and no ORCHESTRATOR_MANIFEST.md`,
		Mend:    "Write ORCHESTRATOR_MANIFEST.md with a table of the columns Repository, Plan, Hub task, Waits for, Status, and a row per child plan."},
	{ID: "hub/row", Level: Should, Requirement: "AG-4",
		Title:   "a row of the tracking table names a repository, a plan, and a task of the hub",
		Why:     "A row that names no plan, or a task that does not exist, can't be followed: the child plan it means is overlooked.",
		Example: "| services/api | the token work | 9 | in a hub of four tasks",
		Mend:    "Write the repository's path from the hub's root, the plan's name PLAN_<slug>, and the number of an existing task."},
}
