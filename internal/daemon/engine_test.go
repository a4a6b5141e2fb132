package daemon

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/daemontest"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// turns takes turns in place of a program, and lets a test see and end them.
type turns struct {
	begun chan *Lease
	end   chan Outcome // one for each turn; a turn whose context ends needs none
}

func newTurns() *turns { return &turns{make(chan *Lease), make(chan Outcome)} }

func (u *turns) take(ctx context.Context, _ string, l *Lease, _ time.Duration) Outcome {
	select {
	case u.begun <- l:
	case <-ctx.Done():
		return Outcome{Code: 130, Told: true}
	}
	select {
	case o := <-u.end:
		return o
	case <-ctx.Done():
		return Outcome{Code: 130, Told: true, Note: "interrupted"}
	}
}

// patience is how long a test waits for what has to come.
const patience = time.Minute

// next waits for a turn to begin.
func (u *turns) next(t *testing.T) *Lease {
	t.Helper()
	select {
	case l := <-u.begun:
		return l
	case <-time.After(patience):
		t.Fatal("no turn began")
		return nil
	}
}

// startEngine runs an engine until stop is called; it then returns what Run returned.
func startEngine(t *testing.T, s *Store, u *turns, change func(*Engine)) (stop func() error, events *eventLog) {
	t.Helper()
	events = &eventLog{told: make(chan struct{}, 1)}
	e := &Engine{
		Store: s, Root: t.TempDir(), Worker: "here", Workers: 4, TTL: time.Minute, Grace: time.Hour, Ending: time.Second,
		Pace: Pace{First: time.Hour, Most: time.Hour, Watch: time.Hour}, Look: 50 * time.Millisecond, Turn: u.take, Tell: events.tell,
		Log: slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}),
	}
	if change != nil {
		change(e)
	}
	ctx, cancel := context.WithCancel(context.Background())
	now, atOnce := context.WithCancel(context.Background())
	events.atOnce = atOnce
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx, now) }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { atOnce(); stop() })
	return stop, events
}

// eventLog keeps what an engine tells.
type eventLog struct {
	mu   sync.Mutex
	text []string
	told chan struct{}
	// atOnce is the second request to stop.
	atOnce func()
}

func (l *eventLog) tell(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, e.Path+": "+e.Text)
	select {
	case l.told <- struct{}{}:
	default:
	}
}

// wait waits until something was told that has the text.
func (l *eventLog) wait(t *testing.T, text string) {
	t.Helper()
	late := time.After(patience)
	for {
		l.mu.Lock()
		all := strings.Join(l.text, "\n")
		l.mu.Unlock()
		if strings.Contains(all, text) {
			return
		}
		select {
		case <-l.told:
		case <-late:
			t.Fatalf("nothing was told of %q:\n%s", text, all)
		}
	}
}

// onEachReal is onEach with the clocks of the databases: River has no other.
func onEachReal(t *testing.T, test func(t *testing.T, s *Store)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		test(t, openStore(t, Where{File: filepath.Join(t.TempDir(), "dwp.db")}))
	})
	t.Run("PostgreSQL", func(t *testing.T) { test(t, openStore(t, Where{URL: daemontest.Database(t)})) })
}

// UN-2: turns follow each other at once as long as they bring something; the completed plan gets none.
func TestEngineWorksAPlan(t *testing.T) {
	onEachReal(t, func(t *testing.T, s *Store) {
		u := newTurns()
		stop, events := startEngine(t, s, u, nil)
		enqueue(t, s, order("a"))
		for i, result := range []string{"progress", "completed", "plan-completed"} {
			if l := u.next(t); l.Path != "a" || l.Fence != int64(i+1) {
				t.Errorf("turn %d: lease %d on %q", i+1, l.Fence, l.Path)
			}
			u.end <- Outcome{Result: result, Told: true}
		}
		events.wait(t, "a: turn plan-completed; now completed")
		if err := stop(); err != nil {
			t.Error(err)
		}
		if p, err := s.Plan(t.Context(), "a"); err != nil || p.Status != Completed || p.Turns != 3 {
			t.Errorf("got %+v, %v", p, err)
		}
	})
}

