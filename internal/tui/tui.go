// Package tui shows a run of turns while it goes on: a live view on terminals, plain lines elsewhere. It is given what happens, reads no
// plan, decides nothing, and writes to the terminal only (PS-20). Whatever an agent or a plan says is cleaned first: it can't move the
// cursor or fake the frame (C157). Requirements: the live view of UN-2.
package tui

import (
	"io"
	"time"
)

// Settings are what stays the same during a run.
type Settings struct {
	Plan, Agent string
	Begun       time.Time
	Turns       int // bounds of the run; see turn.Budget
	Time        time.Duration
	Cost        float64 // US dollars; 0 when it is not known what turns cost
	Colour      bool
	Now         func() time.Time
}

// Kind is what an event changes of the view.
type Kind int

// Kinds of events.
const (
	Note        Kind = iota // something that happened, worth a line that stays
	Passing                 // something on the way: the live view shows it by what it does next
	Handed                  // a task is the agent's now
	Ended                   // a turn has ended
	Interrupted             // the run is about to end, because a person wants that
)

// Event is something that happens in a run.
type Event struct {
	Kind  Kind
	At    time.Time
	Text  string // one line
	Turn  int    // in the run, from 1; 0 leaves what was said before, as with Total
	Task  int
	Title string
	Limit time.Duration // Handed: of this turn
	Gates []string      // Ended: commands that pass now
	// Done and Total count the plan's tasks.
	Done, Total int
	Cost        float64 // so far
}

// Plain shows a run as lines, one for each event, with its time in UTC: for files, pipes and dumb terminals.
type Plain struct{ W io.Writer }

// Show writes one line.
func (p Plain) Show(e Event) {
	if text := Clean(e.Text); text != "" {
		io.WriteString(p.W, e.At.UTC().Format(time.RFC3339)+" "+text+"\n")
	}
}

// Write takes the agent's output, and shows none of it: it is in the turn's log.
func (Plain) Write(p []byte) (int, error) { return len(p), nil }

// Close ends the view.
func (Plain) Close() {}
