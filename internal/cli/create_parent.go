package cli

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
)

// parentOf is the hub that a new plan names as its parent (PS-6, AG-4). It is only read: who works on the hub adds the row.
type parentOf struct {
	Path   string `json:"path"`   // of the hub's plan folder, absolute
	Listed bool   `json:"listed"` // its tracking table has the new plan
	Row    string `json:"row"`    // the row to add, in Markdown; "" when it is listed
}

// mostAbove bounds how far up a parent is looked for.
const mostAbove = 8

// findParent finds the hub that a new plan names as its parent: in a folder of the repository's name above the new plan's root, or beside
// one of those. nil when none is named, none is found, or what is found is no hub.
func findParent(root plan.Root, p *author.Plan) *parentOf {
	repository, name, named := strings.Cut(p.Parent, ":")
	if !named || !filepath.IsLocal(repository) || strings.ContainsAny(repository, `/\`) {
		return nil
	}
	at := root.Dir
	for range mostAbove {
		above := filepath.Dir(at)
		for _, dir := range []string{at, filepath.Join(above, repository)} {
			if filepath.Base(dir) != repository {
				continue
			}
			if found := parentAt(dir, name, root, p); found != nil {
				return found
			}
		}
		if above == at {
			break
		}
		at = above
	}
	return nil
}

// parentAt reads the hub whose root is dir.
func parentAt(dir, name string, root plan.Root, p *author.Plan) *parentOf {
	folder := filepath.Join(dir, ".dwp", "plans", name)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil
	}
	s, err := plan.Open(folder)
	if err != nil || !s.Coordinates() {
		return nil
	}
	found := &parentOf{Path: folder}
	here, err := filepath.Rel(dir, root.Dir)
	if err != nil {
		return nil
	}
	here = filepath.ToSlash(here)
	if s.Hub != nil {
		found.Listed = slices.ContainsFunc(s.Hub.Children, func(c planmd.Child) bool {
			clean, _ := plan.ChildPath(c.Repository)
			return plan.NormaliseName(c.Plan) == p.Name && (clean == here || "../"+clean == here)
		})
	}
	if !found.Listed {
		found.Row = fmt.Sprintf("| `%s` | `%s` | - | - | 0/%d on %s | - |", path.Clean(here), p.Name, p.TaskCount(), p.CreatedAt.Format("2006-01-02"))
	}
	return found
}

// words tell what is left to do for the hub.
func (f *parentOf) words() string {
	if f.Listed {
		return "the hub lists this plan already: " + f.Path
	}
	return "the hub does not list this plan yet; add this row to " + filepath.Join(f.Path, plan.HubFile) + ": " + f.Row
}
