package work

import (
	"errors"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/state"
)

// TestStart: log and state.json say in progress, the box stays open; the lowest open task is taken, and a second call changes nothing
// (GU-7, PS-19, C27).
func TestStart(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := folder(t, plantest.Spec{Tasks: 3, Done: 1, Full: full})
		st := &Start{Who: mill}
		done(t, tw, st.Decide)
		if st.Chosen != 2 || !st.Begun || st.By != "Mill" {
			t.Errorf("chosen %d, begun %v by %q", st.Chosen, st.Begun, st.By)
		}
		v := view(t, tw, 2)
		if v.Record.Log.State != planmd.LogInProgress || v.Entry.Status != state.InProgress || v.Checked || v.Entry.StartedAt == nil {
			t.Errorf("full %v: log %s, entry %s, box %v", full, v.Record.Log.State, v.Entry.Status, v.Checked)
		}
		conformant(t, snapshot(t, tw))
	}
}

// TestStartRefused: nothing starts too early, without approval, under a blocker, after its end, or in a plan whose parts disagree, and
// no task that is not there (GU-7, GU-8, LF-7, C89, C103). Nothing is written.
func TestStartRefused(t *testing.T) {
	for name, test := range map[string]struct {
		edits [][3]string
		task  int
		rule  string
	}{
		"too early":   {nil, 3, "order/too-early"},
		"completed":   {nil, 1, "guard/completed"},
		"unknown":     {nil, 9, "guard/unknown-task"},
		"no approval": {[][3]string{{"README.md", "**Approval:** approved", "**Approval:** pending"}}, 2, "guard/not-approved"},
		"desync":      {[][3]string{{"README.md", "- [x] Task 1", "- [ ] Task 1"}}, 2, "guard/hold"},
		"other plan":  {[][3]string{{"state.json", `"plan": "PLAN_generated_load"`, `"plan": "PLAN_other_load"`}}, 2, "state/plan-name"},
		"blocked":     {[][3]string{{"state.json", `"blocked": null`, `"blocked": {"task": 3, "reason": "[C1] x", "since": "2026-09-01T10:00:00Z", "needs": "y"}`}, {"state.json", `"status": "in_progress", "completed_count"`, `"status": "blocked", "completed_count"`}, {"state.json", `"title": "Final Review", "status": "pending"`, `"title": "Final Review", "status": "blocked"`}}, 2, "guard/blocker"},
	} {
		tw := folder(t, plantest.Spec{Tasks: 3, Done: 1}, test.edits...)
		before := tw.Tree()
		_, err := do(t, tw, (&Start{Who: mill, Task: test.task}).Decide)
		if got, _ := refusedBy(err); got != test.rule {
			t.Errorf("%s: %v", name, err)
		}
		if after := tw.Tree(); len(after) != len(before) || after["state.json"] != before["state.json"] || after["README.md"] != before["README.md"] {
			t.Errorf("%s: something was written", name)
		}
	}
}

// TestStartHeld: without a number the hold is told, not a task (C97, C101).
func TestStartHeld(t *testing.T) {
	for want, tw := range map[plan.Hold]*disk.Twin{
		plan.HoldUnapproved: proposal(t), plan.HoldCompleted: folder(t, plantest.Spec{Tasks: 3, Done: 3}),
	} {
		_, err := do(t, tw, (&Start{Who: mill}).Decide)
		if held, ok := errors.AsType[*Held](err); !ok || held.Hold != want {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestStartApproves: a person's request to start approves the plan in the same operation; nobody approves inside a turn, no agent in its
// own name (LF-7, UN-6, C103).
func TestStartApproves(t *testing.T) {
	tw := proposal(t)
	for _, st := range []*Start{{Who: mill, Approve: "Ada", InTurn: true}, {Who: mill, Approve: "Mill"}} {
		if _, err := do(t, tw, st.Decide); err == nil {
			t.Fatalf("%+v approved", st)
		}
	}
	done(t, tw, (&Start{Who: mill, Approve: "Ada"}).Decide)
	s := snapshot(t, tw)
	if s.State.Approval != "approved" || s.README.Approval.Value != "approved by Ada on 2026-09-02" || s.State.Tasks[0].Status != state.InProgress {
		t.Errorf("approval %q, %q, task 1 %s", s.State.Approval, s.README.Approval.Value, s.State.Tasks[0].Status)
	}
	conformant(t, s)
}

// TestCheckpoint: the point is that of the task in progress (PS-15, C95).
func TestCheckpoint(t *testing.T) {
	tw := inProgress(t, false)
	done(t, tw, (&Checkpoint{Who: mill, Step: "tests written", Note: "parser next"}).Decide)
	if cp := snapshot(t, tw).State.Checkpoint; cp.Task != 2 || cp.Step != "tests written" || cp.Note != "parser next" {
		t.Errorf("%+v", cp)
	}
	if _, err := do(t, folder(t, plantest.Spec{Tasks: 3, Done: 1}), (&Checkpoint{Who: mill, Step: "x"}).Decide); err == nil {
		t.Error("a checkpoint without a task in progress")
	}
}
