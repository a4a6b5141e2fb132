package cli

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/work"
)

// resumption is the JSON answer of resume, and what its text is made of. Texts are Markdown as they are written.
type resumption struct {
	target   target
	smoke    *work.Smoked
	fixed    []string
	warnings []string

	Plan    string       `json:"plan"`
	Path    string       `json:"path"`
	Title   string       `json:"title"`
	Verdict work.Verdict `json:"verdict"` // go-on, finish, person, over, stop
	Message string       `json:"message"`
	Hold    plan.Hold    `json:"hold"`
	// Updated and UpdatedBy are state.json's; "" and null without one (C125).
	Updated   string `json:"updated_at"`
	UpdatedBy *actor `json:"updated_by"`
	Completed int    `json:"completed_count"`
	Total     int    `json:"task_count"`
	Goal      string `json:"goal"`
	// Position is the next task, or the first whose box is open; null when none is.
	Position   *resumeTask   `json:"position"`
	Running    []int         `json:"in_progress"`
	Checkpoint *checkpoint   `json:"checkpoint"`
	Smoke      *resumeSmoke  `json:"smoke"` // null unless it was asked for
	Fixed      []string      `json:"fixed"`
	Gaps       []resumeGap   `json:"unfinished"`
	Desync     []desyncLine  `json:"desync"`
	Doubts     []resumeDoubt `json:"doubts"`
	Asked      []resumeAsked `json:"questions"` // QUESTIONS.md
	Blocked    *blocker      `json:"blocked"`
	Answers    []taskAnswer  `json:"answers"` // to blockers, in the logs of open tasks (C99)
	Decisions  []string      `json:"decisions"`
	Log        string        `json:"log"`           // of the task of Position
	Entry      string        `json:"last_progress"` // the last entry of PROGRESS.md
	Git        *resumeGit    `json:"git"`           // null without git
	Lock       string        `json:"lock"`          // who holds it; "" for nobody
	Copies     []resumeCopy  `json:"copies"`        // of the plan, in other work trees
	Next       *brief        `json:"next"`          // as dwp next has it; null unless the verdict is go-on
	Warnings   []string      `json:"warnings"`
}

type resumeTask struct {
	ID     int          `json:"id"`
	Title  string       `json:"title"`
	Status state.Status `json:"status"`
}

type resumeSmoke struct {
	Command string `json:"command"`
	Passed  bool   `json:"passed"`
	Outcome string `json:"outcome"`
}

type resumeGap struct {
	Kind     work.GapKind `json:"kind"`
	Tasks    []int        `json:"tasks"`
	Message  string       `json:"message"`
	Command  string       `json:"command"`
	Hint     string       `json:"hint"`
	Mendable bool         `json:"mendable"` // by --fix
}

type desyncLine struct {
	Task     int    `json:"task"`
	Markdown string `json:"markdown"`
	State    string `json:"state"`
	Way      string `json:"way"`
}

type resumeDoubt struct {
	Kind    string         `json:"kind"` // commit, copy
	Task    int            `json:"task"` // 0 for none
	Message string         `json:"message"`
	Command string         `json:"command"`
	Commits []resumeCommit `json:"commits"`
}

type resumeAsked struct {
	Title   string           `json:"title"`
	Text    string           `json:"text"`
	Open    bool             `json:"open"`
	Answers []questionAnswer `json:"answers"`
}

type questionAnswer struct {
	Label string `json:"label"`
	Text  string `json:"text"`
	Date  string `json:"date"`
}

type taskAnswer struct {
	Task int `json:"task"`
	briefAnswer
}

type resumeGit struct {
	Commits []resumeCommit `json:"commits"` // the newest
	// Naming are commits that name open tasks, however old (C37).
	Naming   []resumeClaim `json:"naming"`
	Dirty    []string      `json:"not_committed"`
	DirtyCut bool          `json:"more_not_committed"`
}

type resumeClaim struct {
	Task    int            `json:"task"`
	Begun   bool           `json:"begun"`
	Commits []resumeCommit `json:"commits"`
}

