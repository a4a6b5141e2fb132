package work

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
)

// TestReconcileMends: what can be known is put right, what can't is left and told (C33, C51).
func TestReconcileMends(t *testing.T) {
	for name, test := range map[string]struct {
		edit [3]string
		left int
	}{
		"count":        {edit: [3]string{"state.json", `"completed_count": 1`, `"completed_count": 7`}},
		"retyped":      {edit: [3]string{"state.json", `"completed_count": 1`, `"completed_count": "1"`}},
		"status":       {edit: [3]string{"state.json", `"status": "in_progress", "completed_count"`, `"status": "ready", "completed_count"`}},
		"approval":     {edit: [3]string{"state.json", `"approval": "approved"`, `"approval": "maybe"`}},
		"format":       {edit: [3]string{"state.json", `"format": "lite"`, `"format": "light"`}},
		"locator":      {edit: [3]string{"state.json", `"value": "#task-2"`, `"value": "#task-3"`}},
		"closed":       {edit: [3]string{"state.json", `"value": "#task-2"`, `"value": "#task-2", "mood": 1`}},
		"title":        {edit: [3]string{"state.json", `"title": "Load shard 2"`, `"title": "Load the other"`}},
		"checkpoint":   {edit: [3]string{"state.json", `"checkpoint": null`, `"checkpoint": {"task": 9, "step": "x", "at": "2026-09-01T10:00:00Z", "note": ""}`}},
		"completed_at": {edit: [3]string{"state.json", `"completed_at": "2026-09-01T10:00:00Z"`, `"completed_at": "01/09/2026"`}},
		"no end":       {edit: [3]string{"state.json", `"completed_at": "2026-09-01T10:00:00Z", `, ``}},
		"no gates":     {edit: [3]string{"state.json", `"status": "pending", "gates": []`, `"status": "pending"`}},
		"updated_at":   {edit: [3]string{"state.json", `"updated_at": "2026-09-01T10:00:00Z"`, `"updated_at": 7`}},
		"order":        {edit: [3]string{"state.json", `    {"id": 2, "locator": {"kind": "inline", "value": "#task-2"}, "title": "Load shard 2", "status": "pending", "gates": []},` + "\n" + `    {"id": 3, "locator": {"kind": "inline", "value": "#task-3"}, "title": "Load shard 3", "status": "pending", "gates": []},`, `    {"id": 3, "locator": {"kind": "inline", "value": "#task-3"}, "title": "Load shard 3", "status": "pending", "gates": []},` + "\n" + `    {"id": 2, "locator": {"kind": "inline", "value": "#task-2"}, "title": "Load shard 2", "status": "pending", "gates": []},`}},
		"a record":     {edit: [3]string{"state.json", `"passes": true, `, ``}, left: 2},
	} {
		tw := folder(t, plantest.Spec{Tasks: 4, Done: 1}, test.edit)
		if test.left > 0 {
			tw = folder(t, plantest.Spec{Tasks: 4, Done: 1}, test.edit, [3]string{"state.json", `"completed_count": 1`, `"completed_count": 7`})
		}
		if answer := reconciled(t, tw, &Reconcile{Who: mill}); len(answer.Left) != test.left {
			t.Errorf("%s: left %v", name, answer.Left)
		}
		if test.left == 0 {
			conformant(t, snapshot(t, tw))
		}
	}
}

