package verify

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// skew is how far a clock may be ahead before a time counts as wrong (PS-11, C139).
const skew = 5 * time.Minute

// checkEntries: ids 1 to N in order, the counts, the derived status (PS-9, PS-17, C33, C51).
func checkEntries(c *checker) {
	st := c.s.State
	completed := 0
	for i := range st.Tasks {
		t := &st.Tasks[i]
		if t.ID != i+1 {
			c.add("state/task-ids", c.inState(t.Node, 0), fmt.Sprintf("entry %d of tasks has id %d", i+1, t.ID), "ids run from 1 to N in order; renumber through refine")
		}
		if node := member(t.Node, "title"); written(node) && strings.TrimSpace(t.Title) == "" {
			c.add("state/task-value", c.inState(node, t.ID), "its title is empty", "write the title of its line in the README's index")
		}
		if t.Status == state.Completed {
			completed++
		}
	}
	if node := key(st.Doc, "task_count"); node != nil && !faulty(c.s.StateFaults, node) {
		switch n := c.indexTotal(); {
		case st.TaskCount != len(st.Tasks):
			c.add("state/task-count", c.inState(node, 0), fmt.Sprintf("task_count is %d, tasks has %d entries", st.TaskCount, len(st.Tasks)), "reconcile state.json with the markdown")
		case n >= 0 && n != st.TaskCount:
			c.add("state/task-count", c.inState(node, 0), fmt.Sprintf("task_count is %d, the README's index has %d lines", st.TaskCount, n), "reconcile state.json with the markdown")
		}
	}
	if node := key(st.Doc, "completed_count"); node != nil && !faulty(c.s.StateFaults, node) && st.CompletedCount != completed {
		c.add("state/completed-count", c.inState(node, 0), fmt.Sprintf("completed_count is %d, %d entries are completed", st.CompletedCount, completed), "the counter follows the entries: reconcile state.json")
	}
	if node := key(st.Doc, "status"); node != nil && !faulty(c.s.StateFaults, node) {
		if want, _ := st.Derived(); st.Status != want {
			c.add("state/status", c.inState(node, 0), fmt.Sprintf("status is %s, but the entries make it %s", st.Status, want), "the status follows from the entries: reconcile state.json")
		}
	}
}

// indexTotal is the number of lines in the README's index, or -1 without README.
func (c *checker) indexTotal() int {
	if c.s.README == nil {
		return -1
	}
	return len(c.s.README.Index)
}

// checkLocators: each agrees with its number, the format and the disk, and stays inside the plan (PS-9).
func checkLocators(c *checker) {
	st := c.s.State
	format := st.Format
	if st.Era == state.V1 {
		format = "full"
	}
	for i := range st.Tasks {
		t := &st.Tasks[i]
		if t.Locator.Value == "" && !empty(t.Locator.Node, st.Era) {
			continue // the decoder reported it
		}
		at := c.inState(t.Locator.Node, t.ID)
		switch t.Locator.Kind {
		case "inline":
			c.inlineLocator(t, format, at)
		case "file":
			c.fileLocator(t, format, at)
		}
	}
}

// empty reports whether a locator has a value, which is the empty text.
func empty(locator *strictjson.Value, era state.Era) bool {
	if era != state.V1 {
		locator = member(locator, "value")
	}
	return written(locator)
}

func (c *checker) inlineLocator(t *state.Task, format string, at rule.Place) {
	if want := fmt.Sprintf("#task-%d", t.ID); t.Locator.Value != want {
		c.add("state/locator", at, fmt.Sprintf("its locator is %s, not %s", quote(t.Locator.Value), quote(want)), "a locator carries the task's own number")
	}
	if format == "full" {
		c.add("state/locator", at, "an inline locator in a Full plan", "name the task file: {\"kind\": \"file\", \"value\": \"N.task_slug.md\"}")
	}
}

func (c *checker) fileLocator(t *state.Task, format string, at rule.Place) {
	target := path.Clean(t.Locator.Value)
	if outside(target) {
		c.addWhat("state/locator-outside", at, "its locator leaves the plan folder", t.Locator.Value, "name the task file in the plan folder")
		return
	}
	if format == "lite" {
		c.add("state/locator", at, "a file locator in a Lite plan", fmt.Sprintf("name the anchor: {\"kind\": \"inline\", \"value\": \"#task-%d\"}", t.ID))
	}
	if n, ok := plan.TaskNumber(target); !ok || n != t.ID {
		c.add("state/locator", at, fmt.Sprintf("its locator %s is not a file of task %d", quote(t.Locator.Value), t.ID), "a locator carries the task's own number")
	}
	if c.onDisk(target) == "" {
		c.addWhat("state/locator-file", at, "the file that its locator names does not exist", t.Locator.Value, "write the file, or reconcile state.json")
	}
}

