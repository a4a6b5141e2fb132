package turn

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/work"
)

// This file: what hinders a turn, and the run of the agent.

// hindered is the stop condition that holds before an agent is woken; nil when none does (UN-3).
func (k *taking) hindered() *Stop {
	if k.resumed.Verdict != work.GoOn || k.task == nil {
		return k.masked(k.unclear())
	}
	return k.masked(k.before(k.s, k.task.ID, k.last, standing(k.s, k.mark), k.facts.Dirty))
}

// unclear is S3: the plan's files don't agree, or only a person can tell what they mean (WP-1).
func (k *taking) unclear() *Stop {
	stop := &Stop{Condition: S3, Rule: "turn/desync", Reason: "no task may start: " + string(k.resumed.View.Hold),
		Needs: "dwp resume tells where the plan stands; mend what it names"}
	if k.task != nil {
		stop.Task = k.task.ID
	}
	switch r := k.resumed; {
	case len(r.Gaps) > 0:
		stop.Reason = "something was left half done: " + r.Gaps[0].Message
		if command := r.Gaps[0].Command; command != "" {
			stop.Needs = command
		}
	case len(r.Doubts) > 0 && r.Doubts[0].Kind == "copy":
		stop.Reason = "another work tree has a newer copy of the plan: " + r.Doubts[0].Path
		stop.Needs = "say which of the two goes on"
	case len(r.Doubts) > 0:
		stop.Reason = "a commit names task " + strconv.Itoa(r.Doubts[0].Task) + ", which was never begun"
		stop.Needs = "say whether it is done; dwp resume shows the commits"
	}
	return stop
}

// changedFiles are the files that a mark names, in order.
func changedFiles(m *git.Mark) []string { return slices.Sorted(maps.Keys(m.Files)) }

// call is what the agent is started with.
func (k *taking) call(promptFile string) agent.Call {
	max := k.MaxTime.String()
	b := Brief{Snapshot: k.s, Resumed: account(k.resumed), Task: k.task.ID, Turn: k.n, Dwp: k.Dwp, Plan: k.p.Name, Dir: k.Path, MaxTime: max,
		Last: k.lastOf(k.task.ID), Git: k.mark != nil, Questions: k.resumed.Questions}
	if rel, err := filepath.Rel(k.Dir, k.Path); err == nil && filepath.IsLocal(rel) {
		b.Dir = filepath.ToSlash(rel)
	}
	set := []string{"DWP_PLAN=" + k.Path, "DWP_AGENT=" + k.Agent.Name, "AI_AGENT=" + cmp.Or(k.Agent.Title, k.Agent.Name), "PWD=" + k.Dir}
	if k.lease != nil {
		set = append(set, "DWP_TURN="+Mark(k.n, k.lease.Owner().ID))
	}
	return agent.Call{Prompt: Prompt(b), PromptFile: promptFile, Model: k.Model, Resume: k.conversation(), Env: k.Env, Set: set}
}

// conversation is the one to go on with; "" for a new one.
func (k *taking) conversation() string {
	if k.Resume != "" || !k.GoOn || len(k.Agent.Resume) == 0 {
		return k.Resume
	}
	if r := k.lastOf(k.task.ID); r != nil && r.Agent == k.Agent.Name && r.Run != nil {
		return r.Run.Report.Conversation
	}
	return ""
}

// lastOf is the last turn of a task; nil for none.
func (k *taking) lastOf(task int) *Record {
	for i := range slices.Backward(k.last) {
		if k.last[i].Task == task {
			return &k.last[i]
		}
	}
	return nil
}

// promptFile is where the prompt lies for an agent that reads it from a file; "" for another.
func (k *taking) promptFile() string {
	if k.Agent.Input != agent.File {
		return ""
	}
	return path.Join(Dir, strconv.Itoa(k.n)+".prompt.md")
}

// hand hands the task to the agent, and sees what comes of it.
func (k *taking) hand(ctx context.Context) error {
	k.n = k.number() + 1
	owner := k.lease.Owner()
	k.p.Turn = &publish.Caller{Turn: k.n, Lease: owner.ID}
	file := k.promptFile()
	call := k.call(filepath.Join(k.Path, filepath.FromSlash(file)))
	cmd, err := k.command(k.Agent, call)
	if err != nil {
		return k.notRun(err)
	}
	r := k.opened(k.task.ID)
	r.Result, r.Untidy = Open, k.untidy()
	if err := k.write(r); err != nil {
		return err
	}
	k.out.Record = r
	if file != "" {
		if err := disk.WriteFile(k.p.FS, file, []byte(call.Prompt), disk.Options{Guard: k.lease.Check}); err != nil {
			return err
		}
	}
	k.tell(Handed, "task %d is handed to %s", k.task.ID, k.Agent.Name)
	k.configured = k.configurationNow()
	res, said, err := k.wake(ctx, cmd)
	// Who left the agent's group goes, too, a lease that is lost or not: the later turn may be on another machine, and ends nobody here.
	if _, left := k.orphans(Mark(r.N, r.ID)); left != nil && !errors.Is(left, errors.ErrUnsupported) {
		k.warn("processes of the turn may be left: %v", left)
	}
	if err != nil {
		return err
	}
	k.tell(Returned, "%s: %s", k.Agent.Name, endWords(&res))
	return k.end(ctx, r, &res, said)
}

