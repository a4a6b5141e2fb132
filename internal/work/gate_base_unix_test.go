//go:build unix

package work

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
)

// WP-4: what fails on the base for want of its environment, otherwise, or less, proves nothing.
func TestUnproven(t *testing.T) {
	one := 1
	line := func(counts string) string {
		if counts != "" {
			counts = "; " + counts
		}
		return "observed: exit 1 in 1s" + counts + "; log=analysis_results/gates/2-x.log sha256:" + strings.Repeat("a", 64)
	}
	counted := func(passed, failed int) runner.Counts {
		return runner.Counts{Known: true, Selected: passed + failed, Passed: passed, Failed: failed}
	}
	for _, tt := range []struct {
		name     string
		evidence string
		result   runner.Result
		why      string
		passed   bool
	}{
		{"the same", line(""), runner.Result{End: runner.Exited, Code: 1}, "", false},
		{"asserted", "3 failed in CI", runner.Result{End: runner.Exited, Code: 1, Counts: counted(1, 1)}, "", false},
		{"as many", line("3 tests: 1 passed, 2 failed, 0 skipped"), runner.Result{End: runner.Exited, Code: 1, Counts: counted(1, 2)}, "", false},
		{"more", line("3 tests: 1 passed, 2 failed, 0 skipped"), runner.Result{End: runner.Exited, Code: 1, Counts: counted(0, 3)}, "", false},
		{"less", line("3 tests: 1 passed, 2 failed, 0 skipped"), runner.Result{End: runner.Exited, Code: 1, Counts: counted(2, 1)}, "less fails", false},
		{"fewer packages", line("packages: 1 ok, 12 failed"), runner.Result{End: runner.Exited, Code: 1, Counts: runner.Counts{Known: true, Packages: 4, Broken: 9}}, "less fails", false},
		{"counted there only", line(""), runner.Result{End: runner.Exited, Code: 1, Counts: counted(2, 1)}, "counted there only", false},
		{"counted here only", line("3 tests: 1 passed, 2 failed, 0 skipped"), runner.Result{End: runner.Exited, Code: 1}, "counted here only", false},
		{"another code", line(""), runner.Result{End: runner.Exited, Code: 2}, "with exit 2, not 1", false},
		{"a pass", line(""), runner.Result{End: runner.Exited}, "this task's", true},
		{"no test", line(""), runner.Result{End: runner.Exited, Counts: runner.Counts{Known: true}}, "ran no test", false},
		{"no program in it", line(""), runner.Result{End: runner.Exited, Code: 127}, "environment is missing", false},
		{"not installed", line(""), runner.Result{End: runner.Exited, Code: 1, Log: []byte("Error: Cannot find module 'jest'\n")}, "cannot find module", false},
		{"as here", line(""), runner.Result{End: runner.Exited, Code: 1, Log: []byte("src/x.ts: is not installed, says the test\n")}, "", false},
		{"no program", line(""), runner.Result{End: runner.NotStarted, Code: -1, Reason: "no such file"}, "could not be started", false},
		{"killed", line(""), runner.Result{End: runner.Signalled, Code: 137, Reason: "killed"}, "did not come to its end", false},
		{"too long", line(""), runner.Result{End: runner.TimedOut, Code: 1, Reason: "stopped"}, "did not come to its end", false},
	} {
		tt.result.Started, tt.result.Duration = noon, time.Second
		why, passed := unproven(&GateRecord{Gate: state.Gate{ExitCode: &one, Evidence: tt.evidence}}, &ran{command: "make test", result: tt.result}, "src/x.ts: is not installed, says the test\n")
		if passed != tt.passed || (why == "") != (tt.why == "") || !strings.Contains(why, tt.why) {
			t.Errorf("%s: %q, %t", tt.name, why, passed)
		}
	}
}

// WP-4, WP-2: the proof is told in PROGRESS.md, and a later completion tells what was done all the same.
func TestBaseProofIsNoTelling(t *testing.T) {
	tw := inProgress(t, true)
	must(t, second(do(t, tw, onBase().Decide)))
	s := snapshot(t, tw)
	conformant(t, s)
	if gates := Gates(s, 2); len(gates) != 1 || gates[0].Base != "0123456789ab" || gates[0].Log != LogIntact || gates[0].Passes {
		t.Errorf("%+v", gates)
	}
	if text := string(s.Progress.Src); !strings.Contains(text, " Failure on the base\n") || tellings(s.Progress)[2] {
		t.Errorf("PROGRESS.md says\n%s", text)
	}
}

// history is a repository with the commits of a plan's tasks, newest last.
type history struct {
	t   *testing.T
	top string
	env []string
}

