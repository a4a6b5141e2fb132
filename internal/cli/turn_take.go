package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/turn"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// turnFlags are the options of what takes turns.
type turnFlags struct {
	lockFlags
	maxTurnTime time.Duration
	observed    bool
	fence       string   // QUEUE:N, from dwpd
	program     []string // after --, for --agent command
}

// register adds them. What is not given is the configuration's: help must read the same for everybody.
func (w *turnFlags) register(f *pflag.FlagSet) {
	f.StringVar(&w.agent, "agent", "", "`NAME` of the agent to wake; command is the program after -- (default: configured, else claude)")
	f.StringVar(&w.model, "model", "", "`NAME` of the agent's model (default: the configured one, else the agent's)")
	f.DurationVar(&w.maxTurnTime, "max-turn-time", 0, "end the agent after this `DURATION` (default: configured, else 30m)")
	f.BoolVar(&w.observed, "observed", false, "demand that dwp itself saw every gate of a completed task")
	f.StringVar(&w.fence, "fence", "", "`QUEUE:N`, the number of the queue's lease on the plan")
	f.MarkHidden("fence")
}

// turnCmd takes one turn (UN-2).
func (a *app) turnCmd() *cobra.Command {
	var flags turnFlags
	var resume, dry bool
	cmd := &cobra.Command{
		Use:     "turn [PLAN] [flags] [--agent command -- PROGRAM [ARG...]]",
		Short:   "Hand the next task to an agent, and judge what comes of it",
		GroupID: groupAutomate,
		Long: `Take one turn of a plan, with nobody watching: finish what was left half done,
resume, hand the next task to an agent, and when the agent has ended judge by
what can be verified what came of it. What the agent says counts for nothing.
A turn is about one task and no other; it holds the plan's lease, turn.lease.

The plan must be approved and opened to unattended work by a person (dwp
approve --unattended). A stop condition (S1 to S4, see dwp explain turn) stops
the plan: its task is blocked, with what a person has to do, and no turn wakes
an agent before that is answered. A question stops only what depends on it. The
record of a turn is N.json in analysis_results/turns, beside what the agent
printed; PROGRESS.md has a line when something happened.

dwp agents lists the agents; with --agent command the program after -- is the
agent, and reads on standard input what it is told. With --resume the agent goes
on with its conversation of the turn before, when that was about the same task.
With --dry-run, what the agent would be told and the command are printed; nobody
is woken, and nothing is written. Ctrl-C ends the agent and leaves a checkpoint;
a second one ends at once.

Exit codes: 0 the task is completed or further, or the plan is complete; 1 not
ready, or the turn brought nothing; 2 a wrong call; 3 the agent could not be
run, or it could not be done; 4 locked, or the plan is another's; 5 blocked or
stopped: a person is needed; 130 interrupted.`,
		Example: `  dwp turn quote_service --dry-run
  dwp turn quote_service --agent codex --max-turn-time 45m
  dwp turn quote_service --agent command -- ./worker.sh`,
		ValidArgsFunction: a.completePlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.outsideTurn("no turn is taken"); err != nil {
				return err
			}
			c, err := a.callOf(cmd, args, &flags)
			if err != nil {
				return err
			}
			defer c.done()
			c.turn.GoOn = resume
			if dry {
				return a.rehearse(cmd.Context(), c.target, c.turn)
			}
			return a.takeTurn(cmd.Context(), c.target, c.turn)
		},

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	flags.register(f)
	f.BoolVar(&resume, "resume", false, "go on with the agent's conversation of the turn before")
	f.BoolVar(&dry, "dry-run", false, "print prompt and command, wake nobody, write nothing")
	cmd.RegisterFlagCompletionFunc("agent", a.completeAgents)
	return cmd
}

// completeAgents completes the names of agents.
func (a *app) completeAgents(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	config, err := a.config()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return config.Names(), cobra.ShellCompDirectiveNoFileComp
}

