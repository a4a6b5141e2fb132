package work

import (
	"strconv"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// Start takes a task up: pending becomes in_progress in its log and in state.json; the README's box stays open (GU-7, PS-19).
type Start struct {
	revise.Who
	Task int // 0 for the next one (C27)
	// Approve, when not "", is the person whose request this start is: it approves a pending plan first, in the same operation (LF-7).
	// InTurn says that the caller is inside an unattended turn, where nobody approves.
	Approve string
	InTurn  bool
	// Chosen is the task that Decide took. It is set by it.
	Chosen int
	// Begun says that the task was in progress already, and by whom the state was changed last. They are set by Decide.
	Begun bool
	By    string
}

// Held says why no task may start, when none is named: the plan is complete, blocked, not approved (C97, C101).
type Held struct{ Hold plan.Hold }

func (h *Held) Error() string { return "no task may start: " + string(h.Hold) }

// mendFirst are the holds under which not even a task that is named may start: what is read can't be relied on (WP-1, C89).
var mendFirst = map[plan.Hold]string{
	plan.HoldMalformed: "a file of the plan can't be read", plan.HoldNoTasks: "the README has no task list to work from",
	plan.HoldAmbiguous: "a task number stands twice", plan.HoldDesync: "README.md and state.json disagree; reconcile them first with dwp reconcile",
}

// Decide makes the start. A task that is in progress already is not touched.
func (st *Start) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	d := revise.New(s, st.Who)
	st.Chosen, st.Begun, st.By = st.Task, false, ""
	if st.Approve != "" && !Approved(s) {
		// One desk for both: approval and start become visible together, so that a crash leaves no work under a pending plan.
		approval := &Approval{Who: st.Who, By: st.Approve, Turn: st.InTurn}
		if err := approval.allowed(s); err != nil {
			return nil, err
		}
		d.Note("Approval", append(approval.record(d), "By asking for the start of the work")...)
		r, err := st.start(d)
		if err != nil {
			return nil, err
		}
		return r, approval.faithful(s, r)
	}
	return st.start(d)
}

// start chooses the task and begins it.
func (st *Start) start(d *revise.Desk) (*publish.Revision, error) {
	s := d.S
	if st.Task == 0 {
		// The approval is on the desk, and not yet in the view.
		held := d.View.Hold
		if held == plan.HoldUnapproved && st.Approve != "" {
			held = plan.HoldNone
		}
		if st.Chosen = d.View.Next; held != plan.HoldNone || st.Chosen == 0 {
			return nil, &Held{held}
		}
	}
	// Whether the task may start is for the guards, on the plan as it will stand; what they don't look at is refused here.
	t, err := taskOf(&d.View, st.Chosen)
	if err != nil {
		return nil, err
	}
	if why, ok := mendFirst[d.View.Hold]; ok {
		return nil, refuse("guard/hold", "task %d can't start: %s", t.ID, why)
	}
	if st.Begun = t.Entry != nil && t.Entry.Status == state.InProgress; st.Begun && s.State.UpdatedBy != nil {
		st.By = s.State.UpdatedBy.Agent
	}
	// A cut-off start, or one by state update, may have left the log behind: then the log alone is brought along.
	if st.Begun && logSays(t, planmd.LogInProgress) {
		return &publish.Revision{}, nil
	}
	return withStatus(d, t, openLog(d, t), planmd.LogInProgress, "start", update.Change{Task: t.ID, Status: state.InProgress, Agent: st.Agent, Model: st.Model})
}

// withStatus is a guarded change together with the status line of the task's log, which may have been written to already; nil where the
// task has none.
func withStatus(d *revise.Desk, t *plan.TaskView, log *logbook, says planmd.LogState, operation string, ch update.Change) (*publish.Revision, error) {
	if log != nil {
		log.say(says)
		log.done()
	}
	r, err := d.Revision(operation, strconv.Itoa(t.ID))
	if err != nil {
		return nil, err
	}
	// A record without a log is poor, but no reason to stop: state.json is what the guards read.
	if log == nil {
		r.Warnings = append(r.Warnings, lagging(t)...)
	} else if err := faithfulStatus(t, r, says); err != nil {
		return nil, err
	}
	r.Change = &ch
	return r, nil
}

// faithfulStatus reads the record as it will stand: the log says what it is meant to.
func faithfulStatus(t *plan.TaskView, r *publish.Revision, says planmd.LogState) error {
	for _, c := range r.Changes {
		if c.Path != t.File {
			continue
		}
		if back := readBack(t, c.Data); back == nil || back.Log.State != says {
			return refuse("guard/faithful", "the status line of task %d would not read as %s: %s has a form that can't be extended", t.ID, says, t.File)
		}
	}
	return nil
}

// Checkpoint records the finest resume point, before a pause (PS-15).
type Checkpoint struct {
	revise.Who
	Task       int // 0 for the one in progress
	Step, Note string
	Chosen     int // the task that Decide took
	Configured []update.EnvValue
}

// Decide records the point.
func (c *Checkpoint) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	if err := all(given{"step", c.Step, anyLength, false}, given{"text of the note", c.Note, anyLength, false}); err != nil {
		return nil, err
	}
	id, err := Current(s, c.Task)
	if err != nil {
		return nil, err
	}
	c.Chosen = id
	return change("checkpoint", update.Change{Task: id, CheckpointStep: c.Step, CheckpointNote: c.Note, Agent: c.Agent, Model: c.Model, Configured: c.Configured}), nil
}

// Current is the task that a call means: the one it names, else the one in progress. Among several none is guessed: each may be
// another agent's. The error is a *publish.Refused.
func Current(s *plan.Snapshot, named int) (int, error) {
	switch ids := InProgress(s); {
	case named != 0:
		return named, nil
	case s.State == nil:
		return 0, refuse("guard/which-task", "the plan has no state.json that says which task is in progress")
	case len(ids) == 0:
		return 0, refuse("guard/which-task", "no task is in progress")
	case len(ids) > 1:
		return 0, refuse("guard/which-task", "%d tasks are in progress: %s", len(ids), few(numbers(ids), false))
	default:
		return ids[0], nil
	}
}

func numbers(ids []int) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = strconv.Itoa(id)
	}
	return list
}

// InProgress lists the tasks that are in progress, by number.
func InProgress(s *plan.Snapshot) []int {
	var ids []int
	if s.State == nil {
		return nil
	}
	for i := range s.State.Tasks {
		if s.State.Tasks[i].Status == state.InProgress {
			ids = append(ids, s.State.Tasks[i].ID)
		}
	}
	return ids
}
