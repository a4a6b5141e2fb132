package daemon

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// holding runs hold in a bubble of its own time, and tells when the work was told to end, counted from when the lease was taken.
func holding(t *testing.T, ttl, ending, works time.Duration, renew func(at time.Duration) (bool, error)) (told time.Duration, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		l := &Lease{Taken: begun, TTL: ttl}
		err = hold(t.Context(), l, ending, func(context.Context) (bool, error) { return renew(time.Since(begun)) }, func(ctx context.Context) {
			select {
			case <-ctx.Done():
				told = time.Since(begun)
			case <-time.After(works):
			}
		})
	})
	return told, err
}

// UN-2: a lease is renewed every third of its time, as long as the turn takes.
func TestHoldRenews(t *testing.T) {
	var renewals []time.Duration
	told, err := holding(t, 3*time.Minute, 10*time.Second, 10*time.Minute, func(at time.Duration) (bool, error) {
		renewals = append(renewals, at)
		return true, nil
	})
	if err != nil || told != 0 {
		t.Fatalf("got %v, told to end after %s; want the turn's own end", err, told)
	}
	if len(renewals) < 9 || renewals[0] != time.Minute || renewals[8] != 9*time.Minute {
		t.Errorf("renewed at %v, want every minute", renewals)
	}
}

// C61, C63: who can't reach the database ends its turn before the lease ends, so that another can't begin beside it.
func TestHoldFencesItself(t *testing.T) {
	const ttl, ending = 3 * time.Minute, 10 * time.Second
	for _, tt := range []struct {
		name  string
		renew func(at time.Duration) (bool, error)
		want  time.Duration // when the turn is told to end
	}{
		{"never reached", func(time.Duration) (bool, error) { return false, errors.New("no route") }, ttl - ending},
		{"lost after a renewal", func(at time.Duration) (bool, error) {
			if at > time.Minute {
				return false, errors.New("no route")
			}
			return true, nil
		}, time.Minute + ttl - ending},
		{"the database says that it is another's", func(time.Duration) (bool, error) { return false, nil }, time.Minute},
		{"back in time", func(at time.Duration) (bool, error) {
			if at < 150*time.Second {
				return false, errors.New("no route")
			}
			return at < 4*time.Minute, nil
		}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			told, err := holding(t, ttl, ending, time.Hour, tt.renew)
			if !errors.Is(err, errLost) {
				t.Fatalf("got %v, want that the lease was lost", err)
			}
			if tt.want != 0 && told != tt.want {
				t.Errorf("told to end after %s, want %s", told, tt.want)
			}
			if tt.want == 0 && told < 4*time.Minute {
				t.Errorf("told to end after %s, before the database said that the lease was lost", told)
			}
		})
	}
}

// A renewal that hangs counts as none: it is given up, and the turn still ends in time.
func TestHoldOutlastsHangingRenewals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var told time.Duration
		hangs := func(ctx context.Context) (bool, error) { <-ctx.Done(); return false, ctx.Err() }
		err := hold(t.Context(), &Lease{Taken: begun, TTL: 3 * time.Minute}, 10*time.Second, hangs, func(ctx context.Context) {
			<-ctx.Done()
			told = time.Since(begun)
		})
		if !errors.Is(err, errLost) || told > 3*time.Minute {
			t.Errorf("got %v, told to end after %s; want it before 3m", err, told)
		}
	})
}

// While a daemon stops, and its turn writes its checkpoint, the lease is renewed still.
func TestHoldRenewsWhileEnding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		begun := time.Now()
		var last time.Duration
		renew := func(ctx context.Context) (bool, error) {
			if ctx.Err() != nil {
				t.Error("a renewal was asked for with a context that had ended")
			}
			last = time.Since(begun)
			return true, nil
		}
		time.AfterFunc(90*time.Second, stop)
		err := hold(ctx, &Lease{Taken: begun, TTL: 3 * time.Minute}, 10*time.Second, renew, func(ctx context.Context) {
			<-ctx.Done()
			time.Sleep(5 * time.Minute)
		})
		if err != nil || last < 6*time.Minute {
			t.Errorf("got %v, last renewal after %s; want it kept to the end", err, last)
		}
	})
}