// onDisk looks a path up in the plan folder, whatever Unicode form it is written in (C29): the path there, or "".
func (c *checker) onDisk(target string) string {
	if present(c.s, target) {
		return target
	}
	if c.nfc == nil { // made once, and only for a plan that names a file which is not there
		c.nfc = make(map[string]string, len(c.s.Nodes))
		for _, p := range slices.Sorted(maps.Keys(c.s.Nodes)) { // in order, so that of two spellings the same one is named each time
			c.nfc[norm.NFC.String(p)] = p
		}
	}
	return c.nfc[norm.NFC.String(target)]
}

// checkDesync names the tasks on which box and entry disagree, and which way (PS-18, C75).
func checkDesync(c *checker) {
	for _, t := range c.view.Tasks {
		switch {
		case t.Line == nil && t.Entry != nil:
			c.add("desync/missing-line", c.inState(t.Entry.Node, t.ID), "state.json has an entry, the README's index has no line", "the markdown is the truth: reconcile state.json, or restore the line")
		case t.Line != nil && t.Entry == nil && t.ID != 0:
			c.add("desync/missing-entry", c.inReadme(t.Line.Span, t.ID), "the README's index has a line, state.json has no entry", "reconcile state.json with the markdown")
		case t.Line != nil && t.Entry != nil:
			c.compareBox(t)
		}
	}
}

func (c *checker) compareBox(t plan.TaskView) {
	done := t.Entry.Status == state.Completed
	switch {
	case done && !t.Checked:
		c.add("desync/state-ahead", c.inState(t.Entry.Node, t.ID), "state.json runs ahead: it says completed, the README's box is open",
			"the markdown is the truth: reconcile state.json, or tick the box when the work is proven; a record is a claim, not proof")
	case !done && t.Checked:
		c.add("desync/state-behind", c.inState(t.Entry.Node, t.ID), fmt.Sprintf("state.json lags behind: it says %s, the README's box is ticked", t.Entry.Status),
			"reconcile state.json with the markdown; the task then still needs its evidence")
	}
}

// checkTimes: completed entries are dated, in order, and not in the future (PS-11, C139).
func checkTimes(c *checker) {
	st := c.s.State
	c.notFuture("updated_at", st.UpdatedAt, 0)
	for i := range st.Tasks {
		t := &st.Tasks[i]
		if t.Status == state.Completed && t.CompletedAt == nil {
			c.add("time/completed-at", c.inState(t.Node, t.ID), "it is completed without completed_at", "record when it was completed")
		}
		if t.StartedAt != nil {
			c.notFuture("started_at", *t.StartedAt, t.ID)
		}
		if t.CompletedAt == nil {
			c.gateTimes(t)
			continue
		}
		c.notFuture("completed_at", *t.CompletedAt, t.ID)
		if t.StartedAt != nil && before(*t.CompletedAt, *t.StartedAt) {
			c.add("time/order", c.inState(t.CompletedAt.Node, t.ID), fmt.Sprintf("completed at %s, before it was started at %s", t.CompletedAt.Text, t.StartedAt.Text), "correct the times")
		}
		c.gateTimes(t)
	}
	if st.Checkpoint != nil {
		c.notFuture("checkpoint.at", st.Checkpoint.At, 0)
	}
	if st.Blocked != nil {
		c.notFuture("blocked.since", st.Blocked.Since, 0)
	}
}

func (c *checker) gateTimes(t *state.Task) {
	for g := range t.Gates {
		run := t.Gates[g].LastRun
		if run == nil {
			continue
		}
		c.notFuture("last_run", *run, t.ID)
		if t.CompletedAt != nil && !run.DateOnly && !t.CompletedAt.DateOnly && !run.Value.IsZero() && !t.CompletedAt.Value.IsZero() &&
			run.Value.Sub(t.CompletedAt.Value) > skew {
			c.add("time/last-run", c.inState(run.Node, t.ID), "a gate ran more than five minutes after the task was completed", "evidence comes before completion; late evidence is dated when it ran")
		}
	}
}

// before compares times, by day where one of them is a bare date (C137).
func before(a, b state.Time) bool {
	if a.Value.IsZero() || b.Value.IsZero() {
		return false
	}
	if a.DateOnly || b.DateOnly {
		return a.Value.Truncate(24 * time.Hour).Before(b.Value.Truncate(24 * time.Hour))
	}
	return a.Value.Before(b.Value)
}

func (c *checker) notFuture(name string, t state.Time, task int) {
	if !t.Value.IsZero() && !c.opt.Now.IsZero() && t.Value.Sub(c.opt.Now) > skew {
		c.add("time/future", c.inState(t.Node, task), name+" lies in the future: "+t.Text, "correct the time, or the clock")
	}
}

