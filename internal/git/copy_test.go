package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writerIn writes into a folder as the caller of CopyTo does.
func writerIn(dir string) func(string, []byte) error {
	return func(name string, data []byte) error {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o644)
	}
}

func commitAll(t *testing.T, top, message string) string {
	t.Helper()
	git(t, top, "add", "-A")
	git(t, top, "commit", "-q", "--allow-empty", "-m", message)
	return git(t, top, "rev-parse", "HEAD")
}

// WP-4: the commit at which a branch began, and words that name commits or don't.
func TestFork(t *testing.T) {
	repo, first := repository(t)
	git(t, repo.Top, "branch", "-M", "main")
	if commit, branch, err := repo.Fork(t.Context()); err != nil || commit != first || branch != "main" {
		t.Errorf("on the branch itself: %q, %q, %v", commit, branch, err)
	}
	git(t, repo.Top, "checkout", "-q", "-b", "work")
	mine := commitAll(t, repo.Top, "mine")
	if commit, branch, err := repo.Fork(t.Context()); err != nil || commit != first || branch != "main" {
		t.Errorf("on a branch: %q, %q, %v", commit, branch, err)
	}
	git(t, repo.Top, "update-ref", "refs/remotes/origin/trunk", mine)
	git(t, repo.Top, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	if commit, branch, err := repo.Fork(t.Context()); err != nil || commit != mine || branch != "origin/HEAD" {
		t.Errorf("the remote's default branch counts first: %q, %q, %v", commit, branch, err)
	}
	for word, want := range map[string]string{"main": first, "HEAD": mine, "HEAD~1": first, mine[:9]: mine, "no-such": "", "--help": "", "": "", "-q": "", "HEAD~9": "", "a\nb": "", "main:": ""} {
		if got, err := repo.Commit(t.Context(), word); err != nil || got != want {
			t.Errorf("Commit(%q) = %q, %v; want %q", word, got, err, want)
		}
	}
	if got, err := repo.Parent(t.Context(), mine); err != nil || got != first {
		t.Errorf("Parent = %q, %v", got, err)
	}
	if got, err := repo.Parent(t.Context(), first); err != nil || got != "" {
		t.Errorf("Parent of the first = %q, %v", got, err)
	}
}

func TestNoFork(t *testing.T) {
	repo, _ := repository(t)
	git(t, repo.Top, "branch", "-M", "elsewhere")
	if commit, branch, err := repo.Fork(t.Context()); err != nil || commit != "" || branch != "" {
		t.Errorf("%q, %q, %v", commit, branch, err)
	}
}

// WP-4: a copy has the files of its commit and nothing of what came later or is not committed; the repository stays as it was, to the byte.
func TestCopyTo(t *testing.T) {
	repo, _ := repository(t)
	put(t, repo.Top, "src/a.txt", "old\n")
	old := commitAll(t, repo.Top, "old")
	put(t, repo.Top, "src/a.txt", "new\n")
	put(t, repo.Top, "src/b.txt", "new\n")
	commitAll(t, repo.Top, "new")
	put(t, repo.Top, "src/c.txt", "not committed\n")
	before := tree(t, repo.Top)
	dir := t.TempDir()
	got, err := repo.CopyTo(t.Context(), old, dir, writerIn(dir))
	if err != nil || got != (Copied{}) {
		t.Fatalf("%+v, %v", got, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "src", "a.txt")); err != nil || string(text) != "old\n" {
		t.Errorf("a.txt is %q, %v", text, err)
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "src")); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	copied := Repo{Top: dir, Env: environ()}
	if head, err := copied.Head(t.Context()); err != nil || head.Dirty || !strings.HasPrefix(old, head.Commit) || head.Commit == "" {
		t.Errorf("%+v, %v", head, err)
	}
	if list, err := copied.History(t.Context(), 9); err != nil || len(list) != 2 {
		t.Errorf("the history is %v, %v", list, err)
	}
	if after := tree(t, repo.Top); after != before {
		t.Errorf("the repository was\n%s\nand is\n%s", before, after)
	}
	if _, err := repo.CopyTo(t.Context(), strings.Repeat("0", 39)+"1", t.TempDir(), writerIn(dir)); err == nil {
		t.Error("a commit that isn't there was copied")
	}
}

