package turn

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
	"github.com/deepworkplan/dwp/internal/work"
)

var noon = time.Date(2026, 9, 2, 12, 0, 0, 0, time.UTC)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v%s", err, why(err))
	}
}

// why lists the findings of a refusal.
func why(err error) string {
	text := ""
	if refused, ok := errors.AsType[*publish.Refused](err); ok {
		for _, f := range refused.Findings {
			text += "\n  " + f.Rule + ": " + f.Message
		}
	}
	return text
}

// ready is a plan that may be worked unattended, on a twin; edits, "file", "old", "new", change it first.
func ready(t testing.TB, spec plantest.Spec, edits ...[3]string) *disk.Twin {
	t.Helper()
	files := plantest.Plan(spec)
	optIn := [3]string{"README.md", "**Approval:** approved\n", "**Approval:** approved by Ada Byron on 2026-09-01\nUnattended: allowed by Ada Byron on 2026-09-01\n"}
	for _, e := range append([][3]string{optIn}, edits...) {
		f := files[e[0]]
		if !strings.Contains(string(f.Data), e[1]) {
			t.Fatalf("%s has no %q", e[0], e[1])
		}
		f.Data = []byte(strings.Replace(string(f.Data), e[1], e[2], 1))
	}
	tw, err := disk.TwinOf(files)
	must(t, err)
	return tw
}

func planIn(fsys disk.FS) publish.Plan {
	return publish.Plan{FS: fsys, Name: plantest.Name, Now: func() time.Time { return noon }, Owner: disk.Owner{Command: "dwp turn"}, InGit: true,
		System: crashtest.World(noon)}
}

// worker is an agent that works in this process: what it does to the plan through dwp's commands, and how it ends.
type worker func(w *scene) runner.Result

// scene is what an agent finds.
type scene struct {
	t      testing.TB
	fsys   disk.FS
	ctx    context.Context
	cmd    runner.Command
	task   int
	caller *publish.Caller
}

// do makes a change as an agent's own dwp command does.
func (w *scene) do(decide publish.Decide) error {
	p := planIn(w.fsys)
	p.Turn = w.caller
	_, err := publish.Revise(context.Background(), p, update.Terms{}, decide)
	return err
}

func (w *scene) start() error {
	return w.do((&work.Start{Who: w.who(), Task: w.task}).Decide)
}

func (w *scene) who() revise.Who { return revise.Who{Agent: "worker", Now: noon} }

func (w *scene) gate() error {
	gate, refusal := update.ParseGate("make test-shard|0|12 passed")
	if refusal != nil {
		return &publish.Refused{Refusal: *refusal}
	}
	p := planIn(w.fsys)
	p.Turn = w.caller
	_, err := publish.Apply(context.Background(), p, update.Change{Task: w.task, Gates: []update.Gate{gate}, Agent: "worker"})
	return err
}

func (w *scene) complete() error {
	return w.do((&work.Complete{Who: w.who(), Task: w.task, Worked: "bulk copy", Skills: "none", Docs: "none needed: nothing public changed",
		AllCriteria: true, Checklist: true, Product: work.Product{Asked: work.CommitNone}}).Decide)
}

// exited is an agent's run to its end.
func exited(code int, text string) runner.Result {
	return runner.Result{End: runner.Exited, Code: code, Started: noon, Duration: time.Second, Log: []byte(text)}
}

// good does its task.
func good(w *scene) runner.Result {
	for _, step := range []func() error{w.start, w.gate, w.complete} {
		if step() != nil {
			return exited(1, "cut off\n")
		}
	}
	return exited(0, "all done\n")
}

// idle does nothing.
func idle(*scene) runner.Result { return exited(0, "") }

