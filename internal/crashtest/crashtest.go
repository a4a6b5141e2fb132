// Package crashtest is the crash matrix of operations on several files (DESIGN 6): one is cut off at every instant, and what is then
// found, and what recovery makes of it, is compared with the plan before and after. Nothing but tests imports it. Requirements: PS-5 and
// PS-19 as far as they speak of crashes.
package crashtest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// Operation is what is cut off.
type Operation struct {
	// Start makes the plan's folder as it is before, the same at each call.
	Start func() *disk.Twin
	// Plan is the plan in such a folder, in World or another system whose earlier processes are dead.
	Plan func(disk.FS) publish.Plan
	// Run asks for the operation.
	Run func(publish.Plan) error
	// Remainders is how many random remainders are tried per crash point, beside a power cut and a kill; 0 for 3.
	Remainders int
	// Between accepts a folder that is neither as before nor as after though no operation stands: one whose publication is still to
	// come, say. nil for none.
	Between func(tree map[string]string) bool
}

// Matrix cuts the operation off before each call that changes something, by a power cut that keeps only what was flushed or a random
// part of the rest, or by kill -9. The plan is then as before or as after, or an operation stands that verify names. Recovery, and the
// operation asked for again, lead to one and the same end, after which asking once more changes nothing.
func Matrix(t *testing.T, op Operation) {
	t.Helper()
	m := &matrix{Operation: op, before: settled(op.Start()), seen: Seen{}}
	if m.Remainders == 0 {
		m.Remainders = 3
	}
	steps := m.undisturbed(t)
	for _, at := range steps {
		run := op.Start()
		run.CrashAt(at)
		told := op.Run(op.Plan(run)) == nil && run.Crashed()
		for survival, tw := range Remains(run, m.Remainders, at) {
			m.crash(t, tw, told, fmt.Sprintf("call %d, survival %d", at, survival))
		}
	}
	t.Logf("%d crashes at %d points left %d folders", len(steps)*(m.Remainders+2), len(steps), len(m.seen))
	if len(steps) < 20 {
		t.Errorf("only %d crash points: the operation did not run", len(steps))
	}
}

type matrix struct {
	Operation
	seen          Seen
	before, after map[string]string
}

// Seen are the folders that crashes left and that were judged. Many crashes leave the same one, and recovery, which sees nothing but the
// folder, does with it what it did before: judging it once is enough.
type Seen map[[sha256.Size]byte]bool

// New reports whether a folder is not among them, and adds it. The names that a writer draws by lot are no difference.
func (s Seen) New(tw *disk.Twin) bool {
	tree := tw.Tree()
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		text := tree[name]
		if strings.HasPrefix(name, disk.LockDir) {
			text = drawn().ReplaceAllString(text, "$1")
		}
		fmt.Fprintf(h, "%q %q\n", drawn().ReplaceAllString(name, "$1"), text)
	}
	sum := [sha256.Size]byte(h.Sum(nil))
	fresh := !s[sum]
	s[sum] = true
	return fresh
}

// drawn matches what is drawn by lot: the end of a temporary name, and the ID of a lock's owner.
var drawn = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\.tmp-|owner-|"id": ?")[0-9a-f]+`) })

// Steps runs an operation to its end, and returns the numbers of its calls that change something, and the one behind the last.
func Steps(t *testing.T, tw *disk.Twin, run func(*disk.Twin) error) (steps []int) {
	t.Helper()
	done := false
	tw.Hook(func(e disk.Event) error {
		switch e.Op {
		case disk.OpOpen, disk.OpRead, disk.OpReadDir, disk.OpLstat, disk.OpStat:
		default:
			if !done {
				steps = append(steps, e.N)
			}
		}
		return nil
	})
	if err := run(tw); err != nil {
		t.Fatal(err)
	}
	done = true
	return append(steps, tw.Ops()+1)
}

// Remains are the folders that may be found after a run was cut off before a call: by a power cut that keeps only what was flushed, by
// power cuts that keep random parts of the rest, others at each call, and last by kill -9.
func Remains(run *disk.Twin, remainders, call int) []*disk.Twin {
	found := []*disk.Twin{run.Crash(disk.Survival{})}
	for i := range remainders {
		found = append(found, run.Crash(disk.Survival{Remainder: true, Seed: uint64(call*remainders + i)}))
	}
	return append(found, run.Kill())
}

