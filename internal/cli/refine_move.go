package cli

import (
	"github.com/deepworkplan/dwp/internal/author"
	"github.com/spf13/cobra"
)

// moveFlags are the flags of refine move.
type moveFlags struct {
	lockFlags
	placeFlags
	confirm, dryRun bool
}

// refineMoveCmd puts a task at another place (LF-10).
func (a *app) refineMoveCmd() *cobra.Command {
	var flags moveFlags
	cmd := &cobra.Command{
		Use:   "move [PLAN] N --after M | --before M",
		Short: "Put a task at another place",
		Long: `Put task N behind or before another one. The tasks between get other numbers,
and so do their files, anchors, links, "Depends on" lines and groups. No task
may stand before one that it depends on, and the Final Review stays last.

Tasks with history keep their number: a move that would change one is refused,
and the nearest place that works is named. Such a task itself moves only with
--confirm, and only where its number stays: under another heading, say.

Exit codes: 0 moved, or it stands there; 1 refused: nothing was written; 2 a
wrong call; 3 could not be done; 4 locked.`,
		Example:           `  dwp refine move quote_service 6 --after 3`,
		Args:              between(1, 2),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.refineMove(cmd, args, flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.BoolVar(&flags.confirm, "confirm", false, "move a task that has history, where it keeps its number")
	f.BoolVar(&flags.dryRun, "dry-run", false, "show what would change in each file, and write nothing")
	flags.placeFlags.register(f)
	flags.lockFlags.register(f)
	return cmd
}

// refineMove decides and answers.
func (a *app) refineMove(cmd *cobra.Command, args []string, flags moveFlags) error {
	named, task, err := planAndTask(args)
	if err != nil {
		return err
	}
	if err := flags.placeFlags.check(cmd.Flags().Changed, true); err != nil {
		return err
	}
	c := reordering{command: "refine move", what: "the task can't be moved", plan: named, lock: flags.lockFlags, dryRun: flags.dryRun}
	return a.reorder(cmd, c, func(w *writer, told *author.Refined) decision {
		return author.Move{Who: w.who(), Task: task, After: flags.after, Before: flags.before, Confirm: flags.confirm, InTurn: a.inTurn()}.Decide(told)
	})
}
