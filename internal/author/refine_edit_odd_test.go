package author

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
)

// without takes files out of a plan.
func without(names ...string) func(map[string]string) {
	return func(files map[string]string) {
		for _, name := range names {
			delete(files, name)
		}
	}
}

// v1 makes the plan one of the first generation (PD-9, PS-9): no approval, entries with a file.
func v1(files map[string]string) {
	text := files[state.StateFile]
	for _, cut := range []string{`"format": "full", `, `"materialization": "ready", `, `"approval": "approved", `, `"promotion": null, `} {
		text = strings.Replace(text, cut, "", 1)
	}
	for n := 1; n <= 3; n++ {
		name := fmt.Sprintf("%d.task_load_shard_%d.md", n, n)
		if n == 3 {
			name = "3.task_final_review.md"
		}
		text = strings.Replace(text, fmt.Sprintf(`"locator": {"kind": "file", "value": %q}`, name), fmt.Sprintf(`"file": %q`, name), 1)
	}
	files[state.StateFile] = strings.Replace(text, "plan-state/v2.json", "plan-state/v1.json", 1)
	files[state.ManifestFile] = strings.NewReplacer("plan-manifest/v2.json", "plan-manifest/v1.json", `, "plan_format": "full"`, "", "5.0.0", "1.2.0").Replace(files[state.ManifestFile])
	files[readmeFile] = strings.Replace(files[readmeFile], "DWP spec 5.0.0", "DWP spec 1.2.0", 1)
}

// TestEditOldPlans: plans without a state layer, without PROGRESS.md, and of the first generation are edited as others are; where there
// is no approval none becomes pending (PS-2, PS-8, PD-9).
func TestEditOldPlans(t *testing.T) {
	for name, bend := range map[string]func(map[string]string){
		"no PROGRESS.md": without(progressFile),
		"no state layer": without(state.StateFile, state.ManifestFile),
		"v1":             v1,
	} {
		files := underWay(true, bend)
		p := editTwin(t, files)
		before, err := plan.Read(p.FS, p.Name)
		must(t, err)
		var out Edited
		e := edit(t, "# Task 2: Load it\n\n## Acceptance Criteria\n\n- counts agree\n- sums agree\n- and more\n")
		if _, err := publish.Revise(t.Context(), p, RefineTerms, e.Decide(&out)); err != nil {
			if no, ok := errors.AsType[*publish.Refused](err); ok {
				t.Errorf("%s: %s %s %v", name, no.Rule, no.Message, no.Findings)
				continue
			}
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, err := plan.Read(p.FS, p.Name)
		must(t, err)
		v := taskOf(t, s, 2)
		if v.Title != "Load it" || len(v.Record.Log.Amendments) != 1 || len(s.Progress.Amendments) != 1 || !slices.Equal(out.Added, []string{"and more"}) {
			t.Errorf("%s: %q, %+v, told %+v", name, v.Title, v.Record.Log.Amendments, out)
		}
		if axis := before.Approval() != ""; out.Pending != axis || s.Approval() != map[bool]string{true: planmd.ApprovalPending}[axis] {
			t.Errorf("%s: pending %v, approval %q", name, out.Pending, s.Approval())
		}
		if v.Entry != nil && v.Entry.Title != "Load it" {
			t.Errorf("%s: entry %q", name, v.Entry.Title)
		}
	}
}

// FuzzEdit: whatever is given as an edit is refused, or reads back as it was given, and nothing else of the plan is touched (DESIGN 1).
func FuzzEdit(f *testing.F) {
	for _, text := range []string{
		"## Goal\n\nNew.\n", "**Goal:** New.\n\n**Acceptance Criteria:**\n- a\n- [x] counts agree\n", "# Task 2: T\n\nDepends on: 1\n",
		`{"acceptance": ["a\n- b", "c"], "gates": ["x"], "surface": {"risk": "seam"}}`, "## Validation\n\n```sh\nmake\n```\n", "## Context\n\nA\n===\n", "## Goal\n\n<!-- \n",
		"## Outputs\r\n\r\n- a\r\n  - b\r\n", "### Goal\n\n```\n## Context\n",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	files := [2]map[string]string{underWay(false), underWay(true, withLabels)}
	f.Fuzz(func(t *testing.T, text string, full bool) {
		have := files[0]
		if full {
			have = files[1]
		}
		s, err := plan.Read(folderOf(have), plantest.Name)
		must(t, err)
		e, gaps := ReadTaskEdit([]byte(text))
		if len(gaps) > 0 {
			return
		}
		var out Edited
		w := Edit{Task: 2, Text: e, Warrant: Warrant{Reason: "r", Authority: "user", Statement: "s", By: "Ada"}, Confirm: true}
		w.Now = editDay
		r, err := w.Decide(&out)(s)
		if err != nil || len(r.Changes) == 0 {
			return
		}
		after, err := standing(s, r)
		must(t, err)
		was, is := s.Overview().Tasks, after.Overview().Tasks
		if len(was) != len(is) {
			t.Fatalf("%d tasks, %d before", len(is), len(was))
		}
		for i := range is {
			if i == 1 {
				continue
			}
			if a, b := was[i].Doc.Text(was[i].Record.Span), is[i].Doc.Text(is[i].Record.Span); a != b || was[i].Title != is[i].Title {
				t.Fatalf("task %d reads %q, and %q before", i+1, b, a)
			}
		}
		for _, p := range e.parts {
			if p.kind == planmd.Acceptance && p.fields == nil {
				got := textsOf(criteria(listBody(is[1].Doc, is[1].Record, is[1].Record.Section(planmd.Acceptance))))
				if want := textsOf(criteria(nest(p.text, 6))); len(got) != len(want) {
					t.Fatalf("criteria read %q, given %q", got, want)
				}
			}
		}
	})
}

// FuzzChanges: no change file makes the reader fail otherwise than by a list of faults.
func FuzzChanges(f *testing.F) {
	f.Add(fiveChanges)
	f.Add(`{"changes": [{"do": "move", "number": 1, "after": 2}]}`)
	s, err := plan.Read(folderOf(underWay(false)), plantest.Name)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		steps, gaps := ReadChanges([]byte(text))
		if len(gaps) > 0 {
			return
		}
		var told []StepDone
		r, err := changesBy(steps).Decide(&told)(s)
		if err == nil && len(told) != len(steps) || err == nil && r == nil {
			t.Fatalf("%d steps, %d told", len(steps), len(told))
		}
	})
}
