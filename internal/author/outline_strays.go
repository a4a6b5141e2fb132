package author

import (
	"fmt"
	"slices"

	"github.com/deepworkplan/dwp/internal/planmd"
)

// planSections are the sections of a plan that an outline is read for, or whose words the plan has of its own.
var planSections = []planmd.SectionKind{planmd.Goal, planmd.Context, planmd.Guidelines, planmd.Variables, planmd.Selection, planmd.TeamAgents,
	planmd.TaskList, planmd.PlanStatus, planmd.ExecutionRules, planmd.OutputsTable}

// taskSections are those of a task. A log is none of the outline's, and starts empty.
var taskSections = []planmd.SectionKind{planmd.Context, planmd.Goal, planmd.Reads, planmd.Surface, planmd.Instructions, planmd.Acceptance,
	planmd.Outputs, planmd.Validation, planmd.Checklist, planmd.Rollback, planmd.Delta, planmd.Dependencies, planmd.CompletionLog}

// strays notes the sections that would be lost on the way into the plan: ones that an outline has no place for, as in JSON a field of
// an unknown name, and ones that stand twice, of which only the first is read. A requirement that is dropped in silence is worse
// than a plan that isn't written.
func (m *markdown) strays(r *planmd.README) {
	var kept []planmd.Span
	for _, rec := range slices.Concat(r.Records, r.Loose) {
		kept = append(kept, rec.Head) // a heading above the records is no section that is lost
		m.stray(rec.Sections, taskSections, nil)
	}
	m.stray(r.Sections, planSections, kept)
}

// stray looks at the sections of the plan or of one task. What is inside another section is read with it.
func (m *markdown) stray(sections []planmd.Section, known []planmd.SectionKind, kept []planmd.Span) {
	seen := map[planmd.SectionKind]bool{}
	end := 0
	for i := range sections {
		s := &sections[i]
		if s.Head.Start < end {
			continue
		}
		end = s.Body.End
		within := func(at planmd.Span) bool { return at.Start >= s.Head.Start && at.Start < s.Body.End }
		switch {
		case s.Empty || slices.ContainsFunc(kept, within):
		case s.Kind == planmd.Other && planmd.ReadChildren([]byte(m.doc.Text(planmd.Span{Start: s.Head.Start, End: s.Body.End}))).Table:
			// The child plans of a hub are read, and judged, by themselves.
		case !slices.Contains(known, s.Kind):
			m.gap(s.Head.Start, fmt.Sprintf("an outline has no place for the section %q: put its words into a section that it has, or take it out", oneLine(s.Label)))
		case seen[s.Kind]:
			m.gap(s.Head.Start, fmt.Sprintf("the section %q stands twice: make one of them", oneLine(s.Label)))
		}
		seen[s.Kind] = seen[s.Kind] || !s.Empty
	}
}
