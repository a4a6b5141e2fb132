package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// PrivateFile makes an empty file that only its user may read, and the folders above it; one that is there stays as it is, but must be a
// regular file. It is for files beside plans, such as a database: path is one of the operating system (PS-5).
func PrivateFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		return f.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make file: %w", err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("make file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("make file %q: there is something else than a file of that name", path)
	}
	return nil
}
