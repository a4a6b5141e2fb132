package evidence

import "strings"

// How the evidence of a failure begins that was proven on the base branch (WP-4): "on base 0123456789ab it fails, too: observed: ...".
const (
	baseStart = "on base "
	baseEnd   = " it fails, too: "
	baseName  = 12 // hexadecimal digits of the commit
)

// BaseLine is the evidence of a run on a base commit, given by its whole name, that failed as the task's own does; observed is the line of that run.
func BaseLine(commit string, observed Observed) string {
	return baseStart + commit[:min(len(commit), baseName)] + baseEnd + observed.Line()
}

// OnBase reports whether evidence tells of a failure that was proven on the base branch by dwp: no fault of the task, and no pass either
// (WP-4). As with every observed line, anybody can write it (GU-11).
func OnBase(text string) bool {
	_, ok := BaseCommit(text)
	return ok
}

// BaseCommit is the base commit that such evidence names.
func BaseCommit(text string) (string, bool) {
	rest, found := strings.CutPrefix(strings.TrimSpace(text), baseStart)
	if !found || len(rest) < baseName || strings.Trim(rest[:baseName], "0123456789abcdef") != "" || !strings.HasPrefix(rest[baseName:], baseEnd+observedStart) {
		return "", false
	}
	_, observed := ParseObserved(rest)
	return rest[:baseName], observed
}
