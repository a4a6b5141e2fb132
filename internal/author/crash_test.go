package author

import (
	"errors"
	"flag"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

var seeds = flag.Int("seeds", 1, "how many random remainders crash matrices try per crash point")

func at(tw *disk.Twin) Place {
	return Place{FS: tw, Owner: disk.Owner{Agent: "tester", Command: "dwp create"}}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// partialTwin is a folder in which creation was cut off before a call.
func partialTwin(t *testing.T, p *Plan, call int) *disk.Twin {
	t.Helper()
	tw := disk.NewTwin()
	tw.CrashAt(call)
	if err := Materialize(t.Context(), at(tw), p, false); err == nil && !tw.Crashed() {
		t.Fatal("creation was not cut off")
	}
	return tw.Kill()
}

// LF-4, PS-5, C69: creation is cut off before each step that changes something, by a power cut that keeps only what was flushed or a random
// part of the rest, or by kill -9. Until the end the plan is partial, verify says so as soon as there is a README, and never calls it
// conformant; resuming, with the outline that the plan keeps, or given again when it was not kept yet, leads to one and the
// same end; and so does discarding, to an empty folder.
func TestCrashMatrix(t *testing.T) {
	for _, format := range []string{"lite", "full", "hub"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			opt, o := base(), sample(2, false)
			opt.Format = format
			if format == "hub" { // one text more (AG-4)
				opt, o = hubOptions(), sampleHub()
				opt.Format = "lite"
			}
			p := prepared(t, o, opt)
			tried, seen := 0, crashtest.Seen{}
			for _, call := range creationSteps(t, p) {
				left, told := cutOff(t, p, call)
				for _, tw := range left {
					tried++
					if told && !maps.Equal(settled(tw), p.Final()) {
						t.Fatalf("call %d: success was told, and did not survive", call)
					}
					if !seen.New(tw) {
						continue
					}
					again := crashtest.Copy(t, tw)
					judged(t, tw, p, call)
					resumed(t, tw, p, call)
					discarded(t, again, p, call)
				}
			}
			t.Logf("%d crashes left %d folders", tried, len(seen))
			if tried < 200 || len(seen) < 50 {
				t.Errorf("only %d crashes, which left %d folders: creation did not run", tried, len(seen))
			}
		})
	}
}

func creationSteps(t *testing.T, p *Plan) []int {
	t.Helper()
	tw := disk.NewTwin()
	steps := crashtest.Steps(t, tw, func(tw *disk.Twin) error { return Materialize(t.Context(), at(tw), p, false) })
	if !maps.Equal(settled(tw), p.Final()) {
		t.Fatalf("an undisturbed creation ends otherwise: %v", slices.Sorted(maps.Keys(settled(tw))))
	}
	return steps
}

// cutOff cuts creation off before a call, and returns what may be found then; told says that success was told all the same.
func cutOff(t *testing.T, p *Plan, call int) (left []*disk.Twin, told bool) {
	t.Helper()
	run := disk.NewTwin()
	run.CrashAt(call)
	told = Materialize(t.Context(), at(run), p, false) == nil && run.Crashed()
	return crashtest.Remains(run, *seeds, call), told
}

// judged: what there is is the beginning of the list, each file whole; and verify does not take it for a plan.
func judged(t *testing.T, tw *disk.Twin, p *Plan, call int) {
	t.Helper()
	have, err := at(tw).look(p)
	must(t, err)
	s, err := plan.Read(tw, p.Name)
	must(t, err)
	final := maps.Equal(have, p.Final())
	if Partial(s) == final {
		t.Fatalf("call %d: partial is %v, finished %v: %v", call, Partial(s), final, slices.Sorted(maps.Keys(have)))
	}
	if final {
		return
	}
	r := verify.Plan(s, verify.Options{Now: clock, InGit: true})
	if r.Verdict == verify.Conformant {
		t.Fatalf("call %d: a partial plan is called conformant", call)
	}
	said := false
	for _, f := range r.Findings {
		said = said || f.Rule == "materialization/partial"
	}
	if have[readmeFile] != "" && !said {
		t.Fatalf("call %d: nobody says that the plan is partial", call)
	}
}

func resumed(t *testing.T, tw *disk.Twin, p *Plan, call int) {
	t.Helper()
	unlock(t, tw)
	s, err := plan.Read(tw, p.Name)
	must(t, err)
	again, err := Load(s, tw)
	switch {
	case errors.Is(err, ErrNotPartial):
		return
	case errors.Is(err, ErrNoOutline): // the outline is given again
		again = p
		if began := Started(s); !began.IsZero() && !began.Equal(p.CreatedAt) {
			t.Fatalf("call %d: began at %s", call, began)
		}
	case err != nil:
		t.Fatalf("call %d: %v", call, err)
	}
	must(t, Materialize(t.Context(), at(tw), again, true))
	if got := settled(tw); !maps.Equal(got, p.Final()) {
		t.Fatalf("call %d: ends otherwise: %v", call, slices.Sorted(maps.Keys(got)))
	}
}

func discarded(t *testing.T, tw *disk.Twin, p *Plan, call int) {
	t.Helper()
	unlock(t, tw)
	s, err := plan.Read(tw, p.Name)
	must(t, err)
	kept, err := Load(s, tw)
	if errors.Is(err, ErrNotPartial) {
		return
	}
	if err != nil && !errors.Is(err, ErrNoOutline) {
		t.Fatal(err)
	}
	must(t, Discard(t.Context(), at(tw), kept))
	if left := tw.Tree(); len(left) > 0 {
		t.Fatalf("call %d: left behind: %v", call, left)
	}
}

