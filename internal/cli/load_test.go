package cli

import (
	"fmt"
	"path"
	"strings"
	"testing"
)

// A load is a healthy plan of standard 5 as benchmarks need it: of any size, the first half of its tasks completed.
type load struct {
	name   string // PLAN_<slug>
	format string // "lite" or "full"
	tasks  int
	commit string // what the completed tasks record; "" leaves it out
}

// files lists the plan's files below its plans folder, for writeTree.
func (l load) files() map[string]string {
	files := map[string]string{}
	put := func(name, text string) { files[path.Join(l.name, name)] = text }
	var index, records, progress strings.Builder
	var entries []string
	for id := 1; id <= l.tasks; id++ {
		index.WriteString(l.line(id))
		if l.format == "full" {
			put(l.file(id), l.record(id, "#", ""))
		} else {
			records.WriteString(l.record(id, "##", fmt.Sprintf(" {#task-%d}", id)))
		}
		if l.done(id) {
			fmt.Fprintf(&progress, "## 2026-09-01 Task %d: %s\n\n- copied\n- tests green\n- none\n\n", id, l.title(id))
		}
		entries = append(entries, l.entry(id))
	}
	put("README.md", fmt.Sprintf(loadReadme, l.format, l.tasks, index.String(), l.tasks/2, l.tasks, records.String()))
	put("PROGRESS.md", "# Progress\n\n"+progress.String())
	put("PROMPTS.md", "# Prompts\n\nExecute: work the next task of this plan.\n")
	put("analysis_results/notes.md", "Nothing yet.\n")
	put("manifest.json", fmt.Sprintf(loadManifest, l.name, l.tasks, l.format))
	put("state.json", fmt.Sprintf(loadState, l.name, l.tasks/2, l.tasks, l.format, strings.Join(entries, ",\n"), l.tasks/2+1))
	return files
}

func (l load) done(id int) bool { return id <= l.tasks/2 }

func (l load) title(id int) string {
	if id == l.tasks {
		return "Final Review"
	}
	return fmt.Sprintf("Copy archive %d", id)
}

func (l load) file(id int) string {
	return fmt.Sprintf("%d.task_%s.md", id, strings.ReplaceAll(strings.ToLower(l.title(id)), " ", "_"))
}

// line is the task's line in the README's index.
func (l load) line(id int) string {
	box, link := " ", l.title(id)
	if l.done(id) {
		box = "x"
	}
	if l.format == "full" {
		link = fmt.Sprintf("[%s](%s)", link, l.file(id))
	}
	return fmt.Sprintf("- [%s] Task %d: %s\n", box, id, link)
}

// record is the task's record, with headings of level and deeper.
func (l load) record(id int, level, anchor string) string {
	box, log := " ", "- **Status:** pending"
	if l.done(id) {
		box, log = "x", "- **Status:** completed\n- **Summary:** copied and compared.\n- **Skills disposition:** none\n- **Documentation decision:** none needed"
	}
	text := fmt.Sprintf("%s Task %d: %s%s\n\n", level, id, l.title(id), anchor)
	for _, s := range [][2]string{
		{"Context", "The archives are copied one after the other; `store/` holds what is done, and nothing may be lost on the way."},
		{"Read Before Starting", "- the README of this plan\n- `store/README.md`"},
		{"Goal", "The archive is in the new store, and every page of it was counted and compared."},
		{"Touched Surface", "- Planned paths: `store/`\n- Risk class: isolated\n- Gate: `go test ./store/...`"},
		{"Instructions", "1. Read the goal of the plan again.\n2. Copy.\n3. Compare: security pass, final-state validation, skills and documentation reconciliation."},
		{"Acceptance Criteria", "- [" + box + "] the counts agree\n- [" + box + "] the checksums agree"},
		{"Outputs", "- `store/`"}, {"Validation", "```sh\ngo test ./store/...\n```"},
		{"Execution Checklist", "- [" + box + "] goal read again"}, {"Completion & Log", log},
	} {
		text += level + "# " + s[0] + "\n\n" + s[1] + "\n\n"
	}
	return text
}

// entry is the task's entry in state.json.
func (l load) entry(id int) string {
	kind, value := "inline", fmt.Sprintf("#task-%d", id)
	if l.format == "full" {
		kind, value = "file", l.file(id)
	}
	rest := `"status": "pending", "gates": []`
	if l.done(id) {
		commit := ""
		if l.commit != "" {
			commit = fmt.Sprintf(`, "commit": %q`, l.commit)
		}
		rest = fmt.Sprintf(`"status": "completed", "started_at": "2026-09-01T09:00:00Z", "completed_at": "2026-09-01T10:00:00Z"%s,
      "outcome": {"tried": [], "failed": [], "worked": "a copy by rows", "notes": "skills: none"},
      "gates": [{"command": "go test ./store/...", "passes": true, "exit_code": 0, "last_run": "2026-09-01T09:59:00Z", "evidence": "%d passed, 0 failed"}]`,
			commit, 10+id)
	}
	return fmt.Sprintf(`    {"id": %d, "title": %q, "locator": {"kind": %q, "value": %q}, %s}`, id, l.title(id), kind, value, rest)
}

const loadReadme = `# Move the archives

**Standard:** DWP spec 5.0.0
**Approval:** approved
**Format:** %s
Execution: sequential, there is one store

## Goal

Every archive is in the new store.

## Context

The old store is full.

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

%s`

const loadManifest = `{
  "schema": "https://deepworkplan.com/schema/plan-manifest/v5.json",
  "spec_version": "5.0.0",
  "name": %q,
  "archetype": "individual",
  "rigor": "standard",
  "created_at": "2026-09-01T08:00:00Z",
  "task_count": %d,
  "plan_format": %q
}
`

const loadState = `{
  "schema": "https://deepworkplan.com/schema/plan-state/v5.json",
  "plan": %q,
  "updated_at": "2026-09-01T10:00:00Z",
  "status": "in_progress",
  "completed_count": %d,
  "task_count": %d,
  "format": %q,
  "materialization": "ready",
  "approval": "approved",
  "promotion": null,
  "tasks": [
%s
  ],
  "checkpoint": {"task": %d, "step": "start", "at": "2026-09-01T10:00:00Z", "note": "next"},
  "blocked": null
}
`

// TestLoadIsConformant: what the benchmarks measure is the whole work on a healthy plan.
func TestLoadIsConformant(t *testing.T) {
	for _, l := range []load{{"PLAN_move_archives", "full", 10, "0badc0de"}, {"PLAN_move_archives", "lite", 10, ""}} {
		dir := t.TempDir()
		files := map[string]string{".git/HEAD": "ref: refs/heads/main\n"}
		for name, text := range l.files() {
			files[".dwp/plans/"+name] = text
		}
		writeTree(t, dir, files)
		code, stdout, stderr := run(dir, "verify")
		if code != ExitOK {
			t.Errorf("%s: exit code %d, want 0\n%s%s", l.format, code, stdout, stderr)
		}
	}
}
