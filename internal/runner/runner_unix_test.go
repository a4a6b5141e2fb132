//go:build unix

package runner

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The commands of these tests are this binary itself, told by RUNNER_CHILD what to do.
func TestMain(m *testing.M) {
	if what := os.Getenv("RUNNER_CHILD"); what != "" {
		child(what, os.Args[1:])
		return
	}
	os.Exit(m.Run())
}

func child(what string, args []string) {
	switch what {
	case "echo":
		fmt.Println(strings.Join(args, " "))
	case "both":
		fmt.Fprint(os.Stdout, "to stdout\n")
		fmt.Fprint(os.Stderr, "to stderr\n")
	case "exit":
		code, _ := strconv.Atoi(args[0])
		os.Exit(code)
	case "stdin":
		n, err := io.Copy(io.Discard, os.Stdin)
		fmt.Println("read", n, err)
	case "die":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		forever()
	case "runs": // the holder, which is to end with it
		Run(context.Background(), Command{Args: []string{os.Args[0], args[0]}, Env: append(os.Environ(), "RUNNER_CHILD=holder"),
			Stdout: os.Stdout, Now: time.Now, WithParent: true})
	case "holder": // holds a file lock as long as it lives
		f, err := os.OpenFile(args[0], os.O_RDWR, 0)
		if err == nil {
			err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("ready")
		forever()
		runtime.KeepAlive(f)
	case "starts": // another child, and says afterwards that it is still there
		cmd := exec.Command(os.Args[0], args[1:]...)
		cmd.Env, cmd.Stdout = append(os.Environ(), "RUNNER_CHILD="+args[0]), os.Stdout
		cmd.Run()
		fmt.Println("goes on")
	case "ends":
		ended, err := EndByEnv(args...)
		fmt.Printf("ended %d: %v\n", ended, err)
	case "hang":
		fmt.Println("ready")
		forever()
	case "stubborn": // doesn't end when asked
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("ready")
		forever()
	case "polite": // ends with 0 when asked
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		fmt.Println("ready")
		<-asked
	case "parent": // leaves a child that holds the pipe
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "RUNNER_CHILD="+args[0])
		out, _ := cmd.StdoutPipe()
		cmd.Stderr = os.Stderr
		cmd.Start()
		bufio.NewReader(out).ReadString('\n')
		fmt.Println(cmd.Process.Pid)
		if len(args) > 1 {
			forever()
		}
	case "split": // a secret in two writes
		for _, part := range []string{"using gh", "p_a1B2a1B2a1B2a1B2a1", "B2a1B2a1B2a1B2\n", "plain", "word9"} {
			os.Stdout.WriteString(part)
		}
	case "flood":
		n, _ := strconv.Atoi(args[0])
		piece := bytes.Repeat([]byte("0123456789abcde\n"), 4096)
		for range n {
			os.Stdout.Write(piece)
		}
	}
}

// forever lasts until the process is killed. A select without a case would be taken for a deadlock.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

// of is a command of this binary.
func of(what string, args ...string) Command {
	return Command{
		Args: append([]string{os.Args[0]}, args...), Env: append(os.Environ(), "RUNNER_CHILD="+what), Now: time.Now, Grace: 200 * time.Millisecond,
	}
}

func TestRunEnds(t *testing.T) {
	for name, test := range map[string]struct {
		command Command
		end     End
		code    int
		reason  string
	}{
		"passes":         {of("echo", "hello"), Exited, 0, ""},
		"fails":          {of("exit", "7"), Exited, 7, ""},
		"no such":        {Command{Args: []string{"no-such-program-here"}, Now: time.Now}, NotStarted, -1, "executable file not found in $PATH"},
		"not executable": {Command{Args: []string{"./runner.go"}, Now: time.Now}, NotStarted, -1, "permission denied"},
		// C91: what was killed from outside did not pass.
		"killed":    {of("die"), Signalled, 137, "killed by signal 9 (killed)"},
		"ends on 0": {of("exit", "0"), Exited, 0, ""},
	} {
		r := Run(t.Context(), test.command)
		if r.End != test.end || r.Code != test.code || !strings.Contains(r.Reason, test.reason) || test.reason == "" && r.Reason != "" {
			t.Errorf("%s: got %s, %d, %q; want %s, %d, %q", name, r.End, r.Code, r.Reason, test.end, test.code, test.reason)
		}
		if r.Started.IsZero() {
			t.Errorf("%s: no time", name)
		}
	}
}

