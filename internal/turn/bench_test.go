package turn

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plantest"
)

// BenchmarkTurn is the cost of a turn apart from its agent: on a real folder, with one that returns at once (aim: under 50 ms).
func BenchmarkTurn(b *testing.B) {
	for _, tasks := range []int{8, 100} {
		for _, inGit := range []bool{false, true} {
			b.Run(fmt.Sprintf("tasks=%d/git=%v", tasks, inGit), func(b *testing.B) { benchmarkTurn(b, tasks, inGit) })
		}
	}
}

func benchmarkTurn(b *testing.B, tasks int, inGit bool) {
	repo := b.TempDir()
	path := filepath.Join(repo, ".dwp", "plans", plantest.Name)
	must(b, os.CopyFS(path, filesOf(ready(b, plantest.Spec{Tasks: tasks, Done: 1}))))
	folder, err := disk.Open(path)
	must(b, err)
	defer folder.Close()
	turn := turnOf(b, folder, idle)
	turn.Path, turn.Dir = path, repo
	turn.parts.orphans = turn.real().orphans
	if inGit {
		turn.Repo = gitIn(b, repo)
	}
	b.ResetTimer()
	for range b.N {
		if _, err := turn.Take(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer() // a plan has no thousand turns
		must(b, os.RemoveAll(filepath.Join(path, Dir)))
		b.StartTimer()
	}
}

// gitIn makes a repository with one commit in a folder.
func gitIn(t testing.TB, folder string) *git.Repo {
	t.Helper()
	for _, args := range [][]string{{"init", "-q", "."}, {"config", "user.email", "ada@example.org"}, {"config", "user.name", "Ada"},
		{"commit", "-q", "--allow-empty", "-m", "begin"}} {
		gitDo(t, folder, args...)
	}
	return &git.Repo{Top: folder, Env: os.Environ()}
}

// gitDo calls git; where there is none the test is skipped.
func gitDo(t testing.TB, folder string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = folder
	switch out, err := cmd.CombinedOutput(); {
	case errors.Is(err, exec.ErrNotFound):
		t.Skip("no git program")
	case err != nil:
		t.Fatalf("git %v: %v %s", args, err, out)
	}
}

// filesOf are the files of a twin.
func filesOf(tw *disk.Twin) fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range tw.Tree() {
		if !strings.HasSuffix(name, "/") {
			files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
	}
	return files
}
