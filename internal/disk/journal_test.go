package disk_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/state"
)

// plan is the folder that the operations of these tests start from.
var planFiles = map[string]string{
	"1.task_a.md": "task a, old", "2.task_b.md": "task b", "README.md": "index, old",
	"PROGRESS.md": "progress, old", "state.json": "state, old",
}

// refine is an operation of five changes in the order of PS-19: new file in a new folder, removal, changes, state last.
func refine() []disk.Change {
	return []disk.Change{
		{Path: "analysis_results/gates/1.log", Data: []byte("log, new")},
		{Path: "2.task_b.md", Remove: true},
		{Path: "README.md", Data: []byte("index, new")},
		{Path: "PROGRESS.md", Data: []byte("progress, new")},
		{Path: "state.json", Data: []byte("state, new")},
	}
}

func planTwin(t *testing.T) *disk.Twin {
	t.Helper()
	twin := disk.NewTwin()
	for name, content := range planFiles {
		must(t, twin.Put(name, []byte(content), 0o664))
	}
	return twin
}

// after is the folder once the changes are made.
func after(changes []disk.Change) map[string]string {
	tree := maps.Clone(planFiles)
	for _, c := range changes {
		if c.Remove {
			delete(tree, c.Path)
		} else {
			tree[c.Path] = string(c.Data)
		}
	}
	return tree
}

func TestOperationNameAgrees(t *testing.T) {
	if disk.OpDir != state.OperationMark {
		t.Errorf("the folder is %q here and %q there", disk.OpDir, state.OperationMark)
	}
}

func TestOperation(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		for name, content := range planFiles {
			must(t, disk.WriteFile(w, name, []byte(content), disk.Options{Mode: 0o664}))
		}
		op, err := disk.Pending(w)
		if op != nil || err != nil {
			t.Fatalf("before: %v, %v", op, err)
		}
		must(t, disk.Stage(w, disk.Operation{Name: "refine move", Args: []string{"2", "--to", "1"}}, refine(), nil))
		for name, content := range planFiles {
			if got := read(t, w, name); got != content {
				t.Errorf("%s is changed after Stage: %q", name, got)
			}
		}
		op, err = disk.Pending(w)
		must(t, err)
		if op.Name != "refine move" || !slices.Equal(op.Args, []string{"2", "--to", "1"}) || len(op.Files) != 5 ||
			op.Files[0].Before != "" || op.Files[1].After != "" || op.Files[4].Path != "state.json" {
			t.Errorf("pending: %+v", op)
		}
		if err := disk.Stage(w, disk.Operation{Name: "other"}, refine(), nil); !errors.Is(err, disk.ErrPending) {
			t.Errorf("a second operation: %v", err)
		}
		done, err := disk.Apply(w)
		if err != nil || done.Name != op.Name {
			t.Errorf("apply: %v, %v", done, err)
		}
		for name, content := range after(refine()) {
			if got := read(t, w, name); got != content {
				t.Errorf("%s is %q, want %q", name, got, content)
			}
		}
		info, err := w.Lstat("README.md")
		must(t, err)
		if info.Mode() != 0o664 {
			t.Errorf("mode of README.md is %v (PS-23)", info.Mode())
		}
		if got := names(t, w); got != "1.task_a.md PROGRESS.md README.md analysis_results analysis_results/gates analysis_results/gates/1.log state.json" {
			t.Errorf("the folder holds %s", got)
		}
		if op, err := disk.Recover(w); op != nil || err != nil {
			t.Errorf("nothing to recover: %v, %v", op, err)
		}
	})
}

