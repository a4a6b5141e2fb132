package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/turntest"
)

// The ordinary run kills a few turns; the large one is:
//
//	go test ./internal/cli -run TestKilledTurns -turnkills 200 -v -timeout 30m
var (
	turnKills = flag.Int("turnkills", 16, "turns that are killed")
	turnSeed  = flag.Uint64("turnseed", 6, "which instants they are killed at")
)

// victim is who is killed.
type victim int

const (
	runnerOnly victim = iota
	agentOnly
	runnerAndAgent
)

// UN-2, GU-10, C63, C95: turns are killed at random instants, the runner, the agent, or both. Then the plan comes to its end: no task is
// done twice, no record of a gate is lost, and nothing is left running.
func TestKilledTurns(t *testing.T) {
	random := rand.New(rand.NewPCG(*turnSeed, 1))
	k := &killer{random: random, usual: usualTurn(t), ends: map[string]int{}}
	for k.kills < *turnKills {
		k.plan(t)
	}
	t.Logf("seed %d: %d turns killed within %v, in %d plans, with %d turns beside, leaving %d temporary files: %v", *turnSeed, k.kills, k.usual, k.plans, k.others, k.strays, k.ends)
}

// usualTurn is how long a turn takes here.
func usualTurn(t *testing.T) time.Duration {
	t.Helper()
	n := unwatchedOf(t, "good", false)
	begin := time.Now()
	if a := n.turn(); a.Result != "completed" {
		t.Fatal(a)
	}
	return time.Since(begin)
}

type killer struct {
	random               *rand.Rand
	usual                time.Duration
	kills, plans, others int
	strays               int            // temporary files that were left
	ends                 map[string]int // how the turns that were killed ended, by what was killed
}

// plan brings one plan to its end; at most 25 of its turns are killed, or as many as are left.
func (k *killer) plan(t *testing.T) {
	t.Helper()
	n := unwatchedOf(t, "good", false)
	k.plans++
	killed, undisturbed := 0, 0
	for n.state().Completed < turntest.Tasks {
		before := n.evidence()
		if killed < 25 && k.kills < *turnKills {
			k.ends[k.kill(n)]++
			killed++
			k.kills++
		} else {
			n.goesOn()
			undisturbed++
		}
		n.nothingLost(before)
		if t.Failed() || undisturbed > 3*turntest.Tasks {
			turns := n.records()
			log, _ := os.ReadFile(filepath.Join(n.folder(), "analysis_results", "turns", fmt.Sprintf("%d.log", len(turns))))
			t.Fatalf("seed %d, plan %d, after %d kills and %d turns: %v; the last agent said: %s", *turnSeed, k.plans, killed, undisturbed, turns, log)
		}
	}
	n.goesOn() // it mends what the last kill left, and is the last
	k.others += undisturbed + 1
	n.sound(turntest.Tasks)
	n.alone()
	k.strays += n.tidy()
}

// tidy demands that no lock, lease or unfinished operation is left. Temporary files of killed writers may be, which verify names; it counts
// them.
func (n *unwatched) tidy() (strays int) {
	n.t.Helper()
	for _, name := range []string{disk.LockDir, disk.LeaseDir, state.OperationMark, state.FinalizeMark} {
		if _, err := os.Lstat(filepath.Join(n.folder(), name)); !errors.Is(err, fs.ErrNotExist) {
			n.t.Errorf("%s is left: %v", name, err)
		}
	}
	for name := range contents(n.t, n.folder()) {
		if strings.Contains(name, ".tmp-") {
			strays++
		}
	}
	if said := n.must("verify", turntest.Plan, "--verbose"); strays > 0 && !strings.Contains(said, "layout/temp-file") {
		n.t.Errorf("verify, with %d temporary files: %s", strays, said)
	}
	return strays
}

