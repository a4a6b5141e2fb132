package planmd

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTaskNumber bounds task numbers; a longer run of digits is no number of a task.
const maxTaskNumber = 999_999

// name is a task named at the start of a text: "Task 3 (urgent): y", "4. z", "#9 title".
type name struct {
	id        int
	tag       string
	word      bool // the word for Task stands before the number
	separated bool // a colon, dash or the like, or nothing, follows
	rest      int  // where the title begins
}

// scanName reads a task name at the very start of a text without markup before it. "Task 1.1" is a step
// of a task and no task, and neither are "Task 1-3" and "Task 1/3".
func scanName(s string) (name, bool) {
	var n name
	i := 0
	if r, _ := utf8.DecodeRuneInString(s); unicode.IsLetter(r) {
		for i < len(s) && i < maxLabel {
			r, size := utf8.DecodeRuneInString(s[i:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) {
				break
			}
			i += size
		}
		if !taskWord(s[:i]) {
			return n, false
		}
		n.word = true
		i += gap(s[i:])
		if strings.HasPrefix(s[i:], "-") {
			i++
		}
	}
	if strings.HasPrefix(s[i:], "#") {
		n.word = true
		i++
	}
	// A bare "0." is a list that starts at nought; "Task 0" is meant and then found out of order.
	id, digits := scanNumber(s[i:])
	if digits == 0 || id == 0 && !n.word {
		return n, false
	}
	n.id, i = id, i+digits
	if !numberEnds(s[i:]) {
		return n, false
	}
	// From here on the number is settled; what follows only says how well it is set apart.
	n.tag, i = scanTag(s, i)
	n.rest, n.separated = scanSeparator(s, i)
	return n, n.word || n.separated && n.rest > i
}

// gap measures spaces, those that do not break included.
func gap(s string) int {
	return len(s) - len(strings.TrimLeft(s, " \t\u00a0\u3000"))
}

// scanNumber reads digits: their value and how many.
func scanNumber(s string) (value, digits int) {
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		if value = value*10 + int(s[digits]-'0'); value > maxTaskNumber {
			return 0, 0
		}
		digits++
	}
	return value, digits
}

// numberEnds reports whether what follows digits lets them be a whole number.
func numberEnds(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	if s == "" {
		return true
	}
	next, _ := utf8.DecodeRuneInString(s[size:])
	if strings.ContainsRune(".-/,\u2013", r) && unicode.IsDigit(next) {
		return false
	}
	return r >= utf8.RuneSelf || !unicode.IsLetter(r) && r != '_'
}

// scanTag reads "(urgent)" or "[urgent]" between the number and a separator.
func scanTag(s string, at int) (tag string, end int) {
	i := at + gap(s[at:])
	for _, pair := range [...][2]string{{"(", ")"}, {"[", "]"}, {"\uff08", "\uff09"}} {
		inner, ok := strings.CutPrefix(s[i:], pair[0])
		if !ok {
			continue
		}
		n := strings.Index(inner[:min(len(inner), maxLabel)], pair[1])
		if n < 0 {
			return "", at
		}
		end = len(s) - len(inner) + n + len(pair[1])
		if _, separated := scanSeparator(s, end); !separated {
			return "", at
		}
		return strings.TrimSpace(inner[:n]), end
	}
	return "", at
}

// nameSeparators are what stands between the number and the title of a task.
const nameSeparators = ":.)|-\u2014\u2013\u2212\uff1a\u3001\u2192\uff0e"

// scanSeparator skips markup and one separator; ok also when nothing follows.
func scanSeparator(s string, at int) (rest int, ok bool) {
	i := at + len(s[at:]) - len(strings.TrimLeft(s[at:], " \t\u00a0*_~]"))
	if i == len(s) {
		return i, true
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	// "Task 2 builds on" names a task in a sentence; without a separator it makes no index line.
	if !strings.ContainsRune(nameSeparators, r) {
		return at, false
	}
	if next := i + size; next < len(s) && (r == '-' && i == at && s[next] != ' ' || r == '.' && isWordByte(s[next])) {
		return at, false // "1-x" is a word, "1.x" a version
	}
	// " -- " is one dash.
	for i += size; strings.HasPrefix(s[i:], "-"); i++ {
	}
	return i + len(s[i:]) - len(strings.TrimLeft(s[i:], " \t\u00a0*_~")), true
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// taskFile returns the number in a file name of the form N.task_<slug>.md, whatever folder it is in.
func taskFile(target string) (id int, ok bool) {
	base := target[strings.LastIndexByte(target, '/')+1:]
	id, digits := scanNumber(base)
	if digits == 0 || len(base) < digits+len(".task") {
		return 0, false
	}
	rest := strings.ToLower(base[digits:])
	return id, strings.ContainsAny(rest[:1], "._-") && strings.HasPrefix(rest[1:], "task") && strings.HasSuffix(rest, ".md")
}

// taskName reads a task name at the start of a span, behind emphasis and emoji. When the name stands inside a
// link, rest is an offset inside or behind it.
func (p *page) taskName(s Span) (name, bool) {
	i := s.Start + skipMarkup(p.mask[s.Start:s.End])
	n, ok := scanName(string(p.mask[i:s.End]))
	n.rest += i
	return n, ok
}

// skipMarkup measures emphasis, opening brackets, spaces and emoji.
func skipMarkup(m []byte) int {
	i := 0
	for {
		n := i + leadingSymbols(m[i:])
		for n < len(m) && (m[n] == '*' || m[n] == '_' || m[n] == '~' || m[n] == '[' || m[n] == commentByte) {
			n++
		}
		if n == i {
			return i
		}
		i = n
	}
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
