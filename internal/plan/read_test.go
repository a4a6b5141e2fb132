package plan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// files turns texts into an in-memory folder; a name that ends in a slash is an empty folder.
func files(texts map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range texts {
		if dir, ok := strings.CutSuffix(name, "/"); ok {
			m[dir] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		} else {
			m[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
	}
	return m
}

func read(t *testing.T, fsys fs.FS) *Snapshot {
	t.Helper()
	s, err := Read(fsys, "PLAN_a_b")
	must(t, err)
	return s
}

func paths(list []TaskFile) []string {
	var got []string
	for _, f := range list {
		got = append(got, f.Path)
	}
	return got
}

func TestReadDocuments(t *testing.T) {
	s := read(t, files(map[string]string{
		"README.md": "# Title\n", "PROGRESS.md": "p", "PROMPTS.md": "q", "notes.md": "n",
		"manifest.json": "{}", "state.json": "{}", ".finalizing.json": "{}",
		"1.task_a.md": "a", "2.task_b.md": "b", "10.task_c.md": "c", "x.task_d.md": "", "1.task_a.txt": "", "-1.task_e.md": "",
		"99999999999999999999.task_f.md": "", "4.task_folder.md/": "",
		"tasks/3.task_n.md":      "n",
		"analysis_results/":      "",
		"analysis_results/x.log": "", "analysis_results/5.task_copy.md": "",
		"analysis_results/SECURITY_REVIEW.md": "s", "analysis_results/SKILLS_CANDIDATES.md": "k", "analysis_results/FINALIZATION.json": "{}",
		".dwp-op/6.task_staged.md": "", "tasks/.old/7.task_hidden.md": "",
		"state.json.lock/owner-1f.json": "{}", "state.json.lock/other.json": "{}",
	}))
	want := []string{
		".finalizing.json", "1.task_a.md", "10.task_c.md", "2.task_b.md", "PROGRESS.md", "PROMPTS.md", "README.md",
		"analysis_results/FINALIZATION.json", "analysis_results/SECURITY_REVIEW.md", "analysis_results/SKILLS_CANDIDATES.md",
		"manifest.json", "state.json", "state.json.lock/owner-1f.json", "tasks/3.task_n.md",
	}
	if got := slices.Sorted(maps.Keys(s.Files)); !slices.Equal(got, want) {
		t.Errorf("files: got %q\nwant %q", got, want)
	}
	// C21: by number, not by spelling. C39: what lies deeper is kept apart.
	if got, want := paths(s.TaskFiles), []string{"1.task_a.md", "2.task_b.md", "10.task_c.md"}; !slices.Equal(got, want) {
		t.Errorf("task files: got %q, want %q", got, want)
	}
	if got, want := paths(s.Nested), []string{"tasks/3.task_n.md"}; !slices.Equal(got, want) {
		t.Errorf("nested: got %q, want %q", got, want)
	}
	if s.README == nil || s.Progress == nil || s.Review == nil || s.Candidates == nil || string(s.README.Src) != "# Title\n" {
		t.Error("a document was not parsed")
	}
	if n := s.Nodes["analysis_results/x.log"]; n.Kind != RegularFile || n.Path != "analysis_results/x.log" {
		t.Errorf("node: got %+v", n)
	}
	if s.Nodes["4.task_folder.md"].Kind != Folder || s.Nodes[".dwp-op"].Kind != Folder {
		t.Error("folders are nodes")
	}
	if s.Moved || s.Cut || s.Name != "PLAN_a_b" || s.Path != "" {
		t.Errorf("got moved %v, cut %v, name %q, path %q", s.Moved, s.Cut, s.Name, s.Path)
	}
	covered := []string{
		"1.task_a.md", "10.task_c.md", "2.task_b.md", "PROGRESS.md", "PROMPTS.md", "README.md",
		"analysis_results/SECURITY_REVIEW.md", "analysis_results/SKILLS_CANDIDATES.md", "manifest.json", "tasks/3.task_n.md",
	}
	if got := s.Covered(); !slices.Equal(got, covered) {
		t.Errorf("covered (VP-5): got %q\nwant %q", got, covered)
	}
}

func TestFileSHA256(t *testing.T) {
	f := &File{Data: []byte("abc")}
	if got, want := f.SHA256(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f.Err = fs.ErrPermission
	if got := f.SHA256(); got != "" {
		t.Errorf("unreadable: got %q", got)
	}
}

// C141: whatever is wrong with the README, there is a snapshot.
func TestReadWithoutREADME(t *testing.T) {
	tests := []struct {
		name string
		fsys fs.FS
		kind NodeKind
		err  error
	}{
		{"missing", files(nil), "", nil},
		{"a folder", files(map[string]string{"README.md/": ""}), Folder, nil},
		{"a device", fstest.MapFS{"README.md": {Mode: fs.ModeDevice}}, Special, nil},
		{"a dangling link", fstest.MapFS{"README.md": {Data: []byte("gone"), Mode: fs.ModeSymlink}}, Link, nil},
		{"unreadable", denied{files(map[string]string{"README.md": "# x"}), "README.md"}, RegularFile, fs.ErrPermission},
	}
	for _, tt := range tests {
		s := read(t, tt.fsys)
		f := s.Files["README.md"]
		if s.README != nil || s.Nodes["README.md"].Kind != tt.kind || (f != nil) != (tt.err != nil) || s.Moved {
			t.Errorf("%s: got %+v, file %+v", tt.name, s.Nodes["README.md"], f)
		}
		if f != nil && !errors.Is(f.Err, tt.err) {
			t.Errorf("%s: got %v, want %v", tt.name, f.Err, tt.err)
		}
	}
}

// denied is a file system in which one path may not be opened.
type denied struct {
	fs.FS
	path string
}

func (d denied) Open(name string) (fs.File, error) {
	if name == d.path {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.FS.Open(name)
}

// VP-6: what can't be read is kept as such: a task file, a sub-folder; the plan folder itself is an error.
func TestReadDenied(t *testing.T) {
	texts := map[string]string{"README.md": "", "1.task_a.md": "", "sub/x": "", "state.json": "{}"}
	s := read(t, denied{files(texts), "1.task_a.md"})
	if len(s.TaskFiles) != 1 || s.TaskFiles[0].Doc != nil || !errors.Is(s.Files["1.task_a.md"].Err, fs.ErrPermission) {
		t.Errorf("task file: got %+v, %+v", s.TaskFiles, s.Files["1.task_a.md"])
	}
	if got := s.Covered(); !slices.Contains(got, "1.task_a.md") {
		t.Errorf("covered: got %q", got)
	}
	s = read(t, denied{files(texts), "sub"})
	if s.Nodes["sub"].Kind != Folder || s.Files["sub"] == nil || !errors.Is(s.Files["sub"].Err, fs.ErrPermission) {
		t.Errorf("folder: got %+v, %+v", s.Nodes["sub"], s.Files["sub"])
	}
	s = read(t, denied{files(texts), "state.json"})
	if s.State != nil || s.StateSyntax != nil || s.Overview().Hold != HoldMalformed {
		t.Errorf("state: got %+v, %v, %q", s.State, s.StateSyntax, s.Overview().Hold)
	}
	if _, err := Read(denied{files(texts), "."}, "PLAN_x"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("plan folder: got %v", err)
	}
}

// failing is a file system whose files break off with an I/O error.
type failing struct{ fs.FS }

func (f failing) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".md") {
		return file, err
	}
	return failingFile{file}, nil
}

type failingFile struct{ fs.File }

func (failingFile) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// VP-6: a file that breaks off is not a shorter file.
func TestReadFailing(t *testing.T) {
	s := read(t, failing{files(map[string]string{"README.md": "# x"})})
	if f := s.Files["README.md"]; f == nil || !errors.Is(f.Err, io.ErrClosedPipe) || f.Data != nil || s.README != nil {
		t.Errorf("got %+v", f)
	}
}

// large is a file that claims a size without having it.
type large struct {
	fs.FS
	size int64
}

func (l large) Open(name string) (fs.File, error) {
	f, err := l.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".md") {
		return f, err
	}
	return largeFile{f, l.size}, nil
}

type largeFile struct {
	fs.File
	size int64
}

func (f largeFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	return sized{info, f.size}, err
}

type sized struct {
	fs.FileInfo
	size int64
}

func (s sized) Size() int64 { return s.size }

func TestReadTooLarge(t *testing.T) {
	s := read(t, large{files(map[string]string{"README.md": "x"}), MaxFile + 1})
	if f := s.Files["README.md"]; f == nil || !errors.Is(f.Err, ErrTooLarge) || f.Data != nil || s.README != nil {
		t.Errorf("file: got %+v", f)
	}
	texts := map[string]string{}
	for i := range 5 {
		texts[fmt.Sprintf("%d.task_a.md", i+1)] = "x"
	}
	// The folder's bound comes before its last file is read; the size is only claimed.
	r := &reading{fsys: large{files(texts), 1}, files: map[string]*File{}, infos: map[string]fs.FileInfo{}, total: MaxTotal - 4}
	for i := range 5 {
		r.read(fmt.Sprintf("%d.task_a.md", i+1), RegularFile)
	}
	if a, b := r.files["4.task_a.md"].Err, r.files["5.task_a.md"].Err; a != nil || !errors.Is(b, ErrFolderTooLarge) {
		t.Errorf("folder: got %v, %v", a, b)
	}
}

// The walk is bounded, and documents are read all the same.
func TestReadCut(t *testing.T) {
	texts := map[string]string{"README.md": "# x", "1.task_a.md": ""}
	for i := range MaxNodes + 10 {
		texts[fmt.Sprintf("0%d.txt", i)] = ""
	}
	s := read(t, files(texts))
	if !s.Cut || len(s.Nodes) != MaxNodes+2 || s.README == nil || len(s.TaskFiles) != 1 {
		t.Errorf("wide: got cut %v, %d nodes, %d task files", s.Cut, len(s.Nodes), len(s.TaskFiles))
	}
	s = read(t, files(map[string]string{strings.Repeat("d/", MaxDepth-1) + "f": ""}))
	if s.Cut || len(s.Nodes) != MaxDepth {
		t.Errorf("deep enough: got cut %v, %d nodes", s.Cut, len(s.Nodes))
	}
	s = read(t, files(map[string]string{strings.Repeat("d/", MaxDepth) + "f": ""}))
	if !s.Cut || len(s.Nodes) != MaxDepth {
		t.Errorf("too deep: got cut %v, %d nodes", s.Cut, len(s.Nodes))
	}
}

// moving changes the folder whenever a file has been opened, so often.
type moving struct {
	fstest.MapFS
	on     string
	times  int
	change func(m fstest.MapFS, n int)
	opened *int
}

func (m moving) Open(name string) (fs.File, error) {
	f, err := m.MapFS.Open(name)
	if name == m.on {
		if *m.opened++; *m.opened <= m.times {
			m.change(m.MapFS, *m.opened)
		}
	}
	return f, err
}

// ReadDir keeps a listing from opening files by another way.
func (m moving) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(m.MapFS, name) }

