package work

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/git"
)

// TestNamesTask: a commit names its task, and no longer number or name (WP-2).
func TestNamesTask(t *testing.T) {
	for message, want := range map[string]bool{
		"feat(x): y - Task 2 of PLAN_a": true, "feat: y\n\nTask 2\nof plan_a.": true,
		"Task 2 of PLAN_ab": false, "Task 12 of PLAN_a": false, "Task 2": false, "Task 2 of PLAN_a_b, Task 2 of PLAN_a": true,
	} {
		if got := NamesTask(message, "PLAN_a", 2); got != want {
			t.Errorf("%q: %v", message, got)
		}
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
