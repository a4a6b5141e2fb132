package cli

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/turntest"
	"github.com/rogpeppe/go-internal/testscript"
)

var rewrite = flag.Bool("update", false, "rewrite the golden parts of the stories")

func TestMain(m *testing.M) {
	// The tests start a thousand processes, and under the race detector each would sleep for a second at its end.
	os.Setenv("GORACE", cmp.Or(os.Getenv("GORACE"), "atexit_sleep_ms=0"))
	testscript.Main(m, map[string]func(){
		"dwp":            func() { os.Exit(mainShifted()) },
		"dwp-cut":        func() { os.Exit(mainCut()) },
		turntest.Program: func() { os.Exit(turntest.Agent(strings.Join(os.Args[1:], " "), turntest.OSWorld())) },
	})
}

// mainShifted is dwp, in a world whose clock may be set forward.
func mainShifted() int {
	env := OSEnv()
	if later, err := time.ParseDuration(os.Getenv(turntest.Clock)); err == nil {
		env.Now = func() time.Time { return time.Now().Add(later) }
	}
	return Main(os.Args[1:], env)
}

// TestScript runs the stories: what a person types, and what they see.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *rewrite,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "example": example, "edit": edit,
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Getuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Setup: func(env *testscript.Env) error {
			// The home of a story is none, and Go would compile all of its library anew.
			if cache, err := os.UserCacheDir(); err == nil {
				env.Setenv("GOCACHE", cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")))
			}
			env.Setenv("GORACE", os.Getenv("GORACE"))
			// The checkout around the test must not count as the story's repository.
			return os.Mkdir(filepath.Join(env.WorkDir, ".git"), 0o755)
		},
	})
}

// exits CODE COMMAND... runs a command and demands its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("exit code %d, want %s", got, want)
	}
}

// example copies the example repository into the story's folder, under the name given.
func example(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: example DIR")
	}
	source := os.DirFS(filepath.Join("..", "..", "examples", "bike-rental"))
	ts.Check(os.CopyFS(ts.MkAbs(args[0]), source))
}

// edit replaces a text of a file, which must be there: edit FILE OLD NEW, with Go escapes in both.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	var words [2]string
	for i := range words {
		word, err := strconv.Unquote(`"` + strings.ReplaceAll(args[i+1], `"`, `\"`) + `"`)
		ts.Check(err)
		words[i] = word
	}
	if !strings.Contains(text, words[0]) {
		ts.Fatalf("%s does not contain %q", args[0], words[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, words[0], words[1])), 0o644))
}

// testEnv is a world in dir whose output is kept; settings are the environment, as NAME=value.
func testEnv(dir string, stdout, stderr io.Writer, settings ...string) Env {
	vars := map[string]string{}
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		vars[name] = value
	}
	return Env{
		Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr,
		Getenv: func(name string) string { return vars[name] },
		Now:    func() time.Time { return time.Date(2026, 9, 2, 12, 0, 0, 0, time.UTC) },
		Dir:    dir,
	}
}

// run runs one command line in dir.
func run(dir string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Main(args, testEnv(dir, &out, &errs))
	return code, out.String(), errs.String()
}

// failingWriter accepts nothing.
type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// TRAPS: standard output closed or full. C85: a reader that goes away early changes no exit code and prints no trace.
func TestStandardOutputFails(t *testing.T) {
	for _, tt := range []struct {
		name   string
		err    error
		code   int
		stderr string
	}{
		{"disk full", syscall.ENOSPC, ExitCannot, "dwp: write standard output: no space left on device\n"},
		{"closed", syscall.EBADF, ExitCannot, "dwp: write standard output: bad file descriptor\n"},
		{"broken pipe", syscall.EPIPE, ExitOK, ""},
		{"wrapped broken pipe", &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}, ExitOK, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stderr bytes.Buffer
			code := Main([]string{"explain", "--all"}, testEnv(t.TempDir(), failingWriter{tt.err}, &stderr))
			if code != tt.code || stderr.String() != tt.stderr {
				t.Errorf("got code %d, stderr %q; want %d, %q", code, stderr.String(), tt.code, tt.stderr)
			}
		})
	}
}

