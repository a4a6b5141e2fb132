package author

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// PS-2, PS-9, WP-2: plans without a state layer and without PROGRESS.md are refined as far as they go.
func TestRefineWithoutLayer(t *testing.T) {
	for _, full := range []bool{false, true} {
		x := madeTexts(plantest.Spec{Tasks: 5, Done: 2, Full: full})
		delete(x, state.StateFile)
		delete(x, state.ManifestFile)
		delete(x, progressFile)
		var out Refined
		y := x.done(t, Add{Outline: []byte(oneTask), After: 3}.Decide(&out))
		if y[state.StateFile] != "" || !strings.Contains(y[progressFile], "Refine: 1 task added") || len(out.Added) != 1 {
			t.Errorf("%+v %v", out, y)
		}
		if views := y.read(t).Overview().Tasks; len(views) != 6 || views[3].Title != "Check the shards" || views[5].Title != "Final Review" {
			t.Errorf("%+v", views)
		}
		y = y.done(t, Remove{Task: 4}.Decide(&out))
		delete(y, progressFile)
		for name := range x {
			if x[name] != y[name] {
				t.Errorf("%s: %q", name, y[name])
			}
		}
	}
}

// PS-21: a plan of the first generation keeps its form: entries have a file, and no locator.
func TestRefineFirstGeneration(t *testing.T) {
	tw := disk.NewTwin()
	src, err := os.ReadFile("../../testdata/vectors/healthy/v1.txtar")
	must(t, err)
	_, rest, _ := strings.Cut(string(src), "\n-- ")
	for part := range strings.SplitSeq("\n-- "+rest, "\n-- ") {
		name, text, ok := strings.Cut(part, " --\n")
		if !ok {
			continue
		}
		if dir, _, deep := strings.Cut(name, "/"); deep {
			must(t, disk.MkdirAll(tw, dir))
		}
		must(t, disk.WriteFile(tw, name, []byte(text+"\n"), disk.Options{}))
	}
	s, err := plan.Read(tw, "PLAN_any_plan")
	must(t, err)
	if s.State == nil || s.State.Era != state.V1 {
		t.Fatalf("%v", tw.Tree())
	}
	p := onPlan(tw)
	p.Name = s.State.Plan
	var out Refined
	_, err = publish.Revise(t.Context(), p, RefineTerms, Add{Outline: []byte(oneTask)}.Decide(&out))
	if refused, ok := errors.AsType[*publish.Refused](err); ok {
		t.Fatalf("%v %+v", err, refused.Findings)
	}
	must(t, err)
	s, err = plan.Read(tw, p.Name)
	must(t, err)
	n := out.Added[0].Number
	if e := s.State.Tasks[n-1]; e.Title != "Check the shards" || e.Node.Member("locator") != nil || e.Node.Member("file") == nil || e.Locator.Value != taskFile(n, e.Title) {
		t.Errorf("%+v", e)
	}
	for _, f := range verify.Plan(s, verify.Options{Now: layTime}).Findings {
		if f.Level == rule.Must {
			t.Errorf("%+v", f)
		}
	}
}

// PS-9, PS-10, LF-10: where later tasks keep their numbers, an open task may take the number that becomes free.
func TestRemoveFill(t *testing.T) {
	for _, full := range []bool{false, true} {
		x := madeTexts(plantest.Spec{Tasks: 6, Done: 1, Full: full})
		x[state.StateFile] = strings.Replace(x[state.StateFile], `"title": "Load shard 3", "status": "pending", "gates": []`,
			`"title": "Load shard 3", "status": "in_progress", "started_at": "2026-09-02T09:00:00Z", "gates": `+plantest.Gate, 1)
		var out Refined
		if text := x.refused(t, "guard/keeps-number", Remove{Task: 2}.Decide(&out)); !strings.Contains(text, "--fill 4") {
			t.Errorf("got %q", text)
		}
		y := x.done(t, Remove{Task: 2, Fill: 5}.Decide(&out))
		s := y.read(t)
		if views := s.Overview().Tasks; len(views) != 5 || views[1].Title != "Load shard 5" || views[2].Title != "Load shard 3" || views[3].Title != "Load shard 4" ||
			views[1].Record.ID != 2 || s.State.Tasks[1].Title != "Load shard 5" || s.State.Tasks[2].Status != state.InProgress {
			t.Errorf("%+v", views)
		}
		x.refused(t, "guard/keeps-number", Remove{Task: 2, Fill: 3}.Decide(&out))
		x.refused(t, "guard/review-last", Remove{Task: 2, Fill: 6}.Decide(&out))
	}
}

