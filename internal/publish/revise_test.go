package publish_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

var now = time.Date(2026, 9, 2, 8, 0, 0, 0, time.UTC)

const firstRetired = "analysis_results/FINALIZATION-1.json"

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// twinOf is a made plan; edits, "file", "old", "new", change it first, and a file without "old" is put with "new".
func twinOf(t testing.TB, spec plantest.Spec, edits ...[3]string) *disk.Twin {
	t.Helper()
	tw, err := disk.TwinOf(plantest.Plan(spec))
	must(t, err)
	for _, e := range edits {
		text := tw.Tree()[e[0]]
		if e[1] != "" && !strings.Contains(text, e[1]) {
			t.Fatalf("%s has no %q", e[0], e[1])
		}
		if text = strings.ReplaceAll(text, e[1], e[2]); e[1] == "" {
			text = e[2]
		}
		if dir := path.Dir(e[0]); dir != "." {
			must(t, disk.MkdirAll(tw, dir))
		}
		must(t, tw.Put(e[0], []byte(text), 0o644))
	}
	return tw
}

func at(fsys disk.FS) publish.Plan {
	return publish.Plan{FS: fsys, Name: plantest.Name, Now: func() time.Time { return now }, Owner: disk.Owner{Command: "test"}, System: crashtest.World(now)}
}

// noted is an operation on three files: a new one, PROGRESS.md and state.json. Done once, there is nothing more to do.
func noted(s *plan.Snapshot) (*publish.Revision, error) {
	progress, written := string(s.Progress.Src), string(s.Files[state.StateFile].Data)
	if strings.Contains(progress, "## 2026-09-02 Noted") {
		return &publish.Revision{}, nil
	}
	return &publish.Revision{Operation: "note", Args: []string{"it"}, Changes: []disk.Change{
		{Path: "NOTES.md", Data: []byte("# Notes\n\nIt.\n")},
		{Path: "PROGRESS.md", Data: []byte(progress + "## 2026-09-02 Noted\n\n- it\n")},
		{Path: state.StateFile, Data: []byte(strings.Replace(written, `"2026-09-01T10:00:00Z", "status"`, `"2026-09-02T08:00:00Z", "status"`, 1))},
	}}, nil
}

// noticed also publishes a completed plan anew.
func noticed(s *plan.Snapshot) (*publish.Revision, error) {
	r, err := noted(s)
	r.Republish = len(r.Changes) > 0
	return r, err
}

// sealed is a completed plan that is published.
func sealed(t testing.TB) *disk.Twin {
	t.Helper()
	tw := twinOf(t, plantest.Spec{Tasks: 3, Done: 3})
	_, err := publish.Seal(t.Context(), at(tw))
	must(t, err)
	return tw
}

// rulesOf are the rules that verify finds broken.
func rulesOf(t testing.TB, fsys fs.FS) (ids []string, verdict verify.Verdict) {
	t.Helper()
	s, err := plan.Read(fsys, plantest.Name)
	must(t, err)
	r := verify.Plan(s, verify.Options{Now: now})
	for _, f := range r.Findings {
		ids = append(ids, f.Rule)
	}
	return ids, r.Verdict
}

// TestRevise: an operation on three files is done once, and its dry run writes nothing (DESIGN 6, PS-19).
func TestRevise(t *testing.T) {
	tw := twinOf(t, plantest.Spec{Tasks: 3, Done: 1})
	before := tw.Tree()
	draft, err := publish.Preview(at(tw), update.Terms{}, noted)
	if err != nil || len(draft.Changes) != 3 || !maps.Equal(before, tw.Tree()) {
		t.Fatalf("preview: %+v, %v", draft, err)
	}
	if was, is := string(draft.Before.Progress.Src), string(draft.After.Progress.Src); strings.Contains(was, "Noted") || !strings.Contains(is, "Noted") {
		t.Errorf("preview: PROGRESS.md is %q, then %q", was, is)
	}
	for round, want := range []bool{true, false} {
		done, err := publish.Revise(t.Context(), at(tw), update.Terms{}, noted)
		if err != nil || done.Changed != want || done.StateSHA256 != state.Digest([]byte(tw.Tree()[state.StateFile])) {
			t.Fatalf("round %d: %+v, %v", round, done, err)
		}
	}
	for name, text := range tw.Tree() {
		if was := before[name]; was != text && !slices.Contains([]string{"NOTES.md", "PROGRESS.md", state.StateFile}, name) {
			t.Errorf("%s changed", name)
		}
	}
}

