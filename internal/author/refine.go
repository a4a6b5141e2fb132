package author

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// Refined is what a refinement of the order of tasks did.
type Refined struct {
	Added      []Position // new tasks, by number
	Moved      *Position  // the task that moved, as it stands now
	Removed    *Position  // the task that was removed, as it stood
	Renumbered []Renumber // tasks that have another number, by the one before
	Left       []Mention  // places that name a number that changed, for a person to look at
	Skipped    bool       // the removed task has history: it keeps its entry, and is out of scope (PS-10)
	Archived   bool       // its record stands in PROGRESS.md
	Pending    bool       // approval is pending again (LF-7)
	Stands     string     // the plan's approval afterwards; "" where it has none
}

// Position is a task and its number, and for a new one the tasks that it waits for.
type Position struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	Waits  []int  `json:"waits,omitempty"`
}

// Renumber is a change of a task's number.
type Renumber struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Title string `json:"title"`
}

// taskGuards is the table of the rules that speak of adding, moving and removing tasks.
var taskGuards = []update.Guard{
	{ID: "guard/disordered", Requirement: "PS-9", Title: "a plan's tasks are numbered 1 to N, each with index line, record and entry, before they are refined",
		Hint: "mend what dwp verify names first"},
	{ID: "guard/review-last", Requirement: "PD-7", Title: "the Final Review stays last, and is never moved or removed", Hint: "put the task before it"},
	{ID: "guard/keeps-number", Requirement: "LF-10", Title: "tasks with history keep their number", Hint: "choose the place that the message names"},
	{ID: "guard/finished", Requirement: "LF-10", Title: "a completed task stays in the plan, and a completed plan is reopened before it is refined",
		Hint: "reopen it by an amendment first, or write a plan for the new work"},
	{ID: "guard/task-order", Requirement: "GU-7", Title: "a task stands behind those that it depends on, and tasks don't wait for each other",
		Hint: "choose another place, or change what the tasks depend on with dwp refine edit"},
	{ID: "guard/needed", Requirement: "GU-7", Title: "a task that others depend on is removed only when it is said what becomes of them",
		Hint: "give --redirect N, or --drop to take the dependency out"},
	{ID: "guard/skip-first", Requirement: "PS-10", Title: "a task with history leaves the scope by the word of a person",
		Hint: "give --authority user, --by with the person's name and --statement with the words"},
}

// history says what history a task has: work that was done or recorded; "" for none. Such a task keeps its number (LF-10).
func history(s *plan.Snapshot, t *plan.TaskView) string {
	switch e := t.Entry; {
	case t.Checked:
		return "it is ticked"
	case e != nil && e.Status != state.Pending:
		return "it is " + string(e.Status)
	case e != nil && len(e.Gates) > 0:
		return "it has gate records"
	case e != nil && (e.StartedAt != nil || e.CompletedAt != nil || e.Commit != ""):
		return "it was started"
	case e != nil && e.Outcome != nil:
		return "it has an outcome"
	case t.Status != state.Pending:
		return "it is " + string(t.Status)
	case t.Record != nil && len(t.Record.Log.Amendments) > 0:
		return "its log has amendments"
	case s.State != nil && s.State.Checkpoint != nil && s.State.Checkpoint.Task == t.ID && t.ID < len(s.State.Tasks) && !isNext(s.State.Checkpoint):
		// The last task's number follows from those before it.
		return "the checkpoint is at it"
	}
	return ""
}

// isNext reports whether a checkpoint says only that its task is next, as completing the one before writes it: no work (PS-15).
func isNext(cp *state.Checkpoint) bool { return cp.Step == "start" }

// reordering is a refinement of the order of tasks under way.
type reordering struct {
	desk *revise.Desk
	out  *Refined
	w    *Warrant
	made map[int]*Task // new tasks by number
	laid *layout
	// means is what state.json has to agree to.
	means update.Rewriting
	stuck bool // tasks waited for each other before
}

