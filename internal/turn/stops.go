package turn

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/work"
)

// StopBefore decides whether a turn may begin at all: S2 to S4 as the plan, git and the last turns tell (UN-3). last are the last turns'
// records, the newest last; now is where plan and work tree stand; dirty are the files of the work tree that are not committed, nil when that
// is not known. It is pure. A blocker that stands is no stop of this turn: the caller reports it and yields (C97).
func StopBefore(s *plan.Snapshot, task int, last []Record, now Standing, dirty []string) *Stop {
	o := s.Overview()
	if stop := unheld(s, &o, last); stop != nil {
		return stop
	}
	t := taskIn(&o, task)
	for _, stop := range []*Stop{held(s, &o), person(s, t), unread(s, t), concurrent(t, last, dirty)} {
		if stop != nil {
			stop.Task = task
			return stop
		}
	}
	if n, ends := fruitless(last, task, now); n >= 2 {
		return &Stop{Condition: S4, Rule: "turn/no-progress", Task: task, Needs: line(needsProgress), Reason: line(noProgress(n, ends))}
	}
	return nil
}

// unheld is the stop of the last turn that ran, when no task was blocked for it: another task's blocker stood there, and a plan has place for
// one. Once the blocker is written, the log of its task tells it, and whoever resolves it lets the plan go on (GU-5).
func unheld(s *plan.Snapshot, o *plan.Overview, last []Record) *Stop {
	i := len(last) - 1
	for i >= 0 && last[i].Run == nil && last[i].Stop != nil { // the same stop, told again
		i--
	}
	if i < 0 || last[i].Stop == nil || s.State == nil {
		return nil
	}
	stop := last[i].Stop
	task := blockable(s, stop.Task)
	if task == 0 || s.State.Blocked != nil && s.State.Blocked.Task == task {
		return nil
	}
	logged, told := false, "["+string(stop.Condition)+"] "+blockReason(stop)
	for i := range o.Tasks {
		t := &o.Tasks[i]
		if t.Record == nil || t.Doc == nil {
			continue
		}
		if section := t.Record.Section(planmd.CompletionLog); section != nil {
			logged = logged || t.ID == task
			if strings.Contains(revise.OneLine(t.Doc.Text(section.Body)), told) {
				return nil
			}
		}
	}
	if !logged { // it can't be told
		return nil
	}
	return stop
}

// blockReason is the reason of a stop as a blocker has it, without its class (PS-16).
func blockReason(s *Stop) string { return clip(revise.OneLine(s.Reason), 900) }

// held are the faults of a plan in which no task may begin, and that no turn mends (PS-18, PS-22, C25).
func held(s *plan.Snapshot, o *plan.Overview) *Stop {
	stop := func(c Condition, rule, reason, needs string) *Stop {
		return &Stop{Condition: c, Rule: rule, Reason: line(reason), Needs: needs}
	}
	switch o.Hold {
	case plan.HoldNewer:
		return stop(S3, "turn/standard", "the plan is not one that this dwp knows: "+s.Foreign(), "a dwp that knows the plan's standard")
	case plan.HoldMalformed, plan.HoldNoTasks:
		return stop(S3, "turn/malformed", "a file of the plan that work needs can't be read, or lists no tasks", "mend what dwp verify names")
	case plan.HoldUnapproved:
		return stop(S2, "turn/approval", "the plan's approval does not stand any more", "a person approves the plan's scope with dwp approve")
	case plan.HoldAmbiguous:
		return stop(S3, "turn/duplicates", "a task number stands twice", "give each task its own number; dwp verify names the places")
	case plan.HoldDesync:
		return stop(S3, "turn/desync", "README.md and state.json disagree about what is done", "reconcile the plan with dwp reconcile")
	case plan.HoldDependences:
		return stop(S3, "turn/stuck", "the open tasks wait for each other", "a person mends their dependencies with dwp refine")
	case plan.HoldSkipped:
		return stop(S3, "turn/stuck", "only skipped tasks are left", "a person archives them with dwp refine")
	}
	if !work.Approved(s) {
		return stop(S2, "turn/approval", "README.md and state.json don't both say that the plan is approved", "a person approves the plan's scope with dwp approve")
	}
	return nil
}

