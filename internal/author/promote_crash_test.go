package author

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/verify"
)

// crashed are the folders that may be found after a promotion was cut off before a call.
func crashed(t *testing.T, start func(testing.TB) publish.Plan, call int) (left []publish.Plan, told bool) {
	t.Helper()
	run := start(t)
	tw := run.FS.(*disk.Twin)
	tw.CrashAt(call)
	_, err := Promote(t.Context(), run, promoter)
	told = err == nil && tw.Crashed()
	for _, tw := range crashtest.Remains(tw, 1, call) {
		left = append(left, planAt(tw))
	}
	return left, told
}

// litePlan has a task of each kind that is open or done; publishedPlan is completed and has a receipt.
func litePlan(t testing.TB) publish.Plan {
	return lodged(t, loadPlan(plantest.Spec{Tasks: 2, Done: 1}))
}

func publishedPlan(t testing.TB) publish.Plan {
	t.Helper()
	p := lodged(t, loadPlan(plantest.Spec{Tasks: 2, Done: 2}))
	if _, err := publish.Seal(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return planAt(p.FS.(*disk.Twin).Kill())
}

// LF-9, PS-5, C69: a promotion is cut off before each step that changes something. Until it has ended verify says what is unfinished;
// calling it again, or recover first, leads to one and the same end; and taking it back leads to the state before, as long as it has
// not switched. A published plan has a receipt again at either end (VP-5).
func TestPromoteCrashMatrix(t *testing.T) {
	for name, start := range map[string]func(testing.TB) publish.Plan{"lite": litePlan, "published": publishedPlan} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := lodgedTexts(start(t))
			whole := start(t)
			_, err := Promote(t.Context(), whole, promoter)
			must(t, err)
			want := lodgedTexts(whole)
			tried, seen := 0, crashtest.Seen{}
			steps := crashtest.Steps(t, start(t).FS.(*disk.Twin), func(tw *disk.Twin) error {
				_, err := Promote(t.Context(), planAt(tw), promoter)
				return err
			})
			for k, call := range steps {
				left, told := crashed(t, start, call)
				for _, p := range left {
					tried++
					tw := p.FS.(*disk.Twin)
					fresh := seen.New(tw)
					again := planAt(crashtest.Copy(t, tw))
					unlock(t, tw)
					if told && !sameFiles(want, lodgedTexts(p)) {
						t.Fatalf("call %d: success was told, and did not survive: %v", call, otherNames(want, lodgedTexts(p)))
					}
					if !fresh {
						continue
					}
					judgedUnfinished(t, p, call, before, want)
					goneOn(t, p, call, want, k%2 == 0)
					unlock(t, again.FS.(*disk.Twin))
					takenBack(t, again, call, before, want)
				}
			}
			t.Logf("%d crashes left %d folders", tried, len(seen))
			if tried < 200 || len(seen) < 60 {
				t.Errorf("only %d crashes, which left %d folders: the promotion did not run", tried, len(seen))
			}
		})
	}
}

// judgedUnfinished: what is neither the plan before nor the plan after is never called conformant, and verify says why.
func judgedUnfinished(t *testing.T, p publish.Plan, call int, before, want map[string]string) {
	t.Helper()
	now := lodgedTexts(p)
	if sameFiles(now, before) || sameFiles(now, want) {
		return
	}
	r := verify.Plan(snapshot(t, p), verify.Options{Now: promoteNow, InGit: true})
	told := slices.ContainsFunc(r.Findings, func(f rule.Finding) bool {
		return f.Rule == "promotion/unfinished" || f.Rule == "operation/unfinished" || f.Rule == "publication/unfinished" || f.Rule == "layout/temp-file" || f.Rule == "receipt/missing"
	})
	if !told {
		t.Fatalf("call %d: nobody says that something is unfinished: %v", call, otherNames(before, now))
	}
}

