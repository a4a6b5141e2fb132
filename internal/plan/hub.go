package plan

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
)

// MaxChildren bounds how many child plans of one hub are looked at; a hub of more is several hubs.
const MaxChildren = 200

// archetypeHub is the archetype of a plan that coordinates child plans (PS-6).
const archetypeHub = "orchestrator-hub"

// Coordinates reports whether a plan is a hub: its manifest says so, or it keeps an ORCHESTRATOR_MANIFEST.md (AG-4).
func (s *Snapshot) Coordinates() bool {
	return s.Hub != nil || s.Manifest != nil && s.Manifest.Archetype == archetypeHub
}

// ChildFate is what became of a child plan that a hub lists.
type ChildFate string

// Fates of a child plan.
const (
	ChildFound        ChildFate = "found"
	ChildNoRepository ChildFate = "no-repository" // its repository is neither below nor beside the hub's root
	ChildMissing      ChildFate = "missing"       // the repository has no such plan
	ChildForeign      ChildFate = "foreign"       // what has its name is no plan: a file, or a folder without a README
	ChildUnreadable   ChildFate = "unreadable"
	ChildOutside      ChildFate = "outside" // the path leads elsewhere, by itself or through a link: it is not followed
)

// Child is a child plan as its hub lists it and as it stands on disk.
type Child struct {
	planmd.Child
	Fate ChildFate
	Path string // of its plan folder, absolute; "" when it was not found
	Err  error  // why it is unreadable
	// Overview is the child's own, when it was found; Parent is what it names as its parent, "" for none (PS-6).
	Overview Overview
	Parent   string
	// Linked says that it names this hub.
	Linked bool
}

// Names are the names by which a child may call the hub: what the hub calls itself, or "repository:PLAN_name" after the
// folder of its root or of its work tree, which differs from clone to clone.
func (s *Snapshot) Names(root Root) []string {
	names := []string{filepath.Base(root.Dir) + ":" + s.Name}
	if s.Hub != nil && s.Hub.Name != "" {
		names = []string{s.Hub.Name, names[0]}
	}
	if root.Git != "" && root.Git != root.Dir {
		names = append(names, filepath.Base(root.Git)+":"+s.Name)
	}
	return names
}

// ChildPath is the cleaned slash path of a child's repository, relative to the hub's root. ok says that it stays below the folder
// that the root lies in.
func ChildPath(repository string) (clean string, ok bool) {
	if repository == "" || path.IsAbs(repository) || strings.ContainsAny(repository, "\\:\x00") {
		return "", false
	}
	clean = path.Clean(repository)
	below := strings.TrimPrefix(clean, "../") // beside the root
	return clean, clean != ".." && below != ".." && !strings.HasPrefix(below, "../")
}

// Children looks at the child plans of a hub whose plans live at root, read-only (PS-20): each where its repository lies, below the
// root or beside it. Links that lead out of the folder around the root are not followed; at most MaxChildren are looked at.
func (s *Snapshot) Children(root Root) []Child {
	if s.Hub == nil {
		return nil
	}
	rows := s.Hub.Children[:min(len(s.Hub.Children), MaxChildren)]
	children := make([]Child, len(rows))
	dir, err := resolve(root.Dir)
	if err != nil {
		dir = root.Dir
	}
	around, err := os.OpenRoot(filepath.Dir(dir))
	if err == nil {
		defer around.Close()
	}
	names := s.Names(root)
	for i := range rows {
		children[i].Child = rows[i]
		if err != nil {
			children[i].Fate, children[i].Err = ChildUnreadable, err
			continue
		}
		children[i].find(around, filepath.Base(dir))
		children[i].Linked = slices.Contains(names, children[i].Parent)
	}
	return children
}

// find looks for the plan. around is the folder in which the hub's root lies under a name.
func (c *Child) find(around *os.Root, hub string) {
	repository, ok := ChildPath(c.Repository)
	if name := NormaliseName(c.Plan); !ok || !ValidName(name) {
		c.Fate = ChildOutside
		if ok {
			c.Fate = ChildMissing // no plan has such a name
		}
		return
	}
	c.Fate = ChildNoRepository
	for _, place := range places(repository, hub) {
		info, err := around.Stat(place)
		switch {
		case err == nil && info.IsDir():
			c.open(around, path.Join(place, dwpFolder, plansFolder, NormaliseName(c.Plan)))
			return
		case err != nil && !absent(err):
			c.fail(err)
			return
		}
	}
}

// places are where a repository may lie, as paths from the folder around the root: below the root, then beside it.
func places(repository, hub string) []string {
	if beside, ok := strings.CutPrefix(repository, "../"); ok {
		return []string{beside}
	}
	return []string{path.Join(hub, repository), repository}
}

// open reads the plan at a path from around.
func (c *Child) open(around *os.Root, at string) {
	info, err := around.Stat(at)
	switch {
	case absent(err):
		c.Fate = ChildMissing
		return
	case err != nil:
		c.fail(err)
		return
	case !info.IsDir(): // never opened: it may be a FIFO
		c.Fate = ChildForeign
		return
	}
	folder, err := around.OpenRoot(at)
	if err != nil {
		c.fail(err)
		return
	}
	defer folder.Close()
	s, err := Read(rooted{folder}, path.Base(at))
	if err != nil {
		c.fail(err)
		return
	}
	c.Path = filepath.Join(around.Name(), filepath.FromSlash(at))
	if s.README == nil && s.State == nil && s.Manifest == nil {
		c.Fate = ChildForeign
		return
	}
	c.Fate, c.Overview = ChildFound, s.Overview()
	if c.Overview.Status == "" {
		c.Overview.Status = state.Pending
	}
	if s.Manifest != nil {
		c.Parent = s.Manifest.ParentPlan
	}
}

// fail tells a path that leads out, which os.Root refuses, from what can't be read.
func (c *Child) fail(err error) {
	c.Fate, c.Err = ChildUnreadable, err
	if pathError, ok := errors.AsType[*fs.PathError](err); ok && !errors.Is(err, fs.ErrPermission) && strings.Contains(pathError.Err.Error(), "escapes") {
		c.Fate, c.Err = ChildOutside, nil
	}
}
