package publish_test

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// inTurn is a plan whose lease is taken, as the agent of turn 7 about a task sees it.
func inTurn(t testing.TB, fsys disk.FS, task int) publish.Plan {
	t.Helper()
	p := at(fsys)
	lease, err := disk.AcquireLease(t.Context(), fsys, p.Owner, p.System)
	must(t, err)
	p.Turn = &publish.Caller{Turn: 7, Lease: lease.Owner().ID, Task: task}
	return p
}

// loseLease gives the lease to another, as a later turn does that knows the owner to be dead.
func loseLease(t testing.TB, p publish.Plan) {
	t.Helper()
	_, err := disk.ClearLease(p.FS, p.Turn.Lease, p.System)
	must(t, err)
	_, err = disk.AcquireLease(t.Context(), p.FS, disk.Owner{}, p.System)
	must(t, err)
}

func ruleOf(err error) string {
	if refused, ok := errors.AsType[*publish.Refused](err); ok {
		return refused.Rule
	}
	return ""
}

var (
	startNext  = update.Change{Task: 2, Status: state.InProgress, Agent: "tester"}
	closePlan  = update.Change{Task: 3, Status: state.Completed, Agent: "tester", Commit: "0badc0de"}
	readyPlan  = plantest.Spec{Tasks: 3, Ready: true}
	secondNext = plantest.Spec{Tasks: 3, Done: 1}
)

// door is a way into a plan.
type door struct {
	name string
	spec plantest.Spec
	open func(t *testing.T, p publish.Plan) error
}

// doors are all ways in.
func doors() []door {
	starts := func(*plan.Snapshot) (*publish.Revision, error) {
		change := startNext
		return &publish.Revision{Operation: "start", Change: &change}, nil
	}
	return []door{
		{"apply", secondNext, func(t *testing.T, p publish.Plan) error {
			_, err := publish.Apply(t.Context(), p, startNext)
			return err
		}},
		{"apply the last", readyPlan, func(t *testing.T, p publish.Plan) error {
			_, err := publish.Apply(t.Context(), p, closePlan)
			return err
		}},
		{"publish", readyPlan, func(t *testing.T, p publish.Plan) error {
			s, err := plan.Read(p.FS, p.Name)
			must(t, err)
			next, refusal := update.Next(s, closePlan, now)
			if refusal != nil {
				t.Fatal(refusal)
			}
			_, err = publish.Publish(t.Context(), p, next.State, "")
			return err
		}},
		{"revise", secondNext, func(t *testing.T, p publish.Plan) error {
			_, err := publish.Revise(t.Context(), p, update.Terms{}, noted)
			return err
		}},
		{"revise with a change", secondNext, func(t *testing.T, p publish.Plan) error {
			_, err := publish.Revise(t.Context(), p, update.Terms{}, starts)
			return err
		}},
		{"seal", plantest.Spec{Tasks: 3, Done: 3}, func(t *testing.T, p publish.Plan) error {
			_, err := publish.Seal(t.Context(), p)
			return err
		}},
		{"recover", secondNext, func(t *testing.T, p publish.Plan) error {
			_, err := publish.Recover(t.Context(), p, nil)
			return err
		}},
		{"withdraw", secondNext, func(t *testing.T, p publish.Plan) error {
			_, err := publish.Withdraw(t.Context(), p)
			return err
		}},
		{"finish", secondNext, func(t *testing.T, p publish.Plan) error {
			_, err := publish.FinishOperation(t.Context(), p, "note")
			return err
		}},
	}
}

// TestTurnOver (UN-2, C65): an agent whose turn is over, or that is at another plan than its turn's, gets in by no door, and changes no
// byte; while the turn holds the lease each is open.
func TestTurnOver(t *testing.T) {
	for _, d := range doors() {
		t.Run(d.name, func(t *testing.T) {
			tw := twinOf(t, d.spec)
			must(t, d.open(t, inTurn(t, tw, 0)))

			tw = twinOf(t, d.spec)
			p := inTurn(t, tw, 0)
			loseLease(t, p)
			before := tw.Tree()
			err := d.open(t, p)
			if ruleOf(err) != "guard/turn-over" || !strings.HasSuffix(err.Error(), "; nothing was written") {
				t.Errorf("lease lost: %v", err)
			}
			if !maps.Equal(before, tw.Tree()) {
				t.Error("lease lost: the plan was changed")
			}

			tw = twinOf(t, d.spec)
			p.FS, before = tw, tw.Tree()
			if err := d.open(t, p); ruleOf(err) != "guard/turn-over" || !maps.Equal(before, tw.Tree()) {
				t.Errorf("another plan: %v", err)
			}
		})
	}
}

