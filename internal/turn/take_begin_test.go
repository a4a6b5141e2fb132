package turn

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
)

// killed is a plan whose turn was killed while its agent worked: lease, open record, and whatever the agent had done stand.
func killed(t *testing.T, spec plantest.Spec, queue string, fence int64, did worker) *disk.Twin {
	t.Helper()
	tw := ready(t, spec)
	var left *disk.Twin
	turn := turnOf(t, tw, func(w *scene) runner.Result {
		did(w)
		left = crashtest.Copy(t, tw)
		return exited(0, "")
	})
	turn.Queue, turn.Fence = queue, fence
	_, err := turn.Take(t.Context())
	must(t, err)
	return left
}

// TestTakenOver: the next turn finds the lease of a dead one, ends what that left running, records it as lost with its line, and goes on
// with the task where it stands (GU-10, UN-2).
func TestTakenOver(t *testing.T) {
	tw := killed(t, plantest.Spec{Tasks: 2, Done: 0}, "", 0, func(w *scene) runner.Result {
		must(t, w.start())
		must(t, w.gate())
		return exited(0, "")
	})
	before := onlyRecord(t, tw, 1)
	if before.Result != Open {
		t.Fatalf("%+v", before)
	}
	var marks []string
	turn := turnOf(t, tw, func(w *scene) runner.Result {
		if w.task != 1 {
			t.Errorf("task %d", w.task)
		}
		must(t, w.complete())
		return exited(0, "")
	})
	turn.parts.orphans = func(mark string) (int, error) { marks = append(marks, mark); return 2, nil }
	out, err := turn.Take(t.Context())
	must(t, err)
	if r := onlyRecord(t, tw, 1); r.Result != Lost || r.Ended.IsZero() || r.ID != before.ID {
		t.Errorf("%+v", r)
	}
	if len(marks) == 0 || marks[0] != Mark(1, before.ID) {
		t.Errorf("ended %q", marks)
	}
	if out.Result != Completed || out.Record.N != 2 || len(out.Mended) < 2 || !strings.Contains(strings.Join(out.Mended, "\n"), "2 processes that it left were ended") {
		t.Errorf("%+v", out)
	}
	s := snapshot(t, tw)
	if !noted(s, 1) || !noted(s, 2) {
		t.Errorf("%s", s.Progress.Src)
	}
	conformant(t, tw)
}

// TestFence: a later number of the same queue takes the plan from an earlier one, dead or not, and an earlier one doesn't from a later (UN-2).
func TestFence(t *testing.T) {
	alive := crashtest.World(noon)
	alive.Start = func(int) (string, bool) { return "1", true }
	for _, test := range []struct {
		queue string
		fence int64
		taken bool
	}{{"nights", 8, true}, {"nights", 7, false}, {"nights", 6, false}, {"others", 8, false}, {"", 0, false}} {
		tw := killed(t, plantest.Spec{Tasks: 2, Done: 0}, "nights", 7, idle)
		before := tw.Tree()
		turn := turnOf(t, tw, good)
		turn.Plan.System, turn.Queue, turn.Fence = alive, test.queue, test.fence
		out, err := turn.Take(t.Context())
		if _, held := errors.AsType[*disk.LockedError](err); held == test.taken {
			t.Errorf("%s:%d: %+v, %v", test.queue, test.fence, out, err)
		}
		if !test.taken && !maps.Equal(before, tw.Tree()) {
			t.Errorf("%s:%d: something was written", test.queue, test.fence)
		}
	}
}

