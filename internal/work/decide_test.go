package work

import (
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

func decision(choice string) *Decide {
	return &Decide{Who: mill, Choice: choice, Why: "it is reversible", Revert: "drop the view", Options: []string{"a table", "a view"}, Task: 2}
}

// TestDecide: decisions get IDs that go on, with date and agent; the same one again adds nothing (UN-5, PD-12).
func TestDecide(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 1})
	before := tw.Tree()
	for i, choice := range []string{"a view", "Task 3: migrate later | refine `x`", "a: b: c", "x **Why:** y", "<!-- open"} {
		c := decision(choice)
		done(t, tw, c.Decide)
		if want := []string{"D1", "D2", "D3", "D4", "D5"}[i]; c.ID != want {
			t.Errorf("got %s, want %s", c.ID, want)
		}
	}
	conformant(t, snapshot(t, tw))
	s := snapshot(t, tw)
	list := plan.Decisions(s.Progress)
	if len(list) != 5 || list[0].Date != "2026-09-02" || list[0].By != "Mill" || list[0].Task != 2 || len(list[0].Options) != 2 || list[1].Choice != "Task 3: migrate later | refine `x`" {
		t.Errorf("%+v", list)
	}
	tree := tw.Tree()
	if !strings.HasPrefix(tree["PROGRESS.md"], before["PROGRESS.md"]) || strings.Count(tree["PROGRESS.md"], "## Decisions") != 1 || tree[state.StateFile] != before[state.StateFile] {
		t.Errorf("PROGRESS.md: %s", tree["PROGRESS.md"])
	}
	if len(s.Progress.Entries) != 1 || s.Progress.Migrated || s.Progress.Refined {
		t.Errorf("entries %+v, migrated %v, refined %v", s.Progress.Entries, s.Progress.Migrated, s.Progress.Refined)
	}
}

// TestDecideForms: a decision stands at the very end of whatever PROGRESS.md there is, not a byte of which changes (VP-5, PD-10).
func TestDecideForms(t *testing.T) {
	for name, tt := range map[string]struct{ progress, id, tail string }{
		"no section":        {"# Progress\n", "D1", "# Progress\n\n## Decisions\n\n### D1 \u2014 2026-09-02\n\n- Choice: a view\n"},
		"last section":      {"# Progress\n\n## Decisions\n\n- D4 keep it\n", "D5", "- D4 keep it\n\n### D5 \u2014"},
		"section above":     {"# Progress\n\n## Decisions\n\n- D4 keep it\n\n## 2026-09-01 Task 1: x\n\n- y\n", "D5", "- y\n\n## Decisions\n\n### D5 \u2014"},
		"deeper, no end":    {"# Progress\n\n## Log\n\n### Decisions made\n\nD2: x", "D3", "D2: x\n\n#### D3 \u2014"},
		"CRLF":              {"# Progress\r\n\r\n## Log\r\n", "D1", "## Log\r\n\r\n## Decisions\r\n\r\n### D1 \u2014 2026-09-02\r\n\r\n- Choice: a view\r\n"},
		"Thai":              {"# \u0e04\u0e27\u0e32\u0e21\u0e04\u0e37\u0e1a\u0e2b\u0e19\u0e49\u0e32\n\n## \u0e01\u0e32\u0e23\u0e15\u0e31\u0e14\u0e2a\u0e34\u0e19\u0e43\u0e08\n\n## x\n", "D1", "## x\n\n## \u0e01\u0e32\u0e23\u0e15\u0e31\u0e14\u0e2a\u0e34\u0e19\u0e43\u0e08\n\n### D1"},
		"byte-order mark":   {"\ufeff# Progress\n", "D1", "## Decisions\n\n### D1"},
		"no PROGRESS":       {"", "D1", "# Progress\n\n## Decisions\n\n### D1"},
		"gap in the IDs":    {"# Progress\n\n## Decisions\n\n- D9 x\n- D2 y\n", "D10", "- D2 y\n\n### D10"},
		"label, not a head": {"# Progress\n\n**Decisions:** none\n", "D1", "none\n\n## Decisions\n\n### D1"},
	} {
		files := plantest.Plan(plantest.Spec{Tasks: 3})
		if files["PROGRESS.md"].Data = []byte(tt.progress); tt.progress == "" {
			delete(files, "PROGRESS.md")
		}
		tw, err := disk.TwinOf(files)
		must(t, err)
		c := decision("a view")
		if _, err := publish.Revise(t.Context(), planIn(tw), LedgerTerms, c.Decide); err != nil {
			t.Errorf("%s: %v%s", name, err, why(err))
			continue
		}
		got := tw.Tree()["PROGRESS.md"]
		if c.ID != tt.id || !strings.HasPrefix(got, tt.progress) || !strings.Contains(got, tt.tail) {
			t.Errorf("%s: %s: %q", name, c.ID, got)
		}
		again, err := publish.Revise(t.Context(), planIn(tw), LedgerTerms, c.Decide)
		if err != nil || again.Changed {
			t.Errorf("%s: again: %+v, %v", name, again, err)
		}
	}
}