// TestTurnOverOfDeadLock: who lost its turn takes no lock away either, not of the dead (GU-10).
func TestTurnOverOfDeadLock(t *testing.T) {
	tw := twinOf(t, secondNext)
	p := inTurn(t, tw, 0)
	loseLease(t, p)
	dead := p.System
	dead.Self = func() disk.Process {
		gone := p.System.Self()
		gone.PID++
		return gone
	}
	_, err := disk.Acquire(t.Context(), tw, disk.Owner{}, 0, dead)
	must(t, err)
	if h, err := disk.Inspect(tw, p.System); err != nil || !h.Stale() {
		t.Fatalf("the lock is no dead owner's: %+v, %v", h, err)
	}
	before := tw.Tree()
	if _, err := publish.Recover(t.Context(), p, nil); ruleOf(err) != "guard/turn-over" || !maps.Equal(before, tw.Tree()) {
		t.Errorf("got %v", err)
	}
}

// interlude lets something happen once, before the first new file or folder of the plan itself: the state, the marker, staged contents.
type interlude struct {
	disk.FS
	once func()
}

func (i *interlude) first(name string) {
	if once := i.once; once != nil && disk.IsTemp(strings.Split(name, "/")[0]) {
		i.once = nil
		once()
	}
}

func (i *interlude) Create(name string, perm fs.FileMode) (disk.File, error) {
	i.first(name)
	return i.FS.Create(name, perm)
}

func (i *interlude) Mkdir(name string, perm fs.FileMode) error {
	i.first(name)
	return i.FS.Mkdir(name, perm)
}

// TestTurnLostInBetween (C65): the lease goes to another right before the new content gets its name: it never gets it.
func TestTurnLostInBetween(t *testing.T) {
	for _, d := range doors() {
		if d.name == "recover" || d.name == "withdraw" || d.name == "finish" {
			continue // there is nothing to write
		}
		t.Run(d.name, func(t *testing.T) {
			tw := twinOf(t, d.spec)
			p := inTurn(t, tw, 0)
			before := tw.Tree()
			lost := false
			p.FS = &interlude{FS: tw, once: func() {
				lost = true
				p.FS = tw
				loseLease(t, p)
			}}
			if err := d.open(t, p); ruleOf(err) != "guard/turn-over" || !lost {
				t.Errorf("lost %v: %v", lost, err)
			}
			for name, text := range tw.Tree() {
				if was, there := before[name]; was != text && name != publish.StatesFile(7) && !strings.HasPrefix(name, disk.LeaseDir) && !strings.HasSuffix(name, "/") {
					t.Errorf("%s was there %v, and was changed", name, there)
				}
			}
		})
	}
}

// TestTurnTask (UN-2): a turn moves its own task and no other, whichever door is tried. Who takes the turn is about any.
func TestTurnTask(t *testing.T) {
	for _, d := range doors() {
		about := 0
		switch d.name {
		case "apply", "revise with a change":
			about = 2
		case "apply the last", "publish":
			about = 3
		}
		for _, task := range []int{0, 1, 2, 3} {
			tw := twinOf(t, d.spec)
			p := inTurn(t, tw, task)
			before := tw.Tree()
			want := ""
			if about != 0 && task != 0 && task != about {
				want = "guard/turn-task"
			}
			err := d.open(t, p)
			if ruleOf(err) != want || want == "" && err != nil {
				t.Errorf("%s in a turn about task %d: %v, want %q", d.name, task, err, want)
			}
			if want != "" && !maps.Equal(before, tw.Tree()) {
				t.Errorf("%s in a turn about task %d: refused, and written", d.name, task)
			}
		}
	}
}

// TestPreviewInTurn: a dry run tells of the other task, too.
func TestPreviewInTurn(t *testing.T) {
	p := inTurn(t, twinOf(t, secondNext), 1)
	_, err := publish.Preview(p, update.Terms{}, func(*plan.Snapshot) (*publish.Revision, error) {
		change := startNext
		return &publish.Revision{Operation: "start", Change: &change}, nil
	})
	if ruleOf(err) != "guard/turn-task" {
		t.Errorf("got %v", err)
	}
}

