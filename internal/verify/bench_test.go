package verify_test

import (
	"fmt"
	"testing"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/verify"
)

// BenchmarkPlan checks in-memory plans of growing size: the time per task should stay level (linear).
func BenchmarkPlan(b *testing.B) {
	for _, tasks := range []int{10, 100, 1000} {
		for _, format := range []string{"lite", "full"} {
			files := plantest.Plan(plantest.Spec{Tasks: tasks, Done: tasks / 2, Full: format == "full"})
			b.Run(fmt.Sprintf("%s-%d", format, tasks), func(b *testing.B) {
				for b.Loop() {
					s, err := plan.Read(files, plantest.Name)
					if err != nil {
						b.Fatal(err)
					}
					verify.Plan(s, verify.Options{Now: now, InGit: true})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tasks), "ns/task")
			})
		}
	}
}

// TestGeneratedPlansAreConformant: what the benchmarks measure is the full work on a healthy plan.
func TestGeneratedPlansAreConformant(t *testing.T) {
	for _, format := range []string{"lite", "full"} {
		s, err := plan.Read(plantest.Plan(plantest.Spec{Tasks: 12, Done: 6, Full: format == "full"}), plantest.Name)
		if err != nil {
			t.Fatal(err)
		}
		if r := verify.Plan(s, verify.Options{Now: now, InGit: true}); r.Verdict != verify.Conformant {
			t.Errorf("%s: %s %+v", format, r.Verdict, r.Findings)
		}
	}
}
