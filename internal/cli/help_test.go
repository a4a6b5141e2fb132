package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// everyHelp calls f with each command and the name of its files: "dwp", "verify", "state_update".
func everyHelp(f func(name string, cmd *cobra.Command)) {
	a := &app{env: testEnv("", nil, nil)}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		f(strings.ReplaceAll(commandName(cmd), " ", "_"), cmd)
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	root := a.rootCmd()
	root.InitDefaultHelpCmd() // cobra adds it when it runs
	walk(root)
}

// golden compares files of a folder with what they have to be, and nothing else may lie there. With -update they are written.
func golden(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	if *rewrite {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		writeTree(t, dir, want)
	}
	got := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got[e.Name()] = text(t, filepath.Join(dir, e.Name()))
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("%s; rewrite with go test ./internal/cli -update (-file +program):\n%s", dir, diff)
	}
}

// The help of every command is what people and agents build upon: a change of it shows in a diff.
func TestHelpGoldens(t *testing.T) {
	want := map[string]string{}
	everyHelp(func(name string, cmd *cobra.Command) {
		var b strings.Builder
		writeHelp(&b, cmd)
		want[name+".txt"] = b.String()
	})
	golden(t, filepath.Join("testdata", "help"), want)
}

// Every command has an example and its exit codes in its help, and all of it fits a terminal of 80 columns.
func TestHelpIsWhole(t *testing.T) {
	everyHelp(func(name string, cmd *cobra.Command) {
		var b strings.Builder
		writeHelp(&b, cmd)
		if !strings.Contains(cmd.Example, "  dwp") && !strings.Contains(cmd.Example, "(dwp ") {
			t.Errorf("%s: the help has no example", name)
		}
		if !strings.Contains(b.String(), "Exit codes:") {
			t.Errorf("%s: the help has no exit codes", name)
		}
		for line := range strings.Lines(b.String()) {
			if line = strings.TrimRight(line, "\n"); textWidth(line) > defaultWidth {
				t.Errorf("%s: %d columns: %s", name, textWidth(line), line)
			}
		}
	})
}
