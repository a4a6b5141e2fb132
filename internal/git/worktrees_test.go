package git

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestWorkTrees: each work tree of a repository knows the others; a folder that is none, and pointers that lead nowhere, know none (C123, C125).
func TestWorkTrees(t *testing.T) {
	repo, _ := repository(t)
	top, err := filepath.EvalSymlinks(repo.Top)
	if err != nil {
		t.Fatal(err)
	}
	a, b := filepath.Join(filepath.Dir(top), "a"), filepath.Join(filepath.Dir(top), "b")
	git(t, top, "worktree", "add", "-q", "-b", "a", a)
	git(t, top, "worktree", "add", "-q", "-b", "b", b)
	for dir, want := range map[string][]string{top: {a, b}, a: {top, b}, b: {top, a}, filepath.Dir(top): nil} {
		if got := WorkTrees(dir); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", dir, got, want)
		}
	}
	if err := os.RemoveAll(b); err != nil {
		t.Fatal(err)
	}
	if got := WorkTrees(a); !slices.Equal(got, []string{top}) {
		t.Errorf("one was removed: got %q", got)
	}
	for _, text := range []string{"", "gitdir:", "gitdir: nowhere\n", "gitdir: .\n", "something else\n"} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, ".git"), text)
		if got := WorkTrees(dir); got != nil {
			t.Errorf("%q: got %q", text, got)
		}
	}
}
