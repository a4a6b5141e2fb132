package plan

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// PD-1: the nearest folder upwards, not beyond the git top level.
func TestFindRoot(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		from  string
		dir   string // expected, relative to the temporary folder
		git   string // "-" for none
		found bool
	}{
		{"here", map[string]string{".dwp/plans/": ""}, ".", ".", "-", true},
		{"upwards without git", map[string]string{".dwp/plans/": "", "a/b/": ""}, "a/b", ".", "-", true},
		{"from inside a plan", map[string]string{".git/": "", ".dwp/plans/PLAN_a/analysis_results/": ""},
			".dwp/plans/PLAN_a/analysis_results", ".", ".", true},
		{"nearest wins", map[string]string{".dwp/plans/": "", "a/.dwp/plans/": "", "a/b/": ""}, "a/b", "a", "-", true},
		{"below the git top level", map[string]string{".git/": "", "a/.dwp/plans/": "", "a/b/": ""}, "a/b", "a", ".", true},
		{"not beyond it", map[string]string{".dwp/plans/": "", "a/.git/": "", "a/b/": ""}, "a/b", "a", "a", false},
		{"git top level when none", map[string]string{".git/": "", "a/b/": ""}, "a/b", ".", ".", false},
		{"C121: a workspace without .git or .dwp shows the outer repository",
			map[string]string{".git/": "", ".dwp/plans/": "", "ws/": ""}, "ws", ".", ".", true},
		{"C123: .git is a file", map[string]string{".dwp/plans/": "", "w/.git": "gitdir: /x\n", "w/a/": ""}, "w/a", "w", "w", false},
		{".dwp without plans is passed", map[string]string{".dwp/plans/": "", "a/.dwp/": ""}, "a", ".", "-", true},
		{"plans is a file", map[string]string{".dwp/plans/": "", "a/.dwp/plans": "x"}, "a", ".", "-", true},
		{".dwp is a file", map[string]string{".dwp/plans/": "", "a/.dwp": "x"}, "a", ".", "-", true},
		{"plans behind a link (C127)", map[string]string{".git/": "", ".dwp/plans": "-> ../elsewhere", "elsewhere/": ""}, ".", ".", ".", true},
		{"from behind a link (C127)", map[string]string{"real/.git/": "", "real/.dwp/plans/": "", "real/a/": "", "link": "-> real/a"},
			"link", "real", "real", true},
		{"C131: odd names", map[string]string{"a b\"'\\&$\n\U0001F680/.dwp/plans/": ""}, "a b\"'\\&$\n\U0001F680", "a b\"'\\&$\n\U0001F680", "-", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base := folder(t, tt.files)
			got, err := FindRoot(filepath.Join(base, tt.from), "")
			if err != nil {
				t.Fatal(err)
			}
			want := Root{Dir: filepath.Join(base, tt.dir), Plans: filepath.Join(base, tt.dir, ".dwp", "plans"), Found: tt.found}
			if tt.git != "-" {
				want.Git = filepath.Join(base, tt.git)
			}
			got.From = ""
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// C123, C125: in a linked worktree its own folder is read, not that of the main tree.
func TestFindRootInWorktree(t *testing.T) {
	base := folder(t, map[string]string{"main/.dwp/plans/PLAN_x_y/README.md": "# x"})
	main, linked := filepath.Join(base, "main"), filepath.Join(base, "linked")
	git(t, main, "init", "-q")
	git(t, main, "commit", "-q", "--allow-empty", "-m", "first")
	git(t, main, "worktree", "add", "-q", "../linked")
	lay(t, linked, map[string]string{"sub/": ""})

	got, err := FindRoot(filepath.Join(linked, "sub"), "")
	if err != nil || got.Found || got.Dir != linked || got.Git != linked {
		t.Errorf("without plans: got %+v, %v", got, err)
	}
	lay(t, linked, map[string]string{".dwp/plans/PLAN_x_y/README.md": "# older"})
	got, err = FindRoot(filepath.Join(linked, "sub"), "")
	if err != nil || !got.Found || got.Plans != filepath.Join(linked, ".dwp", "plans") {
		t.Errorf("with a copy: got %+v, %v", got, err)
	}
}

// PD-1: DWP_DIR stands for .dwp, wherever it is.
func TestFindRootOverride(t *testing.T) {
	base := folder(t, map[string]string{
		"repo/.git/": "", "repo/.dwp/plans/": "", "other/.git/": "", "other/store/plans/": "", "empty/": "", "link": "-> other",
	})
	repo := filepath.Join(base, "repo")
	tests := []struct {
		name, dwpDir string
		want         Root
	}{
		{"elsewhere", filepath.Join(base, "other", "store"), Root{Git: filepath.Join(base, "other"), Found: true}},
		{"behind a link (C127)", filepath.Join(base, "link", "store"), Root{Git: filepath.Join(base, "other"), Found: true}},
		{"nothing there yet", filepath.Join(base, "new", "store"), Root{}},
		{"no plans there yet", filepath.Join(base, "empty") + "/", Root{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.From = repo
			tt.want.Dir = filepath.Dir(filepath.Clean(tt.dwpDir))
			tt.want.Plans = filepath.Join(tt.dwpDir, "plans")
			got, err := FindRoot(repo, tt.dwpDir)
			if err != nil || got != tt.want {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, tt.want)
			}
		})
	}
	for _, relative := range []string{".dwp", "../x", "."} {
		if _, err := FindRoot(repo, relative); !errors.Is(err, ErrRelativeDWPDir) {
			t.Errorf("%q: got %v, want ErrRelativeDWPDir", relative, err)
		}
	}
}

// A folder that can't be looked into is an error that names it, not "not found" (C149).
func TestFindRootErrors(t *testing.T) {
	base := folder(t, map[string]string{".dwp": "-> .dwp", "git/.git": "-> .git"})
	for _, tt := range []struct{ from, dwpDir, named string }{
		{base, "", filepath.Join(base, ".dwp")},
		{filepath.Join(base, "git"), "", filepath.Join(base, "git", ".git")},
		{filepath.Join(base, "missing"), "", filepath.Join(base, "missing")},
		{filepath.Dir(base), filepath.Join(base, ".dwp"), filepath.Join(base, ".dwp")},
	} {
		if _, err := FindRoot(tt.from, tt.dwpDir); err == nil || !strings.Contains(err.Error(), tt.named) {
			t.Errorf("%s, %q: got %v, want an error that names %s", tt.from, tt.dwpDir, err, tt.named)
		}
	}
}