// goneOn: calling it again ends where an undisturbed promotion ends; and once more changes nothing.
func goneOn(t *testing.T, p publish.Plan, call int, want map[string]string, recoverFirst bool) {
	t.Helper()
	_, publishing := lodgedTexts(p)[state.FinalizeMark]
	if recoverFirst || publishing {
		_, err := publish.Recover(t.Context(), p, nil)
		must(t, err)
	}
	for range 2 {
		if _, err := Promote(t.Context(), p, promoter); err != nil {
			t.Fatalf("call %d: going on: %v", call, err)
		}
		if got := lodgedTexts(p); !sameFiles(got, want) {
			t.Fatalf("call %d: ends otherwise in %v", call, otherNames(want, got))
		}
	}
}

func takenBack(t *testing.T, p publish.Plan, call int, before, want map[string]string) {
	t.Helper()
	if _, publishing := lodgedTexts(p)[state.FinalizeMark]; publishing {
		_, err := publish.Recover(t.Context(), p, nil)
		must(t, err)
	}
	told, err := WithdrawPromotion(t.Context(), p, promoter)
	refused, no := errors.AsType[*publish.Refused](err)
	switch {
	case no && refused.Rule == "guard/promotion-switched":
		goneOn(t, p, call, want, false)
		return
	case err != nil:
		t.Fatalf("call %d: taking back: %v", call, err)
	}
	got := lodgedTexts(p)
	if told.Nothing {
		if !sameFiles(got, before) && !strings.Contains(got[state.StateFile], `"format": "full"`) {
			t.Fatalf("call %d: nothing to take back, but %v", call, otherNames(before, got))
		}
		return
	}
	if !sameFiles(got, before) {
		t.Fatalf("call %d: not as before: %v\n%s", call, otherNames(before, got), got[state.StateFile])
	}
}

// sameFiles compares folders. Who wrote state.json last, and when, is no difference, nor which number a retired receipt has.
func sameFiles(a, b map[string]string) bool {
	return maps.Equal(comparableFiles(a), comparableFiles(b))
}

func otherNames(a, b map[string]string) (names []string) {
	a, b = comparableFiles(a), comparableFiles(b)
	for name := range a {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, "+"+name)
		}
	}
	slices.Sort(names)
	return names
}

func comparableFiles(files map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		switch {
		case strings.HasPrefix(name, state.OperationMark+".tmp-"): // what a killed writer left; recover takes it away
			continue
		case name == state.StateFile:
			text = withoutUpdate(text)
		case strings.HasPrefix(name, "analysis_results/FINALIZATION"):
			text = "a receipt"
			if name != state.ReceiptFile {
				continue
			}
		}
		out[name] = text
	}
	return out
}

// withoutUpdate is a state.json without who changed it last, and when.
func withoutUpdate(text string) string {
	doc, err := strictjson.Parse([]byte(text))
	if err != nil {
		return text
	}
	doc.Root.Delete("updated_at")
	doc.Root.Delete("updated_by")
	return string(strictjson.Format(doc.Root))
}

// GU-8, GU-10: an unfinished operation of another command is left to recover, and a lock to whoever may remove it.
func TestPromoteLeavesOthers(t *testing.T) {
	p := litePlan(t)
	must(t, disk.Stage(p.FS, disk.Operation{Name: "refine add"}, []disk.Change{{Path: "notes.md", Data: []byte("x\n")}}, func() error { return nil }))
	before := p.FS.(*disk.Twin).Tree()
	_, err := Promote(t.Context(), p, promoter)
	if refused, ok := errors.AsType[*publish.Refused](err); !ok || refused.Rule != "operation/unfinished" || !maps.Equal(before, p.FS.(*disk.Twin).Tree()) {
		t.Errorf("another operation: %v", err)
	}
	for _, operation := range []string{"", promoteName} {
		p = litePlan(t)
		if operation != "" {
			must(t, disk.Stage(p.FS, disk.Operation{Name: operation}, []disk.Change{{Path: "notes.md", Data: []byte("x\n")}}, func() error { return nil }))
		}
		if _, err := disk.Acquire(t.Context(), p.FS, disk.Owner{Command: "dead"}, 0, disk.System{}); err != nil {
			t.Fatal(err)
		}
		before = p.FS.(*disk.Twin).Tree()
		_, err = Promote(t.Context(), p, promoter)
		if _, locked := errors.AsType[*disk.LockedError](err); !locked || !maps.Equal(before, p.FS.(*disk.Twin).Tree()) {
			t.Errorf("operation %q under another's lock: %v", operation, err)
		}
	}
}
