// Package plantest makes plans in memory for tests and benchmarks. Nothing but tests imports it.
package plantest

import (
	"cmp"
	"fmt"
	"strings"
	"testing/fstest"
)

// Name is the name of the plans it makes, and Commit what their completed tasks record, unless the Spec says otherwise.
const (
	Name     = "PLAN_generated_load"
	Commit   = "0badc0de"
	NoCommit = "-"
)

// Gate is the gate that every task of a made plan has, as state.json records it.
const Gate = `[{"command": "make test-shard", "passes": true, "exit_code": 0, "last_run": "2026-09-01T09:59:00Z", "evidence": "12 passed"}]`

// Spec says which plan to make.
type Spec struct {
	Tasks int
	Done  int  // so many tasks, from the first, are completed
	Full  bool // one file per task; else Lite
	Name  string
	// Commit is what completed tasks record: "" for the usual one, NoCommit for none.
	Commit string
	// Ready: the Markdown tells every task as done, and state.json has the last one in progress with its gate
	// passed: one change completes the plan. Done is then Tasks-1.
	Ready bool
}

// Plan makes a healthy plan of standard 5: all ten sections of every task, index, log, evidence. verify finds nothing
// in it but the missing receipt of a completed one, and the desync that Ready means.
func Plan(spec Spec) fstest.MapFS {
	b := builder{Spec: spec, told: spec.Done, files: fstest.MapFS{}}
	b.Name = cmp.Or(b.Name, Name)
	if spec.Ready {
		b.Done, b.told = spec.Tasks-1, spec.Tasks
	}
	for n := 1; n <= b.Tasks; n++ {
		b.task(n)
	}
	b.write("analysis_results/notes.md", "notes\n")
	b.write("PROMPTS.md", "# Prompts\n\nExecute the next task.\n")
	b.write("PROGRESS.md", "# Progress\n\n"+b.progress.String())
	if b.told == b.Tasks {
		b.write("analysis_results/SECURITY_REVIEW.md", "# Security review\n\nNo findings.\n\n## Documentation reconciliation\n\nAll current.\n")
	}
	b.readme()
	b.json()
	return b.files
}

// builder gathers the texts of a plan, task by task.
type builder struct {
	Spec
	told                              int // how many tasks the Markdown tells as done
	files                             fstest.MapFS
	index, records, progress, entries strings.Builder
}

func (b *builder) write(name, text string) {
	b.files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
}

func (b *builder) task(n int) {
	title, file := fmt.Sprintf("Load shard %d", n), fmt.Sprintf("%d.task_load_shard_%d.md", n, n)
	if n == b.Tasks {
		title, file = "Final Review", fmt.Sprintf("%d.task_final_review.md", n)
	}
	box := " "
	if n <= b.told {
		box = "x"
		fmt.Fprintf(&b.progress, "## 2026-09-01 Task %d: %s\n\n- loaded\n- tests green\n- none\n\n", n, title)
	}
	if b.Full {
		fmt.Fprintf(&b.index, "- [%s] Task %d: [%s](%s)\n", box, n, title, file)
		b.write(file, record(n, title, "", "#", box))
		b.entry(n, title, fmt.Sprintf(`{"kind": "file", "value": %q}`, file))
		return
	}
	fmt.Fprintf(&b.index, "- [%s] Task %d: %s\n", box, n, title)
	b.records.WriteString(record(n, title, fmt.Sprintf(" {#task-%d}", n), "##", box))
	b.entry(n, title, fmt.Sprintf(`{"kind": "inline", "value": "#task-%d"}`, n))
}

