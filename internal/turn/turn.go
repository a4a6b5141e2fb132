// Package turn takes one unattended turn of a plan: it wakes, resumes, hands at most the next task to an agent, judges by
// evidence what came of it, and yields (UN-2). What stops it is decided by pure rules (UN-3). It holds the lease turn.lease,
// and the state lock only while it writes itself; the agent's own dwp commands take that for themselves.
// Requirements: UN-1 to UN-3, WP-4 as far as turns go, GU-10, PS-15, PS-20.
package turn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// Turn is a turn that is asked for.
type Turn struct {
	Plan publish.Plan
	Path string    // of the plan folder, absolute
	Dir  string    // the folder in which the agent works
	Repo *git.Repo // its work tree; nil without git

	Agent  *agent.Adapter
	Model  string
	Resume string // the conversation to go on with; "" for a new one
	// GoOn goes on with the conversation of the turn before, when that was about the same task, by the same agent, which can do so.
	GoOn bool
	Env  []string
	Dwp  string // the program by which the agent calls dwp
	// MaxTime ends the agent; 0 is not allowed: a turn has an end.
	MaxTime time.Duration
	// Observed demands that every gate of a completed task was seen by dwp itself, not only recorded.
	Observed bool
	// Fence is the number of the queue's lease on the plan, and Queue its name; zero without a queue.
	Queue string
	Fence int64

	Configured []update.EnvValue
	// Output gets the agent's output, masked, as it comes; Tell what happens. Both may be nil.
	Output io.Writer
	Tell   func(Event)

	parts *parts // nil for the real ones
}

// Event is something that happens in a turn, for those who watch.
type Event struct {
	Kind  EventKind
	At    time.Time
	Turn  int
	Task  int
	Title string // of the task
	Text  string // one line
}

// EventKind is a kind of event.
type EventKind string

// Events.
const (
	Woke     EventKind = "woke"     // lease taken, plan read
	Mended   EventKind = "mended"   // something left half done was finished, a dead owner's lock removed
	Handed   EventKind = "handed"   // the task is the agent's now
	Returned EventKind = "returned" // the agent has ended
	Judged   EventKind = "judged"
	Stopped  EventKind = "stopped"
)

// Outcome is what became of a turn.
type Outcome struct {
	Result Result
	// Stop is why it stopped, or was stopped before; nil when it may go on.
	Stop *Stop
	// Blocked is the blocker that stands in the plan at the end; nil for none.
	Blocked *state.Blocker
	// Record is the turn's record; nil when no agent was woken and nothing stopped (C97, C103).
	Record *Record
	// Mended tells what was found half done and finished, each in one line.
	Mended   []string
	Warnings []string
}

// notRun makes a NotRun of what an adapter says; the agent is named once.
func (k *taking) notRun(err error) error {
	reason := strings.TrimPrefix(err.Error(), fmt.Sprintf("agent %q: ", k.Agent.Name))
	if fault, ok := errors.AsType[*agent.Fault](err); ok && fault.Hint != "" {
		reason += "; " + fault.Hint
	}
	return &NotRun{k.Agent.Name, reason}
}

// NotRun says that the agent could not be run. When a turn had begun, its record says so, too.
type NotRun struct {
	Agent, Reason string
}

func (e *NotRun) Error() string { return "the agent " + e.Agent + " could not be run: " + e.Reason }

// Take takes one turn. The order of steps, and what is on disk at each instant:
//
//  1. read the plan; what is not ready is refused, and nothing was written (UN-1, C103)
//  2. complete, or blocked as a whole: that is the answer. Not a byte changes, however often it is asked (C03, C97), unless a dead turn
//     left something, which is then finished first
//  3. take the lease; that of an owner who is provably dead, or has a lower number of the same queue, is removed first (GU-10)
//  4. the record of a turn that never ended becomes "lost", and what it left running is ended; the lock of a dead owner is removed, an
//     operation or publication that was cut off finished; the last turn's line of PROGRESS.md, and its blocker, when they are missing
//  5. read again; resume; what follows from what is there is mended. A stop condition that holds now: 9, without an agent
//  6. write analysis_results/turns/<n>.json, "open"
//  7. run the agent, holding no lock; the lease is looked at all the while. Lost: the agent is ended, nothing more is written
//  8. write <n>.log; finish what the agent left half done; a checkpoint, when a person ended it (PS-15); read the plan again; judge
//  9. write <n>.json, with its result
//  10. PROGRESS.md gets its line and the task its blocker, in one operation
//  11. give the lease back
//
// The record of 9 says what 10 has to do: cut off between them, the next turn does it, in its step 4; done already, nothing is done twice.
//
// A *publish.Refused names what is missing, a *disk.LockedError who holds the plan, a *NotRun why there was no agent; disk.ErrLockLost says
// that the lease was lost.
func (t *Turn) Take(ctx context.Context) (Outcome, error) {
	k := t.taking()
	if over, err := k.asked(ctx); over || err != nil {
		return k.out, err
	}
	if err := k.take(ctx); err != nil {
		return k.out, err
	}
	err := k.held(ctx)
	if left := k.lease.Release(); left != nil {
		k.warn("%v", left)
	}
	return k.out, err
}

// Rehearsal is what a turn would do.
type Rehearsal struct {
	Turn, Task int
	Prompt     string
	Command    runner.Command
	// Outcome is set when no agent would be woken: its Result is not Open then.
	Outcome Outcome
}

// Rehearse tells what Take would do. It writes nothing, takes no lease, and wakes nobody.
func (t *Turn) Rehearse(ctx context.Context) (Rehearsal, error) {
	k := t.taking()
	over, err := k.asked(ctx)
	if over || err != nil || k.resting() { // what a dead turn left is for a turn to finish
		return Rehearsal{Outcome: k.out}, err
	}
	k.survey(ctx)
	if stop := k.hindered(); stop != nil {
		k.out.Result, k.out.Stop = StoppedNow, stop
		return Rehearsal{Task: stop.Task, Outcome: k.out}, nil
	}
	k.n = k.number() + 1
	call := k.call(filepath.Join(k.Path, filepath.FromSlash(k.promptFile())))
	cmd, err := k.command(k.Agent, call)
	if err != nil {
		return Rehearsal{}, k.notRun(err)
	}
	cmd.Dir = k.Dir
	k.out.Result = Open
	return Rehearsal{Turn: k.n, Task: k.task.ID, Prompt: call.Prompt, Command: cmd, Outcome: k.out}, nil
}

// blockerOf is the blocker of a plan, or nil.
func blockerOf(s *plan.Snapshot) *state.Blocker {
	if s == nil || s.State == nil {
		return nil
	}
	return s.State.Blocked
}
