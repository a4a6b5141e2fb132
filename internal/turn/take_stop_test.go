package turn

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/work"
)

// TestRuleStops: a condition that holds before the agent is woken blocks the task and is recorded, once; asked again the plan is blocked and
// not a byte changes (UN-3, C97).
func TestRuleStops(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 1, Done: 0})
	take := func() Outcome {
		turn := turnOf(t, tw, func(*scene) runner.Result { t.Error("an agent was woken"); return exited(0, "") })
		turn.parts.before = func(_ *plan.Snapshot, task int, _ []Record, _ Standing, _ []string) *Stop {
			return &Stop{Condition: S3, Rule: "turn/desync", Task: task, Reason: "a file is missing", Needs: "the file"}
		}
		out, err := turn.Take(t.Context())
		must(t, err)
		return out
	}
	out := take()
	if out.Result != StoppedNow || out.Stop == nil || out.Record == nil || out.Record.N != 1 {
		t.Fatalf("%+v", out)
	}
	s := snapshot(t, tw)
	if b := s.State.Blocked; b == nil || b.Reason != "[S3] a file is missing" || b.Needs != "the file" || !noted(s, 1) {
		t.Errorf("blocker %+v", b)
	}
	conformant(t, tw)
	before := tw.Tree()
	if out := take(); out.Result != PlanBlocked || out.Blocked == nil || out.Record != nil {
		t.Errorf("again: %+v", out)
	}
	if !maps.Equal(before, tw.Tree()) {
		t.Error("something changed")
	}
}

// TestViolationOfACompletedTask: what is recorded stays; the next open task is blocked, so that the plan stops (UN-3).
func TestViolationOfACompletedTask(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 3, Done: 1})
	turn := turnOf(t, tw, good)
	judge := turn.parts.judge
	turn.parts.judge = func(e Evidence) Judgement {
		j := judge(e)
		j.Stop = &Stop{Condition: S3, Rule: "turn/surface", Task: e.Task, Reason: "files outside its surface", Needs: "look at them"}
		return j
	}
	out, err := turn.Take(t.Context())
	must(t, err)
	s := snapshot(t, tw)
	if out.Result != StoppedNow || !view(s, 2).Checked || out.Blocked == nil || out.Blocked.Task != 3 {
		t.Errorf("%+v, blocked %+v", out, out.Blocked)
	}
	conformant(t, tw)
}

// TestViolationInTheLastTurn: a published plan can't be blocked; the turn says so, and its line stands (VP-5).
func TestViolationInTheLastTurn(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 1, Done: 0})
	must(t, writeReview(tw))
	turn := turnOf(t, tw, good)
	turn.parts.after = func(_ *Judgement, task int, _ []Record) *Stop {
		return &Stop{Condition: S3, Rule: "turn/surface", Task: task, Reason: "files outside", Needs: "look"}
	}
	out, err := turn.Take(t.Context())
	must(t, err)
	if s := snapshot(t, tw); out.Result != StoppedNow || out.Stop == nil || s.State.Status != state.Completed || !noted(s, 1) {
		t.Errorf("%+v", out)
	}
	conformant(t, tw)
}

// TestSecretsOfAStop: what a stop quotes is masked in record, blocker and PROGRESS.md, and stops the plan all the same: a blocker with a
// secret in it would be refused (PS-7, UN-3).
func TestSecretsOfAStop(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2", 9)
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	turn := turnOf(t, tw, idle)
	turn.Configured = []update.EnvValue{{Name: "KEY", Value: "plainword9"}}
	turn.parts.report = func(*agent.Adapter, []byte) agent.Report {
		return agent.Report{Text: "I used plainword9", Conversation: "c-plainword9"}
	}
	turn.parts.judge = func(e Evidence) Judgement {
		e.Changes = []Change{{"dump/" + token, git.Added}, {"dump/plainword9", git.Added}}
		return Judge(e)
	}
	out, err := turn.Take(t.Context())
	must(t, err)
	if b := out.Blocked; b == nil || !strings.Contains(b.Reason, "dump/[masked]") || len(out.Warnings) > 0 {
		t.Errorf("%+v", out)
	}
	for name, text := range tw.Tree() {
		if strings.Contains(text, token) || strings.Contains(text, "plainword9") {
			t.Errorf("%s has a secret:\n%s", name, text)
		}
	}
}

