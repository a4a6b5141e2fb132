package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The benchmarks over thousands of plans write hundreds of megabytes first, so they have to be asked for:
//
//	go test -run '^$' -bench ColdStart -benchtime 300x ./internal/cli
//	go test -run '^$' -bench kThousand -benchtime 3x ./internal/cli -load
//	go test -run '^$' -bench TenThousand -benchtime 1x ./internal/cli -load
var heavy = flag.Bool("load", false, "run the benchmarks over thousands of plans")

// BenchmarkColdStart compares a whole run of the program with one of an empty Go program (DESIGN 9). The two take turns,
// so that what else the machine does hits both, and medians are compared. Nothing is asserted: machines differ.
func BenchmarkColdStart(b *testing.B) {
	dwp, empty := buildPrograms(b)
	dir := b.TempDir()
	commit := committed(b, dir)
	for _, l := range []load{
		{"PLAN_lite_plain", "lite", 10, ""}, {"PLAN_full_plain", "full", 10, ""}, {"PLAN_full_commits", "full", 10, commit},
	} {
		writeLoad(b, filepath.Join(dir, ".dwp", "plans"), l)
	}
	for _, args := range []string{"version", "verify lite_plain", "verify full_plain", "verify full_commits", "next full_plain --json"} {
		b.Run(strings.ReplaceAll(args, " ", "-"), func(b *testing.B) {
			var ours, theirs []time.Duration
			for b.Loop() {
				theirs = append(theirs, timeOf(b, dir, empty))
				ours = append(ours, timeOf(b, dir, dwp, strings.Fields(args)...))
			}
			b.ReportMetric(median(ours)/median(theirs), "x-empty")
			b.ReportMetric(median(ours)*1e3, "ms")
			b.ReportMetric(0, "ns/op") // the time of both together says nothing
		})
	}
}

// BenchmarkThousandPlans compares verify over 1,000 plans of 10 tasks with reading their bytes once.
func BenchmarkThousandPlans(b *testing.B) {
	dir := manyPlans(b, 1000, "full")
	for _, workers := range []int{1, runtime.NumCPU()} {
		b.Run(fmt.Sprintf("workers-%d", workers), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			var ours, theirs []time.Duration
			for b.Loop() {
				start := time.Now()
				readAll(b, dir)
				theirs = append(theirs, time.Since(start))
				start = time.Now()
				var out, errs bytes.Buffer
				if code := Main([]string{"verify", "-q"}, testEnv(dir, &out, &errs)); code != ExitOK {
					b.Fatalf("exit code %d: %.500s%s", code, out.Bytes(), errs.Bytes())
				}
				ours = append(ours, time.Since(start))
			}
			b.ReportMetric(median(ours)/median(theirs), "x-read")
			b.ReportMetric(median(ours), "s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkTenThousandPlansMemory reports the peak memory of a process that verifies 10,000 plans of 10 tasks.
func BenchmarkTenThousandPlansMemory(b *testing.B) {
	dir := manyPlans(b, 10_000, "lite")
	dwp, _ := buildPrograms(b)
	for _, args := range []string{"verify -q", "verify", "verify --json", "list", "status --json"} {
		b.Run(strings.ReplaceAll(args, " ", "-"), func(b *testing.B) {
			peak := 0.0
			for b.Loop() {
				cmd := exec.Command(dwp, strings.Fields(args)...)
				cmd.Dir = dir
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				peak = max(peak, peakMB(cmd.ProcessState))
			}
			b.ReportMetric(peak, "peak-MB")
		})
	}
}

// peakMB is the largest resident size of an ended process. A process starts as a copy of this one, so the figure is
// never below our own size, some 20 MB.
func peakMB(p *os.ProcessState) float64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	unit := 1024.0 // Linux counts in KiB, macOS in bytes
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(usage.Maxrss) * unit / 1e6
}

// buildPrograms builds dwp and a program that does nothing, as releases are built.
func buildPrograms(b *testing.B) (dwp, empty string) {
	b.Helper()
	dir := b.TempDir()
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	dwp, empty = filepath.Join(dir, "dwp"), filepath.Join(dir, "empty")
	for program, from := range map[string]string{dwp: "../../cmd/dwp", empty: source} {
		cmd := exec.Command("go", "build", "-trimpath", "-o", program, from)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("go build %s: %v\n%s", from, err, out)
		}
	}
	return dwp, empty
}

// committed makes dir a git repository with one commit, and returns its name.
func committed(b *testing.B, dir string) string {
	b.Helper()
	var name []byte
	for _, args := range [][]string{
		{"init", "-q"},
		{"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "--allow-empty", "-m", "start"},
		{"rev-parse", "--short=8", "HEAD"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			b.Skipf("git %s: %v", args[0], err)
		}
		name = out
	}
	return strings.TrimSpace(string(name))
}

// manyPlans makes a repository of n plans; it skips the benchmark unless -load is given.
func manyPlans(b *testing.B, n int, format string) string {
	b.Helper()
	if !*heavy {
		b.Skip("run with -load")
	}
	dir := b.TempDir()
	for i := range n {
		writeLoad(b, filepath.Join(dir, ".dwp", "plans"), load{fmt.Sprintf("PLAN_archive_%d", i), format, 10, ""})
	}
	return dir
}

// writeLoad writes a plan below a plans folder.
func writeLoad(b *testing.B, plans string, l load) {
	b.Helper()
	for name, text := range l.files() {
		file := filepath.Join(plans, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

// timeOf runs a program once and returns the time it took, from start to end.
func timeOf(b *testing.B, dir, program string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout = dir, io.Discard
	start := time.Now()
	if err := cmd.Run(); err != nil {
		b.Fatalf("%s %s: %v", program, args, err)
	}
	return time.Since(start)
}

// readAll reads every file below a folder, and nothing else: the least that any verifier has to do.
func readAll(b *testing.B, dir string) {
	b.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		_, err = os.ReadFile(name)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}

// median is the middle one, in seconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return times[len(times)/2].Seconds()
}
