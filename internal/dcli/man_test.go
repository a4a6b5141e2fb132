package dcli

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/deepworkplan/dwp/internal/manpage"
	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// TestManPages: docs/man has a page of each command of the queue, that says what its help says. That of dwp daemon itself is dwp's.
func TestManPages(t *testing.T) {
	var daemon *cobra.Command
	cli.RunSister([]string{"daemon", "--help"}, emptyEnv(t, io.Discard, io.Discard), func(s *cli.Sister) *cobra.Command {
		a := &app{Sister: s}
		root := &cobra.Command{Use: "dwp"}
		daemon = a.daemonCmd()
		root.AddCommand(daemon)
		return root
	})
	dir := filepath.Join("..", "..", "docs", "man")
	want := map[string]string{}
	for _, cmd := range daemon.Commands() {
		want[manpage.Name(cmd)+".1"] = manpage.Page(cmd, "go test ./internal/dcli -run TestManPages", manpage.Main{})
	}
	if *rewrite {
		writePages(t, dir, want)
	}
	if diff := cmp.Diff(readPages(t, dir), want); diff != "" {
		t.Errorf("rewrite with go test ./internal/dcli -run TestManPages -update:\n%s", diff)
	}
}

// readPages reads the pages of the queue's commands.
func readPages(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "dwp-daemon-*.1"))
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.Base(file)] = string(data)
	}
	return pages
}

// writePages puts pages in the place of those that are there.
func writePages(t *testing.T, dir string, pages map[string]string) {
	t.Helper()
	for name := range readPages(t, dir) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, page := range pages {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
