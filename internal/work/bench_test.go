package work

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/update"
)

// BenchmarkComplete compares the completion of a task on a disk, which writes the task's record, README.md, PROGRESS.md and state.json
// as one operation, with as many bare replacements: write, fsync, rename, fsync folder. x-bare is how many times as long it takes,
// us-decide what it takes to read and decide, which no disk shortens. Medians; nothing is asserted.
func BenchmarkComplete(b *testing.B) {
	for _, tasks := range []int{10, 200} {
		b.Run(map[int]string{10: "10-tasks", 200: "200-tasks"}[tasks], func(b *testing.B) {
			dir := b.TempDir()
			files := plantest.Plan(plantest.Spec{Tasks: tasks, Done: tasks - 2, Full: true})
			var complete, decide, bare []time.Duration
			for b.Loop() {
				folder := filepath.Join(dir, plantest.Name)
				check(b, os.RemoveAll(folder))
				check(b, os.CopyFS(folder, files))
				fsys, err := disk.Open(folder)
				check(b, err)
				p := planIn(fsys)
				p.System = disk.System{}
				_, err = publish.Revise(b.Context(), p, update.Terms{}, (&Start{Who: mill}).Decide)
				check(b, err)
				zero := 0
				_, err = publish.Apply(b.Context(), p, update.Change{Task: tasks - 1, Gates: []update.Gate{{Command: "make test-shard", Passes: true, ExitCode: &zero, Evidence: "12 passed"}}})
				check(b, err)
				c := completion(tasks - 1)
				decide = append(decide, timed(b, func() error { _, err := publish.Preview(p, update.Terms{}, c.Decide); return err }))
				complete = append(complete, timed(b, func() error { _, err := publish.Revise(b.Context(), p, update.Terms{}, c.Decide); return err }))
				bare = append(bare, timed(b, func() error { return replacements(dir, 4) }))
				check(b, fsys.Close())
			}
			c, d, w := median(complete), median(decide), median(bare)
			b.ReportMetric(c/w, "x-bare")
			b.ReportMetric((c-d)/w, "x-write")
			b.ReportMetric(c*1e6, "us-complete")
			b.ReportMetric(d*1e6, "us-decide")
			b.ReportMetric(w*1e6, "us-bare")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// replacements replaces so many files durably, with 4 KB each.
func replacements(dir string, n int) (err error) {
	for range n {
		temp := filepath.Join(dir, "bare.tmp")
		f, e := os.Create(temp)
		if e != nil {
			return e
		}
		_, e = f.Write(make([]byte, 4096))
		err = errors.Join(err, e, f.Sync(), f.Close(), os.Rename(temp, filepath.Join(dir, "bare")))
		d, e := os.Open(dir)
		if e != nil {
			return e
		}
		err = errors.Join(err, d.Sync(), d.Close())
	}
	return err
}

func timed(b *testing.B, do func() error) time.Duration {
	b.Helper()
	begin := time.Now()
	check(b, do())
	return time.Since(begin)
}

// median is the middle one, in seconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return times[len(times)/2].Seconds()
}

// BenchmarkReconcile is a reconciliation in which every second task disagrees: it grows with the plan, not faster.
func BenchmarkReconcile(b *testing.B) {
	for _, tasks := range []int{100, 1000, 10000} {
		b.Run(strconv.Itoa(tasks)+"-tasks", func(b *testing.B) {
			files := plantest.Plan(plantest.Spec{Tasks: tasks, Done: tasks / 2})
			readme := files["README.md"]
			readme.Data = []byte(strings.ReplaceAll(strings.ReplaceAll(string(readme.Data), "5: Load", "5: Carry"), "- [ ] Task 7", "- [x] Task 7"))
			tw, err := disk.TwinOf(files)
			check(b, err)
			for b.Loop() {
				_, err := publish.Preview(planIn(tw), ReconcileTerms, (&Reconcile{Who: mill}).Decide)
				check(b, err)
			}
		})
	}
}
