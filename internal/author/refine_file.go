package author

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// TaskEdit is what is to change of one task, as it was given: a part of a task in the outline's form. What it doesn't speak of stays.
type TaskEdit struct {
	Title string // "" keeps it
	// Number is the one that the text names; 0 for none.
	Number int
	parts  []part
	task   Task // the parts, read
	// DependsOn counts with HasDepends.
	DependsOn  []int
	HasDepends bool
}

// part is one section that is given.
type part struct {
	kind  planmd.SectionKind
	text  string // as given in Markdown; "" of a JSON document, which is rendered
	place string
	// fields are the members that a JSON document has of the section; what it leaves out stays as it is.
	fields []string
}

// editable are the sections that refine edit changes, in the order in which a record has them. The log is never among them: it tells
// what happened (AM-1).
var editable = []planmd.SectionKind{
	planmd.Context, planmd.Reads, planmd.Goal, planmd.Surface, planmd.Instructions, planmd.Acceptance, planmd.Outputs,
	planmd.Validation, planmd.Rollback, planmd.Delta, planmd.Checklist,
}

// ReadTaskEdit reads what is to change of a task: JSON, when the first character is a brace, with the members of a task in an
// outline; or Markdown with its sections, with or without a heading "Task N: title" above them. All faults are told at once.
func ReadTaskEdit(src []byte) (TaskEdit, []Gap) {
	if strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(string(src), "\ufeff")), "{") {
		return readJSONEdit(src)
	}
	return readMarkdownEdit(src)
}

// SectionEdit is the edit of one section, named as plans name it, in any of their languages (PD-11).
func SectionEdit(name, text string) (TaskEdit, []Gap) {
	if strings.ContainsAny(name, "\r\n") || strings.TrimSpace(name) == "" {
		return TaskEdit{}, []Gap{{"--section", "the name of a section is one line of words"}}
	}
	e, gaps := readMarkdownEdit([]byte("## " + name + "\n\n" + nest(text, 2) + "\n"))
	if len(gaps) == 0 && len(e.parts) != 1 {
		gaps = []Gap{{"--text", "holds other sections; give them as a file with --from"}}
	}
	for i := range gaps {
		gaps[i].Place = "--section " + oneLine(name)
	}
	return e, gaps
}

// readMarkdownEdit reads sections below a heading of a task, or alone.
func readMarkdownEdit(src []byte) (TaskEdit, []Gap) {
	f := planmd.ReadTask(src)
	m := markdown{doc: &f.Doc}
	for _, p := range f.Problems {
		if p.Kind != planmd.ByteOrderMark && p.Kind != planmd.FenceRunaway {
			m.gap(p.Span.Start, "the text is broken: "+string(p.Kind))
		}
	}
	e := TaskEdit{Title: f.Title, Number: f.ID, task: m.task(&f.Record), DependsOn: f.DependsOn, HasDepends: f.HasDepends}
	if e.Title != "" && f.ID == 0 {
		m.gap(f.Head.Start, fmt.Sprintf("%q is no section of a task; a title stands behind \"Task N:\"", f.Title))
		e.Title = ""
	}
	end := 0
	for i := range f.Sections {
		s := &f.Sections[i]
		if s.Head.Start < end { // it belongs to the section above it
			continue
		}
		end = s.Body.End
		m.part(&e, f, s)
	}
	if len(m.gaps) > 0 && e.empty() {
		return e, m.gaps // there was something to change, and why it is none is told
	}
	return e, slices.Concat(m.gaps, e.faults(), e.lacks(&e.task))
}

// part takes one section, the line about dependencies left out, which is none of its words.
func (m *markdown) part(e *TaskEdit, f *planmd.TaskFile, s *planmd.Section) {
	switch {
	case s.Kind == planmd.Dependencies:
		return
	case s.Kind == planmd.CompletionLog:
		m.gap(s.Head.Start, "the log of a task is never edited: it is appended to as the work goes on")
		return
	case !slices.Contains(editable, s.Kind):
		m.gap(s.Head.Start, fmt.Sprintf("%q is no section that refine edits", oneLine(s.Label)))
		return
	case slices.ContainsFunc(e.parts, func(p part) bool { return p.kind == s.Kind }):
		m.gap(s.Head.Start, fmt.Sprintf("%s is given twice", s.Kind))
		return
	}
	e.parts = append(e.parts, part{kind: s.Kind, text: plainText(&f.Doc, wordsOf(&f.Doc, &f.Record, s)), place: m.place(s.Head.Start)})
}

// readJSONEdit reads a task of an outline in JSON, of which nothing is required.
func readJSONEdit(src []byte) (TaskEdit, []Gap) {
	doc, err := strictjson.Parse(src)
	if err != nil {
		return TaskEdit{}, []Gap{{"task", "not JSON: " + err.Error()}}
	}
	d := decoder{}
	e := d.taskEdit("task", doc.Root)
	return e, append(d.gaps, e.faults()...)
}

