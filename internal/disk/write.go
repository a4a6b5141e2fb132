package disk

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Options say how a file is written; the zero value keeps the target's mode and gives a new file DefaultMode.
type Options struct {
	// Mode, when not 0, is the exact mode of the file, whatever it was and whatever the umask.
	Mode fs.FileMode
	// Guard, when not nil, is asked right before the rename; with an error nothing is replaced. It is the
	// place for Lock.Check (GU-10, C65).
	Guard func() error
}

// WriteFile replaces the file name by data, or makes it, so that a crash at any instant leaves the old
// file or the new one, whole (PS-5). Of a happy run these are the system calls, in this order:
//
//	lstat   each folder on the way, NAME      no links, nothing read-only; the mode to keep
//	openat  .NAME.tmp-HEX  O_CREAT|O_EXCL     beside the target: same file system, name of its own (C53)
//	write   data
//	fchmod  mode of the target                only when there is one to keep
//	fsync   temp                              or the rename could survive without the data
//	close   temp
//	lstat   temp                              its length is that of data (C67)
//	        Guard: still the owner of the lock? (C65)
//	renameat  temp, NAME
//	fsync   the folder                        or the rename could be lost
//
// NAME is never truncated or written in place (C69). The folder must exist: see MkdirAll.
//
// An error is a *StepError: the old file is untouched and the temporary one removed, unless it says otherwise.
func WriteFile(fsys FS, name string, data []byte, o Options) error {
	p, err := Prepare(fsys, name, data, o)
	if err != nil {
		return err
	}
	return p.Commit()
}

// Prepared is new content that lies flushed beside its target and waits for Commit or Discard.
type Prepared struct {
	fsys  FS
	name  string
	temp  string
	guard func() error
}

// Prepare is the first half of WriteFile, up to the rename: it finds out whether the file can be written before
// anything else is changed (VP-4). Commit or Discard what it returns.
func Prepare(fsys FS, name string, data []byte, o Options) (*Prepared, error) {
	mode, err := targetMode(fsys, name)
	if err != nil {
		return nil, &StepError{Step: "check the target", Path: name, Err: err}
	}
	if o.Mode != 0 {
		mode = o.Mode.Perm()
	}
	temp := path.Join(path.Dir(name), tempName(path.Base(name)))
	if step, err := writeNew(fsys, temp, data, mode, flushed); err != nil {
		e := &StepError{Step: step + " the temporary file", Path: name, Err: err}
		if step != stepCreate {
			e.discard(fsys, temp)
		}
		return nil, e
	}
	return &Prepared{fsys: fsys, name: name, temp: temp, guard: o.Guard}, nil
}

// Commit puts the prepared content in its place and flushes the folder.
func (p *Prepared) Commit() error {
	if p.guard != nil {
		if err := p.guard(); err != nil {
			return p.fail("check the lock", err)
		}
	}
	if err := p.fsys.Rename(p.temp, p.name); err != nil {
		return p.fail("rename the temporary file", err)
	}
	if err := p.fsys.SyncDir(path.Dir(p.name)); err != nil {
		return &StepError{Step: "flush the folder", Path: p.name, Err: err, Placed: true}
	}
	return nil
}

// Discard removes the prepared content; the target stays as it is.
func (p *Prepared) Discard() error {
	if err := p.fsys.Remove(p.temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &StepError{Step: "remove the temporary file", Path: p.name, Err: err, Stray: p.temp}
	}
	return nil
}

func (p *Prepared) fail(step string, err error) error {
	e := &StepError{Step: step, Path: p.name, Err: err}
	e.discard(p.fsys, p.temp)
	return e
}

// StepError says at which step a write ended, and what that left.
type StepError struct {
	Step string // what was being done, in words
	Path string // the file that was to be written
	Err  error  // the cause
	// Placed: the new content is in place, but may not survive a power cut, because the flush of the folder
	// failed. Otherwise the old content stands.
	Placed bool
	// Stray is a temporary file that could not be removed, or "".
	Stray string
}

func (e *StepError) Error() string {
	text := fmt.Sprintf("write %s: %s: %v", e.Path, e.Step, cause(e.Err))
	if e.Placed {
		text += "; the new content is in place but may not survive a power cut"
	} else {
		text += "; the file was not changed"
	}
	if e.Stray != "" {
		text += "; left behind: " + e.Stray
	}
	return text
}

func (e *StepError) Unwrap() error { return e.Err }

// discard removes the temporary file of a write that failed, if it is there. One that can't be removed is named.
func (e *StepError) discard(fsys FS, temp string) {
	if err := fsys.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.Stray = temp
	}
}

// cause leaves the operation and the random name away that a path error repeats; the message names the step and target.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok && err == error(p) {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok && err == error(l) {
		return l.Err
	}
	return err
}

// stepCreate is the step after whose failure there is no file to remove.
const stepCreate = "create"

// Whether a new file is flushed before it is closed.
const (
	flushed   = true
	unflushed = false
)

