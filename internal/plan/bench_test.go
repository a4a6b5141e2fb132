package plan

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ofTasks is a Full plan of n tasks, half of them done, with every document.
func ofTasks(n int) map[string]string {
	var index, entries strings.Builder
	texts := map[string]string{}
	for i := 1; i <= n; i++ {
		mark, status := " ", `"pending", "gates": []`
		if 2*i <= n {
			mark = "x"
			status = `"completed", "completed_at": "2030-01-02T03:04:05Z", "gates": [{"command": "go test ./...", "passes": true, "exit_code": 0, "evidence": "ok, 12 tests"}]`
		}
		name := fmt.Sprintf("%d.task_step_%d.md", i, i)
		fmt.Fprintf(&index, "- [%s] Task %d: [Step %d](%s)\n", mark, i, i, name)
		fmt.Fprintf(&entries, `%s{"id": %d, "title": "Step %d", "status": %s, "locator": {"kind": "file", "value": %q}}`,
			strings.Repeat(",", min(i-1, 1)), i, i, status, name)
		var sections strings.Builder
		for _, section := range []string{"Context", "Goal", "Touched Surface", "Instructions", "Acceptance Criteria", "Validation"} {
			fmt.Fprintf(&sections, "\n## %s\n\n%s\n", section, strings.Repeat("- [ ] Words that say what this section has to say.\n", 4))
		}
		texts[name] = fmt.Sprintf("# Task %d: Step %d\n%s\n## Completion & Log\n\n- **Status:** pending\n", i, i, &sections)
	}
	texts["README.md"] = fmt.Sprintf("# Plan\n\n**Standard:** DWP spec 5.0.0\n\n## Goal\n\nA goal.\n\n## Task List\n\n%s\nPlan Status: %d/%d completed\n", &index, n/2, n)
	texts["PROGRESS.md"] = "# Progress\n\n" + strings.Repeat("- One more thing was done.\n", 3*n)
	texts["PROMPTS.md"] = "# Prompts\n"
	texts["manifest.json"] = fmt.Sprintf(`{"schema": "https://deepworkplan.com/schema/plan-manifest/v2.json", "name": "PLAN_a_b", "task_count": %d}`, n)
	texts["state.json"] = fmt.Sprintf(`{"schema": "https://deepworkplan.com/schema/plan-state/v2.json", "plan": "PLAN_a_b", "tasks": [%s]}`, &entries)
	texts["analysis_results/PLAN_ANALYSIS.md"] = "# Analysis\n"
	return texts
}

func layBench(b *testing.B, dir string, texts map[string]string) (bytes int64) {
	b.Helper()
	for name, text := range texts {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
		bytes += int64(len(text))
	}
	return bytes
}

func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{10, 1000} {
		b.Run(fmt.Sprintf("tasks=%d", n), func(b *testing.B) {
			dir := filepath.Join(b.TempDir(), "PLAN_a_b")
			b.SetBytes(layBench(b, dir, ofTasks(n)))
			for b.Loop() {
				s, err := Open(dir)
				if err != nil || len(s.TaskFiles) != n {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTree compares a tree of 1,000 plans of 10 tasks with the plain reading of its bytes.
func BenchmarkTree(b *testing.B) {
	plans := b.TempDir()
	var size int64
	texts := ofTasks(10)
	for i := range 1000 {
		size += layBench(b, filepath.Join(plans, fmt.Sprintf("PLAN_a_%d", i)), texts)
	}
	b.Run("bytes", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			err := filepath.WalkDir(plans, func(p string, d fs.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() {
					_, err = os.ReadFile(p)
				}
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("overview", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			entries, _, err := Root{Plans: plans}.List()
			if err != nil || len(entries) != 1000 {
				b.Fatal(err)
			}
			for _, e := range entries {
				s, err := Open(e.Path)
				if err != nil {
					b.Fatal(err)
				}
				s.Overview()
			}
		}
	})
}

// BenchmarkOverview sums up many tasks: linear in their number.
func BenchmarkOverview(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprintf("tasks=%d", n), func(b *testing.B) {
			s := sketch(strings.Repeat("x", n/2)+strings.Repeat("_", n/2), strings.Repeat("c", n/2)+strings.Repeat("p", n/2))
			for b.Loop() {
				if o := s.Overview(); o.Next != n/2+1 {
					b.Fatal(o.Next)
				}
			}
		})
	}
}
