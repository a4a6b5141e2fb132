package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"time"
)

// ErrCrash is what every operation answers once the twin has crashed; a hook that returns it makes it crash.
var ErrCrash = errors.New("the machine has crashed")

// Op names an operation of the seam.
type Op string

// The operations that are counted. Those of a file have the file's path.
const (
	OpOpen    Op = "open"
	OpRead    Op = "read"
	OpReadDir Op = "readdir"
	OpLstat   Op = "lstat"
	OpStat    Op = "stat"
	OpCreate  Op = "create"
	OpWrite   Op = "write"
	OpChmod   Op = "chmod"
	OpSync    Op = "sync"
	OpClose   Op = "close"
	OpRename  Op = "rename"
	OpRemove  Op = "remove"
	OpMkdir   Op = "mkdir"
	OpSyncDir Op = "syncdir"
)

// Event is an operation that is about to happen.
type Event struct {
	N    int // counted from 1
	Op   Op
	Path string
	To   string // the new name of a rename
}

// ShortWrite as the error of a hook makes a write keep only the first Keep bytes.
type ShortWrite struct {
	Keep int
	Err  error // what the write answers; nil for a short count without an error
	Lie  bool  // the write answers that all is well
}

func (s *ShortWrite) Error() string { return fmt.Sprintf("short write of %d bytes", s.Keep) }

func (s *ShortWrite) result(name string, kept, asked int) (int, error) {
	if s.Lie {
		return asked, nil
	}
	if s.Err != nil {
		return kept, fail("write", name, s.Err)
	}
	return kept, nil
}

// Hook adds a function that is asked before each operation; an error it returns is the operation's, and nothing happens, or
// see ErrCrash and ShortWrite. It must not use the twin.
func (t *Twin) Hook(hook func(Event) error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hooks = append(t.hooks, hook)
}

// CrashAt makes the twin crash before operation n, counted from 1 since the twin was made.
func (t *Twin) CrashAt(n int) {
	t.Hook(func(e Event) error {
		if e.N == n {
			return ErrCrash
		}
		return nil
	})
}

// Fail makes every operation op on a path that matches pattern (path.Match; a rename by either name) fail
// with err: a full disk, a read-only folder, a device error.
func (t *Twin) Fail(op Op, pattern string, err error) {
	t.Hook(func(e Event) error {
		if e.Op == op && (matches(pattern, e.Path) || matches(pattern, e.To)) {
			return err
		}
		return nil
	})
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil && name != ""
}

// Ops is how many operations were begun.
func (t *Twin) Ops() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ops
}

// Crashed reports whether the twin has crashed.
func (t *Twin) Crashed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.crashed
}

// begin counts an operation, asks the hooks and checks the path. Without an error it leaves the twin locked.
func (t *Twin) begin(op Op, name string, to ...string) (string, error) {
	t.mu.Lock()
	err := t.ask(op, name, to)
	if err != nil {
		t.mu.Unlock()
		return "", fail(string(op), name, err)
	}
	return name, nil
}

func (t *Twin) ask(op Op, name string, to []string) error {
	if t.crashed {
		return ErrCrash
	}
	if !fs.ValidPath(name) {
		return fs.ErrInvalid
	}
	t.ops++
	t.now = t.now.Add(time.Millisecond)
	e := Event{N: t.ops, Op: op, Path: name}
	if len(to) > 0 {
		e.To = to[0]
	}
	for _, hook := range t.hooks {
		if err := hook(e); err != nil {
			t.crashed = errors.Is(err, ErrCrash)
			return err
		}
	}
	return nil
}

// Survival says what a crash leaves; the zero value: only what was flushed.
type Survival struct {
	// Remainder lets a part of the rest survive as well, chosen by Seed: any of the names made, renamed or
	// removed, in whatever order; files that have their new name but not their content; content in part.
	Remainder bool
	Seed      uint64
}

// Crash ends this twin, as a power cut does, and returns what is found after a restart: flushed, without hooks,
// operations counted from 1 again.
func (t *Twin) Crash(s Survival) *Twin {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.crashed = true
	c := crash{Survival: s, rand: rand.New(rand.NewPCG(s.Seed, 0)), kept: map[*node]*node{}, fate: map[*change]bool{}}
	return &Twin{root: c.keep(t.root), now: t.now}
}

// Kill ends this twin for the program that uses it, as kill -9 does: the machine goes on, so that nothing is lost and
// nothing is flushed either. The twin it returns has no hooks and counts from 1 again.
func (t *Twin) Kill() *Twin {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.crashed = true
	return &Twin{root: t.root, now: t.now}
}

// crash decides what survives. A node that has two names keeps both.
type crash struct {
	Survival
	rand *rand.Rand
	kept map[*node]*node
	fate map[*change]bool
}

func (c *crash) keep(n *node) *node {
	if k := c.kept[n]; k != nil {
		return k
	}
	k := &node{mode: n.mode, modTime: n.modTime, link: n.link}
	c.kept[n] = k
	switch {
	case n.mode.IsDir():
		k.entries = c.names(n)
	case n.mode.IsRegular():
		k.data, k.mode = c.content(n)
	}
	k.flush()
	return k
}

func (c *crash) names(n *node) map[string]*node {
	names := maps.Clone(n.durable)
	for _, p := range n.pending {
		if c.survives(p) {
			maps.Copy(names, p.set)
		}
	}
	kept := map[string]*node{}
	for _, name := range slices.Sorted(maps.Keys(names)) { // sorted: one seed, one result
		if names[name] != nil {
			kept[name] = c.keep(names[name])
		}
	}
	return kept
}

func (c *crash) survives(p *change) bool {
	if p == nil || p.synced {
		return true
	}
	fate, decided := c.fate[p]
	if !decided {
		fate = c.Remainder && c.rand.IntN(2) == 0 && c.survives(p.after)
		c.fate[p] = fate
	}
	return fate
}

// content keeps what was synced, and of what was appended since perhaps a part, perhaps only its length.
func (c *crash) content(n *node) ([]byte, fs.FileMode) {
	data, mode := slices.Clone(n.durableData), n.durableMode
	rest := n.data[len(n.durableData):]
	if !c.Remainder {
		return data, mode
	}
	if c.rand.IntN(2) == 0 {
		mode = n.mode
	}
	switch c.rand.IntN(4) {
	case 0: // nothing
	case 1:
		data = append(data, make([]byte, c.rand.IntN(len(rest)+1))...)
	case 2:
		data = append(data, rest...)
	default:
		data = append(data, rest[:c.rand.IntN(len(rest)+1)]...)
	}
	return data, mode
}
