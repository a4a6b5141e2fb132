package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// UnknownOwner is the ID by which Clear is told to remove a lock folder without an owner file.
const UnknownOwner = "unknown"

// maxOwner is how much of an owner file is read.
const maxOwner = 64 << 10

var (
	// ErrNotLocked: there is no lock to clear.
	ErrNotLocked = errors.New("there is no lock")
	// ErrNotShown: the lock is not, or no longer, the one that was named.
	ErrNotShown = errors.New("the lock is not the one that was named")
	// ErrOwnerAlive: the lock's owner is running.
	ErrOwnerAlive = errors.New("the owner of the lock is running")
)

// Holding is what stands where the lock would be.
type Holding struct {
	Held bool
	// Since is when the folder was made or last changed.
	Since time.Time
	// Holders are the owners that owner files name: one, or none when someone unknown holds it.
	Holders []Holder
	// Others are names in the folder that are no owner files; or the lock itself, when it is no folder.
	Others []string
}

// Holder is one owner file.
type Holder struct {
	Owner // its ID always; the rest as far as it could be read
	Liveness
	// Err is why the record could not be read in full, or nil.
	Err error
}

// Inspect looks at the lock of a plan; nothing is changed. Readers need no lock and don't wait for one (C59).
func Inspect(fsys FS, sys System) (Holding, error) { return lockFolder(LockDir).inspect(fsys, sys) }

func (f lockFolder) inspect(fsys FS, sys System) (Holding, error) {
	var h Holding
	info, err := fsys.Lstat(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return h, fmt.Errorf("inspect the %s: %w", f.title(), cause(err))
	}
	h.Held, h.Since = true, info.ModTime()
	if !info.IsDir() { // a link is not followed
		h.Others = []string{string(f)}
		return h, nil
	}
	entries, err := fsys.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return Holding{}, nil // released meanwhile
	}
	if err != nil {
		return h, fmt.Errorf("inspect the %s: %w", f.title(), cause(err))
	}
	for _, e := range entries {
		if id, ok := ownerID(e.Name()); ok {
			h.Holders = append(h.Holders, f.readHolder(fsys, id, sys))
		} else {
			h.Others = append(h.Others, e.Name())
		}
	}
	return h, nil
}

// ownerID takes the ID out of an owner file's name.
func ownerID(name string) (id string, ok bool) {
	id, prefixed := strings.CutPrefix(name, ownerPrefix)
	id, suffixed := strings.CutSuffix(id, ownerSuffix)
	return id, prefixed && suffixed && id != ""
}

func (f lockFolder) readHolder(fsys FS, id string, sys System) Holder {
	data, err := readRegular(fsys, f.owner(id), maxOwner)
	if err != nil {
		return Holder{Owner: Owner{ID: id}, Liveness: Unknown, Err: err}
	}
	owner, err := parseOwner(id, data)
	owner.ID = id
	if err != nil {
		return Holder{Owner: owner, Liveness: Unknown, Err: err}
	}
	return Holder{Owner: owner, Liveness: sys.liveness(owner.Process)}
}

// readRegular reads a regular file of at most limit bytes; a link is not followed.
func readRegular(fsys FS, name string, limit int64) ([]byte, error) {
	info, err := fsys.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fail("read", name, ErrNotRegular)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fail("read", name, fmt.Errorf("over %d bytes", limit))
	}
	return data, err
}

// Clear removes the lock that a person was shown and names by its owner's ID, UnknownOwner for a folder without an owner file, and
// returns what it removed. Naming it is the person's word that its owner is gone. It is refused, and nothing
// removed, with ErrOwnerAlive while the owner is known to run, with ErrNotShown when something else stands there, with ErrNotLocked
// when nothing does.
func Clear(fsys FS, id string, sys System) (Holder, error) {
	return lockFolder(LockDir).clear(fsys, id, sys)
}

func (f lockFolder) clear(fsys FS, id string, sys System) (Holder, error) {
	h, err := f.inspect(fsys, sys)
	if err != nil {
		return Holder{}, err
	}
	holder, err := h.named(f, id)
	if err == nil && holder.Liveness == Alive {
		err = fmt.Errorf("%w: %v", f.wrong(ErrOwnerAlive), holder.Owner)
	}
	if err != nil {
		return holder, fmt.Errorf("clear the %s: %w; nothing was removed", f.title(), err)
	}
	if id == UnknownOwner {
		err = fsys.Remove(string(f)) // fails when an owner file came into it
	} else {
		err = f.removeOwner(fsys, id)
	}
	if err != nil {
		return holder, fmt.Errorf("clear the %s: %w", f.title(), cause(err))
	}
	return holder, nil
}

