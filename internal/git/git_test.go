package git

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// environ is an environment in which no configuration of this machine counts.
func environ(more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
	}, more...)
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = environ("GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// repository makes one with a single commit.
func repository(t *testing.T) (Repo, string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	top := t.TempDir()
	git(t, top, "init", "-q")
	git(t, top, "commit", "-q", "--allow-empty", "-m", "first")
	return Repo{Top: top, Env: environ()}, git(t, top, "rev-parse", "HEAD")
}

// PS-11: unknown commits are told from known ones, whole or abbreviated, in one call.
func TestMissing(t *testing.T) {
	repo, head := repository(t)
	unknown := strings.Repeat("0", 39) + "1"
	tree := git(t, repo.Top, "rev-parse", "HEAD^{tree}")
	tests := []struct {
		name string
		ask  []string
		want []string
	}{
		{"nothing", nil, nil},
		{"known", []string{head, head[:7], strings.ToUpper(head)}, nil},
		{"unknown", []string{unknown, head, unknown[:12]}, []string{unknown, unknown[:12]}},
		{"once each", []string{unknown, unknown}, []string{unknown}},
		{"no commit but a tree", []string{tree}, []string{tree}},
		{"no form of a commit", []string{"HEAD", "--help", head + "\n" + head, "", head[:6]},
			[]string{"HEAD", "--help", head + "\n" + head, "", head[:6]}},
	}
	for _, tt := range tests {
		got, err := repo.Missing(t.Context(), tt.ask)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

// PD-1: what git ignores, and what it doesn't, whatever the name.
func TestIgnored(t *testing.T) {
	repo, _ := repository(t)
	write(t, filepath.Join(repo.Top, ".gitignore"), ".dwp/\n:odd\n")
	tests := []struct {
		path string
		want bool
	}{
		{".dwp/", true},
		{".dwp", false}, // no such folder: the pattern is for folders
		{filepath.Join(repo.Top, ".dwp") + "/", true},
		{"src", false},
		{"-q", false},
		{":odd", true},
		{"a b\n\"c\"", false},
	}
	for _, tt := range tests {
		got, err := repo.Ignored(t.Context(), tt.path)
		if err != nil || got != tt.want {
			t.Errorf("%q: got %v, %v; want %v", tt.path, got, err, tt.want)
		}
	}
	if _, err := repo.Ignored(t.Context(), filepath.Dir(repo.Top)); err == nil {
		t.Error("a path outside the repository is no answer")
	}
}

// A hook's own variables don't lead to another repository (C123).
func TestSurroundingHook(t *testing.T) {
	other, _ := repository(t)
	repo, _ := repository(t)
	git(t, repo.Top, "commit", "-q", "--allow-empty", "-m", "only here")
	head := git(t, repo.Top, "rev-parse", "HEAD")
	repo.Env = environ("GIT_DIR="+filepath.Join(other.Top, ".git"), "GIT_WORK_TREE="+other.Top,
		"GIT_INDEX_FILE="+filepath.Join(other.Top, "index"), "GIT_OBJECT_DIRECTORY="+other.Top,
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.bare", "GIT_CONFIG_VALUE_0=true")
	if got, err := repo.Missing(t.Context(), []string{head}); err != nil || got != nil {
		t.Errorf("got %q, %v; want the commit of the repository itself", got, err)
	}
}

// A folder that is no repository is not answered for by the one around it (C121).
func TestNotTheRepositoryAround(t *testing.T) {
	outer, head := repository(t)
	inner := filepath.Join(outer.Top, "inner")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := (Repo{Top: inner, Env: environ()}).Missing(t.Context(), []string{head}); err == nil {
		t.Errorf("got %q without an error", got)
	}
}

// The configuration of a hostile repository runs nothing: no file system monitor, no fetch of a missing object.
func TestHostileConfiguration(t *testing.T) {
	needsShell(t)
	repo, _ := repository(t)
	mark := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	write(t, program, "#!/bin/sh\necho ran >'"+mark+"'\n")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]string{
		{"core.fsmonitor", program},
		{"core.hooksPath", filepath.Dir(program)},
		{"core.repositoryFormatVersion", "1"},
		{"extensions.partialClone", "origin"},
		{"remote.origin.promisor", "true"},
		{"remote.origin.url", "ext::" + program},
		{"protocol.allow", "always"},
		{"protocol.ext.allow", "always"},
	} {
		git(t, repo.Top, "config", pair[0], pair[1])
	}
	unknown := strings.Repeat("0", 39) + "1"

	// The trap works: git left alone runs the program.
	cmd := exec.Command("git", "-C", repo.Top, "cat-file", "-e", unknown)
	cmd.Env = environ()
	if err := cmd.Run(); err == nil {
		t.Fatal("git knows a commit that was never made")
	}
	if err := os.Remove(mark); err != nil {
		t.Fatalf("the trap did not work: %v", err)
	}

	got, err := repo.Missing(t.Context(), []string{unknown})
	if err == nil && !slices.Equal(got, []string{unknown}) {
		t.Errorf("missing: got %q, want %q or an error", got, unknown)
	}
	if _, err := repo.Ignored(t.Context(), "x"); err != nil {
		t.Errorf("ignored: %v", err)
	}
	if _, err := os.Stat(mark); !errors.Is(err, os.ErrNotExist) {
		t.Error("the repository's program ran")
	}
}

func TestNoGit(t *testing.T) {
	repo := Repo{Top: t.TempDir(), Program: filepath.Join(t.TempDir(), "git")}
	if _, err := repo.Missing(t.Context(), []string{"0123456"}); !errors.Is(err, ErrNoGit) {
		t.Errorf("missing: got %v, want ErrNoGit", err)
	}
	if _, err := repo.Ignored(t.Context(), "x"); !errors.Is(err, ErrNoGit) {
		t.Errorf("ignored: got %v, want ErrNoGit", err)
	}
	if got, err := repo.Missing(t.Context(), []string{"x"}); err != nil || len(got) != 1 {
		t.Errorf("nothing to ask: got %q, %v", got, err)
	}
}

func TestNoRepository(t *testing.T) {
	repo := Repo{Top: t.TempDir(), Env: environ()}
	if _, err := repo.Missing(t.Context(), []string{"0123456"}); err == nil {
		t.Error("missing: no error")
	}
	if _, err := repo.Ignored(t.Context(), "x"); err == nil {
		t.Error("ignored: no error")
	}
}

// A git that says more than was asked, or nothing ever, is stopped.
func TestBounds(t *testing.T) {
	needsShell(t)
	dir := t.TempDir()
	flood := filepath.Join(dir, "flood")
	write(t, flood, "#!/bin/sh\nwhile :; do echo 0123456 missing; done\n")
	silent := filepath.Join(dir, "silent")
	write(t, silent, "#!/bin/sh\nread x; read x; exec sleep 600\n")
	for _, p := range []string{flood, silent} {
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := (Repo{Top: dir, Program: flood}).Missing(t.Context(), []string{"0123456"}); !errors.Is(err, errTooMuch) {
		t.Errorf("flood: got %v, want %v", err, errTooMuch)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Repo{Top: dir, Program: silent}).Missing(ctx, []string{"0123456"}); !errors.Is(err, context.Canceled) {
		t.Errorf("silence: got %v, want %v", err, context.Canceled)
	}
}

// C151: git gets what we write and nothing of the process's own input, which may hold the next request of a protocol.
func TestStandardInputIsNotInherited(t *testing.T) {
	needsShell(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "git")
	write(t, program, "#!/bin/sh\ncat > \"$0.in\"\n")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	requests, send, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	own := os.Stdin
	os.Stdin = requests
	t.Cleanup(func() { os.Stdin = own; requests.Close() })
	const next = "the next request\n"
	if _, err := send.WriteString(next); err != nil {
		t.Fatal(err)
	}
	send.Close()
	if _, err := (Repo{Top: dir, Program: program}).Ignored(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(program + ".in"); err != nil || len(got) > 0 {
		t.Errorf("git read %q, %v; want nothing", got, err)
	}
	if left, err := io.ReadAll(requests); err != nil || string(left) != next {
		t.Errorf("left in the process's input: %q, %v; want %q", left, err, next)
	}
}

func needsShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no shell scripts here")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
