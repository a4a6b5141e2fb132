package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/turn"
	"github.com/deepworkplan/dwp/internal/work"
)

// turnsLookedAt is how many of the newest records of turns resume looks at.
const turnsLookedAt = 64

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
	f.Operation, _ = disk.Pending(folder)                                // one that can't be read is named as such by recover
	if records, err := turn.Records(folder, turnsLookedAt); err == nil { // one that can't be read is named by the next turn
		f.Turned = turn.Turned(records)
	}
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
	f.Copies = work.Copies(top, t.Path, s)
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
