package dcli

import (
	"fmt"
	"time"

	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/deepworkplan/dwp/internal/daemon"
	"github.com/spf13/cobra"
)

// historyCmd prints what turns there were.
func (a *app) historyCmd() *cobra.Command {
	most := 20
	cmd := &cobra.Command{
		Use:   "history [PLAN] [flags]",
		Short: "Print the turns that were taken, the last one first",
		Long: `Print the turns that were taken, the last one first: of one plan, or of all.
What a turn did to its plan stands in the plan, in analysis_results/turns.

Exit codes: 0 printed; 2 a wrong call, or not in the queue; 3 could not be done.`,
		Example:           "  dwp daemon history quote_service --last 5",
		Args:              cli.Between(0, 1),
		ValidArgsFunction: a.CompletePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.history(cmd, args, most) },

		DisableFlagsInUseLine: true,
	}
	cmd.Flags().IntVar(&most, "last", most, "print the last `N` turns")
	return cmd
}

func (a *app) history(cmd *cobra.Command, args []string, most int) error {
	ctx := cmd.Context()
	if most < 1 {
		return cli.Usage("bad-flag", "", "--last is not positive")
	}
	p, store, err := a.look(ctx)
	if err != nil {
		return err
	}
	turns := []daemon.Turn{}
	if store != nil {
		defer store.Close()
		rel := ""
		if len(args) > 0 {
			q, err := a.queued(ctx, p, store, args)
			if err != nil {
				return err
			}
			rel = q.Path
		}
		if turns, err = store.History(ctx, rel, most); err != nil {
			return cli.Cannot("no-database", "", "%s", err)
		}
	}
	if a.JSON() {
		return a.historyJSON(turns)
	}
	if len(turns) == 0 {
		a.Line("no turn was taken yet")
	}
	for _, t := range turns {
		a.Line("%s  %-14s  %s%s", t.Started.Local().Format("2006-01-02 15:04:05"), a.Clean(t.Result), a.Clean(shown(t.Path)), task(t.Task))
		a.Labelled("", 21, fmt.Sprintf("lease %d of %s%s", t.Fence, t.Worker, took(t)))
		a.Labelled("", 21, t.Note)
	}
	return nil
}

func task(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", task %d", n)
}

func took(t daemon.Turn) string {
	if t.Ended.IsZero() {
		return ", not ended"
	}
	return ", " + t.Ended.Sub(t.Started).Round(time.Second).String()
}

func (a *app) historyJSON(turns []daemon.Turn) error {
	type turnJSON struct {
		Path    string `json:"path"`
		Fence   int64  `json:"fence"`
		Worker  string `json:"worker"`
		Started string `json:"started"`
		Ended   string `json:"ended"` // "" while it runs
		Code    int    `json:"exit_code"`
		Result  string `json:"result"`
		Task    int    `json:"task"`
		Note    string `json:"note"`
	}
	rows := make([]turnJSON, len(turns))
	for i, t := range turns {
		rows[i] = turnJSON{t.Path, t.Fence, t.Worker, stamp(t.Started), stamp(t.Ended), t.Code, t.Result, t.Task, t.Note}
	}
	return a.WriteJSON(struct {
		cli.Opening
		Turns []turnJSON `json:"turns"`
		cli.Closing
	}{cli.Opened("daemon history"), rows, cli.Closed()})
}
