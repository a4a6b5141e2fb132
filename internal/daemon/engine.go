package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"time"
)

// Engine takes turns of the plans in a queue, until it is told to stop.
type Engine struct {
	Store *Store
	Root  string // what the paths of plans are relative to, absolute
	// Worker names this process in the history.
	Worker  string
	Workers int // turns at one time, of different plans
	// TTL is the dead-man time-out: how long after its last sign of life another may take a worker's plan.
	TTL time.Duration
	// Grace is how long running turns may go on after the first request to stop; Ending is how long one that is told to end may take.
	Grace, Ending time.Duration
	Pace          Pace
	// Look is the longest the scheduler sleeps: another process may have changed the queue. Sooner it wakes only when a plan is due.
	Look time.Duration
	// Turn takes one turn of the plan in a folder.
	Turn func(ctx context.Context, dir string, l *Lease, grace time.Duration) Outcome
	// Tell is told what happens, from several goroutines; nil for nobody.
	Tell func(Event)
	Log  slog.Handler // River's warnings

	rescue time.Duration // rescueTime when 0
	nudge  chan struct{}
	jobs   jobs
}

// Event is something that happens in the queue.
type Event struct {
	Path   string // "" when it is about the queue itself
	Fence  int64
	Text   string // one line
	Faulty bool   // something that ought not to be
}

// Defaults of an engine.
const (
	DefaultTTL    = 2 * time.Minute
	DefaultGrace  = time.Minute
	DefaultEnding = 15 * time.Second
	DefaultLook   = 10 * time.Second
	// againTime is after how long a plan that is queued is looked at again: its job may be lost with a worker that was killed before it took the
	// lease.
	againTime = 20 * time.Second
)

// Run works until ctx ends, then lets the running turns end, for Grace at most; when now ends, they are ended at once. The order of steps:
//
//  1. start River, which works the jobs that are there
//  2. the scheduler: make jobs for the plans that are due; sleep until the next one is, or a turn ends here
//  3. a job: take the lease, run the turn, write how it ended, wake the scheduler
//  4. ctx ends: no new job is made or taken; turns end, or are ended; leases are given back
func (e *Engine) Run(ctx, now context.Context) error {
	if e.rescue == 0 {
		e.rescue = rescueTime
	}
	e.nudge = make(chan struct{}, 1)
	var err error
	if e.jobs, err = newJobs(e.Store, e.Workers, e.Grace, e.rescue, e.Log, e.work); err != nil {
		return err
	}
	// River's context outlives ctx: it ends by Stop, which waits.
	if err := e.jobs.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start the queue of jobs: %w", err)
	}
	e.schedule(ctx)
	stopped := make(chan error, 1)
	go func() { stopped <- e.jobs.Stop(context.WithoutCancel(ctx)) }()
	select {
	case err = <-stopped:
	case <-now.Done():
		// Called while the other stop is under way, it may not wait; the other does.
		err = errors.Join(e.jobs.StopAndCancel(context.WithoutCancel(ctx)), <-stopped)
	}
	if err != nil {
		return fmt.Errorf("stop the queue of jobs: %w", err)
	}
	return nil
}

// schedule makes jobs until ctx ends. One timer serves all plans.
func (e *Engine) schedule(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-e.nudge:
		case <-timer.C:
		}
		timer.Reset(e.round(ctx))
	}
}

// round makes jobs for the plans that are due, and tells how long to sleep.
func (e *Engine) round(ctx context.Context) time.Duration {
	for more := true; more; {
		var due []Plan
		var err error
		due, more, err = e.Store.Dispatch(ctx, e.Pace, againTime, e.signature)
		for i := 0; err == nil && i < len(due); i++ {
			err = e.insert(ctx, due[i])
		}
		if err != nil {
			e.fault(ctx, err)
			return e.Look // the database may come back; a job that was not made is made after a while
		}
	}
	next, some, err := e.Store.Due(ctx)
	switch {
	case err != nil:
		e.fault(ctx, err)
		return e.Look
	case !some:
		return e.Look
	}
	return min(next, e.Look)
}

