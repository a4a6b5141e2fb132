package turn

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/work"
)

// judging is the look at one turn.
type judging struct {
	Evidence
	before, after plan.Overview
	was, is       *plan.TaskView         // the turn's task; never nil
	others        map[int]*plan.TaskView // the tasks after the turn, by number
	j             Judgement
}

// Judge judges a turn. It is pure. What the agent said is not asked for (UN-2). Every finding is listed; of those that stop the plan the
// first in this order is the stop: what was done past the rules, what was done in a person's name, what lies outside the task, what was
// only asserted, what nobody but a person can do.
func Judge(e Evidence) Judgement {
	k := &judging{Evidence: e, before: e.Before.Overview(), after: e.After.Overview()}
	k.was, k.is = taskIn(&k.before, e.Task), taskIn(&k.after, e.Task)
	k.others = byID(&k.after)
	k.j.End, k.j.Began = e.End, e.Began
	k.gain()
	k.j.Surface = surface(&k.Evidence, k.was, k.is)
	switch {
	case k.j.Gained.Completed:
		k.j.Result = Completed
	case k.blocked():
		k.j.Result = Blocked
	case k.j.Gained.Any():
		k.j.Result = Progress
	default:
		k.j.Result = NoProgress
	}
	for _, check := range []func(){k.unseen, k.rewound, k.byHand, k.twoTasks, k.desync, k.faults, k.progress, k.authority, k.weakened, k.testsRemoved, k.humanGates, k.outside, k.asserted, k.failing, k.waiting} {
		check()
	}
	if k.j.Stop != nil {
		k.j.Result = StoppedNow
	}
	k.bound()
	return k.j
}

// taskIn is a task of an overview; one without anything when there is none of that number.
func taskIn(o *plan.Overview, id int) *plan.TaskView {
	for i := range o.Tasks {
		if o.Tasks[i].ID == id {
			return &o.Tasks[i]
		}
	}
	return &plan.TaskView{ID: id}
}

// find notes a finding.
func (k *judging) find(id, format string, args ...any) {
	k.j.Findings = append(k.j.Findings, Finding{id, line(fmt.Sprintf(format, args...))})
}

// stop notes a finding that stops the plan.
func (k *judging) stop(condition Condition, id, needs, format string, args ...any) {
	k.find(id, format, args...)
	if k.j.Stop == nil {
		k.j.Stop = &Stop{Condition: condition, Rule: id, Task: k.stopped(), Reason: k.j.Findings[len(k.j.Findings)-1].Message, Needs: line(needs)}
	}
}

// stopped is the task whose blocker stops the plan: the turn's own, or, when that is completed, the next one that is open; 0 without any.
func (k *judging) stopped() int {
	if !done(k.is) && k.is.Line != nil {
		return k.Task
	}
	if k.after.Next != 0 {
		return k.after.Next
	}
	for i := range k.after.Tasks {
		if t := &k.after.Tasks[i]; t.Status != state.Completed && t.Status != state.Skipped {
			return t.ID
		}
	}
	return 0
}

// done reports whether README.md and state.json both say that a task is completed (PS-18).
func done(t *plan.TaskView) bool {
	return t.Checked && t.Entry != nil && t.Entry.Status == state.Completed
}

// blocked reports whether the agent stopped by itself: its task has the blocker now, and had not before.
func (k *judging) blocked() bool {
	b := k.After.State
	if b == nil || b.Blocked == nil || b.Blocked.Task != k.Task {
		return false
	}
	old := k.Before.State
	return old == nil || old.Blocked == nil || old.Blocked.Task != k.Task || old.Blocked.Reason != b.Blocked.Reason
}

// unseen: what an agent did to a work tree that git can't read any more is not taken on trust.
func (k *judging) unseen() {
	if k.Unseen != "" {
		k.stop(S3, "turn/unseen", "look at the work tree; git status says what is wrong with it", "git can't tell any more what changed in the work tree: %s", strictjson.Shorten(k.Unseen, 200))
	}
}

