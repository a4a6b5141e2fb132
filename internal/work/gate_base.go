package work

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// This file: a failure that was there before the task's work (WP-4).

// Base is the commit that a task's work is compared with.
type Base struct {
	Commit string // the whole name
	Name   string // what was taken for it: "main", "the commit before task 2"
}

// BaseDone is what became of a run on the base.
type BaseDone struct {
	GateDone
	Base   Base
	Proven bool // it fails there as it does with the task's work; that, and nothing else, is recorded
	Passed bool // it passes there: the failure is the task's
	// Why says in words why nothing is proven; "" when it is.
	Why string
}

// RunOnBase runs a gate whose latest record fails on the commit that the task's work began at, in a copy of it that is gone afterwards. The
// order of steps:
//
//  1. read the plan; refuse what could not be recorded, and what needs no proof
//  2. find the base; copy it into a temporary folder: the repository is not changed, not even by a run that is killed
//  3. run the command in the same folder of the copy. No lock is held
//  4. remove the copy
//  5. only when it failed there as it does here: write the log, then record the run and tell PROGRESS.md, as one operation
//
// ref is the base, "" for the default. A *publish.Refused means that nothing was run.
func RunOnBase(ctx context.Context, p publish.Plan, run GateRun, ref string) (BaseDone, error) {
	change := update.Change{Task: run.Task, Agent: run.Agent, Model: run.Model, Configured: run.Configured}
	if err := p.InTurn(run.Task); err != nil {
		return BaseDone{}, err
	}
	s, err := admitted(ctx, p, change, run.Text)
	if err != nil {
		return BaseDone{}, err
	}
	failure, err := failing(s, run.Task, run.Text)
	if err != nil {
		return BaseDone{}, err
	}
	base, err := run.base(ctx, s, ref)
	if err != nil {
		return BaseDone{Base: base}, err
	}
	if err := disk.MkdirAll(p.FS, GateLogs); err != nil {
		return BaseDone{Base: base}, err
	}
	done := BaseDone{Base: base}
	r := ran{task: run.Task, command: run.Text, slug: "on-base", inGit: true, head: git.Head{Commit: base.Commit[:min(12, len(base.Commit))]}}
	if err := run.inCopy(ctx, &r, &done); err != nil || done.Why != "" {
		return done, err
	}
	done.Outcome = r.outcome()
	if done.Why, done.Passed = unproven(&failure, &r, failureLog(s, &failure)); done.Why != "" {
		return done, nil
	}
	return recordBase(ctx, p, change, &r, done, failure)
}

// failing is the record that a proof is of: the latest of the command, which fails with the task's work.
func failing(s *plan.Snapshot, task int, command string) (GateRecord, error) {
	for _, r := range Gates(s, task) {
		if r.History || evidence.Command(r.Command) != evidence.Command(command) {
			continue
		}
		if r.Passes {
			return r, refuse("guard/no-failure", "there is no failure to prove: the latest record of %s passes", quoteCode(command))
		}
		if r.Base != "" { // a base is compared with the work, not with another base
			return r, refuse("guard/no-failure", "it is proven already: %s fails on base %s, too", quoteCode(command), r.Base)
		}
		return r, nil
	}
	return GateRecord{}, refuse("guard/no-failure", "there is no failure to prove: task %d has no record of %s", task, quoteCode(command))
}

// base finds the commit to compare with: the one that is named; else where HEAD left the default branch; on that branch itself the commit
// before the first one that names the task; else HEAD, when the work is not committed.
func (run *GateRun) base(ctx context.Context, s *plan.Snapshot, ref string) (Base, error) {
	if run.Repo == nil {
		return Base{}, refuse("guard/no-base", "the command runs in no git repository, so there is no base to run it on")
	}
	head, err := run.Repo.Commit(ctx, "HEAD")
	if err != nil {
		return Base{}, err
	}
	if head == "" {
		return Base{}, refuse("guard/no-base", "the repository has no commit")
	}
	b, err := run.compared(ctx, s, ref, head)
	if err != nil {
		return b, err
	}
	if strings.Contains(run.Text, run.Repo.Top) {
		return b, refuse("guard/no-base", "the command names the work tree by its path, so it would not run what is in the base")
	}
	if b.Commit != head {
		return b, nil
	}
	dirty, _, err := run.Repo.Dirty(ctx)
	if err != nil {
		return b, err
	}
	if len(dirty) == 0 {
		return b, refuse("guard/no-base", "the base is HEAD, and nothing differs from it: there is nothing to compare")
	}
	return b, nil
}

