package author

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// anyRefinement is one of the operations on tasks, by lot.
func anyRefinement(f testing.TB, kind, task int) publish.Decide {
	who, to, reasoned := revise.Who{Now: layTime}, 1+task%3, byAda
	reasoned.Reason = "because"
	switch kind % 6 {
	case 0:
		return Add{Who: who, Outline: []byte(oneTask), Warrant: byAda}.Decide(&Refined{})
	case 1:
		return Move{Who: who, Task: task, Before: to}.Decide(&Refined{})
	case 2:
		return Remove{Who: who, Task: task, Drop: true, Archive: to == 1, Warrant: byAda}.Decide(&Refined{})
	case 3:
		text, gaps := ReadTaskEdit([]byte(`{"goal": "Another goal.", "acceptance": ["counts agree"], "gates": ["make count"]}`))
		if len(gaps) > 0 {
			f.Fatal(gaps)
		}
		return Edit{Who: who, Task: task, Text: text, Warrant: reasoned, Confirm: true}.Decide(&Edited{})
	case 4:
		parts, _ := ReadParts([]byte(oneTask + "\n" + strings.Replace(oneTask, "Task 1", "Task 2", 1)))
		return Split{Who: who, Task: task, Parts: parts, Warrant: byAda}.Decide(&Parted{})
	}
	a := Amending{Who: who, Task: task, Criterion: 1, Observed: "seen", Reason: "because", Disposition: DispositionRevised, Revised: "counts agree, too",
		Authority: planmd.AuthorityEvidence}
	return a.Decide
}

// FuzzRefine: whatever the README of a plan is, an operation on its tasks is refused or made, never a panic (PD-10); one that is made
// leaves no plan nonconformant that conformed, and no title of a task that it doesn't name otherwise (LF-10, AM-1).
func FuzzRefine(f *testing.F) {
	vectors, err := filepath.Glob("../../testdata/vectors/healthy/*.txtar")
	if err != nil || len(vectors) == 0 {
		f.Fatalf("no vectors: %v", err)
	}
	var seeds []string
	for _, name := range vectors {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if file.Name == readmeFile {
				seeds = append(seeds, string(file.Data))
			}
		}
	}
	seeds = append(seeds, madeTexts(plantest.Spec{Tasks: 4})[readmeFile], madeTexts(plantest.Spec{Tasks: 4, Done: 2})[readmeFile])
	for i, s := range seeds {
		for kind := range 6 {
			f.Add(s, kind, 1+(i+kind)%3)
		}
	}
	f.Fuzz(func(t *testing.T, readme string, kind, task int) {
		if kind < 0 || task < 1 {
			return
		}
		x := madeTexts(plantest.Spec{Tasks: 3})
		x[readmeFile] = readme
		delete(x, state.StateFile)
		delete(x, state.ManifestFile)
		d, err := publish.Preview(onPlan(x.twin(t)), update.Terms{Stateless: true}, anyRefinement(t, kind, task))
		if err != nil {
			return
		}
		opt := verify.Options{Now: layTime}
		if verify.Plan(d.Before, opt).Verdict == verify.Conformant && verify.Plan(d.After, opt).Verdict != verify.Conformant {
			t.Fatalf("it conforms no more:\n%s", d.After.README.Src)
		}
		have := titles(d.After)
		for i, v := range d.Before.Overview().Tasks {
			if v.ID != task && have[v.Title] == 0 {
				t.Fatalf("task %d, %q, is gone:\n%s", i+1, v.Title, d.After.README.Src)
			}
			have[v.Title]--
		}
	})
}

func titles(s *plan.Snapshot) map[string]int {
	all := map[string]int{}
	for _, t := range s.Overview().Tasks {
		all[t.Title]++
	}
	return all
}
