package disk

import (
	"context"
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

// AcquireLease takes the lease of a turn, without waiting. Held by another, it is a *LockedError.
func AcquireLease(ctx context.Context, fsys FS, owner Owner, sys System) (*Lock, error) {
	panic("not built")
}

// InspectLease looks at the lease, as Inspect does at the lock.
func InspectLease(fsys FS, sys System) (Holding, error) { panic("not built") }

// ReclaimLease removes a lease whose owner is provably dead, or has a lower number of the caller's queue, and returns whom it was of
// (GU-10, UN-2). One of anybody else stays.
func ReclaimLease(fsys FS, fence Fence, sys System) ([]Holder, error) { panic("not built") }

// HoldsLease reports whether the lease is still that of an owner, by its ID.
func HoldsLease(fsys FS, id string) (bool, error) { panic("not built") }