// person is what the task waits for of a person: an answer, or an approval that is all that is left (UN-6, UN-7).
func person(s *plan.Snapshot, t *plan.TaskView) *Stop {
	asked, err := work.Questions(s)
	if err != nil {
		return &Stop{Condition: S3, Rule: "turn/malformed", Reason: line("the plan's questions can't be read: " + err.Error()), Needs: "mend " + plan.QuestionsFile}
	}
	for i := range asked {
		if q := &asked[i]; q.Open() && holdsUp(q, t.ID) {
			return questionStop(q)
		}
	}
	if g := waitsForPerson(s, t); g != nil {
		return &Stop{Condition: S2, Rule: "turn/human-gate", Reason: line(fmt.Sprintf("all that is left of task %d is a person's approval: %s", t.ID, g.Text)),
			Needs: "the person whom the criterion names decides, and the answer is recorded"}
	}
	return nil
}

// questionStop names the question as its own blocker would, so that the answer resolves it (GU-5).
func questionStop(q *work.Asked) *Stop {
	name, needs := q.ID, "a person's answer to "+q.ID
	if name == "" {
		name, needs = "Question", "a person's answer in "+plan.QuestionsFile
	}
	if q.Default != "" {
		needs += "; recommended: " + q.Default
	}
	return &Stop{Condition: S2, Rule: "turn/question", Reason: line(name + ": " + cmp.Or(q.Escalation.Question, q.Title)), Needs: line(needs)}
}

// holdsUp reports whether a question is critical for a task: it blocks the task or one that it depends on, or would, had another blocker
// not stood before it (UN-7). One that was written by hand, says nothing of what it blocks, and is a person's own act is critical for its
// task. A question that can wait holds up nothing, and neither does one whose blocker was resolved: that was a person (GU-5).
func holdsUp(q *work.Asked, task int) bool {
	if slices.Contains(q.Holds, task) {
		return true
	}
	own := !q.Blocking && task != 0 && q.Task == task
	return own && (strings.HasPrefix(q.Blocks, "nothing yet") || q.Blocks == "" && q.Gate())
}

// unread names a file of the plan that the task's reader is sent to and that is not there (PD-5).
func unread(s *plan.Snapshot, t *plan.TaskView) *Stop {
	if t.Record == nil || t.Doc == nil || t.File == "" || s.Cut {
		return nil
	}
	section := t.Record.Section(planmd.Reads)
	if section == nil {
		return nil
	}
	for _, link := range t.Doc.Links() {
		if link.At.Start < section.Body.Start || link.At.End > section.Body.End || link.Target == "" {
			continue
		}
		if file, inside := inPlan(t.File, link.Target); inside {
			if _, there := s.Nodes[file]; !there {
				return &Stop{Condition: S3, Rule: "turn/missing-file", Reason: line(fmt.Sprintf("task %d is to be begun with reading %s, which is not in the plan", t.ID, file)),
					Needs: "put the file back, or amend the task"}
			}
		}
	}
	return nil
}

// inPlan is the file of the plan that a link leads to. What leads out of it, to the network or to a place in the same document is none:
// nothing can be told about it from here.
func inPlan(from, target string) (string, bool) {
	target, _, _ = strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	if target == "" || strings.ContainsAny(target, ":%\\{") || strings.HasPrefix(target, "/") {
		return "", false
	}
	file := path.Join(path.Dir(from), target)
	// A link of a README often means the repository's own file; only names that plans use are surely the plan's.
	own := strings.HasPrefix(file, "analysis_results/") || strings.Contains(file, ".task_")
	return file, own && file != ".." && !strings.HasPrefix(file, "../")
}

