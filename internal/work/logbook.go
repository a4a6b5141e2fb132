package work

import (
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
)

// logbook edits the Completion & Log of one task (PD-8). Lines that the log has already are filled in; what it has no line for is
// added below its status, in the form of the status line. Its amendments are not touched (AM-1).
type logbook struct {
	edit    *planmd.Edit
	doc     *planmd.Doc
	record  *planmd.Record
	section *planmd.Section
	fields  []planmd.Field // of the log itself
	filled  map[int]bool   // by where a field begins
	added   []line         // for below the status
	status  string         // what the status line will say; "" for what it says
}

// line is a labelled line that is to be added.
type line struct{ label, value string }

// openLog opens the log of a task; nil when the task has none.
func openLog(d *revise.Desk, t *plan.TaskView) *logbook {
	if t.Record == nil || t.Doc == nil || t.File == "" {
		return nil
	}
	section := t.Record.Section(planmd.CompletionLog)
	if section == nil {
		return nil
	}
	return &logbook{edit: d.Record(t), doc: t.Doc, record: t.Record, section: section, filled: map[int]bool{},
		fields: slices.DeleteFunc(slices.Clone(section.Fields), func(f planmd.Field) bool { return amended(t.Record, f.Span.Start) })}
}

// amended reports whether an offset lies in an amendment.
func amended(r *planmd.Record, at int) bool {
	return slices.ContainsFunc(r.Log.Amendments, func(a planmd.Amendment) bool { return a.Span.Start <= at && at < a.Span.End })
}

// say sets the status line. One that says so already, in whatever words, keeps them.
func (l *logbook) say(state planmd.LogState) {
	if l.record.Log.State == state {
		return
	}
	l.status = string(state)
	if f := l.record.Log.Status; f != nil {
		l.filled[f.Span.Start] = true
		l.edit.FillField(f, l.status)
	}
}

// find is the first line that has one of the labels, or that is of a kind.
func (l *logbook) find(kind planmd.FieldKind, labels ...string) *planmd.Field {
	for i := range l.fields {
		f := &l.fields[i]
		if kind != planmd.FieldOther && f.Kind == kind || slices.Contains(labels, strings.ToLower(strings.TrimSpace(f.Label))) {
			return f
		}
	}
	return nil
}

// fill gives a line that says nothing yet its value.
func (l *logbook) fill(f *planmd.Field, value string) {
	l.filled[f.Span.Start] = true
	if f.Value != value {
		l.edit.FillField(f, value)
	}
}

// keep fills a line in or adds it; one that has words keeps them.
func (l *logbook) keep(label, value string, kind planmd.FieldKind, labels ...string) {
	switch f := l.find(kind, labels...); {
	case value == "":
	case f == nil:
		l.added = append(l.added, line{label, value})
	case planmd.Wordless(f.Value):
		l.fill(f, value)
	}
}

// set is keep, but replaces what the line says.
func (l *logbook) set(label, value string, kind planmd.FieldKind, labels ...string) {
	if f := l.find(kind, labels...); f != nil && value != "" {
		l.fill(f, value)
		return
	}
	l.keep(label, value, kind, labels...)
}

// append adds a line unless one of the label says the same already.
func (l *logbook) append(label, value string) {
	if !slices.ContainsFunc(l.fields, func(f planmd.Field) bool {
		return strings.EqualFold(f.Label, label) && revise.OneLine(f.Value) == revise.OneLine(value)
	}) {
		l.added = append(l.added, line{label, value})
	}
}

// done writes the lines that were added.
func (l *logbook) done() {
	status := l.record.Log.Status
	var text []string
	if status == nil {
		// A list of its own at the top: whatever prose follows is not read as part of it.
		if l.status == "" && len(l.added) == 0 {
			return
		}
		text = append(text, "")
		if l.status != "" {
			text = append(text, "- Status: "+l.status)
		}
		for _, a := range l.added {
			text = append(text, "- "+a.label+": "+a.value)
		}
		l.edit.AddLines(l.section.Head, text...)
		return
	}
	// Below the status line and in its form: a log of plain lines stays one, a list stays a list.
	for _, a := range l.added {
		text = append(text, l.doc.Like(status, a.label, a.value))
	}
	if len(text) == 0 {
		return
	}
	below := status.Span
	if status.At.Start >= status.Span.End && status.At.End > status.At.Start { // the value stands below its heading
		below = status.At
		text = append([]string{""}, text...)
	}
	l.edit.AddLines(below, text...)
}

// block puts a paragraph, or more, at the end of the log, before its amendments.
func (l *logbook) block(text string) {
	// Amendments are the last of a log, and nothing is put between or behind them.
	end := l.section.Body.End
	for i := range l.record.Log.Amendments {
		if a := &l.record.Log.Amendments[i]; a.Span.Start >= l.section.Body.Start {
			end = min(end, a.Span.Start)
		}
	}
	l.edit.AppendTo(planmd.Span{Start: l.section.Head.Start, End: end}, text)
}

// readBack reads a task's record in a document as it will stand; nil when it is not there any more.
func readBack(t *plan.TaskView, data []byte) *planmd.Record {
	if t.File != revise.ReadmeFile {
		return &planmd.ReadTask(data).Record
	}
	readme := planmd.ReadREADME(data)
	for _, list := range [][]planmd.Record{readme.Records, readme.Loose} {
		for i := range list {
			if list[i].ID == t.Record.ID && list[i].Anchor == t.Record.Anchor {
				return &list[i]
			}
		}
	}
	return nil
}
