package author

import (
	"bytes"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
)

// This file: README.md as a Full plan has it. Inline records leave, index lines link the files, links to records point to files, the
// Format line and the record of the choice say when (LF-5); everything else keeps its bytes.

// switchReadme edits README.md, and reads it back: its own part says what it said, and every index line leads to its file.
func (m *promotion) switchReadme() error {
	wrapped, err := m.switched(map[int]bool{})
	if err != nil {
		return err
	}
	// A title that can't be the text of a link is followed by one.
	odd := map[int]bool{}
	for _, line := range m.unlinked(planmd.ReadREADME(wrapped)) {
		odd[line] = true
	}
	text := wrapped
	if len(odd) > 0 {
		if text, err = m.switched(odd); err != nil {
			return err
		}
	}
	after := planmd.ReadREADME(text)
	for _, id := range m.unlinked(after) {
		return m.unfaithful(m.Task(id).Line.Span.Start, "this line of the task list would not read the same with the link to its file")
	}
	if at, what := m.ownPart(after); what != "" {
		return m.unfaithful(at, "%s would not read the same without the inline records: what belongs to the plan stands above them", what)
	}
	desk := m.Desk
	desk.Create(revise.ReadmeFile, text)
	return nil
}

// switched is the new README. odd are the tasks whose title is followed by the link instead of being its text.
func (m *promotion) switched(odd map[int]bool) ([]byte, error) {
	readme := m.S.README
	e := planmd.NewEdit(&readme.Doc)
	records := m.records()
	linked := map[int]bool{} // lines, by their start, that had a link to their record
	links := m.links()
	for _, l := range links {
		if holder(records, l.at.Start) < 0 {
			e.Replace(l.at, l.to)
		}
	}
	for i := range m.tasks {
		t := &m.tasks[i]
		for _, l := range within(links, t.Line.Span) {
			linked[t.ID] = linked[t.ID] || l.to == t.path
		}
		if !linked[t.ID] {
			m.linkLine(e, t, odd[t.ID])
		}
	}
	m.formatLines(e)
	m.cutRecords(e, records)
	return e.Bytes()
}

// linkLine makes an index line lead to the task's file.
func (m *promotion) linkLine(e *planmd.Edit, t *moving, odd bool) {
	// The last place counts: "Task 1: Task" has its title at the end. Markup in a title could end the text of the link, and a link
	// in it would be one in another.
	line := m.S.README.Text(t.Line.Span)
	if at := strings.LastIndex(line, t.Line.Title); !odd && at > 0 && t.Line.Title != "" && !strings.ContainsAny(t.Line.Title, "[]<>\\`\n") && !strings.Contains(t.Line.Title, "://") {
		start := t.Line.Span.Start + at
		e.Replace(planmd.Span{Start: start, End: start + len(t.Line.Title)}, "["+t.Line.Title+"]("+t.path+")")
		return
	}
	end := t.Line.Span.Start + len(strings.TrimRight(line, " \t\r\n\\"))
	e.Insert(end, " (["+t.path+"]("+t.path+"))")
}

// formatLines says in the Format line and in Format Selection that the plan is Full now, and since when. What the choice was
// stays.
func (m *promotion) formatLines(e *planmd.Edit) {
	if f := m.S.README.Format; f != nil {
		e.SetField(f, promotedValue(f.Value, m.Date()))
	}
	s := m.S.README.Section(planmd.Selection)
	if s == nil {
		return
	}
	// A list is gone on with; prose, and a list that may end in code, gets a list of its own.
	line := "- **Promotion:** from Lite to Full, promoted on " + m.Date()
	body := strings.TrimRight(m.S.README.Text(s.Body), " \t\r\n")
	last := strings.TrimSpace(body[strings.LastIndex(body, "\n")+1:])
	if strings.HasPrefix(last, "- ") && !strings.Contains(body, "```") && !strings.Contains(body, "~~~") {
		e.AddLines(planmd.Span{Start: s.Body.Start, End: s.Body.Start + len(body)}, line)
		return
	}
	e.AppendTo(s.Body, line)
}

