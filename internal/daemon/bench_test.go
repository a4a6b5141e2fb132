package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// BenchmarkIdlePlans measures a daemon with plans in its queue whose time is far: the memory that lives, the rounds of its scheduler and the
// switches of its threads in a second (on Linux), with no plans and with ten thousand. Both ought to be the same for either.
func BenchmarkIdlePlans(b *testing.B) {
	for _, plans := range []int{0, 10000} {
		b.Run(fmt.Sprint(plans), func(b *testing.B) {
			s := fill(b, plans)
			e := &Engine{
				Store: s, Root: b.TempDir(), Worker: "here", Workers: 4, TTL: DefaultTTL, Grace: time.Second, Ending: time.Second,
				Pace: DefaultPace(), Look: DefaultLook, Log: slog.DiscardHandler,
				Turn: func(context.Context, string, *Lease, time.Duration) Outcome {
					b.Error("a turn began")
					return Outcome{}
				},
			}
			ctx, stop := context.WithCancel(b.Context())
			done := make(chan error, 1)
			go func() { done <- e.Run(ctx, b.Context()) }()
			time.Sleep(2 * time.Second) // until it has started
			const measured = 20 * time.Second
			before, cpu := switches(), cpuTime()
			b.ResetTimer()
			for b.Loop() {
				time.Sleep(measured)
			}
			seconds := b.Elapsed().Seconds()
			b.ReportMetric((switches()-before)/seconds, "switches/s")
			b.ReportMetric((cpuTime()-cpu)/seconds*1e3, "cpu-ms/s")
			b.ReportMetric(heap(), "heap-MB")
			b.ReportMetric(float64(runtime.NumGoroutine()), "goroutines")
			stop()
			if err := <-done; err != nil {
				b.Error(err)
			}
		})
	}
}

// BenchmarkRound measures one round of the scheduler, with nothing due.
func BenchmarkRound(b *testing.B) {
	for _, plans := range []int{10, 10000} {
		b.Run(fmt.Sprint(plans), func(b *testing.B) {
			e := &Engine{Store: fill(b, plans), Pace: DefaultPace(), Look: time.Hour}
			for b.Loop() {
				e.round(b.Context())
			}
		})
	}
}

// BenchmarkTurn measures what the queue costs for a turn apart from the turn: making it due, lease, history, end.
func BenchmarkTurn(b *testing.B) {
	s := fill(b, 10000)
	if _, err := s.Enqueue(b.Context(), order("p"), true); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := s.Dispatch(b.Context(), DefaultPace(), time.Hour, func(string) string { return "" }); err != nil {
			b.Fatal(err)
		}
		l, err := s.Take(b.Context(), "p", "w", "", time.Minute)
		if err != nil || l == nil {
			b.Fatalf("%+v, %v", l, err)
		}
		l.MostTurns = 1 << 30
		if _, _, err := s.Finish(b.Context(), l, Outcome{Result: "progress", Told: true}, DefaultPace(), 0); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Resume(b.Context(), "p"); err != nil {
			b.Fatal(err)
		}
	}
}

// fill makes an embedded queue with plans that are due once a day.
func fill(b *testing.B, plans int) *Store {
	b.Helper()
	s, err := Open(b.Context(), Where{File: filepath.Join(b.TempDir(), "dwp.db")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	if _, err := s.db.Exec("PRAGMA synchronous = OFF"); err != nil {
		b.Fatal(err)
	}
	for i := range plans {
		o := Order{Path: fmt.Sprintf(".dwp/plans/PLAN_%05d", i), Schedule: Schedule{Every: 24 * time.Hour}, MostTurns: 100}
		if _, err := s.Enqueue(b.Context(), o, false); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := s.db.Exec("PRAGMA synchronous = FULL"); err != nil {
		b.Fatal(err)
	}
	return s
}

// heap is the memory that lives, in MB.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// switches counts how often threads of this process have gone to sleep: each is a wake-up.
func switches() (n float64) {
	files, _ := filepath.Glob("/proc/self/task/*/status")
	for _, file := range files {
		data, _ := os.ReadFile(file)
		if _, rest, found := strings.Cut(string(data), "\nvoluntary_ctxt_switches:"); found {
			var k float64
			fmt.Sscan(rest, &k)
			n += k
		}
	}
	return n
}

// cpuTime is the time of processors that this process has used, in seconds.
func cpuTime() float64 {
	data, _ := os.ReadFile("/proc/self/stat")
	_, rest, _ := strings.Cut(string(data), ") ")
	var user, system float64
	if words := strings.Fields(rest); len(words) > 12 {
		fmt.Sscan(words[11], &user)
		fmt.Sscan(words[12], &system)
	}
	return (user + system) / 100
}