// C95: River has no heartbeat, and takes a job for lost that has run for long. When it gives that one to a worker a second time, while the first
// still works it, no second turn begins: the lease decides.
func TestRescuedJobBeginsNoTurn(t *testing.T) {
	onEachReal(t, func(t *testing.T, s *Store) {
		u := newTurns()
		stop, _ := startEngine(t, s, u, nil)
		enqueue(t, s, order("a"))
		u.next(t)
		// What River's rescuer does to a job that it takes for stuck.
		if n, err := s.exec(t.Context(), s.db, "UPDATE river_job SET state = 'available', attempt = 0 WHERE state = 'running'"); n != 1 || err != nil {
			t.Fatalf("%d jobs rescued, %v; want one", n, err)
		}
		// A job for another plan wakes the workers, who take both.
		enqueue(t, s, order("b"))
		if l := u.next(t); l.Path != "b" {
			t.Fatalf("a turn of %q began", l.Path)
		}
		u.end <- Outcome{Code: 5, Result: "stopped", Told: true}
		u.end <- Outcome{Code: 5, Result: "stopped", Told: true}
		if err := stop(); err != nil {
			t.Error(err)
		}
		turns, err := s.History(t.Context(), "", 10)
		if err != nil || len(turns) != 2 {
			t.Errorf("history: %+v, %v; want one turn of either plan", turns, err)
		}
		// The rescued job was worked, and did nothing: it is not only that nobody looked.
		var left int
		if err := s.db.QueryRowContext(t.Context(), "SELECT count(*) FROM river_job WHERE state <> 'completed'").Scan(&left); err != nil || left != 0 {
			t.Errorf("%d jobs are left, %v", left, err)
		}
	})
}

