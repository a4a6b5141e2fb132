package author

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

const oneTask = `## Task 1: Check the shards

### Context
Shards may be lost.

### Goal
Every shard is counted.

### Touched Surface
- Planned: ` + "`shard.go`" + `
- Risk class: isolated

### Acceptance Criteria
- [ ] counts agree

### Validation
` + "```sh\nmake test-count\n```\n"

var byAda = Warrant{Authority: "user", Statement: "count them too", By: "Ada"}

func (x texts) twin(t *testing.T) *disk.Twin {
	t.Helper()
	tw := disk.NewTwin()
	for name, text := range x {
		if dir, _, deep := strings.Cut(name, "/"); deep {
			must(t, disk.MkdirAll(tw, dir))
		}
		must(t, disk.WriteFile(tw, name, []byte(text), disk.Options{}))
	}
	return tw
}

func onPlan(tw *disk.Twin) publish.Plan {
	return publish.Plan{FS: tw, Name: plantest.Name, Now: func() time.Time { return layTime }, Owner: disk.Owner{Command: "dwp refine"}}
}

func treeOf(tw *disk.Twin) texts {
	out := texts{}
	for name, text := range tw.Tree() {
		if !strings.HasSuffix(name, "/") {
			out[name] = text
		}
	}
	return out
}

// done makes a refinement, which must be allowed, and returns the files afterwards.
func (x texts) done(t *testing.T, decide publish.Decide) texts {
	t.Helper()
	tw := x.twin(t)
	if _, err := publish.Revise(t.Context(), onPlan(tw), RefineTerms, decide); err != nil {
		if refused, ok := errors.AsType[*publish.Refused](err); ok {
			t.Fatalf("%v %+v", err, refused.Findings)
		}
		t.Fatalf("%v %+v", err, err)
	}
	return treeOf(tw)
}

// refused makes a refinement that must be refused, and returns the message.
func (x texts) refused(t *testing.T, id string, decide publish.Decide) string {
	t.Helper()
	tw := x.twin(t)
	_, err := publish.Revise(t.Context(), onPlan(tw), RefineTerms, decide)
	refused, ok := errors.AsType[*publish.Refused](err)
	if !ok || refused.Rule != id {
		t.Fatalf("got %v, want %s", err, id)
	}
	if after := treeOf(tw); len(after) != len(x) || after[readmeFile] != x[readmeFile] {
		t.Error("something was written")
	}
	return refused.Message
}

// PD-11, PD-12, C17, C23: the forms of index and record that people write, each applied to a made plan.
var layForms = map[string]func(texts){
	"plain": func(texts) {},
	"crlf": func(x texts) {
		for name, text := range x {
			if strings.HasSuffix(name, ".md") {
				x[name] = strings.ReplaceAll(text, "\n", "\r\n")
			}
		}
	},
	"stars": func(x texts) {
		x[readmeFile] = strings.ReplaceAll(x[readmeFile], "- [", "* [")
	},
	"loose list, sub-items": func(x texts) {
		x[readmeFile] = strings.Replace(x[readmeFile], "- [ ] Task 4:", "\n- [ ] Task 4:", 1)
		x[readmeFile] = strings.Replace(x[readmeFile], "- [ ] Task 5:", "  - [ ] measure\n  - [ ] write it down\n\n- [ ] Task 5:", 1)
	},
	"bold": func(x texts) {
		for _, n := range []string{"1", "2", "3", "4", "5", "6"} {
			x[readmeFile] = strings.Replace(x[readmeFile], "] Task "+n+":", "] **Task "+n+":**", 1)
		}
	},
	"thai": func(x texts) {
		x[readmeFile] = strings.ReplaceAll(x[readmeFile], "] Task ", "] \u0e07\u0e32\u0e19 ")
	},
	"prose": func(x texts) {
		x[readmeFile] = strings.Replace(x[readmeFile], "## Task List", "Money comes from task 12 of the budget, and from task 4 of it.\n\n## Task List", 1)
	},
	"depends": func(x texts) {
		for name, text := range x {
			if name == readmeFile || strings.Contains(name, "5.task") {
				at := strings.Index(text, "Task 5: Load")
				at = max(at, strings.LastIndex(text, "Task 5: Load"))
				if at < 0 {
					continue // the index of a Full plan
				}
				line := at + strings.Index(text[at:], "\n")
				x[name] = text[:line] + "\n\nDepends on: 1-2, Task 4 (the last shard)\n" + text[line:]
			}
		}
	},
	"groups": func(x texts) {
		x[readmeFile] = strings.Replace(x[readmeFile], "## Task List", "## Team Agents\n\n| Group | Tasks | Owned files |\n|---|---|---|\n| A | 3 | a.go |\n| A | 4, 5 | b.go |\n\n## Task List", 1)
	},
}

