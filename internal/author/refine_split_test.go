package author

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// whole is an outline whose second task has enough to be split.
func whole() Outline {
	o := sample(3, false)
	t := &o.Tasks[1]
	t.Acceptance = []string{"Letters are listed", "Bills are listed", "Nothing is left\nin the box", "The list is signed"}
	t.Outputs = []string{"`letters.txt`", "`bills.txt`"}
	t.Gates = []string{"make letters", "make bills"}
	t.Surface.Planned = []string{"boxes/letters", "boxes/bills"}
	t.Instructions = []string{"Wear gloves.", "Keep the order of the box."}
	t.Rollback = "Put everything back."
	return o
}

// parted are the texts of an approved plan of an outline under the name that test plans have.
func parted(t testing.TB, o Outline, format string, bend ...func(map[string]string)) map[string]string {
	t.Helper()
	opt := base()
	opt.Name, opt.Format = plantest.Name, format
	files := prepared(t, o, opt).Final()
	files[readmeFile] = strings.Replace(files[readmeFile], "**Approval:** pending", "**Approval:** approved", 1)
	files[state.StateFile] = strings.Replace(files[state.StateFile], `"approval": "pending"`, `"approval": "approved"`, 1)
	for _, b := range bend {
		b(files)
	}
	return files
}

// deal deals what a task demands to n parts: what is single to one of them, all else to some.
func deal(r *rand.Rand, t Task, n int) []Task {
	parts := make([]Task, n)
	for i := range parts {
		parts[i] = Task{Title: fmt.Sprintf("Part %d", i+1), Context: "A part.", Goal: "This part is done.", Surface: Surface{Risk: "isolated"}}
	}
	one := func(texts []string, to func(*Task) *[]string) {
		for _, i := range r.Perm(len(texts)) {
			list := to(&parts[r.IntN(n)])
			*list = append(*list, texts[i])
		}
	}
	some := func(texts []string, to func(*Task) *[]string) {
		for i, text := range texts {
			for k := range parts {
				if k == i%n || r.IntN(3) == 0 || k >= len(texts) && i == 0 {
					list := to(&parts[k])
					*list = append(*list, text)
				}
			}
		}
	}
	one(t.Acceptance, func(p *Task) *[]string { return &p.Acceptance })
	one(t.Outputs, func(p *Task) *[]string { return &p.Outputs })
	some(t.Gates, func(p *Task) *[]string { return &p.Gates })
	some(t.Surface.Planned, func(p *Task) *[]string { return &p.Surface.Planned })
	some(t.Instructions, func(p *Task) *[]string { return &p.Instructions })
	parts[r.IntN(n)].Rollback = t.Rollback
	return parts
}

func splitBy(parts []Task) Split {
	return Split{Who: revise.Who{Agent: "Mill", Now: editDay}, Task: 2, Parts: parts}
}

func splitInto(t testing.TB, p publish.Plan, w Split) (Parted, *plan.Snapshot) {
	t.Helper()
	var out Parted
	if _, err := publish.Revise(t.Context(), p, update.Terms{}, w.Decide(&out)); err != nil {
		if gaps, ok := errors.AsType[*Incomplete](err); ok {
			t.Fatalf("gaps: %v", gaps.Gaps)
		}
		if no, ok := errors.AsType[*publish.Refused](err); ok {
			t.Fatalf("%s: %s %v", no.Rule, no.Message, no.Findings)
		}
		t.Fatal(err)
	}
	s, err := plan.Read(p.FS, p.Name)
	if err != nil {
		t.Fatal(err)
	}
	return out, s
}

// allDemands counts what the tasks of a plan demand; what may stand in several parts counts once.
func allDemands(s *plan.Snapshot) map[string]int {
	all := map[string]int{}
	tasks := s.Overview().Tasks
	for i := range tasks {
		m := markdown{doc: tasks[i].Doc}
		t := m.task(tasks[i].Record)
		for _, d := range demands(&t) {
			if all[d.key()]++; !d.single {
				all[d.key()] = 1
			}
		}
	}
	return all
}