// TestStatesOfTurn (UN-2): what is written in a turn is noted, a state a line, each from the one before; what another hand put there, and
// what is written on from that, is not.
func TestStatesOfTurn(t *testing.T) {
	tw := twinOf(t, secondNext)
	p := inTurn(t, tw, 2)
	now := func() string { return state.Digest([]byte(tw.Tree()[state.StateFile])) }
	begin := now()
	states := func(from string) []string {
		t.Helper()
		list, err := publish.States(tw, 7, from)
		must(t, err)
		return list
	}
	if got := states(begin); got != nil {
		t.Errorf("nothing was written, and noted is %v", got)
	}
	change := startNext
	_, err := publish.Revise(t.Context(), p, update.Terms{}, noted)
	must(t, err)
	want := []string{now()}
	for _, step := range []string{"one", "two"} {
		change.CheckpointStep = step
		for range 2 { // a replay notes nothing
			_, err := publish.Apply(t.Context(), p, change)
			must(t, err)
		}
		want = append(want, now())
	}
	if !slices.Equal(states(begin), want) {
		t.Errorf("got %v, want %v", states(begin), want)
	}
	if got := states(want[0]); got != nil {
		t.Errorf("from a state that is not the first: %v", got)
	}
	must(t, tw.Put(state.StateFile, []byte(strings.Replace(tw.Tree()[state.StateFile], `"two"`, `"by hand"`, 1)), 0o644))
	if now() == want[2] {
		t.Fatal("nothing was changed by hand")
	}
	change.CheckpointStep = "three"
	_, err = publish.Apply(t.Context(), p, change)
	must(t, err)
	if got := states(begin); !slices.Equal(got, want) || slices.Contains(got, now()) {
		t.Errorf("after a change by hand: %v, want %v", got, want)
	}
	if other, err := publish.States(tw, 8, begin); other != nil || err != nil {
		t.Errorf("another turn: %v, %v", other, err)
	}
	if ids, verdict := rulesOf(t, tw); verdict == verify.Unverified {
		t.Errorf("%s %v", verdict, ids)
	}
}

// TestStatesThatCannotBeNoted: a state that can't be noted is not written.
func TestStatesThatCannotBeNoted(t *testing.T) {
	for _, d := range doors() {
		if d.name == "recover" || d.name == "withdraw" || d.name == "finish" || d.name == "seal" {
			continue // they write no state here
		}
		tw := twinOf(t, d.spec)
		p := inTurn(t, tw, 0)
		must(t, disk.MkdirAll(tw, publish.StatesFile(7)))
		before := tw.Tree()
		if err := d.open(t, p); err == nil || !maps.Equal(before, tw.Tree()) {
			t.Errorf("%s: %v", d.name, err)
		}
	}
	long := twinOf(t, secondNext, [3]string{publish.StatesFile(7), "", strings.Repeat("x", 4<<20+1)})
	if _, err := publish.States(long, 7, ""); err == nil {
		t.Error("a file without bounds was read")
	}
	odd := twinOf(t, secondNext, [3]string{publish.StatesFile(7), "", "- a\na b\nc\n"})
	if got, err := publish.States(odd, 7, ""); err != nil || !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("a line cut off: %v, %v", got, err)
	}
}

// TestCrashInTurn: whenever a process of the turn ends, a state that it wrote has been noted before, and what recovery then writes of it,
// by another and outside the turn, is noted, too. A line too many does no harm.
func TestCrashInTurn(t *testing.T) {
	for _, d := range doors() {
		if d.name == "recover" || d.name == "withdraw" || d.name == "finish" {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			start := func() (*disk.Twin, publish.Plan) {
				tw := twinOf(t, d.spec)
				p := inTurn(t, tw, 0)
				return tw, p
			}
			tw, p := start()
			begin := state.Digest([]byte(tw.Tree()[state.StateFile]))
			steps := crashtest.Steps(t, tw, func(*disk.Twin) error { return d.open(t, p) })
			seen := crashtest.Seen{}
			for _, call := range steps {
				tw, p := start()
				tw.CrashAt(call)
				_ = d.open(t, p)
				for _, found := range crashtest.Remains(tw, 1, call) {
					if !seen.New(found) {
						continue
					}
					noted := func(when string) {
						t.Helper()
						now := state.Digest([]byte(found.Tree()[state.StateFile]))
						list, err := publish.States(found, 7, begin)
						must(t, err)
						if now != begin && !slices.Contains(list, now) {
							t.Fatalf("call %d, %s: the state was written, and not noted: %v", call, when, list)
						}
					}
					noted("found")
					p := at(found)
					if h, err := disk.Inspect(found, p.System); err == nil && h.Held && !h.Stale() {
						id := disk.UnknownOwner
						if len(h.Holders) > 0 {
							id = h.Holders[0].ID
						}
						_, err = disk.Clear(found, id, p.System)
						must(t, err)
					}
					if _, err := publish.Recover(t.Context(), p, nil); err != nil {
						t.Fatalf("call %d: recover: %v", call, err)
					}
					noted("recovered")
				}
			}
		})
	}
}
