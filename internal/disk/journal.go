package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
)

// Change is the new content of one file, or its removal.
type Change struct {
	Path   string
	Data   []byte
	Remove bool
	// Was, when not "", is the digest that the file must have now: that of the snapshot the change was made from.
	Was string
	// Mode, when not 0, is the exact mode; else that of the old file, or DefaultMode.
	Mode fs.FileMode
}

// stagePrefix begins the name of an operation's folder before it is committed.
const stagePrefix = OpDir + tempInfix

// ErrPending: an operation stands unfinished; nothing else may change the plan before Recover.
var ErrPending = errors.New("an operation on several files is unfinished")

// ErrMoved: a file is not the one that its change was made from.
var ErrMoved = errors.New("the file was changed meanwhile")

// Stage makes an operation on several files certain without changing any of them yet: when it returns nil, the
// operation will be done, by Apply now or by Recover after a crash; with an error, or after a crash
// before, nothing has happened (DESIGN 6, PS-5). The caller holds the lock, gives the changes in
// the order in which they must become visible (PS-19: task log, README, PROGRESS, state.json last), and as
// guard what Options.Guard is. In this order:
//
//	each target is looked at: no link, not read-only, its mode and digest
//	mkdir     .dwp-op.tmp-HEX
//	          per change: create, write, chmod, fsync, close, check length
//	          op.json: the same
//	fsync     .dwp-op.tmp-HEX
//	          guard
//	rename    .dwp-op.tmp-HEX, .dwp-op        the commit point
//	fsync     the plan folder
func Stage(fsys FS, op Operation, changes []Change, guard func() error) error {
	s := &stage{fsys: fsys, dir: stagePrefix + randomID(), op: op, changes: changes}
	if err := s.look(); err != nil {
		return fmt.Errorf("stage %s: %w; nothing was changed", op.Name, err)
	}
	err := s.write()
	if err == nil && guard != nil {
		err = guard()
	}
	if err == nil {
		err = s.commit()
	}
	if err != nil {
		return s.undo(err)
	}
	return nil
}

// stage is an operation that is being prepared in dir.
type stage struct {
	fsys    FS
	dir     string
	op      Operation
	changes []Change
	modes   []fs.FileMode
}

// look checks the targets and notes what they are.
func (s *stage) look() error {
	if _, err := s.fsys.Lstat(OpDir); err == nil {
		return ErrPending
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var paths []string
	for _, c := range s.changes {
		paths = append(paths, c.Path)
	}
	if err := validPaths(paths); err != nil {
		return err
	}
	if len(paths) == 0 {
		return errors.New("no changes")
	}
	s.op.Files = nil
	for _, c := range s.changes {
		if err := s.target(c); err != nil {
			return fmt.Errorf("change %s: %w", c.Path, cause(err))
		}
	}
	return nil
}

// Targets looks at the files of an operation that is still to come as Stage will: a link, a read-only file or a folder in the place
// of one is an error. Of several operations that belong together none is begun unless the last one, too, can be written.
func Targets(fsys FS, operation string, changes []Change) error {
	for _, c := range changes {
		if _, err := targetMode(fsys, c.Path); err != nil {
			return fmt.Errorf("stage %s: change %s: %w; nothing was changed", operation, c.Path, cause(err))
		}
	}
	return nil
}

func (s *stage) target(c Change) error {
	mode, err := targetMode(s.fsys, c.Path)
	if err != nil {
		return err
	}
	if c.Mode != 0 {
		mode = c.Mode.Perm()
	}
	f := OpChange{Path: c.Path}
	if f.Before, err = digestOf(s.fsys, c.Path); err != nil {
		return err
	}
	if c.Was != "" && c.Was != f.Before {
		return ErrMoved
	}
	if !c.Remove {
		f.After = digest(c.Data)
	} else if f.Before == "" {
		return fmt.Errorf("remove: %w", fs.ErrNotExist)
	}
	s.op.Files, s.modes = append(s.op.Files, f), append(s.modes, mode)
	return nil
}

// digestOf returns the digest of a file, "" when there is none.
func digestOf(fsys FS, name string) (string, error) {
	data, err := readRegular(fsys, name, math.MaxInt64-1)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return digest(data), nil
}

func (s *stage) write() error {
	if err := s.fsys.Mkdir(s.dir, folderMode); err != nil {
		return stepError("make the folder", s.dir, err)
	}
	for i, c := range s.changes {
		if c.Remove {
			continue
		}
		if step, err := writeNew(s.fsys, staged(s.dir, i), c.Data, s.modes[i], flushed); err != nil {
			return stepError(step+" its new content", c.Path, err)
		}
	}
	if step, err := writeNew(s.fsys, path.Join(s.dir, opFile), s.op.format(), 0, flushed); err != nil {
		return stepError(step+" the file", opFile, err)
	}
	if err := s.fsys.SyncDir(s.dir); err != nil {
		return stepError("flush the folder", s.dir, err)
	}
	return nil
}

func (s *stage) commit() error {
	if err := s.fsys.Rename(s.dir, OpDir); err != nil {
		return stepError("rename to "+OpDir, s.dir, err)
	}
	s.dir = OpDir
	if err := s.fsys.SyncDir("."); err != nil {
		return stepError("flush the plan folder", ".", err)
	}
	return nil
}

// undo takes the staged contents away. When they can't be taken away, what is left is named: a committed operation
// would be done by Recover.
func (s *stage) undo(err error) error {
	err = fmt.Errorf("stage %s: %w; nothing was changed", s.op.Name, err)
	if left := discard(s.fsys, s.dir); left != nil {
		return fmt.Errorf("%w; left behind: %s (%v)", err, s.dir, cause(left))
	}
	return err
}

// discard removes the folder of an operation that must not be done. op.json goes first, and of a committed one for good, so
// that a crash in between leaves no operation whose contents are gone.
func discard(fsys FS, dir string) error {
	err := fsys.Remove(path.Join(dir, opFile))
	if err == nil && dir == OpDir {
		err = fsys.SyncDir(dir)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return removeFolder(fsys, dir)
}

// removeFolder removes an operation's folder with what is left in it, if it is there.
func removeFolder(fsys FS, dir string) error {
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := fsys.Remove(path.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return fsys.Remove(dir)
}

// stepError is an error of the journal: the path, the step, the cause.
func stepError(step, name string, err error) error {
	return fmt.Errorf("%s: %s: %w", name, step, cause(err))
}
