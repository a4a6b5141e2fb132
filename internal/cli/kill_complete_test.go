package cli

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/plantest"
)

// C73, C111: the completion of the last task, which is an operation on several files and a publication, is killed at random moments.
// Recovery and the same call lead to one end: published, and PROGRESS.md has one entry more.
func TestKilledCompletions(t *testing.T) {
	call := []string{"complete", plantest.Name, "3", "--worked", "all of it", "--skills", "none", "--docs", "none needed", "--commit", "none",
		"--bullet", "one", "--bullet", "two", "--bullet", "three"}
	usual := layPlan(t, readyPlan)
	begin := time.Now()
	if code, _, stderr := usual.really(t, call...); code != ExitOK {
		t.Fatalf("code %d: %s", code, stderr)
	}
	lasts := time.Since(begin)
	for n := range *killCount {
		m := layPlan(t, readyPlan)
		cmd := dwpProcess(t, call...)
		cmd.Dir = m.top
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rand.Int64N(int64(lasts)*5/4)), func() { cmd.Process.Kill() })
		cmd.Wait()
		timer.Stop()
		if owner := lockOwner(t, m); owner != "" {
			m.really(t, "lock", "clear", plantest.Name, "--owner", owner)
		}
		for _, args := range [][]string{{"recover", plantest.Name}, call, {"verify", plantest.Name}} {
			if code, stdout, stderr := m.really(t, args...); code != ExitOK {
				t.Fatalf("kill %d: dwp %s: code %d: %s%s", n, args[0], code, stdout, stderr)
			}
		}
		if got := strings.Count(text(t, m.folder+"/PROGRESS.md"), "- three\n"); got != 1 {
			t.Fatalf("kill %d: PROGRESS.md has %d entries of the completion", n, got)
		}
	}
}
