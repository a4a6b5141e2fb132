package evidence

import (
	"path"
	"strings"
	"unicode"
)

// resultsFolder is where a plan keeps what its evidence points to (PS-12).
const resultsFolder = "analysis_results/"

// introducer is what a word before a path makes of it.
type introducer int

const (
	noWord introducer = iota
	// mentions also stand before paths that are only spoken of: "see docs/rates.md", "report: build/coverage/index.html".
	mentions
	// names say that the path is the log.
	names
)

// introducers stand before a path.
func introducers(word string) introducer {
	switch word {
	case "log", "logs", "evidence", "registro", "日志", "日誌":
		return names
	case "output", "see", "report", "saída", "saida", "salida", "ver", "veja", "véase", "ดู", "见", "見":
		return mentions
	}
	return noWord
}

// Pointers lists the log paths that an evidence text names, each once (PS-12, C81): a path after "log=" or "log:", one that
// leaves the repository after "output:" or "see", a text that is nothing but a path, and whatever begins with
// analysis_results/. Another path in the prose ("14 passed in src/app/main_test.go", "see docs/rates.md") is no pointer.
func Pointers(text string) []Pointer {
	var found []Pointer
	seen := make(map[string]bool)
	alone := !strings.ContainsFunc(strings.TrimSpace(text), unicode.IsSpace)
	introduced := noWord
	for word := range strings.FieldsSeq(text) {
		raw, after := value(word)
		name := clean(raw)
		kind := max(introduced, after)
		if name != "" && (kind == names && logPath(name) || kind == mentions && leaving(name) || alone && after == noWord && bare(name) || under(name)) {
			if !seen[name] {
				found = append(found, Pointer{name, inside(name)})
			}
			seen[name] = true
		}
		introduced = introduces(word)
	}
	return found
}

// value cuts "log=x" into its path and tells what the name before it makes of it.
func value(word string) (string, introducer) {
	i := strings.IndexAny(word, "=:\uff1a")
	if i <= 0 {
		return word, noWord
	}
	kind := introduces(word[:i])
	if kind == noWord {
		return word, noWord
	}
	return strings.TrimLeft(word[i:], "=:\uff1a"), kind
}

// introduces tells whether a word says that a path follows: "log=", "Log:", "(see".
func introduces(word string) introducer {
	word = strings.Trim(word, "(*_`\"'=:\uff1a")
	if len(word) >= 32 {
		return noWord
	}
	return introducers(strings.ToLower(word))
}

// clean drops the quotes and sentence marks around a path, and a line number or fragment behind it.
func clean(word string) string {
	word = strings.TrimLeft(word, "`\"'(<[*")
	const marks = "`\"')>],;:!*。，；）"
	word = strings.TrimRight(word, marks)
	if strings.HasSuffix(word, ".") && !strings.HasSuffix(word, "..") {
		word = strings.TrimRight(word[:len(word)-1], marks)
	}
	if i := strings.IndexByte(word, '#'); i > 0 {
		word = word[:i]
	}
	for range 2 {
		i := strings.LastIndexByte(word, ':')
		if i <= 1 || strings.Trim(word[i+1:], "0123456789") != "" {
			break
		}
		word = word[:i]
	}
	return word
}

// logPath reports whether a word that is named as a log is a path: it has a file type, or leaves the repository. "Log lines/s"
// and "log: 10/10" are none.
func logPath(word string) bool {
	return !strings.Contains(word, "://") && (typed(word) || rooted(word))
}

// leaving reports whether a word behind "see" is a file outside the repository; "see /login" is a page.
func leaving(word string) bool {
	return !strings.Contains(word, "://") && rooted(word) && (typed(word) || strings.HasPrefix(slashes(word), "../"))
}

// rooted reports whether a path begins at the root, at home, or above the folder.
func rooted(word string) bool {
	word = slashes(word)
	return strings.HasPrefix(word, "/") && len(word) > 1 || strings.HasPrefix(word, "../") || strings.HasPrefix(word, "~/") || drive(word)
}

// bare reports whether a text of one word is a path: more is asked of it, since "10/10" and "ran=3/3" are one word too.
func bare(word string) bool {
	if strings.Contains(word, "://") || strings.Contains(word, "=") || !strings.ContainsAny(word, `/\`) {
		return false
	}
	for _, prefix := range []string{"/", "./", "../", "~/", `\`, `.\`, `..\`} {
		if strings.HasPrefix(word, prefix) {
			return true
		}
	}
	return drive(word) || typed(word)
}

// typed reports whether a word ends with a file type: ".log", not ".5s" or a lone ".".
func typed(word string) bool {
	name := path.Base(slashes(word))
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || i == len(name)-1 || len(name)-i > 9 {
		return false
	}
	kind := name[i+1:]
	return unicode.IsLetter(rune(kind[0])) && strings.IndexFunc(kind, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
}

func drive(word string) bool {
	return len(word) > 2 && word[1] == ':' && (word[2] == '\\' || word[2] == '/')
}

func slashes(word string) string { return strings.ReplaceAll(word, `\`, "/") }

// under reports whether a path begins in the results folder as written, wherever it then leads.
func under(word string) bool {
	word = strings.TrimPrefix(slashes(word), "./")
	return strings.HasPrefix(word, resultsFolder) && len(word) > len(resultsFolder)
}

// inside reports whether a path stays in the results folder after cleaning: "analysis_results/../../x" does not.
func inside(word string) bool {
	return !drive(word) && strings.HasPrefix(path.Clean(slashes(word)), resultsFolder)
}
