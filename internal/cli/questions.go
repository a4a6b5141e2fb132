package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// questionsCmd lists what people are asked, of one plan or of all (UN-7).
func (a *app) questionsCmd() *cobra.Command {
	var open bool
	cmd := &cobra.Command{
		Use:     "questions [PLAN] [flags]",
		Short:   "List the questions that wait for a person",
		GroupID: groupAutomate,
		Long: `List the questions of a plan, or of all plans of the repository, from their
analysis_results/QUESTIONS.md: each with its class, the answer that is
recommended, what waits for it, and how to answer. Answers are shown, too, and
what agents passed on. Questions that somebody wrote by hand are among them;
those without an ID (Q1, Q2, ...) are answered in the file.

Exit codes: 0; 2 a wrong call; 3 no plans, or one of them can't be read; 5 an
open question blocks a task.`,
		Example: `  dwp questions --open
  dwp questions quote_service --json`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(_ *cobra.Command, args []string) error { return a.questions(args, open) },

		DisableFlagsInUseLine: true,
	}
	cmd.Flags().BoolVar(&open, "open", false, "only those that no person answered")
	return cmd
}

// askedPlan is one plan with its questions.
type askedPlan struct {
	Plan      string         `json:"plan"`
	Path      string         `json:"path"`
	Questions []questionJSON `json:"questions"`
	Error     *errorBody     `json:"error"`
}

// questionJSON is one question as JSON answers show it.
type questionJSON struct {
	ID       string `json:"id"` // "" for one that was written by hand without an ID
	Open     bool   `json:"open"`
	Blocking bool   `json:"blocking"` // its task is blocked; one that was answered by hand may still be
	Class    string `json:"class"`
	Gate     bool   `json:"human_gate"` // neither trust nor a default stands in for the answer
	Task     int    `json:"task"`       // 0 for the plan as a whole
	Question string `json:"question"`
	// Text is what stands below its heading, as Markdown.
	Text     string           `json:"text"`
	Options  []string         `json:"options"`
	Default  string           `json:"default"`
	Holds    []int            `json:"holds"`  // the tasks that wait for it now, its own first
	Blocks   string           `json:"blocks"` // what it held up when it was asked
	Date     string           `json:"date"`
	By       string           `json:"by"` // the agent, as it named itself
	Answers  []questionAnswer `json:"answers"`
	Relayed  []questionAnswer `json:"relayed"`
	ToAnswer string           `json:"to_answer"` // the command; "" when it is answered in the file
}

func questionShown(name string, q *work.Asked) questionJSON {
	shown := questionJSON{ID: q.ID, Open: q.Open(), Blocking: q.Blocking, Class: q.Class, Gate: q.Gate(), Task: q.Task, Question: q.Escalation.Question,
		Text: q.Text, Options: list(q.Options), Default: q.Default, Holds: list(q.Holds), Blocks: q.Blocks, Date: q.Date, By: q.Agent,
		Answers: answersShown(q.Answers), Relayed: answersShown(q.Relayed)}
	if q.Open() && q.ID != "" {
		shown.ToAnswer = "dwp answer " + name + " " + q.ID + " --text TEXT --by NAME"
	}
	return shown
}

func answersShown(all []update.QuestionAnswer) []questionAnswer {
	shown := []questionAnswer{}
	for _, a := range all {
		shown = append(shown, questionAnswer(a))
	}
	return shown
}

// questionOf reads one question again after a change: what is told of it is what stands there.
func (a *app) questionOf(w *writer, id string) (*questionJSON, error) {
	s, err := plan.Read(w.FS, w.Name)
	if err != nil {
		return nil, cannot("unreadable", "", "read the plan again: %s", err)
	}
	all, err := work.Questions(s)
	if err != nil {
		return nil, w.failed(err)
	}
	for i := range all {
		if all[i].ID == id {
			shown := questionShown(w.Name, &all[i])
			return &shown, nil
		}
	}
	return nil, cannot("unreadable", "look at "+plan.QuestionsFile, "%s is not there any more", id)
}

// questions lists them. A plan that can't be read is named, and the others are listed all the same (C47).
func (a *app) questions(args []string, open bool) error {
	targets, beside, err := a.targets(args)
	if err != nil {
		return err
	}
	plans := make([]askedPlan, len(targets))
	parallel(len(targets), func(i int) { plans[i] = askedOf(targets[i], open) })
	if a.json {
		a.writeJSON(struct {
			opening
			Plans []askedPlan `json:"plans"`
			closing
		}{opened("questions"), plans, closed(beside, nil)})
	} else {
		writeAsked(a.page(), plans, beside, open)
	}
	return answer(askedExit(plans))
}

