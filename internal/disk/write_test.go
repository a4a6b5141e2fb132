package disk_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
)

func TestWriteFile(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		must(t, disk.WriteFile(w, "state.json", []byte("one"), disk.Options{}))
		must(t, disk.WriteFile(w, "state.json", []byte("two"), disk.Options{}))
		must(t, disk.MkdirAll(w, "a/b"))
		must(t, disk.MkdirAll(w, "a/b"))
		must(t, disk.MkdirAll(w, "."))
		must(t, disk.WriteFile(w, "a/b/c.md", nil, disk.Options{}))
		if got := read(t, w, "state.json") + read(t, w, "a/b/c.md"); got != "two" {
			t.Errorf("read back %q", got)
		}
		if got := names(t, w); got != "a a/b a/b/c.md state.json" {
			t.Errorf("the folder holds %s", got)
		}
	})
}

// TestWriteFileKeepsTheMode: 664 stays 664 (PS-23), and what was asked for is exact.
func TestWriteFileKeepsTheMode(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		for _, mode := range []fs.FileMode{0o664, 0o600, 0o646, 0o755} {
			must(t, disk.WriteFile(w, "f", []byte("old"), disk.Options{Mode: mode}))
			must(t, disk.WriteFile(w, "f", []byte("new"), disk.Options{}))
			info, err := w.Lstat("f")
			must(t, err)
			if info.Mode() != mode {
				t.Errorf("mode is %v, want %v", info.Mode(), mode)
			}
		}
	})
}

// TestWriteFileRefuses: a read-only file is not silently replaced, a link neither followed nor replaced,
// and nothing is written.
func TestWriteFileRefuses(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		must(t, disk.WriteFile(w, "readonly", []byte("old"), disk.Options{Mode: 0o444}))
		must(t, w.Mkdir("folder", 0o755))
		put(t, w, "folder/f", "old")
		must(t, w.link("link", "folder/f"))
		must(t, w.link("way", "folder"))
		before := names(t, w)
		for _, c := range []struct {
			name string
			want error
			text string
		}{
			{"readonly", disk.ErrReadOnly, "write readonly: check the target: the file is read-only; the file was not changed"},
			{"link", disk.ErrSymlink, "write link: check the target: a symbolic link is in the way; the file was not changed"},
			{"way/f", disk.ErrSymlink, "write way/f: check the target: a symbolic link is in the way: way; the file was not changed"},
			{"folder", disk.ErrNotRegular, "write folder: check the target: not a regular file; the file was not changed"},
			{".", disk.ErrNotRegular, "write .: check the target: not a regular file; the file was not changed"},
			{"../x", fs.ErrInvalid, "write ../x: check the target: invalid argument; the file was not changed"},
			{"none/x", fs.ErrNotExist, ""}, // the system's own words for the cause
		} {
			err := disk.WriteFile(w, c.name, []byte("new"), disk.Options{})
			if !errors.Is(err, c.want) || c.text != "" && err.Error() != c.text {
				t.Errorf("%s: %v, want %q", c.name, err, c.text)
			}
		}
		if err := disk.MkdirAll(w, "way/x"); !errors.Is(err, disk.ErrSymlink) {
			t.Errorf("make a folder through a link: %v", err)
		}
		if err := disk.MkdirAll(w, "folder/f/x"); err == nil {
			t.Error("made a folder below a file")
		}
		if got := names(t, w); got != before {
			t.Errorf("the folder holds %s, before %s", got, before)
		}
		if got := read(t, w, "readonly") + read(t, w, "folder/f"); got != "oldold" {
			t.Errorf("the files hold %q", got)
		}
	})
}

