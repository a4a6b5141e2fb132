package publish

import (
	"bytes"
	"io/fs"
	"path"
	"time"

	"github.com/deepworkplan/dwp/internal/state"
)

// overlay shows a plan folder as it would stand with another state.json and without the publication marker:
// the candidate is validated with the whole of verify before anything is written (VP-1).
type overlay struct {
	base  fs.ReadDirFS
	state []byte
}

func (o overlay) Open(name string) (fs.File, error) {
	switch name {
	case state.FinalizeMark:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case state.StateFile:
		return &memory{Reader: bytes.NewReader(o.state), info: o.info()}, nil
	}
	return o.base.Open(name)
}

func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := o.base.ReadDir(name)
	if name != "." {
		return entries, err
	}
	var shown []fs.DirEntry
	for _, e := range entries {
		switch e.Name() {
		case state.FinalizeMark:
		case state.StateFile:
			shown = append(shown, fs.FileInfoToDirEntry(o.info()))
		default:
			shown = append(shown, e)
		}
	}
	return shown, err
}

func (o overlay) info() fs.FileInfo { return memoryInfo{size: int64(len(o.state))} }

// memory is the candidate as an open file.
type memory struct {
	*bytes.Reader
	info fs.FileInfo
}

func (m *memory) Stat() (fs.FileInfo, error) { return m.info, nil }
func (m *memory) Close() error               { return nil }

type memoryInfo struct{ size int64 }

func (i memoryInfo) Name() string       { return path.Base(state.StateFile) }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) Mode() fs.FileMode  { return 0o644 }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return false }
func (i memoryInfo) Sys() any           { return nil }
