package disk_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/state"
)

// scene is a System whose clock moves only when somebody sleeps, and whose processes are given.
type scene struct {
	mu    sync.Mutex
	clock time.Time
	slept []time.Duration
	// atSleep is called on each sleep, before the clock moves.
	atSleep func()
	runs    map[int]string // start by number
}

func newScene() *scene {
	return &scene{clock: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), runs: map[int]string{100: "5000"}}
}

func (s *scene) system(pid int) disk.System {
	return disk.System{
		Now: func() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.clock },
		Sleep: func(ctx context.Context, d time.Duration) error {
			if s.atSleep != nil {
				s.atSleep()
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.clock, s.slept = s.clock.Add(d), append(s.slept, d)
			return ctx.Err()
		},
		Self: func() disk.Process {
			return disk.Process{PID: pid, Start: s.runs[pid], Boot: "boot-1", Host: "box", Namespace: "pid:[1]"}
		},
		Start: func(pid int) (string, bool) { start, runs := s.runs[pid]; return start, runs },
	}
}

func acquire(t *testing.T, fsys disk.FS, sys disk.System) *disk.Lock {
	t.Helper()
	l, err := disk.Acquire(t.Context(), fsys, disk.Owner{Agent: "tester", Command: "dwp state update"}, 0, sys)
	must(t, err)
	return l
}

// TestNamesAgree: state owns the file names that readers look for; this package may not import it.
func TestNamesAgree(t *testing.T) {
	if disk.LockDir != state.LockDir {
		t.Errorf("the lock is %q here and %q there", disk.LockDir, state.LockDir)
	}
}

func TestLock(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		sys := newScene().system(100)
		h, err := disk.Inspect(w, sys)
		if err != nil || h.Held {
			t.Fatalf("before: %+v, %v", h, err)
		}
		l := acquire(t, w, sys)
		must(t, l.Check())
		if want := "state.json.lock state.json.lock/owner-" + l.Owner().ID + ".json"; names(t, w) != want {
			t.Errorf("held: %s, want %s", names(t, w), want)
		}
		h, err = disk.Inspect(w, sys)
		must(t, err)
		if !h.Held || len(h.Holders) != 1 || h.Holders[0].Owner != l.Owner() || h.Holders[0].Liveness != disk.Alive || h.Holders[0].Err != nil {
			t.Errorf("inspect: %+v, want %+v", h, l.Owner())
		}
		must(t, l.Release())
		must(t, l.Release())
		if err := l.Check(); !errors.Is(err, disk.ErrLockLost) {
			t.Errorf("check after release: %v", err)
		}
		if got := names(t, w); got != "" {
			t.Errorf("released: %s", got)
		}
		must(t, acquire(t, w, sys).Release())
	})
}

// TestOwnerNames (C61): an owner that gave no agent's name is told by its process, and not by "".
func TestOwnerNames(t *testing.T) {
	o := disk.Owner{Agent: "tester", Process: disk.Process{PID: 7, Host: "box"}, Since: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	if got, want := o.String(), `"tester" (process 7, started at tick unknown, on "box") since 2026-03-01T12:00:00Z`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	o.Agent, o.Start = "", "5000"
	if got, want := o.String(), `process 7 (started at tick 5000, on "box") since 2026-03-01T12:00:00Z`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestLockWaitIsBounded (C59): then the message says who, since when and where.
func TestLockWaitIsBounded(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		s := newScene()
		l := acquire(t, w, s.system(100))
		_, err := disk.Acquire(t.Context(), w, disk.Owner{}, 3*time.Second, s.system(101))
		locked, ok := errors.AsType[*disk.LockedError](err)
		if !ok || locked.Path != disk.LockDir || locked.Holders[0].ID != l.Owner().ID {
			t.Fatalf("got %#v", err)
		}
		want := `state.json.lock is held by "tester" (process 100, started at tick 5000, on "box") since 2026-03-01T12:00:00Z, alive; waited 3s; nothing was written`
		if err.Error() != want {
			t.Errorf("got  %s\nwant %s", err, want)
		}
		var total time.Duration
		for _, d := range s.slept {
			total += d
		}
		if total != 3*time.Second || len(s.slept) > 60 {
			t.Errorf("slept %v in %d naps", total, len(s.slept))
		}
		must(t, l.Check())
	})
}

