package work

import (
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
)

// Answer is a person's answer to a blocker, as the task's log keeps it (GU-5, C99): a line that names who and when, and the words in a
// block quote, where no text is read as structure.
type Answer struct {
	By, Date string
	Text     string // verbatim; lines end in "\n", the last one without
}

const (
	answerHead = "Answer by "
	answerDate = " on "
)

// render is the answer in Markdown.
func (a Answer) render() string {
	var b strings.Builder
	// No colon: a label without a value would read as a line that waits to be filled in.
	b.WriteString(answerHead + revise.OneLine(a.By) + answerDate + a.Date + "\n\n")
	for line := range strings.SplitSeq(a.Text, "\n") {
		if line != "" {
			line = " " + line
		}
		b.WriteString(">" + line + "\n")
	}
	return b.String()
}

// Answers lists the answers that a task's log holds, in order, for whoever goes on with it (C99).
func Answers(t *plan.TaskView) []Answer {
	if t.Record == nil || t.Doc == nil {
		return nil
	}
	section := t.Record.Section(planmd.CompletionLog)
	if section == nil {
		return nil
	}
	var list []Answer
	open := false // the lines of a quotation may follow
	lines := 0    // that the last one has
	text := strings.ReplaceAll(t.Doc.Text(section.Body), "\r\n", "\n")
	for line := range strings.SplitSeq(text, "\n") {
		if head, found := strings.CutPrefix(line, answerHead); found {
			// A name may hold " on " itself; the day comes last.
			who, day := strings.TrimSpace(head), ""
			if i := strings.LastIndex(who, answerDate); i >= 0 {
				who, day = who[:i], who[i+len(answerDate):]
			}
			list, open, lines = append(list, Answer{By: who, Date: day}), true, 0
			continue
		}
		// Quoted lines follow, behind one empty line at most; anything else ends the answer.
		quoted, isQuote := strings.CutPrefix(line, ">")
		switch {
		case !open:
		case isQuote:
			last := &list[len(list)-1]
			if lines++; lines > 1 {
				last.Text += "\n"
			}
			last.Text += strings.TrimPrefix(quoted, " ")
		case strings.TrimSpace(line) != "" || lines > 0:
			open = false
		}
	}
	return list
}
