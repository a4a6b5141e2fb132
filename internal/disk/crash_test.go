package disk_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
)

// seeds is how many random remainders are tried at each crash point.
const seeds = 24

// aftermath is one way in which a program can end, and what is found then.
type aftermath struct {
	name string
	end  func(t *disk.Twin) *disk.Twin
}

// aftermaths: a power cut that leaves what was flushed, or also a part of the rest; and a kill -9.
func aftermaths() []aftermath {
	list := []aftermath{
		{"synced only", func(t *disk.Twin) *disk.Twin { return t.Crash(disk.Survival{}) }},
		{"killed", (*disk.Twin).Kill},
	}
	for seed := range uint64(seeds) {
		list = append(list, aftermath{fmt.Sprint("remainder ", seed), func(t *disk.Twin) *disk.Twin {
			return t.Crash(disk.Survival{Remainder: true, Seed: seed})
		}})
	}
	return list
}

// eachCrash runs work on a twin of its own for each of its operations, crashes before that one, and has check look at
// every aftermath; last, at what the whole of work left. It returns the number of crash points tried.
func eachCrash(t *testing.T, setUp func(t *testing.T) *disk.Twin, work func(fsys *disk.Twin) error,
	check func(t *testing.T, what string, found *disk.Twin, finished bool)) int {
	t.Helper()
	clean := setUp(t)
	must(t, work(clean))
	tried := 0
	for _, a := range aftermaths() {
		for n := 1; n <= clean.Ops()+1; n++ {
			twin := setUp(t)
			at := crashAt(twin, n)
			err := work(twin)
			if finished := n > clean.Ops(); finished != (err == nil) || err != nil && !errors.Is(err, disk.ErrCrash) {
				t.Fatalf("crash at %d: %v", n, err)
			}
			check(t, fmt.Sprintf("crash before %v, %s", *at, a.name), a.end(twin), err == nil)
			tried++
		}
	}
	return tried
}

func crashAt(twin *disk.Twin, n int) *disk.Event {
	at := &disk.Event{}
	twin.Hook(func(e disk.Event) error {
		if e.N != n {
			return nil
		}
		*at = e
		return disk.ErrCrash
	})
	return at
}

// strays are the files of a tree that belong to no plan: temporary files and staged folders, which verify recognises by
// ".tmp-", the lock, the operation's folder.
func strays(tree map[string]string) (rest map[string]string, temps []string) {
	rest = maps.Clone(tree)
	for name := range tree {
		top, _, _ := strings.Cut(name, "/")
		if strings.Contains(name, ".tmp-") || top == disk.OpDir || top == disk.LockDir {
			temps = append(temps, name)
			delete(rest, name)
		}
	}
	return rest, temps
}

// TestCrashWriteFile: at any instant the old file or the new one, whole; what is left beside it is recognisable; after
// success the new one, for good (PS-5, C69, C71).
func TestCrashWriteFile(t *testing.T) {
	tried := 0
	for _, c := range []struct{ name, old string }{{"state.json", "old content"}, {"analysis_results/FINALIZATION.json", ""}} {
		setUp := func(t *testing.T) *disk.Twin {
			twin := disk.NewTwin()
			if c.old != "" {
				must(t, twin.Put(c.name, []byte(c.old), 0o664))
			}
			return twin
		}
		work := func(fsys *disk.Twin) error {
			if err := disk.MkdirAll(fsys, folderOf(c.name)); err != nil {
				return err
			}
			return disk.WriteFile(fsys, c.name, []byte("new content, longer"), disk.Options{})
		}
		tried += eachCrash(t, setUp, work, func(t *testing.T, what string, found *disk.Twin, finished bool) {
			rest, temps := strays(files(found.Tree()))
			got := rest[c.name]
			if got != "new content, longer" && (got != c.old || finished) {
				t.Errorf("%s: %s is %q", what, c.name, got)
			}
			if len(rest) > 1 || finished && len(temps) > 0 {
				t.Errorf("%s: the folder holds %v", what, found.Tree())
			}
			if info, err := found.Lstat(c.name); c.old != "" && (err != nil || info.Mode() != 0o664) {
				t.Errorf("%s: %s: %v, %v", what, c.name, info, err)
			}
			// Whatever was left, the next write succeeds.
			if err := work(found); err != nil || found.Tree()[c.name] != "new content, longer" {
				t.Errorf("%s: the next write: %v", what, err)
			}
		})
	}
	t.Logf("%d crash points", tried)
}