func (k *judging) rewound() {
	if k.Git && k.Rewound {
		k.stop(S3, "turn/rewound", "put the branch back where the work of others is in it, or decide to go on from here", "history was rewritten, or another branch checked out, while the agent ran")
	}
	if !k.Git || !k.Stranded || !k.j.Gained.Completed {
		return
	}
	const text = "task %d is completed by commit %.12s, which is not in the branch that is checked out"
	if len(k.Commits) > 0 { // it was amended since, say: the work is there
		k.find("turn/rewound", text, k.Task, k.is.Entry.Commit)
		return
	}
	k.stop(S3, "turn/rewound", "bring the commit into the branch, or reopen the task", text, k.Task, k.is.Entry.Commit)
}

// byHand compares the state with what dwp's own commands wrote in this turn. A digest that was written down and never became the file is
// of a command that was cut off.
func (k *judging) byHand() {
	if len(k.Forged) > 0 {
		k.stop(S3, "turn/state-by-hand", "look at these records: git or a copy may have them as they were", "records of turns were written by other hands than dwp's: %s", few(k.Forged))
	}
	was, is := k.Before.Files[state.StateFile], k.After.Files[state.StateFile]
	switch {
	case k.States == nil || is == nil && was == nil:
	case is == nil:
		k.stop(S3, "turn/state-by-hand", "put it back, or make it anew from the markdown with dwp reconcile", "state.json is gone since this turn")
	case was != nil && is.SHA256() == was.SHA256() || slices.Contains(k.States, is.SHA256()):
	default:
		k.stop(S3, "turn/state-by-hand", "compare state.json with the markdown and the work, and reconcile it", "state.json was written by other hands than dwp's commands of this turn")
	}
}

// progress: what PROGRESS.md told before the turn it still tells; an entry is known by its heading (PD-10).
func (k *judging) progress() {
	gone := entriesOf(k.Before)
	for title := range entriesOf(k.After) {
		delete(gone, title)
	}
	if len(gone) > 0 {
		k.stop(S3, "turn/faults", "put the entries back", "entries are gone from PROGRESS.md: %s", few(slices.Sorted(maps.Keys(gone))))
	}
}

// entriesOf are the headings of PROGRESS.md.
func entriesOf(s *plan.Snapshot) map[string]bool {
	titles := map[string]bool{}
	if s.Progress == nil {
		return titles
	}
	for _, section := range s.Progress.Sections {
		if title := strings.TrimSpace(strings.Trim(s.Progress.Text(section.Head), "# \r\n")); title != "" {
			titles[title] = true
		}
	}
	return titles
}

// twoTasks: each other task is as it was. A critical question may have blocked one (UN-7), which is no work on it.
func (k *judging) twoTasks() {
	var moved []int
	seen := map[int]*plan.TaskView{}
	for i := range k.before.Tasks {
		seen[k.before.Tasks[i].ID] = &k.before.Tasks[i]
	}
	for i := range k.after.Tasks {
		t := &k.after.Tasks[i]
		if was := seen[t.ID]; t.ID != k.Task && (was == nil || movedOn(was, t)) {
			moved = append(moved, t.ID)
		}
		delete(seen, t.ID)
	}
	for id := range seen {
		moved = append(moved, id)
	}
	if len(moved) > 0 {
		slices.Sort(moved)
		moved = slices.Compact(moved)
		k.stop(S3, "turn/two-tasks", "look at what was done on task "+work.Ranges(moved), "the turn was about task %d, and task %s moved, too", k.Task, work.Ranges(moved))
	}
}

func movedOn(was, is *plan.TaskView) bool {
	if was.Checked != is.Checked || (was.Entry == nil) != (is.Entry == nil) {
		return true
	}
	if is.Entry == nil {
		return false
	}
	changed := was.Entry.Status != is.Entry.Status && is.Entry.Status != state.Blocked
	return changed || len(was.Entry.Gates) != len(is.Entry.Gates) || was.Entry.Commit != is.Entry.Commit
}

