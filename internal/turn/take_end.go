package turn

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
	"github.com/deepworkplan/dwp/internal/work"
)

// This file: from the agent's end to that of the turn.

// end judges what came of a turn, and writes it down. An interrupt that ended the agent doesn't cut this short.
func (k *taking) end(ctx context.Context, r *Record, res *runner.Result, said []byte) error {
	interrupted := ctx.Err() != nil
	ctx = context.WithoutCancel(ctx)
	before := k.s
	forged := k.forged(r)
	if err := k.keep(r, res, said); err != nil {
		return err
	}
	if err := k.recover(ctx); err != nil {
		return err
	}
	var err error
	if k.s, err = plan.Read(k.p.FS, k.p.Name); err != nil {
		return err
	}
	j, err := k.judged(ctx, r, before, res, forged)
	if err != nil {
		return err
	}
	if interrupted { // after the judgement: the agent's checkpoints are progress, this one is not
		if err := k.checkpoint(ctx, r); err != nil {
			return err
		}
	}
	k.settle(r, &j, interrupted)
	if err := k.write(r); err != nil {
		return err
	}
	if err := k.conclude(ctx, r); err != nil {
		return err
	}
	k.tell(Judged, "%s", lineOf(r))
	if r.Stop != nil {
		k.tell(Stopped, "[%s] %s", r.Stop.Condition, r.Stop.Reason)
	}
	if res.End == runner.NotStarted && r.Stop == nil {
		return &NotRun{k.Agent.Name, res.Reason}
	}
	return nil
}

// keep writes the agent's output, masked and cut as the runner has it, and notes how it ended.
func (k *taking) keep(r *Record, res *runner.Result, said []byte) error {
	told := k.report(k.Agent, said)
	told.Text, told.Conversation = k.clean(told.Text), k.clean(told.Conversation) // JSON may have spelled a secret otherwise than its mask knows
	r.Run = &Run{End: string(res.End), Code: res.Code, Duration: res.Duration, Cut: res.Cut,
		Report: Told{Conversation: told.Conversation, Failed: told.Failed, Text: clip(told.Text, 2000), Cost: told.Cost, HasCost: told.HasCost}}
	if len(res.Log) == 0 {
		return nil
	}
	name := path.Join(Dir, strconv.Itoa(r.N)+".log")
	if err := disk.WriteFile(k.p.FS, name, res.Log, disk.Options{Guard: k.lease.Check}); err != nil {
		return err
	}
	r.Run.Log, r.Run.LogSHA = name, state.Digest(res.Log)
	return nil
}

const interruptedIn = "interrupted in turn "

// checkpoint notes where a person ended the turn (PS-15). The step that the agent recorded is finer than what is known here: it stays.
func (k *taking) checkpoint(ctx context.Context, r *Record) error {
	if !slices.Contains(work.InProgress(k.s), r.Task) {
		return nil
	}
	text := interruptedIn + strconv.Itoa(r.N)
	c := &work.Checkpoint{Who: k.who(), Task: r.Task, Step: text, Configured: k.Configured}
	if old := k.s.State.Checkpoint; old != nil && old.Task == r.Task && old.Step != "" && !strings.HasPrefix(old.Step, interruptedIn) {
		note, _, _ := strings.Cut(old.Note, "; "+interruptedIn)
		c.Step, c.Note = old.Step, strings.TrimPrefix(clip(note, 400)+"; "+text, "; ")
	}
	_, err := publish.Revise(ctx, k.p, update.Terms{}, c.Decide)
	if err == nil {
		return nil
	}
	refused, err := k.refusedOf(err)
	if err == nil {
		k.warn("no checkpoint is recorded: %v", refused)
	}
	return err
}

// refusedOf is the refusal of a change that a turn can do without. Any other error comes back, and so does the loss of the lease: who lost
// it is refused as everybody is, but has nothing more to say of the plan (UN-2, C65).
func (k *taking) refusedOf(err error) (*publish.Refused, error) {
	refused, no := errors.AsType[*publish.Refused](err)
	if !no {
		return nil, err
	}
	return refused, k.lease.Check()
}

