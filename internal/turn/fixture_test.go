package turn

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
)

// world is a plan of four tasks, one file each, of which the first is completed and the second in progress.
type world struct {
	t     *testing.T
	files fstest.MapFS
}

const second = "2.task_load_shard_2.md"

func laid(t *testing.T, changes ...func(*world)) *plan.Snapshot {
	t.Helper()
	w := &world{t, plantest.Plan(plantest.Spec{Tasks: 4, Done: 1, Full: true})}
	w.replace("README.md", "Execution:", "**Unattended:** allowed by Ana on 2026-09-01\nExecution:")
	w.entry(2, `"status": "in_progress", "started_at": "2026-09-02T09:00:00Z", "gates": []`)
	for _, change := range changes {
		change(w)
	}
	s, err := plan.Read(w.files, plantest.Name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (w *world) replace(file, old, new string) {
	w.t.Helper()
	text := string(w.files[file].Data)
	if !strings.Contains(text, old) {
		w.t.Fatalf("%s has no %q", file, old)
	}
	w.write(file, strings.Replace(text, old, new, 1))
}

func (w *world) write(file, text string) {
	w.files[file] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
}

// entry gives a task's entry in state.json the members behind its title.
func (w *world) entry(n int, members string) {
	w.t.Helper()
	lines := strings.Split(string(w.files["state.json"].Data), "\n")
	for i, line := range lines {
		if head, _, found := strings.Cut(line, `"status"`); found && strings.Contains(line, fmt.Sprintf(`{"id": %d,`, n)) {
			comma := ""
			if strings.HasSuffix(line, ",") {
				comma = ","
			}
			lines[i] = head + members + "}" + comma
		}
	}
	w.write("state.json", strings.Join(lines, "\n"))
}

func edit(file, old, new string) func(*world) {
	return func(w *world) { w.t.Helper(); w.replace(file, old, new) }
}

func put(file, text string) func(*world) { return func(w *world) { w.write(file, text) } }

// gates gives task 2 gate records: "make|0|12 passed" is one.
func gates(records ...string) func(*world) {
	return func(w *world) {
		var list []string
		for _, r := range records {
			part := strings.SplitN(r, "|", 3)
			list = append(list, fmt.Sprintf(`{"command": %q, "passes": %v, "exit_code": %s, "last_run": "2026-09-02T09:30:00Z", "evidence": %q}`, part[0], part[1] == "0", part[1], part[2]))
		}
		w.entry(2, `"status": "in_progress", "started_at": "2026-09-02T09:00:00Z", "gates": [`+strings.Join(list, ", ")+"]")
	}
}

// completed completes task 2 in README.md and state.json.
func completed(w *world) {
	w.replace("README.md", "- [ ] Task 2", "- [x] Task 2")
	w.entry(2, `"status": "completed", "started_at": "2026-09-02T09:00:00Z", "completed_at": "2026-09-02T10:00:00Z", "commit": "0badc0de", "gates": `+plantest.Gate)
}

func checkpoint(task int, step string) func(*world) {
	return edit("state.json", `"checkpoint": null`, fmt.Sprintf(`"checkpoint": {"task": %d, "step": %q, "at": "2026-09-02T10:00:00Z", "note": ""}`, task, step))
}

func blocked(task int, reason string) func(*world) {
	return func(w *world) {
		w.replace("state.json", `"blocked": null`, fmt.Sprintf(`"blocked": {"task": %d, "reason": %q, "since": "2026-09-02T10:00:00Z", "needs": "help"}`, task, reason))
		w.entry(task, `"status": "blocked", "gates": []`)
	}
}

// planned gives task 2 a planned surface.
func planned(text string) func(*world) { return edit(second, "- Planned: `load/`", "- Planned: "+text) }

// criterion puts a criterion before the others of task 2.
func criterion(mark, text string) func(*world) {
	return edit(second, "- [ ] counts agree", "- ["+mark+"] "+text+"\n- [ ] counts agree")
}

func tickAll(w *world) {
	w.replace(second, "- [ ] counts agree", "- [x] counts agree")
	w.replace(second, "- [ ] checksums agree", "- [x] checksums agree")
}

func rulesOf(list []Finding) (ids []string) {
	for _, f := range list {
		ids = append(ids, f.ID)
	}
	return ids
}
