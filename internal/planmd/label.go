package planmd

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Labels longer than this many bytes are sentences. A Thai letter takes three.
const maxLabel = 160

// maxLabelWords bounds the spaces in a label that has no markup.
const maxLabelWords = 7

// label is a labelled line: "**Label:** value", "**Label**: value", "Label: value".
type label struct {
	text  string // without markup and colon
	kind  FieldKind
	bold  bool // emphasised
	bare  bool // a line that is only "**Label**": no field, but it can open a section
	end   int  // offset behind the label's colon and markup
	at    Span // the value, trimmed, without markup around it
	value string
}

// readLabels reads the label of each line outside tables and behind no box.
func (p *page) readLabels() {
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind != lineBlock || b.row != noRow || b.lead && p.items[b.item].box != nil {
			continue
		}
		if l, ok := p.readLabel(b.text); ok {
			b.label = len(p.labels)
			p.labels = append(p.labels, l)
			if l.bold && !l.bare {
				p.readMore(b)
			}
		}
	}
}

// readMore reads "**Approval:** approved" behind "**Standard:** DWP spec 5.0.0 | ": emphasised labels on one line,
// a bar or a dot between them.
func (p *page) readMore(b *block) {
	line, first := b.text, b.label
	for i := p.labels[first].end; i < line.End; i++ {
		c := p.mask[i]
		if c != '|' && c != 0xc2 && c != 0xe2 || p.mask[i-1] != ' ' {
			continue
		}
		_, n := utf8.DecodeRune(p.mask[i:line.End])
		rest := p.trim(Span{i + n, line.End})
		if !bytes.Contains([]byte("|\u00b7\u2022"), p.mask[i:i+n]) || rest.Start == rest.End || p.mask[rest.Start] != '*' {
			continue
		}
		l, ok := p.readLabel(rest)
		if !ok || l.bare {
			continue
		}
		// The label before it ends here.
		last := &p.labels[len(p.labels)-1]
		p.readValue(last, Span{last.end, i}, false, '*')
		p.labels = append(p.labels, l)
		b.more++
		i = l.end
	}
}

// labelOf returns the label of a block, or nil.
func (p *page) labelOf(i int) *label {
	if b := &p.blocks[i]; b.kind == lineBlock && b.label >= 0 {
		return &p.labels[b.label]
	}
	return nil
}

// readLabel reads the label at the start of a text.
func (p *page) readLabel(s Span) (label, bool) {
	m := p.mask[s.Start:s.End]
	i := leadingSymbols(m)
	mark, run := byte(0), 0
	if i < len(m) && (m[i] == '*' || m[i] == '_') {
		mark, run = m[i], runLength(m[i:], m[i])
	}
	start := i + run
	colon, stop := labelEnd(m, start, mark)
	if stop < 0 {
		return p.dashLabel(s, i)
	}
	text := strings.TrimSpace(string(p.Src[s.Start+start : s.Start+stop]))
	// "10: x" is a number with a remark.
	if !hasLetter(text) {
		return label{}, false
	}
	l := label{text: text, bold: run > 0}
	if colon < 0 {
		l.bare, l.end, l.at = true, s.End, Span{s.End, s.End}
		return l, true
	}
	// "**Label**: v" is closed before the colon, "**Label:** v" behind it, "**Label: v**" at the end.
	// The three ways to write bold labels all occur; the value must not begin with the marks.
	closed := stop < colon
	after := colon + colonLength(m[colon:])
	if run > 0 && !closed {
		// "**Label: **" closes behind a space.
		gap := after + runLength(m[after:], ' ')
		if n := runLength(m[gap:], mark); n > 0 && n <= run {
			after, closed = gap+n, true
		}
	}
	l.end = s.Start + after
	l.kind = p.fieldKind(text)
	p.readValue(&l, Span{l.end, s.End}, run > 0 && !closed, mark)
	return l, true
}

// dashLabel reads "Skills disposition — none": a dash for the colon behind the label of a disposition or decision, which
// the standard itself writes with dashes (PD-8). Behind other words a dash only begins a clause.
func (p *page) dashLabel(s Span, from int) (label, bool) {
	m := p.mask[s.Start:min(s.End, s.Start+maxLabel)]
	from += runLength(m[min(from, len(m)):], '*')
	for i := from; i < len(m); i++ {
		if i == 0 || m[i-1] != ' ' {
			continue
		}
		dash := dashLength(m[i:])
		if dash == 0 {
			continue
		}
		text := strings.Trim(string(p.Src[s.Start+from:s.Start+i]), " *")
		kind := p.fieldKind(text)
		if kind != FieldSkills && kind != FieldDocs {
			return label{}, false
		}
		l := label{text: text, kind: kind, end: s.Start + i + dash}
		p.readValue(&l, Span{l.end, s.End}, false, 0)
		return l, l.value != ""
	}
	return label{}, false
}

// dashLength measures " - ", an en dash or an em dash at the start of a text.
func dashLength(m []byte) int {
	for _, dash := range [...]string{"\u2014", "\u2013", "- "} {
		if bytes.HasPrefix(m, []byte(dash)) {
			return len(dash)
		}
	}
	return 0
}

// leadingSymbols skips emoji and the spaces around them.
func leadingSymbols(m []byte) int {
	i := 0
	for i < len(m) {
		r, n := utf8.DecodeRune(m[i:])
		if r != ' ' && (r < utf8.RuneSelf || !unicode.In(r, unicode.So, unicode.Sk, unicode.Mn, unicode.Cf)) {
			break
		}
		i += n
	}
	return i
}

