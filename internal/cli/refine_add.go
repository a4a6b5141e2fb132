package cli

import (
	"github.com/deepworkplan/dwp/internal/author"
	"github.com/spf13/cobra"
)

// addFlags are the flags of refine add.
type addFlags struct {
	lockFlags
	warrantFlags
	placeFlags
	from   string
	dryRun bool
}

// refineAddCmd puts new tasks into a plan (LF-10).
func (a *app) refineAddCmd() *cobra.Command {
	var flags addFlags
	cmd := &cobra.Command{
		Use:   "add [PLAN] --from FILE",
		Short: "Add tasks to a plan",
		Long: `Add the tasks of an outline, in Markdown or JSON as create reads it; nothing but
tasks is needed. They stand before the Final Review, unless --after or --before
names another place; tasks with history keep their number. What a task lacks is
listed, and nothing is written.

A task without a "Depends on" line waits for all before it. The numbers of such
a line are those of the plan as it will stand, and the headings may be numbered
so, too.

The scope grows: approval is pending again, and until a person approves the plan
nothing goes on, unless --authority user, --by and --statement state a person's
word.

Exit codes: 0 added; 1 refused: nothing was written; 2 a wrong call; 3 could not
be done; 4 locked.`,
		Example: `  dwp refine add quote_service --from tasks.md --after 4 --dry-run
  dwp refine add quote_service --from tasks.md --authority user --by Ada \
      --statement "yes, measure it too"`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.refineAdd(cmd, args, flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.StringVar(&flags.from, "from", "", "read the tasks from `FILE`, or from standard input when it is -")
	f.BoolVar(&flags.dryRun, "dry-run", false, "show what would change in each file, and write nothing")
	flags.placeFlags.register(f)
	flags.warrantFlags.register(f)
	flags.lockFlags.register(f)
	return cmd
}

// refineAdd reads the tasks, decides, and answers.
func (a *app) refineAdd(cmd *cobra.Command, args []string, flags addFlags) error {
	if flags.from == "" {
		return usage("no-outline", "give it with --from FILE, or --from - for standard input", "tasks are added from an outline, and none is given")
	}
	if err := flags.placeFlags.check(cmd.Flags().Changed, false); err != nil {
		return err
	}
	warrant, err := a.warrant(flags.warrantFlags, cmd.Flags().Changed)
	if err != nil {
		return err
	}
	src, err := a.outline(flags.from)
	if err != nil {
		return err
	}
	c := reordering{command: "refine add", what: "the tasks can't be added", plan: args, lock: flags.lockFlags, dryRun: flags.dryRun}
	return a.reorder(cmd, c, func(w *writer, told *author.Refined) decision {
		return author.Add{Who: w.who(), Outline: src, After: flags.after, Before: flags.before, Warrant: warrant}.Decide(told)
	})
}
