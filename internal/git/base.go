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

// This file: the commit that a branch began at, and a copy of it to look at (WP-4).

// Commit is the whole name of the commit that a word names: a branch, a tag, a hash. "" when it names none; an error means that git could
// not be asked.
func (r Repo) Commit(ctx context.Context, word string) (string, error) {
	if word == "" || strings.HasPrefix(word, "-") || strings.ContainsAny(word, "\x00\n") {
		return "", nil
	}
	return r.named(ctx, "rev-parse", "--verify", "--quiet", word+"^{commit}")
}

// Parent is the first parent of a commit; "" when it has none.
func (r Repo) Parent(ctx context.Context, commit string) (string, error) {
	return r.named(ctx, "rev-parse", "--verify", "--quiet", commit+"^1^{commit}")
}

// defaultBranches are where the default branch of a repository is looked for, in this order.
var defaultBranches = []string{"refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master", "refs/remotes/origin/main", "refs/remotes/origin/master"}

// Fork is the commit at which HEAD left the default branch, with that branch's name as people write it: HEAD itself while it is on it.
// Both are "" when there is no default branch, or nothing in common with it.
func (r Repo) Fork(ctx context.Context) (commit, branch string, err error) {
	for _, ref := range defaultBranches {
		tip, err := r.Commit(ctx, ref)
		if err != nil {
			return "", "", err
		}
		if tip == "" {
			continue
		}
		if commit, err = r.named(ctx, "merge-base", "HEAD", tip); commit != "" || err != nil {
			return commit, strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/remotes/"), err
		}
	}
	return "", "", nil
}

// named asks for one commit; an exit code of git's that says that there is none is no error.
func (r Repo) named(ctx context.Context, args ...string) (string, error) {
	out, err := r.run(ctx, "", 1, args...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("ask git for a commit: %w", err)
	}
	id, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if !isCommitName(id) {
		return "", nil
	}
	return id, nil
}

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
