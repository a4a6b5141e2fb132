package plan

import (
	"errors"
	"io/fs"
)

// MaxFile is the size over which a document is not read; MaxTotal bounds a folder.
const (
	MaxFile  = 64 << 20
	MaxTotal = 256 << 20
)

// ErrTooLarge marks a file over MaxFile.
var ErrTooLarge = errors.New("larger than 64 MiB")

// FindRoot finds where plans live, looking upwards from dir; no process is started. dwpDir is the value of DWP_DIR: "" or an
// absolute path; a relative one is an error (PD-1).
func FindRoot(dir, dwpDir string) (Root, error) { return Root{}, nil }

// List returns the plan folders of a root by name, and what else lies there.
func (r Root) List() ([]Entry, []Stray, error) { return nil, nil, nil }

// Open reads the plan folder at path, rooted: links that lead outside are not followed.
func Open(path string) (*Snapshot, error) { return nil, nil }

// Read reads a plan folder through fsys, named name.
func Read(fsys fs.FS, name string) (*Snapshot, error) { return nil, nil }
