// Package evidence knows what the words of evidence mean: admissions that a check never ran,
// zero tests selected, exit codes hidden by a filter, pointers to logs, secrets. Phrases are
// data per language (English, Portuguese, Spanish, Thai, Chinese), each with
// examples and counter-examples. It says what the words say, not what happened (GU-11).
// Requirements: PS-7, PS-12, PS-13, AM-3.
package evidence

import (
	"strings"
	"sync"
)

// Match is a phrase that was found.
type Match struct {
	Text     string // the words that matched, as written
	Language string // BCP 47: en, pt, es, th, zh; "" for language-neutral forms
	// Hint marks a weak phrase: advice, not proof (AM-3: listed phrases are must, hints are should).
	Hint bool
}

// Pointer is a path that evidence names as its log.
type Pointer struct {
	Path string // as written
	// Inside says that it stays under the plan's own analysis_results/ after cleaning (C81).
	Inside bool
}

// Secret is a token-shaped or key-shaped text (PS-7, C161). Kind names the shape ("GitHub token"); the
// text itself is never kept: Start and End give its place.
type Secret struct {
	Kind       string
	Start, End int
}

// The matchers are compiled on first use: a command that reads no evidence doesn't pay for them.
var (
	neverMatcher   = sync.OnceValue(func() *matcher { return compile(neverTopic()) })
	ranMatcher     = sync.OnceValue(func() *matcher { return compile(ranTopic()) })
	zeroMatcher    = sync.OnceValue(func() *matcher { return compile(zeroTopic()) })
	failureMatcher = sync.OnceValue(func() *matcher { return compile(failureTopic()) })
	denialMatcher  = sync.OnceValue(func() *matcher { return compile(denialTopic()) })
	refineMatcher  = sync.OnceValue(func() *matcher { return compile(refineTopic()) })
)

// NeverRan reports whether a text admits that the check never ran (AM-3). An admission about a part, beside
// a count of passed tests, is a hint; so are words that only sound like one ("assumed fine").
func NeverRan(text string) (Match, bool) { return neverMatcher().find(text, anyRan) }

// ZeroSelected reports whether a text says that no test was selected or executed (PS-13). "0 tests" of one
// package beside the passed tests of another doesn't.
func ZeroSelected(text string) (Match, bool) {
	m, ok := zeroMatcher().find(text, anyRan)
	if !ok || m.Hint {
		return Match{}, false
	}
	return m, true
}

// Invalidated reports whether a record is marked "invalidated by refine" (PS-13).
func Invalidated(text string) bool {
	_, ok := refineMatcher().find(text, never)
	return ok
}

// TellsFailure reports whether a text tells of failure: "command not found", "3 failed" (C77). Beside a count of
// passed tests, words that a passing test may speak of too ("permission denied") are a hint.
func TellsFailure(text string) (Match, bool) { return failureMatcher().find(text, ran) }

// Negated reports whether a review record denies that its parts were done (TRAPS: "No security … work was done").
func Negated(text string) (Match, bool) { return denialMatcher().find(text, never) }

// Command returns the form in which commands are compared: "A " and "A" are one (TRAPS, GU-4). White space inside
// is kept, since quotes may give it meaning.
func Command(text string) string { return strings.TrimSpace(text) }

// ran reports whether a text tells of tests that did run.
func ran(text string) bool {
	_, ok := ranMatcher().find(text, never)
	return ok
}

// anyRan reports whether tests did run, by their count or by go test's "ok" lines.
func anyRan(text string) bool { return ran(text) || packagesRan(text) }

// packagesRan reports whether go test tells of a package with tests: an "ok" line without
// "[no tests to run]".
func packagesRan(text string) bool {
	packages, state := 0, 0
	for word := range strings.FieldsSeq(text) {
		timed := word == "(cached)" || word[0] >= '0' && word[0] <= '9' && strings.HasSuffix(strings.TrimRight(word, ",;"), "s")
		switch {
		case word == "ok":
			state = 1
		case state == 1 && word != "in" && !timed:
			state = 2
		case state == 2 && (timed || strings.HasPrefix(word, "(cached)")):
			packages, state = packages+1, 0
		default:
			state = 0
		}
	}
	return packages > strings.Count(text, "[no tests to run]")
}

func never(string) bool { return false }

// refineTopic is the mark that refine and reopen leave on a record (PS-13). It is written in English whatever the
// plan's language.
func refineTopic() topic {
	return topic{
		phrases: []phrase{{
			"invalidated by refine", "", proof,
			[]string{"[invalidated by refine] 14 passed", "Invalidated by refine on 2026-09-01", "14 passed (invalidated by refine)"},
			[]string{"not invalidated by refine", "invalidated the cache by refining", "refine ran"},
		}},
		cues:   map[string]string{"": "refine"},
		before: []string{"not", "never"},
	}
}
