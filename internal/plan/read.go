package plan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
)

// MaxFile is the size over which a document is not read; MaxTotal bounds a folder.
const (
	MaxFile  = 64 << 20
	MaxTotal = 256 << 20
)

// maxReads is how often a folder is read at most: once, and again while it keeps changing.
const maxReads = 4

// ErrTooLarge marks a file over MaxFile; ErrFolderTooLarge, one that would take the folder over MaxTotal.
var (
	ErrTooLarge       = errors.New("larger than 64 MiB")
	ErrFolderTooLarge = errors.New("the plan's documents are larger than 256 MiB")
)

// errNotRegular marks what turned out to be no regular file once it was open.
var errNotRegular = errors.New("not a regular file")

// Open reads the plan folder at path, rooted: links that lead outside are not followed. path itself may be
// reached through links; the snapshot is named for the folder. A missing document is not an error; an
// error means that there is no folder to read.
func Open(path string) (*Snapshot, error) {
	folder, err := planFolder(path)
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	defer root.Close()
	s, err := Read(rooted{root}, filepath.Base(folder))
	if err != nil {
		return nil, err
	}
	s.Path = path
	return s, nil
}

// planFolder makes path absolute and resolves a link at its end. That it is a folder is checked before
// anything is opened: opening a FIFO would wait for ever.
func planFolder(path string) (string, error) {
	folder, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(folder)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if folder, err = resolve(folder); err == nil {
			info, err = os.Lstat(folder)
		}
	}
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: path, Err: errors.New("not a folder")}
	}
	return folder, err
}

// rooted is an os.Root as a file system whose files open without waiting for anybody.
type rooted struct{ root *os.Root }

func (r rooted) Open(name string) (fs.File, error) {
	f, err := r.root.OpenFile(name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, err // not f: a nil *os.File is not a nil fs.File
	}
	return f, nil
}

// Read reads a plan folder through fsys, named name. The order of steps makes the snapshot one
// moment of the folder (DESIGN 2): list the names; read the documents, noting each file's size, time and
// identity once it is open; list again with these facts. When the names differ, or a file that was
// read, something moved meanwhile, and all is read again; after the last time Moved says so.
// Parsing comes after, once.
func Read(fsys fs.FS, name string) (*Snapshot, error) {
	r := &reading{fsys: fsys}
	moved := true
	for n := 0; moved && n < maxReads; n++ {
		var err error
		if moved, err = r.once(); err != nil {
			return nil, fmt.Errorf("read plan %q: %w", name, err)
		}
	}
	s := &Snapshot{Name: name, Nodes: r.after.nodes(), Files: r.files, Cut: r.after.cut, Moved: moved}
	for p, err := range r.after.faults {
		if s.Files[p] == nil {
			s.Files[p] = &File{Path: p, Err: err}
		}
	}
	s.takeState(r.state)
	s.parse()
	return s, nil
}

// reading is one attempt after another to read a folder that holds still.
type reading struct {
	fsys  fs.FS
	after *scan
	files map[string]*File
	infos map[string]fs.FileInfo // of the files that were read, as they were opened
	total int64
	state parsedState
}

// once reads the folder and reports whether it moved meanwhile.
func (r *reading) once() (moved bool, err error) {
	r.files, r.infos, r.total = map[string]*File{}, map[string]fs.FileInfo{}, 0
	before, err := scanFolder(r.fsys, false)
	if err != nil {
		return false, err
	}
	for _, p := range before.paths {
		if isDocument(p) {
			r.read(p, before.kinds[p])
		}
	}
	r.state.update(r.files)
	for _, p := range r.state.logs {
		if r.files[p] == nil {
			r.read(p, before.kinds[p])
		}
	}
	if r.after, err = scanFolder(r.fsys, true); err != nil {
		return false, err
	}
	return r.moved(before), nil
}

func (r *reading) moved(before *scan) bool {
	if !maps.Equal(before.kinds, r.after.kinds) {
		return true
	}
	for p, was := range r.infos {
		now := r.after.infos[p]
		if r.after.kinds[p] == Link {
			now, _ = fs.Stat(r.fsys, p)
		}
		if now == nil || !sameFile(was, now) {
			return true
		}
	}
	return false
}

// read reads one file, if it is one. FIFOs and devices are never opened. A link is followed to a regular
// file inside the folder; one that leads elsewhere leaves only its node.
func (r *reading) read(p string, kind NodeKind) {
	if kind != RegularFile && kind != Link {
		return
	}
	data, info, err := r.content(p)
	if errors.Is(err, errNotRegular) || kind == Link && err != nil && !errors.Is(err, fs.ErrPermission) && !tooLarge(err) {
		return
	}
	r.files[p] = &File{Path: p, Data: data, Err: err}
	if info != nil {
		r.infos[p] = info
	}
}

func (r *reading) content(p string) ([]byte, fs.FileInfo, error) {
	f, err := r.fsys.Open(p)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errNotRegular
	}
	if info.Size() > MaxFile {
		return nil, info, ErrTooLarge
	}
	if r.total += info.Size(); r.total > MaxTotal {
		return nil, info, ErrFolderTooLarge
	}
	data, err := readUpTo(f, info.Size())
	return data, info, err
}

// readUpTo reads a file whose size is known. One that grew is read to the size it had: the next scan
// sees that it moved.
func readUpTo(f io.Reader, size int64) ([]byte, error) {
	data := make([]byte, size)
	n, err := io.ReadFull(f, data)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return data[:n], nil
}

func tooLarge(err error) bool {
	return errors.Is(err, ErrTooLarge) || errors.Is(err, ErrFolderTooLarge)
}
