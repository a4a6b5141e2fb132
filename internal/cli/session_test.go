package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var digest = regexp.MustCompile(`[0-9a-f]{64}`)

// TestSessionExample replays the transcript under examples: what an agent types in a shell, what it is told, the exit
// codes. Rewrite what is printed with -update.
func TestSessionExample(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the transcript edits files with GNU sed")
	}
	file := filepath.Join("..", "..", "examples", "sessions", "complete-a-task.txt")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "examples", "bike-rental"))); err != nil {
		t.Fatal(err)
	}
	shell := shellIn(t, filepath.Join(dir, ".dwp", "plans", "PLAN_station_import"))
	var got strings.Builder
	for line := range strings.Lines(string(data)) {
		switch command, ok := strings.CutPrefix(line, "$ "); {
		case ok:
			got.WriteString(line + digest.ReplaceAllString(strings.ReplaceAll(shell(command), dir, "/repository"), "<digest>"))
		case line == "\n", strings.HasPrefix(line, "#"):
			got.WriteString(line)
		}
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(data), got.String()); diff != "" {
		t.Errorf("the transcript and the replay differ (-transcript +replay):\n%s", diff)
	}
}

// shellIn returns a shell in dir in which dwp is this test binary. What it returns ends with the exit code, unless that is 0.
func shellIn(t *testing.T, dir string) func(command string) string {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell here")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(exe, filepath.Join(bin, "dwp")); err != nil {
		t.Fatal(err)
	}
	return func(command string) string {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
		out, err := cmd.CombinedOutput()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return fmt.Sprintf("%s[exit %d]\n", out, exit.ExitCode())
		} else if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
}
