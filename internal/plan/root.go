package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Names of the folders that PD-1 looks for.
const (
	dwpFolder   = ".dwp"
	plansFolder = "plans"
	gitEntry    = ".git"
)

// ErrRelativeDWPDir marks a DWP_DIR that is not an absolute path, a usage error (PD-1).
var ErrRelativeDWPDir = errors.New("not an absolute path")

// FindRoot finds where plans live, looking upwards from dir (PD-1); no process is started.
//
// The nearest folder that has .dwp/plans is the root, but not beyond the top level of a git work
// tree, which a folder or a file named .git marks (C121, C123); without git the search ends at
// the root of the file system. When there is none, Found is false and Dir is the git top level,
// else dir itself: where a plan would be created. dir is resolved first, so that "upwards" means
// the same as for git (C127).
//
// dwpDir is the value of DWP_DIR: "" or an absolute path that stands for .dwp, wherever it is; a
// relative one is an error that matches ErrRelativeDWPDir. A folder that can't be looked into is
// an error that names it, never "not found".
func FindRoot(dir, dwpDir string) (Root, error) {
	from, err := resolve(dir)
	if err != nil {
		return Root{}, fmt.Errorf("find plans: %w", err)
	}
	root, err := findRoot(from, dwpDir)
	if err != nil {
		return Root{}, fmt.Errorf("find plans: %w", err)
	}
	root.From = from
	return root, nil
}

func findRoot(from, dwpDir string) (Root, error) {
	if dwpDir != "" {
		return rootAt(dwpDir)
	}
	for dir := from; ; dir = filepath.Dir(dir) {
		plans := filepath.Join(dir, dwpFolder, plansFolder)
		found, err := isFolder(plans)
		if err != nil {
			return Root{}, err
		}
		if found {
			top, err := gitTop(dir)
			return Root{Dir: dir, Plans: plans, Git: top, Found: true}, err
		}
		top, err := isGitTop(dir)
		if err != nil {
			return Root{}, err
		}
		if top {
			return Root{Dir: dir, Plans: plans, Git: dir}, nil
		}
		if dir == filepath.Dir(dir) {
			return Root{Dir: from, Plans: filepath.Join(from, dwpFolder, plansFolder)}, nil
		}
	}
}

// rootAt is the root that DWP_DIR names. It may lie outside any repository, behind a link, and
// need not exist.
func rootAt(dwpDir string) (Root, error) {
	if !filepath.IsAbs(dwpDir) {
		return Root{}, fmt.Errorf("DWP_DIR %q: %w", dwpDir, ErrRelativeDWPDir)
	}
	dwpDir = filepath.Clean(dwpDir)
	root := Root{Dir: filepath.Dir(dwpDir), Plans: filepath.Join(dwpDir, plansFolder)}
	var err error
	if root.Found, err = isFolder(root.Plans); err != nil {
		return Root{}, err
	}
	// Only a resolved folder has the right parents; one that doesn't exist yet has none to ask.
	real, err := resolve(root.Dir)
	if absent(err) {
		return root, nil
	}
	if err != nil {
		return Root{}, err
	}
	root.Git, err = gitTop(real)
	return root, err
}

// gitTop returns the top level of the work tree that holds dir, or "".
func gitTop(dir string) (string, error) {
	for {
		top, err := isGitTop(dir)
		if err != nil {
			return "", err
		}
		if top {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// isGitTop reports whether dir is the top level of a work tree: .git is a folder, or a file in
// linked worktrees and submodules (C123).
func isGitTop(dir string) (bool, error) {
	info, err := os.Stat(filepath.Join(dir, gitEntry))
	if absent(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return info.IsDir() || info.Mode().IsRegular(), nil
}

func isFolder(path string) (bool, error) {
	info, err := os.Stat(path)
	if absent(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return info.IsDir(), nil
}

// resolve makes a path absolute and free of links. Its errors name the path, those of a loop too.
func resolve(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if _, named := errors.AsType[*fs.PathError](err); err != nil && !named {
		err = &fs.PathError{Op: "resolve", Path: abs, Err: err}
	}
	return real, err
}

// absent reports whether an error says that a path isn't there, as against can't be looked at.
// A file where a folder should be is the second form.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
