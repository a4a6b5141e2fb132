package publish

import (
	"errors"
	"flag"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

var seeds = flag.Int("seeds", 8, "how many random remainders TestCrashMatrix tries per crash point")

// operation is one row of the crash matrix: how it starts, what it does, and the end that every crash must lead to.
type operation struct {
	name  string
	start func(t *testing.T) *disk.Twin
	run   func(t *testing.T, p Plan) error
	// end finishes what a crash left: recover a publication that is under way, else run again.
	end func(t *testing.T, p Plan) error
}

var operations = []operation{
	{"update", started, startSecond, startSecond},
	{"publish by update", ready, publish, publish},
	{"publish a candidate", ready, publishCandidate, publishCandidate},
	{"seal", completed, seal, seal},
	{"recover before the state", cutBefore(state.StateFile), recoverIt, recoverIt},
	{"recover before the receipt", cutBefore(state.ReceiptFile), recoverIt, recoverIt},
	{"withdraw before the state", cutBefore(state.StateFile), withdraw, withdraw},
	{"withdraw before the receipt", cutBefore(state.ReceiptFile), withdraw, withdraw},
	{"reopen", published, reopen, reopen},
	{"a later run of a gate", justPublished, rerunFirst, rerunFirst},
}

// TestCrashMatrix: an operation is cut off before each step that changes something, by a power cut that keeps only what was flushed
// or a random part of the rest, or by kill -9. Then state.json is the old or the new one, whole; verify says so when
// something is unfinished; and the way back leads to one and the same end (PS-5, VP-4, C69, C73, C111).
func TestCrashMatrix(t *testing.T) {
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			t.Parallel()
			before, want := op.start(t).Tree(), op.start(t)
			must(t, op.run(t, planIn(want)))
			tried := 0
			for _, at := range changingSteps(t, op) {
				for _, next := range survivals(t, op, at, want.Tree()) {
					afterCrash(t, op, at, before, want.Tree(), next)
					tried++
				}
			}
			t.Logf("%s: %d crash points tried", op.name, tried)
			if tried < 20 {
				t.Errorf("only %d crash points: the operation did not run", tried)
			}
		})
	}
}

// changingSteps are the numbers of the operation's calls that change the file system; a crash before a reading call is
// a crash before the next changing one.
func changingSteps(t *testing.T, op operation) []int {
	t.Helper()
	tw := op.start(t)
	var steps []int
	tw.Hook(func(e disk.Event) error {
		switch e.Op {
		case disk.OpOpen, disk.OpRead, disk.OpReadDir, disk.OpLstat, disk.OpStat:
		default:
			steps = append(steps, e.N)
		}
		return nil
	})
	must(t, op.run(t, planIn(tw)))
	return append(steps, tw.Ops()+1)
}

// survivals are the folders that may be found after the operation was cut off before call number at. Where it told success all the
// same, because all that was left to do was to give the lock back, the whole result must survive even a power cut.
func survivals(t *testing.T, op operation, at int, want map[string]string) []*disk.Twin {
	t.Helper()
	told := false
	cut := func() *disk.Twin {
		tw := op.start(t)
		tw.CrashAt(at)
		told = op.run(t, planIn(tw)) == nil && tw.Crashed()
		return tw
	}
	all := []*disk.Twin{cut().Crash(disk.Survival{}), cut().Kill()}
	for seed := range *seeds {
		all = append(all, cut().Crash(disk.Survival{Remainder: true, Seed: uint64(seed)}))
	}
	for _, tw := range all {
		if got := unlocked(tw.Tree()); told && !maps.Equal(got, unlocked(want)) {
			t.Errorf("call %d: success was told, and did not survive: %v", at, changedNames(unlocked(want), got))
		}
	}
	return all
}

// unlocked leaves out the lock and what a killed writer left.
func unlocked(tree map[string]string) map[string]string {
	out := settled(tree)
	maps.DeleteFunc(out, func(name, _ string) bool { return strings.HasPrefix(name, disk.LockDir) })
	return out
}

func afterCrash(t *testing.T, op operation, at int, before, want map[string]string, tw *disk.Twin) {
	t.Helper()
	if now := tw.Tree()[state.StateFile]; now != before[state.StateFile] && now != want[state.StateFile] {
		t.Fatalf("%s, call %d: state.json is neither the old nor the new one (%d bytes)", op.name, at, len(now))
	}
	marker := tw.Tree()[state.FinalizeMark] != ""
	if told := slices.Contains(rules(report(t, tw)), "publication/unfinished"); told != marker {
		t.Fatalf("%s, call %d: marker %v, told %v", op.name, at, marker, told)
	}
	unlock(t, tw)
	if err := op.end(t, planIn(tw)); err != nil {
		t.Fatalf("%s, call %d: the way back: %v", op.name, at, err)
	}
	if got := settled(tw.Tree()); !maps.Equal(got, settled(want)) {
		t.Fatalf("%s, call %d: ends otherwise in %v", op.name, at, changedNames(settled(want), got))
	}
}

// unlock does what a person does after a crash: look at the lock, and clear what was shown (C63).
func unlock(t *testing.T, tw *disk.Twin) {
	t.Helper()
	h, err := disk.Inspect(tw, world())
	must(t, err)
	if !h.Held {
		return
	}
	id := disk.UnknownOwner
	if len(h.Holders) > 0 {
		id = h.Holders[0].ID
	}
	_, err = disk.Clear(tw, id, world())
	must(t, err)
}

// settled leaves out what verify recognises as left by a killed writer.
func settled(tree map[string]string) map[string]string {
	out := maps.Clone(tree)
	maps.DeleteFunc(out, func(name, _ string) bool { return strings.Contains(path.Base(name), ".tmp-") })
	return out
}

