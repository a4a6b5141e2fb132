package verify

import (
	"slices"
	"strings"
	"unicode"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
)

// checkReadme: title, Goal and Context with words in them (PD-4).
func checkReadme(c *checker) {
	r := c.s.README
	if strings.TrimSpace(r.Title) == "" {
		c.addLevel(weaker(c.shape.bare), "readme/title", rule.Place{File: "README.md"}, "the README has no title", "begin with: # Title")
	}
	c.readmeSection("readme/goal", planmd.Goal, "")
	c.readmeSection("readme/context", planmd.Context, weaker(c.shape.bare))
}

func (c *checker) readmeSection(id string, kind planmd.SectionKind, level rule.Level) {
	switch s := c.s.README.Section(kind); {
	case s == nil:
		c.addLevel(level, id, rule.Place{File: "README.md"}, "the README has no section "+string(kind), "add it; a resuming agent anchors on it")
	case s.Empty:
		c.addLevel(level, id, c.inReadme(s.Head, 0), "the README's section "+string(kind)+" has no words", "write it; a placeholder does not count")
	}
}

// checkReadmeAdvice: what a README should have besides (PD-4, LF-5).
func checkReadmeAdvice(c *checker) {
	r := c.s.README
	var missing []string
	for _, kind := range []planmd.SectionKind{planmd.Guidelines, planmd.ExecutionRules, planmd.OutputsTable} {
		if r.Section(kind) == nil {
			missing = append(missing, string(kind))
		}
	}
	if len(missing) > 0 {
		c.add("readme/advice", rule.Place{File: "README.md"}, "the README has no section "+strings.Join(missing, ", "), "add them; agents work better with them")
	}
	if c.shape.series >= 4 && r.Section(planmd.Selection) == nil {
		c.add("readme/selection", rule.Place{File: "README.md"}, "the README does not record why its format was chosen", "add a section Format Selection: scope, dependencies, detail, uncertainties, why")
	}
}

// checkVariables: what tasks use as {{NAME}} is declared (PD-4).
func checkVariables(c *checker) {
	used := slices.Clone(c.s.README.Variables)
	for _, t := range c.s.TaskFiles {
		if t.Doc != nil {
			used = append(used, t.Doc.Variables...)
		}
	}
	slices.Sort(used)
	used = slices.Compact(used)
	declared := map[string]bool{}
	if s := c.s.README.Section(planmd.Variables); s != nil {
		for word := range strings.FieldsFuncSeq(c.s.README.Text(s.Body), notInName) {
			declared[strings.Trim(word, "-")] = true
		}
	}
	var missing []string
	for _, name := range used {
		if !declared[name] {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		c.add("readme/variables", rule.Place{File: "README.md"}, "variables that tasks use are not declared"+things(missing), "add a section Variables that gives each its value")
	}
}

// notInName reports whether a character ends the name of a variable.
func notInName(r rune) bool {
	return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
}

// checkParallelism: a plan with plan_format states its decision (PD-4, LF-8).
func checkParallelism(c *checker) {
	r := c.s.README
	stated := r.Execution != nil && !planmd.Placeholder(r.Execution.Value)
	switch {
	case !stated && !r.TeamTable:
		c.add("parallelism/missing", rule.Place{File: "README.md"}, "the README does not state its parallelism decision", "add: Execution: sequential — why; or a Team Agents table")
	case r.Execution != nil && r.Rationale == "" && !r.TeamTable:
		c.add("parallelism/rationale", c.inReadme(r.Execution.Span, 0), "the Execution line gives no reason", "write: Execution: sequential — why")
	}
}
