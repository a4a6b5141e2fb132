package runner

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrNotFound marks a program that is nowhere.
var ErrNotFound = errors.New("not found")

// Sister finds a program that belongs to this one: beside it, or else on PATH. One in the current folder is never meant.
func Sister(name string) (string, error) {
	if self, err := os.Executable(); err == nil {
		// LookPath knows what makes a file a program on this system.
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	return path, nil
}
