package work

import (
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// This file: the Resume Protocol (WP-1). It is pure: the plan's files and facts of git in, one account out. The same files give the same
// account, and nothing is remembered from one call to the next (C95).

// Facts are what resume takes from beside the plan's documents, each as it stood when it was asked for.
type Facts struct {
	// Git says that there is a repository and that git answered. History are the newest commits, the newest first; Dirty is what
	// is not committed, DirtyCut that there is more.
	Git      bool
	History  []git.Commit
	Dirty    []string
	DirtyCut bool
	// Operation is what stands in .dwp-op and could be read; nil for none.
	Operation *disk.Operation
	Lock      disk.Holding
	Questions []byte // analysis_results/QUESTIONS.md; nil without one
	Copies    []Copy
	// Turned are the tasks that were handed to an agent in an unattended turn, as the records of turns tell.
	Turned []int
}

// Copy is the same plan in another work tree of the repository (C125).
type Copy struct {
	Path             string
	UpdatedAt        string // as its state.json says, "" without one
	Completed, Total int
	// Newer says that its state was updated after that of the plan that is read.
	Newer bool
}

// Verdict is what a resume comes to.
type Verdict string

// The verdicts. Each has its exit code.
const (
	GoOn   Verdict = "go-on"  // work on with the task named
	Finish Verdict = "finish" // something has to be finished or reconciled first
	Person Verdict = "person" // a person is needed: approval, blocker, question
	Over   Verdict = "over"   // the plan is complete
	Stop   Verdict = "stop"   // no task may start, for the reason that the hold names
)

// Resumed is the account of where a plan stands, in the order of the protocol.
type Resumed struct {
	View    plan.Overview
	Verdict Verdict
	// Task is the position: the next task, else the first whose box is open, else nil. Running are the tasks in progress.
	Task    *plan.TaskView
	Running []int
	// Gaps are what an interrupted transaction lacks, Desync where README.md and state.json disagree (PS-18), Doubts what only a
	// person can tell.
	Gaps   []Gap
	Desync []Disagreement
	Doubts []Doubt
	// Questions are the entries of QUESTIONS.md; Answers those that the logs of open tasks hold (C99).
	Questions []update.Question
	Answers   []TaskAnswer
	Decisions []string // Markdown, one text per section of PROGRESS.md
	// Log is the log of Task and Entry the last entry of PROGRESS.md, as they stand, in Markdown; "" for none.
	Log, Entry string
	// Claims are the commits that name tasks whose box is open, by task.
	Claims []Claim
}

// TaskAnswer is an answer in the log of a task.
type TaskAnswer struct {
	Task int
	Answer
}

// Doubt is a question that the files can't answer.
type Doubt struct {
	Kind    string // "commit": a commit names a task that was never begun (C37); "copy": another work tree has a newer plan (C125)
	Task    int    // 0 for none
	Commits []git.Commit
	Path    string // of the copy
}

// Resume tells where a plan stands.
func Resume(s *plan.Snapshot, f Facts) *Resumed {
	r := &Resumed{View: s.Overview()}
	r.Verdict = Stop
	if r.View.Hold == plan.HoldNewer || s.README == nil {
		return r // nothing of it is judged (PS-22), or there is nothing to judge
	}
	r.position(s)
	r.Gaps = lacking(s, &r.View, f)
	r.Desync = disagreements(s, &r.View)
	r.commits(s, f)
	r.copies(f)
	r.seam(s)
	r.told(s, f)
	r.judge()
	return r
}

// judge comes to the verdict. What has to be finished comes first: until then not even a blocker is certain.
func (r *Resumed) judge() {
	switch hold := r.View.Hold; {
	case len(r.Gaps) > 0:
		r.Verdict = Finish
	case hold == plan.HoldUnapproved, hold == plan.HoldBlocked, len(r.Doubts) > 0:
		r.Verdict = Person
	case hold == plan.HoldCompleted:
		r.Verdict = Over
	case hold == plan.HoldNone && r.View.Next != 0:
		r.Verdict = GoOn
	}
}

// position finds the task to go on with: boxes first, state.json for what they don't say.
func (r *Resumed) position(s *plan.Snapshot) {
	r.Running = InProgress(s)
	for i := range r.View.Tasks {
		switch t := &r.View.Tasks[i]; {
		case r.View.Next != 0 && t.ID == r.View.Next:
			r.Task = t
			return
		case r.Task == nil && !t.Checked && t.Status != state.Skipped:
			r.Task = t
		}
	}
}

// seam quotes what the one before wrote last.
func (r *Resumed) seam(s *plan.Snapshot) {
	if t := r.Task; t != nil && t.Record != nil && t.Doc != nil {
		if section := t.Record.Section(planmd.CompletionLog); section != nil {
			r.Log = strings.TrimSpace(t.Doc.Text(section.Body))
		}
	}
	if s.Progress != nil {
		r.Entry = lastEntry(s.Progress)
		r.Decisions = decided(s.Progress)
	}
}

// lastEntry is the entry of PROGRESS.md that was written last, whatever it is about. Sections that are kept up are none.
func lastEntry(p *planmd.Progress) string {
	var at planmd.Span
	if n := len(p.Entries); n > 0 {
		at = p.Entries[n-1].Span
	}
	for i := range slices.Backward(p.Sections) {
		section := &p.Sections[i]
		if section.Kind == planmd.Decisions || section.Kind == planmd.Discovered || section.Head.Start < at.End {
			break // what comes before either is older, or stands in it
		}
		// Below the entries people keep lists, of values and paths say: without a day in its heading a section tells nothing new.
		if text := p.Text(whole(p, i)); !planmd.Wordless(text) && (at.End == 0 || dated(p.Text(section.Head))) {
			at = whole(p, i)
			break
		}
	}
	return strings.TrimSpace(p.Text(at))
}

// dated reports whether a heading names a day: "2026-09-01 Approval".
func dated(heading string) bool {
	for word := range strings.FieldsSeq(heading) {
		if _, err := time.Parse(time.DateOnly, strings.Trim(word, "()[]:,*_\u2014-")); err == nil {
			return true
		}
	}
	return false
}

// whole is a section with the deeper ones below it.
func whole(p *planmd.Progress, i int) planmd.Span {
	at := planmd.Span{Start: p.Sections[i].Head.Start, End: p.Sections[i].Body.End}
	for k := i + 1; k < len(p.Sections) && p.Sections[k].Level > p.Sections[i].Level; k++ {
		at.End = p.Sections[k].Body.End
	}
	return at
}

// decided are the sections of decisions on record (UN-5, PD-12).
func decided(p *planmd.Progress) []string {
	var list []string
	for i := range p.Sections {
		if section := &p.Sections[i]; section.Kind == planmd.Decisions {
			text := p.Text(planmd.Span{Start: section.Body.Start, End: whole(p, i).End})
			if !planmd.Wordless(text) {
				list = append(list, strings.TrimSpace(text))
			}
		}
	}
	return list
}

// told gathers what people said: answers in the logs of open tasks, and the entries of QUESTIONS.md.
func (r *Resumed) told(s *plan.Snapshot, f Facts) {
	for i := range r.View.Tasks {
		t := &r.View.Tasks[i]
		if t.Checked {
			continue
		}
		for _, a := range Answers(t) {
			r.Answers = append(r.Answers, TaskAnswer{t.ID, a})
		}
	}
	r.Questions = update.ReadQuestions(string(f.Questions))
}

// copies asks about a plan of the same name that another work tree has, and that is newer: one of the two is old (C125).
func (r *Resumed) copies(f Facts) {
	for _, c := range f.Copies {
		if c.Newer {
			r.Doubts = append(r.Doubts, Doubt{Kind: "copy", Path: c.Path})
		}
	}
}
