package cli

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
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

When no task may start, the reason is printed instead:
  the plan is complete                            exit code 0
  blocked, or waiting for approval: for a person  exit code 5
  any other hold, named in the answer             exit code 1`,
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
	Gates      []string    `json:"gates"`
	Checkpoint *checkpoint `json:"checkpoint"`
}

// next prints the brief, or why there is none. Words and exit code come from the same hold (C147).
func (a *app) next(args []string) error {
	t, s, err := a.open(args)
	if err != nil {
		return err
	}
	b := briefOf(t, s)
	code := ExitOK
	if b.Task == nil {
		code = holdExit(b.Hold)
	}
	// With --json even "there is none" is a whole answer, hold and message included.
	if a.json {
		a.writeJSON(struct {
			opening
			brief
			closing
		}{opened("next"), b, closed(nil, nil)})
		return answer(code)
	}
	if b.Task == nil {
		a.page().para(0, b.Plan+": "+b.Message)
		return answer(code)
	}
	a.out.WriteString(b.markdown())
	return nil
}

// briefOf sums up what to start and what for. The plan's goal comes along so that the work is anchored to it again
// (WP-1).
func briefOf(t target, s *plan.Snapshot) brief {
	o := s.Overview()
	b := brief{Plan: t.Name, Path: t.Path, Title: o.Title, Hold: o.Hold}
	if s.README != nil {
		b.PlanGoal = sectionText(&s.README.Doc, s.README.Section(planmd.Goal))
	}
	view := taskView(o, o.Next)
	if o.Hold != plan.HoldNone || view == nil {
		// No hold and no task either: there is nothing to work from, which must not look like a start.
		if o.Hold == plan.HoldNone {
			b.Hold = plan.HoldNoTasks
		}
		b.Message = holdMessage(b.Hold, s)
		return b
	}
	b.Task = briefTaskOf(view, s)
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
func briefTaskOf(v *plan.TaskView, s *plan.Snapshot) *briefTask {
	task := &briefTask{
		ID: v.ID, Title: v.Title, Status: string(v.Status), File: v.File,
		DependsOn: list(s.DependsOn(v.ID)), Gates: []string{},
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