// fakes are the parts that a test puts in place: an agent in this process, and time that stands. The rules are the real ones.
func fakes(t testing.TB, fsys disk.FS, agentOf worker) *parts {
	p := (&Turn{}).real()
	p.command = func(_ *agent.Adapter, c agent.Call) (runner.Command, error) {
		return runner.Command{Args: []string{"worker"}, Env: c.Set, Stdin: []byte(c.Prompt)}, nil
	}
	p.report = func(*agent.Adapter, []byte) agent.Report { return agent.Report{} }
	p.every = func(time.Duration) (<-chan time.Time, func()) { return nil, func() {} }
	p.orphans = func(string) (int, error) { return 0, nil }
	p.run = func(ctx context.Context, cmd runner.Command) runner.Result {
		w := &scene{t: t, fsys: fsys, ctx: ctx, cmd: cmd}
		for _, set := range cmd.Env {
			if mark, ok := strings.CutPrefix(set, "DWP_TURN="); ok {
				w.caller = &publish.Caller{}
				number, id, _ := strings.Cut(mark, "-")
				fmt.Sscan(number, &w.caller.Turn)
				w.caller.Lease = id
				if r, err := Records(fsys, 1); err == nil && len(r) == 1 {
					w.task, w.caller.Task = r[0].Task, r[0].Task
				}
			}
		}
		return agentOf(w)
	}
	return &p
}

func view(s *plan.Snapshot, task int) plan.TaskView {
	o := s.Overview()
	for _, t := range o.Tasks {
		if t.ID == task {
			return t
		}
	}
	return plan.TaskView{}
}

// turnOf is a turn on a twin.
func turnOf(t testing.TB, fsys disk.FS, agentOf worker) *Turn {
	return &Turn{Plan: planIn(fsys), Path: "/repo/.dwp/plans/" + plantest.Name, Dir: "/repo", Agent: &agent.Adapter{Name: "worker", Input: agent.Stdin},
		Dwp: "dwp", MaxTime: time.Hour, parts: fakes(t, fsys, agentOf)}
}

func snapshot(t testing.TB, fsys disk.FS) *plan.Snapshot {
	t.Helper()
	s, err := plan.Read(fsys, plantest.Name)
	must(t, err)
	return s
}

func conformant(t testing.TB, fsys disk.FS) {
	t.Helper()
	if r := verify.Plan(snapshot(t, fsys), verify.Options{Now: noon, InGit: true}); r.Verdict != verify.Conformant {
		t.Errorf("%s %+v", r.Verdict, r.Findings)
	}
}

func onlyRecord(t testing.TB, fsys disk.FS, n int) Record {
	t.Helper()
	list, err := Records(fsys, 100)
	must(t, err)
	for _, r := range list {
		if r.N == n {
			return r
		}
	}
	t.Fatalf("there is no record %d among %d", n, len(list))
	return Record{}
}

// TestTakeToTheEnd: turn after turn, one task each, to a completed and published plan; each has its record, its log and its line; and then
// not a byte changes, however often it is asked (UN-2, C03, C97).
func TestTakeToTheEnd(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := ready(t, plantest.Spec{Tasks: 3, Done: 0, Full: full})
		must(t, writeReview(tw))
		for n := 1; n <= 3; n++ {
			out, err := turnOf(t, tw, good).Take(t.Context())
			must(t, err)
			if out.Result != Completed || out.Record == nil || out.Record.N != n || out.Record.Task != n || len(out.Warnings) > 0 {
				t.Fatalf("turn %d: %+v", n, out)
			}
			r := onlyRecord(t, tw, n)
			if r.Result != Completed || r.Run == nil || r.Run.Log != fmt.Sprintf("analysis_results/turns/%d.log", n) || r.Run.LogSHA == "" {
				t.Errorf("record %+v", r)
			}
			if s := snapshot(t, tw); s.State.CompletedCount != n || !noted(s, n) {
				t.Errorf("turn %d: %d completed, noted %v", n, s.State.CompletedCount, noted(s, n))
			}
			if _, err := tw.Lstat(disk.LeaseDir); err == nil {
				t.Error("the lease is left")
			}
			conformant(t, tw)
		}
		before := tw.Tree()
		for range 3 {
			out, err := turnOf(t, tw, good).Take(t.Context())
			if must(t, err); out.Result != PlanDone || out.Record != nil {
				t.Errorf("%+v", out)
			}
		}
		if !maps.Equal(before, tw.Tree()) {
			t.Error("asked with nothing to do, something changed")
		}
	}
}

