package work

import (
	"context"

	"github.com/deepworkplan/dwp/internal/runner"
)

// Smoked is how a smoke test ended.
type Smoked struct {
	Command string
	Passed  bool
	Outcome string // in words
	Result  runner.Result
}

// Smoke runs the command that a caller gives as the smoke test of a resume (WP-1, step 5): by the runner of gates, judged as a gate is, with
// nothing recorded and no log kept. The error is ErrInterrupted.
func Smoke(ctx context.Context, run GateRun) (Smoked, error) {
	r := ran{command: run.Text, result: runner.Run(ctx, run.command())}
	if r.result.End == runner.Interrupted {
		return Smoked{}, ErrInterrupted
	}
	r.result.Reason = runner.MaskText(r.result.Reason, secretsOf(run.Configured))
	outcome := r.outcome()
	if counts := r.result.Counts.String(); counts != "" {
		outcome += "; " + counts
	}
	return Smoked{Command: runner.MaskText(run.Text, secretsOf(run.Configured)), Passed: r.gate("", "").Passes, Outcome: outcome, Result: r.result}, nil
}
