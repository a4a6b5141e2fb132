package work

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// TestReconcileVectors: every plan of the conformance vectors is refused and left as it is, or reconciled so that no desync is left, no
// record is lost and a second call changes nothing (PS-18, PS-21).
func TestReconcileVectors(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/vectors/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no vectors", err)
	}
	tally := map[string]int{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		must(t, err)
		name, inGit := plantestName(string(archive.Comment)), strings.Contains(string(archive.Comment), "git: true")
		files := fstest.MapFS{"analysis_results/.keep": {}}
		for _, f := range archive.Files {
			files[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
		tw, err := disk.TwinOf(files)
		must(t, err)
		kind := vector(t, path, tw, name, inGit, false)
		if kind == "guard/rebuild" {
			tally[vector(t, path, tw, name, inGit, true)]++
		}
		tally[kind]++
	}
	t.Log(tally)
	for _, kind := range []string{"refused", "unchanged", "changed"} {
		if tally[kind] < 20 {
			t.Errorf("only %d %s", tally[kind], kind)
		}
	}
}

// plantestName is the folder's name that a vector's header gives, else the one that its files have.
func plantestName(header string) string {
	for line := range strings.Lines(header) {
		if name, found := strings.CutPrefix(strings.TrimSpace(line), "name: "); found {
			return name
		}
	}
	return ""
}

// vector reconciles one plan twice.
func vector(t *testing.T, path string, tw *disk.Twin, name string, inGit, rebuild bool) string {
	t.Helper()
	s, err := plan.Read(tw, "x")
	must(t, err)
	if name == "" && s.Manifest != nil {
		name = s.Manifest.Name
	}
	p := planIn(tw)
	p.Name, p.InGit = name, inGit
	before := tw.Tree()
	was, err := plan.Read(tw, name)
	must(t, err)
	done, err := publish.Revise(t.Context(), p, ReconcileTerms, (&Reconcile{Who: mill, Rebuild: rebuild}).Decide)
	if err != nil {
		_, held := errors.AsType[*disk.LockedError](err)
		r, _ := refusedBy(err)
		if r == "" && !held || r == "guard/worse" || r == "guard/lost" || r == "guard/invented" {
			t.Errorf("%s: %v%s", path, err, why(err))
		}
		if !sameButLock(before, tw.Tree()) {
			t.Errorf("%s: refused, and something was written", path)
		}
		if r == "guard/rebuild" {
			return r
		}
		return "refused"
	}
	tree := tw.Tree()
	if again, err := publish.Revise(t.Context(), p, ReconcileTerms, (&Reconcile{Who: mill}).Decide); err != nil || again.Changed || !maps.Equal(tree, tw.Tree()) {
		t.Errorf("%s: again %v, %v%s", path, again.Changed, err, why(err))
	}
	is, err := plan.Read(tw, name)
	must(t, err)
	if was.State != nil && is.State != nil {
		recordsKept(t, path, was.State, is.State)
	}
	left := slices.DeleteFunc(verify.Plan(is, verify.Options{Now: noon, InGit: inGit}).Findings, func(f rule.Finding) bool { return !strings.HasPrefix(f.Rule, "desync/") })
	if len(left) > 0 && is.State != nil {
		t.Errorf("%s: %s", path, left[0].Message)
	}
	if !done.Changed {
		return "unchanged"
	}
	if is.State.Era != was.Era() && was.Era() != state.Unknown {
		t.Errorf("%s: %s became %s", path, was.Era(), is.State.Era)
	}
	return "changed"
}

// sameButLock compares folders.
func sameButLock(a, b map[string]string) bool {
	strip := func(m map[string]string) map[string]string {
		m = maps.Clone(m)
		maps.DeleteFunc(m, func(name, _ string) bool { return strings.HasPrefix(name, disk.LockDir) })
		return m
	}
	return maps.Equal(strip(a), strip(b))
}
