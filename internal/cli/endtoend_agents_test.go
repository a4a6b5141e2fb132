package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// groupOutline is a plan of four tasks that may run at the same time.
func groupOutline() string {
	var b strings.Builder
	b.WriteString(strings.Replace(lifeOutline[:strings.Index(lifeOutline, "\n## Task 1")], "sequential - the box repeats what the lid says", "parallel - they share nothing", 1))
	b.WriteString("\n## Parallel Groups\n\n| Group | Tasks | Teammate | Owned files |\n|---|---|---|---|\n| A | 1, 2, 3, 4 | any | `1.txt`, `2.txt`, `3.txt`, `4.txt` |\n")
	for n := range 4 {
		b.WriteString(strings.NewReplacer("Task 1: Write the lid", fmt.Sprintf("Task %d: Write label %d", n+1, n+1), "lid.txt", fmt.Sprintf("%d.txt", n+1)).Replace(lifeTask1))
	}
	return b.String()
}

// worker is an agent that works tasks in one repository with others. A process that completes a task looks at the whole work tree, so
// that nobody may be between writing and committing then.
type worker struct {
	life
	name string
	tree *sync.RWMutex
}

// do runs one command in the worker's name, and reports what it says when it fails: t.Fatal is not for goroutines.
func (w worker) do(args ...string) bool {
	cmd := dwpProcess(w.t, slices.Concat(args, []string{"--agent", w.name, "--wait", "1m"})...)
	if i := slices.Index(args, "--"); i >= 0 {
		cmd = dwpProcess(w.t, slices.Concat(args[:i], []string{"--agent", w.name, "--wait", "1m"}, args[i:])...)
	}
	cmd.Dir = w.top
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Errorf("%s: dwp %q: %v: %s", w.name, args, err, out)
	}
	return err == nil
}

// work carries one task from start to end.
func (w worker) work(task int) bool {
	n, file := fmt.Sprint(task), fmt.Sprintf("%d.txt", task)
	if !w.do("start", n) || !w.do("checkpoint", "--task", n, "--step", "words chosen") {
		return false
	}
	w.label(n, file)
	if !w.do("gate", "run", n, "--", "test", "-s", file) {
		return false
	}
	w.tree.RLock()
	defer w.tree.RUnlock()
	return w.do("complete", n, "--worked", "label "+n+" by "+w.name, "--skills", "none", "--docs", "none needed", "--check-criteria", "all")
}

// label does the work itself, and commits it.
func (w worker) label(n, file string) {
	w.tree.Lock()
	defer w.tree.Unlock()
	w.write(file, "Handle with care\n")
	w.commit("feat(label): write it - Task " + n + " of " + lifePlan)
}

// GU-7, GU-10, C53, C93: two agents work the tasks of one parallel group of one plan at the same time. Both come to their end, no record
// of either is lost, and the Final Review begins when they are done and not before.
func TestTwoAgents(t *testing.T) {
	l := lifeOf(t, groupOutline())
	l.must("create", "full", "trust", "--from", "outline.md", "--by", "Ada", "--ignore")
	l.commit("chore: ignore plans")
	var tree sync.RWMutex
	var wg sync.WaitGroup
	for name, tasks := range map[string][]int{"one": {1, 3}, "two": {2, 4}} {
		wg.Go(func() {
			for _, task := range tasks {
				if !(worker{l, name, &tree}).work(task) {
					return
				}
				if code, _, stderr := l.dwp("start", "5"); task < 3 && (code != ExitNo || !strings.Contains(stderr, "order/too-early")) {
					t.Errorf("%s: the Final Review could begin after task %d: code %d: %s", name, task, code, stderr)
				}
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	l.agree("both agents", 4)
	l.agentsRecorded(t, map[int]string{1: "one", 2: "two", 3: "one", 4: "two"})
	l.must("start", "5", "--agent", "one")
	for n := range 4 {
		l.must("gate", "run", "5", "--agent", "one", "--", "test", "-s", fmt.Sprintf("%d.txt", n+1))
	}
	review[len(review)-1].before(l)
	l.must("complete", "5", "--worked", "all read well", "--skills", "none", "--docs", "all current", "--check-criteria", "all", "--commit", "none")
	l.agree("the Final Review", 5)
	entries := regexp.MustCompile(`(?m)^## 20.* Task (\d): `).FindAllStringSubmatch(text(t, filepath.Join(l.top, lifeDir, "PROGRESS.md")), -1)
	if last := entries[len(entries)-1][1]; last != "5" {
		t.Errorf("the last entry of PROGRESS.md is of task %s, want 5", last)
	}
}

// agentsRecorded demands that each task has its gate, its outcome and its agent.
func (l life) agentsRecorded(t *testing.T, want map[int]string) {
	t.Helper()
	var state struct {
		Tasks []struct {
			ID      int
			Gates   []struct{ Command string }
			Outcome struct{ Worked string }
		}
	}
	if err := json.Unmarshal([]byte(text(t, filepath.Join(l.top, lifeDir, "state.json"))), &state); err != nil {
		t.Fatal(err)
	}
	got := map[int]string{}
	for _, task := range state.Tasks {
		_, by, _ := strings.Cut(task.Outcome.Worked, " by ")
		if len(task.Gates) == 1 && task.Gates[0].Command == fmt.Sprintf("test -s %d.txt", task.ID) {
			got[task.ID] = by
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("who worked what (-want +got):\n%s", diff)
	}
}
