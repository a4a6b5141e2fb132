// Package disk is the only package that writes into a plan folder. It owns the seam to the file system with
// its two implementations (Folder, the real one, and Twin, a crashable one in memory), the durable write
// of one file, the cooperative lock beside state.json, and the redo journal for operations on several files.
// It knows nothing of what the files mean, and runs, commits and repairs nothing (GU-12).
//
// Paths are slash paths relative to the plan folder, valid in the sense of fs.ValidPath.
//
// Requirements: PS-5 (old or new, whole, at any instant), GU-9 and GU-10 (lock), the file mode of
// PS-23, the order of PS-19 as far as the caller gives it. PS-20 is held by who may import this package.
package disk

import (
	"errors"
	"io/fs"
)

// FS is a plan folder that can be written: the operations that PS-5 and GU-10 need and no more.
// Every FS is an fs.FS too, so that what reads a plan can read it. Errors are *fs.PathError or
// *os.LinkError and match fs.ErrExist, fs.ErrNotExist and fs.ErrPermission as those of package os do.
//
// A link at the end of a path is never followed by an operation that writes.
type FS interface {
	// Open opens a file for reading; it does not wait, not even for a FIFO. ReadDir lists a folder, sorted.
	fs.ReadDirFS
	// Create makes a file that must not exist and opens it for writing (O_EXCL). The umask applies to perm.
	Create(name string, perm fs.FileMode) (File, error)
	// Rename puts oldname in newname's place in one step; nothing takes the place of a folder. That much
	// is a look before the rename, and rename(2) takes the place of an empty folder without a word, which is why
	// locks are never made this way.
	Rename(oldname, newname string) error
	// Remove unlinks a file or a link, or removes an empty folder.
	Remove(name string) error
	// Mkdir makes a folder that must not exist.
	Mkdir(name string, perm fs.FileMode) error
	// Lstat describes what stands at name; a link is described, not followed.
	Lstat(name string) (fs.FileInfo, error)
	// SyncDir flushes the names of a folder: what was created, renamed or removed in it survives a power
	// cut only after that.
	SyncDir(name string) error
}

// File is a file that is being written, front to back.
type File interface {
	Write(p []byte) (n int, err error)
	// Chmod sets the permission bits, whatever the umask says.
	Chmod(mode fs.FileMode) error
	// Sync flushes content and mode.
	Sync() error
	Close() error
}

// What callers branch on.
var (
	// ErrReadOnly: the target's mode has no write bit for its owner. It is not silently replaced (PS-23).
	ErrReadOnly = errors.New("the file is read-only")
	// ErrSymlink: the target or a folder on the way to it is a symbolic link; we would write elsewhere or
	// replace the link by a file.
	ErrSymlink = errors.New("a symbolic link is in the way")
	// ErrNotRegular: the target is a folder or a special file.
	ErrNotRegular = errors.New("not a regular file")
)

// DefaultMode is asked for when a new file's mode is not given; the umask applies to it.
const DefaultMode fs.FileMode = 0o666

// folderMode is asked for new folders; the umask applies to it.
const folderMode fs.FileMode = 0o777
