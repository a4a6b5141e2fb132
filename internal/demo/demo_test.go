package demo

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
)

// withProgram is a demonstration in which another program stands in for dwp.
func withProgram(t *testing.T, name string) *Demo {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		t.Skip(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	return &Demo{
		Dir: dir, Folder: folder, Program: program, Environ: os.Environ(), Now: time.Now,
		Out: io.Discard, Say: func(string) {}, Command: func([]string) {},
	}
}

// Nothing is shown that did not happen: the first step that ends otherwise than it should ends the demonstration, by name.
func TestUnexpectedEnd(t *testing.T) {
	for name, want := range map[string]Unexpected{
		"true":  {"dwp start", "exit code 0 instead of 5"},
		"false": {"dwp create lite --from outline.md --ignore", "exit code 1 instead of 0"},
	} {
		d := withProgram(t, name)
		shown, err := d.Run(t.Context())
		got, ok := errors.AsType[*Unexpected](err)
		if !ok || *got != want {
			t.Errorf("with %s as dwp: got %v, want %v", name, err, &want)
		}
		if len(shown) == 0 || shown[len(shown)-1].Command != want.Command {
			t.Errorf("with %s as dwp: shown %v, want %q last", name, shown, want.Command)
		}
	}
}

// A publication is believed when its receipt can be read, and not before.
func TestNoReceipt(t *testing.T) {
	d := withProgram(t, "true")
	if got, ok := errors.AsType[*Unexpected](d.published(t.Context())); !ok || got.Command != receipt {
		t.Errorf("got %v, want a word of %s", got, receipt)
	}
}

// What surrounds the caller leads no step elsewhere.
func TestEnvironment(t *testing.T) {
	d := &Demo{Dir: "/there", Environ: []string{"DWP_DIR=/plans", "DWP_TURN=1", "GIT_DIR=/repo", "PATH=/bin", "GOFLAGS=-mod=vendor"}}
	env := d.environ()
	for _, setting := range env {
		if strings.HasPrefix(setting, "DWP_") || strings.HasPrefix(setting, "GIT_DIR=") {
			t.Errorf("%s is left", setting)
		}
	}
	if !slices.Contains(env, "PATH=/bin") || slices.Index(env, "GOFLAGS=") < slices.Index(env, "GOFLAGS=-mod=vendor") {
		t.Errorf("got %q, want PATH as it was, and Go without flags last", env)
	}
}
