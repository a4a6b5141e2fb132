package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// completeFlags are the flags of complete.
type completeFlags struct {
	lockFlags
	work.Complete
	commit, criteria string
}

// completeCmd closes a task everywhere at once (WP-2, PS-19).
func (a *app) completeCmd() *cobra.Command {
	var flags completeFlags
	cmd := &cobra.Command{
		Use:     "complete [PLAN] N --worked TEXT --skills TEXT",
		Short:   "Close a task: log, README, PROGRESS.md and state.json at once",
		GroupID: groupWork,
		Long: `Close a task whose gates are recorded as passing: its log, the criteria that you
name, the box and count in README.md, an entry in PROGRESS.md, and state.json,
as one operation; the last task publishes the plan. When anything is missing,
nothing is written, and all of it is listed.

Commit the work first, with a message like "type(scope): what - Task N of
PLAN_x". --commit auto takes the newest commit that names the task, none says
that no source was changed, and a hash names the commit. What the commit adds is
searched for secrets. Without git, none is the default.

A criterion that names a person's approval is that person's. In an unattended
turn it is ticked only when a person answered in QUESTIONS.md (dwp answer).

The forms of --skills: none; update X; create X; defer - REASON, OWNER.

Exit codes: 0 completed, or completed before; 1 refused: nothing was written;
2 a wrong call; 3 could not be done; 4 locked.`,
		Example: `  dwp complete 3 --worked 'one query per city' --skills none \
    --docs 'README updated' --check-criteria 1,2
  dwp complete quote_service 4 --worked 'review passed' --skills none \
    --docs 'all current' --check-criteria all --commit none`,
		Args:              atMost(2),
		ValidArgsFunction: a.completePlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.completeTask(cmd, args, &flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.Worked, "worked", "", "what worked, as one line of `TEXT`")
	f.StringArrayVar(&flags.Tried, "tried", nil, "`TEXT` on what was tried; may be repeated")
	f.StringArrayVar(&flags.Failed, "failed", nil, "`TEXT` on what failed; may be repeated")
	f.StringVar(&flags.Notes, "notes", "", "notes for those after you, as one line of `TEXT`")
	f.StringVar(&flags.Skills, "skills", "", "skills disposition, as `TEXT` in one of its forms")
	f.StringVar(&flags.Docs, "docs", "", "documentation decision, as `TEXT`")
	f.StringArrayVar(&flags.Bullets, "bullet", nil, "a bullet for PROGRESS.md, as `TEXT`; five at most")
	f.StringVar(&flags.commit, "commit", "", "`COMMIT` of the work: auto (default), none, or a hash")
	f.StringVar(&flags.criteria, "check-criteria", "", "tick the criteria of `LIST`, such as 1,3, or all")
	f.BoolVar(&flags.Checklist, "checklist", false, "tick the execution checklist")
	flags.register(f)
	return cmd
}

// completeTask asks git about the work, then completes the task under the plan's lock.
func (a *app) completeTask(cmd *cobra.Command, args []string, flags *completeFlags) error {
	args, task, err := needTask(cmd, args)
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("commit") && flags.commit == "" {
		return usage("bad-flag", "auto, none, or the hash of a commit", "--commit is empty")
	}
	c := &flags.Complete
	c.Task = task
	if c.Criteria, c.AllCriteria, err = criteria(flags.criteria, cmd.Flags().Changed("check-criteria")); err != nil {
		return err
	}
	var warnings []string
	w, done, err := a.carry(cmd, args, flags.lockFlags, func(ctx context.Context, w *writer) (publish.Decide, error) {
		c.Who, c.Configured, c.InTurn = w.who(), a.configured(), a.inTurn()
		if c.Product, warnings, err = a.product(ctx, w, flags.commit, task); err != nil {
			return nil, err
		}
		return c.Decide, nil
	})
	if err != nil {
		return err
	}
	for _, text := range warnings {
		a.warn(text)
	}
	done.Warnings = append(done.Warnings, warnings...)
	said := "completed"
	if c.Product.Commit != "" {
		said += fmt.Sprintf(", commit %.12s", c.Product.Commit)
	}
	return a.carried("complete", w, task, said, done)
}

// criteria reads the list of --check-criteria.
func criteria(text string, given bool) (list []int, all bool, err error) {
	if !given {
		return nil, false, nil
	}
	if strings.TrimSpace(text) == "all" {
		return nil, true, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, false, usage("bad-flag", "give numbers, such as 1,3, or all", "--check-criteria: %q is not the number of a criterion", part)
		}
		list = append(list, n)
	}
	return list, false, nil
}

// leaveUntidy leaves out what was not committed before the turn's task began: that is somebody else's, and stays so.
func leaveUntidy(ctx context.Context, w *writer, repo *git.Repo, p *work.Product) error {
	if w.Turn == nil || len(w.Turn.Untidy) == 0 || len(p.Dirty) == 0 {
		return nil
	}
	mark, err := repo.Mark(ctx) // each file by itself, as the turn saw them
	if err != nil {
		return err
	}
	for _, f := range w.Turn.Untidy {
		delete(mark.Files, f)
	}
	p.Dirty, p.DirtyCut = slices.Sorted(maps.Keys(mark.Files)), mark.Cut
	return nil
}

// product asks git about the work, in the work tree that a turn would take. Where there is no repository, or no git, what is said of a commit is taken as it is.
func (a *app) product(ctx context.Context, w *writer, asked string, task int) (p work.Product, warnings []string, err error) {
	if _, repo := a.workTree(w.path); repo != nil {
		p, err = work.Inspect(ctx, *repo, cmp.Or(asked, work.CommitAuto), w.Name, task)
		if err == nil {
			if err := leaveUntidy(ctx, w, repo, &p); err != nil {
				return p, nil, cannot("git", "", "%s; nothing was written", err)
			}
			if folder, err := filepath.Rel(repo.Top, w.path); err == nil && filepath.IsLocal(folder) {
				p.Except(filepath.ToSlash(folder))
			}
			if p.DiffCut {
				warnings = append(warnings, "the commit is very large; only its beginning was searched for secrets")
			}
			return p, warnings, nil
		}
		if !errors.Is(err, git.ErrNoGit) && asked != work.CommitNone {
			return p, nil, cannot("git", "git has to answer; with --commit none the task records no commit, and nothing is checked", "%s; nothing was written", err)
		}
		warnings = append(warnings, fmt.Sprintf("nothing was checked about the work tree: %s", err))
	}
	switch asked {
	case "", work.CommitNone:
		return work.Product{Asked: work.CommitNone}, warnings, nil
	case work.CommitAuto:
		return p, nil, cannot("git", "say --commit none, or name the commit", "--commit auto needs a git repository, and git; nothing was written")
	}
	return work.Product{Asked: asked, Commit: strings.ToLower(asked)}, warnings, nil
}
