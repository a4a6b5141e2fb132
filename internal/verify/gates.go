package verify

import (
	"fmt"
	"path"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
)

// checkGates reads every gate record as the claim it is (PS-12, C77, C81, C91).
func checkGates(c *checker) {
	for i := range c.s.State.Tasks {
		t := &c.s.State.Tasks[i]
		for g := range t.Gates {
			c.gateRecord(t, &t.Gates[g])
		}
	}
}

func (c *checker) gateRecord(t *state.Task, g *state.Gate) {
	at := c.inState(g.Node, t.ID)
	if strings.TrimSpace(g.Command) == "" && written(member(g.Node, "command")) {
		c.add("gate/shape", at, "a record's command is empty", "record the command that was run")
	}
	switch {
	case g.Passes && g.ExitCode == nil:
		c.addWhat("gate/pass-with-failure", at, "a record passes without an exit code", g.Command, "record the exit code; a pass has 0")
	case g.Passes && *g.ExitCode != 0:
		c.addWhat("gate/pass-with-failure", at, fmt.Sprintf("a record passes with exit code %d", *g.ExitCode), g.Command, "run the gate again and record what it says")
	case !g.Passes && g.ExitCode != nil && *g.ExitCode == 0 && !rejected(g):
		c.addWhat("gate/fail-with-success", at, "a record fails with exit code 0", g.Command, "say in the evidence why it is rejected, or record the pass")
	}
	for _, p := range evidence.Pointers(c.relative(g.Evidence)) {
		switch {
		case !p.Inside:
			c.addWhat("gate/pointer-outside", at, "its evidence points outside analysis_results", p.Path, "keep gate logs under the plan's analysis_results")
		case c.onDisk(folderOf(path.Clean(p.Path))) != "":
		case c.s.Cut: // the listing is not complete: nothing can be said
			c.leave("gate/pointer-missing", "the folder was not listed completely")
		default:
			c.addWhat("gate/pointer-missing", at, "its evidence points to a missing file", p.Path, "keep the log, or record the summary line instead")
		}
	}
	if hidden, ok := evidence.Filtered(g.Command); ok && g.Passes && !evidence.Invalidated(g.Evidence) {
		if told, failed := evidence.TellsFailure(g.Evidence); failed {
			c.addLevel(rule.Must, "evidence/filtered-exit", at, fmt.Sprintf("the exit code belongs to %s, and the evidence tells of failure: %s", quote(hidden.Text), quote(told.Text)), "run the command without the filter and record its own exit code")
		} else {
			c.addWhat("evidence/filtered-exit", at, "the exit code belongs to a filter, not to the check", hidden.Text, "run the command without the filter, or with pipefail")
		}
	}
}

// folderOf is the folder of a pattern like analysis_results/gates/*.log, for one look instead of a match with every file;
// another path is itself.
func folderOf(name string) string {
	i := strings.IndexAny(name, "*?")
	if i < 0 {
		return name
	}
	return path.Dir(name[:i] + "x")
}

// relative takes the plan's own folder off paths that are spelled from the repository's top.
func (c *checker) relative(text string) string {
	return strings.ReplaceAll(text, ".dwp/plans/"+c.s.Name+"/", "")
}

// rejected: the evidence of a record counts as absent by its own words (PS-13).
func rejected(g *state.Gate) bool {
	id, _ := Rejects(g.Command, g.Evidence)
	return id != "" || evidence.Invalidated(g.Evidence)
}

// Rejects names the rule by which the words of a record take its pass away, and the words; "" when they don't (PS-13, AM-3, C77).
func Rejects(command, words string) (rule, said string) {
	if m, ok := evidence.NeverRan(words); ok && !m.Hint {
		return "evidence/never-ran", m.Text
	}
	if m, ok := evidence.ZeroSelected(words); ok {
		return "evidence/zero-tests", m.Text
	}
	if _, filtered := evidence.Filtered(command); filtered {
		if m, failed := evidence.TellsFailure(words); failed {
			return "evidence/filtered-exit", m.Text
		}
	}
	return "", ""
}

