package dwp_test

import (
	"flag"
	"io/fs"
	"maps"
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

var updateExamples = flag.Bool("update-examples", false, "write examples/created anew")

// TestCreatedExamples: the plans under examples/created, which a person reads without the tool, are what create makes of their outlines
// today, and conform with nothing advised (PD-4, PD-5).
func TestCreatedExamples(t *testing.T) {
	for outline, name := range map[string]string{"label-fix.md": "PLAN_show_deposit_on_receipt", "offline-rentals.md": "PLAN_rent_bikes_without_a_signal"} {
		src, err := os.ReadFile(filepath.Join("examples", "outlines", outline))
		if err != nil {
			t.Fatal(err)
		}
		created := time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC)
		p, err := author.PrepareFrom(src, "", author.Options{Era: state.V2, CreatedAt: created})
		if err != nil || p.Name != name {
			t.Fatalf("%s: %v", outline, err)
		}
		dir := filepath.Join("examples", "created", name)
		if *updateExamples {
			writeExample(t, dir, p.Final())
		}
		if have := filesBelow(t, dir); !maps.Equal(have, p.Final()) {
			for file, text := range p.Final() {
				if have[file] != text {
					t.Errorf("%s: %s is not what create writes: go test -run TestCreatedExamples . -update-examples, and read it", name, file)
				}
			}
			if len(have) != len(p.Final()) {
				t.Errorf("%s: %d files, and create writes %d", name, len(have), len(p.Final()))
			}
		}
		s, err := plan.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if r := verify.Plan(s, verify.Options{Now: created, InGit: true, Strict: true}); r.Verdict != verify.Conformant || len(r.Findings) > 0 {
			t.Errorf("%s: %s%s", name, r.Verdict, list(r.Findings))
		}
	}
}

func writeExample(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// filesBelow reads every file of a folder, by slash path.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, fsys := map[string]string{}, os.DirFS(dir)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
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
