package planmd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/planmd"
)

// TestDecisions: decisions are read in the form we write and in those of people; they are no entries of a task, and words in them are
// neither a refine nor a migration (UN-5, PD-12).
func TestDecisions(t *testing.T) {
	const ours = "## Decisions\n\n### D1 \u2014 2026-09-02\n\n- Choice: migrate later\n- Option: now\n- Option: later\n- Why: Task 2 first\n- Revert: delete it\n- Task: 2\n- Decided by: Mill\n"
	for name, tt := range map[string]struct {
		text string
		want []planmd.Decision
	}{
		"ours":              {ours, []planmd.Decision{{ID: "D1", Number: 1, Date: "2026-09-02", Task: 2, Choice: "migrate later", Why: "Task 2 first", Revert: "delete it", By: "Mill", Options: []string{"now", "later"}}}},
		"section renamed":   {strings.Replace(ours, "## Decisions", "## Choices", 1), []planmd.Decision{{ID: "D1", Number: 1, Date: "2026-09-02", Task: 2, Choice: "migrate later", Why: "Task 2 first", Revert: "delete it", By: "Mill", Options: []string{"now", "later"}}}},
		"list":              {"## Decisions\n\n- D1: keep the table\n- **D2** (2026-09-03) split it\n- later\n", []planmd.Decision{{ID: "D1", Number: 1, Choice: "keep the table"}, {ID: "D2", Number: 2, Choice: "(2026-09-03) split it"}}},
		"table":             {"## Decisions\n\n| ID | Decision |\n|---|---|\n| D7 | keep |\n", []planmd.Decision{{ID: "D7", Number: 7, Choice: "keep"}}},
		"two sections":      {"## Decisions\n\n- D1 one\n\n## 2026-09-03 Approval\n\n- D9 is none\n\n## Decisions\n\n- D2 two\n", []planmd.Decision{{ID: "D1", Number: 1, Choice: "one"}, {ID: "D2", Number: 2, Choice: "two"}}},
		"Portuguese":        {"## Decis\u00f5es\n\nD4 \u2014 2026-09-02 \u2014 manter\n", []planmd.Decision{{ID: "D4", Number: 4, Date: "2026-09-02", Choice: "manter"}}},
		"no decision":       {"## Decisions\n\n- Done: all\n- D: none\n- Depth 3\n- D12345678901234567890\n", nil},
		"in code or quotes": {"## Decisions\n\n```\n### D1 \u2014 2026-09-02\n```\n\n> ### D2 \u2014 2026-09-02\n", nil},
		"outside":           {"## Notes\n\n- D1: no\n\n### D5\n", nil},
	} {
		g := planmd.ReadProgress([]byte("# Progress\n\n" + tt.text))
		for i := range g.Decided {
			g.Decided[i].Span = planmd.Span{}
		}
		if !slices.EqualFunc(g.Decided, tt.want, func(a, b planmd.Decision) bool {
			return a.ID == b.ID && a.Number == b.Number && a.Date == b.Date && a.Task == b.Task && a.Choice == b.Choice && a.Why == b.Why &&
				a.Revert == b.Revert && a.By == b.By && slices.Equal(a.Options, b.Options)
		}) {
			t.Errorf("%s: got %+v, want %+v", name, g.Decided, tt.want)
		}
		if len(g.Entries) != 0 || g.Migrated || g.Refined {
			t.Errorf("%s: entries %+v, migrated %v, refined %v", name, g.Entries, g.Migrated, g.Refined)
		}
	}
}

// TestDecisionsBesideEntries: what stands before and behind decisions is read as it was.
func TestDecisionsBesideEntries(t *testing.T) {
	g := planmd.ReadProgress([]byte("# Progress\n\n# Task 1: a\n\n- one\n- two\n\n## Decisions\n\n### D1 \u2014 2026-09-02\n\n- Choice: x\n- Why: y\n- Revert: z\n\n## 2026-09-03 Task 2: b\n\n- three\n"))
	if len(g.Entries) != 2 || g.Entries[0].Bullets != 2 || g.Entries[1].Task != 2 || g.Entries[1].Bullets != 1 || len(g.Decided) != 1 {
		t.Errorf("entries %+v, decisions %+v", g.Entries, g.Decided)
	}
}

// FuzzLedger: whatever PROGRESS.md and SKILLS_CANDIDATES.md hold, what is read of them lies in the file, in order.
func FuzzLedger(f *testing.F) {
	for _, seed := range []string{
		"# Progress\n\n## Decisions\n\n### D1 \u2014 2026-09-02\n\n- Choice: x\n- Why: y\n- Revert: z\n", "## Decisions\n\n- D1: a\n\n| ID | x |\n|---|---|\n| D2 | b |\n",
		"- T1-1: a\n  - Disposition: none\n\nDisposition of T1-1: update x\n", "| ID | S | Disposition |\n|---|---|---|\n| T1-1 | a | none |\n", "## T1-1 a\n\nThere are none yet.\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		last := 0
		for _, d := range planmd.ReadProgress(src).Decided {
			if d.Span.Start < last || d.Span.End < d.Span.Start || d.Span.End > len(src) || d.Number <= 0 {
				t.Errorf("%+v in %d bytes", d, len(src))
			}
			last = d.Span.Start
		}
		c := planmd.ReadCandidates(src)
		for _, x := range c.List {
			if d := x.Disposition; d != nil && (d.At.Start > d.At.End || d.At.Start < d.Span.Start || d.At.End > len(src)) {
				t.Errorf("%+v", d)
			}
		}
		if c.None.End > len(src) {
			t.Errorf("%v", c.None)
		}
	})
}