// words takes PLAN and the program of --agent command apart.
func (w *turnFlags) words(cmd *cobra.Command, args []string) (named []string, err error) {
	named = args
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		named, w.program = args[:dash], args[dash:]
		switch {
		case w.agent != agent.CommandName:
			return nil, usage("bad-flag", "add --agent "+agent.CommandName+", or leave out what follows --", "a program is given after --, and --agent %s is not", agent.CommandName)
		case len(w.program) == 0 || w.program[0] == "":
			return nil, usage("missing-argument", "usage: "+cmd.UseLine(), "no program is given after --")
		}
	}
	return named, atMost(1)(cmd, named)
}

// agentFor is the agent that the call names, else the configured one. The program of a call is the caller's own choice: unlike one of the
// configuration, which others may have written, it may be named by a path relative to the folder that the caller stands in (AG-5).
func (a *app) agentFor(config *agent.Config, flags turnFlags) (*agent.Adapter, error) {
	if len(flags.program) == 0 {
		chosen, err := config.Adapter(flags.agent)
		if err != nil {
			return nil, agentFailure(err)
		}
		return chosen, nil
	}
	words := slices.Clone(flags.program)
	if strings.ContainsRune(words[0], filepath.Separator) && !filepath.IsAbs(words[0]) {
		dir, err := a.start()
		if err != nil {
			return nil, err
		}
		words[0] = filepath.Join(dir, words[0])
	}
	chosen, err := agent.Custom(words)
	if err != nil {
		return nil, agentFailure(err)
	}
	return chosen, nil
}

// turnCall is what a call of turn or run asks for.
type turnCall struct {
	target
	config *agent.Config
	turn   *turn.Turn
	done   func() // lets go of the plan's folder
}

// callOf makes it of what the call and the configuration say.
func (a *app) callOf(cmd *cobra.Command, args []string, flags *turnFlags) (*turnCall, error) {
	named, err := flags.words(cmd, args)
	if err != nil {
		return nil, err
	}
	c := &turnCall{}
	if c.target, err = a.one(named); err != nil {
		return nil, err
	}
	if c.config, err = a.config(); err != nil {
		return nil, err
	}
	if c.turn, c.done, err = a.turnOf(cmd, c.target, *flags, c.config); err != nil {
		return nil, err
	}
	return c, nil
}

// turnOf makes the turn. done lets go of the plan's folder.
func (a *app) turnOf(cmd *cobra.Command, t target, flags turnFlags, config *agent.Config) (taken *turn.Turn, done func(), err error) {
	chosen, err := a.agentFor(config, flags)
	if err != nil {
		return nil, nil, err
	}
	given := cmd.Flags().Changed
	if given("max-turn-time") && flags.maxTurnTime <= 0 {
		return nil, nil, usage("bad-flag", "a turn always has an end", "--max-turn-time is not above zero: %s", flags.maxTurnTime)
	}
	queue, number, err := fenceOf(flags.fence)
	if err != nil {
		return nil, nil, err
	}
	flags.wait = defaultWait
	_, w, err := a.write(cmd, t.Path, flags.lockFlags)
	if err != nil {
		return nil, nil, err
	}
	dir, repo := a.workTree(w.path)
	taken = &turn.Turn{
		Plan: w.Plan, Path: w.path, Dir: dir, Repo: repo, Agent: chosen, Model: config.Model, Dwp: self(),
		MaxTime: config.Budgets.MaxTurnTime, Observed: config.ObservedGates || flags.observed, Queue: queue, Fence: number, Configured: a.configured(),
	}
	if given("agent") && flags.agent != config.Agent {
		taken.Model = "" // the configured model is another agent's
	}
	if given("model") {
		taken.Model = flags.model
	}
	if given("max-turn-time") {
		taken.MaxTime = flags.maxTurnTime
	}
	if a.env.Environ != nil {
		taken.Env = a.env.Environ()
		if repo != nil {
			repo.Env = taken.Env
		}
	}
	return taken, w.close, nil
}

// workTree is where the agent works: the top of the work tree that the plan is in, else of that in which the caller stands, as plans may be
// kept elsewhere (DWP_DIR); without git, the folder that holds the plans (AG-4).
func (a *app) workTree(path string) (dir string, repo *git.Repo) {
	root, err := plan.FindRoot(path, "")
	if err == nil && root.Git == "" {
		if start, err := a.start(); err == nil {
			if here, err := plan.FindRoot(start, ""); err == nil && here.Git != "" {
				root = here
			}
		}
	}
	if root.Git == "" {
		return root.Dir, nil
	}
	return root.Git, &git.Repo{Top: root.Git}
}

