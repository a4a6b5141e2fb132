package turn

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/work"
)

// independent is a plan of three tasks, none of which waits for another.
func independent(t *testing.T) *disk.Twin {
	t.Helper()
	spec := plantest.Spec{Tasks: 3, Done: 0, Full: true}
	var edits [][3]string
	for name := range plantest.Plan(spec) {
		if strings.Contains(name, ".task_") {
			edits = append(edits, [3]string{name, "\n\n", "\n\n**Depends on:** none\n\n"})
		}
	}
	return ready(t, spec, edits...)
}

// TestStoppedBesideABlocker: while one task is blocked, another that was stopped twice over for S4 is not handed out again and again: a plan
// has one blocker, and the turn's record holds the second stop until its turn comes (C97, UN-3, PS-16).
func TestStoppedBesideABlocker(t *testing.T) {
	tw := independent(t)
	woken := 0
	take := func(of worker) Outcome {
		out, err := turnOf(t, tw, func(w *scene) runner.Result { woken++; return of(w) }).Take(t.Context())
		must(t, err)
		return out
	}
	take(func(w *scene) runner.Result {
		must(t, w.start())
		must(t, w.do((&work.Block{Who: w.who(), Task: w.task, Class: "C1", Reason: "no password", Needs: "the password"}).Decide))
		return exited(0, "")
	})
	if out := take(idle); out.Result != NoProgress || out.Record.Task != 2 {
		t.Fatalf("independent of the blocked one: %+v", out)
	}
	if out := take(idle); out.Result != StoppedNow || out.Stop.Condition != S4 || out.Blocked.Task != 1 {
		t.Fatalf("the second time: %+v", out)
	}
	before := tw.Tree()
	for range 5 {
		if out := take(idle); out.Result != PlanBlocked || out.Record != nil {
			t.Fatalf("again: %+v", out)
		}
	}
	if woken != 3 || !maps.Equal(before, tw.Tree()) {
		t.Errorf("agents were woken %d times, want 3, or something was written", woken)
	}
	must(t, (&scene{t: t, fsys: tw}).do((&work.Unblock{Who: (&scene{}).who(), Task: 1, Answer: "it is in the safe", By: "Ada"}).Decide))
	if out := take(idle); out.Result != StoppedNow || out.Blocked == nil || out.Blocked.Task != 2 || woken != 3 {
		t.Fatalf("the second stop is the blocker now: %+v", out)
	}
	must(t, (&scene{t: t, fsys: tw}).do((&work.Unblock{Who: (&scene{}).who(), Task: 2, Answer: "the file is there now", By: "Ada"}).Decide))
	if out := take(good); out.Result != Completed || out.Record.Task != 1 {
		t.Errorf("answered: %+v", out)
	}
	if out := take(good); out.Result != Completed || out.Record.Task != 2 {
		t.Errorf("then the other: %+v", out)
	}
	conformant(t, tw)
}

// TestStateLocked: under a state lock that stays no agent is woken, who could write nothing; it is told whose it is, and not a byte changes
// (C59). The lock of a dead owner is removed, and the turn goes on (GU-10).
func TestStateLocked(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	must(t, tw.Mkdir("state.json.lock", 0o755))
	before := tw.Tree()
	_, err := turnOf(t, tw, func(*scene) runner.Result { t.Error("an agent was woken"); return exited(0, "") }).Take(t.Context())
	if _, held := errors.AsType[*disk.LockedError](err); !held || !maps.Equal(before, tw.Tree()) {
		t.Errorf("%v, or something was written", err)
	}
	must(t, tw.Remove("state.json.lock"))
	_, err = disk.Acquire(t.Context(), tw, disk.Owner{Command: "dwp start"}, 0, crashtest.World(noon)) // in which every earlier process is dead
	must(t, err)
	out, err := turnOf(t, tw, good).Take(t.Context())
	if must(t, err); out.Result != Completed {
		t.Errorf("%+v", out)
	}
}

// TestReconfigured: whoever names the agents' programs is no agent inside a turn; the next turn would run what it wrote (UN-1, UN-6).
func TestReconfigured(t *testing.T) {
	for _, changes := range []bool{true, false} {
		tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
		dir := t.TempDir()
		name := filepath.Join(dir, agent.ConfigName)
		must(t, os.WriteFile(name, []byte(`{"version": 1}`), 0o600))
		turn := turnOf(t, tw, func(*scene) runner.Result {
			if changes {
				must(t, os.WriteFile(name, []byte(`{"version": 1, "notify": "send everything"}`), 0o600))
			}
			return exited(0, "")
		})
		turn.Path = filepath.Join(dir, "plans", plantest.Name)
		out, err := turn.Take(t.Context())
		if must(t, err); (out.Stop != nil && out.Stop.Rule == "turn/authority") != changes {
			t.Errorf("changed %v: %+v", changes, out)
		}
	}
}
