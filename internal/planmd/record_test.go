package planmd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kinds lists the sections of a record that have a name.
func kinds(sections []Section) []SectionKind {
	var out []SectionKind
	for _, s := range sections {
		if s.Kind != Other {
			out = append(out, s.Kind)
		}
	}
	return out
}

// TestLabelSections reads "**Label:**" lines as sections where no heading-form section is open.
func TestLabelSections(t *testing.T) {
	for name, body := range map[string]string{
		"paragraphs":    "**Context:** a\n\n**Goal:** b\nmore b\n\n**Validation:** `make`\n\n**Completion & Log:**\n\n- **Status:** pending\n- **Validation:** ok\n",
		"one paragraph": "**Context:** a\n**Goal:** b\n**Validation:** `make`\n**Completion & Log:** Status: pending\n",
		"list":          "- **Context:** a\n- **Goal:** b\n- **Validation:**\n  - make\n- **Completion & Log:**\n  - Status: pending\n",
		"bare":          "**Context**\n\na\n\n**Goal**\n\nb **Goal** matters\n\n**Validation**\n\nmake\n\n**Completion & Log**\n\nStatus: pending\n",
		"plain":         "Context: a\n\nGoal: b\n\nValidation: make\n\nCompletion & Log:\n\n- Status: pending\n",
	} {
		r := ReadREADME([]byte("# T\n\n## Task 1: x {#task-1}\n\n" + body + "\n## Task 2: y {#task-2}\n"))
		rec := r.Records[0]
		if diff := cmp.Diff([]SectionKind{Context, Goal, Validation, CompletionLog}, kinds(rec.Sections)); diff != "" {
			t.Errorf("%s: %s", name, diff)
			continue
		}
		for _, s := range rec.Sections {
			if s.Empty || s.Level != 0 {
				t.Errorf("%s: %s: empty %v, level %d", name, s.Kind, s.Empty, s.Level)
			}
		}
		if rec.Log.State != LogPending {
			t.Errorf("%s: log %q", name, rec.Log.State)
		}
	}
}

// TestNoLabelSections lists label-like text that begins no section (TRAPS).
func TestNoLabelSections(t *testing.T) {
	for _, body := range []string{
		"## Goal\n\n**Context** matters here.\n",
		"## Goal\n\n**Context:** matters here.\n",
		"## Goal\n\n- **Context:** matters here.\n",
		"## Goal\n\n### Why\n\n**Context:** matters here.\n",
		"**Goal:** a\n\n**Context** matters.\n",
		"**Goal:** a\n\n`**Context:** x`\n",
		"**Goal:** a\n\n- b\n  - **Context:** x\n",
	} {
		r := ReadTask([]byte("# Task 1: x\n\n" + body))
		if got := kinds(r.Sections); !cmp.Equal(got, []SectionKind{Goal}) {
			t.Errorf("%q: got %q", body, got)
		}
	}
}

// TestEmptySections demands words: no white space of any script, comments, placeholders, labels, markers (PD-5, TRAPS).
func TestEmptySections(t *testing.T) {
	tests := []struct {
		body  string
		empty bool
	}{
		{"", true}, {"TBD", true}, {"<!-- write here -->", true}, {"<!--\nmany\nlines\n-->", true}, {"text <!-- x -->", false},
		{"\u00a0\u200b\u2003", true}, {"\u3164", true}, {"&nbsp;", true}, {"{what to do}", true}, {"...", true}, {"N/A", true}, {"---", true},
		{"### Sub", true}, {"### Sub\n\ntext", false}, {"- ", true}, {"- [ ]", true}, {"- [ ] x", false}, {"> quoted", false},
		{"| a | b |\n|---|---|", true}, {"| a | b |\n|---|---|\n| | |", true}, {"| a | b |\n|---|---|\n| c | |", false},
		{"```\n\n```", true}, {"```sh\nmake\n```", false}, {"    make", false}, {"`x`", false}, {"<br>", true}, {"<div>\n</div>", true}, {"<div>text</div>", false},
		{"- Planned:\n- Risk class: TBD", true}, {"- Planned: `a/`", false}, {"- Planned:\n  - a", false}, {"**TODO**", true}, {"1.", true},
		{"\U0001f680 launch", false}, {"做", false}, {"ทำ", false},
	}
	for _, tt := range tests {
		r := ReadTask([]byte("# Task 1: x\n\n## Goal\n\n" + tt.body + "\n\n## Validation\n\nmake\n"))
		s := r.Section(Goal)
		if s == nil || s.Empty != tt.empty {
			t.Errorf("%q: got %+v, want empty %v", tt.body, s, tt.empty)
		}
	}
}

