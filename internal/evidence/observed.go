package evidence

import (
	"cmp"
	"path"
	"strings"
)

// Observed is what the evidence line of a gate says that dwp itself ran (DESIGN 5): how it ended, what it counted, and where its
// whole output is kept. Anybody can write such a line, so it is no proof (GU-11); its digest only tells that the log is the one that was
// meant.
type Observed struct {
	// Outcome is how the run ended, in words: "exit 0 in 1.2s".
	Outcome string
	// Counts is what the command told of its tests: "14 tests: 13 passed, 0 failed, 1 skipped"; "" when it told nothing.
	Counts string
	// Log is the path of the log, inside the plan's analysis_results; SHA256 its digest, 64 lower-case hexadecimal digits.
	Log, SHA256 string
	// Head is the short name of git's commit, Tree "clean" or "dirty"; both are "" without git.
	Head, Tree string
}

const (
	observedStart  = "observed: "
	observedLog    = "; log="
	observedDigest = " sha256:"
	observedHead   = "; git "
)

// Line is the evidence of a run, one line (PS-12). ParseObserved reads it again.
func (o Observed) Line() string {
	line := observedStart + o.Outcome
	if o.Counts != "" {
		line += "; " + o.Counts
	}
	line += observedLog + o.Log + observedDigest + o.SHA256
	if o.Head != "" {
		line += observedHead + o.Head + " " + cmp.Or(o.Tree, "clean")
	}
	return line
}

// ParseObserved reads the line of an observed run, with or without a mark before or behind it (PS-13). It reports false for every
// other evidence, and for a log outside analysis_results or a digest that is none (C81).
func ParseObserved(text string) (Observed, bool) {
	_, text, found := strings.Cut(text, observedStart)
	at := strings.LastIndex(text, observedLog) // what a command printed stands before it, and may look like anything
	if !found || at < 0 {
		return Observed{}, false
	}
	var o Observed
	o.Outcome, o.Counts, _ = strings.Cut(text[:at], "; ")
	log, rest, ok := strings.Cut(text[at+len(observedLog):], observedDigest)
	if !ok || len(rest) < digestLength || strings.Trim(rest[:digestLength], "0123456789abcdef") != "" {
		return Observed{}, false
	}
	o.Log, o.SHA256 = log, rest[:digestLength]
	if !inside(o.Log) || path.Clean(o.Log) != o.Log || strings.ContainsAny(o.Log, " \t") {
		return Observed{}, false
	}
	if git, ok := strings.CutPrefix(rest[digestLength:], observedHead); ok {
		if words := strings.Fields(git); len(words) >= 2 {
			o.Head, o.Tree = words[0], words[1]
		}
	}
	return o, true
}

// digestLength is that of a SHA-256 in hexadecimal.
const digestLength = 64
