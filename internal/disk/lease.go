package disk

import (
	"context"
	"errors"
	"io/fs"
)

// LeaseDir is the folder of a turn's lease, in the plan folder. Its protocol is that of the lock (UN-2, GU-10); the two don't exclude each
// other, since the agent's own commands take the lock while the turn holds the lease.
const LeaseDir = "turn.lease"

// Fence is the number of a queue's lease on a plan. A higher number of the same queue is later: who had a lower one has lost the plan, dead
// or not. The zero value is none.
type Fence struct {
	Queue  string
	Number int64
}

// Before reports whether a number was given earlier than another, by the same queue.
func (f Fence) Before(later Fence) bool {
	return f.Queue != "" && f.Queue == later.Queue && f.Number < later.Number
}

// AcquireLease takes the lease of a turn, without waiting. Held by another, it is a *LockedError. Its ID, by which the turn's own commands
// are known (HoldsLease), is that of Lock.Owner. Check, Release and the errors are those of the lock.
func AcquireLease(ctx context.Context, fsys FS, owner Owner, sys System) (*Lock, error) {
	return acquire(ctx, fsys, LeaseDir, owner, 0, sys)
}

// InspectLease looks at the lease, as Inspect does at the lock.
func InspectLease(fsys FS, sys System) (Holding, error) {
	return lockFolder(LeaseDir).inspect(fsys, sys)
}

// ReclaimLease removes a lease whose owner is provably dead, or has a lower number of the caller's queue, and returns whom it was of
// (GU-10, UN-2). One of anybody else stays, and is a *LockedError; with no lease there is nothing to return.
//
// Taking by number is no stealing by age, which GU-10 forbids: nobody here looks at a clock. A queue gives a plan to one turn at a time,
// and the next number only when its database says that the last one's time is over; the owner of the last one, dead, cut off or paused
// on another machine, has lost the plan by then. Whatever it still tries to write is refused, since its ID holds no lease any more.
//
// An empty folder is nobody's lease, though it would be a lock: no other program makes one, and its maker writes the owner before it looks whether
// it has it. A process that was killed between two steps left it; one that is between them finds the folder gone, and has no lease.
func ReclaimLease(fsys FS, fence Fence, sys System) ([]Holder, error) {
	h, err := InspectLease(fsys, sys)
	if err == nil && h.Held && len(h.Holders) == 0 && len(h.Others) == 0 {
		// Not when an owner has come into it meanwhile: only an empty folder can be removed.
		if err := fsys.Remove(LeaseDir); err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	return lockFolder(LeaseDir).reclaim(fsys, sys, func(h Holder) bool {
		return h.dead() || h.Err == nil && h.Fence.Before(fence)
	})
}

// HoldsLease reports whether the lease is still that of an owner, by its ID, and of no other.
func HoldsLease(fsys FS, id string) (bool, error) {
	err := lockFolder(LeaseDir).check(fsys, id)
	if errors.Is(err, ErrLockLost) {
		return false, nil
	}
	return err == nil, err
}

// ClearLease removes the lease that a person was shown and names by its owner's ID, as Clear does with the lock (GU-10, C63).
func ClearLease(fsys FS, id string, sys System) (Holder, error) {
	return lockFolder(LeaseDir).clear(fsys, id, sys)
}
