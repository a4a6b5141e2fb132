package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// reconcileFlags are the flags of reconcile.
type reconcileFlags struct {
	lockFlags
	dryRun, rebuild, createLayer bool
}

// reconcileCmd regenerates state.json from the markdown (PS-18).
func (a *app) reconcileCmd() *cobra.Command {
	var flags reconcileFlags
	cmd := &cobra.Command{
		Use:     "reconcile [PLAN]",
		Short:   "Make state.json agree with the README again",
		GroupID: groupWork,
		Long: `Make state.json agree with the markdown, which wins where both disagree: what
README.md has ticked is completed, what it has open is open. No record is lost:
those of a task that is opened stay as history, and only new evidence closes it.
None is made up: a ticked task without a record is completed and owes late
evidence. The old file is kept under analysis_results, and PROGRESS.md says what
changed and why. Where nothing disagrees nothing is written.

What the markdown leaves open is refused, and named: numbers that stand twice or
out of order, history of a task that has no line. A state.json that can't be
parsed is made anew only with --rebuild, for its records are lost but for the
copy. A plan that has neither manifest.json nor state.json may stay so;
--create-layer gives it both.

Exit codes: 0 reconciled, or nothing to do; 1 refused: nothing was written; 2 a
wrong call; 3 could not be done; 4 locked.`,
		Example: `  dwp reconcile quote_service --dry-run
  dwp reconcile quote_service`,
		Args:              atMost(1),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.reconcile(cmd, args, flags) },
	}
	f := cmd.Flags()
	f.BoolVar(&flags.dryRun, "dry-run", false, "show what disagrees and what would change, and write nothing")
	f.BoolVar(&flags.rebuild, "rebuild", false, "make a state.json that can't be parsed anew, without its records")
	f.BoolVar(&flags.createLayer, "create-layer", false, "make manifest.json and state.json for a plan without them")
	flags.register(f)
	return cmd
}

// reconcile asks git which commits name tasks, then makes the new state under the plan's lock.
func (a *app) reconcile(cmd *cobra.Command, args []string, flags reconcileFlags) error {
	t, err := a.one(args)
	if err != nil {
		return err
	}
	ctx, w, err := a.write(cmd, t.Path, flags.lockFlags)
	if err != nil {
		return err
	}
	defer w.close()
	r := &work.Reconcile{Who: w.who(), Rebuild: flags.rebuild, CreateLayer: flags.createLayer, InTurn: a.inTurn()}
	var warnings []string
	if r.History, warnings, err = history(ctx, w); err != nil {
		return err
	}
	var done publish.Done
	if flags.dryRun {
		draft, failed := publish.Preview(w.Plan, work.ReconcileTerms, r.Decide)
		if err = failed; err == nil {
			done.Changed, done.Warnings = len(draft.Changes) > 0, draft.Warnings
		}
	} else {
		done, err = publish.Revise(ctx, w.Plan, work.ReconcileTerms, r.Decide)
	}
	if err != nil {
		return w.failed(err)
	}
	done.Warnings = append(done.Warnings, warnings...)
	a.finished(done.Changed && !flags.dryRun, done.Warnings)
	return a.reconciled(w, &r.Answer, done, flags.dryRun)
}

// history lists the newest commits, for those that name a task. Without git, or when it doesn't answer, there are none.
func history(ctx context.Context, w *writer) (commits []git.Commit, warnings []string, err error) {
	root, err := plan.FindRoot(w.path, "")
	if err != nil || root.Git == "" {
		return nil, nil, err
	}
	commits, err = git.Repo{Top: root.Git}.History(ctx, work.HistoryDepth)
	if ctx.Err() != nil {
		return nil, nil, w.failed(ctx.Err())
	}
	if err != nil && !errors.Is(err, git.ErrNoGit) {
		warnings = append(warnings, fmt.Sprintf("no commit was looked at: %s", err))
	}
	return commits, warnings, nil
}

// reconciledAnswer is the JSON answer of reconcile.
type reconciledAnswer struct {
	opening
	Plan    string           `json:"plan"`
	Path    string           `json:"path"`
	Changed bool             `json:"changed"` // with dry_run: it would change something
	DryRun  bool             `json:"dry_run"`
	Tasks   []correctionJSON `json:"tasks"`
	// PlanChanges are those that are not about one task.
	PlanChanges []string `json:"plan_changes"`
	Owing       []int    `json:"owing"`     // completed tasks without any record
	Questions   []string `json:"questions"` // for people
	Left        []string `json:"left"`      // what is still malformed in state.json
	Lost        string   `json:"lost"`
	Copy        string   `json:"copy"`      // the old state.json, relative to the plan; "" for none
	Layer       bool     `json:"layer"`     // the plan has a state layer, or gets one
	Completed   bool     `json:"completed"` // every task is; publishing is for finalize
	StateSHA256 string   `json:"state_sha256"`
	Warnings    []string `json:"warnings"`
	closing
}

