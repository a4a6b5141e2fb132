package dwp_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// TestExamplePlans: the example's README promises two healthy plans, and exactly three faults in the third,
// where state.json is at odds with the README that it should follow (PS-1).
func TestExamplePlans(t *testing.T) {
	tests := map[string][]string{
		"PLAN_rental_pricing": nil,
		"PLAN_station_import": nil,
		"PLAN_damage_reports": {"desync/state-ahead", "evidence/never-ran", "index/count"},
	}
	for name, want := range tests {
		s, err := plan.Open(filepath.Join("examples", "bike-rental", ".dwp", "plans", name))
		if err != nil {
			t.Fatal(err)
		}
		report := verify.Plan(s, verify.Options{Now: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), InGit: true})
		var got []string
		for _, f := range report.Findings {
			if f.Level == rule.Must {
				got = append(got, f.Rule)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: must findings %v, want %v%s", name, got, want, list(report.Findings))
		}
		wantVerdict := verify.Conformant
		if want != nil {
			wantVerdict = verify.Nonconformant
		}
		if report.Verdict != wantVerdict {
			t.Errorf("%s: verdict %s, want %s", name, report.Verdict, wantVerdict)
		}
	}
}

// TestExampleOutlines: each outline makes the plan that the examples' README tells, conformant and with nothing advised.
func TestExampleOutlines(t *testing.T) {
	for name, want := range map[string]struct {
		tasks  int
		format string
	}{
		"label-fix.md": {3, "lite"}, "offline-rentals.md": {12, "full"}, "move-reports.json": {60, "full"},
	} {
		src, err := os.ReadFile(filepath.Join("examples", "outlines", name))
		if err != nil {
			t.Fatal(err)
		}
		p, err := author.PrepareFrom(src, "", author.Options{Era: state.V2, CreatedAt: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.TaskCount() != want.tasks+1 || p.Choice.Format != want.format || len(p.Advice) > 0 {
			t.Errorf("%s: %d tasks, %s, advice %v", name, p.TaskCount(), p.Choice.Format, p.Advice)
		}
	}
}
