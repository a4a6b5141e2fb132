package author

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
)

// Interview gathers an outline by questions, one after the other. It is pure: who has a terminal asks Next and hands the answer to Answer,
// which judges it as Gaps would judge the outline. What Outline and Format hold at the start is answered already and not asked for.
type Interview struct {
	Outline Outline
	Format  string // "lite", "full", or "" to have it recommended
	// Taken tells whether there is a plan of a name already; nil to not ask.
	Taken func(name string) bool
	// These parts need no question, whatever they hold.
	TasksGiven, ParallelGiven, ChildrenGiven, FormatGiven bool
	// Hub says that child plans are asked for (AG-4).
	Hub bool

	at   int // the question of the plan that is open: an index of planQuestions
	task int // the question of the last task that is open: an index of taskQuestions
}

// Question is one question.
type Question struct {
	About string // "The plan", "Task 2"
	Ask   string
	Hint  string // an example, or what the words mean
	Flag  string // the flag that answers it beforehand
	// Lines says that the answer is a list, or text of several lines: an empty line ends it.
	Lines bool
}

// asked is a question, whether it was answered before, and how its answer is taken: "" when it is good, else what is wrong with it.
type asked struct {
	Question
	done func(v *Interview) bool
	take func(v *Interview, answer []string) string
}

// planQuestions are asked once, in this order; the tasks come where tasks stand.
var planQuestions = [...]asked{
	{Question{About: "The plan", Ask: "What is the plan called?", Hint: "A few words, such as: Export invoices as CSV", Flag: "--title"},
		func(v *Interview) bool { return v.Outline.Title != "" }, (*Interview).takeTitle},
	{Question{About: "The plan", Ask: "Which state of things is to be reached?", Hint: "One or two sentences that somebody can check later.", Flag: "--goal"},
		func(v *Interview) bool { return v.Outline.Goal != "" },
		func(v *Interview, answer []string) string {
			return takeText(&v.Outline.Goal, "the plan's Goal", answer)
		}},
	{Question{About: "The plan", Ask: "What must somebody know who has never seen this work?", Hint: "How things are today, what was decided, what is not wanted.", Flag: "--context", Lines: true},
		func(v *Interview) bool { return v.Outline.Context != "" },
		func(v *Interview, answer []string) string {
			return takeText(&v.Outline.Context, "the plan's Context", answer)
		}},
	{Question{Flag: "--task"}, func(v *Interview) bool { return v.TasksGiven }, nil},
	{Question{About: "Order", Ask: "Which tasks may run at the same time?", Hint: "Their numbers, such as: 2, 3. Enter alone means one after the other.", Flag: "--parallel"},
		func(v *Interview) bool { return v.ParallelGiven || len(v.Outline.Tasks) < 2 },
		func(v *Interview, answer []string) string { return v.Parallel(strings.Join(answer, " ")) }},
	{Question{About: "Child plans", Ask: "Which plans in other repositories belong to it?", Hint: "One per line, such as: services/api: PLAN_token_api, task 1, after PLAN_other_one", Flag: "--child", Lines: true},
		func(v *Interview) bool { return v.ChildrenGiven || !v.Hub }, (*Interview).takeChildren},
	{Question{About: "Format", Ask: "Which format?", Hint: "lite: one file, for small work. full: a file per task. Enter alone means: what is recommended.", Flag: "lite or full"},
		func(v *Interview) bool { return v.FormatGiven || v.Format != "" }, (*Interview).takeFormat},
}

// tasksAt is where the tasks are asked for.
const tasksAt = 3