// writeNew makes the file name with data; mode 0 leaves it to DefaultMode and the umask. With an error
// it tells the step, for "STEP the temporary file", and the file may be left.
func writeNew(fsys FS, name string, data []byte, mode fs.FileMode, flush bool) (step string, err error) {
	f, err := fsys.Create(name, createMode(mode))
	if err != nil {
		return stepCreate, err
	}
	if step, err = fill(f, data, mode, flush); err != nil {
		f.Close() // what is reported is why it failed; the file is removed
		return step, err
	}
	if err = f.Close(); err != nil {
		return "close", err
	}
	return "check the length of", checkLength(fsys, name, len(data))
}

func fill(f File, data []byte, mode fs.FileMode, flush bool) (step string, err error) {
	n, err := f.Write(data)
	if err == nil && n != len(data) {
		err = fmt.Errorf("%w: %d of %d bytes", io.ErrShortWrite, n, len(data))
	}
	if err != nil {
		return "write", err
	}
	if mode != 0 {
		if err := f.Chmod(mode); err != nil {
			return "set the mode of", err
		}
	}
	if flush {
		err = f.Sync()
	}
	return "flush", err
}

// createMode keeps others from reading the file before it has its mode.
func createMode(mode fs.FileMode) fs.FileMode {
	if mode == 0 {
		return DefaultMode
	}
	return mode & 0o600
}

// checkLength: a short write that nobody reported must not get the name of the good file (C67).
func checkLength(fsys FS, name string, want int) error {
	info, err := fsys.Lstat(name)
	if err == nil && info.Size() != int64(want) {
		err = fmt.Errorf("%w: %d of %d bytes", io.ErrShortWrite, info.Size(), want)
	}
	return err
}

// targetMode returns the mode to keep, 0 when there is no file yet. What must not be replaced is an error.
func targetMode(fsys FS, name string) (fs.FileMode, error) {
	if err := valid("write", name); err != nil {
		return 0, err
	}
	if name == "." {
		return 0, ErrNotRegular
	}
	if err := noLinksAbove(fsys, name); err != nil {
		return 0, err
	}
	info, err := fsys.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	case info.Mode()&fs.ModeSymlink != 0:
		return 0, ErrSymlink
	case !info.Mode().IsRegular():
		return 0, ErrNotRegular
	case info.Mode()&0o200 == 0:
		return 0, ErrReadOnly
	}
	return info.Mode().Perm(), nil
}

// noLinksAbove demands that the folders on the way to name are folders. A missing one is left to the operation
// that needs it.
func noLinksAbove(fsys FS, name string) error {
	for i, c := range name {
		if c != '/' {
			continue
		}
		info, err := fsys.Lstat(name[:i])
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%w: %s", ErrSymlink, name[:i])
		}
	}
	return nil
}

// RemoveFile unlinks a file durably; one that is not there is no error.
func RemoveFile(fsys FS, name string) error {
	if err := fsys.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", name, cause(err))
	}
	return syncAfter(fsys, name, "remove")
}

// RenameFile gives a file another name in its folder, durably. Nothing may stand at newname: it would be replaced.
func RenameFile(fsys FS, oldname, newname string) error {
	if err := fsys.Rename(oldname, newname); err != nil {
		return fmt.Errorf("rename %s to %s: %w", oldname, newname, cause(err))
	}
	return syncAfter(fsys, newname, "rename")
}

func syncAfter(fsys FS, name, what string) error {
	if err := fsys.SyncDir(path.Dir(name)); err != nil {
		return fmt.Errorf("%s %s: flush the folder: %w; it may not survive a power cut", what, name, cause(err))
	}
	return nil
}

// MkdirAll makes the folder dir and those above it that are missing, each flushed in its parent, so that a
// file written into it later can't be lost with it. A link on the way is refused.
func MkdirAll(fsys FS, dir string) error {
	if err := valid("mkdir", dir); err != nil {
		return err
	}
	if err := noLinksAbove(fsys, dir+"/."); err != nil {
		return fmt.Errorf("make folder %s: %w", dir, err)
	}
	for i := 0; dir != "." && i <= len(dir); i++ {
		if i < len(dir) && dir[i] != '/' {
			continue
		}
		if err := mkdir(fsys, dir[:i]); err != nil {
			return fmt.Errorf("make folder %s: %w", dir, err)
		}
	}
	return nil
}

func mkdir(fsys FS, dir string) error {
	err := fsys.Mkdir(dir, folderMode)
	if errors.Is(err, fs.ErrExist) {
		info, lerr := fsys.Lstat(dir)
		if lerr == nil && info.IsDir() {
			return nil
		}
		return errors.Join(err, lerr)
	}
	if err != nil {
		return err
	}
	return fsys.SyncDir(path.Dir(dir))
}

// maxStem keeps the temporary name of a long file name within what file systems allow.
const maxStem = 200

// tempName is the name under which a new content of base waits: verify recognises ".tmp-" as left by a killed
// writer, and its random part keeps writers out of each other's way (C53).
func tempName(base string) string {
	if len(base) > maxStem {
		base = strings.ToValidUTF8(base[:maxStem], "")
	}
	return "." + base + tempInfix + randomID()
}

const tempInfix = ".tmp-"

// IsTemp recognises the name, or path, of what a killed writer of ours left.
func IsTemp(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, ".") && strings.Contains(base, tempInfix)
}

// IDLength is the length of an owner's ID.
const IDLength = 16

// randomID is 16 hexadecimal digits that nobody else has.
func randomID() string {
	var b [IDLength / 2]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
