package work

import (
	"slices"
	"strconv"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// Reopen opens a completed task again, by an amendment (GU-6, AM-1).
type Reopen struct {
	revise.Who
	Task   int
	Reason string
	// Amendment is appended in the same operation; nil when it stands in the task's log already.
	Amendment  *revise.Amendment
	InTurn     bool // inside an unattended turn an amendment claims no person's authority (UN-6)
	Configured []update.EnvValue
}

// Decide opens the task: the amendment in log and PROGRESS.md, the log's status, the README's box and count, an entry of PROGRESS.md;
// in state.json its evidence is marked and completed_at goes. A published plan's receipt gets its name for history (VP-5). The same
// call again changes nothing (C117).
func (o *Reopen) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	d := revise.New(s, o.Who)
	t, err := taskOf(&d.View, o.Task)
	if err != nil {
		return nil, err
	}
	texts := []given{{"reason", o.Reason, 500, false}}
	if a := o.Amendment; a != nil {
		for _, text := range []string{a.Original, a.Observed, a.Disposition, a.Revised, a.Reason, a.Authority, a.Affected, a.Invalidated, a.Preserved} {
			texts = append(texts, given{"amendment", text, 2000, true})
		}
	}
	if err := all(texts...); err != nil {
		return nil, err
	}
	if a := o.Amendment; a != nil && o.InTurn {
		if ofPerson(a.Authority) {
			return nil, refuse("guard/in-turn", "inside a turn no amendment is made on the authority of a %s", planmd.Authority(a.Authority))
		}
	}
	if o.repeated(t) {
		return &publish.Revision{}, nil
	}
	// Whether the amendment suffices, and speaks of every completed dependant, the guards decide on the plan as it will stand.
	number := 0
	if o.Amendment != nil {
		if t.Record == nil || t.Record.Section(planmd.CompletionLog) == nil {
			return nil, refuse("guard/amendment", "task %d has no Completion & Log for the amendment that reopens it", t.ID)
		}
		if number, _, err = d.Amend(t, *o.Amendment); err != nil {
			return nil, err
		}
	} else if t.Record != nil {
		for i := range t.Record.Log.Amendments {
			number = max(number, t.Record.Log.Amendments[i].Number)
		}
	}
	o.markdown(d, t, number)
	return o.revision(d, t)
}

// repeated reports whether this task was reopened already and nothing is left to do.
func (o *Reopen) repeated(t *plan.TaskView) bool {
	return t.Entry != nil && (t.Entry.Status == state.InProgress || t.Entry.Status == state.Pending) && !t.Checked && logSays(t, planmd.LogInProgress) &&
		slices.ContainsFunc(t.Entry.Gates, func(g state.Gate) bool { return evidence.Invalidated(g.Evidence) })
}

// markdown opens the task wherever the markdown tells of it.
func (o *Reopen) markdown(d *revise.Desk, t *plan.TaskView, amendment int) {
	if log := openLog(d, t); log != nil {
		log.say(planmd.LogInProgress)
		log.done()
	}
	tick(d, t, false)
	// Its head tells this entry from one about the work, so that closing the task again adds another (WP-2).
	d.Note("Task "+strconv.Itoa(t.ID)+reopenedWord, "Reason: "+o.Reason, "By: Amendment "+strconv.Itoa(amendment),
		"Its evidence counts no longer; only new runs of its gates close it again")
}

// reopenedWord ends the head of an entry of PROGRESS.md that says that a task was reopened.
const reopenedWord = " reopened"

func (o *Reopen) revision(d *revise.Desk, t *plan.TaskView) (*publish.Revision, error) {
	r, err := d.Revision("reopen", strconv.Itoa(t.ID))
	if err != nil {
		return nil, err
	}
	if err := faithfulStatus(t, r, planmd.LogInProgress); err != nil {
		return nil, err
	}
	r.Change = &update.Change{Task: t.ID, Status: state.InProgress, ReopenReason: o.Reason, Agent: o.Agent, Model: o.Model, Configured: o.Configured}
	// What was completed on top of this task, and is preserved by the amendment, stands before it for a while (GU-6).
	r.Expected = []string{"order/too-early"}
	return r, nil
}

// tick opens or closes the README's box of a task, and makes every written count agree with the boxes (PD-4, C35).
func tick(d *revise.Desk, t *plan.TaskView, done bool) {
	readme := d.S.README
	if t.Line == nil || t.Line.Box == nil {
		return
	}
	d.Readme().Tick(*t.Line.Box, done)
	ticked := 0
	for i := range readme.Index {
		box := readme.Index[i].Box
		checked := box != nil && box.Checked() // the box itself counts as it will be
		if box == t.Line.Box {
			checked = done
		}
		if checked {
			ticked++
		}
	}
	for _, claim := range readme.Claims {
		if claim.Done != ticked || claim.Total != len(readme.Index) {
			d.Readme().Count(claim, ticked, len(readme.Index))
		}
	}
}
