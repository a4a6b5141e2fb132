package author

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
)

// This file: the text of a task file, made of the bytes of an inline record. Headings lose as many marks as the record stands deep,
// the heading of the record loses its anchor, links keep leading where they led; nothing else changes.

// render makes the task files of all records, in order of the tasks; or refuses, with file and line, what can't be moved
// faithfully.
func (m *promotion) render() ([][]byte, error) {
	if err := m.movable(); err != nil {
		return nil, err
	}
	links := m.links()
	texts := make([][]byte, len(m.tasks))
	for i := range m.tasks {
		text, err := m.renderRecord(m.tasks[i].Record, links)
		if err != nil {
			return nil, err
		}
		if err := m.compare(i, text, links); err != nil {
			return nil, m.unfaithful(m.tasks[i].Record.Head.Start, "in a file of its own this record would not read the same: %v", err)
		}
		texts[i] = text
	}
	return texts, nil
}

// unfaithful refuses what stands at an offset of the README.
func (m *promotion) unfaithful(at int, format string, args ...any) *publish.Refused {
	line, _ := m.S.README.Position(at)
	return refuse("guard/promotion-faithful", "%s:%d: %s", revise.ReadmeFile, line, fmt.Sprintf(format, args...))
}

// movable refuses a README whose records are not all there, each once, or can't be told from what is around them.
func (m *promotion) movable() error {
	readme := m.S.README
	for _, p := range readme.Problems {
		if p.Kind != planmd.ByteOrderMark {
			return m.unfaithful(p.Span.Start, "the text is damaged (%s), so that the records can't be told apart", p.Kind)
		}
	}
	taken := map[int]int{}
	for i := range m.tasks {
		t := &m.tasks[i]
		if t.TaskView == nil || t.Record == nil || t.File != revise.ReadmeFile {
			return refuse("guard/promotion-faithful", "%s has no record of task %d", revise.ReadmeFile, m.S.State.Tasks[i].ID)
		}
		if t.Line == nil {
			return refuse("guard/promotion-faithful", "the task list in %s has no line of task %d", revise.ReadmeFile, t.ID)
		}
		taken[t.Record.Head.Start] = t.ID
	}
	for _, r := range slices.Concat(readme.Records, readme.Loose) {
		if taken[r.Head.Start] == 0 {
			return m.unfaithful(r.Head.Start, "%q is a second record of its task, or the record of none", r.Title)
		}
	}
	return m.selfContained()
}

// selfContained refuses references that would lose their definition, because the one moves into another file than the other.
func (m *promotion) selfContained() error {
	// Of several definitions of a label the first counts, in Markdown as here.
	defined := map[string]planmd.LinkPart{}
	records := m.records()
	all := m.linkParts()
	for _, l := range all {
		if _, again := defined[l.Label]; l.Label != "" && l.Target != "" && !again {
			defined[l.Label] = l
		}
	}
	for _, l := range all {
		d, ok := defined[l.Label]
		if ok && l.Target == "" && holder(records, d.At.Start) != holder(records, l.At.Start) {
			line, _ := m.S.README.Position(d.At.Start)
			return m.unfaithful(l.At.Start, "the link [%s] is defined elsewhere, on line %d: the two would stand in different files", l.Label, line)
		}
	}
	return nil
}

// records are the spans of the inline records, in order of the file.
func (m *promotion) records() []planmd.Span {
	var spans []planmd.Span
	for i := range m.tasks {
		spans = append(spans, m.tasks[i].Record.Span)
	}
	slices.SortFunc(spans, func(a, b planmd.Span) int { return a.Start - b.Start })
	return spans
}

// holder is the place of the span that holds an offset, in a list that is in order; -1 when none does.
func holder(spans []planmd.Span, at int) int {
	i, found := slices.BinarySearchFunc(spans, at, func(s planmd.Span, at int) int { return s.Start - at })
	if !found {
		i--
	}
	if i < 0 || at >= spans[i].End {
		return -1
	}
	return i
}

// linkParts are the links of README.md.
func (m *promotion) linkParts() []planmd.LinkPart {
	if m.parts == nil {
		m.parts = m.S.README.Links()
	}
	return m.parts
}

// retarget is a link of the README that points to an inline record, and what it becomes.
type retarget struct {
	at planmd.Span
	to string
}

// links finds the links of the README that a promotion changes, in order: those to inline records, wherever they stand, lead to the
// files; those of a record to a section of the README lead into the README from now on.
func (m *promotion) links() []retarget {
	if m.moved != nil {
		return m.moved
	}
	paths := map[string]string{}
	for i := range m.tasks {
		paths[fmt.Sprintf("#task-%d", m.tasks[i].ID)] = m.tasks[i].path
	}
	m.moved = []retarget{}
	records, own := m.records(), fragments(&m.S.README.Doc, m.S.README.Sections)
	var inside map[string]bool // the headings of the record that was looked at last
	last := -1
	for _, l := range m.linkParts() {
		if to := paths[strings.TrimPrefix(strings.TrimPrefix(l.Target, "./"), revise.ReadmeFile)]; to != "" {
			m.moved = append(m.moved, retarget{l.At, to})
			continue
		}
		at := holder(records, l.At.Start)
		if at < 0 || !strings.HasPrefix(l.Target, "#") || !own[l.Target] {
			continue
		}
		if at != last {
			inside, last = m.fragmentsAt(records[at]), at
		}
		if !inside[l.Target] {
			m.moved = append(m.moved, retarget{l.At, revise.ReadmeFile + l.Target})
		}
	}
	return m.moved
}