// TestRefineRoundTrip: what is added and removed again, or moved there and back, leaves every byte but PROGRESS.md and times (LF-10).
func TestRefineRoundTrip(t *testing.T) {
	for name, form := range layForms {
		for _, full := range []bool{false, true} {
			t.Run(name+map[bool]string{false: "/lite", true: "/full"}[full], func(t *testing.T) {
				x := madeTexts(plantest.Spec{Tasks: 6, Done: 2, Full: full})
				form(x)
				inOrder(t, x)
				var out Refined
				added := x.done(t, Add{Outline: []byte(oneTask), After: 3, Warrant: byAda}.Decide(&out))
				inOrder(t, added)
				if len(out.Added) != 1 || out.Added[0].Number != 4 || len(out.Renumbered) != 3 {
					t.Errorf("%+v", out)
				}
				x.sameBut(t, added.done(t, Remove{Task: 4}.Decide(&out)))
				if name == "depends" {
					return // task 5 stays behind task 4
				}
				moved := x.done(t, Move{Task: 4, After: 5}.Decide(&out))
				inOrder(t, moved)
				x.sameBut(t, moved.done(t, Move{Task: 5, Before: 4}.Decide(&out)))
				if name == "prose" && (!strings.Contains(added[readmeFile], "task 12 of the budget, and from task 4 of it") || len(out.Left) == 0) {
					t.Errorf("left %+v", out.Left)
				}
			})
		}
	}
}

// sameBut compares all but PROGRESS.md, whose beginning must be kept.
func (x texts) sameBut(t *testing.T, y texts) {
	t.Helper()
	a, b := texts{}, texts{}
	for name := range x {
		a[name] = x[name]
	}
	for name := range y {
		b[name] = y[name]
	}
	if !strings.HasPrefix(b[progressFile], a[progressFile]) {
		t.Errorf("history was rewritten: %q", b[progressFile])
	}
	delete(a, progressFile)
	delete(b, progressFile)
	a.same(t, b)
}

// LF-7: growing the scope returns approval to pending; with a person's authority it stands, and the claim is on record.
func TestAddApproval(t *testing.T) {
	x := madeTexts(plantest.Spec{Tasks: 4, Done: 1})
	var out Refined
	y := x.done(t, Add{Outline: []byte(oneTask)}.Decide(&out))
	s := y.read(t)
	if !out.Pending || s.State.Approval != "pending" || s.README.ApprovalValue != "pending" {
		t.Errorf("approval %q, %q, told %v", s.State.Approval, s.README.ApprovalValue, out.Pending)
	}
	found := verify.Plan(s, verify.Options{Now: layTime})
	for _, f := range found.Findings {
		if f.Level != rule.Info && f.Rule != "approval/progress-under-pending" {
			t.Errorf("%+v", f)
		}
	}
	y = x.done(t, Add{Outline: []byte(oneTask), Warrant: byAda}.Decide(&out))
	if out.Pending || out.Stands != "approved" || !strings.Contains(y[progressFile], "count them too") || !strings.Contains(y[progressFile], "Ada") {
		t.Errorf("%+v %s", out, y[progressFile])
	}
	inOrder(t, y)
	x.refused(t, "guard/in-turn", Add{Outline: []byte(oneTask), Warrant: Warrant{InTurn: true}}.Decide(&out))
	x.refused(t, "guard/warrant", Add{Outline: []byte(oneTask), Warrant: Warrant{Authority: "user", Statement: "yes"}}.Decide(&out))
}

// LF-10, PD-7: tasks with history keep their number, and the Final Review stays last; the nearest place is told.
func TestRefineRefuses(t *testing.T) {
	x := madeTexts(plantest.Spec{Tasks: 6, Done: 2})
	var out Refined
	for _, row := range []struct {
		id, says string
		decide   publish.Decide
	}{
		{"guard/keeps-number", "--after 2", Add{Outline: []byte(oneTask), After: 1}.Decide(&out)},
		{"guard/review-last", "", Add{Outline: []byte(oneTask), After: 6}.Decide(&out)},
		{"guard/keeps-number", "--after 2", Move{Task: 4, After: 1}.Decide(&out)},
		{"guard/keeps-number", "--confirm", Move{Task: 2, After: 4}.Decide(&out)},
		{"guard/keeps-number", "keeps its number", Move{Task: 2, After: 4, Confirm: true}.Decide(&out)},
		{"guard/review-last", "", Move{Task: 6, Before: 3}.Decide(&out)},
		{"guard/review-last", "", Move{Task: 3, After: 6}.Decide(&out)},
		{"guard/unknown-task", "", Move{Task: 9, After: 3}.Decide(&out)},
		{"guard/review-last", "", Remove{Task: 6}.Decide(&out)},
		{"guard/finished", "", Remove{Task: 1}.Decide(&out)},
		{"guard/in-turn", "", Remove{Task: 4, Warrant: Warrant{InTurn: true}}.Decide(&out)},
	} {
		if text := x.refused(t, row.id, row.decide); !strings.Contains(text, row.says) {
			t.Errorf("%s says %q, want %q in it", row.id, text, row.says)
		}
	}
	layForms["depends"](x)
	x.refused(t, "guard/task-order", Move{Task: 5, Before: 4}.Decide(&out))
	x.refused(t, "guard/needed", Remove{Task: 4}.Decide(&out))
	y := x.done(t, Remove{Task: 4, Redirect: 3}.Decide(&out))
	if want := "Depends on: 1-2, Task 3 (the last shard)"; !strings.Contains(y[readmeFile], want) {
		t.Errorf("no %q in %s", want, y[readmeFile])
	}
	y = x.done(t, Remove{Task: 4, Drop: true}.Decide(&out))
	if want := "Depends on: 1-2 (the last shard)"; !strings.Contains(y[readmeFile], want) {
		t.Errorf("no %q in %s", want, y[readmeFile])
	}
	done := madeTexts(plantest.Spec{Tasks: 3, Done: 3})
	done.refused(t, "guard/finished", Add{Outline: []byte(oneTask)}.Decide(&out))
}

