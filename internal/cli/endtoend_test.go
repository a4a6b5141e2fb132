package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whole lives of plans, by the program alone: Lite, Full, and promoted half-way (WP-2, PS-19, LF-1, VP-1). After each command the four
// places that tell how far the work is agree: README, PROGRESS, state.json, git.

const (
	lifePlan = "PLAN_label_lid_and_box"
	lifeDir  = ".dwp/plans/" + lifePlan
)

// lifeOutline has two tasks with a gate each; the Final Review is the third.
const lifeOutline = `# Label lid and box

Execution: sequential - the box repeats what the lid says

## Goal

Lid and box have the right label.

## Context

Both labels are files.
` + lifeTask1 + lifeTask2

const lifeTask1 = `
## Task 1: Write the lid

### Context

It has no label.

### Goal

The lid reads as ordered.

### Touched Surface

- Planned: ` + "`lid.txt`" + `
- Risk class: isolated

### Instructions

1. Write it.

### Acceptance Criteria

- [ ] The words are right

### Validation

` + "```sh\ntest -s lid.txt\n```\n"

const lifeTask2 = `
## Task 2: Write the box

### Context

It has no label.

### Goal

The box reads as ordered.

### Touched Surface

- Planned: ` + "`box.txt`" + `
- Risk class: isolated

### Instructions

1. Repeat the lid.

### Acceptance Criteria

- [ ] The words are right

### Validation

` + "```sh\ntest -s box.txt\n```\n"

// deed is one command of a plan's life, with what a person or agent does before it.
type deed struct {
	before func(life)
	args   []string // of dwp
	done   int      // how many tasks are completed afterwards
}

// life is a plan's repository.
type life struct {
	t   *testing.T
	top string
}

// lifeOf makes the repository, with an outline in it.
func lifeOf(t *testing.T, outline string) life {
	t.Helper()
	l := life{t, t.TempDir()}
	l.git("init", "-q")
	l.git("config", "user.name", "Ada")
	l.git("config", "user.email", "ada@example.org")
	l.write("outline.md", outline)
	return l
}

