package work

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
)

// FuzzReconcile: whatever README.md and state.json say, a reconciliation is refused and writes nothing, or loses no record and has
// nothing to do the second time (PS-18).
func FuzzReconcile(f *testing.F) {
	healthy := plantest.Plan(plantest.Spec{Tasks: 3, Done: 1})
	f.Add(healthy["README.md"].Data, healthy["state.json"].Data, true)
	for _, group := range []string{"desync", "state", "index", "blocked", "checkpoint", "gate", "time"} {
		paths, _ := filepath.Glob("../../testdata/vectors/" + group + "/*.txtar")
		for _, path := range paths {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				f.Fatal(err)
			}
			texts := map[string][]byte{}
			for _, file := range archive.Files {
				texts[file.Name] = file.Data
			}
			f.Add(texts["README.md"], texts["state.json"], strings.Contains(group, "state"))
		}
	}
	f.Fuzz(func(t *testing.T, readme, stateJSON []byte, rebuild bool) {
		if len(readme) > 1<<15 || len(stateJSON) > 1<<15 {
			t.Skip("larger than what is quick")
		}
		files := fstest.MapFS{"README.md": {Data: readme, Mode: 0o644}, "state.json": {Data: stateJSON, Mode: 0o644}, "PROGRESS.md": healthy["PROGRESS.md"], "manifest.json": healthy["manifest.json"]}
		tw, err := disk.TwinOf(files)
		must(t, err)
		before := tw.Tree()
		was, err := plan.Read(tw, plantest.Name)
		must(t, err)
		if _, err := publish.Revise(t.Context(), planIn(tw), ReconcileTerms, (&Reconcile{Who: mill, Rebuild: rebuild}).Decide); err != nil {
			if !maps.Equal(before, tw.Tree()) {
				t.Fatalf("refused, and something was written: %v", err)
			}
			return
		}
		tree := tw.Tree()
		if again, err := publish.Revise(t.Context(), planIn(tw), ReconcileTerms, (&Reconcile{Who: mill}).Decide); err != nil || again.Changed || !maps.Equal(tree, tw.Tree()) {
			t.Fatalf("again: changed %v, %v%s", again.Changed, err, why(err))
		}
		is, err := plan.Read(tw, plantest.Name)
		must(t, err)
		if was.State != nil && !rebuild {
			recordsKept(t, "fuzzed", was.State, is.State)
		}
	})
}