// TestReviseHolds: a plan that may not be written is not revised, whatever is asked; nothing is written (GU-8, PS-22, LF-4, LF-9, C33).
func TestReviseHolds(t *testing.T) {
	marker := [3]string{state.FinalizeMark, "", "{}"}
	for name, test := range map[string]struct {
		edits [][3]string
		rule  string
	}{
		"newer standard":        {[][3]string{{"README.md", "DWP spec 5.0.0", "DWP spec 9.1.0"}}, "standard/newer"},
		"unknown schema":        {[][3]string{{state.StateFile, "plan-state/v2.json", "plan-state/v9.json"}}, "schema/unknown"},
		"publication cut off":   {[][3]string{marker}, "publication/unfinished"},
		"operation cut off":     {[][3]string{{state.OperationMark + "/op.json", "", "{}"}}, "operation/unfinished"},
		"partial":               {[][3]string{{state.StateFile, `"ready"`, `"materializing"`}}, "materialization/partial"},
		"README materializing":  {[][3]string{{"README.md", "Plan Status: 1/3 completed", "Plan Status: materializing"}}, "materialization/partial"},
		"promoting":             {[][3]string{{state.StateFile, `"ready"`, `"promoting"`}, {state.StateFile, `"promotion": null`, `"promotion": {"from": "lite", "to": "full", "phase": "intent", "tasks": []}`}}, "promotion/unfinished"},
		"malformed state":       {[][3]string{{state.StateFile, `"completed_count": 1`, `"completed_count": 2`}}, "state/completed-count"},
		"state cut off":         {[][3]string{{state.StateFile, "", `{"schema": `}}, "json/syntax"},
		"unresolved merge":      {[][3]string{{"README.md", "## Goal", "<<<<<<< ours\n\n## Goal"}}, "guard/unreadable"},
		"a marker comes first":  {[][3]string{marker, {state.StateFile, `"completed_count": 1`, `"completed_count": 2`}}, "publication/unfinished"},
		"a fault in the record": {[][3]string{{state.StateFile, `"exit_code": 0`, `"exit_code": "0"`}}, "gate/shape"},
	} {
		t.Run(name, func(t *testing.T) {
			tw := twinOf(t, plantest.Spec{Tasks: 3, Done: 1}, test.edits...)
			before := tw.Tree()
			asked := false
			decide := func(s *plan.Snapshot) (*publish.Revision, error) {
				asked = true
				return noted(s)
			}
			_, err := publish.Revise(t.Context(), at(tw), update.Terms{}, decide)
			refused, ok := errors.AsType[*publish.Refused](err)
			if !ok || refused.Rule != test.rule || refused.Hint == "" {
				t.Errorf("got %+v", err)
			}
			if _, err := publish.Preview(at(tw), update.Terms{}, decide); err == nil {
				t.Error("the dry run is not refused")
			}
			if asked || !maps.Equal(before, tw.Tree()) {
				t.Errorf("asked: %v, or something was written", asked)
			}
		})
	}
}

// TestReviseTerms: what an operation says it can do with is no hindrance: a plan without JSON, the marker of a promotion (PS-2, LF-9).
func TestReviseTerms(t *testing.T) {
	none := func(*plan.Snapshot) (*publish.Revision, error) { return &publish.Revision{}, nil }
	files := plantest.Plan(plantest.Spec{Tasks: 3})
	delete(files, state.StateFile)
	delete(files, state.ManifestFile)
	stateless, err := disk.TwinOf(files)
	must(t, err)
	promoting := twinOf(t, plantest.Spec{Tasks: 3}, [3]string{state.StateFile, `"ready"`, `"promoting"`},
		[3]string{state.StateFile, `"promotion": null`, `"promotion": {"from": "lite", "to": "full", "phase": "intent", "tasks": []}`})
	for name, test := range map[string]struct {
		tw    *disk.Twin
		terms update.Terms
	}{"stateless": {stateless, update.Terms{Stateless: true}}, "promoting": {promoting, update.Terms{Promoting: true}}} {
		if _, err := publish.Revise(t.Context(), at(test.tw), test.terms, none); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := publish.Revise(t.Context(), at(test.tw), update.Terms{}, none); err == nil {
			t.Errorf("%s: not refused without its terms", name)
		}
	}
}

