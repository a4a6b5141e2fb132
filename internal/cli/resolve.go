package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
)

// resolve finds the plan that a word names: "latest", a path, or a name with or without PLAN_. A word that names no
// plan is a fault of the call.
func (a *app) resolve(root plan.Root, word string) (target, error) {
	if isPath(word) {
		return a.resolvePath(word)
	}
	targets, _, err := a.all(root)
	if err != nil {
		return target{}, err
	}
	if word == "latest" {
		return newest(targets), nil
	}
	for _, name := range []string{word, "PLAN_" + word} {
		if i := slices.IndexFunc(targets, func(t target) bool { return t.Name == name }); i >= 0 {
			return targets[i], nil
		}
	}
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.Name
	}
	return target{}, usage("no-such-plan", "the plans here: "+enumerate(names), "no plan named %q", word)
}

// isPath tells a path from a name: it has a separator, or is a dot name.
func isPath(word string) bool {
	return word == "." || word == ".." || filepath.IsAbs(word) || strings.ContainsAny(word, `/`+string(filepath.Separator))
}

// resolvePath takes a path as it is typed; the plan's root is looked for from there.
func (a *app) resolvePath(path string) (target, error) {
	if !filepath.IsAbs(path) {
		start, err := a.start()
		if err != nil {
			return target{}, err
		}
		path = filepath.Join(start, path)
	}
	path, err := a.folder(filepath.Clean(path))
	if err != nil {
		return target{}, err
	}
	root, err := a.rootOf(path)
	if err != nil {
		return target{}, err
	}
	return target{plan.Entry{Name: filepath.Base(path), Path: path}, root}, nil
}

// newest returns the plan that was changed last; plans that can't be read come last.
func newest(targets []target) target {
	best, bestTime := targets[0], time.Time{}
	for _, t := range targets {
		if s, err := read(t); err == nil && changedAt(s).After(bestTime) {
			best, bestTime = t, changedAt(s)
		}
	}
	return best
}

// changedAt is when a plan was changed last: what its state says, else the youngest file.
func changedAt(s *plan.Snapshot) time.Time {
	if s.State != nil && !s.State.UpdatedAt.Value.IsZero() {
		return s.State.UpdatedAt.Value
	}
	var youngest time.Time
	for _, n := range s.Nodes {
		if n.Kind == plan.RegularFile && n.ModTime.After(youngest) {
			youngest = n.ModTime
		}
	}
	return youngest
}
