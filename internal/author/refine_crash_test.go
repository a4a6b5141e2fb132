package author

import (
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/update"
)

// TestEditAndSplitCrash: an edit, a split and a series of changes are cut off before each step that changes something. Then the plan is as before, or the
// operation is unfinished, verify says so, and recover finishes it: the end is the state before or the state after, whole; and after
// it the same edit changes nothing more (PS-5, PS-19, DESIGN 6).
func TestEditAndSplitCrash(t *testing.T) {
	for name, op := range map[string]struct {
		files map[string]string
		do    func(t *testing.T) publish.Decide
		again bool // done twice, it changes nothing; a task that was split is no more, so who asks again looks first
	}{
		"edit, Lite":  {underWay(false), rewordShard, true},
		"edit, Full":  {underWay(true, inCRLF), rewordShard, true},
		"split, Lite": {parted(t, whole(), lite), splitBox, false},
		"split, Full": {parted(t, whole(), full), splitBox, false},
		"changes":     {parted(t, sample(6, false), lite), manyChanges, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			crashtest.Matrix(t, crashtest.Operation{
				Start: func() *disk.Twin { return editTwin(t, op.files).FS.(*disk.Twin) },
				Plan: func(fsys disk.FS) publish.Plan {
					p := editPlan(nil)
					p.FS, p.System = fsys, crashtest.World(editDay)
					return p
				},
				Run: func(p publish.Plan) error {
					if s, err := plan.Read(p.FS, p.Name); err == nil && !op.again && strings.Contains(string(s.Progress.Src), "Refine: ") {
						return nil
					}
					_, err := publish.Revise(t.Context(), p, update.Terms{}, op.do(t))
					return err
				},
				Remainders: *seeds,
			})
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
