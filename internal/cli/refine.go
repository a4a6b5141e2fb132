package cli

import "github.com/spf13/cobra"

// refineCmd is the parent of the commands that change a plan's tasks (LF-10).
func (a *app) refineCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "refine COMMAND",
		Short:   "Change the tasks of a plan",
		GroupID: groupPlan,
		Long: `Add tasks to a plan, change, split, move and remove them. README.md, task files,
references, PROGRESS.md and state.json are changed together, as one operation.

Work that was done is kept: a task with history keeps its number, and the Final
Review stays last. Growing the scope returns approval to pending, unless a
person's authority is stated. Numbers in prose are not rewritten but listed.

With --from several changes are made as one operation, all of them or none. FILE
is JSON, as dwp schema refine describes; numbers in it are those of before.

Exit codes: 0 changed, or nothing to change; 1 refused: nothing was written; 2
a wrong call; 3 could not be done; 4 locked.`,
		Example: `  dwp refine add quote_service --from tasks.md --after 4 --dry-run
  dwp refine remove quote_service 6
  dwp refine quote_service --from changes.json --dry-run`,
	}
	a.takeChanges(cmd)
	cmd.AddCommand(a.refineAddCmd(), a.refineEditCmd(), a.refineMoveCmd(), a.refineRemoveCmd(), a.refineSplitCmd())
	return cmd
}