// named finds the owner that an ID means.
func (h Holding) named(f lockFolder, id string) (Holder, error) {
	if !h.Held {
		return Holder{}, f.wrong(ErrNotLocked)
	}
	for _, holder := range h.Holders {
		if holder.ID == id {
			return holder, nil
		}
	}
	unknown := Holder{Owner: Owner{ID: UnknownOwner, Since: h.Since}, Liveness: Unknown}
	if id != UnknownOwner || len(h.Holders)+len(h.Others) > 0 {
		return unknown, fmt.Errorf("%w: it is held by %s", f.wrong(ErrNotShown), h.holders())
	}
	return unknown, nil
}

// ReclaimDead removes the lock of a plan when every owner is provably dead, and returns their records, which the caller logs. It
// is for turn, run, daemon and recover only (GU-10). No lock: nothing to return. Otherwise a *LockedError; one
// of someone unknown is never removed.
func ReclaimDead(fsys FS, sys System) ([]Holder, error) {
	return lockFolder(LockDir).reclaim(fsys, sys, Holder.dead)
}

// reclaim removes what is held by nobody but owners that are over.
func (f lockFolder) reclaim(fsys FS, sys System, over func(Holder) bool) ([]Holder, error) {
	h, err := f.inspect(fsys, sys)
	if err != nil || !h.Held {
		return nil, err
	}
	if !h.all(over) {
		return nil, &LockedError{Path: string(f), Holding: h}
	}
	for i, holder := range h.Holders {
		err := fsys.Remove(f.owner(holder.ID))
		if errors.Is(err, fs.ErrNotExist) { // another was quicker, and removes the folder
			return h.Holders[:i], nil
		}
		if err != nil {
			return h.Holders[:i], fmt.Errorf("reclaim the %s: %w", f.word(), cause(err))
		}
	}
	// Cleared meanwhile by a person, as a folder without an owner, it is gone, or another's by now: "not empty", an ErrExist, is no fault.
	if err := fsys.Remove(string(f)); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
		return h.Holders, fmt.Errorf("reclaim the %s: %w", f.word(), cause(err))
	}
	return h.Holders, nil
}

// Stale reports whether a lock is held by nobody but processes that are provably dead: recover removes it (GU-10).
func (h Holding) Stale() bool { return h.Held && h.all(Holder.dead) }

func (h Holder) dead() bool { return h.Liveness == Dead }

// all reports whether every owner fulfils a condition; someone unknown fulfils none.
func (h Holding) all(fulfils func(Holder) bool) bool {
	for _, holder := range h.Holders {
		if !fulfils(holder) {
			return false
		}
	}
	return len(h.Holders) > 0 && len(h.Others) == 0
}

// LockedError says who holds the lock.
type LockedError struct {
	Path string // relative to the plan folder
	Holding
	Waited time.Duration
}

// locked describes who holds the lock now. When that can't be looked at, the lock is held all the same.
func locked(fsys FS, f lockFolder, sys System, waited time.Duration) error {
	h, _ := f.inspect(fsys, sys)
	return &LockedError{Path: string(f), Holding: h, Waited: waited}
}

func (e *LockedError) Error() string {
	text := fmt.Sprintf("%s is held by %s", e.Path, e.holders())
	if e.Waited > 0 {
		text += fmt.Sprintf("; waited %v", e.Waited)
	}
	return text + "; nothing was written"
}

// holders names who holds the lock. The records are other people's text: quoted.
func (h Holding) holders() string {
	var list []string
	for _, holder := range h.Holders {
		if holder.Err != nil {
			list = append(list, fmt.Sprintf("owner %q (%v)", holder.ID, holder.Err))
		} else {
			list = append(list, fmt.Sprintf("%v, %s", holder.Owner, holder.Liveness))
		}
	}
	switch {
	case len(list) > 0:
		return strings.Join(list, "; ")
	case !h.Held:
		return "nobody any more"
	case len(h.Others) > 0:
		return fmt.Sprintf("someone unknown since %s (there is %q)", h.Since.UTC().Format(time.RFC3339), path.Base(h.Others[0]))
	}
	return "someone unknown since " + h.Since.UTC().Format(time.RFC3339)
}