// TestLockWaitEnds: with the holder's release, or with the context.
func TestLockWaitEnds(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		s := newScene()
		l := acquire(t, w, s.system(100))
		s.atSleep = func() { must(t, l.Release()) }
		second, err := disk.Acquire(t.Context(), w, disk.Owner{}, time.Second, s.system(101))
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		s.atSleep = cancel
		if _, err := disk.Acquire(ctx, w, disk.Owner{}, time.Hour, s.system(102)); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		must(t, second.Check())
	})
}

// TestLockBesideHelpers: the standard's helpers only mkdir and rmdir. They and we keep each other out (GU-10).
func TestLockBesideHelpers(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		s := newScene()
		l := acquire(t, w, s.system(100))
		if err := w.Mkdir(disk.LockDir, 0o777); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a helper got our lock: %v", err)
		}
		if err := w.Remove(disk.LockDir); err == nil {
			t.Error("a helper's rmdir removed our lock")
		}
		must(t, l.Release())
		must(t, w.Mkdir(disk.LockDir, 0o777))
		_, err := disk.Acquire(t.Context(), w, disk.Owner{}, time.Second, s.system(100))
		if locked, ok := errors.AsType[*disk.LockedError](err); !ok || len(locked.Holders) != 0 || !strings.Contains(err.Error(), "someone unknown since 20") {
			t.Errorf("got %v", err)
		}
		must(t, w.Remove(disk.LockDir))
		must(t, acquire(t, w, s.system(100)).Release())
	})
}

// TestLostLockIsNoticed (C65): the lock was deleted and made again by another while we were paused.
func TestLostLockIsNoticed(t *testing.T) {
	takeAway := func(t *testing.T, w world, l *disk.Lock) {
		must(t, w.Remove("state.json.lock/owner-"+l.Owner().ID+".json"))
		must(t, w.Remove(disk.LockDir))
	}
	for what, another := range map[string]func(t *testing.T, w world){
		"gone":     func(*testing.T, world) {},
		"helper":   func(t *testing.T, w world) { must(t, w.Mkdir(disk.LockDir, 0o777)) },
		"one ours": func(t *testing.T, w world) { acquire(t, w, newScene().system(101)) },
	} {
		t.Run(what, func(t *testing.T) {
			eachFS(t, func(t *testing.T, w world) {
				put(t, w, "state.json", "old")
				l := acquire(t, w, newScene().system(100))
				takeAway(t, w, l)
				another(t, w)
				before := names(t, w)
				err := disk.WriteFile(w, "state.json", []byte("new"), disk.Options{Guard: l.Check})
				if !errors.Is(err, disk.ErrLockLost) || read(t, w, "state.json") != "old" {
					t.Errorf("write: %v", err)
				}
				if err := l.Release(); !errors.Is(err, disk.ErrLockLost) {
					t.Errorf("release: %v", err)
				}
				if got := names(t, w); got != before {
					t.Errorf("release of a lost lock left %s, before %s", got, before)
				}
			})
		})
	}
}

