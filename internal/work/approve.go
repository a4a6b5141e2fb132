package work

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
)

// Approval is a person's approval of a plan's scope as it stands (LF-7), or one that an agent passes on.
type Approval struct {
	revise.Who
	By string // the person's name, one line
	// Statement are the granting words, verbatim, one line; "" when they are not given.
	Statement string
	// RelayedBy is the agent that passes the approval on: it is recorded and adds no authority (UN-6).
	RelayedBy string
	// Unattended also opens the plan to unattended work (UN-1).
	Unattended bool
	// Turn says that the caller is inside an unattended turn, where nobody approves (LF-7, UN-6).
	Turn bool
}

// ApprovalTerms is what an approval may meet: older plans without a state layer too.
var ApprovalTerms = update.Terms{Stateless: true}

// Decide makes the revision that records the approval: the README's Approval line with name and day, the approval of state.json in
// the generations that have one, the opt-in line, an entry of PROGRESS.md (LF-7, PS-8, PD-12). An approval that is recorded already
// changes nothing; nor does one of a plan that has no such axis and needs none. What is pre-approved stays so: that word is for
// what was trusted at creation (LF-3).
func (a *Approval) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	if err := a.allowed(s); err != nil {
		return nil, err
	}
	d := revise.New(s, a.Who)
	if a.RelayedBy != "" {
		if Approved(s) || a.told(s) {
			return &publish.Revision{}, nil
		}
		d.Note("Approval relayed", a.relayed())
		return d.Revision("approve", a.args()...)
	}
	if !a.missing(s) && (!a.Unattended || optedIn(s)) {
		return &publish.Revision{}, nil
	}
	bullets := a.record(d)
	if a.Statement != "" {
		bullets = append(bullets, "In these words: "+revise.Quote(a.Statement))
	}
	if a.Agent != "" {
		bullets = append(bullets, "Recorded by "+revise.Quote(a.Agent)+", as a claim")
	}
	d.Note("Approval", bullets...)
	r, err := d.Revision("approve", a.args()...)
	if err != nil {
		return nil, err
	}
	return r, a.faithful(s, r)
}

// Claim refuses who may not claim a person's approval, whatever the plan: an agent inside a turn or in its own name, and a name that
// would not read back (LF-7, UN-6, PS-7). Creation with trust is such a claim, too.
func (a *Approval) Claim() error {
	for _, text := range []string{a.By, a.Statement, a.RelayedBy} {
		if found := evidence.Secrets(text); len(found) > 0 {
			return refuse("secret/json", "the approval holds what looks like a secret: %s", found[0].Kind)
		}
	}
	if _, personal := evidence.Personal(a.By); personal { // a display name at most, as everywhere (PS-7)
		return refuse("secret/personal", "the name holds a personal identifier: give a display name")
	}
	switch {
	case a.RelayedBy != "": // claims nothing
	case a.Turn:
		return refuse("guard/in-turn", "an agent inside an unattended turn approves nothing")
	default:
		if err := PersonsName(a.By, a.Agent, a.Model); err != nil {
			return err
		}
	}
	return nil
}

// allowed refuses who may not approve, and what can't be approved.
func (a *Approval) allowed(s *plan.Snapshot) error {
	if err := a.Claim(); err != nil {
		return err
	}
	if s.Overview().Status == state.Completed {
		return refuse("guard/nothing-to-approve", "the plan is completed: there is no scope left to approve")
	}
	if a.Unattended && (s.State == nil || s.Manifest == nil || !plan.KnownStandard(s.Standard())) {
		return refuse("guard/unattended-layer", "the plan can't be opened to unattended work: manifest.json, state.json or its standard is missing")
	}
	return nil
}

// PersonsName refuses a name in which no approval is recorded: one of an agent, the caller's own among them, or one that Markdown would
// not give back (LF-7, UN-6). nil when it may be.
func PersonsName(name string, own ...string) error {
	switch {
	case strings.ContainsAny(name, "<>|`"): // a comment that it opens might be closed further down, and hide what is between
		return refuse("guard/unreadable-name", "the name %q has a mark that Markdown may take for its own", name)
	case evidence.AgentName(name, own...):
		return refuse("guard/agent-name", "%q names an agent: none approves in its own name", name)
	}
	return nil
}

// Approved reports whether a person's approval stands wherever the plan has a place for it (PS-8): in README.md from standard 4 on, and
// in a state.json that has the axis.
func Approved(s *plan.Snapshot) bool {
	readme := ""
	if s.README != nil {
		readme = s.README.ApprovalValue
	}
	if readme == "" && plan.Series(s.Standard()) >= 4 || readme != "" && !granted(readme) {
		return false
	}
	switch {
	case !hasAxis(s):
		return true
	case s.State.Approval == "": // absent means what the README says
		return granted(readme)
	}
	return granted(s.State.Approval) && (readme == "" || readme == s.State.Approval)
}

