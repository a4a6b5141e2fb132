package dcli

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/daemon"
	"github.com/deepworkplan/dwp/internal/daemontest"
	"github.com/deepworkplan/dwp/internal/turntest"
)

var shops = flag.Int("shops", 2, "how many repositories the fleet works with real turns; none in short mode")

// shop is a repository with an approved plan of eight tasks, and a scripted agent that works well.
type shop struct {
	t   *testing.T
	top string
}

// run runs a program in the shop and demands success.
func (s shop) run(name string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = s.top
	out, err := cmd.Output()
	if err != nil {
		exit, _ := errors.AsType[*exec.ExitError](err)
		s.t.Fatalf("%s %q: %v: %s%s", name, args, err, out, exit.Stderr)
	}
	return string(out)
}

func (s shop) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.top, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		s.t.Fatal(err)
	}
}

func (s shop) folder() string { return filepath.Join(s.top, ".dwp", "plans", turntest.Plan) }

// openShop makes one; the agent behaves as told.
func openShop(t *testing.T, top, behaviour string) shop {
	t.Helper()
	s := shop{t, top}
	if err := os.MkdirAll(top, 0o755); err != nil {
		t.Fatal(err)
	}
	s.run("git", "init", "-q")
	s.run("git", "config", "user.name", "Ada")
	s.run("git", "config", "user.email", "ada@example.org")
	for name, text := range turntest.Files() {
		s.write(name, text)
	}
	s.write("outline.md", turntest.Outline(false))
	s.run("dwp", "create", "full", "--from", "outline.md", "--ignore")
	s.run("dwp", "approve", "--by", "Ada", "--unattended", "--statement", "go on by yourself until it is done")
	s.run("git", "add", "-A")
	s.run("git", "commit", "-qm", "feat: open the till")
	s.write(".dwp/config.json", fmt.Sprintf(`{"version": 1, "agent": "scripted", "agents": {"scripted": {
	"title": "Scripted", "program": %q, "args": [%q], "input": "stdin", "env": ["TURNTEST_*"]}}}`, turntest.Program, behaviour))
	return s
}

// check proves that the plan was completed once: it is conformant, each task has one commit, and no two of its turns ran at one time.
func (s shop) check() (lost int) {
	s.t.Helper()
	s.run("dwp", "verify", turntest.Plan)
	for task := 1; task < turntest.Tasks; task++ {
		n := 0
		for line := range strings.Lines(s.run("git", "log", "--format=%s %b")) {
			if strings.Contains(line, fmt.Sprintf("task %d", task)) || strings.Contains(line, fmt.Sprintf("Task %d", task)) {
				n++
			}
		}
		if n != 1 {
			s.t.Errorf("%s: %d commits of task %d, want one:\n%s", s.top, n, task, s.run("git", "log", "--format=%s %b"))
		}
	}
	return s.checkTurns()
}

// checkTurns looks at the records of the turns, and returns how many were lost with their daemon.
func (s shop) checkTurns() (lost int) {
	s.t.Helper()
	type record struct {
		N              int
		Fence          int64
		Started, Ended time.Time
		Result         string
		Task           int
	}
	var last record
	done := map[int]int{}
	for n := 1; ; n++ {
		data, err := os.ReadFile(filepath.Join(s.folder(), "analysis_results", "turns", fmt.Sprintf("%d.json", n)))
		if errors.Is(err, os.ErrNotExist) {
			break
		}
		var r record
		if err := errors.Join(err, json.Unmarshal(data, &r)); err != nil {
			s.t.Fatal(err)
		}
		switch {
		case r.Fence <= last.Fence:
			s.t.Errorf("%s: turn %d has lease %d, and the one before it %d", s.top, n, r.Fence, last.Fence)
		case r.Started.Before(last.Started), last.Result != "lost" && r.Started.Before(last.Ended):
			s.t.Errorf("%s: turn %d began at %s, and the one before it ended at %s", s.top, n, r.Started, last.Ended)
		}
		switch r.Result {
		case "completed":
			done[r.Task]++
		case "lost":
			lost++
		case "open":
			s.t.Errorf("%s: turn %d has no end", s.top, n)
		}
		last = r
	}
	for task, times := range done {
		if times != 1 {
			s.t.Errorf("%s: task %d was completed by %d turns", s.top, task, times)
		}
	}
	if last.N == 0 {
		s.t.Errorf("%s: there is no record of a turn", s.top)
	}
	return lost
}

