package verify_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
)

// deniedFS refuses to open one file.
type deniedFS struct {
	fstest.MapFS
	name string
}

func (f deniedFS) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.Open(name)
}

func (f deniedFS) ReadFile(name string) ([]byte, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.ReadFile(name)
}

// TestUnreadable: a file without read permission gives a finding and UNVERIFIED, never conformant (VP-6, C141).
func TestUnreadable(t *testing.T) {
	for _, name := range []string{"README.md", "state.json", "2.task_load_shard_2.md"} {
		r := check(t, deniedFS{generated("full"), name})
		if r.Verdict != verify.Unverified {
			t.Errorf("%s: verdict %s, want unverified\n%s", name, r.Verdict, list(r))
		}
		if f := found(r, "layout/unreadable"); f == nil || f.File != name {
			t.Errorf("%s: layout/unreadable = %+v", name, f)
		}
		if len(r.Unevaluated) == 0 || !strings.Contains(r.Unevaluated[0].Reason, "can't be read") {
			t.Errorf("%s: unevaluated = %v", name, r.Unevaluated)
		}
	}
	if r := check(t, generated("full")); found(r, "layout/unreadable") != nil || len(r.Unevaluated) > 0 {
		t.Errorf("a readable plan: %s %v", list(r), r.Unevaluated)
	}
}

// TestUnevaluatedOnce: a rule that one of its checks could not evaluate stands in the list once, and has not passed, whatever its
// other checks found (VP-6).
func TestUnevaluatedOnce(t *testing.T) {
	r := check(t, deniedFS{generated("full"), "state.json"})
	passed, left := map[string]bool{}, map[string]bool{}
	for _, id := range r.Passed {
		passed[id] = true
	}
	for _, u := range r.Unevaluated {
		if left[u.Rule] || passed[u.Rule] {
			t.Errorf("%s: twice %v, passed %v", u.Rule, left[u.Rule], passed[u.Rule])
		}
		left[u.Rule] = true
	}
	if !left["secret/json"] || !passed["manifest/name"] {
		t.Errorf("left %v, passed %v", left, passed)
	}
}

// restlessFS changes README.md between any two looks at it.
type restlessFS struct {
	fstest.MapFS
	looks *int
}

func (f restlessFS) Open(name string) (fs.File, error) {
	f.touch()
	return f.MapFS.Open(name)
}

func (f restlessFS) touch() {
	*f.looks++
	readme := *f.MapFS["README.md"]
	readme.ModTime = time.Unix(int64(*f.looks), 0)
	f.MapFS["README.md"] = &readme
}

// TestMoved: a folder that never holds still can't be judged (VP-6).
func TestMoved(t *testing.T) {
	r := check(t, restlessFS{generated("lite"), new(int)})
	if r.Verdict != verify.Unverified || found(r, "layout/moved") == nil {
		t.Errorf("verdict %s\n%s", r.Verdict, list(r))
	}
	if r := check(t, generated("lite")); found(r, "layout/moved") != nil {
		t.Error("a folder that holds still is called moving")
	}
}

// TestTooLarge: over the bound a file that is not in the listing is not called missing (VP-6).
func TestTooLarge(t *testing.T) {
	files := apply(t, generated("lite"), []edit{{"state.json", "12 passed", "log=analysis_results/z.log", true}})
	for i := range plan.MaxNodes + 1 {
		files[fmt.Sprintf("analysis_results/many/%d", i)] = &fstest.MapFile{}
	}
	r := check(t, files)
	if r.Verdict != verify.Unverified || found(r, "layout/too-large") == nil || found(r, "gate/pointer-missing") != nil {
		t.Errorf("verdict %s\n%s", r.Verdict, list(r))
	}
	if r := check(t, generated("lite")); found(r, "layout/too-large") != nil {
		t.Error("a small folder is called too large")
	}
}

// TestUnknownCommits: commits that git doesn't know are advice (PS-11).
func TestUnknownCommits(t *testing.T) {
	r := check(t, generated("lite"))
	if len(r.Commits) != 2 || r.Commits[0].Commit != "0badc0de" || r.Commits[0].Task != 1 {
		t.Fatalf("commits = %+v", r.Commits)
	}
	before := len(r.Findings)
	r.UnknownCommits(nil)
	if len(r.Findings) != before {
		t.Errorf("all commits known: %s", list(r))
	}
	r.UnknownCommits([]string{"0badc0de"})
	f := found(r, "commit/unknown")
	if f == nil || f.Level != rule.Info || f.Count != 2 || r.Verdict != verify.Conformant {
		t.Errorf("commit/unknown = %+v", f)
	}
}

