package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/spf13/cobra"
)

// showCmd prints records as they are; what they are worth is for verify.
func (a *app) showCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "show [PLAN] [TASK]",
		Short:   "Show a plan, or the record of one task",
		GroupID: groupLook,
		Long: `Show a plan: goal, context and tasks. With a task number, show the record of
that task as it is written, and what state.json holds of it: times, commit,
gates, outcome. Gate records are what an agent wrote down, not proof.

Exit codes: 0 shown; 2 there is no such plan or task; 3 unreadable.`,
		Example: `  dwp show
  dwp show quote_service
  dwp show quote_service 2
  dwp show 2                   task 2 of the only open plan`,
		Args:              atMost(2),
		ValidArgsFunction: a.completePlans,
		RunE:              func(_ *cobra.Command, args []string) error { return a.show(args) },
	}
}

// shownPlan is a plan as show tells of it. Goal and Context are Markdown, as written.
type shownPlan struct {
	Plan    string   `json:"plan"`
	Path    string   `json:"path"`
	Title   string   `json:"title"`
	Goal    string   `json:"goal"`
	Context string   `json:"context"`
	Tasks   []taskOf `json:"tasks"`
}

// shownTask is one task.
type shownTask struct {
	Plan   string `json:"plan"`
	Path   string `json:"path"`
	Task   taskOf `json:"task"`
	Record string `json:"record"` // Markdown, as written
	// What follows is state.json's; "" and empty lists where it says nothing.
	Started  string      `json:"started_at"`
	Finished string      `json:"completed_at"`
	Commit   string      `json:"commit"`
	Gates    []shownGate `json:"gates"`
	Outcome  *outcome    `json:"outcome"`
}

// shownGate is a gate record: what an agent says a command did (GU-11).
type shownGate struct {
	Command  string `json:"command"`
	Passes   bool   `json:"passes"`
	ExitCode *int   `json:"exit_code"`
	LastRun  string `json:"last_run"`
	Evidence string `json:"evidence"`
}

// outcome is what was learnt from a task (PS-14).
type outcome struct {
	Tried  []string `json:"tried"`
	Failed []string `json:"failed"`
	Worked string   `json:"worked"`
	Notes  string   `json:"notes"`
}

// show prints a plan or one of its tasks.
func (a *app) show(args []string) error {
	named, task, err := showArgs(args)
	if err != nil {
		return err
	}
	t, s, err := a.open(named)
	if err != nil {
		return err
	}
	o := s.Overview()
	if task == 0 {
		return a.showPlan(t, s, o)
	}
	// A number out of range is a slip of the caller, not a fault of the plan.
	view := taskView(o, task)
	if view == nil {
		return usage("no-such-task", fmt.Sprintf("see dwp show %s", t.Name), "%s has no task %d", t.Name, task)
	}
	return a.showTask(t, view)
}

// showArgs tells PLAN and TASK apart; task 0 means the plan. One argument of digits is a task: no plan has such a name (PD-2).
func showArgs(args []string) (named []string, task int, err error) {
	named, word := args, ""
	switch {
	case len(args) == 1 && isNumber(args[0]):
		named, word = nil, args[0]
	case len(args) == 2:
		named, word = args[:1], args[1]
	default:
		return named, 0, nil
	}
	task, convErr := strconv.Atoi(word)
	if convErr != nil || task < 1 {
		return nil, 0, usage("bad-task", "TASK is a number from 1", "not a task number: %q", word)
	}
	return named, task, nil
}

// isNumber reports whether a word is all digits.
func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// showPlan prints what the plan is for, and its tasks.
func (a *app) showPlan(t target, s *plan.Snapshot, o plan.Overview) error {
	v := shownPlan{Plan: t.Name, Path: t.Path, Title: o.Title, Tasks: []taskOf{}}
	if s.README != nil {
		v.Goal = sectionText(&s.README.Doc, s.README.Section(planmd.Goal))
		v.Context = sectionText(&s.README.Doc, s.README.Section(planmd.Context))
	}
	for _, task := range o.Tasks {
		v.Tasks = append(v.Tasks, taskOf{task.ID, task.Title, task.Status, task.Checked, task.File})
	}
	if a.json {
		return a.writeJSON(struct {
			opening
			shownPlan
			closing
		}{opened("show"), v, closed(nil, nil)})
	}
	p := a.page()
	p.line("%s", p.paint(bold, cleanLine(v.Plan)))
	p.labelled("  Title", statusLabel, v.Title)
	p.labelled("  Folder", statusLabel, v.Path)
	writeBlock(p, "Goal", v.Goal)
	writeBlock(p, "Context", v.Context)
	p.line("\n%s", p.paint(bold, "Tasks"))
	for _, task := range v.Tasks {
		p.flow(fmt.Sprintf("  %3d  %-12s ", task.ID, statusWords(task.Status)), 20, 20, cleanLine(task.Title))
	}
	return nil
}

