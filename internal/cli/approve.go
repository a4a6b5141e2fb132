package cli

import (
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// approveFlags are the flags of approve.
type approveFlags struct {
	lockFlags
	by, statement, relayedBy string
	unattended               bool
}

// approveCmd records a person's approval (LF-7).
func (a *app) approveCmd() *cobra.Command {
	var flags approveFlags
	cmd := &cobra.Command{
		Use:     "approve [PLAN] --by NAME [flags]",
		Short:   "Record a person's approval, so that work may begin",
		GroupID: groupPlan,
		Long: `Record that a person approves the plan's scope as it stands: in the Approval
line of README.md with name and day, in state.json, and in PROGRESS.md with the
granting words when --statement gives them. A plan that is approved already
stays as it is. Older plans that have no approval need none, and are told so.

With --unattended the person also allows unattended work; that may be added
later. Nobody approves inside a turn (DWP_TURN is set), and no agent in its own
name. What an agent passes on is recorded with --relayed-by and adds no
authority: the plan stays pending, and a person is still needed.

Exit codes: 0 approved, now or before; 1 refused: nothing was written; 2 the
call is wrong; 3 could not be done; 4 locked; 5 an approval was only relayed.`,
		Example: `  dwp approve quote_service --by Ada
  dwp approve quote_service --by Ada --unattended --statement "go ahead"
  dwp approve quote_service --by Ada --relayed-by Codex --statement "yes"`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.approve(cmd, args, flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.StringVar(&flags.by, "by", "", "`NAME` of the person who approves")
	f.StringVar(&flags.statement, "statement", "", "the granting words, as `TEXT` of one line")
	f.StringVar(&flags.relayedBy, "relayed-by", "", "`AGENT` that passes the approval on, which adds no authority")
	f.BoolVar(&flags.unattended, "unattended", false, "also allow unattended work on the plan")
	flags.register(f)
	return cmd
}

// approve records, reads the plan again, and answers from what stands there.
func (a *app) approve(cmd *cobra.Command, args []string, flags approveFlags) error {
	changed := cmd.Flags().Changed
	switch {
	case flags.by == "" && !changed("relayed-by"):
		return usage("missing-argument", "say who approves: --by NAME", "approve: --by is missing")
	case changed("relayed-by") && flags.unattended:
		return usage("bad-flag", "unattended work is allowed by a person, not through an agent", "--relayed-by and --unattended exclude each other")
	}
	for _, text := range []given{{"by", flags.by, nameLength}, {"relayed-by", flags.relayedBy, nameLength}, {"statement", flags.statement, textLength}} {
		if err := text.check(changed(text.flag)); err != nil {
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
	approval := work.Approval{Who: w.who(), By: revise.OneLine(flags.by), Statement: flags.statement, RelayedBy: revise.OneLine(flags.relayedBy),
		Unattended: flags.unattended, Turn: a.inTurn()}
	done, err := publish.Revise(ctx, w.Plan, work.ApprovalTerms, approval.Decide)
	if err != nil {
		return w.failed(err)
	}
	a.finished(done.Changed, done.Warnings)
	s, err := plan.Read(w.FS, w.Name)
	if err != nil {
		return cannot("unreadable", "", "read the plan again: %s", err)
	}
	return a.approved(w, s, approval, done)
}

// who is who makes the change, and when.
func (w *writer) who() revise.Who { return revise.Who{Agent: w.agent, Model: w.model, Now: w.Now()} }

// approvedAnswer is the JSON answer of approve.
type approvedAnswer struct {
	opening
	Plan       string   `json:"plan"`
	Path       string   `json:"path"`
	Changed    bool     `json:"changed"`    // false: it was recorded before
	Approval   string   `json:"approval"`   // pending, approved, pre_approved; "" for plans that need none
	Line       string   `json:"line"`       // the value of the README's Approval line
	Unattended string   `json:"unattended"` // the value of the README's Unattended line
	Relayed    bool     `json:"relayed"`    // only passed on by an agent: the plan is as before
	Warnings   []string `json:"warnings"`
	closing
}

// approved says what stands now, and ends with 5 where only a person's own word helps (UN-6).
func (a *app) approved(w *writer, s *plan.Snapshot, approval work.Approval, done publish.Done) error {
	stands := work.Approved(s)
	answer := approvedAnswer{opening: opened("approve"), Plan: w.Name, Path: w.path, Changed: done.Changed, Approval: s.Approval(),
		Relayed: approval.RelayedBy != "" && !stands, Warnings: list(done.Warnings)}
	if r := s.README; r != nil {
		if r.Approval != nil {
			answer.Line = r.Approval.Value
			answer.Approval = r.ApprovalValue
		}
		if r.OptIn != nil {
			answer.Unattended = r.OptIn.Value
		}
	}
	var f *failure
	if answer.Relayed {
		f = &failure{exit: ExitBlocked, code: "relayed", message: "the plan is still pending: an approval that an agent passes on is recorded, and adds no authority",
			hint: "the person says so: dwp approve " + w.Name + " --by NAME"}
	}
	answer.closing = closed(nil, f)
	if a.json {
		return a.jsonAnswer(answer, f)
	}
	if f != nil {
		return f
	}
	a.page().para(0, w.Name+": "+answer.words())
	return nil
}

// words tells a person what stands.
func (p *approvedAnswer) words() string {
	text := p.Line
	switch {
	case p.Line == "" && p.Approval == "" && !p.Changed:
		return "needs no approval: plans of its generation have none; nothing was changed"
	case p.Line == "":
		text = p.Approval
	}
	if !p.Changed {
		text += "; it was before, nothing to change"
	}
	if p.Unattended != "" {
		text += "; unattended work is " + p.Unattended
	}
	return text
}

// jsonAnswer prints an answer that holds its failure, and ends with that one's code.
func (a *app) jsonAnswer(v any, f *failure) error {
	if err := a.writeJSON(v); err != nil {
		return err
	}
	if f != nil {
		return answer(f.exit)
	}
	return nil
}
