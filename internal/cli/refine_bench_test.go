package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepworkplan/dwp/internal/plantest"
)

// benchTask is the outline of one task.
const benchTask = "## Task 1: Count the shards\n\n### Context\nShards may be lost.\n\n### Goal\nEvery shard is counted.\n\n### Touched Surface\n" +
	"- Planned: `shard.go`\n- Risk class: isolated\n\n### Acceptance Criteria\n- [ ] counts agree\n\n### Validation\n```sh\nmake test-count\n```\n"

// BenchmarkRefineAdd compares a whole run of refine add with one of an empty Go program (DESIGN 9), and with the least that the files it
// writes cost, each flushed once: one task in the middle of a plan of 60, so that in a Full plan 30 files get another name. Nothing is
// asserted: machines differ.
//
//	go test -run '^$' -bench RefineAdd -benchtime 20x ./internal/cli
func BenchmarkRefineAdd(b *testing.B) {
	dwp, empty := buildPrograms(b)
	for name, full := range map[string]bool{"lite": false, "full": true} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			folder := filepath.Join(dir, ".dwp", "plans", plantest.Name)
			outline := filepath.Join(dir, "more.md")
			var ours, theirs, flushes []time.Duration
			for b.Loop() {
				before := plantest.Plan(plantest.Spec{Tasks: 60, Done: 20, Full: full})
				if err := os.RemoveAll(folder); err != nil {
					b.Fatal(err)
				}
				if err := os.CopyFS(folder, before); err != nil {
					b.Fatal(err)
				}
				if err := os.WriteFile(outline, []byte(benchTask), 0o644); err != nil {
					b.Fatal(err)
				}
				theirs = append(theirs, timeOf(b, dir, empty))
				ours = append(ours, timeOf(b, dir, dwp, "refine", "add", plantest.Name, "--from", outline, "--after", "30"))
				flushes = append(flushes, flushAgain(b, written(b, before, folder), filepath.Join(b.TempDir(), "again")))
			}
			b.ReportMetric(median(ours)/median(theirs), "x-empty")
			b.ReportMetric(median(ours)*1e3, "ms")
			b.ReportMetric(median(flushes)*1e3, "flush-ms")
			b.ReportMetric(0, "ns/op") // the time of both together says nothing
		})
	}
}

// written copies the files that a command made or changed into a folder of their own.
func written(b *testing.B, before fstest.MapFS, folder string) string {
	b.Helper()
	to := b.TempDir()
	files := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		if old := before[name]; old == nil || !bytes.Equal(old.Data, data) {
			files[name] = &fstest.MapFile{Data: data, Mode: 0o644}
		}
		return err
	})
	if err == nil {
		err = os.CopyFS(to, files)
	}
	if err != nil || len(files) < 3 {
		b.Fatalf("%d files were written: %v", len(files), err)
	}
	return to
}
