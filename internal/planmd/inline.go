package planmd

import (
	"bytes"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// What a mask holds in place of inline code and comments. All are below any byte of text.
const (
	commentByte byte = 0 // a comment, its marks included
	codeByte    byte = 1 // the content of a code span
	codeTick    byte = 2 // the backticks around it
)

// blank overwrites a span of the mask, line ends excepted.
func (p *page) blank(s Span, with byte) {
	for i := s.Start; i < s.End; i++ {
		if p.mask[i] != '\n' && p.mask[i] != '\r' {
			p.mask[i] = with
		}
	}
}

// maskInline masks code spans and comments in the lines of one paragraph or heading (PD-10, C11).
// They may run over line ends. Time is linear but for one binary search per code span.
func (p *page) maskInline(lines []Span) {
	if len(lines) == 0 {
		return
	}
	all := p.Src[lines[0].Start:lines[len(lines)-1].End]
	if bytes.IndexByte(all, '`') < 0 && !bytes.Contains(all, []byte("<!--")) {
		return
	}
	// Spans run over line ends, but containers put markers between the lines: join what belongs to the text.
	// A code span may reach over lines, a comment too, so a paragraph is read as one text.
	m := inlineScan{runs: map[int][]int{}}
	for _, s := range lines {
		m.starts = append(m.starts, len(m.text))
		m.text = append(append(m.text, p.Src[s.Start:s.End]...), '\n')
	}
	m.collectRuns()
	for i := 0; i < len(m.text); {
		i = m.step(i, func(from, to int, with byte) { p.blankJoined(lines, m.starts, from, to, with) })
	}
}

// blankJoined masks a range of the joined lines in the file.
func (p *page) blankJoined(lines []Span, starts []int, from, to int, with byte) {
	for i := sort.SearchInts(starts, from+1) - 1; i < len(lines) && starts[i] < to; i++ {
		start := lines[i].Start + max(from-starts[i], 0)
		end := min(lines[i].Start+to-starts[i], lines[i].End)
		p.blank(Span{start, end}, with)
	}
}

// inlineScan is the text of one paragraph, its lines joined.
type inlineScan struct {
	text       []byte
	starts     []int         // where each line begins in text
	runs       map[int][]int // offsets of backtick runs by length
	noComments bool          // no comment ends from here on
}

func (m *inlineScan) collectRuns() {
	for i := 0; i < len(m.text); {
		// The closers of each length are listed once; searching for them at every opener would be quadratic.
		n := runLength(m.text[i:], '`')
		if n == 0 {
			next := bytes.IndexByte(m.text[i:], '`')
			if next < 0 {
				return
			}
			i += next
			continue
		}
		m.runs[n] = append(m.runs[n], i)
		i += n
	}
}

// step reads one piece of text at i, reports what to mask, and returns where the next begins.
func (m *inlineScan) step(i int, mask func(from, to int, with byte)) int {
	switch c := m.text[i]; {
	case c == '\\':
		return i + 2
	case c == '`':
		// A span closes at the next run of exactly the same length; backslashes mean nothing inside.
		n := runLength(m.text[i:], '`')
		closers := m.runs[n]
		k := sort.SearchInts(closers, i+n)
		if k == len(closers) {
			return i + n // nothing closes it: plain backticks
		}
		end := closers[k]
		mask(i, i+n, codeTick)
		mask(i+n, end, codeByte)
		mask(end, end+n, codeTick)
		return end + n
	case c == '<' && !m.noComments && bytes.HasPrefix(m.text[i:], []byte("<!--")):
		end := bytes.Index(m.text[i+2:], []byte("-->"))
		if end < 0 {
			m.noComments = true
			return i + 4
		}
		end += i + 2 + 3
		mask(i, end, commentByte)
		return end
	default:
		return i + 1
	}
}

// runLength returns how many bytes c stand at the start.
func runLength(b []byte, c byte) int {
	n := 0
	for n < len(b) && b[n] == c {
		n++
	}
	return n
}

// link is an inline link, or one by reference.
type link struct {
	whole, text Span
	target      string // percent-decoded, without "./" and fragment
}

// maxTarget bounds the length of a link target in bytes.
const maxTarget = 4096

// links returns the links in a span, outermost brackets excluded where they nest.
func (p *page) links(s Span) []link {
	var found []link
	var open []int
	for i := s.Start; i < s.End; i++ {
		switch p.mask[i] {
		case '\\':
			i++
		case '[':
			open = append(open, i)
		case ']':
			if len(open) == 0 {
				continue
			}
			start := open[len(open)-1]
			open = open[:len(open)-1]
			end, target, ok := p.linkTarget(i+1, s.End)
			if !ok {
				end, target, ok = p.reference(start, i, s.End)
			}
			if ok {
				found = append(found, link{Span{start, end}, Span{start + 1, i}, target})
				// Links do not nest: brackets around this one are text.
				open, i = open[:0], end-1
			}
		}
	}
	return found
}

// maxReference bounds the label of a reference in bytes, as CommonMark does in characters.
const maxReference = 1000

// reference reads what the brackets from start to stop refer to, as "[text][label]", "[text][]" or "[label]". Without a
// definition of that label the brackets are text.
func (p *page) reference(start, stop, limit int) (end int, target string, ok bool) {
	if p.refs == nil {
		return 0, "", false
	}
	label, end := Span{start + 1, stop}, stop+1
	if end < limit && p.mask[end] == '[' {
		n := bytes.IndexByte(p.mask[end:min(limit, end+maxReference)], ']')
		if n < 0 {
			return 0, "", false
		}
		if n > 1 {
			label = Span{end + 1, end + n}
		}
		end += n + 1
	}
	if label.End-label.Start > maxReference {
		return 0, "", false
	}
	target, ok = p.refs[util.ToLinkReference(p.Src[label.Start:label.End])]
	return end, target, ok
}

// linkTarget reads "(target)" or "(<target> "title")" at an offset.
func (p *page) linkTarget(at, limit int) (end int, target string, ok bool) {
	limit = min(limit, at+maxTarget)
	if at >= limit || p.mask[at] != '(' {
		return 0, "", false
	}
	// Renderers allow white space before the target.
	start := at + 1
	for start < limit && p.mask[start] == ' ' {
		start++
	}
	stop, depth := start, 0
	if start < limit && p.mask[start] == '<' {
		n := bytes.IndexByte(p.mask[start:limit], '>')
		if n < 0 {
			return 0, "", false
		}
		start, stop = start+1, start+n
	} else {
		for stop < limit && p.mask[stop] != ' ' && (p.mask[stop] != ')' || depth > 0) {
			depth += bracketStep(p.mask[stop])
			stop++
		}
	}
	n := bytes.IndexByte(p.mask[min(stop, limit):limit], ')')
	if n < 0 {
		return 0, "", false
	}
	return stop + n + 1, cleanTarget(string(p.Src[start:stop])), true
}

func bracketStep(c byte) int {
	switch c {
	case '(':
		return 1
	case ')':
		return -1
	}
	return 0
}

// cleanTarget drops fragment and "./" of a link target and decodes it (C29: the bytes stay as written otherwise).
func cleanTarget(target string) string {
	target, _, _ = strings.Cut(target, "#")
	for strings.HasPrefix(target, "./") {
		target = target[2:]
	}
	return percentDecode(target)
}

func percentDecode(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out strings.Builder
	// A lone "%" is text: "100%.md" is a file name.
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			high, low := hexDigit(s[i+1]), hexDigit(s[i+2])
			if high >= 0 && low >= 0 {
				out.WriteByte(byte(high<<4 | low))
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// plain returns the words of a span: no emphasis, backticks or comments, links by their text, escapes resolved.
func (p *page) plain(s Span) string {
	var out strings.Builder
	out.Grow(s.End - s.Start)
	// Of a link only its text is words; its target is nothing a reader sees.
	links := p.links(s)
	for i := s.Start; i < s.End; {
		if len(links) > 0 && i == links[0].text.End {
			i, links = links[0].whole.End, links[1:]
			continue
		}
		if len(links) > 0 && i == links[0].whole.Start {
			i++
			continue
		}
		i += p.plainByte(&out, i, s)
	}
	return strings.TrimFunc(out.String(), isInvisible)
}

// plainByte writes what one position of a span shows and returns how many bytes it took.
func (p *page) plainByte(out *strings.Builder, i int, s Span) int {
	switch c := p.mask[i]; {
	case c == commentByte || c == codeTick:
		return 1
	case c == codeByte:
		out.WriteByte(p.Src[i])
		return 1
	case c == '\\' && i+1 < s.End && isMarkup(p.mask[i+1]):
		out.WriteByte(p.Src[i+1])
		return 2
	case c == '\r' || c == '\n':
		if c == '\n' {
			out.WriteByte(' ')
		}
		return 1
	case c == '*' || c == '_' || c == '~':
		n := runLength(p.mask[i:s.End], c)
		if !emphasis(p.mask[s.Start:i], p.mask[i+n:s.End], c, n) {
			out.Write(p.Src[i : i+n])
		}
		return n
	default:
		out.WriteByte(p.Src[i])
		return 1
	}
}

func isMarkup(c byte) bool {
	return c < utf8.RuneSelf && unicode.IsOneOf([]*unicode.RangeTable{unicode.P, unicode.S}, rune(c))
}

// emphasis reports whether a run of c between two texts can open or close emphasis: it touches a word or
// punctuation on exactly one side, or, for "*", on both.
func emphasis(before, after []byte, c byte, n int) bool {
	left, _ := utf8.DecodeLastRune(before)
	right, _ := utf8.DecodeRune(after)
	openSpace := len(before) == 0 || unicode.IsSpace(left)
	closeSpace := len(after) == 0 || unicode.IsSpace(right)
	switch {
	case openSpace && closeSpace:
		return false
	case c == '~':
		return n == 2
	case c == '_':
		wordy := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
		return openSpace || closeSpace || !wordy(left) || !wordy(right)
	}
	return true
}
