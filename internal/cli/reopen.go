package cli

import (
	"context"

	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// reopenCmd opens a completed task again, by an amendment (GU-6).
func (a *app) reopenCmd() *cobra.Command {
	var flags lockFlags
	var o work.Reopen
	var amendment revise.Amendment
	cmd := &cobra.Command{
		Use:     "reopen [PLAN] N --reason TEXT",
		Short:   "Open a completed task again, by an amendment",
		GroupID: groupWork,
		Long: `Open a completed task again. It takes an amendment that says what was observed
and what becomes of every completed task that builds on this one: it stands in
the task's log already, or it is given with the flags below, and written in the
same operation. The evidence of the task is marked as history; only new runs of
its gates close it again. The receipt of a published plan is kept under another
name.

Exit codes: 0 reopened, or reopened before; 1 refused; 2 a wrong call; 3 could
not be done; 4 locked.`,
		Example: `  dwp reopen quote_service 2 --reason 'a tariff was wrong' \
    --original 'prices are right' --observed 'tariff A is off by one cent' \
    --disposition failed --authority evidence --affected '3 (preserved: it
    reads no tariff)' --invalidated 'go test ./...' --preserved none`,
		Args:              atMost(2),
		ValidArgsFunction: a.completePlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, task, err := needTask(cmd, args)
			if err == nil {
				err = demand(cmd, "reason")
			}
			if err != nil {
				return err
			}
			o.Task, o.InTurn = task, a.inTurn()
			if amends(cmd) {
				amendment.Reason = o.Reason
				o.Amendment = &amendment
			}
			w, done, err := a.carry(cmd, plan, flags, func(_ context.Context, w *writer) (publish.Decide, error) {
				o.Who, o.Configured = w.who(), a.configured()
				return o.Decide, nil
			})
			if err != nil {
				return err
			}
			return a.carried("reopen", w, task, "reopened; its gates have to pass again", done)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Reason, "reason", "", "why it is opened again, as one line of `TEXT`")
	registerAmendment(f, &amendment)
	flags.register(f)
	return cmd
}

// amendmentFlags are the flags of an amendment, beside its reason.
var amendmentFlags = []struct{ name, help string }{
	{"original", "amendment: the criterion, verbatim, as `TEXT`"},
	{"observed", "amendment: what was observed, as `TEXT`"},
	{"disposition", "amendment: `D`, such as failed or revised"},
	{"revised", "amendment: the revised criterion, as `TEXT`"},
	{"authority", "amendment: `A` that decides: user, developer or evidence"},
	{"affected", "amendment: affected tasks, as `TEXT`"},
	{"invalidated", "amendment: evidence that counts no longer, as `TEXT`"},
	{"preserved", "amendment: evidence that is kept, as `TEXT`"},
}

func registerAmendment(f *pflag.FlagSet, a *revise.Amendment) {
	for i, to := range []*string{&a.Original, &a.Observed, &a.Disposition, &a.Revised, &a.Authority, &a.Affected, &a.Invalidated, &a.Preserved} {
		f.StringVar(to, amendmentFlags[i].name, "", amendmentFlags[i].help)
	}
}

// amends reports whether a call gives an amendment.
func amends(cmd *cobra.Command) bool {
	for _, flag := range amendmentFlags {
		if cmd.Flags().Changed(flag.name) {
			return true
		}
	}
	return false
}
