package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// This file: what the commands share that carry a task from its start to its end.

// taskArgs takes [PLAN] [N] apart: a number at the end names the task, 0 when there is none.
func taskArgs(args []string) (plan []string, task int, err error) {
	if len(args) == 0 || strings.Trim(args[len(args)-1], "0123456789") != "" || args[len(args)-1] == "" {
		if len(args) > 1 {
			return nil, 0, usage("bad-task", "give its number, such as 3", "%q is not the number of a task", args[1])
		}
		return args, 0, nil
	}
	last := args[len(args)-1]
	if task, err = strconv.Atoi(last); err != nil || task == 0 {
		return nil, 0, usage("bad-task", "tasks are numbered from 1", "no task has the number %s", last)
	}
	return args[:len(args)-1], task, nil
}

// needTask is taskArgs for commands that never guess the task.
func needTask(cmd *cobra.Command, args []string) (plan []string, task int, err error) {
	plan, task, err = taskArgs(args)
	if err == nil && task == 0 {
		err = usage("missing-argument", "usage: "+cmd.UseLine(), "%s: the number of the task is missing", cmd.Name())
	}
	return plan, task, err
}

// numberedTask demands that a task that --task names has a number that a task can have.
func numberedTask(cmd *cobra.Command, task int) error {
	if cmd.Flags().Changed("task") && task <= 0 {
		return usage("bad-task", "tasks are numbered from 1", "no task has the number %d", task)
	}
	return nil
}

// demand demands that flags have words.
func demand(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if value, _ := cmd.Flags().GetString(name); strings.TrimSpace(value) == "" {
			return usage("missing-flag", "see "+cmd.CommandPath()+" --help", "--%s is missing", name)
		}
	}
	return nil
}

// carry makes one step of a task's course as one operation.
func (a *app) carry(cmd *cobra.Command, args []string, flags lockFlags, step step) (*writer, publish.Done, error) {
	return a.carryUnder(update.Terms{}, cmd, args, flags, step)
}

// step makes a decision once the plan is open for writing.
type step func(context.Context, *writer) (publish.Decide, error)

// carryUnder is carry on a plan that terms allow.
func (a *app) carryUnder(terms update.Terms, cmd *cobra.Command, args []string, flags lockFlags, step step) (*writer, publish.Done, error) {
	t, err := a.one(args)
	if err != nil {
		return nil, publish.Done{}, err
	}
	ctx, w, err := a.write(cmd, t.Path, flags)
	if err != nil {
		return nil, publish.Done{}, err
	}
	defer w.close()
	decide, err := step(ctx, w)
	if err != nil {
		return w, publish.Done{}, err
	}
	done, err := publish.Revise(ctx, w.Plan, terms, decide)
	if _, held := errors.AsType[*work.Held](err); err != nil && !held {
		return w, done, w.failed(err)
	}
	a.finished(done.Changed, done.Warnings)
	return w, done, err
}

// carriedAnswer is the JSON answer of these commands.
type carriedAnswer struct {
	opening
	Plan        string   `json:"plan"`
	Path        string   `json:"path"`
	Task        int      `json:"task"`
	Changed     bool     `json:"changed"`      // false: it stood like that already, nothing was written
	Published   bool     `json:"published"`    // the plan is completed, and has its receipt
	StateSHA256 string   `json:"state_sha256"` // of state.json as it stands
	Warnings    []string `json:"warnings"`
	closing
}

// carried tells what was done. said is what became of the task.
func (a *app) carried(command string, w *writer, task int, said string, done publish.Done) error {
	if a.json {
		return a.writeJSON(carriedAnswer{opened(command), w.Name, w.path, task, done.Changed, done.Published, done.StateSHA256,
			list(done.Warnings), closed(nil, nil)})
	}
	switch {
	case !done.Changed:
		said = "nothing to change"
	case done.Published:
		said += "; the plan is completed and published"
	}
	a.page().line("%s task %d: %s", cleanLine(w.Name), task, said)
	return nil
}

// maxQuestions bounds how much of QUESTIONS.md is looked at.
const maxQuestions = 4 << 20

// questions reads the plan's QUESTIONS.md; nil without one. Only a regular file is opened: anything else might never answer.
func questions(w *writer) ([]byte, error) { return questionsIn(w.FS) }

func questionsIn(fsys disk.FS) ([]byte, error) {
	const name = "analysis_results/QUESTIONS.md"
	info, err := fsys.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, cannot("unreadable", "", "read %s: %s", name, cause(err))
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, cannot("unreadable", "", "read %s: %s", name, cause(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxQuestions))
	if err != nil {
		return nil, cannot("unreadable", "", "read %s: %s", name, cause(err))
	}
	return data, nil
}