// checkCommits: completed work names its commit where the plan commits (PS-11). A task whose record says that it touches no product has
// none to name (PD-6, WP-2): a review writes into the plan's own folder.
func checkCommits(c *checker) {
	productless := map[int]bool{}
	for _, t := range c.view.Tasks {
		productless[t.ID] = t.Record != nil && t.Record.Surface.RiskClass == "not-applicable"
	}
	commits := c.opt.InGit
	for i := range c.s.State.Tasks {
		commits = commits || c.s.State.Tasks[i].Commit != ""
	}
	for i := range c.s.State.Tasks {
		t := &c.s.State.Tasks[i]
		switch {
		case t.Commit != "":
			c.commits = append(c.commits, CommitClaim{t.Commit, c.inState(t.CommitNode, t.ID)})
		case t.Status == state.Completed && commits && !productless[t.ID]:
			c.add("commit/missing", c.inState(t.Node, t.ID), "it is completed without a commit", "record the short hash; where nothing in the product changed none is needed")
		}
	}
}

// checkCheckpoint: it names an existing task, is not behind, and closes a completed plan (PS-15).
func checkCheckpoint(c *checker) {
	st := c.s.State
	cp := st.Checkpoint
	if cp == nil {
		return
	}
	at := c.inState(cp.Node, 0)
	entry := entryOf(st, cp.Task)
	switch {
	case entry == nil:
		c.add("checkpoint/task", at, fmt.Sprintf("the checkpoint names task %d, which does not exist", cp.Task), "name the task that is next, or in progress")
	case st.Status == state.Completed && st.Era != state.V1:
		if cp.Task != len(st.Tasks) || cp.Step != "done" {
			c.add("checkpoint/final", at, fmt.Sprintf("the plan is completed, but its checkpoint is task %d, step %s", cp.Task, quote(cp.Step)), "the last task, step done, is the checkpoint of a completed plan")
		}
	case entry.Status == state.Completed && cp.Step != "done" && st.Status != state.Completed:
		c.add("checkpoint/stale", at, fmt.Sprintf("the checkpoint stands in task %d, which is completed", cp.Task), "move it to the next task")
	}
}

func entryOf(st *state.State, id int) *state.Task {
	for i := range st.Tasks {
		if st.Tasks[i].ID == id {
			return &st.Tasks[i]
		}
	}
	return nil
}

// checkBlockers: blocker and blocked task belong together (PS-16).
func checkBlockers(c *checker) {
	st := c.s.State
	if b := st.Blocked; b != nil {
		entry := entryOf(st, b.Task)
		switch {
		case entry == nil:
			c.add("blocked/task", c.inState(b.Node, 0), fmt.Sprintf("the blocker names task %d, which does not exist", b.Task), "name the task that is blocked")
		case entry.Status != state.Blocked:
			c.add("blocked/task", c.inState(b.Node, b.Task), fmt.Sprintf("the blocker names it, but its status is %s", entry.Status), "a blocker's task is blocked until it is resolved")
		}
		if strings.TrimSpace(b.Reason) == "" && written(member(b.Node, "reason")) {
			c.add("blocked/shape", c.inState(b.Node, b.Task), "the blocker's reason is empty", "say what stopped the task")
		}
		if !classed(b.Reason) {
			c.add("blocked/class", c.inState(b.Node, b.Task), "the reason does not begin with its class", "begin with [S1] to [S4] or [C1] to [C5]")
		}
	}
	for i := range st.Tasks {
		t := &st.Tasks[i]
		if t.Status == state.Blocked && (st.Blocked == nil || st.Blocked.Task != t.ID) {
			c.add("blocked/record", c.inState(t.Node, t.ID), "it is blocked, but no blocker record says why", "record the blocker: task, reason, since, needs")
		}
	}
}

// classed: "[S3] …" or "[C1] …" (UN-3, UN-5).
func classed(reason string) bool {
	if len(reason) < 4 || reason[0] != '[' || reason[3] != ']' {
		return false
	}
	return reason[1] == 'S' && reason[2] >= '1' && reason[2] <= '4' || reason[1] == 'C' && reason[2] >= '1' && reason[2] <= '5'
}

// checkSkipped: only a person removes a task from scope, and skipping completes nothing (PS-10, C105).
func checkSkipped(c *checker) {
	for i := range c.s.State.Tasks {
		t := &c.s.State.Tasks[i]
		if t.Status != state.Skipped {
			continue
		}
		if !c.amendedBy(t.ID, planmd.AuthorityUser) {
			c.add("skipped/authority", c.inState(t.Node, t.ID), "it is skipped without an amendment with authority user", "a person removes it from scope through refine")
		}
		if last := c.finalReview(); last != nil && last.ID == t.ID {
			c.add("skipped/final-review", c.inState(t.Node, t.ID), "it is the Final Review, and skipped", "the Final Review may be edited, never taken out of scope")
		}
		if c.s.State.Status == state.Completed {
			c.add("skipped/completes", c.inState(t.Node, t.ID), "it is skipped, and the plan says completed", "archive the task through refine before the plan completes")
		}
	}
}

// faulty reports whether the decoder already found fault with a value: what follows from it is not said twice.
func faulty(faults []state.Fault, node any) bool {
	for i := range faults {
		if faults[i].Value == node {
			return true
		}
	}
	return false
}
