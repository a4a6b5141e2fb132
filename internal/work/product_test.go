package work

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/git"
)

// TestTasksNamed: a commit names its tasks, and no longer word, number or name; one that takes another back names none (WP-2).
func TestTasksNamed(t *testing.T) {
	for message, want := range map[string][]int{
		"feat(x): y - Task 2 of PLAN_a": {2}, "y\n\nTask 12\nof plan_a. Task 2 of PLAN_a, task 12 of PLAN_a": {12, 2},
		"Task 2 of PLAN_ab; task 02 of PLAN_a; Task -1 of PLAN_a; Task of PLAN_a; Task 99999999999999999999 of PLAN_a": nil,
		"Task Task 3 of PLAN_a": {3}, "Task 4 of PLAN_a_b": nil, "": nil, "Task 2": nil, "Task 2 of PLAN_a_b, Task 2 of PLAN_a": {2},
		"Subtask 2 of PLAN_a": nil, "non-task 2 of PLAN_a": nil, "(task 2 of PLAN_a)": {2}, "Task 5 of PLAN_a": {5},
		"Revert \"feat: y - Task 2 of PLAN_a\"\n\nThis reverts commit 0123456.": nil, "Reapply \"feat: y - Task 2 of PLAN_a\"": {2},
	} {
		if got := TasksNamed(message, "PLAN_a"); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", message, got, want)
		}
	}
	if !NamesTask("Task 2 of PLAN_a", "PLAN_a", 2) || NamesTask("Task 12 of PLAN_a", "PLAN_a", 2) {
		t.Error("NamesTask says otherwise")
	}
}

// TestExcept: a plan is no part of the work, wherever it lies (PD-1).
func TestExcept(t *testing.T) {
	p := Product{Dirty: []string{"a.go", "plans/PLAN_a/README.md", "plans/PLAN_ab/README.md", "plans/", "other/"}}
	p.Except("plans/PLAN_a")
	if got := strings.Join(p.Dirty, " "); got != "a.go plans/PLAN_ab/README.md other/" {
		t.Errorf("got %q", got)
	}
}

// TestInspect: what git says of the work (WP-2, WP-5). An agent that shares the tree may have committed on top; a leak is told by place
// and kind; a name that git doesn't know is unknown.
func TestInspect(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	top := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org"}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = top, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(name, text, message string) string {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o644))
		run("add", "-A")
		run("commit", "-q", "-m", message)
		return run("rev-parse", "HEAD")
	}
	run("init", "-q")
	commit("a.go", "package a\n", "start")
	leaky := commit("b.go", "package a\n\nconst k = \"ghp_"+strings.Repeat("aB3d", 9)+"\"\n", "feat: b - Task 1 of PLAN_a")
	mine := commit("c.go", "package a\n", "feat: c - Task 2 of PLAN_a")
	commit("d.go", "package a\n", "feat: d - Task 3 of PLAN_a")
	must(t, os.WriteFile(filepath.Join(top, "e.go"), []byte("package a\n"), 0o644))
	repo := git.Repo{Top: top, Env: env}
	for _, test := range []struct {
		asked  string
		task   int
		commit string
		known  bool
		dirty  int
		leaks  int
	}{
		{CommitAuto, 2, mine, true, 1, 0}, {CommitAuto, 1, leaky, true, 1, 1}, {CommitAuto, 9, "", false, 1, 0},
		{CommitNone, 2, "", false, 1, 0}, {strings.ToUpper(mine[:10]), 2, mine[:10], true, 0, 0}, {"0123456789", 2, "0123456789", false, 0, 0},
		{leaky, 2, leaky, true, 0, 1},
	} {
		p, err := Inspect(t.Context(), repo, test.asked, "PLAN_a", test.task)
		if err != nil || p.Commit != test.commit || p.Known != test.known || len(p.Dirty) != test.dirty || len(p.Leaks) != test.leaks {
			t.Errorf("%s, task %d: %+v, %v", test.asked, test.task, p, err)
		}
		if len(p.Leaks) > 0 && (p.Leaks[0].File != "b.go" || p.Leaks[0].Line != 3) {
			t.Errorf("leak at %+v", p.Leaks[0])
		}
	}
}
