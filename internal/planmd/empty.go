package planmd

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// words reports whether any block of a range has words of its own (PD-5). Headings, comments, placeholders,
// labels without a value, and the headers of tables without rows have none; code has.
func (p *page) words(from, to int) bool {
	for i := from; i < to; i++ {
		b := &p.blocks[i]
		switch b.kind {
		// A sub-heading announces words; it is none.
		case headingBlock, commentBlock:
		case codeBlock:
			if hasWords(p.content(b)) {
				return true
			}
		case htmlBlock:
			if hasWords(dropTags(string(p.Src[b.text.Start:b.text.End]))) {
				return true
			}
		default:
			if p.lineWords(i) {
				return true
			}
		}
	}
	return false
}

// lineWords reports whether a line has words.
func (p *page) lineWords(i int) bool {
	b := &p.blocks[i]
	s := b.text
	switch {
	case b.row == headRow || b.row == ruleRow:
		return false
	case b.row == bodyRow:
		// A table with a header only is a form.
		for _, cell := range p.plainCells(s) {
			if hasWords(cell) {
				return true
			}
		}
		return false
	case b.lead && p.items[b.item].box != nil:
		s = p.items[b.item].text
		if s.Start >= b.text.End {
			return false // the text of the box stands on the next line
		}
	}
	// "- Planned:" is a form that nobody filled in.
	// A label says what is asked, its value is the answer.
	if l := p.labelOf(i); l != nil && !l.bare {
		return hasWords(l.value)
	}
	return hasWords(dropTags(p.plain(s)))
}

// hasWords reports whether a text holds a word that is no placeholder, on any of its lines.
func hasWords(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimFunc(line, isInvisible)
		if strings.IndexFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0 {
			continue
		}
		// A long line is no placeholder; asking would cost time on every paragraph.
		if len(line) > maxLabel && line[0] != '{' || !placeholder(line) && !unfilled(line) {
			return true
		}
	}
	return false
}

// unfilled reports whether a text is nothing but "{what to write here}". "{{NAME}}" is a variable.
func unfilled(text string) bool {
	inner, ok := strings.CutPrefix(strings.TrimRight(text, "."), "{")
	if !ok || !strings.HasSuffix(inner, "}") || strings.HasPrefix(inner, "{") {
		return false
	}
	return !strings.ContainsAny(inner[:len(inner)-1], "{}")
}

// dropTags removes HTML tags, comments and spaces written as entities.
func dropTags(s string) string {
	if strings.Contains(s, "&") {
		s = strings.NewReplacer("&nbsp;", " ", "&#160;", " ", "&zwnj;", " ", "&zwj;", " ", "&ensp;", " ", "&emsp;", " ").Replace(s)
	}
	if !strings.Contains(s, "<") {
		return s
	}
	var out strings.Builder
	for {
		start := strings.IndexByte(s, '<')
		if start < 0 {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:start])
		n := tagLength(s[start:])
		if n == 0 {
			out.WriteByte('<')
			n = 1
		}
		s = s[start+n:]
	}
}

// tagLength measures the tag or comment at the start of a text; 0 when there is none.
func tagLength(s string) int {
	if strings.HasPrefix(s, "<!--") {
		if end := strings.Index(s, "-->"); end >= 0 {
			return end + 3
		}
		return len(s)
	}
	name := strings.TrimPrefix(s[1:], "/")
	if name == "" || name[0] >= utf8.RuneSelf || !unicode.IsLetter(rune(name[0])) {
		return 0
	}
	rest := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
	if rest == "" || !strings.ContainsRune(" \t\n/>", rune(rest[0])) {
		return 0
	}
	end := strings.IndexByte(s[:min(len(s), maxTarget)], '>')
	return end + 1
}