// writeReview puts down what a Final Review has to leave.
func writeReview(fsys disk.FS) error {
	return disk.WriteFile(fsys, "analysis_results/SECURITY_REVIEW.md", []byte("# Security review\n\nNo findings.\n\n## Documentation reconciliation\n\nAll current.\n"), disk.Options{})
}

// TestNotReady: a plan that is not ready is refused, and not a byte is written (UN-1, C103).
func TestNotReady(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 3, Done: 1})
	before := tw.Tree()
	turn := turnOf(t, tw, func(*scene) runner.Result { t.Error("an agent was woken"); return exited(0, "") })
	turn.parts.ready = func(*plan.Snapshot) error { return publish.RefuseBy(nil, "guard/in-turn", "not ready") }
	_, err := turn.Take(t.Context())
	if _, ok := errors.AsType[*publish.Refused](err); !ok {
		t.Errorf("%v", err)
	}
	if !maps.Equal(before, tw.Tree()) {
		t.Error("something was written")
	}
}

// TestBlockedPlan: what a person has to answer is said again, and nothing is written (C97); the blocker is in the answer.
func TestBlockedPlan(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	turn := turnOf(t, tw, func(w *scene) runner.Result {
		must(t, w.start())
		must(t, w.do((&work.Block{Who: w.who(), Task: w.task, Class: "S2", Reason: "no password", Needs: "the password"}).Decide))
		return exited(0, "")
	})
	out, err := turn.Take(t.Context())
	if must(t, err); out.Result != Blocked || out.Blocked == nil || out.Blocked.Needs != "the password" {
		t.Fatalf("%+v", out)
	}
	conformant(t, tw)
	if view(snapshot(t, tw), 2).Status == state.Blocked {
		t.Error("task 2 is blocked, too")
	}
}

// TestNothingCame: a turn that brought nothing has a record, and no line (UN-2).
func TestNothingCame(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	before := tw.Tree()
	out, err := turnOf(t, tw, idle).Take(t.Context())
	if must(t, err); out.Result != NoProgress || out.Record.Run == nil {
		t.Fatalf("%+v", out)
	}
	for name, text := range tw.Tree() {
		if was, there := before[name]; !strings.HasPrefix(name, Dir) && (!there || was != text) {
			t.Errorf("%s is not as before", name)
		}
	}
}

// TestInterrupted: a person ends the turn: the task has a checkpoint that says so, the record its end (PS-15).
func TestInterrupted(t *testing.T) {
	for _, step := range []string{"", "half of the shards"} {
		tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
		ctx, cancel := context.WithCancel(t.Context())
		out, err := turnOf(t, tw, func(w *scene) runner.Result {
			must(t, w.start())
			if step != "" {
				must(t, w.do((&work.Checkpoint{Who: w.who(), Task: w.task, Step: step}).Decide))
			}
			cancel()
			<-w.ctx.Done()
			return runner.Result{End: runner.Interrupted, Code: -1, Reason: "interrupted"}
		}).Take(ctx)
		must(t, err)
		c := snapshot(t, tw).State.Checkpoint
		if out.Result != Interrupted || onlyRecord(t, tw, 1).Result != Interrupted || c == nil || !strings.Contains(c.Step+c.Note, "interrupted in turn 1") {
			t.Errorf("%+v, checkpoint %+v", out, c)
		}
		if step != "" && c.Step != step {
			t.Errorf("the agent's own step is gone: %+v", c)
		}
		conformant(t, tw)
	}
}

