package plan

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/state"
)

// index is a README with the given task list.
func index(lines string) string {
	return "# Tide tables\n\n## Goal\n\nPrint tide tables.\n\n## Task List\n\n" + lines + "\n## Notes\n\nNone.\n"
}

// layer is the state.json of a v2 Lite plan with tasks of these statuses.
func layer(statuses ...string) string {
	var tasks []string
	completed := 0
	for i, status := range statuses {
		if status == "completed" {
			completed++
		}
		tasks = append(tasks, fmt.Sprintf(
			`{"id": %d, "title": "t%d", "status": %q, "gates": [], "locator": {"kind": "inline", "value": "task-%d"}}`, i+1, i+1, status, i+1))
	}
	return fmt.Sprintf(`{"schema": "https://deepworkplan.com/schema/plan-state/v2.json", "plan": "PLAN_a_b",
		"updated_at": "2030-01-02T03:04:05Z", "status": "in_progress", "completed_count": %d, "task_count": %d, "format": "lite",
		"materialization": "ready", "approval": "approved", "tasks": [%s]}`, completed, len(tasks), strings.Join(tasks, ","))
}

// The field cases that are about what a plan amounts to, through the real readers.
func TestFieldCases(t *testing.T) {
	tests := []struct {
		name             string
		files            map[string]string
		completed, total int
		next             int
		hold             Hold
	}{
		{"C01: boxes in a fence are no tasks", map[string]string{
			"README.md":  index("- [x] Task 1: Read\n- [ ] Task 2: Print\n\n```\n- [x] Task 9: demo\n```\n"),
			"state.json": layer("completed", "pending"),
		}, 1, 2, 2, HoldNone},
		{"C03: a fence under a numbered step", map[string]string{
			"README.md": index("- [x] Task 1: Read\n- [x] Task 2: Print\n\n1. Do\n2. Then\n\n   ```\n   - [ ] sample\n   ```\n"),
		}, 2, 2, 0, HoldCompleted},
		{"C05: a stray fence hides what state still knows", map[string]string{
			"README.md":  index("- [x] Task 1: Read\n- [x] Task 2: Print\n\n```\n\n- [ ] Task 3: Check\n- [ ] Task 4: Ship\n"),
			"state.json": layer("completed", "completed", "pending", "pending"),
		}, 2, 4, 0, HoldMalformed},
		{"C05: a stray fence, and nothing else knows", map[string]string{
			"README.md": index("- [x] Task 1: Read\n- [x] Task 2: Print\n\n```\n\n- [ ] Task 3: Check\n"),
		}, 2, 2, 0, HoldMalformed},
		{"C07: unknown marks", map[string]string{
			"README.md": index("- [x] Task 1: Read\n- [~] Task 2: Print\n- [-] Task 3: Check\n"),
		}, 1, 3, 2, HoldNone},
		{"C09: a comment shows the form of a line", map[string]string{
			"README.md": index("<!--\n- [ ] Task 1: Title\n-->\n\n- [x] Task 1: Read\n- [ ] Task 2: Print\n"),
		}, 1, 2, 2, HoldNone},
		{"C17: plain bullets and task files", map[string]string{
			"README.md": index("- Task 1: Read\n- Task 2: Print\n"), "1.task_read.md": "# Task 1: Read\n", "2.task_print.md": "# Task 2: Print\n",
		}, 0, 2, 0, HoldNoTasks},
		{"C17: task files and no index at all", map[string]string{
			"README.md": "# Tide tables\n", "1.task_read.md": "# Task 1: Read\n", "2.task_print.md": "# Task 2: Print\n",
		}, 0, 2, 0, HoldNoTasks},
		{"C19: empty boxes and sub-boxes are no tasks", map[string]string{
			"README.md": index("- [x] Task 1: Read\n- [x]\n- [ ]   \n- [x] Task 2: Print\n  - [ ] sub step\n"),
		}, 2, 2, 0, HoldCompleted},
		{"C25: two files, two lines", map[string]string{
			"README.md":       index("- [x] [Task 1: Read](1.task_read.md)\n- [ ] [Task 2: Cache](2.task_cache.md)\n- [ ] [Task 2: Queue](2.task_queue.md)\n"),
			"1.task_read.md":  "# Task 1: Read\n",
			"2.task_cache.md": "# Task 2: Cache\n", "2.task_queue.md": "# Task 2: Queue\n",
		}, 1, 3, 2, HoldAmbiguous},
		{"C31: all ticked, no JSON, logs that still say pending", map[string]string{
			"README.md":       index("- [x] Task 1: Read \u2705\n- [x] Task 2: Print \u2705\n"),
			"1.task_read.md":  "# Task 1: Read\n\n## Completion & Log\n\n- **Status:** pending\n",
			"2.task_print.md": "# Task 2: Print\n\n## Completion & Log\n\n- **Status:** pending\n",
		}, 2, 2, 0, HoldCompleted},
		{"C33: a wrong counter changes nothing", map[string]string{
			"README.md":  index("- [x] Task 1: Read\n- [ ] Task 2: Print\n"),
			"state.json": strings.Replace(layer("completed", "pending"), `"completed_count": 1`, `"completed_count": 2`, 1),
		}, 1, 2, 2, HoldNone},
		{"C35: a written total that is wrong", map[string]string{
			"README.md":  index("- [x] Task 1: Read\n- [x] Task 2: Print\n- [ ] Task 3: Check\n\nPlan Status: 3/3 completed\n"),
			"state.json": layer("completed", "completed", "pending"),
		}, 2, 3, 3, HoldNone},
		{"C39: task files in a sub-folder", map[string]string{
			"README.md":            index("- [x] 1. `tasks/1.task_read.md`\n- [ ] 2. `tasks/2.task_print.md`\n"),
			"tasks/1.task_read.md": "# Task 1: Read\n", "tasks/2.task_print.md": "# Task 2: Print\n",
		}, 1, 2, 2, HoldNone},
		{"C41: JSON without a schema", map[string]string{
			"README.md": index("- [x] Task 1: Read\n- [ ] Task 2: Print\n"), "state.json": `{"plan": "a_b", "progress": 1}`,
		}, 1, 2, 2, HoldNewer},
		{"C43: a schema newer than this code", map[string]string{
			"README.md":  index("- [x] Task 1: Read\n- [ ] Task 2: Print\n"),
			"state.json": strings.Replace(layer("completed", "pending"), "v2.json", "v9.json", 1),
		}, 1, 2, 2, HoldNewer},
		{"C45: JSON with a byte-order mark", map[string]string{
			"README.md": index("- [x] Task 1: Read\n- [ ] Task 2: Print\n"), "state.json": "\ufeff" + layer("completed", "pending"),
		}, 1, 2, 2, HoldNone},
		{"C47: conflict markers in the state", map[string]string{
			"README.md":  index("- [x] Task 1: Read\n- [ ] Task 2: Print\n"),
			"state.json": "<<<<<<< ours\n" + layer("completed", "pending") + "\n=======\n>>>>>>> theirs\n",
		}, 1, 2, 2, HoldMalformed},
		{"C47: conflict markers in the README", map[string]string{
			"README.md": index("- [x] Task 1: Read\n<<<<<<< ours\n- [ ] Task 2: Print\n=======\n- [x] Task 2: Print\n>>>>>>> theirs\n"),
		}, 2, 3, 2, HoldMalformed},
		{"C49: a state that was cut off", map[string]string{
			"README.md": index("- [x] Task 1: Read\n- [ ] Task 2: Print\n"), "state.json": layer("completed", "pending")[:200],
		}, 1, 2, 2, HoldMalformed},
		{"C105: skipped by refine", map[string]string{
			"README.md":  index("- [x] Task 1: Read\n- [ ] Task 2: Print\n- [ ] Task 3: Check\n"),
			"state.json": layer("completed", "skipped", "pending"),
		}, 1, 3, 3, HoldNone},
		{"TRAPS: both JSON files deleted", map[string]string{
			"README.md": index("- [x] Task 1: Read\n- [ ] Task 2: Print\n") + "\n**Standard:** DWP spec 5.0.0\n",
		}, 1, 2, 2, HoldNone},
		{"TRAPS: no JSON, and a standard of the future", map[string]string{
			"README.md": "# T\n\n**Standard:** DWP spec 99.0.0\n\n## Task List\n\n- [ ] Task 1: Read\n",
		}, 0, 1, 1, HoldNewer},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := read(t, files(tt.files)).Overview()
			if o.Completed != tt.completed || o.Total != tt.total || o.Next != tt.next || o.Hold != tt.hold {
				t.Errorf("got %d/%d next %d hold %q; want %d/%d next %d hold %q",
					o.Completed, o.Total, o.Next, o.Hold, tt.completed, tt.total, tt.next, tt.hold)
			}
			if (o.Status == state.Completed) != (tt.hold == HoldCompleted) {
				t.Errorf("status: got %q under hold %q", o.Status, tt.hold)
			}
		})
	}
}