// TestReviseMoved: a file that another hand changed after it was read is not overwritten (GU-9, C55).
func TestReviseMoved(t *testing.T) {
	tw := twinOf(t, plantest.Spec{Tasks: 3, Done: 1})
	var before map[string]string
	_, err := publish.Revise(t.Context(), at(tw), update.Terms{}, func(s *plan.Snapshot) (*publish.Revision, error) {
		r, err := noted(s)
		must(t, tw.Put("PROGRESS.md", []byte(tw.Tree()["PROGRESS.md"]+"A person writes.\n"), 0o644))
		before = tw.Tree()
		return r, err
	})
	if !errors.Is(err, disk.ErrMoved) || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("got %v", err)
	}
	for name, text := range tw.Tree() {
		if text != before[name] {
			t.Errorf("%s changed", name)
		}
	}
	// A digest that the caller brings counts as well.
	_, err = publish.Revise(t.Context(), at(tw), update.Terms{}, func(s *plan.Snapshot) (*publish.Revision, error) {
		r, err := noted(s)
		r.Changes[1].Was = strings.Repeat("0", 64)
		return r, err
	})
	if !errors.Is(err, disk.ErrMoved) {
		t.Errorf("got %v", err)
	}
}

// TestReviseLocked: without the lock nothing is read, decided or written (GU-10).
func TestReviseLocked(t *testing.T) {
	tw := twinOf(t, plantest.Spec{Tasks: 3, Done: 1})
	lock, err := disk.Acquire(t.Context(), tw, disk.Owner{Command: "other"}, 0, crashtest.World(now))
	must(t, err)
	decide := func(*plan.Snapshot) (*publish.Revision, error) {
		t.Error("it was decided without the lock")
		return nil, errors.New("asked")
	}
	_, err = publish.Revise(t.Context(), at(tw), update.Terms{}, decide)
	if _, held := errors.AsType[*disk.LockedError](err); !held {
		t.Errorf("got %v", err)
	}
	must(t, lock.Release())
}

// TestUnfinished: an operation that was committed and could not be applied whole says so; verify names it, nothing else is done before,
// and recover finishes it, once (DESIGN 6, C111).
func TestUnfinished(t *testing.T) {
	tw := twinOf(t, plantest.Spec{Tasks: 3, Done: 1})
	full := true
	tw.Hook(func(e disk.Event) error {
		if full && e.Op == disk.OpRename && e.To == "PROGRESS.md" {
			return errors.New("no space")
		}
		return nil
	})
	_, err := publish.Revise(t.Context(), at(tw), update.Terms{}, noted)
	unfinished, ok := errors.AsType[*publish.Unfinished](err)
	if !ok || unfinished.Operation != "note" || !strings.Contains(err.Error(), "note is unfinished") {
		t.Fatalf("got %v", err)
	}
	full = false
	if ids, _ := rulesOf(t, tw); !slices.Contains(ids, "operation/unfinished") {
		t.Errorf("verify says %v", ids)
	}
	_, err = publish.Revise(t.Context(), at(tw), update.Terms{}, noted)
	if refused, ok := errors.AsType[*publish.Refused](err); !ok || refused.Rule != "operation/unfinished" {
		t.Errorf("got %v", err)
	}
	for round, want := range []bool{true, false} {
		r, err := publish.Recover(t.Context(), at(tw), nil)
		if err != nil || (r.Operation != nil) != want || r.Nothing == want || want && (r.Operation.Name != "note" || r.Operation.Args[0] != "it") {
			t.Fatalf("round %d: %+v, %v", round, r, err)
		}
	}
	done, err := publish.Revise(t.Context(), at(tw), update.Terms{}, noted)
	if err != nil || done.Changed {
		t.Errorf("again: %+v, %v", done, err)
	}
}

// TestRepublish: an operation on a published plan publishes it again: a new receipt in force, the old one kept under another name (VP-5).
func TestRepublish(t *testing.T) {
	tw := sealed(t)
	old := tw.Tree()[state.ReceiptFile]
	for round, want := range []bool{true, false} {
		done, err := publish.Revise(t.Context(), at(tw), update.Terms{}, noticed)
		if err != nil || done.Changed != want || done.Published != want {
			t.Fatalf("round %d: %+v, %v", round, done, err)
		}
	}
	tree := tw.Tree()
	if tree[firstRetired] != old || tree[state.ReceiptFile] == old || tree["analysis_results/FINALIZATION-2.json"] != "" {
		t.Error("the receipts are not as they should be")
	}
	receipt, faults, err := state.ReadReceipt([]byte(tree[state.ReceiptFile]))
	if err != nil || len(faults) > 0 || receipt.StateSHA256 != state.Digest([]byte(tree[state.StateFile])) {
		t.Errorf("receipt %+v, %v, %v", receipt, faults, err)
	}
	if ids, verdict := rulesOf(t, tw); verdict != verify.Conformant || slices.Contains(ids, "receipt/missing") {
		t.Errorf("%s %v", verdict, ids)
	}
}

