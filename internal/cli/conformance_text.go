package cli

import (
	"fmt"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
)

// The marks of a line of conformance.
const (
	markPassed = "[x]"
	markBroken = "[ ]"
	markAdvice = "[~]"
)

// marks prints marked lines and counts them.
type marks struct {
	page
	passed, broken, advice, skipped int
}

// writeConformance prints the sections of the standard's checker and, last, the verdict that the exit code repeats
// (C147). Rules keep the order of the catalogue, so that two runs can be compared line by line; the counts say at the
// end whether there is anything to look for above.
//
//	Repository
//	  [x] the repository has an AGENTS.md
//
//	Plan: PLAN_tea_timer
//	  [ ] .dwp/plans/PLAN_tea_timer/README.md:12:1: says 2/3, the boxes say 1/3; correct the line [index/count]
//
//	1 passed, 1 broken, 0 advice, 0 not evaluated
//	NOT CONFORMANT
//
// Repository and Plan are the section titles of the standard's checker; other tools look for them.
func writeConformance(p page, c *conformanceAnswer) {
	m := marks{page: p}
	m.line("%s", m.paint(bold, "Repository"))
	for _, check := range c.checks {
		switch {
		case check.Finding != nil:
			m.finding(p.in(c.dir), *check.Finding)
		case check.Reason != "":
			m.skip(check.Title, check.Reason)
		default:
			m.pass(check.Title)
		}
	}
	for _, f := range c.beside {
		m.finding(p, f)
	}
	if c.noPlans != "" {
		m.mark(yellow, markAdvice, c.noPlans)
	}
	for i := range c.plans {
		m.line("\n%s", m.paint(bold, "Plan: "+cleanLine(c.plans[i].Name)))
		m.plan(&c.plans[i])
	}
	m.line("\n%d passed, %d broken, %d advice, %d not evaluated", m.passed, m.broken, m.advice, m.skipped)
	m.line("%s", paintVerdict(p, c.verdict))
}

// plan prints a line per rule, and per finding of a broken one. A rule that found anything gets no positive line (TRAPS).
func (m *marks) plan(c *checked) {
	if c.err != nil {
		m.skipped++
		m.mark(yellow, markAdvice, "not evaluated: the plan could not be read: "+cause(c.err).Error())
	}
	for _, g := range byRule(c.report) {
		if g.passed {
			m.pass(g.Title)
		}
		for _, f := range g.findings {
			m.finding(m.in(c.Path), f)
		}
		if g.skipped != "" {
			m.skip(g.Title, g.skipped)
		}
	}
}

func (m *marks) pass(title string) {
	m.passed++
	m.mark(green, markPassed, title)
}

func (m *marks) skip(title, reason string) {
	m.skipped++
	m.mark(yellow, markAdvice, title+": not evaluated: "+reason)
}

// finding prints a finding as seen from p: only must breaks conformance, the rest is advice.
func (m *marks) finding(p page, f rule.Finding) {
	if f.Level == rule.Must {
		m.broken++
		m.mark(red, markBroken, findingWords(p, f))
		return
	}
	m.advice++
	m.mark(yellow, markAdvice, findingWords(p, f))
}

// mark prints one marked line, wrapped under its own text.
func (m *marks) mark(s style, mark, text string) {
	m.flow("  "+m.paint(s, mark)+" ", 6, 6, cleanLine(text))
}

// findingWords is like "README.md:35:1: the count is wrong (2 places) [index/count]".
func findingWords(p page, f rule.Finding) string {
	text := f.Message
	if f.File != "" {
		text = p.at(f.Place) + ": " + text
	}
	if f.Count > 1 {
		text += fmt.Sprintf(" (%d places)", f.Count)
	}
	if f.Hint != "" {
		text += "; " + f.Hint
	}
	return text + " [" + f.Rule + "]"
}

// repoCheckJSON is one check of the repository. Neither passed nor with a finding, it was not evaluated.
type repoCheckJSON struct {
	Rule    string        `json:"rule"`
	Title   string        `json:"title"`
	Passed  bool          `json:"passed"`
	Finding *rule.Finding `json:"finding"`
	Reason  string        `json:"reason"` // why it was not evaluated; "" when it was
}

// conformanceJSONAnswer is the JSON answer; plans have the form of verify's.
type conformanceJSONAnswer struct {
	opening
	Verdict    verify.Verdict  `json:"verdict"`
	Dir        string          `json:"dir"`
	Repository []repoCheckJSON `json:"repository"`
	Plans      []verifyPlan    `json:"plans"`
	closing
}

// conformanceJSON makes the JSON answer.
func conformanceJSON(c *conformanceAnswer) conformanceJSONAnswer {
	plans := verifyJSON(&verification{plans: c.plans})
	answer := conformanceJSONAnswer{
		opening: opened("conformance"), Verdict: c.verdict, Dir: c.dir,
		Repository: []repoCheckJSON{}, Plans: plans.Plans, closing: closed(c.beside, nil),
	}
	for _, check := range c.checks {
		answer.Repository = append(answer.Repository, repoCheckJSON{
			check.Rule, check.Title, check.Finding == nil && check.Reason == "", check.Finding, check.Reason,
		})
	}
	return answer
}
