package disk

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"syscall"
	"time"
)

// Open opens a file or folder for reading. The content is that of the moment.
func (t *Twin) Open(name string) (fs.File, error) {
	n, err := t.begin(OpOpen, name)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	p, err := t.find(n, true)
	if err == nil && p.node == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, fail("open", name, err)
	}
	f := &twinReader{t: t, name: name, info: p.node.info(path.Base(name))}
	if p.node.mode.IsDir() {
		f.entries = p.node.dirEntries()
	} else {
		f.data = *bytes.NewReader(p.node.data)
	}
	return f, nil
}

// ReadDir lists a folder, sorted by name.
func (t *Twin) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := t.begin(OpReadDir, name)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	p, err := t.find(n, true)
	if err == nil && p.node == nil {
		err = fs.ErrNotExist
	}
	if err == nil && !p.node.mode.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return nil, fail("readdir", name, err)
	}
	return p.node.dirEntries(), nil
}

// Lstat describes what stands at name.
func (t *Twin) Lstat(name string) (fs.FileInfo, error) { return t.stat(OpLstat, name, false) }

// Stat describes what name leads to.
func (t *Twin) Stat(name string) (fs.FileInfo, error) { return t.stat(OpStat, name, true) }

func (t *Twin) stat(op Op, name string, follow bool) (fs.FileInfo, error) {
	n, err := t.begin(op, name)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	p, err := t.find(n, follow)
	if err == nil && p.node == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, fail(string(op), name, err)
	}
	return p.node.info(path.Base(name)), nil
}

// ReadFile returns a file's content.
func (t *Twin) ReadFile(name string) ([]byte, error) {
	f, err := t.Open(name)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(f)
}

// Create makes a file that must not exist.
func (t *Twin) Create(name string, perm fs.FileMode) (File, error) {
	n, err := t.addition(OpCreate, name, perm.Perm()&^twinUmask)
	if err != nil {
		return nil, err
	}
	return &twinWriter{t: t, node: n, name: name}, nil
}

// Mkdir makes a folder that must not exist.
func (t *Twin) Mkdir(name string, perm fs.FileMode) error {
	_, err := t.addition(OpMkdir, name, fs.ModeDir|perm.Perm()&^twinUmask)
	return err
}

func (t *Twin) addition(op Op, name string, mode fs.FileMode) (*node, error) {
	clean, err := t.begin(op, name)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	p, err := t.find(clean, false)
	if err == nil && p.node != nil {
		err = fs.ErrExist
	}
	if err != nil {
		return nil, fail(string(op), name, err)
	}
	n := t.newNode(mode)
	p.dir.alter(t.now, &change{set: map[string]*node{p.base: n}})
	return n, nil
}

// Remove removes a file, a link, or an empty folder.
func (t *Twin) Remove(name string) error {
	n, err := t.begin(OpRemove, name)
	if err != nil {
		return err
	}
	defer t.mu.Unlock()
	p, err := t.find(n, false)
	switch {
	case err != nil:
	case p.node == nil:
		err = fs.ErrNotExist
	case p.dir == nil:
		err = fs.ErrInvalid
	case len(p.node.entries) > 0:
		err = syscall.ENOTEMPTY
	default:
		p.dir.alter(t.now, &change{set: map[string]*node{p.base: nil}})
	}
	if err != nil {
		return fail("remove", name, err)
	}
	return nil
}

// Rename puts oldname in newname's place.
func (t *Twin) Rename(oldname, newname string) error {
	if err := valid("rename", newname); err != nil {
		return err
	}
	n, err := t.begin(OpRename, oldname, newname)
	if err != nil {
		return err
	}
	defer t.mu.Unlock()
	from, err := t.find(n, false)
	var to place
	if err == nil {
		to, err = t.find(newname, false)
	}
	if err == nil {
		err = renamable(from, to)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: oldname, New: newname, Err: err}
	}
	t.rename(from, to)
	return nil
}

func renamable(from, to place) error {
	switch {
	case from.node == nil:
		return fs.ErrNotExist
	case from.dir == nil || to.dir == nil:
		return fs.ErrInvalid
	case from.node.mode.IsDir() && from.dir != to.dir:
		return errors.ErrUnsupported
	case to.node == nil || to.node == from.node:
		return nil
	case to.node.mode.IsDir():
		return fs.ErrExist
	case from.node.mode.IsDir():
		return syscall.ENOTDIR
	}
	return nil
}

