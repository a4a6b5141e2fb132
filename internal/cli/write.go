package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/turn"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// defaultWait is how long a writer waits for the lock (GU-10, C59).
const defaultWait = 5 * time.Second

// lockFlags are the flags that every command with a lock has.
type lockFlags struct {
	wait         time.Duration
	agent, model string
}

// register adds --wait, --agent and --model. The defaults are looked up when the command runs: help must read the same for
// everybody.
func (w *lockFlags) register(f *pflag.FlagSet) {
	f.DurationVar(&w.wait, "wait", defaultWait, "wait at most this `DURATION` for the lock (default 5s)")
	f.StringVar(&w.agent, "agent", "", "`NAME` of the agent that makes the change (default: the known agent that runs dwp)")
	f.StringVar(&w.model, "model", "", "`NAME` of the agent's model")
}

// writer is a plan folder that is open for a change.
type writer struct {
	publish.Plan
	path          string // absolute, without links
	agent, model  string // who makes the change; "" when nobody says
	folder        *disk.Folder
	stopListening context.CancelFunc
}

// close lets go of the folder and of signals.
func (w *writer) close() {
	w.stopListening()
	w.folder.Close()
}

// write opens a plan folder for a change, in this order: standard output is tried, so that a change whose answer is sure to be lost is
// not made (TRAPS); the folder is opened by its real name, the one that others lock too; signals are caught, so that an interrupt ends
// the wait for the lock, but never a change half-way.
func (a *app) write(cmd *cobra.Command, dir string, flags lockFlags) (context.Context, *writer, error) {
	if flags.wait < 0 {
		return nil, nil, usage("bad-flag", "0s doesn't wait at all", "--wait is negative: %s", flags.wait)
	}
	if err := a.answerable(); err != nil {
		return nil, nil, err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, nil, cannot("unreadable", "", "open folder %q: %s", dir, cause(err))
	}
	folder, err := disk.Open(real)
	if err != nil {
		return nil, nil, cannot("unreadable", "", "open folder %q: %s", dir, cause(err))
	}
	root, err := plan.FindRoot(real, "") // where this plan is, whatever DWP_DIR says of others
	if err != nil {
		folder.Close()
		return nil, nil, cannot("unreadable", "", "%s", err)
	}
	// The agent is told, or found out; a model alone never stands for an agent that was not named.
	w := &writer{path: real, folder: folder, agent: flags.agent, model: flags.model}
	if !cmd.Flags().Changed("agent") {
		w.agent, w.model = a.knownAgent()
	}
	if cmd.Flags().Changed("model") {
		w.model = flags.model
	}
	w.Plan = publish.Plan{
		FS: a.through(folder), Name: filepath.Base(real), Now: a.env.Now, InGit: root.Git != "",
		Owner: disk.Owner{Agent: w.agent, Command: "dwp " + commandName(cmd)}, Wait: flags.wait,
	}
	w.Turn = a.caller(w.FS)
	// Listening starts here and not in Main: commands that only read may be killed at any time, and start faster without.
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	w.stopListening = stop
	return ctx, w, nil
}

// through is a folder as the world of this run lets it be written.
func (a *app) through(folder disk.FS) disk.FS {
	if a.env.Through == nil {
		return folder
	}
	return a.env.Through(folder)
}

// answerable tries standard output with an empty write: a device that is full, or a stream that can't be written, fails
// it. A broken pipe is no reason not to make a change.
func (a *app) answerable() error {
	a.out.Flush()
	if _, err := a.env.Stdout.Write(nil); err != nil && !errors.Is(err, syscall.EPIPE) {
		return cannot("no-output", "", "write standard output: %s; nothing was written", err)
	}
	return nil
}

