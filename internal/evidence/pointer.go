package evidence

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// resultsFolder is where a plan keeps what its evidence points to (PS-12).
const resultsFolder = "analysis_results/"

// introducers stand before a path that evidence names as its log.
var introducers = []string{"log", "logs", "output", "see", "evidence", "report", "saída", "saida", "salida", "ver", "veja", "véase", "registro", "ดู", "见", "見", "日志", "日誌"}

// Pointers lists the log paths that an evidence text names, each once (PS-12, C81): a path after "log=", "log:", "output:" or
// "see", a text that is nothing but a path, and whatever begins with analysis_results/. Another path in the prose
// ("14 passed in src/app/main_test.go") is no pointer.
func Pointers(text string) []Pointer {
	var found []Pointer
	seen := make(map[string]bool)
	alone := !strings.ContainsFunc(strings.TrimSpace(text), unicode.IsSpace)
	introduced := false
	for word := range strings.FieldsSeq(text) {
		raw, after := value(word)
		name := clean(raw)
		if named := introduced || after; name != "" && (named && pathlike(name) || alone && !after && bare(name) || under(name)) {
			if !seen[name] {
				found = append(found, Pointer{name, inside(name)})
			}
			seen[name] = true
		}
		introduced = introduces(word)
	}
	return found
}

// value cuts "log=x" into its path and tells that a name introduced it.
func value(word string) (string, bool) {
	i := strings.IndexAny(word, "=:\uff1a")
	if i <= 0 || !introduces(word[:i]) {
		return word, false
	}
	return strings.TrimLeft(word[i:], "=:\uff1a"), true
}

// introduces reports whether a word says that a path follows: "log=", "Log:", "(see".
func introduces(word string) bool {
	word = strings.Trim(word, "(*_`\"'=:\uff1a")
	return len(word) < 32 && slices.Contains(introducers, strings.ToLower(word))
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

// pathlike reports whether a word behind an introducer can be a path: it has a folder or a file type.
func pathlike(word string) bool {
	return !strings.Contains(word, "://") && (strings.ContainsAny(word, `/\`) && !fraction(word) || typed(word))
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

// fraction reports whether a word is a count such as "10/10".
func fraction(word string) bool { return strings.Trim(word, "0123456789/%") == "" }

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