// kill takes a turn, and kills it at a random instant. It says what was killed, and how the turn ended.
func (k *killer) kill(n *unwatched) string {
	n.t.Helper()
	who := victim(k.random.IntN(3))
	if err := os.Remove(n.pids); err != nil && !os.IsNotExist(err) {
		n.t.Fatal(err)
	}
	cmd := n.process("turn", turntest.Plan)
	out, err := os.Create(filepath.Join(n.t.TempDir(), "output")) // a pipe would be held open by whoever outlives the runner
	if err != nil {
		n.t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	name := map[victim]string{runnerOnly: "runner", agentOnly: "agent", runnerAndAgent: "both"}[who]
	timer := time.AfterFunc(time.Duration(k.random.Int64N(int64(k.usual))), func() {
		if who != runnerOnly {
			n.killAgent()
		}
		if who != agentOnly {
			cmd.Process.Kill()
		}
	})
	cmd.Wait()
	timer.Stop()
	code := cmd.ProcessState.ExitCode()
	switch code {
	case -1, ExitOK, ExitNo, ExitBlocked, ExitLocked:
	default:
		n.t.Errorf("a turn whose %s was killed: code %d: %s", name, code, text(n.t, out.Name()))
	}
	n.help(code, func() string { return text(n.t, out.Name()) })
	return fmt.Sprintf("%s: code %d", name, code)
}

// killAgent kills the agent of the turn that runs, if it has begun.
func (n *unwatched) killAgent() {
	data, err := os.ReadFile(n.pids)
	if err != nil {
		return // not yet
	}
	for _, field := range strings.Fields(string(data)) {
		if pid, err := strconv.Atoi(field); err == nil && n.ours(pid) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// goesOn takes a turn that nobody kills.
func (n *unwatched) goesOn() {
	n.t.Helper()
	a := n.turn()
	if !slices.Contains([]int{ExitOK, ExitNo, ExitBlocked, ExitLocked}, a.code) {
		n.t.Errorf("a turn after a kill: %v", a)
	}
	n.help(a.code, a.String)
}

// help is the person. Two turns that were killed before they had done anything are two without progress (S4): the person says to go on.
// A process that died while it wrote its name into a lock can't be proved dead: the person clears what was shown (C63).
func (n *unwatched) help(code int, said func() string) {
	n.t.Helper()
	switch s := n.state(); {
	case code == ExitLocked:
		n.clear()
	case s.Blocked != nil:
		if !strings.Contains(s.Blocked.Reason, "S4") {
			n.t.Errorf("blocked: %+v: %s", *s.Blocked, said())
		}
		n.must("unblock", turntest.Plan, strconv.Itoa(s.Blocked.Task), "--answer", "go on", "--by", "Ada")
	case code == ExitBlocked:
		n.t.Errorf("code %d, and nothing is blocked: %s", code, said())
	}
}

// clear removes the lock and the lease of one that can't be proved dead.
func (n *unwatched) clear() {
	n.t.Helper()
	if owner := lockOwner(n.t, made{top: n.top}); owner != "" {
		n.must("lock", "clear", turntest.Plan, "--owner", owner)
	}
	n.must("lock", "clear", turntest.Plan, "--lease", "unknown")
}

// evidence is what state.json has of each gate of each task: when it ran.
func (n *unwatched) evidence() map[string]time.Time {
	n.t.Helper()
	found := map[string]time.Time{}
	for _, task := range n.state().Tasks {
		for _, g := range task.Gates {
			found[fmt.Sprintf("%d: %s", task.ID, g.Command)] = g.LastRun
		}
	}
	return found
}

// nothingLost demands that each gate that had a record has it still, or a later one; that its log is there; and that no task has two
// commits.
func (n *unwatched) nothingLost(before map[string]time.Time) {
	n.t.Helper()
	now := n.evidence()
	for _, gate := range slices.Sorted(maps.Keys(before)) {
		if at, ok := now[gate]; !ok || at.Before(before[gate]) {
			n.t.Errorf("gate %q was recorded at %v, and now at %v", gate, before[gate], at)
		}
	}
	for _, task := range n.state().Tasks {
		if commits := n.commitsOf(task.ID); len(commits) > 1 {
			n.t.Errorf("task %d has the commits %q", task.ID, commits)
		}
		for _, g := range task.Gates {
			if _, log, ok := strings.Cut(g.Evidence, "log="); ok {
				log, _, _ = strings.Cut(log, " ")
				if _, err := os.Stat(filepath.Join(n.folder(), filepath.FromSlash(log))); err != nil {
					n.t.Errorf("task %d, gate %q: %v", task.ID, g.Command, err)
				}
			}
		}
	}
}
