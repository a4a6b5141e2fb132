package turn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/publish"
	"pgregory.net/rapid"
)

// night is a run whose turns are given, on a clock of its own.
type night struct {
	Loop
	now     time.Time
	each    time.Duration // how long a turn takes
	turns   []Outcome     // what they come to; the last for all that follow
	errs    map[int]error // by call, from 1
	calls   int
	limits  []time.Duration // Turn.MaxTime at each call
	waits   []time.Duration
	done    int // tasks
	total   int
	blocked bool
}

func newNight(turns ...Outcome) *night {
	n := &night{now: time.Date(2026, 9, 2, 22, 0, 0, 0, time.UTC), each: 10 * time.Minute, turns: turns, total: 8}
	n.Loop = Loop{
		Budget: Budget{Turns: 50, Time: 8 * time.Hour, TurnTime: 30 * time.Minute, Cost: 100},
		Now:    func() time.Time { return n.now },
		Look: func() (Reached, error) {
			return Reached{Done: n.done, Total: n.total, Completed: n.done == n.total, Blocked: n.blocked}, nil
		},
		Sleep: func(_ context.Context, d time.Duration) error {
			n.waits, n.now = append(n.waits, d), n.now.Add(d)
			return nil
		},
		Take: func(context.Context) (Outcome, error) {
			n.calls++
			n.limits, n.now = append(n.limits, n.Turn.MaxTime), n.now.Add(n.each)
			o := n.turns[min(n.calls, len(n.turns))-1]
			if o.Result == Completed {
				n.done = min(n.done+1, n.total)
			}
			return o, n.errs[n.calls]
		},
	}
	return n
}

// cost is a turn that moved, with what its agent told of the cost.
func cost(dollars float64, known bool) Outcome {
	return Outcome{Result: Progress, Record: &Record{N: 1, Task: 1, Run: &Run{Report: Told{Cost: dollars, HasCost: known}}}}
}

// UN-2, UN-3: each outcome of a turn means going on, or one named end.
func TestLoopEnds(t *testing.T) {
	stop := &Stop{Condition: S1, Rule: "turn/gate-failing", Task: 2}
	done, more := Outcome{Result: Completed}, Outcome{Result: Progress}
	for name, c := range map[string]struct {
		turns []Outcome
		err   error // of the last turn
		until Until
		end   End
		calls int
	}{
		"every task completed":             {turns: []Outcome{done}, end: EndCompleted, calls: 8},
		"nothing was left to do":           {turns: []Outcome{{Result: PlanDone}}, end: EndCompleted, calls: 1},
		"nothing may start (C97)":          {turns: []Outcome{done, {Result: PlanBlocked}}, end: EndBlocked, calls: 2},
		"a stop":                           {turns: []Outcome{more, {Result: StoppedNow, Stop: stop}}, end: EndStopped, calls: 2},
		"a completed task and a stop":      {turns: []Outcome{{Result: Completed, Stop: stop}}, end: EndStopped, calls: 1},
		"a stop that says no more":         {turns: []Outcome{{Result: StoppedNow}}, end: EndStopped, calls: 1},
		"blocked, others go on (UN-7)":     {turns: []Outcome{{Result: Blocked}, done}, end: EndCompleted, calls: 9},
		"blocked, until blocked":           {turns: []Outcome{done, {Result: Blocked}, done}, until: UntilBlocked, end: EndBlocked, calls: 2},
		"interrupted":                      {turns: []Outcome{{Result: Interrupted}}, end: EndInterrupted, calls: 1},
		"the turn's context was cancelled": {turns: []Outcome{{}}, err: fmt.Errorf("wait: %w", context.Canceled), end: EndInterrupted, calls: 1},
		"a missing precondition (UN-1)":    {turns: []Outcome{{}}, err: publish.RefuseBy(nil, "guard/approval", "no"), end: EndRefused, calls: 1},
		"changed meanwhile":                {turns: []Outcome{{}}, err: publish.RefuseBy(nil, "guard/moved-on", "no"), end: EndLocked, calls: 1},
		"another's lease":                  {turns: []Outcome{done, {}}, err: &disk.LockedError{}, end: EndLocked, calls: 2},
		"the lease is lost (C65)":          {turns: []Outcome{{}}, err: fmt.Errorf("check: %w", disk.ErrLockLost), end: EndLocked, calls: 1},
		"no such agent":                    {turns: []Outcome{{}}, err: fmt.Errorf("start: %w", &NotRun{"claude", "not found"}), end: EndNoAgent, calls: 1},
		"a full disk":                      {turns: []Outcome{done, {}}, err: errors.New("no space left"), end: EndFailed, calls: 2},
		"never an end":                     {turns: []Outcome{more}, end: EndMaxTime, calls: 48},
		"a result that does not exist":     {turns: []Outcome{{Result: "?"}}, end: EndMaxTime, calls: 33},
	} {
		t.Run(name, func(t *testing.T) {
			n := newNight(c.turns...)
			n.Until, n.errs = c.until, map[int]error{len(c.turns): c.err}
			got := n.Run(t.Context())
			if got.End != c.end || n.calls != c.calls || len(got.Turns) != c.calls {
				t.Errorf("end %q after %d turns, %d told; want %q after %d", got.End, n.calls, len(got.Turns), c.end, c.calls)
			}
			if (got.Err != nil) != (c.err != nil) {
				t.Errorf("error %v, want %v", got.Err, c.err)
			}
			if c.end == EndStopped && c.turns[len(c.turns)-1].Stop != got.Stop {
				t.Errorf("stop %v", got.Stop)
			}
		})
	}
}

