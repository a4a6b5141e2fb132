package update

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/verify"
)

// Escalation is what an entry of QUESTIONS.md says in the form in which questions are asked here; what a hand-written one doesn't say is
// zero (UN-5, UN-7):
//
//	## Q1 (Task 2): Which of the two tariffs counts?
//
//	- Class: C2
//	- Option: the one of 2026
//	- Recommended: the one of 2026
//	- Blocks: task 2, and after it 3, 4
//	- Asked: 2026-09-02 by Mill
type Escalation struct {
	Number   int    // of the ID; 0 for an entry without one
	ID       string // "Q1"
	Class    string // C1 to C5
	Task     int    // that it is about; 0 for the plan as a whole
	Question string
	Options  []string
	Default  string // what is recommended
	Blocks   string // what it held up when it was asked
	Date     string // when that was, YYYY-MM-DD
	Agent    string // who asked
}

// Escalation reads the entry.
func (q *Question) Escalation() Escalation {
	e := Escalation{Question: q.Title}
	if number, rest := questionNumber(q.Title); number > 0 {
		e.Number, e.ID = number, "Q"+strconv.Itoa(number)
		if e.Task, rest = taskMark(rest); rest != "" {
			e.Question = rest
		}
	}
	fenced := false
	for line := range strings.Lines(q.Text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
		}
		if label, value, found := exactly(line); found && !fenced && value != "" {
			e.take(strings.ToLower(label), value)
		}
	}
	return e
}

// exactly takes a labelled line apart, and leaves the marks of its value alone unless the label is emphasised, too.
func exactly(line string) (label, value string, found bool) {
	bare := strings.TrimLeft(line, " \t-+")
	bare = strings.TrimLeft(strings.TrimPrefix(bare, "* "), " ")
	if strings.HasPrefix(bare, "*") || strings.HasPrefix(bare, "_") {
		return labelled(line)
	}
	label, value, found = strings.Cut(bare, ":")
	return strings.TrimSpace(label), strings.TrimSpace(value), found
}

// take takes one labelled line; of two with one label the first counts, as what is asked comes first.
func (e *Escalation) take(label, value string) {
	set := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	switch label {
	case "class":
		if class := strings.ToUpper(value); classed("["+class+"] ") && class[0] == 'C' {
			set(&e.Class, class)
		}
	case "option":
		e.Options = append(e.Options, value)
	case "recommended", "default", "recommended default":
		set(&e.Default, value)
	case "blocks":
		set(&e.Blocks, value)
	case "asked":
		day, who, _ := strings.Cut(value, " by ")
		set(&e.Date, dateIn(day))
		set(&e.Agent, who)
	}
}

// questionNumber takes the number of an ID off a title: "Q1: which?", "Q1 (Task 2): which?".
func questionNumber(title string) (number int, rest string) {
	digits, found := strings.CutPrefix(title, "Q")
	rest = strings.TrimLeft(digits, "0123456789")
	digits = digits[:len(digits)-len(rest)]
	if !found || digits == "" || len(digits) > 6 || rest != "" && !strings.ContainsAny(rest[:1], " \t:.(") {
		return 0, ""
	}
	number, _ = strconv.Atoi(digits)
	return number, strings.TrimLeft(rest, " \t:.")
}

// taskMark takes "(Task 2): " off the front of a title.
func taskMark(title string) (task int, rest string) {
	mark, rest, found := strings.Cut(title, ")")
	digits, marked := strings.CutPrefix(strings.ToLower(mark), "(task ")
	if task, err := strconv.Atoi(digits); found && marked && err == nil && task > 0 {
		return task, strings.TrimLeft(rest, " \t:")
	}
	return 0, title
}

// About reports whether the entry is about a task. One that is marked with its task is about no other, whatever else it names.
func (q *Question) About(task int) bool {
	if e := q.Escalation(); e.Task > 0 {
		return e.Task == task
	}
	return verify.NamesTask(q.Title, task) || slices.ContainsFunc(strings.Split(q.Text, "\n"), func(line string) bool { return verify.NamesTask(line, task) }) ||
		slices.ContainsFunc(q.Answers, func(a QuestionAnswer) bool { return verify.NamesTask(a.Label+": "+a.Text, task) })
}

// LastQuestion is the highest number that a heading of QUESTIONS.md has as an ID, entries without words among them: none is given again.
func LastQuestion(text string) (last int) {
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		if title, level := headingOf(strings.TrimSpace(line)); level > 0 {
			number, _ := questionNumber(title)
			last = max(last, number)
		}
	}
	return last
}
