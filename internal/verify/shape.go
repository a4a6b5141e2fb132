package verify

import (
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
	sh.version = s.Standard()
	sh.series = plan.Series(sh.version)
	typed := sh.era == state.V2 || sh.era == state.V5
	sh.current = sh.series == plan.NewestSeries
	sh.older = sh.series < 4 && !(sh.series == 0 && typed)
	sh.bare = sh.older && !typed
	sh.stop = s.Foreign()
	return sh
}

// present reports whether the plan folder has an entry of that path, of any kind.
func present(s *plan.Snapshot, path string) bool {
	_, ok := s.Nodes[path]
	return ok
}
