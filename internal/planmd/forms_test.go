package planmd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReferenceLinks reads links whose target stands elsewhere on the page, and leaves undefined ones text (PD-4, C23).
func TestReferenceLinks(t *testing.T) {
	const defined = "\n[t1]: ./1.task_a.md\n[Serve it]: <2.task_b.md> \"title\"\n[T1]: ./9.task_z.md\n"
	tests := []struct{ line, link, title string }{
		{"- [ ] Task 1: [Read it][t1]", "1.task_a.md", "Read it"},
		{"- [ ] Task 2: [Serve it]", "2.task_b.md", "Serve it"},
		{"- [ ] Task 2: [Serve it][]", "2.task_b.md", "Serve it"},
		{"- [ ] [Task 1: Read it][t1]", "1.task_a.md", "Read it"},
		{"- [ ] Task 1: [Read it][T1]", "1.task_a.md", "Read it"}, // labels know no case; the first definition counts
		{"- [ ] Task 1: [Read it][t7]", "", "[Read it][t7]"},
		{"- [ ] Task 1: `[Read it][t1]`", "", "[Read it][t1]"},
	}
	for _, tt := range tests {
		r := ReadREADME([]byte("# T\n\n## Task List\n\n" + tt.line + "\n" + defined))
		if len(r.Index) != 1 || r.Index[0].Link != tt.link || r.Index[0].Title != tt.title {
			t.Errorf("%q: got %+v", tt.line, r.Index)
		}
	}
}

// TestHTMLAnchor: only {#task-N} is an anchor of the standard (PD-5).
func TestHTMLAnchor(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n<a id=\"task-2\"></a>\n\n## Task 2: x\n\n### Goal\n\ny\n"))
	if len(r.Records) != 0 || len(r.Loose) != 1 || r.Loose[0].ID != 2 {
		t.Errorf("got records %v, loose %v", r.Records, r.Loose)
	}
}

// TestFlatRecords: sections on the level of their record's heading belong to it (C13), the README's own do not.
func TestFlatRecords(t *testing.T) {
	const before = "# T\n\n## Goal\n\ng\n\n## Context\n\nc\n\n"
	const flat = "## Task 1: x {#task-1}\n\n### Goal\n\ng\n\nAcceptance Criteria\n---\n\n- [ ] a\n\nValidation\n---\n\nrun\n\n### Completion & Log\n\nStatus: pending\n"
	tests := []struct {
		text        string
		record, own []SectionKind
	}{
		{before + flat, []SectionKind{Goal, Acceptance, Validation, CompletionLog}, []SectionKind{Goal, Context}},
		{before + "## Task 1: x {#task-1}\n\n## Goal\n\ng\n\n## Context\n\nc\n\n## Execution Rules\n\nr\n", []SectionKind{Goal, Context}, []SectionKind{Goal, Context, ExecutionRules}},
		// Without a Goal before its records, the one behind them is the README's.
		{"# T\n\n## Task 1: x {#task-1}\n\n### Validation\n\nv\n\n## Goal\n\ng\n", []SectionKind{Validation}, []SectionKind{Goal}},
		// A record has each section once: a second Validation is not its own.
		{"# T\n\n## Task 1: x {#task-1}\n\n### Validation\n\nv\n\n## Validation\n\nof the plan\n", []SectionKind{Validation}, []SectionKind{Validation}},
	}
	for _, tt := range tests {
		r := ReadREADME([]byte(tt.text))
		if len(r.Records) != 1 {
			t.Errorf("%q: %d records", tt.text, len(r.Records))
			continue
		}
		if diff := cmp.Diff(tt.record, kinds(r.Records[0].Sections)); diff != "" {
			t.Errorf("%q: record: %s", tt.text, diff)
		}
		if diff := cmp.Diff(tt.own, kinds(r.Sections)); diff != "" {
			t.Errorf("%q: own: %s", tt.text, diff)
		}
	}
}