func folderOf(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i]
	}
	return "."
}

// TestCrashLock: whenever its holder ends, a lock is whole, or nobody's, or gone; it can be inspected, and cleared by what was
// shown; never is a second owner let in beside a first (GU-10, C63).
func TestCrashLock(t *testing.T) {
	s := newScene()
	work := func(fsys *disk.Twin) error {
		l, err := disk.Acquire(t.Context(), fsys, disk.Owner{Agent: "tester"}, 0, s.system(100))
		if err != nil {
			return err
		}
		if err := disk.WriteFile(fsys, "state.json", []byte("new"), disk.Options{Guard: l.Check}); err != nil {
			return err
		}
		return l.Release()
	}
	kinds := map[string]int{}
	tried := eachCrash(t, planTwin, work, func(t *testing.T, what string, found *disk.Twin, finished bool) {
		sys := newScene()
		delete(sys.runs, 100) // the holder is dead
		if got := found.Tree()["state.json"]; got != "new" && (finished || got != planFiles["state.json"]) {
			t.Errorf("%s: state.json is %q", what, got)
		}
		kinds[clearAsShown(t, what, found, sys.system(7))]++
		l, err := disk.Acquire(t.Context(), found, disk.Owner{}, 0, sys.system(7))
		if err != nil {
			t.Fatalf("%s: after clearing: %v", what, err)
		}
		must(t, l.Release())
		if rest, _ := strays(files(found.Tree())); len(rest) != len(planFiles) {
			t.Errorf("%s: the folder holds %v", what, found.Tree())
		}
	})
	for _, kind := range []string{"none", "nobody's", "whole", "cut"} {
		if kinds[kind] == 0 {
			t.Errorf("no crash left a lock of the kind %q: %v", kind, kinds)
		}
	}
	t.Logf("%d crash points: %v", tried, kinds)
}

// clearAsShown inspects a lock and clears what it saw, as a person does. It returns of which kind it was.
func clearAsShown(t *testing.T, what string, fsys *disk.Twin, sys disk.System) (kind string) {
	t.Helper()
	h, err := disk.Inspect(fsys, sys)
	must(t, err)
	if !h.Held {
		return "none"
	}
	if _, err := disk.Acquire(t.Context(), fsys, disk.Owner{}, 0, sys); err == nil {
		t.Errorf("%s: a second owner was let in", what)
	}
	id := disk.UnknownOwner
	kind = "nobody's"
	if len(h.Holders) > 0 {
		id, kind = h.Holders[0].ID, "whole"
		if h.Holders[0].Err != nil {
			kind = "cut"
		}
	}
	if len(h.Holders) > 1 || len(h.Others) > 0 {
		t.Errorf("%s: %+v", what, h)
	}
	if _, err := disk.ReclaimDead(fsys, sys); (err == nil) != (kind == "whole") {
		t.Errorf("%s: reclaim a lock of the kind %s: %v", what, kind, err)
	}
	if _, err := disk.Clear(fsys, id, sys); err != nil && !(kind == "whole" && errors.Is(err, disk.ErrNotLocked)) {
		t.Errorf("%s: clear: %v", what, err)
	}
	return kind
}

// TestCrashClear: a crash while a lock is cleared or reclaimed leaves one that can be cleared again.
func TestCrashClear(t *testing.T) {
	sys := newScene()
	owner := ""
	setUp := func(t *testing.T) *disk.Twin {
		twin := planTwin(t)
		s := newScene()
		owner = acquire(t, twin, s.system(100)).Owner().ID
		return twin.Kill()
	}
	delete(sys.runs, 100)
	tried := 0
	for _, work := range []func(*disk.Twin) error{
		func(fsys *disk.Twin) error { _, err := disk.Clear(fsys, owner, sys.system(7)); return err },
		func(fsys *disk.Twin) error { _, err := disk.ReclaimDead(fsys, sys.system(7)); return err },
	} {
		// A record that can't be read is shown as such: Inspect itself goes on. So does Clear, and says what it did.
		tolerant := func(fsys *disk.Twin) error {
			err := work(fsys)
			if fsys.Crashed() {
				return errors.Join(err, disk.ErrCrash)
			}
			return err
		}
		tried += eachCrash(t, setUp, tolerant, func(t *testing.T, what string, found *disk.Twin, _ bool) {
			clearAsShown(t, what, found, sys.system(7))
			if rest := found.Tree(); !maps.Equal(rest, planFiles) {
				t.Errorf("%s: left %v", what, rest)
			}
		})
	}
	t.Logf("%d crash points", tried)
}

