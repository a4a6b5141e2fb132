package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
)

// The ordinary run is small; the large one is:
//
//	go test ./internal/cli -run 'TestWritersTogether|TestKilled|TestFull' -writers 16 -updates 200 -kills 300 -v -timeout 60m
var (
	writerCount = flag.Int("writers", 4, "processes that update one plan together")
	updateCount = flag.Int("updates", 10, "updates of each of them")
	killCount   = flag.Int("kills", 12, "updaters that are killed")
)

// gateCommand names the record that one update of one writer leaves.
func gateCommand(writer, n int) string { return fmt.Sprintf("make part-%d-%d", writer, n) }

// gateCall is the update that leaves it.
func gateCall(m made, task int, command string) []string {
	return []string{"state", "update", m.state(), "--task", fmt.Sprint(task), "--gate", command + "|1|2 of 3 failed", "--wait", "2m"}
}

// really runs one command line in a process of its own, with the real clock.
func (m made) really(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := dwpProcess(t, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = m.top, &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// recorded reads which gate commands state.json holds. A torn file fails the test.
func recorded(t testing.TB, m made) map[string]bool {
	t.Helper()
	var st struct {
		Tasks []struct{ Gates []struct{ Command string } }
	}
	if err := json.Unmarshal([]byte(text(t, m.state())), &st); err != nil {
		t.Fatalf("state.json is torn: %v", err)
	}
	found := map[string]bool{}
	for _, task := range st.Tasks {
		for _, g := range task.Gates {
			found[g.Command] = true
		}
	}
	return found
}

// C53, C55, GU-9: many real processes update one plan at the same time; every update that was reported is there, and nothing
// is left over.
func TestWritersTogether(t *testing.T) {
	m := layPlan(t, plantest.Spec{Tasks: *writerCount + 2, Done: 1})
	begin := time.Now()
	var wg sync.WaitGroup
	for w := range *writerCount {
		wg.Go(func() {
			for n := range *updateCount {
				cmd := dwpProcess(t, gateCall(m, w+2, gateCommand(w, n))...)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("writer %d, update %d: %v: %s", w, n, err, out)
				}
			}
		})
	}
	wg.Wait()
	found := recorded(t, m)
	for w := range *writerCount {
		for n := range *updateCount {
			if !found[gateCommand(w, n)] {
				t.Errorf("update %d of writer %d is lost", n, w)
			}
		}
	}
	if left := leftovers(t, m); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	t.Logf("%d writers x %d updates in %v", *writerCount, *updateCount, time.Since(begin).Round(time.Millisecond))
}

// leftovers are locks and temporary files in the plan folder.
func leftovers(t testing.TB, m made) []string {
	t.Helper()
	entries, err := os.ReadDir(m.folder)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		if e.Name() == disk.LockDir || strings.Contains(e.Name(), ".tmp-") {
			left = append(left, e.Name())
		}
	}
	return left
}

// C69, C63: real updaters are killed at random moments. state.json is never torn, no reported update is lost, and what is left is at
// most one lock, which is shown and cleared by the name that was shown.
func TestKilledUpdaters(t *testing.T) {
	m := layPlan(t, startedPlan)
	usual := usualTime(t, m)
	reported := map[string]bool{}
	locks, unknown, done, stray := 0, 0, 0, 0
	for n := range *killCount {
		command := gateCommand(0, n)
		before := text(t, m.state())
		if killed(t, m, command, time.Duration(rand.Int64N(int64(usual)*5/4))) {
			reported[command] = true
			done++
		}
		now := text(t, m.state())
		if found := recorded(t, m); now != before && !found[command] {
			t.Fatalf("kill %d: state.json is neither the old nor the new one", n)
		}
		switch owner := lockOwner(t, m); {
		case owner == "":
		default:
			locks++
			if owner == disk.UnknownOwner {
				unknown++
			}
			refusedWhileLocked(t, m)
			if code, stdout, stderr := m.really(t, "lock", "clear", "--owner", owner); code != ExitOK {
				t.Fatalf("kill %d: clear the lock of %s: code %d: %s%s", n, owner, code, stdout, stderr)
			}
		}
		stray = max(stray, len(leftovers(t, m)))
	}
	if code, _, stderr := m.really(t, gateCall(m, 2, "make last")...); code != ExitOK {
		t.Fatalf("the update after all kills: code %d: %s", code, stderr)
	}
	found := recorded(t, m)
	for command := range reported {
		if !found[command] {
			t.Errorf("%s was reported and is lost", command)
		}
	}
	if code, stdout, _ := m.really(t, "verify", "--verbose"); code != ExitOK || stray > 0 && !strings.Contains(stdout, "layout/temp-file") {
		t.Errorf("verify, with %d temporary files: code %d: %s", stray, code, stdout)
	}
	t.Logf("%d kills within %v: %d had reported, %d records in all, %d locks to clear (%d without a record), %d temporary files left",
		*killCount, usual, done, len(found), locks, unknown, stray)
}

