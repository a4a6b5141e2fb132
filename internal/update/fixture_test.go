package update_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// now is the clock of these tests: an hour after everything that the fixtures record.
var now = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

// fixture is a plan of standard 5 that a test bends before it is read.
type fixture struct {
	files fstest.MapFS
}

// tides is a Lite plan of len(letters) tasks; each letter is a status: c, p, i, b, s. Boxes and logs agree with it.
func tides(letters string) *fixture {
	words := map[rune]string{'c': "completed", 'p': "pending", 'i': "in_progress", 'b': "blocked", 's': "skipped"}
	var index, records, entries, progress strings.Builder
	done, blocked, blocker := strings.Count(letters, "c"), "null", strings.IndexByte(letters, 'b')
	for i, letter := range letters {
		id, title := i+1, fmt.Sprintf("Chart bay %d", i+1)
		if id == len(letters) {
			title = "Final Review"
		}
		box, log, gates, times := " ", "Status: "+words[letter], "[]", ""
		switch letter {
		case 'c':
			box, log = "x", "Status: completed\nSummary: charted.\nSkills disposition: none\nDocumentation decision: none needed"
			gates = `[{"command": "make chart", "passes": true, "exit_code": 0, "last_run": "2026-09-01T09:50:00Z", "evidence": "8 passed"}]`
			times = `, "started_at": "2026-09-01T09:00:00Z", "completed_at": "2026-09-01T10:00:00Z", "outcome": {"tried": [], "failed": [], "worked": "sorted by hour", "notes": ""}`
			fmt.Fprintf(&progress, "## 2026-09-01 Task %d: %s\n\n- charted\n- green\n- none\n\n", id, title)
		case 'i', 'b':
			times = `, "started_at": "2026-09-01T10:30:00Z"`
		}
		fmt.Fprintf(&index, "- [%s] Task %d: %s\n", box, id, title)
		fmt.Fprintf(&records, "## Task %d: %s {#task-%d}\n\n### Goal\n\nA chart.\n\n### Completion & Log\n\n%s\n<!-- log %d -->\n\n", id, title, id, log, id)
		if i > 0 {
			entries.WriteString(",\n")
		}
		fmt.Fprintf(&entries, `    {"id": %d, "locator": {"kind": "inline", "value": "#task-%d"}, "title": %q, "status": %q%s, "gates": %s}`, id, id, title, words[letter], times, gates)
	}
	status := "in_progress"
	switch {
	case blocker >= 0:
		status = "blocked"
		blocked = fmt.Sprintf(`{"task": %d, "reason": "[S2] no tide key", "since": "2026-09-01T10:40:00Z", "needs": "a key"}`, blocker+1)
	case done == len(letters):
		status = "completed"
	case strings.Trim(letters, "p") == "":
		status = "pending"
	}
	checkpoint := "null"
	if done == len(letters) {
		checkpoint = fmt.Sprintf(`{"task": %d, "step": "done", "at": "2026-09-01T10:00:00Z", "note": ""}`, done)
	}
	return &fixture{files: fstest.MapFS{
		"analysis_results/gates/chart.log": {Data: []byte("8 passed\n")},
		"PROMPTS.md":                       {Data: []byte("# Prompts\n\nGo on.\n")},
		"PROGRESS.md":                      {Data: []byte("# Progress\n\n" + progress.String())},
		"README.md": {Data: fmt.Appendf(nil, "# Tides\n\n**Standard:** DWP spec 5.0.0\n**Approval:** approved\n**Format:** lite\nExecution: sequential — one chart\n\n## Goal\n\nCharts.\n\n## Context\n\nA coast.\n\n## Task List\n\n%s\nPlan Status: %d/%d completed\n\n%s",
			index.String(), done, len(letters), records.String())},
		"manifest.json": {Data: fmt.Appendf(nil, `{"schema": "https://deepworkplan.com/schema/plan-manifest/v5.json", "spec_version": "5.0.0", "name": "PLAN_tide_charts", "archetype": "individual", "rigor": "standard", "created_at": "2026-09-01T08:00:00Z", "task_count": %d, "plan_format": "lite"}`, len(letters))},
		"state.json": {Data: fmt.Appendf(nil, `{"schema": "https://deepworkplan.com/schema/plan-state/v5.json", "plan": "PLAN_tide_charts", "updated_at": "2026-09-01T10:45:00Z", "updated_by": {"agent": "ana", "model": "m1"}, "status": %q, "completed_count": %d, "task_count": %d, "format": "lite", "materialization": "ready", "approval": "approved", "promotion": null, "tasks": [
%s
  ], "checkpoint": %s, "blocked": %s}
`, status, done, len(letters), entries.String(), checkpoint, blocked)},
	}}
}

// swap replaces the first old text of a file, which must be there.
func (f *fixture) swap(t testing.TB, file, old, text string) *fixture {
	t.Helper()
	data := f.files[file].Data
	if !bytes.Contains(data, []byte(old)) {
		t.Fatalf("%s has no %q", file, old)
	}
	f.files[file] = &fstest.MapFile{Data: bytes.Replace(data, []byte(old), []byte(text), 1)}
	return f
}

// log appends to the log of a task in the README.
func (f *fixture) log(t testing.TB, task int, text string) *fixture {
	t.Helper()
	return f.swap(t, "README.md", fmt.Sprintf("<!-- log %d -->", task), text+fmt.Sprintf("\n<!-- log %d -->", task))
}

// amend appends a whole amendment to the log of a task. affected is its line about other tasks.
func (f *fixture) amend(t testing.TB, task, number int, affected string) *fixture {
	t.Helper()
	return f.log(t, task, amendmentText(number, affected))
}

// amendmentText is an amendment with every field (AM-1).
func amendmentText(number int, affected string) string {
	return fmt.Sprintf("\n#### Amendment %d — 2026-09-01\n\n- Original criterion: hourly\n- Observed: half-hourly needed\n- Disposition: revised\n- Revised criterion: half-hourly\n- Reason: tides turn fast\n- Authority: user\n- Affected tasks: %s\n- Evidence invalidated: the chart gate\n- Evidence preserved: none\n", number, affected)
}

func (f *fixture) read(t testing.TB) *plan.Snapshot {
	t.Helper()
	s, err := plan.Read(f.files, "PLAN_tide_charts")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// next makes a change and, when it is accepted, the file it leaves.
func (f *fixture) next(t testing.TB, ch update.Change, at time.Time) (update.Result, *update.Refusal) {
	t.Helper()
	result, refusal := update.Next(f.read(t), ch, at)
	if refusal == nil {
		f.files["state.json"] = &fstest.MapFile{Data: result.State}
	}
	return result, refusal
}

// must makes a change that has to be accepted, and reads the state it leaves.
func (f *fixture) must(t testing.TB, ch update.Change, at time.Time) *state.State {
	t.Helper()
	if _, refusal := f.next(t, ch, at); refusal != nil {
		t.Fatalf("refused under %s: %v", refusal.Rule, refusal)
	}
	return f.read(t).State
}

// add puts a file into the plan.
func (f *fixture) add(name, text string) *fixture {
	f.files[name] = &fstest.MapFile{Data: []byte(text)}
	return f
}
