package disk_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
)

// numbered is the owner of a lease that a queue gave; number 0 is one without a queue.
func numbered(queue string, number int64) disk.Owner {
	return disk.Owner{Agent: "tester", Command: "dwp turn", Fence: disk.Fence{Queue: queue, Number: number}}
}

func takeLease(t *testing.T, fsys disk.FS, owner disk.Owner, sys disk.System) *disk.Lock {
	t.Helper()
	l, err := disk.AcquireLease(t.Context(), fsys, owner, sys)
	must(t, err)
	return l
}

// TestLease (UN-2): the lease is taken, seen and given back as the lock is, in a folder of its own; both can be held at once. A second
// one is refused at once, and told by whom (C59).
func TestLease(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		s := newScene()
		l := takeLease(t, w, numbered("", 0), s.system(100))
		lock := acquire(t, w, s.system(100))
		id := l.Owner().ID
		if want := "state.json.lock state.json.lock/owner-" + lock.Owner().ID + ".json turn.lease turn.lease/owner-" + id + ".json"; names(t, w) != want {
			t.Errorf("held: %s, want %s", names(t, w), want)
		}
		_, err := disk.AcquireLease(t.Context(), w, disk.Owner{}, s.system(101))
		want := `turn.lease is held by "tester" (process 100, started at tick 5000, on "box") since 2026-03-01T12:00:00Z, alive; nothing was written`
		if locked, ok := errors.AsType[*disk.LockedError](err); !ok || locked.Path != disk.LeaseDir || err.Error() != want || len(s.slept) > 0 {
			t.Errorf("got  %v, slept %v\nwant %s", err, s.slept, want)
		}
		for name, want := range map[string]bool{id: true, "0123456789abcdef": false, "": false, lock.Owner().ID: false} {
			if got, err := disk.HoldsLease(w, name); got != want || err != nil {
				t.Errorf("%q holds the lease: %v, %v, want %v", name, got, err, want)
			}
		}
		must(t, l.Check())
		must(t, l.Release())
		must(t, l.Release())
		if got, err := disk.HoldsLease(w, id); got || err != nil {
			t.Errorf("released, it holds the lease: %v, %v", got, err)
		}
		if err := l.Check(); !errors.Is(err, disk.ErrLockLost) || err.Error() != "the lease was taken away: it was released" {
			t.Errorf("check after release: %v", err)
		}
		must(t, lock.Check())
		must(t, lock.Release())
		if got := names(t, w); got != "" {
			t.Errorf("released: %s", got)
		}
	})
}

// TestLeaseWords: what is said of a lease names it, and not the lock.
func TestLeaseWords(t *testing.T) {
	twin, s := disk.NewTwin(), newScene()
	_, missing := disk.ClearLease(twin, "ab12", s.system(100))
	l := takeLease(t, twin, numbered("", 0), s.system(100))
	_, other := disk.ClearLease(twin, "ab12", s.system(7))
	_, alive := disk.ClearLease(twin, l.Owner().ID, s.system(7))
	delete(s.runs, 100)
	_, err := disk.ClearLease(twin, l.Owner().ID, s.system(7))
	must(t, err)
	full := disk.NewTwin()
	full.Fail(disk.OpCreate, "turn.lease/owner-*.json", syscall.ENOSPC)
	_, unmade := disk.AcquireLease(t.Context(), full, numbered("q", 1), s.system(100))
	who := `"tester" (process 100, started at tick 5000, on "box") since 2026-03-01T12:00:00Z`
	for _, c := range []struct {
		got, is error
		want    string
	}{
		{missing, disk.ErrNotLocked, "clear the lease turn.lease: there is no lease; nothing was removed"},
		{other, disk.ErrNotShown, "clear the lease turn.lease: the lease is not the one that was named: it is held by " + who + ", alive; nothing was removed"},
		{alive, disk.ErrOwnerAlive, "clear the lease turn.lease: the owner of the lease is running: " + who + "; nothing was removed"},
		{l.Check(), disk.ErrLockLost, "the lease was taken away: turn.lease is gone"},
		{l.Release(), disk.ErrLockLost, "release the lease: the lease was taken away"},
		{unmade, syscall.ENOSPC, "make the lease turn.lease: create the owner file: no space left on device; nothing was written"},
	} {
		if !errors.Is(c.got, c.is) || c.got.Error() != c.want {
			t.Errorf("got  %v\nwant %s", c.got, c.want)
		}
	}
	for _, tw := range []*disk.Twin{twin, full} {
		if tree := tw.Tree(); len(tree) != 0 {
			t.Errorf("left %v", tree)
		}
	}
}

