package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// decideCmd records what an agent decided by itself (UN-5).
func (a *app) decideCmd() *cobra.Command {
	var flags lockFlags
	var c work.Decide
	var listed bool
	cmd := &cobra.Command{
		Use:     "decide [PLAN] --choice TEXT --why TEXT --revert TEXT [flags]",
		Short:   "Record a decision: options, choice, why, how to go back",
		GroupID: groupWork,
		Long: `Record a decision that needs no person: what was chosen among what, why, and
how to go back. It is appended to PROGRESS.md under "Decisions" with an ID (D1,
D2, ...), day and agent. The same decision again adds nothing. A published plan
takes decisions too: its receipt covers what PROGRESS.md said before.

With --list, print the decisions instead.

Exit codes: 0 recorded, or recorded before; 1 refused; 2 a wrong call; 3 could
not be done; 4 locked.`,
		Example: `  dwp decide --choice 'a view' --option 'a view' --option 'a second table' \
    --why 'the queue is small' --revert 'drop the view' --task 2
  dwp decide quote_service --list`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			if listed {
				return a.decisions(cmd, args)
			}
			return a.decide(cmd, args, flags, &c)
		},

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.StringVar(&c.Choice, "choice", "", "what was chosen, one line of `TEXT`")
	f.StringArrayVar(&c.Options, "option", nil, "what there was to choose from, one line of `TEXT`; may be repeated")
	f.StringVar(&c.Why, "why", "", "the reason, one line of `TEXT`")
	f.StringVar(&c.Revert, "revert", "", "how to go back, one line of `TEXT`")
	f.IntVar(&c.Task, "task", 0, "the number `N` of the task that it is about")
	f.BoolVar(&listed, "list", false, "print the decisions, and write nothing")
	flags.register(f)
	return cmd
}

// decide records a decision.
func (a *app) decide(cmd *cobra.Command, args []string, flags lockFlags, c *work.Decide) error {
	if err := demand(cmd, "choice", "why", "revert"); err != nil {
		return err
	}
	if err := numberedTask(cmd, c.Task); err != nil {
		return err
	}
	w, done, err := a.ledger(cmd, args, flags, func(w *writer) publish.Decide {
		c.Who, c.Configured = w.who(), a.configured()
		return c.Decide
	})
	if err != nil {
		return err
	}
	return a.ledgered("decide", w, c.ID, c.Choice, done)
}

// ledger makes one operation that appends to what a plan remembers.
func (a *app) ledger(cmd *cobra.Command, args []string, flags lockFlags, decide func(*writer) publish.Decide) (*writer, publish.Done, error) {
	return a.carryUnder(work.LedgerTerms, cmd, args, flags, func(_ context.Context, w *writer) (publish.Decide, error) { return decide(w), nil })
}

// ledgerAnswer is the JSON answer of decide and skills.
type ledgerAnswer struct {
	opening
	Plan     string   `json:"plan"`
	Path     string   `json:"path"`
	ID       string   `json:"id"`
	Changed  bool     `json:"changed"` // false: it stood there already, nothing was written
	Warnings []string `json:"warnings"`
	closing
}

// ledgered tells what was written under which ID.
func (a *app) ledgered(command string, w *writer, id, text string, done publish.Done) error {
	if a.json {
		return a.writeJSON(ledgerAnswer{opened(command), w.Name, w.path, id, done.Changed, list(done.Warnings), closed(nil, nil)})
	}
	if !done.Changed {
		text = "recorded before; nothing to change"
	}
	a.page().para(0, w.Name+" "+id+": "+text)
	return nil
}

// decisionJSON is one decision as JSON answers show it.
type decisionJSON struct {
	ID      string   `json:"id"`
	Date    string   `json:"date"`
	Task    int      `json:"task"` // 0 for none
	Options []string `json:"options"`
	Choice  string   `json:"choice"`
	Why     string   `json:"why"`
	Revert  string   `json:"revert"`
	By      string   `json:"by"` // the agent, as it named itself
}

func decisionsOf(s *plan.Snapshot) []decisionJSON {
	all := []decisionJSON{}
	for _, d := range plan.Decisions(s.Progress) {
		all = append(all, decisionJSON{d.ID, d.Date, d.Task, list(d.Options), d.Choice, d.Why, d.Revert, d.By})
	}
	return all
}

// decisions lists the decisions of a plan.
func (a *app) decisions(cmd *cobra.Command, args []string) error {
	for _, name := range []string{"choice", "option", "why", "revert", "task"} {
		if cmd.Flags().Changed(name) {
			return usage("bad-flag", "", "--list and --%s exclude each other", name)
		}
	}
	t, s, err := a.open(args)
	if err != nil {
		return err
	}
	all := decisionsOf(s)
	if a.json {
		return a.writeJSON(struct {
			opening
			Plan      string         `json:"plan"`
			Path      string         `json:"path"`
			Decisions []decisionJSON `json:"decisions"`
			closing
		}{opened("decide"), t.Name, t.Path, all, closed(nil, nil)})
	}
	p := a.page()
	if len(all) == 0 {
		p.line("%s: no decisions", cleanLine(t.Name))
		return nil
	}
	p.line("%s", p.paint(bold, cleanLine(t.Name)))
	for _, d := range all {
		d.write(p)
	}
	return nil
}

// write prints one decision.
func (d *decisionJSON) write(p page) {
	about := make([]string, 0, 3)
	for _, part := range []string{d.Date, d.By} {
		if part != "" {
			about = append(about, part)
		}
	}
	if d.Task > 0 {
		about = append(about, "task "+strconv.Itoa(d.Task))
	}
	const width = 11
	p.flow("\n  "+pad(d.ID, width-2), width, width, cleanLine(d.Choice))
	p.labelled("  Options", width, strings.Join(d.Options, " | "))
	p.labelled("  Why", width, d.Why)
	p.labelled("  Revert", width, d.Revert)
	p.labelled("  About", width, strings.Join(about, ", "))
}
