package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/plantest"
)

// benchTask is the outline of one task.
const benchTask = "## Task 1: Count the shards\n\n### Context\nShards may be lost.\n\n### Goal\nEvery shard is counted.\n\n### Touched Surface\n" +
	"- Planned: `shard.go`\n- Risk class: isolated\n\n### Acceptance Criteria\n- [ ] counts agree\n\n### Validation\n```sh\nmake test-count\n```\n"

// BenchmarkRefineAdd compares a whole run of refine add with one of an empty Go program (DESIGN 9): one task in the middle of a plan of
// 60, so that in a Full plan 30 files get another name, durably. Nothing is asserted: machines differ.
//
//	go test -run '^$' -bench RefineAdd -benchtime 20x ./internal/cli
func BenchmarkRefineAdd(b *testing.B) {
	dwp, empty := buildPrograms(b)
	for name, full := range map[string]bool{"lite": false, "full": true} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			folder := filepath.Join(dir, ".dwp", "plans", plantest.Name)
			outline := filepath.Join(dir, "more.md")
			var ours, theirs []time.Duration
			for b.Loop() {
				if err := os.RemoveAll(folder); err != nil {
					b.Fatal(err)
				}
				if err := os.CopyFS(folder, plantest.Plan(plantest.Spec{Tasks: 60, Done: 20, Full: full})); err != nil {
					b.Fatal(err)
				}
				if err := os.WriteFile(outline, []byte(benchTask), 0o644); err != nil {
					b.Fatal(err)
				}
				theirs = append(theirs, timeOf(b, dir, empty))
				ours = append(ours, timeOf(b, dir, dwp, "refine", "add", plantest.Name, "--from", outline, "--after", "30"))
			}
			b.ReportMetric(median(ours)/median(theirs), "x-empty")
			b.ReportMetric(median(ours)*1e3, "ms")
			b.ReportMetric(0, "ns/op") // the time of both together says nothing
		})
	}
}