// TestOvertaken: a number that the queue gave before that of a turn which has ended meanwhile takes the plan no more, and changes no byte; the
// same one again does, and so does who has none, or one of another queue (UN-2).
func TestOvertaken(t *testing.T) {
	for _, test := range []struct {
		queue string
		fence int64
		taken bool
	}{{"nights", 6, false}, {"nights", 1, false}, {"nights", 7, true}, {"nights", 8, true}, {"others", 6, true}, {"", 0, true}} {
		tw := ready(t, plantest.Spec{Tasks: 3, Done: 0})
		_, err := turnOf(t, tw, good).take("nights", 7)
		must(t, err)
		before := tw.Tree()
		out, err := turnOf(t, tw, good).take(test.queue, test.fence)
		refused, no := errors.AsType[*publish.Refused](err)
		if no == test.taken || no && refused.Rule != "guard/turn-over" || test.taken && (err != nil || out.Result != Completed) {
			t.Errorf("%s:%d: %+v, %v", test.queue, test.fence, out, err)
		}
		if !test.taken && !maps.Equal(before, tw.Tree()) {
			t.Errorf("%s:%d: something was written", test.queue, test.fence)
		}
	}
}

// TestLateEnd: a turn that finds its lease gone when its agent returns writes nothing of it: the plan is another's by then (UN-2, C65).
func TestLateEnd(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	var left map[string]string
	_, err := turnOf(t, tw, func(w *scene) runner.Result {
		later := turnOf(t, tw, good)
		later.Queue, later.Fence = "nights", 2
		_, err := later.Take(t.Context())
		must(t, err)
		left = tw.Tree()
		return exited(0, "late\n")
	}).take("nights", 1)
	if !errors.Is(err, disk.ErrLockLost) || !maps.Equal(left, tw.Tree()) {
		t.Errorf("%v", err)
	}
}

// take takes the turn of a queue.
func (t *Turn) take(queue string, fence int64) (Outcome, error) {
	t.Queue, t.Fence = queue, fence
	return t.Take(context.Background())
}

// TestMends: what follows from what is there is mended before the task is handed over; what doesn't is S3 (WP-1, PS-18).
func TestMends(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 3, Done: 1}, [3]string{"README.md", "1/3 completed", "0/3 completed"})
	out, err := turnOf(t, tw, good).Take(t.Context())
	must(t, err)
	if out.Result != Completed || len(out.Mended) != 1 {
		t.Errorf("%+v", out)
	}
	conformant(t, tw)

	tw = ready(t, plantest.Spec{Tasks: 3, Done: 1}, [3]string{"README.md", "- [x] Task 1", "- [ ] Task 1"})
	for range 2 {
		out, err = turnOf(t, tw, func(*scene) runner.Result { t.Error("an agent was woken"); return exited(0, "") }).Take(t.Context())
		must(t, err)
		if out.Stop == nil || out.Stop.Condition != S3 || out.Stop.Rule != "turn/desync" {
			t.Errorf("%+v", out)
		}
	}
	if list, err := Records(tw, 9); err != nil || len(list) != 1 {
		t.Errorf("%d records of one and the same stop, %v", len(list), err)
	}
	before := tw.Tree()
	if _, err := turnOf(t, tw, idle).Take(t.Context()); err != nil || !maps.Equal(before, tw.Tree()) {
		t.Errorf("asked again, something changed, %v", err)
	}
}

// TestPromptFile: an agent that takes its prompt from a file finds it in the plan's folder, and it stays as part of the record (AG-1).
func TestPromptFile(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	turn := turnOf(t, tw, good)
	turn.Agent.Input = agent.File
	given := ""
	turn.parts.command = func(_ *agent.Adapter, c agent.Call) (runner.Command, error) {
		given = c.PromptFile
		return runner.Command{Args: []string{"worker"}, Env: c.Set}, nil
	}
	_, err := turn.Take(t.Context())
	must(t, err)
	if given != turn.Path+"/analysis_results/turns/1.prompt.md" || !strings.HasPrefix(tw.Tree()["analysis_results/turns/1.prompt.md"], "# One turn") {
		t.Errorf("%q", given)
	}
}

