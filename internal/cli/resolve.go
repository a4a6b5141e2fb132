package cli

import (
	"errors"
	"path/filepath"

	"github.com/deepworkplan/dwp/internal/plan"
)

// resolve finds the plan that a word names: "latest", a path, or a name with or without PLAN_. A word that names no
// plan is a fault of the call.
func (a *app) resolve(root plan.Root, word string) (target, error) {
	entry, err := root.Resolve(word)
	if missing, ok := errors.AsType[*plan.NotFoundError](err); ok {
		hint := "the plans here: " + enumerate(missing.Have)
		if len(missing.Have) == 0 {
			hint = noPlans(root).message
		}
		return target{}, usage("no-such-plan", hint, "no plan named %q", word)
	}
	if several, ok := errors.AsType[*plan.AmbiguousError](err); ok {
		return target{}, usage("several-plans", "name one of: "+enumerate(several.Matches), "%q fits several plans", word)
	}
	if err != nil {
		return target{}, cannot("unreadable", "", "%s", err)
	}
	// Commits and ignored paths are asked of the repository that the plan is in, not of the one we stand in.
	if filepath.Dir(entry.Path) == root.Plans {
		return target{entry, root}, nil
	}
	// A plan elsewhere, given by its path, belongs to another root.
	root, err = a.rootOf(entry.Path)
	return target{entry, root}, err
}
