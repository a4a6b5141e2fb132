package git

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Head is where a work tree stands.
type Head struct {
	Commit string // the short name of the commit; "" before the first one
	Dirty  bool   // something differs from the commit, or is neither in it nor ignored
}

// Head tells where the work tree stands (DESIGN 5). An error means that git could not be asked; it matches ErrNoGit when there is no git
// program. As in Dirty, no filter of the repository's own runs: a plan is exported from repositories in which nobody runs anything.
func (r Repo) Head(ctx context.Context) (Head, error) {
	args, err := r.withoutFilters(ctx)
	if err != nil {
		return Head{}, fmt.Errorf("ask git for the state of the work tree: %w", err)
	}
	out, err := r.run(ctx, "", 1, append(args, "status", "--porcelain", "-z", notInside)...)
	if err != nil && !errors.Is(err, errTooMuch) { // more changes than fit are changes
		return Head{}, fmt.Errorf("ask git for the state of the work tree: %w", err)
	}
	h := Head{Dirty: err != nil || len(out) > 0}
	if out, err = r.run(ctx, "", 1, "rev-parse", "--short", "--verify", "--quiet", "HEAD"); err == nil { // none before the first commit
		h.Commit = strings.TrimSpace(string(out))
	}
	return h, nil
}
