package cli

import (
	"fmt"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/spf13/cobra"
)

// finalizeCmd closes a plan: the last task on its recorded gates, or a completed plan that has no receipt (VP-1 to VP-5).
func (a *app) finalizeCmd() *cobra.Command {
	var flags lockFlags
	cmd := &cobra.Command{
		Use:     "finalize [PLAN]",
		Short:   "Complete a plan and publish it with a receipt",
		GroupID: groupCheck,
		Long: `Complete a plan whose last task is in progress, on the gates that are recorded
for it, and publish it: the whole plan is verified, state.json written and
verified again, then the receipt analysis_results/FINALIZATION.json is written.
A completed plan without a receipt is verified and gets one. When something
does not hold, every must finding is listed and nothing is written.

Exit codes: 0 published, now or before; 1 refused; 3 could not be evaluated or
written; 4 locked, or changed meanwhile.`,
		Example: `  dwp finalize
  dwp finalize quote_service --json`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.finalize(cmd, args, flags) },
	}
	flags.register(cmd.Flags())
	return cmd
}

// finalize looks at the plan, then publishes what it saw: a state that moved on in between is refused by its digest (GU-9).
func (a *app) finalize(cmd *cobra.Command, args []string, flags lockFlags) error {
	t, s, err := a.open(args)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags)
	if err != nil {
		return err
	}
	defer w.close()
	// A completed plan has no change to make; what may be missing is the proof.
	if s.State != nil && s.State.Status == state.Completed {
		done, err := publish.Seal(ctx, w.Plan)
		if err != nil {
			return w.failed(err)
		}
		return a.published("finalize", w, done)
	}
	task, refused := lastOpen(s)
	if refused != nil {
		return refused
	}
	// No gate is given: those on record decide, and one that is missing is not invented (VP-3).
	done, err := publish.Apply(ctx, w.Plan, update.Change{
		Task: task, Status: state.Completed, Agent: w.agent, Model: w.model, ExpectedSHA256: s.Files[state.StateFile].SHA256(),
	})
	if err != nil {
		return w.failed(err)
	}
	return a.published("finalize", w, done)
}

// lastOpen is the only task that is still open; more than one is a no.
func lastOpen(s *plan.Snapshot) (int, *failure) {
	no := func(id, message string) *failure {
		for _, r := range matching(id) {
			return &failure{exit: ExitNo, code: id, message: fmt.Sprintf("%s (%s): %s; nothing was written", id, r.Requirement, message), hint: r.Mend}
		}
		return &failure{exit: ExitNo, code: id, message: message}
	}
	if s.State == nil || s.Files[state.StateFile] == nil {
		return 0, no("guard/no-state", "there is no state.json that can be read")
	}
	switch open := openTasks(s); len(open) {
	case 0:
		return 0, no("guard/open-plan", "no task is open, but the state is "+string(s.State.Status))
	case 1:
		return open[0], nil
	default:
		return 0, no("guard/open-plan", fmt.Sprintf("%d tasks are open (%s)", len(open), numbers(open)))
	}
}

// openTasks lists the tasks of a state that are neither completed nor skipped.
func openTasks(s *plan.Snapshot) []int {
	var open []int
	for i := range s.State.Tasks {
		switch t := &s.State.Tasks[i]; t.Status {
		case state.Completed, state.Skipped:
		default:
			open = append(open, t.ID)
		}
	}
	return open
}