// UN-2, C61, C63, C95: the fleet with the real dwp turn and a scripted agent that edits a repository and calls dwp: a killed daemon takes turn and
// agent with it, another goes on from the files, and in the end each task was done once.
func TestFleetOfShops(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts some hundred processes")
	}
	needPrograms(t)
	f := &fleet{t: t, root: t.TempDir(), turn: "dwp", ttl: 8 * time.Second}
	size := 1
	if os.Getenv("DWP_TEST_DATABASE_URL") != "" {
		f.url, size = daemontest.Database(t), 3
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the daemons said:\n%s", f.log.String())
		}
	})
	store := f.open()
	all := make([]shop, *shops)
	for i := range all {
		name := fmt.Sprintf("shop%02d", i)
		all[i] = openShop(t, filepath.Join(f.root, name), "good")
		if _, err := store.Enqueue(t.Context(), daemon.Order{Path: name + "/.dwp/plans/" + turntest.Plan, MostTurns: 200}, false); err != nil {
			t.Fatal(err)
		}
	}
	kills := f.work(store, size, 4*time.Second)
	lost := 0
	for _, s := range all {
		lost += s.check()
	}
	t.Logf("%d shops, %d daemons, %d kills, %d turns lost", len(all), size, kills, lost)
}

func needPrograms(t *testing.T) {
	t.Helper()
	for _, name := range []string{"git", "sh", "setsid"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s here", name)
		}
	}
}

// A daemon that is asked to stop ends a turn that goes on for too long, and its agent; the turn leaves its record. One that is killed takes
// both with it, and the next turn finds the record open and goes on (C61).
func TestNothingOutlivesADaemon(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends the children of a process that was killed")
	}
	needPrograms(t)
	f := &fleet{t: t, root: t.TempDir(), turn: "dwp", ttl: 2 * time.Second}
	store := f.open()
	s := openShop(t, filepath.Join(f.root, "shop"), "hangs")
	if _, err := store.Enqueue(t.Context(), daemon.Order{Path: "shop/.dwp/plans/" + turntest.Plan, MostTurns: 200}, false); err != nil {
		t.Fatal(err)
	}
	m := f.start("--grace", "100ms")
	first := f.agent(1)
	if err := m.stop(); err != nil {
		t.Errorf("the daemon ended by %v:\n%s", err, f.log.String())
	}
	if alive(first) {
		t.Error("the agent outlived its daemon")
	}
	if got := s.result(1); got != "interrupted" {
		t.Errorf("turn 1 is recorded as %q, want interrupted", got)
	}
	m = f.start()
	second := f.agent(2)
	m.kill()
	if err := eventually(patience, func() bool { return !alive(second) }); err != nil {
		t.Errorf("the agent of a killed daemon runs on: %v", err)
	}
	m = f.start("--grace", "100ms")
	f.agent(3)
	if got := s.result(2); got != "lost" {
		t.Errorf("turn 2 is recorded as %q, want lost", got)
	}
	if err := m.stop(); err != nil {
		t.Error(err)
	}
}

// agent waits for the nth agent, and returns the number of its process.
func (f *fleet) agent(n int) (pid int) {
	f.t.Helper()
	err := eventually(patience, func() bool {
		data, _ := os.ReadFile(filepath.Join(f.root, "pids"))
		pids := strings.Fields(string(data))
		if len(pids) < n {
			return false
		}
		pid = number([]byte(pids[n-1]))
		return true
	})
	if err != nil {
		f.t.Fatalf("agent %d: %v:\n%s", n, err, f.log.String())
	}
	return pid
}

// result is how a turn is recorded to have ended.
func (s shop) result(n int) string {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.folder(), "analysis_results", "turns", fmt.Sprintf("%d.json", n)))
	var r struct{ Result string }
	if err := errors.Join(err, json.Unmarshal(data, &r)); err != nil {
		s.t.Fatal(err)
	}
	return r.Result
}