// forged names the records that are not as this turn found or wrote them: nobody else writes any while it holds the lease.
func (k *taking) forged(r *Record) (names []string) {
	numbers, err := Numbers(k.p.FS)
	if err != nil {
		return []string{Dir}
	}
	left := map[int]*Record{r.N: r}
	first := r.N // those before the ones that were read count for nothing
	for i := range k.last {
		left[k.last[i].N], first = &k.last[i], min(first, k.last[i].N)
	}
	for _, n := range numbers {
		was := left[n]
		delete(left, n)
		if n < first {
			continue
		}
		if is, err := ReadRecord(k.p.FS, n); err != nil || was == nil || !bytes.Equal(is.Format(), was.Format()) {
			names = append(names, recordPath(n))
		}
	}
	for _, n := range slices.Sorted(maps.Keys(left)) { // taken away
		names = append(names, recordPath(n))
	}
	return names
}

// judged gathers the evidence and judges it. The agent's words are no part of it (UN-2).
func (k *taking) judged(ctx context.Context, r *Record, before *plan.Snapshot, res *runner.Result, forged []string) (Judgement, error) {
	e := Evidence{Before: before, After: k.s, Began: r.Before, Faults: k.faults(before, k.s), Task: r.Task, End: res.End, Observed: k.Observed, Forged: forged}
	e.Root, e.Reconfigured = k.root(), k.configurationNow() != k.configured
	var err error
	if e.States, err = publish.States(k.p.FS, r.N, r.Before.StateSHA256); err != nil {
		return Judgement{}, err
	}
	if e.States == nil {
		e.States = []string{} // it is known that there are none
	}
	mark := k.mark
	if mark != nil {
		since, err := k.Repo.Since(ctx, *mark)
		if err == nil {
			now, failed := k.Repo.Mark(ctx)
			mark, err = &now, failed
		}
		if err != nil {
			e.Unseen, mark = err.Error(), nil
		} else {
			e.Git, e.Commits, e.Cut, e.Rewound, e.Stranded = true, since.Commits, since.Cut, since.Rewound, k.stranded(ctx, r.Task)
			for _, c := range since.Changes {
				e.Changes = append(e.Changes, Change{c.Path, c.Kind})
			}
		}
	}
	r.After = standing(k.s, mark)
	j := k.judge(e)
	k.mask(&j)
	return j, nil
}

// stranded reports whether a task records a commit that is not in what is checked out. What git can't tell is not held against it.
func (k *taking) stranded(ctx context.Context, task int) bool {
	o := k.s.Overview()
	t := taskIn(&o, task)
	if t.Entry == nil || t.Entry.Commit == "" {
		return false
	}
	reached, err := k.Repo.Reached(ctx, t.Entry.Commit)
	return err == nil && !reached
}

// root is the folder that holds .dwp, as a slash path in the work tree; "" for its top, and for plans that are kept elsewhere.
func (k *taking) root() string {
	plans := filepath.Dir(k.Path)
	if k.Repo == nil || filepath.Base(filepath.Dir(plans)) != ".dwp" {
		return ""
	}
	root, err := filepath.Rel(k.Repo.Top, filepath.Dir(filepath.Dir(plans)))
	if err != nil || root == "." || !filepath.IsLocal(root) {
		return ""
	}
	return filepath.ToSlash(root)
}

// faults are the must rules that the plan breaks more often than before.
func (k *taking) faults(before, after *plan.Snapshot) []Finding {
	opt := verify.Options{Now: k.p.Now(), InGit: k.p.InGit}
	had := map[string]int{}
	for _, f := range verify.Plan(before, opt).Findings {
		if f.Level == rule.Must {
			had[f.Rule] += max(1, f.Count)
		}
	}
	var list []Finding
	for _, f := range verify.Plan(after, opt).Findings {
		if f.Level != rule.Must {
			continue
		}
		if had[f.Rule] -= max(1, f.Count); had[f.Rule] < 0 {
			list = append(list, Finding{f.Rule, f.Message})
		}
	}
	return list
}