// askedExit: what could not be looked at outweighs what blocks, for more may be hidden there.
func askedExit(plans []askedPlan) int {
	code := ExitOK
	for i := range plans {
		if plans[i].Error != nil {
			return ExitCannot
		}
		if slices.ContainsFunc(plans[i].Questions, func(q questionJSON) bool { return q.Blocking && q.Open }) {
			code = ExitBlocked
		}
	}
	return code
}

// askedOf reads the questions of one plan.
func askedOf(t target, open bool) askedPlan {
	p := askedPlan{Plan: t.Name, Path: t.Path, Questions: []questionJSON{}}
	s, err := plan.Open(t.Path)
	if err != nil {
		p.Error = &errorBody{Code: "unreadable", Message: cause(err).Error()}
		return p
	}
	all, err := work.Questions(s)
	if err != nil {
		p.Error = &errorBody{Code: "unreadable", Message: strings.TrimSuffix(err.Error(), "; nothing was written")}
		return p
	}
	for i := range all {
		if !open || all[i].Open() {
			p.Questions = append(p.Questions, questionShown(t.Name, &all[i]))
		}
	}
	return p
}

// writeAsked prints the plans that have questions; those that block come first.
func writeAsked(p page, plans []askedPlan, beside []rule.Finding, open bool) {
	said := false
	for i := range plans {
		l := &plans[i]
		if len(l.Questions) == 0 && l.Error == nil {
			continue
		}
		if said {
			p.line("")
		}
		said = true
		p.line("%s", p.paint(bold, cleanLine(l.Plan)))
		if l.Error != nil {
			p.para(2, l.Error.Message)
		}
		slices.SortStableFunc(l.Questions, func(x, y questionJSON) int { return x.rank() - y.rank() })
		for k := range l.Questions {
			l.Questions[k].write(p)
		}
	}
	if !said && open {
		p.line("no open questions")
	} else if !said {
		p.line("no questions")
	}
	for _, f := range beside {
		writeFinding(p, f, false)
	}
}

// rank orders questions for people: what blocks, what is open, the rest.
func (q *questionJSON) rank() int {
	switch {
	case q.Blocking:
		return 0
	case q.Open:
		return 1
	}
	return 2
}

// write prints one question.
func (q *questionJSON) write(p page) {
	const width = 15
	state := "answered"
	if q.Open {
		state = "open"
	}
	about := []string{state, q.Class}
	if q.Task > 0 {
		about = append(about, "task "+itoa(q.Task))
	}
	about = slices.DeleteFunc(append(about, q.Date, q.By), func(s string) bool { return s == "" })
	p.flow("\n  "+pad(q.ID, width-2), width, width, cleanLine(q.Question))
	p.labelled("  About", width, strings.Join(about, ", "))
	if q.Class == "" { // written by hand: what it says is in no form
		p.labelled("  Text", width, q.Text)
	}
	p.labelled("  Options", width, strings.Join(q.Options, " | "))
	p.labelled("  Recommended", width, q.Default)
	switch {
	case q.Blocking && q.Open:
		p.labelled("  Blocks", width, heldWordsOf(q.Holds))
	case q.Blocking: // answered in the file, by hand
		p.labelled("  Blocks", width, heldWordsOf(q.Holds)+", until dwp unblock takes the answer into its log")
	case q.Open:
		p.labelled("  Blocks", width, "nothing now")
	}
	for _, a := range q.Relayed {
		p.labelled("  Relayed", width, a.Label+": "+a.Text)
	}
	for _, a := range q.Answers {
		p.labelled("  Answer", width, a.Label+": "+a.Text)
	}
	switch {
	case q.ToAnswer != "":
		p.labelled("  To answer", width, q.ToAnswer)
	case q.Open:
		p.labelled("  To answer", width, "write a line \"Answer by NAME on DATE: ...\" below it in "+plan.QuestionsFile)
	}
}

// heldWordsOf names the blocked task, and what waits for it.
func heldWordsOf(ids []int) string {
	if len(ids) == 0 {
		return ""
	}
	text := "task " + itoa(ids[0])
	if len(ids) > 1 {
		names := make([]string, len(ids)-1)
		for i, id := range ids[1:] {
			names[i] = itoa(id)
		}
		text += ", and what waits for it: " + enumerate(names)
	}
	return text
}

func itoa(n int) string { return strconv.Itoa(n) }
