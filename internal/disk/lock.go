package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"time"
)

// LockDir is the lock's folder, beside state.json; the standard's helpers use the same name (GU-10).
const LockDir = "state.json.lock"

// Owner files are named owner-<random id>.json.
const (
	ownerPrefix = "owner-"
	ownerSuffix = ".json"
)

// The wait between two tries for a lock: it doubles from the first to the last.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = 200 * time.Millisecond
)

// ErrLockLost: the lock folder is not ours any more; somebody cleared it. Nothing more may be written.
var ErrLockLost = errors.New("the lock was taken away")

// Lock is a lock that is held. The state must be read after Acquire and written before Release (GU-9, C55); Check comes
// right before each rename.
type Lock struct {
	fsys     FS
	owner    Owner
	released bool
}

// Acquire takes the lock of a plan for owner, waiting up to wait for a holder to release it; then it returns
// a *LockedError (C59). It never takes a lock from anybody, however old (C61, C63). In this order:
//
//	mkdir   state.json.lock                   fails when it is there: who made it has the lock
//	openat  owner-ID.json  O_CREAT|O_EXCL     in the folder we made
//	write, close                              not flushed: after a power cut no owner is left to be found
//	readdir state.json.lock                   ours, and ours alone
//
// When any of it fails, what was made is removed again: no lock leaks on a full disk (TRAPS). In between, others
// see a folder without an owner, held by someone unknown, as the standard's helpers leave it, which only mkdir and
// rmdir; they and we keep each other out.
func Acquire(ctx context.Context, fsys FS, owner Owner, wait time.Duration, sys System) (*Lock, error) {
	l := &Lock{fsys: fsys, owner: sys.complete(owner)}
	begin := sys.now()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		taken, err := l.try(sys)
		if err != nil {
			return nil, err
		}
		if taken {
			return l, nil
		}
		left := wait - sys.now().Sub(begin)
		if left <= 0 {
			return nil, locked(fsys, sys, wait)
		}
		// Each a little differently, so that those who wait don't come back together.
		jitter := time.Duration(rand.Int64N(int64(pause)))
		if err := sys.sleep(ctx, min(pause/2+jitter, left)); err != nil {
			return nil, fmt.Errorf("wait for the lock %s: %w", LockDir, err)
		}
	}
}

// complete fills in who the running process is.
func (s System) complete(o Owner) Owner {
	o.ID = randomID()
	o.Process = s.self()
	return o
}

// try makes one attempt. Held by another is no error.
func (l *Lock) try(sys System) (taken bool, err error) {
	err = l.fsys.Mkdir(LockDir, folderMode)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("make the lock %s: %w", LockDir, cause(err))
	}
	l.owner.Since = sys.now()
	if step, err := writeNew(l.fsys, l.path(), l.owner.format(), 0, unflushed); err != nil {
		if _, gone := l.fsys.Lstat(LockDir); errors.Is(err, fs.ErrNotExist) && errors.Is(gone, fs.ErrNotExist) {
			return false, nil // cleared as ownerless in this very moment, by a person: not ours to remove
		}
		return false, l.abandon(step+" the owner file", err)
	}
	switch err := l.Check(); {
	case errors.Is(err, ErrLockLost): // cleared, and already taken by another
		if err := l.withdraw(); err != nil {
			return false, fmt.Errorf("make the lock %s: %w; left behind: %s", LockDir, cause(err), l.path())
		}
		return false, nil
	case err != nil:
		return false, l.abandon("look at it again", err)
	}
	return true, nil
}

// withdraw takes our owner file, if it was made, out of the folder.
func (l *Lock) withdraw() error {
	if err := l.fsys.Remove(l.path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// abandon removes a lock that could not be made whole.
func (l *Lock) abandon(step string, err error) error {
	err = fmt.Errorf("make the lock %s: %s: %w; nothing was written", LockDir, step, cause(err))
	left := l.withdraw()
	if left == nil {
		left = l.fsys.Remove(LockDir)
	}
	if left != nil && !errors.Is(left, fs.ErrNotExist) {
		err = fmt.Errorf("%w; left behind: %s", err, LockDir)
	}
	return err
}

func (l *Lock) path() string { return ownerPath(l.owner.ID) }

func ownerPath(id string) string { return path.Join(LockDir, ownerPrefix+id+ownerSuffix) }

// Owner is who holds the lock, with its ID.
func (l *Lock) Owner() Owner { return l.owner }

// Check tells whether the lock is still ours; it belongs right before the rename (C65). The error
// matches ErrLockLost, or says why that can't be told.
func (l *Lock) Check() error {
	if l.released {
		return fmt.Errorf("%w: it was released", ErrLockLost)
	}
	entries, err := l.fsys.ReadDir(LockDir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is gone", ErrLockLost, LockDir)
	}
	if err != nil {
		return fmt.Errorf("check the lock %s: %w", LockDir, cause(err))
	}
	mine, others := false, ""
	for _, e := range entries {
		switch id, ok := ownerID(e.Name()); {
		case id == l.owner.ID:
			mine = true
		case ok:
			others = e.Name()
		}
	}
	if !mine || others != "" {
		return fmt.Errorf("%w: %s has another owner %s", ErrLockLost, LockDir, others)
	}
	return nil
}

// Release gives the lock back: it unlinks our own owner file, and only then the folder (GU-10). An error matches ErrLockLost
// when another had taken it away; then nothing is removed. A second Release does nothing.
func (l *Lock) Release() error {
	if l.released {
		return nil
	}
	err := removeOwner(l.fsys, l.owner.ID)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrLockLost
	}
	if err != nil {
		return fmt.Errorf("release the lock: %w", err)
	}
	l.released = true
	return nil
}

// removeOwner unlinks one owner file; only who did that removes the folder, so that a lock which another made in
// the meantime stays. fs.ErrNotExist: another was quicker.
func removeOwner(fsys FS, id string) error {
	if err := fsys.Remove(ownerPath(id)); err != nil {
		return err
	}
	if err := fsys.Remove(LockDir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the folder %s: %w", LockDir, cause(err))
	}
	return nil
}
