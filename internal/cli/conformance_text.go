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

// markOf is the mark of a finding: only must breaks conformance, the rest is advice.
func markOf(l rule.Level) string {
	if l == rule.Must {
		return markBroken
	}
	return markAdvice
}

// writeConformance prints the sections of the standard's checker and, last, the verdict that the exit code repeats
// (C147).
//
//	Repository
//	  [x] the repository has an AGENTS.md
//
//	Plan: PLAN_tea_timer
//	  [ ] README.md:12:1: says 2/3, the boxes say 1/3; correct the line [index/count]
//
//	NOT CONFORMANT
//
// Repository and Plan are the section titles of the standard's checker; other tools look for them.
func writeConformance(p page, c *conformanceAnswer) {
	p.line("%s", p.paint(bold, "Repository"))
	for _, check := range c.checks {
		switch {
		case check.Finding != nil:
			writeMark(p, markOf(check.Finding.Level), findingWords(*check.Finding))
		case check.Reason != "":
			writeMark(p, markAdvice, check.Title+": not evaluated: "+check.Reason)
		default:
			writeMark(p, markPassed, check.Title)
		}
	}
	for _, f := range c.beside {
		writeMark(p, markOf(f.Level), findingWords(f))
	}
	if c.noPlans != "" {
		writeMark(p, markAdvice, c.noPlans)
	}
	for i := range c.plans {
		p.line("\n%s", p.paint(bold, "Plan: "+cleanLine(c.plans[i].Name)))
		writePlanMarks(p, &c.plans[i])
	}
	p.line("\n%s", paintVerdict(p, c.verdict))
}

// writePlanMarks prints a line per rule, and per finding of a broken one. A rule that found anything gets no positive line (TRAPS).
func writePlanMarks(p page, c *checked) {
	if c.err != nil {
		writeMark(p, markAdvice, "not evaluated: the plan could not be read: "+cause(c.err).Error())
	}
	for _, g := range byRule(c.report) {
		if g.passed {
			writeMark(p, markPassed, g.Title)
		}
		for _, f := range g.findings {
			writeMark(p, markOf(f.Level), findingWords(f))
		}
		if g.skipped != "" {
			writeMark(p, markAdvice, g.Title+": not evaluated: "+g.skipped)
		}
	}
}

// writeMark prints one marked line, wrapped under its own text.
func writeMark(p page, mark, text string) {
	s := green
	switch mark {
	case markBroken:
		s = red
	case markAdvice:
		s = yellow
	}
	p.flow("  "+p.paint(s, mark)+" ", 6, 6, cleanLine(text))
}

// findingWords is like "README.md:35:1: the count is wrong (2 places) [index/count]".
func findingWords(f rule.Finding) string {
	text := f.Message
	if f.File != "" {
		text = place(f.Place) + ": " + text
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
	header
	Verdict    verify.Verdict  `json:"verdict"`
	Dir        string          `json:"dir"`
	Repository []repoCheckJSON `json:"repository"`
	Plans      []verifyPlan    `json:"plans"`
}

// conformanceJSON makes the JSON answer.
func conformanceJSON(c *conformanceAnswer) conformanceJSONAnswer {
	plans := verifyJSON(&verification{plans: c.plans})
	answer := conformanceJSONAnswer{
		header: envelope("conformance", nil), Verdict: c.verdict, Dir: c.dir,
		Repository: []repoCheckJSON{}, Plans: plans.Plans,
	}
	answer.Findings = list(c.beside)
	for _, check := range c.checks {
		answer.Repository = append(answer.Repository, repoCheckJSON{
			check.Rule, check.Title, check.Finding == nil && check.Reason == "", check.Finding, check.Reason,
		})
	}
	return answer
}
