package cli

import (
	"cmp"
	"path"
	"testing"

	"github.com/deepworkplan/dwp/internal/plantest"
)

// A load is a healthy plan of standard 5 as benchmarks need it: of any size, the first half of its tasks completed.
type load struct {
	name   string // PLAN_<slug>
	format string // "lite" or "full"
	tasks  int
	commit string // what the completed tasks record; "" leaves it out
}

// files lists the plan's files below its plans folder, for writeTree.
func (l load) files() map[string]string {
	files := map[string]string{}
	spec := plantest.Spec{Name: l.name, Tasks: l.tasks, Done: l.tasks / 2, Full: l.format == "full", Commit: cmp.Or(l.commit, plantest.NoCommit)}
	for name, f := range plantest.Plan(spec) {
		files[path.Join(l.name, name)] = string(f.Data)
	}
	return files
}

// TestLoadIsConformant: what the benchmarks measure is the whole work on a healthy plan.
func TestLoadIsConformant(t *testing.T) {
	for _, l := range []load{{"PLAN_move_archives", "full", 10, plantest.Commit}, {"PLAN_move_archives", "lite", 10, ""}} {
		dir := t.TempDir()
		files := map[string]string{".git/HEAD": "ref: refs/heads/main\n"}
		for name, text := range l.files() {
			files[".dwp/plans/"+name] = text
		}
		writeTree(t, dir, files)
		code, stdout, stderr := run(dir, "verify")
		if code != ExitOK {
			t.Errorf("%s: exit code %d, want 0\n%s%s", l.format, code, stdout, stderr)
		}
	}
}