// TestReclaimLease (GU-10, UN-2, C61, C63): what is provably dead goes, and what the same queue gave before; nobody else, however old.
func TestReclaimLease(t *testing.T) {
	mine := disk.Fence{Queue: "q", Number: 7}
	for _, c := range []struct {
		what   string
		owner  disk.Owner
		runs   map[int]string
		caller disk.Fence
		want   bool
	}{
		{"dead", numbered("", 0), nil, disk.Fence{}, true},
		{"dead, its number is another's", numbered("", 0), map[int]string{100: "9000"}, disk.Fence{}, true},
		{"alive", numbered("", 0), map[int]string{100: "5000"}, disk.Fence{}, false},
		{"unknown", numbered("", 0), map[int]string{100: ""}, disk.Fence{}, false},
		{"unknown, and the caller has a number", numbered("", 0), map[int]string{100: ""}, mine, false},
		{"lower number, alive", numbered("q", 6), map[int]string{100: "5000"}, mine, true},
		{"lower number, unknown", numbered("q", 6), map[int]string{100: ""}, mine, true},
		{"lower number, dead", numbered("q", 6), nil, mine, true},
		{"same number, alive", numbered("q", 7), map[int]string{100: "5000"}, mine, false},
		{"same number, unknown", numbered("q", 7), map[int]string{100: ""}, mine, false},
		{"same number, dead", numbered("q", 7), nil, mine, true},
		{"higher number, alive", numbered("q", 8), map[int]string{100: "5000"}, mine, false},
		{"higher number, dead", numbered("q", 8), nil, mine, true},
		{"lower number of another queue", numbered("r", 6), map[int]string{100: "5000"}, mine, false},
		{"lower number, but the caller has none", numbered("q", 6), map[int]string{100: "5000"}, disk.Fence{}, false},
		{"lower number of no queue", numbered("", 6), map[int]string{100: "5000"}, disk.Fence{Number: 7}, false},
		{"greatest number", numbered("q", 1<<62), map[int]string{100: "5000"}, disk.Fence{Queue: "q", Number: 1<<62 + 1}, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			eachFS(t, func(t *testing.T, w world) {
				s := newScene()
				l := takeLease(t, w, c.owner, s.system(100))
				s.runs = c.runs
				s.clock = s.clock.Add(1000 * time.Hour) // no age takes it away
				gone, err := disk.ReclaimLease(w, c.caller, s.system(7))
				if reclaimed := err == nil; reclaimed != c.want || reclaimed && (len(gone) != 1 || gone[0].Owner != l.Owner()) {
					t.Errorf("reclaimed %+v, %v; want %v", gone, err, c.want)
				}
				if locked, ok := errors.AsType[*disk.LockedError](err); err != nil && (!ok || locked.Path != disk.LeaseDir) {
					t.Errorf("got %#v", err)
				}
				if held, err := disk.HoldsLease(w, l.Owner().ID); held == c.want || err != nil {
					t.Errorf("held afterwards: %v, %v", held, err)
				}
				if got := names(t, w); c.want && got != "" {
					t.Errorf("left %s", got)
				}
			})
		})
	}
}

