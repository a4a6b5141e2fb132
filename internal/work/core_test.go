package work

import (
	"errors"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

var mill = revise.Who{Agent: "Mill", Now: noon}

// folder is a made plan on a twin; edits, "file", "old", "new", change it first.
func folder(t *testing.T, spec plantest.Spec, edits ...[3]string) *disk.Twin {
	t.Helper()
	files := plantest.Plan(spec)
	for _, e := range edits {
		f := files[e[0]]
		if !strings.Contains(string(f.Data), e[1]) {
			t.Fatalf("%s has no %q", e[0], e[1])
		}
		f.Data = []byte(strings.Replace(string(f.Data), e[1], e[2], 1))
	}
	tw, err := disk.TwinOf(files)
	must(t, err)
	return tw
}

func do(t *testing.T, fsys disk.FS, decide publish.Decide) (publish.Done, error) {
	t.Helper()
	return publish.Revise(t.Context(), planIn(fsys), update.Terms{}, decide)
}

// done demands that an operation succeeds and leaves a conformant plan, and that the same again changes nothing.
func done(t *testing.T, fsys disk.FS, decide publish.Decide) publish.Done {
	t.Helper()
	first, err := do(t, fsys, decide)
	if err != nil || !first.Changed {
		t.Fatalf("%+v, %v%s", first, err, why(err))
	}
	again, err := do(t, fsys, decide)
	if err != nil || again.Changed {
		t.Fatalf("asked again: %+v, %v", again, err)
	}
	return first
}

// why lists the findings of a refusal.
func why(err error) string {
	text := ""
	if refused, ok := errors.AsType[*publish.Refused](err); ok {
		for _, f := range refused.Findings {
			text += "\n  " + f.Rule + ": " + f.Message
		}
	}
	return text
}

func conformant(t *testing.T, s *plan.Snapshot) {
	t.Helper()
	if r := verify.Plan(s, verify.Options{Now: noon, InGit: true}); r.Verdict != verify.Conformant {
		t.Errorf("%s %+v", r.Verdict, r.Findings)
	}
}

// refusedBy is the rule of a refusal, and the rules of its findings.
func refusedBy(err error) (rule string, list []string) {
	refused, ok := errors.AsType[*publish.Refused](err)
	if !ok {
		return "", nil
	}
	for _, f := range refused.Findings {
		list = append(list, f.Rule)
	}
	return refused.Rule, list
}

func view(t *testing.T, fsys disk.FS, task int) *plan.TaskView {
	t.Helper()
	o := snapshot(t, fsys).Overview()
	return &o.Tasks[task-1]
}

// inProgress is a plan whose second task was started.
func inProgress(t *testing.T, full bool, edits ...[3]string) *disk.Twin {
	t.Helper()
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 1, Full: full}, edits...)
	_, err := do(t, tw, (&Start{Who: mill, Task: 2}).Decide)
	must(t, err)
	return tw
}

// withGate records that the gate of a task passed.
func withGate(t *testing.T, tw *disk.Twin, task int) *disk.Twin {
	t.Helper()
	gate, refusal := update.ParseGate("make test-shard|0|12 passed")
	if refusal != nil {
		t.Fatal(refusal)
	}
	_, err := publish.Apply(t.Context(), planIn(tw), update.Change{Task: task, Gates: []update.Gate{gate}, Agent: "Mill"})
	must(t, err)
	return tw
}

// completion of the second task, which misses nothing.
func completion(task int) *Complete {
	return &Complete{Who: mill, Task: task, Worked: "bulk copy", Tried: []string{"row by row"}, Skills: "none", Docs: "none needed: nothing public changed",
		AllCriteria: true, Checklist: true, Product: Product{Asked: CommitNone}}
}

func second(_ publish.Done, err error) error { return err }
