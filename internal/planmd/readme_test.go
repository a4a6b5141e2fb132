package planmd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestClaims reads written counts in the forms that plans use (C35, C39), and nothing else.
func TestClaims(t *testing.T) {
	tests := []struct {
		text string
		want []Claim
	}{
		{"Plan Status: 1/3 completed", []Claim{{Done: 1, Total: 3, Label: "Plan Status"}}},
		{"**Plan Status:** 1/3 completed", []Claim{{Done: 1, Total: 3, Label: "Plan Status"}}},
		{"**Plan Status**: 1 / 3 completed", []Claim{{Done: 1, Total: 3, Label: "Plan Status"}}},
		{"## 7. Plan Status / Notes\n\n- Current status: Not started\n- Completed: 6/6", []Claim{{Done: 6, Total: 6, Label: "Completed"}}},
		{"## Plan Status\n\n- **Created:** 2026-07-14\n- **Tasks completed:** 0 / 18", []Claim{{Done: 0, Total: 18, Label: "Tasks completed"}}},
		{"## Plan Status\n\n2/3 tasks completed", []Claim{{Done: 2, Total: 3, Label: "Plan Status"}}},
		{"## Plan Status: 2/3 completed", []Claim{{Done: 2, Total: 3, Label: "Plan Status"}}},
		{"**Overall Progress:** 15/15 tasks (100%) \u2705", []Claim{{Done: 15, Total: 15, Label: "Overall Progress"}}},
		{"**Progress: 8/8 tasks completed**", []Claim{{Done: 8, Total: 8, Label: "Progress"}}},
		{"Plan Status: 2 of 3 completed", []Claim{{Done: 2, Total: 3, Label: "Plan Status"}}},
		{"| Tasks | 8 (6 user + 2) |\n|---|---|\n| Completed | 3/8 |", nil},
		{"`Plan Status: 1/3 completed`", nil},
		{"> Plan Status: 1/3 completed", nil},
		{"    Plan Status: 1/3 completed", nil},
		{"## Execution Rules\n\n- Update the count (e.g. \"1/8 tasks completed\")\n- Example: Plan Status: 0/3 completed", nil},
		{"Created: 2026/07/14", nil},
		{"Files: src/1/2 completed", nil},
		{"Gates: 14/14 passed", nil},
		{"Plan Status: soon", nil},
	}
	for _, tt := range tests {
		r := ReadREADME([]byte("# T\n\n" + tt.text + "\n"))
		for i := range r.Claims {
			if text := r.Text(r.Claims[i].Span); text == "" || strings.Contains(text, "\n") {
				t.Errorf("%q: claim stands at %q", tt.text, text)
			}
			if text := r.Text(r.Claims[i].At); !strings.HasSuffix(text, fmt.Sprint(r.Claims[i].Total)) || !strings.HasPrefix(text, fmt.Sprint(r.Claims[i].Done)) {
				t.Errorf("%q: count stands at %q", tt.text, text)
			}
			r.Claims[i].Span, r.Claims[i].At = Span{}, Span{}
		}
		if diff := cmp.Diff(tt.want, r.Claims); diff != "" {
			t.Errorf("%q: -want +got\n%s", tt.text, diff)
		}
	}
}

// TestClaimInRecord keeps counts in task records out of the plan's.
func TestClaimInRecord(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n## Task 1: x {#task-1}\n\nPlan Status: 3/3 completed\n\n# Notes\n\nPlan Status: 1/3 completed\n"))
	if len(r.Claims) != 1 || r.Claims[0].Done != 1 {
		t.Errorf("got %+v, want one claim of 1", r.Claims)
	}
}

// TestMaterializing reads the status of a plan that is not written yet (LF-4).
func TestMaterializing(t *testing.T) {
	for text, want := range map[string]bool{
		"Plan Status: materializing":                    true,
		"**Plan Status:** `materializing`":              true,
		"## Plan Status\n\nMaterializing":               true,
		"## Plan Status\n\n- **Status:** materializing": true,
		"Plan Status: 0/3 completed":                    false,
		"Notes: materializing":                          false,
		"`Plan Status: materializing`":                  false,
	} {
		if r := ReadREADME([]byte("# T\n\n" + text + "\n")); r.Materializing != want {
			t.Errorf("%q: got %v, want %v", text, r.Materializing, want)
		}
	}
}

