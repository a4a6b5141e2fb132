package disk

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Twin is a file system in memory that forgets on a crash what was not flushed, as POSIX allows: a file's content and
// mode survive once it was synced, a name (made, renamed, removed) once its folder was. It is for
// tests: of this package, and of those that write through it. It is an fs.FS, so that a plan can be read
// from it, and may be used by several goroutines.
//
// It is stricter than most real file systems in one point: a file that was renamed into another folder is lost when only
// the folder it came from was synced before the crash. It has no owners and checks no permissions: those come by
// injection. A folder can be renamed within its parent only.
type Twin struct {
	mu      sync.Mutex
	root    *node
	ops     int
	crashed bool
	hooks   []func(Event) error
	now     time.Time
}

var (
	_ FS            = (*Twin)(nil)
	_ fs.StatFS     = (*Twin)(nil)
	_ fs.ReadFileFS = (*Twin)(nil)
)

// twinUmask is the umask of the twin.
const twinUmask fs.FileMode = 0o022

// maxLinks is how many links a path may lead through.
const maxLinks = 40

var errEscapes = errors.New("path escapes from parent")

// NewTwin returns an empty folder.
func NewTwin() *Twin {
	t := &Twin{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	t.root = t.newNode(fs.ModeDir | 0o755)
	return t
}

// TwinOf returns a twin that holds, durably, the regular files and folders of fsys with their modes.
func TwinOf(fsys fs.FS) (*Twin, error) {
	t := NewTwin()
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return t.PutDir(name)
		case info.Mode().IsRegular():
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				return err
			}
			return t.Put(name, data, info.Mode())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Put sets up a file, durable at once, with the folders above it; an existing one is replaced. Like PutDir, PutLink and Tree it
// is no operation: not counted, not failing by injection.
func (t *Twin) Put(name string, data []byte, mode fs.FileMode) error {
	n := t.newNode(mode.Perm())
	n.data = slices.Clone(data)
	n.flush()
	return t.put(name, n)
}

// PutLink sets up a symbolic link.
func (t *Twin) PutLink(name, target string) error {
	n := t.newNode(fs.ModeSymlink | 0o777)
	n.link = target
	return t.put(name, n)
}

// PutDir sets up a folder.
func (t *Twin) PutDir(name string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := t.putDir(name)
	return err
}

func (t *Twin) put(name string, n *node) error {
	if err := valid("put", name); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	dir, err := t.putDir(path.Dir(name))
	if err == nil {
		dir.entries[path.Base(name)], dir.durable[path.Base(name)] = n, n
	}
	return err
}

func (t *Twin) putDir(name string) (*node, error) {
	dir := t.root
	for part := range strings.SplitSeq(name, "/") {
		if part == "." {
			continue
		}
		next := dir.entries[part]
		if next == nil {
			next = t.newNode(fs.ModeDir | 0o755)
			dir.entries[part], dir.durable[part] = next, next
		}
		if dir = next; !dir.mode.IsDir() {
			return nil, fail("put", name, syscall.ENOTDIR)
		}
	}
	return dir, nil
}

// Tree returns what stands in the folder now: content by path; "name/" for a folder, "-> target" as the
// content of a link.
func (t *Twin) Tree() map[string]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	tree := map[string]string{}
	t.root.list("", tree)
	return tree
}

// node is a file, folder or link. What is live is what programs see; what is durable survives a crash.
type node struct {
	mode    fs.FileMode
	modTime time.Time
	link    string

	data        []byte
	durableData []byte // a prefix of data: files are only appended to
	durableMode fs.FileMode

	entries map[string]*node
	durable map[string]*node
	pending []*change // to entries since the last sync, oldest first
}

// change is what one operation did to the names of one folder; it survives a crash whole or not at all.
type change struct {
	set    map[string]*node // nil: the name is gone
	after  *change          // survives at most if that one did: the other half of a rename
	synced bool
}

func (t *Twin) newNode(mode fs.FileMode) *node {
	n := &node{mode: mode, durableMode: mode, modTime: t.now}
	if mode.IsDir() {
		n.entries, n.durable = map[string]*node{}, map[string]*node{}
	}
	return n
}

// alter changes the names of a folder, not yet durably.
func (n *node) alter(now time.Time, c *change) {
	for name, child := range c.set {
		if child == nil {
			delete(n.entries, name)
		} else {
			n.entries[name] = child
		}
	}
	n.pending, n.modTime = append(n.pending, c), now
}

// flush makes what is live durable: of a file content and mode, of a folder its names.
func (n *node) flush() {
	n.durableData, n.durableMode = n.data[:len(n.data):len(n.data)], n.mode
	n.durable = maps.Clone(n.entries)
	for _, c := range n.pending {
		c.synced = true
	}
	n.pending = nil
}

func (n *node) list(prefix string, tree map[string]string) {
	for name, child := range n.entries {
		switch {
		case child.mode.IsDir():
			tree[prefix+name+"/"] = ""
			child.list(prefix+name+"/", tree)
		case child.mode&fs.ModeSymlink != 0:
			tree[prefix+name] = "-> " + child.link
		default:
			tree[prefix+name] = string(child.data)
		}
	}
}

// place is where a path leads: the folder, the name in it, and what stands there, nil when nothing does.
// Of the root only node is set.
type place struct {
	dir  *node
	base string
	node *node
}

// find walks a path as a rooted folder does: links are followed inside, the last one only on demand.
func (t *Twin) find(name string, follow bool) (place, error) {
	todo := strings.Split(name, "/")
	above := []*node{t.root} // the folders from the root to where the walk is
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		dir := above[len(above)-1]
		if part == "." || part == "" {
			continue
		}
		if part == ".." {
			if above = above[:len(above)-1]; len(above) == 0 {
				return place{}, errEscapes
			}
			continue
		}
		child := dir.entries[part]
		isLink := child != nil && child.mode&fs.ModeSymlink != 0
		switch {
		case len(todo) == 0 && !(isLink && follow):
			return place{dir, part, child}, nil
		case child == nil:
			return place{}, fs.ErrNotExist
		case isLink && links == maxLinks:
			return place{}, syscall.ELOOP
		case isLink && path.IsAbs(child.link):
			return place{}, errEscapes
		case isLink:
			links++
			todo = append(strings.Split(child.link, "/"), todo...)
		case !child.mode.IsDir():
			return place{}, syscall.ENOTDIR
		default:
			above = append(above, child)
		}
	}
	return place{node: above[len(above)-1]}, nil
}

func fail(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}
