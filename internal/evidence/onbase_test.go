package evidence

import (
	"strings"
	"testing"
)

// WP-4: a failure proven on the base is known by its evidence, which is an observed line as any other, and tells of a failure.
func TestOnBase(t *testing.T) {
	o := Observed{Outcome: "exit 1 in 1s", Counts: "2 tests: 1 passed, 1 failed, 0 skipped", Log: "analysis_results/gates/2-x.log", SHA256: strings.Repeat("a", 64), Head: "0123456", Tree: "clean"}
	line := BaseLine("0123456789abcdef0123456789abcdef01234567", o)
	commit, ok := BaseCommit(line)
	if !ok || commit != "0123456789ab" || !OnBase(line) {
		t.Errorf("BaseCommit(%q) = %q, %t", line, commit, ok)
	}
	if back, ok := ParseObserved(line); !ok || back != o {
		t.Errorf("ParseObserved(%q) = %+v, %t", line, back, ok)
	}
	if m, found := NeverRan(line); found {
		t.Errorf("NeverRan(%q) = %+v", line, m)
	}
	for _, text := range []string{"", o.Line(), "on base 0123456789ab it fails, too", "on base main it fails, too: " + o.Line(), "not " + line, "[invalidated by refine] " + line,
		"on base 0123456789ab it fails, too: I looked; " + o.Line(), "on base 0123"} {
		if OnBase(text) {
			t.Errorf("OnBase(%q)", text)
		}
	}
}
