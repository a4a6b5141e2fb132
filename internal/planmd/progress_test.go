package planmd

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProgressEntries reads entries in the forms that plans use.
func TestProgressEntries(t *testing.T) {
	tests := []struct {
		src  string
		want map[int]int // task and bullets
	}{
		{"# Progress\n\n## 2026-09-01T10:30:00Z Task 1: Read\n\n- a\n- b\n\n## 2026-09-02 Task 2: Write\n\n- c\n", map[int]int{1: 2, 2: 1}},
		{"# Progress\n\n## Task Summaries\n\n### Task 1: Read \u2705\n- a\n\n### Task 2: Write\n- a\n  - b\n\n## Key Decisions\n\n- c\n", map[int]int{1: 1, 2: 2}},
		{"# P\n\n| # | Task | Status |\n|---|---|---|\n| 1 | Read | done |\n| 2 | Write | done |\n", map[int]int{1: 0, 2: 0}},
		{"# P\n\n| Task | Notes |\n|---|---|\n| Task 1: Read | x |\n| **Task 2** | y |\n", map[int]int{1: 0, 2: 0}},
		{"# P\n\n- Task 1: done\n  - more\n- 2026-09-01 10:30 Task 2: done\n", map[int]int{1: 2, 2: 1}},
		{"# P\n\n## 2026-09-01 \u2014 Tarefa 1: Ler\n\n- a\n", map[int]int{1: 1}},
		{"# P\n\n```\n## Task 1: x\n```\n\n> ## Task 2: x\n\n- [ ] Phase 1 \u2014 a (tasks 1-4)\n- waits for Task 3\n", map[int]int{}},
		{"# P\n\n## [2026-09-01] Completed Task 1: Read\n\n- a\n\n## **2026-09-02T10:30:00Z** \u2014 Task 2\n", map[int]int{1: 1, 2: 0}},
		{"# P\n\n## Decision about Task 1\n\n- a\n", map[int]int{}},
		{"# P\n\n| Phase | Cost |\n|---|---|\n| 1 | 2 |\n", map[int]int{}},
	}
	for _, tt := range tests {
		g := ReadProgress([]byte(tt.src))
		got := map[int]int{}
		for _, e := range g.Entries {
			got[e.Task] = e.Bullets
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: %s", tt.src, diff)
		}
	}
}

// TestProgressTwice keeps one entry each when a task is worked twice.
func TestProgressTwice(t *testing.T) {
	g := ReadProgress([]byte("# P\n\n## Task 1: a\n\n- x\n\n## Task 1: again\n\n- y\n"))
	if len(g.Entries) != 2 || g.Entries[0].Bullets != 1 {
		t.Errorf("got %+v, want two entries", g.Entries)
	}
}

// TestProgressAmendments places amendments at the task that their head or their entry names.
func TestProgressAmendments(t *testing.T) {
	g := ReadProgress([]byte("# P\n\n## Task 2: b\n\n### Amendment 1 \u2014 2026-09-02\n\n- Reason: x\n\n## Amendment 2 \u2014 2026-09-03 (Task 3)\n\n- Reason: y\n\n## Amendment 3 \u2014 2026-09-04\n\n- Reason: z\n"))
	var got []int
	for _, a := range g.Amendments {
		got = append(got, a.Number, a.Task, len(a.Fields))
	}
	if want := []int{1, 2, 1, 2, 3, 1, 3, 0, 1}; !cmp.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestProgressHistory tells a refine and a migration from other words.
func TestProgressHistory(t *testing.T) {
	for text, want := range map[string][2]bool{
		"## 2026-09-01 Refine: added task 4":      {true, false},
		"- Refined the plan":                      {true, false},
		"## Migrated from 4.2 to 5.0":             {false, true},
		"## Migra\u00e7\u00e3o para 5.0":          {false, true},
		"## 迁移到 5.0":                              {false, true},
		"## Task 1: Unrefined oil":                {false, false},
		"`Refine`":                                {false, false},
		"## Task 1: x\n\nthe refine came later\n": {false, false},
	} {
		g := ReadProgress([]byte("# P\n\n" + text + "\n"))
		if got := [2]bool{g.Refined, g.Migrated}; got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// TestCandidates reads IDs where entries begin, and keeps near forms apart (PD-8).
func TestCandidates(t *testing.T) {
	c := ReadCandidates([]byte("# Skills candidates\n\n- T1-1: a\n- **T1-2** \u2014 b\n- `T2-1`: c\n- [ ] T2-2 d\n\n## T3-1: e\n\n| ID | What |\n|---|---|\n| T4-1 | f |\n| 3-1 | g |\n\n- T3: h\n- Ta-1 i\n- t5-1 j\n- The tool\n- Two things\n\nNone besides T9-9.\n\n```\n- T8-1\n```\n"))
	var got []string
	for _, x := range c.List {
		got = append(got, x.ID)
		if task, seq, ok := candidateID(x.ID); !ok || task != x.Task || seq != x.Seq {
			t.Errorf("%s: task %d, seq %d", x.ID, x.Task, x.Seq)
		}
	}
	if diff := cmp.Diff([]string{"T1-1", "T1-2", "T2-1", "T2-2", "T3-1", "T4-1"}, got); diff != "" {
		t.Error(diff)
	}
	got = nil
	for _, f := range c.Malformed {
		got = append(got, f.Label)
	}
	if diff := cmp.Diff([]string{"3-1", "T3", "Ta-1", "t5-1"}, got); diff != "" {
		t.Error(diff)
	}
	if c := ReadCandidates([]byte("# Skills candidates\n\nNone yet.\n")); len(c.List)+len(c.Malformed) != 0 {
		t.Errorf("none: got %+v", c)
	}
}