// TestStrays: what is no plan is reported, not skipped in silence (C129, TRAPS).
func TestStrays(t *testing.T) {
	got := verify.Strays([]plan.Stray{{Name: "drafts", Reason: plan.StrayName}, {Name: "PLAN_note", Reason: plan.StrayFile}, {Name: "loop", Reason: plan.StrayLink}})
	want := map[string]string{"drafts": "plans/stray", "PLAN_note": "plans/stray", "loop": "plans/link"}
	if len(got) != len(want) {
		t.Fatalf("%d findings, want %d: %+v", len(got), len(want), got)
	}
	for _, f := range got {
		if want[f.File] != f.Rule {
			t.Errorf("%s: rule %s, want %s", f.File, f.Rule, want[f.File])
		}
	}
	if got := verify.Strays(nil); len(got) != 0 {
		t.Errorf("no strays: %+v", got)
	}
}

// TestRepository: each repository check fails on its defect and passes on its near miss (AG-2, AG-3, AG-4, PD-1).
func TestRepository(t *testing.T) {
	healthy := map[string]string{
		"AGENTS.md":              "# Rules\n\n```sh\nmake test\n```\n",
		"CLAUDE.md":              "@AGENTS.md\n",
		".agents/agents/x.md":    "x",
		".agents/commands/x.md":  "x",
		".agents/skills/x.md":    "x",
		".agents/docs/x.md":      "x",
		"docs/SECURITY.md":       "# Security\n",
		".dwp/plans/PLAN_a_b/.x": "",
	}
	long := strings.Repeat("a convention that is written out in full\n", 3) + "one more\n"
	copiedText := ""
	for i := range 20 {
		copiedText += fmt.Sprintf("convention number %d says what to do\n", i)
	}
	inGit := verify.RepoFacts{InGit: true, Ignored: true}
	for _, tc := range []struct {
		name   string
		change map[string]string // "-" removes
		facts  verify.RepoFacts
		want   []string // rules that fail
		skip   []string // rules not evaluated
	}{
		{name: "healthy", facts: inGit},
		{name: "no AGENTS.md", change: map[string]string{"AGENTS.md": "-"}, facts: inGit, want: []string{"repo/agents-md"}, skip: []string{"repo/commands", "repo/agent-files"}},
		{name: "empty AGENTS.md", change: map[string]string{"AGENTS.md": " \n"}, facts: inGit, want: []string{"repo/agents-md", "repo/commands"}},
		{name: "no commands", change: map[string]string{"AGENTS.md": "# Rules\n\nRun the tests.\n"}, facts: inGit, want: []string{"repo/commands"}},
		{name: "a table of commands", change: map[string]string{"AGENTS.md": "# Rules\n\n## Commands\n\n| what | command |\n|---|---|\n| tests | `make test` |\n"}, facts: inGit},
		{name: "indented commands", change: map[string]string{"AGENTS.md": "# Rules\n\nRun:\n\n    make test\n"}, facts: inGit},
		{name: "an agent file of its own", change: map[string]string{"GEMINI.md": long}, facts: inGit, want: []string{"repo/agent-files"}},
		{name: "an agent file that copies", change: map[string]string{"AGENTS.md": copiedText + "\n```\nmake\n```\n", "GEMINI.md": "See AGENTS.md\n" + copiedText}, facts: inGit, want: []string{"repo/agent-files"}},
		{name: "an agent file that refers and adds", change: map[string]string{"GEMINI.md": "See AGENTS.md\n" + long}, facts: inGit},
		{name: "no skills folder", change: map[string]string{".agents/skills/x.md": "-"}, facts: inGit, want: []string{"repo/agents-folders"}},
		{name: "no docs", change: map[string]string{"docs/SECURITY.md": "-"}, facts: inGit, want: []string{"repo/docs", "repo/security-doc"}},
		{name: "no SECURITY.md", change: map[string]string{"docs/SECURITY.md": "-", "docs/x.md": "x"}, facts: inGit, want: []string{"repo/security-doc"}},
		{name: "no plans", change: map[string]string{".dwp/plans/PLAN_a_b/.x": "-"}, facts: inGit, want: []string{"repo/plans"}},
		{name: ".dwp not ignored", facts: verify.RepoFacts{InGit: true}, want: []string{"repo/ignored"}},
		{name: "no git", facts: verify.RepoFacts{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range healthy {
				if tc.change[name] == "" {
					writeFile(t, dir, name, text)
				}
			}
			for name, text := range tc.change {
				if text != "-" {
					writeFile(t, dir, name, text)
				}
			}
			var failed, skipped []string
			for _, c := range verify.Repository(dir, tc.facts) {
				if c.Title == "" {
					t.Errorf("%s has no title", c.Rule)
				}
				if c.Finding != nil {
					failed = append(failed, c.Rule)
				}
				if c.Reason != "" {
					skipped = append(skipped, c.Rule)
				}
			}
			if fmt.Sprint(failed) != fmt.Sprint(tc.want) || fmt.Sprint(skipped) != fmt.Sprint(tc.skip) {
				t.Errorf("failed %v, want %v; not evaluated %v, want %v", failed, tc.want, skipped, tc.skip)
			}
		})
	}
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
