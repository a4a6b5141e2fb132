package dwp_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
)

// The tests of this file cover the rules that no vector can trip: what lies outside a plan folder, and
// what happens while one is read.

// healthy returns a plan without findings as a file system.
func healthy(t *testing.T) (fstest.MapFS, verify.Options) {
	t.Helper()
	v, err := readVector(filepath.Join("testdata", "vectors", "healthy", "lite-v2-2of4.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range v.files {
		files[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	return files, verify.Options{Now: v.now, InGit: v.git}
}

func verifyFS(t *testing.T, fsys fs.FS, opt verify.Options) *verify.Report {
	t.Helper()
	s, err := plan.Read(fsys, "PLAN_quote_service")
	if err != nil {
		t.Fatal(err)
	}
	return verify.Plan(s, opt)
}

// sealed refuses to open one file.
type sealed struct {
	fs.FS
	name string
}

func (s sealed) Open(name string) (fs.File, error) {
	if name == s.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return s.FS.Open(name)
}

// TestUnreadableFileIsNotConformant: what can't be read can't be checked (VP-6, C141).
func TestUnreadableFileIsNotConformant(t *testing.T) {
	files, opt := healthy(t)
	report := verifyFS(t, sealed{files, "PROGRESS.md"}, opt)
	demand(t, report.Findings, "layout/unreadable", rule.Should, "PROGRESS.md")
	if report.Verdict != verify.Unverified {
		t.Errorf("verdict %s, want %s", report.Verdict, verify.Unverified)
	}
	if !slices.ContainsFunc(report.Unevaluated, func(u verify.Unevaluated) bool { return u.Rule == "progress/entry" }) {
		t.Errorf("progress/entry counts as evaluated without PROGRESS.md; not evaluated: %v", report.Unevaluated)
	}
}

// growing lets PROGRESS.md grow whenever it has been opened.
type growing struct{ files fstest.MapFS }

func (g growing) Open(name string) (fs.File, error) {
	f, err := g.files.Open(name)
	if old := g.files[name]; name == "PROGRESS.md" && err == nil {
		g.files[name] = &fstest.MapFile{Data: append(slices.Clone(old.Data), '\n'), Mode: old.Mode}
	}
	return f, err
}

// TestMovingFolderIsNotConformant: a folder that never holds still has no one state to judge (VP-6).
func TestMovingFolderIsNotConformant(t *testing.T) {
	files, opt := healthy(t)
	report := verifyFS(t, growing{files}, opt)
	demand(t, report.Findings, "layout/moved", rule.Should, "")
	if report.Verdict != verify.Unverified {
		t.Errorf("verdict %s, want %s", report.Verdict, verify.Unverified)
	}
}

// TestUnknownCommitIsAdvice: git not knowing a commit is advice, with the place of the record (PS-11).
func TestUnknownCommitIsAdvice(t *testing.T) {
	files, opt := healthy(t)
	report := verifyFS(t, files, opt)
	if len(report.Commits) != 2 || len(report.Findings) != 0 {
		t.Fatalf("%d commits, want 2; findings:%s", len(report.Commits), list(report.Findings))
	}
	report.UnknownCommits([]string{report.Commits[1].Commit})
	demand(t, report.Findings, "commit/unknown", rule.Info, "state.json")
	if len(report.Findings) != 1 || report.Verdict != verify.Conformant {
		t.Errorf("verdict %s, findings:%s", report.Verdict, list(report.Findings))
	}
}

// TestStraysAreNamed: what lies beside the plans is reported, never skipped in silence (PD-1, C129).
func TestStraysAreNamed(t *testing.T) {
	plans := filepath.Join(t.TempDir(), ".dwp", "plans")
	for _, folder := range []string{"PLAN_price_rides", "notes"} {
		if err := os.MkdirAll(filepath.Join(plans, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(plans, "PLAN_file_only"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("PLAN_loop", filepath.Join(plans, "PLAN_loop")); err != nil {
		t.Skip(err)
	}
	root, err := plan.FindRoot(plans, "")
	if err != nil {
		t.Fatal(err)
	}
	entries, strays, err := root.List()
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name != "PLAN_price_rides" {
		t.Errorf("plans %v, want PLAN_price_rides alone", entries)
	}
	findings := verify.Strays(strays)
	demand(t, findings, "plans/stray", rule.Info, "notes")
	demand(t, findings, "plans/stray", rule.Info, "PLAN_file_only")
	demand(t, findings, "plans/link", rule.Should, "PLAN_loop")
	if len(findings) != 3 {
		t.Errorf("%d findings, want 3:%s", len(findings), list(findings))
	}
}

// demand fails unless a rule was reported at a level and in a file, alone or among merged places.
func demand(t *testing.T, findings []rule.Finding, id string, level rule.Level, file string) {
	t.Helper()
	for _, f := range findings {
		in := f.File == file || slices.ContainsFunc(f.Places, func(p rule.Place) bool { return p.File == file })
		if f.Rule == id && f.Level == level && in {
			return
		}
	}
	t.Errorf("no finding %s [%s] in %q among:%s", id, level, file, list(findings))
}

// TestRepositoryChecks: each check passes on the example repository and fails on its own fault (AG-2, AG-3, PD-1).
func TestRepositoryChecks(t *testing.T) {
	tests := []struct {
		rule  string
		spoil func(t *testing.T, dir string, facts *verify.RepoFacts)
	}{
		{"repo/agents-md", func(t *testing.T, dir string, _ *verify.RepoFacts) { remove(t, dir, "AGENTS.md") }},
		{"repo/commands", func(t *testing.T, dir string, _ *verify.RepoFacts) {
			write(t, dir, "AGENTS.md", "# Agents\n\nBe kind.\n")
		}},
		{"repo/agent-files", func(t *testing.T, dir string, _ *verify.RepoFacts) {
			write(t, dir, "CLAUDE.md", strings.Repeat("Rules of our own.\n", 80))
		}},
		{"repo/agents-folders", func(t *testing.T, dir string, _ *verify.RepoFacts) { remove(t, dir, ".agents/skills") }},
		{"repo/docs", func(t *testing.T, dir string, _ *verify.RepoFacts) { remove(t, dir, "docs") }},
		{"repo/security-doc", func(t *testing.T, dir string, _ *verify.RepoFacts) { remove(t, dir, "docs/SECURITY.md") }},
		{"repo/plans", func(t *testing.T, dir string, _ *verify.RepoFacts) { remove(t, dir, ".dwp/plans") }},
		{"repo/ignored", func(_ *testing.T, _ string, facts *verify.RepoFacts) { facts.Ignored = false }},
	}
	if failed := failedChecks(exampleCopy(t), verify.RepoFacts{InGit: true, Ignored: true}); len(failed) > 0 {
		t.Fatalf("the example repository fails %v", failed)
	}
	for _, tt := range tests {
		dir, facts := exampleCopy(t), verify.RepoFacts{InGit: true, Ignored: true}
		tt.spoil(t, dir, &facts)
		f := failedChecks(dir, facts)[tt.rule]
		want, _ := rule.Lookup(tt.rule)
		if f == nil || f.Level != want.Level || f.Requirement != want.Requirement || f.Message == "" {
			t.Errorf("%s: finding %+v, want level %s and requirement %s", tt.rule, f, want.Level, want.Requirement)
		}
	}
}

// TestAgentWorkspaceNeedsNoGit: without git there is nothing to ignore plans from (AG-4).
func TestAgentWorkspaceNeedsNoGit(t *testing.T) {
	if f := failedChecks(exampleCopy(t), verify.RepoFacts{})["repo/ignored"]; f != nil {
		t.Errorf("repo/ignored fails without git: %s", f.Message)
	}
}

func exampleCopy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("examples", "bike-rental"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

func failedChecks(dir string, facts verify.RepoFacts) map[string]*rule.Finding {
	failed := map[string]*rule.Finding{}
	for _, c := range verify.Repository(dir, facts) {
		if c.Finding != nil {
			failed[c.Rule] = c.Finding
		}
	}
	return failed
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
}
