//go:build !unix

package runner

import (
	"fmt"
	"os"
	"os/exec"
)

// Become runs a program in place of this one, and returns its exit code: a process can't be replaced here.
func Become(path string, args []string) (code int, err error) {
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		return 0, fmt.Errorf("start %s: %w", path, err)
	}
	return cmd.ProcessState.ExitCode(), nil
}
