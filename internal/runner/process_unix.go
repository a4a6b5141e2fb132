//go:build unix

package runner

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// ownGroup starts a command in a process group of its own that can be ended whole, and no terminal to ask questions on (C145).
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// endGroup asks every process of the group to end.
func endGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// killGroup kills what is left of the group, and reports whether there was anything. The number of a group stays taken as long as
// one process is in it, so another group can't be hit unless the system goes through all numbers in the meantime.
func killGroup(cmd *exec.Cmd) bool { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) == nil }

// status is the exit code, and the signal that ended the process.
func status(state *os.ProcessState) (code, number int, name string) {
	if state == nil {
		return -1, 0, ""
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal()), int(ws.Signal()), ws.Signal().String()
	}
	return state.ExitCode(), 0, ""
}

// keepPipes gives a command the usual answer to a broken pipe. A process that ignores SIGPIPE hands that on, and then "yes | head" fails
// otherwise than in a shell (C85); one that catches it doesn't.
func keepPipes() (restore func()) {
	if !signal.Ignored(syscall.SIGPIPE) {
		return func() {}
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGPIPE)
	return func() {
		signal.Stop(caught)
		signal.Ignore(syscall.SIGPIPE)
	}
}