// DESIGN 2: a folder that changes while it is read is read again, at most maxReads times in all.
func TestReadMoving(t *testing.T) {
	grow := func(m fstest.MapFS, n int) {
		m["README.md"] = &fstest.MapFile{Data: []byte(strings.Repeat("x", n+1)), Mode: 0o644}
	}
	touch := func(m fstest.MapFS, n int) {
		m["README.md"] = &fstest.MapFile{Data: []byte("x"), Mode: 0o644, ModTime: time.Unix(int64(n), 0)}
	}
	appear := func(m fstest.MapFS, n int) { m[fmt.Sprintf("%d.task_a.md", n)] = &fstest.MapFile{Mode: 0o644} }
	vanish := func(m fstest.MapFS, n int) { delete(m, "1.task_z.md") }
	other := func(m fstest.MapFS, n int) {
		m["gate.log"] = &fstest.MapFile{Data: []byte(strings.Repeat("x", n+1)), Mode: 0o644}
	}
	tests := []struct {
		name   string
		on     string
		times  int
		change func(fstest.MapFS, int)
		reads  int
		moved  bool
	}{
		{"still", "README.md", 0, nil, 1, false},
		{"grew once", "README.md", 1, grow, 2, false},
		{"touched once", "README.md", 1, touch, 2, false},
		{"files appear", "README.md", 3, appear, 4, false},
		{"a file vanishes before it is read", "1.task_z.md", 1, vanish, 1, false},
		{"never still", "README.md", 99, grow, maxReads, true},
		{"a log that nobody reads grows", "README.md", 99, other, 1, false},
	}
	for _, tt := range tests {
		fsys := moving{files(map[string]string{"README.md": "x", "1.task_z.md": "", "gate.log": ""}), tt.on, tt.times, tt.change, new(int)}
		s := read(t, fsys)
		if *fsys.opened != tt.reads || s.Moved != tt.moved {
			t.Errorf("%s: got %d reads, moved %v; want %d, %v", tt.name, *fsys.opened, s.Moved, tt.reads, tt.moved)
		}
		if got, want := len(s.Files), len(fsys.MapFS)-1; got != want {
			t.Errorf("%s: got %d files, want %d", tt.name, got, want)
		}
		if got, want := string(s.README.Src), string(fsys.MapFS["README.md"].Data); !tt.moved && got != want {
			t.Errorf("%s: got README %q, want the last one %q", tt.name, got, want)
		}
	}
}