// To reach a bound is a named end: turns, time, cost. The last turn gets what is left of the time and no more.
func TestLoopKeepsItsBudget(t *testing.T) {
	for name, c := range map[string]struct {
		budget Budget
		each   time.Duration
		turn   Outcome
		end    End
		limits []time.Duration
	}{
		"turns":                     {Budget{2, time.Hour, time.Hour, 9}, time.Minute, cost(1, true), EndMaxTurns, []time.Duration{time.Hour, 59 * time.Minute}},
		"time":                      {Budget{9, time.Hour, 40 * time.Minute, 9}, 40 * time.Minute, cost(1, true), EndMaxTime, []time.Duration{40 * time.Minute, 20 * time.Minute}},
		"no time that is worth it":  {Budget{9, time.Hour, 40 * time.Minute, 9}, 57 * time.Minute, cost(1, true), EndMaxTime, []time.Duration{40 * time.Minute}},
		"a run shorter than a turn": {Budget{9, time.Minute, time.Hour, 9}, time.Minute, cost(1, true), EndMaxTime, []time.Duration{time.Minute}},
		"cost":                      {Budget{9, time.Hour, time.Hour, 2.5}, time.Minute, cost(1, true), EndMaxCost, []time.Duration{time.Hour, 59 * time.Minute, 58 * time.Minute}},
		"a cost that is not told":   {Budget{2, time.Hour, time.Hour, 0.01}, time.Minute, cost(5, false), EndMaxTurns, []time.Duration{time.Hour, 59 * time.Minute}},
		"a cost below nothing":      {Budget{2, time.Hour, time.Hour, 0.01}, time.Minute, cost(-5, true), EndMaxTurns, []time.Duration{time.Hour, 59 * time.Minute}},
	} {
		t.Run(name, func(t *testing.T) {
			n := newNight(c.turn)
			n.Budget, n.each = c.budget, c.each
			got := n.Run(t.Context())
			if got.End != c.end || !slices.Equal(n.limits, c.limits) {
				t.Errorf("end %q with turns of %v, want %q with %v", got.End, n.limits, c.end, c.limits)
			}
			if told := c.turn.Record.Run.Report; got.Unpriced > 0 == (told.HasCost && told.Cost > 0) {
				t.Errorf("%d turns without a cost", got.Unpriced)
			}
		})
	}
}

// Every bound is finite: what is none is refused before the first turn.
func TestLoopRefusesABoundThatIsNone(t *testing.T) {
	for name, b := range map[string]Budget{
		"no turns": {0, 1, 1, 1}, "turns below zero": {-1, 1, 1, 1}, "no time": {1, 0, 1, 1}, "no time of a turn": {1, 1, 0, 1},
		"no cost": {1, 1, 1, 0}, "a cost below zero": {1, 1, 1, -1}, "a cost that is none": {1, 1, 1, math.NaN()}, "a cost without end": {1, 1, 1, math.Inf(1)},
	} {
		n := newNight(Outcome{Result: Completed})
		n.Budget = b
		if got := n.Run(t.Context()); got.End != EndFailed || got.Err == nil || n.calls > 0 {
			t.Errorf("%s: end %q, error %v, %d turns", name, got.End, got.Err, n.calls)
		}
	}
}

// An agent that brings nothing is called again only after a pause, which grows; a turn that brings something ends that.
func TestLoopWaitsAfterFruitlessTurns(t *testing.T) {
	nothing, more := Outcome{Result: NoProgress}, Outcome{Result: Progress}
	n := newNight(nothing, nothing, more, nothing, nothing, nothing, nothing, nothing, Outcome{Result: PlanBlocked})
	var told []Event
	n.Turn.Tell = func(e Event) { told = append(told, e) }
	got := n.Run(t.Context())
	want := []time.Duration{5 * time.Second, 30 * time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute, 5 * time.Minute}
	if got.End != EndBlocked || !slices.Equal(n.waits, want) {
		t.Errorf("end %q, waits %v, want %v", got.End, n.waits, want)
	}
	if len(told) != len(want) || told[1].Kind != Paused || told[1].Text != "the turn brought nothing; the next one in 30s" {
		t.Errorf("told %v", told)
	}
	n = newNight(nothing)
	n.Budget.Turns = 1
	if got := n.Run(t.Context()); got.End != EndMaxTurns || len(n.waits) > 0 {
		t.Errorf("a pause before the end of the run: %q, %v", got.End, n.waits)
	}
}

