package author

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/planmd"
)

// This file: whether a task file says what its inline record says (LF-9). It is asked of the text before anything is written, and of
// the file as it is read from disk before the README is switched.

// same compares a file with its record. A file that is byte for byte the text made of the record has been compared with it before.
func (m *promotion) same(i int, data, text []byte, links []retarget) error {
	if string(data) == string(text) {
		return nil
	}
	return m.compare(i, data, links)
}

// compare names the first difference between a record and a task file: a heading, a level, a byte of any text, or a meaning.
func (m *promotion) compare(i int, data []byte, links []retarget) error {
	t := &m.tasks[i]
	file := planmd.ReadTask(data)
	was := piecesOf(&m.S.README.Doc, t.Record, within(links, t.Record.Span))
	is := piecesOf(&file.Doc, &file.Record, nil)
	if len(was) != len(is) {
		return fmt.Errorf("%s has %s, its record %d", t.path, counted(len(is), "heading"), len(was))
	}
	// Bytes first: they hold every word, number and command. What they mean follows, because the same bytes may be read otherwise
	// where they stand.
	depth := was[0].level - 1
	for k := range was {
		line, _ := file.Position(is[k].at)
		switch {
		case is[k].level != was[k].level-depth:
			return fmt.Errorf("%s:%d: the heading %q has level %d", t.path, line, is[k].words, is[k].level)
		case is[k].words != was[k].words:
			return fmt.Errorf("%s:%d: the heading is %q, in the record %q", t.path, line, is[k].words, was[k].words)
		case is[k].body != was[k].body:
			return fmt.Errorf("%s:%d: the text below is not that of the record", t.path, line+firstDifference(is[k].body, was[k].body))
		}
	}
	if what := differs(t.Record, &file.Record, depth); what != "" {
		return fmt.Errorf("%s: %s would be read differently", t.path, what)
	}
	return nil
}

// piece is a heading and the text up to the next.
type piece struct {
	at    int // where the heading stands
	level int
	words string // of the heading, without marks, underline and anchor
	body  string // without empty lines around it
}

// piecesOf cuts a record at its headings.
func piecesOf(doc *planmd.Doc, r *planmd.Record, links []retarget) []piece {
	heads := []planmd.Span{r.Head}
	for i := range r.Sections {
		if r.Sections[i].Level > 0 {
			heads = append(heads, r.Sections[i].Head)
		}
	}
	// Every heading of the top level is one of the sections, unknown ones too; what stands in code, quotes and comments is text.
	var list []piece
	for i, h := range heads {
		body := planmd.Span{Start: h.End, End: r.Span.End}
		if i+1 < len(heads) {
			body.End = heads[i+1].Start
		}
		var out cutting
		for _, l := range within(links, body) {
			out.replace(l.at, l.to)
		}
		head := doc.Text(h)
		words := headWords(head)
		if i == 0 {
			words = withoutAnchor(words, r.Anchor)
		}
		list = append(list, piece{h.Start, levelOf(head), words, trimmed(string(out.text(doc, body)))})
	}
	return list
}

// trimmed takes the empty lines around a text away.
func trimmed(text string) string {
	text = strings.TrimRight(text, " \t\r\n")
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || strings.TrimSpace(line) != "" {
			return text
		}
		text = rest
	}
}

// headWords are the words of a heading line.
func headWords(head string) string {
	if first, _, underlined := strings.Cut(head, "\n"); underlined {
		return strings.TrimSpace(first)
	}
	return strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(head), "#"))
}

// withoutAnchor takes the anchor and the space around it out of a heading's words.
func withoutAnchor(words, anchor string) string {
	if anchor == "" {
		return words
	}
	before, rest, ok := strings.Cut(words, "{#"+anchor)
	if !ok {
		return words
	}
	_, after, _ := strings.Cut(rest, "}")
	return strings.TrimSpace(strings.TrimRight(before, " \t") + after)
}

// firstDifference counts the lines before the first that differs.
func firstDifference(a, b string) int {
	n := 1
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			n++
		}
	}
	return n
}

// differs names what two readings of a record disagree about, "" for nothing: every section by kind, every criterion by box and mark,
// every command, dependency, amendment and labelled line. Values are compared by their labels alone: their bytes were compared.
func differs(was, is *planmd.Record, depth int) string {
	switch {
	case was.ID != is.ID:
		return "the number of the task"
	case was.HasDepends != is.HasDepends, !slices.Equal(was.DependsOn, is.DependsOn):
		return "what it depends on"
	case was.Surface.RiskClass != is.Surface.RiskClass:
		return "the risk class"
	case was.Log.State != is.Log.State, was.Log.Reconciled != is.Log.Reconciled, len(was.Log.Placeholders) != len(is.Log.Placeholders):
		return "the log"
	case !slices.EqualFunc(was.Log.Amendments, is.Log.Amendments, sameAmendment):
		return "an amendment"
	case len(was.Sections) != len(is.Sections):
		return "a section"
	}
	for i := range was.Sections {
		a, b := &was.Sections[i], &is.Sections[i]
		// A section in label form has no level, at whatever depth.
		switch {
		case a.Kind != b.Kind, a.Label != b.Label, a.Empty != b.Empty, b.Level != max(a.Level-depth, 0) || (a.Level == 0) != (b.Level == 0):
			return "the section " + a.Label
		case !slices.EqualFunc(a.Boxes, b.Boxes, func(a, b planmd.Box) bool { return a.Mark == b.Mark }):
			return "a box of the section " + a.Label
		case !slices.Equal(a.Code, b.Code):
			return "a command of the section " + a.Label
		case !slices.EqualFunc(a.Fields, b.Fields, sameField):
			return "a labelled line of the section " + a.Label
		}
	}
	return ""
}

func sameField(a, b planmd.Field) bool {
	return a.Kind == b.Kind && a.Label == b.Label && (a.Value == "") == (b.Value == "")
}

func sameAmendment(a, b planmd.Amendment) bool {
	return a.Number == b.Number && a.Date == b.Date && a.Task == b.Task && slices.EqualFunc(a.Fields, b.Fields, sameField)
}
