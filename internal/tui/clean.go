package tui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Clean makes a line of what an agent prints, or a plan says, fit to be shown: sequences that a terminal obeys go, then every character
// that is not to be seen (controls, directions, joiners), and white space becomes single spaces.
func Clean(line string) string {
	line = strings.ToValidUTF8(line, "\ufffd")
	var b strings.Builder
	space := false
	for _, r := range ansi.Strip(line) {
		switch {
		case unicode.IsSpace(r):
			space = true
		case unicode.IsGraphic(r):
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(r)
		}
	}
	return b.String()
}

// fit cuts a clean text to columns on screen, marking the cut. A wide character that would stand across the edge is left out.
func fit(text string, columns int) string {
	if columns < 4 {
		return ansi.Truncate(text, max(columns, 0), "")
	}
	return ansi.Truncate(text, columns, "...")
}

// longestLine bounds what is kept of a line without an end.
const longestLine = 4 << 10

// lastLine is the last line of a stream that is not blank, the one without an end included.
type lastLine struct {
	whole, open []byte
	over        bool // the cursor was sent back to the begin of the line
}

// Write takes more of the stream.
func (l *lastLine) Write(p []byte) (int, error) {
	for _, c := range p {
		switch {
		case c == '\n':
			if strings.TrimSpace(string(l.open)) != "" {
				l.whole = append(l.whole[:0], l.open...)
			}
			l.open, l.over = l.open[:0], false
		case c == '\r':
			l.over = true
		default:
			if l.over { // as a progress bar does
				l.open, l.over = l.open[:0], false
			}
			if len(l.open) < longestLine {
				l.open = append(l.open, c)
			}
		}
	}
	return len(p), nil
}

// text is the line, clean.
func (l *lastLine) text() string {
	if text := Clean(string(l.open)); text != "" {
		return text
	}
	return Clean(string(l.whole))
}