// writeBlock prints Markdown under a heading of ours; it is not wrapped, so that code and tables stay whole.
func writeBlock(p page, title, text string) {
	if text != "" {
		p.line("\n%s\n%s", p.paint(bold, title), cleanBlock(text))
	}
}

// showTask prints the record of a task, wherever the record is.
func (a *app) showTask(t target, view *plan.TaskView) error {
	v := shownTask{
		Plan: t.Name, Path: t.Path, Gates: []shownGate{},
		Task: taskOf{view.ID, view.Title, view.Status, view.Checked, view.File},
	}
	// The bytes as they are: an agent compares them with the file.
	if view.Record != nil && view.Doc != nil {
		v.Record = view.Doc.Text(view.Record.Span)
	}
	if view.Entry != nil {
		v.fill(view.Entry)
	}
	if a.json {
		return a.writeJSON(struct {
			opening
			shownTask
			closing
		}{opened("show"), v, closed(nil, nil)})
	}
	v.write(a.page())
	return nil
}

// fill adds what state.json holds of the task.
func (v *shownTask) fill(e *state.Task) {
	if e.StartedAt != nil {
		v.Started = timeText(*e.StartedAt)
	}
	if e.CompletedAt != nil {
		v.Finished = timeText(*e.CompletedAt)
	}
	v.Commit = e.Commit
	for _, g := range e.Gates {
		shown := shownGate{Command: g.Command, Passes: g.Passes, ExitCode: g.ExitCode, Evidence: g.Evidence}
		if g.LastRun != nil {
			shown.LastRun = timeText(*g.LastRun)
		}
		v.Gates = append(v.Gates, shown)
	}
	if o := e.Outcome; o != nil {
		v.Outcome = &outcome{list(o.Tried), list(o.Failed), o.Worked, o.Notes}
	}
}

// write prints facts first, the record after them.
func (v *shownTask) write(p page) {
	p.line("%s", p.paint(bold, fmt.Sprintf("Task %d: %s", v.Task.ID, cleanLine(v.Task.Title))))
	p.labelled("  Plan", statusLabel, v.Plan)
	p.labelled("  Status", statusLabel, statusWords(v.Task.Status))
	p.labelled("  Record", statusLabel, v.Task.File)
	p.labelled("  Started", statusLabel, v.Started)
	p.labelled("  Completed", statusLabel, v.Finished)
	p.labelled("  Commit", statusLabel, v.Commit)
	for _, g := range v.Gates {
		p.labelled("  Gate", statusLabel, g.words())
	}
	if o := v.Outcome; o != nil {
		for _, s := range o.Tried {
			p.labelled("  Tried", statusLabel, s)
		}
		for _, s := range o.Failed {
			p.labelled("  Failed", statusLabel, s)
		}
		p.labelled("  Worked", statusLabel, o.Worked)
		p.labelled("  Notes", statusLabel, o.Notes)
	}
	if v.Record != "" {
		p.line("\n%s", strings.TrimRight(cleanBlock(v.Record), "\n"))
	}
}

// words is like "passes, exit code 0: go test ./... - 12 passed (2026-09-01T10:00:00Z)".
func (g *shownGate) words() string {
	verdict := "fails"
	if g.Passes {
		verdict = "passes"
	}
	if g.ExitCode != nil {
		verdict += fmt.Sprintf(", exit code %d", *g.ExitCode)
	}
	text := verdict + ": " + joined(" - ", g.Command, g.Evidence)
	if g.LastRun != "" {
		text += " (" + g.LastRun + ")"
	}
	return text
}