func newHistory(t *testing.T) *history {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	h := &history{t, top, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org"}}
	h.git("init", "-q", "-b", "main")
	return h
}

func (h *history) git(args ...string) string {
	h.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = h.top, h.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (h *history) commit(message string) string {
	h.git("commit", "-q", "--allow-empty", "-m", message)
	return h.git("rev-parse", "HEAD")
}

// WP-4: on the default branch itself the base is the commit before the first one of the task; the remote's default branch counts before that.
func TestBase(t *testing.T) {
	h := newHistory(t)
	s := snapshot(t, inProgress(t, false))
	h.commit("start")
	before := h.commit("feat: one - Task 1 of " + s.Name)
	h.commit("feat: two - Task 2 of " + s.Name)
	h.commit("chore: in between")
	head := h.commit("fix: two - Task 2 of " + s.Name)
	run := GateRun{Task: 2, Text: "make test", Repo: &git.Repo{Top: h.top, Env: h.env}}
	base := func(ref string) string {
		t.Helper()
		b, err := run.base(t.Context(), s, ref)
		if err != nil {
			rule, _ := refusedBy(err)
			return rule
		}
		return b.Name + " " + b.Commit
	}
	expect := func(ref, want string) {
		t.Helper()
		if got := base(ref); got != want {
			t.Errorf("base %q is %q, want %q", ref, got, want)
		}
	}
	expect("", "the commit before task 2 "+before)
	expect("HEAD~4", "HEAD~4 "+h.git("rev-parse", "HEAD~4"))
	expect("HEAD", "guard/no-base")
	expect("none", "guard/no-base")
	run.Task = 3
	expect("", "guard/no-base")
	must(t, os.WriteFile(filepath.Join(h.top, "new"), nil, 0o644))
	expect("", "HEAD "+head)
	h.git("update-ref", "refs/remotes/origin/main", "HEAD~1")
	h.git("checkout", "-q", "--detach")
	h.git("branch", "-D", "main")
	expect("", "origin/main "+h.git("rev-parse", "HEAD~1"))
	run.Text = "sh " + h.top + "/x"
	expect("", "guard/no-base")
	run.Repo = nil
	expect("", "guard/no-base")
}

// C91: interrupted, a run on the base says nothing; no copy of it is left, not even of folders that nobody may write in.
func TestRunOnBaseInterrupted(t *testing.T) {
	h := newHistory(t)
	h.commit("start")
	must(t, os.WriteFile(filepath.Join(h.top, "new"), nil, 0o644))
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	tw, p := gatePlan(t)
	run := shell(t, "mkdir -p a/b && chmod 500 a/b a && echo started && test -n \"$FAILS\" || sleep 600; exit 3")
	run.Command.Dir, run.Command.Env = h.top, append(h.env, "FAILS=1")
	run.Repo = &git.Repo{Top: h.top, Env: h.env}
	if done, err := RunGate(t.Context(), p, run); err != nil || done.Gate.Passes {
		t.Fatalf("%+v, %v", done, err)
	}
	before := tw.Tree()
	ctx, cancel := context.WithCancel(t.Context())
	run.Command.Env = h.env
	run.Command.Stdout = &meanwhile{cancel}
	if _, err := RunOnBase(ctx, p, run, ""); !errors.Is(err, ErrInterrupted) {
		t.Errorf("got %v", err)
	}
	if after := tw.Tree(); !maps.Equal(before, after) {
		t.Error("the plan changed")
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// UN-2: who lost the lease proves nothing any more; nothing is run or written.
func TestRunOnBaseTurnOver(t *testing.T) {
	h := newHistory(t)
	h.commit("start")
	must(t, os.WriteFile(filepath.Join(h.top, "new"), nil, 0o644))
	tw, p := gatePlan(t)
	run := shell(t, "exit 3")
	run.Command.Dir, run.Command.Env, run.Repo = h.top, h.env, &git.Repo{Top: h.top, Env: h.env}
	if done, err := RunGate(t.Context(), p, run); err != nil || done.Gate.Passes {
		t.Fatalf("%+v, %v", done, err)
	}
	before := tw.Tree()
	p.Turn = &publish.Caller{Turn: 1, Lease: "00000000000000aa", Task: run.Task}
	if _, err := RunOnBase(t.Context(), p, run, ""); !strings.Contains(fmt.Sprint(err), "turn 1 doesn't hold the lease") {
		t.Errorf("got %v", err)
	}
	if after := tw.Tree(); !maps.Equal(before, after) {
		t.Error("the plan changed")
	}
}
