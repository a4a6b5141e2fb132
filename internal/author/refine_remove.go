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
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// Remove takes a task out of the plan's scope (LF-10, PS-10). A task that was never started is deleted: record, index line, entry, file;
// PROGRESS.md keeps what it was to achieve. One with history is skipped by the word of a person: it stays where it is, an amendment
// says why, and with Archive its record is moved to PROGRESS.md and its number is given up. Then later tasks move up, which those with
// history never do: so archive before the next task starts, or let Fill name an open task that takes the number.
type Remove struct {
	revise.Who
	Task    int
	Archive bool
	// Fill is an open task without history that takes the number, so that no other one changes; 0 for none.
	Fill int
	// Redirect is what tasks depend on instead that depend on this one; Drop takes the dependency out.
	Redirect int
	Drop     bool
	Warrant
}

// Decide is the decision that publish carries out. out, which is not nil, tells what it came to.
func (m Remove) Decide(out *Refined) publish.Decide {
	return func(s *plan.Snapshot) (*publish.Revision, error) {
		r, err := begin(s, m.Who, &m.Warrant, out)
		if err != nil {
			return nil, err
		}
		t, err := r.task(m.Task)
		if err != nil {
			return nil, err
		}
		switch {
		case m.Task == r.reviewed():
			return nil, refuse("guard/review-last", "task %d is the Final Review", m.Task)
		case t.Status == state.Completed || t.Checked:
			return nil, refuse("guard/finished", "task %d is completed", m.Task)
		}
		out.Removed = &Position{Number: t.ID, Title: t.Title}
		why := history(s, t)
		if why != "" && t.Status != state.Skipped {
			if err := m.skip(r, t, why); err != nil {
				return nil, err
			}
		}
		out.Skipped, out.Archived = why != "", m.Archive
		if why != "" && !m.Archive {
			if t.Status == state.Skipped {
				return &publish.Revision{}, nil // it is out of scope already
			}
			r.note("a task skipped", fmt.Sprintf("Out of scope: %s, Task %d, because %s; it keeps its line and its entry", quotedTitle(t.Title), t.ID, why))
			return r.end("refine remove", fmt.Sprint(m.Task))
		}
		return m.delete(r, t)
	}
}

// skip records that a person took a task with history out of scope: entry, log, amendment (PS-10, AM-1).
func (m *Remove) skip(r *reordering, t *plan.TaskView, why string) error {
	if m.Authority != planmd.AuthorityUser || oneLine(m.By) == "" {
		return refuse("guard/skip-first", "task %d has history (%s), and no person's word is given", t.ID, why)
	}
	r.settle(t.ID)
	if e := r.desk.Entry(t.ID); e != nil {
		e.Set("status", strictjson.NewString(string(state.Skipped)))
		r.means.Skipped = []int{t.ID}
	}
	if m.Archive {
		return nil // the record goes to PROGRESS.md as it is, and the note says the rest
	}
	log := t.Record.Section(planmd.CompletionLog)
	if log == nil {
		return refuse("guard/no-record", "task %d has no Completion & Log that an amendment could be appended to", t.ID)
	}
	if line := t.Record.Log.Status; line != nil {
		r.desk.Record(t).SetField(line, string(state.Skipped))
	}
	_, _, err := r.desk.Amend(t, m.amend(revise.Amendment{
		Original: strings.Join(criteriaOf(t), "; "), Observed: or(m.Observed, "the task is out of scope; "+why), Disposition: "removed from scope",
		Affected: fmt.Sprintf("Task %d", t.ID), Preserved: preserved(t), Reason: or(m.Reason, "a person removed it from scope"),
	}, r.desk.Agent))
	return err
}

// criteriaOf are the acceptance criteria of a task, else its goal: what was to be achieved, verbatim.
func criteriaOf(t *plan.TaskView) []string {
	for _, kind := range []planmd.SectionKind{planmd.Acceptance, planmd.Goal} {
		if s := t.Record.Section(kind); s != nil && !s.Empty {
			return items(strings.TrimSpace(strings.ReplaceAll(t.Doc.Text(s.Body), "\r\n", "\n")))
		}
	}
	return []string{t.Title}
}

// preserved names the evidence that stays.
func preserved(t *plan.TaskView) string {
	var commands []string
	if t.Entry != nil {
		for _, g := range t.Entry.Gates {
			commands = append(commands, revise.Quote(g.Command))
		}
	}
	return strings.Join(commands, ", ")
}

// settle takes the blocker and the checkpoint away that are of a task which leaves the scope (GU-5).
func (r *reordering) settle(id int) {
	root, st := r.desk.State(), r.desk.S.State
	if root == nil || st == nil {
		return
	}
	if st.Blocked != nil && st.Blocked.Task == id {
		root.Set("blocked", strictjson.NewNull())
		r.means.Unblocked = true
	}
	if st.Checkpoint != nil && st.Checkpoint.Task == id {
		root.Set("checkpoint", strictjson.NewNull())
	}
}

