package turn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/work"
)

// This file: from the call to the plan as it stands under the lease, with everything finished that a dead turn left.

// parts are what a turn is put together from. Tests of the order of steps put others in their place.
type parts struct {
	ready   func(*plan.Snapshot) error
	before  func(*plan.Snapshot, int, []Record, Standing, []string) *Stop
	judge   func(Evidence) Judgement
	after   func(*Judgement, int, []Record) *Stop
	command func(*agent.Adapter, agent.Call) (runner.Command, error)
	report  func(*agent.Adapter, []byte) agent.Report
	run     func(context.Context, runner.Command) runner.Result
	// every ticks until it is stopped.
	every func(time.Duration) (tick <-chan time.Time, stop func())
	// orphans ends what still runs with this value of DWP_TURN and the plan's own DWP_PLAN, and returns how many processes that were.
	orphans func(mark string) (int, error)
}

// real are the parts of a turn outside tests.
func (t *Turn) real() parts {
	return parts{
		ready: Ready, before: StopBefore, judge: Judge, after: StopAfter,
		command: func(a *agent.Adapter, c agent.Call) (runner.Command, error) {
			if _, err := a.Find(); err != nil { // before anything is written
				return runner.Command{}, err
			}
			return a.Command(c)
		},
		report: func(a *agent.Adapter, output []byte) agent.Report { return a.Report(output) },
		run:    runner.Run,
		every: func(d time.Duration) (<-chan time.Time, func()) {
			ticker := time.NewTicker(d)
			return ticker.C, ticker.Stop
		},
		// A copy of the plan has the same records: what runs there is its own.
		orphans: func(mark string) (int, error) { return runner.EndByEnv("DWP_TURN="+mark, "DWP_PLAN="+t.Path) },
	}
}

// lookedAt is how many of the last records the rules are shown: S4 needs two of a task (UN-3).
const lookedAt = 16

// taking is a turn under way.
type taking struct {
	*Turn
	parts
	p     publish.Plan // its Turn is set as soon as the turn has a number: its writes are then fenced by the lease
	lease *disk.Lock
	out   Outcome

	n    int
	last []Record
	s    *plan.Snapshot
	// What the Resume Protocol and git tell.
	resumed    *work.Resumed
	task       *plan.TaskView
	facts      work.Facts
	mark       *git.Mark // nil without git
	configured string    // digest of the agents' configuration before the agent ran
}

func (t *Turn) taking() *taking {
	k := &taking{Turn: t, p: t.Plan}
	if k.parts = t.real(); t.parts != nil {
		k.parts = *t.parts
	}
	k.p.Owner.Agent, k.p.Owner.Fence = cmp.Or(t.Agent.Title, t.Agent.Name), disk.Fence{Queue: t.Queue, Number: t.Fence}
	return k
}

func (k *taking) warn(format string, args ...any) {
	k.out.Warnings = append(k.out.Warnings, fmt.Sprintf(format, args...))
}

// tell tells an event to who watches.
func (k *taking) tell(kind EventKind, format string, args ...any) {
	if k.Tell == nil {
		return
	}
	e := Event{Kind: kind, At: k.p.Now(), Turn: k.n, Text: revise.OneLine(fmt.Sprintf(format, args...))}
	if k.task != nil {
		e.Task, e.Title = k.task.ID, k.task.Title
	}
	k.Tell(e)
}

func (k *taking) mended(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	k.out.Mended = append(k.out.Mended, text)
	k.tell(Mended, "%s", text)
}

// who writes: the executing agent of the turn (PS-20).
func (k *taking) who() revise.Who {
	return revise.Who{Agent: cmp.Or(k.Agent.Title, k.Agent.Name), Model: k.Model, Now: k.p.Now()}
}

// asked reads the plan before anything is taken. over: there is nothing to do, and the answer is in out.
func (k *taking) asked(context.Context) (over bool, err error) {
	if err := k.read(); err != nil {
		return false, err
	}
	if k.last, err = Records(k.p.FS, lookedAt); err != nil {
		return false, err
	}
	if !k.resting() {
		return false, nil
	}
	lease, err := disk.InspectLease(k.p.FS, k.p.System)
	if err != nil {
		return false, err
	}
	return !lease.Stale() && !k.unsaid(), nil
}

// read reads the plan and demands that it is ready (UN-1).
func (k *taking) read() (err error) {
	if k.s, err = plan.Read(k.p.FS, k.p.Name); err != nil {
		return err
	}
	k.out.Blocked = blockerOf(k.s)
	return k.ready(k.s)
}

// resting reports whether the plan is complete, or blocked as a whole, and says so in out.
func (k *taking) resting() bool {
	switch o := k.s.Overview(); o.Hold {
	case plan.HoldCompleted:
		k.out.Result = PlanDone
	case plan.HoldBlocked:
		k.out.Result = PlanBlocked
	case plan.HoldNone:
		if !k.stopped() {
			return false
		}
		k.out.Result = PlanBlocked
	default:
		return false
	}
	return true
}

