package revise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
)

// Amendment is what an amendment says (AM-1). Every value is one line; one that is "" reads "none", but a revised criterion stands
// only when there is one, and so do the last two.
type Amendment struct {
	Original, Observed, Disposition, Revised, Reason, Authority, Affected, Invalidated, Preserved string
	// Words are those by which a person granted the change, verbatim (UN-6). They have a line of their own: what they speak of, an agent
	// say, must not be taken for who speaks.
	Words string
	// Recorded says who wrote the amendment down.
	Recorded string
}

// fields are the labelled lines, in the order of AM-1.
func (a *Amendment) fields() []field {
	list := []field{
		{planmd.FieldOriginal, "Original criterion", a.Original}, {planmd.FieldObserved, "Observed", a.Observed},
		{planmd.FieldDisposition, "Disposition", a.Disposition}, {planmd.FieldRevised, "Revised criterion", a.Revised},
		{planmd.FieldReason, "Reason", a.Reason}, {planmd.FieldAuthority, "Authority", a.Authority},
		{planmd.FieldAffected, "Affected tasks", a.Affected}, {planmd.FieldInvalidated, "Evidence invalidated", a.Invalidated},
		{planmd.FieldPreserved, "Evidence preserved", a.Preserved},
		{planmd.FieldOther, "Granting words", Quote(a.Words)}, {planmd.FieldOther, "Recorded by", a.Recorded},
	}
	out := list[:0]
	for _, f := range list {
		f.value = OneLine(f.value)
		if f.value == "" && (f.kind == planmd.FieldRevised || f.kind == planmd.FieldOther) {
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
// amendment of the log says the same and is of today, it is not added again: the call before was cut off, or repeated, and only what
// is missing of it is done (C117). The task must have a record with a Completion & Log.
func (d *Desk) Amend(t *plan.TaskView, a Amendment) (number int, already bool, err error) {
	section := t.Record.Section(planmd.CompletionLog)
	if section == nil {
		return 0, false, fmt.Errorf("task %d has no Completion & Log to append to", t.ID)
	}
	log := t.Record.Log.Amendments
	for i := range log {
		number = max(number, log[i].Number)
	}
	body := render(a.fields())
	if n := len(log); n > 0 && log[n-1].Date == d.Date() && says(&log[n-1], a.fields()) {
		if number = log[n-1].Number; !d.copied(t.ID, number) {
			d.copy(t.ID, number, body)
		}
		return number, true, nil
	}
	number++
	head := amendmentHead(number, d.Date())
	level := section.Level + 1
	if section.Level == 0 { // a labelled line has no level; what is below any heading of the record has
		level = 4
	}
	end := section.Body.End
	if n := len(log); n > 0 {
		end = max(end, log[n-1].Span.End)
	}
	d.Record(t).AppendTo(planmd.Span{Start: section.Head.Start, End: end}, strings.Repeat("#", min(level, 6))+" "+head+"\n\n"+body)
	d.copy(t.ID, number, body)
	return number, false, nil
}

func amendmentHead(number int, date string) string {
	return fmt.Sprintf("Amendment %d \u2014 %s", number, date)
}

// copy appends the copy of an amendment to PROGRESS.md.
func (d *Desk) copy(task, number int, body string) {
	d.notes = append(d.notes, fmt.Sprintf("## %s (Task %d)\n\n%s", amendmentHead(number, d.Date()), task, body))
}

// copied reports whether PROGRESS.md has an amendment of a task.
func (d *Desk) copied(task, number int) bool {
	return d.S.Progress != nil && slices.ContainsFunc(d.S.Progress.Amendments, func(a planmd.Amendment) bool {
		return a.Number == number && (a.Task == task || a.Task == 0)
	})
}

// Unfaithful lists the labels of the fields that would not read back as they are given, and "amendment" when it would not be read as one
// at all: an open comment or a code mark swallows what follows.
func (a *Amendment) Unfaithful() (labels []string) {
	fields := a.fields()
	text := "## " + amendmentHead(1, "2026-01-01") + "\n\n" + render(fields)
	back := planmd.ReadProgress([]byte(text + "\n## Behind\n\n- it\n"))
	if len(back.Amendments) != 1 || len(back.Amendments[0].Fields) != len(fields) || !strings.Contains(string(back.Src[back.Amendments[0].Span.End:]), "## Behind") {
		labels = append(labels, "amendment")
	} else {
		for i, f := range fields {
			if got := back.Amendments[0].Fields[i]; got.Kind != f.kind || bare(got.Value) != bare(f.value) {
				labels = append(labels, f.label)
			}
		}
	}
	return labels
}

// bare is a value without the marks that may stand around it.
func bare(value string) string { return strings.Trim(OneLine(value), "`*_ ") }

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

// Quote makes a code span of a text, in which nothing is structure, whatever it says (UN-6: granting words stay verbatim); "" of "".
func Quote(text string) string {
	if text = OneLine(text); text == "" {
		return ""
	}
	mark, run := "`", 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		for run >= len(mark) {
			mark += "`"
		}
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return mark + text + mark
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
