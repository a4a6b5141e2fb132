package planmd

import (
	"strings"
	"unicode"
)

// readLog reads the Completion & Log section of a record (PD-8). The fields of its amendments are theirs alone.
func (p *page) readLog(r *Record, from, to, end int) Log {
	var l Log
	l.Amendments = p.amendments(from, to, end)
	for i := range l.Amendments {
		if l.Amendments[i].Task == 0 {
			l.Amendments[i].Task = r.ID
		}
	}
	s := r.Section(CompletionLog)
	if s == nil {
		return l
	}
	fields := outside(s.Fields, l.Amendments)
	if l.Status = lastStatus(fields); l.Status != nil {
		l.State = logStateOf(l.Status.Value)
	}
	// What an amendment quotes is not what the log decides.
	l.Skills = firstField(fields, FieldSkills)
	l.Documentation = firstField(fields, FieldDocs)
	l.Reconciled = reconciled(r.Sections, fields)
	l.Placeholders = p.placeholders(s, fields)
	return l
}

// lastStatus returns the status line in force: of several with the label of the first one the last, since a log is
// appended to. "Phase: rollout" behind "Status: completed" changes nothing.
func lastStatus(fields []Field) *Field {
	last := firstField(fields, FieldStatus)
	for i := range fields {
		if last != nil && fields[i].Kind == FieldStatus && strings.EqualFold(fields[i].Label, last.Label) && fields[i].Value != "" {
			f := fields[i]
			last = &f
		}
	}
	return last
}

// outside leaves out the fields that stand in amendments. Both are in the order of the file.
func outside(fields []Field, amendments []Amendment) []Field {
	if len(amendments) == 0 {
		return fields
	}
	var kept []Field
	// An amendment may say "Status: pending" about what it changed.
	k := 0
	for _, f := range fields {
		for k < len(amendments) && amendments[k].Span.End <= f.Span.Start {
			k++
		}
		if k == len(amendments) || f.Span.Start < amendments[k].Span.Start {
			kept = append(kept, f)
		}
	}
	return kept
}

// logStateOf reads a status value, emoji in front ignored; a value of no known word is LogOther.
func logStateOf(value string) LogState {
	words := strings.TrimLeftFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '{' })
	state := logState(words)
	switch {
	// A lone check mark is how some agents write "completed".
	case words == "" && strings.IndexFunc(value, isCheckMark) >= 0:
		return LogCompleted
	// "Status: TBD" and "Status: {status}" are what the template left for later.
	case value != "" && placeholder(value) && hasLetterOrBrace(value) && !notApplicable(value):
		return LogPending
	case state == LogNone && value != "":
		return LogOther
	}
	return state
}

// reconciled reports whether a record shows a documentation reconciliation: a section with words, or a labelled line.
func reconciled(sections []Section, fields []Field) bool {
	for i := range sections {
		if sections[i].Kind == DocsReconciling && !sections[i].Empty {
			return true
		}
	}
	f := firstField(fields, FieldReconcile)
	return f != nil && hasWords(f.Value)
}

// placeholders lists the labelled lines of a log without a value of their own, and the lines that are nothing but a
// placeholder. "N/A" behind a label is an answer.
func (p *page) placeholders(s *Section, fields []Field) []Span {
	var found []Span
	for _, f := range fields {
		if !hasWords(f.Value) && !notApplicable(f.Value) {
			found = append(found, f.Span)
		}
	}
	from, to := p.blocksIn(s.Body)
	for i := from; i < to; i++ {
		b := &p.blocks[i]
		if b.kind != lineBlock || b.row != noRow || b.label >= 0 {
			continue
		}
		if text := p.plain(b.text); text != "" && hasLetterOrBrace(text) && !hasWords(text) {
			found = append(found, b.span)
		}
	}
	return found
}

func hasLetterOrBrace(s string) bool {
	return strings.IndexFunc(s, unicode.IsLetter) >= 0 || strings.HasPrefix(s, "{") || strings.Trim(s, ".\u2026") == ""
}

// notApplicable reports whether a value is "N/A" in any spelling, or a dash that stands for it.
func notApplicable(value string) bool {
	letters := strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, value))
	return letters == "na" || letters == "" && strings.Trim(value, "-\u2013\u2014 ") == "" && strings.TrimSpace(value) != ""
}

// blocksIn returns the range of blocks that stand in a span.
func (p *page) blocksIn(s Span) (from, to int) {
	return p.blockAt(s.Start), p.blockAt(s.End)
}
