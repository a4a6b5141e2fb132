package author

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// faithful reads the rendered plan back, and lists what does not come out as it was given: an underlined heading in a text, say, may end
// the record that it stands in, and the plan would still conform, one criterion short. What an agent reads is what was
// asked for, or there is no plan.
func (p *Plan) faithful(s *plan.Snapshot, tasks []Task) []Gap {
	f := fidelity{level: 2}
	if p.Choice.Format == lite {
		f.level = 3
	}
	f.same("outline", "the plan's Goal", &s.README.Doc, s.README.Section(planmd.Goal), nest(p.Outline.Goal, 2))
	f.same("outline", "the plan's Context", &s.README.Doc, s.README.Section(planmd.Context), nest(p.Outline.Context, 2))
	for i := range p.Files {
		if at := strings.IndexFunc(p.Files[i].Text, obscure); at >= 0 && strings.HasSuffix(p.Files[i].Path, ".md") {
			r, _ := utf8.DecodeRuneInString(p.Files[i].Text[at:])
			f.gaps = append(f.gaps, Gap{"outline", fmt.Sprintf("a text of it has the control character %U, which no person sees", r)})
			break
		}
	}
	// Unattended work is allowed by whoever calls with trust, never by a line that a text brings along (UN-1, UN-6).
	if s.README.OptIn != nil && !p.Trust {
		f.gaps = append(f.gaps, Gap{"outline", fmt.Sprintf("a text of it reads as permission for unattended work (%q), which only a person gives, with trust or dwp approve --unattended",
			strictjson.Shorten(oneLine(s.README.OptIn.Value), 80))})
	}
	views := s.Overview().Tasks
	if len(views) != len(tasks) {
		return append(f.gaps, Gap{"outline", fmt.Sprintf("a text of it reads as the index of tasks: %d tasks would be found, not %d", len(views), len(tasks))})
	}
	f.children(p, s.Hub)
	for i := range tasks {
		f.task(i+1, &tasks[i], views[i])
	}
	return f.gaps
}

// obscure tells control characters that a text has no use for: a terminal may obey them.
func obscure(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }

// fidelity gathers what reads otherwise than it was given.
type fidelity struct {
	level int // of the headings of a record's sections
	gaps  []Gap
}

// task compares one record: its free texts, the number of its criteria, its gates.
func (f *fidelity) task(n int, t *Task, view plan.TaskView) {
	place, name := or(t.place, fmt.Sprintf("tasks[%d]", n-1)), fmt.Sprintf("task %d: ", n)
	if view.Record == nil || view.Doc == nil {
		f.gaps = append(f.gaps, Gap{place, name + "its record would not be found"})
		return
	}
	f.same(place, name+"Context", view.Doc, view.Record.Section(planmd.Context), nest(t.Context, f.level))
	f.same(place, name+"Goal", view.Doc, view.Record.Section(planmd.Goal), nest(t.Goal, f.level))
	acceptance, validation := view.Record.Section(planmd.Acceptance), view.Record.Section(planmd.Validation)
	// Boxes inside a criterion count, too, so there may be more.
	if acceptance == nil || len(acceptance.Boxes) < len(t.Acceptance) {
		f.odd(place, name+"Acceptance Criteria")
	}
	code := ""
	if validation != nil {
		code = "\n" + strings.Join(validation.Code, "\n") + "\n"
	}
	if !strings.Contains(code, "\n"+strings.Join(t.Gates, "\n")+"\n") {
		f.odd(place, name+"Validation")
	}
}

// same compares a section with its text.
func (f *fidelity) same(place, what string, doc *planmd.Doc, section *planmd.Section, text string) {
	if section == nil || strings.TrimSpace(doc.Text(section.Body)) != strings.TrimSpace(text) {
		f.odd(place, what)
	}
}

func (f *fidelity) odd(place, what string) {
	f.gaps = append(f.gaps, Gap{place, what + " would not read as it was given: a text of the task holds Markdown that ends it, such as an underlined heading, a label or an anchor"})
}