// TestReclaimLeaseOfNobody (C61): an empty folder is what a process left that was killed between two steps, and goes. One with an owner whose
// record can't be read is someone's who is unknown: no number is later than his. No lease: nothing to reclaim.
func TestReclaimLeaseOfNobody(t *testing.T) {
	sys, fence := newScene().system(7), disk.Fence{Queue: "q", Number: 7}
	twin := disk.NewTwin()
	if gone, err := disk.ReclaimLease(twin, fence, sys); gone != nil || err != nil {
		t.Errorf("no lease: %v, %v", gone, err)
	}
	must(t, twin.Mkdir(disk.LeaseDir, 0o755))
	if gone, err := disk.ReclaimLease(twin, fence, sys); gone != nil || err != nil {
		t.Errorf("without an owner: %v, %v", gone, err)
	}
	must(t, takeLease(t, twin, numbered("q", 7), sys).Release())
	must(t, twin.Mkdir(disk.LeaseDir, 0o755))
	must(t, twin.Put("turn.lease/note.txt", []byte("mine"), 0o644))
	if _, err := disk.ReclaimLease(twin, fence, sys); err == nil || !strings.HasPrefix(err.Error(), "turn.lease is held by someone unknown since ") {
		t.Errorf("with a file of someone else: %v", err)
	}
	must(t, twin.Remove("turn.lease/note.txt"))
	const record = `{"pid":1,"since":"2026-03-01T12:00:00Z","queue":"q","fence":`
	for _, number := range []string{`"6"`, `6.5`, `1e3`, `99999999999999999999`, `null`, `[6]`} {
		must(t, twin.Put("turn.lease/owner-ab12.json", []byte(record+number+"}"), 0o644))
		if _, err := disk.ReclaimLease(twin, fence, sys); err == nil || !strings.Contains(err.Error(), `owner "ab12" (owner record: fence`) {
			t.Errorf("fence %s: %v", number, err)
		}
	}
	must(t, twin.Put("turn.lease/owner-ab12.json", []byte(record+"6}"), 0o644))
	_, err := disk.ReclaimLease(twin, fence, sys)
	must(t, err)
}

// TestLostLeaseIsNoticed (C65): a turn whose lease was given to another finds it out, at its next look and at its end, and leaves the
// other's alone.
func TestLostLeaseIsNoticed(t *testing.T) {
	eachFS(t, func(t *testing.T, w world) {
		s := newScene()
		first := takeLease(t, w, numbered("q", 1), s.system(100))
		_, err := disk.ReclaimLease(w, disk.Fence{Queue: "q", Number: 2}, s.system(101))
		must(t, err)
		second := takeLease(t, w, numbered("q", 2), s.system(101))
		if err := first.Check(); !errors.Is(err, disk.ErrLockLost) {
			t.Errorf("check: %v", err)
		}
		if held, err := disk.HoldsLease(w, first.Owner().ID); held || err != nil {
			t.Errorf("the first holds it: %v, %v", held, err)
		}
		if err := first.Release(); !errors.Is(err, disk.ErrLockLost) {
			t.Errorf("release: %v", err)
		}
		must(t, second.Check())
		must(t, second.Release())
	})
}

// TestOwnerRecordKeepsItsForm: a lock's owner file has no member that it had not before; a lease has the number only when there is one.
func TestOwnerRecordKeepsItsForm(t *testing.T) {
	for number, want := range map[int64]bool{0: false, 12: true} {
		queue := ""
		if want {
			queue = "q"
		}
		twin := disk.NewTwin()
		l := takeLease(t, twin, numbered(queue, number), newScene().system(100))
		record := twin.Tree()["turn.lease/owner-"+l.Owner().ID+".json"]
		if got := strings.Contains(record, `"queue": "q"`) && strings.Contains(record, `"fence": 12`); got != want || strings.Contains(record, "fence") != want {
			t.Errorf("number %d: %s", number, record)
		}
	}
}

