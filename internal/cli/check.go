package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// checked is one plan after its check. The snapshot is let go, so that many plans fit in memory.
type checked struct {
	target
	era    state.Era
	format string
	report *verify.Report
	err    error // the folder could not be read; the report is then empty and unverified
}

func (c *checked) verdict() verify.Verdict { return c.report.Verdict }

// checkAll checks plans on a few workers; the results keep the order of the targets. Git is asked once, at the end.
func (a *app) checkAll(ctx context.Context, targets []target, strict bool) []checked {
	// Snapshots of many plans would not fit in memory; each worker holds one, and keeps only its report.
	results := make([]checked, len(targets))
	var passed lists
	// What a snapshot takes is garbage right after its check. Collecting less often makes thousands of plans a fifth
	// faster, for some 40 MB more at the peak (BenchmarkThousandPlans, BenchmarkTenThousandPlansMemory).
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	parallel(len(targets), func(i int) {
		results[i] = a.check(targets[i], strict)
		results[i].report.Passed = passed.share(results[i].report.Passed)
	})
	a.askGit(ctx, results, &passed)
	return results
}

// check reads and checks one plan. A folder that can't be read gives an empty, unverified report: the others are still
// checked (VP-6).
func (a *app) check(t target, strict bool) checked {
	s, err := plan.Open(t.Path)
	if err != nil {
		return checked{target: t, era: state.None, report: &verify.Report{Verdict: verify.Unverified}, err: err}
	}
	opt := verify.Options{Now: a.env.Now(), Strict: strict, InGit: t.root.Git != ""}
	report := verify.Plan(s, opt)
	for i := range report.Commits {
		report.Commits[i].Commit = kept(report.Commits[i].Commit)
	}
	return checked{target: t, era: s.Era(), format: kept(s.Format()), report: report}
}

// kept copies a word that was cut out of a document: held as it is, it would keep the whole document in memory, which
// counts when there are thousands of plans.
func kept[S ~string](word S) S { return S(strings.Clone(string(word))) }

// lists lets equal lists share memory: the rules that passed are nearly all rules, and the same ones in most plans.
type lists struct {
	mu   sync.Mutex
	seen [][]string
}

// fewLists bounds how many lists one is compared with.
const fewLists = 64

// share returns a list equal to l that others may hold as well: nobody may change its elements.
func (s *lists) share(l []string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, known := range s.seen {
		if slices.Equal(known, l) {
			return known
		}
	}
	l = slices.Clip(slices.Clone(l)) // no room to grow: who appends gets a list of their own
	if len(s.seen) < fewLists {
		s.seen = append(s.seen, l)
	}
	return l
}

// parallel calls f for 0 to n-1, on as many workers as there are processors. A panic of a worker goes on in the caller, where Main meets it.
func parallel(n int, f func(int)) {
	// The common call of an agent names one plan.
	if n == 1 {
		f(0) // nothing to share: another thread would only cost its start
		return
	}
	var wg sync.WaitGroup
	next := make(chan int)
	faults := make(chan any, n) // room for all, so that no worker ever waits to tell
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				guard(faults, func() { f(i) })
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	if len(faults) > 0 {
		panic(<-faults)
	}
}

// guard keeps a panic of f from ending the process with a stack trace.
func guard(faults chan<- any, f func()) {
	defer func() {
		if p := recover(); p != nil {
			faults <- p
		}
	}()
	f()
}

// askGit asks once which of the commits that records name are unknown. It is advice (PS-11): when git can't answer,
// nothing is said.
func (a *app) askGit(ctx context.Context, results []checked, passed *lists) {
	byTop := map[string][]string{}
	for _, c := range results {
		for _, claim := range c.report.Commits {
			if c.root.Git != "" {
				byTop[c.root.Git] = append(byTop[c.root.Git], claim.Commit)
			}
		}
	}
	// One call for all plans: starting git costs more than all its answers together (DESIGN 9).
	for top, commits := range byTop { // one work tree, but for plans given by path
		slices.Sort(commits)
		missing, err := git.Repo{Top: top}.Missing(ctx, slices.Compact(commits))
		if err != nil {
			continue // no git program, or not a repository after all
		}
		for _, c := range results {
			if c.root.Git == top && len(c.report.Commits) > 0 {
				c.report.UnknownCommits(missing)
				c.report.Passed = passed.share(c.report.Passed)
			}
		}
	}
}

// ruleResult is what a report says of one rule.
type ruleResult struct {
	rule.Rule
	findings []rule.Finding
	passed   bool
	skipped  string // why it was not evaluated; "" when it was
}

// level is the strongest level among the findings.
func (r *ruleResult) level() rule.Level {
	best := rule.Info
	for _, f := range r.findings {
		if f.Level.Rank() < best.Rank() {
			best = f.Level
		}
	}
	return best
}

// byRule groups a report by rule, in the order of the catalogue. A rule that found something never counts as passed (TRAPS).
// Text, conformance and JUnit need the same grouping, so it stands here and not in one of them.
func byRule(r *verify.Report) []ruleResult {
	results := map[string]*ruleResult{}
	get := func(id string) *ruleResult {
		if results[id] == nil {
			known, ok := rule.Lookup(id)
			if !ok {
				known = rule.Rule{ID: id, Title: id}
			}
			results[id] = &ruleResult{Rule: known}
		}
		return results[id]
	}
	for _, id := range r.Passed {
		get(id).passed = true
	}
	for _, u := range r.Unevaluated {
		get(u.Rule).skipped, get(u.Rule).passed = u.Reason, false
	}
	for _, f := range r.Findings {
		g := get(f.Rule)
		g.findings, g.passed = append(g.findings, f), false
	}
	return inOrder(results)
}

// inOrder sorts results as the catalogue lists their rules, so that output is stable; rules it doesn't know come last,
// by ID.
func inOrder(results map[string]*ruleResult) []ruleResult {
	ordered := make([]ruleResult, 0, len(results))
	for _, r := range rule.All() {
		if g := results[r.ID]; g != nil {
			ordered = append(ordered, *g)
			delete(results, r.ID)
		}
	}
	rest := len(ordered)
	for _, g := range results {
		ordered = append(ordered, *g)
	}
	slices.SortFunc(ordered[rest:], func(x, y ruleResult) int { return strings.Compare(x.ID, y.ID) })
	return ordered
}

// place is a finding's place as editors read it: file:line:column; "." for the folder itself.
func place(p rule.Place) string {
	file := p.File
	if file == "" {
		file = "."
	}
	switch {
	case p.Line == 0:
		return cleanLine(file)
	case p.Column == 0:
		return cleanLine(fmt.Sprintf("%s:%d", file, p.Line))
	}
	return cleanLine(fmt.Sprintf("%s:%d:%d", file, p.Line, p.Column))
}
