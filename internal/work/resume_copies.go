package work

import (
	"path/filepath"
	"time"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
)

// Copies looks for a plan in the other work trees of its repository, in the same place. top is the work tree of the plan, path the plan's
// folder, both absolute. A copy that is the same is no other (C125). Nothing is written (PS-20).
func Copies(top, path string, s *plan.Snapshot) []Copy {
	place, err := filepath.Rel(top, path)
	if err != nil || !filepath.IsLocal(place) {
		return nil
	}
	var list []Copy
	for _, tree := range git.WorkTrees(top) {
		other, err := plan.Open(filepath.Join(tree, place))
		if err != nil || other.README == nil || sameFile(s, other, "README.md") && sameFile(s, other, "state.json") {
			continue
		}
		o := other.Overview()
		c := Copy{Path: filepath.Join(tree, place), Completed: o.Completed, Total: o.Total}
		if st := other.State; st != nil {
			if c.UpdatedAt = st.UpdatedAt.Text; !st.UpdatedAt.DateOnly && !st.UpdatedAt.Value.IsZero() {
				c.UpdatedAt = st.UpdatedAt.Value.UTC().Format(time.RFC3339)
			}
			c.Newer = s.State == nil || st.UpdatedAt.Value.After(s.State.UpdatedAt.Value)
		}
		list = append(list, c)
	}
	return list
}

// sameFile compares a document of two plans.
func sameFile(a, b *plan.Snapshot, name string) bool {
	digest := func(s *plan.Snapshot) string {
		if f := s.Files[name]; f != nil {
			return f.SHA256()
		}
		return ""
	}
	return digest(a) == digest(b)
}
