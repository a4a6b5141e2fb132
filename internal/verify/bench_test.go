package verify_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/verify"
)

// BenchmarkPlan checks in-memory plans of growing size: the time per task should stay level (linear).
func BenchmarkPlan(b *testing.B) {
	for _, tasks := range []int{10, 100, 1000} {
		for _, format := range []string{"lite", "full"} {
			files := generated(tasks, format)
			b.Run(fmt.Sprintf("%s-%d", format, tasks), func(b *testing.B) {
				for b.Loop() {
					s, err := plan.Read(files, "PLAN_generated_load")
					if err != nil {
						b.Fatal(err)
					}
					verify.Plan(s, verify.Options{Now: now, InGit: true})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tasks), "ns/task")
			})
		}
	}
}

// TestGeneratedPlansAreConformant: what the benchmarks measure is the full work on a healthy plan.
func TestGeneratedPlansAreConformant(t *testing.T) {
	for _, format := range []string{"lite", "full"} {
		s, err := plan.Read(generated(12, format), "PLAN_generated_load")
		if err != nil {
			t.Fatal(err)
		}
		if r := verify.Plan(s, verify.Options{Now: now, InGit: true}); r.Verdict != verify.Conformant {
			t.Errorf("%s: %s %+v", format, r.Verdict, r.Findings)
		}
	}
}

// generated makes a healthy plan of standard 5 with half of its tasks completed.
func generated(tasks int, format string) fstest.MapFS { return generatedPlan(tasks, tasks/2, format) }

// generatedPlan makes a healthy plan of standard 5 of which the first tasks are done.
func generatedPlan(tasks, done int, format string) fstest.MapFS {
	var index, records, progress, entries bytes.Buffer
	files := fstest.MapFS{"analysis_results/notes.md": {Data: []byte("notes\n")}, "PROMPTS.md": {Data: []byte("# Prompts\n\nExecute the next task.\n")}}
	for n := 1; n <= tasks; n++ {
		title, name := fmt.Sprintf("Load shard %d", n), fmt.Sprintf("%d.task_load_shard_%d.md", n, n)
		if n == tasks {
			title, name = "Final Review", fmt.Sprintf("%d.task_final_review.md", n)
		}
		box, log, gates, status := " ", "Status: pending", "[]", `"pending"`
		if n <= done {
			box, log = "x", "Status: completed\nSummary: loaded.\nSkills disposition: none\nDocumentation decision: none needed"
			status = `"completed", "started_at": "2026-09-01T09:00:00Z", "completed_at": "2026-09-01T10:00:00Z", "commit": "0badc0de", "outcome": {"tried": [], "failed": [], "worked": "bulk copy", "notes": ""}`
			gates = `[{"command": "make test-shard", "passes": true, "exit_code": 0, "last_run": "2026-09-01T09:59:00Z", "evidence": "12 passed"}]`
			fmt.Fprintf(&progress, "## 2026-09-01 Task %d: %s\n\n- loaded\n- tests green\n- none\n\n", n, title)
		}
		level, anchor, link, locator := "#", "", "["+title+"]("+name+")", fmt.Sprintf(`{"kind": "file", "value": %q}`, name)
		if format == "lite" {
			level, anchor, link, locator = "##", fmt.Sprintf(" {#task-%d}", n), title, fmt.Sprintf(`{"kind": "inline", "value": "#task-%d"}`, n)
		}
		fmt.Fprintf(&index, "- [%s] Task %d: %s\n", box, n, link)
		record := fmt.Sprintf("%s Task %d: %s%s\n\n", level, n, title, anchor)
		for _, s := range [][2]string{{"Context", "Shards are loaded one by one; the schema is fixed."}, {"Read Before Starting", "- `load/README.md`"}, {"Goal", "Shard loaded, counted and compared."},
			{"Touched Surface", "- Planned: `load/`\n- Risk class: isolated"}, {"Instructions", "1. Re-anchor to the goal.\n2. Load.\n3. Compare the security pass, final-state validation and skills reconciliation notes."},
			{"Acceptance Criteria", "- [" + box + "] counts agree\n- [" + box + "] checksums agree"}, {"Outputs", "- a loaded shard"}, {"Validation", "```sh\nmake test-shard\n```"},
			{"Execution Checklist", "- [" + box + "] loaded"}, {"Completion & Log", log}} {
			record += level + "# " + s[0] + "\n\n" + s[1] + "\n\n"
		}
		if format == "lite" {
			records.WriteString(record)
		} else {
			files[name] = &fstest.MapFile{Data: []byte(record)}
		}
		if n > 1 {
			entries.WriteString(",\n")
		}
		fmt.Fprintf(&entries, `    {"id": %d, "locator": %s, "title": %q, "status": %s, "gates": %s}`, n, locator, title, status, gates)
	}
	readme := fmt.Sprintf("# Load the shards\n\n**Standard:** DWP spec 5.0.0\n**Approval:** approved\n**Format:** %s\nExecution: sequential — one database\n\n## Goal\n\nEvery shard is loaded.\n\n## Context\n\nA database of shards.\n\n"+
		"## Format Selection\n\nScope: %d tasks. Dependencies: none. Detail: low. Uncertainties: none. Chosen for size.\n\n## Guidelines\n\n- small steps\n\n## Task List\n\n%s\nPlan Status: %d/%d completed\n\n## Execution Rules\n\nWork the first open task.\n\n## Analysis Outputs\n\nNone yet.\n\n%s",
		format, tasks, index.String(), done, tasks, records.String())
	files["README.md"] = &fstest.MapFile{Data: []byte(readme)}
	files["PROGRESS.md"] = &fstest.MapFile{Data: []byte("# Progress\n\n" + progress.String())}
	status, checkpoint := "in_progress", "null"
	switch done {
	case 0:
		status = "pending"
	case tasks:
		status = "completed"
		checkpoint = fmt.Sprintf(`{"task": %d, "step": "done", "at": "2026-09-01T10:00:00Z", "note": ""}`, tasks)
		files["analysis_results/SECURITY_REVIEW.md"] = &fstest.MapFile{Data: []byte("# Security review\n\nNo findings.\n\n## Documentation reconciliation\n\nAll current.\n")}
	}
	files["manifest.json"] = &fstest.MapFile{Data: fmt.Appendf(nil, `{"schema": "https://deepworkplan.com/schema/plan-manifest/v2.json", "spec_version": "5.0.0", "name": "PLAN_generated_load", "archetype": "individual", "rigor": "standard", "created_at": "2026-09-01T08:00:00Z", "task_count": %d, "plan_format": %q}`, tasks, format)}
	files["state.json"] = &fstest.MapFile{Data: []byte(strings.TrimSpace(fmt.Sprintf(`{"schema": "https://deepworkplan.com/schema/plan-state/v2.json", "plan": "PLAN_generated_load", "updated_at": "2026-09-01T10:00:00Z", "status": %q, "completed_count": %d, "task_count": %d, "format": %q, "materialization": "ready", "approval": "approved", "promotion": null, "tasks": [
%s
  ], "checkpoint": %s, "blocked": null}`, status, done, tasks, format, entries.String(), checkpoint)))}
	return files
}
