package plan

import (
	"testing"

	"github.com/deepworkplan/dwp/internal/state"
)

// Whatever stands in a folder, its overview adds up, and only ticked boxes complete a plan.
func FuzzOverview(f *testing.F) {
	f.Add(index("- [x] Task 1: Read\n- [ ] Task 2: Print\n"), layer("completed", "pending"), "# Task 1: Read\n\nDepends on: 2\n")
	f.Add(index("- Task 1: Read\n- [x] Task 1: Again\n- [x] 3. `3.task_c.md`\n"), layer("skipped", "blocked", "completed"), "Depends on: 1, 1, 9\n")
	f.Add("# T {#task-1}\n\n```\n| Group | Tasks | Teammate | Owned files |\n", `{"schema": "x"}`, "")
	f.Add("# T\n\n| Group | Tasks | Teammate | Owned files |\n|---|---|---|---|\n| A | 1, 2 | x | y |\n| B | 3-4 | x | z |\n\n- [ ] Task 1: a\n- [ ] Task 2: b\n", layer(), "")
	f.Fuzz(func(t *testing.T, readme, stateFile, task string) {
		s := read(t, files(map[string]string{"README.md": readme, "state.json": stateFile, "1.task_a.md": task, "x/2.task_b.md": task}))
		o := s.Overview()
		ticked := 0
		for _, v := range o.Tasks {
			if v.Checked {
				ticked++
			}
			if v.Checked && v.Status != state.Completed || v.Title != "" && v.Line == nil && v.Entry == nil && v.Record == nil {
				t.Errorf("task %d: got %+v", v.ID, v)
			}
			s.DependsOn(v.ID)
		}
		if o.Completed != ticked || o.Total != len(o.Tasks) || o.Total < 1 {
			t.Errorf("got %d/%d of %d tasks, %d ticked", o.Completed, o.Total, len(o.Tasks), ticked)
		}
		if o.Status == state.Completed && ticked != o.Total {
			t.Errorf("completed with %d of %d ticked", ticked, o.Total)
		}
		if o.Hold == HoldNone && (o.Next == 0 || o.Status == state.Completed) {
			t.Errorf("nothing holds, and next is %d, status %q", o.Next, o.Status)
		}
	})
}