func started(t *testing.T) *disk.Twin   { return twin(t, plantest.Spec{Tasks: 3, Done: 1}) }
func ready(t *testing.T) *disk.Twin     { return twin(t, plantest.Spec{Tasks: 3, Ready: true}) }
func completed(t *testing.T) *disk.Twin { return twin(t, plantest.Spec{Tasks: 3, Done: 3}) }

func startSecond(t *testing.T, p Plan) error {
	_, err := Apply(t.Context(), p, update.Change{Task: 2, Status: state.InProgress, Agent: "tester"})
	return err
}

// publish completes the plan; where a publication is under way, it recovers it, and where it is done, it says so.
func publish(t *testing.T, p Plan) error {
	if _, err := p.FS.Lstat(state.FinalizeMark); err == nil {
		return recoverIt(t, p)
	}
	_, err := Apply(t.Context(), p, closing)
	return err
}

func publishCandidate(t *testing.T, p Plan) error {
	if _, err := p.FS.Lstat(state.FinalizeMark); err == nil {
		return recoverIt(t, p)
	}
	s, err := plan.Read(p.FS, p.Name)
	if err != nil {
		return err
	}
	next, refusal := update.Next(s, closing, clock)
	if refusal != nil {
		return refusal
	}
	if !next.Changed {
		return nil
	}
	_, err = Publish(t.Context(), p, next.State, state.Digest(s.Files[state.StateFile].Data))
	return err
}

// rerunFirst records a later run of the first task's gate in a published plan, which gets a new receipt.
func rerunFirst(t *testing.T, p Plan) error {
	if _, err := p.FS.Lstat(state.FinalizeMark); err == nil {
		return recoverIt(t, p)
	}
	_, err := Apply(t.Context(), p, update.Change{Task: 1, Agent: "tester", Gates: []update.Gate{rerunOf(t, p.FS, 1)}})
	return err
}

func seal(t *testing.T, p Plan) error {
	if _, err := p.FS.Lstat(state.FinalizeMark); err == nil {
		return recoverIt(t, p)
	}
	_, err := Seal(t.Context(), p)
	return err
}

// recoverIt recovers twice: the second time there is nothing to do (C111).
func recoverIt(t *testing.T, p Plan) error {
	if _, err := Recover(t.Context(), p, nil); err != nil {
		return err
	}
	r, err := Recover(t.Context(), p, nil)
	if err == nil && !r.Nothing {
		err = errors.New("the second recovery did something")
	}
	return err
}

func withdraw(t *testing.T, p Plan) error {
	_, err := Withdraw(t.Context(), p)
	return err
}

// cutBefore is a publication that was killed before a file got its name.
func cutBefore(name string) func(t *testing.T) *disk.Twin {
	return func(t *testing.T) *disk.Twin {
		tw := ready(t)
		tw.Hook(func(e disk.Event) error {
			if e.Op == disk.OpRename && e.To == name {
				return disk.ErrCrash
			}
			return nil
		})
		if _, err := Apply(t.Context(), planIn(tw), closing); err == nil {
			t.Fatal("the publication was not cut off")
		}
		tw = tw.Crash(disk.Survival{})
		unlock(t, tw)
		return tw
	}
}

func published(t *testing.T) *disk.Twin {
	tw := ready(t)
	_, err := Apply(t.Context(), planIn(tw), closing)
	must(t, err)
	must(t, replace("README.md", "last:Documentation decision: none needed", "Documentation decision: none needed\n\n"+amendment)(tw))
	must(t, tw.Put("PROGRESS.md", []byte(content(t, tw, "PROGRESS.md")+"\n## Task 3\n\n#"+strings.TrimPrefix(amendment, "###")), 0o644))
	return tw.Kill()
}

const amendment = `#### Amendment 1 — 2026-09-02

- **Original criterion:** counts agree
- **Observed:** a shard was loaded twice
- **Disposition:** revised
- **Revised criterion:** counts agree, and no shard is loaded twice
- **Reason:** the loader retries
- **Authority:** user
- **Affected tasks:** 3
- **Evidence invalidated:** make test-shard
- **Evidence preserved:** none
`

// reopen reopens the last task of a published plan: the receipt stays under another name (VP-5).
func reopen(t *testing.T, p Plan) error {
	_, err := Apply(t.Context(), p, update.Change{Task: 3, Status: state.InProgress, ReopenReason: "Amendment 1: a shard was loaded twice", Agent: "tester"})
	return err
}

// TestReopenedPlanIsPublishedAgain: reopened by amendment, mended, closed again: it completes, with a new receipt beside the
// old one (TRAPS, VP-5).
func TestReopenedPlanIsPublishedAgain(t *testing.T) {
	tw := published(t)
	old := content(t, tw, state.ReceiptFile)
	must(t, reopen(t, planIn(tw)))
	if got := content(t, tw, "analysis_results/FINALIZATION-1.json"); got != old {
		t.Error("the old receipt was not kept")
	}
	if _, err := Apply(t.Context(), planIn(tw), closing); err == nil {
		t.Error("it closed again on the old evidence")
	}
	again := closing
	again.Gates = []update.Gate{gate(t, "make test-shard|0|13 passed")}
	done, err := Apply(t.Context(), planIn(tw), again)
	if err != nil || !done.Published {
		t.Fatalf("publish again: %+v %v", done, err)
	}
	if r := report(t, tw); r.Verdict != verify.Conformant {
		t.Errorf("%s %v", r.Verdict, rules(r))
	}
}

func gate(t *testing.T, text string) update.Gate {
	t.Helper()
	g, refusal := update.ParseGate(text)
	if refusal != nil {
		t.Fatal(refusal)
	}
	return g
}
