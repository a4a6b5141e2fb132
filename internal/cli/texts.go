package cli

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How long names and texts may be that a call gives, in characters.
const (
	nameLength = 100
	textLength = 500
)

// given is a text that a call gives.
type given struct {
	flag, value string
	most        int
}

// check demands one line of words without control characters, when the flag is given at all.
func (g given) check(changed bool) error {
	flag := "--" + g.flag
	switch {
	case !changed:
		return nil
	case strings.TrimSpace(g.value) == "":
		return usage("bad-flag", "", "%s is empty", flag)
	case !utf8.ValidString(g.value):
		return usage("bad-flag", "", "%s is not UTF-8", flag)
	case strings.ContainsFunc(g.value, func(r rune) bool { return unicode.IsControl(r) || isHarmful(r) }):
		return usage("bad-flag", "write one line", "%s has more than one line, or a control character", flag)
	case utf8.RuneCountInString(g.value) > g.most:
		return usage("bad-flag", "", "%s has %d characters; at most %d are allowed", flag, utf8.RuneCountInString(g.value), g.most)
	}
	return nil
}