// compared is base before it is known whether anything differs from it.
func (run *GateRun) compared(ctx context.Context, s *plan.Snapshot, ref, head string) (Base, error) {
	if ref != "" {
		commit, err := run.Repo.Commit(ctx, ref)
		if err == nil && commit == "" {
			err = refuse("guard/no-base", "%q names no commit", ref)
		}
		return Base{commit, ref}, err
	}
	fork, branch, err := run.Repo.Fork(ctx)
	if err != nil || fork != "" && fork != head {
		return Base{fork, branch}, err
	}
	history, err := run.Repo.History(ctx, historyDepth)
	if err != nil {
		return Base{}, err
	}
	for _, c := range slices.Backward(history) { // the oldest first
		if !NamesTask(c.Message, s.Name, run.Task) {
			continue
		}
		before, err := run.Repo.Parent(ctx, c.ID)
		if err != nil || before != "" {
			return Base{before, "the commit before task " + strconv.Itoa(run.Task)}, err
		}
		break
	}
	return Base{head, "HEAD"}, nil
}

// inCopy runs the command in a copy of the base that is removed again. done.Why says what kept it from running.
func (run *GateRun) inCopy(ctx context.Context, r *ran, done *BaseDone) (err error) {
	made, err := disk.MkdirTemp("dwp-base-")
	if err != nil {
		return err
	}
	defer func() {
		if left := disk.RemoveTemp(made); left != nil {
			done.Warnings = append(done.Warnings, "the copy of the base is left in "+made+": "+left.Error())
		}
	}()
	top, err := filepath.EvalSymlinks(made)
	if err != nil {
		return err
	}
	folder, err := disk.Open(top)
	if err != nil {
		return err
	}
	defer folder.Close()
	copied, err := run.Repo.CopyTo(ctx, done.Base.Commit, top, func(name string, data []byte) error {
		if err := disk.MkdirAll(folder, name[:strings.LastIndexByte(name, '/')]); err != nil {
			return err
		}
		return disk.WriteFile(folder, name, data, disk.Options{})
	})
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	if err != nil {
		return err
	}
	if copied.Submodules {
		done.Warnings = append(done.Warnings, "the base has submodules; they are not fetched into its copy")
	}
	if copied.Filtered {
		done.Warnings = append(done.Warnings, "the base has files behind filters, such as LFS; its copy has the pointers")
	}
	c := run.command()
	if c.Dir, err = run.sameFolder(top); err != nil {
		return err
	}
	if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
		done.Why = "the folder in which the command runs is not there on the base"
		return nil
	}
	c.Env = append(git.Elsewhere(c.Env), "PWD="+c.Dir)
	done.Warnings = append(done.Warnings, run.ledBack(c.Env)...)
	r.result = runner.Run(ctx, c)
	done.Result = r.result
	if r.result.End == runner.Interrupted {
		return ErrInterrupted
	}
	if r.result.Left {
		done.Warnings = append(done.Warnings, "the command left processes running; they were ended")
	}
	return nil
}

