package work

import (
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

func question(text string) *Escalate {
	return &Escalate{Who: mill, Class: "C2", Question: text, Default: "the *second* one", Options: []string{"the first one", "the *second* one"}}
}

func critical(text string) *Escalate {
	e := question(text)
	e.Critical = true
	return e
}

func replied(id, text string) *AnswerQuestion {
	return &AnswerQuestion{Who: mill, ID: id, Text: text, By: "Ada"}
}

func askedIn(t *testing.T, tw *disk.Twin) []Asked {
	t.Helper()
	list, err := Questions(snapshot(t, tw))
	must(t, err)
	return list
}

// TestEscalate: questions get IDs that go on, each with class, default, date and agent; the same one again adds nothing (UN-5, UN-7, PD-12).
func TestEscalate(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 1})
	before := tw.Tree()[state.StateFile]
	texts := []string{"which tariff?", "Task 3: | or `x`?", "C# or #?", "a **Class:** C1", "<!-- open"}
	for i, text := range texts {
		e := question(text)
		done(t, tw, e.Decide)
		if want := "Q" + string(rune('1'+i)); e.ID != want || e.Blocked != 0 {
			t.Errorf("got %s, want %s; blocked %d", e.ID, want, e.Blocked)
		}
	}
	conformant(t, snapshot(t, tw))
	list := askedIn(t, tw)
	for i := range list {
		if q := &list[i]; q.Escalation.Question != texts[i] || q.Class != "C2" || q.Default != "the *second* one" || len(q.Options) != 2 || q.Date != "2026-09-02" ||
			q.Agent != "Mill" || !q.Open() || q.Blocking || !q.Gate() {
			t.Errorf("%+v", q.Escalation)
		}
	}
	again := question(" Which  TARIFF? ")
	again.Class, again.Default = "C4", "neither"
	if got, err := do(t, tw, again.Decide); err != nil || got.Changed || again.ID != "Q1" {
		t.Errorf("asked again: %+v, %v, %s", got, err, again.ID)
	}
	if len(list) != len(texts) || tw.Tree()[state.StateFile] != before {
		t.Errorf("%d questions; state.json changed: %v", len(list), tw.Tree()[state.StateFile] != before)
	}
	must(t, tw.Put(plan.QuestionsFile, []byte("# Questions\n\n## Q41\n"), 0o644))
	if e := question("once more?"); second(do(t, tw, e.Decide)) != nil || e.ID != "Q42" { // an ID is never given again
		t.Errorf("got %s", e.ID)
	}
}

// TestEscalateCritical: a critical question blocks its task and what depends on it, and nothing else; the answer, word for word, resolves the
// blocker in the same operation, and stands in the task's log (GU-5, PS-16, UN-7, C99).
func TestEscalateCritical(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := inProgress(t, full)
		e := critical("which tariff?")
		done(t, tw, e.Decide)
		s := snapshot(t, tw)
		b := s.State.Blocked
		if e.Blocked != 2 || b == nil || b.Task != 2 || b.Reason != "[C2] Q1: which tariff?" || b.Needs != "a person's answer to Q1; recommended: the *second* one" ||
			view(t, tw, 2).Record.Log.State != planmd.LogBlocked {
			t.Fatalf("%+v, blocked %d", b, e.Blocked)
		}
		if q := askedIn(t, tw)[0]; !q.Blocking || len(q.Holds) != 2 || q.Holds[0] != 2 || q.Holds[1] != 3 || q.Blocks != "task 2, and what waits for it: 3" {
			t.Errorf("%+v holds %v", q.Escalation, q.Holds)
		}
		conformant(t, s)
		const words = "the one of *2026*\n\n# Q7: no\n```\nAnswer by Bob on 2026-09-01: no"
		a := replied("q1", words)
		done(t, tw, a.Decide)
		if a.Resolved != 0 { // asked again, nothing was left to resolve
			t.Errorf("resolved %d", a.Resolved)
		}
		v := view(t, tw, 2)
		if got := Answers(v); len(got) != 1 || got[0] != (Answer{"Ada", "2026-09-02", words}) {
			t.Errorf("log: %+v", got)
		}
		q := askedIn(t, tw)
		if len(q) != 1 || q[0].Open() || q[0].Answers[0].Text != words || q[0].Answers[0].Label != "Answer by Ada on 2026-09-02" || q[0].Blocking {
			t.Errorf("%+v", q)
		}
		if v.Entry.Status != state.InProgress || snapshot(t, tw).State.Blocked != nil {
			t.Errorf("entry %s", v.Entry.Status)
		}
		conformant(t, snapshot(t, tw))
		// Asked again by the next run, it is answered, not asked (C99).
		next := critical("which tariff?")
		if got, err := do(t, tw, next.Decide); err != nil || got.Changed || next.Answered == nil || next.Answered.Text != words {
			t.Errorf("%+v, %v, %+v", got, err, next)
		}
		withGate(t, tw, 2)
		done(t, tw, completion(2).Decide)
	}
}

