package runner

import (
	"errors"
	"os/exec"
	"path/filepath"
)

// ErrRelative marks a program that is found only relative to a folder: what would run depends on where one stands, and a stranger may
// have filled that folder.
var ErrRelative = errors.New("found only relative to a folder")

// Find is where a program stands, as an absolute path: a name is looked up on PATH. Nothing is started.
func Find(program string) (string, error) {
	path, err := exec.LookPath(program)
	if errors.Is(err, exec.ErrDot) || err == nil && !filepath.IsAbs(path) {
		return "", ErrRelative
	}
	return path, err
}