// TestSplitLosesNothing: however the demands of a task are dealt, the plan demands afterwards what it demanded before, in whatever
// form it is written, and conforms (LF-10, PS-9).
func TestSplitLosesNothing(t *testing.T) {
	bends := map[string][]func(map[string]string){"plain": nil, "CRLF": {inCRLF}, "Thai labels": {withThai}}
	for name, bend := range bends {
		for _, format := range []string{lite, full} {
			for seed := range uint64(6) {
				files := parted(t, whole(), format, bend...)
				p := editTwin(t, files)
				before, err := plan.Read(p.FS, p.Name)
				must(t, err)
				r := rand.New(rand.NewPCG(seed, 1))
				n := 2 + int(seed%3)
				task := whole().Tasks[1]
				parts := deal(r, task, n)
				for i := range parts { // a part without a criterion is none: it gets one of its own
					if len(parts[i].Acceptance) == 0 {
						parts[i].Acceptance = []string{fmt.Sprintf("part %d is done", i+1)}
					}
				}
				out, s := splitInto(t, p, splitBy(parts))
				want := allDemands(before)
				for _, a := range out.More {
					want[demand{kind: a.Kind, text: a.Text}.key()]++
				}
				if got := allDemands(s); !maps.Equal(got, want) {
					t.Fatalf("%s, %s, seed %d:\n got %v\nwant %v", name, format, seed, got, want)
				}
				if len(out.Landed) != 4+2+2+2+2+1 || len(out.Added) != n || out.Pending != (len(out.More) > 0) {
					t.Errorf("%s, %s, seed %d: told %+v", name, format, seed, out)
				}
				if len(s.State.Tasks) != len(before.State.Tasks)+n-1 || s.State.Tasks[1].Title != "Part 1" || out.Renumbered[0].To != 2+n {
					t.Errorf("%s, %s, seed %d: %d entries, %v", name, format, seed, len(s.State.Tasks), out.Renumbered)
				}
				stillSound(t, s)
			}
		}
	}
}

// twoParts is a plain split of the task of whole: one part after the other.
func twoParts() []Task {
	t := whole().Tasks[1]
	a, b := t, t
	a.Title, b.Title = "Sort letters", "Sort bills"
	a.Acceptance, b.Acceptance = t.Acceptance[:2], t.Acceptance[2:]
	a.Outputs, b.Outputs = t.Outputs[:1], t.Outputs[1:]
	a.Gates, b.Gates = t.Gates[:1], t.Gates[1:]
	a.Surface.Planned, b.Surface.Planned = t.Surface.Planned[:1], t.Surface.Planned[1:]
	b.Rollback, b.Instructions = "", nil
	return []Task{a, b}
}

// TestSplitRefuses: what is lost or doubled is listed, all of it; and a task with history keeps its number (LF-10, AG-6, PD-7).
func TestSplitRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		bend func(w *Split)
		want []string // the rule of a refusal, or what the gaps say
	}{
		"one part":          {func(w *Split) { w.Parts = w.Parts[:1] }, []string{"needs two tasks", `"make bills"`, `"Nothing is left in the box"`, "`bills.txt`", `"boxes/bills"`}},
		"criterion lost":    {func(w *Split) { w.Parts[0].Acceptance = w.Parts[0].Acceptance[:1] }, []string{`no part has its criterion: "Bills are listed"`}},
		"criterion twice":   {func(w *Split) { w.Parts[1].Acceptance = append(w.Parts[1].Acceptance, "Bills  are listed") }, []string{"stands in 2 parts"}},
		"reworded":          {func(w *Split) { w.Parts[0].Acceptance = []string{"Letters are listed", "Bills are found"} }, []string{`no part has its criterion`}},
		"output twice":      {func(w *Split) { w.Parts[1].Outputs = []string{"`letters.txt`", "`bills.txt`"} }, []string{"output of task 2 stands in 2 parts"}},
		"instruction lost":  {func(w *Split) { w.Parts[0].Instructions = nil }, []string{`"Wear gloves."`, `"Keep the order of the box."`}},
		"rollback lost":     {func(w *Split) { w.Parts[0].Rollback = "" }, []string{"no part has its rollback"}},
		"no gate":           {func(w *Split) { w.Parts[0].Gates = nil }, []string{"gate command: none given", `no part has its gate: "make letters"`}},
		"depends on itself": {func(w *Split) { w.Parts[1].DependsOn, w.Parts[1].HasDepends = []int{2}, true }, []string{"depends on itself"}},
		"ring":              {func(w *Split) { w.Parts[0].DependsOn, w.Parts[0].HasDepends = []int{2}, true }, []string{"guard/task-order"}},
		"second review":     {func(w *Split) { w.Parts[1].Title = "Final Review" }, []string{"second Final Review"}},
		"Final Review":      {func(w *Split) { w.Task = 4 }, []string{"guard/final-review"}},
		"unknown":           {func(w *Split) { w.Task = 9 }, []string{"guard/unknown-task"}},
		"grows in a turn": {func(w *Split) {
			w.InTurn, w.Parts[1].Acceptance = true, append(w.Parts[1].Acceptance, "and another")
		}, []string{"guard/in-turn"}},
		"not as given": {func(w *Split) { w.Parts[1].Goal = "Big\n===\n\nx" }, []string{"would not read as it was given"}},
	} {
		for _, format := range []string{lite, full} {
			p := editTwin(t, parted(t, whole(), format))
			before := p.FS.(*disk.Twin).Tree()
			w := splitBy(twoParts())
			test.bend(&w)
			var out Parted
			_, err := publish.Revise(t.Context(), p, update.Terms{}, w.Decide(&out))
			said := fmt.Sprint(err)
			if gaps, ok := errors.AsType[*Incomplete](err); ok {
				said = fmt.Sprint(gaps.Gaps)
			}
			if no, ok := errors.AsType[*publish.Refused](err); ok {
				said = no.Rule
			}
			for _, want := range test.want {
				if !strings.Contains(said, want) {
					t.Errorf("%s, %s: got %s, want %q", name, format, said, want)
				}
			}
			if !maps.Equal(before, p.FS.(*disk.Twin).Tree()) {
				t.Errorf("%s, %s: something was written", name, format)
			}
		}
	}
}

