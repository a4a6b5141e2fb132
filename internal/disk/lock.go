package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"strings"
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

// lockFolder is a folder that is taken by making it: the plan's lock, or a turn's lease. One protocol serves both (GU-10, UN-2).
type lockFolder string

// word names in messages what the folder is.
func (f lockFolder) word() string {
	if f == LeaseDir {
		return "lease"
	}
	return "lock"
}

// title names it with its path.
func (f lockFolder) title() string { return f.word() + " " + string(f) }

func (f lockFolder) owner(id string) string { return path.Join(string(f), ownerPrefix+id+ownerSuffix) }

// wrong is one of the errors that callers branch on, in the words of the folder.
func (f lockFolder) wrong(sentinel error) error {
	if f == LockDir {
		return sentinel
	}
	return &namedError{err: sentinel, word: f.word()}
}

// namedError says of a lease what a sentinel says of the lock.
type namedError struct {
	err  error
	word string
}

func (e *namedError) Error() string { return strings.Replace(e.err.Error(), "lock", e.word, 1) }
func (e *namedError) Unwrap() error { return e.err }

// Lock is a lock, or a lease, that is held. The state must be read after Acquire and written before Release (GU-9, C55); Check
// comes right before each rename.
type Lock struct {
	fsys     FS
	folder   lockFolder
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
	return acquire(ctx, fsys, LockDir, owner, wait, sys)
}

func acquire(ctx context.Context, fsys FS, folder lockFolder, owner Owner, wait time.Duration, sys System) (*Lock, error) {
	l := &Lock{fsys: fsys, folder: folder, owner: sys.complete(owner)}
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
			return nil, locked(fsys, folder, sys, wait)
		}
		// Each a little differently, so that those who wait don't come back together.
		jitter := time.Duration(rand.Int64N(int64(pause)))
		if err := sys.sleep(ctx, min(pause/2+jitter, left)); err != nil {
			return nil, fmt.Errorf("wait for the %s: %w", folder.title(), err)
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
	err = l.fsys.Mkdir(string(l.folder), folderMode)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("make the %s: %w", l.folder.title(), cause(err))
	}
	l.owner.Since = sys.now()
	if step, err := l.record(); err != nil {
		if _, gone := l.fsys.Lstat(string(l.folder)); errors.Is(err, fs.ErrNotExist) && errors.Is(gone, fs.ErrNotExist) {
			return false, nil // cleared as ownerless in this very moment, by a person: not ours to remove
		}
		return false, l.abandon(step, err)
	}
	switch err := l.Check(); {
	case errors.Is(err, ErrLockLost): // cleared, and already taken by another
		if err := l.withdraw(); err != nil {
			return false, fmt.Errorf("make the %s: %w; left behind: %s", l.folder.title(), cause(err), l.path())
		}
		return false, nil
	case err != nil:
		return false, l.abandon("look at it again", err)
	}
	return true, nil
}

// record writes the owner file. One with a number is flushed: after a power cut it is by the number that a later lease of the queue
// knows the plan to be free.
func (l *Lock) record() (step string, err error) {
	numbered := l.owner.Fence != Fence{}
	if step, err := writeNew(l.fsys, l.path(), l.owner.format(), 0, numbered); err != nil || !numbered {
		return step + " the owner file", err
	}
	return "flush the folder", errors.Join(l.fsys.SyncDir(string(l.folder)), l.fsys.SyncDir("."))
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
	err = fmt.Errorf("make the %s: %s: %w; nothing was written", l.folder.title(), step, cause(err))
	left := l.withdraw()
	if left == nil {
		left = l.fsys.Remove(string(l.folder))
	}
	if left != nil && !errors.Is(left, fs.ErrNotExist) {
		err = fmt.Errorf("%w; left behind: %s", err, l.folder)
	}
	return err
}

func (l *Lock) path() string { return l.folder.owner(l.owner.ID) }

// Owner is who holds the lock, with its ID.
func (l *Lock) Owner() Owner { return l.owner }

// Check tells whether the lock is still ours; it belongs right before the rename (C65). The error
// matches ErrLockLost, or says why that can't be told.
func (l *Lock) Check() error {
	if l.released {
		return fmt.Errorf("%w: it was released", l.folder.wrong(ErrLockLost))
	}
	return l.folder.check(l.fsys, l.owner.ID)
}

// check demands that a folder has one owner, whose ID is given.
func (f lockFolder) check(fsys FS, id string) error {
	entries, err := fsys.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is gone", f.wrong(ErrLockLost), f)
	}
	if err != nil {
		return fmt.Errorf("check the %s: %w", f.title(), cause(err))
	}
	mine, others := false, ""
	for _, e := range entries {
		switch found, ok := ownerID(e.Name()); {
		case ok && found == id:
			mine = true
		case ok:
			others = e.Name()
		}
	}
	if !mine || others != "" {
		return fmt.Errorf("%w: %s has another owner %s", f.wrong(ErrLockLost), f, others)
	}
	return nil
}

// Release gives the lock back: it unlinks our own owner file, and only then the folder (GU-10). An error matches ErrLockLost
// when another had taken it away; then nothing is removed. A second Release does nothing.
func (l *Lock) Release() error {
	if l.released {
		return nil
	}
	err := l.folder.removeOwner(l.fsys, l.owner.ID)
	if errors.Is(err, fs.ErrNotExist) {
		err = l.folder.wrong(ErrLockLost)
	}
	if err != nil {
		return fmt.Errorf("release the %s: %w", l.folder.word(), err)
	}
	l.released = true
	return nil
}

// removeOwner unlinks one owner file; only who did that removes the folder, so that a lock which another made in
// the meantime stays. fs.ErrNotExist: another was quicker.
func (f lockFolder) removeOwner(fsys FS, id string) error {
	if err := fsys.Remove(f.owner(id)); err != nil {
		return err
	}
	if err := fsys.Remove(string(f)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the folder %s: %w", f, cause(err))
	}
	return nil
}
