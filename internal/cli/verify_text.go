package cli

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
)

// writeVerifyText prints the answer for people: a heading per plan, its findings by level, and a last line that sums up.
//
//	PLAN_tea_timer: NOT CONFORMANT  (1 must, 0 should, 2 info)
//	  must    index/count  .dwp/plans/PLAN_tea_timer/README.md:12:1
//	          says 2/3, the boxes say 1/3
//	          hint: correct the line; the boxes are the truth
//	  info    2 hidden; see with --verbose
//
//	NOT CONFORMANT  1 plan: 0 conformant, 1 not conformant, 0 unverified
//
// With one plan its heading has the whole answer, so that the last line is left out.
func writeVerifyText(p page, v *verification, flags verifyFlags) {
	gap := func() {
		if !flags.quiet {
			p.line("")
		}
	}
	for i := range v.plans {
		if i > 0 {
			gap()
		}
		writePlanText(p, &v.plans[i], flags)
	}
	if len(v.findings) > 0 && !flags.quiet {
		gap()
		p.line("%s", p.paint(bold, "Beside the plans"))
		writeFindings(p, v.findings, flags.verbose)
	}
	if len(v.plans) != 1 || len(v.findings) > 0 {
		gap()
		p.line("%s", summary(p, v))
	}
}

// writePlanText prints one plan: the heading with the verdict, findings by level, and what was not evaluated.
func writePlanText(p page, c *checked, flags verifyFlags) {
	heading := fmt.Sprintf("%s: %s", p.paint(bold, cleanLine(c.Name)), paintVerdict(p, c.verdict()))
	if c.err == nil {
		heading += "  " + countWords(c.report.Counts())
	}
	p.line("%s", heading)
	if flags.quiet {
		return
	}
	p = p.in(c.Path)
	if c.err != nil {
		p.para(2, p.at(rule.Place{})+": the plan could not be read: "+cause(c.err).Error())
	}
	writeFindings(p, c.report.Findings, flags.verbose)
	writeUnevaluated(p, c.report.Unevaluated, flags.verbose)
}

// writeFindings prints findings by level; of info findings only their number, unless asked for.
func writeFindings(p page, findings []rule.Finding, verbose bool) {
	// Level by level, so that what breaks conformance is read first; within a level, by place.
	hidden := 0
	for _, level := range []rule.Level{rule.Must, rule.Should, rule.Info} {
		for _, f := range findings {
			switch {
			case f.Level != level:
			case level == rule.Info && !verbose:
				hidden += max(f.Count, 1)
			default:
				writeFinding(p, f, verbose)
			}
		}
	}
	if hidden > 0 {
		p.line("  %s", p.paint(faint, fmt.Sprintf("info    %d hidden; see with --verbose", hidden)))
	}
}

const (
	findingIndent = 10 // "  should  "
	messageRoom   = 24 // with less room beside rule and place, the message begins on a line of its own
)

// writeFinding prints level, rule, place and message, the hint under them. A place is never broken, so that it can be
// opened and copied: what doesn't fit beside it goes on a line of its own.
func writeFinding(p page, f rule.Finding, verbose bool) {
	text := cleanLine(f.Message)
	if f.Count > 1 {
		text += fmt.Sprintf(" (%d places)", f.Count)
	}
	margin, at := strings.Repeat(" ", findingIndent), p.at(f.Place)
	first := "  " + p.paint(levelStyle(f.Level), fmt.Sprintf("%-6s", f.Level)) + "  " + f.Rule
	columns := findingIndent + textWidth(f.Rule)
	if columns+2+textWidth(at) > p.width {
		p.line("%s", first)
		first, columns = margin+at, findingIndent+textWidth(at)
	} else {
		first, columns = first+"  "+at, columns+2+textWidth(at)
	}
	if p.width-columns-2 >= messageRoom {
		p.flow(first+"  ", columns+2, findingIndent, text)
	} else {
		p.line("%s", first)
		p.flow(margin, findingIndent, findingIndent, text)
	}
	if f.Hint != "" {
		p.flow(margin+"hint: ", findingIndent+6, findingIndent+6, cleanLine(f.Hint))
	}
	if !verbose {
		return
	}
	for _, other := range f.Places[min(1, len(f.Places)):] { // the first is the finding's own
		p.line("%sat %s", margin, p.at(other))
	}
}

// fewRules is how many rule names are printed without being asked for.
const fewRules = 4

// writeUnevaluated prints the rules that were not evaluated, together where the reason is the same.
func writeUnevaluated(p page, skipped []verify.Unevaluated, verbose bool) {
	// One broken file leaves dozens of rules unevaluated, all for the same reason.
	byReason := map[string][]string{}
	var reasons []string
	for _, u := range skipped {
		if byReason[u.Reason] == nil {
			reasons = append(reasons, u.Reason)
		}
		byReason[u.Reason] = append(byReason[u.Reason], u.Rule)
	}
	for _, reason := range reasons {
		rules := byReason[reason]
		text := fmt.Sprintf("%s not evaluated: %s", plural(len(rules), "rule"), cleanLine(reason))
		if verbose || len(rules) <= fewRules {
			text += " (" + cleanLine(strings.Join(rules, ", ")) + ")"
		}
		p.flow("  "+p.paint(yellow, "unsure")+"  ", findingIndent, findingIndent, text)
	}
}

// levelStyle is the colour of a level's word.
func levelStyle(l rule.Level) style {
	switch l {
	case rule.Must:
		return red
	case rule.Should:
		return yellow
	}
	return faint
}

// paintVerdict is the word for a verdict, coloured.
func paintVerdict(p page, v verify.Verdict) string {
	s := yellow
	switch v {
	case verify.Conformant:
		s = green
	case verify.Nonconformant:
		s = red
	}
	return p.paint(s, verdictWords(v))
}

// countWords is like "(2 must, 1 should)".
func countWords(c verify.Counts) string {
	return fmt.Sprintf("(%d must, %d should, %d info)", c.Must, c.Should, c.Info)
}

// summary is the last line over several plans.
func summary(p page, v *verification) string {
	var ok, bad, open int
	for i := range v.plans {
		switch v.plans[i].verdict() {
		case verify.Conformant:
			ok++
		case verify.Nonconformant:
			bad++
		default:
			open++
		}
	}
	return fmt.Sprintf("%s  %s: %d conformant, %d not conformant, %d unverified",
		paintVerdict(p, v.verdict), plural(len(v.plans), "plan"), ok, bad, open)
}

// plural is like "1 plan", "3 plans".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
