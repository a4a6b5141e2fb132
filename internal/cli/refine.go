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
person's authority is stated. Numbers in prose are not rewritten but listed.`,
		Example: `  dwp refine add quote_service --from tasks.md --after 4 --dry-run
  dwp refine remove quote_service 6`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(a.refineAddCmd(), a.refineEditCmd(), a.refineMoveCmd(), a.refineRemoveCmd(), a.refineSplitCmd())
	return cmd
}