// unlock does what a person does after a crash: look at the lock, and clear what was shown (C63).
func unlock(t *testing.T, tw *disk.Twin) {
	t.Helper()
	h, err := disk.Inspect(tw, disk.System{})
	must(t, err)
	if !h.Held {
		return
	}
	id := disk.UnknownOwner
	if len(h.Holders) > 0 {
		id = h.Holders[0].ID
		must(t, tw.Remove(disk.LockDir+"/owner-"+id+".json"))
		must(t, tw.Remove(disk.LockDir))
		return
	}
	_, err = disk.Clear(tw, id, disk.System{})
	must(t, err)
}

// settled leaves out folders, and what verify recognises as left by a killed writer.
func settled(tw *disk.Twin) map[string]string {
	tree := tw.Tree()
	maps.DeleteFunc(tree, func(name, _ string) bool { return disk.IsTemp(name) || strings.HasSuffix(name, "/") })
	return tree
}

// What a person wrote into a partial plan is neither overwritten nor discarded.
func TestForeignFiles(t *testing.T) {
	p := prepared(t, sample(2, false), base())
	for name, change := range map[string]func(tw *disk.Twin) error{
		"edited":     func(tw *disk.Twin) error { return tw.Put(analysisFile, []byte("mine"), 0o644) },
		"added":      func(tw *disk.Twin) error { return tw.Put("notes.md", []byte("mine"), 0o644) },
		"added deep": func(tw *disk.Twin) error { return tw.Put(analysisDir+"/notes.md", []byte("mine"), 0o644) },
		"link":       func(tw *disk.Twin) error { return tw.PutLink("link", "manifest.json") },
	} {
		tw := partialTwin(t, p, 120)
		unlock(t, tw)
		must(t, change(tw))
		before := tw.Tree()
		err := Materialize(t.Context(), at(tw), p, true)
		if _, ok := errors.AsType[*Foreign](err); !ok {
			t.Errorf("%s: resume: %v", name, err)
		}
		err = Discard(t.Context(), at(tw), p)
		if _, ok := errors.AsType[*Foreign](err); !ok {
			t.Errorf("%s: discard: %v", name, err)
		}
		if !maps.Equal(before, tw.Tree()) {
			t.Errorf("%s: something was changed", name)
		}
	}
}

// A plan that is ready, damaged or older is never taken for a partial one: its README lost, its JSON lost, work recorded.
func TestNotPartial(t *testing.T) {
	p := prepared(t, sample(2, false), base())
	for name, change := range map[string]func(map[string]string){
		"ready":        func(map[string]string) {},
		"README lost":  func(f map[string]string) { delete(f, readmeFile) },
		"JSON lost":    func(f map[string]string) { delete(f, state.StateFile); delete(f, state.ManifestFile) },
		"state lost":   func(f map[string]string) { delete(f, state.StateFile) },
		"state unread": func(f map[string]string) { f[state.StateFile] = "{"; delete(f, readmeFile) },
		"task under way": func(f map[string]string) {
			f[state.StateFile] = strings.Replace(f[state.StateFile], `"pending"`, `"in_progress"`, 2)
		},
		"only a README":   func(f map[string]string) { clear(f); f[readmeFile] = "# Old plan\n\n- [ ] Task 1: x\n" },
		"only some notes": func(f map[string]string) { clear(f); f["notes.md"] = "x" },
	} {
		files := p.Final()
		change(files)
		s, err := plan.Read(folderOf(files), p.Name)
		must(t, err)
		if Partial(s) {
			t.Errorf("%s: taken for a partial plan", name)
		}
		if _, err := Load(s, folderOf(files)); !errors.Is(err, ErrNotPartial) {
			t.Errorf("%s: load: %v", name, err)
		}
	}
}

// A plan never overwrites another, nor anything else that stands in its folder; and the manifest is written once (PS-3).
func TestNothingIsOverwritten(t *testing.T) {
	p := prepared(t, sample(2, false), base())
	opt := base()
	opt.CreatedAt = clock.Add(time.Hour)
	other := prepared(t, sample(3, false), opt)
	tw := disk.NewTwin()
	must(t, Materialize(t.Context(), at(tw), p, false))
	before := tw.Tree()
	for _, next := range []*Plan{p, other} {
		if err := Materialize(t.Context(), at(tw), next, false); !errors.Is(err, ErrExists) {
			t.Errorf("got %v", err)
		}
	}
	if !maps.Equal(before, tw.Tree()) {
		t.Error("something was overwritten")
	}
	notes := disk.NewTwin()
	must(t, notes.Put("notes.md", []byte("mine"), 0o644))
	if err := Materialize(t.Context(), at(notes), p, false); !errors.Is(err, ErrExists) {
		t.Errorf("beside notes: %v", err)
	}
}

// PD-1: .gitignore keeps its content and line ends.
func TestIgnore(t *testing.T) {
	for before, want := range map[string]string{
		"": ".dwp/\n", "a\n": "a\n.dwp/\n", "a": "a\n.dwp/\n", "a\r\nb\r\n": "a\r\nb\r\n.dwp/\r\n",
	} {
		tw := disk.NewTwin()
		if before != "" {
			must(t, tw.Put(".gitignore", []byte(before), 0o644))
		}
		must(t, Ignore(tw))
		if got, err := fs.ReadFile(tw, ".gitignore"); err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v", before, got, err)
		}
	}
}
