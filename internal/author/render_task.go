package author

import (
	"fmt"
	"slices"
	"strings"
)

// record renders the record of task n with its ten sections (PD-5): for a Full plan a file, for a Lite plan a part of the
// README behind its anchor. rows are the rows of its parallel group, if it is in one.
func record(t *Task, n int, rows []Group, format string) string {
	var p page
	level, anchor := 1, ""
	if format == lite {
		level, anchor = 2, fmt.Sprintf(" {#task-%d}", n)
	}
	p.heading(level, fmt.Sprintf("Task %d: %s%s", n, escape(oneLine(t.Title)), anchor))
	if t.HasDepends {
		p.paragraph(field("Depends on", or(numberList(t.DependsOn), "none")))
	}
	section := func(name string) { p.heading(level+1, name) }
	prose := func(name, text string) {
		section(name)
		p.paragraph(nest(text, level+1))
	}
	prose("Context", t.Context)
	section("Read Before Starting")
	p.bullets("- ", orList(t.Read, "`README.md`: Goal, Context, Guidelines and Execution Rules"))
	prose("Goal", t.Goal)
	section("Touched Surface")
	p.bullets("- ", surfaceLines(t))
	section("Instructions")
	p.numbered(orList(nestAll(t.Instructions, level+1), ownInstructions...))
	section("Acceptance Criteria")
	p.bullets("- [ ] ", nestAll(t.Acceptance, level+1))
	section("Outputs")
	p.bullets("- ", orList(t.Outputs, ownOutput(t)))
	section("Validation")
	p.paragraph(nest(t.Validation, level+1))
	p.paragraph(code(t.Gates))
	if t.Rollback != "" {
		prose("Rollback", t.Rollback)
	}
	if t.Delta != "" {
		prose("Delta", t.Delta)
	}
	if len(rows) > 0 {
		section("Team Agents Metadata")
		p.bullets("- ", metadata(rows))
	}
	section("Execution Checklist")
	p.bullets("- [ ] ", orList(t.Checklist, checklist...))
	section("Completion & Log")
	p.bullets("- ", []string{field("Status", "pending")})
	return p.text()
}

// ownInstructions and ownOutput are our words where an outline has none.
var ownInstructions = []string{
	"Work towards the goal above, and stay within the touched surface.",
	"Show for each acceptance criterion that it holds.", "Run every gate below and record what it said.",
}

func ownOutput(t *Task) string { return "The changes to " + quotedList(t.Surface.Planned) }

// checklist is what every task owes (WP-2, PS-19).
var checklist = []string{
	"Read what is listed under Read Before Starting",
	"Do the work within the touched surface; note the paths that were really touched beside the planned ones",
	"Run every gate of Validation and record its result",
	"Fill in Completion & Log: what was done, the evidence, the skills disposition, the documentation decision",
	"Tick the task in README.md, correct the count, add an entry to PROGRESS.md, update state.json, in this order",
}

// surfaceLines states what PD-6 asks for. The actual paths come when the work is done.
func surfaceLines(t *Task) []string {
	s := &t.Surface
	return []string{
		field("Planned", quotedList(s.Planned)),
		field("Consumers", or(oneLine(s.Consumers), "none known")),
		field("Risk class", oneLine(s.Risk)),
		field("Test mapping", or(oneLine(s.Mapping), "the gates under Validation cover the planned paths")),
		field("Gate", or(oneLine(s.Gate), "every command under Validation")),
	}
}

// metadata repeats a task's rows of the groups table in its record, so that who works it needs no second file.
func metadata(rows []Group) []string {
	var list []string
	for _, g := range rows {
		line := field("Group", oneLine(g.Name))
		if g.Teammate != "" {
			line += "; teammate " + oneLine(g.Teammate)
		}
		if len(g.Owned) > 0 {
			line += "; owns " + quotedList(g.Owned)
		}
		list = append(list, line)
	}
	return list
}

// orList is a list, or else our own words for none.
func orList(list []string, other ...string) []string {
	if len(list) == 0 {
		return other
	}
	return list
}

// nestAll is nest for each item of a list.
func nestAll(list []string, level int) []string {
	out := make([]string, len(list))
	for i, item := range list {
		out[i] = nest(item, level)
	}
	return out
}

// review is the Final Review of a plan whose outline has none (PD-7). Its gates are those of the whole plan: the final state
// has to pass every one of them.
func review(tasks []Task) Task {
	var gates []string
	seen := map[string]bool{}
	for i := range tasks {
		for _, g := range tasks[i].Gates {
			// Tasks share gates; once is enough.
			if !seen[g] {
				seen[g] = true
				gates = append(gates, g)
			}
		}
	}
	return Task{
		Title:   "Final Review",
		Context: "Every task before this one is completed. What each of them proved on its own has to hold of the whole.",
		Read:    []string{"`README.md`: Goal, Context and the logs of all tasks", "`PROGRESS.md`", "`" + candidateFile + "`"},
		Goal:    "The finished work is safe, passes every gate as it stands now, and what was learned is kept.",
		Surface: Surface{
			Planned:   []string{"analysis_results/SECURITY_REVIEW.md", "analysis_results/SKILLS_CANDIDATES.md"},
			Consumers: "whoever takes the work over",
			Risk:      "not applicable: it reviews, and changes no product code",
			Mapping:   "the gates of all tasks",
			Gate:      "every gate of the plan, because the final state is judged as a whole",
		},
		Instructions: []string{
			"Security pass: read the whole change for secrets, unchecked input, authentication, dependencies and configuration. Write `analysis_results/SECURITY_REVIEW.md`, even when there is nothing to report.",
			"Final-state validation: run every gate below on the state that will be handed over.",
			"Skills reconciliation: decide each candidate in `analysis_results/SKILLS_CANDIDATES.md`: none, update, create, or defer with a reason and an owner.",
			"Documentation reconciliation: compare the documentation with what was built, correct it, and say so in the log.",
			"List what was tried and failed in the outcome records, so that the next plan can find it.",
		},
		Acceptance: []string{
			"`analysis_results/SECURITY_REVIEW.md` is written and no critical finding is open",
			"Every gate passes on the final state",
			"Every skills candidate is decided, and the documentation agrees with the work",
		},
		Outputs: []string{"`analysis_results/SECURITY_REVIEW.md`", "the decided `analysis_results/SKILLS_CANDIDATES.md`"},
		Gates:   gates,
	}
}

// groupOf returns the rows of the parallel groups table that name a task.
func (d *draft) groupOf(n int) []Group {
	var rows []Group
	for _, g := range d.groups {
		if slices.Contains(g.Tasks, n) {
			rows = append(rows, g)
		}
	}
	return rows
}

// groupTable renders the parallel groups (PD-12).
func (d *draft) groupTable() string {
	var b strings.Builder
	b.WriteString("| Group | Tasks | Teammate | Owned files |\n|---|---|---|---|\n")
	for _, g := range d.groups {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", escape(oneLine(g.Name)), numberList(g.Tasks), or(escape(oneLine(g.Teammate)), "any"), or(quotedList(g.Owned), "none"))
	}
	return b.String()
}
