package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Folder is a real folder. It is held open and rooted: whatever links stand in it, nothing outside is touched,
// and a folder that was renamed meanwhile is still the one that was opened. It may be used by several
// goroutines.
type Folder struct{ root *os.Root }

var _ FS = (*Folder)(nil)

// Open opens the plan folder at path, a path of the operating system, which may itself be reached through
// links. Close it.
func Open(path string) (*Folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open plan folder: %w", err)
	}
	return &Folder{root}, nil
}

// MkdirTemp makes a folder of a new name among the system's temporary files, for its user alone, and returns its path. Nobody removes it.
func MkdirTemp(prefix string) (string, error) { return os.MkdirTemp("", prefix) }

// RemoveTemp removes a folder that MkdirTemp made, with all that came to stand in it. Folders that a program left without the permission to
// write in them, as caches of modules do, are given it first. Links are removed, not followed.
func RemoveTemp(path string) error {
	if filepath.Dir(path) != filepath.Clean(os.TempDir()) {
		return &fs.PathError{Op: "remove", Path: path, Err: fs.ErrInvalid}
	}
	if err := os.RemoveAll(path); err == nil {
		return nil
	}
	_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(name, 0o700) // before it is read
		}
		return nil
	})
	return os.RemoveAll(path)
}

// Close lets go of the folder.
func (d *Folder) Close() error { return d.root.Close() }

// Open opens a file for reading. Links are followed inside the folder; one that leads out is an error.
func (d *Folder) Open(name string) (fs.File, error) {
	if err := valid("open", name); err != nil {
		return nil, err
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, err // not f: a nil *os.File is not a nil fs.File
	}
	return f, nil
}

// ReadDir lists a folder, sorted by name.
func (d *Folder) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := valid("readdir", name); err != nil {
		return nil, err
	}
	return fs.ReadDir(d.root.FS(), name)
}

// Create makes a file that must not exist.
func (d *Folder) Create(name string, perm fs.FileMode) (File, error) {
	if err := valid("create", name); err != nil {
		return nil, err
	}
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm.Perm())
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Rename puts oldname in newname's place.
func (d *Folder) Rename(oldname, newname string) error {
	if err := errors.Join(valid("rename", oldname), valid("rename", newname)); err != nil {
		return err
	}
	return d.root.Rename(oldname, newname)
}

// Remove removes a file or an empty folder.
func (d *Folder) Remove(name string) error {
	if err := valid("remove", name); err != nil {
		return err
	}
	return d.root.Remove(name)
}

// Mkdir makes a folder that must not exist.
func (d *Folder) Mkdir(name string, perm fs.FileMode) error {
	if err := valid("mkdir", name); err != nil {
		return err
	}
	return d.root.Mkdir(name, perm.Perm())
}

// Lstat describes what stands at name.
func (d *Folder) Lstat(name string) (fs.FileInfo, error) {
	if err := valid("lstat", name); err != nil {
		return nil, err
	}
	return d.root.Lstat(name)
}

// SyncDir flushes a folder's names. Where folders can't be flushed at all (Windows, some network and user-space file
// systems) there is nothing better to do, and it succeeds: that half of PS-5 does not hold there.
func (d *Folder) SyncDir(name string) error {
	if err := valid("syncdir", name); err != nil {
		return err
	}
	if !foldersSync {
		return nil
	}
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// valid holds both implementations to one spelling of paths, on every system.
func valid(op, name string) error {
	if !fs.ValidPath(name) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}