// Nothing is followed outside the plan folder, whatever the link is called (TRAPS, PD-1).
func TestOpenLinks(t *testing.T) {
	base := folder(t, map[string]string{
		"secret.md":                             "outside",
		"PLAN_a_b/README.md":                    "-> docs/real.md",
		"PLAN_a_b/docs/real.md":                 "# inside",
		"PLAN_a_b/PROGRESS.md":                  "-> ../secret.md",
		"PLAN_a_b/PROMPTS.md":                   "-> docs",
		"PLAN_a_b/1.task_a.md":                  "-> 1.task_a.md",
		"PLAN_a_b/2.task_b.md":                  "-> docs/../../secret.md",
		"PLAN_a_b/up":                           "-> ..",
		"PLAN_a_b/self":                         "-> .",
		"PLAN_a_b/analysis_results":             "-> ../results",
		"results/SECURITY_REVIEW.md":            "outside",
		"link":                                  "-> PLAN_a_b",
		"PLAN_a_b/sub/state.json":               "not the plan's",
		"PLAN_a_b/tasks":                        "-> ../results",
		"results/3.task_c.md":                   "outside",
		"PLAN_a_b/docs/4.task_d.md":             "-> real.md",
		"PLAN_a_b/manifest.json":                "-> " + filepath.Join(t.TempDir(), "manifest.json"),
		"PLAN_a_b/state.json.lock/owner-a.json": "-> ../../secret.md",
	})
	for _, p := range []string{"PLAN_a_b", "link", "PLAN_a_b/"} {
		s, err := Open(filepath.Join(base, p))
		must(t, err)
		if s.Name != "PLAN_a_b" {
			t.Errorf("%s: got name %q", p, s.Name)
		}
		if got, want := slices.Sorted(maps.Keys(s.Files)), []string{"README.md", "docs/4.task_d.md"}; !slices.Equal(got, want) {
			t.Errorf("%s: files: got %q, want %q", p, got, want)
		}
		for _, link := range []string{"README.md", "PROGRESS.md", "1.task_a.md", "up", "self", "analysis_results", "tasks"} {
			if s.Nodes[link].Kind != Link {
				t.Errorf("%s: %s: got %q, want a link", p, link, s.Nodes[link].Kind)
			}
		}
		if s.README == nil || string(s.README.Src) != "# inside" || len(s.TaskFiles) != 0 || s.Moved || s.Cut {
			t.Errorf("%s: got README %v, task files %v, moved %v", p, s.README, s.TaskFiles, s.Moved)
		}
		for _, f := range s.Files {
			if strings.Contains(string(f.Data), "outside") {
				t.Errorf("%s: %s was read from outside", p, f.Path)
			}
		}
	}
}

