package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/deepworkplan/dwp/internal/rule"
)

const (
	defaultWidth = 80
	minWidth     = 40 // narrower than this, wrapping hurts more than it helps
)

// page lays text out for people: width-aware, colour on terminals only.
type page struct {
	w      io.Writer
	width  int
	colour bool
	dir    string // the current folder, without links
	base   string // what the places of findings are relative to
}

// style is an ANSI colour; words carry the meaning, colour only underlines it.
type style string

const (
	bold   style = "1"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	faint  style = "2"
)

// page returns the layout of standard output: COLUMNS, then the terminal's width, then 80; colour unless NO_COLOR
// is set or the terminal is dumb.
func (a *app) page() page {
	p := page{w: a.out, width: a.env.Width, dir: a.env.Dir, base: a.repo}
	// Plans are named without links, so the folder they are compared with has to be, too.
	if dir, err := filepath.EvalSymlinks(p.dir); err == nil {
		p.dir = dir
	}
	p.colour = a.env.Width > 0 && a.env.Getenv("NO_COLOR") == "" && a.env.Getenv("TERM") != "dumb"
	// COLUMNS outweighs the terminal: whoever sets it wants that width, in a pipe too.
	if n, err := strconv.Atoi(a.env.Getenv("COLUMNS")); err == nil && n > 0 {
		p.width = n
	}
	if p.width == 0 {
		p.width = defaultWidth
	}
	p.width = max(p.width, minWidth)
	return p
}

// in is the same page for findings whose places are relative to base.
func (p page) in(base string) page {
	p.base = base
	return p
}

// at is a place as terminals and editors open it: file:line:column, relative to the current folder, not to the one of
// -C, or absolute when the file is not below. A bare README.md:3:1 would open the README of the repository.
func (p page) at(where rule.Place) string {
	file := filepath.FromSlash(where.File)
	if !filepath.IsAbs(file) {
		file = filepath.Join(p.base, file)
	}
	if rel, err := filepath.Rel(p.dir, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	where.File = file
	return place(where)
}

// paint colours a text that is already clean.
func (p page) paint(s style, text string) string {
	if !p.colour || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// line prints one formatted line; its arguments must be clean.
func (p page) line(format string, args ...any) {
	fmt.Fprintf(p.w, format+"\n", args...)
}

// flow prints text after a first prefix (columns wide on screen, colour not counted), wrapped, with the lines that follow
// indented by indent columns.
func (p page) flow(first string, columns, indent int, text string) {
	lines := wrap(text, p.width-columns, p.width-indent)
	for i, l := range lines {
		if i > 0 {
			first = strings.Repeat(" ", indent)
		}
		fmt.Fprintln(p.w, strings.TrimRight(first+l, " "))
	}
}

// para prints text as a paragraph indented by indent columns.
func (p page) para(indent int, text string) {
	p.flow(strings.Repeat(" ", indent), indent, indent, cleanLine(text))
}

// labelled prints a label in a column of width columns and its text beside it; nothing for an empty text.
func (p page) labelled(label string, width int, text string) {
	if text == "" {
		return
	}
	p.flow(pad(label, width), width, width, cleanLine(text))
}

// pad fills a text with spaces up to columns on screen, at least one.
func pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(columns-textWidth(text), 1))
}

// cut shortens a text to columns on screen, marking the cut.
func cut(text string, columns int) string {
	if textWidth(text) <= columns {
		return text
	}
	used := 0
	// Three columns are kept for the dots; a wide character that would stand across the edge is left out.
	for i, r := range text {
		w := runeWidth(r)
		if used+w > columns-3 {
			return text[:i] + "..."
		}
		used += w
	}
	return text
}

// wrap breaks a clean text at spaces: the first line holds first columns, the others rest. A word that is too long stays whole (paths and
// commands are copied), unless it is of wide characters, which break anywhere. There is always one line.
func wrap(text string, first, rest int) []string {
	var lines []string
	var b strings.Builder
	room, used := max(first, 1), 0
	flush := func() {
		lines = append(lines, b.String())
		b.Reset()
		room, used = max(rest, 1), 0
	}
	for word := range strings.FieldsSeq(text) {
		for _, piece := range breakWide(word, max(rest, 2)) {
			w := textWidth(piece)
			gap := 0
			if used > 0 {
				gap = 1
			}
			if used > 0 && used+gap+w > room {
				flush()
				gap = 0
			}
			b.WriteString(strings.Repeat(" ", gap) + piece)
			used += gap + w
		}
	}
	flush()
	return lines
}

// breakWide cuts a word of wide characters (Chinese, Japanese and Korean text has no spaces) into pieces of at most columns.
func breakWide(word string, columns int) []string {
	total, wide := 0, false
	for _, r := range word {
		w := runeWidth(r)
		total += w
		wide = wide || w == 2
	}
	if !wide || total <= columns {
		return []string{word}
	}
	var pieces []string
	start, used := 0, 0
	for i, r := range word {
		w := runeWidth(r)
		if used+w > columns {
			pieces = append(pieces, word[start:i])
			start, used = i, 0
		}
		used += w
	}
	return append(pieces, word[start:])
}

// textWidth is the number of columns a clean text takes.
func textWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// wideRanges are the blocks that terminals show two columns wide (East Asian Width W and F, and emoji), in order.
var wideRanges = [...][2]rune{
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x23e9, 0x23ec}, {0x2705, 0x2705}, {0x274c, 0x274c}, {0x2e80, 0x303e},
	{0x3041, 0x33ff}, {0x3400, 0x4dbf}, {0x4e00, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3}, {0xf900, 0xfaff},
	{0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
	{0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
}

// runeWidth is the number of columns of one character: 0 for marks and format characters, 2 for wide ones.
func runeWidth(r rune) int {
	if r < 0x300 { // before the first combining mark: nearly every character
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	for _, w := range wideRanges {
		if w[0] <= r && r <= w[1] {
			return 2
		}
	}
	return 1
}