// An interrupt during a pause, or between turns, ends the run at once.
func TestLoopIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := newNight(Outcome{Result: NoProgress})
	n.Sleep = func(ctx context.Context, _ time.Duration) error {
		cancel()
		return ctx.Err()
	}
	if got := n.Run(ctx); got.End != EndInterrupted || n.calls != 1 {
		t.Errorf("in a pause: %q after %d turns", got.End, n.calls)
	}
	n = newNight(Outcome{Result: Progress})
	if got := n.Run(ctx); got.End != EndInterrupted || n.calls != 0 {
		t.Errorf("before: %q after %d turns", got.End, n.calls)
	}
}

// Whatever turns come to, however the clock jumps and whether waiting works: no more of them than the bound, none longer than what is
// left, no pause beyond the time, and always a named end. People have lost nights to thousands of empty iterations.
func TestLoopIsBoundedWhateverHappens(t *testing.T) {
	results := []Result{Open, Completed, Progress, NoProgress, Blocked, StoppedNow, Lost, Interrupted, PlanDone, PlanBlocked, "", "nonsense"}
	ends := []End{EndCompleted, EndBlocked, EndStopped, EndMaxTurns, EndMaxTime, EndMaxCost, EndInterrupted, EndLocked, EndFailed, EndNoAgent}
	rapid.Check(t, func(t *rapid.T) {
		n := newNight()
		b := Budget{
			Turns: rapid.IntRange(1, 40).Draw(t, "turns"), Time: time.Duration(rapid.Int64Range(1, 1e14).Draw(t, "time")),
			TurnTime: time.Duration(rapid.Int64Range(1, 1e13).Draw(t, "turn time")), Cost: rapid.Float64Range(1e-9, 1e3).Draw(t, "cost"),
		}
		n.Budget = b
		n.Until = rapid.SampledFrom([]Until{UntilCompleted, UntilBlocked, "", "else"}).Draw(t, "until")
		n.Look = func() (Reached, error) {
			return Reached{Completed: rapid.IntRange(0, 20).Draw(t, "completed") == 0}, nil
		}
		began, took, waited := n.now, time.Duration(0), time.Duration(0)
		n.Sleep = func(_ context.Context, d time.Duration) error {
			waited += d
			n.now = n.now.Add(d)
			return nil
		}
		n.Take = func(context.Context) (Outcome, error) {
			n.calls++
			if limit := n.Turn.MaxTime; limit <= 0 || limit > b.TurnTime || limit > b.Time-took {
				t.Fatalf("turn %d gets %s, with %s of %s gone", n.calls, limit, took, b.Time)
			}
			n.now = n.now.Add(time.Duration(rapid.Int64Range(-1e12, 1e12).Draw(t, "took")))
			took = max(took, n.now.Sub(began))
			o := cost(rapid.Float64().Draw(t, "told"), rapid.Bool().Draw(t, "priced"))
			o.Result = rapid.SampledFrom(results).Draw(t, "result")
			if rapid.IntRange(0, 20).Draw(t, "stops") == 0 {
				o.Stop = &Stop{Condition: S3}
			}
			return o, rapid.SampledFrom([]error{nil, nil, nil, nil, nil, nil, nil, &NotRun{}, disk.ErrLockLost, errors.New("x")}).Draw(t, "error")
		}
		got := n.Run(context.Background())
		if n.calls > b.Turns || len(got.Turns) != n.calls {
			t.Fatalf("%d turns, %d told, with a bound of %d", n.calls, len(got.Turns), b.Turns)
		}
		if waited > b.Time {
			t.Fatalf("waited %s, with a bound of %s", waited, b.Time)
		}
		if !slices.Contains(ends, got.End) {
			t.Fatalf("end %q", got.End)
		}
	})
}

// TestLoopUntilBlocked: a task that is blocked ends such a run before it hands out another one, today's as yesterday's; any other run goes on
// with what doesn't wait for it (UN-7).
func TestLoopUntilBlocked(t *testing.T) {
	for until, calls := range map[Until]int{UntilBlocked: 0, UntilCompleted: 1} {
		n := newNight(Outcome{Result: PlanBlocked})
		n.Until, n.blocked = until, true
		if ran := n.Run(t.Context()); ran.End != EndBlocked || n.calls != calls {
			t.Errorf("%s: %s after %d calls, want %d", until, ran.End, n.calls, calls)
		}
	}
}
