//go:build unix

package runner

import (
	"fmt"
	"os"
	"syscall"
)

// Become replaces this process by a program, with its arguments: signals, terminal and exit code are then that program's own. It returns only
// when that could not be done.
func Become(path string, args []string) (code int, err error) {
	err = syscall.Exec(path, append([]string{path}, args...), os.Environ())
	return 0, fmt.Errorf("start %s: %w", path, err)
}