// TestWriteFileSystemCalls holds the list above WriteFile: nothing is forgotten, nothing done twice.
func TestWriteFileSystemCalls(t *testing.T) {
	twin := disk.NewTwin()
	must(t, twin.Put("sub/f", []byte("old"), 0o664))
	var got []string
	random := regexp.MustCompile(`tmp-[0-9a-f]{16}$`)
	twin.Hook(func(e disk.Event) error {
		got = append(got, strings.TrimSpace(fmt.Sprint(e.Op, " ", random.ReplaceAllString(e.Path, "TMP"), " ", e.To)))
		return nil
	})
	must(t, disk.WriteFile(twin, "sub/f", []byte("new"), disk.Options{Guard: func() error {
		got = append(got, "guard")
		return nil
	}}))
	want := "lstat sub; lstat sub/f; create sub/.f.TMP; write sub/.f.TMP; chmod sub/.f.TMP; sync sub/.f.TMP; " +
		"close sub/.f.TMP; lstat sub/.f.TMP; guard; rename sub/.f.TMP sub/f; syncdir sub"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// TestWriteFileFaults: a full disk, a short write, a device error, a read-only folder, too many open files, a vanished
// folder (C67, C159, TRAPS): the old file stands, nothing is left behind, and the message names step, path and cause.
func TestWriteFileFaults(t *testing.T) {
	for _, c := range []struct {
		op    disk.Op
		path  string
		fault error
		want  error
		text  string
	}{
		{disk.OpLstat, "f", syscall.EIO, syscall.EIO, "check the target: input/output error"},
		{disk.OpCreate, ".f.tmp-*", syscall.ENOSPC, syscall.ENOSPC, "create the temporary file: no space left on device"},
		{disk.OpCreate, ".f.tmp-*", syscall.EACCES, fs.ErrPermission, "create the temporary file: permission denied"},
		{disk.OpCreate, ".f.tmp-*", syscall.EROFS, syscall.EROFS, "create the temporary file: read-only file system"},
		{disk.OpCreate, ".f.tmp-*", syscall.EMFILE, syscall.EMFILE, "create the temporary file: too many open files"},
		{disk.OpCreate, ".f.tmp-*", syscall.ENOENT, fs.ErrNotExist, "create the temporary file: no such file or directory"},
		{disk.OpWrite, ".f.tmp-*", syscall.ENOSPC, syscall.ENOSPC, "write the temporary file: no space left on device"},
		{disk.OpWrite, ".f.tmp-*", &disk.ShortWrite{Keep: 1, Err: syscall.ENOSPC}, syscall.ENOSPC, "write the temporary file: no space left on device"},
		{disk.OpWrite, ".f.tmp-*", &disk.ShortWrite{Keep: 1}, io.ErrShortWrite, "write the temporary file: short write: 1 of 3 bytes"},
		{disk.OpWrite, ".f.tmp-*", &disk.ShortWrite{Keep: 2, Lie: true}, io.ErrShortWrite, "check the length of the temporary file: short write: 2 of 3 bytes"},
		{disk.OpChmod, ".f.tmp-*", syscall.EPERM, fs.ErrPermission, "set the mode of the temporary file: operation not permitted"},
		{disk.OpSync, ".f.tmp-*", syscall.EIO, syscall.EIO, "flush the temporary file: input/output error"},
		{disk.OpClose, ".f.tmp-*", syscall.EIO, syscall.EIO, "close the temporary file: input/output error"},
		{disk.OpLstat, ".f.tmp-*", syscall.EIO, syscall.EIO, "check the length of the temporary file: input/output error"},
		{disk.OpRename, "f", syscall.EACCES, fs.ErrPermission, "rename the temporary file: permission denied"},
	} {
		t.Run(fmt.Sprint(c.op, " ", c.fault), func(t *testing.T) {
			twin := disk.NewTwin()
			must(t, twin.Put("f", []byte("old"), 0o664))
			twin.Fail(c.op, c.path, c.fault)
			err := disk.WriteFile(twin, "f", []byte("new"), disk.Options{})
			step, ok := errors.AsType[*disk.StepError](err)
			if !ok || !errors.Is(err, c.want) || step.Path != "f" || step.Placed || step.Stray != "" {
				t.Fatalf("got %#v", err)
			}
			if want := "write f: " + c.text + "; the file was not changed"; err.Error() != want {
				t.Errorf("got %q, want %q", err, want)
			}
			if tree := twin.Tree(); len(tree) != 1 || tree["f"] != "old" {
				t.Errorf("the folder holds %v", tree)
			}
		})
	}
}

// TestWriteFileUnflushedFolder: the new content is in place, but success is not claimed (C71, C159).
func TestWriteFileUnflushedFolder(t *testing.T) {
	twin := disk.NewTwin()
	must(t, twin.Put("f", []byte("old"), 0o644))
	twin.Fail(disk.OpSyncDir, ".", syscall.EIO)
	err := disk.WriteFile(twin, "f", []byte("new"), disk.Options{})
	step, ok := errors.AsType[*disk.StepError](err)
	if !ok || !step.Placed {
		t.Fatalf("got %#v", err)
	}
	want := "write f: flush the folder: input/output error; the new content is in place but may not survive a power cut"
	if err.Error() != want || twin.Tree()["f"] != "new" {
		t.Errorf("got %q, tree %v", err, twin.Tree())
	}
}

// TestWriteFileNamesWhatItLeaves: when even the removal fails, the temporary file is named.
func TestWriteFileNamesWhatItLeaves(t *testing.T) {
	twin := disk.NewTwin()
	must(t, twin.Put("f", []byte("old"), 0o644))
	twin.Fail(disk.OpSync, "*", syscall.EIO)
	twin.Fail(disk.OpRemove, "*", syscall.EROFS)
	err := disk.WriteFile(twin, "f", []byte("new"), disk.Options{})
	step, ok := errors.AsType[*disk.StepError](err)
	if !ok || twin.Tree()[step.Stray] != "new" || !strings.HasSuffix(err.Error(), "; left behind: "+step.Stray) {
		t.Errorf("got %v, tree %v", err, twin.Tree())
	}
}

// TestGuardRefuses: who lost the lock does not publish (C65).
func TestGuardRefuses(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		put(t, w, "f", "old")
		lost := errors.New("the lock is lost")
		err := disk.WriteFile(w, "f", []byte("new"), disk.Options{Guard: func() error { return lost }})
		if !errors.Is(err, lost) || read(t, w, "f") != "old" || names(t, w) != "f" {
			t.Errorf("got %v; %s", err, names(t, w))
		}
	})
}

