package verify

import (
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
)

// shape says by which rules a plan is judged: its standard, generation and format (PD-9, PS-22).
type shape struct {
	// version is the standard in force: the README's Standard line, else the manifest's spec_version; "" undeclared.
	version string
	series  int // the major version; 0 undeclared or unreadable
	era     state.Era
	lite    bool
	// current: standard 5. older: a standard before 4, or none and no typed generation (PD-9).
	current, older bool
	// bare: older, and without a typed generation: such plans owe less of PD-3 and PD-4.
	bare bool
	// hasJSON: at least one file of the state layer is there.
	hasJSON bool
	// stop says why only a few rules can be evaluated (PS-22), or "".
	stop string
}

func shapeOf(s *plan.Snapshot, view plan.Overview) shape {
	sh := shape{era: view.Era, lite: view.Format == "lite"}
	sh.hasJSON = present(s, state.ManifestFile) || present(s, state.StateFile)
	sh.stop = s.Foreign()
	return sh.under(s.Standard())
}

// under is the shape of the same files under a version of the standard.
func (sh shape) under(version string) shape {
	sh.version = version
	sh.series = plan.Series(version)
	typed := sh.era == state.V2 || sh.era == state.V5
	sh.current = sh.series == plan.NewestSeries
	sh.older = sh.series < 4 && !(sh.series == 0 && typed)
	sh.bare = sh.older && !typed
	return sh
}

// shapeOf is the shape by which the record of a task is judged: a task that was completed before a declared migration, or on its
// day, keeps the shape of the standard that was in force then (PD-9). One whose completion has no date is as old as its plan.
func (c *checker) shapeOf(t plan.TaskView) shape {
	if c.s.README == nil || !isDone(t) {
		return c.shape
	}
	for _, m := range c.s.README.Migrations {
		day, err := time.Parse(time.DateOnly, m.On)
		if err != nil || !c.opt.Now.IsZero() && day.After(c.opt.Now) {
			continue // without a day, or with one to come, it tells of no task that it was completed before
		}
		if t.Entry == nil || t.Entry.CompletedAt == nil || t.Entry.CompletedAt.Value.Before(day.AddDate(0, 0, 1)) {
			return c.shape.under(m.From)
		}
	}
	return c.shape
}

// present reports whether the plan folder has an entry of that path, of any kind.
func present(s *plan.Snapshot, path string) bool {
	_, ok := s.Nodes[path]
	return ok
}
