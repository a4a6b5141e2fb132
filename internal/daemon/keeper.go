package daemon

import (
	"context"
	"errors"
	"time"
)

// errLost says that a lease is not the worker's any more, or soon won't be.
var errLost = errors.New("the lease on the plan was lost")

// hold does something while it renews a lease, every third of its time. What is done gets a context that is cancelled in time to end before the
// lease does, by the worker's own clock from before it asked: who can't reach the database stops by itself (self-fencing), and another may take
// the plan. ending is how long what is done takes to end. It returns errLost when that happened.
func hold(ctx context.Context, l *Lease, ending time.Duration, renew func(context.Context) (bool, error), do func(context.Context)) error {
	// Renewals go on after ctx has ended, until what is done has ended too.
	working, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		do(working)
	}()
	kept := l.Taken
	third := l.TTL / 3
	next := time.NewTimer(third)
	defer next.Stop()
	last := time.NewTimer(time.Until(kept.Add(l.TTL - ending)))
	defer last.Stop()
	for {
		select {
		case <-done:
			if errors.Is(context.Cause(working), errLost) {
				return errLost
			}
			return nil
		case <-last.C:
			lose(errLost)
			<-done
			return errLost
		case <-next.C:
		}
		asked := time.Now()
		ok, err := renewIn(ctx, third/2, renew)
		switch {
		case err != nil: // the database can't be asked: again soon, until the time is over
			next.Reset(third / 4)
		case !ok:
			lose(errLost)
			<-done
			return errLost
		default:
			kept = asked
			next.Reset(third)
			last.Reset(time.Until(kept.Add(l.TTL - ending)))
		}
	}
}

// renewIn asks for one renewal, and waits for the answer no longer than limit.
func renewIn(ctx context.Context, limit time.Duration, renew func(context.Context) (bool, error)) (bool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	return renew(ctx)
}
