package author

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
)

// hub reports whether the plan coordinates child plans (AG-4).
func (d *draft) hub() bool { return d.Archetype == Hub }

// self is what a child plan names as its parent (PS-6).
func (p *Plan) self() string { return or(p.Repository, "this-repository") + ":" + p.Name }

// Unrecorded is the status of a child of which nothing was recorded yet.
const Unrecorded = "not recorded yet"

// orchestrator renders ORCHESTRATOR_MANIFEST.md: what the hub coordinates, and the tracking table (AG-4). They stand in one file of
// their own: the README's table of tasks stays the only index there, and both have the same rows.
func (d *draft) orchestrator() string {
	var p page
	p.heading(1, "Orchestrator manifest of "+escape(oneLine(d.Outline.Title)))
	p.paragraph("This plan is a hub: it coordinates child plans that live in other repositories, and each child plan is worked on in its own.")
	p.bullets("- ", []string{
		field("Hub", "`"+d.self()+"`"),
		field("Hub's root", "the folder that holds `.dwp`; the repositories below are named by their paths from it"),
	})
	p.heading(2, "Tracking Table")
	p.paragraph(d.childTable())
	if len(d.Outline.Children) == 0 {
		p.paragraph("No child plan is listed yet. Each gets a row: repository, plan, the hub's task that waits for it, the child plans that it waits for, status.")
	}
	p.heading(2, "Order")
	p.numbered(d.childOrder())
	p.heading(2, "How a child plan links back")
	p.paragraph("A child plan names this hub as `parent_plan` in its manifest.json, once, when it is created:")
	p.paragraph(code([]string{"dwp create --from outline.md --parent '" + d.self() + "'"}))
	p.heading(2, "How progress is reported")
	p.bullets("- ", []string{
		"The child plan itself is the truth about its progress. `dwp status " + d.Name + "` reads every child plan where it lies, and changes none of them.",
		"The Status column holds what was recorded last, with its date: `3/5 on 2026-09-30`. Whoever works on a task of the hub brings its rows up to date.",
		"A task of the hub is done when its own gates pass, and the child plans of its rows are completed.",
	})
	return p.text()
}

// childTable is one row per child plan.
func (d *draft) childTable() string {
	var b strings.Builder
	b.WriteString("| Repository | Plan | Hub task | Waits for | Status | Notes |\n|---|---|---|---|---|---|\n")
	for i := range d.Outline.Children {
		c := &d.Outline.Children[i]
		task := "-"
		if c.Task > 0 {
			task = fmt.Sprint(c.Task)
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s | %s |\n", c.Repository, c.name(), task, or(strings.Join(d.Outline.waitsFor(i), ", "), "-"), Unrecorded, or(escape(oneLine(c.Notes)), "-"))
	}
	return b.String()
}

// waitsFor names the children that a child waits for, as the tables do.
func (o *Outline) waitsFor(i int) []string {
	var names []string
	for _, name := range o.Children[i].DependsOn {
		for _, k := range o.childrenNamed(name) {
			names = append(names, "`"+o.Children[k].id()+"`")
		}
	}
	return names
}

// childOrder says in which order the child plans are worked on: what waits for nothing first.
func (d *draft) childOrder() []string {
	var free, waiting []string
	for i := range d.Outline.Children {
		name := "`" + d.Outline.Children[i].id() + "`"
		if waits := d.Outline.waitsFor(i); len(waits) > 0 {
			waiting = append(waiting, name+" once these are completed: "+strings.Join(waits, ", "))
		} else {
			free = append(free, name)
		}
	}
	if len(free) == 0 {
		return []string{"A child plan may start when the child plans that it waits for are completed, and its own repository approved it."}
	}
	return slices.Concat([]string{"From the start, in any order: " + strings.Join(free, ", ")}, waiting)
}

// childLine is the README's pointer to the table.
func (d *draft) childLine() string {
	return fmt.Sprintf("%d, tracked in `%s`", len(d.Outline.Children), plan.HubFile)
}

// hubRules are what an agent that works on a hub has to keep to beside the rules of every plan.
func (d *draft) hubRules() []string {
	if !d.hub() {
		return nil
	}
	return []string{
		"This plan is a hub. Each child plan is worked on in its own repository, under its own rules and approval; from here it is only read. " +
			"Bring the tracking table in " + plan.HubFile + " up to date before a task that waits for a child plan is ticked.",
	}
}

// hubOutput is the hub's row of the table of outputs.
func (d *draft) hubOutput() string {
	if !d.hub() {
		return ""
	}
	return "| `" + plan.HubFile + "` | the child plans, where they live, and their status as recorded last |\n"
}
