package verify

import (
	"fmt"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
)

// This file: whether the plan may be worked: approval, creation, promotion (LF-4, LF-7, LF-9).

// checkApproval: README and state agree on who may start what (PS-8, C51).
func checkApproval(c *checker) {
	r := c.s.README
	if r.Approval == nil {
		if c.shape.series >= 4 {
			c.add("approval/missing", rule.Place{File: "README.md"}, "the README has no Approval line", "add: **Approval:** "+orPending(c.view.Approval))
		}
		return
	}
	at := c.inReadme(r.Approval.Span, 0)
	if r.ApprovalValue == planmd.ApprovalOther {
		c.add("approval/unknown", at, "the Approval line says "+quote(r.Approval.Value), "say pending, approved or pre_approved")
		return
	}
	if st := c.s.State; st != nil && st.Approval != "" && st.Approval != r.ApprovalValue {
		c.add("approval/differs", at, fmt.Sprintf("the README says %s, state.json says %s", r.ApprovalValue, quote(st.Approval)), "find out who approved the plan, and make both say it")
	}
}

func orPending(s string) string {
	if s == "" {
		return planmd.ApprovalPending
	}
	return s
}

// checkProgressUnderPending: nobody works what nobody has approved (LF-7, C103).
func checkProgressUnderPending(c *checker) {
	if c.view.Approval != planmd.ApprovalPending {
		return
	}
	for _, t := range c.view.Tasks {
		if t.Checked || t.Entry != nil && worked(t.Entry) {
			c.add("approval/progress-under-pending", c.taskPlace(t), "work is recorded while the plan's approval is pending", "a person approves the plan's scope first, with dwp approve")
		}
	}
}

// worked reports whether an entry shows that somebody worked on the task.
func worked(e *state.Task) bool {
	return e.Status == state.InProgress || e.Status == state.Completed || e.StartedAt != nil || len(e.Gates) > 0
}

// checkMaterialization: a folder stuck in creation is partial (LF-4); a promotion is unfinished (LF-9).
func checkMaterialization(c *checker) {
	if r := c.s.README; r != nil && r.Materializing {
		c.add("materialization/partial", c.inReadme(r.MaterialAt, 0), "the README says that the plan is still materializing", "complete its creation, or discard it")
	}
	st := c.s.State
	if st == nil {
		return
	}
	if st.Materialization == "materializing" {
		c.add("materialization/partial", c.inState(key(st.Doc, "materialization"), 0), "state.json says that the plan is still materializing", "complete its creation, or discard it")
	}
	if promoting(c.s) {
		c.add("promotion/unfinished", c.inState(key(st.Doc, "promotion"), 0), "a promotion from Lite to Full is in progress", "resume the promotion; nothing else may run before")
	}
	if (st.Promotion != nil) != (st.Materialization == "promoting") && st.Era != state.V1 {
		c.add("promotion/shape", c.inState(key(st.Doc, "promotion"), 0), "the promotion marker and materialization disagree", "the marker stands exactly while materialization is promoting")
	}
}

// checkPromoted: the switch of a promotion takes the inline records out of the README (LF-9).
func checkPromoted(c *checker) {
	if c.s.Manifest.PlanFormat != "lite" || c.s.State.Format != "full" || promoting(c.s) {
		return
	}
	for i := range c.s.README.Records {
		rec := &c.s.README.Records[i]
		if n, ok := rec.AnchorTask(); ok && len(rec.Sections) > 0 {
			c.add("promotion/inline-left", c.inReadme(rec.Head, n), "its inline record still stands in the README of the promoted plan", "compare it with the task file, then remove it")
		}
	}
}