// TestReconcileUndecided: what the markdown leaves open is refused by name, and nothing is written (PS-18, C25, C05, C47).
func TestReconcileUndecided(t *testing.T) {
	for name, test := range map[string]struct {
		edits [][3]string
		rule  string
	}{
		"twice":     {[][3]string{{"README.md", "- [ ] Task 3", "- [ ] Task 2"}}, "guard/undecided"},
		"order":     {[][3]string{{"README.md", "- [ ] Task 3", "- [ ] Task 9"}}, "guard/undecided"},
		"numbers":   {[][3]string{{"README.md", "- [x] Task 1: Load shard 1", "- [x] Task 1: Load shard 2"}, {"README.md", "- [ ] Task 2: Load shard 2", "- [ ] Task 2: Load shard 1"}}, "guard/undecided"},
		"no box":    {[][3]string{{"README.md", "- [ ] Task 3", "- Task 3"}}, "guard/undecided"},
		"mark":      {[][3]string{{"README.md", "- [x] Task 1", "- [~] Task 1"}}, "guard/undecided"},
		"fence":     {[][3]string{{"README.md", "## Guidelines", "```\n## Guidelines"}}, "guard/undecided"},
		"two ids":   {[][3]string{{"state.json", `"id": 3`, `"id": 2`}}, "guard/undecided"},
		"no id":     {[][3]string{{"state.json", `"id": 3`, `"id": "three"`}}, "guard/undecided"},
		"unknown":   {[][3]string{{"README.md", "- [ ] Task 4: Final Review\n", ""}, {"state.json", `"title": "Final Review", "status": "pending"`, `"title": "Final Review", "status": "in_progress"`}}, "guard/undecided"},
		"blocker":   {[][3]string{{"state.json", `"blocked": null`, `"blocked": {"task": 9, "reason": "[C1] x", "since": "2026-09-01T10:00:00Z"}`}}, "guard/undecided"},
		"conflict":  {[][3]string{{"README.md", "## Guidelines", "<<<<<<< a\n## Guidelines\n=======\n>>>>>>> b"}}, "guard/unreadable"},
		"other":     {[][3]string{{"state.json", `"plan": "PLAN_generated_load"`, `"plan": "PLAN_other_load"`}}, "state/plan-name"},
		"promotion": {[][3]string{{"state.json", `"materialization": "ready"`, `"materialization": "promoting"`}}, "promotion/unfinished"},
		"partial":   {[][3]string{{"state.json", `"materialization": "ready"`, `"materialization": "materializing"`}}, "materialization/partial"},
		"schema":    {[][3]string{{"state.json", `plan-state/v2.json`, `plan-state/v9.json`}}, "schema/unknown"},
		"torn":      {[][3]string{{"state.json", `"blocked": null}`, ``}}, "guard/rebuild"},
		"no list":   {[][3]string{{"state.json", `"tasks": [`, `"others": [`}, {"state.json", `"blocked": null`, `"blocked": null, "tasks": {}`}}, "guard/rebuild"},
		"newer":     {[][3]string{{"README.md", "DWP spec 5.0.0", "DWP spec 9.0.0"}}, "standard/newer"},
	} {
		tw := folder(t, plantest.Spec{Tasks: 4, Done: 1}, test.edits...)
		before := tw.Tree()
		_, err := reconcile(t, tw, &Reconcile{Who: mill})
		if got, _ := refusedBy(err); got != test.rule {
			t.Errorf("%s: %v", name, err)
		}
		if after := tw.Tree(); after["state.json"] != before["state.json"] || len(after) != len(before) {
			t.Errorf("%s: something was written", name)
		}
	}
	for _, mark := range []string{state.FinalizeMark, state.OperationMark + "/op.json"} {
		tw := folder(t, plantest.Spec{Tasks: 4, Done: 1}, [3]string{"README.md", "- [ ] Task 2", "- [x] Task 2"})
		must(t, tw.Put(mark, []byte("{}"), 0o644))
		if _, err := reconcile(t, tw, &Reconcile{Who: mill}); err == nil {
			t.Errorf("%s: reconciled", mark)
		}
	}
}

// TestReconcileDrops: an entry without history that the README has no line for goes, and PROGRESS.md says so (PS-18).
func TestReconcileDrops(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 4, Done: 1}, [3]string{"README.md", "- [ ] Task 4: Final Review\n", ""})
	r := &Reconcile{Who: mill}
	if _, err := reconcile(t, tw, r); err != nil {
		t.Fatalf("%v%s", err, why(err))
	}
	s := snapshot(t, tw)
	if len(s.State.Tasks) != 3 || s.State.TaskCount != 3 || !strings.Contains(string(s.Progress.Src), "so dropped: task 4\n") {
		t.Errorf("%d entries: %+v", len(s.State.Tasks), r.Answer)
	}
}

// TestReconcileRebuilds: a torn state.json is made anew only when that is asked for; the copy keeps what is lost, and that is told (C49).
func TestReconcileRebuilds(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := folder(t, plantest.Spec{Tasks: 4, Done: 2, Full: full})
		text := tw.Tree()["state.json"]
		torn := text[:len(text)*6/10]
		must(t, tw.Put("state.json", []byte(torn), 0o644))
		answer := reconciled(t, tw, &Reconcile{Who: mill, Rebuild: true})
		s := snapshot(t, tw)
		if tw.Tree()[answer.Copy] != torn || answer.Lost == "" || !slices.Equal(answer.Owing, []int{1, 2}) || s.State.CompletedCount != 2 || s.State.Approval != "approved" {
			t.Errorf("full %v: %+v", full, answer)
		}
		for _, f := range musts(t, tw) {
			if f.Rule != "evidence/none" {
				t.Errorf("full %v: %s: %s", full, f.Rule, f.Message)
			}
		}
	}
}