// A daemon that stops lets its turn end, or ends it after the grace; either way the plan is given back, and goes on with the next daemon.
func TestEngineStops(t *testing.T) {
	onEachReal(t, func(t *testing.T, s *Store) {
		u := newTurns()
		stop, _ := startEngine(t, s, u, func(e *Engine) { e.Grace = 50 * time.Millisecond })
		enqueue(t, s, order("a"))
		u.next(t)
		if err := stop(); err != nil {
			t.Error(err)
		}
		p, err := s.Plan(t.Context(), "a")
		if err != nil || p.Status != Waiting || p.Holder != "" || p.Fruitless != 0 || p.Due.After(time.Now().Add(time.Minute)) {
			t.Errorf("after a stop: %+v, %v; want it due, and nobody's", p, err)
		}
		stop, events := startEngine(t, s, u, nil)
		if l := u.next(t); l.Fence != 2 {
			t.Errorf("lease %d, want 2", l.Fence)
		}
		u.end <- Outcome{Code: 5, Result: "plan-blocked", Told: true}
		events.wait(t, "now blocked")
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// A second request to stop ends the turns at once, and still writes how they ended.
func TestEngineStopsAtOnce(t *testing.T) {
	onEachReal(t, func(t *testing.T, s *Store) {
		u := newTurns()
		stop, events := startEngine(t, s, u, nil) // its grace is an hour
		enqueue(t, s, order("a"))
		u.next(t)
		time.AfterFunc(100*time.Millisecond, events.atOnce)
		if err := stop(); err != nil {
			t.Error(err)
		}
		turns, err := s.History(t.Context(), "a", 1)
		if err != nil || len(turns) != 1 || turns[0].Ended.IsZero() || turns[0].Note != "interrupted" {
			t.Errorf("history: %+v, %v", turns, err)
		}
		if p, err := s.Plan(t.Context(), "a"); err != nil || p.Status != Waiting || p.Holder != "" {
			t.Errorf("got %+v, %v; want it nobody's", p, err)
		}
	})
}

// A turn whose lease was taken away ends, and what it says is not heard.
func TestEngineLosesItsLease(t *testing.T) {
	onEachReal(t, func(t *testing.T, s *Store) {
		u := newTurns()
		stop, events := startEngine(t, s, u, func(e *Engine) { e.TTL = 600 * time.Millisecond })
		enqueue(t, s, order("a"))
		u.next(t)
		// The database says that another has it, as after a long pause of this machine.
		if _, err := s.exec(t.Context(), s.db, "UPDATE dwp_plans SET fence = fence + 1, holder = 'other', until = until + 3600000, due = until + 3600000"); err != nil {
			t.Fatal(err)
		}
		events.wait(t, "the lease was lost")
		if err := stop(); err != nil {
			t.Error(err)
		}
		if p, err := s.Plan(t.Context(), "a"); err != nil || p.Holder != "other" || p.Status != Running {
			t.Errorf("got %+v, %v; want it the other's", p, err)
		}
	})
}

// C61: when a clock is set forward, or the machine slept, a lease ends before its worker has noticed. The old turn has ended when the next begins,
// in one daemon; between two, turn.lease sees to that.
func TestEngineEndsATurnBeforeTheNext(t *testing.T) {
	c := &clock{now: noon}
	s := openStore(t, Where{File: filepath.Join(t.TempDir(), "dwp.db"), Clock: c.time})
	u := newTurns()
	stop, events := startEngine(t, s, u, func(e *Engine) {
		e.TTL = time.Hour // by its own clock, this worker is far from asking again
	})
	enqueue(t, s, order("a"))
	u.next(t)
	c.pass(2 * time.Hour)
	events.wait(t, "a: its last turn has not ended here")
	u.end <- progress()
	events.wait(t, "a: the lease was lost, and with it the turn")
	passing, enough := context.WithCancel(t.Context())
	go func() { // a job that River has not put away yet counts as in line: the plan is looked at again
		for tick := time.NewTicker(100 * time.Millisecond); ; c.pass(againTime) {
			select {
			case <-passing.Done():
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	l := u.next(t)
	enough()
	if l.Fence != 2 {
		t.Errorf("got lease %d, want 2", l.Fence)
	}
	u.end <- Outcome{Result: "plan-completed", Told: true}
	events.wait(t, "now completed")
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// A queue that can't be written is told of, again and again, and ends nothing: it may come back (UN-4).
func TestEngineOutlivesItsDatabase(t *testing.T) {
	s := openStore(t, Where{File: filepath.Join(t.TempDir(), "dwp.db")})
	u := newTurns()
	stop, events := startEngine(t, s, u, func(e *Engine) { e.Log = slog.DiscardHandler })
	if _, err := s.db.Exec("ALTER TABLE dwp_plans RENAME TO gone"); err != nil {
		t.Fatal(err)
	}
	events.wait(t, "no such table")
	if _, err := s.db.Exec("ALTER TABLE gone RENAME TO dwp_plans"); err != nil {
		t.Fatal(err)
	}
	enqueue(t, s, order("a"))
	u.next(t)
	u.end <- Outcome{Code: 5, Result: "plan-blocked", Told: true}
	events.wait(t, "now blocked")
	if err := stop(); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A fault that lasts is told once a minute, another one at once.
func TestFaultsAreToldOnce(t *testing.T) {
	var q quiet
	for i, tt := range []struct {
		text  string
		after time.Duration
		again bool
	}{
		{"no route", 0, false}, {"no route", time.Second, true}, {"no table", 2 * time.Second, false},
		{"no route", 3 * time.Second, false}, {"no route", 62 * time.Second, true}, {"no route", 63 * time.Second, false},
	} {
		if got := q.again(tt.text, noon.Add(tt.after)); got != tt.again {
			t.Errorf("%d, %s after %s: told before %v, want %v", i, tt.text, tt.after, got, tt.again)
		}
	}
}

// Signature sees a person's answer, and nothing else that a turn leaves.
func TestSignature(t *testing.T) {
	dir := t.TempDir()
	seen := Signature(dir)
	for _, tt := range []struct {
		name    string
		changes bool
	}{
		{"README.md", true}, {"state.json", true}, {"analysis_results/QUESTIONS.md", true},
		{"PROGRESS.md", false}, {"analysis_results/turns/1.json", false},
	} {
		path := filepath.Join(dir, filepath.FromSlash(tt.name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("x"), 0o644)); err != nil {
			t.Fatal(err)
		}
		now := Signature(dir)
		if (now != seen) != tt.changes {
			t.Errorf("%s: changed %v, want %v", tt.name, now != seen, tt.changes)
		}
		seen = now
	}
	// A change of the same length at another time.
	path := filepath.Join(dir, "state.json")
	if err := os.Chtimes(path, time.Time{}, noon); err != nil {
		t.Fatal(err)
	}
	if Signature(dir) == seen {
		t.Error("a file of the same size and another time was not seen")
	}
}

// jobGet is a queue of jobs that has one.
type jobGet struct {
	jobs
	row *rivertype.JobRow
	err error
}

func (j jobGet) JobGet(context.Context, int64) (*rivertype.JobRow, error) { return j.row, j.err }

// A job that a worker had taken, and was killed before it took the lease, is lost: the plan must not wait for River to notice.
func TestInLine(t *testing.T) {
	const again = time.Minute
	long, just := noon.Add(-time.Minute), noon.Add(-time.Second)
	broken := errors.New("no route")
	for name, tt := range map[string]struct {
		id    int64
		row   *rivertype.JobRow
		err   error
		want  bool
		fails bool
	}{
		"never made":         {0, nil, broken, false, false},
		"in line":            {1, &rivertype.JobRow{State: rivertype.JobStateAvailable}, nil, true, false},
		"taken just now":     {1, &rivertype.JobRow{State: rivertype.JobStateRunning, AttemptedAt: &just}, nil, true, false},
		"taken a while ago":  {1, &rivertype.JobRow{State: rivertype.JobStateRunning, AttemptedAt: &long}, nil, false, false},
		"worked":             {1, &rivertype.JobRow{State: rivertype.JobStateCompleted}, nil, false, false},
		"given up":           {1, &rivertype.JobRow{State: rivertype.JobStateDiscarded}, nil, false, false},
		"cleaned away":       {1, nil, river.ErrNotFound, false, false},
		"can't be looked up": {1, nil, broken, false, true},
	} {
		got, err := inLine(t.Context(), jobGet{row: tt.row, err: tt.err}, tt.id, noon, again)
		if got != tt.want || (err != nil) != tt.fails {
			t.Errorf("%s: got %v, %v; want %v, fails %v", name, got, err, tt.want, tt.fails)
		}
	}
}

// A plan that was queued by a daemon that died before it made the job, or whose job died with a worker, gets another one; and one whose job is in
// line gets none.
func TestEngineMakesLostJobsAnew(t *testing.T) {
	onEachReal(t, func(t *testing.T, s *Store) {
		enqueue(t, s, order("a"))
		dispatch(t, s)
		overdue := func() {
			t.Helper()
			if _, err := s.exec(t.Context(), s.db, "UPDATE dwp_plans SET due = 1 WHERE status = 'queued'"); err != nil {
				t.Fatal(err)
			}
		}
		overdue()
		u := newTurns()
		stop, _ := startEngine(t, s, u, func(e *Engine) { e.Workers = 1 })
		u.next(t)
		// With its only worker busy, b waits in line; being looked at again adds no job.
		enqueue(t, s, order("b"))
		jobs := func() (n int) {
			t.Helper()
			if err := s.db.QueryRowContext(t.Context(), "SELECT count(*) FROM river_job").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		until := time.Now().Add(patience)
		for jobs() < 2 && time.Now().Before(until) {
			time.Sleep(10 * time.Millisecond)
		}
		overdue()
		for p, err := s.Plan(t.Context(), "b"); !p.Due.After(time.Now()); p, err = s.Plan(t.Context(), "b") {
			if err != nil || time.Now().After(until) {
				t.Fatalf("b was not looked at again: %v", err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		u.end <- Outcome{Code: 5, Result: "plan-blocked", Told: true}
		if l := u.next(t); l.Path != "b" {
			t.Errorf("a turn of %q began", l.Path)
		}
		u.end <- Outcome{Code: 5, Result: "plan-blocked", Told: true}
		if err := stop(); err != nil {
			t.Error(err)
		}
		if n := jobs(); n != 2 {
			t.Errorf("%d jobs were made, want 2", n)
		}
	})
}