// TestHeaderFields reads the labelled lines about the plan in each form (PD-4, PD-12).
func TestHeaderFields(t *testing.T) {
	for _, form := range []string{
		"**%s:** %s", "**%s**: %s", "- **%s:** %s", "%s: %s", "* %s: %s", "__%s:__ %s", "*%s*: %s", "**%s:** **%s**", "**%s:** `%s`", "**%s:**\n%s",
		"| Field | Value |\n|---|---|\n| %s | %s |", "| Field | Value |\n|---|---|\n| **%s** | `%s` |", "**%s:** %s <!-- or pending -->", "- \u2705 **%s:** %s",
	} {
		src := "# T\n\n" + strings.Replace(strings.Replace(form, "%s", "Approval", 1), "%s", "approved", 1) + "\n\n## Goal\n\nx\n"
		r := ReadREADME([]byte(src))
		if r.Approval == nil {
			t.Errorf("%q: no approval", form)
			continue
		}
		if r.Approval.Value != "approved" || r.ApprovalValue != ApprovalApproved || r.Text(r.Approval.At) != "approved" || r.Approval.Label != "Approval" {
			t.Errorf("%q: got %+v at %q, %s", form, *r.Approval, r.Text(r.Approval.At), r.ApprovalValue)
		}
	}
}