// operations are those of the matrix: one to five changes, with new folders, removals, and nothing to do.
func operations() [][]disk.Change {
	state := disk.Change{Path: "state.json", Data: []byte("state, new")}
	readme := disk.Change{Path: "README.md", Data: []byte("index, new"), Mode: 0o600}
	return [][]disk.Change{
		{state},
		{{Path: "2.task_b.md", Remove: true}, state},
		{{Path: "a/b/c.md", Data: []byte("deep")}, readme, state},
		{{Path: "1.task_a.md", Data: []byte("task a, old")}, {Path: "2.task_b.md", Data: nil}, readme, state},
		refine(),
	}
}

// TestCrashOperation: before the commit point a crash leaves every file old, after it recovery makes every file
// new, to one and the same end, from wherever it is itself cut off; in between each file is whole (PS-5, PS-19, C73).
func TestCrashOperation(t *testing.T) {
	tried := 0
	for _, changes := range operations() {
		staged := false
		work := func(fsys *disk.Twin) error {
			err := disk.Stage(fsys, disk.Operation{Name: "refine"}, changes, nil)
			if staged = err == nil; !staged {
				return err
			}
			_, err = disk.Apply(fsys)
			return err
		}
		tried += eachCrash(t, planTwin, work, func(t *testing.T, what string, found *disk.Twin, finished bool) {
			what = fmt.Sprintf("%d changes, %s", len(changes), what)
			checkOrder(t, what, found.Tree(), changes)
			op, err := disk.Pending(found)
			must(t, err)
			want := after(changes)
			if op == nil && maps.Equal(withoutStrays(found), planFiles) {
				want = planFiles
			}
			if staged && !maps.Equal(want, after(changes)) {
				t.Errorf("%s: committed, but nothing stands: %v", what, found.Tree())
			}
			if finished && (op != nil || !maps.Equal(withoutStrays(found), want)) {
				t.Errorf("%s: finished, but %v", what, found.Tree())
			}
			tried += recoverEverywhere(t, what, found, want)
		})
	}
	t.Logf("%d crash points", tried)
	if tried < 5000 {
		t.Errorf("only %d crash points", tried)
	}
}

func withoutStrays(fsys *disk.Twin) map[string]string {
	rest, _ := strays(files(fsys.Tree()))
	return rest
}

// checkOrder: each file is old or new, and none is new before those that come earlier in the operation (PS-19).
func checkOrder(t *testing.T, what string, tree map[string]string, changes []disk.Change) {
	t.Helper()
	var isNew []bool
	for _, c := range changes {
		old, wasThere := planFiles[c.Path]
		got, isThere := tree[c.Path]
		atOld := isThere == wasThere && got == old
		atNew := isThere != c.Remove && got == string(c.Data)
		if !atOld && !atNew {
			t.Errorf("%s: %s is neither old nor new: %q", what, c.Path, got)
		}
		if !(atOld && atNew) { // no change at all says nothing
			isNew = append(isNew, atNew)
		}
	}
	if i := slices.Index(isNew, false); i >= 0 && slices.Contains(isNew[i:], true) {
		t.Errorf("%s: new is %v in the order of the operation", what, isNew)
	}
}

