package publish

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

var clock = time.Date(2026, 9, 2, 8, 0, 0, 0, time.UTC)

// world is a system whose clock stands, in which waiting takes no time, and in which every earlier process is dead.
func world() disk.System {
	return disk.System{
		Now:   func() time.Time { return clock },
		Sleep: func(context.Context, time.Duration) error { return nil },
		Self: func() disk.Process {
			return disk.Process{PID: 42, Start: "1", Boot: "boot", Host: "host", Namespace: "ns"}
		},
		Start: func(int) (string, bool) { return "", false },
	}
}

func planIn(fsys disk.FS) Plan {
	return Plan{FS: fsys, Name: plantest.Name, Now: func() time.Time { return clock }, Owner: disk.Owner{Agent: "tester", Command: "test"}, System: world()}
}

func twin(t testing.TB, spec plantest.Spec) *disk.Twin {
	t.Helper()
	tw, err := disk.TwinOf(plantest.Plan(spec))
	if err != nil {
		t.Fatal(err)
	}
	return tw
}

// closing is the change that completes a ready plan of three tasks.
var closing = update.Change{Task: 3, Status: state.Completed, Agent: "tester", Commit: "0badc0de"}

func report(t testing.TB, fsys fs.FS) *verify.Report {
	t.Helper()
	s, err := plan.Read(fsys, plantest.Name)
	if err != nil {
		t.Fatal(err)
	}
	return verify.Plan(s, verify.Options{Now: clock})
}

func rules(r *verify.Report) []string {
	var ids []string
	for _, f := range r.Findings {
		ids = append(ids, f.Rule)
	}
	return ids
}

// TestApplyPublishes: the change that completes the plan leaves a completed state, a receipt of what was verified, and
// nothing else (VP-1, VP-5).
func TestApplyPublishes(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := twin(t, plantest.Spec{Tasks: 3, Ready: true, Full: full})
		before := tw.Tree()
		done, err := Apply(t.Context(), planIn(tw), closing)
		if err != nil || !done.Published || !done.Changed {
			t.Fatalf("apply: %+v, %v", done, err)
		}
		after := tw.Tree()
		changed := changedNames(before, after)
		if want := []string{"analysis_results/FINALIZATION.json", "state.json"}; !slices.Equal(changed, want) {
			t.Errorf("changed %v, want %v", changed, want)
		}
		r := report(t, tw)
		if r.Verdict != verify.Conformant || slices.Contains(rules(r), "receipt/missing") {
			t.Errorf("after publication: %s %v", r.Verdict, rules(r))
		}
		receipt, faults, err := state.ReadReceipt([]byte(content(t, tw, state.ReceiptFile)))
		if err != nil || len(faults) > 0 || receipt.Result != "verified" || receipt.StateSHA256 != done.StateSHA256 || len(receipt.Files) < 5 {
			t.Errorf("receipt %+v, %v, %v", receipt, faults, err)
		}
	}
}

// TestLaterChangesAreSeen: a covered file that is edited after the publication is named; one that may grow may grow (VP-5).
func TestLaterChangesAreSeen(t *testing.T) {
	for name, tc := range map[string]struct {
		file, add string
		want      string
	}{
		"README edited":    {"README.md", "\nmore\n", "receipt/artefact"},
		"PROMPTS edited":   {"PROMPTS.md", "\nmore\n", "receipt/artefact"},
		"PROGRESS grown":   {"PROGRESS.md", "\nmore\n", ""},
		"state reformated": {"state.json", "\n", "receipt/state"},
	} {
		tw := twin(t, plantest.Spec{Tasks: 3, Ready: true})
		if _, err := Apply(t.Context(), planIn(tw), closing); err != nil {
			t.Fatal(err)
		}
		if err := tw.Put(tc.file, []byte(content(t, tw, tc.file)+tc.add), 0o644); err != nil {
			t.Fatal(err)
		}
		r := report(t, tw)
		if got := slices.Contains(rules(r), tc.want); got != (tc.want != "") || (tc.want == "") != (r.Verdict == verify.Conformant) {
			t.Errorf("%s: %s %v, want %q", name, r.Verdict, rules(r), tc.want)
		}
	}
}