// GU-7, PD-12: dependencies as they are written.
func TestDependsOnAsWritten(t *testing.T) {
	record := func(id int, line string) string {
		return fmt.Sprintf("\n### Task %d: t {#task-%d}\n\n%s\n\n#### Goal\n\nWords.\n", id, id, line)
	}
	readme := "# T\n\n## Task List\n\n" + strings.Repeat("- [ ] Task N: t\n", 5) +
		record(1, "") + record(2, "") + record(3, "Depends on: 1") + record(4, "**Depends on:** none") + record(5, "")
	for i := range 5 {
		readme = strings.Replace(readme, "Task N", fmt.Sprintf("Task %d", i+1), 1)
	}
	s := read(t, files(map[string]string{"README.md": readme}))
	for id, want := range map[int]string{1: "[]", 2: "[1]", 3: "[1]", 4: "[]", 5: "[1 2 3 4]"} {
		if got := fmt.Sprint(s.DependsOn(id)); got != want {
			t.Errorf("task %d: got %s, want %s", id, got, want)
		}
	}
}

// A re-reading parses state.json again only when it changed.
func TestStateParsedOnce(t *testing.T) {
	var p parsedState
	at := func(text string) map[string]*File { return map[string]*File{"state.json": {Data: []byte(text)}} }
	p.update(at(layer("pending")))
	first := p.state
	if p.update(at(layer("pending"))); first == nil || p.state != first {
		t.Error("the same bytes were parsed again")
	}
	if p.update(at(layer("completed"))); p.state == first || p.state.Tasks[0].Status != state.Completed {
		t.Error("other bytes were not parsed")
	}
	if p.update(nil); p.state != nil {
		t.Error("a state that went away stays")
	}
}