func TestOpenErrors(t *testing.T) {
	base := folder(t, map[string]string{"file": "", "loop": "-> loop", "tofile": "-> file"})
	for _, name := range []string{"none", "file", "loop", "tofile"} {
		if s, err := Open(filepath.Join(base, name)); err == nil || !strings.Contains(err.Error(), base) {
			t.Errorf("%s: got %v, %v; want an error that names the path", name, s, err)
		}
	}
}

// C131: odd names of the folder and in it.
func TestOpenOddNames(t *testing.T) {
	name := "PLAN_a b\"'\\&$\n\U0001F680"
	base := folder(t, map[string]string{name + "/README.md": "# x", name + "/1.task_\n\".md": "", name + "/bad\xff/2.task_x.md": ""})
	s, err := Open(filepath.Join(base, name))
	must(t, err)
	if s.Name != name || s.README == nil || len(s.TaskFiles) != 1 || len(s.Nested) != 1 || s.Nested[0].Doc == nil {
		t.Errorf("got %q, %v, %v, %v", s.Name, s.README, s.TaskFiles, s.Nested)
	}
}

// C143: reading changes nothing.
func TestOpenWritesNothing(t *testing.T) {
	base := folder(t, map[string]string{"PLAN_a/README.md": "# x", "PLAN_a/state.json": "{}"})
	dir := filepath.Join(base, "PLAN_a")
	before, err := scanFolder(os.DirFS(dir), true)
	must(t, err)
	s, err := Open(dir)
	must(t, err)
	s.Overview()
	after, err := scanFolder(os.DirFS(dir), true)
	must(t, err)
	if !maps.Equal(before.kinds, after.kinds) {
		t.Errorf("got %v, want %v", after.kinds, before.kinds)
	}
	for p, info := range before.infos {
		if !sameFile(info, after.infos[p]) {
			t.Errorf("%s was changed", p)
		}
	}
}

// A replaced file is another file, even with the size and time of the old one.
func TestSameFile(t *testing.T) {
	dir := folder(t, map[string]string{"a": "x", "b": "y"})
	at := time.Unix(1e9, 0)
	var infos []fs.FileInfo
	for _, name := range []string{"a", "a", "b"} {
		must(t, os.Chtimes(filepath.Join(dir, name), at, at))
		info, err := os.Lstat(filepath.Join(dir, name))
		must(t, err)
		infos = append(infos, info)
	}
	if !sameFile(infos[0], infos[1]) || sameFile(infos[0], infos[2]) {
		t.Error("got a file that is not itself, or is another")
	}
}