// delete takes all parts of a task out, and gives its number away.
func (m *Remove) delete(r *reordering, t *plan.TaskView) (*publish.Revision, error) {
	order, err := m.order(r)
	if err != nil {
		return nil, err
	}
	if err := r.keep(order, m.filler(r)); err != nil {
		return nil, err
	}
	heirs, changed, err := m.heirs(r, order)
	if err != nil {
		return nil, err
	}
	r.settle(t.ID)
	if err := r.lay(order, heirs); err != nil {
		return nil, err
	}
	bullets := []string{fmt.Sprintf("Removed: %s, Task %d before", quotedTitle(t.Title), t.ID)}
	title := "a task removed"
	if m.Archive {
		title = fmt.Sprintf("record of Task %d archived", t.ID)
	} else {
		for _, c := range criteriaOf(t) {
			bullets = append(bullets, "It was to achieve: "+revise.Quote(c))
		}
	}
	if m.Fill > 0 {
		bullets = append(bullets, fmt.Sprintf("Its number goes to %s, Task %d before", quotedTitle(r.desk.Task(m.Fill).Title), m.Fill))
	}
	r.note(title, append(bullets, changed...)...)
	if m.Archive {
		r.desk.Keep(recordText(t))
	}
	return r.end("refine remove", fmt.Sprint(m.Task))
}

// recordText is a task's record as it stands.
func recordText(t *plan.TaskView) string {
	if t.File == readmeFile {
		return t.Doc.Text(t.Record.Span)
	}
	return string(t.Doc.Src)
}

// order is the order without the task.
func (m *Remove) order(r *reordering) ([]slot, error) {
	if m.Fill > 0 {
		t, err := r.task(m.Fill)
		switch {
		case err != nil:
			return nil, err
		case m.Fill == r.reviewed():
			return nil, refuse("guard/review-last", "task %d is the Final Review", m.Fill)
		case m.Fill <= m.Task:
			return nil, refuse("guard/keeps-number", "task %d stands before task %d: only one behind it can take its number", m.Fill, m.Task)
		case history(r.desk.S, t) != "":
			return nil, refuse("guard/keeps-number", "task %d can't take the number %d, because %s", m.Fill, m.Task, history(r.desk.S, t))
		}
	}
	var order []slot
	for _, s := range r.slots() {
		switch {
		case s.old == m.Task && m.Fill > 0:
			order = append(order, slot{old: m.Fill, moved: true})
		case s.old == m.Task || s.old == m.Fill:
		default:
			order = append(order, s)
		}
	}
	if len(order) == 0 {
		return nil, refuse("guard/review-last", "task %d is all there is of the plan", m.Task)
	}
	return order, nil
}

// filler tells which task could take the number, when later ones have to keep theirs.
func (m *Remove) filler(r *reordering) func(*plan.TaskView) string {
	return func(kept *plan.TaskView) string {
		for i := range r.desk.View.Tasks {
			t := &r.desk.View.Tasks[i]
			if t.ID > kept.ID && t.ID != r.reviewed() && history(r.desk.S, t) == "" {
				return fmt.Sprintf("; with --fill %d an open task takes the number %d instead", t.ID, m.Task)
			}
		}
		return fmt.Sprintf("; no open task is left that could take the number %d: add one, and name it with --fill", m.Task)
	}
}

// heirs tells what those tasks depend on from now on that depend on the one that goes (GU-7), and how PROGRESS.md tells it.
func (m *Remove) heirs(r *reordering, order []slot) (map[int][]int, []string, error) {
	var dependents []int
	for i := range r.desk.View.Tasks {
		if t := &r.desk.View.Tasks[i]; t.ID != m.Task && slices.Contains(t.Record.DependsOn, m.Task) {
			dependents = append(dependents, t.ID)
		}
	}
	switch {
	case m.Redirect > 0:
		if _, err := r.task(m.Redirect); err != nil {
			return nil, nil, err
		}
		to := slices.IndexFunc(order, func(s slot) bool { return s.old == m.Redirect }) + 1
		if to == 0 {
			return nil, nil, refuse("guard/needed", "nothing can depend on task %d instead of itself", m.Task)
		}
		if len(dependents) == 0 {
			return nil, nil, nil
		}
		return map[int][]int{m.Task: {to}}, []string{fmt.Sprintf("Depending on it, and on Task %d instead, as they were numbered: tasks %s", m.Redirect, numberList(dependents))}, nil
	case len(dependents) == 0:
		return nil, nil, nil
	case !m.Drop:
		return nil, nil, refuse("guard/needed", "%s on task %d", depends(dependents), m.Task)
	}
	return nil, []string{"Depending on it, and no longer, as they were numbered: tasks " + numberList(dependents)}, nil
}

func depends(ids []int) string {
	if len(ids) == 1 {
		return fmt.Sprintf("task %d depends", ids[0])
	}
	return "tasks " + numberList(ids) + " depend"
}