type correctionJSON struct {
	Task      int      `json:"task"`
	Title     string   `json:"title"`
	Markdown  string   `json:"markdown"`
	State     string   `json:"state"`
	Direction string   `json:"direction"`
	Changes   []string `json:"changes"`
}

// reconciled tells what disagreed, and what became of it.
func (a *app) reconciled(w *writer, r *work.Reconciliation, done publish.Done, dryRun bool) error {
	if a.json {
		answer := reconciledAnswer{opening: opened("reconcile"), Plan: w.Name, Path: w.path, Changed: done.Changed, DryRun: dryRun, Tasks: []correctionJSON{},
			PlanChanges: list(r.Plan), Owing: list(r.Owing), Questions: list(r.Questions), Left: list(r.Left), Lost: r.Lost, Copy: r.Copy, Layer: !r.Bare,
			Completed: r.Completed && done.Changed, StateSHA256: done.StateSHA256, Warnings: list(done.Warnings), closing: closed(nil, nil)}
		for _, c := range r.Tasks {
			answer.Tasks = append(answer.Tasks, correctionJSON{c.Task, c.Title, c.Markdown, c.State, string(c.Direction), list(c.Changes)})
		}
		return a.writeJSON(answer)
	}
	p := a.page()
	switch {
	case r.Bare:
		p.para(0, w.Name+": it has no state layer, and nothing to reconcile; --create-layer makes one")
		return nil
	case !done.Changed:
		p.para(0, w.Name+": README.md and state.json agree; nothing to reconcile")
	default:
		corrections(p, r.Tasks)
		for _, text := range r.Plan {
			p.flow("  plan  ", 8, 8, cleanLine(text))
		}
	}
	remarks(p, r)
	if done.Changed {
		p.para(0, w.Name+": "+ending(r, w.Name, dryRun))
	}
	return nil
}

// corrections prints the tasks that disagree, as a table; what changes is wrapped in the last column.
func corrections(p page, tasks []work.Correction) {
	if len(tasks) == 0 {
		return
	}
	head := tableRow{cells: [4]string{"Task", "Markdown", "State", "Direction"}, change: "Change"}
	rows := append([]tableRow{head}, tableRows(tasks)...)
	var widths [4]int
	for _, row := range rows {
		for i, cell := range row.cells {
			widths[i] = max(widths[i], textWidth(cell)+2)
		}
	}
	for i, row := range rows {
		first := strings.Repeat(" ", widths[0]-2-textWidth(row.cells[0])) + row.cells[0] + "  "
		for n := 1; n < len(row.cells); n++ {
			first += pad(row.cells[n], widths[n])
		}
		columns := textWidth(first)
		if i == 0 {
			p.line("%s", p.paint(bold, first+row.change))
			continue
		}
		p.flow(first, columns, columns, row.change)
	}
}

// tableRow is a line of the table: tasks, and what is said of them.
type tableRow struct {
	cells  [4]string
	change string
}

// tableRows makes one row of tasks that follow one another and differ in nothing.
func tableRows(tasks []work.Correction) (rows []tableRow) {
	for i := 0; i < len(tasks); {
		row, ids := rowOf(&tasks[i]), []int{tasks[i].Task}
		for i++; i < len(tasks) && tasks[i].Task == tasks[i-1].Task+1 && rowOf(&tasks[i]) == row; i++ {
			ids = append(ids, tasks[i].Task)
		}
		row.cells[0] = work.Ranges(ids)
		rows = append(rows, row)
	}
	return rows
}

// rowOf is what is said of one task, without its number.
func rowOf(c *work.Correction) tableRow {
	state := strings.ReplaceAll(cleanLine(c.State), "_", " ")
	return tableRow{[4]string{"", cleanLine(c.Markdown), state, string(c.Direction)}, cleanLine(strings.Join(c.Changes, "; "))}
}

// remarks prints what is left for people to do.
func remarks(p page, r *work.Reconciliation) {
	if len(r.Owing) > 0 {
		p.para(0, "Late evidence is due: "+work.Ranges(r.Owing)+" (dwp gate run, or dwp gate record)")
	}
	for _, part := range []struct {
		head string
		list []string
	}{{"Questions", r.Questions}, {"Still malformed, for nothing says what it should be", r.Left}} {
		if len(part.list) > 0 {
			p.line("%s:", part.head)
		}
		for _, text := range part.list {
			p.flow("- ", 2, 2, cleanLine(text))
		}
	}
	if r.Lost != "" {
		p.para(0, "Lost, but for the copy: "+r.Lost)
	}
}

// ending is the last line.
func ending(r *work.Reconciliation, name string, dryRun bool) string {
	if dryRun {
		return "nothing was written"
	}
	text := "state.json agrees with README.md"
	if r.Copy != "" {
		text += "; the old one is " + r.Copy
	}
	if r.Completed {
		text += "; every task is completed, and dwp finalize " + name + " publishes the plan when it conforms"
	}
	return text
}
