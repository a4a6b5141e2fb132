package cli

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/verify"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// nextCmd tells an agent what to do next (WP-1, C27). It starts nothing: recording a start is for the commands that write.
func (a *app) nextCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "next [PLAN]",
		Short:   "Print the next task with all that is needed to start it",
		GroupID: groupLook,
		Long: `Print the next task with all that an agent needs to start it: the plan's goal,
the task's context, reads, surface, instructions, acceptance criteria and
gates, as Markdown or JSON. The next task is the lowest open one whose
dependencies are done. Nothing is started or recorded.

When no task may start, the reason is printed instead.

Exit codes: 0 printed, or the plan is complete; 5 blocked, or waiting for
approval: for a person; 1 any other hold, named in the answer; 3 unreadable.`,
		Example: `  dwp next
  dwp next quote_service --json`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(_ *cobra.Command, args []string) error { return a.next(args) },
	}
}

// brief is the next task for whoever starts it. Task is nil when there is none; Hold and Message say why.
type brief struct {
	Plan     string     `json:"plan"`
	Path     string     `json:"path"`
	Title    string     `json:"title"`
	PlanGoal string     `json:"plan_goal"`
	Hold     plan.Hold  `json:"hold"`
	Message  string     `json:"message"`
	Task     *briefTask `json:"task"`
}

// briefTask is a task's record, section by section, as Markdown; a section that is missing or empty is "".
type briefTask struct {
	ID     int    `json:"id"`
	Title  string `json:"title"`
	Status string `json:"status"`
	// File holds the record, relative to the plan folder.
	File string `json:"file"`
	// DependsOn are the tasks that had to be done first; they are (GU-7).
	DependsOn    []int  `json:"depends_on"`
	Goal         string `json:"goal"`
	Context      string `json:"context"`
	Reads        string `json:"reads"`
	Surface      string `json:"surface"`
	Instructions string `json:"instructions"`
	Acceptance   string `json:"acceptance"`
	Outputs      string `json:"outputs"`
	Validation   string `json:"validation"`
	// Gates are the code blocks of Validation: what has to pass, for whoever does the task.
	Gates []string `json:"gates"`
	// HumanGates are the criteria that name a person's approval (UN-6).
	HumanGates []briefHumanGate `json:"human_gates"`
	Checkpoint *checkpoint      `json:"checkpoint"`
	// Answers are what people answered when the task was blocked (C99).
	Answers []briefAnswer `json:"answers"`
	// Outcomes are the plan's memory, for the Final Review only (PS-14).
	Outcomes []briefOutcome `json:"outcomes"`
}

// briefAnswer is a person's answer to a blocker of the task.
type briefAnswer struct {
	By   string `json:"by"`
	Date string `json:"date"`
	Text string `json:"text"`
}

// briefOutcome is what a task leaves to those after it.
type briefOutcome struct {
	Task   int      `json:"task"`
	Title  string   `json:"title"`
	Worked string   `json:"worked"`
	Tried  []string `json:"tried"`
	Failed []string `json:"failed"`
	Notes  string   `json:"notes"`
}

// next prints the brief, or why there is none. Words and exit code come from the same hold (C147).
func (a *app) next(args []string) error {
	t, s, err := a.open(args)
	if err != nil {
		return err
	}
	return a.briefed("next", briefOf(t, s), nil)
}

// briefed prints a brief, or why there is none. done is what starting the task did; nil when nothing was to be started.
func (a *app) briefed(command string, b brief, done *publish.Done) error {
	code := ExitOK
	if b.Task == nil {
		code = holdExit(b.Hold)
	}
	// With --json even "there is none" is a whole answer, hold and message included.
	switch {
	case a.json && done != nil:
		a.writeJSON(startAnswer{opened(command), b, done.Changed, done.StateSHA256, list(done.Warnings), closed(nil, nil)})
	case a.json:
		a.writeJSON(struct {
			opening
			brief
			closing
		}{opened(command), b, closed(nil, nil)})
	case b.Task == nil:
		a.page().para(0, b.Plan+": "+b.Message)
	default:
		a.out.WriteString(b.markdown())
	}
	return answer(code)
}

