package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/spf13/cobra"
)

// amendFlags are the flags of amend.
type amendFlags struct {
	lockFlags
	author.Amending
	dryRun bool
}

// amendCmd records that a criterion changed, moved, or could not be met (AM-1, AM-2).
func (a *app) amendCmd() *cobra.Command {
	var flags amendFlags
	cmd := &cobra.Command{
		Use:     "amend [PLAN] --task N [flags]",
		Short:   "Record why a criterion changed, moved or was not met",
		GroupID: groupPlan,
		Long: `Append an amendment to the log of a task and to PROGRESS.md, with today's date.
The criterion is quoted as it stands in the task's record, or picked by its
number; its line stays as it is. The disposition says what becomes of it:
  revised     another one stands for it: --revised, appended as an open box
  deferred    it moves to a later task: --to, where it becomes an open box
  unexecuted  its scenario was not executed: nothing passes it
  failed      its gate failed, until the same intent reruns and passes
  exception   the user accepts it as it is, within --boundary
A deferral takes the authority of user or developer, an exception that of the
user, whose granting words --statement holds. They are kept as a claim. Inside
a turn (DWP_TURN is set) only evidence is an authority.

Records named by --invalidated are marked, and count no more; those of a
completed task stay until it is reopened. A published plan is published again.
The same call on the same day adds nothing.

Exit codes: 0 amended, now or before; 1 refused: nothing was written; 2 the call
is wrong; 3 could not be done; 4 locked.`,
		Example: `  dwp amend quote_service --task 2 --criterion 1 --disposition deferred --to 4 \
    --observed "no second region" --reason "it opens in May" \
    --authority user --statement "move it to task 4"`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.amend(cmd, args, flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.IntVar(&flags.Task, "task", 0, "number `N` of the task whose criterion it is")
	f.StringVar(&flags.Original, "original", "", "the criterion, verbatim, as `TEXT`")
	f.IntVar(&flags.Criterion, "criterion", 0, "number `N` of the criterion instead, from the top")
	f.StringVar(&flags.Observed, "observed", "", "what was observed, as `TEXT`")
	f.StringVar(&flags.Disposition, "disposition", "", "`D`: revised, deferred, unexecuted, failed or exception")
	f.StringVar(&flags.Revised, "revised", "", "the criterion that stands instead, as `TEXT`")
	f.IntVar(&flags.To, "to", 0, "number `N` of the task that it is deferred to")
	f.StringVar(&flags.Boundary, "boundary", "", "how far the exception reaches, as `TEXT`")
	f.StringVar(&flags.Reason, "reason", "", "why, as `TEXT`")
	f.StringVar(&flags.Authority, "authority", "", "`A` that allows it: user, developer or evidence")
	f.StringVar(&flags.Statement, "statement", "", "the granting words, as `TEXT`; needed with user")
	f.StringArrayVar(&flags.Affected, "affected", nil, "tasks as `LIST`: 2,4 or \"3 reopened\"; repeatable")
	f.StringArrayVar(&flags.Invalidated, "invalidated", nil, "`COMMAND` whose record no longer counts; repeatable")
	f.StringArrayVar(&flags.Preserved, "preserved", nil, "evidence that still counts, as `TEXT`; repeatable")
	f.BoolVar(&flags.dryRun, "dry-run", false, "show what would change, and write nothing")
	flags.register(f)
	fixed := func(name string, words ...string) {
		cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	fixed("disposition", author.Dispositions()...)
	fixed("authority", authorities...)
	return cmd
}

// authorities are those of AM-1.
var authorities = []string{planmd.AuthorityUser, planmd.AuthorityDeveloper, planmd.AuthorityEvidence}

// texts are the texts that an amendment is given, by flag.
func (f *amendFlags) texts() []given {
	list := []given{
		{"original", f.Original, longText}, {"observed", f.Observed, longText}, {"revised", f.Revised, longText}, {"boundary", f.Boundary, textLength},
		{"reason", f.Reason, longText}, {"statement", f.Statement, textLength},
	}
	for _, many := range []struct {
		flag string
		list []string
	}{{"affected", f.Affected}, {"invalidated", f.Invalidated}, {"preserved", f.Preserved}} {
		for _, text := range many.list {
			list = append(list, given{many.flag, text, textLength})
		}
	}
	return list
}

// check refuses a call whose flags don't make an amendment.
func (f *amendFlags) check(changed func(string) bool) error {
	for _, needed := range []string{"task", "observed", "disposition", "reason", "authority"} {
		if !changed(needed) {
			return usage("missing-argument", "see dwp amend --help", "amend: --%s is missing", needed)
		}
	}
	switch {
	case f.Task < 1 || changed("criterion") && f.Criterion < 1 || changed("to") && f.To < 1:
		return usage("bad-flag", "tasks and criteria are counted from 1", "a number is less than 1")
	case changed("original") == changed("criterion"):
		return usage("bad-flag", "give the criterion's words, or its number", "one of --original and --criterion is needed, and not both")
	case !slices.Contains(author.Dispositions(), f.Disposition):
		return usage("bad-flag", "one of: "+strings.Join(author.Dispositions(), ", "), "unknown disposition %q", f.Disposition)
	case !slices.Contains(authorities, f.Authority):
		return usage("bad-flag", "one of: "+strings.Join(authorities, ", "), "unknown authority %q", f.Authority)
	}
	for _, pair := range [...]struct{ flag, disposition string }{
		{"revised", author.DispositionRevised}, {"to", author.DispositionDeferred}, {"boundary", author.DispositionException},
	} {
		switch belongs := f.Disposition == pair.disposition; {
		case belongs && !changed(pair.flag):
			return usage("missing-argument", "see dwp amend --help", "amend: --%s is missing: the disposition is %s", pair.flag, pair.disposition)
		case !belongs && changed(pair.flag):
			return usage("bad-flag", "leave it out", "--%s belongs to the disposition %s", pair.flag, pair.disposition)
		}
	}
	for _, text := range f.texts() {
		if err := text.check(changed(text.flag)); err != nil {
			return err
		}
	}
	return nil
}

// amend revises the plan, or shows what it would do.
func (a *app) amend(cmd *cobra.Command, args []string, flags amendFlags) error {
	if err := flags.check(cmd.Flags().Changed); err != nil {
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
	flags.Who, flags.Turn = w.who(), a.inTurn()
	draft, done, err := a.revised(ctx, w, author.AmendTerms, flags.dryRun, flags.Decide)
	if err != nil {
		return w.failed(err)
	}
	if draft != nil {
		return a.amended(w, flags, draft.After, done, draft)
	}
	s, err := plan.Read(w.FS, w.Name)
	if err != nil {
		return cannot("unreadable", "", "read the plan again: %s", err)
	}
	return a.amended(w, flags, s, done, nil)
}

// amendedAnswer is the JSON answer of amend.
type amendedAnswer struct {
	opening
	Plan      string   `json:"plan"`
	Path      string   `json:"path"`
	Task      int      `json:"task"`
	Amendment int      `json:"amendment"` // its number
	Date      string   `json:"date"`
	Original  string   `json:"original"`
	Changed   bool     `json:"changed"`   // false: it was there before, or nothing is written
	Published bool     `json:"published"` // the plan was published again
	DryRun    bool     `json:"dry_run"`   // nothing was written
	Diff      string   `json:"diff"`      // of a dry run
	Warnings  []string `json:"warnings"`
	closing
}

// amended answers from the task's last amendment, as it stands or would stand.
func (a *app) amended(w *writer, flags amendFlags, s *plan.Snapshot, done publish.Done, draft *publish.Draft) error {
	view := taskView(s.Overview(), flags.Task)
	if view == nil || view.Record == nil || len(view.Record.Log.Amendments) == 0 {
		return cannot("unreadable", "look at the plan", "the amendment of task %d is not found again", flags.Task)
	}
	log := view.Record.Log.Amendments
	last := &log[len(log)-1]
	answer := amendedAnswer{opening: opened("amend"), Plan: w.Name, Path: w.path, Task: flags.Task, Amendment: last.Number, Date: last.Date,
		Original: last.Field(planmd.FieldOriginal), Changed: done.Changed && draft == nil, Published: done.Published, DryRun: flags.dryRun, Warnings: list(done.Warnings),
		closing: closed(nil, nil)}
	answer.Diff = diffOf(draft)
	if a.json {
		return a.writeJSON(answer)
	}
	if draft != nil {
		a.printDiff(draft.Before, draft.After)
	}
	a.page().para(0, w.Name+": "+answer.words(flags.Disposition, done.Changed))
	return nil
}

// words tells a person what was done, or in a dry run would be.
func (p *amendedAnswer) words(disposition string, changed bool) string {
	is := "is recorded as"
	if p.DryRun && changed {
		is = "would be recorded as"
	}
	text := fmt.Sprintf("task %d, Amendment %d of %s: %q %s %s", p.Task, p.Amendment, p.Date, p.Original, is, disposition)
	switch {
	case !changed:
		text += "; it stood there before, nothing to change"
	case p.DryRun:
		text += "; nothing was written"
	case p.Published:
		text += "; the plan is published again"
	}
	return text
}