// LF-10: a completed task moves only with --confirm, and only where its number stays: under another heading of the index.
func TestMoveUnderHeading(t *testing.T) {
	x := madeTexts(plantest.Spec{Tasks: 4, Done: 2})
	x[readmeFile] = strings.Replace(x[readmeFile], "- [x] Task 2:", "\n### Second phase\n\n- [x] Task 2:", 1)
	inOrder(t, x)
	var out Refined
	x.refused(t, "guard/keeps-number", Move{Task: 2, After: 1}.Decide(&out))
	y := x.done(t, Move{Task: 2, After: 1, Confirm: true}.Decide(&out))
	inOrder(t, y)
	if !strings.Contains(y[readmeFile], "- [x] Task 1: Load shard 1\n- [x] Task 2: Load shard 2\n\n### Second phase\n") || len(out.Renumbered) != 0 {
		t.Errorf("%s", y[readmeFile])
	}
}

// PS-7, C08, PD-5: what a task lacks or must not hold is refused, all of it named; nothing of the plan's text is taken for the task's.
func TestAddRefuses(t *testing.T) {
	x := madeTexts(plantest.Spec{Tasks: 4, Done: 1})
	var out Refined
	x.refused(t, "secret/markdown", Add{Outline: []byte(strings.Replace(oneTask, "may be lost", "have the password ghp_"+strings.Repeat("a1B2", 9), 1))}.Decide(&out))
	for says, text := range map[string]string{
		"Context is missing":    strings.Replace(oneTask, "Shards may be lost.", "", 1),
		"Goal is a placeholder": strings.Replace(oneTask, "Every shard is counted.", "TBD", 1),
		"no task":               "# Nothing\n",
		"would not read as it was given": `{"tasks": [{"title": "Check", "context": "x", "goal": "Every shard\n===\n\nis counted", "surface": {"planned": ["a"], "risk": "seam"}, ` +
			`"acceptance": ["counts"], "gates": ["make count"]}]}`,
		"a second one":                    strings.Replace(oneTask, "Check the shards", "Final Review", 1),
		"depends on itself":               strings.Replace(oneTask, "### Context", "Depends on: 4\n\n### Context", 1),
		"the plan will have 5":            strings.Replace(oneTask, "### Context", "Depends on: 7\n\n### Context", 1),
		"of the plan or of the outline?":  strings.Replace(oneTask, "### Context", "Depends on: 2\n\n### Context", 1) + strings.Replace(oneTask, "Task 1", "Task 2", 1),
		"groups are of the plan":          "| Group | Tasks | Owned files |\n|---|---|---|\n| A | 1 | x |\n\n" + oneTask,
		"number them 1 to N in order":     strings.Replace(oneTask, "Task 1", "Task 9", 1),
		"Acceptance Criteria: none given": strings.Replace(oneTask, "- [ ] counts agree", "", 1),
	} {
		tw := x.twin(t)
		_, err := publish.Revise(t.Context(), onPlan(tw), RefineTerms, Add{Outline: []byte(text)}.Decide(&out))
		gaps, ok := errors.AsType[*Incomplete](err)
		told := ""
		if ok {
			for _, g := range gaps.Gaps {
				told += g.What + "\n"
			}
		}
		if !strings.Contains(told, says) {
			t.Errorf("want %q, got %v: %s", says, err, told)
		}
	}
	numbered := strings.Replace(oneTask, "Task 1:", "Task 4:", 1) + "\n" + strings.NewReplacer("Task 1: Check", "Task 5: Compare", "### Context", "Depends on: 2, 4\n\n### Context").Replace(oneTask)
	y := x.done(t, Add{Outline: []byte(numbered), Warrant: byAda}.Decide(&out))
	inOrder(t, y)
	if len(out.Added) != 2 || len(out.Added[1].Waits) != 2 || out.Added[1].Waits[1] != 4 {
		t.Errorf("%+v", out.Added)
	}
}

