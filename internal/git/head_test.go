package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An observed run says of which tree it was (DESIGN 5, C87).
func TestHead(t *testing.T) {
	repo, commit := repository(t)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(repo.Top, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(when string, dirty bool) {
		t.Helper()
		h, err := repo.Head(t.Context())
		if err != nil || h.Commit == "" || !strings.HasPrefix(commit, h.Commit) || h.Dirty != dirty {
			t.Errorf("%s: got %+v, %v", when, h, err)
		}
	}
	expect("clean", false)
	write(".git/info/exclude", "ignored\n")
	write("ignored", "x")
	expect("an ignored file", false)
	write("new", "x")
	expect("a new file", true)
	for i := range 600 {
		write(fmt.Sprintf("a-file-with-a-long-name-%d", i), "x")
	}
	expect("more files than an answer holds", true)
}

func TestHeadWithout(t *testing.T) {
	repo, _ := repository(t)
	git(t, repo.Top, "checkout", "-q", "--orphan", "empty")
	if h, err := repo.Head(t.Context()); err != nil || h.Commit != "" {
		t.Errorf("before the first commit: %+v, %v", h, err)
	}
	repo.Program = "no-such-git"
	if _, err := repo.Head(t.Context()); !errors.Is(err, ErrNoGit) {
		t.Errorf("without git: %v", err)
	}
	if _, err := (Repo{Top: t.TempDir(), Env: environ()}).Head(t.Context()); err == nil {
		t.Error("outside a repository git answered")
	}
}
