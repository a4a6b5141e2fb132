package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deepworkplan/dwp/internal/turntest"
)

// runSaid is what dwp run --json says, as far as the tests look at it.
type runSaid struct {
	End   string
	Turns []struct {
		Turn, Task int
		Result     string
	}
	Stop *struct{ Condition, Rule string }
}

// run takes turns until one end or another.
func (n *unwatched) run(args ...string) (code int, a runSaid) {
	n.t.Helper()
	code, stdout, stderr := n.dwp(append([]string{"run", turntest.Plan, "--json"}, args...)...)
	if err := json.Unmarshal([]byte(stdout), &a); err != nil {
		n.t.Fatalf("dwp run: code %d, %v: %s%s", code, err, stdout, stderr)
	}
	return code, a
}

// UN-2: a plan of eight tasks is worked from its approval to its receipt by one call, and each task has a turn of its own.
func TestRunToTheEnd(t *testing.T) {
	n := unwatchedOf(t, "good", false)
	code, a := n.run()
	var tasks []int
	for _, turn := range a.Turns {
		if turn.Result == "completed" {
			tasks = append(tasks, turn.Task)
		}
	}
	if code != ExitOK || a.End != "completed" || a.Stop != nil || !slices.Equal(tasks, []int{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("code %d: %+v", code, a)
	}
	n.sound(turntest.Tasks)
	n.alone()
	before := contents(t, n.top)
	if code, a := n.run(); code != ExitOK || a.End != "completed" {
		t.Errorf("of a complete plan: code %d, %+v", code, a)
	}
	if diff := cmp.Diff(before, contents(t, n.top)); diff != "" {
		t.Errorf("a run of a complete plan wrote (-before +after):\n%s", diff)
	}
}

// A budget that is reached is a named stop, and no error; the next run goes on. A stop condition is one that a person hears of by the code.
func TestRunStops(t *testing.T) {
	n := unwatchedOf(t, "outside@5", false)
	if code, a := n.run("--max-turns", "3"); code != ExitOK || a.End != "max-turns" || len(a.Turns) != 3 {
		t.Errorf("three turns: code %d, %+v", code, a)
	}
	n.sound(3)
	if code, a := n.run(); code != ExitBlocked || a.Stop == nil || a.Stop.Rule != "turn/surface" || len(a.Turns) != 2 {
		t.Errorf("an agent that leaves its surface: code %d, %+v", code, a)
	}
	n.sound(5)
}

// holdsTurn starts a turn whose agent hangs, and returns once the agent is at work. The function that it returns ends it.
func (n *unwatched) holdsTurn() (end func()) {
	n.t.Helper()
	// The agent says who it is through a pipe, so that nobody has to look again and again.
	pipe, pids := filepath.Join(n.t.TempDir(), "pipe"), n.pids
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		n.t.Fatal(err)
	}
	r, err := os.OpenFile(pipe, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		n.t.Fatal(err)
	}
	defer r.Close()
	n.pids = pipe
	cmd := n.process("turn", turntest.Plan)
	n.pids = pids
	if err := cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	end = func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	}
	r.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := r.Read(make([]byte, 16)); err != nil {
		end()
		n.t.Fatalf("the agent was not woken: %v", err)
	}
	return end
}

// UN-2, GU-10, C59: a plan has one turn at a time. Who comes second is told at once, and writes nothing; an interrupt ends the first, with
// its agent, and says so in its record.
func TestSecondTurnIsRefused(t *testing.T) {
	n := unwatchedOf(t, "hangs", false)
	end := n.holdsTurn()
	before := text(t, filepath.Join(n.folder(), "analysis_results", "turns", "1.json"))
	if code, stdout, stderr := n.dwp("turn", turntest.Plan); code != ExitLocked {
		t.Errorf("a second turn: code %d: %s%s", code, stdout, stderr)
	}
	if after := text(t, filepath.Join(n.folder(), "analysis_results", "turns", "1.json")); after != before {
		t.Errorf("the second turn wrote into the first one's record:\n%s", after)
	}
	if _, err := os.Stat(filepath.Join(n.folder(), "analysis_results", "turns", "2.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the second turn has a record: %v", err)
	}
	end()
	if got := n.records(); !slices.Equal(got, []string{"interrupted"}) {
		t.Errorf("the records say %q", got)
	}
	n.alone()
	n.configure("good")
	if a := n.turn(); a.Result != "completed" || a.Task != 1 {
		t.Errorf("after the interrupt: %v", a)
	}
}

// UN-2, C65, C95: an agent that outlived its turn writes nothing any more, whatever it calls.
func TestAgentOutlivesItsTurn(t *testing.T) {
	n := unwatchedOf(t, "good", false)
	if a := n.turn(); a.Result != "completed" {
		t.Fatal(a)
	}
	var record struct {
		ID string
		N  int
	}
	data := text(t, filepath.Join(n.folder(), "analysis_results", "turns", "1.json"))
	if err := json.Unmarshal([]byte(data), &record); err != nil || record.ID == "" {
		t.Fatalf("%v: %s", err, data)
	}
	before := contents(t, n.top)
	for _, call := range []string{"start PLAN 2", "checkpoint PLAN --task 2 --step late", "escalate PLAN --class C1 --question a --default b", "gate run PLAN 2 -- true"} {
		cmd := n.process(strings.Fields(strings.ReplaceAll(call, "PLAN", turntest.Plan))...)
		cmd.Env = append(cmd.Env, "DWP_TURN=1-"+record.ID, "DWP_PLAN="+n.folder())
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != ExitLocked || !strings.Contains(string(out), "guard/turn-over") {
			t.Errorf("dwp %s: code %d: %s", call, cmd.ProcessState.ExitCode(), out)
		}
	}
	if diff := cmp.Diff(before, contents(t, n.top)); diff != "" {
		t.Errorf("an agent of a turn that is over wrote (-before +after):\n%s", diff)
	}
}
