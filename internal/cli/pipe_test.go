package cli

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// dwpProcess makes a real process of dwp, for what only a process shows: TestMain runs the program when it is called dwp.
func dwpProcess(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &exec.Cmd{Path: exe, Args: append([]string{"dwp"}, args...), Dir: t.TempDir()}
}

// C85: the reader is gone before the first byte. No signal kills the process, nothing is said, and the code is the answer's.
func TestReaderGone(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
	}{
		{[]string{"explain", "--all"}, ExitOK},
		{[]string{"list", "--json"}, ExitCannot}, // no plans
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var stderr bytes.Buffer
		cmd := dwpProcess(t, tt.args...)
		cmd.Stdout, cmd.Stderr = w, &stderr
		err = cmd.Run()
		w.Close()
		if got := cmd.ProcessState.ExitCode(); got != tt.code || stderr.Len() != 0 {
			t.Errorf("dwp %v: code %d (%v), stderr %q; want %d and silence", tt.args, got, err, stderr.String(), tt.code)
		}
	}
}

// TRAPS: standard output is full. The answer was not given, so the code says so.
func TestDeviceFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer full.Close()
	var stderr bytes.Buffer
	cmd := dwpProcess(t, "explain", "--all")
	cmd.Stdout, cmd.Stderr = full, &stderr
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != ExitCannot || stderr.String() != "dwp: write standard output: write /dev/stdout: no space left on device\n" {
		t.Errorf("got code %d, stderr %q; want %d and the reason", got, stderr.String(), ExitCannot)
	}
}

func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		var out, errs bytes.Buffer
		Main([]string{"version"}, testEnv(dir, &out, &errs))
	}
}
