package cli

import (
	"cmp"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/spf13/cobra"
)

// migrateFlags are the flags of migrate.
type migrateFlags struct {
	lockFlags
	to, approvedBy, sequential string
	standard, from, reason     string
	dryRun                     bool
}

// migrateCmd moves a plan to a newer schema or standard, because somebody asked for it: no other command implies it (PS-21, PD-9).
func (a *app) migrateCmd() *cobra.Command {
	var flags migrateFlags
	cmd := &cobra.Command{
		Use:     "migrate [PLAN]",
		Short:   "Move a plan to a newer schema or standard",
		GroupID: groupPlan,
		Long: `Move a plan to a newer generation. No other command does it, and none needs it:
older plans stay conformant in their own shape.

With --to v2, manifest.json and state.json move from schema v1 to v2 together:
manifest.json names its plan_format, state.json its format, materialization,
approval and locators; all else stays. v1 plans count as approved and say so
nowhere. What the README's Approval line says is taken over; without one,
--approved-by records a person's approval in README.md and PROGRESS.md. Where
nobody said anything, a plan that was not begun becomes pending, and one that
was begun is refused. --sequential writes the Execution line that v2 demands.

With --standard, the README declares that a newer standard is in force, and why.
Tasks completed until then keep their older shape.

The plan must conform afterwards, or everything in the way is listed and nothing
is written. A published plan is published again; its old receipt is kept.

Exit codes: 0 migrated, or nothing to do; 1 refused; 2 wrong call; 3 could not
be done; 4 locked.`,
		Example: `  dwp migrate quote_service --to v2 --dry-run
  dwp migrate quote_service --to v2 --approved-by Ada
  dwp migrate quote_service --standard 5.0.0 --reason "one standard for all"`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.migrate(cmd, args, flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.to, "to", "", "move the JSON files from v1 to `ERA`, which is v2")
	f.StringVar(&flags.approvedBy, "approved-by", "", "with --to: `NAME` of the person who approves it")
	f.StringVar(&flags.sequential, "sequential", "", "with --to: `REASON` why tasks run one by one")
	f.StringVar(&flags.standard, "standard", "", "declare that the standard is `VERSION`, X.Y.Z")
	f.StringVar(&flags.reason, "reason", "", "with --standard: `REASON` for it")
	f.StringVar(&flags.from, "from", "", "with --standard: `VERSION` before, if unrecorded")
	f.BoolVar(&flags.dryRun, "dry-run", false, "show what would change, and write nothing")
	flags.register(f)
	cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions([]string{string(state.V2)}, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("standard", cobra.FixedCompletions([]string{author.Standard}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// decision is what the flags ask for: one of the two migrations.
func (f *migrateFlags) decision(cmd *cobra.Command, who revise.Who) (publish.Decide, error) {
	given := cmd.Flags().Changed
	wrong := func(format string, args ...any) error {
		return usage("bad-flag", "see dwp migrate --help", format, args...)
	}
	switch schema := given("to"); {
	case schema == given("standard"):
		return nil, wrong("give one of --to and --standard")
	case schema && f.to != string(state.V2):
		return nil, wrong("--to %q: plans are migrated to v2 only", f.to)
	case schema && (given("reason") || given("from")):
		return nil, wrong("--reason and --from belong to --standard")
	case schema && (given("approved-by") && f.approvedBy == "" || given("sequential") && f.sequential == ""):
		return nil, wrong("--approved-by and --sequential are not empty")
	case schema:
		return author.SchemaMigration{Who: who, ApprovedBy: f.approvedBy, Sequential: f.sequential}.Decide, nil
	case given("approved-by") || given("sequential"):
		return nil, wrong("--approved-by and --sequential belong to --to")
	case f.reason == "":
		return nil, wrong("a declared migration has a --reason")
	}
	return author.StandardMigration{Who: who, To: f.standard, From: f.from, Reason: f.reason}.Decide, nil
}

// migrate previews a migration or makes it.
func (a *app) migrate(cmd *cobra.Command, args []string, flags migrateFlags) error {
	decide, err := flags.decision(cmd, revise.Who{}) // the call is judged before a plan is looked for
	if err != nil {
		return err
	}
	if err := a.outsideTurn("nobody decides on a migration"); err != nil { // it is deliberate: a person's decision (PS-21)
		return err
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
	if decide, err = flags.decision(cmd, revise.Who{Agent: w.agent, Model: w.model, Now: a.env.Now()}); err != nil {
		return err
	}
	answer := migrateAnswer{opening: opened("migrate"), Plan: w.Name, Path: w.path, DryRun: flags.dryRun, To: cmp.Or(flags.to, flags.standard), Files: []string{}}
	noted := func(s *plan.Snapshot) (*publish.Revision, error) {
		r, err := decide(s)
		if err == nil {
			answer.note(s, r, flags)
		}
		return r, err
	}
	if flags.dryRun {
		d, err := author.PreviewMigration(w.Plan, noted)
		if err != nil {
			return w.failed(err)
		}
		answer.Changed, answer.Published, answer.Warnings = len(d.Changes) > 0, d.Republish, d.Warnings
		a.finished(false, d.Warnings)
		return a.previewed(answer, d)
	}
	done, err := author.Migrate(ctx, w.Plan, noted)
	if err != nil {
		return w.failed(err)
	}
	answer.Changed, answer.Published, answer.Warnings = done.Changed, done.Published, done.Warnings
	a.finished(done.Changed || done.Published, done.Warnings)
	return a.migrated(answer)
}

// migrateAnswer is the JSON answer of migrate.
type migrateAnswer struct {
	opening
	Plan      string   `json:"plan"`
	Path      string   `json:"path"`
	From      string   `json:"from"` // the era or standard before
	To        string   `json:"to"`
	DryRun    bool     `json:"dry_run"`
	Changed   bool     `json:"changed"`
	Published bool     `json:"published"`
	Files     []string `json:"files"` // that change, in the order in which they do
	Diff      string   `json:"diff"`  // of a dry run
	Warnings  []string `json:"warnings"`
	closing
}

// note keeps what a migration is from, and which files it changes.
func (m *migrateAnswer) note(s *plan.Snapshot, r *publish.Revision, flags migrateFlags) {
	m.From = cmp.Or(s.Standard(), flags.from)
	if flags.to != "" {
		m.From = string(s.Era())
	}
	m.Files = []string{}
	for _, c := range r.Changes {
		m.Files = append(m.Files, c.Path)
	}
}

// previewed shows a dry run as a unified diff.
func (a *app) previewed(m migrateAnswer, d *publish.Draft) error {
	if a.json {
		m.Changed, m.Published = false, false // nothing is: the diff tells what would be
		m.Diff, m.Warnings, m.closing = planDiff(d.Before, d.After), list(m.Warnings), closed(nil, nil)
		return a.writeJSON(m)
	}
	if m.Changed {
		a.printDiff(d.Before, d.After)
		return nil
	}
	return a.migrated(m)
}

// migrated tells what was done.
func (a *app) migrated(m migrateAnswer) error {
	if a.json {
		m.Warnings, m.closing = list(m.Warnings), closed(nil, nil)
		return a.writeJSON(m)
	}
	p, name := a.page(), cleanLine(m.Plan)
	if m.Changed {
		p.line("%s: migrated from %s to %s", name, cleanLine(m.From), cleanLine(m.To))
	} else {
		p.line("%s: nothing to migrate; it is %s already", name, cleanLine(m.To))
	}
	if m.Published && !m.DryRun {
		p.line("published again: the receipt is new, and the one before is kept")
	}
	return nil
}