// untidy are the files that are somebody else's: not committed as the task begins. A later turn of the task has those of the one before that
// still are so, for what its own turns left is its own; and after a turn that was cut off nobody can tell.
func (k *taking) untidy() []string {
	if before := k.lastOf(k.task.ID); before != nil {
		return slices.DeleteFunc(slices.Clone(before.Untidy), func(f string) bool { return !slices.Contains(k.facts.Dirty, f) })
	}
	if k.facts.DirtyCut || k.task.Entry == nil || k.task.Entry.Status != state.Pending {
		return nil
	}
	own := map[string]bool{}
	for i := range k.last {
		r := &k.last[i]
		if r.Result == Lost || r.Result == Interrupted {
			return nil
		}
		for _, f := range r.Surface.Changed {
			own[f] = true
		}
	}
	planned, _ := surfaceOf(k.task)
	n := newNamed(planned)
	delete(n.exact, ".")
	var list []string
	for _, entry := range k.facts.Dirty {
		file, folder := strings.CutSuffix(entry, "/")
		if len(list) < maxListed && !own[file] && !inPlans(file) && !n.covers(file) && !(folder && ownsBelow(own, file)) {
			list = append(list, entry)
		}
	}
	return list
}

// configurationNow is the digest of the file that names the agents' programs; "" without one, or when it is no plain file, and then nothing
// is run by it.
func (k *taking) configurationNow() string {
	name := filepath.Join(filepath.Dir(filepath.Dir(k.Path)), agent.ConfigName)
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > agent.MostConfig {
		return ""
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return state.Digest(data)
}

// opened is the record of a turn that begins now.
func (k *taking) opened(task int) *Record {
	owner := k.lease.Owner()
	r := &Record{N: k.n, ID: owner.ID, Plan: k.p.Name, Task: task, Agent: k.Agent.Name, Model: k.Model, Queue: k.Queue, Fence: k.Fence,
		Started: k.p.Now().UTC(), Process: owner.Process, Before: standing(k.s, k.mark)}
	return r
}

// standing is where plan and work tree stand.
func standing(s *plan.Snapshot, m *git.Mark) Standing {
	st := Standing{StateSHA256: digest(s, state.StateFile), ReadmeSHA256: digest(s, "README.md")}
	if m != nil {
		st.Head, st.Dirty = m.Commit, len(m.Files)
	}
	return st
}

func digest(s *plan.Snapshot, name string) string {
	if f := s.Files[name]; f != nil {
		return f.SHA256()
	}
	return ""
}

// leasePause is how often the lease is looked at while an agent runs: an agent that lost its plan to another machine works in vain for no
// longer than that. Its writes are refused at once.
const leasePause = 5 * time.Second

// wake runs the agent, and ends it when the lease is lost. said is what it printed on standard output, the end of it at least. After an
// error nothing more may be written.
func (k *taking) wake(ctx context.Context, cmd runner.Command) (res runner.Result, said []byte, err error) {
	cmd.Dir, cmd.Timeout, cmd.Now, cmd.WithParent = k.Dir, k.MaxTime, k.p.Now, true
	cmd.Secrets = k.secrets()
	out := &spoken{live: k.Output}
	cmd.Stdout, cmd.Stderr = out, k.Output

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tick, stop := k.every(leasePause)
	defer stop()
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for {
			select {
			case <-done:
				return
			case <-tick:
				if errors.Is(k.lease.Check(), disk.ErrLockLost) { // what can't be told now is asked again
					cancel()
				}
			}
		}
	}()
	res = k.run(ctx, cmd)
	close(done)
	<-watched
	return res, out.kept.Bytes(), k.lease.Check()
}

// spokenMost bounds how much of an agent's own account is read: that of a run stands at its end.
const spokenMost = 4 << 20

// spoken keeps the end of what an agent prints on standard output, and passes all of it on.
type spoken struct {
	live io.Writer // nil when nobody watches, or watches any more
	kept bytes.Buffer
}

func (s *spoken) Write(p []byte) (int, error) {
	if s.kept.Len()+len(p) > 2*spokenMost {
		s.kept.Next(max(0, s.kept.Len()-spokenMost))
	}
	s.kept.Write(p[max(0, len(p)-spokenMost):])
	if s.live != nil {
		if _, err := s.live.Write(p); err != nil {
			s.live = nil
		}
	}
	return len(p), nil // who watches may go; the account is kept all the same
}

// endWords says how an agent ended.
func endWords(res *runner.Result) string {
	switch {
	case res.End == runner.Exited:
		return "exit code " + strconv.Itoa(res.Code)
	case res.Reason != "":
		return res.Reason
	}
	return string(res.End)
}
