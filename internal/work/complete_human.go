package work

import (
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
)

// This file: criteria that only a person meets (UN-6).

// HumanGate is a criterion of a task that names a person's approval, or a step of its checklist that does.
type HumanGate struct {
	Section planmd.SectionKind // Acceptance or Checklist
	Number  int                // of the box in its section, from 1
	Text    string             // on one line
	Words   string             // those that name the approval
	Checked bool
	// Answer is what QUESTIONS.md says of it: the entry's ID, or its title where it has none; "" while nobody gave the approval.
	Answer string
}

// HumanGates lists the boxes of a task that only a person's approval meets, criteria first (UN-6). Questions that can't be read have no
// answers.
func HumanGates(s *plan.Snapshot, t *plan.TaskView) []HumanGate {
	var gates []HumanGate
	if t.Record == nil || t.Doc == nil {
		return nil
	}
	for _, kind := range []planmd.SectionKind{planmd.Acceptance, planmd.Checklist} {
		section := t.Record.Section(kind)
		if section == nil {
			continue
		}
		for i, b := range section.Boxes {
			text := boxText(t.Doc, section, i)
			if words, ok := evidence.HumanGate(text); ok {
				gates = append(gates, HumanGate{Section: kind, Number: i + 1, Text: text, Words: revise.OneLine(words), Checked: b.Checked()})
			}
		}
	}
	if len(gates) == 0 {
		return nil
	}
	asked, _ := Questions(s)
	for i := range gates {
		gates[i].Answer = approvedIn(asked, t.ID, &gates[i], len(gates) == 1)
	}
	return gates
}

// boxText is what a box says, with the lines that go on below it.
func boxText(doc *planmd.Doc, section *planmd.Section, i int) string {
	const most = 1 << 12
	start := section.Boxes[i].Span.End
	end := min(section.Body.End, start+most, len(doc.Src))
	if i+1 < len(section.Boxes) {
		end = min(end, section.Boxes[i+1].Span.Start)
	}
	var lines []string
	for line := range strings.Lines(strings.ToValidUTF8(string(doc.Src[start:max(start, end)]), "")) {
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		lines = append(lines, line)
	}
	// The bullet of the next box may be left at the end.
	return strings.TrimRight(revise.OneLine(strings.Join(lines, " ")), " -*+")
}

// approvedIn is the answered question by which a person met a human gate: one about the task that quotes the criterion, and was not refused; or,
// where the task has no other gate, one of class C1 to which a person said yes, since which key to use is asked in that class, too. A relayed
// answer adds no authority.
func approvedIn(asked []Asked, task int, g *HumanGate, only bool) string {
	for i := range asked {
		q := &asked[i]
		if len(q.Answers) == 0 || !q.Question.About(task) {
			continue
		}
		yes, no := reply(q.Answers[len(q.Answers)-1].Text)
		quotes := strings.Contains(letters(q.Title+" "+q.Text), letters(g.Text))
		if no || !quotes && !(only && q.Class == "C1" && yes) {
			continue
		}
		if q.ID != "" {
			return q.ID
		}
		return revise.OneLine(q.Title)
	}
	return ""
}

// letters is a text as quotations are compared: marks, case and spacing make no other one.
func letters(text string) string {
	return strings.ToLower(revise.OneLine(strings.NewReplacer("*", "", "_", "", "`", "", `"`, "", ">", "").Replace(text)))
}

// humanGates: no call ticks the box of an approval for a person. Inside a turn only an answer that a person recorded stands for it;
// elsewhere the caller is told what it claims (UN-6).
func (w *closing) humanGates() {
	if w.t.Record == nil {
		return
	}
	for _, g := range HumanGates(w.s, w.t) {
		if !w.ticks(&g) {
			continue
		}
		switch {
		case g.Answer != "":
			w.approvals = append(w.approvals, g)
		case w.InTurn:
			box := w.section(g.Section).Boxes[g.Number-1]
			w.add("guard/human-gate", w.t.File, w.t.Doc, box.Span, "%s names a person's approval (%q), and no person gave it: %s", g.name(), g.Words, clip(g.Text))
			w.hint("ask for it: dwp escalate --class C1 --task " + strconv.Itoa(w.t.ID) + " --critical --question '...', which quotes it; a person's dwp answer is taken")
		default:
			w.warnings = append(w.warnings, g.name()+" names a person's approval ("+strconv.Quote(g.Words)+"): ticking it claims that the person gave it")
		}
	}
}

// ticks reports whether the call ticks a gate's box.
func (w *closing) ticks(g *HumanGate) bool {
	if g.Section == planmd.Checklist {
		return !g.Checked && w.Checklist
	}
	return !g.Checked && w.named(g.Number-1)
}

func (g *HumanGate) name() string {
	if g.Section == planmd.Checklist {
		return "step " + strconv.Itoa(g.Number) + " of the checklist"
	}
	return "criterion " + strconv.Itoa(g.Number)
}

// clip is the beginning of a long text.
func clip(text string) string { return string([]rune(text)[:min(len([]rune(text)), 200)]) }

// approved says in the log which answer each human gate rests on.
func (w *closing) approved() {
	for _, g := range w.approvals {
		w.log.append("Approval", g.name()+": a person's answer to "+printable(g.Answer))
	}
}
