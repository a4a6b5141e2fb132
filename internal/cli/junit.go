package cli

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
)

// The parts of the JUnit format that build servers read. One suite is a plan, one case is a rule.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitMessage `xml:"failure,omitempty"`
		Error   *junitMessage `xml:"error,omitempty"`
		Skipped *junitMessage `xml:"skipped,omitempty"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit prints a verification as JUnit XML: must findings are failures, advice is output of a passed case, rules that
// were not evaluated are skipped, what could not be read is an error.
func writeJUnit(w io.Writer, v *verification) error {
	doc := junitSuites{Name: "dwp verify"}
	for i := range v.plans {
		doc.add(junitPlan(&v.plans[i]))
	}
	if len(v.findings) > 0 {
		doc.add(junitOf("plans", &verify.Report{Findings: v.findings}, nil))
	}
	// A build server takes a report without cases for a success, so even "no plans" is a case (C149).
	if v.err != nil {
		doc.add(junitOf("plans", &verify.Report{}, v.err))
	}
	text, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	io.WriteString(w, xml.Header)
	w.Write(append(text, '\n'))
	return nil
}

func junitPlan(c *checked) junitSuite { return junitOf(c.Name, c.report, c.err) }

// junitOf makes the suite of a report; err is why the plan could not be read, or nil.
func junitOf(name string, r *verify.Report, err error) junitSuite {
	s := junitSuite{Name: xmlSafe(name)}
	if err != nil {
		s.add(junitCase{Name: "read", Error: &junitMessage{Message: xmlSafe(cause(err).Error())}})
	}
	for _, g := range byRule(r) {
		s.add(junitCaseOf(&g))
	}
	// Build servers group by class name, so it repeats the plan.
	for i := range s.Cases {
		s.Cases[i].Class = s.Name
	}
	return s
}

// junitCaseOf makes the case of one rule. A must finding outweighs a part that was not evaluated, as it does in the
// verdict.
func junitCaseOf(g *ruleResult) junitCase {
	c := junitCase{Name: xmlSafe(g.ID)}
	text := junitFindings(g.findings)
	switch {
	case len(g.findings) > 0 && g.level() == rule.Must:
		c.Failure = &junitMessage{Message: xmlSafe(g.findings[0].Message), Type: string(rule.Must), Text: text}
	case g.skipped != "":
		c.Skipped, c.Out = &junitMessage{Message: xmlSafe(g.skipped)}, text
	default:
		c.Out = text
	}
	return c
}

// junitFindings lists findings with place and hint, a line each.
func junitFindings(findings []rule.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%s: %s: %s\n", f.Level, place(f.Place), f.Message)
		if f.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", f.Hint)
		}
	}
	return xmlSafe(b.String())
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func (d *junitSuites) add(s junitSuite) {
	d.Suites = append(d.Suites, s)
	d.Tests += s.Tests
	d.Failures += s.Failures
	d.Errors += s.Errors
	d.Skipped += s.Skipped
}

// xmlSafe makes the characters that XML 1.0 can't hold visible (an escape byte in a title); encoding/xml would turn them into U+FFFD and
// lose which they were.
func xmlSafe(s string) string {
	if !strings.ContainsFunc(s, notInXML) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case notInXML(r) && r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case notInXML(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// notInXML is the complement of XML 1.0's Char, and DEL and C1, which XML discourages and terminals obey.
func notInXML(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return false
	case r < 0x20, 0x7f <= r && r <= 0x9f, r == 0xfffe, r == 0xffff:
		return true
	}
	return false
}
