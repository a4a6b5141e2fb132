package cli

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// defaultTimeout ends a gate that hangs, and is long enough for a large test suite.
const defaultTimeout = 30 * time.Minute

// gateRunFlags are the options of gate run.
type gateRunFlags struct {
	lockFlags
	task    int
	timeout time.Duration
	shell   bool
	onBase  bool
	base    string
}

// gateRunCmd runs a command that the caller passes now (DESIGN 5, GU-12).
func (a *app) gateRunCmd() *cobra.Command {
	flags := &gateRunFlags{}
	cmd := &cobra.Command{
		Use:   "run [PLAN] [N] [flags] -- COMMAND [ARG...]",
		Short: "Run a gate and record what was seen",
		Long: `Run COMMAND as a gate of task N, and record how it ended. PLAN and N may be left
out: the only open plan, and its task in progress. The command is the one that
you give; none is ever taken from the plan. Its output is shown line by line and
kept under analysis_results/gates, with secrets masked. The record says exit
code, time, tests counted, log and its digest, git commit.

No shell reads the arguments. With --shell there is one argument, a command line
for bash (else sh); a pipe then fails when any part of it does.

It passes with exit code 0, unless no test was selected. A timeout, a signal, a
program that is not there are failures. Interrupted, nothing is recorded.

With --on-base a gate that is recorded as failing runs on the commit that the
work began at: where HEAD left the default branch, or REF. It runs in a copy of
what is committed there, without submodules and LFS files, gone afterwards. When
it fails there in the same way, that is recorded, and is no fault of the task;
the record still fails, and closes nothing. Otherwise nothing is recorded.

Exit codes: 0 passed, or --on-base: fails there, too; 1 failed, and recorded, or
refused before it ran, or --on-base: not proven; 2 a wrong call; 3 could not be
run or recorded; 4 locked; 130 interrupted.`,
		Example: `  dwp gate run -- go test ./...
  dwp gate run quote_service 2 --timeout 10m -- npm test
  dwp gate run --shell -- 'go test -json ./... | tee out.json'
  dwp gate run --on-base -- go test ./...`,
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.gateRun(cmd, args, flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.IntVar(&flags.task, "task", 0, "task `N` (default: the one in progress)")
	f.DurationVar(&flags.timeout, "timeout", defaultTimeout, "end it after this `DURATION`; 0 for never (default 30m)")
	f.BoolVar(&flags.shell, "shell", false, "run one command line in a shell")
	f.BoolVar(&flags.onBase, "on-base", false, "prove that it fails without the task's work, too")
	f.StringVar(&flags.base, "base", "", "with --on-base: branch or commit `REF` to run it on")
	flags.register(f)
	return cmd
}

// gateRun finds plan and task, runs, and tells.
func (a *app) gateRun(cmd *cobra.Command, args []string, flags *gateRunFlags) error {
	dash := cmd.ArgsLenAtDash()
	switch {
	case dash < 0 && len(args) > 0:
		return usage("missing-argument", "put -- before it: dwp gate run -- "+runner.Quote(args), "no command is given after --")
	case dash < 0 || dash == len(args):
		return usage("missing-argument", "usage: dwp "+commandName(cmd)+" [PLAN] [N] [flags] -- COMMAND [ARG...]", "no command is given after --")
	case dash > 2:
		return usage("too-many-arguments", "usage: dwp "+commandName(cmd)+" [PLAN] [N] [flags] -- COMMAND [ARG...]", "unexpected argument %q", args[2])
	case flags.timeout < 0:
		return usage("bad-flag", "0 is for no timeout", "--timeout is negative: %s", flags.timeout)
	case flags.shell && len(args) != dash+1:
		return usage("bad-flag", "put the command line in quotes", "--shell takes one argument, not %d", len(args)-dash)
	case args[dash] == "":
		return usage("missing-argument", "", "the command is empty")
	case cmd.Flags().Changed("base") && (!flags.onBase || flags.base == ""):
		return usage("bad-flag", "--base REF goes with --on-base", "--base has nothing to name a base for")
	}
	names, id, err := gateTarget(args[:dash], flags.task)
	if err != nil {
		return err
	}
	t, err := a.one(names)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags.lockFlags)
	if err != nil {
		return err
	}
	defer w.close()
	if id, err = taskIn(w, id); err != nil {
		return err
	}
	run, err := a.gateOf(ctx, args[dash:], flags)
	if err != nil {
		return err
	}
	run.Task, run.Agent, run.Model = id, w.agent, w.model
	if flags.onBase {
		return a.runOnBase(ctx, w, run, flags.base)
	}
	return a.runGate(ctx, w, run)
}

// gateOf makes the run of what the call gives.
func (a *app) gateOf(ctx context.Context, words []string, flags *gateRunFlags) (work.GateRun, error) {
	dir, err := a.start()
	if err != nil {
		return work.GateRun{}, err
	}
	run := work.GateRun{Configured: a.configured(), Words: words}
	run.Command = runner.Command{Args: words, Dir: dir, Timeout: flags.timeout, Now: a.env.Now}
	if a.env.Environ != nil {
		run.Command.Env = append(a.env.Environ(), "PWD="+dir) // with -C the caller's is another
	}
	if flags.shell {
		shell, ok := runner.FindShell(ctx, run.Command.Env)
		if !ok {
			return run, cannot("no-shell", "run the program itself, without --shell", "there is no shell here")
		}
		if !shell.Pipefail {
			a.warn("this shell has no pipefail: of a pipe, only the last command's exit code counts")
		}
		run.Command.Args = append(shell.Args[:len(shell.Args):len(shell.Args)], words[0])
		run.Words = strings.Fields(words[0])
	}
	run.Text = runner.Quote(run.Command.Args)
	// The commit is that of the tree in which the command runs; it may lie outside the plan's repository.
	if root, err := plan.FindRoot(dir, ""); err == nil && root.Git != "" {
		run.Repo = &git.Repo{Top: root.Git, Env: run.Command.Env}
	}
	return run, nil
}

// live is where a command's output goes. It knows whether the last line has its end.
type live struct {
	w    io.Writer
	open bool
}

func (l *live) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.open = p[len(p)-1] != '\n'
	}
	return l.w.Write(p)
}