// fragmentsAt are the fragments of the headings in the record at a span.
func (m *promotion) fragmentsAt(s planmd.Span) map[string]bool {
	for i := range m.tasks {
		if r := m.tasks[i].Record; r.Span == s {
			return fragments(&m.S.README.Doc, r.Sections)
		}
	}
	return nil
}

// fragments are what links to headings are written as: "#execution-rules".
func fragments(doc *planmd.Doc, sections []planmd.Section) map[string]bool {
	found := map[string]bool{}
	for i := range sections {
		if sections[i].Level == 0 {
			continue
		}
		var b strings.Builder
		for _, r := range strings.ToLower(headWords(doc.Text(sections[i].Head))) {
			switch {
			case r == ' ':
				b.WriteByte('-')
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
				b.WriteRune(r)
			}
		}
		found["#"+b.String()] = true
	}
	return found
}

// within are the links in a span; both are in the order of the file.
func within(links []retarget, s planmd.Span) []retarget {
	from, _ := slices.BinarySearchFunc(links, s.Start, func(l retarget, at int) int { return l.at.Start - at })
	to, _ := slices.BinarySearchFunc(links, s.End, func(l retarget, at int) int { return l.at.Start - at })
	return links[from:max(from, to)]
}

// renderRecord makes the text of one task file.
func (m *promotion) renderRecord(r *planmd.Record, links []retarget) ([]byte, error) {
	doc := &m.S.README.Doc
	var out cutting
	head, depth, err := m.renderHead(r)
	if err != nil {
		return nil, err
	}
	out.replace(r.Head, head)
	heads := []planmd.Span{r.Head}
	for i := range r.Sections {
		s := &r.Sections[i]
		if s.Level == 0 {
			continue // a label stands at every depth
		}
		text, ok := raise(doc.Text(s.Head), depth)
		if !ok {
			return nil, m.unfaithful(s.Head.Start, "the heading %q can't be raised by %d", s.Label, depth)
		}
		out.replace(s.Head, text)
		heads = append(heads, s.Head)
	}
	for _, l := range within(links, r.Span) {
		if holder(heads, l.at.Start) >= 0 {
			return nil, m.unfaithful(l.at.Start, "a heading links to an inline record")
		}
		out.replace(l.at, l.to)
	}
	// The empty lines that kept it apart from the next record are no part of it.
	text := bytes.TrimRight(out.text(doc, r.Span), " \t\r\n")
	if doc.CRLF() {
		return append(text, "\r\n"...), nil
	}
	return append(text, '\n'), nil
}

// renderHead takes the anchor out of a record's heading and raises it to level 1. depth is by how much.
func (m *promotion) renderHead(r *planmd.Record) (text string, depth int, err error) {
	text = m.S.README.Text(r.Head)
	if r.Anchor != "" {
		start := strings.Index(text, "{")
		for start >= 0 && !strings.HasPrefix(strings.TrimLeft(text[start+1:], " \t"), "#") {
			next := strings.Index(text[start+1:], "{")
			if next < 0 {
				return "", 0, m.unfaithful(r.Head.Start, "the anchor of this record has a form that can't be taken out of its heading")
			}
			start += 1 + next
		}
		// Attributes beside the anchor would have no place to go.
		end := start + max(strings.Index(text[start:], "}"), 1) + 1
		if inside := strings.TrimSpace(text[start+1 : end-1]); inside != "#"+r.Anchor {
			return "", 0, m.unfaithful(r.Head.Start, "the heading has %q beside its anchor, which would be lost", inside)
		}
		before, after := text[:start], text[end:]
		if strings.TrimRight(before, " \t#") == "" { // in front of the title
			after = strings.TrimLeft(after, " \t")
		} else {
			before = strings.TrimRight(before, " \t")
		}
		text = before + after
	}
	depth = levelOf(text) - 1
	text, _ = raise(text, depth)
	return text, depth, nil
}

// levelOf is the level of a heading: its marks, or its underline (C13).
func levelOf(head string) int {
	if first, under, ok := strings.Cut(head, "\n"); ok && first != "" {
		if strings.Contains(under, "=") {
			return 1
		}
		return 2
	}
	head = strings.TrimLeft(head, " ")
	return len(head) - len(strings.TrimLeft(head, "#"))
}

// raise takes depth levels off a heading. ok is false when it has not so many.
func raise(head string, depth int) (text string, ok bool) {
	switch level := levelOf(head); {
	case depth == 0:
		return head, true
	case level <= depth:
		return "", false
	case strings.Contains(head, "\n"): // from the second level of underlines to the first
		first, under, _ := strings.Cut(head, "\n")
		return first + "\n" + strings.ReplaceAll(under, "-", "="), true
	}
	at := strings.Index(head, "#")
	return head[:at] + head[at+depth:], true
}

// cutting gathers replacements of spans that don't overlap.
type cutting struct{ parts []retarget }

func (c *cutting) replace(s planmd.Span, text string) { c.parts = append(c.parts, retarget{s, text}) }

// text is a span of a document with the replacements made.
func (c *cutting) text(doc *planmd.Doc, s planmd.Span) []byte {
	slices.SortStableFunc(c.parts, func(a, b retarget) int { return a.at.Start - b.at.Start })
	var out []byte
	at := s.Start
	for _, p := range c.parts {
		out = append(append(out, doc.Src[at:p.at.Start]...), p.to...)
		at = p.at.End
	}
	return append(out, doc.Src[at:s.End]...)
}
