package cli

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
	"github.com/spf13/cobra"
)

// target is a plan that a command was asked about: where it stands, and the root it belongs to.
type target struct {
	plan.Entry
	root plan.Root
}

// start returns the folder to start from: the current one, or what -C says.
func (a *app) start() (string, error) {
	dir := a.env.Dir
	if a.dir != "" {
		dir = a.dir
	}
	return a.folder(dir)
}

// folder makes a path absolute and demands that it is a folder.
func (a *app) folder(dir string) (string, error) {
	// With an absolute path it doesn't matter that the current folder is unknown.
	if !filepath.IsAbs(dir) {
		if a.env.DirErr != nil {
			return "", cannot("no-folder", "use -C with an absolute path", "find the current folder: %s", a.env.DirErr)
		}
		dir = filepath.Join(a.env.Dir, dir)
	}
	// Checked here, so that a mistyped folder is not answered with "no plans" from a repository above it.
	info, err := os.Stat(dir)
	if err != nil {
		return "", usage("no-folder", "", "open folder %q: %s", dir, cause(err))
	}
	if !info.IsDir() {
		return "", usage("no-folder", "", "open folder %q: it is a file", dir)
	}
	return dir, nil
}

// cause is an error without the operation and path that the message already names.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// root finds where plans live, from the folder to start from (PD-1).
func (a *app) root() (plan.Root, error) {
	dir, err := a.start()
	if err != nil {
		return plan.Root{}, err
	}
	return a.rootOf(dir)
}

// rootOf finds where plans live, upwards from dir, or where DWP_DIR says.
func (a *app) rootOf(dir string) (plan.Root, error) {
	dwpDir := a.env.Getenv("DWP_DIR")
	root, err := plan.FindRoot(dir, dwpDir)
	if errors.Is(err, plan.ErrRelativeDWPDir) {
		return plan.Root{}, usage("bad-dwp-dir", "give DWP_DIR an absolute path, or unset it", "DWP_DIR is relative: %q", dwpDir)
	}
	if err != nil {
		return plan.Root{}, cannot("unreadable", "", "%s", err)
	}
	return root, nil
}

// all lists the plans of the repository by name, and findings about what lies beside them. No plans at all is a failure (C149).
func (a *app) all(root plan.Root) ([]target, []rule.Finding, error) {
	a.repo = repository(root)
	entries, strays, err := root.List()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, cannot("unreadable", "", "read folder %q: %s", root.Plans, cause(err))
	}
	targets := make([]target, len(entries))
	for i, e := range entries {
		targets[i] = target{e, root}
	}
	if len(targets) == 0 {
		return nil, beside(root, strays), noPlans(root)
	}
	return targets, beside(root, strays), nil
}

// repository is the folder that the places of findings outside plans are relative to.
func repository(root plan.Root) string {
	if root.Git != "" {
		return root.Git
	}
	return root.Dir
}

// beside turns strays into findings whose places are relative to the repository.
func beside(root plan.Root, strays []plan.Stray) []rule.Finding {
	// Plans may lie elsewhere (DWP_DIR): then the whole path is the only name that helps.
	folder, err := filepath.Rel(repository(root), root.Plans)
	if err != nil || !filepath.IsLocal(folder) {
		folder = root.Plans
	}
	folder = filepath.ToSlash(folder)
	findings := verify.Strays(strays)
	for i := range findings {
		f := &findings[i]
		f.File = path.Join(folder, f.File)
		for k := range f.Places {
			f.Places[k].File = path.Join(folder, f.Places[k].File)
		}
	}
	return findings
}

// noPlans says that there is nothing to look at, and where it was looked for.
func noPlans(root plan.Root) *failure {
	if !root.Found {
		return cannot("no-plans", "write one with dwp create, go to a repository that has plans, or name one with -C", "no plans: there is no folder .dwp/plans here or above")
	}
	return cannot("no-plans", "", "no plans in %q", root.Plans)
}

// asked returns the PLAN that the call names, by argument or environment; "" for none. An empty argument is refused: a
// script whose variable is unset must not get every plan (C107).
func (a *app) asked(args []string) (string, error) {
	if len(args) == 0 {
		return a.env.Getenv("DWP_PLAN"), nil
	}
	if args[0] == "" {
		return "", usage("no-such-plan", "leave PLAN out to mean the default", "PLAN is empty")
	}
	return args[0], nil
}

// targets returns the plan that is asked for, or all of them.
func (a *app) targets(args []string) ([]target, []rule.Finding, error) {
	name, err := a.asked(args)
	if err != nil {
		return nil, nil, err
	}
	root, err := a.root()
	if err != nil {
		return nil, nil, err
	}
	// Strays are of no interest to who asks for one plan.
	if name != "" {
		t, err := a.resolve(root, name)
		return []target{t}, nil, err
	}
	return a.all(root)
}

// open opens the plan that is asked for; without one, the only open plan, or else the only plan. It never
// guesses among several.
func (a *app) open(args []string) (target, *plan.Snapshot, error) {
	name, err := a.asked(args)
	if err != nil {
		return target{}, nil, err
	}
	root, err := a.root()
	if err != nil {
		return target{}, nil, err
	}
	if name != "" {
		t, err := a.resolve(root, name)
		if err != nil {
			return target{}, nil, err
		}
		s, err := read(t)
		return t, s, err
	}
	targets, _, err := a.all(root)
	if err != nil {
		return target{}, nil, err
	}
	return onlyOpen(targets)
}

// read opens a plan folder.
func read(t target) (*plan.Snapshot, error) {
	s, err := plan.Open(t.Path)
	if err != nil {
		return nil, cannot("unreadable", "", "read plan %q: %s", t.Name, cause(err))
	}
	return s, nil
}

// onlyOpen picks the only plan that is not completed, in its boxes or in its state. A plan that can't be read may be open too, so
// it counts.
func onlyOpen(targets []target) (target, *plan.Snapshot, error) {
	if len(targets) == 1 {
		s, err := read(targets[0])
		return targets[0], s, err
	}
	var found target
	var snapshot *plan.Snapshot
	var lastErr error
	var open, names []string
	// One after the other: only the candidate's snapshot is kept.
	for _, t := range targets {
		names = append(names, t.Name)
		s, err := read(t)
		if err == nil && s.Overview().Hold == plan.HoldCompleted && (s.State == nil || s.State.Status == state.Completed) {
			continue
		}
		found, snapshot, lastErr = t, s, err
		open = append(open, t.Name)
	}
	switch len(open) {
	case 0:
		return target{}, nil, usage("no-open-plan", "name one of: "+enumerate(names), "every plan is completed")
	case 1:
		return found, snapshot, lastErr
	}
	return target{}, nil, usage("several-plans", "name one of: "+enumerate(open), "%d plans are open", len(open))
}

// enumerate lists names, the first dozen of them.
func enumerate(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// completePlans offers plan names to the shell's completion.
func (a *app) completePlans(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	root, err := a.root()
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	targets, _, _ := a.all(root)
	names := make([]string, 0, len(targets)+1)
	for _, t := range targets {
		names = append(names, cleanLine(t.Name))
	}
	return append(names, "latest"), cobra.ShellCompDirectiveDefault
}
