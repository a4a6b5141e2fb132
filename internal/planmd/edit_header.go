package planmd

import (
	"slices"
	"strings"
)

// AddField puts a labelled line below another one, in the form that it has: an item below an item, a row below a row of a table, else
// a line. Below a label that is a heading it stands in a paragraph of its own.
func (e *Edit) AddField(below *Field, label, value string) {
	line := strings.TrimRight(e.doc.Text(e.doc.line(below.Span.Start)), "\r\n")
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	last := Span{below.Span.Start, max(below.Span.End, below.At.End)}
	switch lead, _ := itemLead(line); {
	case strings.HasPrefix(strings.TrimSpace(line), "|"):
		e.AddLines(last, indent+"| "+label+" | "+value+" |")
	case strings.HasPrefix(strings.TrimSpace(line), "#"):
		e.AddLines(last, "", "**"+label+":** "+value)
	default:
		e.AddLines(last, indent+lead+"**"+label+":** "+value)
	}
}

// AddHeaderField adds a labelled line to the README's head: below the first of the lines that stand there, else below the title,
// else at the top.
func (e *Edit) AddHeaderField(r *README, label, value string) {
	for _, f := range []*Field{r.Approval, r.Format, r.Standard, r.Execution} {
		if f != nil {
			e.AddField(f, label, value)
			return
		}
	}
	text := "**" + label + ":** " + value
	if r.TitleAt.End > 0 {
		// An underlined title ends with its underline, so the line that follows the span is the first of the text.
		e.AddLines(r.TitleAt, "", text)
		return
	}
	e.Insert(markLength(e.doc.Src), text+"\n\n")
}

// Criterion is one acceptance criterion of a task, as a reader sees it: an item of the list with the lines that go on with it, or,
// where there is no list, a paragraph.
type Criterion struct {
	Text   string // one line, without bullet and box
	Boxed  bool
	Open   bool // it has a box, which is not ticked
	indent string
	end    int // offset behind its last line's text
}

// Criteria lists the items of a section of a document, in order. Code is none.
func (d *Doc) Criteria(s *Section) []Criterion {
	var all []Criterion
	open, fenced := false, false
	for at := s.Body.Start; at < s.Body.End; at = d.nextLine(at) {
		end := min(d.lineEnd(at), s.Body.End)
		line := strings.TrimRight(d.Text(Span{at, end}), " \t\r\n")
		text := strings.TrimLeft(line, " \t")
		if strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") {
			fenced, open = !fenced, false
			continue
		}
		lead, rest := itemLead(line)
		switch {
		case fenced || strings.HasPrefix(text, "<!--"):
		case text == "":
			open = false
		case lead != "" || !open:
			rest = strings.TrimSpace(rest)
			unboxed, mark, boxed := cutBox(rest)
			indent := ""
			if lead != "" {
				indent = line[:len(line)-len(text)]
			}
			all, open = append(all, Criterion{Text: unboxed, Boxed: boxed, Open: boxed && !Box{Mark: mark}.Checked(), indent: indent, end: at + len(line)}), true
		default:
			c := &all[len(all)-1]
			c.Text, c.end = c.Text+" "+text, at+len(line)
		}
	}
	return slices.DeleteFunc(all, func(c Criterion) bool { return c.Text == "" })
}

// AddCriterion appends an open criterion to a section: to its list when one ends it, else as a list of its own.
func (e *Edit) AddCriterion(s *Section, text string) {
	criteria := e.doc.Criteria(s)
	end := s.Body.Start + len(strings.TrimRight(e.doc.Text(s.Body), " \t\r\n"))
	if n := len(criteria); n > 0 && criteria[n-1].Boxed && criteria[n-1].end == end {
		// The shallowest item's place: a criterion is not a part of the one before.
		indent := criteria[n-1].indent
		for _, c := range criteria {
			if c.Boxed && len(c.indent) < len(indent) {
				indent = c.indent
			}
		}
		e.Insert(end, "\n"+indent+"- [ ] "+text)
		return
	}
	e.AppendTo(Span{s.Head.Start, max(s.Head.End, s.Body.End)}, "- [ ] "+text)
}

// itemLead cuts the mark of a list item, "- " or "2. ", off a line; lead is "- " for any of them, "" for a line that is no item.
func itemLead(line string) (lead, rest string) {
	text := strings.TrimLeft(line, " \t")
	mark := strings.TrimLeft(text, "0123456789")
	digits := len(text) - len(mark)
	if len(mark) < 2 || mark[1] != ' ' && mark[1] != '\t' {
		return "", line
	}
	if bullet := strings.IndexByte("-*+", mark[0]) >= 0; bullet && digits == 0 || !bullet && digits > 0 && digits < 10 && strings.IndexByte(".)", mark[0]) >= 0 {
		return "- ", mark[2:]
	}
	return "", line
}

// cutBox cuts a box off the text of an item.
func cutBox(text string) (rest, mark string, boxed bool) {
	if inside, after, found := strings.Cut(text, "]"); found && strings.HasPrefix(inside, "[") && (after == "" || after[0] == ' ' || after[0] == '\t') && oneMark(inside[1:]) {
		return strings.TrimSpace(after), inside[1:], true
	}
	return text, "", false
}
