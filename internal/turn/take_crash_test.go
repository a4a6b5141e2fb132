package turn

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
)

// TestCrash cuts a turn off, agent and all, before each call that changes something, by a power cut or by kill -9. The turns after it bring
// the plan to its end: the turn that was cut off is told as lost, unless its end was written; no line of PROGRESS.md stands twice, no number
// is given twice, and the plan conforms (UN-2, PS-5, PS-19).
func TestCrash(t *testing.T) {
	t.Parallel()
	start := func() *disk.Twin {
		tw := ready(t, plantest.Spec{Tasks: 2, Done: 1})
		must(t, writeReview(tw))
		return tw
	}
	take := func(tw *disk.Twin) error {
		_, err := turnOf(t, tw, good).Take(t.Context())
		return err
	}
	cutOff(t, start, take, func(tw *disk.Twin, at string) {
		toTheEnd(t, tw, at)
		if s := snapshot(t, tw); s.State.Status != state.Completed {
			t.Fatalf("%s: it ends %s", at, s.State.Status)
		}
	})
}

// TestCrashOfAStop: the same of a turn that stops before an agent is woken: one blocker, one line.
func TestCrashOfAStop(t *testing.T) {
	t.Parallel()
	stopping := func(tw *disk.Twin) (Outcome, error) {
		turn := turnOf(t, tw, func(*scene) runner.Result { t.Error("an agent was woken"); return exited(0, "") })
		turn.parts.before = func(_ *plan.Snapshot, task int, _ []Record, _ Standing, _ []string) *Stop {
			return &Stop{Condition: S2, Rule: "turn/human-gate", Task: task, Reason: "a person decides", Needs: "a word"}
		}
		return turn.Take(t.Context())
	}
	start := func() *disk.Twin { return ready(t, plantest.Spec{Tasks: 1, Done: 0}) }
	take := func(tw *disk.Twin) error { _, err := stopping(tw); return err }
	cutOff(t, start, take, func(tw *disk.Twin, at string) {
		unlock(t, tw)
		out, err := stopping(tw)
		must(t, err)
		if out.Blocked == nil || out.Result != PlanBlocked && out.Result != StoppedNow {
			t.Fatalf("%s: %+v", at, out)
		}
		quiet(t, tw, func(tw *disk.Twin) error { return take(tw) }, at)
	})
}

// cutOff cuts a turn off at each call and has every folder judged that is found afterwards.
func cutOff(t *testing.T, start func() *disk.Twin, take func(*disk.Twin) error, judge func(tw *disk.Twin, at string)) {
	t.Helper()
	seen := crashtest.Seen{}
	steps := crashtest.Steps(t, start(), take)
	for _, call := range steps {
		run := start()
		run.CrashAt(call)
		take(run) // says that it was cut off, or had told all
		for i, tw := range crashtest.Remains(run, 1, call) {
			if seen.New(tw) {
				judge(tw, fmt.Sprintf("call %d, survival %d", call, i))
			}
		}
	}
	t.Logf("%d points, %d folders", len(steps), len(seen))
	if len(steps) < 20 {
		t.Errorf("only %d points", len(steps))
	}
}

// toTheEnd takes turns until the plan is complete, then asks once more.
func toTheEnd(t *testing.T, tw *disk.Twin, at string) {
	t.Helper()
	unlock(t, tw)
	for n := 0; ; n++ {
		out, err := turnOf(t, tw, good).Take(t.Context())
		if err != nil || out.Stop != nil || n == 6 {
			t.Fatalf("%s, turn %d after it: %+v, %v%s", at, n+1, out, err, why(err))
		}
		if out.Result == PlanDone {
			break
		}
	}
	quiet(t, tw, func(tw *disk.Twin) error { _, err := turnOf(t, tw, good).Take(t.Context()); return err }, at)
}

// quiet demands that the plan is sound, tells each turn once, has no turn open, and that asking again changes not a byte.
func quiet(t *testing.T, tw *disk.Twin, take func(*disk.Twin) error, at string) {
	t.Helper()
	before := tw.Tree()
	must(t, take(tw))
	if !maps.Equal(before, tw.Tree()) {
		t.Fatalf("%s: asked with nothing to do, something changed", at)
	}
	conformant(t, tw)
	list, err := Records(tw, 100)
	must(t, err)
	for i, r := range list {
		text := before["PROGRESS.md"]
		if got := strings.Count(text, " Turn "+fmt.Sprint(r.N)+"\n"); got != 1 {
			t.Fatalf("%s: PROGRESS.md tells turn %d %d times:\n%s", at, r.N, got, text)
		}
		if r.Result == Open || i > 0 && r.N <= list[i-1].N {
			t.Fatalf("%s: record %d: %s", at, r.N, r.Result)
		}
	}
}

// unlock does what a person does after a power cut: look at the lease and the lock, and clear those whose owner nobody knows (GU-10, C63).
func unlock(t *testing.T, tw *disk.Twin) {
	t.Helper()
	world := crashtest.World(noon)
	for _, folder := range []struct {
		inspect func(disk.FS, disk.System) (disk.Holding, error)
		clear   func(disk.FS, string, disk.System) (disk.Holder, error)
	}{{disk.InspectLease, disk.ClearLease}, {disk.Inspect, disk.Clear}} {
		h, err := folder.inspect(tw, world)
		must(t, err)
		if !h.Held || h.Stale() {
			continue
		}
		id := disk.UnknownOwner
		if len(h.Holders) > 0 {
			id = h.Holders[0].ID
		}
		_, err = folder.clear(tw, id, world)
		must(t, err)
	}
}

// TestCrashOfAViolation: the same of a turn that is judged to have gone too far: once its record has the stop, the plan is blocked for it, by
// whoever comes next; before that the turn is lost, and nobody has judged it.
func TestCrashOfAViolation(t *testing.T) {
	t.Parallel()
	start := func() *disk.Twin { return ready(t, plantest.Spec{Tasks: 2, Done: 0}) }
	take := func(tw *disk.Twin) error {
		turn := turnOf(t, tw, good)
		turn.parts.judge = func(e Evidence) Judgement {
			e.Changes = []Change{{"deploy/prod.yaml", git.Added}}
			return Judge(e)
		}
		_, err := turn.Take(t.Context())
		return err
	}
	stopped := 0
	cutOff(t, start, take, func(tw *disk.Twin, at string) {
		unlock(t, tw)
		list, err := Records(tw, 1)
		must(t, err)
		if len(list) == 0 || list[0].Stop == nil {
			return
		}
		stopped++
		again := func(tw *disk.Twin) error {
			out, err := turnOf(t, tw, func(*scene) runner.Result { t.Errorf("%s: an agent was woken", at); return exited(0, "") }).Take(t.Context())
			if err == nil && (out.Blocked == nil || !strings.HasPrefix(out.Blocked.Reason, "[S3] files changed")) {
				t.Errorf("%s: %+v, blocked %+v", at, out, out.Blocked)
			}
			return err
		}
		must(t, again(tw))
		quiet(t, tw, again, at)
	})
	if stopped < 5 {
		t.Errorf("only %d folders have a stop", stopped)
	}
}