// Copy is another folder with the same files, so that two ways on can be tried from one crash.
func Copy(t *testing.T, tw *disk.Twin) *disk.Twin {
	t.Helper()
	files := fstest.MapFS{}
	for name, text := range tw.Tree() {
		if folder, ok := strings.CutSuffix(name, "/"); ok {
			files[folder] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		} else {
			files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
	}
	same, err := disk.TwinOf(files)
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(tw.Tree(), same.Tree()) {
		t.Fatalf("the copy differs in %v", differing(tw.Tree(), same.Tree()))
	}
	return same
}

// undisturbed runs the operation to its end, and returns the numbers of its calls that change something, and the one behind the last.
func (m *matrix) undisturbed(t *testing.T) (steps []int) {
	t.Helper()
	tw := m.Start()
	steps = Steps(t, tw, func(tw *disk.Twin) error { return m.Run(m.Plan(tw)) })
	m.after = settled(tw)
	if err := m.Run(m.Plan(tw)); err != nil || !maps.Equal(settled(tw), m.after) {
		t.Fatalf("asked again, it changes %v, %v", differing(settled(tw), m.after), err)
	}
	return steps
}

// crash judges one folder that a crash left. told says that success was told before.
func (m *matrix) crash(t *testing.T, tw *disk.Twin, told bool, at string) {
	t.Helper()
	if told && !maps.Equal(settled(tw), m.after) {
		t.Fatalf("%s: success was told, and did not survive: %v", at, differing(settled(tw), m.after))
	}
	if !m.seen.New(tw) {
		return
	}
	m.found(t, tw, at)
	m.unlock(t, tw)
	if _, err := publish.Recover(t.Context(), m.Plan(tw), nil); err != nil {
		t.Fatalf("%s: recover: %v", at, err)
	}
	if now := settled(tw); !m.sound(now) {
		t.Fatalf("%s: recovered, it differs from before in %v, from after in %v", at, differing(now, m.before), differing(now, m.after))
	}
	if err := m.Run(m.Plan(tw)); err != nil {
		t.Fatalf("%s: again: %v", at, err)
	}
	if now := settled(tw); !maps.Equal(now, m.after) {
		t.Fatalf("%s: ends otherwise in %v", at, differing(now, m.after))
	}
}

// found judges the folder as the crash left it.
func (m *matrix) found(t *testing.T, tw *disk.Twin, at string) {
	t.Helper()
	pending, publishing := false, false
	for name := range tw.Tree() {
		pending = pending || strings.HasPrefix(name, state.OperationMark+"/")
		publishing = publishing || name == state.FinalizeMark
	}
	p := m.Plan(tw)
	s, err := plan.Read(tw, p.Name)
	if err != nil {
		t.Fatal(err)
	}
	findings := verify.Plan(s, verify.Options{Now: p.Now(), InGit: p.InGit}).Findings
	says := func(id string) bool {
		return slices.ContainsFunc(findings, func(f rule.Finding) bool { return f.Rule == id })
	}
	switch now := settled(tw); {
	case pending != says("operation/unfinished"), publishing != says("publication/unfinished"):
		t.Fatalf("%s: operation %v, publication %v, and verify says otherwise", at, pending, publishing)
	case !pending && !publishing && !m.sound(now):
		t.Fatalf("%s: it differs from before in %v, from after in %v", at, differing(now, m.before), differing(now, m.after))
	}
}

func (m *matrix) sound(now map[string]string) bool {
	return maps.Equal(now, m.before) || maps.Equal(now, m.after) || m.Between != nil && m.Between(now)
}

// settled is a folder's files, without the lock and what verify recognises as left by a killed writer.
func settled(tw *disk.Twin) map[string]string {
	tree := tw.Tree()
	maps.DeleteFunc(tree, func(name, _ string) bool {
		top, _, _ := strings.Cut(name, "/")
		return strings.HasPrefix(name, disk.LockDir) || disk.IsTemp(top) || strings.Contains(path.Base(name), ".tmp-")
	})
	return tree
}

// differing names the files in which two folders differ.
func differing(a, b map[string]string) (names []string) {
	for name := range a {
		if is, there := b[name]; !there || is != a[name] {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, there := a[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// World is a system whose clock stands, in which waiting takes no time, and in which every earlier process is dead.
func World(now time.Time) disk.System {
	return disk.System{
		Now:   func() time.Time { return now },
		Sleep: func(context.Context, time.Duration) error { return nil },
		Self: func() disk.Process {
			return disk.Process{PID: 42, Start: "1", Boot: "boot", Host: "host", Namespace: "ns"}
		},
		Start: func(int) (string, bool) { return "", false },
	}
}

// unlock does what a person does after a crash: look at the lock, and clear what was shown (C63).
func (m *matrix) unlock(t *testing.T, tw *disk.Twin) {
	t.Helper()
	world := m.Plan(tw).System
	h, err := disk.Inspect(tw, world)
	if err == nil && h.Held {
		id := disk.UnknownOwner
		if len(h.Holders) > 0 {
			id = h.Holders[0].ID
		}
		_, err = disk.Clear(tw, id, world)
	}
	if err != nil {
		t.Fatal(err)
	}
}