// TestLiveness: alive and dead are said on proof only (GU-10, C61).
func TestLiveness(t *testing.T) {
	owner := disk.Process{PID: 100, Start: "5000", Boot: "boot-1", Host: "box", Namespace: "pid:[1]"}
	for what, c := range map[string]struct {
		change func(p *disk.Process)
		runs   map[int]string
		want   disk.Liveness
	}{
		"runs":                        {nil, map[int]string{100: "5000"}, disk.Alive},
		"no such process":             {nil, map[int]string{101: "5000"}, disk.Dead},
		"number of a later process":   {nil, map[int]string{100: "9000"}, disk.Dead},
		"start can't be told":         {nil, map[int]string{100: ""}, disk.Unknown},
		"start was not recorded":      {func(p *disk.Process) { p.Start = "" }, map[int]string{100: "5000"}, disk.Unknown},
		"another boot":                {func(p *disk.Process) { p.Boot = "boot-0" }, nil, disk.Unknown},
		"another host":                {func(p *disk.Process) { p.Host = "hut" }, nil, disk.Unknown},
		"another container":           {func(p *disk.Process) { p.Namespace = "pid:[2]" }, nil, disk.Unknown},
		"nothing known":               {func(p *disk.Process) { *p = disk.Process{PID: 100} }, nil, disk.Unknown},
		"a number that means a group": {func(p *disk.Process) { p.PID = -1 }, nil, disk.Unknown},
	} {
		t.Run(what, func(t *testing.T) {
			twin, s := disk.NewTwin(), newScene()
			sys := s.system(100)
			sys.Self = func() disk.Process {
				p := owner
				if c.change != nil {
					c.change(&p)
				}
				return p
			}
			l := acquire(t, twin, sys)
			s.runs = c.runs
			h, err := disk.Inspect(twin, s.system(7))
			must(t, err)
			if h.Holders[0].Liveness != c.want {
				t.Errorf("liveness is %s, want %s", h.Holders[0].Liveness, c.want)
			}
			// Acquire steals from nobody; reclaiming needs proof; clearing needs the name and no proof of life.
			if _, err := disk.Acquire(t.Context(), twin, disk.Owner{}, time.Second, s.system(7)); err == nil {
				t.Error("stolen")
			}
			if _, err := disk.Clear(twin, "0123456789abcdef", s.system(7)); !errors.Is(err, disk.ErrNotShown) {
				t.Errorf("clear of another owner: %v", err)
			}
			if _, err := disk.Clear(twin, disk.UnknownOwner, s.system(7)); !errors.Is(err, disk.ErrNotShown) {
				t.Errorf("clear of an unknown owner: %v", err)
			}
			again := twinOf(t, twin)
			gone, err := disk.ReclaimDead(twin, s.system(7))
			if reclaimed := err == nil; reclaimed != (c.want == disk.Dead) || reclaimed && (len(gone) != 1 || gone[0].ID != l.Owner().ID) {
				t.Errorf("reclaim: %v, %v", gone, err)
			}
			if _, isLocked := errors.AsType[*disk.LockedError](err); err != nil && !isLocked {
				t.Errorf("reclaim: %#v", err)
			}
			_, err = disk.Clear(again, l.Owner().ID, s.system(7))
			if cleared := err == nil; cleared != (c.want != disk.Alive) || err != nil && !errors.Is(err, disk.ErrOwnerAlive) {
				t.Errorf("clear: %v", err)
			}
			for _, tw := range []*disk.Twin{twin, again} {
				if got := len(tw.Tree()); got != 0 && got != 2 {
					t.Errorf("half a lock: %v", tw.Tree())
				}
			}
		})
	}
}

func twinOf(t *testing.T, fsys fs.FS) *disk.Twin {
	t.Helper()
	twin, err := disk.TwinOf(fsys)
	must(t, err)
	return twin
}

// TestClearUnknown: a folder without an owner file is removed by that name, and only by it (GU-10, C63).
func TestClearUnknown(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		sys := newScene().system(100)
		if _, err := disk.Clear(w, disk.UnknownOwner, sys); !errors.Is(err, disk.ErrNotLocked) {
			t.Errorf("no lock: %v", err)
		}
		if gone, err := disk.ReclaimDead(w, sys); err != nil || gone != nil {
			t.Errorf("no lock to reclaim: %v, %v", gone, err)
		}
		must(t, w.Mkdir(disk.LockDir, 0o777))
		if _, err := disk.ReclaimDead(w, sys); err == nil {
			t.Error("reclaimed from someone unknown")
		}
		put(t, w, "state.json.lock/note.txt", "mine")
		if _, err := disk.Clear(w, disk.UnknownOwner, sys); !errors.Is(err, disk.ErrNotShown) || !strings.Contains(err.Error(), "note.txt") {
			t.Errorf("a folder with something in it: %v", err)
		}
		must(t, w.Remove("state.json.lock/note.txt"))
		_, err := disk.Clear(w, disk.UnknownOwner, sys)
		must(t, err)
		if got := names(t, w); got != "" {
			t.Errorf("cleared: %s", got)
		}
	})
}

