package work

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// export makes a package of a plan.
func export(t *testing.T, tw *disk.Twin) *Package {
	t.Helper()
	p, err := Export(t.Context(), planIn(tw), mill, &Standing{Head: "0badc0de", Branch: "main"})
	if err != nil {
		t.Fatal(err, why(err))
	}
	return p
}

// carried is a package as another machine reads it.
func carried(t *testing.T, p *Package) *Package {
	t.Helper()
	data, err := p.Bytes()
	must(t, err)
	q, err := Unpack(data, noon, true)
	must(t, err)
	return q
}

// plansWith is a folder of plans that holds one.
func plansWith(t *testing.T, tw *disk.Twin) *disk.Twin {
	t.Helper()
	plans := disk.NewTwin()
	for name, text := range tw.Tree() {
		if strings.HasSuffix(name, "/") {
			continue // a folder comes with its files
		}
		must(t, plans.Put(plantest.Name+"/"+name, []byte(text), 0o644))
	}
	return plans
}

// planFiles are the files of a plan in a folder of plans.
func planFiles(plans *disk.Twin) map[string]string {
	files := map[string]string{}
	for name, text := range plans.Tree() {
		if inside, ok := strings.CutPrefix(name, plantest.Name+"/"); ok && inside != "" {
			files[inside] = text
		}
	}
	return files
}

// TestHandoff: a plan arrives as it left, byte for byte, in any condition of its work; verify says the same; a second import has nothing
// to do; the package says decisions, questions, blocker and next task, and nothing of the machine (UN-2, UN-5, PD-12).
func TestHandoff(t *testing.T) {
	published := last(t, false)
	must(t, second(do(t, published, completion(3).Decide)))
	blocked := inProgress(t, true)
	done(t, blocked, (&Block{Who: mill, Class: "C1", Reason: "which one", Needs: "a word"}).Decide)
	done(t, blocked, decision("a view").Decide)
	must(t, blocked.Put(questionsFile, []byte("# Questions\n\n## Which label?\n\nDefault: the lid\n\n## Which lid?\n\nAnswer: the blue one, on 2026-09-02\n"), 0o644))
	must(t, blocked.Put("analysis_results/\u0e1c\u0e25/a long name "+strings.Repeat("x", 120)+".log", []byte{0, 1, 0xff}, 0o600))
	must(t, blocked.Put("analysis_results/kept.md", []byte("kept\n"), 0o444))
	must(t, blocked.Put(".PROGRESS.md.tmp-0123456789abcdef", []byte("left"), 0o644))
	for name, tw := range map[string]*disk.Twin{"blocked": blocked, "published": published, "begun": folder(t, plantest.Spec{Tasks: 3, Done: 1, Full: true})} {
		want := tw.Tree()
		delete(want, ".PROGRESS.md.tmp-0123456789abcdef")
		p := export(t, tw)
		q := carried(t, p)
		first, err := p.Bytes()
		must(t, err)
		again, err := q.Bytes()
		must(t, err)
		if !bytes.Equal(first, again) {
			t.Errorf("%s: the same package has other bytes", name)
		}
		plans := disk.NewTwin()
		for round, placed := range []bool{true, false} {
			if got, err := q.Place(plans); err != nil || got != placed {
				t.Fatalf("%s: round %d: %v, %v", name, round, got, err)
			}
		}
		if got := planFiles(plans); !maps.Equal(got, want) {
			t.Errorf("%s: arrived with %v", name, slices.Sorted(maps.Keys(got)))
		}
		if q.Verdict != p.Verdict || q.Told != p.Verdict || p.Verdict != verify.Conformant {
			t.Errorf("%s: verdicts %s, %s, told %s", name, p.Verdict, q.Verdict, q.Told)
		}
		if info, err := plans.Lstat(plantest.Name + "/analysis_results/kept.md"); name == "blocked" && (err != nil || info.Mode().Perm() != 0o444) { // PS-23
			t.Errorf("%s: what was read-only is not: %v, %v", name, info, err)
		}
		facts := string(q.facts())
		if strings.Contains(facts, "host") || strings.Contains(facts, "pid") {
			t.Errorf("%s: %s", name, facts)
		}
		if name == "blocked" && (!strings.Contains(facts, `"choice": "a view"`) || !strings.Contains(facts, `"reason": "[C1] which one"`) || !slices.Equal(q.OpenQuestions(), []string{"Which label?"})) {
			t.Errorf("%s, questions %q", facts, q.OpenQuestions())
		}
	}
}

