package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// PlaceFolder makes a folder with files that was not there, so that a crash at any instant leaves all of it or nothing under its name
// (PS-5). files are by slash path below the folder; the folder's parent must exist. In this order:
//
//	lstat     NAME                       nothing may stand there
//	mkdir     .NAME.tmp-HEX              beside it: same file system, name of its own
//	          per file, sorted by the caller: its folder, then all of WriteFile
//	          check: is what is written what it should be?
//	lstat     NAME                       still nothing
//	rename    .NAME.tmp-HEX, NAME        the instant from which it is there
//	fsync     the parent
//
// With an error the temporary folder is removed again; where it can't be, the error names it. check reads the folder that it is given; nil
// for none.
func PlaceFolder(fsys FS, name string, files []Placed, check func(dir string) error) error {
	if err := vacant(fsys, name); err != nil {
		return err
	}
	temp := path.Join(path.Dir(name), tempName(path.Base(name)))
	if err := fsys.Mkdir(temp, folderMode); err != nil {
		return fmt.Errorf("make folder %s: %w", name, cause(err))
	}
	err := fillFolder(fsys, temp, files)
	if err == nil && check != nil {
		err = check(temp)
	}
	if err == nil {
		err = vacant(fsys, name)
	}
	if err == nil {
		if err = fsys.Rename(temp, name); err == nil {
			return syncAfter(fsys, name, "make folder")
		}
		err = fmt.Errorf("rename the new folder to %s: %w", name, cause(err))
	}
	if left := RemoveFolder(fsys, temp); left != nil {
		return fmt.Errorf("%w; left behind: %s", err, temp)
	}
	return err
}

// Placed is a file of a folder that is placed.
type Placed struct {
	Path string
	Data []byte
	Mode fs.FileMode // when not 0, the exact mode
}

// vacant demands that nothing has a name.
func vacant(fsys FS, name string) error {
	switch _, err := fsys.Lstat(name); {
	case err == nil:
		return fmt.Errorf("make folder %s: %w", name, fs.ErrExist)
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("make folder %s: %w", name, cause(err))
	}
	return nil
}

// fillFolder writes the files of a folder, each durably.
func fillFolder(fsys FS, dir string, files []Placed) error {
	for _, f := range files {
		target := path.Join(dir, f.Path)
		if !fs.ValidPath(f.Path) || f.Path == "." {
			return fmt.Errorf("write %s: %w", f.Path, fs.ErrInvalid)
		}
		if err := MkdirAll(fsys, path.Dir(target)); err != nil {
			return err
		}
		if err := WriteFile(fsys, target, f.Data, Options{Mode: f.Mode}); err != nil {
			return err
		}
	}
	return fsys.SyncDir(dir)
}

// RemoveFolder removes a folder with all that is in it. A link in it is removed, never followed. A folder that is not there is no error.
func RemoveFolder(fsys FS, dir string) error {
	list, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("remove folder %s: %w", dir, cause(err))
	}
	for _, e := range list {
		name := path.Join(dir, e.Name())
		if e.IsDir() {
			err = RemoveFolder(fsys, name)
		} else if err = fsys.Remove(name); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if err != nil {
			return err
		}
	}
	if err := fsys.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove folder %s: %w", dir, cause(err))
	}
	return nil
}