// TestRefusalsWriteNothing: what is refused leaves every byte as it was, no lock and no marker (GU-1, VP-1, VP-2).
func TestRefusalsWriteNothing(t *testing.T) {
	for name, tc := range map[string]struct {
		spec   plantest.Spec
		spoil  func(*disk.Twin) error
		change update.Change
		rule   string
	}{
		"log unfinished (VP-2)": {plantest.Spec{Tasks: 3, Ready: true}, replace("README.md", "last:Status: completed", "Status: pending"), closing, "guard/not-conformant"},
		"no SECURITY_REVIEW":    {plantest.Spec{Tasks: 3, Ready: true}, remove(reviewFile), closing, "guard/not-conformant"},
		"README not ticked":     {plantest.Spec{Tasks: 3, Ready: true}, replace("README.md", "- [x] Task 3", "- [ ] Task 3"), closing, "guard/not-conformant"},
		"moved on (GU-9)":       {plantest.Spec{Tasks: 3, Done: 1}, nil, update.Change{Task: 2, Status: state.InProgress, ExpectedSHA256: strings.Repeat("0", 64)}, "guard/moved-on"},
		"unknown task":          {plantest.Spec{Tasks: 3, Done: 1}, nil, update.Change{Task: 9, Status: state.InProgress}, "guard/unknown-task"},
	} {
		t.Run(name, func(t *testing.T) {
			tw := twin(t, tc.spec)
			if tc.spoil != nil {
				if err := tc.spoil(tw); err != nil {
					t.Fatal(err)
				}
			}
			before := tw.Tree()
			_, err := Apply(t.Context(), planIn(tw), tc.change)
			refused, ok := errors.AsType[*Refused](err)
			if !ok || refused.Rule != tc.rule || refused.Hint == "" {
				t.Errorf("error %v (%+v), want rule %s", err, refused, tc.rule)
			}
			if !maps.Equal(before, tw.Tree()) {
				t.Errorf("changed %v", changedNames(before, tw.Tree()))
			}
		})
	}
}

// TestReplayWritesNothing: a change that brings nothing new touches no file (GU-4).
func TestReplayWritesNothing(t *testing.T) {
	tw := twin(t, plantest.Spec{Tasks: 3, Done: 1})
	change := update.Change{Task: 2, Status: state.InProgress, Agent: "tester"}
	if done, err := Apply(t.Context(), planIn(tw), change); err != nil || !done.Changed {
		t.Fatalf("%+v %v", done, err)
	}
	before := tw.Tree()
	done, err := Apply(t.Context(), planIn(tw), change)
	if err != nil || done.Changed || !maps.Equal(before, tw.Tree()) {
		t.Errorf("replay: %+v %v, changed %v", done, err, changedNames(before, tw.Tree()))
	}
}

// TestUnwritableReceipt: it is found before the state is written: the plan stays as it was (VP-4, C113).
func TestUnwritableReceipt(t *testing.T) {
	tw := twin(t, plantest.Spec{Tasks: 3, Ready: true})
	before := tw.Tree()
	tw.Fail(disk.OpCreate, "analysis_results/*", syscall.EROFS)
	_, err := Apply(t.Context(), planIn(tw), closing)
	if !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), "nothing was published") {
		t.Errorf("error %v", err)
	}
	if !maps.Equal(before, tw.Tree()) {
		t.Errorf("changed %v", changedNames(before, tw.Tree()))
	}
}