// VP-5, C81: logs that evidence names are read and covered, those under analysis_results only.
func TestEvidenceLogs(t *testing.T) {
	gate := func(evidence string) string {
		return fmt.Sprintf(`{"command": "make", "passes": true, "exit_code": 0, "evidence": %q}`, evidence)
	}
	gates := strings.Join([]string{
		gate("ok, see analysis_results/gates/1.log"), gate("analysis_results/gates/1.log"), gate("log=analysis_results/missing.log"),
		gate("log=analysis_results/../../outside.log"), gate("log=../outside.log"), gate("log=notes.log"), gate("12 passed"),
		gate("analysis_results/link.log"), gate("analysis_results/FINALIZATION.json"), gate("analysis_results/folder"),
	}, ",")
	texts := map[string]string{
		"README.md":  index("- [x] Task 1: Read\n"),
		"state.json": strings.Replace(layer("completed"), `"gates": []`, `"gates": [`+gates+`]`, 1),
		"notes.log":  "n", "analysis_results/gates/1.log": "ok", "analysis_results/gates/2.log": "not named",
		"analysis_results/FINALIZATION.json": "{}", "analysis_results/folder/": "", "analysis_results/link.log": "-> ../../outside.log",
	}
	base := folder(t, map[string]string{"outside.log": "outside"})
	dir := filepath.Join(base, "PLAN_a_b")
	lay(t, dir, texts)
	s, err := Open(dir)
	must(t, err)
	if f := s.Files["analysis_results/gates/1.log"]; f == nil || string(f.Data) != "ok" {
		t.Errorf("log: got %+v", f)
	}
	if got, want := s.Covered(), []string{"README.md", "analysis_results/gates/1.log"}; !slices.Equal(got, want) {
		t.Errorf("covered: got %q, want %q", got, want)
	}
	if got, want := slices.Sorted(maps.Keys(s.Files)), []string{
		"README.md", "analysis_results/FINALIZATION.json", "analysis_results/gates/1.log", "state.json",
	}; !slices.Equal(got, want) {
		t.Errorf("files: got %q, want %q", got, want)
	}
}

// TestOneNumberManyTimes: an index, records and files that all say Task 1 are put together in linear time; the reader
// would take hours if each line were held against each record (C25, C165).
func TestOneNumberManyTimes(t *testing.T) {
	const lines, files = 50_000, 2_000
	folder := fstest.MapFS{"README.md": {Data: []byte("# Load\n\n## Task List\n\n" + strings.Repeat("- [ ] Task 1: x\n", lines) + "\n" + strings.Repeat("## Task 1: x {#task-1}\n\n", lines))}}
	for i := range files {
		folder[fmt.Sprintf("1.task_%d.md", i)] = &fstest.MapFile{Data: []byte("# Task 1: x\n")}
	}
	s, err := Read(folder, "PLAN_load_all")
	if err != nil {
		t.Fatal(err)
	}
	o := s.Overview()
	if o.Total != lines || o.Hold != HoldAmbiguous || o.Completed != 0 {
		t.Errorf("%d tasks, %d completed, hold %q; want %d, 0, %q", o.Total, o.Completed, o.Hold, lines, HoldAmbiguous)
	}
	if first, last := o.Tasks[0].File, o.Tasks[lines-1].File; first != "README.md" || last != first {
		t.Errorf("records in %q and %q, want README.md", first, last)
	}
}
