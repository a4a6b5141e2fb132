package cli

import (
	"cmp"
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/turn"
	"github.com/spf13/cobra"
)

// runFlags are the options of run. A bound that is not given is the configuration's.
type runFlags struct {
	turnFlags
	until    string
	maxTurns int
	maxTime  time.Duration
	maxCost  float64
	plain    bool
	notify   string
}

// runCmd takes turns in a row in the foreground (UN-2).
func (a *app) runCmd() *cobra.Command {
	flags := &runFlags{}
	cmd := &cobra.Command{
		Use:     "run [PLAN] [flags] [--agent command -- PROGRAM [ARG...]]",
		Short:   "Take turns in a row, with nobody watching",
		GroupID: groupAutomate,
		Long: `Take turns of a plan in a row: each hands one task to an agent, and is judged by
what can be verified. What it needs beforehand is what dwp turn needs.

The run ends when the plan is completed; when nothing may start until a person
answers; when a stop condition holds; or at a bound: of turns, of time, of
costs. Bounds always hold. What turns cost is what the agent tells; where it
tells none, the other bounds hold. To reach a bound is no error: the next run
goes on from there. With --until blocked the first blocked task ends the run;
else tasks that don't wait for it go on. After a turn that brought nothing the
next one waits: 5s, 30s, 2m, 5m.

Ctrl-C ends the turn by a checkpoint; a second one ends at once, and the next
turn tidies up. On a terminal the run is shown live, elsewhere as lines on
standard error. At the end standard output says what was done and decided, what
is asked and what is needed. With --notify, sh runs COMMAND then, with that as
JSON to read, for 10 seconds at most; its failure is only warned of.

Exit codes: 0 completed, or a bound was reached; 1 refused; 2 a wrong call; 3
the agent could not be run, or it could not be done; 4 locked, or the plan is
another's; 5 blocked or stopped: a person is needed; 130 interrupted.`,
		Example: `  dwp run bike_rental --agent claude
  dwp run bike_rental --agent command -- ./worker.sh
  dwp run bike_rental --max-turns 12 --max-time 6h --max-cost 20
  dwp run --until blocked --notify 'mail -s "dwp" ada' --json`,
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.runPlan(cmd, args, flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	flags.register(f)
	f.StringVar(&flags.until, "until", string(turn.UntilCompleted), "go on until the plan is completed, or until a task is blocked: `WHEN`, completed or blocked")
	f.IntVar(&flags.maxTurns, "max-turns", 0, "take at most `N` turns (default: configured, else 50)")
	f.DurationVar(&flags.maxTime, "max-time", 0, "begin no turn after this `DURATION` (default: configured, else 8h)")
	f.Float64Var(&flags.maxCost, "max-cost", 0, "begin no turn when turns have cost this much, in US `DOLLARS` (default: configured, else 100)")
	f.BoolVar(&flags.plain, "plain", false, "show lines instead of the live view")
	f.StringVar(&flags.notify, "notify", "", "run the shell `COMMAND` at the end (default: configured, else none)")
	cmd.RegisterFlagCompletionFunc("agent", a.completeAgents)
	cmd.RegisterFlagCompletionFunc("until", cobra.FixedCompletions([]string{string(turn.UntilCompleted), string(turn.UntilBlocked)}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// check judges the call before a plan is looked for.
func (r *runFlags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	switch {
	case !slices.Contains([]string{string(turn.UntilCompleted), string(turn.UntilBlocked)}, r.until):
		return usage("bad-flag", "one of: completed, blocked", "--until %q is none of its words", r.until)
	case given("max-turns") && r.maxTurns <= 0:
		return usage("bad-flag", "a run always has a bound", "--max-turns is not above zero: %d", r.maxTurns)
	case given("max-time") && r.maxTime <= 0:
		return usage("bad-flag", "a run always has a bound", "--max-time is not above zero: %s", r.maxTime)
	case given("max-turn-time") && r.maxTurnTime <= 0:
		return usage("bad-flag", "a turn always has an end", "--max-turn-time is not above zero: %s", r.maxTurnTime)
	case given("max-cost") && (!(r.maxCost > 0) || math.IsInf(r.maxCost, 0)):
		return usage("bad-flag", "a run always has a bound", "--max-cost is no amount above zero: %v", r.maxCost)
	case given("notify") && strings.TrimSpace(r.notify) == "":
		return usage("bad-flag", "", "--notify is empty")
	}
	return nil
}

// defaultMaxCost bounds a run where nobody says another amount and the agent tells what it costs, in US dollars: more than a night of
// turns that bring something.
const defaultMaxCost = 100

// budget is what the flags bound, and the configuration where they are silent.
func (r *runFlags) budget(cmd *cobra.Command, c agent.Budgets) turn.Budget {
	b := turn.Budget{Turns: c.MaxTurns, Time: c.MaxTime, TurnTime: c.MaxTurnTime, Cost: cmp.Or(c.MaxCost, defaultMaxCost)}
	given := cmd.Flags().Changed
	if given("max-turns") {
		b.Turns = r.maxTurns
	}
	if given("max-time") {
		b.Time = r.maxTime
	}
	if given("max-turn-time") {
		b.TurnTime = r.maxTurnTime
	}
	if given("max-cost") {
		b.Cost = r.maxCost
	}
	return b
}

// runPlan makes the loop of what the call and the configuration say.
func (a *app) runPlan(cmd *cobra.Command, args []string, flags *runFlags) error {
	if err := flags.check(cmd); err != nil {
		return err
	}
	if err := a.outsideTurn("no run is begun"); err != nil {
		return err
	}
	c, err := a.callOf(cmd, args, &flags.turnFlags)
	if err != nil {
		return err
	}
	defer c.done()
	if !cmd.Flags().Changed("notify") {
		flags.notify = c.config.Notify
	}
	n := &night{target: c.target, flags: flags, priced: c.turn.Agent.Cost != "", endings: endings}
	n.loop = &turn.Loop{Turn: *c.turn, Budget: flags.budget(cmd, c.config.Budgets), Until: turn.Until(flags.until)}
	if cmd.Flags().Changed("max-cost") && !n.priced {
		n.note(c.turn.Agent.Name + " doesn't tell what it costs: --max-cost can't hold it, the bounds of turns and time do")
		a.warn(n.warnings[0])
	}
	return a.spend(cmd.Context(), n)
}

// night is a run with what belongs to it.
type night struct {
	target
	loop     *turn.Loop
	flags    *runFlags
	priced   bool           // the agent tells what it costs
	before   *plan.Snapshot // as the plan was
	endings  func() (chan os.Signal, func())
	ran      turn.Ran
	warnings []string
}

// note keeps a warning for the answer.
func (n *night) note(text string) { n.warnings = append(n.warnings, text) }

// spend runs the loop under the eyes of who watches, then answers. In this order: the plan is read, the run, the notification, the warnings,
// the account on standard output: who is told elsewhere doesn't wait for a terminal that stands still.
func (a *app) spend(ctx context.Context, n *night) error {
	s, err := plan.Open(n.Path)
	if err != nil {
		return cannot("unreadable", "", "read the plan: %s", cause(err))
	}
	n.before = s
	told := len(n.warnings)
	abandoned, err := a.watched(ctx, n)
	if err != nil {
		return err
	}
	said := n.account()
	if n.flags.notify != "" && !abandoned { // in a context of its own: an interrupt of the run is worth telling
		if text := a.notifyOf(context.WithoutCancel(ctx), n.flags.notify, notifyTime, said, "the run is over all the same"); text != "" {
			n.note(text)
			said.Warnings = list(n.warnings)
		}
	}
	a.finished(len(said.Turns) > 0, n.warnings[told:])
	if a.json {
		a.writeJSON(said)
		return answer(said.exit)
	}
	if said.failure == nil || len(said.Turns) > 0 {
		said.write(a.page())
	}
	if said.failure != nil {
		return said.failure
	}
	return answer(said.exit)
}

// failure is why a run could not go on; nil for its other ends.
func (n *night) failure() *failure {
	if n.ran.Err == nil || n.ran.End == turn.EndInterrupted {
		return nil
	}
	f := (&writer{Plan: n.loop.Turn.Plan, path: n.Path}).failed(n.ran.Err)
	if _, absent := errors.AsType[*turn.NotRun](n.ran.Err); absent {
		f.code, f.hint = "no-agent", noAgentHint
	}
	return f
}

// exit is the code of an end.
func (n *night) exit(f *failure) int {
	switch n.ran.End {
	case turn.EndBlocked, turn.EndStopped:
		return ExitBlocked
	case turn.EndInterrupted:
		return ExitInterrupted
	case turn.EndRefused, turn.EndNoAgent, turn.EndLocked, turn.EndFailed:
		if f != nil {
			return f.exit
		}
		return ExitCannot
	}
	return ExitOK
}