// TestStageRefuses: nothing is changed and nothing left.
func TestStageRefuses(t *testing.T) {
	lost := errors.New("the lock is lost")
	for what, c := range map[string]struct {
		changes []disk.Change
		want    error
	}{
		"nothing":         {nil, nil},
		"outside":         {[]disk.Change{{Path: "../x"}}, fs.ErrInvalid},
		"the folder":      {[]disk.Change{{Path: "."}}, fs.ErrInvalid},
		"the lock":        {[]disk.Change{{Path: "state.json.lock/owner-1.json"}}, fs.ErrInvalid},
		"an operation":    {[]disk.Change{{Path: ".dwp-op/op.json"}}, fs.ErrInvalid},
		"a staged one":    {[]disk.Change{{Path: ".dwp-op.tmp-1/op.json"}}, fs.ErrInvalid},
		"twice":           {[]disk.Change{{Path: "a"}, {Path: "a", Remove: true}}, fs.ErrInvalid},
		"below a file":    {[]disk.Change{{Path: "a"}, {Path: "a-b"}, {Path: "a/b/c"}}, fs.ErrInvalid},
		"remove nothing":  {[]disk.Change{{Path: "none", Remove: true}}, fs.ErrNotExist},
		"read-only":       {[]disk.Change{{Path: "README.md"}, {Path: "readonly"}}, disk.ErrReadOnly},
		"link":            {[]disk.Change{{Path: "link", Data: []byte("x")}}, disk.ErrSymlink},
		"through a link":  {[]disk.Change{{Path: "way/f", Data: []byte("x")}}, disk.ErrSymlink},
		"folder":          {[]disk.Change{{Path: "sub", Remove: true}}, disk.ErrNotRegular},
		"moved meanwhile": {[]disk.Change{{Path: "README.md", Was: strings.Repeat("0", 64)}}, disk.ErrMoved},
		"lock lost (C65)": {refine(), lost},
	} {
		t.Run(what, func(t *testing.T) {
			twin := planTwin(t)
			must(t, twin.Put("readonly", nil, 0o444))
			must(t, twin.PutDir("sub"))
			must(t, twin.PutLink("link", "README.md"))
			must(t, twin.PutLink("way", "sub"))
			before := twin.Tree()
			err := disk.Stage(twin, disk.Operation{Name: "x"}, c.changes, func() error { return lost })
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.HasSuffix(err.Error(), "; nothing was changed") {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if got := twin.Tree(); !maps.Equal(got, before) {
				t.Errorf("the folder holds %v", got)
			}
		})
	}
}

// TestStageFaults: an error at any operation of Stage leaves every file old and nothing behind.
func TestStageFaults(t *testing.T) {
	clean := planTwin(t)
	must(t, disk.Stage(clean, disk.Operation{Name: "x"}, refine(), nil))
	for n := 1; n <= clean.Ops(); n++ {
		for _, fault := range []error{syscall.ENOSPC, syscall.EIO, syscall.EACCES, syscall.EMFILE, &disk.ShortWrite{Keep: 2, Lie: true}} {
			twin := planTwin(t)
			at := failAt(twin, n, fault)
			err := disk.Stage(twin, disk.Operation{Name: "x"}, refine(), nil)
			if err == nil || !strings.HasPrefix(err.Error(), "stage x: ") || !strings.HasSuffix(err.Error(), "; nothing was changed") {
				t.Errorf("%v at %v: %v", fault, *at, err)
			}
			if got := twin.Tree(); !maps.Equal(got, planFiles) {
				t.Errorf("%v at %v left %v", fault, *at, got)
			}
		}
	}
}

// failAt makes operation n fail and tells which it was. A short write is one only of a write.
func failAt(twin *disk.Twin, n int, fault error) *disk.Event {
	at := &disk.Event{}
	twin.Hook(func(e disk.Event) error {
		if e.N != n {
			return nil
		}
		*at = e
		if _, short := errors.AsType[*disk.ShortWrite](fault); short && e.Op != disk.OpWrite {
			return syscall.EROFS
		}
		return fault
	})
	return at
}

// TestApplyFaults: an error at any operation of Apply leaves each file old or new; the message says which (C71), and Recover
// goes on to the one end.
func TestApplyFaults(t *testing.T) {
	staged := planTwin(t)
	must(t, disk.Stage(staged, disk.Operation{Name: "x"}, refine(), nil))
	first := staged.Ops()
	_, err := disk.Apply(staged)
	must(t, err)
	for n := first + 1; n <= staged.Ops(); n++ {
		twin := planTwin(t)
		must(t, disk.Stage(twin, disk.Operation{Name: "x"}, refine(), nil))
		at := failAt(twin, n, syscall.EIO)
		_, err := disk.Apply(twin)
		if !errors.Is(err, syscall.EIO) {
			t.Errorf("at %v: %v", *at, err)
		}
		if part, ok := errors.AsType[*disk.ApplyError](err); ok {
			done := after(refine()[:part.Done])
			for name := range done {
				if _, same := twin.Tree()[name]; !same && part.Operation.Files[part.Done].Path != name {
					t.Errorf("at %v: %s is said to be there: %v", *at, name, err)
				}
			}
		}
		if _, err := disk.Recover(twin); err != nil || !maps.Equal(files(twin.Tree()), after(refine())) {
			t.Errorf("at %v: recover: %v, %v", *at, err, twin.Tree())
		}
	}
}

// TestApplyError names what was changed and what was not (C71).
func TestApplyError(t *testing.T) {
	twin := planTwin(t)
	must(t, disk.Stage(twin, disk.Operation{Name: "refine"}, refine(), nil))
	twin.Fail(disk.OpRename, "PROGRESS.md", syscall.EACCES)
	_, err := disk.Apply(twin)
	want := "apply refine: PROGRESS.md: rename the staged file: permission denied; changed: analysis_results/gates/1.log, 2.task_b.md, README.md" +
		"; not or not for certain: PROGRESS.md, state.json; recover goes on with it"
	if err == nil || err.Error() != want || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestRecoverConflict: a file with any other digest stops it, is named, and nothing is touched (DESIGN 6).
func TestRecoverConflict(t *testing.T) {
	for _, c := range []struct {
		what, path, content string
		conflict            bool
	}{
		{"edited", "README.md", "by hand", true},
		{"edited new file", "analysis_results/gates/1.log", "by hand", true},
		{"edited removed file", "2.task_b.md", "by hand", true},
		{"already after", "README.md", "index, new", false},
		{"still before", "README.md", "index, old", false},
	} {
		twin := planTwin(t)
		must(t, disk.Stage(twin, disk.Operation{Name: "refine"}, refine(), nil))
		must(t, twin.Put(c.path, []byte(c.content), 0o644))
		before := twin.Tree()
		_, err := disk.Recover(twin)
		conflict, ok := errors.AsType[*disk.ConflictError](err)
		if ok != c.conflict || !ok && err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		if ok && (!slices.Equal(conflict.Files, []string{c.path}) || !maps.Equal(twin.Tree(), before)) {
			t.Errorf("%s: %v; %v", c.what, err, twin.Tree())
		}
		if !ok && !maps.Equal(files(twin.Tree()), after(refine())) {
			t.Errorf("%s: %v", c.what, twin.Tree())
		}
	}
}

// TestRecoverDamaged: an op.json that is not ours, and staged contents that are not what it says, are never guessed at.
func TestRecoverDamaged(t *testing.T) {
	must := func(err error) { must(t, err) }
	hash := strings.Repeat("0", 64)
	for what, content := range map[string]string{
		"empty": "", "no object": "[]", "later version": `{"version":2,"operation":"x","arguments":[],"files":[{"path":"a","before":null,"after":null}]}`,
		"no files":     `{"version":1,"operation":"x","arguments":[],"files":[]}`,
		"path outside": `{"version":1,"operation":"x","arguments":[],"files":[{"path":"../a","before":null,"after":"` + hash + `"}]}`,
		"no digest":    `{"version":1,"operation":"x","arguments":[],"files":[{"path":"a","before":null,"after":"12"}]}`,
		"no before":    `{"version":1,"operation":"x","arguments":[],"files":[{"path":"a","after":"` + hash + `"}]}`,
		"not staged":   `{"version":1,"operation":"x","arguments":[],"files":[{"path":"a","before":null,"after":"` + hash + `"}]}`,
	} {
		twin := disk.NewTwin()
		must(twin.Put(".dwp-op/op.json", []byte(content), 0o644))
		if op, err := disk.Recover(twin); err == nil {
			t.Errorf("%s: recovered %+v", what, op)
		}
		if tree := twin.Tree(); len(tree) != 2 || tree[".dwp-op/op.json"] != content {
			t.Errorf("%s: the folder holds %v", what, tree)
		}
	}
	twin := planTwin(t)
	must(disk.Stage(twin, disk.Operation{Name: "refine"}, refine(), nil))
	must(twin.Put(".dwp-op/3", []byte("damaged"), 0o644))
	if _, err := disk.Recover(twin); !errors.Is(err, disk.ErrStaged) || !strings.Contains(fmt.Sprint(err), "README.md") {
		t.Errorf("damaged content: %v", err)
	}
	if got := twin.Tree()["state.json"]; got != "state, old" {
		t.Errorf("state.json is %q", got)
	}
}

// TestRecoverDiscards: what was staged and never committed is taken away, and what is not ours stays.
func TestRecoverDiscards(t *testing.T) {
	twin := planTwin(t)
	must(t, twin.Put(".dwp-op.tmp-ab/1", []byte("x"), 0o644))
	must(t, twin.Put(".dwp-op.tmp-ab/op.json", []byte("{}"), 0o644))
	must(t, twin.PutDir(".dwp-op.tmp-cd"))
	must(t, twin.PutDir(".dwp-op"))
	must(t, twin.Put(".README.md.tmp-12", []byte("of a killed writer"), 0o644))
	if op, err := disk.Recover(twin); op != nil || err != nil {
		t.Errorf("got %v, %v", op, err)
	}
	want := maps.Clone(planFiles)
	want[".README.md.tmp-12"] = "of a killed writer"
	if got := twin.Tree(); !maps.Equal(got, want) {
		t.Errorf("the folder holds %v", got)
	}
}
