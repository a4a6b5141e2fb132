package turn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
)

// Budget bounds a run. Every bound is finite and holds whatever the agent does: people have lost nights to thousands of empty turns.
type Budget struct {
	Turns          int
	Time, TurnTime time.Duration // of the run, and of the agent in one turn
	// Cost is in US dollars, as agents count them. It is known when a turn has ended, so that the last one may go beyond.
	Cost float64
}

// Check names the first bound that is none.
func (b *Budget) Check() error {
	switch {
	case b.Turns <= 0:
		return fmt.Errorf("the bound of turns is not above zero: %d", b.Turns)
	case b.Time <= 0:
		return fmt.Errorf("the bound of time is not above zero: %s", b.Time)
	case b.TurnTime <= 0:
		return fmt.Errorf("the bound of a turn's time is not above zero: %s", b.TurnTime)
	case !(b.Cost > 0) || math.IsInf(b.Cost, 0): // NaN is not above zero either
		return fmt.Errorf("the bound of costs is no finite number above zero: %v", b.Cost)
	}
	return nil
}

// Until says how far a run goes.
type Until string

// How far.
const (
	UntilCompleted Until = "completed" // a blocked task holds up what depends on it, and the others go on (UN-7)
	UntilBlocked   Until = "blocked"   // the first task that is blocked ends the run
)

// End is why a run ended. To reach a bound is a named end, and no error.
type End string

// Ends.
const (
	EndCompleted   End = "completed"
	EndBlocked     End = "blocked" // nothing more may start until a person answers
	EndStopped     End = "stopped" // a stop condition holds (UN-3)
	EndMaxTurns    End = "max-turns"
	EndMaxTime     End = "max-time"
	EndMaxCost     End = "max-cost"
	EndInterrupted End = "interrupted"
	EndRefused     End = "refused"  // a precondition is missing (UN-1)
	EndNoAgent     End = "no-agent" // the agent could not be started
	EndLocked      End = "locked"   // the plan is another's
	EndFailed      End = "failed"   // anything else that could not be done
)

// Reached is how far a plan is.
type Reached struct {
	Done, Total int // tasks
	Completed   bool
	Blocked     bool // a task is blocked, though others may go on (UN-7)
}

// Took is one turn of a run.
type Took struct {
	Number   int // in the run, from 1
	Outcome  Outcome
	Err      error
	Duration time.Duration
	Cost     float64
	HasCost  bool // the agent told what it cost
	Reached  Reached
}

// Ran is what became of a run.
type Ran struct {
	End      End
	Err      error // of the turn that could not be taken; nil for most ends
	Stop     *Stop
	Turns    []Took
	Duration time.Duration
	Cost     float64
	Unpriced int // turns whose agent ran and told no cost
	Reached  Reached
}

// Loop takes turns in a row. What a turn may do is decided by Take; the loop decides only whether there is another.
type Loop struct {
	Turn   Turn
	Budget Budget
	Until  Until
	// Take takes a turn, as Turn says then; nil for Turn.Take. Look tells how far the plan is, Sleep waits, Now is the clock: nil for the real
	// ones.
	Take  func(context.Context) (Outcome, error)
	Look  func() (Reached, error)
	Sleep func(context.Context, time.Duration) error
	Now   func() time.Time
	After func(Took) // is told each turn that has ended; may be nil

	ran       Ran
	begun     time.Time
	fruitless int // turns in a row
}

// Paused is the event of a loop that waits before it tries again.
const Paused EventKind = "paused"

// pauses are the times between turns that bring nothing, the last for all that follow: an agent whose service is down must not be called
// a thousand times (S4 ends two such turns on the same task anyway).
var pauses = [...]time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute}

// Run takes turns until one of the ends holds. For each, in this order: a person's interrupt, the bounds, the turn with what is left of
// the time, the end that its outcome means, a pause when it brought nothing. Take is called Budget.Turns times at most, whatever it returns.
func (l *Loop) Run(ctx context.Context) Ran {
	if err := l.Budget.Check(); err != nil {
		return Ran{End: EndFailed, Err: err}
	}
	l.settle()
	for {
		if ctx.Err() != nil {
			return l.ended(EndInterrupted, nil)
		}
		left := l.Budget.Time - l.ran.Duration
		if end := l.spent(left); end != "" {
			return l.ended(end, nil)
		}
		if l.Until == UntilBlocked && l.ran.Reached.Blocked { // by whomever, and whenever
			return l.ended(EndBlocked, nil)
		}
		l.Turn.MaxTime = min(l.Budget.TurnTime, left)
		if end, err := l.take(ctx); end != "" {
			return l.ended(end, err)
		}
		if end := l.pause(ctx); end != "" {
			return l.ended(end, nil)
		}
	}
}

// settle fills in what was left to the loop, and begins.
func (l *Loop) settle() {
	l.ran, l.fruitless = Ran{}, 0
	if l.Take == nil {
		l.Take = l.Turn.Take
	}
	if l.Look == nil {
		l.Look = l.look
	}
	if l.Sleep == nil {
		l.Sleep = sleep
	}
	if l.Now == nil {
		l.Now = l.Turn.Plan.Now
	}
	if l.Until == "" {
		l.Until = UntilCompleted
	}
	l.begun = l.Now()
	l.watch()
}

