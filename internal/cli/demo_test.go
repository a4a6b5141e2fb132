package cli

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Without git and Go nothing is made, and what is missing is named.
func TestDemoNeedsPrograms(t *testing.T) {
	var stderr bytes.Buffer
	cmd := dwpProcess(t, "demo", "--keep", "there")
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "PATH=") }), "PATH="+t.TempDir())
	cmd.Stderr = &stderr
	cmd.Run()
	want := "dwp: the demo needs git and Go; not found on PATH: git, go\ndwp: hint: install it, then try again\n"
	if code := cmd.ProcessState.ExitCode(); code != ExitCannot || stderr.String() != want {
		t.Errorf("code %d, want %d; said %q, want %q", code, ExitCannot, stderr.String(), want)
	}
	if left, err := os.ReadDir(cmd.Dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A command that is shown fits the terminal, and can be pasted: it breaks between arguments, and no flag loses its value.
func TestCommandLines(t *testing.T) {
	args := []string{"dwp", "complete", "2", "--worked", "no findings at all", "--skills", "none", "--json"}
	for width, want := range map[int][]string{
		80: {"dwp complete 2 --worked 'no findings at all' --skills none --json"},
		40: {"dwp complete 2 \\", "--worked 'no findings at all' \\", "--skills none --json"},
	} {
		if diff := cmp.Diff(want, commandLines(args, width)); diff != "" {
			t.Errorf("width %d (-want +got):\n%s", width, diff)
		}
	}
}
