package dcli

import (
	"fmt"
	"time"

	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/deepworkplan/dwp/internal/daemon"
	"github.com/spf13/cobra"
)

// listCmd prints the queue.
func (a *app) listCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Print the queue",
		Long: `Print the queue: where each plan stands, when it is looked at next, and why it
waits. A daemon need not run for that.

Exit codes: 0 printed; 2 a wrong call; 3 could not be done.`,
		Example: "  dwp daemon list --json",
		Args:    cli.Between(0, 0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.list(cmd) },
	}
}

func (a *app) list(cmd *cobra.Command) error {
	p, store, err := a.look(cmd.Context())
	if err != nil {
		return err
	}
	plans := []daemon.Plan{}
	if store != nil {
		defer store.Close()
		if plans, err = store.List(cmd.Context()); err != nil {
			return cli.Cannot("no-database", "", "%s", err)
		}
	}
	if a.JSON() {
		rows := make([]planJSON, len(plans))
		for i, q := range plans {
			rows[i] = jsonOf(q)
		}
		return a.WriteJSON(struct {
			cli.Opening
			Database string     `json:"database"`
			Root     string     `json:"root"`
			Plans    []planJSON `json:"plans"`
			cli.Closing
		}{cli.Opened("daemon list"), daemon.Shown(p.db), p.root, rows, cli.Closed()})
	}
	if len(plans) == 0 {
		a.Line("no plan is in the queue; put one there with dwp daemon enqueue")
		return nil
	}
	now := a.Env().Now()
	for _, q := range plans {
		a.Line("%-9s  %s", standing(q), a.Clean(shown(q.Path)))
		a.Labelled("", 11, fmt.Sprintf("%s; next look %s; turns %d of %d%s", q.Schedule, when(q, now), q.Turns, q.MostTurns, holder(q)))
		a.Labelled("", 11, q.Note)
	}
	return nil
}

// standing is where a plan stands, in one word.
func standing(q daemon.Plan) string {
	if q.Paused && q.Status != daemon.Running && q.Status != daemon.Completed {
		return "paused"
	}
	return string(q.Status)
}

func holder(q daemon.Plan) string {
	if q.Status != daemon.Running {
		return ""
	}
	return fmt.Sprintf("; lease %d of %s", q.Fence, q.Holder)
}

// planJSON is a plan of the queue in an answer. Times are RFC 3339, or "" for none; durations are in seconds, 0 for none.
type planJSON struct {
	Path      string  `json:"path"`
	Status    string  `json:"status"`
	Paused    bool    `json:"paused"`
	Due       string  `json:"due"`
	Every     float64 `json:"every"`
	Cron      string  `json:"cron"`
	Agent     string  `json:"agent"`
	Model     string  `json:"model"`
	TurnTime  float64 `json:"max_turn_time"`
	Turns     int     `json:"turns"`
	MostTurns int     `json:"max_turns"`
	Fruitless int     `json:"fruitless"`
	Fence     int64   `json:"fence"`
	Holder    string  `json:"holder"`
	Until     string  `json:"lease_until"`
	Note      string  `json:"note"`
}

func jsonOf(q daemon.Plan) planJSON {
	return planJSON{
		q.Path, string(q.Status), q.Paused, stamp(q.Due), q.Schedule.Every.Seconds(), q.Schedule.Cron, q.Agent, q.Model, q.TurnTime.Seconds(),
		q.Turns, q.MostTurns, q.Fruitless, q.Fence, q.Holder, stamp(q.Until), q.Note,
	}
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// planAnswer is the JSON answer of the commands about one plan.
type planAnswer struct {
	cli.Opening
	Plan planJSON `json:"plan"`
	cli.Closing
}