// TestReconcileLayer: a plan without one of the two files gets it; one without both, only when that is asked for, in the generation
// that owes nothing new (PS-3, PD-9).
func TestReconcileLayer(t *testing.T) {
	for name, gone := range map[string][]string{"state": {"state.json"}, "manifest": {"manifest.json"}, "both": {"state.json", "manifest.json"}} {
		for _, full := range []bool{false, true} {
			tw := folder(t, plantest.Spec{Tasks: 4, Done: 2, Full: full})
			for _, file := range gone {
				must(t, tw.Remove(file))
			}
			if name == "both" {
				before := tw.Tree()
				r := &Reconcile{Who: mill}
				bare, err := publish.Revise(t.Context(), planIn(tw), ReconcileTerms, r.Decide)
				if err != nil || bare.Changed || !r.Answer.Bare || !maps.Equal(before, tw.Tree()) {
					t.Errorf("%s: %+v, %v", name, bare, err)
				}
			}
			reconciled(t, tw, &Reconcile{Who: mill, CreateLayer: name == "both"})
			s := snapshot(t, tw)
			if s.Manifest == nil || s.State == nil || s.Manifest.Era != state.V2 || s.State.Era != state.V2 || s.State.CompletedCount != 2 || s.Manifest.TaskCount != 4 {
				t.Errorf("%s, full %v: %+v", name, full, s.Manifest)
			}
			if name != "state" && s.Manifest.CreatedAt.Text != "2026-09-01T00:00:00Z" {
				t.Errorf("created at %s", s.Manifest.CreatedAt.Text)
			}
		}
	}
}

// TestReconcileEras: v1 stays v1, v5 stays v5 (PS-21).
func TestReconcileEras(t *testing.T) {
	tick := [3]string{"README.md", "- [ ] Task 2", "- [x] Task 2"}
	v5 := folder(t, plantest.Spec{Tasks: 3, Done: 1}, tick, [3]string{"state.json", "plan-state/v2", "plan-state/v5"}, [3]string{"manifest.json", "plan-manifest/v2", "plan-manifest/v5"})
	reconciled(t, v5, &Reconcile{Who: mill})
	if got := snapshot(t, v5).State.Era; got != state.V5 {
		t.Errorf("v5 became %s", got)
	}
	v1 := folder(t, plantest.Spec{Tasks: 3, Done: 1, Full: true}, append(toV1(3), tick)...)
	reconciled(t, v1, &Reconcile{Who: mill})
	s := snapshot(t, v1)
	if s.State.Era != state.V1 || s.State.Format != "" || s.State.Tasks[1].Status != state.Completed {
		t.Errorf("v1 became %s", s.State.Era)
	}
	must(t, v1.Remove("state.json"))
	reconciled(t, v1, &Reconcile{Who: mill})
	if s := snapshot(t, v1); s.State.Era != state.V1 || s.State.Tasks[1].Locator.Value != "2.task_load_shard_2.md" {
		t.Errorf("made anew, v1 became %s, %+v", s.State.Era, s.State.Tasks[1].Locator)
	}
}

// toV1 makes a Full plan one of generation v1.
func toV1(tasks int) [][3]string {
	edits := [][3]string{
		{"state.json", "plan-state/v2", "plan-state/v1"}, {"manifest.json", "plan-manifest/v2", "plan-manifest/v1"}, {"manifest.json", `, "plan_format": "full"`, ""},
		{"manifest.json", "5.0.0", "1.2.0"}, {"README.md", "**Standard:** DWP spec 5.0.0\n**Approval:** approved\n", ""},
		{"state.json", `"format": "full", "materialization": "ready", "approval": "approved", "promotion": null, `, ""},
	}
	for id := 1; id <= tasks; id++ {
		edits = append(edits, [3]string{"state.json", `"locator": {"kind": "file", "value": "` + fmt.Sprint(id) + ".", `"file": "` + fmt.Sprint(id) + "."}, [3]string{"state.json", `.md"}, "title"`, `.md", "title"`})
	}
	return edits
}