// settle puts the judgement into the record, with the condition that stops the plan.
func (k *taking) settle(r *Record, j *Judgement, interrupted bool) {
	stop := j.Stop
	if stop == nil && !interrupted { // a turn that a person ended proves no lack of progress
		stop = k.after(j, r.Task, k.last)
	}
	r.Ended, r.Gained, r.Surface, r.Findings, r.Stop, r.Result = k.p.Now().UTC(), j.Gained, j.Surface, j.Findings, stop, j.Result
	switch {
	case stop != nil:
		r.Result = StoppedNow
	case interrupted && j.Result != Completed && j.Result != Blocked:
		r.Result = Interrupted
	}
	k.out.Result, k.out.Stop, k.out.Record, k.out.Blocked = r.Result, r.Stop, r, blockerOf(k.s)
}

// stop records that a condition holds which keeps an agent from being woken. Asked again, with nothing changed, it is the same stop, and not a
// byte changes (C97).
func (k *taking) stop(ctx context.Context, stop *Stop) error {
	k.out.Result, k.out.Stop = StoppedNow, stop
	if n := len(k.last); n > 0 {
		if r := &k.last[n-1]; r.Result == StoppedNow && r.Run == nil && r.Stop != nil && *r.Stop == *stop {
			k.n, k.out.Record = r.N, r
			return k.conclude(ctx, r)
		}
	}
	k.n = k.number() + 1
	k.p.Turn = &publish.Caller{Turn: k.n, Lease: k.lease.Owner().ID}
	r := k.opened(stop.Task)
	r.Result, r.Stop, r.Ended, r.After = StoppedNow, stop, r.Started, r.Before
	if err := k.write(r); err != nil {
		return err
	}
	k.out.Record = r
	k.tell(Stopped, "[%s] %s", stop.Condition, stop.Reason)
	return k.conclude(ctx, r)
}

// worthTelling reports whether PROGRESS.md has a line about a turn: something happened.
func worthTelling(r *Record) bool {
	return r.Result != Open && r.Result != NoProgress || r.Gained.Any()
}

// noteTitle is the heading of a turn in PROGRESS.md. It names no task, so that nobody takes it for a task's entry.
func noteTitle(n int) string { return "Turn " + strconv.Itoa(n) }

// noted reports whether PROGRESS.md tells a turn.
func noted(s *plan.Snapshot, n int) bool {
	if s.Progress == nil {
		return false
	}
	title := noteTitle(n)
	return slices.ContainsFunc(s.Progress.Sections, func(section planmd.Section) bool {
		head := strings.TrimSpace(strings.TrimLeft(s.Progress.Text(section.Head), "# "))
		_, rest, _ := strings.Cut(head, " ")
		return strings.TrimSpace(rest) == title
	})
}

// conclude writes what the record of a turn demands of the plan's files: one line in PROGRESS.md and the blocker, in one operation. What
// stands already is not written again.
func (k *taking) conclude(ctx context.Context, r *Record) error {
	if !worthTelling(r) {
		return nil
	}
	if r.Stop != nil {
		done, err := publish.Revise(ctx, k.p, update.Terms{}, k.fenced(func(s *plan.Snapshot) (*publish.Revision, error) { return k.block(s, r) }))
		if err == nil {
			return k.concluded(done)
		}
		refused, err := k.refusedOf(err)
		if err != nil {
			return err
		}
		k.warn("the task is not blocked: %v", refused)
	}
	return k.say(ctx, r)
}

// say writes the line of PROGRESS.md alone.
func (k *taking) say(ctx context.Context, r *Record) error {
	done, err := publish.Revise(ctx, k.p, update.Terms{}, k.fenced(func(s *plan.Snapshot) (*publish.Revision, error) { return k.note(s, r) }))
	if err == nil {
		return k.concluded(done)
	}
	refused, err := k.refusedOf(err)
	if err == nil {
		k.warn("PROGRESS.md has no line of turn %d: %v", r.N, refused)
	}
	return err
}