// TestRepublishRefuses: what was changed after the receipt is not hidden by a new one, and a plan that would not conform keeps the one it
// has; nothing is written (VP-1, VP-5).
func TestRepublishRefuses(t *testing.T) {
	changed := sealed(t)
	must(t, changed.Put("README.md", []byte(changed.Tree()["README.md"]+"\nMore.\n"), 0o644))
	// The operation alone would be fine on this one, which breaks a rule and has no receipt; its publication would not.
	broken := twinOf(t, plantest.Spec{Tasks: 3, Done: 3}, [3]string{"README.md", "Plan Status: 3/3", "Plan Status: 2/3"})
	for want, tw := range map[string]*disk.Twin{"guard/changed-after": changed, "guard/not-conformant": broken} {
		before := tw.Tree()
		_, err := publish.Revise(t.Context(), at(tw), update.Terms{}, noticed)
		refused, ok := errors.AsType[*publish.Refused](err)
		if !ok || refused.Rule != want || len(refused.Findings) == 0 || !maps.Equal(before, tw.Tree()) {
			t.Errorf("%s: got %v", want, err)
		}
	}
}

// TestReviseCrashMatrix: an operation on three files, cut off anywhere, on an open plan (PS-5, PS-19, C69, C73, C111).
func TestReviseCrashMatrix(t *testing.T) {
	crashtest.Matrix(t, crashtest.Operation{
		Start: func() *disk.Twin { return twinOf(t, plantest.Spec{Tasks: 3, Done: 1}) },
		Plan:  at,
		Run: func(p publish.Plan) error {
			_, err := publish.Revise(t.Context(), p, update.Terms{}, noted)
			return err
		},
		Remainders: 8,
	})
}

// TestRepublishCrashMatrix: the same on a published plan. Between the operation and the publication the plan is sound: completed, whole,
// and without a receipt in force, which dwp finalize gives it (VP-4, VP-5).
func TestRepublishCrashMatrix(t *testing.T) {
	finalized := func(p publish.Plan) error {
		_, err := publish.Revise(t.Context(), p, update.Terms{}, noticed)
		if err != nil {
			return err
		}
		if _, err := p.FS.Lstat(state.ReceiptFile); err == nil {
			return nil
		}
		_, err = publish.Seal(t.Context(), p)
		return err
	}
	whole := sealed(t)
	must(t, finalized(at(whole)))
	want := whole.Tree()
	crashtest.Matrix(t, crashtest.Operation{
		Start: func() *disk.Twin { return sealed(t).Kill() },
		Plan:  at,
		Run:   finalized,
		Between: func(tree map[string]string) bool {
			if tree[state.ReceiptFile] != "" || tree[state.StateFile] != want[state.StateFile] || tree[firstRetired] != want[firstRetired] {
				return false
			}
			between, err := disk.TwinOf(folder(tree))
			must(t, err)
			ids, verdict := rulesOf(t, between)
			return verdict == verify.Conformant && slices.Contains(ids, "receipt/missing")
		},
	})
}

// TestSeveralWriters: of two operations that were decided on the same plan one is done after the other, and none is lost (GU-9).
func TestSeveralWriters(t *testing.T) {
	tw := twinOf(t, plantest.Spec{Tasks: 3, Done: 1})
	for i := range 3 {
		name := fmt.Sprintf("NOTES-%d.md", i)
		_, err := publish.Revise(t.Context(), at(tw), update.Terms{}, func(s *plan.Snapshot) (*publish.Revision, error) {
			return &publish.Revision{Operation: "note", Changes: []disk.Change{
				{Path: name, Data: []byte("x\n")}, {Path: "PROGRESS.md", Data: append(slices.Clone(s.Progress.Src), "- "+name+"\n"...)},
			}}, nil
		})
		must(t, err)
	}
	if got := strings.Count(tw.Tree()["PROGRESS.md"], "- NOTES-"); got != 3 {
		t.Errorf("%d notes of 3", got)
	}
}

// folder makes a file system of a tree.
func folder(tree map[string]string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range tree {
		if !strings.HasSuffix(name, "/") {
			files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
	}
	return files
}
