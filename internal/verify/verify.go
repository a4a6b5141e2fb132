// Package verify turns a snapshot into findings: every rule of the catalogue that the
// requirements make checkable, nothing written, nothing run. It lists everything it finds, and says
// UNVERIFIED rather than guess (VP-6). Requirements: PD, PS, AM-3, VP-5, VP-6, and what GU,
// LF and WP ask of a plan at rest; AG-2 to AG-4 for the repository checks.
package verify

import (
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
)

// Verdict is the answer for a plan or for many.
type Verdict string

// The verdicts (VP-6).
const (
	Conformant    Verdict = "conformant"
	Nonconformant Verdict = "nonconformant"
	Unverified    Verdict = "unverified"
)

// Options are the caller's choices and facts.
type Options struct {
	// Now is the clock for times in the future (PS-11).
	Now time.Time
	// Strict makes unknown fields must findings (PS-21).
	Strict bool
	// InGit says that the plan's repository is a git work tree (PS-2, PS-11).
	InGit bool
}

// Report is what verify says of one plan.
type Report struct {
	Verdict  Verdict
	Findings []rule.Finding // repeated defects merged; must first, then by file and line
	// Passed are the IDs of the rules that were evaluated and found nothing. Unevaluated are those that could
	// not be evaluated, each with the reason; rules that don't apply to the plan are in neither.
	Passed      []string
	Unevaluated []Unevaluated
	// Commits are the commits that records name, for the caller's one batched question to git (PS-11).
	Commits []CommitClaim
}

// Unevaluated is a rule that could not be evaluated, and why.
type Unevaluated struct {
	Rule, Reason string
}

// CommitClaim is a commit that a task entry names.
type CommitClaim struct {
	Commit string
	rule.Place
}

// Counts are the numbers of findings per level (a repeated defect counts each place), and of rules passed.
type Counts struct {
	Must   int `json:"must"`
	Should int `json:"should"`
	Info   int `json:"info"`
	Passed int `json:"passed"`
}

// Counts sums a report up.
func (r *Report) Counts() Counts { return Counts{} }

// Plan checks one snapshot.
func Plan(s *plan.Snapshot, opt Options) *Report { return &Report{Verdict: Unverified} }

// UnknownCommits adds the advice about commits that git doesn't know (PS-11): missing is git's answer to r.Commits.
func (r *Report) UnknownCommits(missing []string) {}

// Strays turns what lies beside the plans into findings outside any plan.
func Strays(strays []plan.Stray) []rule.Finding { return nil }

// RepoFacts are what the repository checks look at; the caller gathers those that need git.
type RepoFacts struct {
	InGit   bool
	Ignored bool // git ignores the .dwp folder
}

// RepoCheck is one line of the repository section of conformance: the rule, and its finding when it failed.
type RepoCheck struct {
	Rule    string
	Title   string
	Finding *rule.Finding
}

// Repository checks the repository that holds dir (AG-2 to AG-4, PD-1): AGENTS.md and its commands block,
// per-agent files that point to it, .agents folders, docs, .dwp/plans, .dwp ignored.
func Repository(dir string, facts RepoFacts) []RepoCheck { return nil }
