package dcli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/google/go-cmp/cmp"
)

// emptyEnv is a world without variables or input, in an empty folder.
func emptyEnv(t *testing.T, out, errs io.Writer) cli.Env {
	return cli.Env{
		Stdin: strings.NewReader(""), Stdout: out, Stderr: errs,
		Getenv: func(string) string { return "" }, Now: time.Now, Dir: t.TempDir(),
	}
}

// The help of every command is golden, has an example and exit codes, and fits 80 columns.
func TestHelp(t *testing.T) {
	for _, name := range []string{"", "run", "enqueue", "list", "pause", "resume", "remove", "history", "recipe"} {
		t.Run("daemon "+name, func(t *testing.T) {
			var out, errs bytes.Buffer
			env := emptyEnv(t, &out, &errs)
			args := append([]string{"daemon"}, strings.Fields(name)...)
			if code := Main(append(args, "--help"), env); code != cli.ExitOK || errs.Len() > 0 {
				t.Fatalf("exit code %d, %s", code, errs.String())
			}
			file := filepath.Join("testdata", "help", strings.TrimSpace("daemon "+name)+".txt")
			file = strings.ReplaceAll(file, " ", "_")
			if *rewrite {
				if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(out.String(), string(want)); diff != "" {
				t.Errorf("rewrite with go test ./internal/dcli -run TestHelp -update:\n%s", diff)
			}
			prose := out.String()
			for line := range strings.Lines(prose) {
				if line = strings.TrimRight(line, "\n"); len(line) > 80 {
					t.Errorf("%d columns: %s", len(line), line)
				}
			}
			for _, part := range []string{"Exit codes:", "Examples:\n  dwp daemon"} {
				if !strings.Contains(out.String(), part) {
					t.Errorf("the help has no %q", part)
				}
			}
		})
	}
}

// dwp completes the commands of dwpd without starting it: the two know the same ones.
func TestCompletionKnowsTheCommands(t *testing.T) {
	complete := func(main func([]string, cli.Env) int) string {
		var out, errs bytes.Buffer
		main([]string{"__completeNoDesc", "daemon", ""}, emptyEnv(t, &out, &errs))
		return out.String()
	}
	if got, want := complete(cli.Main), complete(Main); got != want || !strings.Contains(got, "enqueue") {
		t.Errorf("dwp completes\n%s\ndwpd completes\n%s", got, want)
	}
}
