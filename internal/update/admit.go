package update

import (
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// readable: state.json was read, whole, in one piece, and is the one the caller looked at. The digest is of the very bytes that
// were parsed (GU-9, TRAPS).
func (g *guard) readable() *Refusal {
	file := g.s.Files[state.StateFile]
	switch fault := g.s.StateSyntax; {
	case g.s.Moved:
		return refuse("guard/moving", "the plan's folder kept changing while it was read")
	case file == nil:
		return refuse("guard/no-state", "there is no state.json that can be read")
	case file.Err != nil:
		return refuse("guard/unreadable", "state.json can't be read: %v", file.Err)
	case g.ch.ExpectedSHA256 != "" && !strings.EqualFold(g.ch.ExpectedSHA256, file.SHA256()):
		return refuse("guard/moved-on", "state.json has the digest %s, not the expected %q", file.SHA256(), shorten(g.ch.ExpectedSHA256))
	case fault != nil:
		return refuse(verify.SyntaxRule(fault.Reason), "state.json is malformed at line %d, column %d: %s", fault.Line, fault.Column, fault.Message).
			hint("restore it; dwp reconcile --rebuild makes it from the markdown, without its records")
	case g.s.State == nil || g.s.State.Doc == nil:
		return refuse("guard/no-state", "there is no state.json that can be read")
	}
	g.st = g.s.State
	return nil
}

// admitted: work on the plan may be recorded (GU-8).
func (g *guard) admitted() *Refusal {
	if r := g.atRest(); r != nil {
		return r
	}
	return g.approved()
}

// atRest: the plan may be written at all (GU-8, PS-22). The markers are looked for whatever else is wrong.
func (g *guard) atRest() *Refusal {
	g.view = g.s.Overview()
	if g.st.Era == state.Unknown && len(g.s.StateFaults) > 0 {
		f := &g.s.StateFaults[0]
		return refuse(f.Rule, "state.json can't be judged: %s", f.Message).hint(f.Hint)
	}
	if g.view.Hold == plan.HoldNewer {
		if v := g.s.Standard(); v != "" && plan.Series(v) <= plan.NewestSeries && !plan.KnownStandard(v) {
			return refuse("standard/unknown", "the plan's standard %q is none that this tool knows", shorten(v))
		}
		return refuse("standard/newer", "the plan is of a generation that this tool doesn't know")
	}
	if _, stands := g.s.Nodes[state.FinalizeMark]; stands {
		return refuse("publication/unfinished", "a publication was cut off: %s stands", state.FinalizeMark).
			hint("dwp recover finishes it; with --withdraw it is taken back")
	}
	if _, stands := g.s.Nodes[state.OperationMark]; stands {
		return refuse("operation/unfinished", "an operation on several files was cut off: %s stands", state.OperationMark).
			hint("dwp recover finishes it")
	}
	switch f := g.firstUnreadable(); {
	case f != "":
		return refuse("guard/unreadable", "%s is missing or can't be read", f)
	case g.terms.Promoting:
	case g.st.Promotion != nil || g.st.Materialization == "promoting":
		return refuse("promotion/unfinished", "a promotion from Lite to Full is in progress").
			hint("dwp promote goes on with it, or takes it back with --withdraw")
	case g.view.Materialization != "ready":
		return refuse("materialization/partial", "the plan is not ready: it is %s", g.view.Materialization)
	}
	return nil
}

// firstUnreadable names what a guard can't work without.
func (g *guard) firstUnreadable() string {
	switch {
	case g.s.README == nil:
		return "README.md"
	case g.s.ManifestSyntax != nil || g.s.Manifest == nil && g.s.Nodes[state.ManifestFile].Path != "":
		return state.ManifestFile
	}
	for _, p := range g.s.README.Problems {
		if p.Kind == planmd.ConflictMarker {
			return "README.md (an unresolved merge)"
		}
	}
	return ""
}

// approved: both README and state, where they speak (PS-8, LF-7, C103). Markdown is the truth, and an approval is a person's: a
// README that says pending is not taken for one that lags behind.
func (g *guard) approved() *Refusal {
	if g.view.Approval == "" {
		return nil // v1 has no such axis
	}
	says := []string{g.view.Approval}
	if r := g.s.README; r != nil && r.ApprovalValue != "" {
		says = append(says, r.ApprovalValue)
	}
	for _, approval := range says {
		if approval != planmd.ApprovalApproved && approval != planmd.ApprovalPreApproved {
			return refuse("guard/not-approved", "the plan is not approved: its approval is %s", shorten(approval))
		}
	}
	return nil
}

// wellFormed refuses a malformed state whole, naming the defect and the remedy (GU-1, C33).
func (g *guard) wellFormed() *Refusal {
	form := map[string]bool{} // the rules under which the decoder found fault
	for i := range g.s.StateFaults {
		form[g.s.StateFaults[i].Rule] = true
	}
	var first *rule.Finding
	for _, f := range verify.StateAlone(g.s, verify.Options{Now: g.now}) {
		if f.Level != rule.Must || g.mended(&f) {
			continue
		}
		// What a record proves, or what its verdict is, often follows from a defect of form, which is then the one to name.
		if first == nil || form[f.Rule] && !form[first.Rule] {
			first = &f
		}
	}
	if first == nil {
		return nil
	}
	return refuse(first.Rule, "state.json is malformed at line %d: %s", first.Line, first.Message).hint(first.Hint)
}

// isEvidence reports whether a finding is about what records prove, not about their form.
func isEvidence(f *rule.Finding) bool { return strings.HasPrefix(f.Rule, "evidence/") }

// mended reports findings that a guarded change is the remedy of: a completed task without any record waits for late
// evidence while the plan goes on (PS-18, GU-6), and what is wrong with the evidence of the very task is put right by new
// evidence. Whether this change does so is decided later, on its result.
func (g *guard) mended(f *rule.Finding) bool {
	switch {
	case f.Rule == "evidence/none", g.revising && isEvidence(f):
		return true
	case !isEvidence(f):
		return false
	}
	for _, at := range f.Places {
		if at.Task != g.ch.Task {
			return false
		}
	}
	return f.Task == g.ch.Task
}
