package verify_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
)

// GU-1: StateAlone says of a plan what state.json alone tells: its own defects, none of the markdown or the disk.
func TestStateAlone(t *testing.T) {
	for _, test := range []struct {
		name, file, old, text string
		want                  string // a must rule; "" for none
	}{
		{"healthy", "README.md", "# Load", "# Load", ""},
		{"a wrong count", "state.json", `"completed_count": 2`, `"completed_count": 3`, "state/completed-count"},
		{"a failing record", "state.json", `"passes": true, "exit_code": 0`, `"passes": false, "exit_code": 1`, "evidence/failing"},
		{"an unknown standard", "README.md", "spec 5.0.0", "spec 6.0.0", "standard/newer"},
		{"a wrong total", "state.json", `"task_count": 4`, `"task_count": 5`, "state/task-count"},
		{"an index line less", "README.md", "- [ ] Task 4: Final Review\n", "", ""},
		{"an open box", "README.md", "- [x] Task 1", "- [ ] Task 1", ""},
		{"a log that is missing", "state.json", "12 passed", "log=analysis_results/gone.log", ""},
	} {
		files := generated("lite")
		data := files[test.file].Data
		if !bytes.Contains(data, []byte(test.old)) {
			t.Fatalf("%s: %s has no %q", test.name, test.file, test.old)
		}
		files[test.file].Data = bytes.Replace(data, []byte(test.old), []byte(test.text), 1)
		s, err := plan.Read(files, plantest.Name)
		if err != nil {
			t.Fatal(err)
		}
		readme := s.README
		var got []string
		for _, f := range verify.StateAlone(s, verify.Options{Now: now}) {
			if f.Level == rule.Must {
				got = append(got, f.Rule)
			}
		}
		if test.want == "" && len(got) > 0 || test.want != "" && !slices.Equal(got, []string{test.want}) {
			t.Errorf("%s: must findings %q, want %q", test.name, got, test.want)
		}
		if s.README != readme || readme == nil {
			t.Errorf("%s: the snapshot was changed", test.name)
		}
	}
}
