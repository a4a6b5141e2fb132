package git

import "testing"

// TestBranch: the branch of the work tree, before its first commit too; none on a detached head (UN-2: a handoff package says it).
func TestBranch(t *testing.T) {
	needsShell(t)
	r, commit := repository(t)
	git(t, r.Top, "checkout", "-q", "-b", "offline/rentals")
	if got := r.Branch(t.Context()); got != "offline/rentals" {
		t.Errorf("got %q", got)
	}
	git(t, r.Top, "checkout", "-q", commit)
	if got := r.Branch(t.Context()); got != "" {
		t.Errorf("on no branch: %q", got)
	}
	if got := (Repo{Top: t.TempDir()}).Branch(t.Context()); got != "" {
		t.Errorf("no repository: %q", got)
	}
}
