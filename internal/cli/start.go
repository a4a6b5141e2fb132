package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// startFlags are the flags of start.
type startFlags struct {
	lockFlags
	approve string
}

// startCmd takes up a task and prints what is needed to work on it (WP-1, GU-7).
func (a *app) startCmd() *cobra.Command {
	var flags startFlags
	cmd := &cobra.Command{
		Use:     "start [PLAN] [N]",
		Short:   "Start a task, and print what is needed for it",
		GroupID: groupWork,
		Long: `Start task N, or the next one: its log and state.json say in progress; the box
in README.md stays open. Then its brief is printed, as dwp next prints it. What
the task depends on has to be done. Starting a started task changes nothing and
prints the brief. When a person's request to start is their approval of the
plan, --approve-as records it first, in their name; inside an unattended turn
nobody approves.

Exit codes: 0 started, or started before; 1 refused; 2 a wrong call; 3 could not
be done; 4 locked; 5 blocked, or not approved: a person is needed.`,
		Example: `  dwp start
  dwp start quote_service 3 --agent claude-code
  dwp start quote_service --approve-as Ada`,
		Args:              atMost(2),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.startTask(cmd, args, flags) },
	}
	cmd.Flags().StringVar(&flags.approve, "approve-as", "", "approve a pending plan first, in the person's `NAME`")
	flags.register(cmd.Flags())
	return cmd
}

// startAnswer is the JSON answer of start: the brief, and what was done.
type startAnswer struct {
	opening
	brief
	Changed     bool     `json:"changed"`
	StateSHA256 string   `json:"state_sha256"`
	Warnings    []string `json:"warnings"`
	closing
}

// startTask starts, then reads the plan again: the brief is of what stands on disk.
func (a *app) startTask(cmd *cobra.Command, args []string, flags startFlags) error {
	args, task, err := taskArgs(args)
	if err != nil {
		return err
	}
	if err := (given{"approve-as", flags.approve, nameLength}).check(cmd.Flags().Changed("approve-as")); err != nil {
		return err
	}
	st := &work.Start{Task: task, Approve: revise.OneLine(flags.approve), InTurn: a.inTurn()}
	w, done, err := a.carry(cmd, args, flags.lockFlags, func(_ context.Context, w *writer) (publish.Decide, error) {
		st.Who = w.who()
		return st.Decide, nil
	})
	held, hold := errors.AsType[*work.Held](err)
	if err != nil && !hold {
		return personNeeded(err)
	}
	if st.Begun && !done.Changed && st.By != "" && st.By != w.agent {
		text := fmt.Sprintf("task %d was in progress already; the state was changed last by %s", st.Chosen, cleanLine(st.By))
		a.warn(text)
		done.Warnings = append(done.Warnings, text)
	}
	s, err := plan.Open(w.path)
	if err != nil {
		return cannot("unreadable", "", "read %q: %s", w.path, cause(err))
	}
	t := target{}
	t.Name, t.Path = w.Name, w.path
	if hold {
		b := briefOf(t, s)
		b.Task, b.Hold = nil, held.Hold
		if b.Hold == plan.HoldNone {
			b.Hold = plan.HoldNoTasks
		}
		b.Message = holdMessage(b.Hold, s)
		return a.briefed("start", b, nil)
	}
	return a.briefed("start", briefFor(t, s, st.Chosen), &done)
}

// personNeeded gives refusals that only a person resolves the exit code that dwp next has for them (C97, C101).
func personNeeded(err error) error {
	if f := failureOf(err); f.code == "guard/blocker" || f.code == "guard/not-approved" {
		f.exit = ExitBlocked
		return f
	}
	return err
}
