package update

import (
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
)

// Terms say what a revision of several files may meet that keeps other changes away.
type Terms struct {
	// Promoting: it is the promotion itself, whose marker may stand (LF-9).
	Promoting bool
	// Stateless: it can do with a plan that has no state layer at all, as older plans are (PS-2, PD-9).
	Stateless bool
	// Malformed: state.json may be malformed or missing, for the revision makes it anew from the markdown (PS-18).
	Malformed bool
}

// Revisable decides whether the files of a plan may be revised together: approve, promote, refine, amend, migrate (GU-8, PS-22). The
// plan need not be approved, for approving is a revision; and what its records prove may be at fault, for an amendment is the remedy.
// It returns nil when it may.
func Revisable(s *plan.Snapshot, terms Terms, now time.Time) *Refusal {
	g := &guard{s: s, terms: terms, revising: true, now: now.UTC().Truncate(time.Second)}
	_, manifest := s.Nodes[state.ManifestFile]
	if _, stands := s.Nodes[state.StateFile]; terms.Stateless && !stands && !manifest {
		if s.Moved {
			return refuse("guard/moving", "the plan's folder kept changing while it was read")
		}
		g.st = &state.State{}
		g.terms.Promoting = true // there is no state that could say so
		return g.atRest()
	}
	checks := []func() *Refusal{g.readable, g.atRest, g.wellFormed}
	if terms.Malformed {
		checks = []func() *Refusal{g.mendable, g.atRest}
	}
	for _, check := range checks {
		if r := check(); r != nil {
			return r
		}
	}
	return nil
}

// mendable: the folder holds still, and a state.json that is there was read, whatever it says. One that nobody could look at is not
// made anew: it may be whole (C141).
func (g *guard) mendable() *Refusal {
	file := g.s.Files[state.StateFile]
	_, stands := g.s.Nodes[state.StateFile]
	switch {
	case g.s.Moved:
		return refuse("guard/moving", "the plan's folder kept changing while it was read")
	case file != nil && file.Err != nil:
		return refuse("guard/unreadable", "state.json can't be read: %v", file.Err)
	case stands && file == nil:
		return refuse("guard/unreadable", "state.json is no file that can be read")
	}
	if g.st = g.s.State; g.st == nil {
		g.st = &state.State{}
	}
	return nil
}
