// Package update decides what one guarded change makes of a plan's state.json: the new file, or a refusal that names
// the rule and what to do. It is pure: a snapshot and a change in, bytes out; it reads no disk, no clock, no environment,
// and runs nothing (GU-12). What it accepts are claims of an agent, not proof that a command ran (GU-11).
// Requirements: GU-1 to GU-8, PS-7 to PS-17 as far as one change can break them, AM-1 to AM-3, the rules by which a
// candidate follows from the current state (VP-1), and what whole rewrites must not lose (LF-10, PS-18).
package update

import (
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
)

// Change is one change of one task, as the options of GU-2 give it. The zero value of a field leaves what it is about alone.
type Change struct {
	Task int
	// Status is where the task goes; "" keeps the status it has.
	Status state.Status
	Gates  []Gate

	Worked, Notes string
	Tried, Failed []string // added to the outcome, each once
	Commit        string

	CheckpointStep, CheckpointNote string
	Agent, Model                   string // who makes the change (PS-7, C93)

	BlockReason, BlockNeeds string
	ResolveBlocker          bool
	ReopenReason            string

	// ExpectedSHA256 is the digest of the state.json that the caller looked at (GU-9); "" for any.
	ExpectedSHA256 string

	// InTurn says that the change is made inside an unattended turn, which claims no person's authority (UN-6).
	InTurn bool
	// Questions is the text of analysis_results/QUESTIONS.md, where a person's answer may stand (GU-5); nil without one.
	Questions []byte
	// Configured are values of the environment that may be secrets; a text that holds one is warned about (C163).
	Configured []EnvValue
}

// Result is what a change makes of state.json.
type Result struct {
	// State is the whole new file; the old bytes when nothing changed.
	State []byte
	// Changed is false for a replay that brings nothing new: nothing is to be written (GU-4).
	Changed bool
	// Terminal says that State is a completed plan: the finalizer writes it, and nothing else does (VP-1).
	Terminal bool
	// Warnings say what succeeds all the same: README or log lag behind, a value of the environment in a text.
	Warnings []string
}

// guard is the work on one change. The checks fill it in as they pass.
type guard struct {
	s   *plan.Snapshot
	st  *state.State
	ch  Change
	now time.Time // UTC, whole seconds

	view plan.Overview
	task *state.Task       // as it stands
	from state.Status      // its status now
	to   state.Status      // and after the change
	log  *planmd.Record    // the task's record in the markdown, or nil
	line *plan.TaskView    // the task as the markdown shows it, or nil
	own  bool              // the plan's blocker is this task's
	wait *Refusal          // another task's blocker holds this one: refused unless nothing changes (GU-5)
	past *planmd.Amendment // by which the task is reopened; nil when it isn't

	terms    Terms
	revising bool // the whole plan is revised, not one task changed

	records  []record // the gate records after the change
	warnings []string
}

// Next decides what a change makes of the plan in s (GU-1). now dates what the change records. Neither s nor ch is
// changed. The order of the checks: is it a request at all; may the plan be written; is the state whole; then the change itself.
func Next(s *plan.Snapshot, ch Change, now time.Time) (Result, *Refusal) {
	g := &guard{s: s, ch: ch, now: now.UTC().Truncate(time.Second)}
	for _, check := range []func() *Refusal{
		g.asked, g.readable, g.admitted, g.wellFormed, g.found, g.texts, g.blockers, g.transition, g.order, g.merge, g.evidence, g.ending,
	} {
		if r := check(); r != nil {
			return Result{}, r
		}
	}
	return g.write()
}

// asked refuses what is no request: exit code 2 (GU-2).
func (g *guard) asked() *Refusal {
	if g.ch.Task <= 0 {
		return refuse("guard/task", "the change names no task")
	}
	switch g.ch.Status {
	case "", state.Pending, state.InProgress, state.Completed, state.Blocked, state.Skipped:
		return nil
	}
	return refuse("guard/status", "the status %q is unknown", shorten(string(g.ch.Status)))
}

// found looks the task up in state.json and in the markdown.
func (g *guard) found() *Refusal {
	for i := range g.st.Tasks {
		if g.st.Tasks[i].ID == g.ch.Task {
			g.task = &g.st.Tasks[i]
		}
	}
	if g.task == nil {
		return refuse("guard/unknown-task", "task %d is not in state.json, which has tasks 1 to %d", g.ch.Task, len(g.st.Tasks))
	}
	g.from, g.to = g.task.Status, g.ch.Status
	if g.to == "" {
		g.to = g.from
	}
	for i := range g.view.Tasks {
		if t := &g.view.Tasks[i]; t.ID == g.task.ID {
			g.line, g.log = t, t.Record
		}
	}
	g.own = g.st.Blocked != nil && g.st.Blocked.Task == g.task.ID
	return nil
}