// concurrent finds files that the task names and that somebody is changing (UN-3). A tree may be untidy: only files that overlap with what
// the task plans count, only while it has not begun, and only when no turn left them: one that was cut off, or whose record names not all that it
// changed, may have left anything.
func concurrent(t *plan.TaskView, last []Record, dirty []string) *Stop {
	if len(dirty) == 0 || t.Entry == nil || t.Entry.Status != state.Pending {
		return nil
	}
	own := map[string]bool{}
	for i := range last {
		r := &last[i]
		if r.Result == Open || r.Result == Lost || r.Result == Interrupted || r.Task == t.ID || len(r.Surface.Changed) > maxListed {
			return nil
		}
		for _, file := range r.Surface.Changed {
			own[file] = true
		}
	}
	planned, _ := surfaceOf(t)
	n := newNamed(planned)
	delete(n.exact, ".") // "the whole repository" is no claim on any file
	clear(n.bases)       // nor is a name without its folder one on each of that name
	var found []string
	for _, entry := range dirty {
		file, folder := strings.CutSuffix(entry, "/")
		if !own[file] && !inPlans(file) && n.covers(file) && !(folder && ownsBelow(own, file)) {
			found = append(found, file)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return &Stop{Condition: S3, Rule: "turn/concurrent", Needs: "commit these changes or put them away",
		Reason: line(fmt.Sprintf("task %d has not begun, and files that it names have changes that no turn made and nobody committed: %s", t.ID, few(found)))}
}

// ownsBelow reports whether a folder that is untracked as a whole holds a file that a turn made.
func ownsBelow(own map[string]bool, folder string) bool {
	for file := range own {
		if strings.HasPrefix(file, folder+"/") {
			return true
		}
	}
	return false
}

// StopAfter decides whether the plan stops after a turn that was judged, by the last turns before it (S1, S4). It is pure. last are the
// records before this turn's, the newest last.
func StopAfter(j *Judgement, task int, last []Record) *Stop {
	switch {
	case j.Stop != nil:
		return j.Stop
	case j.Result == Completed || j.Result == Blocked:
		return nil
	}
	if stop := failsAgain(j, task, last); stop != nil {
		return stop
	}
	if j.Gained.Any() {
		return nil
	}
	n, ends := fruitless(last, task, j.Began)
	if n == 0 {
		return nil
	}
	return &Stop{Condition: S4, Rule: "turn/no-progress", Task: task, Needs: line(needsProgress), Reason: line(noProgress(n+1, append(ends, string(j.End))))}
}

// failsAgain: a gate fails at the end of two turns in a row, and nothing new is known: no other gate passes now, and no criterion was
// ticked. Commits and checkpoints are attempts, not evidence (WP-4).
func failsAgain(j *Judgement, task int, last []Record) *Stop {
	if len(j.Gained.Gates) > 0 || j.Gained.Criteria > 0 {
		return nil
	}
	before := previous(last, task)
	if before == nil {
		return nil
	}
	failed := map[string]bool{}
	for _, f := range before.Findings {
		failed[f.Message] = failed[f.Message] || f.ID == "turn/gate-failing"
	}
	for _, f := range j.Findings {
		if f.ID == "turn/gate-failing" && failed[f.Message] {
			return &Stop{Condition: S1, Rule: f.ID, Task: task, Reason: line("a gate failed at the end of two turns in a row: " + f.Message),
				Needs: "look at the gate's log, which dwp gate list names: the cause may lie outside the task, or the gate be the wrong one"}
		}
	}
	return nil
}

// previous is the turn before on the same task, when nobody stopped the plan since: whoever unblocked it changed something. Turns that a
// person ended are passed over.
func previous(last []Record, task int) *Record {
	for i := len(last) - 1; i >= 0; i-- {
		switch r := &last[i]; {
		case r.Result == Interrupted && r.Task == task:
		case r.Task != task || r.Stop != nil || r.Result == Blocked || r.Result == StoppedNow:
			return nil
		default:
			return r
		}
	}
	return nil
}

// fruitless counts the last turns in a row on a task that brought nothing, and how their agents ended. A turn that a person ended counts
// neither way; one that was lost counts, unless the plan or the history moved meanwhile: now, or, when that is not known, as the next turn
// found them. Whatever stopped the plan begins the count anew: somebody let it go on.
func fruitless(last []Record, task int, now Standing) (n int, ends []string) {
	for i := len(last) - 1; i >= 0; i-- {
		r := &last[i]
		switch {
		case r.Task != task || r.Stop != nil || r.Gained.Any():
			return n, ends
		case r.Result == Interrupted:
		case r.Result == NoProgress, (r.Result == Lost || r.Result == Open) && !moved(&r.Before, &now):
			n++
			if r.Run != nil {
				ends = append(ends, r.Run.End)
			}
		default:
			return n, ends
		}
		now = r.Before
	}
	return n, ends
}

// moved compares what is known of both: a digest or a commit that differs is work that a lost turn left.
func moved(was, now *Standing) bool {
	differs := func(a, b string) bool { return a != "" && b != "" && a != b }
	return differs(was.StateSHA256, now.StateSHA256) || differs(was.ReadmeSHA256, now.ReadmeSHA256) || differs(was.Head, now.Head)
}

const needsProgress = "read the logs of these turns, and say what is missing: in the task, or in an answer"

// noProgress is the reason of S4. How the agents ended is told, though it proves nothing.
func noProgress(n int, ends []string) string {
	text := fmt.Sprintf("%d turns in a row brought nothing that can be verified", n)
	timedOut, other := 0, 0
	for _, end := range ends {
		switch runner.End(end) {
		case runner.TimedOut:
			timedOut++
		case runner.Exited, "":
		default:
			other++
		}
	}
	switch {
	case timedOut == 1:
		text += "; the agent timed out once"
	case timedOut > 1:
		text += fmt.Sprintf("; the agent timed out %d times", timedOut)
	case other > 0:
		text += "; the agent did not end by itself"
	}
	return text
}
