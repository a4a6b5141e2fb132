package verify_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/verify"
)

// TestLargePlans: the sizes of TRAPS are read whole and judged like small plans; BenchmarkPlan shows that time grows with
// the number of tasks.
func TestLargePlans(t *testing.T) {
	gates := plantest.Plan(plantest.Spec{Tasks: 1000, Done: 500})
	one := strings.TrimSuffix(strings.TrimPrefix(plantest.Gate, "["), "]")
	hundred := "[" + strings.Repeat(one+", ", 99) + one + "]"
	gates["state.json"].Data = []byte(strings.ReplaceAll(string(gates["state.json"].Data), plantest.Gate, hundred))

	long := generated("lite")
	long["README.md"].Data = []byte(strings.Replace(string(long["README.md"].Data), "## Guidelines\n", "## Guidelines\n"+
		strings.Repeat("\n", 200_000)+strings.Repeat("- a small step, and `another`\n", 700_000), 1))

	for name, files := range map[string]fstest.MapFS{
		"4,000 Lite tasks":               plantest.Plan(plantest.Spec{Tasks: 4000, Done: 2000}),
		"1,000 tasks, 100 gates each":    gates,
		"a README of 20 MB, blank lines": long,
	} {
		if r := check(t, files); r.Verdict != verify.Conformant || len(r.Findings) > 20 {
			t.Errorf("%s: %s, %d findings", name, r.Verdict, len(r.Findings))
		}
	}
	gates["state.json"].Data = []byte(strings.Replace(string(gates["state.json"].Data), `"exit_code": 0`, `"exit_code": 1`, 1))
	if r := check(t, gates); r.Verdict != verify.Nonconformant || found(r, "gate/pass-with-failure") == nil {
		t.Errorf("one bad record among 50,000: %s", r.Verdict)
	}
}