// TestSplitOtherSection: what a section says that nobody knows goes to no part, and is told before it is lost (LF-10).
func TestSplitOtherSection(t *testing.T) {
	for _, format := range []string{lite, full} {
		p := editTwin(t, parted(t, whole(), format, withNotes))
		var out Parted
		_, err := publish.Revise(t.Context(), p, update.Terms{}, splitBy(twoParts()).Decide(&out))
		if gaps, ok := errors.AsType[*Incomplete](err); !ok || !mentions(gaps, `no part has its section "Security Notes"`) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// withNotes gives every task a section of its own.
func withNotes(files map[string]string) {
	for path, text := range files {
		for _, mark := range []string{"## ", "### "} {
			text = strings.ReplaceAll(text, "\n"+mark+"Outputs\n", "\n"+mark+"Security Notes\n\nNever print the key.\n\n"+mark+"Outputs\n")
		}
		files[path] = text
	}
}

// TestSplitHistory: a task that was started is not split, nor one before such a task (LF-10).
func TestSplitHistory(t *testing.T) {
	for task, want := range map[int]string{1: "task 1 is not split", 2: "task 2 is not split"} {
		w := splitBy(twoParts())
		w.Task = task
		var out Parted
		_, err := publish.Revise(t.Context(), editTwin(t, underWay(true)), update.Terms{}, w.Decide(&out))
		if no, ok := errors.AsType[*publish.Refused](err); !ok || no.Rule != "guard/history" || !strings.Contains(no.Message, want) {
			t.Errorf("task %d: %v", task, err)
		}
	}
}

// TestSplitDepends: who waited for the task waits for its parts, and they wait for what it waited for (GU-7, LF-10).
func TestSplitDepends(t *testing.T) {
	for name, test := range map[string]struct {
		task, third []int         // what tasks 2 and 3 wait for before
		parts       map[int][]int // what parts wait for
		want        map[int][]int // what tasks wait for afterwards, the Final Review left out
	}{
		"chain":        {[]int{1}, []int{2}, nil, map[int][]int{2: {1}, 3: {1, 2}, 4: {3}}},
		"side by side": {[]int{1}, []int{1, 2}, map[int][]int{2: {}}, map[int][]int{2: {1}, 3: {1}, 4: {1, 2, 3}}},
		"nothing said": {nil, nil, nil, map[int][]int{2: {1}, 3: {1, 2}, 4: {1, 2, 3}}},
		"backwards":    {[]int{1}, []int{2}, map[int][]int{1: {2}, 2: {}}, map[int][]int{2: {1, 3}, 3: {1}, 4: {2, 3}}},
	} {
		for _, format := range []string{lite, full} {
			o := whole()
			o.Tasks[1].DependsOn, o.Tasks[1].HasDepends = test.task, test.task != nil
			o.Tasks[2].DependsOn, o.Tasks[2].HasDepends = test.third, test.third != nil
			parts := twoParts()
			for n, list := range test.parts {
				parts[n-1].DependsOn, parts[n-1].HasDepends = list, true
			}
			_, s := splitInto(t, editTwin(t, parted(t, o, format)), splitBy(parts))
			for task, want := range test.want {
				if got := s.DependsOn(task); !slices.Equal(got, want) {
					t.Errorf("%s, %s: task %d waits for %v, want %v", name, format, task, got, want)
				}
			}
			stillSound(t, s)
		}
	}
}

// TestSplitGroup: the group's row names the parts, which plan no file twice (AG-6, PD-12).
func TestSplitGroup(t *testing.T) {
	o := sample(4, true)
	parts := []Task{o.Tasks[1], o.Tasks[1]}
	parts[0].Title, parts[1].Title = "First half", "Second half"
	parts[1].Acceptance, parts[1].Surface.Planned = []string{"The second half is listed"}, []string{"boxes/2b.txt"}
	_, s := splitInto(t, editTwin(t, parted(t, o, full)), splitBy(parts))
	var rows [][]int
	for _, g := range s.README.Groups {
		rows = append(rows, g.Tasks)
	}
	if want := "[[2 3] [4]]"; fmt.Sprint(rows) != want {
		t.Errorf("groups %v, want %s", rows, want)
	}
	if got := taskOf(t, s, 5).Record.DependsOn; !slices.Equal(got, []int{2, 3, 4}) {
		t.Errorf("task 5 waits for %v", got)
	}
	stillSound(t, s)
	for _, path := range []string{"boxes/2.txt", "boxes/3.txt"} {
		rivals(t, o, parts, path)
	}
	var out Edited
	e := edit(t, `{"surface": {"planned": ["boxes/./3.txt"]}}`)
	_, err := publish.Revise(t.Context(), editTwin(t, parted(t, o, full)), RefineTerms, e.Decide(&out))
	if gaps, ok := errors.AsType[*Incomplete](err); !ok || !strings.Contains(fmt.Sprint(gaps.Gaps), "task 3, of the same parallel group") {
		t.Errorf("two tasks of a group write one file: %v", err)
	}
}

// AG-6: what others depend on instead of a task that is removed does not take its row of the groups table over.
func TestRedirectGroup(t *testing.T) {
	for _, format := range []string{lite, full} {
		p := editTwin(t, parted(t, sample(4, true), format))
		var out Refined
		_, err := publish.Revise(t.Context(), p, RefineTerms, Remove{Task: 2, Redirect: 1}.Decide(&out))
		must(t, err)
		s, err := plan.Read(p.FS, p.Name)
		must(t, err)
		var rows [][]int
		for _, g := range s.README.Groups {
			rows = append(rows, g.Tasks)
		}
		if want := "[[2]]"; fmt.Sprint(rows) != want {
			t.Errorf("%s: groups %v, want %s", format, rows, want)
		}
		if got := taskOf(t, s, 3).Record.DependsOn; !slices.Equal(got, []int{1, 2}) {
			t.Errorf("%s: task 3 waits for %v", format, got)
		}
		stillSound(t, s)
	}
}

// rivals: a part doesn't plan a file that another one, or another task of the group, plans.
func rivals(t *testing.T, o Outline, parts []Task, path string) {
	t.Helper()
	parts = slices.Clone(parts)
	parts[1].Surface.Planned = []string{path}
	var out Parted
	_, err := publish.Revise(t.Context(), editTwin(t, parted(t, o, full)), update.Terms{}, splitBy(parts).Decide(&out))
	if gaps, ok := errors.AsType[*Incomplete](err); !ok || !strings.Contains(fmt.Sprint(gaps.Gaps), "both plan to write") {
		t.Errorf("two parts of a group write one file: %v", err)
	}
}

// TestSplitTells: PROGRESS.md says where each requirement went, and which numbers changed.
func TestSplitTells(t *testing.T) {
	_, s := splitInto(t, editTwin(t, parted(t, whole(), full)), splitBy(twoParts()))
	text := string(s.Progress.Src)
	for _, want := range []string{"Refine: a task split", "Criterion in task 2: `Bills are listed`", "Criterion in task 3: `Nothing is left in the box`",
		"Gate in task 3: `make bills`", "Rollback in task 2: `Put everything back.`", "Tasks 3 to 4 are Tasks 4 to 5 from now on"} {
		if !strings.Contains(text, want) {
			t.Errorf("PROGRESS.md lacks %q:\n%s", want, text)
		}
	}
	if !s.Progress.Refined || s.README.Section(planmd.Goal) == nil {
		t.Error("not read as a refine")
	}
}
