package work

import (
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
)

// This file: a base that lacks what the command needs. Its copy has what is in the commit and nothing that was installed beside it, and many
// tools end with exit 1 when they find nothing, as they do for a failing test (WP-4).

// absences are words by which tools tell that something is not installed, in lower case.
var absences = []string{"cannot find module", "cannot find package", "module_not_found", "module not found", "modulenotfounderror", "no module named", "node_modules",
	"command not found", "cannot load such file", "could not find gem", "bundler: ", "could not resolve dependencies", "failed to open stream", "vendor/autoload.php",
	"inconsistent vendoring", "is not installed", "please install", "please run", "did you run", "no such file or directory"}

// absent is what a run on the base says is missing there and the run with the work doesn't; "" for nothing.
func absent(there, here string) string {
	there, here = strings.ToLower(there), strings.ToLower(here)
	for _, words := range absences {
		if strings.Contains(there, words) && !strings.Contains(here, words) {
			return strings.TrimSpace(words)
		}
	}
	return ""
}

// failureLog is the log of an observed run; "" when it is not as it was.
func failureLog(s *plan.Snapshot, r *GateRecord) string {
	if f := s.Files[r.LogPath]; f != nil && r.Observed && r.Log == LogIntact {
		return string(f.Data)
	}
	return ""
}