// taskQuestions are asked for each task.
var taskQuestions = [...]asked{
	{Question: Question{Ask: "What is to be done?", Hint: "A few words, such as: Write invoices as CSV"}, take: (*Interview).takeTask},
	{Question: Question{Ask: "What will be true when it is done?", Hint: "One sentence."},
		take: func(v *Interview, answer []string) string { return takeText(&v.last().Goal, "the task's Goal", answer) }},
	{Question: Question{Ask: "What is known about it today?", Hint: "Where the code is, what it does now, what to watch out for.", Lines: true},
		take: func(v *Interview, answer []string) string {
			return takeText(&v.last().Context, "the task's Context", answer)
		}},
	{Question: Question{Ask: "Which files or folders will it change?", Hint: "One per line, such as: billing/csv.go", Lines: true},
		take: func(v *Interview, answer []string) string {
			s := &v.last().Surface
			why := takeList(&s.Planned, "planned paths", answer)
			for i, p := range s.Planned {
				s.Planned[i] = unquoted(p)
			}
			return why
		}},
	{Question: Question{Ask: "How far can a mistake reach?", Hint: "isolated: this place only. seam: its neighbours. shared/core: many places. unknown."},
		take: func(v *Interview, answer []string) string { return v.takeRisk(answer) }},
	{Question: Question{Ask: "What has to hold so that it counts as done?", Hint: "One criterion per line, such as: A file of 10,000 lines is written within a second", Lines: true},
		take: func(v *Interview, answer []string) string {
			return takeList(&v.last().Acceptance, "acceptance criteria", answer)
		}},
	{Question: Question{Ask: "Which commands check it?", Hint: "One per line, such as: go test ./billing/...", Lines: true}, take: (*Interview).takeGates},
}

// Next is the question to ask now; ok is false when everything is answered.
func (v *Interview) Next() (q Question, ok bool) {
	for ; v.at < len(planQuestions); v.at++ {
		a := &planQuestions[v.at]
		if a.done(v) && !(v.at == tasksAt && v.task > 0) {
			continue
		}
		if v.at != tasksAt {
			return a.Question, true
		}
		q = taskQuestions[v.task].Question
		q.About, q.Flag = fmt.Sprintf("Task %d", len(v.Outline.Tasks)+1), a.Flag
		if v.task > 0 {
			q.About = fmt.Sprintf("Task %d", len(v.Outline.Tasks))
		} else if len(v.Outline.Tasks) > 0 {
			q.Ask, q.Hint = "What is to be done next?", "A few words; Enter alone when there are no more tasks."
		}
		return q, true
	}
	return Question{}, false
}

// Answer takes the answer to the question that Next told, line by line. When it has no substance the question stays, and again is why.
func (v *Interview) Answer(lines []string) (again string) {
	if v.at >= len(planQuestions) {
		return ""
	}
	var answer []string
	for _, line := range lines {
		if line = strings.TrimSpace(strings.ToValidUTF8(line, "\ufffd")); line != "" {
			answer = append(answer, line)
		}
	}
	// A plan holds no secret (PS-7): better told now than when everything is answered.
	for _, line := range answer {
		if found := evidence.Secrets(line); len(found) > 0 {
			return "that looks like a secret (" + found[0].Kind + "): a plan holds none"
		}
	}
	if v.at != tasksAt {
		if again = planQuestions[v.at].take(v, answer); again == "" {
			v.at++
		}
		return again
	}
	if again = taskQuestions[v.task].take(v, answer); again != "" {
		return again
	}
	if v.task == 0 && len(answer) == 0 { // no more tasks
		v.at++
		return ""
	}
	v.task = (v.task + 1) % len(taskQuestions)
	return ""
}

// last is the task that is asked about.
func (v *Interview) last() *Task { return &v.Outline.Tasks[len(v.Outline.Tasks)-1] }

func (v *Interview) takeTitle(answer []string) string {
	title := oneLine(strings.Join(answer, " "))
	c := gaps{}
	if c.title("", "the title", title); len(c.list) > 0 {
		return c.list[0].What
	}
	if name := NameFor(title); v.Taken != nil && v.Taken(name) {
		return "there is a plan " + name + " already; choose another title"
	}
	v.Outline.Title = title
	return ""
}

// takeTask begins a task. No words mean that there are no more, once there is one.
func (v *Interview) takeTask(answer []string) string {
	title := oneLine(strings.Join(answer, " "))
	switch {
	case title == "" && len(v.Outline.Tasks) > 0:
		return ""
	case title == "":
		return "a plan has one task at least"
	}
	c := gaps{}
	if c.title("", "the task's title", title); len(c.list) > 0 {
		return c.list[0].What
	}
	v.Outline.Tasks = append(v.Outline.Tasks, Task{Title: title})
	return ""
}

