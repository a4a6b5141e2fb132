package work

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// GateRun is a gate that a caller wants to be run, now: the command never comes from a file (DESIGN 5, GU-12).
type GateRun struct {
	Task int
	// Command is what runs; Text what is recorded of it, and Words what names its log.
	Command runner.Command
	Text    string
	Words   []string
	// Repo is the work tree the run is of; nil without git.
	Repo *git.Repo

	Agent, Model string
	Configured   []update.EnvValue // values that are masked, too (C163)
}

// GateDone is what became of it.
type GateDone struct {
	Gate     update.Gate
	Outcome  string // how it ended, in words
	Result   runner.Result
	Log      string // path in the plan folder; "" when none was written
	Done     publish.Done
	Warnings []string
}

// ErrInterrupted says that a run was ended by its caller. It says nothing of the check, so nothing is recorded (C91).
var ErrInterrupted = errors.New("interrupted; the run says nothing, and nothing was recorded")

// NotRecorded is a run whose result did not get into state.json. Its log, when there is one, is kept: it may be of an hour's work.
type NotRecorded struct {
	Log string // path in the plan folder, or ""
	Err error
}

func (e *NotRecorded) Error() string {
	// The refusal speaks of the record; the log was written.
	text := strings.TrimSuffix(e.Err.Error(), "; nothing was written")
	if e.Log == "" {
		return "the run is not recorded: " + text
	}
	return "the run is not recorded: " + text + "; its log is kept in " + e.Log
}

func (e *NotRecorded) Unwrap() error { return e.Err }

// RunGate runs a gate and records what was observed. The order of steps:
//
//  1. read the plan, and refuse what could not be recorded afterwards; inside a turn, see that it is of this plan and task
//  2. make the folder for logs: what can't be written is found before the run
//  3. ask git where the work tree stands; run the command. No lock is held: it may take long, and may call dwp itself
//  4. write the log, durably, under a name that nothing has
//  5. record through publish.Apply, which decides anew, under the lock
//
// Cut off before 5, a log is left that no record names. A *publish.Refused means that nothing was run.
func RunGate(ctx context.Context, p publish.Plan, run GateRun) (GateDone, error) {
	change := update.Change{Task: run.Task, Agent: run.Agent, Model: run.Model, Configured: run.Configured}
	if err := p.InTurn(run.Task); err != nil {
		return GateDone{}, err
	}
	s, err := admitted(ctx, p, change, run.Text)
	if err != nil {
		return GateDone{}, err
	}
	if err := disk.MkdirAll(p.FS, GateLogs); err != nil {
		return GateDone{}, err
	}
	words := runner.MaskText(strings.Join(run.Words, "\n"), secretsOf(run.Configured)) // the name of the log is shown and recorded, too
	r := ran{task: run.Task, command: run.Text, slug: slug(strings.Split(words, "\n"))}
	var warnings []string
	if run.Repo != nil {
		if r.head, err = run.Repo.Head(ctx); err != nil {
			warnings = append(warnings, err.Error())
		}
		r.inGit = err == nil
	}
	r.result = runner.Run(ctx, run.command())
	done := GateDone{Result: r.result, Warnings: warnings}
	if r.result.End == runner.Interrupted {
		return done, ErrInterrupted
	}
	if r.result.Left {
		done.Warnings = append(done.Warnings, "the command left processes running; they were ended")
	}
	failed := failedBefore(s, run.Task, run.Text)
	done, err = record(ctx, p, change, &r, done)
	if err == nil && failed && !done.Gate.Passes {
		done.Warnings = append(done.Warnings, "this gate failed before, too: go on with a hypothesis that something new supports, or stop and say what is known (WP-4)")
	}
	return done, err
}

// failedBefore reports whether the latest record of a command failed: a repair takes at most two attempts without new evidence (WP-4).
func failedBefore(s *plan.Snapshot, task int, command string) bool {
	for _, r := range Gates(s, task) {
		if !r.History && !r.Passes && r.Command == command {
			return true
		}
	}
	return false
}

// command is the runner's, with everything masked that the environment calls a secret.
func (run *GateRun) command() runner.Command {
	c := run.Command
	for _, env := range run.Configured {
		c.Secrets = append(c.Secrets, env.Value)
	}
	return c
}

// record writes the log, then the record that names it.
func record(ctx context.Context, p publish.Plan, change update.Change, r *ran, done GateDone) (GateDone, error) {
	r.result.Reason = runner.MaskText(r.result.Reason, secretsOf(change.Configured))
	log := r.log()
	name, err := r.keep(p, log)
	if err != nil {
		return done, &NotRecorded{Err: err}
	}
	done.Log, done.Outcome, done.Gate = name, r.outcome(), r.gate(name, state.Digest(log))
	change.Gates = []update.Gate{done.Gate}
	if done.Done, err = publish.Apply(ctx, p, change); err != nil {
		return done, &NotRecorded{Log: name, Err: err}
	}
	done.Warnings = append(done.Warnings, done.Done.Warnings...)
	return done, nil
}

func secretsOf(configured []update.EnvValue) []string {
	var values []string
	for _, env := range configured {
		values = append(values, env.Value)
	}
	return values
}

// freeName is a name for the log that nothing has. Two runs of one command in the same second, by two processes, could still meet here: then
// the digest in one record tells that its log is another's.
func freeName(fsys disk.FS, r *ran) (string, error) {
	const most = 1000
	for n := 1; n < most; n++ {
		name := r.logName(n)
		switch _, err := fsys.Lstat(name); {
		case errors.Is(err, fs.ErrNotExist):
			return name, nil
		case err != nil:
			return "", err
		}
	}
	return "", fmt.Errorf("there are too many logs of this second in %s", GateLogs)
}

// keep writes the log of a run under a name that nothing has, unless the run outlived its turn (UN-2).
func (r *ran) keep(p publish.Plan, log []byte) (name string, err error) {
	if name, err = freeName(p.FS, r); err != nil {
		return "", err
	}
	return name, disk.WriteFile(p.FS, name, log, disk.Options{Guard: func() error { return p.InTurn(r.task) }})
}