// promotedValue is the value of the Format line: its first word changes, what else it says is kept.
func promotedValue(value, date string) string {
	word := strings.IndexFunc(value, func(r rune) bool { return (r|0x20) < 'a' || (r|0x20) > 'z' })
	if word < 0 {
		word = len(value)
	}
	if !strings.EqualFold(value[:word], lite) {
		return "full, promoted on " + date + " (it was: " + value + ")"
	}
	now := full
	if value[0] == 'L' {
		now = "Full"
	}
	return now + ", promoted on " + date + " from " + value
}

// cutRecords takes the inline records out. What stands around them is kept apart by an empty line.
func (m *promotion) cutRecords(e *planmd.Edit, records []planmd.Span) {
	src := m.S.README.Src
	// Records that follow each other leave together: what is between them is theirs.
	for i := 0; i < len(records); {
		cut := records[i]
		for i++; i < len(records) && records[i].Start == cut.End; i++ {
			cut.End = records[i].End
		}
		before := len(bytes.TrimRight(src[:cut.Start], " \t\r\n"))
		switch {
		case cut.End == len(src) && before > 0: // the file ends with the line end of its last line
			line := bytes.IndexByte(src[before:], '\n')
			cut.Start = min(before+line+1, cut.Start)
			e.Delete(cut)
		case before > 0 && bytes.Count(src[before:cut.Start], []byte("\n")) < 2:
			e.Replace(cut, "\n")
		default:
			e.Delete(cut)
		}
	}
}

// unlinked are the tasks whose index line does not say, in the new README, what it said, or does not lead to the file.
func (m *promotion) unlinked(after *planmd.README) []int {
	lines := map[int]*planmd.IndexLine{}
	for _, list := range [][]planmd.IndexLine{after.Bullets, after.Index} { // a box counts before a bullet
		for i := range list {
			lines[list[i].ID] = &list[i]
		}
	}
	// What a line says must not change by a byte that a reader sees; its box and its sub-items belong to the work (C19, C115).
	var odd []int
	for i := range m.tasks {
		t := &m.tasks[i]
		was, is := t.Line, lines[t.ID]
		same := is != nil && is.Title == was.Title && is.Tag == was.Tag && is.Link == t.path && (is.Box == nil) == (was.Box == nil) &&
			is.SubOpen == was.SubOpen && is.SubDone == was.SubDone
		if same && was.Box != nil {
			same = is.Box.Mark == was.Box.Mark
		}
		if !same {
			odd = append(odd, t.ID)
		}
	}
	return odd
}

// ownPart compares what the README says of the plan itself, before and after: where it differs, and in what.
func (m *promotion) ownPart(after *planmd.README) (at int, what string) {
	before := m.S.README
	if before.Title != after.Title || len(after.Records)+len(after.Loose) > 0 {
		return before.TitleAt.Start, "the README"
	}
	if len(before.Index) != len(after.Index) || len(before.Bullets) != len(after.Bullets) {
		return before.TitleAt.Start, "the task list"
	}
	for i := range before.Claims {
		if i >= len(after.Claims) || before.Claims[i].Done != after.Claims[i].Done || before.Claims[i].Total != after.Claims[i].Total {
			return before.Claims[i].Span.Start, "the count of completed tasks"
		}
	}
	// A labelled line that stood behind the last record was taken for that record's own, and has left with it.
	others := func(r *planmd.README) []planmd.Field {
		s := r.Section(planmd.Selection)
		return slices.DeleteFunc(slices.Clone(r.Fields), func(f planmd.Field) bool {
			return f.Kind == planmd.FieldFormat || s != nil && s.Body.Start <= f.Span.Start && f.Span.Start < s.Body.End
		})
	}
	was, is := others(before), others(after)
	for i := range was {
		if i >= len(is) || !sameField(was[i], is[i]) {
			return was[i].Span.Start, "the line " + was[i].Label
		}
	}
	for i := range before.Sections {
		a := &before.Sections[i]
		if i >= len(after.Sections) || a.Kind != after.Sections[i].Kind || a.Label != after.Sections[i].Label || a.Empty != after.Sections[i].Empty ||
			len(a.Boxes) != len(after.Sections[i].Boxes) {
			return a.Head.Start, "the section " + a.Label
		}
	}
	if len(before.Groups) != len(after.Groups) || before.ApprovalValue != after.ApprovalValue || before.OptInBy != after.OptInBy || len(before.Sections) != len(after.Sections) {
		return before.TitleAt.Start, "the README"
	}
	return 0, ""
}
