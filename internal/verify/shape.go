package verify

import (
	"strconv"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
)

// Files of a plan that verify names.
const (
	reviewFile     = "analysis_results/SECURITY_REVIEW.md"
	candidatesFile = "analysis_results/SKILLS_CANDIDATES.md"
)

// newest is the series that this tool knows best (PS-22).
const newest = 5

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
	if s.README != nil && s.README.StandardVersion != "" {
		sh.version = s.README.StandardVersion
	} else if s.Manifest != nil {
		sh.version = s.Manifest.SpecVersion
	}
	sh.series = series(sh.version)
	typed := sh.era == state.V2 || sh.era == state.V5
	sh.current = sh.series == newest
	sh.older = sh.series < 4 && !(sh.series == 0 && typed)
	sh.bare = sh.older && !typed
	sh.stop = stopReason(s, sh)
	return sh
}

// series is the major number of a version like "5.0.0" or "4.2"; 0 when it is none.
func series(version string) int {
	major := semver.Major("v" + strings.TrimPrefix(version, "v"))
	n, err := strconv.Atoi(strings.TrimPrefix(major, "v"))
	if err != nil {
		return 0
	}
	return n
}

// knownSeries: 1.x, 2.x, 4.x, 5.x; there is no 3.x (PS-22).
func knownSeries(n int) bool { return n == 1 || n == 2 || n == 4 || n == newest }

// stopReason: a newer standard, an unknown or missing schema, or a newer generation's artefacts end the evaluation: never guess (PS-22).
func stopReason(s *plan.Snapshot, sh shape) string {
	switch {
	case sh.version != "" && !knownSeries(sh.series):
		return "the plan's standard " + shorten(sh.version, 20) + " is not known to this tool"
	case s.Manifest != nil && s.Manifest.Era == state.Unknown:
		return "manifest.json has no known schema"
	case s.State != nil && s.State.Era == state.Unknown:
		return "state.json has no known schema"
	case len(newerArtefacts(s)) > 0:
		return "the plan has artefacts of a newer generation"
	}
	return ""
}

// present reports whether the plan folder has an entry of that path, of any kind.
func present(s *plan.Snapshot, path string) bool {
	_, ok := s.Nodes[path]
	return ok
}

// newerArtefacts lists what only plans of a newer generation hold (PS-22).
func newerArtefacts(s *plan.Snapshot) []string {
	var found []string
	for _, name := range []string{"contract.json", "contracts", "journal.ndjson"} {
		if present(s, name) {
			found = append(found, name)
		}
	}
	return found
}

// canonical writes a version in full: "5.0" is "v5.0.0".
func canonical(version string) string {
	return semver.Canonical("v" + strings.TrimPrefix(version, "v"))
}