// checkEvidence: what a completed task rests on (PS-13, AM-3, C79, C87, C93). The latest record of each command counts.
func checkEvidence(c *checker) {
	for i := range c.s.State.Tasks {
		t := &c.s.State.Tasks[i]
		latest := latestRecords(t.Gates)
		history := make([]bool, len(latest)) // which are invalidated: asked once of each (C167)
		for n, g := range latest {
			if history[n] = evidence.Invalidated(g.Evidence); !history[n] {
				c.admissions(t, g)
			}
		}
		if t.Status != state.Completed {
			continue
		}
		if len(t.Gates) == 0 {
			level := rule.Level("")
			if c.s.State.Era == state.V1 {
				level = rule.Should
			}
			c.addLevel(level, "evidence/none", c.inState(t.Node, t.ID), "it is completed without any gate record", "run its gate and record the result as late evidence")
		}
		for n, g := range latest {
			c.supports(t, g, latest, history[n])
		}
	}
}

// latestRecords returns the last record of each command, in order of first appearance.
func latestRecords(gates []state.Gate) []*state.Gate {
	var order []*state.Gate
	at := map[string]int{}
	for g := range gates {
		command := evidence.Command(gates[g].Command)
		if i, ok := at[command]; ok {
			order[i] = &gates[g]
			continue
		}
		at[command] = len(order)
		order = append(order, &gates[g])
	}
	return order
}

// admissions reports passing records that say themselves that nothing was proven, in any era (AM-3).
func (c *checker) admissions(t *state.Task, g *state.Gate) {
	if !g.Passes {
		return
	}
	at := c.inState(g.Node, t.ID)
	never, admits := evidence.NeverRan(g.Evidence)
	zero, empty := evidence.ZeroSelected(g.Evidence)
	// A hint stands behind both proofs.
	id := "evidence/never-ran"
	switch {
	case empty && (!admits || never.Hint):
		c.addWhat("evidence/zero-tests", at, "a passing record selected no tests", zero.Text, "select the tests and run again")
		return
	case !admits:
		return
	case never.Hint:
		id = "evidence/doubtful"
	}
	c.addWhat(id, at, "a passing record says that the check did not run", never.Text, "run it and record the result; what could not run is passes: false")
}

// supports reports why the latest record of a command does not carry the completion of its task.
func (c *checker) supports(t *state.Task, g *state.Gate, latest []*state.Gate, invalidated bool) {
	at := c.inState(g.Node, t.ID)
	switch {
	case invalidated:
		if !c.replaced(t.ID, g.Command, latest) {
			c.addWhat("evidence/invalidated", at, "it rests on evidence invalidated by refine", g.Command, "run the gate again, or amend the task and name the command that replaces it")
		}
	case !g.Passes:
		if !c.replaced(t.ID, g.Command, latest) {
			c.addWhat("evidence/failing", at, "it is completed, but the latest record of a command fails", g.Command, "run the gate again until it passes, or reopen the task")
		}
	case strings.TrimSpace(g.Command) == "" || planmd.Wordless(g.Evidence):
		c.add("evidence/empty", at, "a passing record has no command or no evidence", "record the command and one line of what it said")
	}
}

// replaced reports whether an amendment of the task names the command together with a passing one that replaces it (PS-13).
func (c *checker) replaced(task int, command string, latest []*state.Gate) bool {
	var passing, known []string
	for _, g := range latest {
		known = append(known, g.Command)
		if g.Passes && !rejected(g) {
			passing = append(passing, g.Command)
		}
	}
	for i := range c.amended {
		if a := &c.amended[i]; a.task == task && !a.copy && Replaces(&a.Amendment, command, passing, known) {
			return true
		}
	}
	return false
}

// checkOutcomes: a completed task leaves its memory (PS-14).
func checkOutcomes(c *checker) {
	for i := range c.s.State.Tasks {
		t := &c.s.State.Tasks[i]
		if t.Status == state.Completed && t.Outcome == nil {
			c.add("outcome/missing", c.inState(t.Node, t.ID), "it is completed without an outcome", "record what was tried, what failed, what worked")
		}
	}
}
