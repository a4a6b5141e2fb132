package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// blockCmd records that a task can't go on, why, and what it needs (GU-5, PS-16).
func (a *app) blockCmd() *cobra.Command {
	var flags lockFlags
	var b work.Block
	cmd := &cobra.Command{
		Use:     "block [PLAN] [N] --reason TEXT --needs TEXT --class CLASS",
		Short:   "Record why a task can't go on, and what it needs",
		GroupID: groupWork,
		Long: `Record that a task, the one in progress or task N, can't go on: why, and what it
needs of a person. Its log and state.json say blocked. What depends on it waits;
independent tasks go on. The reason begins with its class: S1 to S4 are stop
conditions, C1 to C5 decisions that are a person's. One blocker stands at a
time; another question goes to analysis_results/QUESTIONS.md.

Exit codes: 0 recorded, or recorded before; 1 refused; 2 a wrong call; 3 could
not be done; 4 locked.`,
		Example: `  dwp block --class C2 --reason 'two tariffs are called A' --needs 'which one?'
  dwp block quote_service 3 --class S3 --reason 'no database' --needs one`,
		Args:              atMost(2),
		ValidArgsFunction: a.completePlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, task, err := taskArgs(args)
			if err == nil {
				err = demand(cmd, "reason", "needs", "class")
			}
			if err != nil {
				return err
			}
			if b.Task, b.Class = task, strings.ToUpper(b.Class); !slices.Contains(work.Classes(), b.Class) {
				return usage("bad-flag", "one of: "+enumerate(work.Classes()), "there is no class %q", b.Class)
			}
			w, done, err := a.carry(cmd, plan, flags, func(_ context.Context, w *writer) (publish.Decide, error) {
				b.Who, b.Configured = w.who(), a.configured()
				return b.Decide, nil
			})
			if err != nil {
				return err
			}
			return a.carried("block", w, b.Chosen, "blocked; a person is needed", done)
		},
	}
	f := cmd.Flags()
	f.StringVar(&b.Class, "class", "", "the `CLASS` of the blocker: S1 to S4, or C1 to C5")
	f.StringVar(&b.Reason, "reason", "", "why it can't go on, as one line of `TEXT`")
	f.StringVar(&b.Needs, "needs", "", "what it needs to go on, as one line of `TEXT`")
	flags.register(f)
	cmd.RegisterFlagCompletionFunc("class", cobra.FixedCompletions(work.Classes(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// unblockCmd records a person's answer to a blocker (GU-5, C99).
func (a *app) unblockCmd() *cobra.Command {
	var flags lockFlags
	var u work.Unblock
	cmd := &cobra.Command{
		Use:     "unblock [PLAN] [N] --answer TEXT --by NAME",
		Short:   "Record a person's answer, and let the blocked task go on",
		GroupID: groupWork,
		Long: `Record a person's answer to the blocker, word for word, in the task's log, where
whoever goes on with the task is shown it; the task is in progress again. Inside
an unattended turn (DWP_TURN is set) nobody answers for a person: the answer is
taken only when it stands in analysis_results/QUESTIONS.md already, or in an
amendment on a person's authority.

Exit codes: 0 recorded, or recorded before; 1 refused; 2 a wrong call; 3 could
not be done; 4 locked.`,
		Example:           `  dwp unblock quote_service --answer 'the tariff of 2026' --by Ada`,
		Args:              atMost(2),
		ValidArgsFunction: a.completePlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, task, err := taskArgs(args)
			if err == nil {
				err = demand(cmd, "answer", "by")
			}
			if err == nil {
				err = (given{"by", u.By, nameLength}).check(true)
			}
			if err != nil {
				return err
			}
			u.Task, u.InTurn = task, a.inTurn()
			w, done, err := a.carry(cmd, plan, flags, func(_ context.Context, w *writer) (publish.Decide, error) {
				u.Who = w.who()
				u.Questions, err = questions(w)
				return u.Decide, err
			})
			if err != nil {
				return err
			}
			return a.carried("unblock", w, u.Chosen, "in progress; the answer is kept in its log", done)
		},
	}
	f := cmd.Flags()
	f.StringVar(&u.Answer, "answer", "", "the answer, word for word, as `TEXT`")
	f.StringVar(&u.By, "by", "", "`NAME` of the person who answered")
	flags.register(f)
	return cmd
}
