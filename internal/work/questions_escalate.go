package work

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/update"
)

// Escalate asks a person what an agent may not decide (UN-5). The question is kept in QUESTIONS.md; a critical one blocks its task, and so
// what depends on it and nothing else (GU-5, UN-7).
type Escalate struct {
	revise.Who
	Class, Question, Default string
	Options                  []string
	Task                     int // 0 for the plan as a whole; of a critical one, for the task in progress
	Critical                 bool
	Configured               []update.EnvValue

	// What Decide found.
	ID       string
	Blocked  int                    // the task that the question blocks; 0 for none
	Behind   int                    // the task whose blocker stands before it; 0 for none
	Answered *update.QuestionAnswer // the answer, of a question that was answered before; nil for none
}

// Decide appends the question with the next ID, and blocks the task in the same operation when it is critical. The same question again adds
// nothing, whether it was answered or not: it is asked once (UN-7). One that was batched, and has become critical, blocks under its own ID.
func (e *Escalate) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	e.ID, e.Blocked, e.Behind, e.Answered = "", 0, 0, nil
	if err := e.check(s); err != nil {
		return nil, err
	}
	list, err := Questions(s)
	if err != nil {
		return nil, err
	}
	known := e.known(list, e.meant(s))
	if known >= 0 {
		q := &list[known]
		e.ID = q.ID
		if !q.Open() {
			e.Answered = &q.Answers[len(q.Answers)-1]
			return &publish.Revision{}, nil
		}
		if q.Blocking {
			e.Blocked = q.Holds[0]
			return &publish.Revision{}, nil
		}
	}
	task, err := e.place(s, list, known)
	if err != nil || e.Blocked == 0 && known >= 0 {
		return &publish.Revision{}, err
	}
	d := revise.New(s, e.Who)
	if known < 0 {
		text, _ := questionsText(s)
		e.ID = "Q" + strconv.Itoa(e.last(s, text)+1)
		e.write(d, task)
	}
	r, err := e.revision(d)
	if err != nil {
		return nil, err
	}
	r.Operation, r.Args = "escalate", []string{"--class", e.Class, "--question", e.Question}
	r.Warnings = append(r.Warnings, configured(e.Configured, slices.Concat(e.Options, []string{e.Question, e.Default})...)...)
	return r, e.faithful(list, r, task, known < 0)
}

// check refuses what is no escalation, and texts that can't stand in the document.
func (e *Escalate) check(s *plan.Snapshot) error {
	if !slices.ContainsFunc(EscalationClasses(), func(c EscalationClass) bool { return c.ID == e.Class }) {
		return refuse("guard/escalation-class", "the class %q is none of C1 to C5", e.Class)
	}
	return sayable(s, e.Who, e.Task, e.Options, given{"question", e.Question, 500, false}, given{"recommended default", e.Default, 400, false})
}

// meant is the task that the question is about; 0 for the plan as a whole, and while nobody can tell because a blocker stands.
func (e *Escalate) meant(s *plan.Snapshot) int {
	if e.Task != 0 || !e.Critical || s.State == nil || s.State.Blocked != nil {
		return e.Task
	}
	if id, err := Current(s, 0); err == nil {
		return id
	}
	return 0
}

// known finds the question among those that were asked, the one that blocks first; -1 for none.
func (e *Escalate) known(list []Asked, meant int) int {
	i := slices.IndexFunc(list, func(q Asked) bool { return q.Blocking && e.same(&q, meant) })
	if i < 0 {
		i = slices.IndexFunc(list, func(q Asked) bool { return e.same(&q, meant) })
	}
	return i
}

// same reports whether a question is this one. Case and spacing make no other one, nor does what is recommended now; another task does.
func (e *Escalate) same(q *Asked, meant int) bool {
	task := meant == 0 || q.Task == meant || q.Task == 0 && e.Task == 0
	return q.Number > 0 && task && strings.EqualFold(stripped(q.Escalation.Question), stripped(e.Question))
}

