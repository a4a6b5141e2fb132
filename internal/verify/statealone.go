package verify

import (
	"slices"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
)

// elsewhere are the rules of state.json's rows that need the disk or a log to be answered: a guard that refuses a malformed
// state looks at what state.json alone tells (GU-1).
var elsewhere = []string{"state/locator-file", "gate/pointer-missing", "skipped/authority"}

// StateAlone reports what is wrong with state.json as far as it alone tells (GU-1): the rows of the table that read no
// other file. Amendments still excuse what they replace (PS-13). It is nil when state.json was not read, or the plan is
// of a generation that nothing is known about (PS-22): callers look at these first.
func StateAlone(s *plan.Snapshot, opt Options) []rule.Finding {
	c := newChecker(s, opt)
	alone := *s
	alone.README = nil // the number of index lines is not state.json's to know
	c.s = &alone
	for _, ch := range checks {
		if ch.needs == stateJSON {
			c.run(ch)
		}
	}
	c.notes = slices.DeleteFunc(c.notes, func(n note) bool { return slices.Contains(elsewhere, n.rule) })
	return c.report().Findings
}
