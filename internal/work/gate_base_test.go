package work

import (
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
)

// WP-4: what fails on the base for want of its environment, otherwise, or less, proves nothing.
func TestUnproven(t *testing.T) {
	one := 1
	line := func(counts string) string {
		if counts != "" {
			counts = "; " + counts
		}
		return "observed: exit 1 in 1s" + counts + "; log=analysis_results/gates/2-x.log sha256:" + strings.Repeat("a", 64)
	}
	counted := func(passed, failed int) runner.Counts {
		return runner.Counts{Known: true, Selected: passed + failed, Passed: passed, Failed: failed}
	}
	for _, tt := range []struct {
		name     string
		evidence string
		result   runner.Result
		why      string
		passed   bool
	}{
		{"the same", line(""), runner.Result{End: runner.Exited, Code: 1}, "", false},
		{"asserted", "3 failed in CI", runner.Result{End: runner.Exited, Code: 1, Counts: counted(1, 1)}, "", false},
		{"as many", line("3 tests: 1 passed, 2 failed, 0 skipped"), runner.Result{End: runner.Exited, Code: 1, Counts: counted(1, 2)}, "", false},
		{"more", line("3 tests: 1 passed, 2 failed, 0 skipped"), runner.Result{End: runner.Exited, Code: 1, Counts: counted(0, 3)}, "", false},
		{"less", line("3 tests: 1 passed, 2 failed, 0 skipped"), runner.Result{End: runner.Exited, Code: 1, Counts: counted(2, 1)}, "less fails", false},
		{"fewer packages", line("packages: 1 ok, 12 failed"), runner.Result{End: runner.Exited, Code: 1, Counts: runner.Counts{Known: true, Packages: 4, Broken: 9}}, "less fails", false},
		{"counted there only", line(""), runner.Result{End: runner.Exited, Code: 1, Counts: counted(2, 1)}, "counted there only", false},
		{"counted here only", line("3 tests: 1 passed, 2 failed, 0 skipped"), runner.Result{End: runner.Exited, Code: 1}, "counted here only", false},
		{"another code", line(""), runner.Result{End: runner.Exited, Code: 2}, "with exit 2, not 1", false},
		{"a pass", line(""), runner.Result{End: runner.Exited}, "this task's", true},
		{"no test", line(""), runner.Result{End: runner.Exited, Counts: runner.Counts{Known: true}}, "ran no test", false},
		{"no program in it", line(""), runner.Result{End: runner.Exited, Code: 127}, "environment is missing", false},
		{"no program", line(""), runner.Result{End: runner.NotStarted, Code: -1, Reason: "no such file"}, "could not be started", false},
		{"killed", line(""), runner.Result{End: runner.Signalled, Code: 137, Reason: "killed"}, "did not come to its end", false},
		{"too long", line(""), runner.Result{End: runner.TimedOut, Code: 1, Reason: "stopped"}, "did not come to its end", false},
	} {
		tt.result.Started, tt.result.Duration = noon, time.Second
		why, passed := unproven(GateRecord{Gate: state.Gate{ExitCode: &one, Evidence: tt.evidence}}, &ran{command: "make test", result: tt.result})
		if passed != tt.passed || (why == "") != (tt.why == "") || !strings.Contains(why, tt.why) {
			t.Errorf("%s: %q, %t", tt.name, why, passed)
		}
	}
}