// GU-5: a task that leaves the scope takes its blocker and its checkpoint along; nothing else is blocked by it any more.
func TestRemoveBlocked(t *testing.T) {
	x := madeTexts(plantest.Spec{Tasks: 4, Done: 1})
	x[state.StateFile] = strings.NewReplacer(
		`"title": "Load shard 2", "status": "pending", "gates": []`, `"title": "Load shard 2", "status": "blocked", "started_at": "2026-09-02T09:00:00Z", "gates": `+plantest.Gate,
		`"blocked": null`, `"blocked": {"task": 2, "reason": "[S2] no key", "needs": "a key", "since": "2026-09-02T10:00:00Z"}`,
		`"checkpoint": null`, `"checkpoint": {"task": 2, "step": "load", "note": "half", "at": "2026-09-02T10:00:00Z"}`,
		`"status": "in_progress"`, `"status": "blocked"`).Replace(x[state.StateFile])
	if s := x.read(t); s.State == nil || s.State.Blocked == nil {
		t.Fatalf("%+v\n%s", s.StateFaults, x[state.StateFile])
	}
	var out Refined
	for _, archive := range []bool{false, true} {
		y := x.done(t, Remove{Task: 2, Archive: archive, Warrant: byAda}.Decide(&out))
		if s := y.read(t); s.State.Blocked != nil || s.State.Checkpoint != nil || s.State.Status != state.InProgress {
			t.Errorf("archive %v: %s", archive, y[state.StateFile])
		}
		inOrder(t, y)
	}
}

// LF-10, PD-12: a blocker and a checkpoint go with their task's number, links by reference and prompts too; another plan's links stay.
func TestLayReferences(t *testing.T) {
	x := madeTexts(plantest.Spec{Tasks: 5, Done: 2, Full: true})
	x[promptsFile] += "\nRead `4.task_load_shard_4.md`, [the last](./5.task_final_review.md) and ../PLAN_other/4.task_load_shard_4.md.\n"
	x["3.task_load_shard_3.md"] = strings.Replace(x["3.task_load_shard_3.md"], "- `load/README.md`",
		"- Task 4's log, the money of task 4 of the budget\n- [next][n], `"+plantest.Name+"/4.task_load_shard_4.md`\n\n[n]: 4.task_load_shard_4.md#log\n", 1)
	inOrder(t, x)
	var out Refined
	y := x.done(t, Add{Outline: []byte(oneTask), After: 3, Warrant: byAda}.Decide(&out))
	inOrder(t, y)
	for name, wants := range map[string][]string{
		promptsFile: {"`5.task_load_shard_4.md`", "(./6.task_final_review.md)", "../PLAN_other/4.task_load_shard_4.md"},
		"3.task_load_shard_3.md": {"- Task 5's log, the money of task 4 of the budget", "[n]: 5.task_load_shard_4.md#log",
			"`" + plantest.Name + "/5.task_load_shard_4.md`"},
	} {
		for _, want := range wants {
			if !strings.Contains(y[name], want) {
				t.Errorf("%s has no %q: %s", name, want, y[name])
			}
		}
	}
	if len(out.Left) != 1 || out.Left[0].Task != 4 || out.Left[0].File != "3.task_load_shard_3.md" {
		t.Errorf("left %+v", out.Left)
	}
}

