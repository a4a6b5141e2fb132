package dwp_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
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