// The output goes to the caller's streams and into the log, as it is, and nothing can be read (C151).
func TestRunStreams(t *testing.T) {
	c := of("both")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	r := Run(t.Context(), c)
	if out.String() != "to stdout\n" || errs.String() != "to stderr\n" || len(r.Log) != out.Len()+errs.Len() {
		t.Errorf("stdout %q, stderr %q, log %q", out.String(), errs.String(), r.Log)
	}
	if r := Run(t.Context(), of("stdin")); string(r.Log) != "read 0 <nil>\n" {
		t.Errorf("a command with nothing to read said %q", r.Log)
	}
	if r := Run(t.Context(), of("echo", "a b", "$HOME", "*")); string(r.Log) != "a b $HOME *\n" {
		t.Errorf("the arguments arrived as %q", r.Log)
	}
}

// broken is a stream that whoever read it has left.
type broken struct{ writes int }

func (b *broken) Write([]byte) (int, error) { b.writes++; return 0, syscall.EPIPE }

// TRAPS: standard output closed. The run goes on, and the log has it all.
func TestRunGoesOnWithoutAListener(t *testing.T) {
	c, b := of("flood", "8"), &broken{}
	c.Stdout = b
	r := Run(t.Context(), c)
	if r.Code != 0 || len(r.Log) != 8*65536 || b.writes != 1 {
		t.Errorf("code %d, %d bytes, %d writes", r.Code, len(r.Log), b.writes)
	}
}

// PS-7: a secret in two writes reaches neither the log nor the terminal.
func TestRunMasks(t *testing.T) {
	c := of("split")
	var out bytes.Buffer
	c.Stdout, c.Secrets = &out, []string{"plainword9"}
	r := Run(t.Context(), c)
	const want = "using [masked]\n[masked]"
	if string(r.Log) != want || out.String() != want {
		t.Errorf("log %q, terminal %q", r.Log, out.String())
	}
}

func TestRunBoundsTheLog(t *testing.T) {
	r := Run(t.Context(), of("flood", "320")) // 20 MB
	if want := int64(320*65536 - headMost - tailMost); r.Cut != want {
		t.Errorf("%d bytes are left out, want %d", r.Cut, want)
	}
	if !bytes.Contains(r.Log, fmt.Appendf(nil, "\n[%d bytes are left out here]\n", r.Cut)) {
		t.Error("the log doesn't tell of the cut")
	}
}

// firstLine calls do when a command has printed a line.
type firstLine struct{ do func() }

func (f *firstLine) Write(p []byte) (int, error) {
	if f.do != nil {
		f.do()
		f.do = nil
	}
	return len(p), nil
}

// A run is ended whole: a process that doesn't end when asked, and its children (C91).
func TestRunIsEnded(t *testing.T) {
	for _, test := range []struct {
		name, what string
		args       []string
		code       int
	}{
		{"one that hangs", "hang", nil, 143},
		{"one that won't end", "stubborn", nil, 137},
		{"one that ends with 0", "polite", nil, 0},
		{"one with a child", "parent", []string{"stubborn", "wait"}, 143},
	} {
		c := of(test.what, test.args...)
		ctx, cancel := context.WithCancel(t.Context())
		c.Stdout = &firstLine{cancel}
		if test.code == 0 {
			c.Grace = time.Minute // time enough to end by itself
		}
		r := Run(ctx, c)
		if r.End != Interrupted || r.Code != test.code || r.Reason != "interrupted" {
			t.Errorf("%s, interrupted: %s, %d, %q", test.name, r.End, r.Code, r.Reason)
		}
		gone(t, r)

		c = of(test.what, test.args...)
		c.Timeout = 500 * time.Millisecond
		r = Run(t.Context(), c)
		if r.End != TimedOut || r.Reason != "stopped after the timeout of 500ms" {
			t.Errorf("%s, timed out: %s, %q", test.name, r.End, r.Reason)
		}
		gone(t, r)
	}
}

