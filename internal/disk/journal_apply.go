package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Pending tells what operation stands committed but unfinished; nil when none does. Nothing is changed.
func Pending(fsys FS) (*Operation, error) {
	data, err := readRegular(fsys, path.Join(OpDir, opFile), maxOpFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var op *Operation
	if err == nil {
		op, err = parseOperation(data)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s/%s: %w", OpDir, opFile, cause(err))
	}
	return op, nil
}

// Apply does the operation that Stage committed. It can be interrupted anywhere and begun again: a file with
// the digest after is done, one with the digest before is changed, and when one has any other, nothing is
// touched and a *ConflictError names it. In this order, so that no later change survives a power cut without
// the earlier ones (PS-19, C73):
//
//	all files are looked at
//	          per change: mkdir and fsync of missing folders; rename .dwp-op/N, PATH or unlink PATH;
//	          fsync the folder of PATH
//	unlink    .dwp-op/op.json, then the rest, then .dwp-op
//	fsync     the plan folder
//
// An *ApplyError says which files were changed and which were not (C71); the operation stands, and Recover goes on
// with it. Without an operation Apply does nothing and returns nil.
func Apply(fsys FS) (*Operation, error) {
	op, err := Pending(fsys)
	if err != nil {
		return nil, err
	}
	if op != nil {
		done, err := op.compare(fsys)
		if err != nil {
			return op, err
		}
		for i := range op.Files {
			if err := op.apply(fsys, i, done[i]); err != nil {
				return op, &ApplyError{Operation: *op, Done: i, Err: err}
			}
		}
	}
	// Without op.json a folder is what a finished or discarded operation left.
	if err := finish(fsys); err != nil {
		return op, fmt.Errorf("remove %s: %w", OpDir, cause(err))
	}
	return op, nil
}

// compare finds out which files are done already.
func (o *Operation) compare(fsys FS) (done []bool, err error) {
	conflict := &ConflictError{Operation: o.Name}
	for i, f := range o.Files {
		if err := noLinksAbove(fsys, f.Path); err != nil {
			return nil, fmt.Errorf("compare %s: %w", f.Path, cause(err))
		}
		have, err := digestOf(fsys, f.Path)
		if err != nil {
			return nil, fmt.Errorf("compare %s: %w", f.Path, cause(err))
		}
		done = append(done, have == f.After)
		if have != f.After && have != f.Before {
			conflict.Files = append(conflict.Files, f.Path)
		} else if have != f.After && f.After != "" {
			if have, err := digestOf(fsys, staged(OpDir, i)); err != nil || have != f.After {
				return nil, fmt.Errorf("compare %s: its new content %s: %w", f.Path, staged(OpDir, i), errors.Join(ErrStaged, err))
			}
		}
	}
	if len(conflict.Files) > 0 {
		return nil, conflict
	}
	return done, nil
}

// apply makes one change, or makes certain that it is durable when it was made before: a killed
// process may have come as far as the rename.
func (o *Operation) apply(fsys FS, i int, done bool) error {
	f := o.Files[i]
	dir := path.Dir(f.Path)
	switch {
	case done:
	case f.After == "":
		if err := fsys.Remove(f.Path); err != nil {
			return stepError("remove", f.Path, err)
		}
	default:
		if err := MkdirAll(fsys, dir); err != nil {
			return err
		}
		if err := fsys.Rename(staged(OpDir, i), f.Path); err != nil {
			return stepError("rename the staged file", f.Path, err)
		}
	}
	for {
		err := fsys.SyncDir(dir)
		if done && f.After == "" && errors.Is(err, fs.ErrNotExist) {
			err = nil // the folder of a removed file may be gone as well
		}
		if err != nil {
			return stepError("flush the folder", f.Path, err)
		}
		// The folders of a new file may be new themselves, made by a process that was killed.
		if f.Before != "" || dir == "." {
			return nil
		}
		dir = path.Dir(dir)
	}
}

// finish removes the folder of an operation whose changes are all durable. The plan folder is flushed even when nothing is
// there: a process that was killed right before may have removed it, and a power cut would bring it back, to be taken for
// unfinished after other changes.
func finish(fsys FS) error {
	if _, err := fsys.Lstat(OpDir); err == nil {
		err = fsys.Remove(path.Join(OpDir, opFile))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := removeFolder(fsys, OpDir); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fsys.SyncDir(".")
}

// Recover puts in order what operations on several files left when they were cut off: it discards what was staged and not
// committed, and applies what was. It returns the operation that was finished, or nil; a second Recover
// finds nothing to do (C111). The caller holds the lock: what another process is staging now
// would be discarded.
func Recover(fsys FS) (*Operation, error) {
	entries, err := fsys.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("recover: %w", cause(err))
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), stagePrefix) {
			continue
		}
		if err := discard(fsys, e.Name()); err != nil {
			return nil, fmt.Errorf("discard %s: %w", e.Name(), cause(err))
		}
	}
	return Apply(fsys)
}

// ErrStaged: the staged content of a change is missing or damaged, and the file still has its old content.
var ErrStaged = errors.New("missing or damaged")

// ConflictError names the files that are neither as before an operation nor as after it: somebody else changed them.
// Nothing was touched.
type ConflictError struct {
	Operation string
	Files     []string
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("apply %s: changed by another hand: %s; nothing more was changed", e.Operation, strings.Join(e.Files, ", "))
}

// ApplyError says how far an operation came.
type ApplyError struct {
	Operation Operation
	Done      int // the first Done of Operation.Files are changed
	Err       error
}

func (e *ApplyError) Error() string {
	var changed, not []string
	for i, f := range e.Operation.Files {
		if i < e.Done {
			changed = append(changed, f.Path)
		} else {
			not = append(not, f.Path)
		}
	}
	text := fmt.Sprintf("apply %s: %v", e.Operation.Name, e.Err)
	if len(changed) > 0 {
		text += "; changed: " + strings.Join(changed, ", ")
	}
	return text + "; not or not for certain: " + strings.Join(not, ", ") + "; recover goes on with it"
}

func (e *ApplyError) Unwrap() error { return e.Err }
