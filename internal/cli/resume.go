package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// resumeFlags are the flags of resume.
type resumeFlags struct {
	lockFlags
	fix, smoke bool
	timeout    time.Duration
}

// resumeCmd is the Resume Protocol (WP-1) for whoever takes a plan up again.
func (a *app) resumeCmd() *cobra.Command {
	var flags resumeFlags
	cmd := &cobra.Command{
		Use:     "resume [PLAN] [--fix] [--smoke -- COMMAND [ARG...]]",
		Short:   "Take a plan up again: where it stands, what comes first",
		GroupID: groupWork,
		Long: `Take a plan up again. From its files and git alone, one brief says: the goal,
the first open task and the checkpoint, what a cut-off operation still lacks and
the command that finishes it, where README.md and state.json disagree,
questions, blockers and the answers to them, decisions, what was written last,
and then the next task as dwp next prints it. Nothing is written, and nothing is
taken for progress that the boxes don't say: a commit that names an open task is
asked about.

--fix finishes what follows from what is there: an operation or publication that
was cut off, an entry of PROGRESS.md, a count. It ticks no box. --smoke runs the
command that you give, as dwp gate run does, and records nothing.

Exit codes: 0 go on with the task named, or the plan is complete; 1 something
has to be finished or reconciled first, the smoke test failed, or refused; 3
could not be done; 4 locked; 5 a person is needed: approval, blocker, question,
or the plan's files are not here.`,
		Example: `  dwp resume
  dwp resume quote_service --fix
  dwp resume quote_service --smoke -- make smoke`,
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.resume(cmd, args, &flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.BoolVar(&flags.fix, "fix", false, "finish what was cut off")
	f.BoolVar(&flags.smoke, "smoke", false, "run the command after -- as the smoke test")
	f.DurationVar(&flags.timeout, "timeout", defaultTimeout, "end the smoke test after this `DURATION`; 0 for never (default 30m)")
	flags.register(f)
	return cmd
}

// words takes PLAN and the command of the smoke test apart.
func (f *resumeFlags) words(cmd *cobra.Command, args []string) (plan, smoke []string, err error) {
	form := "usage: dwp resume [PLAN] [--fix] [--smoke -- COMMAND [ARG...]]"
	plan = args
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		plan, smoke = args[:dash], args[dash:]
	}
	switch {
	case len(plan) > 1:
		err = usage("too-many-arguments", form, "resume: unexpected argument %q", plan[1])
	case f.smoke && (len(smoke) == 0 || smoke[0] == ""):
		err = usage("missing-argument", form, "--smoke: no command is given after --")
	case !f.smoke && len(smoke) > 0:
		err = usage("bad-flag", form, "a command is given without --smoke")
	case f.timeout < 0:
		err = usage("bad-flag", "0 is for no timeout", "--timeout is negative: %s", f.timeout)
	}
	return plan, smoke, err
}

// resume mends when it is asked to, runs the smoke test, then reads the plan and tells where it stands: what it says is true on re-reading.
func (a *app) resume(cmd *cobra.Command, args []string, flags *resumeFlags) error {
	named, words, err := flags.words(cmd, args)
	if err != nil {
		return err
	}
	t, s, err := a.open(named)
	if err != nil {
		return a.recoveryMissing(cmd.Context(), named, err)
	}
	if s.README == nil && s.Nodes["README.md"].Path == "" {
		return missingData(fmt.Sprintf("%s has no README.md", t.Name), "")
	}
	v := resumption{target: t}
	if flags.fix {
		if v.fixed, v.warnings, err = a.fix(cmd, t, flags); err != nil {
			return err
		}
		if s, err = read(t); err != nil {
			return err
		}
	}
	facts, warnings, err := a.facts(cmd.Context(), t, s)
	if err != nil {
		return err
	}
	if s.Moved {
		warnings = append(warnings, "the plan's folder kept changing while it was read: somebody is writing")
	}
	if v.warnings = append(v.warnings, warnings...); flags.smoke {
		if v.smoke, err = a.smoke(cmd.Context(), words, flags.timeout); err != nil {
			return err
		}
	}
	for _, text := range warnings {
		a.warn(text)
	}
	v.fill(s, facts)
	return a.tellResumption(&v)
}

// handoffHint says how a plan's files come to another place (UN-2).
const handoffHint = "bring the plan's folder from where it is worked on: a shared file system, or dwp handoff export there and dwp handoff import here"

// missingData says that a plan can't be resumed because its files are not here. A person brings them: progress is never made up (WP-1).
func missingData(what, hint string) *failure {
	if hint == "" {
		hint = handoffHint
	}
	return &failure{exit: ExitBlocked, code: "recovery-missing", message: "recovery data is missing: " + what + "; commits alone are no progress, so nothing is resumed", hint: hint}
}

// recoveryMissing tells a checkout without the plan's data from a slip of the caller: there is no plan at all, or the one that is named is
// known to the history or to another work tree of the repository (C125).
func (a *app) recoveryMissing(ctx context.Context, named []string, err error) error {
	f := failureOf(err)
	if f.code != "no-plans" && f.code != "no-such-plan" {
		return err
	}
	word, unasked := a.asked(named)
	root, unfound := a.root()
	if unasked != nil || unfound != nil {
		return err
	}
	what, name := "there is no plan here", ""
	if word != "" && word != "latest" && !strings.ContainsAny(word, `/\`) {
		name = plan.NormaliseName(word)
		what = "there is no " + name + " here"
	}
	hint, n := elsewhere(root, name), 0
	if name != "" && root.Git != "" {
		if n = commitsOf(ctx, root.Git, name); n > 0 {
			what += fmt.Sprintf(" (commits that name its tasks: %d)", n)
		}
	}
	if f.code == "no-such-plan" && root.Found && (name == "" || n == 0 && hint == "") {
		return err // other plans are here, and nothing knows of this one
	}
	return missingData(what, hint)
}

// elsewhere names another work tree that has the plan, or any plan; "" for none.
func elsewhere(root plan.Root, name string) string {
	if root.Git == "" {
		return ""
	}
	for _, top := range git.WorkTrees(root.Git) {
		there, err := plan.FindRoot(top, "")
		if err != nil || !there.Found || there.Git != top && there.Dir != top {
			continue
		}
		if name == "" {
			return "another work tree has plans: dwp -C " + there.Dir + " resume"
		}
		if info, err := os.Stat(filepath.Join(there.Plans, name)); err == nil && info.IsDir() {
			return "another work tree has it: dwp -C " + there.Dir + " resume " + name
		}
	}
	return ""
}

// commitsOf counts the commits that name tasks of a plan.
func commitsOf(ctx context.Context, top, name string) int {
	history, err := git.Repo{Top: top}.History(ctx, work.HistoryDepth)
	if err != nil {
		return 0
	}
	n := 0
	for _, c := range history {
		if len(work.TasksNamed(c.Message, name)) > 0 {
			n++
		}
	}
	return n
}

// fix finishes what was cut off, as recover does, then what follows from what is there. It returns what was done.
func (a *app) fix(cmd *cobra.Command, t target, flags *resumeFlags) (fixed, warnings []string, err error) {
	ctx, w, err := a.write(cmd, t.Path, flags.lockFlags)
	if err != nil {
		return nil, nil, err
	}
	defer w.close()
	r, err := publish.Recover(ctx, w.Plan, nil)
	for _, h := range r.Reclaimed {
		fixed = append(fixed, fmt.Sprintf("the lock of %v was removed: that process is gone", h.Owner))
	}
	if r.Operation != nil {
		fixed = append(fixed, "the operation "+strings.Join(append([]string{r.Operation.Name}, r.Operation.Args...), " ")+" is finished")
	}
	if r.Published {
		fixed = append(fixed, "the publication is finished")
	}
	a.finished(len(fixed) > 0, r.Warnings)
	if err != nil {
		for _, text := range fixed { // what was done before it is told all the same (GU-10, C71)
			a.warn(text)
		}
		return nil, nil, w.failed(err)
	}
	warnings = r.Warnings
	s, err := read(t)
	if err != nil {
		return nil, nil, err
	}
	// Asked first without the lock: where nothing is to be mended, a plan that may not be written is no reason to refuse.
	mend := &work.Mend{Who: w.who()}
	if r, err := mend.Decide(s); err == nil && len(r.Changes) == 0 {
		return fixed, warnings, nil
	}
	done, err := publish.Revise(ctx, w.Plan, update.Terms{Stateless: true}, mend.Decide)
	if err != nil {
		return nil, nil, w.failed(err)
	}
	a.finished(done.Changed || len(fixed) > 0, done.Warnings)
	for _, g := range mend.Mended {
		fixed = append(fixed, mendedWords(g))
	}
	return fixed, append(warnings, done.Warnings...), nil
}

// mendedWords says what was done about a gap.
func mendedWords(g work.Gap) string {
	if g.Kind == work.GapEntry {
		return "PROGRESS.md has its entry now: " + tasksWords(g.Tasks)
	}
	return "README.md counts its boxes right now"
}

// smoke runs the smoke test. Its output goes to standard error, where it can't mix with the brief.
func (a *app) smoke(ctx context.Context, words []string, timeout time.Duration) (*work.Smoked, error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	run, err := a.gateOf(ctx, words, &gateRunFlags{timeout: timeout})
	if err != nil {
		return nil, err
	}
	out := &live{w: a.env.Stderr}
	run.Command.Stdout, run.Command.Stderr = out, out
	smoked, err := work.Smoke(ctx, run)
	if out.open {
		out.Write([]byte("\n"))
	}
	if errors.Is(err, work.ErrInterrupted) {
		return nil, &failure{exit: ExitInterrupted, code: "interrupted", message: "interrupted; the smoke test says nothing"}
	}
	return &smoked, err
}