// TestLeaseLost: the lease is looked at while the agent runs; who lost it ends the agent, with all that it started, and writes nothing more
// (UN-2, C65).
func TestLeaseLost(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	tick := make(chan time.Time)
	var left map[string]string
	lease := ""
	turn := turnOf(t, tw, func(w *scene) runner.Result {
		world := crashtest.World(noon)
		h, err := disk.InspectLease(tw, world)
		must(t, err)
		lease = h.Holders[0].ID
		must(t, tw.Remove(disk.LeaseDir+"/owner-"+lease+".json"))
		must(t, tw.Remove(disk.LeaseDir))
		left = tw.Tree()
		tick <- noon
		<-w.ctx.Done()
		if err := w.start(); err == nil {
			t.Error("an agent without the lease wrote")
		}
		return runner.Result{End: runner.Interrupted, Code: -1, Log: []byte("late")}
	})
	turn.parts.every = func(time.Duration) (<-chan time.Time, func()) { return tick, func() {} }
	var ended []string
	turn.parts.orphans = func(mark string) (int, error) { ended = append(ended, mark); return 0, nil }
	if _, err := turn.Take(t.Context()); !errors.Is(err, disk.ErrLockLost) {
		t.Errorf("%v", err)
	}
	if !slices.Equal(ended, []string{Mark(1, lease)}) {
		t.Errorf("what the agent left was not ended: %q", ended)
	}
	if !maps.Equal(left, tw.Tree()) {
		t.Error("something was written after the lease was lost")
	}
}

// TestLeaseLostAtTheEnd: who loses the lease when the turn is judged, before its line is written, says so, and not that it was refused (UN-2, C65).
func TestLeaseLostAtTheEnd(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 3, Done: 0})
	turn := turnOf(t, tw, good)
	turn.Tell = func(e Event) {
		if e.Kind == Judged {
			t.Error("a turn without a lease is judged")
		}
	}
	turn.Plan.FS = &losing{Twin: tw, at: Dir + "/1.json", lose: func() {
		h, err := disk.InspectLease(tw, crashtest.World(noon))
		must(t, err)
		must(t, tw.Remove(disk.LeaseDir+"/owner-"+h.Holders[0].ID+".json"))
	}}
	if _, err := turn.Take(t.Context()); !errors.Is(err, disk.ErrLockLost) {
		t.Errorf("%v", err)
	}
	if snapshot := snapshot(t, tw); noted(snapshot, 1) {
		t.Error("its line was written")
	}
}

// losing is a file system on which something is lost right after a file was written for the second time.
type losing struct {
	*disk.Twin
	at   string
	seen int
	lose func()
}

func (l *losing) Rename(from, to string) error {
	err := l.Twin.Rename(from, to)
	if to == l.at {
		if l.seen++; l.seen == 2 {
			l.lose()
		}
	}
	return err
}

// TestLeaseHeld: a plan that another turn holds is left alone (UN-2); and of two, one runs.
func TestLeaseHeld(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	alive := crashtest.World(noon)
	alive.Start = func(int) (string, bool) { return "1", true }
	_, err := turnOf(t, tw, func(w *scene) runner.Result {
		second := turnOf(t, tw, func(*scene) runner.Result { t.Error("two agents at once"); return exited(0, "") })
		second.Plan.System = alive
		_, err := second.Take(t.Context())
		if _, held := errors.AsType[*disk.LockedError](err); !held {
			t.Errorf("%v", err)
		}
		return good(w)
	}).Take(t.Context())
	must(t, err)
}

// TestNotStarted: an agent that can't be started is told as such, and the record says so, too.
func TestNotStarted(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	_, err := turnOf(t, tw, func(*scene) runner.Result {
		return runner.Result{End: runner.NotStarted, Code: -1, Reason: "no such program"}
	}).Take(t.Context())
	if not, ok := errors.AsType[*NotRun](err); !ok || not.Reason != "no such program" {
		t.Errorf("%v", err)
	}
	if r := onlyRecord(t, tw, 1); r.Run == nil || r.Run.End != string(runner.NotStarted) {
		t.Errorf("%+v", r)
	}
}

// TestEvents: who watches is told each step, in order.
func TestEvents(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	var kinds []EventKind
	turn := turnOf(t, tw, good)
	turn.Tell = func(e Event) { kinds = append(kinds, e.Kind) }
	_, err := turn.Take(t.Context())
	must(t, err)
	if want := []EventKind{Woke, Handed, Returned, Judged}; !slices.Equal(kinds, want) {
		t.Errorf("%v", kinds)
	}
}