// TestExportRefuses: a plan that is not at rest, a secret in whatever file, and what no archive should hold (UN-2, AG-5, PS-7).
func TestExportRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*disk.Twin) error
		rule   string
	}{
		"operation":   {func(tw *disk.Twin) error { return tw.Put(".dwp-op/op.json", []byte("{}"), 0o644) }, "operation/unfinished"},
		"publication": {func(tw *disk.Twin) error { return tw.Put(state.FinalizeMark, []byte("{}"), 0o644) }, "publication/unfinished"},
		"turn":        {func(tw *disk.Twin) error { return tw.PutDir("turn.lease") }, "guard/handoff-at-rest"},
		"secret": {func(tw *disk.Twin) error {
			return tw.Put("analysis_results/x.log", []byte("\n\nAKIA"+"IOSFODNN7EXAMPLQ"), 0o644)
		}, "guard/handoff-secret"},
		"link":         {func(tw *disk.Twin) error { return tw.PutLink("analysis_results/x", "/etc") }, "guard/handoff-file"},
		"name":         {func(tw *disk.Twin) error { return tw.Put("a:b", nil, 0o644) }, "guard/handoff-file"},
		"promotion":    {func(tw *disk.Twin) error { return promoting(tw) }, "promotion/unfinished"},
		"broken state": {func(tw *disk.Twin) error { return tw.Put(state.StateFile, []byte("{"), 0o644) }, "guard/handoff-at-rest"},
		"no plan":      {func(tw *disk.Twin) error { return tw.Remove("README.md") }, "guard/handoff-package"},
		"control name": {func(tw *disk.Twin) error { return tw.Put("a\nb", nil, 0o644) }, "guard/handoff-file"},
	} {
		tw := folder(t, plantest.Spec{Tasks: 3, Done: 1})
		must(t, tt.change(tw))
		_, err := Export(t.Context(), planIn(tw), mill, nil)
		if rule, _ := refusedBy(err); rule != tt.rule {
			t.Errorf("%s: got %v, want %s", name, err, tt.rule)
		}
		if err != nil && strings.Contains(err.Error(), "IOSFODNN7") {
			t.Errorf("%s: the secret is shown: %v", name, err)
		}
	}
	tw := folder(t, plantest.Spec{Tasks: 3})
	lock, err := disk.Acquire(t.Context(), tw, disk.Owner{}, 0, planIn(tw).System)
	must(t, err)
	if _, err := Export(t.Context(), planIn(tw), mill, nil); err == nil {
		t.Error("a locked plan is exported")
	}
	must(t, lock.Release())
}

// TestExportBesideALease (UN-2, GU-10): while a turn works the plan stays, and is not replaced; the lease of a dead one is no part of the
// plan, its records are.
func TestExportBesideALease(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 1})
	must(t, disk.MkdirAll(tw, "analysis_results/turns"))
	must(t, tw.Put("analysis_results/turns/1.json", []byte("{}\n"), 0o644))
	p := planIn(tw)
	clean, err := Export(t.Context(), p, mill, nil)
	must(t, err)
	lease, err := disk.AcquireLease(t.Context(), tw, disk.Owner{}, p.System)
	must(t, err)
	for liveness, start := range map[disk.Liveness]string{disk.Alive: lease.Owner().Start, disk.Unknown: "", disk.Dead: "another"} {
		p.System.Start = func(int) (string, bool) { return start, true }
		h, err := disk.InspectLease(tw, p.System)
		must(t, err)
		if got := h.Holders[0].Liveness; got != liveness {
			t.Fatalf("the owner is %s, want %s", got, liveness)
		}
		want := ""
		if liveness != disk.Dead {
			want = "guard/handoff-at-rest"
		}
		out, err := Export(t.Context(), p, mill, nil)
		if rule, _ := refusedBy(err); rule != want {
			t.Errorf("%s: export: %v, want %q", liveness, err, want)
		}
		if want == "" && (len(out.Files) != len(clean.Files) || out.file("analysis_results/turns/1.json") == nil) {
			t.Errorf("%s: %d files go, want %d", liveness, len(out.Files), len(clean.Files))
		}
		must(t, tw.Put("README.md", []byte(tw.Tree()["README.md"]+"\n"), 0o644)) // something to replace
		_, err = clean.Replace(t.Context(), p, state.Digest([]byte(tw.Tree()[state.StateFile])))
		if rule, _ := refusedBy(err); rule != want {
			t.Errorf("%s: replace: %v, want %q", liveness, err, want)
		}
		if held, err := disk.HoldsLease(tw, lease.Owner().ID); !held || err != nil {
			t.Errorf("%s: the lease was taken away", liveness)
		}
	}
}