// labelEnd finds where a label ends, and its colon. stop is negative when there is no label, colon when the
// whole text is "**Label**".
func labelEnd(m []byte, start int, mark byte) (colon, stop int) {
	spaces := 0
	for i := start; i < len(m) && i-start < maxLabel; {
		r, n := utf8.DecodeRune(m[i:])
		switch {
		case r == ':' || r == fullColon:
			if !colonEnds(m[i+n:], r, mark) {
				return -1, -1
			}
			return i, i
		// snake_case holds "_" that closes nothing.
		case mark != 0 && m[i] == mark && (mark == '*' || closesWord(m[i:])):
			return boldEnd(m, i, mark)
		case mark == 0 && (r == '*' || r == '[' || r == '"' || isSentenceEnd(r, m[i+n:])):
			return -1, -1
		case r == '|' || r == '[' && i == start || m[i] <= codeTick:
			return -1, -1
		case r == ' ':
			if spaces++; mark == 0 && spaces > maxLabelWords {
				return -1, -1
			}
		}
		i += n
	}
	return -1, -1
}

const fullColon = '\uff1a' // of Chinese and Japanese text

func colonLength(m []byte) int {
	_, n := utf8.DecodeRune(m)
	return n
}

// colonEnds reports whether a colon ends a label: "10:30" and "http://" do not.
func colonEnds(after []byte, colon rune, mark byte) bool {
	if len(after) == 0 || colon == fullColon || isBlankByte(after[0]) || after[0] <= codeTick {
		return true
	}
	return mark != 0 && after[0] == mark || after[0] >= utf8.RuneSelf
}

// boldEnd reads what follows the closing mark of "**Label**": a colon, or nothing.
func boldEnd(m []byte, stop int, mark byte) (colon, end int) {
	i := stop + runLength(m[stop:], mark)
	i += runLength(m[i:], ' ')
	if i == len(m) {
		return -1, stop
	}
	if r, _ := utf8.DecodeRune(m[i:]); r == ':' || r == fullColon {
		return i, stop
	}
	return -1, -1
}

// closesWord reports whether a run of "_" stands at the end of a word.
func closesWord(m []byte) bool {
	r, _ := utf8.DecodeRune(m[runLength(m, '_'):])
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// isSentenceEnd reports whether a character ends a sentence, which no label holds.
func isSentenceEnd(r rune, after []byte) bool {
	switch r {
	case '!', '?', ';', '\u3002', '\uff0c', '\uff1b':
		return true
	case '.':
		return len(after) > 0 && after[0] == ' ' && !bytes.HasPrefix(bytes.TrimLeft(after, " "), []byte("&"))
	}
	return false
}

// readValue reads the value of a label. open says that the label's emphasis goes on into the value, as in
// "**Progress: 8/8 tasks completed**".
func (p *page) readValue(l *label, s Span, open bool, mark byte) {
	s = p.trimMask(s)
	// Emphasis that encloses label and value ends with the value, or somewhere in it.
	if open {
		if end := s.End - trailing(p.mask[s.Start:s.End], mark); end < s.End {
			s.End, open = end, false
		}
	}
	s = p.unwrap(p.trimMask(s))
	l.at = s
	value := p.withoutComments(s)
	if open {
		value = dropRun(value, mark)
	}
	l.value = strings.TrimFunc(value, isInvisible)
}

// trimMask drops white space and comments around a span.
func (p *page) trimMask(s Span) Span {
	for s.Start < s.End && (isBlankByte(p.mask[s.Start]) || p.mask[s.Start] == commentByte) {
		s.Start++
	}
	for s.Start < s.End && (isBlankByte(p.mask[s.End-1]) || p.mask[s.End-1] == commentByte) {
		s.End--
	}
	return s
}

// unwrap drops emphasis or backticks that enclose a whole span.
func (p *page) unwrap(s Span) Span {
	for s.End-s.Start > 2 {
		m := p.mask[s.Start:s.End]
		c := m[0]
		if c != '*' && c != '_' && c != codeTick {
			return s
		}
		n := runLength(m, c)
		if trailing(m, c) != n || 2*n >= len(m) || bytes.IndexByte(m[n:len(m)-n], c) >= 0 {
			return s
		}
		s = p.trimMask(Span{s.Start + n, s.End - n})
	}
	return s
}

func trailing(m []byte, c byte) int {
	n := 0
	for n < len(m) && m[len(m)-1-n] == c {
		n++
	}
	return n
}

// withoutComments returns the text of a span as written, comments left out.
func (p *page) withoutComments(s Span) string {
	if bytes.IndexByte(p.mask[s.Start:s.End], commentByte) < 0 {
		return string(p.Src[s.Start:s.End])
	}
	var out strings.Builder
	for i := s.Start; i < s.End; i++ {
		if p.mask[i] != commentByte {
			out.WriteByte(p.Src[i])
		}
	}
	return out.String()
}

// dropRun removes the first run of two or more marks from a value.
func dropRun(s string, mark byte) string {
	if i := strings.Index(s, string([]byte{mark, mark})); i >= 0 {
		return s[:i] + s[i+2:]
	}
	return s
}

func hasLetter(s string) bool {
	return strings.IndexFunc(s, unicode.IsLetter) >= 0
}