// recoverEverywhere recovers what was found, cutting recovery off before each of its operations as well, and demands
// one end: the files, nothing beside them, nothing more to do, and all of it durable.
func recoverEverywhere(t *testing.T, what string, found *disk.Twin, want map[string]string) (tried int) {
	t.Helper()
	// Each cut goes on from what the last one left: a power cut before the first operation, a kill before the second of what
	// that left, and so on until recovery is through.
	for n := 1; ; n++ {
		crashAt(found, n)
		_, err := disk.Recover(found)
		if err == nil {
			break
		}
		if !errors.Is(err, disk.ErrCrash) || n > 1000 {
			t.Fatalf("%s: recover: %v", what, err)
		}
		if n%2 == 0 {
			found = found.Kill()
		} else {
			found = found.Crash(disk.Survival{Remainder: true, Seed: uint64(n)})
		}
		tried++
	}
	for _, end := range []*disk.Twin{found.Kill(), found.Crash(disk.Survival{})} {
		if got := files(end.Tree()); !maps.Equal(got, want) {
			t.Errorf("%s: recovery ends with %v, want %v", what, got, want)
		}
		if op, err := disk.Recover(end); op != nil || err != nil {
			t.Errorf("%s: a second recovery: %v, %v", what, op, err)
		}
	}
	return tried
}

// TestTwinTellsBadWritersApart: the twin must catch what the real world punishes, or the matrices above prove nothing.
func TestTwinTellsBadWritersApart(t *testing.T) {
	const oldText, newText = "old content", "new content, longer"
	steps := func(fsys *disk.Twin, flushFile, flushFolder bool) error {
		f, err := fsys.Create(".temp", 0o644)
		if err != nil {
			return err
		}
		_, err = f.Write([]byte(newText))
		if flushFile && err == nil {
			err = f.Sync()
		}
		if err = errors.Join(err, f.Close()); err == nil {
			err = fsys.Rename(".temp", "f")
		}
		if flushFolder && err == nil {
			err = fsys.SyncDir(".")
		}
		return err
	}
	for _, c := range []struct {
		what               string
		file, folder       bool
		torn, empty, mayGo bool
	}{
		{"right", true, true, false, false, false},
		{"rename without the data", false, true, true, true, true},
		{"rename that is lost", true, false, false, false, true},
	} {
		var torn, empty, gone bool
		setUp := func(t *testing.T) *disk.Twin {
			twin := disk.NewTwin()
			must(t, twin.Put("f", []byte(oldText), 0o644))
			return twin
		}
		eachCrash(t, setUp, func(fsys *disk.Twin) error { return steps(fsys, c.file, c.folder) },
			func(_ *testing.T, _ string, found *disk.Twin, finished bool) {
				got := found.Tree()["f"]
				torn = torn || got != oldText && got != newText && got != ""
				empty = empty || got == ""
				gone = gone || finished && got != newText
			})
		if torn != c.torn || empty != c.empty || gone != c.mayGo {
			t.Errorf("%s: torn %v, empty %v, lost %v", c.what, torn, empty, gone)
		}
	}
}

// TestTwinIsOneSeedOneResult: a failure can be run again.
func TestTwinIsOneSeedOneResult(t *testing.T) {
	found := map[string]bool{}
	for seed := range uint64(40) {
		var trees [2]string
		for i := range trees {
			twin := planTwin(t)
			for _, name := range []string{"a", "b", "c"} {
				put(t, twin, name, "some content of "+name)
			}
			must(t, twin.Rename("a", "README.md"))
			must(t, twin.Remove("PROGRESS.md"))
			trees[i] = fmt.Sprint(twin.Crash(disk.Survival{Remainder: true, Seed: seed}).Tree())
		}
		if trees[0] != trees[1] {
			t.Fatalf("seed %d: %s, then %s", seed, trees[0], trees[1])
		}
		found[trees[0]] = true
	}
	if len(found) < 20 {
		t.Errorf("40 seeds, only %d results", len(found))
	}
}

// TestPlanReadsTheTwin: a snapshot can be taken of a twin, before and after a crash (DESIGN 2).
func TestPlanReadsTheTwin(t *testing.T) {
	twin := planTwin(t)
	found := twin.Kill()
	for _, fsys := range []fs.FS{found, twinOf(t, found)} {
		s, err := plan.Read(fsys, "PLAN_x")
		must(t, err)
		if s.Moved || s.Files["README.md"] == nil || string(s.Files["README.md"].Data) != "index, old" || s.Nodes["state.json"].Mode != 0o664 {
			t.Errorf("snapshot: %+v", s.Files)
		}
	}
	if _, err := plan.Read(twin, "PLAN_x"); !errors.Is(err, disk.ErrCrash) {
		t.Errorf("read from a dead twin: %v", err)
	}
}