// TestEscalateChain: with declared dependencies an independent task goes on while a critical question stands (GU-5, UN-7).
func TestEscalateChain(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 4, Done: 1, Full: true})
	for _, n := range []string{"3", "4"} {
		depend(t, tw, n, map[string]string{"3": "1", "4": "2"}[n])
	}
	must(t, second(do(t, tw, (&Start{Who: mill, Task: 2}).Decide)))
	must(t, second(do(t, tw, critical("which?").Decide)))
	q := askedIn(t, tw)[0]
	if len(q.Holds) != 2 || q.Holds[1] != 4 {
		t.Errorf("it holds %v", q.Holds)
	}
	must(t, second(do(t, tw, (&Start{Who: mill, Task: 3}).Decide)))
	if _, err := do(t, tw, (&Start{Who: mill, Task: 4}).Decide); err == nil {
		t.Error("what depends on the question was started")
	}
}

// depend gives the record of a task a line of dependencies.
func depend(t *testing.T, tw *disk.Twin, task, on string) {
	t.Helper()
	for path, text := range tw.Tree() {
		if strings.HasPrefix(path, task+".task_") {
			head, rest, _ := strings.Cut(text, "\n")
			must(t, tw.Put(path, []byte(head+"\n\nDepends on: "+on+"\n"+rest), 0o644))
		}
	}
}

// TestEscalateBehind: another blocker is not replaced; the second question waits as a batched one, and may block later under its ID (GU-5).
func TestEscalateBehind(t *testing.T) {
	tw := inProgress(t, false)
	must(t, second(do(t, tw, (&Block{Who: mill, Class: "S3", Reason: "no database", Needs: "one"}).Decide)))
	e := critical("which database?")
	e.Task = 2
	done(t, tw, e.Decide)
	if e.Blocked != 0 || e.Behind != 2 || snapshot(t, tw).State.Blocked.Reason != "[S3] no database" {
		t.Errorf("%+v", e)
	}
	a := replied("Q1", "the cellar's")
	done(t, tw, a.Decide)
	if b := snapshot(t, tw).State.Blocked; b == nil || b.Reason != "[S3] no database" { // the answer is not to that blocker
		t.Errorf("%+v", b)
	}
	must(t, second(do(t, tw, (&Unblock{Who: mill, Answer: "there is one", By: "Ada"}).Decide)))
	must(t, second(do(t, tw, question("and which port?").Decide)))
	late := critical("and which port?")
	done(t, tw, late.Decide)
	if late.ID != "Q2" || late.Blocked != 2 || len(askedIn(t, tw)) != 2 {
		t.Errorf("%+v", late)
	}
	// Somebody took the file away while the blocker stands: its number is not given to another question, which the answer would be taken for.
	gone := crashtest.Copy(t, tw)
	must(t, gone.Remove(plan.QuestionsFile))
	if e := question("and which host?"); second(do(t, gone, e.Decide)) != nil || e.ID != "Q3" || askedIn(t, gone)[0].Blocking {
		t.Errorf("got %s", e.ID)
	}
	// unblock answers the question that the blocker is, so that nobody asks it again (UN-7).
	done(t, tw, (&Unblock{Who: mill, Answer: "80", By: "Ada"}).Decide)
	if q := askedIn(t, tw)[1]; q.Open() || q.Answers[0].Text != "80" {
		t.Errorf("%+v", q)
	}
}