// A broken pipe keeps the code of an answer that is no (C85).
func TestBrokenPipeKeepsAnswer(t *testing.T) {
	var stderr bytes.Buffer
	code := Main([]string{"explain", "no/such", "--json"}, testEnv(t.TempDir(), failingWriter{syscall.EPIPE}, &stderr))
	if code != ExitUsage || stderr.Len() != 0 {
		t.Errorf("got code %d, stderr %q; want %d and silence", code, stderr.String(), ExitUsage)
	}
}

func TestInternalError(t *testing.T) {
	var stdout, stderr bytes.Buffer
	env := testEnv(t.TempDir(), &stdout, &stderr)
	env.Getenv = func(string) string { panic("boom\x1b[2J") }
	code := Main([]string{"verify"}, env)
	want := "dwp: internal error: boom\\x1b[2J\n" +
		"dwp: hint: this is a fault of dwp, not of your plan; please report it with the command you ran\n"
	if code != ExitCannot || stderr.String() != want || stdout.Len() != 0 {
		t.Errorf("got code %d, stdout %q, stderr %q; want 3, nothing, %q", code, stdout.String(), stderr.String(), want)
	}
}

// A panic on a worker's goroutine reaches the caller, once all work is done.
func TestParallelPanics(t *testing.T) {
	defer func() {
		if p := recover(); p != "third" {
			t.Errorf("got panic %v, want third", p)
		}
	}()
	parallel(5, func(i int) {
		if i == 3 {
			panic("third")
		}
	})
	t.Error("parallel returned")
}

func TestParallelCallsEachOnce(t *testing.T) {
	got := make([]int, 100)
	parallel(len(got), func(i int) { got[i]++ })
	for i, n := range got {
		if n != 1 {
			t.Errorf("f(%d) was called %d times", i, n)
		}
	}
}

// Equal lists share memory, and appending to one leaves the other alone.
func TestListsShare(t *testing.T) {
	var s lists
	x, y := s.share([]string{"a", "b"}), s.share([]string{"a", "b"})
	if &x[0] != &y[0] {
		t.Error("equal lists don't share memory")
	}
	x, y = append(x, "c"), append(y, "d")
	if x[2] != "c" || y[2] != "d" {
		t.Errorf("got %q and %q, want c and d at the end", x, y)
	}
	if z := s.share([]string{"a"}); len(z) != 1 {
		t.Errorf("got %q for another list", z)
	}
}

func TestUnknownCurrentFolder(t *testing.T) {
	var stdout, stderr bytes.Buffer
	env := testEnv("", &stdout, &stderr)
	env.DirErr = errors.New("it was removed")
	if code := Main([]string{"list"}, env); code != ExitCannot {
		t.Errorf("got code %d, want %d", code, ExitCannot)
	}
	want := "dwp: find the current folder: it was removed\ndwp: hint: use -C with an absolute path\n"
	if stderr.String() != want {
		t.Errorf("got %q, want %q", stderr.String(), want)
	}
	stderr.Reset()
	Main([]string{"-C", t.TempDir(), "list"}, env)
	if strings.Contains(stderr.String(), "current folder") {
		t.Errorf("with -C absolute: got %q, want no word of the current folder", stderr.String())
	}
}

func TestAsksJSON(t *testing.T) {
	for _, tt := range []struct {
		args string
		want bool
	}{
		{"verify --json --nope", true},
		{"verify --nope --json=true", true},
		{"verify --nope", false},
		{"verify --nope -- --json", false},
	} {
		if got := asksJSON(strings.Fields(tt.args)); got != tt.want {
			t.Errorf("asksJSON(%s) = %v, want %v", tt.args, got, tt.want)
		}
	}
}
