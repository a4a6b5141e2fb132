package git

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// This file: the commit that a branch began at (WP-4).

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

// Reached reports whether a commit is in the history of what is checked out. One that is not there is not.
func (r Repo) Reached(ctx context.Context, commit string) (bool, error) {
	id, err := r.Commit(ctx, commit)
	if err != nil || id == "" {
		return false, err
	}
	gone, err := r.rewound(ctx, id, "HEAD")
	return !gone, err
}
