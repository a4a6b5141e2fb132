package author

import (
	"fmt"
	"strings"
)

const dateForm = "2006-01-02"

// date is the day of creation, in UTC like every other time.
func (d *draft) date() string { return d.CreatedAt.Format(dateForm) }

// approval is the value of the Approval line (LF-3): a guided plan is a proposal; with trust the developer's own
// instruction has approved it.
func (d *draft) approval() string {
	if d.Trust {
		return "pre_approved by " + oneLine(d.By) + " on " + d.date()
	}
	return "pending"
}

// readme renders README.md (PD-4). While the plan materializes its status line says so; all else is there from the start.
func (d *draft) readme(materializing bool) string {
	var p page
	p.heading(1, escape(oneLine(d.Outline.Title)))
	head := []string{
		field("Standard", "DWP spec "+Standard),
		field("Approval", d.approval()),
		field("Format", d.choice.Format),
		field("Execution", d.execution()),
	}
	if d.Trust {
		head = append(head, field("Unattended", "allowed by "+oneLine(d.By)+" on "+d.date()))
	}
	if d.Parent != "" {
		head = append(head, field("Parent plan", "`"+d.Parent+"`"))
	}
	if d.hub() {
		head = append(head, field("Child plans", d.childLine()))
	}
	p.bullets("- ", head)
	d.prose(&p, "Goal", d.Outline.Goal)
	d.prose(&p, "Context", d.Outline.Context)
	p.heading(2, "Task List")
	p.paragraph(d.index())
	status := fmt.Sprintf("0/%d completed", len(d.tasks))
	if materializing {
		status = "materializing"
	}
	p.paragraph(field("Plan Status", status))
	if len(d.groups) > 0 {
		p.heading(2, "Team Agents")
		p.paragraph("Tasks of one group may run at the same time, each within the files it owns. An agent that works alone runs them in order.")
		p.paragraph(d.groupTable())
	}
	if len(d.Outline.Variables) > 0 {
		p.heading(2, "Variables")
		p.bullets("- ", d.variables())
	}
	p.heading(2, "Guidelines")
	p.bullets("- ", orList(nestAll(d.Outline.Guidelines, 2), "Keep to the conventions of the repository, which AGENTS.md names where there is one.",
		"A change of behaviour comes with its tests, and no test is weakened to pass."))
	p.heading(2, "Execution Rules")
	p.numbered(append(rules[:len(rules):len(rules)], d.hubRules()...))
	p.heading(2, "Format Selection")
	p.bullets("- ", d.selection())
	p.heading(2, "Analysis Outputs")
	p.paragraph(outputsTable + d.hubOutput())
	if d.choice.Format == lite {
		for i := range d.tasks {
			p.paragraph(record(&d.tasks[i], i+1, d.groupOf(i+1), lite))
		}
	}
	return p.text()
}

// prose adds a section of free text.
func (d *draft) prose(p *page, name, text string) {
	p.heading(2, name)
	p.paragraph(nest(text, 2))
}

// execution states the parallelism decision (LF-8).
func (d *draft) execution() string {
	if len(d.groups) > 0 {
		return "parallel groups \u2014 tasks of one group run together, as the table under Team Agents says"
	}
	return sequential + "\u2014 " + or(why(oneLine(d.Outline.Execution)), "each task builds on the ones before it")
}

const sequential = "sequential "

// why is a rationale without the mode before its dash: a program that writes an outline gives the whole line as PD-4 shows it, too.
func why(text string) string {
	for _, dash := range []string{"\u2014", "\u2013", "-"} {
		if len(text) > len(sequential) && strings.EqualFold(text[:len(sequential)], sequential) {
			if rest, ok := strings.CutPrefix(text[len(sequential):], dash); ok {
				return strings.TrimSpace(rest)
			}
		}
	}
	return text
}

// index is one checkbox line per task, in a Full plan with the link to its file (PD-4). Titles are kept as typed.
func (d *draft) index() string {
	var b strings.Builder
	for i := range d.tasks {
		title := escape(oneLine(d.tasks[i].Title))
		if d.choice.Format == full {
			title = "[" + title + "](" + taskFile(i+1, d.tasks[i].Title) + ")"
		}
		fmt.Fprintf(&b, "- [ ] Task %d: %s\n", i+1, title)
	}
	return b.String()
}

// variables are the names that tasks use, each with its value.
func (d *draft) variables() []string {
	var list []string
	for _, v := range d.Outline.Variables {
		list = append(list, "`"+oneLine(v.Name)+"`: "+oneLine(v.Value))
	}
	return list
}

// rules are the Execution Rules of every plan: what an agent that knows nothing but this folder has to keep to (PS-19, WP-5).
var rules = []string{
	"Read this README and the record of the task before you start it. Nothing starts while the Approval line says pending.",
	"Work the first open task that waits for no other one, and only that one, unless a group says otherwise.",
	"Stay within its touched surface. Work that you discover goes under \"Discovered\" in PROGRESS.md, decisions under \"Decisions\".",
	"A task is done when every gate of its record passes and every criterion is shown to hold. Record each gate when it ran, with what it said.",
	"At a boundary write in this order: the task's log, its box and the count here, PROGRESS.md, state.json.",
	"A criterion or the scope changes by an amendment in the task's log, with its authority, never in silence.",
	"When you can't go on, say what is missing in state.json and stop.",
}

// selection is the record of the choice of format (LF-5, LF-6).
func (d *draft) selection() []string {
	c := d.choice
	list := []string{
		field("Observed scope", c.Scope),
		field("Dependencies", c.Dependencies),
		field("Instruction detail needed", c.Detail),
		field("Uncertainties", c.Uncertainties),
		field("Rationale", strings.ToUpper(c.Format[:1])+c.Format[1:]+"; "+c.Rationale),
	}
	if c.Rigor == micro {
		list = append(list, field("Rigor", microNote))
	}
	return list
}

// microNote is what micro work is told (LF-6).
const microNote = "micro. Work of this size needs no plan; this one was written because it was asked for"

const outputsTable = "| File | What it holds |\n|---|---|\n" +
	"| `analysis_results/PLAN_ANALYSIS.md` | what was asked for, what was observed, why this format |\n" +
	"| `analysis_results/OUTLINE.json` | the outline that the plan was made of, as it was given |\n" +
	"| `analysis_results/SKILLS_CANDIDATES.md` | skills worth keeping, by task |\n" +
	"| `analysis_results/SECURITY_REVIEW.md` | the security pass of the Final Review, written then |\n"