// TestPrepare: an unwritable receipt is found before the state is written (VP-4, C113).
func TestPrepare(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		p, err := disk.Prepare(w, "receipt", []byte("R"), disk.Options{})
		must(t, err)
		temp := names(t, w)
		if got := read(t, w, temp); got != "R" || !regexp.MustCompile(`^\.receipt\.tmp-[0-9a-f]{16}$`).MatchString(temp) || !disk.IsTemp(temp) {
			t.Errorf("%s holds %q", temp, got)
		}
		must(t, p.Discard())
		must(t, p.Discard())
		if got := names(t, w); got != "" {
			t.Errorf("after Discard: %s", got)
		}
		p, err = disk.Prepare(w, "receipt", []byte("R"), disk.Options{})
		must(t, err)
		must(t, p.Commit())
		if got := names(t, w); got != "receipt" {
			t.Errorf("after Commit: %s", got)
		}
	})
}

func TestLongNames(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		name := strings.Repeat("\u00e9", 127) // 254 bytes, of 255 that a name may have
		must(t, disk.WriteFile(w, name, []byte("x"), disk.Options{}))
		if got := names(t, w); got != name {
			t.Errorf("the folder holds %q", got)
		}
	})
}

// TestVanishedFolder: the folder was removed while it was open; nothing comes back to life elsewhere.
func TestVanishedFolder(t *testing.T) {
	dir := t.TempDir() + "/plan"
	must(t, os.Mkdir(dir, 0o755))
	f, err := disk.Open(dir)
	must(t, err)
	defer f.Close()
	must(t, os.Remove(dir))
	if err := disk.WriteFile(f, "state.json", []byte("x"), disk.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is back: %v", err)
	}
	if _, err := disk.Open(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open: %v", err)
	}
}

// names lists everything in a folder, sorted.
func names(t *testing.T, w fs.FS) string {
	t.Helper()
	var list []string
	must(t, fs.WalkDir(w, ".", func(name string, _ fs.DirEntry, err error) error {
		if name != "." {
			list = append(list, name)
		}
		return err
	}))
	return strings.Join(list, " ")
}
