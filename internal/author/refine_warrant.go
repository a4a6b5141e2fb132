package author

import (
	"fmt"
	"slices"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
)

// Warrant is why what is demanded changes, and who says so (AM-1, LF-7, UN-6). What a person is said to have said is recorded as a
// claim, with the words; inside a turn nobody claims it.
type Warrant struct {
	Reason    string
	Observed  string // what was observed; "" for nothing
	Authority string // evidence, developer, user, or ""
	Statement string // the words by which a person granted it, verbatim
	By        string // that person's name
	InTurn    bool   // the caller is an agent inside an unattended turn
}

// editGuards is the table of the rules that speak of edits and splits.
var editGuards = []update.Guard{
	{ID: "guard/no-record", Requirement: "LF-10", Title: "a task that is refined has a record", Hint: "write its record first; dwp verify says what it lacks"},
	{ID: "guard/skipped", Requirement: "PS-10", Title: "a task that a person removed from scope is not refined", Hint: "add a task for what is to be done after all"},
	{ID: "guard/confirm", Requirement: "LF-10", Title: "evidence is invalidated only with a person's confirmation",
		Hint: "repeat the call with --confirm; with --invalidates name the records that a changed criterion takes the ground from"},
	{ID: "guard/no-evidence", Requirement: "LF-10", Title: "only evidence that is there is invalidated", Hint: "name the command as its record has it, or leave --invalidates out"},
	{ID: "guard/title", Requirement: "LF-10", Title: "a title is changed where it stands, and nowhere else", Hint: "change it by hand in the index line, in the heading of the record and in state.json"},
	{ID: "guard/final-review", Requirement: "PD-7", Title: "the Final Review stays one", Hint: "keep its title and what it demands: security pass, final-state validation, skills reconciliation"},
	{ID: "guard/warrant", Requirement: "AM-1", Title: "what is demanded changes for a reason and by an authority",
		Hint: "give --reason, and --authority evidence, developer or user; with user also --statement, the person's words"},
	{ID: "guard/person-needed", Requirement: "AM-2", Title: "only a person drops a criterion or a gate", Hint: "give --authority user and --statement, or revise it instead; what can't be met is a blocker"},
	{ID: "guard/history", Requirement: "LF-10", Title: "a task with history keeps its number and its records", Hint: "add the rest with refine add, then make this one smaller with refine edit"},
}

// check: the words of the warrant can be recorded, and are the caller's to give.
func (w *Warrant) check() error {
	if !slices.Contains([]string{"", planmd.AuthorityEvidence, planmd.AuthorityDeveloper, planmd.AuthorityUser}, w.Authority) {
		return refuse("guard/warrant", "there is no authority %q", shortly(w.Authority))
	}
	if w.InTurn && (w.personal() || w.Statement != "" || w.By != "") {
		return refuse("guard/in-turn", "inside a turn no person's authority is claimed")
	}
	if w.Authority == planmd.AuthorityUser && oneLine(w.Statement) == "" {
		return refuse("guard/warrant", "the authority of user is claimed without the person's words")
	}
	return nil
}

// personal reports whether a person is said to have decided.
func (w *Warrant) personal() bool {
	return w.Authority == planmd.AuthorityUser || w.Authority == planmd.AuthorityDeveloper
}

// forChange: a criterion or gate changes for a reason, by an authority; to drop one takes a person (AM-2, AM-4).
func (w *Warrant) forChange(task int, changed []rewording) error {
	if oneLine(w.Reason) == "" || w.Authority == "" {
		return refuse("guard/warrant", "what is demanded of task %d changes (%q), and %s is given", task, shortly(changed[0].Old), w.missing())
	}
	for _, r := range changed {
		if r.New == "" && !w.personal() {
			return refuse("guard/person-needed", "%q of task %d is dropped on the authority of evidence", shortly(r.Old), task)
		}
	}
	return nil
}

func (w *Warrant) missing() string {
	switch {
	case oneLine(w.Reason) != "":
		return "no authority"
	case w.Authority != "":
		return "no reason"
	}
	return "neither reason nor authority"
}

// grow returns approval to pending, unless a person's authority is stated (LF-7). It reports whether it did.
func (w *Warrant) grow(d *revise.Desk) (pending bool, err error) {
	if w.InTurn {
		return false, refuse("guard/in-turn", "the scope would grow")
	}
	if w.Authority == planmd.AuthorityUser {
		if oneLine(w.By) == "" {
			return false, refuse("guard/warrant", "the authority of user is claimed without the person's name")
		}
		return false, nil
	}
	return toPending(d), nil
}

// toPending makes the approval pending where the plan has one (PS-8).
func toPending(d *revise.Desk) bool {
	if approval := d.S.Approval(); approval == "" || approval == planmd.ApprovalPending {
		return false
	}
	if line := d.S.README.Approval; line != nil {
		d.Readme().SetField(line, planmd.ApprovalPending)
	}
	if root := d.State(); root != nil && root.Member("approval") != nil {
		root.Set("approval", strictjson.NewString(planmd.ApprovalPending))
	}
	return true
}

// pendingExpected is what verify reports of a plan under way whose approval is pending again. That is what growing its scope means:
// nothing goes on until a person has approved it (LF-7).
const pendingExpected = "approval/progress-under-pending"

// told is what PROGRESS.md says of it.
func (w *Warrant) told(pending bool, agent string) []string {
	var bullets []string
	if text := oneLine(w.Reason); text != "" {
		bullets = append(bullets, "Reason: "+text)
	}
	if w.Authority != "" {
		bullets = append(bullets, "Authority: "+w.authority())
	}
	if w.Statement != "" {
		bullets = append(bullets, "Granting words, as they were passed on: "+revise.Quote(w.Statement))
	}
	if pending {
		bullets = append(bullets, "The scope has grown: approval is pending again")
	}
	if agent != "" {
		bullets = append(bullets, "Recorded by "+agent)
	}
	return bullets
}

// authority is the value of an amendment's authority: with the name of the person, when it still reads as a person's.
func (w *Warrant) authority() string {
	named := fmt.Sprintf("%s (%s)", w.Authority, oneLine(w.By))
	if w.By != "" && planmd.Authority(named) == w.Authority {
		return named
	}
	return w.Authority
}

// amend fills in the parts of an amendment that the warrant says.
func (w *Warrant) amend(a revise.Amendment, agent string) revise.Amendment {
	a.Reason, a.Observed, a.Authority, a.Words, a.Recorded = w.Reason, w.Observed, w.authority(), w.Statement, agent
	return a
}

// secrets refuses texts that would stand in PROGRESS.md (PS-7).
func (w *Warrant) secrets() error {
	for _, text := range []struct{ name, value string }{{"reason", w.Reason}, {"observation", w.Observed}, {"statement", w.Statement}, {"name", w.By}} {
		if found := evidence.Secrets(text.value); len(found) > 0 {
			return refuse("secret/markdown", "the %s holds what looks like a secret: %s", text.name, found[0].Kind)
		}
	}
	return nil
}

// shortly keeps messages readable whatever they quote.
func shortly(text string) string { return strictjson.Shorten(oneLine(text), 60) }