// begin looks whether a plan's tasks may be refined: all their parts are there and agree, and the plan is not completed.
func begin(s *plan.Snapshot, who revise.Who, w *Warrant, out *Refined) (*reordering, error) {
	*out = Refined{}
	if s.README == nil {
		return nil, refuse("guard/disordered", "the plan has no README.md that can be read")
	}
	r := &reordering{desk: revise.New(s, who), out: out, w: w, made: map[int]*Task{}}
	if w.InTurn {
		return nil, refuse("guard/in-turn", "inside a turn the tasks of a plan are neither added to, moved nor removed")
	}
	for _, check := range []func() error{w.check, w.secrets, r.ordered} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	if r.desk.View.Status == state.Completed {
		return nil, refuse("guard/finished", "the plan is completed")
	}
	r.stuck = len(ring(s)) > 0
	return r, nil
}

// ordered: tasks 1 to N, in the order of the index, each with all its parts (PS-9, PD-4).
func (r *reordering) ordered() error {
	s := r.desk.S
	views := r.desk.View.Tasks
	if len(views) == 0 {
		return refuse("guard/disordered", "the plan has no tasks")
	}
	for i := range views {
		t := &views[i]
		lacks := ""
		switch number, _ := plan.TaskNumber(t.File); {
		case t.ID != i+1:
			return refuse("guard/disordered", "task %d stands where task %d is expected", t.ID, i+1)
		case t.Line == nil:
			lacks = "index line"
		case t.Record == nil || t.Doc == nil:
			lacks = "record"
		case s.State != nil && t.Entry == nil:
			lacks = "entry in state.json"
		case t.File != readmeFile && number != t.ID, t.File == readmeFile && !anchored(t.Record, t.ID):
			lacks = "record of its number"
		}
		if lacks != "" {
			return refuse("guard/disordered", "task %d has no %s", t.ID, lacks)
		}
	}
	return nil
}

func anchored(r *planmd.Record, task int) bool {
	id, ok := r.AnchorTask()
	return ok && id == task
}

// reviewed is the number of the Final Review; 0 in a plan whose last task is none.
func (r *reordering) reviewed() int {
	views := r.desk.View.Tasks
	if last := &views[len(views)-1]; endsWithReview(last.Title) {
		return last.ID
	}
	return 0
}

// task looks a task up that is named.
func (r *reordering) task(id int) (*plan.TaskView, error) {
	if t := r.desk.Task(id); t != nil {
		return t, nil
	}
	return nil, refuse("guard/unknown-task", "there is no task %d; the plan has %d", id, len(r.desk.View.Tasks))
}

// slots are the tasks as they stand.
func (r *reordering) slots() []slot {
	var order []slot
	for i := range r.desk.View.Tasks {
		order = append(order, slot{old: r.desk.View.Tasks[i].ID})
	}
	return order
}

// place is the number of slots before which a task is asked to stand: behind one task, before another, else before the Final Review.
func (r *reordering) place(after, before int) (int, error) {
	if named := max(after, before); named > 0 {
		if _, err := r.task(named); err != nil {
			return 0, err
		}
	}
	switch last := r.reviewed(); {
	case before > 0:
		return before - 1, nil
	case after > 0 && after == last:
		return 0, refuse("guard/review-last", "task %d is the Final Review", after)
	case after > 0:
		return after, nil
	case last > 0:
		return last - 1, nil
	}
	return len(r.desk.View.Tasks), nil
}

// keep refuses an order in which a task with history has another number. nearest says what is possible.
func (r *reordering) keep(order []slot, nearest func(t *plan.TaskView) string) error {
	for i, s := range order {
		if s.old == 0 || s.old == i+1 {
			continue
		}
		t := r.desk.Task(s.old)
		if why := history(r.desk.S, t); why != "" {
			return refuse("guard/keeps-number", "task %d would be task %d, and keeps its number, because %s%s", t.ID, i+1, why, nearest(t))
		}
	}
	return nil
}

