// Package demo shows a plan's life on a small repository of its own: made, worked, refused, mended, published, verified. It owns the
// files of that repository and the steps. Each step is a real command with its real output; a step that ends otherwise than it should
// ends the demonstration. It needs git and Go and no network, and touches no other repository. Requirements: WP-2, PS-13 and VP-1, as
// shown to a person.
package demo

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/runner"
)

// The Go files have other names here, since a go.mod would cut its folder out of this module.
//
//go:embed files
var files embed.FS

// stepTime bounds one command.
const stepTime = 2 * time.Minute

// Demo is one demonstration.
type Demo struct {
	Dir     string       // the folder of the repository, absolute, without links, there and empty
	Folder  *disk.Folder // the same, open
	Program string       // the path of dwp
	Environ []string     // the caller's environment, NAME=value
	Now     func() time.Time

	Out     io.Writer           // gets what the commands print
	Say     func(text string)   // tells what comes
	Command func(args []string) // shows the command that is about to run
}

// Step is a command that was run, and how it ended.
type Step struct {
	Command string `json:"command"`
	Exit    int    `json:"exit"`
}

// Missing says which programs are not there. Nothing was done.
type Missing struct{ Programs []string }

func (m *Missing) Error() string { return "not found on PATH: " + strings.Join(m.Programs, ", ") }

// Unexpected names the step that did not end as it should.
type Unexpected struct {
	Command, Reason string
}

func (u *Unexpected) Error() string { return fmt.Sprintf("step %q: %s", u.Command, u.Reason) }

// ErrInterrupted says that the demonstration was called off.
var ErrInterrupted = errors.New("interrupted")

// Need looks for the programs that the demonstration needs beside dwp. The error is a *Missing.
func (d *Demo) Need(ctx context.Context) error {
	m := &Missing{}
	for name, asks := range map[string]string{gitProgram: "--version", goProgram: "version"} {
		c := d.command([]string{name, asks})
		if r := runner.Run(ctx, c); r.End != runner.Exited || r.Code != 0 {
			m.Programs = append(m.Programs, name)
		}
	}
	slices.Sort(m.Programs)
	if len(m.Programs) > 0 {
		return m
	}
	return nil
}

// Run does all steps, and returns those that it showed. An error is an *Unexpected, or ErrInterrupted, or of writing a file; the
// repository then stays as it is.
func (d *Demo) Run(ctx context.Context) (shown []Step, err error) {
	for _, s := range slices.Concat(preparation(), story()) {
		code, err := d.step(ctx, s)
		if !s.quiet {
			shown = append(shown, Step{runner.Quote(s.run), code})
		}
		if err != nil {
			return shown, err
		}
	}
	return shown, d.published(ctx)
}

// step writes files, runs one command, and judges how it ended.
func (d *Demo) step(ctx context.Context, s step) (code int, err error) {
	if s.say != "" {
		d.Say(s.say)
	}
	for _, f := range s.write {
		data, err := fs.ReadFile(files, path.Join("files", f.source))
		if err == nil {
			err = disk.WriteFile(d.Folder, f.name, data, disk.Options{})
		}
		if err != nil {
			return -1, fmt.Errorf("write %s: %w", f.name, err)
		}
	}
	if !s.quiet {
		d.Command(s.run)
	}
	code, out, err := d.run(ctx, s.run)
	if !s.quiet {
		d.show(out, s.lines)
	}
	switch {
	case err != nil:
		return code, err
	case code != s.exit:
		return code, &Unexpected{runner.Quote(s.run), fmt.Sprintf("exit code %d instead of %d", code, s.exit)}
	case !bytes.Contains(out, []byte(s.demand)):
		return code, &Unexpected{runner.Quote(s.run), fmt.Sprintf("its output does not say %q", s.demand)}
	}
	return code, nil
}

// run runs one command in the repository, both its streams together, as a terminal shows them.
func (d *Demo) run(ctx context.Context, args []string) (code int, out []byte, err error) {
	var both bytes.Buffer
	c := d.command(args)
	c.Stdout, c.Stderr = &both, &both // runner writes under one mutex
	switch r := runner.Run(ctx, c); r.End {
	case runner.Exited:
		return r.Code, both.Bytes(), nil
	case runner.Interrupted:
		return r.Code, both.Bytes(), ErrInterrupted
	default:
		return r.Code, both.Bytes(), &Unexpected{runner.Quote(args), r.Reason}
	}
}

// show passes output on, all of it or its first lines.
func (d *Demo) show(out []byte, most int) {
	lines := bytes.SplitAfter(out, []byte("\n"))
	more := len(lines) - 1 - most // the last one is empty
	if most == 0 || more <= 1 {
		d.Out.Write(out)
		return
	}
	d.Out.Write(bytes.Join(lines[:most], nil))
	fmt.Fprintf(d.Out, "... (%d more lines)\n", more)
}

// published looks for itself: the receipt has to name the digest that the state has (VP-3).
func (d *Demo) published(ctx context.Context) error {
	s := step{
		say: "The receipt names the digest of the state that was published. It is the same:",
		run: dwp("state", "hash", Plan+"/state.json"),
	}
	var is struct {
		State string `json:"state_sha256"`
	}
	data, err := fs.ReadFile(d.Folder, receipt)
	if err == nil {
		err = json.Unmarshal(data, &is)
	}
	if err != nil || len(is.State) != 64 {
		return &Unexpected{receipt, "there is no receipt that can be read"}
	}
	s.demand = is.State
	_, err = d.step(ctx, s)
	return err
}

// command is a call of a program in the repository.
func (d *Demo) command(args []string) runner.Command {
	args = slices.Clone(args)
	if args[0] == dwpProgram {
		args[0] = d.Program
	}
	return runner.Command{Args: args, Dir: d.Dir, Env: d.environ(), Timeout: stepTime, Now: d.Now}
}

// environ is the caller's environment without what could lead a step elsewhere: plans of another repository, the git of a hook that
// runs us, hooks and signatures that git is configured to make, Go flags and workspaces. What is missing may not come from the network.
func (d *Demo) environ() []string {
	env := slices.DeleteFunc(slices.Clone(d.Environ), func(setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		return strings.HasPrefix(name, "DWP_") || strings.HasPrefix(name, "GIT_")
	})
	return append(env,
		"PWD="+d.Dir, "COLUMNS=80", "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0",
		"GO111MODULE=on", "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local",
	)
}
