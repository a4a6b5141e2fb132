package cli

import (
	"github.com/deepworkplan/dwp/internal/author"
	"github.com/spf13/cobra"
)

// removeFlags are the flags of refine remove.
type removeFlags struct {
	lockFlags
	warrantFlags
	archive, drop, dryRun bool
	fill, redirect        int
}

// refineRemoveCmd takes a task out of a plan's scope (LF-10, PS-10).
func (a *app) refineRemoveCmd() *cobra.Command {
	var flags removeFlags
	cmd := &cobra.Command{
		Use:   "remove [PLAN] N",
		Short: "Take a task out of the scope",
		Long: `Take task N out of the plan. One that was never started is deleted, and later
ones move up. One with history is skipped by the word of a person: its record,
line and entry stay, and an amendment says why; with --archive its record goes
to PROGRESS.md, and its number is free. A plan ends only when its skipped tasks
are archived.

Later tasks with history keep their number, so archive a task before the next
one starts, or name an open task with --fill that takes the number. A completed
task and the Final Review are never removed.

Exit codes: 0 removed; 1 refused: nothing was written; 2 a wrong call; 3 could
not be done; 4 locked.`,
		Example: `  dwp refine remove quote_service 6
  dwp refine remove quote_service 3 --authority user --by Ada \
      --statement "we don't need the export" --archive`,
		Args:              between(1, 2),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.refineRemove(cmd, args, flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.BoolVar(&flags.archive, "archive", false, "move the record to PROGRESS.md, and give the number up")
	f.IntVar(&flags.fill, "fill", 0, "the open task `N` takes the number, so that no other changes")
	f.IntVar(&flags.redirect, "redirect", 0, "what depends on the task depends on task `N` instead")
	f.BoolVar(&flags.drop, "drop", false, "what depends on the task no longer does")
	f.BoolVar(&flags.dryRun, "dry-run", false, "show what would change in each file, and write nothing")
	flags.warrantFlags.register(f)
	flags.lockFlags.register(f)
	return cmd
}

// refineRemove decides and answers.
func (a *app) refineRemove(cmd *cobra.Command, args []string, flags removeFlags) error {
	named, task, err := planAndTask(args)
	if err != nil {
		return err
	}
	changed := cmd.Flags().Changed
	switch {
	case changed("redirect") && flags.redirect < 1, changed("fill") && flags.fill < 1:
		return usage("bad-task", "see dwp refine remove --help", "--redirect and --fill take the number of a task")
	case changed("redirect") && flags.drop:
		return usage("bad-flag", "see dwp refine remove --help", "--redirect and --drop exclude each other")
	}
	warrant, err := a.warrant(flags.warrantFlags, changed)
	if err != nil {
		return err
	}
	c := reordering{command: "refine remove", what: "the task can't be removed", plan: named, lock: flags.lockFlags, dryRun: flags.dryRun}
	return a.reorder(cmd, c, func(w *writer, told *author.Refined) decision {
		return author.Remove{Who: w.who(), Task: task, Archive: flags.archive, Fill: flags.fill, Redirect: flags.redirect, Drop: flags.drop, Warrant: warrant}.Decide(told)
	})
}