// fenceOf reads --fence.
func fenceOf(text string) (queue string, number int64, err error) {
	if text == "" {
		return "", 0, nil
	}
	at := strings.LastIndexByte(text, ':')
	if at > 0 {
		number, err = strconv.ParseInt(text[at+1:], 10, 64)
	}
	if at <= 0 || err != nil || number <= 0 {
		return "", 0, usage("bad-flag", "QUEUE:N", "--fence %q is no number of a queue", text)
	}
	return text[:at], number, nil
}

// self is how an agent calls this program: by its name where that finds it, else by its path.
func self() string {
	path, err := os.Executable()
	if err != nil {
		return "dwp"
	}
	if found, err := runner.Find("dwp"); err == nil {
		a, err := os.Stat(found)
		b, failed := os.Stat(path)
		if err == nil && failed == nil && os.SameFile(a, b) {
			return "dwp"
		}
	}
	return path
}

// takeTurn takes the turn and tells what became of it.
func (a *app) takeTurn(ctx context.Context, t target, taken *turn.Turn) error {
	ctx, stop := endedBy(ctx)
	defer stop()
	if !a.json {
		taken.Tell = func(e turn.Event) { a.told(t.Name, e) }
	}
	out, err := taken.Take(ctx)
	a.finished(out.Record != nil || len(out.Mended) > 0, out.Warnings)
	if err != nil {
		return a.notTaken(ctx, taken, t, err)
	}
	said := turnAnswerOf(t, &out)
	if a.json {
		a.writeJSON(said)
	} else {
		said.write(a.page())
	}
	return answer(turnExit(&out))
}

// told prints what happens on the way, on standard error.
func (a *app) told(name string, e turn.Event) {
	switch e.Kind {
	case turn.Mended, turn.Handed, turn.Returned:
		fmt.Fprintf(a.env.Stderr, "%s: %s\n", cleanLine(name), cleanLine(e.Text))
	}
}

// noAgentHint helps whose agent could not be run.
const noAgentHint = "dwp agents lists what is found here; --agent NAME takes another"

// notTaken tells why a turn has no outcome.
func (a *app) notTaken(ctx context.Context, taken *turn.Turn, t target, err error) error {
	f := (&writer{Plan: taken.Plan, path: t.Path}).failed(err)
	if not, absent := errors.AsType[*turn.NotRun](err); absent {
		return cannot("no-agent", noAgentHint, "%s", not)
	}
	if ctx.Err() != nil && f.exit == ExitCannot {
		f.exit, f.code = ExitInterrupted, "interrupted"
	}
	return f
}

// rehearsedAnswer is the JSON answer of turn --dry-run.
type rehearsedAnswer struct {
	*turnAnswer
	Command []string `json:"agent_command"`
	Prompt  string   `json:"prompt"`
}

// rehearse prints what a turn would do.
func (a *app) rehearse(ctx context.Context, t target, taken *turn.Turn) error {
	r, err := taken.Rehearse(ctx)
	for _, text := range r.Outcome.Warnings {
		a.warn(text)
	}
	if err != nil {
		return a.notTaken(ctx, taken, t, err)
	}
	said := turnAnswerOf(t, &r.Outcome)
	code := ExitOK
	if r.Outcome.Result != turn.Open {
		code = turnExit(&r.Outcome)
	} else {
		said.Turn, said.Task = r.Turn, r.Task
	}
	switch {
	case a.json:
		a.writeJSON(rehearsedAnswer{said, list(r.Command.Args), r.Prompt})
	case r.Outcome.Result != turn.Open:
		said.write(a.page())
		a.page().para(2, "Nobody was woken, and nothing was written")
	default:
		a.out.WriteString(cleanBlock(r.Prompt))
		a.page().line("\n---\n\n%s turn %d, task %d would run, in %s:\n\n    %s", cleanLine(t.Name), r.Turn, r.Task, cleanLine(taken.Dir),
			cleanLine(runner.Quote(r.Command.Args)))
	}
	return answer(code)
}
