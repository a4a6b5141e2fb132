// Package cli owns the commands of dwp, one file each, the output handlers (text, JSON, SARIF,
// JUnit), and the exit codes. It translates and decides nothing about plans.
package cli

import (
	"io"
	"os"
	"time"
)

// Exit codes are a promise (DESIGN, Commands).
const (
	ExitOK          = 0
	ExitNo          = 1   // the answer is no: not conformant, refused
	ExitUsage       = 2   // the call's words are off
	ExitCannot      = 3   // could not do it: I/O, UNVERIFIED
	ExitLocked      = 4   // locked, or changed meanwhile
	ExitBlocked     = 5   // blocked, a person is needed
	ExitInterrupted = 130 // interrupted
)

// Env is the world a command runs in; tests pass their own.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Now            func() time.Time
	// Dir is the folder to start from, absolute.
	Dir string
	// Width is the terminal's width in columns; 0 when standard output is no terminal.
	Width int
}

// OSEnv is the process's own world.
func OSEnv() Env {
	dir, _ := os.Getwd()
	return Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now, Dir: dir}
}

// Main runs one command line and returns the exit code.
func Main(args []string, env Env) int { return ExitUsage }