func takeText(to *string, what string, answer []string) string {
	text := strings.Join(answer, "\n")
	c := gaps{}
	if c.text("", what, text); len(c.list) > 0 {
		return c.list[0].What
	}
	*to = text
	return ""
}

func takeList(to *[]string, what string, answer []string) string {
	var list []string
	for _, line := range answer {
		item, _ := unmark(line) // people type "- x" where a list is asked for
		list = append(list, item)
	}
	c := gaps{}
	if c.items("", what, list); len(c.list) > 0 {
		return c.list[0].What
	}
	*to = list
	return ""
}

func (v *Interview) takeGates(answer []string) string {
	c := gaps{}
	for _, gate := range answer {
		c.gate("", "the command", gate)
	}
	if len(c.list) > 0 {
		return c.list[0].What
	}
	t := v.last()
	if c.items("", "commands that check it", answer); len(c.list) > 0 {
		return c.list[0].What
	}
	t.Gates = answer
	return ""
}

func (v *Interview) takeRisk(answer []string) string {
	risk := oneLine(strings.Join(answer, " "))
	c := gaps{}
	if c.risk("", "the risk class", risk); len(c.list) > 0 {
		return c.list[0].What
	}
	v.last().Surface.Risk = risk
	return ""
}

func (v *Interview) takeFormat(answer []string) string {
	switch word := strings.ToLower(strings.Join(answer, " ")); word {
	case "", lite, full:
		v.Format = word
		v.FormatGiven = true
		return ""
	}
	return "write lite or full, or nothing"
}

// Parallel makes a group of tasks that may run at the same time, each the owner of the files it plans to change (AG-6, PD-12). It tells
// what is wrong with the numbers, or "".
func (v *Interview) Parallel(numbers string) (wrong string) {
	fields := strings.FieldsFunc(numbers, func(r rune) bool { return r == ',' || r == ' ' || r == ';' })
	if len(fields) == 0 {
		return ""
	}
	name := fmt.Sprintf("Together %d", len(v.Outline.Groups)+1)
	var rows []Group
	var ids []int
	for _, f := range fields {
		id, err := strconv.Atoi(f)
		if err != nil || id < 1 || id > len(v.Outline.Tasks) {
			return fmt.Sprintf("%q is no task: write numbers from 1 to %d", f, len(v.Outline.Tasks))
		}
		if slices.Contains(ids, id) {
			return fmt.Sprintf("task %d stands twice", id)
		}
		ids = append(ids, id)
		rows = append(rows, Group{Name: name, Tasks: []int{id}, Owned: slices.Clone(v.Outline.Tasks[id-1].Surface.Planned)})
	}
	if len(ids) < 2 {
		return "one task alone runs with nobody: write two numbers at least, or nothing"
	}
	with := v.Outline
	with.Groups = append(slices.Clone(with.Groups), rows...)
	c := gaps{}
	if c.groups(&with); len(c.list) > 0 {
		return c.list[0].What
	}
	v.Outline.Groups = with.Groups
	return ""
}

// takeChildren takes the child plans of a hub; none is an answer, too.
func (v *Interview) takeChildren(answer []string) string {
	with := v.Outline
	with.Children = ParseChildren(answer)
	c := gaps{}
	if c.children(&with); len(c.list) > 0 {
		return c.list[0].What
	}
	v.Outline.Children = with.Children
	return ""
}

// Given judges what was answered before the first question: an answer that has no substance is not asked for again.
func (v *Interview) Given() []Gap {
	c := gaps{}
	o := &v.Outline
	if o.Title != "" {
		c.title("--title", "the plan's title", o.Title)
	}
	if o.Goal != "" {
		c.text("--goal", "the plan's Goal", o.Goal)
	}
	if o.Context != "" {
		c.text("--context", "the plan's Context", o.Context)
	}
	for i := range o.Tasks {
		c.task(i, &o.Tasks[i], len(o.Tasks))
	}
	return c.list
}
