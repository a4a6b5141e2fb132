package cli

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/disk"
)

// outlineFile writes the example outline into a folder that is a repository, and returns the folder.
func outlineFile(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "outline.md"), []byte(author.Template()), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// LF-4, PS-5: real creations are killed at random moments. What is left is nothing, a partial plan, or the whole; and there is
// always a way to the whole.
func TestKilledCreations(t *testing.T) {
	begin := time.Now()
	m := made{top: outlineFile(t)}
	if code, _, stderr := m.really(t, "create", "--from", "outline.md"); code != ExitOK {
		t.Fatalf("code %d: %s", code, stderr)
	}
	usual, left := time.Since(begin), map[string]int{}
	for n := range *killCount {
		m := made{top: outlineFile(t)}
		m.folder = filepath.Join(m.top, ".dwp", "plans", "PLAN_killed_plan")
		cmd := dwpProcess(t, "create", "--from", "outline.md", "--name", "killed_plan")
		cmd.Dir = m.top
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rand.Int64N(int64(usual))), func() { cmd.Process.Kill() })
		cmd.Wait()
		timer.Stop()
		left[finishCreation(t, m)]++
		if code, stdout, stderr := m.really(t, "verify", "killed_plan"); code != ExitOK {
			t.Fatalf("kill %d: verify: code %d: %s%s", n, code, stdout, stderr)
		}
	}
	t.Logf("%d creations killed within %v; found afterwards: %v", *killCount, usual, left)
}

// finishCreation does what a person would do, and tells what was found.
func finishCreation(t *testing.T, m made) string {
	t.Helper()
	create := []string{"create", "--from", "outline.md"}
	if _, err := os.Stat(m.folder); err != nil {
		must0(t, m, append(create, "--name", "killed_plan")...)
		return "nothing"
	}
	if locked, err := filepath.Glob(filepath.Join(m.folder, disk.LockDir, "owner-*.json")); err == nil {
		owner := disk.UnknownOwner
		if len(locked) == 1 {
			owner = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(locked[0]), "owner-"), ".json")
		}
		if _, err := os.Stat(filepath.Join(m.folder, disk.LockDir)); err == nil {
			must0(t, m, "lock", "clear", "killed_plan", "--owner", owner)
		}
	}
	switch code, _, stderr := m.really(t, "create", "--resume", "killed_plan"); code {
	case ExitOK:
		return "partial"
	case ExitUsage: // its outline was not kept yet
		must0(t, m, append(create, "--resume", "killed_plan")...)
		return "begun"
	case ExitNo:
		return "whole"
	default:
		t.Fatalf("resume: code %d: %s", code, stderr)
		return ""
	}
}

func must0(t *testing.T, m made, args ...string) {
	t.Helper()
	if code, stdout, stderr := m.really(t, args...); code != ExitOK {
		t.Fatalf("dwp %s: code %d: %s%s", strings.Join(args, " "), code, stdout, stderr)
	}
}

// C145: with --from - on a terminal nobody waits for keys.
func TestOutlineFromTerminal(t *testing.T) {
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer tty.Close()
	dir := outlineFile(t)
	var out, errs bytes.Buffer
	env := testEnv(dir, &out, &errs)
	env.Stdin = tty
	done := make(chan int, 1)
	go func() { done <- Main([]string{"create", "--from", "-"}, env) }()
	select {
	case code := <-done:
		if code != ExitUsage || !strings.Contains(errs.String(), "standard input is a terminal") {
			t.Errorf("code %d: %s", code, errs.String())
		}
	case <-time.After(10 * time.Second):
		t.Fatal("create waits for a terminal")
	}
}

// TRAPS: with a standard output that is sure to fail nothing is written, no folder either.
func TestCreateNeedsAnAnswer(t *testing.T) {
	dir := outlineFile(t)
	var errs bytes.Buffer
	env := testEnv(dir, fullWriter{}, &errs)
	if code := Main([]string{"create", "--from", "outline.md"}, env); code != ExitCannot {
		t.Errorf("code %d: %s", code, errs.String())
	}
	if _, err := os.Stat(filepath.Join(dir, ".dwp")); err == nil {
		t.Error("something was written")
	}
}

// BenchmarkCreateTwelve compares one cold process that creates a plan of 12 tasks with the least that its files cost: writing and
// flushing the same bytes under the same number of names, with a flush of the folder for each (PS-5). They take turns.
func BenchmarkCreateTwelve(b *testing.B) {
	dwp, empty := buildPrograms(b)
	dir := outlineFile(b)
	source, err := filepath.Abs(filepath.Join("..", "..", "examples", "outlines", "offline-rentals.md"))
	if err != nil {
		b.Fatal(err)
	}
	plans := filepath.Join(dir, ".dwp", "plans")
	var ours, starts, flushes []time.Duration
	for n := 0; b.Loop(); n++ {
		starts = append(starts, timeOf(b, dir, empty))
		name := "bench_" + strconv.Itoa(n)
		ours = append(ours, timeOf(b, dir, dwp, "create", "--from", source, "--name", name))
		flushes = append(flushes, flushAgain(b, filepath.Join(plans, "PLAN_"+name), filepath.Join(dir, "again_"+name), "README.md", "state.json")) // these two are written twice
		if n == 0 {
			b.ReportMetric(float64(countFiles(b, filepath.Join(plans, "PLAN_"+name))), "files")
		}
	}
	b.ReportMetric(median(ours)*1e3, "ms")
	b.ReportMetric(median(starts)*1e3, "empty-ms")
	b.ReportMetric(median(flushes)*1e3, "flush-ms")
	b.ReportMetric(0, "ns/op")
}

// flushAgain writes the files of a folder anew, each flushed, and the folder flushed after each; some of them twice.
func flushAgain(b *testing.B, from, to string, twice ...string) time.Duration {
	b.Helper()
	texts := map[string][]byte{}
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			texts[filepath.Base(name)], err = os.ReadFile(name)
		}
		return err
	})
	if err != nil || os.Mkdir(to, 0o755) != nil {
		b.Fatal(err)
	}
	again := map[string][]byte{}
	for _, name := range twice {
		again[name] = texts[name]
	}
	folder, err := os.Open(to)
	if err != nil {
		b.Fatal(err)
	}
	defer folder.Close()
	begin := time.Now()
	for _, round := range []map[string][]byte{texts, again} {
		for name, text := range round {
			f, err := os.Create(filepath.Join(to, name+".new"))
			if err != nil {
				b.Fatal(err)
			}
			f.Write(text)
			f.Sync()
			f.Close()
			os.Rename(filepath.Join(to, name+".new"), filepath.Join(to, name))
			folder.Sync()
		}
	}
	return time.Since(begin)
}

func countFiles(b *testing.B, dir string) (n int) {
	b.Helper()
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			n++
		}
		return nil
	})
	return n
}