// TestMixedForms: a bold label begins a section between headings when the one before it has words (PD-11); in a log it
// speaks of the log.
func TestMixedForms(t *testing.T) {
	tests := []struct {
		body string
		want []SectionKind
	}{
		{"## Context\n\nc\n\n**Goal:** g\n\n## Validation\n\nv\n", []SectionKind{Context, Goal, Validation}},
		{"## Context\n\nc\n\n**Goal**\n\ng\n", []SectionKind{Context, Goal}},
		{"## Context\n\nc\n\n**Goal:** g\n\n## Goal\n\nh\n", []SectionKind{Context, Goal}},
		{"## Completion & Log\n\nc\n\n**Validation:** all passed\n", []SectionKind{CompletionLog}},
		{"## Instructions\n\nc\n\n**Validation:** run it last\n", []SectionKind{Instructions}},
	}
	for _, tt := range tests {
		r := ReadTask([]byte("# Task 1: x\n\n" + tt.body))
		if diff := cmp.Diff(tt.want, kinds(r.Sections)); diff != "" {
			t.Errorf("%q: %s", tt.body, diff)
		}
		for _, s := range r.Sections {
			if s.Empty {
				t.Errorf("%q: %s is empty", tt.body, s.Kind)
			}
		}
	}
}

// TestHiddenClaims finds the count where no own part of the README has it: below loose task headings, in a table of the
// plan's data, behind the last record (PD-4).
func TestHiddenClaims(t *testing.T) {
	const index = "# T\n\n## Task List\n\n- [x] Task 1: a\n"
	tests := []struct {
		text        string
		done, total int
	}{
		{index + "\n### Task 1: a\n\nsee below\n\nPlan Status: 1/3 completed\n", 1, 3},
		{index + "\n| Field | Value |\n|---|---|\n| Plan Status | 1/3 completed |\n", 1, 3},
		{index + "\n## Task 1: a {#task-1}\n\n### Goal\n\ng\n\nPlan Status: 1/3 completed\n", 1, 3},
		// A better one stands before.
		{index + "\nPlan Status: 1/1 completed\n\n## Task 1: a {#task-1}\n\n### Goal\n\nPlan Status: 0/3 completed\n", 1, 1},
	}
	for _, tt := range tests {
		r := ReadREADME([]byte(tt.text))
		if len(r.Claims) != 1 || r.Claims[0].Done != tt.done || r.Claims[0].Total != tt.total {
			t.Errorf("%q: got %+v", tt.text, r.Claims)
		}
	}
	if r := ReadREADME([]byte(index + "\n| Plan Status | 1/3 |\n|---|---|\n| Phase 1 | 1/3 |\n")); len(r.Claims) != 0 {
		t.Errorf("rows of another table: got %+v", r.Claims)
	}
}

// TestLineBelowTable: a line without a bar right below a table is a line of its own.
func TestLineBelowTable(t *testing.T) {
	r := ReadTask([]byte("# Task 1: x\n\n## Completion & Log\n\n| Field | Value |\n|---|---|\n| Status | completed |\nSkills disposition: none\n"))
	if r.Log.State != LogCompleted || r.Log.Skills == nil || r.Log.Skills.Value != "none" {
		t.Errorf("got %+v", r.Log)
	}
}

// TestLogInForce: of several status lines the last counts, and a placeholder is no result (C109, WP-2).
func TestLogInForce(t *testing.T) {
	tests := []struct {
		log  string
		want LogState
	}{
		{"Status: pending\n\nStatus: completed\n", LogCompleted},
		{"Status: completed\n\n- **Status:** pending\n", LogPending},
		{"Status: completed\nPhase: started\n", LogCompleted},
		{"Status: completed\n\nStatus:\n", LogCompleted},
		{"Status: TBD\n", LogPending},
		{"Status: {status}\n", LogPending},
		{"Status: N/A\n", LogOther},
	}
	for _, tt := range tests {
		if r := ReadTask([]byte("# Task 1: x\n\n## Completion & Log\n\n" + tt.log)); r.Log.State != tt.want {
			t.Errorf("%q: got %q, want %q", tt.log, r.Log.State, tt.want)
		}
	}
}

// TestDashLabels: a disposition or decision may have a dash for its colon (PD-8); prose with a dash is no label.
func TestDashLabels(t *testing.T) {
	r := ReadTask([]byte("# Task 1: x\n\n## Completion & Log\n\n- **Skills disposition** \u2014 update api\n- Documentation decision - none\n- Skills were hard - none of us had them\n"))
	if r.Log.Skills == nil || r.Log.Skills.Value != "update api" || r.Log.Documentation == nil || r.Log.Documentation.Value != "none" {
		t.Errorf("got %+v, %+v", r.Log.Skills, r.Log.Documentation)
	}
	for _, line := range []string{"Skills were hard - none of us had them", "Reason \u2014 x", "Skills disposition \u2014"} {
		if r := ReadTask([]byte("# Task 1: x\n\n## Completion & Log\n\n" + line + "\n")); r.Log.Skills != nil {
			t.Errorf("%q: got %+v", line, r.Log.Skills)
		}
	}
}