func (k *judging) desync() {
	if k.after.Hold == plan.HoldDesync && k.before.Hold != plan.HoldDesync {
		k.stop(S3, "turn/desync", "reconcile the plan with dwp reconcile", "README.md and state.json disagree since this turn")
	}
}

func (k *judging) faults() {
	if len(k.Faults) == 0 {
		return
	}
	more := ""
	if n := len(k.Faults) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	first := k.Faults[0]
	k.stop(S3, "turn/faults", "mend what dwp verify names", "the plan breaks a rule that it kept before this turn: %s (%s)%s", first.ID, strictjson.Shorten(first.Message, 200), more)
}

func (k *judging) outside() {
	if n := len(k.j.Surface.Outside); n > 0 {
		k.stop(S3, "turn/surface", "look at these files: take the changes back, or name the paths as actual surface in the task's log",
			"files changed that task %d does not name: %s", k.Task, few(k.j.Surface.Outside))
	}
	if k.Cut {
		k.find("turn/surface", "more files changed than were looked at")
	}
	if len(k.Changes) > 0 && newNamed(k.j.Surface.Planned).empty() {
		k.find("turn/surface", "task %d plans no path, so nothing was outside", k.Task)
	}
}

// testsRemoved looks for tests that are gone: not those that moved, that the plan names, or whose source was planned and went with them.
func (k *judging) testsRemoved() {
	planned := newNamed(k.j.Surface.Planned)
	added, deleted := map[string]int{}, map[string]bool{}
	for _, c := range k.Changes {
		switch c.Kind {
		case git.Added:
			added[pathBase(c.Path)]++
		case git.Deleted:
			deleted[c.Path] = true
		}
	}
	var gone []string
	for _, c := range k.Changes {
		if !deleted[c.Path] || !isTest(c.Path) || inPlans(c.Path) {
			continue
		}
		switch base := pathBase(c.Path); {
		case added[base] > 0:
			added[base]-- // it moved
		case planned.exact[c.Path], planned.exact[within(k.Root, c.Path)], sourceWent(c.Path, k.Root, planned, deleted):
		default:
			gone = append(gone, c.Path)
		}
	}
	if len(gone) > 0 {
		k.stop(S2, "turn/tests-removed", "put the tests back, or amend the task so that its surface names them", "tests were deleted that task %d does not name: %s", k.Task, few(gone))
	}
}

// sourceWent reports whether the file that a test is about, beside it, was named by the plan and deleted in the turn.
func sourceWent(test, root string, planned *named, deleted map[string]bool) bool {
	stem, ok := testStem(pathBase(test))
	if !ok {
		return false
	}
	dir := strings.TrimSuffix(test, pathBase(test))
	source := dir + stem + test[strings.LastIndex(test, "."):]
	return deleted[source] && (planned.exact[source] || planned.exact[within(root, source)])
}

func pathBase(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// bound keeps a record small, whatever the turn changed.
func (k *judging) bound() {
	s := &k.j.Surface
	for _, list := range []*[]string{&s.Planned, &s.Declared, &s.Changed, &s.Outside, &k.j.Gained.Gates, &k.j.Gained.Commits} {
		if len(*list) > maxListed {
			*list = append((*list)[:maxListed:maxListed], fmt.Sprintf("(and %d more)", len(*list)-maxListed))
		}
	}
	k.j.Findings = k.j.Findings[:min(len(k.j.Findings), maxListed)]
}

// few names the first of many.
func few(list []string) string {
	const most = 5
	if len(list) > most {
		return strings.Join(list[:most], ", ") + fmt.Sprintf(", and %d more", len(list)-most)
	}
	return strings.Join(list, ", ")
}

// line makes one line of a text that quotes files, short enough for a blocker with its class, and with nothing in it that a blocker is
// refused for, or a terminal obeys: names of files hold any bytes (PS-16).
func line(text string) string { return strictjson.Shorten(plain(text), 450) }
