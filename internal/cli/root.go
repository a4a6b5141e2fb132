package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// The groups of commands, as help lists them.
const (
	groupPlan     = "plan"
	groupWork     = "work"
	groupCheck    = "check"
	groupLook     = "look"
	groupAutomate = "automate"
	groupSetUp    = "setup"
	groupHelper   = "helper"
)

// rootCmd builds the command tree; only what is built is in it. Building is cheap: agents call dwp hundreds of times a day (DESIGN 9).
func (a *app) rootCmd() *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "dwp",
		Short: "Carry Deep Work Plans through their life, and say what is true of them.",
		Long: `dwp carries Deep Work Plans through their life: it writes them, works them task
by task, says what is true of them, and publishes what is completed.

A plan is a folder .dwp/plans/PLAN_name in your repository: a README.md with
a list of tasks, and files beside it. What changes it does so under its lock,
all of it or nothing. It commits nothing of yours, and runs no command that a
plan names.`,
		Example: `  dwp demo                     a plan's life, shown in a minute
  dwp create --from outline.md write a plan from an outline
  dwp resume                   where does it stand? what comes first?
  dwp start                    take up the next task
  dwp complete --help          close a task in all its files at once
  dwp verify                   are the plans sound? what to mend?
  dwp -C ../other status       look at another repository`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknownCommand(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				return a.printVersion()
			}
			return cmd.Help()
		},

		SilenceErrors: true, SilenceUsage: true,
		SuggestionsMinimumDistance: 2,
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.AddGroup(
		&cobra.Group{ID: groupPlan, Title: "Plan"},
		&cobra.Group{ID: groupWork, Title: "Work"},
		&cobra.Group{ID: groupCheck, Title: "Check"},
		&cobra.Group{ID: groupLook, Title: "Look"},
		&cobra.Group{ID: groupAutomate, Title: "Automate"},
		&cobra.Group{ID: groupSetUp, Title: "Set up"},
		&cobra.Group{ID: groupHelper, Title: "Same interface as the standard's helpers"},
	)
	// Not cobra's own flag: that one parses a template and knows no --json.
	root.Flags().BoolVar(&version, "version", false, "print the version of dwp")
	a.dress(root)
	root.AddCommand(
		a.createCmd(), a.approveCmd(), a.amendCmd(), a.promoteCmd(), a.refineCmd(), a.migrateCmd(),
		a.resumeCmd(), a.startCmd(), a.gateCmd(), a.checkpointCmd(), a.blockCmd(), a.unblockCmd(), a.reopenCmd(), a.completeCmd(),
		a.reconcileCmd(), a.decideCmd(), a.escalateCmd(), a.questionsCmd(), a.answerCmd(), a.skillsCmd(), a.handoffCmd(),
		a.verifyCmd(), a.finalizeCmd(), a.recoverCmd(), a.explainCmd(),
		a.listCmd(), a.statusCmd(), a.showCmd(), a.nextCmd(), a.reportCmd(),
		a.turnCmd(), a.runCmd(), a.daemonCmd(),
		a.demoCmd(), a.agentsCmd(), a.lockCmd(), a.schemaCmd(), a.completionCmd(), a.versionCmd(),
		a.stateCmd(), a.conformanceCmd(),
	)
	return root
}

// dress gives the root of a tree what every command shares: flags, help, and the way of failing.
func (a *app) dress(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVarP(&a.dir, "chdir", "C", "", "start in `DIR` instead of the current folder")
	flags.BoolVar(&a.json, "json", false, "answer with one JSON object on standard output")
	flags.BoolP("help", "h", false, "show help")
	// A wrong flag is a fault of the call, exit code 2; cobra alone would not tell it from any other error.
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage("bad-flag", fmt.Sprintf("see %s --help", cmd.CommandPath()), "%s", err)
	})
	// cobra writes completions here by itself; they go through our buffer, so that a failed write is noticed.
	root.SetOut(a.out)
	root.SetErr(a.env.Stderr)
	root.SetHelpFunc(a.help)
	root.SetHelpCommand(a.helpCmd())
}

// atMost refuses more than n arguments, as a usage error that shows the form of the call.
func atMost(n int) cobra.PositionalArgs { return between(0, n) }

// between demands low to high arguments.
func between(low, high int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		form := "usage: " + cmd.UseLine()
		switch {
		case len(args) > high:
			return usage("too-many-arguments", form, "%s: unexpected argument %q", cmd.Name(), args[high])
		case len(args) < low:
			return usage("missing-argument", form, "%s: an argument is missing", cmd.Name())
		}
		return nil
	}
}