// TestCrashLease: whenever its holder ends, a lease can be inspected, and cleared by what was shown or reclaimed; no second owner is let
// in before that (GU-10, C63). With a number a power cut after it was taken takes neither lease nor number away (UN-2).
func TestCrashLease(t *testing.T) {
	for _, owner := range []disk.Owner{numbered("", 0), numbered("q", 1)} {
		s := newScene()
		taken := false
		work := func(fsys *disk.Twin) error {
			taken = false
			l, err := disk.AcquireLease(t.Context(), fsys, owner, s.system(100))
			if err != nil {
				return err
			}
			taken = true
			if err := disk.WriteFile(fsys, "state.json", []byte("new"), disk.Options{Guard: l.Check}); err != nil {
				return err
			}
			taken = false
			return l.Release()
		}
		kinds := map[string]int{}
		tried := eachCrash(t, planTwin, work, func(t *testing.T, what string, found *disk.Twin, _ bool) {
			after := newScene()
			delete(after.runs, 100)
			kind := clearLease(t, what, found, after.system(7))
			kinds[kind]++
			if taken && owner.Fence.Number > 0 && kind != "whole" {
				t.Errorf("%s: the lease is %s", what, kind)
			}
			must(t, takeLease(t, found, numbered("q", 2), after.system(7)).Release())
			if _, err := found.Lstat(disk.LeaseDir); err == nil {
				t.Errorf("%s: left %v", what, found.Tree())
			}
		})
		for _, kind := range []string{"none", "nobody's", "whole"} {
			if kinds[kind] == 0 {
				t.Errorf("no crash left a lease of the kind %q: %v", kind, kinds)
			}
		}
		t.Logf("%d crash points: %v", tried, kinds)
	}
}

// clearLease makes way for another turn as far as that may be done by itself, and else as a person does. It returns of which kind the
// lease was.
func clearLease(t *testing.T, what string, fsys *disk.Twin, sys disk.System) (kind string) {
	t.Helper()
	h, err := disk.InspectLease(fsys, sys)
	must(t, err)
	if !h.Held {
		return "none"
	}
	if _, err := disk.AcquireLease(t.Context(), fsys, disk.Owner{}, sys); err == nil {
		t.Errorf("%s: a second owner was let in", what)
	}
	id, kind := disk.UnknownOwner, "nobody's"
	if len(h.Holders) > 0 {
		id, kind = h.Holders[0].ID, "whole"
		if h.Holders[0].Err != nil {
			kind = "cut"
		}
	}
	_, err = disk.ReclaimLease(fsys, disk.Fence{}, sys)
	if (err == nil) != (kind != "cut") {
		t.Errorf("%s: reclaim a lease of the kind %s: %v", what, kind, err)
	}
	if err != nil {
		_, err = disk.ClearLease(fsys, id, sys)
		must(t, err)
	}
	return kind
}

// TestCrashReclaimLease: a crash while a lease is reclaimed by number leaves it, or one of nobody, or none; the plan's files stay.
func TestCrashReclaimLease(t *testing.T) {
	s := newScene()
	setUp := func(t *testing.T) *disk.Twin {
		twin := planTwin(t)
		takeLease(t, twin, numbered("q", 1), s.system(100))
		return twin.Kill()
	}
	later := disk.Fence{Queue: "q", Number: 2}
	work := func(fsys *disk.Twin) error {
		_, err := disk.ReclaimLease(fsys, later, s.system(7))
		if fsys.Crashed() {
			return errors.Join(err, disk.ErrCrash)
		}
		return err
	}
	tried := eachCrash(t, setUp, work, func(t *testing.T, what string, found *disk.Twin, finished bool) {
		if _, err := disk.ReclaimLease(found, later, s.system(7)); err != nil {
			if _, err := disk.ClearLease(found, disk.UnknownOwner, s.system(7)); err != nil || finished && !strings.Contains(what, "remainder") {
				t.Errorf("%s: %v", what, err)
			}
		}
		if rest := found.Tree(); !maps.Equal(rest, planFiles) {
			t.Errorf("%s: left %v", what, rest)
		}
	})
	t.Log(fmt.Sprint(tried, " crash points"))
}