// place decides which task the question is about, and whether it blocks it: another blocker is never replaced, so the question waits behind
// one (GU-5).
func (e *Escalate) place(s *plan.Snapshot, list []Asked, known int) (task int, err error) {
	task = e.Task
	if known >= 0 && task == 0 {
		task = list[known].Task
	}
	if !e.Critical {
		return task, nil
	}
	if s.State == nil {
		return 0, refuse("guard/critical", "the plan has no state.json in which a task could be blocked")
	}
	if b := s.State.Blocked; b != nil {
		e.Behind = b.Task
		return task, nil
	}
	if task, err = Current(s, task); err == nil {
		e.Blocked = task
	}
	return task, err
}

// last is the highest number given so far: by a heading, or by a blocker whose question somebody took out of the file.
func (e *Escalate) last(s *plan.Snapshot, text string) int {
	last := update.LastQuestion(text)
	if b := blockerOf(s); b != nil {
		if _, reason, found := strings.Cut(b.Reason, "] "); found {
			last = max(last, update.LastQuestion("# "+reason))
		}
	}
	return last
}

// write puts the question at the end of QUESTIONS.md, which is made when there is none.
func (e *Escalate) write(desk *revise.Desk, task int) {
	text := e.text(desk.S, task)
	file := desk.S.Files[plan.QuestionsFile]
	if file == nil {
		desk.Create(plan.QuestionsFile, []byte("# Questions\n\n"+text))
		return
	}
	desk.Edit(plan.QuestionsFile, &planmd.Doc{Src: file.Data}).Append(text)
}

// text is the question as it is written.
func (e *Escalate) text(s *plan.Snapshot, task int) string {
	head := "## " + e.ID
	if task > 0 {
		head += " (Task " + strconv.Itoa(task) + ")"
	}
	lines := []string{"Class: " + e.Class}
	for _, o := range e.Options {
		lines = append(lines, "Option: "+o)
	}
	asked := "Asked: " + e.Date()
	if e.Agent != "" {
		asked += " by " + e.Agent
	}
	lines = append(lines, "Recommended: "+e.Default, "Blocks: "+e.holds(s), asked)
	return head + ": " + revise.OneLine(e.Question) + "\n\n" + revise.Bullets(lines...)
}

// holds says what the question holds up.
func (e *Escalate) holds(s *plan.Snapshot) string {
	switch {
	case e.Behind > 0:
		return "nothing yet: it waits behind the blocker of task " + strconv.Itoa(e.Behind)
	case e.Blocked == 0:
		return "nothing: it can wait"
	}
	text := "task " + strconv.Itoa(e.Blocked)
	if after := waiting(s, e.Blocked); len(after) > 0 {
		names := make([]string, len(after))
		for i, id := range after {
			names[i] = strconv.Itoa(id)
		}
		text += ", and what waits for it: " + few(names, false)
	}
	return text
}

// revision is the desk's, with the blocker of a critical question.
func (e *Escalate) revision(d *revise.Desk) (*publish.Revision, error) {
	if e.Blocked == 0 {
		return d.Revision("escalate")
	}
	b := &Block{Who: e.Who, Class: e.Class, Reason: e.ID + ": " + revise.OneLine(e.Question),
		Needs: "a person's answer to " + e.ID + "; recommended: " + revise.OneLine(e.Default), Configured: e.Configured}
	return b.on(d, e.Blocked)
}

// faithful reads QUESTIONS.md as it will stand: one question more, to the letter, and nothing else that is read otherwise.
func (e *Escalate) faithful(before []Asked, r *publish.Revision, task int, added bool) error {
	for _, c := range r.Changes {
		if c.Path != plan.QuestionsFile {
			continue
		}
		after := update.ReadQuestions(string(c.Data))
		n := len(after)
		if added && (n != len(before)+1 || !e.reads(after[n-1].Escalation(), task) || len(after[n-1].Answers) > 0) {
			return refuse("guard/faithful", "the question would not read back from %s as it was given", plan.QuestionsFile)
		}
	}
	return nil
}

// reads reports whether an entry says what was given.
func (e *Escalate) reads(q update.Escalation, task int) bool {
	return q.ID == e.ID && q.Class == e.Class && q.Task == task && q.Question == revise.OneLine(e.Question) && q.Default == revise.OneLine(e.Default) &&
		q.Date == e.Date() && slices.EqualFunc(q.Options, e.Options, func(got, given string) bool { return got == revise.OneLine(given) })
}