// sameFolder is the folder of a copy that corresponds to the one the command runs in.
func (run *GateRun) sameFolder(top string) (string, error) {
	from, err := filepath.EvalSymlinks(run.Repo.Top)
	if err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(run.Command.Dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(from, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is no folder of the work tree", run.Command.Dir)
	}
	return filepath.Join(top, rel), nil
}

// ledBack warns of variables that name the work tree: what the command finds through them is not of the base.
func (run *GateRun) ledBack(env []string) (warnings []string) {
	var names []string
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		if strings.Contains(value, run.Repo.Top) && name != "PWD" && name != "OLDPWD" && !strings.HasPrefix(name, "DWP_") {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		warnings = append(warnings, "the environment names the work tree in "+few(names, false)+": the command may have used files of it")
	}
	return warnings
}

// unproven says why a run on the base proves nothing about a failure, whose log is given; "" when it does. What fails there for want of its
// environment, or fails otherwise or less, is no proof (WP-4).
func unproven(failure *GateRecord, r *ran, log string) (why string, passed bool) {
	result := &r.result
	switch rejected := !r.gate("", "").Passes; {
	case result.End == runner.NotStarted:
		return "on the base it could not be started: " + oneLine(result.Reason, 80), false
	case result.End != runner.Exited:
		return "on the base it did not come to its end: " + r.outcome(), false
	case result.Code == 0 && rejected:
		return "on the base it ends with exit 0 and ran no test", false
	case result.Code == 0:
		return "it passes on the base: the failure is this task's", true
	case result.Code == 126 || result.Code == 127:
		return fmt.Sprintf("on the base it ends with exit %d: a program was not found, so its environment is missing there", result.Code), false
	case failure.ExitCode != nil && *failure.ExitCode != result.Code:
		return fmt.Sprintf("on the base it fails otherwise: with exit %d, not %d", result.Code, *failure.ExitCode), false
	}
	if words := absent(string(result.Log), log); words != "" {
		return fmt.Sprintf("on the base something is missing that is not part of the commit: its output says %q", words), false
	}
	o, observed := evidence.ParseObserved(failure.Evidence)
	if !observed {
		return "", false
	}
	counts := result.Counts.String()
	if (o.Counts == "") != (counts == "") {
		return "on the base it fails otherwise: tests were counted " + either(counts != "", "there", "here") + " only", false
	}
	here, there := failures(o.Counts), failures(counts)
	if here[0] > there[0] || here[1] > there[1] {
		return "on the base less fails: " + counts + "; here: " + o.Counts, false
	}
	return "", false
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// failures reads how many tests, and how many packages, counts tell as failed.
func failures(counts string) (n [2]int) {
	for part := range strings.SplitSeq(counts, "; ") {
		kind := 0
		if strings.HasPrefix(part, "packages:") {
			kind = 1
		}
		before, _, found := strings.Cut(part, " failed")
		if !found {
			continue
		}
		n[kind], _ = strconv.Atoi(before[strings.LastIndexByte(before, ' ')+1:])
	}
	return n
}

// recordBase writes log, record and PROGRESS.md. The record fails, so it closes nothing (WP-4).
func recordBase(ctx context.Context, p publish.Plan, change update.Change, r *ran, done BaseDone, failure GateRecord) (BaseDone, error) {
	r.result.Reason = runner.MaskText(r.result.Reason, secretsOf(change.Configured))
	log := append([]byte("on the base: "+done.Base.Commit+"\n"), r.log()...)
	name, err := r.keep(p, log)
	if err != nil {
		return done, &NotRecorded{Err: err}
	}
	done.Log, done.Gate = name, r.gate(name, state.Digest(log))
	o, _ := evidence.ParseObserved(done.Gate.Evidence)
	done.Gate.Evidence, done.Gate.Passes = evidence.BaseLine(done.Base.Commit, o), false
	change.Gates = []update.Gate{done.Gate}
	proof := baseProof{change, done.Base.Name, failure.Evidence, p.Now()}
	if done.Done, err = publish.Revise(ctx, p, update.Terms{}, proof.Decide); err != nil {
		return done, &NotRecorded{Log: name, Err: err}
	}
	done.Proven, done.Warnings = true, append(done.Warnings, done.Done.Warnings...)
	return done, nil
}

// baseProof is what is written about a failure that was proven on the base.
type baseProof struct {
	update.Change // with its one gate
	base, failure string
	now           time.Time
}

// Decide records the gate and tells PROGRESS.md, whose heading names no task: it is no telling of what was done (WP-2). Asked again it
// changes nothing.
func (b *baseProof) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	gate := b.Gates[0]
	if slices.ContainsFunc(Gates(s, b.Task), func(r GateRecord) bool { return r.Command == gate.Command && r.Evidence == gate.Evidence }) {
		return &publish.Revision{}, nil
	}
	d := revise.New(s, revise.Who{Agent: b.Agent, Model: b.Model, Now: b.now})
	d.Note("Failure on the base",
		"What: the gate "+printable(quoteCode(gate.Command))+" of task "+strconv.Itoa(b.Task)+" fails on "+printable(revise.OneLine(b.base))+", too: the failure was there before the work",
		"Evidence: "+printable(revise.OneLine(gate.Evidence)),
		"With the work: "+printable(revise.OneLine(b.failure)),
		"Decisions: recorded and not escalated; it closes nothing without an amendment (WP-4)")
	r, err := d.Revision("gate run", "--on-base", strconv.Itoa(b.Task))
	if err != nil {
		return nil, err
	}
	r.Change = &b.Change
	return r, nil
}
