// Package dwp is the public library of the Deep Work Plan tool: open a plan, and say what is true of it.
// Everything is read-only: no function here writes into a plan, starts a program, or uses the network.
//
// A plan that is broken is not an error but a report with findings; an error means that the plan could not be read.
package dwp

import (
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// The values the library deals in.
type (
	// Snapshot is one plan folder as it stood at one moment. Its Overview method sums it up.
	Snapshot = plan.Snapshot
	// Overview is what a plan amounts to: title, status, tasks, and which task is next.
	Overview = plan.Overview
	// TaskView is one task of an Overview.
	TaskView = plan.TaskView
	// Hold is why no task may start.
	Hold = plan.Hold
	// Status is the progress of a plan or of a task.
	Status = state.Status
	// Options are the caller's choices and facts for Verify.
	Options = verify.Options
	// Report is what Verify says of a plan.
	Report = verify.Report
	// Verdict is the answer of a Report.
	Verdict = verify.Verdict
	// Finding is one fact that a rule reports: rule, level, requirement, place, message, hint.
	Finding = rule.Finding
	// Place is where a finding was made.
	Place = rule.Place
	// Level says how much a finding weighs.
	Level = rule.Level
	// Rule describes one check of the catalogue.
	Rule = rule.Rule
)

// The verdicts (VP-6): Unverified means that nothing failed, but something could not be evaluated.
const (
	Conformant    = verify.Conformant
	Nonconformant = verify.Nonconformant
	Unverified    = verify.Unverified
)

// The levels of findings. Only Must breaks conformance.
const (
	Must   = rule.Must
	Should = rule.Should
	Info   = rule.Info
)

// Open reads the plan folder at path. Links that lead out of the folder are not followed.
func Open(path string) (*Snapshot, error) { return plan.Open(path) }

// Verify checks a snapshot against every rule of the catalogue.
func Verify(s *Snapshot, opt Options) *Report { return verify.Plan(s, opt) }

// Rules returns the catalogue. The slice is the caller's.
func Rules() []Rule { return rule.All() }
