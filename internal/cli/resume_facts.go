package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/work"
)

// facts gathers what resume takes from beside the plan's documents. Only reading is done (PS-20, C143). What git can't tell is a warning:
// the plan is resumed without it.
func (a *app) facts(ctx context.Context, t target, s *plan.Snapshot) (f work.Facts, warnings []string, err error) {
	real, err := filepath.EvalSymlinks(t.Path)
	if err != nil {
		return f, nil, cannot("unreadable", "", "open folder %q: %s", t.Path, cause(err))
	}
	folder, err := disk.Open(real)
	if err != nil {
		return f, nil, cannot("unreadable", "", "open folder %q: %s", t.Path, cause(err))
	}
	defer folder.Close()
	if f.Lock, err = disk.Inspect(folder, disk.System{}); err != nil {
		return f, nil, cannot("unreadable", "", "%s", err)
	}
	f.Operation, _ = disk.Pending(folder) // one that can't be read is named as such by recover
	if f.Questions, err = questionsIn(folder); err != nil {
		return f, nil, err
	}
	top := t.root.Git
	if top == "" { // plans kept elsewhere (DWP_DIR): the work is where the caller stands
		if dir, err := a.start(); err == nil {
			if here, err := plan.FindRoot(dir, ""); err == nil {
				top = here.Git
			}
		}
	}
	if top == "" {
		return f, nil, nil
	}
	f.Copies = copies(top, t, s)
	if err := askGit(ctx, git.Repo{Top: top}, &f); err != nil {
		why := err.Error()
		if errors.Is(err, git.ErrNoGit) {
			why = git.ErrNoGit.Error()
		}
		warnings = append(warnings, fmt.Sprintf("commits and work tree are not told: %s", why))
	}
	return f, warnings, nil
}

// askGit asks for the newest commits, and what is not committed.
func askGit(ctx context.Context, repo git.Repo, f *work.Facts) (err error) {
	history, err := repo.History(ctx, work.HistoryDepth)
	if err != nil {
		return err
	}
	files, cut, err := repo.Dirty(ctx)
	if err != nil {
		return err
	}
	f.Git, f.History, f.Dirty, f.DirtyCut = true, history, files, cut
	return nil
}

// copies looks for the plan in the other work trees of the repository, in the same place. One that is the same is no other (C125).
func copies(top string, t target, s *plan.Snapshot) []work.Copy {
	place, err := filepath.Rel(top, t.Path)
	if err != nil || !filepath.IsLocal(place) {
		return nil
	}
	var list []work.Copy
	for _, tree := range git.WorkTrees(top) {
		other, err := plan.Open(filepath.Join(tree, place))
		if err != nil || other.README == nil || sameFile(s, other, "README.md") && sameFile(s, other, "state.json") {
			continue
		}
		o := other.Overview()
		c := work.Copy{Path: filepath.Join(tree, place), Completed: o.Completed, Total: o.Total}
		if st := other.State; st != nil {
			c.UpdatedAt = timeText(st.UpdatedAt)
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
