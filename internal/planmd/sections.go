package planmd

import "strings"

// mark is where a section begins: a heading, or a "**Label:**" line.
type mark struct {
	block int // index of the heading or line
	kind  SectionKind
	text  string
	level int // 0 for the label form
	rank  int // level; for a label form beside heading sections their level
	head  Span
	body  int // offset where the body begins
	// amendment says that it is the head of an amendment.
	amendment bool
}

// labelLevel stands for the label form where levels are compared: deeper than any heading.
const labelLevel = 7

// sections reads the sections among the blocks from from up to to, which end at offset end. A section reaches to the next
// heading of its own or a shallower level, or to the next known section; an unknown deeper heading stays within.
func (p *page) sections(from, to, end int) []Section {
	marks := p.marks(from, to)
	shallowest := map[SectionKind]int{}
	for _, m := range marks {
		if rank, ok := shallowest[m.kind]; m.rank > 0 && (!ok || m.rank < rank) {
			shallowest[m.kind] = m.rank
		}
	}
	found := make([]Section, len(marks))
	// Levels rise along the stack, so it holds seven sections at most.
	var open []int
	finish := func(i, block, offset int) { found[i] = p.section(marks[i], block, offset) }
	for i, m := range marks {
		for len(open) > 0 && closes(marks[open[len(open)-1]], m, shallowest) {
			finish(open[len(open)-1], m.block, p.lineStart(m.head.Start))
			open = open[:len(open)-1]
		}
		open = append(open, i)
	}
	for _, i := range open {
		finish(i, to, end)
	}
	return found
}

// closes reports whether a section that begins at next ends the open one before it.
func closes(open, next mark, shallowest map[SectionKind]int) bool {
	switch {
	case open.rank > 0 && next.rank == 0:
		return false // label forms stand only where no known section is open
	case open.rank > 0 && next.rank <= open.rank:
		return true
	case next.amendment && open.kind == CompletionLog:
		return false // amendments are part of the log (PD-12)
	case open.rank == 0:
		return true
	case next.kind == Other || open.kind == Other:
		return false
	case open.kind == CompletionLog && (next.kind == DocsReconciling || next.kind == PlanStatus):
		return false // a log has a status and a reconciliation of its own
	}
	// A sub-heading that repeats the name of a section of the outer level is part of this one.
	return shallowest[next.kind] > open.rank
}

// marks lists the headings of a range, and the label lines that begin a section there.
func (p *page) marks(from, to int) []mark {
	marks, labelled := p.marksOf(from, to, true)
	if !labelled && len(marks) == 0 {
		marks, _ = p.marksOf(from, to, false)
	}
	return marks
}

// marksOf lists section starts; bold says which label lines count. Plain "Goal: x" lines begin sections only in a
// record that has neither headings nor bold labels.
func (p *page) marksOf(from, to int, bold bool) (marks []mark, labelled bool) {
	marks = make([]mark, 0, 8) // a record has seven sections or so
	var seen map[SectionKind]bool
	inside, logged := 0, false // level of the known section that is open; a label-form log went before
	open := Other              // its kind
	var headed kindSet         // the kinds that have a heading, once asked for
	for i := from; i < to; i++ {
		b := &p.blocks[i]
		if b.kind == headingBlock {
			m := p.headingMark(i)
			if m.kind != Other {
				inside, logged, open = m.level, false, m.kind
			} else if m.level <= inside {
				inside = 0
			}
			marks = append(marks, m)
			continue
		}
		// Inside a section with a heading, a label is a line of that section: "- **Validation:** ok" in a log.
		l := p.labelOf(i)
		if l == nil || l.bold != bold || p.depth(b) > 1 {
			continue
		}
		kind := p.sectionKind(l.text)
		if kind == Other || l.kind != FieldOther || logged && seen[kind] {
			continue // a label that is a field, such as "Status", begins no section
		}
		if inside > 0 {
			if !bold || !b.first || p.depth(b) > 0 || !mixes(open, kind) || !p.saysBefore(i) {
				continue
			}
			if headed == nil {
				headed = p.headed(from, to)
			}
			if headed[kind] {
				continue
			}
		}
		if seen == nil {
			seen = map[SectionKind]bool{}
		}
		seen[kind], labelled = true, true
		logged = logged || kind == CompletionLog
		marks = append(marks, mark{block: i, kind: kind, text: l.text, head: Span{b.span.Start, l.end}, body: l.end, rank: inside})
		if inside > 0 {
			open = kind
		}
	}
	return marks, labelled
}

// mixes reports whether a bold label that begins a paragraph in one section of a record can begin another, required one:
// people write some sections as headings and short ones as "**Goal:** x". In a log, and among instructions, such
// a label speaks of the section.
func mixes(open, kind SectionKind) bool {
	return required(kind) && kind != CompletionLog && (required(open) || open == Reads) && open != CompletionLog && open != kind
}

func required(kind SectionKind) bool {
	switch kind {
	case Goal, Context, Surface, Acceptance, Validation, CompletionLog:
		return true
	}
	return false
}

// headed returns the kinds that have a heading among the blocks of a range.
func (p *page) headed(from, to int) kindSet {
	kinds := kindSet{}
	for i := from; i < to; i++ {
		if p.blocks[i].kind == headingBlock {
			kinds[p.headingOf(i).kind] = true
		}
	}
	return kinds
}

// saysBefore reports whether the block before a label has words: the section it would end is then not left empty.
func (p *page) saysBefore(i int) bool {
	if i == 0 {
		return false
	}
	switch p.blocks[i-1].kind {
	case lineBlock, wordsBlock:
		return p.lineWords(i - 1)
	case codeBlock:
		return true
	}
	return false
}

func (p *page) headingMark(i int) mark {
	b, h := &p.blocks[i], p.headingOf(i)
	return mark{block: i, kind: h.kind, text: h.text, amendment: h.amendment, level: b.level, rank: b.level, head: b.span, body: p.nextLine(b.span.End)}
}

// section reads one section whose body ends before a block and at an offset.
func (p *page) section(m mark, to, end int) Section {
	s := Section{Kind: m.kind, Label: dropNumbering(m.text), Level: m.level, Head: m.head}
	s.Body = Span{min(m.body, end), max(m.body, end)}
	// The value on the label's own line is part of the body.
	from := m.block + 1
	// Words in sub-sections count: "## Goal" above "### Why" and a sentence is not empty (TRAPS).
	s.Empty = !p.words(from, to)
	if m.level == 0 {
		s.Empty = s.Empty && !hasWords(p.labelOf(m.block).value)
		s.Fields = p.pieces(m)
	}
	s.Fields = append(s.Fields, p.fields(from, to)...)
	for i := from; i < to; i++ {
		switch b := &p.blocks[i]; {
		case b.lead && p.items[b.item].box != nil:
			s.Boxes = append(s.Boxes, *p.items[b.item].box)
		case b.kind == codeBlock:
			s.Code = append(s.Code, p.content(b))
		}
	}
	return s
}

// dropNumbering removes "4. ", "3) " and "IV. " style numbers in front of a label.
func dropNumbering(s string) string {
	rest := strings.TrimLeft(s, "0123456789.")
	if rest == s {
		return s
	}
	trimmed := strings.TrimLeft(rest, ".):- \u2014\u2013\u3001\uff0e")
	if trimmed == "" || rest == trimmed && !strings.HasSuffix(s[:len(s)-len(rest)], ".") {
		return s
	}
	return trimmed
}
