package disk

import (
	"context"
	"os"
	"time"
)

// System is what a lock needs of the world: a clock, and facts about processes. A nil function is the real one.
type System struct {
	Now func() time.Time
	// Sleep waits, or returns early with the context's error.
	Sleep func(context.Context, time.Duration) error
	// Self describes the running process.
	Self func() Process
	// Start tells whether the process with this number runs, and since when, as in Process.Start; "" when that
	// can't be told. What can't be told to be dead runs.
	Start func(pid int) (start string, runs bool)
}

func (s System) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

func (s System) sleep(ctx context.Context, d time.Duration) error {
	if s.Sleep != nil {
		return s.Sleep(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s System) self() Process {
	if s.Self != nil {
		return s.Self()
	}
	p := thisProcess()
	p.PID = os.Getpid()
	p.Host, _ = os.Hostname() // "" is never the same host
	return p
}

func (s System) start(pid int) (start string, runs bool) {
	if s.Start != nil {
		return s.Start(pid)
	}
	return processStart(pid)
}
