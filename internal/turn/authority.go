package turn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/work"
)

// This file: what only a person may do, and appeared while an agent ran (UN-6).

// authority compares approval, opt-in, amendments and answers before and after.
func (k *judging) authority() {
	var found []string
	if approval(k.Before) != approval(k.After) {
		found = append(found, fmt.Sprintf("the approval became %q", approval(k.After)))
	}
	if optIn(k.Before) != optIn(k.After) {
		found = append(found, "the line that opens the plan to unattended work changed")
	}
	if n := amended(&k.after, k.After) - amended(&k.before, k.Before); n > 0 {
		found = append(found, "an amendment with a person's authority appeared")
	}
	found = append(found, answered(k.Before, k.After)...)
	if k.Reconfigured { // the next turn would run what it says, with the rights of who begins it (UN-1)
		found = append(found, "another configuration of the agents appeared")
	}
	if len(found) > 0 {
		k.stop(S2, "turn/authority", "say whether a person did this while the agent ran; if not, take it back", "%s while the agent ran", strings.Join(found, ", and "))
	}
}

// approval is what both places say of it.
func approval(s *plan.Snapshot) string {
	told := ""
	if s.README != nil {
		told = s.README.ApprovalValue
	}
	if s.State != nil && s.State.Approval != "" && s.State.Approval != told {
		return strings.TrimPrefix(told+"/"+s.State.Approval, "/")
	}
	return told
}

func optIn(s *plan.Snapshot) string {
	if s.README == nil {
		return ""
	}
	return s.README.OptInBy
}

// amended counts the amendments with a person's authority, in the logs and in PROGRESS.md.
func amended(o *plan.Overview, s *plan.Snapshot) (n int) {
	count := func(list []planmd.Amendment) {
		for i := range list {
			if a := planmd.Authority(list[i].Field(planmd.FieldAuthority)); a == planmd.AuthorityUser || a == planmd.AuthorityDeveloper {
				n++
			}
		}
	}
	for i := range o.Tasks {
		if r := o.Tasks[i].Record; r != nil {
			count(r.Log.Amendments)
		}
	}
	if s.Progress != nil {
		count(s.Progress.Amendments)
	}
	return n
}

// answered names the questions that have more answers of a person than before, and those that an answer now stands under and that asked
// something else: a yes is one to what was asked. A relayed answer adds no authority.
func answered(before, after *plan.Snapshot) (found []string) {
	old, _ := work.Questions(before) // one that can't be read has none
	now, _ := work.Questions(after)
	had, asked := map[string]int{}, map[string]string{}
	for i := range old {
		had[old[i].Title] += len(old[i].Answers)
		asked[old[i].Title] += old[i].Text
	}
	is := map[string]string{}
	for i := range now {
		is[now[i].Title] += now[i].Text
	}
	for i := range now {
		q := &now[i]
		switch name := cmp.Or(q.ID, "a question"); {
		case len(q.Answers) > had[q.Title]:
			found = append(found, "an answer to "+name+" appeared")
		case len(q.Answers) > 0 && is[q.Title] != asked[q.Title]:
			found = append(found, "what "+name+" asks was changed under its answer")
		}
	}
	return found
}

// humanGates: a box that names a person's approval is ticked only on that person's recorded answer (UN-6).
func (k *judging) humanGates() {
	was := work.HumanGates(k.Before, k.was)
	for _, g := range work.HumanGates(k.After, k.is) {
		ticked := g.Checked && !slices.ContainsFunc(was, func(o work.HumanGate) bool { return o.Checked && o.Section == g.Section && o.Text == g.Text })
		if ticked && g.Answer == "" {
			k.stop(S2, "turn/human-gate", "ask the person whom the criterion names, and record the answer; else open the box again",
				"a box that names a person's approval was ticked, and no answer of a person is recorded: %s", g.Text)
		}
	}
}

// waiting: when nothing is left but a person's approval, another turn brings nothing.
func (k *judging) waiting() {
	if k.j.Result == Blocked {
		return // the agent said so itself
	}
	if g := waitsForPerson(k.After, k.is); g != nil {
		k.stop(S2, "turn/human-gate", "the person whom the criterion names decides, and the answer is recorded", "all that is left of task %d is a person's approval: %s", k.Task, g.Text)
	}
}
