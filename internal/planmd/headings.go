package planmd

import (
	"bytes"
	"strings"
)

// heading is what a heading of the document's top level says.
type heading struct {
	text      string // its words, without {#anchor} and a last colon
	kind      SectionKind
	anchor    string // "task-2" of {#task-2}; "" when absent
	task      name   // the task it names, when named
	named     bool   // a number stands at its start; not in code (C11)
	title     string // its words behind the number of the task
	amendment bool   // the head of an amendment
}

func (p *page) readHeadings() {
	n := 0
	for i := range p.blocks {
		if p.blocks[i].kind == headingBlock {
			n++
		}
	}
	p.headings = make([]heading, 0, n)
	for i := range p.blocks {
		if b := &p.blocks[i]; b.kind == headingBlock {
			b.label = len(p.headings)
			p.headings = append(p.headings, p.readHeading(b))
		}
	}
}

func (p *page) readHeading(b *block) heading {
	var h heading
	s := b.text
	// The anchor may stand in front of the title as well as behind it.
	if id, at, ok := p.anchor(s); ok {
		h.anchor = id
		s = p.trim(Span{s.Start, at.Start})
		if s.Start == s.End {
			s = p.trim(Span{at.End, b.text.End})
		}
	}
	text := strings.TrimRight(p.plain(s), " #")
	h.text = strings.TrimSpace(strings.TrimRight(text, ":\uff1a"))
	h.kind, h.title = p.sectionKind(h.text), h.text
	_, h.amendment = amendmentHead(h.text)
	// A heading in code quotes a form; it names no task (C11).
	if s.Start < s.End && p.mask[s.Start] <= codeTick {
		h.amendment = false
		return h
	}
	start := skipMarkup([]byte(h.text))
	if task, ok := scanName(h.text[start:]); ok {
		h.task, h.named, h.title = task, true, trimTitle(h.text[start+task.rest:])
	}
	return h
}

// headingOf returns the heading at a block that is one.
func (p *page) headingOf(i int) *heading { return &p.headings[p.blocks[i].label] }

// firstHeading returns the block of the first heading, or -1.
func (p *page) firstHeading() int {
	for i := range p.blocks {
		if p.blocks[i].kind == headingBlock {
			return i
		}
	}
	return -1
}

// anchor reads the first "{#id}" in a heading, attributes beside it allowed. A closing "##" behind it does not matter.
func (p *page) anchor(s Span) (id string, at Span, ok bool) {
	for i := s.Start; i < s.End; i++ {
		if p.mask[i] != '{' {
			continue
		}
		n := bytes.IndexByte(p.mask[i:s.End], '}')
		if n < 0 {
			return "", Span{}, false
		}
		for _, word := range strings.Fields(string(p.mask[i+1 : i+n])) {
			if id, found := strings.CutPrefix(word, "#"); found && id != "" {
				return id, Span{i, i + n + 1}, true
			}
		}
		i += n
	}
	return "", Span{}, false
}

// recordAnchor reports whether an anchor is meant for a task: {#task-2}, {#Task-2}.
func recordAnchor(id string) bool {
	// Another case is read as meant for a task, so that verify can say what is wrong with it.
	return len(id) > 5 && strings.EqualFold(id[:5], "task-")
}

// AnchorTask is the task that the record's anchor names, as the index and state.json refer to it: 2 for {#task-2}. Another
// spelling of the anchor, {#Task-2} or {#task-02}, names none.
func (r *Record) AnchorTask() (id int, ok bool) {
	digits, ok := strings.CutPrefix(r.Anchor, "task-")
	id, n := scanNumber(digits)
	return id, ok && n > 0 && n == len(digits) && (digits[0] != '0' || n == 1)
}

// record begins the record under a heading.
func (p *page) record(i int) Record {
	h := p.headingOf(i)
	return Record{ID: h.task.id, Title: h.title, Anchor: h.anchor, Head: p.blocks[i].span}
}

// sectionKind remembers what sectionKind says.
func (p *page) sectionKind(label string) SectionKind {
	kind, ok := p.sectionKinds[label]
	if !ok {
		kind = sectionKind(label)
		p.sectionKinds[label] = kind
	}
	return kind
}

// fieldKind remembers what fieldKind says.
func (p *page) fieldKind(label string) FieldKind {
	kind, ok := p.fieldKinds[label]
	if !ok {
		kind = fieldKind(label)
		p.fieldKinds[label] = kind
	}
	return kind
}