// briefOf sums up what to start and what for. The plan's goal comes along so that the work is anchored to it again
// (WP-1).
func briefOf(t target, s *plan.Snapshot) brief {
	o := s.Overview()
	b := briefHead(t, s, &o)
	view := taskView(o, o.Next)
	if o.Hold != plan.HoldNone || view == nil {
		// No hold and no task either: there is nothing to work from, which must not look like a start.
		if o.Hold == plan.HoldNone {
			b.Hold = plan.HoldNoTasks
		}
		b.Message = holdMessage(b.Hold, s)
		return b
	}
	b.Task = briefTaskOf(view, &o, s)
	return b
}

// briefFor is the brief of a task that is being worked on, whatever is next.
func briefFor(t target, s *plan.Snapshot, task int) brief {
	o := s.Overview()
	b := briefHead(t, s, &o)
	if view := taskView(o, task); view != nil {
		b.Hold, b.Task = plan.HoldNone, briefTaskOf(view, &o, s)
	}
	return b
}

// briefHead is what a brief says of the plan.
func briefHead(t target, s *plan.Snapshot, o *plan.Overview) brief {
	b := brief{Plan: t.Name, Path: t.Path, Title: o.Title, Hold: o.Hold}
	if s.README != nil {
		b.PlanGoal = sectionText(&s.README.Doc, s.README.Section(planmd.Goal))
	}
	return b
}

// holdMessage adds to a hold what the plan says about it.
func holdMessage(h plan.Hold, s *plan.Snapshot) string {
	text := holdWords(h)
	if h != plan.HoldBlocked || s.State == nil || s.State.Blocked == nil {
		return text
	}
	b := s.State.Blocked
	text += fmt.Sprintf(" (task %d: %s", b.Task, b.Reason)
	if b.Needs != "" {
		text += "; needs: " + b.Needs
	}
	return cleanLine(text + ")")
}

// taskView finds a task by its number; nil when there is none.
func taskView(o plan.Overview, id int) *plan.TaskView {
	for i := range o.Tasks {
		if o.Tasks[i].ID == id && id > 0 {
			return &o.Tasks[i]
		}
	}
	return nil
}

// briefTaskOf takes the sections apart. Gates are the code blocks of Validation: they are shown, never run (GU-12).
func briefTaskOf(v *plan.TaskView, o *plan.Overview, s *plan.Snapshot) *briefTask {
	task := &briefTask{
		ID: v.ID, Title: v.Title, Status: string(v.Status), File: v.File,
		DependsOn: list(s.DependsOn(v.ID)), Gates: []string{},
		Answers: []briefAnswer{}, Outcomes: []briefOutcome{}, HumanGates: humanGatesOf(s, v),
	}
	for _, a := range work.Answers(v) {
		task.Answers = append(task.Answers, briefAnswer(a))
	}
	if verify.FinalReview(o) == v.ID {
		task.Outcomes = outcomesOf(o)
	}
	if s.State != nil && s.State.Checkpoint != nil {
		c := s.State.Checkpoint
		task.Checkpoint = &checkpoint{c.Task, c.Step, c.Note, timeText(c.At)}
	}
	// A task without a record still has a title and a place: enough to say what is missing.
	if v.Record == nil || v.Doc == nil {
		return task
	}
	text := func(kind planmd.SectionKind) string { return sectionText(v.Doc, v.Record.Section(kind)) }
	task.Goal, task.Context, task.Reads = text(planmd.Goal), text(planmd.Context), text(planmd.Reads)
	task.Surface, task.Instructions, task.Acceptance = text(planmd.Surface), text(planmd.Instructions), text(planmd.Acceptance)
	task.Outputs, task.Validation = text(planmd.Outputs), text(planmd.Validation)
	if gates := v.Record.Section(planmd.Validation); gates != nil {
		for _, code := range gates.Code {
			task.Gates = append(task.Gates, strings.TrimSpace(code))
		}
	}
	return task
}

