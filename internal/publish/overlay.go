package publish

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/state"
)

// overlay shows a plan folder as it would stand with other contents of some files and without the publication marker: what is to
// be written is judged with the whole of verify before anything is written (VP-1).
type overlay struct {
	base fs.ReadDirFS
	// files are the new contents by slash path; nil takes a file away.
	files map[string][]byte
}

func (o overlay) Open(name string) (fs.File, error) {
	data, changed := o.files[name]
	switch {
	case name == state.FinalizeMark, changed && data == nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case changed:
		return &memory{Reader: bytes.NewReader(data), info: fileInfo(name, data)}, nil
	}
	f, err := o.base.Open(name)
	if err != nil && len(o.below(name)) > 0 {
		return &newFolder{name}, nil
	}
	return f, err
}

func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := o.base.ReadDir(name)
	added := o.below(name)
	if err != nil && len(added) == 0 {
		return entries, err
	}
	shown := slices.DeleteFunc(slices.Clone(entries), func(e fs.DirEntry) bool {
		p := path.Join(name, e.Name())
		_, changed := o.files[p]
		return changed || p == state.FinalizeMark
	})
	for _, info := range added {
		if !slices.ContainsFunc(shown, func(e fs.DirEntry) bool { return e.Name() == info.Name() }) {
			shown = append(shown, fs.FileInfoToDirEntry(info))
		}
	}
	slices.SortFunc(shown, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return shown, nil
}

// below lists what the new contents put into a folder: files, and the folders that hold some.
func (o overlay) below(dir string) []fs.FileInfo {
	var list []fs.FileInfo
	for p, data := range o.files {
		rest := p
		if dir != "." {
			var in bool
			if rest, in = strings.CutPrefix(p, dir+"/"); !in {
				continue
			}
		}
		switch first, _, deeper := strings.Cut(rest, "/"); {
		case data == nil:
		case deeper:
			list = append(list, memoryInfo{name: first, mode: fs.ModeDir | 0o755})
		default:
			list = append(list, fileInfo(p, data))
		}
	}
	return list
}

// memory is a new content as an open file.
type memory struct {
	*bytes.Reader
	info fs.FileInfo
}

func (m *memory) Stat() (fs.FileInfo, error) { return m.info, nil }
func (m *memory) Close() error               { return nil }

// newFolder is a folder that only new contents make. It is listed through ReadDir of the overlay.
type newFolder struct{ name string }

func (f *newFolder) Stat() (fs.FileInfo, error) {
	return memoryInfo{name: path.Base(f.name), mode: fs.ModeDir | 0o755}, nil
}
func (f *newFolder) Read([]byte) (int, error) { return 0, io.EOF }
func (f *newFolder) Close() error             { return nil }

type memoryInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func fileInfo(name string, data []byte) fs.FileInfo {
	return memoryInfo{name: path.Base(name), size: int64(len(data)), mode: 0o644}
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) Mode() fs.FileMode  { return i.mode }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return i.mode.IsDir() }
func (i memoryInfo) Sys() any           { return nil }
