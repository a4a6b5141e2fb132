package planmd

import "strings"

// Decision is one decision that PROGRESS.md records (UN-5, PD-12): what was chosen among what, why, and how to go back.
type Decision struct {
	ID     string // "D3"
	Number int    // 3
	Date   string // as written; "" without one
	Task   int    // 0 when it names none
	// Choice is what was chosen; of a decision without labelled lines, all that its line or heading says.
	Choice, Why, Revert, By string
	Options                 []string
	Span                    Span // the whole decision
}

// The labels of a decision's lines, as we write them, with what else people write.
const (
	LabelChoice  = "Choice"
	LabelOption  = "Option"
	LabelWhy     = "Why"
	LabelRevert  = "Revert"
	LabelTask    = "Task"
	LabelDecider = "Decided by"
)

// decisions reads them: as headings "D3 \u2014 2026-09-02" anywhere, since their section may have been renamed; and, inside sections
// "Decisions", as headings, list items, table rows and paragraphs that begin with an ID, as people write them by hand. One in heading
// form reaches to the next heading that is no deeper.
func (p *page) decisions(g *Progress) {
	open, level, first, next := false, 0, 0, 0
	finish := func(block, offset int) {
		if open {
			d := &g.Decided[len(g.Decided)-1]
			d.Span.End = max(d.Span.End, offset)
			d.take(p.fields(first, block))
			open = false
		}
	}
	for i := range p.blocks {
		b := &p.blocks[i]
		for next < len(g.Sections) && (g.Sections[next].Kind != Decisions || g.Sections[next].Body.End <= b.span.Start) {
			next++
		}
		within := next < len(g.Sections) && g.Sections[next].Body.Start <= b.span.Start
		switch {
		case b.kind == headingBlock:
			if open && b.level <= level {
				finish(i, p.lineStart(b.span.Start))
			}
			if d, ok := decisionHead(p.headingOf(i).text); ok && (within || d.Date != "") {
				finish(i, p.lineStart(b.span.Start))
				d.Span = b.span
				g.Decided = append(g.Decided, d)
				open, level, first = true, b.level, i+1
			}
		case open || !within || b.text.Start == b.text.End:
		case b.row == bodyRow:
			if cells := p.plainCells(b.text); len(cells) > 0 {
				g.decided(strings.Join(cells, " "), b.span)
			}
		case b.lead:
			g.decided(p.plain(p.items[b.item].text), b.span)
		case b.kind == lineBlock && b.first && b.item < 0 && b.row == noRow:
			g.decided(p.plain(b.text), b.span)
		}
	}
	finish(len(p.blocks), len(p.Src))
}

// decided adds the decision that a line is.
func (g *Progress) decided(text string, at Span) {
	if d, ok := decisionHead(text); ok {
		d.Span = at
		g.Decided = append(g.Decided, d)
	}
}

// decisionHead reads "D3 \u2014 2026-09-02: words", in which everything behind the number may be missing.
func decisionHead(text string) (Decision, bool) {
	text = strings.TrimLeft(text, "*_[( ")
	if text == "" || text[0] != 'D' {
		return Decision{}, false
	}
	number, digits := scanNumber(text[1:])
	rest := text[min(1+digits, len(text)):]
	if digits == 0 || digits > 9 || number <= 0 || rest != "" && !numberEnds(rest) {
		return Decision{}, false
	}
	d := Decision{ID: text[:1+digits], Number: number}
	rest = trimDashes(rest)
	if word := dateWord(rest); len(word) == len("2026-09-02") && strings.HasPrefix(rest, word) {
		d.Date, rest = word, trimDashes(rest[len(word):])
	}
	d.Choice = rest
	return d, true
}

// trimDashes takes off what stands between the parts of a head.
func trimDashes(text string) string {
	return strings.TrimLeft(text, " \t.:;,-\u2013\u2014\uff1a)]*_")
}

// take fills in the labelled lines.
func (d *Decision) take(fields []Field) {
	for _, f := range fields {
		switch label, value := strings.ToLower(strings.TrimSpace(f.Label)), f.Value; label {
		case "choice", "chosen", "decision":
			d.Choice = value
		case "option", "options":
			d.Options = append(d.Options, value)
		case "why", "reason", "rationale":
			d.Why = value
		case "revert", "how to revert":
			d.Revert = value
		case "decided by", "by":
			d.By = value
		case "task":
			d.Task, _ = scanNumber(value)
		}
	}
}
