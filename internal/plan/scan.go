package plan

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

// MaxNodes and MaxDepth bound what is listed of a plan folder.
const (
	MaxNodes = 10_000
	MaxDepth = 8
)

// scan is one listing of a plan folder.
type scan struct {
	paths  []string // in the order they were met
	kinds  map[string]NodeKind
	infos  map[string]fs.FileInfo // only when asked for
	faults map[string]error       // entries that could not be looked at
	cut    bool
}

// scanFolder lists a folder level by level, so that a large sub-folder can't crowd out the documents.
// Links are entries like any other and lead nowhere, so that no loop is possible (C129).
func scanFolder(fsys fs.FS, withInfo bool) (*scan, error) {
	sc := &scan{kinds: map[string]NodeKind{}, infos: map[string]fs.FileInfo{}, faults: map[string]error{}}
	level := []string{"."}
	for depth := 1; len(level) > 0; depth++ {
		var next []string
		for _, dir := range level {
			entries, err := fs.ReadDir(fsys, dir)
			if err != nil && dir == "." {
				return nil, err
			}
			sc.fault(dir, err)
			for _, e := range entries {
				if p := path.Join(dir, e.Name()); sc.add(p, e, withInfo) && e.IsDir() {
					next = append(next, p)
				}
			}
		}
		if depth == MaxDepth {
			sc.cut = sc.cut || len(next) > 0
			break
		}
		level = next
	}
	return sc, nil
}

func (sc *scan) add(p string, e fs.DirEntry, withInfo bool) bool {
	if len(sc.kinds) >= MaxNodes && !isDocument(p) {
		sc.cut = true
		return false
	}
	if withInfo {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return false
		}
		sc.fault(p, err)
		if err == nil {
			sc.infos[p] = info
		}
	}
	sc.kinds[p] = kindOf(e.Type())
	sc.paths = append(sc.paths, p)
	return true
}

// fault keeps why an entry can't be looked at. That it went away meanwhile shows in the next scan.
func (sc *scan) fault(p string, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		sc.faults[p] = err
	}
}

func kindOf(mode fs.FileMode) NodeKind {
	switch {
	case mode.IsRegular():
		return RegularFile
	case mode.IsDir():
		return Folder
	case mode&fs.ModeSymlink != 0:
		return Link
	}
	return Special
}

// nodes turns a scan with infos into the nodes of a snapshot.
func (sc *scan) nodes() map[string]Node {
	nodes := make(map[string]Node, len(sc.kinds))
	for p, kind := range sc.kinds {
		n := Node{Path: p, Kind: kind}
		if info := sc.infos[p]; info != nil {
			n.Size, n.Mode, n.ModTime = info.Size(), info.Mode(), info.ModTime()
		}
		nodes[p] = n
	}
	return nodes
}

// sameFile reports whether two looks at a path saw the same file with the same content, as far
// as can be told without reading it. Infos of real files also tell one file from its replacement.
func sameFile(a, b fs.FileInfo) bool {
	if a.Size() != b.Size() || a.Mode() != b.Mode() || !a.ModTime().Equal(b.ModTime()) {
		return false
	}
	real := os.SameFile(a, a)
	return !real || os.SameFile(a, b)
}
