package cli

import "github.com/spf13/cobra"

// refineCmd is the parent of the commands that change a plan's tasks (LF-10).
func (a *app) refineCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "refine COMMAND",
		Short:   "Change the tasks of a plan",
		GroupID: groupPlan,
		Args:    cobra.NoArgs,
	}
	cmd.AddCommand(a.refineEditCmd(), a.refineSplitCmd())
	return cmd
}
