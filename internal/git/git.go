// Package git asks the git program for facts: which commits exist, whether a path is
// ignored. Each call is bounded in time and output, gets no standard input but what
// we write, takes no optional lock and changes nothing. Finding the top level of a
// repository starts no process: plan does that. Requirements: PS-11, PD-1.
package git

import "context"

// Repo is a git work tree. The zero value of Program means "git" on PATH.
type Repo struct {
	Top     string // absolute path of the top level
	Program string
}

// Missing returns those of the commits that the repository doesn't know, in one batched
// call. An error means that git could not be asked.
func (r Repo) Missing(ctx context.Context, commits []string) ([]string, error) { return nil, nil }

// Ignored reports whether git ignores a path.
func (r Repo) Ignored(ctx context.Context, path string) (bool, error) { return false, nil }
