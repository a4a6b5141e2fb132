package plan

import (
	"path"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/state"
)

// Documents of a plan besides the JSON files, as slash paths.
const (
	readmeFile     = "README.md"
	progressFile   = "PROGRESS.md"
	promptsFile    = "PROMPTS.md"
	resultsDir     = "analysis_results"
	turnsDir       = resultsDir + "/turns/" // records of unattended turns (UN-2)
	ReviewFile     = resultsDir + "/SECURITY_REVIEW.md"
	CandidatesFile = resultsDir + "/SKILLS_CANDIDATES.md"
	// QuestionsFile is where questions wait for a person (PD-12). No receipt covers it: answers come when they come.
	QuestionsFile = resultsDir + "/QUESTIONS.md"
	// HubFile is what a hub coordinates, and its tracking table (AG-4).
	HubFile = "ORCHESTRATOR_MANIFEST.md"
)

// isDocument reports whether the file at a slash path is read for what it says, whatever the
// size of the folder. Logs that evidence names come on top.
func isDocument(p string) bool {
	switch p {
	case readmeFile, progressFile, promptsFile, ReviewFile, CandidatesFile, QuestionsFile, HubFile,
		state.ManifestFile, state.StateFile, state.ReceiptFile, state.FinalizeMark:
		return true
	}
	if _, ok := TaskNumber(p); ok {
		return holdsTasks(path.Dir(p))
	}
	dir, name := path.Split(p)
	return dir == state.LockDir+"/" && strings.HasPrefix(name, "owner-") && path.Ext(name) == ".json"
}

// holdsTasks reports whether task files in a folder belong to the plan (C39). Results may hold copies
// of anything, and folders with a dot hold the staged files of an operation.
func holdsTasks(dir string) bool {
	if dir == "." {
		return true
	}
	top, _, _ := strings.Cut(dir, "/")
	return top != resultsDir && !strings.HasPrefix(dir, ".") && !strings.Contains(dir, "/.")
}

// TaskNumber reads the number in the file name of a slash path like 3.task_cache.md.
func TaskNumber(p string) (int, bool) {
	digits, rest, ok := strings.Cut(path.Base(p), ".task_")
	if !ok || !strings.HasSuffix(rest, ".md") || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	number, err := strconv.Atoi(digits)
	return number, err == nil
}