// TestSoftBreaks reads several labelled lines of one paragraph as so many fields.
func TestSoftBreaks(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n**Standard:** DWP spec 5.0.0 (migrated from 4.2 on 2026-08-01 \u2014 new rules)\n**Approval:** pending\nExecution: sequential \u2014 one package\nUnattended: allowed by Ada Byron on 2026-09-01\nFormat: lite\n"))
	got := []string{r.StandardVersion, r.MigratedFrom, r.ApprovalValue, r.Rationale, r.OptInBy, r.OptInOn, r.Format.Value, r.Text(r.Format.Span)}
	want := []string{"5.0.0", "4.2", ApprovalPending, "one package", "Ada Byron", "2026-09-01", "lite", "Format: lite"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// PS-22: a Standard line names the version in force, and every declared migration with its day; words of a reason are none.
func TestStandardVersions(t *testing.T) {
	for value, want := range map[string]struct {
		version    string
		migrations []Migration
	}{
		"DWP spec 5.0.0": {"5.0.0", nil},
		"DWP v4.1":       {"4.1", nil},
		"DWP 5.0.0 (Migrated from DWP 4.0.1 on 2026-08-01)": {"5.0.0", []Migration{{"4.0.1", "2026-08-01"}}},
		"DWP 5.0.0 (migrated from 4.0.1 — agreed)":          {"5.0.0", []Migration{{"4.0.1", ""}}},
		"5.0.0 (migrated from 1.2.0 on 2026-08-01 — a; from 4.0.0 on 2026-09-01 — b)": {"5.0.0",
			[]Migration{{"1.2.0", "2026-08-01"}, {"4.0.0", "2026-09-01"}}},
		"5.0.0 (migrated from 1.2.0 on 2026-08-01 — we move; from 7.1 people to 9; from now on)": {"5.0.0", []Migration{{"1.2.0", "2026-08-01"}}},
		"migrated from":  {"", nil},
		"DWP 5":          {"", nil},
		"1.2.3.4, 5.0.0": {"5.0.0", nil},
	} {
		if v, from := standardVersions(value); v != want.version || !slices.Equal(from, want.migrations) {
			t.Errorf("%q: got %q, %q, want %q", value, v, from, want)
		}
	}
}

func TestRationale(t *testing.T) {
	for value, want := range map[string]string{
		"sequential \u2014 one: package": "one: package",
		"sequential \u2013 a":            "a",
		"sequential - a":                 "a",
		"sequential: a - b":              "a - b",
		"sequential":                     "",
		"non-sequential":                 "",
	} {
		if got := rationale(value); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}

// TestStatusLines keeps prose status lines.
func TestStatusLines(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n**Status:** \u2705 Completed\n\n## Plan Status\n\n- Current status: Not started\n"))
	var got []string
	for _, f := range r.StatusAt {
		got = append(got, f.Value)
	}
	if want := []string{"\u2705 Completed", "Not started"}; !cmp.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestGroups reads the parallel groups table (PD-12).
func TestGroups(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n## Team\n\n| Group | Tasks | Teammate | Owned files |\n|---|---|---|---|\n| A | 1, 3-4 | ada | `a/`, `b.go` |\n| B | Task 2 | bob | c\\|d |\n"))
	for i := range r.Groups {
		r.Groups[i].Span = Span{}
	}
	want := []Group{{Name: "A", Tasks: []int{1, 3, 4}, Teammate: "ada", Owned: []string{"a/", "b.go"}}, {Name: "B", Tasks: []int{2}, Teammate: "bob", Owned: []string{"c|d"}}}
	if diff := cmp.Diff(want, r.Groups); diff != "" || !r.TeamTable {
		t.Errorf("table %v: %s", r.TeamTable, diff)
	}
	if r := ReadREADME([]byte("# T\n\n| Phase | Tasks |\n|---|---|\n| 1 | 1-4 |\n")); r.TeamTable || r.Groups != nil {
		t.Errorf("a phase table: got %v", r.Groups)
	}
}

// TestVariables lists names in double braces outside comments.
func TestVariables(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n{{BRANCH}} and `{{ WORK_DIR }}` and {{BRANCH}}\n\n```\ncd {{DIR}}\n${{ secrets }} {{ .Name }} {{}}\n```\n\n<!-- {{HIDDEN}} -->\n"))
	if want := []string{"BRANCH", "WORK_DIR", "DIR"}; !cmp.Equal(r.Variables, want) {
		t.Errorf("got %q, want %q", r.Variables, want)
	}
}

// TestRecords reads records behind anchors, and what stands loose (LF, C11, TRAPS).
func TestRecords(t *testing.T) {
	src := "# T\n\nSee `## Task 3: x {#task-3}`.\n\n> ## Task 4: x {#task-4}\n\n<!--\n## Task 5: x {#task-5}\n-->\n\n```\n## Task 6: x {#task-6}\n```\n\n" +
		"## Task 1: First {#task-1}\n\n### Goal\n\na\n\n```\n## Task 7: x {#task-7}\n```\n\nTask 2: Second {#Task-2 .x} \n---\n\n### Goal\n\nb\n\n## Task 8: Third {#task-8} ##\n\n## Task 9: Loose\n\n### Goal\n\nc\n\n## Notes\n\n### Goal\n\nd\n"
	r := ReadREADME([]byte(src))
	type head struct {
		ID            int
		Title, Anchor string
		Goal          string
	}
	heads := func(records []Record) []head {
		var out []head
		for i := range records {
			h := head{ID: records[i].ID, Title: records[i].Title, Anchor: records[i].Anchor}
			if s := records[i].Section(Goal); s != nil {
				h.Goal, _, _ = strings.Cut(strings.TrimSpace(r.Text(s.Body)), "\n")
			}
			out = append(out, h)
		}
		return out
	}
	if diff := cmp.Diff([]head{{1, "First", "task-1", "a"}, {2, "Second", "Task-2", "b"}, {8, "Third", "task-8", ""}}, heads(r.Records)); diff != "" {
		t.Errorf("records: %s", diff)
	}
	if diff := cmp.Diff([]head{{9, "Loose", "", "c"}}, heads(r.Loose)); diff != "" {
		t.Errorf("loose: %s", diff)
	}
	if s := r.Section(Goal); s == nil || strings.TrimSpace(r.Text(s.Body)) != "d" {
		t.Errorf("own goal: %+v", s)
	}
}

// TestHealthy reads the fixtures as they are meant.
func TestHealthy(t *testing.T) {
	full, lite := ReadREADME([]byte(fullREADME)), ReadREADME([]byte(liteREADME))
	for name, r := range map[string]*README{"full": full, "lite": lite} {
		if r.Title != "Weather relay" || r.StandardVersion != "5.0.0" || len(r.Index) != 2 || len(r.Claims) != 1 || len(r.Problems) != 0 || r.Section(Goal) == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if len(lite.Records) != 2 || lite.Records[0].Log.State != LogCompleted || lite.Records[0].Log.Skills == nil || lite.Records[0].Surface.RiskClass != "isolated" {
		t.Fatalf("records: %+v", lite.Records)
	}
	if second := lite.Records[1]; second.Log.State != LogPending || !cmp.Equal(second.DependsOn, []int{1}) || !second.HasDepends {
		t.Errorf("second record: %+v", second)
	}
	if got := lite.Records[0].Section(Validation).Code; !cmp.Equal(got, []string{"go test ./feed\n"}) {
		t.Errorf("gate: %q", got)
	}
}

// TestLabelsOnOneLine reads emphasised labels with a bar or a dot between them.
func TestLabelsOnOneLine(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n**Standard:** DWP spec 5.0.0 | **Approval:** approved \u00b7 **Execution:** sequential \u2014 one | two\n"))
	if r.Standard == nil || r.Approval == nil || r.Execution == nil {
		t.Fatalf("got %+v", r)
	}
	if got, want := r.Standard.Value+","+r.Approval.Value+","+r.Rationale, "DWP spec 5.0.0,approved,one | two"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTitles tells a title from sections.
func TestTitles(t *testing.T) {
	for _, tt := range []struct {
		src, title string
		goal       bool
	}{
		{"# T\n\n## Goal\n\nx\n", "T", true},
		{"# Validation\n\n## Goal\n\nx\n", "Validation", true},
		{"# T\n\n# Goal\n\nx\n\n# Context\n\ny\n", "T", true},
		{"# Goal\n\nx\n\n# Context\n\ny\n", "", true},
		{"## T\n\n## Goal\n\nx\n", "T", true},
		{"## Goal\n\nx\n\n# T\n", "T", true},
		{"## Goal\n\nx\n", "", true},
		{"## Task 1: x {#task-1}\n", "", false},
		{"text\n", "", false},
	} {
		r := ReadREADME([]byte(tt.src))
		if r.Title != tt.title || (r.Section(Goal) != nil) != tt.goal {
			t.Errorf("%q: got %q, goal %v", tt.src, r.Title, r.Section(Goal))
		}
	}
	if r := ReadTask([]byte("# Validation of feeds\n\n## Validation\n\nmake\n")); r.Title != "Validation of feeds" || r.Section(Validation).Empty {
		t.Errorf("task: got %q, %+v", r.Title, r.Sections)
	}
}

// TestCommentAboveList keeps the list that follows a comment without a blank line (C09).
func TestCommentAboveList(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n## Task List\n<!-- - [ ] Task 9: Title -->\n- [x] Task 1: a\n<!--\n- [ ] Task 8: b\n-->\n- [ ] Task 2: c <!-- - [ ] Task 7: d -->\n"))
	if want := []indexRow{{1, "x", "a", "", ""}, {2, " ", "c", "", ""}}; !cmp.Equal(indexRows(r.Index), want) {
		t.Errorf("got %v, want %v", indexRows(r.Index), want)
	}
}

// TestNoFields lists text that is no labelled line.
func TestNoFields(t *testing.T) {
	for _, text := range []string{
		"https://example.org/x", "Meeting at 10:30 today", "`Approval: approved`", "> Approval: approved", "    Approval: approved",
		"<!-- Approval: approved -->", "```\nApproval: approved\n```", "| Approval | approved | by Ada |", "- [ ] Approval: approved", "What now? Approval: approved",
		"| a | Approval | b |\n|---|---|---|\n| Approval | approved | x |", "**Approval** is given", "Approval approved",
	} {
		if r := ReadREADME([]byte("# T\n\n" + text + "\n")); len(r.Fields) != 0 {
			t.Errorf("%q: got %+v", text, r.Fields)
		}
	}
}

// TestNotesInRecord keeps a deeper "Task N" heading in the record it stands in.
func TestNotesInRecord(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n## Task 1: a {#task-1}\n\n### Goal\n\nx\n\n### Task 2: how it follows\n\ny\n\n### Validation\n\nmake\n"))
	if len(r.Loose) != 0 || len(r.Records) != 1 || r.Records[0].Section(Validation) == nil {
		t.Errorf("loose %+v, records %+v", r.Loose, r.Records)
	}
}
