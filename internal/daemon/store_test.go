package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/daemontest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// clock is a clock that a test sets.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// onEach runs a test on an embedded database, and on PostgreSQL when DWP_TEST_DATABASE_URL names one: each time on a new one, with a clock of its
// own. The same code has to hold on both.
func onEach(t *testing.T, test func(t *testing.T, s *Store, c *clock)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		c := &clock{now: noon}
		test(t, openStore(t, Where{File: filepath.Join(t.TempDir(), "dwp.db"), Clock: c.time}), c)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		c := &clock{now: noon}
		test(t, openStore(t, Where{URL: daemontest.Database(t), Clock: c.time}), c)
	})
}

func openStore(t *testing.T, w Where) *Store {
	t.Helper()
	s, err := Open(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func order(path string) Order { return Order{Path: path, MostTurns: 100} }

// enqueue puts a plan into the queue, due now.
func enqueue(t *testing.T, s *Store, o Order) Plan {
	t.Helper()
	p, err := s.Enqueue(t.Context(), o, true)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// dispatch looks at what is due and returns the paths for which jobs are to be made.
func dispatch(t *testing.T, s *Store) []string {
	t.Helper()
	jobs, _, err := s.Dispatch(t.Context(), slow(), time.Hour, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, p := range jobs {
		paths = append(paths, p.Path)
	}
	return paths
}

const ttl = time.Minute

func take(t *testing.T, s *Store, path, worker string) *Lease {
	t.Helper()
	l, err := s.Take(t.Context(), path, worker, "", ttl)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// run takes a plan that is due through one turn.
func run(t *testing.T, s *Store, path string, o Outcome) Plan {
	t.Helper()
	dispatch(t, s)
	l := take(t, s, path, "w")
	if l == nil {
		t.Fatalf("no lease on %s", path)
	}
	p, held, err := s.Finish(t.Context(), l, o, slow(), 0.5)
	if err != nil || !held {
		t.Fatalf("Finish: held %v, %v", held, err)
	}
	return p
}

func progress() Outcome { return Outcome{Result: "progress", Task: 2, Told: true} }

// UN-2: one job per plan at a time, one lease per job; what comes a second time finds nothing to do.
func TestOneTurnAtATime(t *testing.T) {
	onEach(t, func(t *testing.T, s *Store, c *clock) {
		enqueue(t, s, order("a"))
		enqueue(t, s, order("b"))
		if l := take(t, s, "a", "early"); l != nil {
			t.Errorf("a lease before the plan was queued: %+v", l)
		}
		if got, want := dispatch(t, s), []string{"a", "b"}; !cmp.Equal(got, want) {
			t.Errorf("dispatched %v, want %v", got, want)
		}
		if got := dispatch(t, s); got != nil {
			t.Errorf("dispatched %v a second time", got)
		}
		first := take(t, s, "a", "first")
		if first == nil || first.Fence != 1 || first.Turns != 1 || first.Status != Running || !first.Until.Equal(noon.Add(ttl)) {
			t.Fatalf("got %+v, want lease 1 for a minute", first)
		}
		if l := take(t, s, "a", "second"); l != nil {
			t.Errorf("a second lease: %+v", l)
		}
		if l := take(t, s, "none", "w"); l != nil {
			t.Errorf("a lease on a plan that is not there: %+v", l)
		}
		c.pass(ttl / 2)
		if got := dispatch(t, s); got != nil {
			t.Errorf("dispatched %v while it runs", got)
		}
		p, held, err := s.Finish(t.Context(), first, progress(), slow(), 0)
		if err != nil || !held || p.Status != Waiting || !p.Due.Equal(c.time()) {
			t.Errorf("Finish: %+v, %v, %v; want it due at once", p, held, err)
		}
		dispatch(t, s)
		if l := take(t, s, "a", "third"); l == nil || l.Fence != 2 {
			t.Errorf("got %+v, want lease 2", l)
		}
	})
}

// C61, C63, C95: a turn that was lost with its machine is taken over once its time is over, by a higher number; and what the lost one says then
// is not heard.
func TestTakeover(t *testing.T) {
	onEach(t, func(t *testing.T, s *Store, c *clock) {
		enqueue(t, s, order("a"))
		dispatch(t, s)
		lost := take(t, s, "a", "lost")
		c.pass(ttl - time.Second)
		if ok, err := s.Renew(t.Context(), lost); !ok || err != nil {
			t.Fatalf("Renew: %v, %v", ok, err)
		}
		c.pass(ttl - time.Second)
		if got := dispatch(t, s); got != nil {
			t.Errorf("dispatched %v though the lease was renewed", got)
		}
		if l := take(t, s, "a", "thief"); l != nil {
			t.Errorf("the lease was taken before its time was over: %+v", l)
		}
		c.pass(time.Second)
		if ok, err := s.Renew(t.Context(), lost); ok || err != nil {
			t.Errorf("Renew after its end: %v, %v; want lost", ok, err)
		}
		if got, want := dispatch(t, s), []string{"a"}; !cmp.Equal(got, want) {
			t.Errorf("dispatched %v, want %v", got, want)
		}
		next := take(t, s, "a", "next")
		if next == nil || next.Fence != 2 {
			t.Fatalf("got %+v, want lease 2", next)
		}
		if _, held, err := s.Finish(t.Context(), lost, progress(), slow(), 0); held || err != nil {
			t.Errorf("the lost worker finished: %v, %v", held, err)
		}
		if ok, err := s.Renew(t.Context(), next); !ok || err != nil {
			t.Errorf("Renew of the next: %v, %v", ok, err)
		}
		turns, err := s.History(t.Context(), "a", 10)
		if err != nil || len(turns) != 2 || turns[1].Result != "lost" || turns[0].Result != "open" || turns[0].Worker != "next" {
			t.Errorf("history: %+v, %v", turns, err)
		}
	})
}

// Many workers and schedulers at once: each due plan gets one job and one lease.
func TestTakeIsExclusive(t *testing.T) {
	onEach(t, func(t *testing.T, s *Store, _ *clock) {
		const plans, workers = 10, 8
		for i := range plans {
			enqueue(t, s, order(fmt.Sprint("p", i)))
		}
		var mu sync.Mutex
		jobs, leases := map[string]int{}, map[string]int{}
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				due, _, err := s.Dispatch(t.Context(), slow(), time.Hour, func(string) string { return "" })
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				for _, p := range due {
					jobs[p.Path]++
				}
				mu.Unlock()
				for i := range plans {
					l, err := s.Take(t.Context(), fmt.Sprint("p", i), "w", "", ttl)
					if err != nil {
						t.Error(err)
					}
					if l != nil {
						mu.Lock()
						leases[l.Path]++
						mu.Unlock()
					}
				}
			})
		}
		wg.Wait()
		for i := range plans {
			if p := fmt.Sprint("p", i); jobs[p] != 1 || leases[p] != 1 {
				t.Errorf("%s: %d jobs and %d leases, want one each", p, jobs[p], leases[p])
			}
		}
	})
}

func TestPauseResumeRemove(t *testing.T) {
	onEach(t, func(t *testing.T, s *Store, c *clock) {
		ctx := t.Context()
		enqueue(t, s, order("a"))
		if p, err := s.Pause(ctx, "a"); err != nil || !p.Paused || !p.Due.IsZero() {
			t.Errorf("Pause: %+v, %v", p, err)
		}
		if got := dispatch(t, s); got != nil {
			t.Errorf("dispatched %v though it is paused", got)
		}
		if p, err := s.Resume(ctx, "a"); err != nil || p.Paused || !p.Due.Equal(noon) {
			t.Errorf("Resume: %+v, %v", p, err)
		}
		// One that runs is paused at the end of its turn, and one that is queued at once.
		dispatch(t, s)
		if _, err := s.Pause(ctx, "a"); err != nil {
			t.Error(err)
		}
		if l := take(t, s, "a", "w"); l != nil {
			t.Errorf("a job that was made before the pause took the lease: %+v", l)
		}
		if _, err := s.Resume(ctx, "a"); err != nil {
			t.Error(err)
		}
		dispatch(t, s)
		l := take(t, s, "a", "w")
		if p, err := s.Pause(ctx, "a"); err != nil || p.Status != Running {
			t.Errorf("Pause of one that runs: %+v, %v", p, err)
		}
		if ok, err := s.Renew(ctx, l); !ok || err != nil {
			t.Errorf("Renew of one that is paused: %v, %v", ok, err)
		}
		if p, held, err := s.Finish(ctx, l, progress(), slow(), 0); !held || err != nil || !p.Paused || !p.Due.IsZero() {
			t.Errorf("Finish of one that is paused: %+v, %v, %v", p, held, err)
		}
		// Removed and put there again: the number of the lease goes on, since a lease in the plan's folder may still bear the last one.
		if _, err := s.Remove(ctx, "a"); err != nil {
			t.Error(err)
		}
		for what, do := range map[string]func(context.Context, string) (Plan, error){"Pause": s.Pause, "Resume": s.Resume, "Remove": s.Remove, "Plan": s.Plan} {
			if _, err := do(ctx, "a"); !errors.Is(err, ErrUnknownPlan) {
				t.Errorf("%s of a removed plan: %v, want ErrUnknownPlan", what, err)
			}
		}
		if plans, err := s.List(ctx); len(plans) != 0 || err != nil {
			t.Errorf("List: %+v, %v", plans, err)
		}
		enqueue(t, s, order("a"))
		dispatch(t, s)
		if l := take(t, s, "a", "w"); l == nil || l.Fence != 2 {
			t.Errorf("got %+v, want lease 2", l)
		}
	})
}

// A removed plan whose worker dies is not taken over, and none that is removed while it runs comes back.
func TestRemoveWhileRunning(t *testing.T) {
	onEach(t, func(t *testing.T, s *Store, c *clock) {
		for _, path := range []string{"ends", "dies"} {
			enqueue(t, s, order(path))
		}
		dispatch(t, s)
		ends := take(t, s, "ends", "w")
		take(t, s, "dies", "w")
		for _, path := range []string{"ends", "dies"} {
			if _, err := s.Remove(t.Context(), path); err != nil {
				t.Fatal(err)
			}
		}
		if _, held, err := s.Finish(t.Context(), ends, progress(), slow(), 0); !held || err != nil {
			t.Errorf("Finish: %v, %v", held, err)
		}
		c.pass(2 * ttl)
		dispatch(t, s)
		for _, path := range []string{"ends", "dies"} {
			if l := take(t, s, path, "w"); l != nil {
				t.Errorf("a lease on a removed plan: %+v", l)
			}
		}
		if due, some, err := s.Due(t.Context()); some || err != nil {
			t.Errorf("something is due in %s, %v; want nothing", due, err)
		}
	})
}

// An order for a plan that is there changes its schedule, begins its counts anew, and lets a turn that runs go on.
func TestEnqueueAgain(t *testing.T) {
	onEach(t, func(t *testing.T, s *Store, c *clock) {
		enqueue(t, s, order("a"))
		run(t, s, "a", Outcome{Code: 3, Told: true, Note: "no agent"})
		o := Order{Path: "a", Schedule: Schedule{Every: time.Hour}, Agent: "claude", Model: "m", TurnTime: time.Minute, MostTurns: 7, Observed: true}
		p, err := s.Enqueue(t.Context(), o, false)
		want := Plan{Order: o, Status: Waiting, Due: noon.Add(time.Hour), Next: noon.Add(time.Hour), Fence: 1, seq: 1}
		if diff := cmp.Diff(p, want, cmp.AllowUnexported(Plan{}), cmpopts.EquateApproxTime(0)); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
		c.pass(time.Hour)
		dispatch(t, s)
		l := take(t, s, "a", "w")
		if p := enqueue(t, s, order("a")); p.Status != Running {
			t.Errorf("got %s, want that it runs still", p.Status)
		}
		if ok, err := s.Renew(t.Context(), l); !ok || err != nil {
			t.Errorf("Renew: %v, %v", ok, err)
		}
	})
}

// One that waits for a person costs a look at its files, not a turn (UN-3).
func TestBlockedWaitsForItsFiles(t *testing.T) {
	onEach(t, func(t *testing.T, s *Store, c *clock) {
		enqueue(t, s, order("a"))
		run(t, s, "a", Outcome{Code: 5, Result: "plan-blocked", Told: true, Note: "[S2] an approval is missing"})
		files := ""
		look := func() int {
			c.pass(slow().Watch)
			jobs, _, err := s.Dispatch(t.Context(), slow(), time.Hour, func(string) string { return files })
			if err != nil {
				t.Fatal(err)
			}
			return len(jobs)
		}
		for range 5 {
			if look() != 0 {
				t.Fatal("a turn was queued, though nothing changed")
			}
		}
		files = "answered"
		if look() != 1 {
			t.Error("no turn was queued when the files changed")
		}
	})
}

func TestHistory(t *testing.T) {
	onEach(t, func(t *testing.T, s *Store, c *clock) {
		enqueue(t, s, order("a"))
		enqueue(t, s, order("b"))
		run(t, s, "a", progress())
		c.pass(time.Second)
		run(t, s, "a", Outcome{Code: 3, Told: true, Note: "no agent"})
		got, err := s.History(t.Context(), "a", 10)
		want := []Turn{
			{"a", 2, "w", noon.Add(time.Second), noon.Add(time.Second), 3, "failed", 0, "no agent"},
			{"a", 1, "w", noon, noon, 0, "progress", 2, ""},
		}
		if diff := cmp.Diff(got, want, cmpopts.EquateApproxTime(0)); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
		if all, err := s.History(t.Context(), "", 1); len(all) != 1 || err != nil {
			t.Errorf("got %+v, %v; want one line", all, err)
		}
	})
}

// PS-7: no error shows a password. The embedded database is its user's alone.
func TestStoreIsPrivate(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for _, url := range []string{
		"postgres://ada:s3cr%40t@127.0.0.1:1/dwp", "postgres://ada:s3cr%40t@[::1", "postgres://ada@127.0.0.1:1/dwp?password=s3cr%40t", "host=127.0.0.1 port=1 password=s3cr@t x",
	} {
		_, err := Open(ctx, Where{URL: url})
		if err == nil {
			t.Fatalf("%s was opened", url)
		}
		if text := err.Error() + Shown(Where{URL: url}); strings.Contains(text, "s3cr") {
			t.Errorf("the error shows the password: %s", text)
		}
	}
	path := filepath.Join(t.TempDir(), "dwp.db")
	s := openStore(t, Where{File: path})
	enqueue(t, s, order("a"))
	for _, name := range []string{path, path + "-wal", path + "-shm", path + ".start"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want mode 0600", name, info, err)
		}
	}
	if _, err := Open(ctx, Where{File: t.TempDir()}); err == nil {
		t.Error("a folder was opened as a database")
	}
}