// TestEscalateTask: the same words about another task are another question; without a number a critical one is about the task in progress, and
// about the one that it blocks when it is asked again (GU-5, UN-7).
func TestEscalateTask(t *testing.T) {
	tw := inProgress(t, false)
	other := question("which port?")
	other.Task = 3
	done(t, tw, other.Decide)
	e := critical("which port?")
	done(t, tw, e.Decide)
	if e.ID != "Q2" || e.Blocked != 2 {
		t.Errorf("%s blocks task %d", e.ID, e.Blocked)
	}
	whole := inProgress(t, false)
	done(t, whole, question("which port?").Decide)
	late := critical("which port?")
	done(t, whole, late.Decide)
	if late.ID != "Q1" || late.Blocked != 2 {
		t.Errorf("%s blocks task %d", late.ID, late.Blocked)
	}
}

// TestAnswer: a later answer is appended, dated, and both stand; a relayed one is marked, and leaves the question open and its task blocked
// (UN-6).
func TestAnswer(t *testing.T) {
	tw := inProgress(t, false)
	must(t, second(do(t, tw, critical("which tariff?").Decide)))
	must(t, second(do(t, tw, question("which colour?").Decide)))
	relayed := replied("Q1", "the second one")
	relayed.RelayedBy = "Codex"
	done(t, tw, relayed.Decide)
	q := askedIn(t, tw)
	if !relayed.Waits || !q[0].Open() || !q[0].Blocking || len(q[0].Relayed) != 1 || q[0].Relayed[0].Label != "Relayed by Codex on 2026-09-02, as the words of Ada" {
		t.Errorf("%+v, %+v", relayed, q[0])
	}
	// What was relayed, asked or recommended is no answer inside a turn either (GU-5).
	claim := &Unblock{Who: mill, Answer: "the second one", By: "Ada", InTurn: true, Questions: []byte(tw.Tree()[plan.QuestionsFile])}
	if got, _ := refusedBy(second(do(t, tw, claim.Decide))); got != "guard/person" {
		t.Errorf("relayed words in a turn: %s", got)
	}
	must(t, second(do(t, tw, replied("1", "the second one").Decide)))
	later := replied("Q1", "no, the first one")
	later.Now = noon.AddDate(0, 0, 1)
	must(t, second(do(t, tw, later.Decide)))
	q = askedIn(t, tw)
	if a := q[0].Answers; !later.Again || len(a) != 2 || a[0].Text != "the second one" || a[1] != (update.QuestionAnswer{Label: "Answer by Ada on 2026-09-03", Text: "no, the first one", Date: "2026-09-03"}) {
		t.Errorf("%+v", a)
	}
	if len(q) != 2 || !q[1].Open() {
		t.Errorf("%+v", q)
	}
	conformant(t, snapshot(t, tw))
}

// TestHumanGate: neither a turn nor an agent's name, neither trust nor a standing permission closes a human gate; the words of a person do
// (UN-6, LF-7, C103).
func TestHumanGate(t *testing.T) {
	tw := inProgress(t, false)
	must(t, second(do(t, tw, (&Approval{Who: mill, By: "Ada", Unattended: true, Statement: "be autonomous"}).Decide)))
	must(t, second(do(t, tw, critical("publish it?").Decide)))
	before := tw.Tree()[plan.QuestionsFile]
	for name, tt := range map[string]struct {
		change func(*AnswerQuestion)
		rule   string
	}{
		"in a turn":           {func(a *AnswerQuestion) { a.InTurn = true }, "guard/in-turn"},
		"relayed in a turn":   {func(a *AnswerQuestion) { a.InTurn, a.RelayedBy = true, "Codex" }, "guard/in-turn"},
		"its own name":        {func(a *AnswerQuestion) { a.By = "mill" }, "guard/agent-name"},
		"an agent's name":     {func(a *AnswerQuestion) { a.By = "Claude Code" }, "guard/agent-name"},
		"nobody":              {func(a *AnswerQuestion) { a.By = " " }, "guard/unreadable-name"},
		"an address":          {func(a *AnswerQuestion) { a.By = "ada@example.org" }, "secret/personal"},
		"a name with a colon": {func(a *AnswerQuestion) { a.By = "Ada: x" }, "guard/faithful"},
		"no words":            {func(a *AnswerQuestion) { a.Text = " \n" }, "guard/faithful"},
		"a secret":            {func(a *AnswerQuestion) { a.Text = "AKIA" + "IOSFODNN7EXAMPLQ" }, "secret/json"},
		"no such question":    {func(a *AnswerQuestion) { a.ID = "Q2" }, "guard/question"},
	} {
		a := replied("Q1", "yes")
		tt.change(a)
		if got, _ := refusedBy(second(do(t, tw, a.Decide))); got != tt.rule || tw.Tree()[plan.QuestionsFile] != before {
			t.Errorf("%s: got %s, want %s", name, got, tt.rule)
		}
	}
	if got, _ := refusedBy(second(do(t, tw, (&Unblock{Who: mill, Answer: "yes", By: "Mill"}).Decide))); got != "guard/agent-name" {
		t.Errorf("unblocked in an agent's name: %s", got)
	}
	if b := snapshot(t, tw).State.Blocked; b == nil {
		t.Error("the gate is closed")
	}
	done(t, tw, replied("Q1", "yes").Decide)
}