// TestRehearse: a rehearsal writes nothing and wakes nobody. An agent that takes its prompt by a file is rehearsed, too: the file would be the
// turn's.
func TestRehearse(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 1})
	before := tw.Tree()
	byFile := turnOf(t, tw, idle)
	byFile.Agent.Input = agent.File
	byFile.parts.command = func(_ *agent.Adapter, c agent.Call) (runner.Command, error) {
		return runner.Command{Args: []string{"worker", c.PromptFile}}, nil
	}
	told, err := byFile.Rehearse(t.Context())
	if must(t, err); !strings.HasSuffix(told.Command.Args[1], plantest.Name+"/analysis_results/turns/1.prompt.md") {
		t.Errorf("%q", told.Command.Args)
	}
	r, err := turnOf(t, tw, func(*scene) runner.Result { t.Error("an agent was woken"); return exited(0, "") }).Rehearse(t.Context())
	if must(t, err); r.Task != 2 || r.Turn != 1 || !strings.Contains(r.Prompt, "complete "+plantest.Name+" 2") || r.Command.Args[0] != "worker" {
		t.Errorf("%+v", r)
	}
	if !maps.Equal(before, tw.Tree()) {
		t.Error("something was written")
	}
}

// TestRehearsePromptFile: an agent that reads its prompt from a file is told where the file would lie, and none is written (AG-1).
func TestRehearsePromptFile(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 1})
	before := tw.Tree()
	asked := turnOf(t, tw, func(*scene) runner.Result { t.Error("an agent was woken"); return exited(0, "") })
	asked.Agent.Program, asked.Agent.Input, asked.Agent.Args = "worker", agent.File, []string{"--task-file", "{prompt_file}"}
	asked.parts.command = (*agent.Adapter).Command
	r, err := asked.Rehearse(t.Context())
	if must(t, err); r.Command.Args[2] != asked.Path+"/analysis_results/turns/1.prompt.md" {
		t.Errorf("%q", r.Command.Args)
	}
	if !maps.Equal(before, tw.Tree()) {
		t.Error("something was written")
	}
}

// TestRehearseAtTheEnd: a plan that is complete has nothing to rehearse, though a dead turn left its lease (C97).
func TestRehearseAtTheEnd(t *testing.T) {
	tw := killed(t, plantest.Spec{Tasks: 1, Done: 0}, "", 0, func(w *scene) runner.Result {
		must(t, writeReview(w.fsys))
		return good(w)
	})
	r, err := turnOf(t, tw, good).Rehearse(t.Context())
	if must(t, err); r.Outcome.Result != PlanDone || r.Outcome.Stop != nil {
		t.Errorf("%+v", r.Outcome)
	}
}

// TestOddProgress: whatever form PROGRESS.md has, a turn is told in it once, and found there again (PD-10, C05).
func TestOddProgress(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"CRLF": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, "no end": func(s string) string { return strings.TrimRight(s, "\n") },
		"Thai": func(s string) string {
			return s + "## 2026-09-01 \u0e1a\u0e31\u0e19\u0e17\u0e36\u0e01\n\n- \u0e14\u0e35\n"
		}, "none": nil,
	} {
		tw := ready(t, plantest.Spec{Tasks: 3, Done: 1})
		if change == nil {
			must(t, disk.RemoveFile(tw, "PROGRESS.md"))
		} else {
			must(t, disk.WriteFile(tw, "PROGRESS.md", []byte(change(tw.Tree()["PROGRESS.md"])), disk.Options{}))
		}
		for range 2 {
			if _, err := turnOf(t, tw, good).Take(t.Context()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		text := tw.Tree()["PROGRESS.md"]
		for n := 1; n <= 2; n++ {
			if told := strings.Count(text, fmt.Sprintf(" Turn %d", n)); told != 1 {
				if change == nil && onlyRecord(t, tw, 1).Stop != nil && n == 2 {
					continue // without PROGRESS.md nobody can tell what was done: the first turn stops (C31)
				}
				t.Errorf("%s: turn %d is told %d times:\n%s", name, n, told, text)
			}
		}
	}
}
