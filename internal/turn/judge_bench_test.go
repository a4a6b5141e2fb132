package turn

import (
	"fmt"
	"testing"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
)

// BenchmarkJudge is the cost of the rules in a turn: of a plan of a usual size, and of one of 500 tasks with 5,000 changed files.
func BenchmarkJudge(b *testing.B) {
	for _, size := range []struct{ tasks, files int }{{8, 10}, {500, 5000}} {
		b.Run(fmt.Sprintf("%d tasks, %d files", size.tasks, size.files), func(b *testing.B) {
			files := plantest.Plan(plantest.Spec{Tasks: size.tasks, Done: 1, Full: true})
			s, err := plan.Read(files, plantest.Name)
			if err != nil {
				b.Fatal(err)
			}
			e := Evidence{Before: s, After: s, Task: 2, Git: true}
			for n := range size.files {
				e.Changes = append(e.Changes, Change{fmt.Sprintf("load/%d/x.go", n), git.Modified})
			}
			for b.Loop() {
				if j := Judge(e); j.Stop != nil {
					b.Fatal(j.Stop)
				}
				StopBefore(s, 2, nil, Standing{}, nil)
			}
		})
	}
}