type resumeCommit struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`
}

type resumeCopy struct {
	Path      string `json:"path"`
	Updated   string `json:"updated_at"`
	Completed int    `json:"completed_count"`
	Total     int    `json:"task_count"`
	Newer     bool   `json:"newer"`
}

// shownCommits is how many of the newest commits the seam has.
const shownCommits = 5

// fill works out where the plan stands.
func (v *resumption) fill(s *plan.Snapshot, f work.Facts) {
	r := work.Resume(s, f)
	v.Plan, v.Path, v.Title = v.target.Name, v.target.Path, r.View.Title
	v.Verdict, v.Hold, v.Completed, v.Total = r.Verdict, r.View.Hold, r.View.Completed, r.View.Total
	v.Running, v.Decisions, v.Log, v.Entry = list(r.Running), list(r.Decisions), r.Log, r.Entry
	v.Fixed, v.Warnings = list(v.fixed), list(v.warnings)
	v.Gaps, v.Desync, v.Doubts, v.Asked, v.Answers, v.Copies = []resumeGap{}, []desyncLine{}, []resumeDoubt{}, []resumeAsked{}, []taskAnswer{}, []resumeCopy{}
	if s.README != nil {
		v.Goal = sectionText(&s.README.Doc, s.README.Section(planmd.Goal))
	}
	if r.Task != nil {
		v.Position = &resumeTask{r.Task.ID, r.Task.Title, r.Task.Status}
	}
	v.state(s.State)
	v.account(r, f)
	if v.smoke != nil {
		v.Smoke = &resumeSmoke{v.smoke.Command, v.smoke.Passed, v.smoke.Outcome}
	}
	if r.Verdict == work.GoOn {
		b := briefOf(v.target, s)
		v.Next = &b
	}
	v.Message = v.message(s)
}

// state fills in what only state.json knows.
func (v *resumption) state(st *state.State) {
	if st == nil {
		return
	}
	v.Updated = timeText(st.UpdatedAt)
	if by := st.UpdatedBy; by != nil {
		v.UpdatedBy = &actor{by.Agent, by.Model}
	}
	if c := st.Checkpoint; c != nil {
		v.Checkpoint = &checkpoint{c.Task, c.Step, c.Note, timeText(c.At)}
	}
	if b := st.Blocked; b != nil {
		v.Blocked = &blocker{b.Task, b.Reason, b.Needs, timeText(b.Since)}
	}
}

// account fills in what was found.
func (v *resumption) account(r *work.Resumed, f work.Facts) {
	for _, g := range r.Gaps {
		v.Gaps = append(v.Gaps, resumeGap{g.Kind, list(g.Tasks), g.Message, g.Command, g.Hint, g.Mendable})
	}
	for _, d := range r.Desync {
		v.Desync = append(v.Desync, desyncLine(d))
	}
	for _, d := range r.Doubts {
		message, command := v.doubt(d)
		v.Doubts = append(v.Doubts, resumeDoubt{d.Kind, d.Task, message, command, commitsShown(d.Commits)})
	}
	for _, q := range r.Questions {
		asked := resumeAsked{q.Title, q.Text, len(q.Answers) == 0, []questionAnswer{}}
		for _, a := range q.Answers {
			asked.Answers = append(asked.Answers, questionAnswer(a))
		}
		v.Asked = append(v.Asked, asked)
	}
	for _, a := range r.Answers {
		v.Answers = append(v.Answers, taskAnswer{a.Task, briefAnswer(a.Answer)})
	}
	for _, c := range f.Copies {
		v.Copies = append(v.Copies, resumeCopy{c.Path, c.UpdatedAt, c.Completed, c.Total, c.Newer})
	}
	if f.Lock.Held && !f.Lock.Stale() {
		v.Lock = heldWords(f.Lock)
	}
	if f.Git {
		v.Git = &resumeGit{commitsShown(f.History[:min(len(f.History), shownCommits)]), []resumeClaim{}, list(f.Dirty), f.DirtyCut}
		for _, c := range r.Claims {
			v.Git.Naming = append(v.Git.Naming, resumeClaim{c.Task, c.Begun, commitsShown(c.Commits)})
		}
	}
}

// doubt words a question that the files can't answer, with the command that goes on from its answer.
func (v *resumption) doubt(d work.Doubt) (message, command string) {
	if d.Kind == "copy" {
		return "another work tree has this plan, changed later: which of the two is the one to go on with?", fmt.Sprintf("dwp -C %s resume %s", d.Path, v.Plan)
	}
	return fmt.Sprintf("commits name task %d, whose box is open and which nobody started: is its work done? Look at them: if so, start it, run its gates "+
		"and complete it; else start it and do what is left", d.Task), fmt.Sprintf("dwp start %s %d", v.Plan, d.Task)
}

// message is the verdict in words; its exit code comes from the same verdict (C147).
func (v *resumption) message(s *plan.Snapshot) string {
	switch v.Verdict {
	case work.GoOn:
		return fmt.Sprintf("go on with task %d: %s", v.Position.ID, v.Position.Title)
	case work.Finish:
		return "finish first what was left half done, then resume again"
	case work.Over:
		return holdWords(plan.HoldCompleted)
	case work.Person:
		if len(v.Doubts) > 0 && v.Hold != plan.HoldBlocked && v.Hold != plan.HoldUnapproved {
			return "a person has to answer first: see the questions"
		}
	}
	switch v.Hold {
	case plan.HoldNone:
		return holdWords(plan.HoldNoTasks)
	case plan.HoldNewer:
		return holdWords(v.Hold) + " (" + s.Foreign() + ")"
	}
	return holdMessage(v.Hold, s)
}

// exit is the exit code of a resume. A failed smoke test comes before all else.
func (v *resumption) exit() int {
	switch {
	case v.Smoke != nil && !v.Smoke.Passed, v.Verdict == work.Finish:
		return ExitNo
	case v.Verdict == work.GoOn, v.Verdict == work.Over:
		return ExitOK
	case v.Verdict == work.Person:
		return ExitBlocked
	}
	return holdExit(v.Hold)
}

// commitsShown are commits by short name and first line.
func commitsShown(all []git.Commit) []resumeCommit {
	shown := []resumeCommit{}
	for _, c := range all {
		subject, _, _ := strings.Cut(strings.TrimSpace(c.Message), "\n")
		shown = append(shown, resumeCommit{c.ID[:min(len(c.ID), 12)], strings.TrimSpace(subject)})
	}
	return shown
}

// tellResumption answers.
func (a *app) tellResumption(v *resumption) error {
	if a.json {
		a.writeJSON(struct {
			opening
			*resumption
			closing
		}{opened("resume"), v, closed(nil, nil)})
		return answer(v.exit())
	}
	v.write(a.page())
	if v.Next != nil {
		a.page().line("")
		a.out.WriteString(v.Next.markdown())
	}
	return answer(v.exit())
}
