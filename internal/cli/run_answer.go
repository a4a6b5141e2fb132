package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/tui"
	"github.com/deepworkplan/dwp/internal/turn"
)

// ranAnswer is the JSON answer of run, and what --notify is given to read.
type ranAnswer struct {
	opening
	Plan   string    `json:"plan"`
	Path   string    `json:"path"`
	Agent  string    `json:"agent"`
	End    turn.End  `json:"end"`
	Stop   *turnStop `json:"stop"`
	Turns  []ranTurn `json:"turns"`
	Totals ranTotals `json:"totals"`
	// Completed are the tasks that the run completed; Decisions what agents decided in it; Questions those that wait for a person, and Needs
	// what else a person has to do.
	Completed []ranTask      `json:"completed"`
	Decisions []decisionJSON `json:"decisions"`
	Questions []questionJSON `json:"questions"`
	Needs     []string       `json:"needs"`
	Warnings  []string       `json:"warnings"`
	closing

	published bool // the plan has a receipt
	failure   *failure
	exit      int
	took      time.Duration
}

// ranTurn is one turn of a run.
type ranTurn struct {
	N        int         `json:"n"` // of the plan
	Task     int         `json:"task"`
	Title    string      `json:"title"`
	Result   turn.Result `json:"result"`
	Duration float64     `json:"duration_ms"`
	Cost     *float64    `json:"cost"` // US dollars; null when the agent told none
	words    string
}

type ranTotals struct {
	Turns    int      `json:"turns"`
	Duration float64  `json:"duration_ms"`
	Cost     *float64 `json:"cost"`     // null when no turn told any
	Unpriced int      `json:"unpriced"` // turns whose agent told no cost
	Done     int      `json:"tasks_completed"`
	Total    int      `json:"tasks"`
}

type ranTask struct {
	Task   int    `json:"task"`
	Title  string `json:"title"`
	Commit string `json:"commit"` // "" for none
}

// account sums a run up: from the run itself, and from the plan as it stands now, compared with before.
func (n *night) account() *ranAnswer {
	s, err := plan.Open(n.Path)
	if err != nil {
		n.note("the plan can't be read any more: " + cause(err).Error())
		s = n.before
	}
	after := s.Overview()
	said := &ranAnswer{
		opening: opened("run"), Plan: n.Name, Path: n.Path, Agent: n.loop.Turn.Agent.Name, End: n.ran.End, Turns: []ranTurn{}, failure: n.failure(), took: n.ran.Duration,
		Totals: ranTotals{Duration: ms(n.ran.Duration), Unpriced: n.ran.Unpriced, Done: after.Completed, Total: after.Total},
	}
	for i := range n.ran.Turns {
		t := &n.ran.Turns[i]
		if t.Err == nil && t.Outcome.Record != nil { // else nobody was woken
			said.Turns = append(said.Turns, ranTurnOf(t, &after))
		}
		n.warnings = append(n.warnings, t.Outcome.Warnings...)
	}
	said.Totals.Turns = len(said.Turns)
	if slices.ContainsFunc(n.ran.Turns, func(t turn.Took) bool { return t.HasCost }) {
		said.Totals.Cost = &n.ran.Cost
	}
	if stop := n.ran.Stop; stop != nil {
		said.Stop = &turnStop{stop.Condition, stop.Rule, stop.Task, stop.Reason, stop.Needs}
	}
	said.Completed = completedSince(n.before, &after)
	said.Decisions = decisionsSince(n.before, s)
	said.Questions = askedOf(n.target, true).Questions
	said.Needs = n.needs(s, said.Questions)
	said.Warnings = list(n.warnings)
	said.published = s.Receipt != nil && len(s.ReceiptFaults) == 0
	said.exit = n.exit(said.failure)
	said.closing = closed(nil, nil)
	if f := said.failure; f != nil {
		said.closing = closed(f.findings, f)
	}
	return said
}

func ranTurnOf(t *turn.Took, o *plan.Overview) ranTurn {
	r := ranTurn{N: t.Outcome.Record.N, Task: t.Outcome.TaskOf(), Result: t.Outcome.Result, Duration: ms(t.Duration), words: tookLine(t)}
	for i := range o.Tasks {
		if o.Tasks[i].ID == r.Task {
			r.Title = o.Tasks[i].Title
		}
	}
	if t.HasCost {
		r.Cost = &t.Cost
	}
	return r
}

