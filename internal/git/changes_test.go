package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func mark(t *testing.T, r Repo) Mark {
	t.Helper()
	m, err := r.Mark(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// since is what became of the tree, on one line: letters and paths, sorted, "rewound" and "cut" behind them.
func since(t *testing.T, r Repo, m Mark) string {
	t.Helper()
	s, err := r.Since(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, c := range s.Changes {
		words = append(words, strings.ToUpper(string(c.Kind[:1]))+" "+c.Path)
	}
	for word, is := range map[string]bool{"rewound": s.Rewound, "cut": s.Cut} {
		if is {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

func commit(t *testing.T, r Repo, message string) string {
	t.Helper()
	git(t, r.Top, "add", "-A")
	git(t, r.Top, "commit", "-q", "-m", message)
	return git(t, r.Top, "rev-parse", "HEAD")
}

// UN-3, WP-4: what a turn changed is told from what was changed before it, committed or not.
func TestSince(t *testing.T) {
	remove := func(t *testing.T, r Repo, name string) {
		if err := os.Remove(filepath.Join(r.Top, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		before, after func(t *testing.T, r Repo)
		want          string
	}{
		"nothing":                {nil, nil, ""},
		"modified":               {nil, func(t *testing.T, r Repo) { put(t, r.Top, "a.go", "2") }, "M a.go"},
		"modified and committed": {nil, func(t *testing.T, r Repo) { put(t, r.Top, "a.go", "2"); commit(t, r, "c") }, "M a.go"},
		"committed, then modified further": {nil, func(t *testing.T, r Repo) {
			put(t, r.Top, "new", "1")
			commit(t, r, "c")
			put(t, r.Top, "new", "2")
		}, "A new"},
		"added":                     {nil, func(t *testing.T, r Repo) { put(t, r.Top, "x/y z.go", "1") }, "A x/y z.go"},
		"a name with odd letters":   {nil, func(t *testing.T, r Repo) { put(t, r.Top, "n\u00e9\tw \"q\"", "1"); commit(t, r, "c") }, "A n\u00e9\tw \"q\""},
		"deleted":                   {nil, func(t *testing.T, r Repo) { remove(t, r, "a.go") }, "D a.go"},
		"deleted and committed":     {nil, func(t *testing.T, r Repo) { remove(t, r, "a.go"); commit(t, r, "c") }, "D a.go"},
		"added, committed, deleted": {nil, func(t *testing.T, r Repo) { put(t, r.Top, "n", "1"); commit(t, r, "c"); remove(t, r, "n") }, ""},
		"renamed":                   {nil, func(t *testing.T, r Repo) { git(t, r.Top, "mv", "a.go", "b.go") }, "D a.go, A b.go"},
		"renamed and committed":     {nil, func(t *testing.T, r Repo) { git(t, r.Top, "mv", "a.go", "b.go"); commit(t, r, "c") }, "D a.go, A b.go"},
		"staged":                    {nil, func(t *testing.T, r Repo) { put(t, r.Top, "s", "1"); git(t, r.Top, "add", "s") }, "A s"},
		"executable":                {nil, func(t *testing.T, r Repo) { git(t, r.Top, "update-index", "--chmod=+x", "a.go") }, "M a.go"},
		"dirty and left alone":      {func(t *testing.T, r Repo) { put(t, r.Top, "a.go", "2"); put(t, r.Top, "u", "1") }, nil, ""},
		"dirty, then committed as it was": {func(t *testing.T, r Repo) { put(t, r.Top, "a.go", "2"); put(t, r.Top, "u", "1") },
			func(t *testing.T, r Repo) { commit(t, r, "c") }, ""},
		"dirty, then modified": {func(t *testing.T, r Repo) { put(t, r.Top, "a.go", "2") }, func(t *testing.T, r Repo) { put(t, r.Top, "a.go", "3") }, "M a.go"},
		"dirty, then thrown away": {func(t *testing.T, r Repo) { put(t, r.Top, "a.go", "2") },
			func(t *testing.T, r Repo) { git(t, r.Top, "checkout", "-q", "a.go") }, "M a.go"},
		"untracked, then deleted":  {func(t *testing.T, r Repo) { put(t, r.Top, "u", "2") }, func(t *testing.T, r Repo) { remove(t, r, "u") }, "D u"},
		"untracked, then ignored":  {func(t *testing.T, r Repo) { put(t, r.Top, "u", "2") }, func(t *testing.T, r Repo) { put(t, r.Top, ".gitignore", "u\n") }, "A .gitignore"},
		"deleted, then made again": {func(t *testing.T, r Repo) { remove(t, r, "a.go") }, func(t *testing.T, r Repo) { put(t, r.Top, "a.go", "7") }, "A a.go"},
		"deleted, then committed":  {func(t *testing.T, r Repo) { remove(t, r, "a.go") }, func(t *testing.T, r Repo) { commit(t, r, "c") }, ""},
		"link turned":              {func(t *testing.T, r Repo) { link(t, r, "/nowhere") }, func(t *testing.T, r Repo) { remove(t, r, "l"); link(t, r, "/elsewhere") }, "M l"},
		"a link out of the tree":   {func(t *testing.T, r Repo) { link(t, r, "/etc/passwd") }, nil, ""},
		"ignored":                  {func(t *testing.T, r Repo) { put(t, r.Top, ".gitignore", "out/\n") }, func(t *testing.T, r Repo) { put(t, r.Top, "out/x", "1") }, ""},
		"plans": {nil, func(t *testing.T, r Repo) {
			put(t, r.Top, ".dwp/plans/PLAN_a/state.json", "1")
			put(t, r.Top, "sub/.dwp/x", "1")
			commit(t, r, "c")
			put(t, r.Top, ".dwp/plans/PLAN_a/state.json", "2")
		}, ""},
		"detached": {func(t *testing.T, r Repo) { git(t, r.Top, "checkout", "-q", "--detach") },
			func(t *testing.T, r Repo) { put(t, r.Top, "a.go", "2"); commit(t, r, "c") }, "M a.go"},
		"amended": {nil, func(t *testing.T, r Repo) {
			put(t, r.Top, "a.go", "2")
			git(t, r.Top, "commit", "-q", "-a", "--amend", "-m", "other")
		}, "M a.go, rewound"},
		"gone back": {nil, func(t *testing.T, r Repo) { git(t, r.Top, "reset", "-q", "--hard", "HEAD^") }, "D a.go, rewound"},
		"merged": {nil, func(t *testing.T, r Repo) {
			git(t, r.Top, "checkout", "-q", "-b", "side", "HEAD^")
			put(t, r.Top, "side", "1")
			commit(t, r, "side")
			git(t, r.Top, "checkout", "-q", "-")
			git(t, r.Top, "merge", "-q", "--no-edit", "side")
		}, "A side"},
	} {
		t.Run(name, func(t *testing.T) {
			repo, _ := repository(t)
			put(t, repo.Top, "a.go", "1")
			commit(t, repo, "a")
			if test.before != nil {
				test.before(t, repo)
			}
			m := mark(t, repo)
			if test.after != nil {
				test.after(t, repo)
			}
			if got := since(t, repo, m); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func link(t *testing.T, r Repo, to string) {
	t.Helper()
	if err := os.Symlink(to, filepath.Join(r.Top, "l")); err != nil {
		t.Skip(err)
	}
}

// The commits of a turn are listed, the newest first; the mark's own is none of them.
func TestSinceCommits(t *testing.T) {
	repo, _ := repository(t)
	m := mark(t, repo)
	first := commit(t, put1(t, repo, "a"), "one\n\nTask 1 of PLAN_a")
	second := commit(t, put1(t, repo, "b"), "two")
	s, err := repo.Since(t.Context(), m)
	if err != nil || len(s.Commits) != 2 || s.Commits[0].ID != second || s.Commits[1].ID != first || s.Commits[1].Message != "one\n\nTask 1 of PLAN_a\n" {
		t.Errorf("%+v, %v", s.Commits, err)
	}
	if got := mark(t, repo); got.Commit != second || len(got.Files) != 0 {
		t.Errorf("%+v", got)
	}
}

func put1(t *testing.T, r Repo, name string) Repo {
	t.Helper()
	put(t, r.Top, name, name)
	return r
}

// Before the first commit everything is uncommitted; the first commit changes nothing that lay there.
func TestSinceFirstCommit(t *testing.T) {
	repo := Repo{Top: t.TempDir(), Env: environ()}
	if _, err := repo.Mark(t.Context()); err == nil {
		t.Skip("the folder for tests lies in a work tree, or there is no git")
	}
	git(t, repo.Top, "init", "-q")
	put(t, repo.Top, "a", "1")
	m := mark(t, repo)
	if m.Commit != "" || len(m.Files) != 1 {
		t.Errorf("%+v", m)
	}
	put(t, repo.Top, "b", "1")
	if got := since(t, repo, m); got != "A b" {
		t.Errorf("uncommitted: %q", got)
	}
	commit(t, repo, "first")
	if got := since(t, repo, m); got != "A b" {
		t.Errorf("committed: %q", got)
	}
	if s, err := repo.Since(t.Context(), m); err != nil || len(s.Commits) != 1 || s.Rewound {
		t.Errorf("%+v, %v", s, err)
	}
	// HEAD that is no commit any more, and a mark whose commit nobody knows, are told as rewritten history.
	m = mark(t, repo)
	git(t, repo.Top, "checkout", "-q", "--orphan", "other")
	if got := since(t, repo, m); !strings.Contains(got, "rewound") || !strings.Contains(got, "cut") {
		t.Errorf("an orphan branch: %q", got)
	}
	m.Commit = strings.Repeat("0", 39) + "1"
	git(t, repo.Top, "commit", "-q", "-m", "again")
	if got := since(t, repo, m); !strings.Contains(got, "rewound") || !strings.Contains(got, "cut") {
		t.Errorf("a commit that is gone: %q", got)
	}
	m.Commit = "--output=x"
	if _, err := repo.Since(t.Context(), m); err == nil {
		t.Error("a mark that is no commit was asked for")
	}
}

// A bare repository has no work tree, and no program is no answer: errors, not an empty mark.
func TestMarkErrors(t *testing.T) {
	repo, _ := repository(t)
	bare := Repo{Top: t.TempDir(), Env: environ()}
	git(t, bare.Top, "init", "-q", "--bare")
	if m, err := bare.Mark(t.Context()); err == nil {
		t.Errorf("bare: %+v", m)
	}
	repo.Program = "no-such-git"
	if _, err := repo.Mark(t.Context()); !errors.Is(err, ErrNoGit) {
		t.Errorf("no git: %v", err)
	}
	if _, err := repo.Since(t.Context(), Mark{}); !errors.Is(err, ErrNoGit) {
		t.Errorf("no git: %v", err)
	}
}

// A submodule at another commit is one change; what is not committed inside it is its own.
func TestSinceSubmodule(t *testing.T) {
	repo, _ := repository(t)
	lib, _ := repository(t)
	put(t, lib.Top, "a", "1")
	commit(t, lib, "a")
	git(t, repo.Top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.Top, "sub")
	commit(t, repo, "sub")
	m := mark(t, repo)
	sub := Repo{Top: filepath.Join(repo.Top, "sub"), Env: environ()}
	put(t, sub.Top, "a", "2")
	if got := since(t, repo, m); got != "" {
		t.Errorf("inside: %q", got)
	}
	commit(t, sub, "b")
	if got := since(t, repo, m); got != "M sub" {
		t.Errorf("another commit: %q", got)
	}
	m = mark(t, repo)
	if got := since(t, repo, m); got != "" {
		t.Errorf("left so: %q", got)
	}
	commit(t, put1(t, sub, "c"), "c")
	if got := since(t, repo, m); got != "M sub" {
		t.Errorf("a third commit: %q", got)
	}
}

// A repository is untrusted: neither a mark nor what came since runs a filter, a hook or a text conversion of its configuration.
func TestMarkRunsNothing(t *testing.T) {
	repo, _ := repository(t)
	put(t, repo.Top, "a.txt", "one\n")
	commit(t, repo, "a")
	ran := filepath.Join(t.TempDir(), "ran")
	put(t, repo.Top, ".git/info/attributes", "* filter=evil diff=evil\n")
	for _, key := range []string{"filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command", "diff.external", "core.fsmonitor", "gpg.program"} {
		git(t, repo.Top, "config", key, "touch "+ran+"; cat")
	}
	git(t, repo.Top, "config", "log.showSignature", "true")
	m := mark(t, repo)
	put(t, repo.Top, "a.txt", "two\n")
	if got := since(t, repo, m); got != "M a.txt" {
		t.Errorf("got %q", got)
	}
	m = mark(t, repo)
	put(t, repo.Top, "a.txt", "six\n")
	before, err := os.ReadFile(filepath.Join(repo.Top, ".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	if got := since(t, repo, m); got != "M a.txt" {
		t.Errorf("got %q", got)
	}
	if after, _ := os.ReadFile(filepath.Join(repo.Top, ".git/index")); string(after) != string(before) {
		t.Error("the index was written")
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the repository's configuration ran")
	}
}

// A very large or very full tree is told as far as it goes, and as cut.
func TestMarkBounds(t *testing.T) {
	repo, _ := repository(t)
	large := filepath.Join(repo.Top, "large")
	put(t, repo.Top, "large", "")
	if err := os.Truncate(large, digestBytes+1); err != nil {
		t.Fatal(err)
	}
	m := mark(t, repo)
	if got := m.Files["large"]; !strings.HasPrefix(got, "size:16777217:") || m.Cut {
		t.Errorf("a large file: %q, cut %v", got, m.Cut)
	}
	if got := since(t, repo, m); got != "" {
		t.Errorf("left alone: %q", got)
	}
	if err := os.Truncate(large, digestBytes+2); err != nil {
		t.Fatal(err)
	}
	if got := since(t, repo, m); got != "M large" {
		t.Errorf("grown: %q", got)
	}
	if err := os.Remove(large); err != nil {
		t.Fatal(err)
	}
	for n := range markFiles + 1 {
		put(t, repo.Top, fmt.Sprintf("many/%05d", n), "")
	}
	if m := mark(t, repo); !m.Cut || len(m.Files) != markFiles {
		t.Errorf("many files: %d, cut %v", len(m.Files), m.Cut)
	}
}
