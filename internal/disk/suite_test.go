package disk_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/disk"
)

// world is an empty folder of either kind, and how to set up in it what the seam can't make.
type world struct {
	disk.FS
	link func(name, target string) error
}

// eachFS runs one test on the real folder and on its twin: they must not differ.
func eachFS(t *testing.T, test func(t *testing.T, w world)) {
	t.Helper()
	t.Run("folder", func(t *testing.T) {
		dir := t.TempDir()
		f, err := disk.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		test(t, world{f, func(name, target string) error { return os.Symlink(target, filepath.Join(dir, name)) }})
	})
	t.Run("twin", func(t *testing.T) {
		twin := disk.NewTwin()
		test(t, world{twin, twin.PutLink})
	})
}

func TestFSWritesAndReads(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		put(t, w, "a.md", "one")
		must(t, w.Mkdir("sub", 0o755))
		put(t, w, "sub/b.md", "two")
		must(t, w.SyncDir("sub"))
		must(t, w.SyncDir("."))
		if got := read(t, w, "sub/b.md"); got != "two" {
			t.Errorf("sub/b.md is %q", got)
		}
		if err := fstest.TestFS(w, "a.md", "sub/b.md"); err != nil {
			t.Error(err)
		}
		entries, err := w.ReadDir(".")
		must(t, err)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if want := []string{"a.md", "sub"}; !slices.Equal(names, want) {
			t.Errorf("entries are %q, want %q", names, want)
		}
	})
}

func TestFSRename(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		put(t, w, "a", "A")
		put(t, w, "b", "B")
		must(t, w.Rename("a", "b"))
		must(t, w.Mkdir("empty", 0o755))
		must(t, w.Mkdir("full", 0o755))
		must(t, w.Rename("b", "full/b"))
		if got := read(t, w, "full/b"); got != "A" {
			t.Errorf("full/b is %q", got)
		}
		for _, c := range [][2]string{{"empty", "full"}, {"full", "empty"}} {
			if err := w.Rename(c[0], c[1]); !errors.Is(err, fs.ErrExist) {
				t.Errorf("rename folder %s to folder %s: %v", c[0], c[1], err)
			}
		}
		must(t, w.Rename("full", "moved"))
		if got := read(t, w, "moved/b"); got != "A" {
			t.Errorf("moved/b is %q", got)
		}
	})
}

// TestFSErrors: the errors that callers ask for by errors.Is are the same.
func TestFSErrors(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		put(t, w, "file", "x")
		must(t, w.Mkdir("full", 0o755))
		put(t, w, "full/f", "x")
		create := func(name string) error { _, err := w.Create(name, 0o600); return err }
		open := func(name string) error { _, err := w.Open(name); return err }
		lstat := func(name string) error { _, err := w.Lstat(name); return err }
		list := func(name string) error { _, err := w.ReadDir(name); return err }
		for _, c := range []struct {
			what string
			err  error
			want error // nil: any error
		}{
			{"create what exists", create("file"), fs.ErrExist},
			{"create where a folder is", create("full"), fs.ErrExist},
			{"create in a missing folder", create("none/x"), fs.ErrNotExist},
			{"create below a file", create("file/x"), nil},
			{"create outside", create("../x"), fs.ErrInvalid},
			{"create nothing", create(""), fs.ErrInvalid},
			{"mkdir on a folder", w.Mkdir("full", 0o755), fs.ErrExist},
			{"mkdir on a file", w.Mkdir("file", 0o755), fs.ErrExist},
			{"mkdir in a missing folder", w.Mkdir("none/x", 0o755), fs.ErrNotExist},
			{"open what is missing", open("none"), fs.ErrNotExist},
			{"open outside", open("/etc/hosts"), fs.ErrInvalid},
			{"lstat what is missing", lstat("none"), fs.ErrNotExist},
			{"list what is missing", list("none"), fs.ErrNotExist},
			{"list a file", list("file"), nil},
			{"remove what is missing", w.Remove("none"), fs.ErrNotExist},
			{"remove a full folder", w.Remove("full"), nil},
			{"rename what is missing", w.Rename("none", "x"), fs.ErrNotExist},
			{"rename into a missing folder", w.Rename("file", "none/x"), fs.ErrNotExist},
			{"rename a file onto a folder", w.Rename("file", "full"), nil},
			{"rename a folder onto a file", w.Rename("full", "file"), nil},
			{"rename outside", w.Rename("file", "../x"), fs.ErrInvalid},
			{"sync a missing folder", w.SyncDir("none"), fs.ErrNotExist},
		} {
			if c.err == nil || c.want != nil && !errors.Is(c.err, c.want) {
				t.Errorf("%s: %v, want %v", c.what, c.err, c.want)
			}
		}
		if got := read(t, w, "file") + read(t, w, "full/f"); got != "xx" {
			t.Errorf("after the refusals the files hold %q", got)
		}
	})
}

// TestFSLinks: what writes does not follow a link at the end of a path, and nothing follows one outside.
func TestFSLinks(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		must(t, w.Mkdir("sub", 0o755))
		put(t, w, "sub/real", "R")
		for name, target := range map[string]string{"in": "sub/real", "out": "../other", "abs": "/etc/hosts", "loop": "loop", "dangling": "none"} {
			must(t, w.link(name, target))
		}
		if got := read(t, w, "in"); got != "R" {
			t.Errorf("read through a link: %q", got)
		}
		for _, name := range []string{"out", "abs", "loop", "dangling"} {
			if f, err := w.Open(name); err == nil {
				f.Close()
				t.Errorf("opened %s", name)
			}
			if f, err := w.Create(name, 0o600); !errors.Is(err, fs.ErrExist) {
				t.Errorf("create on the link %s: %v, %v", name, f, err)
			}
		}
		info, err := w.Lstat("in")
		must(t, err)
		if info.Mode().Type() != fs.ModeSymlink {
			t.Errorf("lstat of a link: %v", info.Mode())
		}
		put(t, w, "new", "N")
		must(t, w.Rename("new", "in"))
		must(t, w.Remove("out"))
		if got := read(t, w, "in") + read(t, w, "sub/real"); got != "NR" {
			t.Errorf("after the rename: %q", got)
		}
	})
}

func TestFSFile(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		f, err := w.Create("f", 0o600)
		must(t, err)
		for _, part := range []string{"ab", "", "c"} {
			if n, err := f.Write([]byte(part)); n != len(part) || err != nil {
				t.Errorf("write %q: %d, %v", part, n, err)
			}
		}
		must(t, f.Chmod(0o664))
		must(t, f.Sync())
		must(t, f.Close())
		if _, err := f.Write([]byte("x")); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("write after close: %v", err)
		}
		if err := f.Close(); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("second close: %v", err)
		}
		info, err := w.Lstat("f")
		must(t, err)
		if info.Mode() != 0o664 || info.Size() != 3 {
			t.Errorf("f has mode %v and %d bytes", info.Mode(), info.Size())
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, w disk.FS, name, content string) {
	t.Helper()
	f, err := w.Create(name, 0o644)
	must(t, err)
	_, err = f.Write([]byte(content))
	must(t, errors.Join(err, f.Close()))
}

func read(t *testing.T, w fs.FS, name string) string {
	t.Helper()
	data, err := fs.ReadFile(w, name)
	must(t, err)
	return string(data)
}

// files are the regular files of a tree by path, with their content.
func files(tree map[string]string) map[string]string {
	tree = maps.Clone(tree)
	maps.DeleteFunc(tree, func(name, _ string) bool { return name[len(name)-1] == '/' })
	return tree
}
