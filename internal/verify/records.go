package verify

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
)

// checkAnchors: in a Lite plan each index line has its record behind its anchor, once (PD-5, PS-9, C11).
func checkAnchors(c *checker) {
	r := c.s.README
	anchored := map[string]int{}
	for i := range r.Records {
		rec := &r.Records[i]
		anchored[rec.Anchor]++
		if anchored[rec.Anchor] == 2 {
			c.add("record/duplicate-anchor", c.inReadme(rec.Head, rec.ID), "the anchor {#"+rec.Anchor+"} stands twice", "give each record its own anchor")
		}
		if n, ok := rec.AnchorTask(); ok && rec.ID != 0 && n != rec.ID {
			c.add("record/anchor", c.inReadme(rec.Head, rec.ID), fmt.Sprintf("the heading of task %d carries the anchor of task %d", rec.ID, n), fmt.Sprintf("write {#task-%d}", rec.ID))
		}
	}
	indexed := map[int]bool{}
	for _, t := range c.view.Tasks {
		if t.Line == nil || t.ID == 0 {
			continue
		}
		indexed[t.ID] = true
		if anchored[fmt.Sprintf("task-%d", t.ID)] == 0 {
			at, msg := c.inReadme(t.Line.Span, t.ID), "the README has no record for it"
			if loose := looseRecord(r, t.ID); loose != nil {
				at, msg = c.inReadme(loose.Head, t.ID), "its record has no anchor"
			}
			c.add("record/anchor", at, msg, fmt.Sprintf("end the heading of its record with {#task-%d}", t.ID))
		}
	}
	for i := range r.Records {
		if n, ok := r.Records[i].AnchorTask(); ok && !indexed[n] {
			c.add("record/stray", c.inReadme(r.Records[i].Head, n), "its record stands in the README, but the index has no line for it", "add its line through refine, or remove the record")
		}
	}
}

func looseRecord(r *planmd.README, id int) *planmd.Record {
	for i := range r.Loose {
		if r.Loose[i].ID == id {
			return &r.Loose[i]
		}
	}
	return nil
}

// inRecord is the place of a span of a task's record.
func inRecord(t plan.TaskView, at planmd.Span) rule.Place { return docPlace(t.File, t.Doc, at, t.ID) }

// isDone: a box is ticked or an entry is completed; what a completed task owes is then due.
func isDone(t plan.TaskView) bool {
	return t.Checked || t.Entry != nil && t.Entry.Status == state.Completed
}

// checkRecords: the sections of every record (PD-5, PD-6, PD-9).
func checkRecords(c *checker) {
	for _, t := range c.view.Tasks {
		if t.Record == nil || t.Doc == nil {
			continue
		}
		for _, kind := range []planmd.SectionKind{planmd.Goal, planmd.Surface, planmd.Acceptance, planmd.Validation, planmd.CompletionLog} {
			if sh := c.shapeOf(t); kind == planmd.Surface && sh.older && !sh.lite {
				continue // nine-section tasks stay conformant (PD-9)
			}
			c.recordSection("record/section", t, kind)
		}
		if !isDone(t) {
			c.recordSection("record/context", t, planmd.Context)
		}
		c.recordAdvice(t)
	}
}

func (c *checker) recordSection(id string, t plan.TaskView, kind planmd.SectionKind) {
	switch s := t.Record.Section(kind); {
	case s == nil:
		c.add(id, inRecord(t, t.Record.Head), "section "+string(kind)+" is missing", "add it to the task's record")
	case s.Empty:
		c.add(id, inRecord(t, s.Head), "section "+string(kind)+" has no words", "write it; a placeholder or a comment does not count")
	}
}

func (c *checker) recordAdvice(t plan.TaskView) {
	var missing []string
	for _, kind := range []planmd.SectionKind{planmd.Reads, planmd.Instructions, planmd.Outputs, planmd.Checklist} {
		if t.Record.Section(kind) == nil {
			missing = append(missing, string(kind))
		}
	}
	if len(missing) > 0 {
		c.add("record/advice", inRecord(t, t.Record.Head), "no section "+strings.Join(missing, ", "), "add them; a task record has ten sections")
	}
	if s := t.Record.Section(planmd.Acceptance); s != nil && !s.Empty {
		open := 0
		for _, b := range s.Boxes {
			if !b.Checked() {
				open++
			}
		}
		open -= closedByAmendment(t, s)
		switch {
		case len(s.Boxes) == 0:
			c.add("record/no-boxes", inRecord(t, s.Head), "its acceptance criteria are not checkboxes", "write each as: - [ ] criterion")
		case open > 0 && isDone(t):
			c.add("record/open-criteria", inRecord(t, s.Head), "it is completed with open acceptance criteria", "tick what was shown to hold, or reopen the task")
		}
	}
}

