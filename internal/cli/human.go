package cli

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/work"
)

// briefHumanGate is a criterion that a person's approval meets, and no agent's work (UN-6).
type briefHumanGate struct {
	Criterion int    `json:"criterion"` // 0 for a step of the checklist
	Words     string `json:"words"`
	Open      bool   `json:"open"`
	Answer    string `json:"answer"` // the question by which the person gave it; "" for none
}

func humanGatesOf(s *plan.Snapshot, v *plan.TaskView) []briefHumanGate {
	all := []briefHumanGate{}
	for _, g := range work.HumanGates(s, v) {
		b := briefHumanGate{Words: g.Words, Open: !g.Checked, Answer: g.Answer}
		if g.Section == planmd.Acceptance {
			b.Criterion = g.Number
		}
		all = append(all, b)
	}
	return all
}

// humanGateLines says which criteria are a person's; "" when none is open.
func (t *briefTask) humanGateLines() string {
	var w strings.Builder
	for _, g := range t.HumanGates {
		what := "A step of the checklist"
		if g.Criterion > 0 {
			what = fmt.Sprintf("Criterion %d", g.Criterion)
		}
		switch {
		case g.Open && g.Answer != "":
			fmt.Fprintf(&w, "- %s: a person answered, see %s\n", what, cleanLine(g.Answer))
		case g.Open:
			fmt.Fprintf(&w, "- %s waits for a person: %s\n", what, cleanLine(g.Words))
		}
	}
	return w.String()
}
