package work

import (
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// steps are the operations on one task from its start to its end, and those that append to what a plan remembers.
func steps(task int) []publish.Decide {
	amendment := &revise.Amendment{Original: "counts agree", Observed: "they don't", Disposition: "failed", Reason: "a count is wrong", Authority: "evidence",
		Affected: "2 (reopened), 3 (reopened)", Invalidated: "make test", Preserved: "none"}
	return []publish.Decide{
		(&Start{Who: mill, Task: task}).Decide, (&Start{Who: mill, Approve: "Ada"}).Decide,
		(&Checkpoint{Who: mill, Step: "half"}).Decide,
		(&Block{Who: mill, Task: task, Class: "C2", Reason: "two are called A", Needs: "which one?"}).Decide,
		(&Unblock{Who: mill, Task: task, Answer: "the first", By: "Ada"}).Decide,
		completion(task).Decide,
		(&Reopen{Who: mill, Task: task, Reason: "a count is wrong", Amendment: amendment}).Decide,
		(&Decide{Who: mill, Choice: "a view", Why: "small", Revert: "drop it", Task: task}).Decide,
		(&AddSkill{Who: mill, Task: task, Title: "Count twice"}).Decide,
		(&Mend{Who: mill}).Decide,
	}
}

// FuzzCourse: whatever README.md and PROGRESS.md of a plan are, a step is refused or made, never a panic (PD-10); one that is made takes no
// task out of the index, and leaves no plan nonconformant that conformed (GU-12, PS-19).
func FuzzCourse(f *testing.F) {
	for done := range 3 {
		files := plantest.Plan(plantest.Spec{Tasks: 3, Done: done})
		for kind := range steps(1) {
			f.Add(string(files["README.md"].Data), string(files["PROGRESS.md"].Data), kind, 1+(done+kind)%3)
		}
	}
	f.Fuzz(func(t *testing.T, readme, progress string, kind, task int) {
		list := steps(task)
		if kind < 0 || kind >= len(list) {
			return
		}
		files := plantest.Plan(plantest.Spec{Tasks: 3, Done: 1})
		files["README.md"].Data, files["PROGRESS.md"].Data = []byte(readme), []byte(progress)
		tw, err := disk.TwinOf(files)
		must(t, err)
		d, err := publish.Preview(planIn(tw), update.Terms{}, list[kind])
		if err != nil {
			return
		}
		options := verify.Options{Now: noon, InGit: true}
		if verify.Plan(d.Before, options).Verdict == verify.Conformant && verify.Plan(d.After, options).Verdict != verify.Conformant {
			t.Fatalf("step %d: it conforms no more:\n%s\n%s", kind, d.After.README.Src, d.After.Progress.Src)
		}
		was, is := d.Before.README.Index, d.After.README.Index
		if len(was) != len(is) {
			t.Fatalf("step %d: %d lines of the index became %d", kind, len(was), len(is))
		}
		for i := range is {
			if is[i].ID != was[i].ID || is[i].Title != was[i].Title || is[i].ID != task && is[i].Box != nil && is[i].Box.Checked() != was[i].Box.Checked() {
				t.Fatalf("step %d on task %d: line %d was %+v, is %+v", kind, task, i, was[i], is[i])
			}
		}
	})
}