// TestUndecided tells what decides nothing yet from what does, in few words (PD-8).
func TestUndecided(t *testing.T) {
	for value, want := range map[string]bool{
		"": true, "TBD": true, "pending": true, "Pending.": true, "pendiente": true, "none / update x / create x": true, "defer": true,
		"none": false, "update pending-queue": false, "pending: owner Ana decides, api skill": false, "defer \u2014 early, Ana": false, "README updated": false,
	} {
		if got := Undecided(value); got != want {
			t.Errorf("%q: got %v", value, got)
		}
	}
}

// TestProseBoxes: a list of boxes in the Task List that names no task is no part of the index (TRAPS); one among tasks is,
// so that a task without a number is named (C23).
func TestProseBoxes(t *testing.T) {
	const index = "# T\n\n## Task List\n\n- [x] Task 1: a\n"
	r := ReadREADME([]byte(index + "\nNotes:\n\n- [ ] output of Task 1 is reused\n- [x] told the team\n"))
	if len(r.Index) != 1 || len(r.Notes) != 2 {
		t.Errorf("got index %v, notes %v", r.Index, r.Notes)
	}
	r = ReadREADME([]byte(index + "- [ ] write the docs\n"))
	if len(r.Index) != 2 || r.Index[1].ID != 0 || len(r.Notes) != 0 {
		t.Errorf("got index %v, notes %v", r.Index, r.Notes)
	}
	r = ReadREADME([]byte("# T\n\n## Task List\n\n- [ ] write the docs\n"))
	if len(r.Index) != 1 || len(r.Notes) != 0 {
		t.Errorf("alone: got index %v, notes %v", r.Index, r.Notes)
	}
}

// TestAcceptedBelow: the lines of a finding's paragraph that go on about it may settle it (PD-7).
func TestAcceptedBelow(t *testing.T) {
	tests := []struct {
		text string
		open int
	}{
		{"Critical: keys are logged; open.\nAccepted by Ana on 2026-09-01: logs stay internal.\n", 0},
		{"Critical: keys are logged\nStatus: fixed in a1b2c3d\n", 0},
		{"Critical: keys are logged\nStatus: open\n", 1},
		{"Critical: keys are logged\nHigh: slow hash, fixed\n", 1},
	}
	for _, tt := range tests {
		if r := ReadReview([]byte("# Security review\n\n" + tt.text)); len(r.Critical) != tt.open {
			t.Errorf("%q: got %+v", tt.text, r.Critical)
		}
	}
}

// TestSectionPairs: names made of two words, either order where both are usual (PD-11).
func TestSectionPairs(t *testing.T) {
	for kind, names := range map[SectionKind]string{
		Surface: "Affected Files|Impacted Area|Superf\u00edcie impactada|Superficies afectadas|Superficie de cambio|\u53d8\u66f4\u8303\u56f4|\u6d89\u53ca\u9762|\u8b8a\u66f4\u7bc4\u570d",
		CompletionLog: "Completion + Log|Log and Completion|Cierre y bit\u00e1cora|Bit\u00e1cora y cierre|Encerramento e registro|Registro de encerramento|" +
			"\u5b8c\u6210\u4e0e\u7eaa\u5f55|\u65e5\u5fd7\u4e0e\u5b8c\u6210|\u6536\u5c3e\u548c\u8bb0\u5f55",
		Goal:  "The goal|Section 3: Goal|Secci\u00f3n 2. Objetivo",
		Other: "Step 3: Goal|Surface|Changed files|Closing notes|Completion of the feed|The rest|Section goals of the feed",
	} {
		for name := range strings.SplitSeq(names, "|") {
			if got := sectionKind(name); got != kind {
				t.Errorf("%q: got %q, want %q", name, got, kind)
			}
		}
	}
}

