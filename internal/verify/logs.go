package verify

import (
	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
)

// checkLogDigests compares the logs of observed runs with the digests in their evidence (PS-12, VP-5): the latest record of each command,
// unless it is history. A log that is missing is reported under gate/pointer-missing.
func checkLogDigests(c *checker) {
	for i := range c.s.State.Tasks {
		t := &c.s.State.Tasks[i]
		for _, g := range latestRecords(t.Gates) {
			o, observed := evidence.ParseObserved(c.relative(g.Evidence))
			if !observed || evidence.Invalidated(g.Evidence) || !present(c.s, o.Log) {
				continue
			}
			switch f := c.s.Files[o.Log]; {
			case f == nil || f.Err != nil:
				c.leave("evidence/log-digest", o.Log+" can't be read")
			case f.SHA256() != o.SHA256:
				c.addLevel(digestLevel(t), "evidence/log-digest", c.inState(g.Node, t.ID), "the log of a run is not the one that was recorded", "restore the log, or run the gate again")
				c.notes[len(c.notes)-1].what = o.Log
			}
		}
	}
}

// digestLevel: under a completed task the log is what the completion rests on; in an open one the gate runs again anyway.
func digestLevel(t *state.Task) rule.Level {
	if t.Status == state.Completed {
		return rule.Must
	}
	return rule.Should
}