// showing has the output of a run shown: with --json all of it on standard error, where it can't mix with the answer. end gives the last
// line its end.
func (a *app) showing(run *work.GateRun) (end func()) {
	a.out.Flush()
	stdout, stderr := &live{w: a.env.Stdout}, &live{w: a.env.Stderr}
	if a.json {
		stdout = stderr
	}
	run.Command.Stdout, run.Command.Stderr = stdout, stderr
	return func() {
		for _, l := range []*live{stdout, stderr} {
			if l.open {
				l.Write([]byte("\n"))
			}
		}
	}
}

// runGate runs a gate and tells how it ended.
func (a *app) runGate(ctx context.Context, w *writer, run work.GateRun) error {
	end := a.showing(&run)
	done, err := work.RunGate(ctx, w.Plan, run)
	end()
	a.finished(err == nil, done.Warnings)
	if err != nil {
		return w.notRun(err)
	}
	return a.gateRan(w, run.Task, &done)
}

// notRun tells why there is no record. What was refused before the run is a no; afterwards, nothing is left to say but that the result is
// not recorded, unless another holds the lock.
func (w *writer) notRun(err error) *failure {
	late, ran := errors.AsType[*work.NotRecorded](err)
	switch {
	case errors.Is(err, work.ErrInterrupted):
		return &failure{exit: ExitInterrupted, code: "interrupted", message: err.Error()}
	case !ran:
		return w.failed(err)
	}
	f := w.failed(late.Err)
	refused, no := errors.AsType[*publish.Refused](err)
	if f.exit == ExitNo || f.exit == ExitUsage {
		f.exit = ExitCannot
	}
	if no {
		f.message = refused.Rule + " (" + refused.Requirement + "): " + late.Error()
	} else if _, held := errors.AsType[*disk.LockedError](err); held {
		f.message += "; the run is not recorded, its log is kept in " + late.Log
	} else {
		f.message = late.Error()
	}
	return f
}

// gateRanAnswer is the JSON answer of gate run.
type gateRanAnswer struct {
	opening
	Plan        string     `json:"plan"`
	Path        string     `json:"path"`
	Gate        gateJSON   `json:"gate"`
	End         runner.End `json:"end"`         // exited, signalled, timed out, not started
	Duration    float64    `json:"duration_ms"` // milliseconds
	Counts      *countJSON `json:"counts"`      // null when no known test runner spoke
	Cut         int64      `json:"log_cut"`     // bytes left out of the log
	StateSHA256 string     `json:"state_sha256"`
	Warnings    []string   `json:"warnings"`
	closing
}

type countJSON struct {
	Selected int `json:"selected"`
	Passed   int `json:"passed"`
	Failed   int `json:"failed"`
	Skipped  int `json:"skipped"`
	Packages int `json:"packages_ok"`
	Broken   int `json:"packages_failed"`
}

// counted is nil when no known test runner spoke.
func counted(c runner.Counts) *countJSON {
	if !c.Known {
		return nil
	}
	return &countJSON{c.Selected, c.Passed, c.Failed, c.Skipped, c.Packages, c.Broken}
}

// gateRan tells how a run ended that is recorded.
func (a *app) gateRan(w *writer, task int, done *work.GateDone) error {
	code := ExitOK
	if !done.Gate.Passes {
		code = ExitNo
	}
	if a.json {
		g := done.Gate
		answered := gateRanAnswer{
			opening: opened("gate run"), Plan: w.Name, Path: w.path,
			Gate: gateJSON{task, g.Command, g.Passes, g.ExitCode, g.LastRun, g.Evidence, false, false, true, done.Log, work.LogIntact, ""},
			End:  done.Result.End, Duration: float64(done.Result.Duration.Microseconds()) / 1000, Cut: done.Result.Cut,
			StateSHA256: done.Done.StateSHA256, Warnings: list(done.Warnings), closing: closed(nil, nil),
		}
		answered.Counts = counted(done.Result.Counts)
		a.writeJSON(answered)
		return answer(code)
	}
	verdict := "failed"
	if done.Gate.Passes {
		verdict = "passed"
	}
	p := a.page()
	told := done.Outcome
	if counts := done.Result.Counts.String(); counts != "" {
		told += "; " + counts
	}
	p.para(0, cleanLine(w.Name)+" task "+strconv.Itoa(task)+": "+verdict+"; "+cleanLine(told))
	p.para(0, "recorded, with "+done.Log)
	return answer(code)
}