// TestSectionReach ends sections where they end: sub-headings stay, known sections close, a repeated name within stays.
func TestSectionReach(t *testing.T) {
	src := "# Task 3: x\n\n## Goal\n\n### Why\n\na\n\n## Instructions\n\n### Context\n\nb\n\n## Context\n\nc\n\n# Appendix\n\n## Validation\n\nd\n\n### Outputs\n\ne\n"
	r := ReadTask([]byte(src))
	for kind, want := range map[SectionKind]string{Goal: "### Why\n\na", Instructions: "### Context\n\nb", Context: "c", Validation: "d", Outputs: "e"} {
		s := r.Section(kind)
		if s == nil {
			t.Errorf("%s: missing", kind)
			continue
		}
		if got := strings.TrimSpace(r.Text(s.Body)); got != want {
			t.Errorf("%s: got %q, want %q", kind, got, want)
		}
	}
	if r.ID != 3 || r.Title != "x" || r.Span != (Span{0, len(src)}) {
		t.Errorf("record: %d %q %v", r.ID, r.Title, r.Span)
	}
}

// TestEverythingInAFence has no sections at all (TRAPS).
func TestEverythingInAFence(t *testing.T) {
	r := ReadTask([]byte("# Task 1: x\n\n```\n## Goal\n\na\n\n## Validation\n\nmake\n```\n"))
	if got := kinds(r.Sections); got != nil {
		t.Errorf("got %q, want none", got)
	}
}

// TestTaskTitles reads number and title of a task file from its first heading.
func TestTaskTitles(t *testing.T) {
	for head, want := range map[string]struct {
		id    int
		title string
	}{
		"# Task 4: Update it": {4, "Update it"}, "# 4. Update it": {4, "Update it"}, "# Task 4 \u2014 Update it \u2705": {4, "Update it"}, "Task 4: Update it\n===": {4, "Update it"},
		"# Tarefa 4: Atualizar": {4, "Atualizar"}, "# 任务 4：更新": {4, "更新"}, "# Update it": {0, "Update it"}, "## Goal": {0, ""}, "# `Task 4: x`": {0, "Task 4: x"},
		"# Task 4 (urgent): Update it": {4, "Update it"},
	} {
		r := ReadTask([]byte(head + "\n\ntext\n"))
		if r.ID != want.id || r.Title != want.title {
			t.Errorf("%q: got %d %q, want %d %q", head, r.ID, r.Title, want.id, want.title)
		}
	}
}

// TestProse reads a record whose prose is in other languages (C135).
func TestProse(t *testing.T) {
	r := ReadTask([]byte("# Task 1: Ler\n\n## Goal\n\nLer a tabela: \u00e9 simples.\n\n## Touched Surface\n\n- Planned: `a/`\n- Risk class: isolated\n\n## Acceptance Criteria\n\n- [ ] อ่านได้\n\n## Validation\n\nCorrer las pruebas.\n\n## Completion & Log\n\nStatus: completed\nResumen: todo hecho.\n"))
	for _, s := range r.Sections {
		if s.Empty {
			t.Errorf("%s is empty", s.Kind)
		}
	}
	if r.Log.State != LogCompleted || r.Surface.RiskClass != "isolated" {
		t.Errorf("log %q, risk %q", r.Log.State, r.Surface.RiskClass)
	}
}

// TestDependsOn reads the forms of a dependency line.
func TestDependsOn(t *testing.T) {
	for line, want := range map[string][]int{
		"Depends on: 1, 3":                        {1, 3},
		"**Depends on:** Task 1, Task 3":          {1, 3},
		"- **Depends on:** Tasks 1 and 3":         {1, 3},
		"Depends on: #1 & #3":                     {1, 3},
		"Depends on: 1-3, 5":                      {1, 2, 3, 5},
		"Depends on: 1\u20133":                    {1, 2, 3},
		"Depends on: Task 2 (schema 5), 3":        {2, 3},
		"Depends on: Task 2 \u2014 needs 3 files": {2},
		"Depends on: none":                        nil,
		"Depends on:":                             nil,
		"Depends on: Task 1.2":                    nil,
		"Depends on:\n- Task 1\n- Task 3":         {1, 3},
		"Depende de: Tarefa 1 e Tarefa 3":         {1, 3},
		"依赖：任务 1、任务 3":                            {1, 3},
		"## Dependencies\n\n- Task 1\n- Task 3":   {1, 3},
	} {
		r := ReadTask([]byte("# Task 9: x\n\n" + line + "\n\n## Goal\n\na\n"))
		if !r.HasDepends || !cmp.Equal(r.DependsOn, want) {
			t.Errorf("%q: got %v %v, want %v", line, r.HasDepends, r.DependsOn, want)
		}
	}
	if r := ReadTask([]byte("# Task 9: x\n\n## Goal\n\nIt depends on 1.\n")); r.HasDepends {
		t.Errorf("prose: got %v", r.DependsOn)
	}
}

