package work

import (
	"testing"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// TestCoreCrashes: an operation that is cut off leaves the plan as it was, or one that recover finishes; and completing the last task
// never leaves a completed state without its markdown (WP-2, PS-19, VP-4, C71, C73).
func TestCoreCrashes(t *testing.T) {
	published := func() *disk.Twin {
		tw := last(t, false)
		must(t, second(do(t, tw, completion(3).Decide)))
		return tw.Kill()
	}
	for name, op := range map[string]struct {
		start  func() *disk.Twin
		decide publish.Decide
	}{
		"start":              {func() *disk.Twin { return folder(t, plantest.Spec{Tasks: 3, Done: 1}) }, (&Start{Who: mill, Task: 2}).Decide},
		"start and approve":  {func() *disk.Twin { return proposal(t) }, (&Start{Who: mill, Approve: "Ada"}).Decide},
		"block":              {func() *disk.Twin { return inProgress(t, true) }, (&Block{Who: mill, Class: "C1", Reason: "why", Needs: "what"}).Decide},
		"reopen":             {func() *disk.Twin { return folder(t, plantest.Spec{Tasks: 4, Done: 3, Full: true}) }, (&Reopen{Who: mill, Task: 2, Reason: "x", Amendment: amendment("2, 3")}).Decide},
		"reopen published":   {published, (&Reopen{Who: mill, Task: 3, Reason: "x", Amendment: amendment("3")}).Decide},
		"gate run --on-base": {func() *disk.Twin { return inProgress(t, true) }, onBase().Decide},
		"complete":           {func() *disk.Twin { return withGate(t, inProgress(t, true), 2) }, completion(2).Decide},
		"complete the last":  {func() *disk.Twin { return last(t, true) }, completion(3).Decide},
	} {
		t.Run(name, func(t *testing.T) {
			crashtest.Matrix(t, crashtest.Operation{
				Start: func() *disk.Twin { return op.start().Kill() }, Plan: planIn, Remainders: 1,
				Run: func(p publish.Plan) error {
					_, err := publish.Revise(t.Context(), p, update.Terms{}, op.decide)
					return err
				},
			})
		})
	}
}

// onBase is the proof of a failure of the second task.
func onBase() *baseProof {
	one := 1
	evidence := "on base 0123456789ab it fails, too: observed: exit 1 in 1s; log=analysis_results/notes.md sha256:" + state.Digest([]byte("notes\n"))
	return &baseProof{update.Change{Task: 2, Agent: "Mill", Gates: []update.Gate{{Command: "make test-shard", ExitCode: &one, Evidence: evidence, LastRun: "2026-09-02T12:00:00Z"}}},
		"main", "exit 1", noon}
}