func granted(value string) bool {
	return value == planmd.ApprovalApproved || value == planmd.ApprovalPreApproved
}

// hasAxis reports whether the plan's state.json has an approval.
func hasAxis(s *plan.Snapshot) bool { return s.State != nil && s.State.Era != state.V1 }

func optedIn(s *plan.Snapshot) bool { return s.README != nil && s.README.OptInBy != "" }

// missing reports whether an approval is to be written. A plan that is treated as approved because it has no place for one still needs it
// for unattended work (PS-8, UN-1).
func (a *Approval) missing(s *plan.Snapshot) bool {
	return !Approved(s) || a.Unattended && !granted(s.README.ApprovalValue) && !(hasAxis(s) && granted(s.State.Approval))
}

// record writes what is not there yet, and says what PROGRESS.md tells of it.
func (a *Approval) record(d *revise.Desk) (bullets []string) {
	r, value := d.S.README, "approved by "+a.By+" on "+d.Date()
	if a.missing(d.S) {
		if r.Approval != nil {
			setLine(d.Readme(), r.Approval, value, r.ApprovalValue == planmd.ApprovalOther)
		} else {
			d.Readme().AddHeaderField(r, "Approval", value)
		}
		if hasAxis(d.S) {
			d.State().Set("approval", strictjson.NewString(planmd.ApprovalApproved))
		}
		bullets = append(bullets, fmt.Sprintf("%s approved the plan's scope as it stands, %d tasks", revise.Quote(a.By), d.View.Total))
	}
	if a.Unattended && !optedIn(d.S) {
		if allowed := "allowed by " + a.By + " on " + d.Date(); r.OptIn != nil {
			setLine(d.Readme(), r.OptIn, allowed, true)
		} else {
			d.Readme().AddHeaderField(r, "Unattended", allowed)
		}
		bullets = append(bullets, revise.Quote(a.By)+" allows unattended work on it")
	}
	return bullets
}

// setLine gives a line its value. What stands below a label without one, and is no value of it, is the next paragraph, and stays.
func setLine(e *planmd.Edit, f *planmd.Field, value string, foreign bool) {
	if foreign && f.At.Start > f.Span.End {
		f = &planmd.Field{At: planmd.Span{Start: f.Span.End, End: f.Span.End}}
	}
	e.SetField(f, value)
}

// faithful reads the README that would be written: the lines say what was given, to the letter (PD-12).
func (a *Approval) faithful(s *plan.Snapshot, r *publish.Revision) error {
	for _, c := range r.Changes {
		if c.Path != revise.ReadmeFile {
			continue
		}
		back := planmd.ReadREADME(c.Data)
		if a.missing(s) && (back.ApprovalValue != planmd.ApprovalApproved || !strings.Contains(back.Approval.Value, "approved by "+a.By+" on "+a.Date())) {
			return refuse("guard/unreadable-name", "an Approval line with the name %q would not read as the approval of that person", a.By)
		}
		if a.Unattended && !optedIn(s) && (back.OptInBy != a.By || back.OptInOn != a.Date()) {
			return refuse("guard/unreadable-name", "an Unattended line with the name %q would not read as the permission of that person", a.By)
		}
	}
	return nil
}

// relayed is how an approval that an agent passed on is recorded.
func (a *Approval) relayed() string {
	text := "An approval"
	if a.By != "" {
		text = "An approval of " + revise.Quote(a.By)
	}
	text += " was relayed by " + revise.Quote(a.RelayedBy) + ", which adds no authority: the plan is still pending"
	if a.Statement != "" {
		text += ". The words that were passed on: " + revise.Quote(a.Statement)
	}
	return text
}

// told reports whether the same relay is recorded already.
func (a *Approval) told(s *plan.Snapshot) bool {
	if s.Progress == nil {
		return false
	}
	line := "- " + a.relayed()
	for l := range strings.Lines(string(s.Progress.Src)) { // with whatever line ends the file has (C15)
		if strings.TrimRight(l, "\r\n") == line {
			return true
		}
	}
	return false
}

// args tell whoever finds the operation unfinished what was asked for.
func (a *Approval) args() []string {
	args := []string{"--by", a.By}
	if a.Unattended {
		args = append(args, "--unattended")
	}
	if a.RelayedBy != "" {
		args = append(args, "--relayed-by", a.RelayedBy)
	}
	return args
}
