//go:build !unix

package runner

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// endGroup ends the process itself: there are no groups here.
func endGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

func killGroup(*exec.Cmd) bool { return false }

func status(state *os.ProcessState) (code, number int, name string) {
	if state == nil {
		return -1, 0, ""
	}
	return state.ExitCode(), 0, ""
}

func keepPipes() (restore func()) { return func() {} }
