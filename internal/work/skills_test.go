package work

import (
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
)

const fresh = "# Skills candidates\n\nWhat a task teaches.\n\nThere are none yet.\n"

// withCandidates is a plan with tasks 1 to 3 and a SKILLS_CANDIDATES.md; none with "".
func withCandidates(t *testing.T, text string, spec plantest.Spec) *disk.Twin {
	t.Helper()
	tw := folder(t, spec)
	if text != "" {
		must(t, tw.Put(plan.CandidatesFile, []byte(text), 0o644))
	}
	return tw
}

// TestAddSkill: candidates get IDs within their task, replace the sentence that there is none, and are not added twice (PD-8).
func TestAddSkill(t *testing.T) {
	for name, tt := range map[string]struct{ text, id, want string }{
		"a new plan":    {fresh, "T2-1", "What a task teaches.\n\n- T2-1: Read `the` log\n  - Why: it helps\n  - Disposition: pending\n"},
		"no file":       {"", "T2-1", "# Skills candidates\n\n- T2-1: Read `the` log\n  - Why: it helps\n  - Disposition: pending\n"},
		"text behind":   {fresh + "\nSee the log.\n", "T2-1", "# Skills candidates\n\nWhat a task teaches.\n\n\nSee the log.\n\n- T2-1: Read `the` log\n  - Why: it helps\n  - Disposition: pending\n"},
		"CRLF":          {strings.ReplaceAll(fresh, "\n", "\r\n"), "T2-1", "What a task teaches.\r\n\r\n- T2-1: Read `the` log\r\n  - Why: it helps\r\n  - Disposition: pending\r\n"},
		"others":        {"# S\n\n- T2-4: a\n- T1-9: b\n", "T2-5", "- T1-9: b\n\n- T2-5: Read"},
		"a table":       {"| ID | Skill |\n|---|---|\n| T2-1 | a |\n", "T2-2", "| T2-1 | a |\n\n- T2-2: Read"},
		"once deleted":  {"# S\n\nT2-3 was dropped; XT2-9, T2-999999999 and T22-8 are others.\n", "T2-4", "- T2-4: Read"},
		"a disposition": {"# S\n\n- Disposition of T2-6: none\n", "T2-7", "- T2-7: Read"},
	} {
		tw := withCandidates(t, tt.text, plantest.Spec{Tasks: 3, Done: 1})
		before := tw.Tree()
		c := &AddSkill{Who: mill, Task: 2, Title: "Read `the` log", Why: "it helps"}
		done(t, tw, c.Decide)
		tree := tw.Tree()
		if got := tree[plan.CandidatesFile]; c.ID != tt.id || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s: %q", name, c.ID, got)
		}
		if tree["state.json"] != before["state.json"] {
			t.Errorf("%s: state.json was changed", name)
		}
		conformant(t, snapshot(t, tw))
	}
}

// TestUpdateSkill: a candidate is decided in its place, whatever form it has, or in a line of its own (PD-8).
func TestUpdateSkill(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"ours":      {"# S\n\n- T2-1: a\n  - Disposition: pending\n- T2-2: b\n", "- T2-1: a\n  - Disposition: update logs\n- T2-2: b\n"},
		"a table":   {"| ID | Skill | Disposition |\n|---|---|---|\n| T2-1 | a | pending |\n", "| T2-1 | a | update logs |\n"},
		"no place":  {"# S\n\n- T2-1: a\n", "- T2-1: a\n\n- Disposition of T2-1: update logs\n"},
		"a heading": {"# S\n\n## T2-1 a\n\n**Disposition:** none\n\n## b\n", "**Disposition:** update logs\n\n## b\n"},
		"decided":   {"# S\n\n- T2-1: a\n\n- Disposition of T2-1: none\n", "- Disposition of T2-1: update logs\n"},
	} {
		tw := withCandidates(t, tt.text, plantest.Spec{Tasks: 3, Done: 1})
		done(t, tw, (&UpdateSkill{Who: mill, ID: "t2-1", Disposition: "update logs"}).Decide)
		if got := tw.Tree()[plan.CandidatesFile]; !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q", name, got)
		}
		conformant(t, snapshot(t, tw))
	}
}

// TestSkillsPublished: in a published plan candidates are only appended; the receipt holds (VP-5).
func TestSkillsPublished(t *testing.T) {
	tw := last(t, false)
	must(t, tw.Put(plan.CandidatesFile, []byte(fresh+"\n- T1-1: a\n  - Disposition: pending\n"), 0o644))
	must(t, second(do(t, tw, completion(3).Decide)))
	before := tw.Tree()[plan.CandidatesFile]
	done(t, tw, (&AddSkill{Who: mill, Task: 2, Title: "b"}).Decide)
	done(t, tw, (&UpdateSkill{Who: mill, ID: "T1-1", Disposition: "create logs"}).Decide)
	done(t, tw, (&UpdateSkill{Who: mill, ID: "T2-1", Disposition: "defer \u2014 no time, Ada"}).Decide)
	s := snapshot(t, tw)
	if !strings.HasPrefix(tw.Tree()[plan.CandidatesFile], before) || s.Candidates.List[0].Disposition.Value != "create logs" {
		t.Errorf("%s", tw.Tree()[plan.CandidatesFile])
	}
	conformant(t, s)
}

// TestSkillsRefuse: nothing undecided, unknown, secret or unreadable is written (PD-8, PS-7).
func TestSkillsRefuse(t *testing.T) {
	for name, tt := range map[string]struct {
		decide publish.Decide
		rule   string
	}{
		"undecided":     {(&UpdateSkill{ID: "T1-1", Disposition: "pending"}).Decide, "guard/disposition"},
		"the template":  {(&UpdateSkill{ID: "T1-1", Disposition: "none | update x"}).Decide, "guard/disposition"},
		"no owner":      {(&UpdateSkill{ID: "T1-1", Disposition: "defer"}).Decide, "guard/disposition"},
		"update what":   {(&UpdateSkill{ID: "T1-1", Disposition: "update"}).Decide, "guard/disposition"},
		"unknown":       {(&UpdateSkill{ID: "T1-2", Disposition: "none"}).Decide, "guard/no-candidate"},
		"secret":        {(&AddSkill{Task: 1, Title: "AKIA" + "IOSFODNN7EXAMPLQ"}).Decide, "secret/json"},
		"two lines":     {(&AddSkill{Task: 1, Title: "a\n- T1-5: b"}).Decide, "guard/faithful"},
		"a link":        {(&AddSkill{Task: 1, Title: "[a](b)"}).Decide, "guard/faithful"},
		"no such task":  {(&AddSkill{Task: 9, Title: "a"}).Decide, "guard/unknown-task"},
		"no task at it": {(&AddSkill{Title: "a"}).Decide, "guard/which-task"},
	} {
		tw := withCandidates(t, "# S\n\n- T1-1: a\n", plantest.Spec{Tasks: 3})
		before := tw.Tree()[plan.CandidatesFile]
		_, err := do(t, tw, tt.decide)
		if rule, _ := refusedBy(err); rule != tt.rule || tw.Tree()[plan.CandidatesFile] != before {
			t.Errorf("%s: got %v, want %s", name, err, tt.rule)
		}
	}
}
