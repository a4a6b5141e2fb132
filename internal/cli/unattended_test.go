package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/turntest"
)

// Unattended work from end to end, by processes alone: dwp turn and dwp run wake a scripted agent, which is a program of its own, edits a
// git repository, and calls dwp (package turntest).

// unwatched is a plan that is worked while nobody watches.
type unwatched struct {
	life
	pids  string // a file with the process numbers of the agents
	later time.Duration
}

// unwatchedOf makes the repository, the plan, and the configuration of an agent that behaves as told. A person has approved the plan, and
// allowed unattended work.
func unwatchedOf(t *testing.T, behaviour string, human bool) *unwatched {
	t.Helper()
	needPrograms(t, "git", "sh", "setsid")
	n := &unwatched{life: life{t: t, top: t.TempDir()}, pids: filepath.Join(t.TempDir(), "pids")}
	n.git("init", "-q")
	n.git("config", "user.name", "Ada")
	n.git("config", "user.email", "ada@example.org")
	writeTree(t, n.top, turntest.Files())
	n.write("outline.md", turntest.Outline(human))
	if human { // the widest authority that there is: it closes no human gate (UN-6)
		n.must("create", "full", "trust", "--from", "outline.md", "--by", "Ada", "--ignore")
	} else {
		n.must("create", "full", "--from", "outline.md", "--ignore")
		n.must("approve", "--by", "Ada", "--unattended", "--statement", "go on by yourself until it is done")
	}
	n.commit("feat: open the till")
	n.configure(behaviour)
	return n
}

func needPrograms(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s here", name)
		}
	}
}

// configure makes the agent behave otherwise from now on.
func (n *unwatched) configure(behaviour string) {
	n.t.Helper()
	config := fmt.Sprintf(`{"version": 1, "agent": "scripted", "agents": {"scripted": {
	"title": "Scripted", "program": %q, "args": [%q], "input": "stdin", "env": ["TURNTEST_*"]}}}`, turntest.Program, behaviour)
	n.write(".dwp/config.json", config)
}

