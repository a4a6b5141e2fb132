// Package cli owns the commands of dwp, one file each, the output handlers (text, JSON, SARIF,
// JUnit), and the exit codes. It translates and decides nothing about plans; what its commands write goes through publish and
// disk (PS-20), and those that look write nothing (C143). It asks no question unless a flag asks for that (C145). Requirements: WP-3 as far as
// output goes, the words of VP-6, the options of GU-2.
package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Env is the world a command runs in; tests pass their own.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Environ        func() []string // all of it, NAME=value; nil for none
	Now            func() time.Time
	// Dir is the folder to start from, absolute; "" when it is not known, and DirErr says why.
	Dir    string
	DirErr error
	// Interactive says that standard input and standard error are terminals, so that questions could be answered; nil for no.
	Interactive func() bool
	// Width is the terminal's width in columns; 0 when standard output is no terminal.
	Width int
	// Through stands between a command and each folder that it writes to; nil, as in the program itself, for nothing. Tests count what is
	// done to a folder there, and end their process in the middle of it.
	Through func(disk.FS) disk.FS
}

// OSEnv is the process's own world. It also ignores SIGPIPE, so that a reader that goes away early shows as an error of the
// write and the exit code stays the answer's (C85), instead of killing the process half-way. Ignoring needs no thread that
// listens, as catching would; git inherits it and writes to nobody but us.
func OSEnv() Env {
	signal.Ignore(syscall.SIGPIPE)
	dir, err := os.Getwd()
	return Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ, Now: time.Now, Dir: dir, DirErr: err, Width: terminalWidth(os.Stdout),
		Interactive: func() bool { return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stderr.Fd())) },
	}
}

// terminalWidth is the width of a terminal in columns, 0 for anything else.
func terminalWidth(f *os.File) int {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return 0
	}
	if w, _, err := term.GetSize(fd); err == nil && w > 0 {
		return w
	}
	// Zero would say that this is no terminal at all, and take the colours away too.
	return defaultWidth // a terminal of unknown size, as some harnesses make
}

// app is one run of the program.
//
// It is made anew by Main, so that nothing is left over between runs in one process.
type app struct {
	env  Env
	out  *bufio.Writer // standard output; its first error sticks
	json bool          // --json
	dir  string        // -C
	repo string        // what the places of findings outside plans are relative to; "" until plans are listed

	unanswered int  // exit code when standard output can't be written; 0 for ExitCannot
	changed    bool // a change was made: the exit code is its own, whatever becomes of the answer
}

// Main runs one command line and returns the exit code. In this order:
//
//  1. build the command tree and parse;
//  2. the command reads, decides, and writes its answer into a buffer;
//  3. an error becomes a message on standard error, or the error object of --json;
//  4. the buffer is flushed. Only then is the answer given, so a write that fails outweighs every other code, but for
//     a broken pipe: that reader has what it wanted. After a change the code tells what became of the plan (TRAPS).
//
// A panic ends in step 3 as an internal error.
func Main(args []string, env Env) int {
	a := &app{env: env, out: bufio.NewWriterSize(env.Stdout, 64<<10)}
	return a.run(args, a.rootCmd)
}

// run is Main for a tree of commands.
func (a *app) run(args []string, build func() *cobra.Command) (code int) {
	env := a.env
	defer func() {
		if p := recover(); p != nil {
			code = a.internal(p)
		}
	}()
	// The tree is built for each run: cobra keeps parsed flags in it, and tests run many command lines in one process.
	root := build()
	root.SetArgs(append([]string{}, args...)) // never nil, which would mean the process's own arguments
	cmd, err := root.ExecuteC()
	if !a.json && err != nil {
		a.json = asksJSON(args) // the flags may not have been parsed
	}
	code = a.finish(commandName(cmd), err)
	if werr := a.out.Flush(); werr != nil && !errors.Is(werr, syscall.EPIPE) {
		if a.changed {
			fmt.Fprintf(env.Stderr, "dwp: warning: the change was made; write standard output: %s\n", cleanLine(werr.Error()))
			return code
		}
		// An answer that nobody could read is none, whatever it was.
		fmt.Fprintf(env.Stderr, "dwp: write standard output: %s\n", cleanLine(werr.Error()))
		return cmp.Or(a.unanswered, ExitCannot)
	}
	return code
}

// commandName is a command as it is typed, without dwp: "state update".
func commandName(cmd *cobra.Command) string {
	_, name, found := strings.Cut(cmd.CommandPath(), " ")
	if !found {
		return cmd.Name()
	}
	return name
}

// finish reports an error and returns the exit code of the run.
func (a *app) finish(command string, err error) int {
	if err == nil {
		return ExitOK
	}
	// The answer is out already; its code is all that is left to say.
	if code, ok := errors.AsType[answered](err); ok {
		return int(code)
	}
	f := failureOf(err)
	if a.json {
		a.writeJSON(struct {
			opening
			closing
		}{opened(command), closed(f.findings, f)})
	} else {
		a.complain(f)
	}
	return f.exit
}

// complain writes a failure to standard error: what, then what to do about it.
func (a *app) complain(f *failure) {
	a.out.Flush() // keep the order in which things were said; the error sticks and is reported by Main
	fmt.Fprintf(a.env.Stderr, "dwp: %s\n", cleanLine(f.message))
	if f.hint != "" {
		fmt.Fprintf(a.env.Stderr, "dwp: hint: %s\n", cleanLine(f.hint))
	}
	if len(f.findings) > 0 {
		p := a.page()
		p.w, p.colour = a.env.Stderr, false
		writeFindings(p.in(f.base), f.findings, true)
	}
}

// warn tells what does not keep a command from being done.
func (a *app) warn(text string) {
	a.out.Flush()
	fmt.Fprintf(a.env.Stderr, "dwp: warning: %s\n", cleanLine(text))
}

// fault is a fault of the program itself, by what it panicked with.
func fault(p any) *failure {
	return cannot("internal", "this is a fault of dwp, not of your plan; please report it with the command you ran", "internal error: %v", p)
}

// internal reports a fault of the program itself. The half-made answer is dropped, and no stack trace is shown.
func (a *app) internal(p any) int {
	f := fault(p)
	a.out.Reset(a.env.Stdout)
	code := a.finish("dwp", f) // JSON is printed in one piece at the end of a command, so none of it is out yet
	a.out.Flush()
	return code
}

// asksJSON reports whether an argument list asks for --json, when it could not be parsed.
func asksJSON(args []string) bool {
	// After "--" there are only arguments, whatever they look like.
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// ensureNewline ends a text with exactly one line end.
func ensureNewline(text []byte) []byte {
	return append(bytes.TrimRight(text, "\n"), '\n')
}