// insert makes the job for a plan, unless it has one in line.
func (e *Engine) insert(ctx context.Context, p Plan) error {
	if waits, err := inLine(ctx, e.jobs, p.job, time.Now(), againTime); err != nil || waits {
		return err
	}
	made, err := e.jobs.Insert(ctx, job{p.Path, p.seq}, nil)
	if err == nil {
		// Without its number the job would be made a second time, which does no harm.
		err = e.Store.Job(ctx, p, made.Job.ID)
	}
	if err != nil {
		return fmt.Errorf("make a job for %q: %w", p.Path, err)
	}
	return nil
}

// fault tells what went wrong, unless that is because of the end.
func (e *Engine) fault(ctx context.Context, err error) {
	if ctx.Err() == nil {
		e.tell(Event{Text: err.Error(), Faulty: true})
	}
}

func (e *Engine) tell(event Event) {
	if e.Tell != nil {
		event.Text = oneLine(event.Text)
		e.Tell(event)
	}
}

func (e *Engine) folder(path string) string { return filepath.Join(e.Root, filepath.FromSlash(path)) }

func (e *Engine) signature(path string) string { return Signature(e.folder(path)) }

// reportTime is how long the database may take to be told how a turn ended.
const reportTime = 30 * time.Second

// work works one job: at most one turn of its plan.
func (e *Engine) work(ctx context.Context, path string) {
	// The files are looked at before the turn: what a person changes while it runs is then seen as changed.
	lease, err := e.Store.Take(ctx, path, e.Worker, e.signature(path), e.TTL)
	switch {
	case err != nil:
		e.fault(ctx, err)
		return
	case lease == nil:
		return // an old job, or worked twice: the plan is not queued
	}
	e.tell(Event{Path: path, Fence: lease.Fence, Text: fmt.Sprintf("turn %d begins", lease.Turns)})
	ending := min(e.Ending, e.TTL/4)
	var o Outcome
	renew := func(ctx context.Context) (bool, error) { return e.Store.Renew(ctx, lease) }
	err = hold(ctx, lease, ending+ending/4, renew, func(ctx context.Context) { o = e.Turn(ctx, e.folder(path), lease, ending) })
	o.Stopping = ctx.Err() != nil
	if err != nil {
		o.Note = joined(err.Error(), o.Note)
	}
	e.report(ctx, lease, o)
}

// report writes how a turn ended, and wakes the scheduler when the plan is due soon.
func (e *Engine) report(ctx context.Context, l *Lease, o Outcome) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportTime)
	defer cancel()
	p, held, err := e.Store.Finish(ctx, l, o, e.Pace, rand.Float64())
	switch {
	case err != nil:
		// The lease ends by itself, and the plan goes on from its files.
		e.tell(Event{Path: l.Path, Fence: l.Fence, Text: err.Error(), Faulty: true})
	case !held:
		e.tell(Event{Path: l.Path, Fence: l.Fence, Text: "the lease was lost, and with it the turn", Faulty: true})
	default:
		e.tell(Event{Path: l.Path, Fence: l.Fence, Text: ended(o, p)})
	}
	select {
	case e.nudge <- struct{}{}:
	default: // it is about to wake anyway
	}
}

// ended tells how a turn ended, and what comes next.
func ended(o Outcome, p Plan) string {
	result := o.Result
	if result == "" {
		result = fmt.Sprintf("failed (exit code %d)", o.Code)
	}
	text := "turn " + result + "; now " + string(p.Status)
	if p.Paused {
		text += ", paused"
	}
	if p.Status == Waiting && !p.Due.IsZero() {
		text += " until " + p.Due.UTC().Format(time.RFC3339)
	}
	return joined(text, p.Note)
}
