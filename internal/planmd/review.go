package planmd

import "strings"

// ReadReview reads a SECURITY_REVIEW.md (PD-7): the findings it calls critical, in headings, labelled lines, list items and
// tables, and neither resolves nor shows accepted by a person.
func ReadReview(src []byte) *Review {
	p := scan(src)
	v := reviewReader{page: p, out: &Review{}}
	v.out.Empty = !p.words(0, len(p.blocks))
	v.read()
	sections := p.sections(p.afterTitle(), len(p.blocks), len(src))
	v.out.Documentation = reconciled(sections, p.fields(0, len(p.blocks)))
	v.out.Doc = p.Doc
	return v.out
}

// reviewReader collects unresolved critical findings.
type reviewReader struct {
	*page
	out *Review
	// columns of the table being read: how its header names them.
	heads []string
}

func (v *reviewReader) add(text string, s Span) {
	v.out.Critical = append(v.out.Critical, Critical{Text: shorten(text), Span: s})
}

func (v *reviewReader) read() {
	for i := 0; i < len(v.blocks); i++ {
		b := &v.blocks[i]
		switch {
		case b.kind == headingBlock:
			i = v.heading(i)
		// The header tells which column holds counts: "| Critical | High |".
		case b.row == headRow:
			v.heads = v.plainCells(b.text)
		case b.kind == lineBlock && b.text.Start == b.text.End:
		case b.row == bodyRow:
			v.row(b)
		case b.kind == lineBlock && b.row == noRow && v.mask[b.text.Start] == '|':
			v.heads = nil // a row without a table around it
			v.row(b)
		case b.kind == lineBlock && b.row == noRow:
			v.line(i)
		}
	}
}

// heading reads a heading that is or names a critical finding, and returns the last block it has dealt with.
func (v *reviewReader) heading(i int) int {
	b := &v.blocks[i]
	text := v.headingOf(i).text
	kind, rest := criticalHead(text)
	if kind == notCritical {
		return i
	}
	// A finding's own section is read on: its sub-headings may be findings too. A group is read as a whole.
	end := v.sectionEnd(i)
	if kind == criticalFinding {
		if !settled(rest) && !v.settledBelow(i+1, end) && !nothing(rest) {
			v.add(rest, b.span)
		}
		return i
	}
	if nothing(rest) && rest != "" {
		return end - 1
	}
	v.group(i+1, end)
	return end - 1
}

// sectionEnd returns the block where the section of a heading ends.
func (v *reviewReader) sectionEnd(i int) int {
	end := i + 1
	for end < len(v.blocks) && (v.blocks[end].kind != headingBlock || v.blocks[end].level > v.blocks[i].level) {
		end++
	}
	return end
}

// group reads the section of a heading "Critical": each sub-heading, top-level item, table row and paragraph in it is a
// finding of its own.
func (v *reviewReader) group(from, to int) {
	for i := from; i < to; {
		b := &v.blocks[i]
		next := i + 1
		switch {
		case b.kind == headingBlock:
			next = min(v.sectionEnd(i), to)
		case b.kind == lineBlock && b.row == noRow && (b.lead || b.first):
			for next < to && v.blocks[next].kind != headingBlock && v.partOf(i, next) {
				next++
			}
		case b.row == bodyRow:
		default:
			i = next
			continue
		}
		text := v.textOf(i, next)
		if head := v.headOf(i); !nothing(head) && !settled(text) && hasWords(text) {
			v.add(head, b.span)
		}
		i = next
	}
}

// partOf reports whether a block continues the finding that begins at another: lines of the same paragraph or item.
func (v *reviewReader) partOf(start, i int) bool {
	s, b := &v.blocks[start], &v.blocks[i]
	if s.item < 0 {
		return b.item < 0 && b.kind == lineBlock && !b.first && b.row == noRow
	}
	return b.item >= 0 && (b.item == s.item || v.depth(b) > v.depth(s))
}

func (v *reviewReader) headOf(i int) string {
	b := &v.blocks[i]
	if b.lead {
		return v.plain(v.items[b.item].text)
	}
	if b.row == bodyRow {
		return strings.Join(v.plainCells(b.text), " ")
	}
	return v.plain(b.text)
}

