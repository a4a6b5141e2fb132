package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
)

// TestTurnOf: turn and lease are read from a value of their exact form; any other says only that there is a turn.
func TestTurnOf(t *testing.T) {
	const id = "6f1d0c9b2a7e4f58"
	for value, want := range map[string]int{
		"12-" + id: 12, "1-" + id: 1, "": 0, "1": 0, "yes": 0, "0-" + id: 0, "-3-" + id: 0, "+3-" + id: 0, "03-" + id: 0, " 3-" + id: 0,
		"3-" + id[1:]: 0, "3-" + id + "0": 0, "3-6F1D0C9B2A7E4F58": 0, "3-../../../../etc/": 0, "99999999999999999999-" + id: 0, "3" + id: 0,
	} {
		c, ok := markOf(value)
		if ok != (want > 0) || c.Turn != want || ok && c.Lease != id {
			t.Errorf("%q: %+v, %v", value, c, ok)
		}
	}
}

// lease takes the lease of a laid plan for this process, and writes the record of turn 12 about a task; 0 for none. It returns the
// agent's environment.
func (m made) lease(t *testing.T, task int) (lock *disk.Lock, settings []string) {
	t.Helper()
	folder, err := disk.Open(m.folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	owner := disk.Owner{Agent: "Claude Code", Command: "dwp turn", Fence: disk.Fence{Queue: "nightly", Number: 41}}
	if lock, err = disk.AcquireLease(t.Context(), folder, owner, disk.System{}); err != nil {
		t.Fatal(err)
	}
	id := lock.Owner().ID
	if task > 0 {
		writeTree(t, m.folder, map[string]string{"analysis_results/turns/12.json": fmt.Sprintf(`{"version": 1, "n": 12, "plan": "PLAN_rental_pricing", "result": "open", "id": %q, "task": %d, "more": {}}`, id, task)})
	}
	return lock, []string{"DWP_TURN=12-" + id}
}

// TestAgentInTurn (UN-2, C65): the turn's agent moves the turn's task and no other, and nothing at all once the lease is gone; what it
// wrote is noted. Outside the turn, and with a DWP_TURN of another form, nothing changes.
func TestAgentInTurn(t *testing.T) {
	m := layPlan(t, startedPlan)
	lock, inTurn := m.lease(t, 2)
	code, _, stderr := m.dwp(inTurn, "-C", m.folder, "start", "2")
	if code != ExitOK {
		t.Fatalf("its own task: code %d: %s", code, stderr)
	}
	if got := strings.Count(text(t, filepath.Join(m.folder, publish.StatesFile(12))), "\n"); got != 1 {
		t.Errorf("%d states are noted, want 1", got)
	}
	before := contents(t, m.top)
	for _, args := range [][]string{
		{"start", "3"}, {"block", "3", "--class", "S3", "--reason", "x", "--needs", "y"},
		{"gate", "record", "3", "--gate", passed}, {"gate", "run", "3", "--", "true"},
	} {
		code, _, stderr := m.dwp(inTurn, append([]string{"-C", m.folder}, args...)...)
		if code != ExitNo || !strings.Contains(stderr, "guard/turn-task (UN-2): turn 12 is about task 2, not task 3; nothing was written") {
			t.Errorf("%v: code %d: %s", args, code, stderr)
		}
	}
	if code, _, stderr := m.dwp(inTurn, "-C", m.folder, "promote"); code != ExitNo || !strings.Contains(stderr, "guard/in-turn") {
		t.Errorf("promote: code %d: %s", code, stderr)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	for name := range contents(t, m.top) {
		if _, was := before[name]; !was {
			t.Errorf("%s is new", name)
		}
	}
	before = contents(t, m.top)
	for _, args := range [][]string{
		{"checkpoint", "--step", "half"}, {"complete", "2", "--worked", "x", "--skills", "none", "--commit", "none"}, {"recover"}, {"reconcile"},
		{"decide", "--choice", "a", "--why", "b", "--revert", "c"}, {"gate", "record", "2", "--gate", passed}, {"gate", "run", "2", "--", "true"},
	} {
		code, _, stderr := m.dwp(inTurn, append([]string{"-C", m.folder}, args...)...)
		if code != ExitLocked || !strings.Contains(stderr, "guard/turn-over (UN-2): turn 12 doesn't hold the lease of this plan") {
			t.Errorf("%v after the turn: code %d: %s", args, code, stderr)
		}
	}
	for name, is := range contents(t, m.top) {
		if before[name] != is {
			t.Errorf("%s changed after the turn", name)
		}
	}
	for _, settings := range [][]string{nil, {"DWP_TURN=1"}} {
		if code, _, stderr := m.dwp(settings, "-C", m.folder, "checkpoint", "--step", strings.Join(settings, "")+"half"); code != ExitOK {
			t.Errorf("%v: code %d: %s", settings, code, stderr)
		}
	}
}

// TestTurnWithoutRecord: with a record that is missing, or of another lease, no task is the turn's.
func TestTurnWithoutRecord(t *testing.T) {
	const record = `{"version": 1, "n": 12, "plan": "PLAN_rental_pricing", "result": "open", `
	for what, record := range map[string]string{
		"none": "", "no JSON": "{", "another lease's": record + `"id": "0123456789abcdef", "task": 2}`, "no task": record + `"id": "ID"}`, "odd task": record + `"id": "ID", "task": "2"}`,
		"another turn's": strings.Replace(record, "12", "11", 1) + `"id": "ID", "task": 2}`,
	} {
		m := layPlan(t, startedPlan)
		lock, inTurn := m.lease(t, 0)
		if record != "" {
			writeTree(t, m.folder, map[string]string{"analysis_results/turns/12.json": strings.ReplaceAll(record, "ID", lock.Owner().ID)})
		}
		code, _, stderr := m.dwp(inTurn, "-C", m.folder, "start", "2")
		if code != ExitNo || !strings.Contains(stderr, "guard/turn-task (UN-2): the record of turn 12 doesn't tell its task") {
			t.Errorf("%s: code %d: %s", what, code, stderr)
		}
	}
}

// TestLeaseIsShownAndCleared (GU-10, C61, C63): the lease is shown beside the lock, and cleared by its name once its owner is gone, not
// before.
func TestLeaseIsShownAndCleared(t *testing.T) {
	m := layPlan(t, startedPlan)
	lock, _ := m.lease(t, 2)
	id := lock.Owner().ID
	_, stdout, _ := m.dwp(nil, "-C", m.folder, "lock", "show")
	for _, line := range []string{
		plantest.Name + ": not locked\n" + plantest.Name + ": a turn has the lease\n  Owner     " + id + "\n  Agent     Claude Code\n",
		"  Queue     nightly, number 41\n", "  Clear     dwp lock clear " + plantest.Name + " --lease " + id + "\n",
	} {
		if !strings.Contains(stdout, line) {
			t.Errorf("no %q in:\n%s", line, stdout)
		}
	}
	var shown struct {
		Held  bool
		Lease struct {
			Held    bool
			Holders []struct {
				Owner, Queue string
				Fence        int64
			}
		}
	}
	_, stdout, _ = m.dwp(nil, "-C", m.folder, "lock", "show", "--json")
	if err := json.Unmarshal([]byte(stdout), &shown); err != nil || shown.Held || !shown.Lease.Held || shown.Lease.Holders[0].Owner != id || shown.Lease.Holders[0].Fence != 41 {
		t.Errorf("%v: %s", err, stdout)
	}
	alive := lock.Owner().Start != ""
	if _, stdout, _ := m.dwp(nil, "status"); !strings.Contains(stdout, "\n  Turn        Claude Code since ") || alive && !strings.Contains(stdout, ": at work; see dwp lock show\n") {
		t.Errorf("status: %s", stdout)
	}
	clear := []string{"-C", m.folder, "lock", "clear", "--lease", id}
	code, _, stderr := m.dwp(nil, clear...)
	if alive && (code != ExitLocked || !strings.Contains(stderr, "the owner of the lease is running")) {
		t.Errorf("alive: code %d: %s", code, stderr)
	}
	if code, _, _ := m.dwp(nil, "-C", m.folder, "lock", "clear", "--lease", "0123456789abcdef"); alive && code != ExitLocked {
		t.Errorf("another name: code %d", code)
	}
	if code, _, _ := m.dwp(nil, append(clear, "--owner", id)...); code != ExitUsage {
		t.Errorf("both: code %d", code)
	}
	record := filepath.Join(m.folder, disk.LeaseDir, "owner-"+id+".json")
	if alive {
		gone := strings.Replace(text(t, record), fmt.Sprintf(`"pid": %d`, os.Getpid()), `"pid": 4194999`, 1)
		if err := os.WriteFile(record, []byte(gone), 0o644); err != nil {
			t.Fatal(err)
		}
		if code, stdout, stderr := m.dwp(nil, clear...); code != ExitOK || !strings.HasPrefix(stdout, plantest.Name+": removed the lease of "+id) {
			t.Errorf("dead: code %d: %s%s", code, stdout, stderr)
		}
	}
	if _, stdout, _ := m.dwp(nil, "status", "--json"); alive && !strings.Contains(stdout, `"lease": null`) {
		t.Errorf("status without a lease: %s", stdout)
	}
	if code, stdout, _ := m.dwp(nil, clear...); code != ExitOK || stdout != plantest.Name+": no lease, nothing to clear\n" {
		t.Errorf("none: code %d: %s", code, stdout)
	}
}

// TestLockShowQuotes (C157): a record may have any name; pasted into a shell, the line that clears it runs nothing else.
func TestLockShowQuotes(t *testing.T) {
	m := layPlan(t, startedPlan)
	writeTree(t, m.folder, map[string]string{"state.json.lock/owner-a;rm -rf $HOME.json": "{}", disk.LeaseDir + "/owner-it's.json": "{}"})
	_, stdout, _ := m.dwp(nil, "-C", m.folder, "lock", "show")
	for _, line := range []string{
		"  Clear     dwp lock clear " + plantest.Name + " --owner 'a;rm -rf $HOME'\n", "  Clear     dwp lock clear " + plantest.Name + ` --lease 'it'\''s'` + "\n",
	} {
		if !strings.Contains(stdout, line) {
			t.Errorf("no %q in:\n%s", line, stdout)
		}
	}
}
