package work

import (
	"errors"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
)

// TestCompleteLast: the last task publishes the plan, with everything its markdown says (VP-1, VP-2).
func TestCompleteLast(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := last(t, full)
		first, err := do(t, tw, completion(3).Decide)
		must(t, err)
		if again, err := do(t, tw, completion(3).Decide); !first.Published || err != nil || again.Changed {
			t.Errorf("%+v, again %+v, %v", first, again, err)
		}
		s := snapshot(t, tw)
		if s.Receipt == nil || s.State.Status != state.Completed || s.State.Checkpoint.Step != "done" {
			t.Errorf("receipt %v, %s, %+v", s.Receipt, s.State.Status, s.State.Checkpoint)
		}
		conformant(t, s)
	}
}

// last is a plan whose Final Review was started, and whose gate passed.
func last(t *testing.T, full bool) *disk.Twin {
	t.Helper()
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 2, Full: full})
	must(t, tw.Put("analysis_results/SECURITY_REVIEW.md", []byte("# Security review\n\nNo findings.\n\n## Documentation reconciliation\n\nAll current.\n"), 0o644))
	_, err := do(t, tw, (&Start{Who: mill}).Decide)
	must(t, err)
	return withGate(t, tw, 3)
}

// TestCompleteLastRefused: without the artefacts of the Final Review nothing is published or written (VP-1, VP-2).
func TestCompleteLastRefused(t *testing.T) {
	tw := last(t, false)
	must(t, tw.Put("analysis_results/SECURITY_REVIEW.md", []byte("# Security review\n"), 0o644))
	before := tw.Tree()
	got, list := refusedBy(second(do(t, tw, completion(3).Decide)))
	if got != "guard/not-conformant" || len(list) != 1 || list[0] != "review/security-empty" {
		t.Errorf("%s %v", got, list)
	}
	if after := tw.Tree(); after["README.md"] != before["README.md"] || len(after) != len(before) {
		t.Error("something was written")
	}
}

// TestCompleteLastWithdrawn: a publication that was cut off and taken back leaves the markdown of the last task as it is; completing it
// again publishes the plan (VP-4, PS-19).
func TestCompleteLastWithdrawn(t *testing.T) {
	tw := last(t, true)
	tw.Hook(func(e disk.Event) error {
		if e.Op == disk.OpRename && e.To == state.StateFile {
			return disk.ErrCrash
		}
		return nil
	})
	_, err := do(t, tw, completion(3).Decide)
	if cut, ok := errors.AsType[*publish.Interrupted](err); !ok {
		t.Fatalf("not cut off: %v, %v", err, cut)
	}
	tw = tw.Kill()
	p := planIn(tw)
	_, err = disk.ReclaimDead(tw, p.System)
	must(t, err)
	if r, err := publish.Withdraw(t.Context(), p); err != nil || !r.Withdrawn {
		t.Fatalf("%+v, %v", r, err)
	}
	if s := snapshot(t, tw); s.State.Status == state.Completed || !view(t, tw, 3).Checked {
		t.Errorf("state %s", s.State.Status)
	}
	if d, err := do(t, tw, completion(3).Decide); err != nil || !d.Published {
		t.Errorf("again: %+v, %v%s", d, err, why(err))
	}
	conformant(t, snapshot(t, tw))
}