// stopped reports whether a stop of before holds still. A stop condition stops the plan (UN-3), where a question stops only what depends on
// it (UN-7); and one that found another blocker in its place holds as long as that does, or a driver would wake agents for ever (C97).
func (k *taking) stopped() bool {
	b := blockerOf(k.s)
	if b == nil {
		return false
	}
	if strings.HasPrefix(b.Reason, "[S") {
		return true
	}
	if len(k.last) == 0 {
		return false
	}
	r := &k.last[len(k.last)-1]
	return r.Stop != nil && r.Stop.Task != b.Task && !r.Ended.Before(b.Since.Value)
}

// unsaid reports whether the last turn was cut off before it had written all.
func (k *taking) unsaid() bool {
	if len(k.last) == 0 {
		return false
	}
	r := &k.last[len(k.last)-1]
	return r.Result == Open || worthTelling(r) && !noted(k.s, r.N)
}

// secrets are the values that are masked wherever they stand.
func (k *taking) secrets() (values []string) {
	for _, env := range k.Configured {
		values = append(values, env.Value)
	}
	return values
}

// take takes the lease. One whose owner is over is removed first (GU-10, UN-2).
func (k *taking) take(ctx context.Context) (err error) {
	k.lease, err = disk.AcquireLease(ctx, k.p.FS, k.p.Owner, k.p.System)
	if _, taken := errors.AsType[*disk.LockedError](err); !taken {
		return err
	}
	gone, err := disk.ReclaimLease(k.p.FS, k.p.Owner.Fence, k.p.System)
	for _, h := range gone {
		if h.Liveness == disk.Dead {
			k.mended("the lease of %v was removed: that process is gone", h.Owner)
		} else {
			k.mended("the lease of %v was removed: the queue gave the plan to a later turn", h.Owner)
		}
	}
	if err != nil {
		return err
	}
	k.lease, err = disk.AcquireLease(ctx, k.p.FS, k.p.Owner, k.p.System)
	return err
}

// held is the turn under its lease.
func (k *taking) held(ctx context.Context) error {
	k.tell(Woke, "the lease is taken")
	if err := k.tidy(ctx); err != nil || k.resting() {
		return err
	}
	if err := k.resume(ctx); err != nil || k.resting() {
		return err
	}
	if err := k.free(ctx); err != nil {
		return err
	}
	k.out.Result = ""
	if stop := k.hindered(); stop != nil {
		return k.stop(ctx, stop)
	}
	return k.hand(ctx)
}

// free demands that the state lock can be had: under a lock that stays, an agent costs money and can write nothing (C59). One that is held
// for a moment is waited for.
func (k *taking) free(ctx context.Context) error {
	if lock, err := disk.Inspect(k.p.FS, k.p.System); err != nil || !lock.Held {
		return err
	}
	lock, err := disk.Acquire(ctx, k.p.FS, k.p.Owner, k.p.Wait, k.p.System)
	if err != nil {
		return err
	}
	return lock.Release()
}

// tidy finishes what a turn left that is over, then reads the plan.
func (k *taking) tidy(ctx context.Context) (err error) {
	if k.last, err = Records(k.p.FS, lookedAt); err != nil {
		return err
	}
	if err := k.overtaken(); err != nil {
		return err
	}
	for i := range k.last {
		if k.last[i].Result == Open {
			if err := k.lose(&k.last[i]); err != nil {
				return err
			}
		}
	}
	if err := k.recover(ctx); err != nil {
		return err
	}
	if err := k.read(); err != nil || len(k.last) == 0 {
		return err
	}
	r := &k.last[len(k.last)-1]
	if !worthTelling(r) || noted(k.s, r.N) {
		return nil
	}
	finish := k.conclude
	if r.Run == nil { // no agent was woken: whether the stop still holds is decided anew
		finish = k.say
	}
	if err := finish(ctx, r); err != nil {
		return err
	}
	k.mended("the end of turn %d is in PROGRESS.md now", r.N)
	return k.read()
}

// lose closes the record of a turn whose process is gone. What it left running is ended before anything is read.
func (k *taking) lose(r *Record) error {
	ended, err := k.orphans(Mark(r.N, r.ID))
	if err != nil && !errors.Is(err, errors.ErrUnsupported) { // who is left there writes nothing: its lease is gone
		return err
	}
	r.Result, r.Ended = Lost, k.p.Now().UTC()
	if err := k.write(r); err != nil {
		return err
	}
	text := fmt.Sprintf("turn %d was lost: its process is gone", r.N)
	switch {
	case ended == 1:
		text += "; a process that it left was ended"
	case ended > 1:
		text += fmt.Sprintf("; %d processes that it left were ended", ended)
	}
	k.mended("%s", text)
	return nil
}

// Mark is the value of DWP_TURN in a turn.
func Mark(n int, lease string) string { return strconv.Itoa(n) + "-" + lease }

// overtaken refuses a number of a queue that gave the plan to a later turn since: who was held up on the way here has lost it, also when
// the later turn has ended and its lease is free (UN-2).
func (k *taking) overtaken() error {
	for i := range k.last {
		r := &k.last[i]
		if k.p.Owner.Fence.Before(disk.Fence{Queue: r.Queue, Number: r.Fence}) {
			return publish.RefuseBy(nil, "guard/turn-over", "number %d of the queue is over: turn %d had number %d", k.Fence, r.N, r.Fence)
		}
	}
	return nil
}