// lay lays the tasks out anew, and notes what it came to.
func (r *reordering) lay(order []slot, heirs map[int][]int) error {
	l, err := lay(r.desk, order, heirs)
	if err != nil {
		return err
	}
	changed := l.renumbered()
	for _, from := range sortedKeys(changed) {
		r.out.Renumbered = append(r.out.Renumbered, Renumber{from, changed[from], r.desk.Task(from).Title})
	}
	for i, s := range order {
		if s.task != nil {
			r.made[i+1] = s.task
		}
	}
	r.laid, r.out.Left = l, l.left
	r.means.Renumber, r.means.Archived = changed, l.gone()
	return r.orderly(l)
}

// orderly: no task stands before one that it depends on and that stood before it (GU-7).
func (r *reordering) orderly(l *layout) error {
	for i := range r.desk.View.Tasks {
		t := &r.desk.View.Tasks[i]
		to := l.to[t.ID]
		if to == 0 || !t.Record.HasDepends {
			continue
		}
		for _, id := range t.Record.DependsOn {
			for _, heir := range l.heirsOf(id) {
				if id < t.ID && heir >= to {
					return refuse("guard/task-order", "task %d depends on task %d, and would stand before it", t.ID, id)
				}
			}
		}
	}
	return nil
}

// end makes the revision, and reads the plan as it would stand: what is new reads as it was given, and some order of work is left.
func (r *reordering) end(operation string, args ...string) (*publish.Revision, error) {
	r.desk.State() // its time moves with every change
	rev, err := r.desk.Revision(operation, args...)
	if err != nil {
		return nil, err
	}
	rev.Means = r.means
	if r.out.Pending {
		rev.Expected = append(rev.Expected, pendingExpected)
	}
	after, err := standing(r.desk.S, rev)
	if err != nil {
		return nil, err
	}
	r.out.Stands = after.Approval()
	relocate(r.out.Left, after)
	if odd := r.faithful(after); len(odd) > 0 {
		return nil, &Incomplete{odd}
	}
	if stuck := ring(after); len(stuck) > 0 && !r.stuck {
		return nil, refuse("guard/task-order", "no task could ever start of %s, as they would be numbered: they would wait for each other", tasksNamed(stuck))
	}
	rev.Warnings = append(rev.Warnings, split(after)...)
	return rev, nil
}

// standing reads the plan as a revision would leave it.
func standing(s *plan.Snapshot, rev *publish.Revision) (*plan.Snapshot, error) {
	files := map[string]string{}
	for name, f := range s.Files {
		if f.Err == nil {
			files[name] = string(f.Data)
		}
	}
	for _, c := range rev.Changes {
		if files[c.Path] = string(c.Data); c.Remove {
			delete(files, c.Path)
		}
	}
	return plan.Read(folderOf(files), s.Name)
}

// faithful compares new tasks with what was given, and the history in PROGRESS.md with what it was: a note is no entry of a task.
func (r *reordering) faithful(after *plan.Snapshot) []Gap {
	f := fidelity{level: 2}
	if r.desk.View.Format == lite && r.laid != nil { // nothing is new where nothing was laid out
		f.level = r.laid.sections
	}
	views, graph := after.Overview().Tasks, after.Graph()
	for _, n := range sortedKeys(r.made) {
		t := r.made[n]
		if n > len(views) || views[n-1].ID != n || views[n-1].Line == nil {
			f.gaps = append(f.gaps, Gap{or(t.place, "tasks"), fmt.Sprintf("task %d: it would not be found under its number", n)})
			continue
		}
		f.task(n, t, views[n-1])
		r.out.Added = append(r.out.Added, Position{n, oneLine(t.Title), graph.DependsOn(n)})
	}
	had := 0
	if r.desk.S.Progress != nil {
		had = len(r.desk.S.Progress.Entries)
	}
	if after.Progress != nil && len(after.Progress.Entries) != had {
		f.gaps = append(f.gaps, Gap{progressFile, "the note in it would read as an entry of a task"})
	}
	return f.gaps
}