// record is a task record with its ten sections; level is the heading's mark, box " " or "x".
func record(n int, title, anchor, level, box string) string {
	log := "Status: pending"
	if box == "x" {
		log = "Status: completed\nSummary: loaded.\nSkills disposition: none\nDocumentation decision: none needed"
	}
	text := fmt.Sprintf("%s Task %d: %s%s\n\n", level, n, title, anchor)
	for _, s := range [][2]string{
		{"Context", "Shards are loaded one by one; the schema is fixed."},
		{"Read Before Starting", "- `load/README.md`"},
		{"Goal", "Shard loaded, counted and compared."},
		{"Touched Surface", "- Planned: `load/`\n- Risk class: isolated"},
		{"Instructions", "1. Re-anchor to the goal.\n2. Load.\n3. Compare the security pass, final-state validation and skills reconciliation notes."},
		{"Acceptance Criteria", "- [" + box + "] counts agree\n- [" + box + "] checksums agree"},
		{"Outputs", "- a loaded shard"},
		{"Validation", "```sh\nmake test-shard\n```"},
		{"Execution Checklist", "- [" + box + "] loaded"},
		{"Completion & Log", log},
	} {
		text += level + "# " + s[0] + "\n\n" + s[1] + "\n\n"
	}
	return text
}

// entry is the task's entry in state.json.
func (b *builder) entry(n int, title, locator string) {
	if n > 1 {
		b.entries.WriteString(",\n")
	}
	fmt.Fprintf(&b.entries, `    {"id": %d, "locator": %s, "title": %q, `, n, locator, title)
	commit := fmt.Sprintf(`"commit": %q, `, cmp.Or(b.Commit, Commit))
	if b.Commit == NoCommit {
		commit = ""
	}
	switch {
	case n <= b.Done:
		b.entries.WriteString(`"status": "completed", "started_at": "2026-09-01T09:00:00Z", "completed_at": "2026-09-01T10:00:00Z", ` + commit + `"outcome": {"tried": [], "failed": [], "worked": "bulk copy", "notes": ""}, "gates": ` + Gate + "}")
	case b.Ready:
		b.entries.WriteString(`"status": "in_progress", "started_at": "2026-09-01T09:00:00Z", "gates": ` + Gate + "}")
	default:
		b.entries.WriteString(`"status": "pending", "gates": []}`)
	}
}

func (b *builder) format() string {
	if b.Full {
		return "full"
	}
	return "lite"
}

func (b *builder) readme() {
	b.write("README.md", fmt.Sprintf(`# Load the shards

**Standard:** DWP spec 5.0.0
**Approval:** approved
**Format:** %s
Execution: sequential — one database

## Goal

Every shard is loaded.

## Context

A database of shards.

## Format Selection

Scope: %d tasks. Dependencies: none. Detail: low. Uncertainties: none. Chosen for size.

## Guidelines

- small steps

## Task List

%s
Plan Status: %d/%d completed

## Execution Rules

Work the first open task.

## Analysis Outputs

None yet.

%s`, b.format(), b.Tasks, b.index.String(), b.told, b.Tasks, b.records.String()))
}

func (b *builder) json() {
	status, checkpoint := "in_progress", "null"
	switch b.Done {
	case b.Tasks:
		status = "completed"
		checkpoint = fmt.Sprintf(`{"task": %d, "step": "done", "at": "2026-09-01T10:00:00Z", "note": ""}`, b.Tasks)
	case 0:
		if !b.Ready {
			status = "pending"
		}
	}
	b.write("manifest.json", fmt.Sprintf(`{"schema": "https://deepworkplan.com/schema/plan-manifest/v2.json", "spec_version": "5.0.0", "name": %q, `+
		`"archetype": "individual", "rigor": "standard", "created_at": "2026-09-01T08:00:00Z", "task_count": %d, "plan_format": %q}`, b.Name, b.Tasks, b.format()))
	b.write("state.json", fmt.Sprintf(`{"schema": "https://deepworkplan.com/schema/plan-state/v2.json", "plan": %q, "updated_at": "2026-09-01T10:00:00Z", `+
		`"status": %q, "completed_count": %d, "task_count": %d, "format": %q, "materialization": "ready", "approval": "approved", "promotion": null, "tasks": [
%s
  ], "checkpoint": %s, "blocked": null}`, b.Name, status, b.Done, b.Tasks, b.format(), b.entries.String(), checkpoint))
}