// LF-10, PS-15, WP-1: a checkpoint inside a task keeps it where it is. One that says only that a task is next, as completing the one
// before writes it, is no history: it goes along, and where it was at the first open task it stays with the first open one.
func TestRefineCheckpoint(t *testing.T) {
	x := madeTexts(plantest.Spec{Tasks: 5, Done: 2})
	at := func(task, step, note string) texts {
		y := x.after(&publish.Revision{})
		y[state.StateFile] = strings.Replace(y[state.StateFile], `"checkpoint": null`,
			`"checkpoint": {"task": `+task+`, "step": "`+step+`", "note": "`+note+`", "at": "2026-09-02T10:00:00Z"}`, 1)
		return y
	}
	var out Refined
	tests := map[string]struct {
		task, note string
		decide     func(*plan.Snapshot) (*publish.Revision, error)
		want       int
		wantNote   string
	}{
		"the Final Review is next":  {"5", "go on", Add{Outline: []byte(oneTask), Warrant: byAda}.Decide(&out), 6, "go on"},
		"a new task before it":      {"3", "next: task 3", Add{Outline: []byte(oneTask), Before: 3, Warrant: byAda}.Decide(&out), 3, "next: task 3"},
		"a new task behind it":      {"3", "next: task 3", Add{Outline: []byte(oneTask), After: 3, Warrant: byAda}.Decide(&out), 3, "next: task 3"},
		"another one is first":      {"3", "go on", Move{Task: 3, After: 4}.Decide(&out), 3, "go on"},
		"it is removed":             {"3", "next: task 3", Remove{Task: 3}.Decide(&out), 3, "next: task 3"},
		"one further on goes along": {"4", "next: task 4", Move{Task: 4, Before: 3}.Decide(&out), 3, "next: task 3"},
	}
	for name, tt := range tests {
		y := at(tt.task, "start", tt.note).done(t, tt.decide)
		if cp := y.read(t).State.Checkpoint; cp == nil || cp.Task != tt.want || cp.Step != "start" || cp.Note != tt.wantNote {
			t.Errorf("%s: %s", name, y[state.StateFile])
		}
		inOrder(t, y)
	}
	at("3", "half", "").refused(t, "guard/keeps-number", Add{Outline: []byte(oneTask), Before: 3, Warrant: byAda}.Decide(&out))
	at("3", "half", "").refused(t, "guard/keeps-number", Move{Task: 3, After: 4}.Decide(&out))
	at("3", "half", "").refused(t, "guard/skip-first", Remove{Task: 3}.Decide(&out))
}

// C19, C23: a task line that stands within another one is none that could be moved; the plan is told to be mended first.
func TestRefineNested(t *testing.T) {
	x := madeTexts(plantest.Spec{Tasks: 4, Done: 1})
	x[readmeFile] = strings.Replace(x[readmeFile], "- [ ] Task 3:", "  - [ ] Task 3:", 1)
	var out Refined
	x.refused(t, "guard/disordered", Add{Outline: []byte(oneTask), Warrant: byAda}.Decide(&out))
}

// LF-10, PD-10: a record without a single section, which somebody has still to write, keeps no other task from being added.
func TestAddBesideBareRecord(t *testing.T) {
	x := madeTexts(plantest.Spec{Tasks: 4})
	before, rest, _ := strings.Cut(x[readmeFile], "\n## Task 1: ")
	title, _, _ := strings.Cut(rest, "\n")
	_, behind, _ := strings.Cut(rest, "\n## Task 2: ")
	x[readmeFile] = before + "\n## Task 1: " + title + "\n\nIt is not written yet.\n\n## Task 2: " + behind
	var out Refined
	r, err := Add{Outline: []byte(oneTask), Warrant: byAda}.Decide(&out)(x.read(t))
	must(t, err)
	if views := x.after(r).read(t).Overview().Tasks; len(views) != 5 || len(views[0].Record.Sections) != 0 || views[3].Title != "Check the shards" || len(out.Added) != 1 {
		t.Errorf("%+v", views)
	}
}