// PS-10, PS-9: a task with history is skipped by a person's word, and archived: its record stands in PROGRESS.md, its number is free.
func TestRemoveHistory(t *testing.T) {
	for _, full := range []bool{false, true} {
		x := madeTexts(plantest.Spec{Tasks: 5, Done: 1, Full: full})
		x[state.StateFile] = strings.Replace(x[state.StateFile], `"title": "Load shard 2", "status": "pending", "gates": []`,
			`"title": "Load shard 2", "status": "in_progress", "started_at": "2026-09-02T09:00:00Z", "gates": `+plantest.Gate, 1)
		var out Refined
		x.refused(t, "guard/skip-first", Remove{Task: 2}.Decide(&out))
		skipped := x.done(t, Remove{Task: 2, Warrant: byAda}.Decide(&out))
		inOrder(t, skipped)
		if s := skipped.read(t); s.State.Tasks[1].Status != state.Skipped || len(s.State.Tasks[1].Gates) != 1 || !out.Skipped || out.Archived {
			t.Errorf("%+v %+v", s.State.Tasks[1], out)
		}
		archived := skipped.done(t, Remove{Task: 2, Archive: true}.Decide(&out))
		inOrder(t, archived)
		if s := archived.read(t); len(s.State.Tasks) != 4 || !out.Archived || !strings.Contains(archived[progressFile], "> ## Acceptance Criteria") &&
			!strings.Contains(archived[progressFile], "> ### Acceptance Criteria") {
			t.Errorf("%d tasks: %s", len(s.State.Tasks), archived[progressFile])
		}
		for _, f := range verify.Plan(archived.read(t), verify.Options{Now: layTime}).Findings {
			if f.Level != rule.Info {
				t.Errorf("%+v", f)
			}
		}
		inOrder(t, x.done(t, Remove{Task: 2, Archive: true, Warrant: byAda}.Decide(&out)))
	}
}

// TestRefineSequences: whatever is added, moved and removed in a row, the plan conforms after each step, and its tasks are those of a
// list to which the same was done (LF-10, PS-9, PD-4).
func TestRefineSequences(t *testing.T) {
	for seed := range uint64(6) {
		full := seed%2 == 1
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 1))
			x := madeTexts(plantest.Spec{Tasks: 7, Done: 2, Full: full})
			layForms[[]string{"plain", "crlf", "stars", "bold", "thai", "groups"}[seed]](x)
			var titles []string
			for _, v := range x.read(t).Overview().Tasks {
				titles = append(titles, v.Title)
			}
			var out Refined
			for step := range 12 {
				open := len(titles) - 3 // tasks behind the two completed ones, before the Final Review
				at := 2 + random.IntN(max(open, 1))
				switch kind := random.IntN(3); {
				case kind == 0 || open < 2:
					title := fmt.Sprintf("Extra %d", step)
					x = x.done(t, Add{Outline: []byte(strings.Replace(oneTask, "Check the shards", title, 1)), After: at, Warrant: byAda}.Decide(&out))
					titles = slices.Insert(titles, at, title)
				case kind == 1:
					to := 2 + random.IntN(open)
					x = x.done(t, Move{Task: at + 1, After: to}.Decide(&out))
					title := titles[at]
					titles = slices.Delete(titles, at, at+1)
					if to > at {
						to--
					}
					titles = slices.Insert(titles, to, title)
				default:
					x = x.done(t, Remove{Task: at + 1, Archive: random.IntN(2) == 0}.Decide(&out))
					titles = slices.Delete(titles, at, at+1)
				}
				inOrder(t, x)
				var got []string
				for _, v := range x.read(t).Overview().Tasks {
					got = append(got, v.Title)
				}
				if !slices.Equal(got, titles) {
					t.Fatalf("step %d: got %q, want %q", step, got, titles)
				}
			}
		})
	}
}