// TestReport: what the agent printed on standard output is read for its own account, which the record keeps, and which changes no result
// (UN-2). The next turn of the task goes on with the conversation when it is asked to.
func TestReport(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	take := func(goOn bool) (Outcome, string) {
		resumed := ""
		turn := turnOf(t, tw, func(w *scene) runner.Result {
			w.cmd.Stdout.Write([]byte(`{"done": true}`))
			return exited(0, "all\n")
		})
		turn.Agent.Resume, turn.GoOn = []string{"--resume", "{resume}"}, goOn
		command := turn.parts.command
		turn.parts.command = func(a *agent.Adapter, c agent.Call) (runner.Command, error) { resumed = c.Resume; return command(a, c) }
		turn.parts.report = func(_ *agent.Adapter, out []byte) agent.Report {
			return agent.Report{Conversation: "c-1", Text: string(out), Cost: 1.5, HasCost: true}
		}
		out, err := turn.Take(t.Context())
		must(t, err)
		return out, resumed
	}
	out, resumed := take(true)
	if run := out.Record.Run; out.Result != NoProgress || run.Report.Text != `{"done": true}` || run.Report.Cost != 1.5 || resumed != "" {
		t.Errorf("%+v, %q", run, resumed)
	}
	if _, resumed := take(true); resumed != "c-1" {
		t.Errorf("resumed %q", resumed)
	}
}

// TestNumbers: a number that anything is left of is not given again.
func TestNumbers(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	must(t, disk.MkdirAll(tw, Dir))
	must(t, disk.WriteFile(tw, Dir+"/11.log", []byte("x"), disk.Options{}))
	out, err := turnOf(t, tw, good).Take(t.Context())
	if must(t, err); out.Record.N != 12 {
		t.Errorf("turn %d", out.Record.N)
	}
	// What an agent may have put there ends no plan: the number behind it would be none.
	must(t, disk.WriteFile(tw, Dir+"/9223372036854775807.log", []byte("x"), disk.Options{}))
	must(t, disk.WriteFile(tw, Dir+"/9223372036854775807.json", []byte("x"), disk.Options{}))
	out, err = turnOf(t, tw, good).Take(t.Context())
	if must(t, err); out.Record.N != 13 {
		t.Errorf("turn %d", out.Record.N)
	}
}

// TestEnvironment: the agent is told its turn and plan, and its output folder is the work tree (UN-2).
func TestEnvironment(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	_, err := turnOf(t, tw, func(w *scene) runner.Result {
		r := onlyRecord(t, tw, 1)
		for _, want := range []string{"DWP_TURN=" + Mark(1, r.ID), "DWP_PLAN=/repo/.dwp/plans/" + plantest.Name, "DWP_AGENT=worker"} {
			if !slices.Contains(w.cmd.Env, want) {
				t.Errorf("%q is not in %q", want, w.cmd.Env)
			}
		}
		if w.cmd.Dir != "/repo" || w.cmd.Timeout == 0 || !w.cmd.WithParent {
			t.Errorf("%+v", w.cmd)
		}
		if r.Result != Open || r.Before.StateSHA256 != snapshot(t, tw).Files[state.StateFile].SHA256() {
			t.Errorf("%+v", r)
		}
		return exited(0, "")
	}).Take(t.Context())
	must(t, err)
}

// TestCommitWithoutStart: an agent that commits and never calls start has begun its task all the same, for its turn is on record; a commit that
// no turn explains is asked about (C37).
func TestCommitWithoutStart(t *testing.T) {
	for task, want := range map[int]Result{1: Progress, 2: StoppedNow} {
		tw, repo := ready(t, plantest.Spec{Tasks: 3, Done: 0}), t.TempDir()
		work := gitIn(t, repo)
		commits := func(*scene) runner.Result {
			gitDo(t, repo, "commit", "-q", "--allow-empty", "-m", fmt.Sprintf("feat: x - Task %d of %s", task, plantest.Name))
			return exited(0, "")
		}
		for n := range 2 {
			turn := turnOf(t, tw, commits)
			turn.Repo = work
			out, err := turn.Take(t.Context())
			if must(t, err); n == 1 && out.Result != want {
				t.Errorf("a commit of task %d: %+v, %+v", task, out, out.Stop)
			}
		}
	}
}
