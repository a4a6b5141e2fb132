package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// guards is the table of the rules that speak of a publication under way, which neither a change nor a plan at rest can break.
var guards = []update.Guard{
	{ID: "guard/not-conformant", Requirement: "VP-1", Title: "a plan is published, or migrated, only when all of it conforms",
		Hint: "mend each finding; dwp verify shows them with their places"},
	{ID: "guard/publishing", Requirement: "VP-4", Title: "nothing else is published while a publication is unfinished",
		Hint: "recover it, or withdraw it, with dwp recover"},
	{ID: "guard/open-plan", Requirement: "VP-1", Title: "a plan is sealed only when every task is completed", Hint: "complete its tasks first"},
	{ID: "guard/other-candidate", Requirement: "VP-4", Title: "a publication is recovered against the candidate it began with",
		Hint: "recover without --candidate, or withdraw the publication"},
	{ID: "guard/changed-artefact", Requirement: "VP-4", Title: "nothing that was validated changes before the publication ends",
		Hint: "put the file back as it was, or withdraw the publication"},
	{ID: "guard/changed-after", Requirement: "VP-5", Title: "a new receipt doesn't hide what changed after the one in force",
		Hint: "put the file back as it was, or reopen the task by an amendment, which keeps the old receipt, and complete it again"},
	{ID: "guard/damaged-marker", Requirement: "VP-4", Title: "the marker of an unfinished publication can be read",
		Hint: "look at it and at state.json, then remove it by hand"},
	{ID: "guard/worse", Requirement: "PS-20", Title: "no operation makes a plan break a rule that it kept",
		Hint: "mend what the finding names, or ask for something else"},
	{ID: "guard/progress-open", Requirement: "PD-10", Title: "an entry of PROGRESS.md can be read as one",
		Hint: "close the code fence or comment of PROGRESS.md that is open, or remove its stray line"},
	{ID: "guard/in-turn", Requirement: "UN-6", Title: "inside a turn nobody claims a person's authority, and the scope doesn't grow",
		Hint: "a person does this outside the turn; discovered work is noted under \"Discovered\" in PROGRESS.md"},
	{ID: "guard/turn-over", Requirement: "UN-2", Title: "an agent writes to the plan of its turn, while that turn holds the plan's lease",
		Hint: "stop: the turn has ended, or was never on this plan; the next turn goes on from what the plan says"},
	{ID: "guard/turn-task", Requirement: "UN-2", Title: "a turn moves one task, the one that it was given",
		Hint: "finish the turn's own task, then yield; what belongs to another task is for its own turn"},
	{ID: "guard/operation-conflict", Requirement: "PS-5", Title: "the files of an unfinished operation are as before it or as after it",
		Hint: "look at each file beside its new content in .dwp-op, and put one of the two in place"},
}

// Guards returns the rules of this package, in the order of listings. The slice is the caller's.
func Guards() []update.Guard { return slices.Clone(guards) }

// refuse makes a refusal under one of guards, or of update's.
func refuse(id, format string, args ...any) *Refused { return RefuseBy(nil, id, format, args...) }

// RefuseBy makes a refusal under a rule of a table, or of this package, of update, or of the catalogue of what verify reports. It
// says that nothing was written.
func RefuseBy(table []update.Guard, id, format string, args ...any) *Refused {
	refused := &Refused{}
	refused.Rule, refused.Message = id, fmt.Sprintf(format, args...)+nothingWritten
	if known, ok := rule.Lookup(id); ok {
		refused.Requirement, refused.Hint = known.Requirement, known.Mend
	}
	for _, g := range slices.Concat(update.Guards(), guards, table) {
		if g.ID == id {
			refused.Requirement, refused.Hint = g.Requirement, g.Hint
		}
	}
	return refused
}

// idle refuses while an earlier publication or operation is unfinished (GU-8, VP-4).
func (p Plan) idle() error {
	// Looked for on disk and not in the snapshot: the overlay, which validation reads through, hides the marker.
	for _, name := range []string{state.FinalizeMark, state.OperationMark} {
		_, err := p.FS.Lstat(name)
		switch {
		case err == nil:
			return refuse("guard/publishing", "%s stands: something was cut off", name)
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

// unchanged refuses to replace the receipt of a completed plan that disagrees with the plan as it stands: what was changed after
// the publication would go unnoticed from then on (VP-5, TRAPS "Publication").
func (p Plan) unchanged(s *plan.Snapshot) error {
	if s.State == nil || s.State.Status != state.Completed {
		return nil
	}
	for _, f := range verify.Plan(s, verify.Options{Now: p.Now(), InGit: p.InGit}).Findings {
		if f.Level == rule.Must && ofReceipt(f.Rule) {
			refused := refuse("guard/changed-after", "the plan was published, and changed since (%s: %s)", f.Rule, f.Message)
			refused.Findings = []rule.Finding{f}
			return refused
		}
	}
	return nil
}

// sealed reports whether a completed plan is published as it stands: it conforms, and has a receipt that verify agrees with.
func (p Plan) sealed(s *plan.Snapshot) bool {
	if _, err := p.FS.Lstat(state.ReceiptFile); err != nil {
		return false
	}
	return verify.Plan(s, verify.Options{Now: p.Now(), InGit: p.InGit}).Verdict == verify.Conformant
}
