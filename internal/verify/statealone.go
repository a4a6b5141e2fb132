package verify

import (
	"slices"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
)

// elsewhere are the rules of state.json's rows that need the disk or a log to be answered: a guard that refuses a malformed
// state looks at what state.json alone tells (GU-1).
var elsewhere = []string{"state/locator-file", "gate/pointer-missing", "evidence/log-digest", "skipped/authority"}

// StateAlone reports what is wrong with state.json as far as it alone tells (GU-1): the rows of the table that read no
// other file, and the one that says whether the plan's standard is known (PS-22). Amendments still excuse what they
// replace (PS-13). Of a state.json that was not read, or of a folder that moved, it says nothing: callers look at these first.
func StateAlone(s *plan.Snapshot, opt Options) []rule.Finding {
	c := newChecker(s, opt)
	checkStandard(c)
	c.shape.stop = "" // it is in the findings; a malformed state is not passed over for it
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
