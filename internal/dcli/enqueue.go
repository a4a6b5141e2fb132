package dcli

import (
	"time"

	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/deepworkplan/dwp/internal/daemon"
	"github.com/spf13/cobra"
)

// mostTurns is how many turns a plan gets by default before a person has to look. A plan of eight tasks needs about ten.
const mostTurns = 100

// enqueueCmd puts a plan into the queue.
func (a *app) enqueueCmd() *cobra.Command {
	var o daemon.Order
	var now bool
	cmd := &cobra.Command{
		Use:   "enqueue [PLAN] [flags]",
		Short: "Put a plan into the queue, or change its schedule",
		Long: `Put a plan into the queue, or change the order for one that is there. Without
--every or --cron its turns begin at once, and follow each other until the plan
is completed, or waits for a person; with one of them they begin by that
schedule, and a plan that waits for a person is also tried again by it. The
schedule ends when the plan is completed.

What a plan needs to be worked unattended is checked by each turn: a person's
approval, and the line in its README that allows it.

Exit codes: 0 it is in the queue; 1 refused; 2 a wrong call; 3 could not be
done.`,
		Example: `  dwp daemon enqueue quote_service
  dwp daemon enqueue quote_service --cron '0 2 * * *' --agent claude
  dwp daemon enqueue quote_service --every 30m --now`,
		Args:              cli.Between(0, 1),
		ValidArgsFunction: a.CompletePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.enqueue(cmd, args, o, now) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.DurationVar(&o.Schedule.Every, "every", 0, "begin every `DURATION`: 30m")
	f.StringVar(&o.Schedule.Cron, "cron", "", "begin by a cron `EXPRESSION` of five fields, in local time")
	f.StringVar(&o.Agent, "agent", "", "the `NAME` of the agent that works (default: as configured)")
	f.StringVar(&o.Model, "model", "", "the `NAME` of its model")
	f.DurationVar(&o.TurnTime, "max-turn-time", 0, "end a turn after `DURATION` (default: as configured)")
	f.IntVar(&o.MostTurns, "max-turns", mostTurns, "pause the plan after `N` turns")
	f.BoolVar(&o.Observed, "observed", false, "demand that dwp itself saw every gate pass")
	f.BoolVar(&now, "now", false, "with a schedule, begin at once all the same")
	return cmd
}

// enqueue checks the order and writes it.
func (a *app) enqueue(cmd *cobra.Command, args []string, o daemon.Order, now bool) error {
	if err := a.asPerson("enqueue"); err != nil {
		return err
	}
	if err := checkOrder(cmd, o); err != nil {
		return err
	}
	name, folder, err := a.Plan(args)
	if err != nil {
		return err
	}
	p, err := a.place()
	if err != nil {
		return err
	}
	if o.Path, err = p.relative(folder); err != nil {
		return err
	}
	store, err := p.open(cmd.Context())
	if err != nil {
		return err
	}
	defer store.Close()
	a.tracked(cmd.Context(), p)
	q, err := store.Enqueue(cmd.Context(), o, now)
	if err != nil {
		return cli.Cannot("no-database", "", "%s", err)
	}
	if a.JSON() {
		return a.WriteJSON(planAnswer{cli.Opened("daemon enqueue"), jsonOf(q), cli.Closed()})
	}
	a.Line("%s is in the queue: %s, first turn %s", a.Clean(name), a.Clean(q.Schedule.String()), when(q, a.Env().Now()))
	return nil
}

// checkOrder refuses what would never run, or never end.
func checkOrder(cmd *cobra.Command, o daemon.Order) error {
	for _, name := range []string{"every", "max-turn-time"} {
		if d, err := cmd.Flags().GetDuration(name); err == nil && cmd.Flags().Changed(name) && d <= 0 {
			return cli.Usage("bad-flag", "", "--%s is not positive", name)
		}
	}
	if err := o.Schedule.Check(); err != nil {
		return cli.Usage("bad-flag", "five fields: minute, hour, day of the month, month, day of the week; or a duration of a minute or more", "%s", err)
	}
	if cmd.Flags().Changed("cron") && o.Schedule.Cron == "" {
		return cli.Usage("bad-flag", "", "--cron is empty")
	}
	if o.MostTurns < 1 {
		return cli.Usage("bad-flag", "", "--max-turns is not positive")
	}
	return nil
}

// asPerson refuses to an agent in a turn what lets agents loose: that is a person's to decide (UN-6).
func (a *app) asPerson(what string) error {
	if !a.InTurn() {
		return nil
	}
	return cli.Refused("in-turn", "a person does that", "dwp daemon %s is refused inside an unattended turn; nothing was written", what)
}

// when tells when a plan is due, in words.
func when(q daemon.Plan, now time.Time) string {
	switch {
	case q.Due.IsZero():
		return "never"
	case !q.Due.After(now):
		return "now"
	}
	return q.Due.Local().Format("2006-01-02 15:04 MST")
}
