package planmd

import (
	"bytes"
	"sort"
	"unicode"
	"unicode/utf8"
)

// newDoc notes where each line of a file starts.
func newDoc(src []byte) Doc {
	lines := make([]int, 1, 1+bytes.Count(src, []byte{'\n'}))
	for i := 0; ; {
		n := bytes.IndexByte(src[i:], '\n')
		if n < 0 {
			return Doc{Src: src, lines: lines}
		}
		i += n + 1
		lines = append(lines, i)
	}
}

// Position returns line and column, both from 1, columns in characters, of a byte offset. A
// byte-order mark is no column.
func (d *Doc) Position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(d.Src))
	start := d.lineStart(offset)
	line = 1
	if len(d.lines) > 0 {
		line = sort.SearchInts(d.lines, offset+1)
	} else {
		line += bytes.Count(d.Src[:offset], []byte{'\n'})
	}
	// An editor shows no column for the mark.
	if start == 0 {
		start = min(markLength(d.Src), offset)
	}
	return line, utf8.RuneCount(d.Src[start:offset]) + 1
}

// Text returns the bytes of a span; what lies outside the file is left off.
func (d *Doc) Text(s Span) string { return string(d.bytes(s)) }

func (d *Doc) bytes(s Span) []byte {
	start := min(max(s.Start, 0), len(d.Src))
	return d.Src[start:min(max(s.End, start), len(d.Src))]
}

// lineStart returns the offset of the line that holds an offset.
func (d *Doc) lineStart(offset int) int {
	if i := sort.SearchInts(d.lines, offset+1); i > 0 {
		return d.lines[i-1]
	}
	return bytes.LastIndexByte(d.Src[:offset], '\n') + 1
}

// lineEnd returns the offset just before the line end, "\n" or "\r\n", that follows an offset.
func (d *Doc) lineEnd(offset int) int {
	n := bytes.IndexByte(d.Src[offset:], '\n')
	if n < 0 {
		return len(d.Src)
	}
	if n > 0 && d.Src[offset+n-1] == '\r' {
		n--
	}
	return offset + n
}

// nextLine returns the offset of the line after the one that holds an offset.
func (d *Doc) nextLine(offset int) int {
	n := bytes.IndexByte(d.Src[offset:], '\n')
	if n < 0 {
		return len(d.Src)
	}
	return offset + n + 1
}

// line returns the span of the line that holds an offset, without its line end.
func (d *Doc) line(offset int) Span { return Span{d.lineStart(offset), d.lineEnd(offset)} }

func (d *Doc) problem(kind ProblemKind, s Span, detail string) {
	d.Problems = append(d.Problems, Problem{Kind: kind, Span: s, Detail: detail})
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// markLength returns the length of the byte-order mark at the start, or 0.
func markLength(src []byte) int {
	if bytes.HasPrefix(src, byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

// checkEncoding notes a byte-order mark (C45) and the first byte that is not UTF-8.
func (d *Doc) checkEncoding() {
	if n := markLength(d.Src); n > 0 {
		d.problem(ByteOrderMark, Span{0, n}, "")
	}
	if utf8.Valid(d.Src) {
		return
	}
	// Valid scans fast; only a broken file is walked rune by rune to find where.
	for i := 0; i < len(d.Src); {
		r, n := utf8.DecodeRune(d.Src[i:])
		if r == utf8.RuneError && n == 1 {
			d.problem(NotUTF8, Span{i, i + 1}, "")
			return
		}
		i += n
	}
}

// bodyStart returns where Markdown begins: after a byte-order mark, which would hide the first
// heading, and after front matter, which a CommonMark parser takes for a setext heading (PD-10).
func bodyStart(src []byte) int {
	start := markLength(src)
	// The closing line counts only once a key was seen: two rules around prose are no front matter.
	first, rest := cutLine(src[start:])
	if string(bytes.TrimRight(first, " \t\r")) != "---" {
		return start
	}
	keyed := false
	for len(rest) > 0 {
		var line []byte
		line, rest = cutLine(rest)
		trimmed := bytes.TrimSpace(line)
		switch {
		case keyed && (string(trimmed) == "---" || string(trimmed) == "...") && line[0] == trimmed[0]:
			return len(src) - len(rest)
		case len(trimmed) == 0 || trimmed[0] == '#':
		case !keyed && !yamlKey(line):
			return start // a rule at the top of the page, no front matter
		default:
			keyed = true
		}
	}
	return start
}

// yamlKey reports whether a line starts a "key: value" pair.
func yamlKey(line []byte) bool {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || colon+1 < len(line) && !isBlankByte(line[colon+1]) {
		return false
	}
	r, _ := utf8.DecodeRune(line)
	return unicode.IsLetter(r) || r == '_' || r == '"' || r == '\''
}

// cutLine splits off the first line, without its "\n".
func cutLine(b []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(b, []byte{'\n'})
	return line, rest
}

func isBlankByte(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// isInvisible reports whether a character shows nothing: white space of any script, and the
// zero-width and filler characters that are not white space by their class (PD-5).
func isInvisible(r rune) bool {
	const hangulFiller, braillePatternBlank = '\u3164', '\u2800'
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || r == hangulFiller || r == braillePatternBlank
}