// TestEscalateRefuses: what has no class is no escalation, and what Markdown would read otherwise is not written (UN-5, PS-7, C161).
func TestEscalateRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*Escalate)
		rule   string
	}{
		"no class":       {func(e *Escalate) { e.Class = "" }, "guard/escalation-class"},
		"a stop":         {func(e *Escalate) { e.Class = "S1" }, "guard/escalation-class"},
		"no default":     {func(e *Escalate) { e.Default = " " }, "guard/faithful"},
		"two lines":      {func(e *Escalate) { e.Question = "a\n## Q9: b" }, "guard/faithful"},
		"a mark":         {func(e *Escalate) { e.Question = "a #" }, "guard/faithful"},
		"a secret":       {func(e *Escalate) { e.Options = []string{"AKIA" + "IOSFODNN7EXAMPLQ"} }, "secret/json"},
		"no such task":   {func(e *Escalate) { e.Task = 9 }, "guard/unknown-task"},
		"nothing begun":  {func(e *Escalate) { e.Critical = true }, "guard/which-task"},
		"completed task": {func(e *Escalate) { e.Critical, e.Task = true, 1 }, "guard/completed"},
	} {
		tw := folder(t, plantest.Spec{Tasks: 3, Done: 1})
		e := question("which?")
		tt.change(e)
		if got, _ := refusedBy(second(do(t, tw, e.Decide))); got != tt.rule || tw.Tree()[plan.QuestionsFile] != "" {
			t.Errorf("%s: got %s, want %s", name, got, tt.rule)
		}
	}
	// A fence that nothing closes would swallow the question (C05).
	tw := folder(t, plantest.Spec{Tasks: 3})
	must(t, tw.Put(plan.QuestionsFile, []byte("# Questions\n\n```\n"), 0o644))
	if got, _ := refusedBy(second(do(t, tw, question("which?").Decide))); got != "guard/faithful" {
		t.Errorf("in an open fence: %s", got)
	}
}

// TestQuestionsForms: whatever QUESTIONS.md there is, not a byte of it changes but where an answer is put in (PD-12, C15).
func TestQuestionsForms(t *testing.T) {
	for name, text := range map[string]string{
		"by hand":         "# Questions\n\n## Which label?\n\nDefault: the lid\n",
		"CRLF":            "# Questions\r\n\r\n## Q1: which lid?\r\n\r\nDefault: blue\r\n",
		"Thai":            "\ufeff# \u0e04\u0e33\u0e16\u0e32\u0e21\n\n## \u0e2a\u0e35?\n\n\u0e04\u0e33\u0e15\u0e2d\u0e1a: \u0e41\u0e14\u0e07 2026-09-02",
		"level 1 entries": "# Q1\na\n# Q2\nb\n",
		"empty":           "",
	} {
		tw := folder(t, plantest.Spec{Tasks: 3})
		must(t, tw.Put(plan.QuestionsFile, []byte(text), 0o644))
		e := question("which port?")
		done(t, tw, e.Decide)
		must(t, second(do(t, tw, question("which host?").Decide)))
		between := tw.Tree()[plan.QuestionsFile]
		done(t, tw, replied(e.ID, "80").Decide)
		after := tw.Tree()[plan.QuestionsFile]
		head, tail, _ := strings.Cut(after, "Answer by Ada")
		_, tail, _ = strings.Cut(tail, "## ")
		if !strings.HasPrefix(after, text) || !strings.HasPrefix(between, strings.TrimRight(head, "\r\n")) || !strings.HasSuffix(between, tail) {
			t.Errorf("%s: %q", name, after)
		}
	}
}