// usualTime is how long an update takes that nobody kills.
func usualTime(t *testing.T, m made) time.Duration {
	t.Helper()
	begin := time.Now()
	const tries = 5
	for n := range tries {
		if out, err := dwpProcess(t, gateCall(m, 2, gateCommand(1, n))...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return time.Since(begin) / tries
}

// killed starts an update, kills it after a while, and tells whether it had reported success.
func killed(t *testing.T, m made, command string, after time.Duration) bool {
	t.Helper()
	var out bytes.Buffer
	cmd := dwpProcess(t, gateCall(m, 2, command)...)
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	timer.Stop()
	return err == nil || strings.Contains(out.String(), "sha256")
}

// lockOwner is whom lock show names; "" when the plan is not locked. There is never more than one.
func lockOwner(t *testing.T, m made) string {
	t.Helper()
	_, stdout, stderr := m.really(t, "lock", "show", "--json")
	var answer struct {
		Held    bool
		Holders []struct{ Owner, Liveness string }
	}
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
		t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	switch {
	case !answer.Held:
		return ""
	case len(answer.Holders) != 1 || answer.Holders[0].Liveness == string(disk.Alive):
		t.Fatalf("one lock of a dead process is wanted: %s", stdout)
	}
	return answer.Holders[0].Owner
}

// refusedWhileLocked: the lock of a killed process is never taken by itself; the wait is bounded, and advice is given (C59, C63).
func refusedWhileLocked(t *testing.T, m made) {
	t.Helper()
	code, _, stderr := m.really(t, "state", "update", m.state(), "--task", "2", "--gate", passed, "--wait", "0s")
	advice := "dwp lock show " + plantest.Name
	if strings.Contains(stderr, ", dead;") { // it was killed after it had said who it is
		advice = "dwp recover " + plantest.Name
	}
	if code != ExitNo || !strings.Contains(stderr, "state.json.lock is held by") || !strings.Contains(stderr, advice) {
		t.Fatalf("code %d: %s", code, stderr)
	}
}

// smallDisk mounts a file system of so many KiB and inodes.
func smallDisk(t *testing.T, kib, inodes int) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting a small file system takes root")
	}
	dir := t.TempDir()
	out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dk,nr_inodes=%d", kib, inodes), "tmpfs", dir).CombinedOutput()
	if err != nil {
		t.Skipf("a small file system can't be mounted here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
	return dir
}

// C67: on a real file system that is full, or has no inode left, an update fails with the reason: the old state is whole, no
// temporary file and no lock stays; and when there is room again, it works.
func TestFullDisk(t *testing.T) {
	for name, inodes := range map[string]int{"blocks": 200, "inodes": 24} {
		t.Run(name, func(t *testing.T) {
			top := smallDisk(t, 160, inodes)
			source := layPlan(t, startedPlan)
			if err := os.CopyFS(top, os.DirFS(source.top)); err != nil {
				t.Fatal(err)
			}
			m := made{top, filepath.Join(top, ".dwp", "plans", plantest.Name)}
			filler := fill(t, top, name == "inodes")
			full := 0
			for n := range 20 {
				before := text(t, m.state())
				evidence := strings.Repeat("x", 400)
				out, err := dwpProcess(t, "state", "update", m.state(), "--task", "2", "--gate", fmt.Sprintf("make %d|1|%s", n, evidence)).CombinedOutput()
				if err == nil {
					continue
				}
				full++
				if text(t, m.state()) != before || len(leftovers(t, m)) > 0 || !strings.Contains(string(out), "no space left on device") {
					t.Fatalf("update %d: left %q, said %s", n, leftovers(t, m), out)
				}
			}
			if full == 0 {
				t.Fatal("the disk never was full")
			}
			for _, f := range filler {
				if err := os.Remove(f); err != nil {
					t.Fatal(err)
				}
			}
			if code, _, stderr := m.really(t, "state", "update", m.state(), "--task", "2", "--gate", passed); code != ExitOK {
				t.Errorf("with room again: code %d: %s", code, stderr)
			}
			t.Logf("%d of 20 updates found the disk full", full)
		})
	}
}

// fill leaves a file system a few KiB, or no inode, and returns what it made.
func fill(t *testing.T, top string, inodes bool) []string {
	t.Helper()
	var made []string
	for n := range 1000 {
		name := filepath.Join(top, fmt.Sprintf("fill-%d", n))
		size := 4096
		if inodes {
			size = 0
		}
		if err := os.WriteFile(name, bytes.Repeat([]byte("x"), size), 0o644); err != nil {
			os.Remove(name)
			break
		}
		made = append(made, name)
	}
	if !inodes && len(made) > 4 { // room for two or three states, so that some updates succeed
		last := len(made) - 5
		for _, name := range made[last:] {
			os.Remove(name)
		}
		made = made[:last]
	}
	return made
}