// TestLockIsNoFolder: a file or a link in the lock's place locks too; nothing follows or removes it.
func TestLockIsNoFolder(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		sys := newScene().system(100)
		must(t, w.Mkdir("elsewhere", 0o755))
		must(t, w.link(disk.LockDir, "elsewhere"))
		if _, err := disk.Acquire(t.Context(), w, disk.Owner{}, 0, sys); err == nil {
			t.Error("acquired through a link")
		}
		if _, err := disk.Clear(w, disk.UnknownOwner, sys); !errors.Is(err, disk.ErrNotShown) {
			t.Errorf("clear: %v", err)
		}
		if got := names(t, w); got != "elsewhere state.json.lock" {
			t.Errorf("left %s", got)
		}
	})
}

// TestBrokenOwnerFiles: what a killed writer or another hand left is shown, cleared by name, never reclaimed.
func TestBrokenOwnerFiles(t *testing.T) {
	for what, content := range map[string]string{
		"empty": "", "cut": `{"agent": "x", "pi`, "no number": `{"agent":"x"}`, "number no number": `{"pid":1e9999}`,
		"since no time": `{"pid":1,"since":"yesterday"}`, "no object": `[1]`, "large": `{"agent":"` + strings.Repeat("x", 1<<17) + `"}`,
	} {
		t.Run(what, func(t *testing.T) {
			twin, sys := disk.NewTwin(), newScene().system(100)
			must(t, twin.Put("state.json.lock/owner-ab12.json", []byte(content), 0o644))
			h, err := disk.Inspect(twin, sys)
			must(t, err)
			if len(h.Holders) != 1 || h.Holders[0].ID != "ab12" || h.Holders[0].Err == nil || h.Holders[0].Liveness != disk.Unknown {
				t.Errorf("inspect: %+v", h)
			}
			if _, err := disk.ReclaimDead(twin, sys); err == nil || !strings.Contains(err.Error(), `owner "ab12"`) {
				t.Errorf("reclaim: %v", err)
			}
			_, err = disk.Clear(twin, "ab12", sys)
			must(t, err)
			if tree := twin.Tree(); len(tree) != 0 {
				t.Errorf("cleared: %v", tree)
			}
		})
	}
}

// TestLockDoesNotLeak (TRAPS: out of inodes, an I/O error between making the lock and the protected block).
func TestLockDoesNotLeak(t *testing.T) {
	owner := "state.json.lock/owner-*.json"
	for _, c := range []struct {
		op    disk.Op
		path  string
		fault error
		want  error
	}{
		{disk.OpMkdir, disk.LockDir, syscall.ENOSPC, syscall.ENOSPC},
		{disk.OpMkdir, disk.LockDir, syscall.EROFS, syscall.EROFS},
		{disk.OpMkdir, disk.LockDir, syscall.ENOENT, fs.ErrNotExist},
		{disk.OpCreate, owner, syscall.ENOSPC, syscall.ENOSPC},
		{disk.OpCreate, owner, syscall.EMFILE, syscall.EMFILE},
		{disk.OpCreate, owner, syscall.EACCES, fs.ErrPermission},
		{disk.OpCreate, owner, syscall.ENOENT, fs.ErrNotExist},
		{disk.OpWrite, owner, syscall.EIO, syscall.EIO},
		{disk.OpWrite, owner, &disk.ShortWrite{Keep: 5}, io.ErrShortWrite},
		{disk.OpWrite, owner, &disk.ShortWrite{Keep: 5, Lie: true}, io.ErrShortWrite},
		{disk.OpClose, owner, syscall.ENOSPC, syscall.ENOSPC},
		{disk.OpLstat, owner, syscall.EIO, syscall.EIO},
		{disk.OpReadDir, disk.LockDir, syscall.EIO, syscall.EIO},
	} {
		t.Run(fmt.Sprint(c.op, " ", c.fault), func(t *testing.T) {
			twin := disk.NewTwin()
			must(t, twin.Put("state.json", []byte("old"), 0o644))
			twin.Fail(c.op, c.path, c.fault)
			_, err := disk.Acquire(t.Context(), twin, disk.Owner{}, 0, newScene().system(100))
			if !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), "make the lock state.json.lock: ") {
				t.Errorf("got %v", err)
			}
			if tree := twin.Tree(); len(tree) != 1 {
				t.Errorf("left %v", slices.Collect(maps.Keys(tree)))
			}
		})
	}
}