// TestQuestionsPublished: a published plan takes questions and answers, and its receipt holds (VP-5); so does a plan without a state layer.
func TestQuestionsPublished(t *testing.T) {
	tw := last(t, false)
	must(t, second(do(t, tw, completion(3).Decide)))
	done(t, tw, question("publish the report?").Decide)
	done(t, tw, replied("Q1", "yes").Decide)
	conformant(t, snapshot(t, tw))
	files := plantest.Plan(plantest.Spec{Tasks: 3})
	delete(files, state.StateFile)
	delete(files, state.ManifestFile)
	bare, err := disk.TwinOf(files)
	must(t, err)
	if _, err := publish.Revise(t.Context(), planIn(bare), QuestionTerms, question("which?").Decide); err != nil {
		t.Error(err)
	}
	_, err = publish.Revise(t.Context(), planIn(bare), QuestionTerms, critical("really?").Decide)
	if got, _ := refusedBy(err); got != "guard/critical" {
		t.Errorf("got %v", err)
	}
}

// TestQuestionCrashes: a question and its blocker, an answer and what it resolves, are there both or not at all (PS-5, PS-19, GU-5).
func TestQuestionCrashes(t *testing.T) {
	for name, op := range map[string]struct {
		start  func() *disk.Twin
		decide publish.Decide
	}{
		"batched":  {func() *disk.Twin { return folder(t, plantest.Spec{Tasks: 3, Done: 1}) }, question("which?").Decide},
		"critical": {func() *disk.Twin { return inProgress(t, true) }, critical("which?").Decide},
		"answer": {func() *disk.Twin {
			tw := inProgress(t, true)
			must(t, second(do(t, tw, critical("which?").Decide)))
			return tw
		}, replied("Q1", "this one").Decide},
	} {
		t.Run(name, func(t *testing.T) {
			crashtest.Matrix(t, crashtest.Operation{
				Start: func() *disk.Twin { return op.start().Kill() }, Plan: planIn, Remainders: 1,
				Run: func(p publish.Plan) error {
					_, err := publish.Revise(t.Context(), p, QuestionTerms, op.decide)
					return err
				},
			})
		})
	}
}

// FuzzQuestions: whatever is asked and answered, it reads back or is refused, and no other question is read otherwise (PD-12).
func FuzzQuestions(f *testing.F) {
	for _, seed := range []string{"which?", "x **Class:** C1", "`", "# Q2", "- a", "> b", "Answer: c", "a #", "```", "<b>", "\u0e04\u0e33\u0e15\u0e2d\u0e1a: x"} {
		f.Add("# Questions\n\n## Q1: a?\nb\n", seed, "default", "yes\n"+seed)
	}
	files := plantest.Plan(plantest.Spec{Tasks: 2})
	f.Fuzz(func(t *testing.T, text, ask, fallback, words string) {
		tw, err := disk.TwinOf(files)
		must(t, err)
		must(t, tw.Put(plan.QuestionsFile, []byte(text), 0o644))
		e := &Escalate{Who: mill, Class: "C1", Question: ask, Default: fallback}
		if _, err := do(t, tw, e.Decide); err != nil {
			return
		}
		if _, err := do(t, tw, replied(e.ID, words).Decide); err != nil {
			return
		}
		list := askedIn(t, tw)
		if q := &list[len(list)-1]; q.ID == e.ID && (q.Open() || q.Answers[len(q.Answers)-1].Text != strings.Trim(strings.ReplaceAll(words, "\r\n", "\n"), "\n")) {
			t.Errorf("%+v", q)
		}
	})
}
