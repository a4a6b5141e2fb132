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
	// Era is the schema generation of a plan's JSON files.
	Era = state.Era
	// Options are the caller's choices and facts for Verify.
	Options = verify.Options
	// Report is what Verify says of a plan.
	Report = verify.Report
	// Verdict is the answer of a Report.
	Verdict = verify.Verdict
	// Counts are the numbers of findings per level, as Report.Counts sums them up.
	Counts = verify.Counts
	// Unevaluated is a rule that could not be evaluated, and why.
	Unevaluated = verify.Unevaluated
	// CommitClaim is a commit that a plan names. Verify starts no git: who can ask it tells Report.UnknownCommits the answer.
	CommitClaim = verify.CommitClaim
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

// The statuses of plans and tasks (PS-8, PS-9). Skipped is for tasks only.
const (
	Pending    = state.Pending
	InProgress = state.InProgress
	Completed  = state.Completed
	Blocked    = state.Blocked
	Skipped    = state.Skipped
)

// The eras (PS-21): None is a plan without JSON files, UnknownEra one whose schema this version does not know.
const (
	None       = state.None
	V1         = state.V1
	V2         = state.V2
	V5         = state.V5
	UnknownEra = state.Unknown
)

// The holds: why no task of a plan may start now, whatever Overview.Next says.
const (
	HoldNone         = plan.HoldNone        // a task may start
	HoldNewer        = plan.HoldNewer       // newer or unknown standard or schema
	HoldMalformed    = plan.HoldMalformed   // a file that work needs can't be read
	HoldPublishing   = plan.HoldPublishing  // a publication was cut off
	HoldOperation    = plan.HoldOperation   // a change of several files was cut off
	HoldPromoting    = plan.HoldPromoting   // on the way from Lite to Full
	HoldPartial      = plan.HoldPartial     // the plan is not written to its end
	HoldUnapproved   = plan.HoldUnapproved  // a person has to approve it
	HoldBlocked      = plan.HoldBlocked     // a blocker stands
	HoldCompleted    = plan.HoldCompleted   // nothing is left to do
	HoldNoTasks      = plan.HoldNoTasks     // the README has no task index
	HoldAmbiguous    = plan.HoldAmbiguous   // a task number stands twice
	HoldDesync       = plan.HoldDesync      // README.md and state.json disagree
	HoldSkipped      = plan.HoldSkipped     // only skipped tasks are left
	HoldDependencies = plan.HoldDependences // the open tasks wait for each other
)

// The levels of findings. Only Must breaks conformance.
const (
	Must   = rule.Must
	Should = rule.Should
	Info   = rule.Info
)

// Open reads the plan folder at path. Links that lead out of the folder are not followed.
func Open(path string) (*Snapshot, error) { return plan.Open(path) }

// Verify checks a snapshot against every rule of the catalogue that one plan folder can answer. Those about the
// repository and the plans folder are not among them.
func Verify(s *Snapshot, opt Options) *Report { return verify.Plan(s, opt) }

// Rules returns the catalogue. The slice is the caller's.
func Rules() []Rule { return rule.All() }

// RuleOf finds the rule that a finding names by its ID.
func RuleOf(id string) (Rule, bool) { return rule.Lookup(id) }