// completedSince are the tasks that are ticked now and were not before.
func completedSince(before *plan.Snapshot, after *plan.Overview) []ranTask {
	ticked := map[int]bool{}
	for _, t := range before.Overview().Tasks {
		ticked[t.ID] = t.Checked
	}
	done := []ranTask{}
	for _, t := range after.Tasks {
		if !t.Checked || ticked[t.ID] {
			continue
		}
		task := ranTask{Task: t.ID, Title: t.Title}
		if t.Entry != nil {
			task.Commit = t.Entry.Commit
		}
		done = append(done, task)
	}
	return done
}

// decisionsSince are the decisions with a higher number than any before (UN-5).
func decisionsSince(before, after *plan.Snapshot) []decisionJSON {
	last := 0
	for _, d := range plan.Decisions(before.Progress) {
		last = max(last, d.Number)
	}
	made, all := []decisionJSON{}, decisionsOf(after)
	for i, d := range plan.Decisions(after.Progress) {
		if d.Number > last {
			made = append(made, all[i])
		}
	}
	return made
}

// needs say what a person has to do, questions apart.
func (n *night) needs(s *plan.Snapshot, asked []questionJSON) []string {
	needs := []string{}
	add := func(text string) {
		if text != "" && !slices.Contains(needs, text) {
			needs = append(needs, text)
		}
	}
	if n.ran.Stop != nil {
		add(n.ran.Stop.Needs)
	}
	if s.State != nil && s.State.Blocked != nil {
		add(s.State.Blocked.Needs)
		add(fmt.Sprintf("%s lets task %d go on", goesOn(n.target, blockerOf(s.State.Blocked), asked), s.State.Blocked.Task))
	}
	switch n.ran.End {
	case turn.EndMaxTurns, turn.EndMaxTime, turn.EndMaxCost, turn.EndInterrupted:
		add("dwp run " + n.Name + " goes on from here")
	}
	return needs
}

// endWords say how a run ended.
func (r *ranAnswer) endWords() string {
	switch r.End {
	case turn.EndCompleted:
		if r.published {
			return "completed and published"
		}
	case turn.EndBlocked:
		return "blocked, a person is needed"
	case turn.EndStopped:
		return "stopped, a person is needed"
	case turn.EndMaxTurns:
		return "the bound of turns is reached"
	case turn.EndMaxTime:
		return "the bound of time is reached"
	case turn.EndMaxCost:
		return "the bound of costs is reached"
	case turn.EndNoAgent:
		return "the agent could not be started"
	case turn.EndFailed:
		return "it could not go on"
	case turn.EndLocked:
		return "the plan is another's"
	}
	return string(r.End)
}

// write prints what the morning shows: what was done, what was decided, what is asked and needed.
func (r *ranAnswer) write(p page) {
	words := []string{plural(r.Totals.Turns, "turn"), tui.Clock(r.took)}
	if r.Totals.Cost != nil {
		words = append(words, dollars(*r.Totals.Cost))
	}
	words = append(words, fmt.Sprintf("%d of %d tasks done", r.Totals.Done, r.Totals.Total))
	p.para(0, r.Plan+": "+r.endWords()+" ("+strings.Join(words, ", ")+")")
	if r.Stop != nil {
		p.para(2, fmt.Sprintf("[%s] task %d: %s (%s)", r.Stop.Condition, r.Stop.Task, r.Stop.Reason, r.Stop.Rule))
	}
	r.heading(p, "Turns ("+turn.Dir+")", len(r.Turns))
	for i := range r.Turns {
		p.flow("  ", 2, 4, cleanLine(r.Turns[i].words))
	}
	r.heading(p, "Tasks completed", len(r.Completed))
	for _, t := range r.Completed {
		p.flow("  ", 2, 4, cleanLine(t.words()))
	}
	r.heading(p, "Decisions", len(r.Decisions))
	for i := range r.Decisions {
		r.Decisions[i].write(p)
	}
	r.heading(p, "Questions that wait", len(r.Questions))
	for i := range r.Questions {
		r.Questions[i].write(p)
	}
	r.heading(p, "Needed", len(r.Needs))
	for _, text := range r.Needs {
		p.flow("  ", 2, 4, cleanLine(text))
	}
}

// words name the task and its commit.
func (t *ranTask) words() string {
	text := fmt.Sprintf("task %d: %s", t.Task, t.Title)
	if t.Commit != "" {
		text += " (" + t.Commit[:min(len(t.Commit), shortCommit)] + ")"
	}
	return text
}

// shortCommit is how much of a commit's name people are shown.
const shortCommit = 12

// heading begins a part that is not empty.
func (r *ranAnswer) heading(p page, title string, n int) {
	if n > 0 {
		p.line("\n%s", p.paint(bold, title))
	}
}

// ms is a duration in JSON: milliseconds.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