// TestSurface reads the facts of a touched surface, in a list, a table, one line, and nested (PD-6).
func TestSurface(t *testing.T) {
	for name, body := range map[string]string{
		"list":   "## Touched Surface\n\n- **Planned:** `a/`, `b/`\n- Actual: c\n- Risk class: seam\n",
		"nested": "## Touched Surface\n\n- Planned:\n  - `a/`\n  - `b/`\n- Actual:\n  - c\n- Risk class: seam\n",
		"table":  "## Touched Surface\n\n| Fact | Value |\n|---|---|\n| Planned | `a/`, `b/` |\n| Actual | c |\n| Risk class | seam |\n",
		"label":  "**Goal:** x\n\n**Touched Surface:** Planned: `a/`, `b/`; Actual: c; Risk class: seam\n",
		"lists":  "## Touched Surface\n\n**Planned:**\n\n- `a/`\n- `b/`\n\n**Actual:**\n\nc\n\n**Risk class:** seam\n",
	} {
		r := ReadTask([]byte("# Task 1: x\n\n" + body))
		s := r.Surface
		if s.Planned == nil || s.Actual == nil || s.RiskClass != "seam" {
			t.Errorf("%s: got %+v", name, s)
			continue
		}
		if got := strings.ReplaceAll(s.Planned.Value, "`", ""); got != "a/, b/" || s.Actual.Value != "c" {
			t.Errorf("%s: planned %q, actual %q", name, got, s.Actual.Value)
		}
	}
}

// TestLogStatus reads what a log claims (C109, TRAPS).
func TestLogStatus(t *testing.T) {
	for log, want := range map[string]LogState{
		"Status: completed\n\nbefore appending the second leg; no pending questions": LogCompleted,
		"- **Status:** pending":                                    LogPending,
		"- **Status:** \u23f3 Pending":                             LogPending,
		"- **Status:** \u2705 Complete":                            LogCompleted,
		"**Status:** ✅":                                            LogCompleted,
		"**Status:** \u23f3":                                       LogOther,
		"**Status**: `completed`":                                  LogCompleted,
		"Status: **completed**":                                    LogCompleted,
		"Status: completed <!-- pending, completed -->":            LogCompleted,
		"Status:\ncompleted":                                       LogCompleted,
		"Status: thinking":                                         LogOther,
		"Summary: done":                                            LogNone,
		"```\nStatus: completed\n```":                              LogNone,
		"> Status: completed":                                      LogNone,
		"### Status\n\ncompleted":                                  LogCompleted,
		"| Field | Value |\n|---|---|\n| Status | completed |":     LogCompleted,
		"### Amendment 1 \u2014 2026-09-02\n\n- Status: pending\n": LogNone,
		"Status: completed\n\n### Amendment 1 \u2014 2026-09-02\n\n- Status: pending": LogCompleted,
	} {
		r := ReadTask([]byte("# Task 1: x\n\n## Completion & Log\n\n" + log + "\n"))
		if r.Log.State != want {
			t.Errorf("%q: got %q, want %q", log, r.Log.State, want)
		}
	}
}

