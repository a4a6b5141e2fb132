package update

import (
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/verify"
)

// Question is an entry of analysis_results/QUESTIONS.md: a heading and what stands below it, up to the next one (PD-12, UN-7).
type Question struct {
	Title string // of the heading, without its marks
	Text  string // what stands below, trimmed; answers are not in it
	// Answers are its lines that are labelled as an answer, in order, without bullet and emphasis. An entry without any is open.
	Answers []QuestionAnswer
	level   int // of the heading
}

// About reports whether an entry, or an answer in it, names a task.
func (q *Question) About(task int) bool {
	return verify.NamesTask(q.Title, task) || verify.NamesTask(q.Text, task) || slices.ContainsFunc(q.Answers, func(a QuestionAnswer) bool { return verify.NamesTask(a.Text, task) })
}

// QuestionAnswer is one answer: "Answered by Ana on 2026-09-01: the second one".
type QuestionAnswer struct {
	Label, Text string
	Date        string // YYYY-MM-DD, the last one in the line; "" for none
}

// ReadQuestions reads the entries of a QUESTIONS.md. The only heading of level 1, which is the title of the file, is none, and neither
// is a heading without words below it. Lines in fenced code are text.
func ReadQuestions(text string) []Question {
	var list []Question
	var open *Question
	fenced, titles := false, 0
	keep := func() {
		if open != nil {
			if open.Text = strings.TrimSpace(open.Text); open.Text != "" || len(open.Answers) > 0 {
				list = append(list, *open)
			}
		}
	}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
		}
		title := strings.TrimLeft(trimmed, "#")
		switch answer, ok := answerLine(trimmed); {
		case !fenced && title != trimmed && (title == "" || title[0] == ' ' || title[0] == '\t'):
			keep()
			open = &Question{Title: strings.TrimSpace(strings.TrimRight(strings.TrimSpace(title), "#")), level: len(trimmed) - len(title)}
			if open.level == 1 {
				titles++
			}
		case open == nil:
		case ok && !fenced:
			open.Answers = append(open.Answers, answer)
		default:
			open.Text += line + "\n"
		}
	}
	keep()
	if titles == 1 && len(list) > 0 && list[0].level == 1 {
		list = list[1:]
	}
	return list
}

// answerLine reads a line such as "- **Answer:** keep both, on 2026-09-01". A label without words behind it waits for its answer.
func answerLine(line string) (QuestionAnswer, bool) {
	label, value, found := strings.Cut(strings.Trim(line, " \t-*+_"), ":")
	if !found {
		label, value, found = strings.Cut(label, "\uff1a")
	}
	value = strings.TrimSpace(strings.Trim(value, " \t*_"))
	if !found || value == "" || !isAnswer(strings.ToLower(label)) {
		return QuestionAnswer{}, false
	}
	return QuestionAnswer{Label: strings.Trim(label, " *_"), Text: value, Date: dateIn(line)}, true
}
