package cli

import (
	"errors"
	"fmt"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/spf13/cobra"
)

// promoteFlags are the flags of promote.
type promoteFlags struct {
	lockFlags
	dryRun, withdraw bool
}

// promoteCmd makes a Lite plan Full (LF-9).
func (a *app) promoteCmd() *cobra.Command {
	var flags promoteFlags
	cmd := &cobra.Command{
		Use:     "promote [PLAN]",
		Short:   "Make a Lite plan Full: one file per task",
		GroupID: groupPlan,
		Long: `Make a Lite plan Full: each task record moves from README.md into a file of its
own, and the task list links the files. Only the form changes: numbers, boxes,
statuses, evidence and every word of a record stay. What can't be moved whole is
refused, with file and line, before anything is written.

Until it has ended nothing else may work on the plan. One that was cut off goes
on when it is called again (a killed process leaves its lock, which dwp recover
removes); --withdraw takes it back, as long as README.md still holds the
records. A plan that is Full already is left as it is.

Exit codes: 0 promoted, or nothing to do; 1 refused, or taken back; 2 usage; 3
could not be done; 4 locked, or changed meanwhile.`,
		Example: `  dwp promote quote_service --dry-run
  dwp promote quote_service
  dwp promote quote_service --withdraw`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.promote(cmd, args, flags) },
	}
	f := cmd.Flags()
	f.BoolVar(&flags.dryRun, "dry-run", false, "show what would change, and write nothing")
	f.BoolVar(&flags.withdraw, "withdraw", false, "take a promotion back that was cut off")
	flags.register(f)
	return cmd
}

// promote finds the plan by its name, because one that was cut off may be in any condition.
func (a *app) promote(cmd *cobra.Command, args []string, flags promoteFlags) error {
	if flags.dryRun && flags.withdraw {
		return usage("bad-flag", "see dwp promote --help", "--dry-run and --withdraw exclude each other")
	}
	if !flags.dryRun {
		if err := a.outsideTurn("no plan is promoted"); err != nil {
			return err
		}
	}
	t, err := a.one(args)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags.lockFlags)
	if err != nil {
		return err
	}
	defer w.close()
	who := revise.Who{Agent: w.agent, Model: w.model, Now: a.env.Now()}
	switch {
	case flags.dryRun:
		d, told, err := author.PreviewPromotion(w.Plan, who)
		if err != nil {
			return w.unpromoted(err)
		}
		return a.wouldPromote(w, d, told)
	case flags.withdraw:
		told, err := author.WithdrawPromotion(ctx, w.Plan, who)
		return a.promoted(w, told, err, true)
	}
	told, err := author.Promote(ctx, w.Plan, who)
	return a.promoted(w, told, err, false)
}

// unpromoted tells why a promotion did not come to its end, and how it goes on.
func (w *writer) unpromoted(err error) *failure {
	f := w.failed(err)
	if halted, half := errors.AsType[*publish.Halted](err); half {
		f.message = halted.Error()
		f.hint = fmt.Sprintf("dwp promote %s goes on with it; with --withdraw it is taken back as far as that is possible", w.Name)
	}
	return f
}

// promoteAnswer is the JSON answer of promote.
type promoteAnswer struct {
	opening
	Plan      string   `json:"plan"`
	Path      string   `json:"path"`
	Changed   bool     `json:"changed"`
	DryRun    bool     `json:"dry_run"`
	Already   bool     `json:"already"`    // the plan is Full already
	ResumedAt string   `json:"resumed_at"` // the phase at which it was taken up again; "" when it began with this call
	Withdrawn bool     `json:"withdrawn"`
	Published bool     `json:"published"` // a completed plan has a new receipt
	Files     []string `json:"files"`     // the task files
	Kept      []string `json:"kept"`      // files changed by another hand that were kept when it was taken back
	Diff      string   `json:"diff"`      // of a dry run
	Warnings  []string `json:"warnings"`
	closing
}

// promoteAnswered fills in what every answer of promote has.
func promoteAnswered(w *writer, told author.Promoted) promoteAnswer {
	return promoteAnswer{opening: opened("promote"), Plan: w.Name, Path: w.path, Changed: told.Changed, Already: told.Already, ResumedAt: told.From,
		Published: told.Published, Files: list(told.Files), Kept: list(told.Kept), Warnings: list(told.Warnings), closing: closed(nil, nil)}
}

// wouldPromote shows a dry run: what would become of every file.
func (a *app) wouldPromote(w *writer, d *publish.Draft, told author.Promoted) error {
	if a.json {
		answer := promoteAnswered(w, told)
		answer.DryRun, answer.Diff = true, planDiff(d.Before, d.After)
		return a.writeJSON(answer)
	}
	if told.Already {
		return a.promoted(w, told, nil, false)
	}
	a.printDiff(d.Before, d.After)
	return nil
}

// promoted tells what was done.
func (a *app) promoted(w *writer, told author.Promoted, err error, withdraw bool) error {
	a.finished(told.Changed, told.Warnings)
	if err != nil {
		return w.unpromoted(err)
	}
	if a.json {
		answer := promoteAnswered(w, told)
		answer.Withdrawn = withdraw && !told.Nothing
		return a.writeJSON(answer)
	}
	p, name := a.page(), cleanLine(w.Name)
	switch {
	case told.Nothing:
		p.line("%s: no promotion stands, nothing to take back", name)
	case withdraw:
		p.line("%s: the promotion is taken back; the plan is Lite as before", name)
	case told.Already && told.Published:
		p.line("%s is Full already; it has its receipt again", name)
	case told.Already:
		p.line("%s is Full already", name)
	default:
		p.line("%s is Full now: %d task files", name, len(told.Files))
		if told.From != "" {
			p.line("Taken up again at %s", cleanLine(told.From))
		}
		if told.Published {
			p.line("Published anew: it has a new receipt")
		}
	}
	return nil
}