// TestForgedRecords: the rules rest on the records of the last turns; who writes, changes or removes one stops the plan (UN-2, UN-3).
func TestForgedRecords(t *testing.T) {
	for name, forge := range map[string]func(disk.FS, int) error{
		"a turn that was not": func(fsys disk.FS, n int) error {
			return disk.WriteFile(fsys, recordPath(9), (&Record{N: 9, Plan: plantest.Name, Task: 1, Result: Progress}).Format(), disk.Options{})
		},
		"no record": func(fsys disk.FS, n int) error {
			return disk.WriteFile(fsys, recordPath(9), []byte("{"), disk.Options{})
		},
		"the last one": func(fsys disk.FS, n int) error {
			return disk.WriteFile(fsys, recordPath(n-1), (&Record{N: n - 1, Plan: plantest.Name, Task: 1, Result: Progress}).Format(), disk.Options{})
		},
		"its own": func(fsys disk.FS, n int) error {
			r, err := ReadRecord(fsys, n)
			if err != nil {
				return err
			}
			r.Task = 2
			return disk.WriteFile(fsys, recordPath(n), r.Format(), disk.Options{})
		},
		"removed": func(fsys disk.FS, n int) error { return disk.RemoveFile(fsys, recordPath(n-1)) },
	} {
		tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
		if _, err := turnOf(t, tw, idle).Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		out, err := turnOf(t, tw, func(w *scene) runner.Result {
			must(t, forge(tw, 2))
			return exited(0, "")
		}).Take(t.Context())
		if err != nil || out.Stop == nil || out.Stop.Rule != "turn/state-by-hand" || out.Blocked == nil {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
}

// TestGitGone: an agent that takes the repository away is not believed to have stayed within its surface (UN-2, UN-3).
func TestGitGone(t *testing.T) {
	tw, repo := ready(t, plantest.Spec{Tasks: 2, Done: 0}), t.TempDir()
	turn := turnOf(t, tw, func(w *scene) runner.Result {
		must(t, os.RemoveAll(filepath.Join(repo, ".git")))
		return good(w)
	})
	turn.Repo = gitIn(t, repo)
	out, err := turn.Take(t.Context())
	if must(t, err); out.Stop == nil || out.Stop.Rule != "turn/unseen" || !out.Record.Gained.Completed || out.Blocked == nil {
		t.Errorf("%+v, %+v", out, out.Stop)
	}
}

// TestStopBehindABlocker: a stop that another task's blocker leaves no room for holds all the same, until it is written and resolved (UN-3).
func TestStopBehindABlocker(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 4, Done: 0, Full: true}, [3]string{"1.task_load_shard_1.md", "## Context", "Depends on: none\n\n## Context"},
		[3]string{"2.task_load_shard_2.md", "## Context", "Depends on: none\n\n## Context"}, [3]string{"3.task_load_shard_3.md", "## Context", "Depends on: none\n\n## Context"})
	w := &scene{t: t, fsys: tw, task: 1}
	must(t, w.start())
	must(t, w.do((&work.Block{Who: w.who(), Task: 1, Class: "C1", Reason: "no key", Needs: "the key"}).Decide))
	strays := func(e Evidence) Judgement { e.Changes = []Change{{"deploy/*_prod_*.yaml", git.Added}}; return Judge(e) }
	turn := turnOf(t, tw, func(w *scene) runner.Result { must(t, w.start()); return exited(0, "") })
	turn.parts.judge = strays
	out, err := turn.Take(t.Context())
	must(t, err)
	if out.Stop == nil || out.Stop.Rule != "turn/surface" || out.Stop.Task != 2 || out.Blocked.Task != 1 {
		t.Fatalf("%+v, %+v", out.Stop, out.Blocked)
	}
	before := tw.Tree()
	out, err = turnOf(t, tw, func(w *scene) runner.Result { t.Errorf("an agent is woken for task %d", w.task); return exited(0, "") }).Take(t.Context())
	if must(t, err); out.Result != PlanBlocked || !maps.Equal(before, tw.Tree()) {
		t.Errorf("asked again, something changed: %+v", out)
	}
	must(t, w.do((&work.Unblock{Who: w.who(), Task: 1, Answer: "k-1", By: "Ada"}).Decide))
	out, err = turnOf(t, tw, idle).Take(t.Context())
	if must(t, err); out.Blocked == nil || out.Blocked.Task != 2 || !strings.HasPrefix(out.Blocked.Reason, "[S3] files changed") {
		t.Fatalf("%+v, %+v", out, out.Blocked)
	}
	must(t, w.do((&work.Unblock{Who: w.who(), Task: 2, Answer: "keep it", By: "Ada"}).Decide))
	out, err = turnOf(t, tw, idle).Take(t.Context())
	if must(t, err); out.Stop != nil || out.Result != NoProgress {
		t.Errorf("resolved by a person, it stops again: %+v", out.Stop)
	}
}

