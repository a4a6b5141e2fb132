package revise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
)

// Amendment is what an amendment says (AM-1). Every value is one line; one that is "" reads "none", but a revised criterion stands
// only when there is one.
type Amendment struct {
	Original, Observed, Disposition, Revised, Reason, Authority, Affected, Invalidated, Preserved string
}

// fields are the labelled lines, in the order of AM-1.
func (a *Amendment) fields() []field {
	list := []field{
		{planmd.FieldOriginal, "Original criterion", a.Original}, {planmd.FieldObserved, "Observed", a.Observed},
		{planmd.FieldDisposition, "Disposition", a.Disposition}, {planmd.FieldRevised, "Revised criterion", a.Revised},
		{planmd.FieldReason, "Reason", a.Reason}, {planmd.FieldAuthority, "Authority", a.Authority},
		{planmd.FieldAffected, "Affected tasks", a.Affected}, {planmd.FieldInvalidated, "Evidence invalidated", a.Invalidated},
		{planmd.FieldPreserved, "Evidence preserved", a.Preserved},
	}
	out := list[:0]
	for _, f := range list {
		f.value = OneLine(f.value)
		if f.value == "" && f.kind == planmd.FieldRevised {
			continue
		}
		if f.value == "" {
			f.value = "none"
		}
		out = append(out, f)
	}
	return out
}

type field struct {
	kind         planmd.FieldKind
	label, value string
}

// Amend appends an amendment to a task's log and to PROGRESS.md, with today's date and the next number (AM-1, PD-12). When the last
// amendment of the log says the same and is of today, nothing is added: the call before was cut off, or repeated (C117). The task
// must have a record with a Completion & Log.
func (d *Desk) Amend(t *plan.TaskView, a Amendment) (number int, already bool, err error) {
	section := t.Record.Section(planmd.CompletionLog)
	if section == nil {
		return 0, false, fmt.Errorf("task %d has no Completion & Log to append to", t.ID)
	}
	log := t.Record.Log.Amendments
	for i := range log {
		number = max(number, log[i].Number)
	}
	if n := len(log); n > 0 && log[n-1].Date == d.Date() && says(&log[n-1], a.fields()) {
		return log[n-1].Number, true, nil
	}
	number++
	head := fmt.Sprintf("Amendment %d \u2014 %s", number, d.Date())
	level := section.Level + 1
	if section.Level == 0 { // a labelled line has no level; what is below any heading of the record has
		level = 4
	}
	end := section.Body.End
	if n := len(log); n > 0 {
		end = max(end, log[n-1].Span.End)
	}
	body := render(a.fields())
	d.Record(t).AppendTo(planmd.Span{Start: section.Head.Start, End: end}, strings.Repeat("#", min(level, 6))+" "+head+"\n\n"+body)
	d.notes = append(d.notes, fmt.Sprintf("## %s (Task %d)\n\n%s", head, t.ID, body))
	return number, false, nil
}

func render(fields []field) string {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "- %s: %s\n", f.label, f.value)
	}
	return b.String()
}

// says reports whether an amendment reads as one that these fields would make: both are read by the same eyes.
func says(have *planmd.Amendment, fields []field) bool {
	would := planmd.ReadProgress([]byte("## Amendment 1 \u2014 2026-01-01\n\n" + render(fields))).Amendments
	return len(would) == 1 && slices.EqualFunc(have.Fields, would[0].Fields, func(a, b planmd.Field) bool {
		return a.Kind == b.Kind && OneLine(a.Value) == OneLine(b.Value)
	})
}

// OneLine makes a line of any text.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Bullets renders a list; items that are "" are left out.
func Bullets(items ...string) string {
	var b strings.Builder
	for _, item := range items {
		if item = OneLine(item); item != "" {
			b.WriteString("- " + item + "\n")
		}
	}
	return b.String()
}