// sectionOf names the section that a member of a task in JSON belongs to.
var sectionOf = map[string]planmd.SectionKind{
	"context": planmd.Context, "read": planmd.Reads, "goal": planmd.Goal, "surface": planmd.Surface, "instructions": planmd.Instructions,
	"acceptance": planmd.Acceptance, "outputs": planmd.Outputs, "gates": planmd.Validation, "validation": planmd.Validation,
	"checklist": planmd.Checklist, "rollback": planmd.Rollback, "delta": planmd.Delta,
}

// taskEdit reads the members that are there.
func (d *decoder) taskEdit(at string, v *strictjson.Value) TaskEdit {
	e := TaskEdit{task: d.task(at, v)}
	e.Title, e.DependsOn, e.HasDepends = oneLine(e.task.Title), e.task.DependsOn, e.task.HasDepends
	if v.Kind != strictjson.Object {
		return e
	}
	for _, m := range v.Members {
		kind, ok := sectionOf[m.Name]
		if !ok {
			continue
		}
		i := slices.IndexFunc(e.parts, func(p part) bool { return p.kind == kind })
		if i < 0 {
			i = len(e.parts)
			e.parts = append(e.parts, part{kind: kind, place: at + "." + m.Name})
		}
		e.parts[i].fields = append(e.parts[i].fields, m.Name)
		if kind == planmd.Surface && m.Value.Kind == strictjson.Object {
			for _, inner := range m.Value.Members {
				e.parts[i].fields = append(e.parts[i].fields, "surface."+inner.Name)
			}
		}
	}
	return e
}

// faults are what is wrong with the edit whatever task it is of.
func (e *TaskEdit) faults() []Gap {
	c := gaps{}
	if e.Title != "" {
		c.title("title", "the title", e.Title)
	}
	if e.empty() {
		c.add("task", "nothing is to change: give at least one section, a title, or what it depends on")
	}
	return c.list
}

// empty: it changes nothing.
func (e *TaskEdit) empty() bool { return e.Title == "" && !e.HasDepends && len(e.parts) == 0 }

// lacks are what the parts lack when they stand in a task's record: words, and in a Touched Surface and a Validation what PD-5 and
// PD-6 demand. t is the task with the parts in it.
func (e *TaskEdit) lacks(t *Task) []Gap {
	c := gaps{}
	for _, p := range e.parts {
		name := string(p.kind)
		switch p.kind {
		case planmd.Surface:
			c.items(p.place, name+", planned paths", t.Surface.Planned)
			c.risk(p.place, name+", risk class", t.Surface.Risk)
		case planmd.Validation:
			c.gates(p.place, t.Gates)
		case planmd.Context:
			c.text(p.place, name, t.Context)
		case planmd.Goal:
			c.text(p.place, name, t.Goal)
		case planmd.Rollback:
			c.text(p.place, name, t.Rollback)
		case planmd.Delta:
			c.text(p.place, name, t.Delta)
		default:
			c.items(p.place, name, t.list(p.kind))
		}
	}
	return c.list
}

// gates demands one at least, each short enough for a record (PS-12).
func (c *gaps) gates(place string, commands []string) {
	c.items(place, "Validation, gate command", commands)
	for _, g := range commands {
		if n := utf8.RuneCountInString(g); n > longestGate {
			c.add(place, fmt.Sprintf("Validation: a gate has %d characters; a record holds %d: put it into a script", n, longestGate))
		}
	}
}

// list is the list of a section that is one.
func (t *Task) list(kind planmd.SectionKind) []string {
	switch kind {
	case planmd.Reads:
		return t.Read
	case planmd.Instructions:
		return t.Instructions
	case planmd.Acceptance:
		return t.Acceptance
	case planmd.Outputs:
		return t.Outputs
	case planmd.Checklist:
		return t.Checklist
	}
	return nil
}

// wordsOf is the span of a section's words: its body without the white space around it, and without a line about dependencies at
// its end, which belongs to the record.
func wordsOf(doc *planmd.Doc, r *planmd.Record, s *planmd.Section) planmd.Span {
	span := s.Body
	if at := r.DependsAt; r.HasDepends && at.Start > span.Start && at.End <= span.End {
		before := doc.Text(planmd.Span{Start: span.Start, End: at.Start})
		if i := strings.LastIndexByte(before, '\n'); i >= 0 && strings.TrimSpace(doc.Text(planmd.Span{Start: at.End, End: span.End})) == "" {
			span.End = span.Start + i
		}
	}
	text := doc.Text(span)
	start := span.Start + len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	return planmd.Span{Start: start, End: max(start, span.Start+len(strings.TrimRight(text, " \t\r\n")))}
}

// plainText is the text of a span with plain line ends.
func plainText(doc *planmd.Doc, s planmd.Span) string {
	return strings.ReplaceAll(doc.Text(s), "\r\n", "\n")
}
