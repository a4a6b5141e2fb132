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
	for _, check := range []func() *Refusal{g.readable, g.atRest, g.wellFormed} {
		if r := check(); r != nil {
			return r
		}
	}
	return nil
}