// outcomesOf lists the outcomes of all tasks that have one (PS-14).
func outcomesOf(o *plan.Overview) []briefOutcome {
	all := []briefOutcome{}
	for i := range o.Tasks {
		if t := &o.Tasks[i]; t.Entry != nil && t.Entry.Outcome != nil {
			out := t.Entry.Outcome
			all = append(all, briefOutcome{t.ID, t.Title, out.Worked, list(out.Tried), list(out.Failed), out.Notes})
		}
	}
	return all
}

// outcomeLines are outcomes as a list for reading.
func (t *briefTask) outcomeLines() string {
	var w strings.Builder
	for _, o := range t.Outcomes {
		fmt.Fprintf(&w, "- Task %d: %s\n", o.Task, cleanLine(o.Title))
		say := func(word, text string) {
			if text != "" {
				fmt.Fprintf(&w, "  - %s: %s\n", word, cleanLine(text))
			}
		}
		say("worked", o.Worked)
		for _, text := range o.Tried {
			say("tried", text)
		}
		for _, text := range o.Failed {
			say("failed", text)
		}
		say("notes", o.Notes)
	}
	return w.String()
}

// answerLines are answers as they were given.
func (t *briefTask) answerLines() string {
	var parts []string
	for _, a := range t.Answers {
		parts = append(parts, cleanLine(joined(", ", a.By, a.Date))+":\n\n"+a.Text)
	}
	return strings.Join(parts, "\n\n")
}

// sectionText is the body of a section as it is written; "" for none.
func sectionText(d *planmd.Doc, s *planmd.Section) string {
	if s == nil || s.Empty {
		return ""
	}
	return strings.TrimSpace(d.Text(s.Body))
}

// markdown prints a brief for an agent to read. Sections come out as they were written.
func (b *brief) markdown() string {
	t := b.Task
	var w strings.Builder
	fmt.Fprintf(&w, "# Task %d: %s\n\n", t.ID, cleanLine(t.Title))
	fmt.Fprintf(&w, "- Plan: %s (%s)\n", cleanLine(b.Plan), cleanLine(b.Title))
	fmt.Fprintf(&w, "- Folder: %s\n", cleanLine(b.Path))
	fmt.Fprintf(&w, "- Record: %s\n", cleanLine(t.File))
	if len(t.DependsOn) > 0 {
		fmt.Fprintf(&w, "- Depends on: %s (done)\n", numbers(t.DependsOn))
	}
	if c := t.Checkpoint; c != nil {
		fmt.Fprintf(&w, "- Checkpoint: %s\n", cleanLine(joined(" - ", fmt.Sprintf("task %d: %s", c.Task, c.Step), c.Note, c.At)))
	}
	for _, part := range []struct{ title, text string }{
		{"Goal of the plan", b.PlanGoal}, {"Goal", t.Goal}, {"Context", t.Context}, {"Read Before Starting", t.Reads},
		{"Touched Surface", t.Surface}, {"Instructions", t.Instructions}, {"Acceptance Criteria", t.Acceptance},
		{"Outputs", t.Outputs}, {"Validation", t.Validation},
		{"Human gates", strings.TrimSpace(t.humanGateLines())}, {"Answers", t.answerLines()}, {"Outcomes of the tasks", strings.TrimSpace(t.outcomeLines())},
	} {
		if part.text != "" {
			fmt.Fprintf(&w, "\n## %s\n\n%s\n", part.title, cleanBlock(part.text))
		}
	}
	return w.String()
}

// numbers is like "1, 2".
func numbers(ids []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ", "), "[]")
}
