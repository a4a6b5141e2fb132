package author

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// The plans of plantest were worked on 2026-09-01.
var promoteNow = time.Date(2026, 9, 3, 23, 30, 0, 0, time.FixedZone("west", -2*3600)) // in UTC it is the next day

var promoter = revise.Who{Agent: "Mill", Now: promoteNow}

// planOf puts the files of a plan into a folder of the twin.
func planOf(t testing.TB, files map[string]string) publish.Plan {
	t.Helper()
	tw := disk.NewTwin()
	for name, text := range files {
		if err := errors.Join(disk.MkdirAll(tw, analysisDir), tw.Put(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return planAt(tw)
}

func planAt(tw *disk.Twin) publish.Plan {
	return publish.Plan{FS: tw, Name: plantest.Name, Now: func() time.Time { return promoteNow }, Owner: disk.Owner{Command: "dwp promote"}, InGit: true}
}

// loadPlan is a Lite plan of plantest as texts.
func loadPlan(spec plantest.Spec) map[string]string {
	files := map[string]string{}
	for name, f := range plantest.Plan(spec) {
		files[name] = string(f.Data)
	}
	return files
}

func textsOf(p publish.Plan) map[string]string { return settled(p.FS.(*disk.Twin)) }

func snapshot(t testing.TB, p publish.Plan) *plan.Snapshot {
	t.Helper()
	s, err := plan.Read(p.FS, p.Name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func musts(s *plan.Snapshot) []string {
	var list []string
	for _, f := range verify.Plan(s, verify.Options{Now: promoteNow, InGit: true}).Findings {
		list = append(list, fmt.Sprintf("%s %s %s:%d %s", f.Level, f.Rule, f.File, f.Line, f.Message))
	}
	return list
}

// LF-9, C115: a Lite plan with completed and pending tasks becomes Full; verify finds nothing new; a second call changes nothing.
func TestPromote(t *testing.T) {
	p := planOf(t, loadPlan(plantest.Spec{Tasks: 3, Done: 1}))
	before := snapshot(t, p)
	told, err := Promote(t.Context(), p, promoter)
	if err != nil {
		t.Fatal(err)
	}
	if !told.Changed || told.Already || told.From != "" || !slices.Equal(told.Files, []string{"1.task_load_shard_1.md", "2.task_load_shard_2.md", "3.task_final_review.md"}) {
		t.Errorf("told %+v", told)
	}
	after := snapshot(t, p)
	if got, want := musts(after), musts(before); !slices.Equal(got, want) {
		t.Errorf("verify says %q, before %q", got, want)
	}
	once := textsOf(p)
	for _, name := range []string{"README.md", "state.json", "PROGRESS.md", "1.task_load_shard_1.md"} {
		t.Logf("%s:\n%s", name, once[name])
	}
	told, err = Promote(t.Context(), p, promoter)
	if err != nil || told.Changed || !told.Already {
		t.Errorf("again: %+v, %v", told, err)
	}
	if !maps.Equal(once, textsOf(p)) {
		t.Error("the second call changed something")
	}
}

var _ = fs.ErrNotExist
var _ = strings.Cut
var _ = state.V1