func promoting(tw *disk.Twin) error {
	text := tw.Tree()[state.StateFile]
	return tw.Put(state.StateFile, []byte(strings.Replace(text, `"materialization": "ready"`, `"materialization": "promoting"`, 1)), 0o644)
}

// member is one entry of a hostile archive.
type member struct {
	head tar.Header
	data string
}

// archive packs entries as they are.
func archive(t *testing.T, entries ...member) []byte {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	for _, e := range entries {
		if e.head.Size == 0 {
			e.head.Size = int64(len(e.data))
		}
		must(t, w.WriteHeader(&e.head))
		_, err := io.WriteString(w, e.data)
		must(t, err)
	}
	must(t, errors.Join(w.Close(), zip.Close()))
	return out.Bytes()
}

// TestUnpackHostile: nothing that could land outside the plan's folder, twice, as anything but a file, or as anything else than was listed
// is taken from a package (AG-5, UN-2).
func TestUnpackHostile(t *testing.T) {
	p := export(t, folder(t, plantest.Spec{Tasks: 2}))
	good := []member{{tar.Header{Typeflag: tar.TypeReg, Mode: 0o644, Name: FactsFile}, string(p.facts())}}
	for _, f := range p.Files {
		good = append(good, member{tar.Header{Typeflag: tar.TypeReg, Mode: 0o644, Name: p.Plan + "/" + f.Path}, string(f.Data)})
	}
	if _, err := Unpack(archive(t, good...), noon, true); err != nil {
		t.Fatal(err)
	}
	with := func(name string) []byte {
		return archive(t, append(slices.Clone(good), member{tar.Header{Typeflag: tar.TypeReg, Mode: 0o644, Name: name}, "x"})...)
	}
	kind := func(flag byte, link string) []byte {
		return archive(t, append(slices.Clone(good), member{tar.Header{Typeflag: flag, Name: p.Plan + "/x", Linkname: link}, ""})...)
	}
	facts := func(old, new string) []byte {
		if !strings.Contains(good[0].data, old) {
			t.Fatalf("no %q", old)
		}
		list := slices.Clone(good)
		list[0].data = strings.Replace(list[0].data, old, new, 1)
		return archive(t, list...)
	}
	changed := slices.Clone(good)
	changed[1].data = strings.Replace(changed[1].data, "e", "f", 1)
	whole := archive(t, good...)
	bomb := append(slices.Clone(good[:1]), member{tar.Header{Typeflag: tar.TypeReg, Mode: 0o644, Name: p.Plan + "/zeros"}, strings.Repeat("\x00", maxPackFile+1)})
	for name, data := range map[string][]byte{
		"absolute":            with("/etc/passwd"),
		"climbing":            with(p.Plan + "/../x"),
		"another plan":        with("PLAN_other/x"),
		"not listed":          with(p.Plan + "/x"),
		"twice":               with(p.Plan + "/README.md"),
		"twice, other case":   with(p.Plan + "/readme.md"),
		"below a file":        with(p.Plan + "/README.md/x"),
		"lock":                with(p.Plan + "/state.json.lock/owner"),
		"operation":           with(p.Plan + "/.dwp-op/op.json"),
		"backslash":           with(p.Plan + `/..\x`),
		"temporary":           with(p.Plan + "/.x.tmp-1"),
		"symbolic link":       kind(tar.TypeSymlink, "/etc"),
		"hard link":           kind(tar.TypeLink, p.Plan+"/README.md"),
		"device":              kind(tar.TypeBlock, ""),
		"FIFO":                kind(tar.TypeFifo, ""),
		"folder":              kind(tar.TypeDir, ""),
		"changed":             archive(t, changed...),
		"missing":             archive(t, good[:len(good)-1]...),
		"facts not first":     archive(t, append(slices.Clone(good[1:]), good[0])...),
		"another version":     facts(`"handoff": 1`, `"handoff": 2`),
		"name climbs":         facts(`"plan": "`+p.Plan, `"plan": "PLAN_x/../..`),
		"no plan's name":      facts(`"plan": "`+p.Plan, `"plan": "x`),
		"no time":             facts(`"made_at": "2026`, `"made_at": "x`),
		"bomb":                archive(t, bomb...),
		"cut off":             whole[:len(whole)-20],
		"no archive":          []byte("hello"),
		"nothing":             nil,
		"empty archive":       archive(t),
		"facts of two values": facts(`"size": `, `"size": 1`),
	} {
		_, err := Unpack(data, noon, true)
		if rule, _ := refusedBy(err); rule != "guard/handoff-package" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPlaceRefuses: a plan that differs is left as it is, whichever of the two has more (UN-2).
func TestPlaceRefuses(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 1})
	p := export(t, tw)
	for name, change := range map[string]func(*disk.Twin) error{
		"work went on":  func(d *disk.Twin) error { return d.Put(plantest.Name+"/PROGRESS.md", []byte("# Progress\n"), 0o644) },
		"one file more": func(d *disk.Twin) error { return d.Put(plantest.Name+"/x.md", nil, 0o644) },
		"one file less": func(d *disk.Twin) error { return d.Remove(plantest.Name + "/PROMPTS.md") },
		"name's case":   func(d *disk.Twin) error { return d.Put(strings.ToUpper(plantest.Name)+"/x.md", nil, 0o644) },
		"a publication": func(d *disk.Twin) error { return d.Put(plantest.Name+"/"+state.FinalizeMark, nil, 0o644) },
		"files for plan": func(d *disk.Twin) error {
			return errors.Join(disk.RemoveFolder(d, plantest.Name), d.Put(plantest.Name, nil, 0o644))
		},
	} {
		plans := plansWith(t, tw)
		must(t, change(plans))
		before := plans.Tree()
		if _, err := p.Place(plans); err == nil || !maps.Equal(plans.Tree(), before) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReplace: the package takes the place of the plan whose digest is named, and of no other, and of no newer one (UN-2).
func TestReplace(t *testing.T) {
	older := folder(t, plantest.Spec{Tasks: 3, Done: 1})
	newer, err := disk.TwinOf(older)
	must(t, err)
	later := mill
	later.Now = noon.Add(time.Hour)
	must(t, second(do(t, newer, (&Start{Who: later, Task: 2}).Decide)))
	must(t, newer.Put("analysis_results/new.md", []byte("new\n"), 0o644))
	must(t, older.Put("analysis_results/old.md", []byte("old\n"), 0o644))
	p, digest := carried(t, export(t, newer)), state.Digest([]byte(older.Tree()[state.StateFile]))
	if _, err := p.Replace(t.Context(), planIn(older), strings.Repeat("0", 64)); err == nil {
		t.Error("a plan of another digest was replaced")
	}
	if _, err := carried(t, export(t, older)).Replace(t.Context(), planIn(newer), state.Digest([]byte(newer.Tree()[state.StateFile]))); err == nil {
		t.Error("a newer plan was replaced")
	} else if rule, _ := refusedBy(err); rule != "guard/handoff-newer" {
		t.Error(err)
	}
	longer, err := disk.TwinOf(older)
	must(t, err)
	must(t, longer.Put("PROGRESS.md", []byte(newer.Tree()["PROGRESS.md"]+"\n## Decisions\n"), 0o644))
	if _, err := p.Replace(t.Context(), planIn(longer), digest); err == nil {
		t.Error("a decision was lost")
	}
	for round, want := range []bool{true, false} {
		if got, err := p.Replace(t.Context(), planIn(older), digest); err != nil || got != want {
			t.Fatalf("round %d: %v, %v", round, got, err)
		}
	}
	if got, want := older.Tree(), newer.Tree(); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	conformant(t, snapshot(t, older))
}

// TestReplaceCrashes: a replacement that is cut off leaves the plan as it was, or an operation that recover finishes (DESIGN 6, UN-2).
func TestReplaceCrashes(t *testing.T) {
	older := func() *disk.Twin { return folder(t, plantest.Spec{Tasks: 3, Done: 1}).Kill() }
	newer := older()
	must(t, second(do(t, newer, (&Start{Who: mill, Task: 2}).Decide)))
	p, digest := carried(t, export(t, newer)), state.Digest([]byte(older().Tree()[state.StateFile]))
	crashtest.Matrix(t, crashtest.Operation{Start: older, Plan: planIn, Remainders: 1, Run: func(at publish.Plan) error {
		_, err := p.Replace(t.Context(), at, digest)
		return err
	}})
}

// TestImportCrashes: an import that is cut off at any instant leaves no plan or all of it; again, it ends (PS-5, UN-2).
func TestImportCrashes(t *testing.T) {
	p := carried(t, export(t, folder(t, plantest.Spec{Tasks: 3, Done: 1})))
	whole := disk.NewTwin()
	must(t, place(p, whole))
	want := planFiles(whole)
	for at := 1; at <= whole.Ops()+1; at++ {
		for seed := range 3 {
			tw := disk.NewTwin()
			tw.CrashAt(at)
			told := place(p, tw) == nil
			switch seed {
			case 0:
				tw = tw.Crash(disk.Survival{})
			case 1:
				tw = tw.Kill()
			default:
				tw = tw.Crash(disk.Survival{Remainder: true, Seed: uint64(at)})
			}
			if got := planFiles(tw); len(got) != 0 && !maps.Equal(got, want) || told && len(got) == 0 {
				t.Fatalf("call %d, told %v: %v", at, told, slices.Sorted(maps.Keys(got)))
			}
			must(t, place(p, tw))
			if got := planFiles(tw); !maps.Equal(got, want) {
				t.Fatalf("call %d: ends in %v", at, slices.Sorted(maps.Keys(got)))
			}
		}
	}
}

func place(p *Package, plans *disk.Twin) error {
	_, err := p.Place(plans)
	return err
}

// FuzzUnpack: whatever bytes a package is, it is read or refused, and what is read stays inside its plan's folder.
func FuzzUnpack(f *testing.F) {
	tw, err := disk.TwinOf(plantest.Plan(plantest.Spec{Tasks: 1}))
	if err != nil {
		f.Fatal(err)
	}
	p, err := Export(f.Context(), planIn(tw), mill, nil)
	if err != nil {
		f.Fatal(err)
	}
	data, err := p.Bytes()
	if err != nil {
		f.Fatal(err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		f.Fatal(err)
	}
	plain, err := io.ReadAll(zip)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	f.Fuzz(func(t *testing.T, plain []byte) {
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.HuffmanOnly)
		_, err := w.Write(plain)
		must(t, errors.Join(err, w.Close()))
		q, err := Unpack(out.Bytes(), noon, true)
		if err != nil {
			return
		}
		for _, file := range q.Files {
			if !packable(file.Path) {
				t.Errorf("%q", file.Path)
			}
		}
	})
}

// BenchmarkHandoff: a plan is packed and read again.
func BenchmarkHandoff(b *testing.B) {
	tw, err := disk.TwinOf(plantest.Plan(plantest.Spec{Tasks: 100, Done: 50, Full: true}))
	check(b, err)
	for b.Loop() {
		p, err := Export(b.Context(), publish.Plan{FS: tw, Name: plantest.Name, Now: func() time.Time { return noon }}, mill, nil)
		check(b, err)
		data, err := p.Bytes()
		check(b, err)
		_, err = Unpack(data, noon, true)
		check(b, err)
	}
}

// TestOpenQuestions: an entry is open until a line says who answered what, in any of the languages, and not in an example (PD-12, UN-7).
func TestOpenQuestions(t *testing.T) {
	text := "# Questions\n\n## Which label?\n\n```\nAnswer: like this\n```\n\n## Which lid?\n\n- **Answered by Ada on 2026-09-02:** the blue one\n\n## \u4e8c\n\n\u56de\u7b54\uff1a\u597d\n\n## Which cup?\n\n- Answer:\n"
	if got, want := openQuestions([]byte(text)), []string{"Which label?", "Which cup?"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
