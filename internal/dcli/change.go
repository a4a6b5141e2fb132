package dcli

import (
	"context"
	"errors"

	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/deepworkplan/dwp/internal/daemon"
	"github.com/spf13/cobra"
)

// change is a change of one plan of the queue.
type change func(*daemon.Store, context.Context, string) (daemon.Plan, error)

// pauseCmd keeps a plan from being worked.
func (a *app) pauseCmd() *cobra.Command {
	return a.changeCmd("pause", "Take no more turns of a plan", `Take no more turns of a plan. A turn that runs ends first. The plan stays in the
queue, with its schedule.`, "is paused", (*daemon.Store).Pause)
}

// resumeCmd takes a plan up again.
func (a *app) resumeCmd() *cobra.Command {
	return a.changeCmd("resume", "Take turns of a plan again, at once", `Take turns of a plan again, at once, and with as many turns as at first: of one
that is paused, waits, or has ended.`, "is taken up again", func(s *daemon.Store, ctx context.Context, path string) (daemon.Plan, error) {
		if err := a.asPerson("resume"); err != nil {
			return daemon.Plan{}, err
		}
		return s.Resume(ctx, path)
	})
}

// removeCmd takes a plan out of the queue.
func (a *app) removeCmd() *cobra.Command {
	return a.changeCmd("remove", "Take a plan out of the queue", `Take a plan out of the queue. A turn that runs ends first. The plan's own files
are not touched, and its history stays.`, "is out of the queue", (*daemon.Store).Remove)
}

// changeCmd makes the command of a change.
func (a *app) changeCmd(name, short, long, done string, do change) *cobra.Command {
	return &cobra.Command{
		Use:   name + " [PLAN]",
		Short: short,
		Long: long + `

Exit codes: 0 done; 1 refused; 2 a wrong call, or not in the queue; 3 could not
be done.`,
		Example:           "  dwp daemon " + name + " quote_service",
		Args:              cli.Between(0, 1),
		ValidArgsFunction: a.CompletePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.change(cmd, args, name, done, do) },
	}
}

func (a *app) change(cmd *cobra.Command, args []string, name, done string, do change) error {
	ctx := cmd.Context()
	p, store, err := a.look(ctx)
	if err != nil {
		return err
	}
	if store == nil {
		return cli.Usage("not-queued", "put one there with dwp daemon enqueue", "no plan is in the queue")
	}
	defer store.Close()
	q, err := a.queued(ctx, p, store, args)
	if err != nil {
		return err
	}
	rel := q.Path
	q, err = do(store, ctx, rel)
	switch {
	case errors.Is(err, daemon.ErrUnknownPlan):
		return notQueued(rel)
	case err != nil:
		return err
	}
	if a.JSON() {
		return a.WriteJSON(planAnswer{cli.Opened("daemon " + name), jsonOf(q), cli.Closed()})
	}
	a.Line("%s %s", a.Clean(shown(q.Path)), done)
	return nil
}
