package work

import (
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/update"
)

// AnswerQuestion records a person's answer to a question of QUESTIONS.md, word for word, or one that an agent passes on, which adds no
// authority (UN-6). When the question blocks a task, a person's answer resolves the blocker in the same operation (GU-5, C99).
type AnswerQuestion struct {
	revise.Who
	ID, Text  string
	By        string // the person
	RelayedBy string // the agent that passes the answer on; "" for the person's own
	InTurn    bool   // inside an unattended turn nobody answers for a person
	// What Decide found.
	Resolved int  // the task that goes on; 0 for none
	Waits    bool // the question still blocks its task: a relayed answer doesn't resolve it
	Again    bool // the question had been answered in other words; both stand
}

// Decide appends the answer to its question. The same answer again changes nothing; another one is appended, dated, and both stand.
func (q *AnswerQuestion) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	q.Resolved, q.Waits, q.Again = 0, false, false
	q.Text = strings.Trim(strings.ReplaceAll(q.Text, "\r\n", "\n"), "\n")
	if err := q.claim(); err != nil {
		return nil, err
	}
	list, err := Questions(s)
	if err != nil {
		return nil, err
	}
	asked, err := q.find(list)
	if err != nil {
		return nil, err
	}
	d, said := revise.New(s, q.Who), q.said(&asked.Question)
	q.Again = !said && q.RelayedBy == "" && !asked.Open()
	q.Waits = asked.Blocking && q.RelayedBy != ""
	resolves := asked.Blocking && q.RelayedBy == ""
	if said && !resolves {
		return &publish.Revision{}, nil
	}
	if !said {
		q.write(d, asked)
	}
	r, err := q.revision(d, asked, resolves)
	if err != nil {
		return nil, err
	}
	r.Operation, r.Args = "answer", []string{q.ID, "--by", q.By}
	return r, q.faithful(list, r)
}

// write puts the answer behind what stands there of its question, so that answers are in the order in which they came.
func (q *AnswerQuestion) write(d *revise.Desk, asked *Asked) {
	d.Edit(plan.QuestionsFile, &planmd.Doc{Src: d.S.Files[plan.QuestionsFile].Data}).AppendTo(planmd.Span{End: asked.End()}, q.render())
}

// claim refuses who may not answer, and texts that can't stand in the document (UN-6, LF-7, PS-7).
func (q *AnswerQuestion) claim() error {
	texts := []given{{"answer", q.Text, 4000, true}, {"name", q.By, 100, false}, {"name of the agent", q.RelayedBy, 100, false}}
	if err := all(texts...); err != nil {
		return err
	}
	if strings.TrimSpace(q.Text) == "" {
		return refuse("guard/faithful", "the answer says nothing")
	}
	if q.InTurn {
		return refuse("guard/in-turn", "an agent inside an unattended turn answers nothing, and passes no answer on")
	}
	for _, name := range []string{q.By, q.RelayedBy} {
		if _, personal := evidence.Personal(name); personal {
			return refuse("secret/personal", "the name holds a personal identifier: give a display name")
		}
	}
	if q.RelayedBy != "" {
		return nil // claims nothing
	}
	if strings.TrimSpace(q.By) == "" {
		return refuse("guard/unreadable-name", "the answer is in nobody's name")
	}
	return PersonsName(q.By, q.Agent, q.Model)
}

// find is the question that is meant: "Q1", "q1" or "1".
func (q *AnswerQuestion) find(list []Asked) (*Asked, error) {
	id := strings.ToUpper(strings.TrimSpace(q.ID))
	if strings.Trim(id, "0123456789") == "" {
		id = "Q" + id
	}
	q.ID = id
	var found *Asked
	for i := range list {
		if list[i].ID != id {
			continue
		}
		if found != nil {
			return nil, refuse("guard/question", "two questions have the ID %s", id)
		}
		found = &list[i]
	}
	if found == nil {
		return nil, refuse("guard/question", "the plan has no question %s", id)
	}
	return found, nil
}

// label begins the answer. One that was relayed does not begin with a word for an answer, so that nobody takes it for one (UN-6).
func (q *AnswerQuestion) label() string {
	by, day := revise.OneLine(q.By), q.Date()
	switch {
	case q.RelayedBy == "":
		return "Answer by " + by + " on " + day
	case by == "":
		return "Relayed by " + revise.OneLine(q.RelayedBy) + " on " + day
	}
	return "Relayed by " + revise.OneLine(q.RelayedBy) + " on " + day + ", as the words of " + by
}

// render is the answer in Markdown: the words in a block quote, where no text is read as structure.
func (q *AnswerQuestion) render() string {
	var b strings.Builder
	b.WriteString(q.label() + ":\n\n")
	for line := range strings.SplitSeq(q.Text, "\n") {
		if line != "" {
			line = " " + line
		}
		b.WriteString(">" + line + "\n")
	}
	return b.String()
}

// said reports whether the last answer of this kind is this one, whatever its day.
func (q *AnswerQuestion) said(asked *update.Question) bool {
	list := asked.Answers
	if q.RelayedBy != "" {
		list = asked.Relayed
	}
	if len(list) == 0 {
		return false
	}
	last := &list[len(list)-1]
	return last.Text == q.Text && strings.ReplaceAll(last.Label, last.Date, q.Date()) == q.label()
}

// revision is the desk's, with the blocker resolved that the question is.
func (q *AnswerQuestion) revision(d *revise.Desk, asked *Asked, resolves bool) (*publish.Revision, error) {
	if !resolves {
		return d.Revision("answer")
	}
	t, err := taskOf(&d.View, asked.Holds[0])
	if err != nil {
		return nil, err
	}
	q.Resolved = t.ID
	return (&Unblock{Who: q.Who, Task: t.ID, Answer: q.Text, By: q.By}).on(d, t)
}

// faithful reads QUESTIONS.md as it will stand: the answer is there, to the letter, and nothing else is read otherwise.
func (q *AnswerQuestion) faithful(before []Asked, r *publish.Revision) error {
	for _, c := range r.Changes {
		if c.Path != plan.QuestionsFile {
			continue
		}
		after := update.ReadQuestions(string(c.Data))
		same := len(after) == len(before)
		for i := 0; same && i < len(after); i++ {
			more := len(after[i].Answers) + len(after[i].Relayed) - len(before[i].Answers) - len(before[i].Relayed)
			if before[i].ID == q.ID {
				same = more == 1 && q.said(&after[i])
			} else {
				same = more == 0
			}
			same = same && after[i].Title == before[i].Title && after[i].Text == before[i].Question.Text
		}
		if !same {
			return refuse("guard/faithful", "the answer would not read back from %s as it was given", plan.QuestionsFile)
		}
	}
	return nil
}