// spent names the bound that is reached. What is left of the time has to be worth a turn: an agent that is ended in the middle of its
// first words costs money and looks as if it had brought nothing.
func (l *Loop) spent(left time.Duration) End {
	least := min(l.Budget.TurnTime, l.Budget.Time) / 10
	switch {
	case len(l.ran.Turns) >= l.Budget.Turns:
		return EndMaxTurns
	case left <= least:
		return EndMaxTime
	case l.ran.Cost >= l.Budget.Cost:
		return EndMaxCost
	}
	return ""
}

// take takes one turn, counts it, and names the end that it means; "" to go on.
func (l *Loop) take(ctx context.Context) (End, error) {
	began := l.Now()
	o, err := l.Take(ctx)
	t := Took{Number: len(l.ran.Turns) + 1, Outcome: o, Err: err, Duration: max(l.Now().Sub(began), 0)}
	if o.Record != nil && o.Record.Run != nil {
		told := o.Record.Run.Report
		if t.HasCost = told.HasCost && told.Cost >= 0; t.HasCost {
			t.Cost = told.Cost
		} else {
			l.ran.Unpriced++
		}
	}
	l.ran.Cost += t.Cost
	l.watch()
	t.Reached = l.ran.Reached
	l.ran.Turns = append(l.ran.Turns, t)
	if l.After != nil {
		l.After(t)
	}
	if err != nil {
		return endOf(err), err
	}
	l.ran.Stop = o.Stop
	if end := l.outcome(&o); end != "" {
		return end, nil
	}
	l.fruitless++
	if o.Result == Completed || o.Result == Progress || o.Result == Blocked { // the next turn is about another task, or goes on
		l.fruitless = 0
	}
	return "", nil
}

// outcome names the end that a turn means which was taken; "" to go on.
func (l *Loop) outcome(o *Outcome) End {
	switch {
	case o.Result == Interrupted:
		return EndInterrupted
	case o.Result == PlanDone:
		return EndCompleted
	case o.Result == PlanBlocked:
		return EndBlocked
	case o.Stop != nil || o.Result == StoppedNow:
		return EndStopped
	case o.Result == Blocked && l.Until == UntilBlocked:
		return EndBlocked
	case o.Result == Completed && l.ran.Reached.Completed: // no turn is needed to find that out
		return EndCompleted
	}
	return ""
}

// pause waits after a turn that brought nothing. A pause that leaves no time for a turn is not made.
func (l *Loop) pause(ctx context.Context) End {
	if l.fruitless == 0 || len(l.ran.Turns) >= l.Budget.Turns {
		return ""
	}
	wait := pauses[min(l.fruitless, len(pauses))-1]
	if end := l.spent(l.Budget.Time - l.ran.Duration - wait); end != "" {
		return end
	}
	if l.Turn.Tell != nil {
		l.Turn.Tell(Event{Kind: Paused, At: l.Now(), Text: fmt.Sprintf("the turn brought nothing; the next one in %s", wait)})
	}
	if err := l.Sleep(ctx, wait); err != nil && ctx.Err() == nil {
		return EndFailed // a loop that can't wait doesn't go on without
	}
	l.watch()
	return ""
}

// watch looks at the clock and at the plan. A clock that is set back doesn't give time back; a plan that can't be read is for the turn to
// say.
func (l *Loop) watch() {
	l.ran.Duration = max(l.ran.Duration, l.Now().Sub(l.begun))
	if p, err := l.Look(); err == nil {
		l.ran.Reached = p
	}
}

// ended closes the account of a run.
func (l *Loop) ended(end End, err error) Ran {
	l.ran.Duration = max(l.ran.Duration, l.Now().Sub(l.begun))
	l.ran.End, l.ran.Err = end, err
	return l.ran
}

// look reads how far the plan is.
func (l *Loop) look() (Reached, error) {
	s, err := plan.Read(l.Turn.Plan.FS, l.Turn.Plan.Name)
	if err != nil {
		return Reached{}, err
	}
	o := s.Overview()
	return Reached{Done: o.Completed, Total: o.Total, Completed: o.Status == state.Completed && o.Completed == o.Total, Blocked: blockerOf(s) != nil}, nil
}

// endOf names the end that an error of Take means.
func endOf(err error) End {
	refused, no := errors.AsType[*publish.Refused](err)
	_, absent := errors.AsType[*NotRun](err)
	_, held := errors.AsType[*disk.LockedError](err)
	switch {
	case errors.Is(err, context.Canceled):
		return EndInterrupted
	case held, errors.Is(err, disk.ErrLockLost), errors.Is(err, disk.ErrMoved):
		return EndLocked
	case no && (refused.Rule == "guard/moved-on" || refused.Rule == "guard/moving"): // not wrong, only late
		return EndLocked
	case no:
		return EndRefused
	case absent:
		return EndNoAgent
	}
	return EndFailed
}

// sleep waits, or for the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TaskOf is the task that a turn was about; 0 for none.
func (o *Outcome) TaskOf() int {
	switch {
	case o.Record != nil:
		return o.Record.Task
	case o.Stop != nil:
		return o.Stop.Task
	}
	return 0
}
