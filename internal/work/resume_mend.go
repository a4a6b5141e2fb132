package work

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
)

// Mend finishes what follows from what is there (WP-1, WP-2, PS-19): the entry of PROGRESS.md of a task that is completed in its log, its
// box and state.json, and the counts of README.md where the boxes are in step. It ticks no box and completes no task.
type Mend struct {
	revise.Who
	Mended []Gap // what Decide mends
}

// Decide makes what is missing. With nothing to mend, or done a second time, it changes nothing.
func (m *Mend) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	m.Mended = nil
	if s.README == nil || s.Foreign() != "" {
		return &publish.Revision{}, nil
	}
	d := revise.New(s, m.Who)
	var entries []int
	for _, g := range lacking(s, &d.View, Facts{}) {
		switch {
		case !g.Mendable:
		case g.Kind == GapEntry:
			m.Mended, entries = append(m.Mended, g), g.Tasks
			for _, id := range g.Tasks {
				m.entry(d, d.Task(id))
			}
		case g.Kind == GapCount:
			m.Mended = append(m.Mended, g)
			for _, c := range wrongCounts(s, &d.View) {
				d.Readme().Count(c, d.View.Completed, len(s.README.Index))
			}
		}
	}
	if len(m.Mended) == 0 {
		return &publish.Revision{}, nil
	}
	r, err := d.Revision("resume --fix")
	if err != nil {
		return nil, err
	}
	return r, told(s, r, entries)
}

// entry tells in PROGRESS.md what the other places say of a task. It bears today's date, and says why it comes late.
func (m *Mend) entry(d *revise.Desk, t *plan.TaskView) {
	w := &closing{Complete: &Complete{}, s: d.S, d: d, t: t}
	log := &t.Record.Log
	what := w.worked()
	if f := summaryOf(t); what == "" && f != nil {
		what = f.Value
	}
	skills, docs := valueOf(log.Skills), valueOf(log.Documentation)
	title := strings.TrimRight("Task "+strconv.Itoa(t.ID)+": "+t.Title, ": ")
	d.Note(title,
		"What: "+cmp.Or(revise.OneLine(what), "see the log of the task"),
		"Evidence: "+cmp.Or(strings.Join(w.proofs(), "; "), "see the log of the task"),
		"Decisions: skills "+cmp.Or(skills, "not recorded")+"; documentation "+cmp.Or(docs, "not recorded"),
		"Written late, by dwp resume: log, README.md"+stated(d.S)+" had the task completed, this entry was missing",
	)
}

func stated(s *plan.Snapshot) string {
	if s.State == nil {
		return ""
	}
	return " and state.json"
}

// summaryOf is the log's line on what was done, or nil.
func summaryOf(t *plan.TaskView) *planmd.Field {
	section := t.Record.Section(planmd.CompletionLog)
	if section == nil {
		return nil
	}
	for i := range section.Fields {
		f := &section.Fields[i]
		if slices.Contains(summaryLabels, strings.ToLower(strings.TrimSpace(f.Label))) && !planmd.Wordless(f.Value) {
			return f
		}
	}
	return nil
}

// told demands that PROGRESS.md, as it will stand, has the entries: one that would not be read as one would be missing for ever.
func told(s *plan.Snapshot, r *publish.Revision, tasks []int) error {
	for _, c := range r.Changes {
		if c.Path != revise.ProgressFile {
			continue
		}
		after := planmd.ReadProgress(c.Data)
		now := tellings(after)
		for _, id := range tasks {
			if !now[id] {
				return refuse("guard/faithful", "the entry of task %d would not be read as one: PROGRESS.md has a form that can't be extended", id)
			}
		}
		if had := entriesOf(s.Progress); len(after.Entries) != had+len(tasks) {
			return refuse("guard/faithful", "the entries of PROGRESS.md would not read back as they are")
		}
	}
	return nil
}

func entriesOf(p *planmd.Progress) int {
	if p == nil {
		return 0
	}
	return len(p.Entries)
}
