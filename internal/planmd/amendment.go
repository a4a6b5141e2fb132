package planmd

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// amendmentWords are the words before the number of an amendment, in the languages of PD-11.
var amendmentWords = [...]string{
	"amendment", "emenda", "aditamento", "adendo", "enmienda", "adenda",
	"การแก้ไข", "แก้ไขเพิ่มเติม", "修订", "修正", "修正案", "修改", "變更", "变更",
}

// amendmentHead reads "Amendment N — YYYY-MM-DD" (PD-12): em dash, en dash, hyphen or colon. The date is kept as
// written, "" when there is none.
func amendmentHead(text string) (Amendment, bool) {
	if len(text) > maxLabel {
		return Amendment{}, false
	}
	text = dropNumbering(strings.TrimLeft(text, "*_ "))
	// The word is compared as a whole: "Amendments 2026" and "See Amendment 1" are no heads.
	digit := strings.IndexFunc(text, unicode.IsDigit)
	if digit <= 0 || !isAmendmentWord(strings.TrimRight(text[:digit], " \u00a0#")) {
		return Amendment{}, false
	}
	number, digits := scanNumber(text[digit:])
	if digits == 0 || !numberEnds(text[digit+digits:]) {
		return Amendment{}, false
	}
	// Without a date it is still an amendment, whose date is then missed by those who check (AM-1).
	rest := strings.TrimLeft(text[digit+digits:], "*_ \u00a0")
	if rest == "" {
		return Amendment{Number: number}, true
	}
	r, size := utf8.DecodeRuneInString(rest)
	if r == '(' {
		rest = strings.TrimRight(rest[size:], ")")
	} else if strings.ContainsRune(nameSeparators+",", r) {
		rest = strings.TrimLeft(rest[size:], "- ")
	} else {
		return Amendment{}, false
	}
	return Amendment{Number: number, Date: dateWord(rest)}, true
}

func isAmendmentWord(word string) bool {
	for _, w := range amendmentWords {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// Field is the value of an amendment's first field of a kind; "" without one.
func (a *Amendment) Field(kind FieldKind) string {
	for i := range a.Fields {
		if a.Fields[i].Kind == kind {
			return strings.TrimSpace(a.Fields[i].Value)
		}
	}
	return ""
}

// dateWord returns the word at the start of a text when it has a digit: a date as written, right or wrong.
func dateWord(s string) string {
	s = strings.TrimLeft(s, "*_([ ")
	if end := strings.IndexAny(s, " ,;:)]*_(\t"); end >= 0 {
		s = s[:end]
	}
	if strings.IndexFunc(s, unicode.IsDigit) < 0 {
		return ""
	}
	return s
}

// amendments lists the amendments in a range of blocks that ends at an offset: as headings, and as label lines or
// lines of their own. One reaches to the next, to a heading of its own or a shallower level, or, in the label form,
// to any heading.
func (p *page) amendments(from, to, end int) []Amendment {
	var found []Amendment
	first, level := 0, 0
	open := false
	finish := func(block, offset int) {
		if open {
			a := &found[len(found)-1]
			a.Span.End = max(offset, a.Span.Start)
			a.Fields = append(a.Fields, p.fields(first, block)...)
			open = false
		}
	}
	// An amendment without a heading has no level that could end it; the next heading does.
	for i := from; i < to; i++ {
		b := &p.blocks[i]
		if b.kind == headingBlock && open && b.level <= level {
			finish(i, b.span.Start)
		}
		a, text, ok := p.amendmentAt(i)
		if !ok {
			continue
		}
		finish(i, b.span.Start)
		a.Span = Span{b.span.Start, b.span.End}
		a.Task = taskIn(text)
		found = append(found, a)
		first, level, open = i+1, labelLevel, true
		if b.kind == headingBlock {
			level = b.level
		}
	}
	finish(to, end)
	return found
}

// amendmentAt reads the amendment that begins at a block, and the text of its head.
func (p *page) amendmentAt(i int) (a Amendment, text string, ok bool) {
	b := &p.blocks[i]
	switch {
	// A head in code is a sample (PD-10).
	case b.text.Start == b.text.End || p.mask[b.text.Start] <= codeTick:
		return a, "", false
	case b.kind == headingBlock:
		h := p.headingOf(i)
		if !h.amendment {
			return a, "", false
		}
		text = h.text
	case b.kind != lineBlock || b.row != noRow || b.text.End-b.text.Start > 4*maxLabel:
		return a, "", false
	default:
		// A line counts when it is a label, or says nothing but the head of an amendment.
		l := p.labelOf(i)
		if l != nil {
			text = l.text
			if a, ok = amendmentHead(text); ok && a.Date == "" {
				a.Date = dateWord(l.value)
			}
			return a, text, ok
		}
		text = p.plain(b.text)
		if len(text) > maxLabel/2 {
			return a, "", false
		}
		a, ok = amendmentHead(text)
		return a, text, ok && a.Date != ""
	}
	a, ok = amendmentHead(text)
	return a, text, ok
}

// taskIn returns the first task that a text names anywhere, or 0.
func taskIn(text string) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) {
			i += size
			continue
		}
		if n, ok := scanName(text[i:]); ok && n.word {
			return n.id
		}
		for i < len(text) {
			r, size := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) {
				break
			}
			i += size
		}
	}
	return 0
}
