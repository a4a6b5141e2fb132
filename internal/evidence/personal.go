package evidence

import "strings"

// Personal reports whether an actor's name holds a personal identifier (PS-7): an e-mail address or a phone number. A
// display name ("Ana B.") and a model's name with its numbers ("gpt-5.1") are neither.
func Personal(name string) (Match, bool) {
	if at, ok := email(name); ok {
		return Match{Text: at}, true
	}
	if number, ok := phone(name); ok {
		return Match{Text: number}, true
	}
	return Match{}, false
}

// email returns the first "local@host.domain".
func email(text string) (string, bool) {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '@')
		if i < 0 {
			return "", false
		}
		i += at
		start := i
		for start > at && mailChar(text[start-1], "._%+-") {
			start--
		}
		end := i + 1
		for end < len(text) && mailChar(text[end], ".-") {
			end++
		}
		host := strings.TrimRight(text[i+1:end], ".-")
		dot := strings.LastIndexByte(host, '.')
		// A domain ends with letters: "actions/checkout@v4.1" is a version.
		if start < i && dot > 0 && len(host)-dot > 2 && strings.IndexFunc(host[dot+1:], func(r rune) bool { return '0' <= r && r <= '9' }) < 0 {
			return text[start : i+1+len(host)], true
		}
		at = i + 1
	}
}

// mailChar takes every non-ASCII byte for a letter: addresses may have them.
func mailChar(c byte, extra string) bool {
	return alnum(c) || c >= 0x80 || strings.IndexByte(extra, c) >= 0
}

// phone returns the first run of nine to fifteen digits, written with spaces, hyphens and brackets, that begins a word. From seven
// digits on when a plus introduces it. Dates and version numbers are shorter or belong to a word.
func phone(text string) (string, bool) {
	for i := 0; i < len(text); {
		if c := text[i]; c != '+' && c != '(' && !digit(c) {
			i++
			continue
		}
		start, digits := i, 0
		for i < len(text) && (digit(text[i]) || strings.IndexByte("+ -()", text[i]) >= 0) {
			if digit(text[i]) {
				digits++
			}
			i++
		}
		// Letters or dots that touch the run make it part of a word.
		touched := start > 0 && !strings.ContainsRune(" \t:,;<([\"'", rune(text[start-1])) || i < len(text) && (alnum(text[i]) || text[i] == '.' && i+1 < len(text) && digit(text[i+1]))
		least := 9
		if text[start] == '+' {
			least = 7
		}
		if !touched && digits >= least && digits <= 15 {
			return strings.TrimSpace(text[start:i]), true
		}
	}
	return "", false
}