// split names groups between whose tasks another task stands: who works in order reaches it first, and the rest of the group waits
// for it (AG-6).
func split(s *plan.Snapshot) (warnings []string) {
	group := map[int]string{}
	ends := map[string][2]int{}
	for _, row := range s.README.Groups {
		for _, id := range row.Tasks {
			group[id] = row.Name
			if e, known := ends[row.Name]; !known {
				ends[row.Name] = [2]int{id, id}
			} else {
				ends[row.Name] = [2]int{min(e[0], id), max(e[1], id)}
			}
		}
	}
	for _, row := range s.README.Groups {
		e, fresh := ends[row.Name]
		delete(ends, row.Name)
		for id := e[0]; fresh && id < e[1] && id < e[0]+mostTasks; id++ {
			if group[id] == "" {
				warnings = append(warnings, fmt.Sprintf("task %d stands between the tasks of group %s: those behind it wait for it", id, row.Name))
			}
		}
	}
	return warnings
}

// renumbered tells which numbers changed, runs of them together.
func (r *reordering) renumbered() []string {
	var lines []string
	for _, run := range Runs(r.out.Renumbered) {
		if first, last := run[0], run[len(run)-1]; len(run) == 1 {
			lines = append(lines, fmt.Sprintf("Number: Task %d is Task %d from now on", first.From, first.To))
		} else {
			lines = append(lines, fmt.Sprintf("Numbers: Tasks %d to %d are Tasks %d to %d from now on", first.From, last.From, first.To, last.To))
		}
	}
	return lines
}

// Runs cuts changes of numbers, in order, where one doesn't follow the one before by 1 on both sides.
func Runs(all []Renumber) [][]Renumber {
	var runs [][]Renumber
	for i := 0; i < len(all); {
		n := i
		for i++; i < len(all) && all[i].From == all[i-1].From+1 && all[i].To == all[i-1].To+1; i++ {
		}
		runs = append(runs, all[n:i])
	}
	return runs
}

// mentions tells where numbers were left, for a person to look at: a line per line.
func (r *reordering) mentions() []string {
	var lines []string
	for _, m := range ByLine(r.out.Left) {
		lines = append(lines, fmt.Sprintf("Left as written, to be looked at: %s names %s: %s", m.File, tasksNamed(m.Tasks), revise.Quote(shortly(m.Text))))
	}
	const most = 20
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("And %d more such places", more))
	}
	return lines
}

// MentionLine is a line with all mentions in it.
type MentionLine struct {
	Mention
	Tasks []int
}

// ByLine puts the mentions of one line together.
func ByLine(all []Mention) []MentionLine {
	var lines []MentionLine
	for _, m := range all {
		if n := len(lines); n > 0 && lines[n-1].File == m.File && lines[n-1].Line == m.Line {
			lines[n-1].Tasks = append(lines[n-1].Tasks, m.Task)
			continue
		}
		lines = append(lines, MentionLine{m, []int{m.Task}})
	}
	return lines
}

// relocate tells mentions by the lines on which they stand afterwards: the nearest of those with the same words.
func relocate(left []Mention, after *plan.Snapshot) {
	lines := map[string]map[string][]int{}
	for i := range left {
		m := &left[i]
		f := after.Files[m.File]
		if f == nil {
			continue
		}
		if lines[m.File] == nil {
			lines[m.File] = map[string][]int{}
			n := 0
			for line := range strings.Lines(string(f.Data)) {
				n++
				text := oneLine(line)
				lines[m.File][text] = append(lines[m.File][text], n)
			}
		}
		if found := lines[m.File][m.Text]; len(found) > 0 {
			was := m.Line
			m.Line = slices.MinFunc(found, func(a, b int) int { return max(a-was, was-a) - max(b-was, was-b) })
		}
	}
}

// note writes the entry of PROGRESS.md, whose heading has the word that verify looks for (PS-6).
func (r *reordering) note(title string, bullets ...string) {
	bullets = append(bullets, r.renumbered()...)
	bullets = append(bullets, r.mentions()...)
	r.desk.Note("Refine: "+title, append(bullets, r.w.told(r.out.Pending, r.desk.Agent)...)...)
}

// quotedTitle is a title in a note, where nothing of it is structure.
func quotedTitle(title string) string { return revise.Quote(strings.ToValidUTF8(title, "?")) }