// rename within a folder is one change. Between folders the new name may survive without the end of the
// old one, not the other way round.
func (t *Twin) rename(from, to place) {
	switch {
	case from.dir == to.dir && from.base == to.base:
	case from.dir == to.dir:
		from.dir.alter(t.now, &change{set: map[string]*node{from.base: nil, to.base: from.node}})
	default:
		arrival := &change{set: map[string]*node{to.base: from.node}}
		to.dir.alter(t.now, arrival)
		from.dir.alter(t.now, &change{set: map[string]*node{from.base: nil}, after: arrival})
	}
}

// SyncDir makes the names of a folder durable.
func (t *Twin) SyncDir(name string) error {
	n, err := t.begin(OpSyncDir, name)
	if err != nil {
		return err
	}
	defer t.mu.Unlock()
	p, err := t.find(n, true)
	if err == nil && p.node == nil {
		err = fs.ErrNotExist
	}
	if err == nil && !p.node.mode.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return fail("syncdir", name, err)
	}
	p.node.flush()
	return nil
}

// twinWriter is a file being written.
type twinWriter struct {
	t      *Twin
	node   *node
	name   string
	closed bool
}

func (f *twinWriter) Write(p []byte) (int, error) {
	err := f.begin(OpWrite)
	short, isShort := errors.AsType[*ShortWrite](err)
	if err != nil && !isShort {
		return 0, err
	}
	n := len(p)
	if isShort {
		f.t.mu.Lock() // begin gave it back with the error
		n = min(n, short.Keep)
	}
	defer f.t.mu.Unlock()
	f.node.data, f.node.modTime = append(f.node.data, p[:n]...), f.t.now
	if isShort {
		return short.result(f.name, n, len(p))
	}
	return n, nil
}

func (f *twinWriter) Chmod(mode fs.FileMode) error {
	if err := f.begin(OpChmod); err != nil {
		return err
	}
	defer f.t.mu.Unlock()
	f.node.mode = mode.Perm()
	return nil
}

func (f *twinWriter) Sync() error {
	if err := f.begin(OpSync); err != nil {
		return err
	}
	defer f.t.mu.Unlock()
	f.node.flush()
	return nil
}

// Close closes the file even when it reports an error, as close(2) does.
func (f *twinWriter) Close() error {
	err := f.begin(OpClose)
	if err == nil {
		defer f.t.mu.Unlock()
	}
	f.closed = true
	return err
}

func (f *twinWriter) begin(op Op) error {
	if f.closed {
		return fail(string(op), f.name, fs.ErrClosed)
	}
	_, err := f.t.begin(op, f.name)
	return err
}

// twinReader is an open file or folder.
type twinReader struct {
	t       *Twin
	name    string
	info    twinInfo
	data    bytes.Reader
	entries []fs.DirEntry
	closed  bool
}

func (f *twinReader) Stat() (fs.FileInfo, error) { return f.info, nil }

func (f *twinReader) Read(p []byte) (int, error) {
	if f.closed {
		return 0, fail("read", f.name, fs.ErrClosed)
	}
	if f.info.IsDir() {
		return 0, fail("read", f.name, syscall.EISDIR)
	}
	if _, err := f.t.begin(OpRead, f.name); err != nil {
		return 0, err
	}
	defer f.t.mu.Unlock()
	return f.data.Read(p)
}

func (f *twinReader) ReadDir(n int) ([]fs.DirEntry, error) {
	if !f.info.IsDir() {
		return nil, fail("readdir", f.name, syscall.ENOTDIR)
	}
	if n > 0 && len(f.entries) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(f.entries) {
		n = len(f.entries)
	}
	list := f.entries[:n]
	f.entries = f.entries[n:]
	return list, nil
}

func (f *twinReader) Close() error {
	f.closed = true
	return nil
}

// twinInfo describes a node as it was.
type twinInfo struct {
	name    string
	size    int64
	mode    fs.FileMode
	modTime time.Time
}

func (i twinInfo) Name() string       { return i.name }
func (i twinInfo) Size() int64        { return i.size }
func (i twinInfo) Mode() fs.FileMode  { return i.mode }
func (i twinInfo) ModTime() time.Time { return i.modTime }
func (i twinInfo) IsDir() bool        { return i.mode.IsDir() }
func (i twinInfo) Sys() any           { return nil }

func (n *node) info(name string) twinInfo {
	return twinInfo{name, int64(len(n.data) + len(n.link)), n.mode, n.modTime}
}

func (n *node) dirEntries() []fs.DirEntry {
	var list []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(n.entries)) {
		list = append(list, fs.FileInfoToDirEntry(n.entries[name].info(name)))
	}
	return list
}