// TestLogFields reads dispositions, decisions, reconciliation and placeholders (PD-8).
func TestLogFields(t *testing.T) {
	r := ReadTask([]byte("# Task 1: x\n\n## Completion & Log\n\n- **Status:** completed\n- **Skills disposition:** defer \u2014 later, Ada\n- Documentation decision:\n  - README updated\n- Summary:\n- Finished: TBD\n- Notes: {notes}\n- Follow-ups: N/A\n- Files: none\n- TBD\n\n### Documentation Reconciliation\n\nAll current.\n"))
	l := r.Log
	if l.Skills == nil || l.Skills.Value != "defer \u2014 later, Ada" || l.Documentation == nil || l.Documentation.Value != "README updated" || !l.Reconciled {
		t.Errorf("got %+v", l)
	}
	var got []string
	for _, s := range l.Placeholders {
		got = append(got, r.Text(s))
	}
	if diff := cmp.Diff([]string{"- Summary:", "- Finished: TBD", "- Notes: {notes}", "- TBD"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestAmendments reads amendments in a log in each form (PD-12, AM-1).
func TestAmendments(t *testing.T) {
	fields := "- **Original criterion:** all pass\n- **Observed:** none ran\n- **Authority:** user\n"
	for name, head := range map[string]string{
		"heading": "### Amendment 1 \u2014 2026-09-02\n\n", "deep": "##### Amendment 1 \u2013 2026-09-02\n\n", "hyphen": "### Amendment 1 - 2026-09-02:\n\n", "same level": "## Amendment 1 \u2014 2026-09-02\n\n",
		"label": "**Amendment 1 \u2014 2026-09-02**\n\n", "colon": "**Amendment 1 \u2014 2026-09-02:**\n\n", "line": "Amendment 1 \u2014 2026-09-02\n\n", "colon first": "### Amendment 1: 2026-09-02\n\n",
		"pt": "### Emenda 1 \u2014 2026-09-02\n\n", "es": "### Enmienda 1 \u2014 2026-09-02\n\n", "zh": "### 修订 1 \u2014 2026-09-02\n\n", "th": "### การแก้ไข 1 \u2014 2026-09-02\n\n", "brackets": "### Amendment 1 (2026-09-02)\n\n",
	} {
		src := "# Task 7: x\n\n## Completion & Log\n\nStatus: completed\n\n" + head + fields + "\n" + strings.ReplaceAll(head, "1", "2")
		r := ReadTask([]byte(src))
		a := r.Log.Amendments
		if len(a) != 2 || a[0].Number != 1 || a[0].Date != "2026-09-02" || a[0].Task != 7 || a[1].Number != 2 {
			t.Errorf("%s: got %+v", name, a)
			continue
		}
		if f := firstField(a[0].Fields, FieldAuthority); len(a[0].Fields) != 3 || f == nil || f.Value != "user" {
			t.Errorf("%s: fields %+v", name, a[0].Fields)
		}
		if r.Log.State != LogCompleted {
			t.Errorf("%s: log %q", name, r.Log.State)
		}
	}
	for _, text := range []string{"See Amendment 1 \u2014 2026-09-02 for more.", "`Amendment 1 \u2014 2026-09-02`", "> ### Amendment 1 \u2014 2026-09-02", "Amendments: 1", "### Amendment rules", "### Amendments 2026"} {
		if r := ReadTask([]byte("# Task 7: x\n\n## Completion & Log\n\n" + text + "\n")); len(r.Log.Amendments) != 0 {
			t.Errorf("%q: got %+v", text, r.Log.Amendments)
		}
	}
	r := ReadTask([]byte("# Task 7: x\n\n## Completion & Log\n\n### Amendment 3 \u2014 last week\n\nx\n"))
	if a := r.Log.Amendments; len(a) != 1 || a[0].Number != 3 || a[0].Date != "" {
		t.Errorf("without a date: got %+v", a)
	}
}

// TestAmendmentKeepsLogOpen holds amendments inside the log section, in both forms of the log (PD-12).
func TestAmendmentKeepsLogOpen(t *testing.T) {
	for _, head := range []string{"## Completion & Log\n", "**Completion & Log:**\n"} {
		r := ReadTask([]byte("# Task 1: x\n\n" + head + "\nStatus: completed\n\n### Amendment 1 \u2014 2026-09-02\n\n- Reason: y\n"))
		s := r.Section(CompletionLog)
		if s == nil || !strings.Contains(r.Text(s.Body), "Reason: y") {
			t.Errorf("%q: got %+v", head, s)
		}
	}
}

// TestRangesAreBounded: ranges of a few bytes name a thousand tasks each; over all lines of a file they stand for so many
// and no more, so that the result stays in proportion to the file (TRAPS, C165).
func TestRangesAreBounded(t *testing.T) {
	const records, ranges = 500, 10
	var src strings.Builder
	for id := 1; id <= records; id++ {
		fmt.Fprintf(&src, "## Task %d: x {#task-%d}\n\nDepends on: %s\n\n", id, id, strings.Repeat("1-1000, ", ranges))
	}
	r := ReadREADME([]byte(src.String()))
	total := 0
	for _, record := range r.Records {
		total += len(record.DependsOn)
	}
	if len(r.Records) != records || len(r.Records[0].DependsOn) != ranges*1000 {
		t.Fatalf("%d records, the first depends on %d tasks; want %d and %d", len(r.Records), len(r.Records[0].DependsOn), records, ranges*1000)
	}
	if most := maxRanged + records*ranges; total > most {
		t.Errorf("%d task numbers, want at most %d", total, most)
	}
}
