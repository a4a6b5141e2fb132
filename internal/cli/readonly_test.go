package cli

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fingerprint notes everything about a tree that a write would change.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	prints := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := fmt.Sprint(info.Mode(), " ", info.ModTime().UnixNano())
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		prints[path] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return prints
}

// writeTree lays files out under dir; keys are slash paths.
func writeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// everyCommand is a call of each command, the formats of verify included.
var everyCommand = []string{
	"", "--help", "verify", "verify --json", "verify --sarif", "verify --junit", "verify --strict -v", "status", "status --json",
	"list", "list --json", "show", "show tea_timer", "show tea_timer 1 --json", "next", "next --json", "explain index", "explain --all",
	"conformance", "conformance --json", "conformance --repo-only", "conformance --plan tea_timer", "completion bash", "version", "help verify",
	"__complete show PLAN",
}

// C143, PS-20: no command changes a file, its time, or the folder.
func TestNoCommandWrites(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		".dwp/plans/PLAN_tea_timer/README.md":   "# Tea timer\n\n## Goal\n\nBrew.\n\n## Task List\n\n- [ ] Task 1: Boil\n",
		".dwp/plans/PLAN_tea_timer/PROGRESS.md": "# Progress\n",
		".dwp/plans/PLAN_tea_timer/state.json":  "{\"schema\": \"x\"",
		".dwp/plans/notes/idea.md":              "idea\n",
	})
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := fingerprint(t, dir)
	for _, command := range everyCommand {
		code, _, stderr := run(dir, strings.Fields(command)...)
		if strings.Contains(stderr, "internal error") {
			t.Errorf("dwp %s: code %d, %s", command, code, stderr)
		}
		if diff := cmp.Diff(before, fingerprint(t, dir)); diff != "" {
			t.Fatalf("dwp %s wrote (-before +after):\n%s", command, diff)
		}
	}
}