// process is a process of dwp in the night's world.
func (n *unwatched) process(args ...string) *exec.Cmd {
	n.t.Helper()
	// Not the test binary under another name: the agent has to find the program by its path.
	exe, err := exec.LookPath("dwp")
	if err != nil {
		n.t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir = n.top
	cmd.WaitDelay = 10 * time.Second // whoever outlives the command and holds its pipes fails the test, instead of holding it, too
	cmd.Env = append(os.Environ(), turntest.PIDs+"="+n.pids, turntest.Clock+"="+n.later.String())
	return cmd
}

// dwp runs a command to its end.
func (n *unwatched) dwp(args ...string) (code int, stdout, stderr string) {
	n.t.Helper()
	var out, errs bytes.Buffer
	cmd := n.process(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); errors.Is(err, exec.ErrWaitDelay) || err != nil && cmd.ProcessState == nil {
		n.t.Fatalf("dwp %q: %v: %s%s", args, err, out.String(), errs.String())
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// must runs a command and demands success.
func (n *unwatched) must(args ...string) string {
	n.t.Helper()
	code, stdout, stderr := n.dwp(args...)
	if code != ExitOK {
		n.t.Fatalf("dwp %q: code %d: %s%s", args, code, stdout, stderr)
	}
	return stdout
}

func (n *unwatched) folder() string { return filepath.Join(n.top, ".dwp", "plans", turntest.Plan) }

// turnSaid is what dwp turn --json says, as far as the tests look at it.
type turnSaid struct {
	Result, Record string
	Turn, Task     int
	Stop           *struct {
		Condition, Rule, Reason, Needs string
		Task                           int
	}
	Findings []struct{ ID, Rule, Message string }
	Warnings []string
	Error    json.RawMessage

	code   int
	stderr string
}

func (a turnSaid) String() string {
	stop := "no stop"
	if s := a.Stop; s != nil {
		stop = fmt.Sprintf("%s %s of task %d: %s; needs: %s", s.Condition, s.Rule, s.Task, s.Reason, s.Needs)
	}
	return fmt.Sprintf("code %d, turn %d, task %d, %s, %s, findings %v, warnings %q, error %s%s", a.code, a.Turn, a.Task, a.Result, stop, a.Findings, a.Warnings, a.Error, a.stderr)
}

// turn takes one turn.
func (n *unwatched) turn(args ...string) (a turnSaid) {
	n.t.Helper()
	code, stdout, stderr := n.dwp(append([]string{"turn", turntest.Plan, "--json"}, args...)...)
	if err := json.Unmarshal([]byte(stdout), &a); err != nil {
		n.t.Fatalf("dwp turn: code %d, %v: %s%s", code, err, stdout, stderr)
	}
	a.code, a.stderr = code, stderr
	return a
}

// toldState is what state.json says of a plan.
type toldState struct {
	Status    string
	Completed int `json:"completed_count"`
	Blocked   *struct {
		Task          int
		Reason, Needs string
	}
	Tasks []struct {
		ID     int
		Status string
		Commit string
		Gates  []struct {
			Command  string
			Passes   *bool
			LastRun  time.Time `json:"last_run"`
			Evidence string
		}
	}
}

func (n *unwatched) state() (s toldState) {
	n.t.Helper()
	if err := json.Unmarshal([]byte(text(n.t, filepath.Join(n.folder(), "state.json"))), &s); err != nil {
		n.t.Fatal(err)
	}
	return s
}

// sound demands a plan that breaks no rule and has so many completed tasks, each that changed source with exactly one commit (WP-2).
func (n *unwatched) sound(done int) {
	n.t.Helper()
	if code, stdout, stderr := n.dwp("verify", turntest.Plan); code != ExitOK {
		n.t.Errorf("verify: code %d: %s%s", code, stdout, stderr)
	}
	s := n.state()
	if s.Completed != done {
		n.t.Errorf("%d tasks are completed, want %d", s.Completed, done)
	}
	for _, task := range s.Tasks {
		if task.Status != "completed" || task.ID == turntest.Tasks {
			continue
		}
		if commits := n.commitsOf(task.ID); len(commits) != 1 || !strings.HasPrefix(commits[0], task.Commit) {
			n.t.Errorf("task %d records the commit %q, git has %q", task.ID, task.Commit, commits)
		}
	}
	_, err := os.Stat(filepath.Join(n.folder(), "analysis_results", "FINALIZATION.json"))
	if published := err == nil; published != (done == turntest.Tasks) {
		n.t.Errorf("%d tasks are completed, receipt %v", done, published)
	}
}

// commitsOf are the commits that name a task.
func (n *unwatched) commitsOf(task int) []string {
	n.t.Helper()
	return strings.Fields(n.git("log", "--format=%H", "--fixed-strings", "--grep", fmt.Sprintf("Task %d of %s", task, turntest.Plan)))
}

// alone demands that no agent, and nothing that one started, is left: neither a process that is recorded, nor one that has a turn of this
// plan in its environment.
func (n *unwatched) alone() {
	n.t.Helper()
	data, err := os.ReadFile(n.pids)
	if err != nil && !os.IsNotExist(err) {
		n.t.Fatal(err)
	}
	for _, field := range strings.Fields(string(data)) {
		pid, err := strconv.Atoi(field)
		if err == nil && syscall.Kill(pid, 0) == nil && n.ours(pid) {
			n.t.Errorf("process %d is left", pid)
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		if pid, err := strconv.Atoi(strings.Split(path, "/")[2]); err == nil && n.ours(pid) {
			cmdline, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			n.t.Errorf("process %d is left: %q", pid, cmdline)
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// ours reports whether a process was started in a turn of this plan, so that no other is ever taken for one of them.
func (n *unwatched) ours(pid int) bool {
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && slices.Contains(strings.Split(string(environ), "\x00"), "DWP_PLAN="+n.folder())
}

// records are the turns that the plan recorded, in order, with their results.
func (n *unwatched) records() (results []string) {
	n.t.Helper()
	for i := 1; ; i++ {
		data, err := os.ReadFile(filepath.Join(n.folder(), "analysis_results", "turns", fmt.Sprintf("%d.json", i)))
		if os.IsNotExist(err) {
			return results
		}
		var record struct{ Result string }
		if err == nil {
			err = json.Unmarshal(data, &record)
		}
		if err != nil {
			n.t.Fatal(err)
		}
		results = append(results, record.Result)
	}
}
