// Package turn takes one unattended turn of a plan: it wakes, resumes, hands at most the next task to an agent, judges by
// evidence what came of it, and yields (UN-2). What stops it is decided by pure rules (UN-3). It holds the lease turn.lease,
// and the state lock only while it writes itself; the agent's own dwp commands take that for themselves.
// Requirements: UN-1 to UN-3, WP-4 as far as turns go, GU-10, PS-20.
package turn

import (
	"context"
	"io"
	"time"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/publish"
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
	Env    []string
	Dwp    string // the program by which the agent calls dwp
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
	// Record is the turn's record; nil when no agent was woken and nothing stopped (C97, C103).
	Record   *Record
	Warnings []string
}

// Take takes one turn. A *publish.Refused names the precondition that is missing (UN-1): nothing was written.
func (t *Turn) Take(ctx context.Context) (Outcome, error) { panic("not built") }