// TestChangedInBetween: a file that is edited between validation and publication: no receipt, the marker stays, the file is
// named; recovery refuses by name until it is put back (VP-4).
func TestChangedInBetween(t *testing.T) {
	tw := twin(t, plantest.Spec{Tasks: 3, Ready: true})
	prompts := content(t, tw, "PROMPTS.md")
	meddling := &meddler{Twin: tw, at: ".finalizing.json", do: func() { must(t, tw.Put("PROMPTS.md", []byte("edited\n"), 0o644)) }}
	_, err := Apply(t.Context(), planIn(meddling), closing)
	if _, ok := errors.AsType[*Interrupted](err); !ok || !strings.Contains(err.Error(), "PROMPTS.md") {
		t.Fatalf("error %v", err)
	}
	tree := tw.Tree()
	if _, there := tree[state.ReceiptFile]; there || tree[state.FinalizeMark] == "" {
		t.Errorf("receipt %v, marker %v", tree[state.ReceiptFile], tree[state.FinalizeMark] != "")
	}
	if _, err := Recover(t.Context(), planIn(tw), nil); err == nil || !strings.Contains(err.Error(), "PROMPTS.md") {
		t.Errorf("recover: %v", err)
	}
	must(t, tw.Put("PROMPTS.md", []byte(prompts), 0o644))
	if r, err := Recover(t.Context(), planIn(tw), nil); err != nil || !r.Published {
		t.Errorf("recover: %+v %v", r, err)
	}
	if r, err := Recover(t.Context(), planIn(tw), nil); err != nil || !r.Nothing {
		t.Errorf("second recover (C111): %+v %v", r, err)
	}
}

// TestChangedAfterState: what no longer holds when the state is written: no receipt, the marker stays, and nobody says that nothing was
// written (VP-1, VP-4, C71).
func TestChangedAfterState(t *testing.T) {
	tw := twin(t, plantest.Spec{Tasks: 3, Ready: true})
	meddling := &meddler{Twin: tw, at: state.StateFile, do: func() { must(t, replace("README.md", "- [x] Task 3", "- [ ] Task 3")(tw)) }}
	_, err := Apply(t.Context(), planIn(meddling), closing)
	if _, ok := errors.AsType[*Interrupted](err); !ok || strings.Contains(err.Error(), "nothing was written") || !strings.Contains(err.Error(), "unfinished") {
		t.Fatalf("error %v", err)
	}
	tree := tw.Tree()
	if _, there := tree[state.ReceiptFile]; there || tree[state.FinalizeMark] == "" {
		t.Errorf("receipt %v, marker %v", there, tree[state.FinalizeMark] != "")
	}
	must(t, replace("README.md", "- [ ] Task 3", "- [x] Task 3")(tw))
	if r, err := Recover(t.Context(), planIn(tw), nil); err != nil || !r.Published {
		t.Errorf("recover: %+v %v", r, err)
	}
}

// TestPublishBesideMarker: while a publication is unfinished, no other candidate takes its place, and nothing is sealed (VP-4). The same
// candidate again, once it is published, changes nothing (C111).
func TestPublishBesideMarker(t *testing.T) {
	tw := cutBefore(state.StateFile)(t)
	m, _, err := state.ReadMarker([]byte(content(t, tw, state.FinalizeMark)))
	must(t, err)
	before := tw.Tree()
	for name, publish := range map[string]func() error{
		"publish": func() error { _, err := Publish(t.Context(), planIn(tw), []byte(m.Candidate), ""); return err },
		"seal":    func() error { _, err := Seal(t.Context(), planIn(tw)); return err },
	} {
		if refused, ok := errors.AsType[*Refused](publish()); !ok || !maps.Equal(before, tw.Tree()) {
			t.Errorf("%s: %v, changed %v", name, refused, changedNames(before, tw.Tree()))
		}
	}
	_, err = Recover(t.Context(), planIn(tw), nil)
	must(t, err)
	before = tw.Tree()
	done, err := Publish(t.Context(), planIn(tw), []byte(m.Candidate), "")
	if err != nil || done.Changed || done.Published || !maps.Equal(before, tw.Tree()) {
		t.Errorf("published again: %+v, %v, changed %v", done, err, changedNames(before, tw.Tree()))
	}
}

// TestUnreleasedLock: a lock that can't be released after success is a warning; the change stands, and is told (C71).
func TestUnreleasedLock(t *testing.T) {
	tw := twin(t, plantest.Spec{Tasks: 3, Done: 1})
	tw.Fail(disk.OpRemove, "state.json.lock/*", syscall.EIO)
	done, err := Apply(t.Context(), planIn(tw), update.Change{Task: 2, Status: state.InProgress})
	if err != nil || !done.Changed || len(done.Warnings) == 0 || !strings.Contains(strings.Join(done.Warnings, "\n"), "the change was made, but release the lock") {
		t.Errorf("%+v, %v", done, err)
	}
}