// TestClearedWhileAcquiring: a person clears the ownerless folder that we have just made; another takes the lock.
func TestClearedWhileAcquiring(t *testing.T) {
	dir := t.TempDir()
	folder, err := disk.Open(dir)
	must(t, err)
	defer folder.Close()
	s := newScene()
	for _, another := range []bool{false, true} {
		f := &meddler{FS: folder, atCreate: func() {
			_, err := disk.Clear(folder, disk.UnknownOwner, s.system(101))
			must(t, err)
			if another {
				acquire(t, folder, s.system(101))
			}
		}}
		l, err := disk.Acquire(t.Context(), f, disk.Owner{}, time.Second, s.system(100))
		if _, locked := errors.AsType[*disk.LockedError](err); locked != another || !locked && err != nil {
			t.Fatalf("another %v: %v", another, err)
		}
		h, err := disk.Inspect(folder, s.system(101))
		must(t, err)
		if len(h.Holders) != 1 {
			t.Errorf("another %v: %+v", another, h)
		}
		if l != nil {
			must(t, l.Release())
		}
	}
}

// meddler does something once, right before a file is created.
type meddler struct {
	disk.FS
	atCreate func()
}

func (m *meddler) Create(name string, perm fs.FileMode) (disk.File, error) {
	if m.atCreate != nil && path.Dir(name) == disk.LockDir {
		m.atCreate()
		m.atCreate = nil
	}
	return m.FS.Create(name, perm)
}

// TestLockExcludes: many goroutines, one lock; no update is lost (C53, C55, GU-9).
func TestLockExcludes(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		put(t, w, "state.json", "")
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 10 {
					l, err := disk.Acquire(t.Context(), w, disk.Owner{}, time.Minute, disk.System{})
					if err != nil {
						t.Error(err)
						return
					}
					data, err := fs.ReadFile(w, "state.json")
					err = errors.Join(err, disk.WriteFile(w, "state.json", append(data, '.'), disk.Options{Guard: l.Check}))
					if err = errors.Join(err, l.Release()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if got := len(read(t, w, "state.json")); got != 40 || names(t, w) != "state.json" {
			t.Errorf("%d of 40 updates; the folder holds %s", got, names(t, w))
		}
	})
}

// TestThisProcess: on Linux the facts are there, so that death can be proved; nowhere is a process wrongly dead.
func TestThisProcess(t *testing.T) {
	twin := disk.NewTwin()
	l := acquire(t, twin, disk.System{})
	h, err := disk.Inspect(twin, disk.System{})
	must(t, err)
	_, err = os.Stat("/proc/self/stat")
	want := disk.Alive
	if err != nil {
		want = disk.Unknown
	}
	if got := h.Holders[0]; got.Liveness != want || got.PID != os.Getpid() || want == disk.Alive && (got.Boot == "" || got.Start == "" || got.Namespace == "") {
		t.Errorf("this process: %+v", got)
	}
	must(t, l.Release())
}
