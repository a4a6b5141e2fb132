package author

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// TestEditAndSplitCrash: an edit, a split and a series of changes are cut off before each step that changes something. Then the plan is as before, or the
// operation is unfinished, verify says so, and recover finishes it: the end is the state before or the state after, whole; and after
// it the same edit changes nothing more (PS-5, PS-19, DESIGN 6).
func TestEditAndSplitCrash(t *testing.T) {
	for name, op := range map[string]struct {
		files map[string]string
		do    func(t *testing.T) publish.Decide
		again bool // done twice, it changes nothing; a task that was split is no more
	}{
		"edit, Lite":  {underWay(false), rewordShard, true},
		"edit, Full":  {underWay(true, inCRLF), rewordShard, true},
		"split, Lite": {parted(t, whole(), lite), splitBox, false},
		"split, Full": {parted(t, whole(), full), splitBox, false},
		"changes":     {parted(t, sample(6, false), lite), manyChanges, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := func(tw *disk.Twin) error {
				_, err := publish.Revise(t.Context(), editPlan(tw), update.Terms{}, op.do(t))
				return err
			}
			start := func() *disk.Twin { return editTwin(t, op.files).FS.(*disk.Twin) }
			before, done := settled(start()), start()
			must(t, run(done))
			after := settled(done)
			tried := 0
			for _, call := range changingSteps(t, start(), run) {
				for _, seed := range []int{0, 1 + call%2} {
					tw := start()
					tw.CrashAt(call)
					told := run(tw) == nil && tw.Crashed()
					switch seed {
					case 0:
						tw = tw.Crash(disk.Survival{})
					case 1:
						tw = tw.Kill()
					default:
						tw = tw.Crash(disk.Survival{Remainder: true, Seed: uint64(call)})
					}
					if told && !maps.Equal(settledPlan(tw), after) {
						t.Fatalf("call %d: success was told, and did not survive", call)
					}
					recovered(t, tw, call, before, after)
					tried++
					if !op.again {
						continue
					}
					must(t, run(tw))
					// The times of a second run are those of the first.
					if got := settledPlan(tw); !maps.Equal(got, after) {
						t.Fatalf("call %d: done again it ends otherwise", call)
					}
				}
			}
			if tried < 30 {
				t.Errorf("only %d crashes: the operation did not run", tried)
			}
		})
	}
}

func rewordShard(t *testing.T) publish.Decide {
	return edit(t, `{"acceptance": ["counts agree", "sums agree"], "gates": ["make test-shard", "make lint"]}`).Decide(&Edited{})
}

func manyChanges(t *testing.T) publish.Decide {
	var told []StepDone
	return changesBy(stepsOf(t, fiveChanges)).Decide(&told)
}

func splitBox(*testing.T) publish.Decide { return splitBy(twoParts()).Decide(&Parted{}) }

// changingSteps are the numbers of the calls that change the file system.
func changingSteps(t *testing.T, tw *disk.Twin, run func(*disk.Twin) error) []int {
	t.Helper()
	var steps []int
	tw.Hook(func(e disk.Event) error {
		switch e.Op {
		case disk.OpOpen, disk.OpRead, disk.OpReadDir, disk.OpLstat, disk.OpStat:
		default:
			steps = append(steps, e.N)
		}
		return nil
	})
	must(t, run(tw))
	return append(steps, tw.Ops()+1)
}

// settledPlan leaves out the lock, and what verify recognises as left by a killed writer.
func settledPlan(tw *disk.Twin) map[string]string {
	tree := settled(tw)
	maps.DeleteFunc(tree, func(name, _ string) bool { return strings.HasPrefix(name, disk.LockDir) })
	return tree
}

// recovered does what a person does after a crash, and judges what there is before and after it.
func recovered(t *testing.T, tw *disk.Twin, call int, before, after map[string]string) {
	t.Helper()
	_, gone := tw.Lstat(state.OperationMark)
	stands := gone == nil
	s, err := plan.Read(tw, editPlan(tw).Name)
	must(t, err)
	told := slices.ContainsFunc(verify.Plan(s, verify.Options{Now: editDay}).Findings, func(f rule.Finding) bool { return f.Rule == "operation/unfinished" })
	if told != stands {
		t.Fatalf("call %d: unfinished %v, told %v", call, stands, told)
	}
	unlock(t, tw)
	if _, err := publish.Recover(t.Context(), editPlan(tw), nil); err != nil {
		t.Fatalf("call %d: recover: %v", call, err)
	}
	if got := settledPlan(tw); !maps.Equal(got, before) && !maps.Equal(got, after) {
		t.Fatalf("call %d: neither before nor after: %v", call, slices.Sorted(maps.Keys(got)))
	}
	if _, err := tw.Lstat(state.OperationMark); err == nil {
		t.Fatalf("call %d: the operation still stands", call)
	} else if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}
