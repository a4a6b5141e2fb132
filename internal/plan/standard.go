package plan

import (
	"strconv"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/deepworkplan/dwp/internal/state"
)

// This file: which version of the standard a plan is under, and whether this code knows it (PS-22).

// NewestSeries is the major number of the newest standard that this code knows.
const NewestSeries = 5

// Standard is the version of the standard in force (PS-22): the README's Standard line, else the manifest's
// spec_version; "" when neither names one.
func (s *Snapshot) Standard() string {
	if s.README != nil && s.README.StandardVersion != "" {
		return s.README.StandardVersion
	}
	if s.Manifest != nil {
		return s.Manifest.SpecVersion
	}
	return ""
}

// Series is the major number of a version like "5.0.0" or "4.2"; 0 when the text is none.
func Series(version string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(semver.Major(withV(version)), "v"))
	if err != nil {
		return 0
	}
	return n
}

// KnownStandard reports whether a version belongs to a series that this code knows: 1.x, 2.x, 4.x or 5.x. There never
// was a 3.x (PS-22).
func KnownStandard(version string) bool {
	n := Series(version)
	return n == 1 || n == 2 || n == 4 || n == NewestSeries
}

// CompareStandards orders two versions, which may be written short: 5.0 is 5.0.0. What is no version comes first.
func CompareStandards(a, b string) int { return semver.Compare(withV(a), withV(b)) }

// withV writes a version as semver wants it.
func withV(version string) string { return "v" + strings.TrimPrefix(version, "v") }

// NewerArtefacts lists what only plans of a newer generation hold (PS-22, C43), as slash paths.
func (s *Snapshot) NewerArtefacts() []string {
	var found []string
	for _, name := range []string{"contract.json", "contracts", "journal.ndjson"} {
		if s.has(name) {
			found = append(found, name)
		}
	}
	return found
}

// Foreign says why this code must not judge or work the plan, or "": its standard, schema or artefacts are unknown, and
// nothing is guessed about them (PS-22, C41, C43). Deleting the schema doesn't make a plan older (PD-9).
func (s *Snapshot) Foreign() string {
	switch standard := s.Standard(); {
	case standard != "" && !KnownStandard(standard):
		return "the plan's standard is not known to this version of dwp"
	case s.Manifest != nil && s.Manifest.Era == state.Unknown:
		return state.ManifestFile + " names no known schema"
	case s.State != nil && s.State.Era == state.Unknown:
		return state.StateFile + " names no known schema"
	case len(s.NewerArtefacts()) > 0:
		return "the plan has files of a newer generation of the standard"
	}
	return ""
}
