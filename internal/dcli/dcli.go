// Package dcli owns the commands of dwpd: dwp daemon and those below it, one file each. They are called, answer and fail as those of dwp do,
// whose frame they use; it translates and decides nothing about plans or queues. Requirements: UN-2 as far as schedules go, UN-6, PS-7.
package dcli

import (
	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/spf13/cobra"
)

// app is one run of the program.
type app struct {
	*cli.Sister
	root     string // --root
	database string // --database-url
}

// Main runs one command line and returns the exit code.
func Main(args []string, env cli.Env) int {
	return cli.RunSister(args, env, func(s *cli.Sister) *cobra.Command {
		a := &app{Sister: s}
		root := &cobra.Command{
			Use:   "dwp", // as people call it, and as it calls itself in what it says
			Short: "Take turns of many plans by schedule.",
			Long: `dwpd has what dwp does not link, since it needs a database: the queue of
unattended turns. It is called as dwp calls it, dwpd daemon COMMAND.`,
			Example: "  dwp daemon list",
			Args:    cli.NoArgs,
			RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

			SilenceErrors: true, SilenceUsage: true,
			SuggestionsMinimumDistance: 2,
			CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
		}
		root.AddCommand(a.daemonCmd())
		return root
	})
}

// daemonCmd holds the commands of the queue.
func (a *app) daemonCmd() *cobra.Command {
	cmd := cli.Parent("daemon", "Take turns of many plans by schedule",
		`Take turns of many plans by schedule, with nobody watching. A plan is put into
the queue, and dwp daemon run takes turns of it: again at once after one that
brought it further, later each time after one that did not, and not at all while
it waits for a person. No plan is worked by two at once.

The queue is a database: .dwp/dwp.db, made when it is first needed, for one
machine; or PostgreSQL for many, which --database-url or DWP_DATABASE_URL names,
with the plans in a folder that they share. The variable keeps a password out of
the list of processes. Plans are kept by their path from the root, which each
machine may have in another place.`,
		a.runCmd(), a.enqueueCmd(), a.listCmd(), a.pauseCmd(), a.resumeCmd(), a.removeCmd(), a.historyCmd(), a.recipeCmd())
	f := cmd.PersistentFlags()
	f.StringVar(&a.root, "root", "", "the `DIR` that paths of plans are kept from (default: the one with .dwp)")
	f.StringVar(&a.database, "database-url", "", "the `URL` of a PostgreSQL database, for many machines")
	return cmd
}
