package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func put(t *testing.T, top, name, text string) {
	t.Helper()
	path := filepath.Join(top, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// WP-2: the newest commits come first, with their whole messages; a repository without a commit has none.
func TestHistory(t *testing.T) {
	repo, first := repository(t)
	git(t, repo.Top, "commit", "-q", "--allow-empty", "-m", "second\n\nTask 2 of PLAN_a")
	got, err := repo.History(t.Context(), 5)
	if err != nil || len(got) != 2 || got[1].ID != first || got[0].Message != "second\n\nTask 2 of PLAN_a\n" {
		t.Errorf("%q, %v", got, err)
	}
	if since := time.Since(got[0].At); since < -time.Minute || since > time.Hour {
		t.Errorf("committed at %s", got[0].At)
	}
	if one, err := repo.History(t.Context(), 1); err != nil || len(one) != 1 {
		t.Errorf("one: %q, %v", one, err)
	}
	empty := Repo{Top: t.TempDir(), Env: environ()}
	git(t, empty.Top, "init", "-q")
	if none, err := empty.History(t.Context(), 5); err != nil || len(none) != 0 {
		t.Errorf("without a commit: %q, %v", none, err)
	}
	// Messages of 3 MB are cut between two commits, never inside one.
	git(t, repo.Top, "config", "core.commentChar", ";")
	long := strings.Repeat("a line of sixty-four characters, the whole of it is no use\n", 6000)
	for range 8 {
		put(t, repo.Top, "../message", long)
		git(t, repo.Top, "commit", "-q", "--allow-empty", "-F", "../message")
	}
	os.Remove(filepath.Join(repo.Top, "../message"))
	cut, err := repo.History(t.Context(), 10)
	if err != nil || len(cut) == 0 || len(cut) > 8 || len(cut[len(cut)-1].Message) != len(long) {
		t.Errorf("%d long messages, %v", len(cut), err)
	}
}

// WP-2: what is not committed is listed, plans and ignored files are not.
func TestDirty(t *testing.T) {
	repo, _ := repository(t)
	put(t, repo.Top, ".gitignore", "out/\n")
	put(t, repo.Top, "a.go", "package a\n")
	git(t, repo.Top, "add", "-A")
	git(t, repo.Top, "commit", "-q", "-m", "files")
	if files, cut, err := repo.Dirty(t.Context()); err != nil || cut || len(files) != 0 {
		t.Errorf("clean: %q, %v, %v", files, cut, err)
	}
	put(t, repo.Top, "a.go", "package b\n")
	put(t, repo.Top, "new \u00e9.go", "x")
	put(t, repo.Top, "out/x", "x")
	put(t, repo.Top, "sub/.dwp/plans/PLAN_a/README.md", "x")
	put(t, repo.Top, ".dwp/plans/PLAN_a/README.md", "x")
	put(t, repo.Top, "staged", "x")
	git(t, repo.Top, "add", "staged", "sub")
	files, cut, err := repo.Dirty(t.Context())
	if got := strings.Join(files, "|"); err != nil || cut || got != "a.go|staged|new \u00e9.go" {
		t.Errorf("got %q, %v, %v", got, cut, err)
	}
	for n := range 3000 {
		put(t, repo.Top, fmt.Sprintf("%s%04d", strings.Repeat("n", 200), n), "")
	}
	if files, cut, err := repo.Dirty(t.Context()); err != nil || !cut || len(files) < 100 {
		t.Errorf("very many: %d, %v, %v", len(files), cut, err)
	}
}

// A repository is untrusted: looking for changes runs no filter of its own configuration, wherever that stands.
func TestChangesRunNoFilter(t *testing.T) {
	for _, scope := range []string{"--local", "--worktree"} {
		repo, _ := repository(t)
		put(t, repo.Top, "a.txt", "one\n")
		git(t, repo.Top, "add", "-A")
		git(t, repo.Top, "commit", "-q", "-m", "a")
		ran := filepath.Join(t.TempDir(), "ran")
		put(t, repo.Top, ".git/info/attributes", "* filter=evil.one\n")
		git(t, repo.Top, "config", "extensions.worktreeConfig", "true")
		git(t, repo.Top, "config", scope, "filter.evil.one.clean", "touch "+ran+"; cat")
		git(t, repo.Top, "config", scope, "filter.evil.one.required", "true")
		put(t, repo.Top, "a.txt", "two\n")
		if files, _, err := repo.Dirty(t.Context()); err != nil || len(files) != 1 {
			t.Errorf("%s: %q, %v", scope, files, err)
		}
		if head, err := repo.Head(t.Context()); err != nil || !head.Dirty {
			t.Errorf("%s: %+v, %v", scope, head, err)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Errorf("%s: the filter ran", scope)
		}
	}
}

// Nor does it run one of a submodule's configuration.
func TestChangesRunNoFilterInside(t *testing.T) {
	repo, _ := repository(t)
	lib, _ := repository(t)
	put(t, lib.Top, "a.txt", "one\n")
	git(t, lib.Top, "add", "-A")
	git(t, lib.Top, "commit", "-q", "-m", "a")
	git(t, repo.Top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.Top, "sub")
	git(t, repo.Top, "commit", "-q", "-m", "sub")
	ran, sub := filepath.Join(t.TempDir(), "ran"), filepath.Join(repo.Top, "sub")
	put(t, repo.Top, ".git/modules/sub/info/attributes", "* filter=evil\n")
	git(t, sub, "config", "filter.evil.clean", "touch "+ran+"; cat")
	put(t, sub, "a.txt", "two\n") // of the same size, so that its content has to be compared
	if files, _, err := repo.Dirty(t.Context()); err != nil || len(files) != 0 {
		t.Errorf("%q, %v", files, err)
	}
	if head, err := repo.Head(t.Context()); err != nil || head.Dirty {
		t.Errorf("%+v, %v", head, err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the filter ran")
	}
	os.Remove(filepath.Join(repo.Top, ".git/modules/sub/info/attributes"))
	git(t, sub, "commit", "-qam", "b")
	if files, _, err := repo.Dirty(t.Context()); err != nil || len(files) != 1 {
		t.Errorf("at another commit: %q, %v", files, err)
	}
}

// WP-5: added lines come with file and line; deleted ones, binary files and the end of a huge commit don't.
func TestAdded(t *testing.T) {
	repo, _ := repository(t)
	put(t, repo.Top, "a b\u00e9.go", "one\ntwo\nthree\n")
	put(t, repo.Top, "bin", "a\x00b\n")
	git(t, repo.Top, "add", "-A")
	git(t, repo.Top, "commit", "-q", "-m", "a")
	put(t, repo.Top, "a b\u00e9.go", "one\n2\nthree\n++ four\nfive")
	git(t, repo.Top, "commit", "-qam", "b")
	lines, cut, err := repo.Added(t.Context(), git(t, repo.Top, "rev-parse", "HEAD"))
	want := []AddedLine{{"a b\u00e9.go", 2, "2"}, {"a b\u00e9.go", 4, "++ four"}, {"a b\u00e9.go", 5, "five"}}
	if err != nil || cut || fmt.Sprint(lines) != fmt.Sprint(want) {
		t.Errorf("got %+v, %v, %v", lines, cut, err)
	}
	if lines, _, err := repo.Added(t.Context(), git(t, repo.Top, "rev-parse", "HEAD~1")); err != nil || len(lines) != 3 {
		t.Errorf("with a binary file: %+v, %v", lines, err)
	}
	if _, _, err := repo.Added(t.Context(), "--output=x"); err == nil {
		t.Error("an option was taken for a commit")
	}
	put(t, repo.Top, "huge", strings.Repeat(strings.Repeat("x", 99)+"\n", 100_000))
	git(t, repo.Top, "add", "-A")
	git(t, repo.Top, "commit", "-q", "-m", "huge")
	if lines, cut, err := repo.Added(t.Context(), git(t, repo.Top, "rev-parse", "HEAD")); err != nil || !cut || len(lines) < 50_000 {
		t.Errorf("huge: %d lines, %v, %v", len(lines), cut, err)
	}
}