// concluded looks at the blocker that stands now.
func (k *taking) concluded(done publish.Done) error {
	k.out.Warnings = append(k.out.Warnings, done.Warnings...)
	if !done.Changed {
		return nil
	}
	s, err := plan.Read(k.p.FS, k.p.Name)
	if err != nil {
		return err
	}
	k.out.Blocked = blockerOf(s)
	return nil
}

// block blocks the task that a turn stopped at, or the next one that is open: what is completed stays so. Where nothing can be blocked, there
// is the line alone.
func (k *taking) block(s *plan.Snapshot, r *Record) (*publish.Revision, error) {
	task := blockable(s, r.Stop.Task)
	if task == 0 || s.State == nil || s.State.Blocked != nil && s.State.Blocked.Task == task {
		return k.note(s, r)
	}
	b := &work.Block{Who: k.who(), Task: task, Class: string(r.Stop.Condition), Reason: blockReason(r.Stop),
		Needs: clip(revise.OneLine(r.Stop.Needs), 500), Configured: k.Configured}
	if !noted(s, r.N) {
		b.Title, b.Bullets = noteTitle(r.N), []string{lineOf(r)}
	}
	return b.Decide(s)
}

// blockable is the task to block so that the plan stops: the one that is meant, else the next, else the first that is open; 0 for none.
func blockable(s *plan.Snapshot, meant int) int {
	o := s.Overview()
	first := 0
	for i := range o.Tasks {
		t := &o.Tasks[i]
		if t.Checked || t.Status == state.Completed || t.Status == state.Skipped {
			continue
		}
		if t.ID == meant {
			return meant
		}
		if first == 0 {
			first = t.ID
		}
	}
	if o.Next != 0 {
		return o.Next
	}
	return first
}

// note is the line of PROGRESS.md alone (UN-2). A published plan takes it: its receipt covers what PROGRESS.md said before (VP-5).
func (k *taking) note(s *plan.Snapshot, r *Record) (*publish.Revision, error) {
	if noted(s, r.N) {
		return &publish.Revision{}, nil
	}
	d := revise.New(s, k.who())
	d.Note(noteTitle(r.N), lineOf(r))
	return d.Revision("turn", strconv.Itoa(r.N))
}

// lineOf tells a turn in one line: "claude, task 3: completed; 2 gates pass, 1 commit".
func lineOf(r *Record) string {
	text := r.Agent
	if r.Model != "" {
		text += " (" + r.Model + ")"
	}
	if r.Task != 0 {
		text += ", task " + strconv.Itoa(r.Task)
	}
	text += ": " + resultWords(r)
	if gained := GainedWords(&r.Gained); gained != "" {
		text += "; " + gained
	}
	if r.Stop != nil {
		text += "; [" + string(r.Stop.Condition) + "] " + clip(revise.OneLine(r.Stop.Reason), 300)
	}
	return plain(text)
}

// resultWords says how a turn ended.
func resultWords(r *Record) string {
	switch r.Result {
	case Progress:
		return "further, not completed"
	case NoProgress:
		return "no verifiable progress"
	case StoppedNow:
		if r.Gained.Completed {
			return "completed, and stopped"
		}
		return "stopped"
	case Lost:
		return "lost, its process was gone before its end"
	case Interrupted:
		return "interrupted by a person"
	}
	return string(r.Result)
}

// GainedWords sums up what a turn gained, beside the completion: "2 gates pass, 1 commit"; "" for nothing.
func GainedWords(g *Gained) string {
	var list []string
	count := func(n int, one, many string) {
		switch {
		case n == 1:
			list = append(list, "1 "+one)
		case n > 1:
			list = append(list, strconv.Itoa(n)+" "+many)
		}
	}
	count(len(g.Gates), "gate passes", "gates pass")
	count(len(g.Commits), "commit", "commits")
	count(g.Criteria, "criterion ticked", "criteria ticked")
	if g.Checkpoint {
		list = append(list, "checkpoint moved")
	}
	return strings.Join(list, ", ")
}

// clip cuts a text to so many bytes, between two characters.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	cut := most - len("...")
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}
