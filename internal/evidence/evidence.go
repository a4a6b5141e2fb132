// Package evidence knows what the words of evidence mean: admissions that a check never ran,
// zero tests selected, exit codes hidden by a filter, pointers to logs, secrets. Phrases are
// data per language (English, Portuguese, Spanish, Thai, Chinese), each with
// examples and counter-examples. It says what the words say, not what happened (GU-11).
// Requirements: PS-7, PS-12, PS-13, AM-3.
package evidence

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

// NeverRan reports whether a text admits that the check never ran (AM-3).
func NeverRan(text string) (Match, bool) { return Match{}, false }

// ZeroSelected reports whether a text says that no test was selected or executed.
func ZeroSelected(text string) (Match, bool) { return Match{}, false }

// Invalidated reports whether a record is marked "invalidated by refine" (PS-13).
func Invalidated(text string) bool { return false }

// Filtered reports whether a command's exit code belongs to a filter: "| tail", "; true" (C77).
func Filtered(command string) (Match, bool) { return Match{}, false }

// TellsFailure reports whether a text tells of failure: "command not found", "3 failed" (C77).
func TellsFailure(text string) (Match, bool) { return Match{}, false }

// Pointers lists the log paths that an evidence text names.
func Pointers(text string) []Pointer { return nil }

// Secrets lists what looks like a secret in a text.
func Secrets(text string) []Secret { return nil }

// Personal reports whether an actor's name holds a personal identifier: an e-mail address, a phone number (PS-7).
func Personal(name string) (Match, bool) { return Match{}, false }

// Command returns the form in which commands are compared: "A " and "A" are one.
func Command(text string) string { return text }

// Negated reports whether a review record denies that its parts were done (TRAPS: "No security … work was done").
func Negated(text string) (Match, bool) { return Match{}, false }
