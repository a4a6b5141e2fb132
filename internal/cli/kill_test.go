package cli

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/state"
)

// C111, C73: real publications are killed at random moments. A completed state is never without its receipt or the marker that
// tells, recovery reaches one of two ends, and the plan can always be published.
func TestKilledPublications(t *testing.T) {
	usual, states := usualPublication(t), map[string]int{}
	for n := range *killCount {
		m := layPlan(t, readyPlan)
		cmd := dwpProcess(t, "finalize", plantest.Name)
		cmd.Dir = m.top
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rand.Int64N(int64(usual)*5/4)), func() { cmd.Process.Kill() })
		cmd.Wait()
		timer.Stop()
		states[leftBy(t, m)]++
		// On a system that can't tell who is dead, a person clears what was shown.
		if owner := lockOwner(t, m); owner != "" {
			m.really(t, "lock", "clear", plantest.Name, "--owner", owner)
		}
		for _, command := range []string{"recover", "finalize", "verify"} {
			if code, stdout, stderr := m.really(t, command, plantest.Name); code != ExitOK {
				t.Fatalf("kill %d: dwp %s: code %d: %s%s", n, command, code, stdout, stderr)
			}
		}
	}
	t.Logf("%d publications killed within %v; found afterwards: %v", *killCount, usual, states)
}

func usualPublication(t *testing.T) time.Duration {
	t.Helper()
	m := layPlan(t, readyPlan)
	begin := time.Now()
	if code, _, stderr := m.really(t, "finalize", plantest.Name); code != ExitOK {
		t.Fatalf("code %d: %s", code, stderr)
	}
	return time.Since(begin)
}

// leftBy says how far a publication got. State, marker and receipt have to agree.
func leftBy(t *testing.T, m made) string {
	t.Helper()
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(m.folder, name))
		return err == nil
	}
	marker, receipt := there(state.FinalizeMark), there(receiptName)
	completed := strings.Contains(text(t, m.state()), `"completed_count": 3`)
	switch {
	case completed && !marker && !receipt, receipt && !completed:
		t.Fatalf("completed %v, marker %v, receipt %v", completed, marker, receipt)
	case marker && completed:
		return "state written"
	case marker:
		return "marker written"
	case receipt:
		return "published"
	}
	return "nothing written"
}

// An interrupt ends the wait for a lock: nothing was written, and the code says so, in the compatible command as in the others.
func TestInterruptEndsTheWait(t *testing.T) {
	m := layPlan(t, readyPlan, put(disk.LockDir+"/.keep", ""))
	before := contents(t, m.top)
	for _, tt := range []struct {
		args []string
		code int
	}{
		{[]string{"finalize", plantest.Name, "--wait", "5m"}, ExitInterrupted},
		{[]string{"state", "update", m.state(), "--task", "3", "--gate", passed, "--wait", "5m"}, ExitNo},
	} {
		if code, stderr := interrupted(t, m, tt.args); code != tt.code || stderr != "dwp: interrupted; nothing was written\n" {
			t.Errorf("dwp %v: code %d, want %d: %q", tt.args, code, tt.code, stderr)
		}
		if diff := cmp.Diff(before, contents(t, m.top)); diff != "" {
			t.Errorf("dwp %v wrote (-before +after):\n%s", tt.args, diff)
		}
	}
}

// interrupted runs a command that waits, and interrupts it. A process that the signal met before it listened ends by the signal, as any
// would; then it is tried again with more patience.
func interrupted(t *testing.T, m made, args []string) (code int, stderr string) {
	t.Helper()
	for patience := 100 * time.Millisecond; ; patience *= 2 {
		var errs bytes.Buffer
		cmd := dwpProcess(t, args...)
		cmd.Dir, cmd.Stderr = m.top, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(patience, func() { cmd.Process.Signal(os.Interrupt) })
		cmd.Wait()
		timer.Stop()
		if code = cmd.ProcessState.ExitCode(); code >= 0 || patience > 10*time.Second {
			return code, errs.String()
		}
	}
}
