package git

import (
	"context"
	"strings"
)

// Branch names the branch that the work tree is on; "" when it is on none, or when git could not be asked.
func (r Repo) Branch(ctx context.Context) string {
	out, err := r.run(ctx, "", 1, "symbolic-ref", "--short", "--quiet", "HEAD")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
