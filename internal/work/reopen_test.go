package work

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
)

// amendment reopens the second task, and speaks of the third.
func amendment(affected string) *revise.Amendment {
	return &revise.Amendment{Original: "counts agree", Observed: "a shard was loaded twice", Disposition: "revised", Revised: "no shard is loaded twice",
		Authority: "evidence", Affected: affected, Invalidated: "`make test-shard`", Preserved: "task 3: it reads no shard", Reason: "it was loaded twice"}
}

// TestReopen: amendment, log, box, count, PROGRESS.md and state.json in one; only new evidence closes the task again, and it gets an
// entry of its own (GU-6, AM-1, C117).
func TestReopen(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := folder(t, plantest.Spec{Tasks: 4, Done: 3, Full: full})
		o := &Reopen{Who: mill, Task: 2, Reason: "it was loaded twice", Amendment: amendment("2, 3")}
		done(t, tw, o.Decide)
		s, v := snapshot(t, tw), view(t, tw, 2)
		if v.Checked || v.Record.Log.State != planmd.LogInProgress || len(v.Record.Log.Amendments) != 1 || v.Entry.Status != state.InProgress ||
			v.Entry.CompletedAt != nil || s.README.Claims[0].Done != 2 || len(s.Progress.Amendments) != 1 {
			t.Fatalf("full %v: %+v", full, v.Entry)
		}
		if got, list := refusedBy(second(do(t, tw, completion(2).Decide))); got != "guard/incomplete" {
			t.Errorf("closed on the old evidence: %s %v", got, list)
		}
		withGate(t, tw, 2)
		done(t, tw, completion(2).Decide)
		entries := 0
		for _, e := range snapshot(t, tw).Progress.Entries {
			if e.Task == 2 {
				entries++
			}
		}
		if entries != 3 { // completed, reopened, completed
			t.Errorf("%d entries about task 2", entries)
		}
		conformant(t, snapshot(t, tw))
	}
}

// TestReopenRefused: without an amendment, or one that is silent about a completed dependant, nothing is opened (GU-6, AM-1); inside a
// turn nobody's authority is claimed (UN-6).
func TestReopenRefused(t *testing.T) {
	silent := amendment("none")
	silent.Preserved = "none"
	person := amendment("2, 3")
	person.Authority = "user"
	for rule, o := range map[string]*Reopen{
		"guard/amendment":     {Who: mill, Task: 2, Reason: "x"},
		"guard/dependants":    {Who: mill, Task: 2, Reason: "x", Amendment: silent},
		"guard/in-turn":       {Who: mill, Task: 2, Reason: "x", Amendment: person, InTurn: true},
		"guard/not-completed": {Who: mill, Task: 4, Reason: "x", Amendment: amendment("4")},
	} {
		tw := folder(t, plantest.Spec{Tasks: 4, Done: 3})
		before := tw.Tree()["README.md"]
		if got, _ := refusedBy(second(do(t, tw, o.Decide))); got != rule || tw.Tree()["README.md"] != before {
			t.Errorf("got %s, want %s", got, rule)
		}
	}
}

// TestReopenOthers: one call opens one task. A dependant that the amendment opens, too, is named until it is opened; one that it
// preserves is not (GU-6).
func TestReopenOthers(t *testing.T) {
	for affected, want := range map[string]bool{"2, 3 (reopened)": true, "2, 3 (preserved: it reads no shard)": false} {
		tw := folder(t, plantest.Spec{Tasks: 4, Done: 3})
		a := amendment(affected)
		a.Preserved = "none"
		d, err := do(t, tw, (&Reopen{Who: mill, Task: 2, Reason: "it was loaded twice", Amendment: a}).Decide)
		must(t, err)
		got := slices.ContainsFunc(d.Warnings, func(w string) bool {
			return strings.Contains(w, "Amendment 1 says that task 3 is reopened, too; it still is completed")
		})
		if got != want {
			t.Errorf("%s: %q", affected, d.Warnings)
		}
	}
}

// TestReopenPublished: the receipt of a published plan is kept under another name in the same operation; closed again, the plan has a
// new one (VP-5).
func TestReopenPublished(t *testing.T) {
	tw := last(t, false)
	must(t, second(do(t, tw, completion(3).Decide)))
	old := tw.Tree()[state.ReceiptFile]
	a := amendment("3")
	a.Preserved = "none"
	done(t, tw, (&Reopen{Who: mill, Task: 3, Reason: "it was loaded twice", Amendment: a}).Decide)
	if tree := tw.Tree(); tree["analysis_results/FINALIZATION-1.json"] != old || tree[state.ReceiptFile] != "" {
		t.Error("the receipt was not kept, or is still in force")
	}
	withGate(t, tw, 3)
	if d, err := do(t, tw, completion(3).Decide); err != nil || !d.Published {
		t.Errorf("%+v, %v%s", d, err, why(err))
	}
	conformant(t, snapshot(t, tw))
}