// meddler does something right after a file got its name.
type meddler struct {
	*disk.Twin
	at string
	do func()
}

func (m *meddler) Rename(from, to string) error {
	err := m.Twin.Rename(from, to)
	if to == m.at && err == nil {
		m.do()
	}
	return err
}

// TestOtherCandidate: recovery works against the same candidate only; withdrawal puts the previous state back (VP-4).
func TestOtherCandidate(t *testing.T) {
	tw := twin(t, plantest.Spec{Tasks: 3, Ready: true})
	previous := content(t, tw, state.StateFile)
	tw.Fail(disk.OpRename, "state.json", syscall.EIO)
	if _, err := Apply(t.Context(), planIn(tw), closing); !errors.Is(err, syscall.EIO) {
		t.Fatalf("apply: %v", err)
	}
	tw = tw.Kill()
	if r := report(t, tw); r.Verdict != verify.Nonconformant || !slices.Contains(rules(r), "publication/unfinished") {
		t.Errorf("while the marker stands: %s %v", r.Verdict, rules(r))
	}
	if _, err := Apply(t.Context(), planIn(tw), update.Change{Task: 3, Status: state.InProgress}); err == nil {
		t.Error("a change was accepted while a publication is unfinished (GU-8)")
	}
	_, err := Recover(t.Context(), planIn(tw), []byte("{}"))
	if refused, ok := errors.AsType[*Refused](err); !ok || refused.Rule != "guard/other-candidate" {
		t.Errorf("another candidate: %v", err)
	}
	r, err := Withdraw(t.Context(), planIn(tw))
	if err != nil || !r.Withdrawn || content(t, tw, state.StateFile) != previous {
		t.Errorf("withdraw: %+v %v", r, err)
	}
	if done, err := Apply(t.Context(), planIn(tw), closing); err != nil || !done.Published {
		t.Errorf("publish after withdrawal: %+v %v", done, err)
	}
}

// TestSeal: a completed plan without a receipt is checked whole and gets one; the state is not touched (VP-5).
func TestSeal(t *testing.T) {
	tw := twin(t, plantest.Spec{Tasks: 3, Done: 3})
	before := content(t, tw, state.StateFile)
	done, err := Seal(t.Context(), planIn(tw))
	if err != nil || !done.Published || content(t, tw, state.StateFile) != before {
		t.Errorf("seal: %+v %v", done, err)
	}
	if r := report(t, tw); r.Verdict != verify.Conformant || slices.Contains(rules(r), "receipt/missing") {
		t.Errorf("%s %v", r.Verdict, rules(r))
	}
	if _, err := Seal(t.Context(), planIn(twin(t, plantest.Spec{Tasks: 3, Done: 2}))); err == nil {
		t.Error("an open plan was sealed")
	}
}

func content(t testing.TB, fsys fs.FS, name string) string {
	t.Helper()
	data, err := fs.ReadFile(fsys, name)
	must(t, err)
	return string(data)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func changedNames(before, after map[string]string) []string {
	var names []string
	for name, text := range after {
		if before[name] != text {
			names = append(names, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

const reviewFile = "analysis_results/SECURITY_REVIEW.md"

func remove(name string) func(*disk.Twin) error {
	return func(tw *disk.Twin) error { return tw.Remove(name) }
}

// replace changes a text; with "last:" in front, its last place.
func replace(name, old, text string) func(*disk.Twin) error {
	return func(tw *disk.Twin) error {
		data, err := fs.ReadFile(tw, name)
		if err != nil {
			return err
		}
		at := strings.Index(string(data), old)
		if last, ok := strings.CutPrefix(old, "last:"); ok {
			old, at = last, strings.LastIndex(string(data), last)
		}
		if at < 0 {
			return errors.New("the text is not there")
		}
		return tw.Put(name, []byte(string(data[:at])+text+string(data[at+len(old):])), 0o644)
	}
}
