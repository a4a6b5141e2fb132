package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cleanLine makes any text fit to stand in one line of a terminal (C157: stored text can't fake its frame): white space becomes
// a single space, control and direction characters become visible escapes, bytes that are not UTF-8 too.
func cleanLine(s string) string {
	// Nearly every text is plain, and is then not copied.
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	space := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			space = true
		} else {
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			writeVisible(&b, r, s[i:i+n])
		}
		i += n
	}
	return b.String()
}

// cleanBlock does the same for a text of several lines: line ends and tabs stay, CRLF becomes LF.
func cleanBlock(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(s[i+n:], "\n"):
		default:
			writeVisible(&b, r, s[i:i+n])
		}
		i += n
	}
	return b.String()
}

// writeVisible writes one character, or its escape. raw is its bytes: a lone bad byte is shown by its value.
func writeVisible(b *strings.Builder, r rune, raw string) {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		fmt.Fprintf(b, `\x%02x`, raw[0])
	case isHarmful(r) && r < 0x100:
		fmt.Fprintf(b, `\x%02x`, r)
	case isHarmful(r):
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		b.WriteString(raw)
	}
}

// isHarmful names the characters that a terminal obeys or that reorder text: C0, DEL, C1, line separators, direction overrides.
func isHarmful(r rune) bool {
	switch {
	case unicode.IsControl(r), r == 0x2028, r == 0x2029, r == 0xfeff:
		return true
	}
	return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 || r == 0x200e || r == 0x200f
}

// isPlain reports whether a text is printable ASCII with single spaces inside, which needs no cleaning.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}
