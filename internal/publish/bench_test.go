package publish

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// swollen is a plan of so many tasks whose state.json has about size bytes, nearly all of them gate records.
func swollen(tasks, size int) fstest.MapFS {
	files := plantest.Plan(plantest.Spec{Tasks: tasks, Done: tasks - 2})
	var more strings.Builder
	for g := range size / tasks / 450 {
		fmt.Fprintf(&more, `{"command": "make part-%d", "passes": true, "exit_code": 0, "last_run": "2026-09-01T09:58:00Z", "evidence": "%s 8 passed"}, `,
			g, strings.Repeat("one shard loaded and compared, ", 11))
	}
	data := string(files[state.StateFile].Data)
	files[state.StateFile].Data = []byte(strings.ReplaceAll(data, `"gates": [{`, `"gates": [`+more.String()+`{`))
	return files
}

// TestOneReadOneWrite: an update of a big state opens each document once, state.json once more to prove what it wrote, and
// writes one file (C167).
func TestOneReadOneWrite(t *testing.T) {
	tw, err := disk.TwinOf(swollen(500, 1<<20))
	must(t, err)
	opened, created := map[string]int{}, 0
	tw.Hook(func(e disk.Event) error {
		switch e.Op {
		case disk.OpOpen:
			opened[e.Path]++
		case disk.OpCreate:
			if !strings.HasPrefix(e.Path, disk.LockDir) {
				created++
			}
		}
		return nil
	})
	must(t, startTask(planIn(tw), 499, t))
	if opened[state.StateFile] != 2 || opened["README.md"] != 1 || created != 1 {
		t.Errorf("state.json opened %d times, README.md %d, files written %d; want 2, 1, 1", opened[state.StateFile], opened["README.md"], created)
	}
}

func startTask(p Plan, id int, t testing.TB) error {
	_, err := Apply(t.Context(), p, update.Change{Task: id, Status: state.InProgress})
	return err
}

// BenchmarkUpdate compares one update of a plan on disk with the bare sequence write, fsync, rename, fsync folder of the same
// bytes. All take turns in one run, so that they meet the same disk. x-bare is the whole update without the lock, whose time stands in
// us-lock; x-write leaves out reading and deciding (us-decide), too, which don't depend on the disk. The start of a process
// is BenchmarkColdStart of package cli. Medians; nothing is asserted.
func BenchmarkUpdate(b *testing.B) {
	for _, size := range []struct {
		name  string
		files fstest.MapFS
		task  int
	}{
		{"10-tasks", plantest.Plan(plantest.Spec{Tasks: 10, Done: 8}), 9},
		{"500-tasks-5MB", swollen(500, 5<<20), 499},
	} {
		b.Run(size.name, func(b *testing.B) {
			dir := b.TempDir()
			folder := filepath.Join(dir, plantest.Name)
			must(b, os.CopyFS(folder, size.files))
			fsys, err := disk.Open(folder)
			must(b, err)
			defer fsys.Close()
			now := clock
			p := Plan{FS: fsys, Name: plantest.Name, Now: func() time.Time { return now }, Owner: disk.Owner{Agent: "bench"}, Wait: time.Second}
			var updates, locks, decisions, bare []time.Duration
			for b.Loop() {
				now = now.Add(time.Second)
				updates = append(updates, timed(b, func() error { return again(b, p, size.task) }))
				locks = append(locks, timed(b, func() error { return lockAndRelease(b, p) }))
				decisions = append(decisions, timed(b, func() error { return decide(p, size.task) }))
				data, err := fs.ReadFile(fsys, state.StateFile)
				must(b, err)
				bare = append(bare, timed(b, func() error { return bareWrite(dir, data) }))
			}
			u, l, d, w := median(updates), median(locks), median(decisions), median(bare)
			b.ReportMetric((u-l)/w, "x-bare")
			b.ReportMetric((u-l-d)/w, "x-write")
			b.ReportMetric(d*1e6, "us-decide")
			b.ReportMetric(u*1e6, "us-update")
			b.ReportMetric(l*1e6, "us-lock")
			b.ReportMetric(w*1e6, "us-bare")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// again records a gate that was run again: always a change.
func again(b *testing.B, p Plan, task int) error {
	zero := 0
	gate := update.Gate{Command: "make test-shard", Passes: true, ExitCode: &zero, Evidence: "12 passed"}
	done, err := Apply(b.Context(), p, update.Change{Task: task, Gates: []update.Gate{gate}})
	if err == nil && !done.Changed {
		err = errors.New("nothing changed")
	}
	return err
}

// decide reads and decides, and writes nothing.
func decide(p Plan, task int) error {
	s, err := plan.Read(p.FS, p.Name)
	if err != nil {
		return err
	}
	zero := 0
	gate := update.Gate{Command: "make test-shard", Passes: true, ExitCode: &zero, Evidence: "13 passed"}
	if _, refusal := update.Next(s, update.Change{Task: task, Gates: []update.Gate{gate}}, p.Now()); refusal != nil {
		return refusal
	}
	return nil
}

func lockAndRelease(b *testing.B, p Plan) error {
	l, err := disk.Acquire(b.Context(), p.FS, p.Owner, p.Wait, p.System)
	if err != nil {
		return err
	}
	return errors.Join(l.Check(), l.Release())
}

// bareWrite is the least that a durable replacement takes.
func bareWrite(dir string, data []byte) error {
	temp := filepath.Join(dir, "bare.tmp")
	f, err := os.Create(temp)
	if err != nil {
		return err
	}
	_, err = bytes.NewReader(data).WriteTo(f)
	err = errors.Join(err, f.Sync(), f.Close(), os.Rename(temp, filepath.Join(dir, "bare.json")))
	d, derr := os.Open(dir)
	if derr != nil {
		return derr
	}
	return errors.Join(err, d.Sync(), d.Close())
}

func timed(b *testing.B, do func() error) time.Duration {
	b.Helper()
	begin := time.Now()
	must(b, do())
	return time.Since(begin)
}

// median is the middle one, in seconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return times[len(times)/2].Seconds()
}
