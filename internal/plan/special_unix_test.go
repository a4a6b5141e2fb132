//go:build unix

package plan

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TRAPS: a FIFO behind a document's name is never waited for, nor is one that took the place of a listed file.
func TestFIFO(t *testing.T) {
	base := folder(t, map[string]string{"PLAN_a/README.md": "# x", "PLAN_a/PROGRESS.md": "-> pipe"})
	dir := filepath.Join(base, "PLAN_a")
	for _, name := range []string{"state.json", "pipe", "1.task_a.md"} {
		must(t, syscall.Mkfifo(filepath.Join(dir, name), 0o644))
	}
	s, err := Open(dir)
	must(t, err)
	if s.Nodes["state.json"].Kind != Special || s.Nodes["1.task_a.md"].Kind != Special || len(s.Files) != 1 || len(s.TaskFiles) != 0 {
		t.Errorf("got %+v, %d files, %v", s.Nodes["state.json"], len(s.Files), s.TaskFiles)
	}
	if hold := s.Overview().Hold; hold != HoldMalformed {
		t.Errorf("hold: got %q, want %q", hold, HoldMalformed)
	}
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	r := &reading{fsys: rooted{root}, files: map[string]*File{}}
	if r.read("1.task_a.md", RegularFile); len(r.files) != 0 {
		t.Errorf("listed as a file: got %+v", r.files)
	}
	if _, err := Open(filepath.Join(dir, "pipe")); err == nil {
		t.Error("a FIFO as plan folder: no error")
	}
}
