package work

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/verify"
)

func reportOf(t *testing.T, s *plan.Snapshot, questions string) string {
	t.Helper()
	return Report(s, verify.Plan(s, verify.Options{Now: noon, InGit: true}), []byte(questions), noon)
}

// TestReport: what was done, by which evidence, what was changed and decided, what is open; and which of it is only claimed (WP-1, WP-3,
// GU-11, PS-14).
func TestReport(t *testing.T) {
	tw := withGate(t, inProgress(t, true), 2)
	done(t, tw, decision("a view").Decide)
	must(t, second(do(t, tw, completion(2).Decide)))
	done(t, tw, (&Reopen{Who: mill, Task: 2, Reason: "again", Amendment: amendment("2")}).Decide)
	must(t, tw.Put(plan.CandidatesFile, []byte("# S\n\n- T1-1: read logs\n"), 0o644))
	text := reportOf(t, snapshot(t, tw), "# Questions\n\n## Which lid?\n\nDefault: blue\n")
	for _, want := range []string{
		"# Report: Load the shards\n", "- Plan: PLAN_generated_load\n", "- Status: in progress, 1 of 3 tasks completed\n", "> Every shard is loaded.\n",
		"### Task 2: Load shard 2\n", "- Worked: bulk copy (claim)\n", "| 1 | make test-shard | passed, exit 0 | 2026-09-01 09:59 | 12 passed | claim |\n",
		"Older or invalidated records, which count no more: 1.\n", "- Task 2, amendment 1, 2026-09-02 (claim)\n",
		"- D1 (2026-09-02, task 2, by Mill): a view (claim)\n  - Options: a table; a view\n  - Why: it is reversible\n  - Revert: drop the view\n",
		"- Tasks not completed: 2\n", "- Question without an answer: Which lid?\n", "- Skills candidate T1-1, undecided: read logs\n", "The plan is not published.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if again := reportOf(t, snapshot(t, tw), "# Questions\n\n## Which lid?\n\nDefault: blue\n"); again != text {
		t.Error("the same plan makes another report")
	}
}

// TestReportPublished: the receipt is told, and whether it holds (VP-5).
func TestReportPublished(t *testing.T) {
	tw := last(t, false)
	must(t, second(do(t, tw, completion(3).Decide)))
	if text := reportOf(t, snapshot(t, tw), ""); !strings.Contains(text, "FINALIZATION.json: it agrees with the plan as it stands\n") || !strings.Contains(text, "## Open points\n\n- Verify, should, commit/missing: task 3") {
		t.Errorf("%s", text)
	}
	must(t, tw.Put("PROMPTS.md", []byte("other\n"), 0o644))
	if text := reportOf(t, snapshot(t, tw), ""); !strings.Contains(text, "the plan was changed since") || !strings.Contains(text, "Verify, must, receipt/artefact") {
		t.Errorf("%s", text)
	}
}

// TestReportInert: nothing that a plan says is structure of the report: no heading, row, link, mark-up or comment (PD-10).
func TestReportInert(t *testing.T) {
	const hostile = "x | y\\n## Task 9: done <script>alert(1)</script> [a](http://b) `c` <!-- *d* \u202e"
	want := []string{"Goal", "Tasks", "Evidence", "Amendments and exceptions", "Decisions", "Open points", "Receipt"}
	files := plantest.Plan(plantest.Spec{Tasks: 2, Done: 2})
	for name, edit := range map[string][2]string{
		"README.md":  {"Every shard is loaded.", "```\n<!-- x\n## Receipt\n\n[a]: http://b\n<script>\n"},
		"state.json": {`"worked": "bulk copy"`, `"worked": "` + hostile + `"`},
	} {
		files[name].Data = []byte(strings.ReplaceAll(string(files[name].Data), edit[0], edit[1]))
	}
	files["PROGRESS.md"].Data = append(files["PROGRESS.md"].Data, "\n## Decisions\n\n- D1: "+strings.ReplaceAll(hostile, "\\n", " ")+"\n"...)
	files["state.json"].Data = []byte(strings.ReplaceAll(string(files["state.json"].Data), "12 passed", "a | b <b>"))
	s, err := plan.Read(files, plantest.Name)
	must(t, err)
	text := reportOf(t, s, "")
	g := planmd.ReadProgress([]byte(text))
	var got []string
	for _, section := range g.Sections {
		if section.Level == 2 {
			got = append(got, section.Label)
		}
	}
	if !slices.Equal(got, want) || len(g.Problems) > 0 || strings.Contains(strings.ReplaceAll(text, `\<`, ""), "<script") || strings.ContainsAny(text, "\u202e") || strings.Contains(text, "a | b") {
		t.Errorf("sections %q, problems %v:\n%s", got, g.Problems, text)
	}
}

// TestReportOdd: plans without JSON, without README, without anything are reported as what they are.
func TestReportOdd(t *testing.T) {
	for name, gone := range map[string][]string{
		"no JSON": {"state.json", "manifest.json"}, "no README": {"README.md"}, "no PROGRESS": {"PROGRESS.md"},
		"nothing": {"README.md", "PROGRESS.md", "state.json", "manifest.json", "PROMPTS.md", "analysis_results/notes.md"},
	} {
		tw := folder(t, plantest.Spec{Tasks: 2, Done: 1})
		for _, file := range gone {
			must(t, tw.Remove(file))
		}
		if text := reportOf(t, snapshot(t, tw), ""); !strings.HasPrefix(text, "# Report: ") || !strings.Contains(text, "## Receipt\n") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// FuzzInert: no text has more than one line, or a mark without its escape.
func FuzzInert(f *testing.F) {
	for _, seed := range []string{"a", "# x", "a|b", "\\", "\x00", "`", "\u202e", "- x", "&lt;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := inert(text)
		bare := strings.NewReplacer(`\\`, "", "\\`", "", `\*`, "", `\_`, "", `\[`, "", `\]`, "", `\<`, "", `\>`, "", `\|`, "", `\~`, "", `\&`, "", `\!`, "", `\#`, "", `\$`, "").Replace(got)
		if strings.ContainsAny(bare, "\\`*[]<>|~&!#$\n\r") {
			t.Errorf("%q: %q", text, got)
		}
	})
}
