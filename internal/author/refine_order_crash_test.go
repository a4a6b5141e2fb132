package author

import (
	"testing"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
)

// TestReorderCrash: adding, moving and removing tasks is cut off before each step that changes something. The plan is then as before
// or as after, or verify names the unfinished operation, and recovery finishes it (PS-5, PS-19, LF-10, DESIGN 6). The same tasks are not
// added twice (C117). Numbers change with a move and a removal, so who asks again looks first which task has the number.
func TestReorderCrash(t *testing.T) {
	for name, row := range map[string]struct {
		full   bool
		task   int // the number that is asked for, which has another task afterwards; 0 for none
		decide func(*Refined) publish.Decide
	}{
		"add, Lite":     {false, 0, Add{Outline: []byte(oneTask), After: 2}.Decide},
		"add, Full":     {true, 0, Add{Outline: []byte(oneTask), Warrant: byAda}.Decide},
		"move, Lite":    {false, 3, Move{Task: 3, After: 4}.Decide},
		"move, Full":    {true, 4, Move{Task: 4, Before: 3}.Decide},
		"remove, Lite":  {false, 3, Remove{Task: 3}.Decide},
		"archive, Full": {true, 3, Remove{Task: 3, Archive: true}.Decide},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := madeTexts(plantest.Spec{Tasks: 5, Done: 2, Full: row.full})
			title := ""
			if row.task > 0 {
				title = x.read(t).Overview().Tasks[row.task-1].Title
			}
			crashtest.Matrix(t, crashtest.Operation{
				Start: func() *disk.Twin { return x.twin(t) },
				Plan: func(fsys disk.FS) publish.Plan {
					p := onPlan(nil)
					p.FS, p.System = fsys, crashtest.World(layTime)
					return p
				},
				Run: func(p publish.Plan) error {
					if s, err := plan.Read(p.FS, p.Name); err == nil && row.task > 0 && s.Overview().Tasks[row.task-1].Title != title {
						return nil
					}
					var out Refined
					_, err := publish.Revise(t.Context(), p, RefineTerms, row.decide(&out))
					return err
				},
				Remainders: *seeds,
			})
		})
	}
}