// gone demands that the process whose number a run printed has ended.
func gone(t *testing.T, r Result) {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(string(r.Log)))
	if err != nil {
		return
	}
	// Killing takes effect a little later. A process that waits to be collected runs no more.
	for late := time.Now().Add(10 * time.Second); time.Now().Before(late); {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil && syscall.Kill(pid, 0) != nil || bytes.Contains(stat, []byte(") Z ")) {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("process %d lives on", pid)
}

// A child in the background that keeps the pipe holds nobody, and doesn't live on.
func TestRunLeavesNothingBehind(t *testing.T) {
	for _, what := range []string{"hang", "stubborn"} {
		r := Run(t.Context(), of("parent", what))
		if r.End != Exited || r.Code != 0 || !r.Left {
			t.Errorf("%s: %s, %d, left %v", what, r.End, r.Code, r.Left)
		}
		gone(t, r)
	}
}

// C85: a program whose caller ignores SIGPIPE, as dwp does, dies of a broken pipe all the same.
func TestRunKeepsPipes(t *testing.T) {
	signal.Ignore(syscall.SIGPIPE)
	defer signal.Reset(syscall.SIGPIPE)
	shell, ok := FindShell(t.Context(), nil)
	if !ok {
		t.Skip("there is no shell here")
	}
	r := Run(t.Context(), Command{Args: append(slices.Clone(shell.Args), `kill -PIPE $$; echo "it was ignored"`), Now: time.Now})
	if r.Code != 128+int(syscall.SIGPIPE) || len(r.Log) > 0 {
		t.Errorf("got %d, %q", r.Code, r.Log)
	}
	if !signal.Ignored(syscall.SIGPIPE) {
		t.Error("SIGPIPE is not ignored any more")
	}
}

// C77: the status of a pipe is that of what failed in it.
func TestShellHasPipefail(t *testing.T) {
	shell, ok := FindShell(t.Context(), nil)
	if !ok || !shell.Pipefail {
		t.Skip("there is no shell with pipefail here")
	}
	r := Run(t.Context(), Command{Args: append(slices.Clone(shell.Args), "exit 3 | cat"), Now: time.Now})
	if r.Code != 3 {
		t.Errorf("the pipe ended with %d", r.Code)
	}
}

func TestFindShellAsksForPipefail(t *testing.T) {
	for script, want := range map[string]Shell{
		"#!/bin/sh\n[ \"$1\" = -c ]\n": {[]string{"sh", "-c"}, false},
		"#!/bin/sh\nexit 0\n":          {[]string{"sh", "-o", "pipefail", "-c"}, true},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "sh"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir)
		got, ok := FindShell(t.Context(), []string{"PATH=" + dir})
		if !ok || got.Pipefail != want.Pipefail || !slices.Equal(got.Args, want.Args) {
			t.Errorf("got %v, %v; want %v", got, ok, want)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if got, ok := FindShell(t.Context(), nil); ok {
		t.Errorf("found %v where there is none", got)
	}
}

// What is quoted reads back in a shell as the same arguments.
func TestQuoteReadsBack(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"go", "test", "./..."}, "go test ./..."},
		{[]string{"go", "test", "-run", "TestA|TestB", ""}, "go test -run 'TestA|TestB' ''"},
		{[]string{"echo", "it's", "$HOME", "a\nb", "~"}, `echo 'it'\''s' '$HOME' 'a` + "\n" + `b' '~'`},
		{[]string{"a=b", "c=d"}, "'a=b' c=d"},
	} {
		if got := Quote(test.args); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell here")
	}
	args := []string{"a", "", "b c", "d'e\"f`g$(h)", "*", "~", "\\", "-n", "#x", "a;b", "{1,2}", "!"}
	out, err := exec.Command(sh, "-c", `printf '%s\0' `+Quote(args)).Output()
	if want := strings.Join(args, "\x00") + "\x00"; err != nil || string(out) != want {
		t.Errorf("%v: got %q, want %q", err, out, want)
	}
}

// What running through this package costs beside the bare command.
func BenchmarkRun(b *testing.B) {
	path, err := exec.LookPath("true")
	if err != nil {
		b.Skip("there is no true here")
	}
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			exec.Command(path).Run()
		}
	})
	b.Run("runner", func(b *testing.B) {
		for b.Loop() {
			Run(b.Context(), Command{Args: []string{path}, Now: time.Now})
		}
	})
}
