package cli

import (
	"slices"

	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/spf13/cobra"
)

// daemonCmd stands for the command of that name in dwpd, which has the database (DESIGN 9).
func (a *app) daemonCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "daemon COMMAND",
		Short:   "Take turns of many plans by schedule",
		GroupID: groupAutomate,
		Long: `Take turns of many plans by schedule, with nobody watching: on one machine, or
on several that share a folder and a database. dwp itself has no database: the
command runs dwpd, which lies beside it or on PATH, with the same arguments.
Its help says more: dwp daemon run --help.

Exit codes: those of dwpd; 3 there is no dwpd.`,
		Example: `  dwp daemon enqueue quote_service --cron '0 2 * * *'
  dwp daemon run
  dwp daemon recipe systemd`,
		DisableFlagParsing:    true,
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     a.completeDaemon,
		RunE:                  func(cmd *cobra.Command, args []string) error { return a.daemon(cmd, args) },
	}
}

// completeDaemon offers the commands of dwpd, without starting it, then plans.
func (a *app) completeDaemon(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return []string{"enqueue", "history", "list", "pause", "recipe", "remove", "resume", "run"}, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completePlans(cmd, args[1:], word)
}

// daemon becomes dwpd. No flag is parsed here, also none before the command's name.
func (a *app) daemon(cmd *cobra.Command, args []string) error {
	path, err := runner.Sister("dwpd")
	if err != nil && (slices.Contains(args, "--help") || slices.Contains(args, "-h") || len(args) == 0) {
		return cmd.Help()
	}
	const build = "build it with go build ./cmd/dwpd, and put it beside dwp or on PATH"
	if err != nil {
		return cannot("no-dwpd", build, "dwp daemon needs the program dwpd, which is neither beside dwp nor on PATH")
	}
	code, err := runner.Become(path, append([]string{"daemon"}, args...))
	if err != nil {
		return cannot("no-dwpd", build, "%s", err)
	}
	return answer(code)
}