// TestDecidePublished: a published plan takes decisions, and its receipt holds (VP-5).
func TestDecidePublished(t *testing.T) {
	tw := last(t, false)
	must(t, second(do(t, tw, completion(3).Decide)))
	done(t, tw, decision("keep it").Decide)
	c := decision("drop it")
	done(t, tw, c.Decide)
	if c.ID != "D2" {
		t.Errorf("got %s", c.ID)
	}
	conformant(t, snapshot(t, tw))
}

// TestDecideWarns: a value of the environment that may be a secret is warned of, by the name of its variable alone (C163).
func TestDecideWarns(t *testing.T) {
	c := decision("take hunter-two-seven")
	c.Configured = []update.EnvValue{{Name: "DB_PASSWORD", Value: "hunter-two-seven"}, {Name: "API_TOKEN", Value: "another-value"}}
	got, err := do(t, folder(t, plantest.Spec{Tasks: 3}), c.Decide)
	if err != nil || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "DB_PASSWORD") || strings.Contains(got.Warnings[0], "hunter") {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestDecideRefuses: secrets, control characters, and what Markdown would read otherwise (PS-7, C161).
func TestDecideRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*Decide)
		rule   string
	}{
		"secret":       {func(c *Decide) { c.Why = "the key is AKIA" + "IOSFODNN7EXAMPLQ" }, "secret/json"},
		"an address":   {func(c *Decide) { c.Agent = "ada@example.org" }, "secret/personal"},
		"two lines":    {func(c *Decide) { c.Choice = "a\n## Task 3: done" }, "guard/faithful"},
		"nothing":      {func(c *Decide) { c.Options = []string{" "} }, "guard/faithful"},
		"too long":     {func(c *Decide) { c.Choice = strings.Repeat("x", 501) }, "guard/faithful"},
		"no such task": {func(c *Decide) { c.Task = 9 }, "guard/unknown-task"},
		"not UTF-8":    {func(c *Decide) { c.Why = "\xff" }, "guard/text"},
		"many options": {func(c *Decide) { c.Options = strings.Split(strings.Repeat("x ", 21), " ") }, "guard/faithful"},
	} {
		tw := folder(t, plantest.Spec{Tasks: 3})
		before := tw.Tree()["PROGRESS.md"]
		c := decision("a view")
		tt.change(c)
		_, err := do(t, tw, c.Decide)
		if rule, _ := refusedBy(err); rule != tt.rule || tw.Tree()["PROGRESS.md"] != before {
			t.Errorf("%s: got %v, want %s", name, err, tt.rule)
		}
	}
	// A fence that nothing closes would swallow the decision (C05).
	tw := folder(t, plantest.Spec{Tasks: 3}, [3]string{"PROGRESS.md", "# Progress\n", "# Progress\n\n```\n"})
	if _, err := do(t, tw, decision("x").Decide); err == nil {
		t.Error("a decision stands in an open fence")
	}
}

// TestLedgerCrashes: decisions and candidates that are cut off are there whole or not at all (PS-5).
func TestLedgerCrashes(t *testing.T) {
	for name, decide := range map[string]publish.Decide{
		"decide":        decision("a view").Decide,
		"skills add":    (&AddSkill{Who: mill, Task: 2, Title: "a"}).Decide,
		"skills update": (&UpdateSkill{Who: mill, ID: "T1-1", Disposition: "none"}).Decide,
	} {
		t.Run(name, func(t *testing.T) {
			crashtest.Matrix(t, crashtest.Operation{
				Start: func() *disk.Twin {
					return withCandidates(t, "# S\n\n- T1-1: a\n", plantest.Spec{Tasks: 3, Done: 1}).Kill()
				},
				Plan: planIn, Remainders: 1,
				Run: func(p publish.Plan) error {
					_, err := publish.Revise(t.Context(), p, LedgerTerms, decide)
					return err
				},
			})
		})
	}
}

// FuzzDecide: whatever a decision says, it reads back or is refused (PD-10).
func FuzzDecide(f *testing.F) {
	for _, seed := range []string{"a view", "x **Why:** y", "`", "# D2", "- a", "|", "[a](b)", "<b>", "1. x", "\\", "Task 2"} {
		f.Add(seed, "why", "revert")
	}
	files := plantest.Plan(plantest.Spec{Tasks: 2})
	s, err := plan.Read(files, plantest.Name)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, choice, why, revert string) {
		c := &Decide{Who: mill, Choice: choice, Why: why, Revert: revert}
		r, err := c.Decide(s)
		if err != nil {
			return
		}
		if len(r.Changes) != 1 || !strings.HasPrefix(string(r.Changes[0].Data), string(s.Progress.Src)) {
			t.Errorf("%+v", r.Changes)
		}
	})
}