// TestAuthority: who allowed a change, a name before the word or not, in the languages of PD-11 (AM-1, UN-6).
func TestAuthority(t *testing.T) {
	for value, want := range map[string]string{
		"user": AuthorityUser, "User (Ana)": AuthorityUser, "Ana (user)": AuthorityUser, "\"user\"": AuthorityUser, "the developer": AuthorityDeveloper,
		"**developer**": AuthorityDeveloper, "desarrollador": AuthorityDeveloper, "usu\u00e1rio": AuthorityUser, "\u8bc1\u636e": AuthorityEvidence,
		"evidence": AuthorityEvidence, "agent": "", "agent, on behalf of the user": "", "user, relayed by codex": "", "not the user": "", "maintainer": "", "superuser": "", "": "",
	} {
		if got := Authority(value); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}

// TestDeferral finds a deferral anywhere in a disposition (AM-2).
func TestDeferral(t *testing.T) {
	for value, want := range map[string]bool{
		"deferred to task 3": true, "requirement deferred to Task 3": true, "aplazado a la tarea 3": true, "revised": false, "not deferred": false, "": false,
	} {
		if got := Deferral(value); got != want {
			t.Errorf("%q: got %v", value, got)
		}
	}
}

// TestQuotedCriterion: the original criterion of an amendment may stand as a quotation (AM-1).
func TestQuotedCriterion(t *testing.T) {
	r := ReadTask([]byte("# Task 1: x\n\n## Completion & Log\n\n### Amendment 1 \u2014 2026-09-02\n\n- Original criterion:\n  > covered by tests\n- Authority:\n  > user\n"))
	got := map[FieldKind]string{}
	for _, f := range r.Log.Amendments[0].Fields {
		got[f.Kind] = f.Value
	}
	if got[FieldOriginal] != "covered by tests" || got[FieldAuthority] != "" {
		t.Errorf("got %q", got)
	}
}

// TestRuleBelowLines: "---" right below the last lines of a log is meant as a rule; below one line of words it underlines
// a heading (C13).
func TestRuleBelowLines(t *testing.T) {
	for _, log := range []string{"Status: pending\n---\n", "Status: pending\nSummary: none\n---\n", "words of the log\non two lines\n---\n"} {
		r := ReadREADME([]byte("# T\n\n## Task 1: x {#task-1}\n\n### Completion & Log\n\n" + log + "\n## Task 2: y {#task-2}\n"))
		if s := r.Records[0].Section(CompletionLog); s == nil || s.Empty {
			t.Errorf("%q: got %+v", log, s)
		}
	}
	r := ReadTask([]byte("# Task 1: x\n\nGoal\n---\n\ng\n"))
	if diff := cmp.Diff([]SectionKind{Goal}, kinds(r.Sections)); diff != "" {
		t.Error(diff)
	}
}

// TestOpenSentences: a sentence that says a critical finding is open counts; one that denies, asks or supposes does not (PD-7).
func TestOpenSentences(t *testing.T) {
	for text, open := range map[string]int{
		"The critical finding about keys is still open.":                1,
		"Critical issue remains: keys are logged.":                      1,
		"There are 2 critical vulnerabilities that are unresolved.":     1,
		"No critical finding is open.":                                  0,
		"If a critical finding is open, stop.":                          0,
		"The critical finding about keys is not open.":                  0,
		"The critical finding about keys is fixed in a1b2c3d.":          0,
		"Critical issue remains: keys.\nAccepted by Ana on 2026-09-01.": 0,
		"The critical path is open for review.":                         0,
	} {
		if r := ReadReview([]byte("# Security review\n\n" + text + "\n")); len(r.Critical) != open {
			t.Errorf("%q: got %+v", text, r.Critical)
		}
	}
}

// TestEmptyHeadingLabel: a heading that is a label gives way to the line below it (PD-4, LF-8).
func TestEmptyHeadingLabel(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n## Parallelism\n\nExecution: sequential \u2014 one package\n"))
	if r.Execution == nil || r.Rationale != "one package" {
		t.Errorf("got %+v", r.Execution)
	}
}

// TestOwnedPaths: what a cell of owned files names, and what in it is no file (AG-6).
func TestOwnedPaths(t *testing.T) {
	tests := []struct {
		cell string
		want []string
	}{
		{"a.go, b/; c.go", []string{"a.go", "b/", "c.go"}},
		{"a.go<br>b.go", []string{"a.go", "b.go"}},
		{"api/ (handlers only)", []string{"api/"}},
		{"none", nil}, {"\u2014", nil}, {"TBD", nil}, {"-", nil}, {"ninguno", nil},
		{"nonegate.go", []string{"nonegate.go"}},
	}
	for _, tt := range tests {
		if got := ownedPaths(tt.cell); !cmp.Equal(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.cell, got, tt.want)
		}
	}
}