func (l life) git(args ...string) string {
	l.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = l.top
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		l.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (l life) write(name, text string) {
	l.t.Helper()
	if err := os.WriteFile(filepath.Join(l.top, name), []byte(text), 0o644); err != nil {
		l.t.Fatal(err)
	}
}

// commit commits everything that git does not ignore.
func (l life) commit(message string) {
	l.t.Helper()
	l.git("add", "-A")
	l.git("commit", "-q", "-m", message)
}

// dwp runs the program in a process of its own.
func (l life) dwp(args ...string) (code int, stdout, stderr string) {
	l.t.Helper()
	return made{top: l.top}.really(l.t, args...)
}

// must runs the program and demands success.
func (l life) must(args ...string) string {
	l.t.Helper()
	code, stdout, stderr := l.dwp(args...)
	if code != ExitOK {
		l.t.Fatalf("dwp %q: code %d: %s%s", args, code, stdout, stderr)
	}
	return stdout
}

// agree demands that everything that tells of the work says the same: so many tasks are completed, and the plan is sound.
func (l life) agree(after string, done int) {
	l.t.Helper()
	if code, stdout, stderr := l.dwp("verify", lifePlan); code != ExitOK {
		l.t.Fatalf("after %s: verify: code %d: %s%s", after, code, stdout, stderr)
	}
	var status struct {
		Plans []struct {
			Completed int `json:"completed_count"`
			Total     int `json:"task_count"`
			Tasks     []struct {
				Status  string
				Checked bool
			}
		}
	}
	if err := json.Unmarshal([]byte(l.must("status", lifePlan, "--json")), &status); err != nil {
		l.t.Fatal(err)
	}
	p := status.Plans[0]
	if p.Completed != done {
		l.t.Fatalf("after %s: status says %d completed, want %d", after, p.Completed, done)
	}
	for i, task := range p.Tasks {
		if completed := task.Status == "completed"; completed != (i < done) || task.Checked != completed {
			l.t.Fatalf("after %s: task %d is %s, checked %v", after, i+1, task.Status, task.Checked)
		}
	}
	l.recordsAgree(after, done, p.Total)
}

// recordsAgree compares the files and git with how many tasks are completed.
func (l life) recordsAgree(after string, done, total int) {
	l.t.Helper()
	progress, readme := text(l.t, filepath.Join(l.top, lifeDir, "PROGRESS.md")), text(l.t, filepath.Join(l.top, lifeDir, "README.md"))
	if want := fmt.Sprintf("%d/%d completed", done, total); !strings.Contains(readme, want) {
		l.t.Fatalf("after %s: the README does not say %s", after, want)
	}
	var state struct {
		Status string
		Tasks  []struct {
			Commit string
			Gates  []json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(text(l.t, filepath.Join(l.top, lifeDir, "state.json"))), &state); err != nil {
		l.t.Fatal(err)
	}
	for i, task := range state.Tasks {
		entries := regexp.MustCompile(fmt.Sprintf(`(?m)^## 20.* Task %d: `, i+1)).FindAllString(progress, -1)
		if completed := i < done; len(entries) != map[bool]int{true: 1}[completed] || completed && len(task.Gates) == 0 {
			l.t.Fatalf("after %s: task %d, completed %v, has %d gates and the entries %q", after, i+1, completed, len(task.Gates), entries)
		}
		if i < done && i+1 < total { // the Final Review changes no source
			if commit := l.git("log", "--format=%H", "--fixed-strings", "--grep", fmt.Sprintf("Task %d of %s", i+1, lifePlan)); !strings.HasPrefix(commit, task.Commit) || task.Commit == "" {
				l.t.Fatalf("after %s: task %d records the commit %q, git has %q", after, i+1, task.Commit, commit)
			}
		}
	}
	_, err := os.Stat(filepath.Join(l.top, lifeDir, "analysis_results", "FINALIZATION.json"))
	if published := err == nil; published != (done == total) || published != (state.Status == "completed") {
		l.t.Fatalf("after %s: receipt %v, %d of %d completed, status %s", after, published, done, total, state.Status)
	}
}

// workOn is one task from its start to its end.
func workOn(task int, file string) []deed {
	n := fmt.Sprint(task)
	return []deed{
		{args: []string{"start", "--agent", "mill"}, done: task - 1},
		{args: []string{"checkpoint", "--step", "words chosen"}, done: task - 1},
		{
			before: func(l life) { l.write(file, "Handle with care\n") },
			args:   []string{"gate", "run", "--agent", "mill", "--", "test", "-s", file}, done: task - 1,
		},
		{
			before: func(l life) { l.commit("feat(" + file + "): write it - Task " + n + " of " + lifePlan) },
			args:   []string{"complete", n, "--worked", "one word less", "--skills", "none", "--docs", "none needed", "--check-criteria", "all", "--agent", "mill"},
			done:   task,
		},
	}
}

// review is the Final Review.
var review = []deed{
	{args: []string{"start"}, done: 2},
	{args: []string{"gate", "run", "--", "test", "-s", "lid.txt"}, done: 2},
	{args: []string{"gate", "run", "--", "test", "-s", "box.txt"}, done: 2},
	{
		before: func(l life) {
			l.write(lifeDir+"/analysis_results/SECURITY_REVIEW.md", "# Security review\n\nNo findings.\n\n## Documentation reconciliation\n\nAll current.\n")
		},
		args: []string{"complete", "3", "--worked", "both read well", "--skills", "none", "--docs", "all current", "--check-criteria", "all", "--commit", "none"},
		done: 3,
	},
}

// begun is the beginning of a plan's life in a format.
func begun(format string) []deed {
	return []deed{
		{args: []string{"create", format, "--from", "outline.md", "--ignore"}},
		{before: func(l life) { l.commit("chore: ignore plans") }, args: []string{"approve", "--by", "Ada"}},
	}
}

// lives are the three ways.
var lives = map[string][]deed{
	"lite":     slices.Concat(begun("lite"), workOn(1, "lid.txt"), workOn(2, "box.txt"), review),
	"full":     slices.Concat(begun("full"), workOn(1, "lid.txt"), workOn(2, "box.txt"), review),
	"promoted": slices.Concat(begun("lite"), workOn(1, "lid.txt"), []deed{{args: []string{"promote"}, done: 1}}, workOn(2, "box.txt"), review),
}

// WP-2, PS-19, VP-1: from the outline to the receipt, each way.
func TestWholeLives(t *testing.T) {
	for name, deeds := range lives {
		t.Run(name, func(t *testing.T) {
			l := lifeOf(t, lifeOutline)
			for _, d := range deeds {
				if d.before != nil {
					d.before(l)
				}
				l.must(d.args...)
				l.agree(d.args[0], d.done)
			}
			tasks, err := filepath.Glob(filepath.Join(l.top, lifeDir, "[0-9].*.md"))
			if want := map[string]int{"full": 3, "promoted": 3}[name]; err != nil || len(tasks) != want {
				t.Errorf("%d files of tasks, want %d: %v", len(tasks), want, err)
			}
			if got := l.must("verify", "--strict", "--quiet"); !strings.Contains(got, "CONFORMANT  (0 must") {
				t.Errorf("in the end verify says %s", got)
			}
			subjects := strings.Split(l.git("log", "--reverse", "--format=%s"), "\n")
			want := []string{"chore: ignore plans", "feat(lid.txt): write it - Task 1 of " + lifePlan, "feat(box.txt): write it - Task 2 of " + lifePlan}
			if diff := cmp.Diff(want, subjects); diff != "" {
				t.Errorf("git log (-want +got):\n%s", diff)
			}
		})
	}
}
