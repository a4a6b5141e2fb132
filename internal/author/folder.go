package author

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// folder is a plan folder that exists only as texts, so that it can be read as a plan before it is written. It holds folders of
// one level, which is all that a new plan has.
type folder struct{ files map[string]string }

// folderOf shows texts, by slash path, as a plan folder.
func folderOf(files map[string]string) fs.FS { return folder{files} }

// Open opens a file or folder.
func (f folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if text, ok := f.files[name]; ok {
		return &openText{node{path.Base(name), int64(len(text)), 0o644}, strings.NewReader(text)}, nil
	}
	entries, _ := f.ReadDir(name)
	if len(entries) == 0 && name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &openFolder{node: node{path.Base(name), 0, fs.ModeDir | 0o755}, entries: entries}, nil
}

// ReadDir lists a folder, sorted.
func (f folder) ReadDir(name string) ([]fs.DirEntry, error) {
	seen := map[string]node{}
	for p, text := range f.files {
		rest := p
		if name != "." {
			var ok bool
			if rest, ok = strings.CutPrefix(p, name+"/"); !ok {
				continue
			}
		}
		first, _, deeper := strings.Cut(rest, "/")
		if deeper {
			seen[first] = node{first, 0, fs.ModeDir | 0o755}
		} else {
			seen[first] = node{first, int64(len(text)), 0o644}
		}
	}
	var list []fs.DirEntry
	for _, n := range seen {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// node is what is known of a file or folder: info and entry in one.
type node struct {
	name string
	size int64
	mode fs.FileMode
}

func (n node) Name() string               { return n.name }
func (n node) Size() int64                { return n.size }
func (n node) Mode() fs.FileMode          { return n.mode }
func (n node) ModTime() time.Time         { return time.Time{} }
func (n node) IsDir() bool                { return n.mode.IsDir() }
func (n node) Sys() any                   { return nil }
func (n node) Type() fs.FileMode          { return n.mode.Type() }
func (n node) Info() (fs.FileInfo, error) { return n, nil }

type openText struct {
	node
	*strings.Reader
}

func (f *openText) Stat() (fs.FileInfo, error) { return f.node, nil }
func (f *openText) Close() error               { return nil }

// Size is that of the file, not of what is left to read.
func (f *openText) Size() int64 { return f.node.size }

type openFolder struct {
	node
	entries []fs.DirEntry
}

func (f *openFolder) Stat() (fs.FileInfo, error) { return f.node, nil }
func (f *openFolder) Close() error               { return nil }

func (f *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
}

// ReadDir hands out the entries, n at a time; all of them when n is not positive.
func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(f.entries)
	} else if len(f.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.entries))
	list := f.entries[:n]
	f.entries = f.entries[n:]
	return list, nil
}