// textOf joins the words of a range of blocks.
func (v *reviewReader) textOf(from, to int) string {
	var out strings.Builder
	for i := from; i < to; i++ {
		if b := &v.blocks[i]; b.kind == lineBlock || b.kind == headingBlock {
			out.WriteString(v.plain(b.text))
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// settledBelow reports whether the text below a finding says that it is resolved or accepted.
func (v *reviewReader) settledBelow(from, to int) bool {
	for i := from; i < to; i++ {
		b := &v.blocks[i]
		if b.kind == headingBlock && i > from {
			return false
		}
		if b.kind == lineBlock && settled(v.plain(b.text)) {
			return true
		}
	}
	return false
}

// row reads a row of a table: a severity cell "Critical" with what stands beside it, or a count under a
// column "Critical".
func (v *reviewReader) row(b *block) {
	cells := v.plainCells(b.text)
	for i, cell := range cells {
		if i < len(v.heads) && isCriticalWord(v.heads[i]) && countAbove(cell) {
			v.add(v.heads[i]+": "+cell, b.span)
			return
		}
	}
	at := -1
	for i, cell := range cells {
		if isCriticalWord(cell) {
			at = i
			break
		}
	}
	if at < 0 {
		return
	}
	// A row of nothing but "Critical" and blanks is a template. A cell that settles the finding settles the row,
	// whatever its column is called.
	others := 0
	for i, cell := range cells {
		if i == at || !hasGraphic(cell) {
			continue
		}
		if settled(cell) || nothing(cell) {
			return
		}
		others++
	}
	if others > 0 {
		v.add(strings.Join(cells, " | "), b.span)
	}
}

// line reads a labelled line or list item outside the sections of critical findings.
func (v *reviewReader) line(i int) {
	b := &v.blocks[i]
	text := v.plain(b.text)
	if b.lead {
		text = v.plain(v.items[b.item].text)
	} else if !b.first && v.labelOf(i) == nil {
		return
	}
	if openCritical(text) {
		if !settled(v.textOf(i, v.findingEnd(i))) {
			v.add(text, b.span)
		}
		return
	}
	if l := v.labelOf(i); l != nil && !l.bare {
		v.labelled(i, l)
		return
	}
	kind, rest := criticalHead(text)
	if kind != criticalFinding || nothing(rest) || settled(v.textOf(i, v.findingEnd(i))) {
		return
	}
	v.add(rest, b.span)
}

// labelled reads "Critical: x" and "Severity: Critical".
func (v *reviewReader) labelled(i int, l *label) {
	b := &v.blocks[i]
	end := v.findingEnd(i)
	if isSeverityWord(l.text) {
		if isCriticalWord(l.value) && !v.settledAround(i) {
			v.add(l.text+": "+l.value, b.span)
		}
		return
	}
	if !isCriticalLabel(l.text) {
		return
	}
	value := l.value
	// "**Critical:**" above a list announces it.
	if value == "" {
		f := Field{At: l.at}
		v.gather(&f, i, len(v.blocks))
		value = f.Value
	}
	// A label without any text announces nothing: "Critical:" above "None." or above the next label.
	if value == "" || nothing(value) || settled(value) || settled(v.textOf(i, end)) {
		return
	}
	v.add(l.text+": "+value, b.span)
}

// findingEnd returns the block behind the paragraph or item that begins at a block.
func (v *reviewReader) findingEnd(i int) int {
	end := i + 1
	for end < len(v.blocks) && v.blocks[end].kind == lineBlock && v.labelEndsNot(i, end) && v.partOf(i, end) {
		end++
	}
	return end
}

// labelEndsNot reports whether a later line of the same paragraph is not another label of the same standing. "Status:" and
// "Accepted by NAME on DATE:" go on about the finding.
func (v *reviewReader) labelEndsNot(start, i int) bool {
	l := v.labelOf(i)
	return l == nil || l.kind == FieldStatus || settled(l.text) || v.depth(&v.blocks[i]) > v.depth(&v.blocks[start])
}

// settledAround reports whether the lines about one finding, between headings, say that it is settled.
func (v *reviewReader) settledAround(i int) bool {
	const most = 12 // lines that a finding may take
	for j := i; j >= 0 && j > i-most; j-- {
		b := &v.blocks[j]
		if b.kind == headingBlock {
			return settled(v.headingOf(j).text) || v.settledBelow(i, min(i+most, len(v.blocks)))
		}
		if b.kind == lineBlock && settled(v.plain(b.text)) {
			return true
		}
	}
	return v.settledBelow(i, min(i+most, len(v.blocks)))
}