// checkSurfaces: what a Touched Surface states (PD-6).
func checkSurfaces(c *checker) {
	for _, t := range c.view.Tasks {
		if t.Record == nil || t.Doc == nil {
			continue
		}
		s := t.Record.Section(planmd.Surface)
		if s == nil || s.Empty {
			continue
		}
		f := t.Record.Surface
		var missing []string
		if f.Planned == nil && f.Actual == nil {
			missing = append(missing, "planned paths")
		}
		if f.Risk == nil {
			missing = append(missing, "a risk class")
		}
		if len(missing) > 0 {
			c.add("surface/facts", inRecord(t, s.Head), "its Touched Surface names no "+strings.Join(missing, " and no "), "state planned paths and the risk class")
		}
		if f.Risk != nil && f.RiskClass == "" {
			c.addWhat("surface/risk-class", inRecord(t, f.Risk.Span), "unknown risk class", f.Risk.Value, "isolated, seam, shared/core, unknown, or not applicable with a reason")
		}
	}
}

// checkLogs: the log of a completed task is finished (VP-2), that of an open one does not claim to be (AM-3, PD-8, C109).
func checkLogs(c *checker) {
	for _, t := range c.view.Tasks {
		if t.Record == nil || t.Doc == nil {
			continue
		}
		log := &t.Record.Log
		section := t.Record.Section(planmd.CompletionLog)
		if !isDone(t) {
			if log.State == planmd.LogCompleted && t.Line != nil {
				c.add("log/ahead", inRecord(t, log.Status.Span), "its log says completed, its box is open", "tick the box when the work is proven, or correct the log")
			}
			continue
		}
		if section == nil {
			continue
		}
		switch log.State {
		case planmd.LogPending, planmd.LogInProgress, planmd.LogBlocked:
			c.add("log/pending", inRecord(t, log.Status.Span), "it is completed, but its log says "+string(log.State), "finish the log from results obtained, or reopen the task")
		case planmd.LogNone:
			c.add("log/no-status", inRecord(t, section.Head), "the log of a completed task states no status", "add: Status: completed")
		}
		for _, p := range log.Placeholders {
			c.add("log/placeholder", inRecord(t, p), "the log of a completed task has a placeholder", "fill it, or remove the line")
		}
	}
}

// checkDispositions: what the log of a completed task decides about skills and documentation (PD-8, PD-9).
func checkDispositions(c *checker) {
	last := c.finalReview()
	for _, t := range c.view.Tasks {
		if t.Record == nil || t.Doc == nil || !isDone(t) {
			continue
		}
		section := t.Record.Section(planmd.CompletionLog)
		if section == nil {
			continue
		}
		at := inRecord(t, section.Head)
		log, current := &t.Record.Log, c.shapeOf(t).current
		switch {
		case log.Skills == nil || planmd.Undecided(log.Skills.Value):
			c.addLevel(weaker(!current), "log/skills", at, "its log has no skills disposition", "add: Skills disposition: none, update x, create x, or defer — reason, owner")
		case planmd.DispositionForm(log.Skills.Value) == "":
			c.addWhat("log/skills-form", inRecord(t, log.Skills.Span), "unknown skills disposition", log.Skills.Value, "none, update x, create x, or defer — reason, owner")
		case planmd.DispositionForm(log.Skills.Value) == "defer" && !planmd.DeferComplete(log.Skills.Value):
			c.add("log/skills-form", inRecord(t, log.Skills.Span), "the deferral names no reason or no owner", "write: defer — reason, owner")
		}
		if log.Documentation == nil || planmd.Undecided(log.Documentation.Value) {
			isLast := last != nil && last.ID == t.ID
			c.addLevel(weaker(!current || !isLast), "log/documentation", at, "its log has no documentation decision", "add: Documentation decision: what was updated, or none and why")
		}
	}
}

// checkProgress: PROGRESS.md speaks of each completed task (WP-2).
func checkProgress(c *checker) {
	told := map[int]bool{}
	for _, e := range c.s.Progress.Entries {
		told[e.Task] = true
	}
	for _, t := range c.view.Tasks {
		if t.ID != 0 && isDone(t) && !told[t.ID] {
			c.add("progress/entry", rule.Place{File: "PROGRESS.md", Task: t.ID}, "PROGRESS.md has no entry for it", "add one: what was done, the evidence, decisions")
		}
	}
}

// checkCandidates: IDs of skills candidates are unique and never change form (PD-8).
func checkCandidates(c *checker) {
	doc := &c.s.Candidates.Doc
	seen := map[string]bool{}
	for _, x := range c.s.Candidates.List {
		if seen[x.ID] {
			c.add("candidates/ids", docPlace(plan.CandidatesFile, doc, x.Span, 0), "the candidate "+x.ID+" stands twice", "give each its own ID, T<task>-<seq>")
		}
		seen[x.ID] = true
	}
	for _, f := range c.s.Candidates.Malformed {
		c.add("candidates/ids", docPlace(plan.CandidatesFile, doc, f.Span, 0), "the candidate ID "+quote(cmp.Or(f.Label, f.Value))+" is not T<task>-<seq>", "write it as T3-1")
	}
}