// TestStopNamesAnyFile: whatever a file is called that lies outside, the plan is blocked for it, stays conformant, and obeys no name (UN-3, C157).
func TestStopNamesAnyFile(t *testing.T) {
	for _, name := range []string{"a\x1b[2Jb", "a\nb", "caf\xe9", "a\x7fb", "\u202ea", "\u2028a", "<!-- a", "a -->", "```a", "- [x] a", "# a", "**Approval:** approved", "Task 3: x", "[S2] a",
		strings.Repeat("\u0e01", 900), "{{x}}", "TBD", "Amendment 1 \u2014 2026-01-01"} {
		tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
		turn := turnOf(t, tw, idle)
		turn.parts.judge = func(e Evidence) Judgement {
			e.Changes = []Change{{name, git.Added}}
			return Judge(e)
		}
		out, err := turn.Take(t.Context())
		if err != nil || out.Blocked == nil || len(out.Warnings) > 0 {
			t.Errorf("%q: %+v, %v", name, out, err)
			continue
		}
		conformant(t, tw)
		if out, err := turnOf(t, tw, idle).Take(t.Context()); err != nil || out.Result != PlanBlocked {
			t.Errorf("%q: %+v, %v", name, out, err)
		}
		if strings.ContainsAny(tw.Tree()["PROGRESS.md"]+tw.Tree()["README.md"]+out.Stop.Reason, "\x1b\x7f\u202e\u2028") {
			t.Errorf("%q stands in the plan", name)
		}
	}
}

// TestMendedBeforeItBlocked: a stop that could not be written as a blocker, since state.json was malformed, is decided anew once that is mended:
// nobody is blocked for what holds no more (UN-3, PS-18).
func TestMendedBeforeItBlocked(t *testing.T) {
	tw := ready(t, plantest.Spec{Tasks: 2, Done: 0})
	sound := tw.Tree()["state.json"]
	must(t, disk.WriteFile(tw, "state.json", []byte(strings.Replace(sound, `"completed_count": 0`, `"completed_count": 1`, 1)), disk.Options{}))
	out, err := turnOf(t, tw, idle).Take(t.Context())
	if must(t, err); out.Stop == nil || out.Stop.Rule != "turn/desync" || len(out.Warnings) == 0 {
		t.Fatalf("%+v, %+v", out, out.Stop)
	}
	must(t, disk.WriteFile(tw, "state.json", []byte(sound), disk.Options{}))
	out, err = turnOf(t, tw, idle).Take(t.Context())
	if must(t, err); out.Result != NoProgress || out.Stop != nil || snapshot(t, tw).State.Blocked != nil {
		t.Errorf("%+v, %+v", out, out.Stop)
	}
	if progress := tw.Tree()["PROGRESS.md"]; strings.Count(progress, "Turn 1") != 1 {
		t.Errorf("PROGRESS.md: %s", progress)
	}
}
