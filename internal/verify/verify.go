// Package verify turns a snapshot into findings: every rule of the catalogue that the
// requirements make checkable, nothing written, nothing run. It lists everything it finds, and says
// UNVERIFIED rather than guess (VP-6). Requirements: PD, PS, AM-3, VP-5, VP-6, and what GU,
// LF and WP ask of a plan at rest; AG-2 to AG-4 for the repository checks.
//
// How it is built: a table of checks (checks.go), each with the sources it reads, the rules
// it evaluates, and when it applies. A check whose source can't be used leaves its rules unevaluated.
package verify

import (
	"slices"
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
	// Now is the clock for times in the future (PS-11); with the zero time they are not looked for.
	Now time.Time
	// Strict makes unknown fields must findings (PS-21).
	Strict bool
	// InGit says that the plan's repository is a git work tree (PS-2, PS-11).
	InGit bool
}

// Report is what verify says of one plan.
type Report struct {
	Verdict Verdict
	// Findings are sorted: must first, then by file and line. Repeated defects are merged.
	Findings []rule.Finding
	// Passed are the IDs, sorted, of the rules that were evaluated and found nothing. Unevaluated are those that could
	// not be evaluated, each with the reason; rules that don't apply to the plan are in neither.
	Passed      []string
	Unevaluated []Unevaluated
	// Commits are the commits that records name, for the caller's one batched question to git (PS-11).
	Commits []CommitClaim
}

// Unevaluated is a rule that could not be evaluated, and why.
type Unevaluated struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
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
func (r *Report) Counts() Counts {
	n := Counts{Passed: len(r.Passed)}
	for _, f := range r.Findings {
		switch times := max(f.Count, 1); f.Level {
		case rule.Must:
			n.Must += times
		case rule.Should:
			n.Should += times
		default:
			n.Info += times
		}
	}
	return n
}

// Plan checks one snapshot against every rule (VP-6: it says which it could not evaluate).
func Plan(s *plan.Snapshot, opt Options) *Report {
	c := newChecker(s, opt)
	for _, ch := range checks {
		c.run(ch)
	}
	return c.report()
}

// UnknownCommits adds the advice about commits that git doesn't know (PS-11): missing is git's answer to r.Commits.
func (r *Report) UnknownCommits(missing []string) {
	if len(r.Commits) == 0 {
		return
	}
	absent := map[string]bool{}
	for _, m := range missing {
		absent[m] = true
	}
	var notes []note
	for _, claim := range r.Commits {
		if absent[claim.Commit] {
			notes = append(notes, note{rule: "commit/unknown", at: claim.Place, msg: "git does not know the commit " + quote(claim.Commit) + " here",
				hint: "a shallow clone or a rebase explains it; otherwise record the commit that holds the work"})
		}
	}
	if len(notes) == 0 {
		r.Passed = append(r.Passed, "commit/unknown")
		slices.Sort(r.Passed)
		return
	}
	r.Findings = append(r.Findings, merge(notes)...)
	sortFindings(r.Findings)
}
