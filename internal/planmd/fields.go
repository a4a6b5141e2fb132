package planmd

import "strings"

// maxValue bounds, in bytes, how much of a list below a label is joined into its value.
const maxValue = 8 << 10

// fields lists the labelled lines among the blocks of a range, in order: lines, two-column table rows with a known
// label, and headings with a known label, whose value is the text below.
func (p *page) fields(from, to int) []Field {
	var found []Field
	for i := from; i < to; i++ {
		f, ok := p.field(i, to)
		if !ok {
			continue
		}
		found = append(found, f)
		b := &p.blocks[i]
		for n := 1; n <= b.more; n++ {
			l := &p.labels[b.label+n]
			found = append(found, Field{Kind: l.kind, Label: l.text, Value: l.value, Span: b.span, At: l.at})
		}
	}
	return found
}

// field reads the labelled line at a block; blocks before to may hold its value.
func (p *page) field(i, to int) (Field, bool) {
	b := &p.blocks[i]
	if b.kind == headingBlock {
		return p.headingField(i, to)
	}
	if b.row == bodyRow {
		return p.rowField(b)
	}
	l := p.labelOf(i)
	if l == nil || l.bare {
		return Field{}, false
	}
	f := Field{Kind: l.kind, Label: l.text, Value: l.value, Span: b.span, At: l.at}
	if l.value == "" {
		p.gather(&f, i, to)
	}
	return f, true
}

// rowField reads "| Label | value |".
func (p *page) rowField(b *block) (Field, bool) {
	// Wider tables are data: "| Phase | Tasks | Status |" states nothing about the plan.
	cells := p.cells(b.text)
	if len(cells) != 2 {
		return Field{}, false
	}
	text := strings.TrimRight(p.plain(cells[0]), ":\uff1a ")
	kind := p.fieldKind(text)
	if kind == FieldOther {
		return Field{}, false
	}
	at := p.unwrap(p.trimMask(cells[1]))
	return Field{Kind: kind, Label: text, Value: strings.TrimSpace(p.withoutComments(at)), Span: b.span, At: at}, true
}

// headingField reads a heading that is a label: "#### Skills disposition" and the line below it.
func (p *page) headingField(i, to int) (Field, bool) {
	b := &p.blocks[i]
	if l, ok := p.readLabel(b.text); ok && !l.bare && l.kind != FieldOther && l.value != "" {
		return Field{Kind: l.kind, Label: l.text, Value: l.value, Span: b.span, At: l.at}, true
	}
	h := p.headingOf(i)
	text, kind := h.text, p.fieldKind(h.text)
	// "## Status" is a section of a README, "### Status" a line of a log.
	own := kind == FieldReconcile || kind == FieldStatus && b.level > 2
	if kind == FieldOther || len(text) > maxLabel || h.kind != Other && !own {
		return Field{}, false
	}
	f := Field{Kind: kind, Label: dropNumbering(text), Span: b.span, At: Span{b.span.End, b.span.End}}
	for j := i + 1; j < to && p.blocks[j].kind == lineBlock && p.blocks[j].row == noRow && p.labelOf(j) == nil; j++ {
		p.appendValue(&f, j)
		if j+1 < to && p.blocks[j+1].first && p.depth(&p.blocks[j+1]) == 0 {
			break
		}
	}
	return f, true
}

// gather fills an empty value from what belongs to the label: the next lines of its paragraph, the items nested below it,
// the list or paragraph that follows a label line outside lists.
func (p *page) gather(f *Field, i, to int) {
	own := &p.blocks[i]
	depth := p.depth(own)
	paragraphs := 0
	for j := i + 1; j < to; j++ {
		b := &p.blocks[j]
		if b.kind == codeBlock && p.depth(b) >= depth && f.Value == "" {
			f.Value, f.At = strings.TrimSpace(p.content(b)), b.text
			return
		}
		if b.kind == wordsBlock && quotes(f.Kind) && p.depth(b) >= depth {
			p.appendValue(f, j)
			continue
		}
		if b.kind != lineBlock {
			return
		}
		l := p.labelOf(j)
		// Deeper lines belong to the label; a line beside it ends the value, unless it continues the paragraph.
		switch deep := p.depth(b); {
		case deep > depth:
		case deep < depth, l != nil, b.item != own.item:
			return
		case b.first:
			if paragraphs++; paragraphs > 1 || f.Value != "" || depth > 0 {
				return
			}
		}
		p.appendValue(f, j)
	}
}

// quotes reports whether people give the value of a field as a quotation: a criterion stands in its amendment
// verbatim (AM-1).
func quotes(kind FieldKind) bool {
	return kind == FieldOriginal || kind == FieldRevised || kind == FieldObserved
}

// appendValue adds a line to a value: a space between the lines of a paragraph, a comma between items.
func (p *page) appendValue(f *Field, j int) {
	b := &p.blocks[j]
	s := b.text
	if b.lead {
		s = p.items[b.item].text
	}
	if b.row == headRow || b.row == ruleRow || !b.lead && b.text.Start < f.At.End {
		return
	}
	text := strings.TrimSpace(p.withoutComments(p.unwrap(p.trimMask(s))))
	switch {
	case text == "":
		return
	case f.Value == "":
		f.Value, f.At = text, s
		return
	case len(f.Value) > maxValue:
	case b.lead:
		f.Value += ", " + text
	default:
		f.Value += " " + text
	}
	f.At.End = max(s.End, f.At.Start)
}

// pieces reads the labels inside the value of a label-form section: "**Touched Surface:** Planned: `x`; Risk class: seam".
// Only known labels count.
func (p *page) pieces(m mark) []Field {
	l := p.labelOf(m.block)
	if m.kind != Surface && m.kind != CompletionLog {
		return nil
	}
	// A record in a few lines puts a whole section on one.
	var found []Field
	start := l.at.Start
	for i := l.at.Start; i <= l.at.End; i++ {
		if i < l.at.End && p.mask[i] != ';' {
			continue
		}
		if q, ok := p.readLabel(p.trim(Span{start, i})); ok && !q.bare && q.kind != FieldOther {
			found = append(found, Field{Kind: q.kind, Label: q.text, Value: q.value, Span: p.blocks[m.block].span, At: q.at})
		}
		start = i + 1
	}
	return found
}

// firstField returns the first field of a kind that has a value, else the first, or nil: the heading "## Parallelism"
// above "Execution: sequential" is a label too, an empty one.
func firstField(fields []Field, kind FieldKind) *Field {
	var first *Field
	for i := range fields {
		if fields[i].Kind != kind || first != nil && fields[i].Value == "" {
			continue
		}
		f := fields[i]
		if f.Value != "" {
			return &f
		}
		first = &f
	}
	return first
}
