package cli

import (
	"context"
	"fmt"

	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/work"
)

// onBaseAnswer is the JSON answer of gate run --on-base.
type onBaseAnswer struct {
	opening
	Plan     string     `json:"plan"`
	Path     string     `json:"path"`
	Task     int        `json:"task"`
	Base     string     `json:"base"` // the whole name of the commit
	BaseName string     `json:"base_name"`
	Proven   bool       `json:"proven"`
	Passed   bool       `json:"passed"` // it passes on the base
	Why      string     `json:"why"`    // why it is not proven; "" when it is
	Gate     *gateJSON  `json:"gate"`   // what is recorded; null for nothing
	End      runner.End `json:"end"`
	Duration float64    `json:"duration_ms"` // milliseconds
	Counts   *countJSON `json:"counts"`
	Warnings []string   `json:"warnings"`
	closing
}

// runOnBase runs a gate on the base and tells whether it fails there, too (WP-4).
func (a *app) runOnBase(ctx context.Context, w *writer, run work.GateRun, ref string) error {
	end := a.showing(&run)
	done, err := work.RunOnBase(ctx, w.Plan, run, ref)
	end()
	a.finished(err == nil, done.Warnings)
	if err != nil {
		return w.notRun(err)
	}
	code := ExitNo
	if done.Proven {
		code = ExitOK
	}
	if a.json {
		answered := onBaseAnswer{
			opening: opened("gate run"), Plan: w.Name, Path: w.path, Task: run.Task, Base: done.Base.Commit, BaseName: done.Base.Name,
			Proven: done.Proven, Passed: done.Passed, Why: done.Why, End: done.Result.End, Duration: float64(done.Result.Duration.Microseconds()) / 1000,
			Counts: counted(done.Result.Counts), Warnings: list(done.Warnings), closing: closed(nil, nil),
		}
		if g := done.Gate; done.Proven {
			answered.Gate = &gateJSON{run.Task, g.Command, g.Passes, g.ExitCode, g.LastRun, g.Evidence, false, false, true, done.Log, work.LogIntact, done.Base.Commit[:12]}
		}
		a.writeJSON(answered)
		return answer(code)
	}
	p := a.page()
	head := fmt.Sprintf("%s task %d: ", cleanLine(w.Name), run.Task)
	base := fmt.Sprintf("base %.12s (%s)", done.Base.Commit, cleanLine(done.Base.Name))
	if !done.Proven {
		p.para(0, head+"not proven on "+base+": "+cleanLine(done.Why))
		p.para(0, "nothing was recorded")
		return answer(code)
	}
	p.para(0, head+"fails on "+base+", too; "+cleanLine(done.Outcome))
	p.para(0, "recorded, with "+done.Log+"; it closes nothing without an amendment")
	return answer(code)
}
