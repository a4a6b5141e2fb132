package author

import (
	"github.com/deepworkplan/dwp/internal/update"
)

// amendGuards is the table of the rules that an amendment is refused under.
var amendGuards = []update.Guard{
	{ID: "guard/amend-task", Requirement: "AM-1", Title: "an amendment is of a task with a record to append to",
		Hint: "dwp show names the plan's tasks; mend a record that can't be found first"},
	{ID: "guard/amend-criterion", Requirement: "AM-1", Title: "an amendment quotes a criterion that stands in the task's record, verbatim",
		Hint: "copy it from the record, or pick it with --criterion N"},
	{ID: "guard/amend-authority", Requirement: "AM-2", Title: "a deferral is allowed by user or developer, an exception by the user, who said so",
		Hint: "get the decision of a person and record it, or let the criterion stand: it is then a blocker"},
	{ID: "guard/amend-target", Requirement: "AM-2", Title: "a deferred criterion moves to a later task that is open",
		Hint: "name one with --to"},
	{ID: "guard/amend-evidence", Requirement: "AM-1", Title: "invalidated evidence is a gate record of the task",
		Hint: "name its command as it is recorded"},
	{ID: "guard/amend-text", Requirement: "PD-12", Title: "an amendment reads back as it was given",
		Hint: "leave out Markdown that swallows what follows, such as an open comment or code mark"},
}
