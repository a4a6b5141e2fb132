package work

import (
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
)

// TestOddPlans: a plan whatever its form goes from start to completion, and keeps every byte that is not about it: line ends as on
// Windows, a byte-order mark, other languages, a template whose lines wait to be filled in, logs without a status (PD-8, PD-10, PD-11).
func TestOddPlans(t *testing.T) {
	const log = "Status: pending\n\n## Task 3"
	for name, test := range map[string]struct {
		odd  func(name, text string) string
		want string // the log of the second task afterwards
	}{
		"CRLF": {func(name, text string) string {
			if strings.HasSuffix(name, ".md") {
				return strings.ReplaceAll(text, "\n", "\r\n")
			}
			return text
		}, "Status: completed\r\nDate: 2026-09-02\r\nSummary: bulk copy\r\nEvidence: `make test-shard`: 12 passed\r\nSkills disposition: none\r\nDocumentation decision: none needed: nothing public changed\r\n\r\n## Task 3"},
		"byte-order mark": {func(name, text string) string {
			if name == "README.md" {
				return "\ufeff" + text
			}
			return text
		}, "Status: completed\nDate: 2026-09-02\nSummary: bulk copy\n"},
		"Thai": {func(_, text string) string {
			return strings.Replace(text, log, "- **\u0e2a\u0e16\u0e32\u0e19\u0e30:** \u0e23\u0e2d\u0e14\u0e33\u0e40\u0e19\u0e34\u0e19\u0e01\u0e32\u0e23\n- **\u0e17\u0e31\u0e01\u0e29\u0e30:** TBD\n\n## Task 3", 1)
		}, "- **\u0e2a\u0e16\u0e32\u0e19\u0e30:** completed\n- **Date:** 2026-09-02\n- **Summary:** bulk copy\n- **Evidence:** `make test-shard`: 12 passed\n- **Documentation decision:** none needed: nothing public changed\n- **\u0e17\u0e31\u0e01\u0e29\u0e30:** none\n"},
		"template": {func(_, text string) string {
			return strings.Replace(text, log, "- Status: pending\n- Date completed: {date}\n- Summary:\n- Evidence: TBD\n- Skills disposition: none | update x | create x | defer \u2014 reason, owner\n- Documentation decision: \n\n## Task 3", 1)
		}, "- Status: completed\n- Date completed: 2026-09-02\n- Summary: bulk copy\n- Evidence: `make test-shard`: 12 passed\n- Skills disposition: none\n- Documentation decision: none needed: nothing public changed \n\n## Task 3"},
		"no status": {func(_, text string) string {
			return strings.Replace(text, log, "Notes of the work follow.\n\n## Task 3", 1)
		}, "- Status: completed\n- Date: 2026-09-02\n"},
	} {
		t.Run(name, func(t *testing.T) {
			files := plantest.Plan(plantest.Spec{Tasks: 3, Done: 1})
			for path, f := range files {
				f.Data = []byte(test.odd(path, string(f.Data)))
			}
			tw, err := disk.TwinOf(files)
			must(t, err)
			before := tw.Tree()
			done(t, tw, (&Start{Who: mill}).Decide)
			done(t, withGate(t, tw, 2), completion(2).Decide)
			after := tw.Tree()["README.md"]
			if v := view(t, tw, 2); v.Record.Log.State != planmd.LogCompleted || !v.Checked {
				t.Errorf("log %s, box %v", v.Record.Log.State, v.Checked)
			}
			if !strings.Contains(after, test.want) {
				t.Errorf("the log reads\n%s", after[strings.Index(after, "Task 2:"):])
			}
			if lines := missing(before["README.md"], after); len(lines) > 10 {
				t.Errorf("%d lines were changed: %q", len(lines), lines)
			}
			conformant(t, snapshot(t, tw))
		})
	}
}

// missing lists the lines of a text that another one has not.
func missing(before, after string) (lines []string) {
	there := map[string]bool{}
	for line := range strings.Lines(after) {
		there[line] = true
	}
	for line := range strings.Lines(before) {
		if !there[line] {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestNoProgress: a missing PROGRESS.md is made (WP-2).
func TestNoProgress(t *testing.T) {
	files := plantest.Plan(plantest.Spec{Tasks: 3, Done: 0})
	delete(files, "PROGRESS.md")
	tw, err := disk.TwinOf(files)
	must(t, err)
	done(t, tw, (&Start{Who: mill}).Decide)
	done(t, withGate(t, tw, 1), completion(1).Decide)
	if s := snapshot(t, tw); s.Progress == nil || len(s.Progress.Entries) != 1 {
		t.Errorf("PROGRESS.md: %+v", s.Progress)
	}
}

// FuzzTexts: whatever is said, a completion is refused and nothing written, or the plan is as sound as before and a second call changes
// nothing (PD-8, PD-10).
func FuzzTexts(f *testing.F) {
	for _, seed := range []string{"none", "a `b", "<!-- x", "[x](y)", "- [ ] Task 1: x", "# Task 3: y", "Status: pending", "TBD", "**a", "~~~", "| a | b |", "a\u0085b", "{#task-3}", "Amendment 1 \u2014 2026-09-01"} {
		f.Add(seed, seed, seed)
	}
	f.Fuzz(func(t *testing.T, worked, docs, bullet string) {
		tw := withGate(t, inProgress(t, false), 2)
		before := tw.Tree()
		c := completion(2)
		c.Worked, c.Docs, c.Bullets = worked, docs, []string{bullet}
		if _, err := do(t, tw, c.Decide); err != nil {
			if after := tw.Tree(); after["README.md"] != before["README.md"] || after["state.json"] != before["state.json"] || after["PROGRESS.md"] != before["PROGRESS.md"] {
				t.Fatalf("refused, and written: %v", err)
			}
			return
		}
		conformant(t, snapshot(t, tw))
		if again, err := do(t, tw, c.Decide); err != nil || again.Changed {
			t.Fatalf("again: %+v, %v", again, err)
		}
	})
}
