package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// copyTime bounds how long the files of a large repository may take.
const copyTime = 10 * time.Minute

// Copied is what a copy lacks.
type Copied struct {
	Submodules bool // the commit has submodules, whose files are not fetched
	Filtered   bool // it has files behind filters such as LFS, which are not run: what is there are the pointers
}

// CopyTo checks a commit out into dir, an empty folder, as a repository of its own that borrows the objects of this one: nothing is
// written here, neither a ref nor a record of a work tree. No transport is used, the configuration of this repository is not taken over, no
// hook, template or filter is run, no submodule fetched. write makes a file in dir, with the folders above it, from a slash path; so this
// package writes nothing itself. The order of steps:
//
//  1. ask where the objects are, and where a shallow history ends
//  2. init, without a template
//  3. name the objects as alternates
//  4. check out, detached
func (r Repo) CopyTo(ctx context.Context, commit, dir string, write func(name string, data []byte) error) (Copied, error) {
	fail := func(err error) (Copied, error) {
		return Copied{}, fmt.Errorf("copy commit %.12s: %w", commit, err)
	}
	if !isCommitName(commit) {
		return fail(errors.New("this is no name of a commit"))
	}
	out, err := r.run(ctx, "", 1<<4, "rev-parse", "--show-object-format", "--git-path", "objects", "--git-path", "shallow")
	if err != nil {
		return fail(err)
	}
	told := strings.Split(strings.TrimRight(string(out), "\r\n"), "\n")
	if len(told) != 3 {
		return fail(errors.New("git's folder has a line break in its name"))
	}
	c := Repo{Top: dir, Program: r.Program, Env: r.Env}
	if _, err := c.run(ctx, "", 1, "-c", "init.defaultBranch=base", "init", "--quiet", "--template=", "--object-format="+told[0]); err != nil {
		return fail(err)
	}
	if err := write(".git/objects/info/alternates", []byte(filepath.ToSlash(r.absolute(told[1]))+"\n")); err != nil {
		return fail(err)
	}
	if ends, err := os.ReadFile(r.absolute(told[2])); err == nil {
		if err := write(".git/shallow", ends); err != nil {
			return fail(err)
		}
	}
	args, err := c.noFilters(ctx)
	if err != nil {
		return fail(err)
	}
	args = append(args, "-c", "advice.detachedHead=false", "checkout", "--quiet", "--detach", "--no-recurse-submodules", commit, "--")
	if _, err := c.runFor(ctx, copyTime, "", 1, args...); err != nil {
		return fail(err)
	}
	return c.lacks(), nil
}

func (r Repo) absolute(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.Top, name)
}

// noFilters are options that switch off every filter, those that the user has set up for all repositories, too: they may fetch.
func (r Repo) noFilters(ctx context.Context) ([]string, error) {
	out, err := r.run(ctx, "", statusAnswers, "config", "--includes", "--name-only", "--get-regexp", `^filter\..*\.`)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var args, seen []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		base := strings.TrimSuffix(line, path.Ext(line))
		if slices.Contains(seen, base) {
			continue
		}
		if strings.ContainsAny(base, "=\"\\") {
			return nil, fmt.Errorf("the filter %q has a name that can't be switched off", base)
		}
		seen = append(seen, base)
		args = append(args, "-c", base+".clean=", "-c", base+".smudge=", "-c", base+".process=", "-c", base+".required=false")
	}
	return args, nil
}

// lacks looks at a copy for what is not in it.
func (r Repo) lacks() (c Copied) {
	if info, err := os.Lstat(filepath.Join(r.Top, ".gitmodules")); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		c.Submodules = true
	}
	const most = 1 << 20
	attributes := filepath.Join(r.Top, ".gitattributes")
	if info, err := os.Lstat(attributes); err == nil && info.Mode().IsRegular() && info.Size() < most {
		data, _ := os.ReadFile(attributes)
		c.Filtered = strings.Contains(string(data), "filter=")
	}
	return c
}

// leading are the variables by which a surrounding hook or command leads git to one repository.
var leading = []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE"}

// Elsewhere is an environment without what would lead a program's git to another repository than the one it runs in.
func Elsewhere(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(leading, name)
	})
}
