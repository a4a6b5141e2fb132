package cli

import (
	"context"

	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// checkpointCmd records the finest resume point (PS-15).
func (a *app) checkpointCmd() *cobra.Command {
	var flags lockFlags
	var c work.Checkpoint
	cmd := &cobra.Command{
		Use:     "checkpoint [PLAN] --step TEXT",
		Short:   "Record where to go on after a pause",
		GroupID: groupWork,
		Long: `Record the step that was reached in the task in progress, so that whoever goes
on, after a pause or a lost context, goes on right there.

Exit codes: 0 recorded, or recorded before; 1 refused; 2 a wrong call; 3 could
not be done; 4 locked.`,
		Example: `  dwp checkpoint --step 'tests written, parser next' --note 'see quote_test.go'
  dwp checkpoint quote_service --task 3 --step 'schema migrated'`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := demand(cmd, "step"); err != nil {
				return err
			}
			if err := numberedTask(cmd, c.Task); err != nil {
				return err
			}
			w, done, err := a.carry(cmd, args, flags, func(_ context.Context, w *writer) (publish.Decide, error) {
				c.Who, c.Configured = w.who(), a.configured()
				return c.Decide, nil
			})
			if err != nil {
				return err
			}
			return a.carried("checkpoint", w, c.Chosen, "checkpoint recorded", done)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.Step, "step", "", "the step that was reached, as one line of `TEXT`")
	f.StringVar(&c.Note, "note", "", "what the next one has to know, one line of `TEXT`")
	f.IntVar(&c.Task, "task", 0, "the number `N` of the task (default: the one in progress)")
	flags.register(f)
	return cmd
}