// A linked work tree has its objects elsewhere (C123).
func TestCopyFromWorkTree(t *testing.T) {
	repo, first := repository(t)
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, repo.Top, "worktree", "add", "-q", "--detach", linked)
	dir := t.TempDir()
	if _, err := (Repo{Top: linked, Env: environ()}).CopyTo(t.Context(), first, dir, writerIn(dir)); err != nil {
		t.Fatal(err)
	}
	if list := git(t, repo.Top, "worktree", "list"); strings.Count(list, "\n") != 1 {
		t.Errorf("the copy is a work tree of the repository: %s", list)
	}
}

// A copy runs nothing: no hook, filter or program of the repository, nor a filter that the user has for all of them; and what it lacks for
// that is told.
func TestCopyRunsNothing(t *testing.T) {
	needsShell(t)
	repo, _ := repository(t)
	ran := filepath.Join(t.TempDir(), "ran")
	put(t, repo.Top, ".gitattributes", "*.bin filter=big\n")
	put(t, repo.Top, ".gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = ../x\n")
	put(t, repo.Top, "a.bin", "pointer\n")
	commit := commitAll(t, repo.Top, "files")
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction"} {
		put(t, repo.Top, ".git/hooks/"+hook, "#!/bin/sh\ntouch '"+ran+"'\n")
		if err := os.Chmod(filepath.Join(repo.Top, ".git/hooks", hook), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	git(t, repo.Top, "config", "filter.big.smudge", "touch "+ran+"; cat")
	git(t, repo.Top, "config", "filter.big.required", "true")
	git(t, repo.Top, "config", "core.fsmonitor", "touch "+ran)
	global := filepath.Join(t.TempDir(), "config")
	write(t, global, "[filter \"big\"]\n\tsmudge = touch "+ran+"; cat\n\tprocess = touch "+ran+"\n\trequired = true\n[submodule]\n\trecurse = true\n")
	repo.Env = environ("GIT_CONFIG_GLOBAL=" + global)
	if err := os.Remove(ran); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	dir := t.TempDir()
	got, err := repo.CopyTo(t.Context(), commit, dir, writerIn(dir))
	if err != nil || got != (Copied{Submodules: true, Filtered: true}) {
		t.Errorf("%+v, %v", got, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a.bin")); err != nil || string(text) != "pointer\n" {
		t.Errorf("a.bin is %q, %v", text, err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("something ran")
	}
}

// What a surrounding hook set leads no program in a copy back to the repository (C123).
func TestElsewhere(t *testing.T) {
	got := Elsewhere([]string{"PATH=/bin", "GIT_DIR=/x/.git", "GIT_INDEX_FILE=i", "GIT_AUTHOR_NAME=a", "GIT_DIRECTORY=y"})
	if strings.Join(got, " ") != "PATH=/bin GIT_AUTHOR_NAME=a GIT_DIRECTORY=y" {
		t.Errorf("%q", got)
	}
}

// tree lists a folder's files with their contents.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		b.WriteString(path + " " + string(data) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestReached: a commit counts for what is checked out only when it is in its history (UN-3).
func TestReached(t *testing.T) {
	repo, first := repository(t)
	git(t, repo.Top, "checkout", "-q", "-b", "side")
	side := commitAll(t, repo.Top, "side")
	for _, tt := range []struct {
		checkout, commit string
		want             bool
	}{{"side", side, true}, {"side", side[:9], true}, {"side", first, true}, {first, first, true}, {first, side, false}, {first, "0123456789", false}, {first, "--all", false}, {first, "", false}} {
		git(t, repo.Top, "checkout", "-q", tt.checkout)
		if got, err := repo.Reached(t.Context(), tt.commit); err != nil || got != tt.want {
			t.Errorf("at %.9s, %q: %v, %v; want %v", tt.checkout, tt.commit, got, err, tt.want)
		}
	}
}
