package update

import "github.com/deepworkplan/dwp/internal/evidence"

// intact reports whether the log of an observed run is still the one that its evidence names (PS-12): no task is completed on one that was
// changed. A log that could not be read says nothing here; verify then leaves the rule unevaluated.
func (g *guard) intact(r *record) (id, why string, ok bool) {
	o, observed := evidence.ParseObserved(r.Evidence)
	if f := g.s.Files[o.Log]; observed && f != nil && f.Err == nil && f.SHA256() != o.SHA256 {
		return "evidence/log-digest", "names a log that was changed after the run", false
	}
	return "", "", true
}
