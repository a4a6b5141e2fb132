package work

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// questionGuards is the table of the rules by which escalate and answer refuse.
var questionGuards = []update.Guard{
	{ID: "guard/escalation-class", Requirement: "UN-5", Title: "an escalation names its class, C1 to C5, or is not one",
		Hint: "what has no class the agent decides, and records with dwp decide"},
	{ID: "guard/question", Requirement: "PD-12", Title: "an answer is to a question that was asked", Hint: "dwp questions lists them with their IDs"},
	{ID: "guard/critical", Requirement: "GU-5", Title: "a critical question blocks a task of state.json",
		Hint: "ask without --critical: the question waits in analysis_results/QUESTIONS.md"},
}

// EscalationClass is a kind of question that is a person's (UN-5).
type EscalationClass struct {
	ID, Means string
	// Gate says that the answer is a person's own act: no trust, no default and no standing "be autonomous" stands in for it (UN-6).
	Gate bool
}

// EscalationClasses returns the closed set, in order. The slice is the caller's.
func EscalationClasses() []EscalationClass {
	return []EscalationClass{
		{"C1", "access, a credential or a person's approval is missing", true},
		{"C2", "a destructive, outward-facing or irreversible act that nobody authorised", true},
		{"C3", "the person's literal words conflict with the recommendation, and no reversible option exists", false},
		{"C4", "a mandatory criterion would be dropped or deferred, or the scope grow", true},
		{"C5", "a critical security finding, or the risk of losing data", true},
	}
}

// QuestionTerms is what questions and answers may meet: older plans without a state layer, too.
var QuestionTerms = update.Terms{Stateless: true}

// Asked is a question of a plan as its files tell of it now.
type Asked struct {
	update.Question
	update.Escalation
	// Blocking says that the plan's blocker is this question: its task, and what depends on it, waits for the answer (GU-5).
	Blocking bool
	Holds    []int // the tasks that wait for it, its own first
}

// Open reports whether no person answered it.
func (a *Asked) Open() bool { return len(a.Answers) == 0 }

// Gate reports whether only the person may answer, whatever trust was given before (UN-6).
func (a *Asked) Gate() bool {
	return slices.ContainsFunc(EscalationClasses(), func(c EscalationClass) bool { return c.ID == a.Class && c.Gate })
}

// Questions lists the questions of a plan in their order, hand-written ones among them (PD-12). One that is refused could not be read.
func Questions(s *plan.Snapshot) ([]Asked, error) {
	text, err := questionsText(s)
	if err != nil {
		return nil, err
	}
	var list []Asked
	for _, q := range update.ReadQuestions(text) {
		a := Asked{Question: q, Escalation: q.Escalation()}
		if b := blockerOf(s); b != nil && asksFor(b, a.ID) {
			a.Blocking = true
			a.Holds = append([]int{b.Task}, waiting(s, b.Task)...)
		}
		list = append(list, a)
	}
	return list, nil
}

// questionsText is what QUESTIONS.md says; "" without one. One that is there and can't be read is not taken for none.
func questionsText(s *plan.Snapshot) (string, error) {
	file := s.Files[plan.QuestionsFile]
	_, stands := s.Nodes[plan.QuestionsFile]
	switch {
	case file != nil && file.Err != nil:
		return "", refuse("guard/unreadable", "%s can't be read: %v", plan.QuestionsFile, file.Err)
	case file == nil && stands:
		return "", refuse("guard/unreadable", "%s is no file that can be read", plan.QuestionsFile)
	case file == nil:
		return "", nil
	}
	return string(file.Data), nil
}

func blockerOf(s *plan.Snapshot) *state.Blocker {
	if s.State == nil {
		return nil
	}
	return s.State.Blocked
}

// asksFor reports whether a blocker is a question: its reason goes on with the ID behind the class, "[C2] Q1: which tariff?". The task is
// not compared, for a refine may have given it another number.
func asksFor(b *state.Blocker, id string) bool {
	_, reason, found := strings.Cut(b.Reason, "] ")
	return found && id != "" && strings.HasPrefix(reason, id+": ")
}

// waiting lists the open tasks that depend on one, directly or through others, ascending; without declared dependencies or groups, every
// other one (GU-5).
func waiting(s *plan.Snapshot, on int) (held []int) {
	o := s.Overview()
	declared := s.README != nil && len(s.README.Groups) > 0 ||
		slices.ContainsFunc(o.Tasks, func(t plan.TaskView) bool { return t.Record != nil && t.Record.HasDepends })
	graph, after := s.Graph(), map[int][]int{}
	for i := range o.Tasks {
		t := &o.Tasks[i]
		if t.ID == on || t.Status == state.Completed || t.Status == state.Skipped {
			continue
		}
		if !declared {
			held = append(held, t.ID)
			continue
		}
		for _, d := range graph.DependsOn(t.ID) {
			after[d] = append(after[d], t.ID)
		}
	}
	found := map[int]bool{on: true}
	for todo := []int{on}; len(todo) > 0; todo = todo[1:] {
		for _, id := range after[todo[0]] {
			if !found[id] {
				found[id] = true
				held, todo = append(held, id), append(todo, id)
			}
		}
	}
	slices.Sort(held)
	return held
}

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
	known := slices.IndexFunc(list, e.same)
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
	texts := []given{{"question", e.Question, 500, false}, {"recommended default", e.Default, 400, false}}
	if len(e.Options) > maxOptions {
		return refuse("guard/faithful", "there are %d options; at most %d are allowed", len(e.Options), maxOptions)
	}
	for _, o := range e.Options {
		texts = append(texts, given{"option", o, 300, false})
	}
	for _, g := range texts {
		if strings.TrimSpace(g.text) == "" {
			return refuse("guard/faithful", "the %s says nothing", g.what)
		}
	}
	if err := all(texts...); err != nil {
		return err
	}
	if err := signed(e.Who); err != nil {
		return err
	}
	if e.Task != 0 {
		o := s.Overview()
		_, err := taskOf(&o, e.Task)
		return err
	}
	return nil
}

// same reports whether a question is this one. Case and spacing make no other one, nor does what is recommended now.
func (e *Escalate) same(q Asked) bool {
	return q.Number > 0 && (e.Task == 0 || q.Task == e.Task) && strings.EqualFold(stripped(q.Escalation.Question), stripped(e.Question))
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
	if task, err = current(s, task); err == nil {
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
func (e *Escalate) write(d *revise.Desk, task int) {
	text := e.text(d.S, task)
	file := d.S.Files[plan.QuestionsFile]
	if file == nil {
		d.Create(plan.QuestionsFile, []byte("# Questions\n\n"+text))
		return
	}
	d.Edit(plan.QuestionsFile, &planmd.Doc{Src: file.Data}).Append(text)
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