// failed tells what an error of a change means (DESIGN, Commands). What is not ours could not be done.
func (w *writer) failed(err error) *failure {
	if err == nil {
		return nil
	}
	f := failureOf(err)
	// A publication that was cut off comes first: what cut it off may be any of the others, and is in its message.
	interrupted, cut := errors.AsType[*publish.Interrupted](err)
	refused, no := errors.AsType[*publish.Refused](err)
	locked, held := errors.AsType[*disk.LockedError](err)
	unfinished, half := errors.AsType[*publish.Unfinished](err)
	record, garbled := errors.AsType[*turn.RecordError](err)
	switch {
	case half:
		f = cannot("operation/unfinished", fmt.Sprintf("dwp recover %s finishes it", w.Name), "%s", unfinished)
	case cut:
		f = cannot("publication/unfinished", fmt.Sprintf("dwp recover %s finishes it; with --withdraw it puts the previous state back", w.Name), "%s", interrupted)
	case no:
		f = refusedAs(&refused.Refusal)
	case held:
		f = w.heldBy(locked)
	case errors.Is(err, disk.ErrLockLost), errors.Is(err, disk.ErrMoved):
		f = &failure{exit: ExitLocked, code: "lock-lost", message: err.Error(), hint: "look at the plan, then try again"}
	case garbled:
		f = cannot("bad-record", "put it back as it was, or move it out of the folder: then what it told of its turn is lost", "%s", record)
	case errors.Is(err, context.Canceled):
		f = &failure{exit: ExitInterrupted, code: "interrupted", message: "interrupted; nothing was written"}
	}
	if unverified, ok := errors.AsType[*publish.Unverified](err); ok && !cut {
		f.code, f.hint = "unverified", "dwp verify "+w.Name+" names the rules that were not evaluated"
		f.message = unverified.Error()
	}
	// What does not hold is listed whole, so that one round of mending is enough (VP-1).
	if no {
		f.findings, f.base = refused.Findings, w.path
	}
	return f
}

// refusedAs is a refusal as the command line tells it: rule, requirement, message.
func refusedAs(r *update.Refusal) *failure {
	f := &failure{exit: ExitNo, code: r.Rule, message: fmt.Sprintf("%s (%s): %s", r.Rule, r.Requirement, r.Message), hint: r.Hint}
	switch {
	case r.Usage:
		f.exit = ExitUsage
	case r.Rule == "guard/moved-on", r.Rule == "guard/moving": // not wrong, only late: it may be tried again
		f.exit = ExitLocked
	case r.Rule == "guard/turn-over": // the plan is another's now (UN-2)
		f.exit = ExitLocked
	}
	return f
}

// heldBy names the holder of the lock, and the way to get rid of one that is gone (C59, C61, C63).
func (w *writer) heldBy(e *disk.LockedError) *failure {
	f := &failure{exit: ExitLocked, code: "locked", message: filepath.Join(w.path, e.Path) + strings.TrimPrefix(e.Error(), e.Path)}
	if e.Path == disk.LeaseDir {
		f.hint = fmt.Sprintf("a turn is at work on the plan; if its owner is gone: dwp lock show %s", w.Name)
		return f
	}
	f.hint = fmt.Sprintf("try again later; if its owner is gone: dwp lock show %s", w.Name)
	if e.Stale() {
		f.hint = fmt.Sprintf("its owner is gone: dwp recover %s removes the lock, then call again", w.Name)
	}
	return f
}

// compatibleWrite keeps to the exit codes of the standard's helpers that write: 0 done, 2 for the call itself, 1 for all else.
func (a *app) compatibleWrite(do func() error) error {
	a.unanswered = ExitNo // a lost answer, too, has to fit into the three codes
	f := failureOfOrNil(do())
	if f == nil {
		return nil
	}
	if f.exit != ExitUsage {
		f.exit = ExitNo
	}
	return f
}

// finished notes what a change did: from now on the exit code is that of the change.
func (a *app) finished(changed bool, warnings []string) {
	a.changed = changed
	for _, text := range warnings {
		a.warn(text)
	}
}

// located makes a path that the call names absolute.
func (a *app) located(name string) (string, error) {
	if name == "" {
		return "", usage("no-such-file", "", "the name of a file is empty")
	}
	if filepath.IsAbs(name) {
		return name, nil
	}
	dir, err := a.start()
	return filepath.Join(dir, name), err
}

// maxGiven bounds the files that a call hands over, as a document of a plan is bounded.
const maxGiven = 64 << 20

// given reads a file that the call names. A FIFO or device is refused before it is opened: it would wait for ever.
func (a *app) given(name string) ([]byte, error) {
	path, err := a.located(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = disk.ErrNotRegular
	}
	if err != nil {
		return nil, cannot("unreadable", "", "read %q: %s", name, cause(err))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, cannot("unreadable", "", "read %q: %s", name, cause(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxGiven+1))
	if err == nil && len(data) > maxGiven {
		err = fmt.Errorf("over %d bytes", maxGiven)
	}
	if err != nil {
		return nil, cannot("unreadable", "", "read %q: %s", name, cause(err))
	}
	return data, nil
}

// one returns the plan that a call names, or the only one that is open. A named one need not be readable: recovery and locks
// are for plans in trouble.
func (a *app) one(args []string) (target, error) {
	name, err := a.asked(args)
	if err != nil {
		return target{}, err
	}
	if name == "" {
		t, _, err := a.open(args)
		return t, err
	}
	root, err := a.root()
	if err != nil {
		return target{}, err
	}
	return a.resolve(root, name)
}