// recover removes a dead owner's lock, and finishes the operation or publication that was cut off. With nothing to do, no lock is taken.
func (k *taking) recover(ctx context.Context) error {
	lock, err := disk.Inspect(k.p.FS, k.p.System)
	if err != nil {
		return err
	}
	if !lock.Stale() && !k.stands(state.OperationMark) && !k.stands(state.FinalizeMark) {
		return nil
	}
	r, err := publish.Recover(ctx, k.p, nil)
	k.out.Warnings = append(k.out.Warnings, r.Warnings...)
	for _, h := range r.Reclaimed {
		k.mended("the lock of %v was removed: that process is gone", h.Owner)
	}
	if r.Operation != nil {
		k.mended("the operation %s is finished", strings.Join(append([]string{r.Operation.Name}, r.Operation.Args...), " "))
	}
	if r.Published {
		k.mended("the publication is finished")
	}
	if refused, no := errors.AsType[*publish.Refused](err); no { // for a person; the Resume Protocol stops there
		k.warn("%v", refused)
		return nil
	}
	return err
}

func (k *taking) stands(name string) bool {
	_, err := k.p.FS.Lstat(name)
	return err == nil
}

// resume goes through the Resume Protocol, and mends what it can (WP-1).
func (k *taking) resume(ctx context.Context) error {
	if k.survey(ctx); !mendable(k.resumed) {
		return nil
	}
	mend := &work.Mend{Who: k.who()}
	done, err := publish.Revise(ctx, k.p, update.Terms{Stateless: true}, k.fenced(mend.Decide))
	k.out.Warnings = append(k.out.Warnings, done.Warnings...)
	if refused, no := errors.AsType[*publish.Refused](err); no {
		k.warn("%v", refused)
		return nil
	}
	if err != nil || !done.Changed {
		return err
	}
	for _, g := range mend.Mended {
		k.mended("mended: %s", g.Message)
	}
	if err := k.read(); err != nil {
		return err
	}
	k.survey(ctx)
	return nil
}

func mendable(r *work.Resumed) bool {
	for _, g := range r.Gaps {
		if g.Mendable && (g.Kind == work.GapEntry || g.Kind == work.GapCount) {
			return true
		}
	}
	return false
}

// fenced is a decision that only the holder of the lease makes: who lost it writes nothing more (UN-2).
func (k *taking) fenced(decide publish.Decide) publish.Decide {
	return func(s *plan.Snapshot) (*publish.Revision, error) {
		if err := k.lease.Check(); err != nil {
			return nil, err
		}
		return decide(s)
	}
}

// survey gathers the facts and gives the account of where the plan stands.
func (k *taking) survey(ctx context.Context) {
	k.facts = work.Facts{Turned: Turned(k.last)}
	k.facts.Lock, _ = disk.Inspect(k.p.FS, k.p.System) // what can't be looked at stops the next write
	k.facts.Operation, _ = disk.Pending(k.p.FS)
	if f := k.s.Files[plan.QuestionsFile]; f != nil {
		k.facts.Questions = f.Data
	}
	k.askGit(ctx)
	k.resumed = work.Resume(k.s, k.facts)
	k.task = k.resumed.Task
}

// askGit asks where the work tree stands. Without git, or when it can't tell, a turn goes on without (AG-4).
func (k *taking) askGit(ctx context.Context) {
	if k.mark = nil; k.Repo == nil {
		return
	}
	mark, err := k.Repo.Mark(ctx)
	if err == nil {
		k.facts.History, err = k.Repo.History(ctx, work.HistoryDepth)
	}
	if err != nil {
		k.warn("the turn goes on without git: %v", err)
		return
	}
	k.mark, k.facts.Git, k.facts.DirtyCut = &mark, true, mark.Cut
	k.facts.Dirty = changedFiles(&mark)
	k.facts.Copies = work.Copies(k.Repo.Top, k.Path, k.s)
}

// maxTurns bounds the numbers of turns: a file that bears a higher one was put there by others, and none could follow it.
const maxTurns = 1 << 30

// number is the highest number that a turn of the plan has, whatever is left of it: none is given twice.
func (k *taking) number() int {
	entries, err := k.p.FS.ReadDir(Dir)
	if err != nil {
		return 0 // the folder is made, or found to be no folder, before the record is written
	}
	most := 0
	for _, e := range entries {
		digits, _, _ := strings.Cut(e.Name(), ".")
		if n, err := strconv.Atoi(digits); err == nil && n < maxTurns {
			most = max(most, n)
		}
	}
	return most
}

// write writes a record, durably, as long as the lease is ours.
func (k *taking) write(r *Record) error {
	if err := disk.MkdirAll(k.p.FS, Dir); err != nil {
		return err
	}
	return disk.WriteFile(k.p.FS, recordPath(r.N), r.Format(), disk.Options{Guard: k.lease.Check})
}
