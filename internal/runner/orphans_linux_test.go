package runner

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// begin starts this binary as a child in a session of its own, with more in its environment, and waits until it says that it is ready.
func begin(t *testing.T, what string, args []string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(append(os.Environ(), "RUNNER_CHILD="+what), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("%s said %q, %v", what, line, err)
	}
	return cmd
}

// TestEndByEnv (C63, GU-10): all that a dead turn left running is ended, each in its own session, the stubborn by force; a process with
// another value, or with none, goes on, and so does the caller.
func TestEndByEnv(t *testing.T) {
	const name = "RUNNER_TEST_TURN"
	value := "7-" + strings.ToLower(filepath.Base(t.TempDir())) + "-" + time.Now().Format("150405.000000000")
	turn, plan := name+"="+value, "RUNNER_TEST_PLAN=/repo/PLAN_a"
	others := []*exec.Cmd{
		begin(t, "hang", nil, turn+"0", plan), begin(t, "hang", nil, name+"="+value[1:], plan), begin(t, "hang", nil, name+"=", "X"+turn+"=1", plan),
		begin(t, "hang", nil, "Y=x "+turn, name+"=z", plan), begin(t, "hang", nil, turn, plan+"b"), begin(t, "hang", nil, turn), begin(t, "hang", nil, plan),
	}
	for _, round := range []struct {
		grace time.Duration
		ends  map[string]string
	}{
		{time.Minute, map[string]string{"hang": "signal: terminated", "polite": ""}}, // nobody needs all of it, however busy the machine is
		{50 * time.Millisecond, map[string]string{"stubborn": "signal: killed"}},
	} {
		left := map[string]*exec.Cmd{}
		for what := range round.ends {
			left[what] = begin(t, what, nil, turn, plan)
		}
		if ended, err := endByEnv(round.grace, []string{turn, plan}); err != nil || ended != len(left) {
			t.Errorf("ended %d, %v; want %d", ended, err, len(left))
		}
		for what, want := range round.ends {
			got := ""
			if err := left[what].Wait(); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s ended with %q, want %q", what, got, want)
			}
		}
	}
	for i, cmd := range others {
		if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
			t.Errorf("another process, %d, is gone: %v", i, err)
		}
		if start, err := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/stat"); err != nil || strings.Contains(string(start), ") Z ") {
			t.Errorf("another process, %d, was ended: %s %v", i, start, err)
		}
	}
	if ended, err := EndByEnv(turn, plan); ended != 0 || err != nil {
		t.Errorf("again: %d, %v", ended, err)
	}
	for _, odd := range [][]string{nil, {"=x"}, {name + "="}, {name}, {turn, ""}} {
		if ended, err := EndByEnv(odd...); ended != 0 || err == nil {
			t.Errorf("%q: %d, %v", odd, ended, err)
		}
	}
}

// TestEndByEnvSparesItself: who was started with the entries itself, as was whoever started it, goes on, and so does the latter.
func TestEndByEnvSparesItself(t *testing.T) {
	mark := "RUNNER_TEST_TURN=8-" + strings.ToLower(filepath.Base(t.TempDir())) + "-" + time.Now().Format("150405.000000000")
	cmd := exec.Command(os.Args[0], "ends", mark)
	cmd.Env = append(os.Environ(), "RUNNER_CHILD=starts", mark)
	if out, err := cmd.Output(); err != nil || string(out) != "ended 0: <nil>\ngoes on\n" {
		t.Errorf("got %q, %v", out, err)
	}
}

// TestStartedTellsTheProcess: the number that is told is that of the process that runs.
func TestStartedTellsTheProcess(t *testing.T) {
	told := 0
	r := Run(t.Context(), Command{Args: []string{"/bin/sh", "-c", "echo $$"}, Now: time.Now, Started: func(pid int) { told = pid }})
	if got := strings.TrimSpace(string(r.Log)); r.End != Exited || told == 0 || got != strconv.Itoa(told) {
		t.Errorf("told %d, it is %s (%s)", told, got, r.End)
	}
	r = Run(t.Context(), Command{Args: []string{"/nowhere/at/all"}, Now: time.Now, Started: func(int) { t.Error("told of nothing") }})
	if r.End != NotStarted {
		t.Errorf("got %s", r.End)
	}
}

// TestWithParent (C63): when who runs a command is killed, the command is, too. The lock on a file that it holds is how its death is seen.
func TestWithParent(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	parent := begin(t, "runs", []string{name})
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		t.Fatal("the command holds no lock")
	}
	parent.Process.Kill()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil { // waits for its death
		t.Error(err)
	}
}

// TestWithParentOutlivesThreads: threads of this process come and go while a command runs; none of them takes it along.
func TestWithParentOutlivesThreads(t *testing.T) {
	var wg sync.WaitGroup
	r := Run(t.Context(), Command{Args: []string{"/bin/cat"}, Stdin: make([]byte, 1<<20), Now: time.Now, WithParent: true, Started: func(int) {
		for range 20 {
			wg.Go(func() { runtime.LockOSThread() }) // ended without unlocking, its thread ends
		}
		wg.Wait()
	}})
	if r.End != Exited || r.Code != 0 {
		t.Errorf("%s, %s", r.End, r.Reason)
	}
}
