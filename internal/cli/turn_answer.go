package cli

import (
	"fmt"
	"path"
	"strconv"

	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/turn"
)

// turnExit is the code of an outcome: words and code come from the same one (C101, C147).
func turnExit(out *turn.Outcome) int {
	switch {
	case out.Stop != nil:
		return ExitBlocked
	case out.Result == turn.Interrupted:
		return ExitInterrupted
	case out.Result == turn.PlanBlocked, out.Result == turn.Blocked:
		return ExitBlocked
	case out.Result == turn.PlanDone, out.Result == turn.Completed, out.Result == turn.Progress:
		return ExitOK
	}
	return ExitNo
}

// turnAnswer is the JSON answer of turn, and what its text is made of.
type turnAnswer struct {
	opening
	Plan     string        `json:"plan"`
	Path     string        `json:"path"`
	Result   turn.Result   `json:"result"`
	Turn     int           `json:"turn"` // 0 when none was taken
	Task     int           `json:"task"`
	Stop     *turnStop     `json:"stop"`    // null when it may go on
	Blocked  *blocker      `json:"blocked"` // that stands in the plan now
	Record   string        `json:"record"`  // its path in the plan folder; "" for none
	Gained   *turnGained   `json:"gained"`
	Surface  *turnSurface  `json:"surface"`
	Findings []turnFinding `json:"turn_findings"`
	Run      *turnRun      `json:"run"` // null when no agent was woken
	Mended   []string      `json:"mended"`
	Warnings []string      `json:"warnings"`
	Next     string        `json:"next"` // the command that lets it go on when a person is needed; "" for none
	closing
}

type turnStop struct {
	Condition turn.Condition `json:"condition"` // S1 to S4
	Rule      string         `json:"rule"`
	Task      int            `json:"task"`
	Reason    string         `json:"reason"`
	Needs     string         `json:"needs"`
}

type turnGained struct {
	Completed  bool     `json:"completed"`
	Gates      []string `json:"gates"`
	Checkpoint bool     `json:"checkpoint"`
	Commits    []string `json:"commits"`
	Criteria   int      `json:"criteria"`
	text       string
}

type turnSurface struct {
	Planned  []string `json:"planned"`
	Declared []string `json:"declared"`
	Changed  []string `json:"changed"`
	Outside  []string `json:"outside"`
}

type turnFinding struct {
	ID      string `json:"id"`
	Message string `json:"message"`
}

type turnRun struct {
	Agent    string   `json:"agent"`
	Model    string   `json:"model"`
	End      string   `json:"end"`
	Code     int      `json:"exit_code"`
	Duration float64  `json:"duration_ms"`
	Cost     *float64 `json:"cost"` // US dollars, as the agent tells; null when it doesn't
	Log      string   `json:"log"`
}

// turnAnswerOf makes the answer of an outcome.
func turnAnswerOf(t target, out *turn.Outcome) *turnAnswer {
	v := &turnAnswer{opening: opened("turn"), Plan: t.Name, Path: t.Path, Result: out.Result, Blocked: blockerOf(out.Blocked),
		Findings: []turnFinding{}, Mended: list(out.Mended), Warnings: list(out.Warnings), closing: closed(nil, nil)}
	if v.Blocked != nil {
		v.Next = goesOn(t, v.Blocked, askedOf(t, true).Questions)
	}
	if s := out.Stop; s != nil {
		v.Stop = &turnStop{s.Condition, s.Rule, s.Task, s.Reason, s.Needs}
		v.Task = s.Task
	}
	r := out.Record
	if r == nil {
		return v
	}
	v.Turn, v.Task, v.Record = r.N, r.Task, turn.Dir+"/"+strconv.Itoa(r.N)+".json"
	v.Gained = &turnGained{r.Gained.Completed, list(r.Gained.Gates), r.Gained.Checkpoint, list(r.Gained.Commits), r.Gained.Criteria, turn.GainedWords(&r.Gained)}
	v.Surface = &turnSurface{list(r.Surface.Planned), list(r.Surface.Declared), list(r.Surface.Changed), list(r.Surface.Outside)}
	for _, f := range r.Findings {
		v.Findings = append(v.Findings, turnFinding(f))
	}
	if run := r.Run; run != nil {
		v.Run = &turnRun{Agent: r.Agent, Model: r.Model, End: run.End, Code: run.Code, Duration: float64(run.Duration.Microseconds()) / 1000, Log: run.Log}
		if run.Report.HasCost {
			v.Run.Cost = &run.Report.Cost
		}
	}
	return v
}

func blockerOf(b *state.Blocker) *blocker {
	if b == nil {
		return nil
	}
	return &blocker{Task: b.Task, Reason: b.Reason, Needs: b.Needs, Since: timeText(b.Since)}
}

// write tells a turn in a few lines: what became of it, what was gained, what a person has to do.
func (v *turnAnswer) write(p page) {
	name, words := cleanLine(v.Plan), turnWords(v.Result)
	if v.Result == turn.StoppedNow && v.Gained != nil && v.Gained.Completed {
		words = "completed, and the plan is stopped; a person is needed"
	}
	switch {
	case v.Turn != 0 && v.Task != 0:
		p.line("%s turn %d, task %d: %s", name, v.Turn, v.Task, words)
	case v.Turn != 0:
		p.line("%s turn %d: %s", name, v.Turn, words)
	default:
		p.line("%s: %s", name, words)
	}
	if v.Gained != nil && v.Gained.text != "" {
		p.para(2, "Gained: "+v.Gained.text)
	}
	for _, f := range v.Findings {
		if v.Stop != nil && v.Stop.Rule == f.ID && v.Stop.Reason == f.Message { // said below, with what it needs
			continue
		}
		p.para(2, cleanLine(f.ID+": "+f.Message))
	}
	switch {
	case v.Stop != nil:
		p.para(2, cleanLine("Stopped: ["+string(v.Stop.Condition)+"] "+v.Stop.Reason+" ("+v.Stop.Rule+")"))
		if v.Stop.Needs != "" {
			p.para(2, cleanLine("Needs: "+v.Stop.Needs))
		}
		if v.Blocked != nil && v.Blocked.Task != v.Task {
			p.para(2, fmt.Sprintf("Blocked: task %d, so that nothing goes on meanwhile", v.Blocked.Task))
		}
	case v.Blocked != nil:
		p.para(2, cleanLine(fmt.Sprintf("Blocked: task %d, %s", v.Blocked.Task, v.Blocked.Reason)))
		if v.Blocked.Needs != "" {
			p.para(2, cleanLine("Needs: "+v.Blocked.Needs))
		}
	}
	if v.Next != "" {
		p.para(2, "Then: "+v.Next)
	}
	if v.Record != "" {
		text := "Record: " + v.Record
		if v.Run != nil && v.Run.Log != "" {
			text += ", and what the agent printed beside it: " + path.Base(v.Run.Log)
		}
		p.para(2, text)
	}
}

// goesOn is the command by which a person lets a blocked task go on: an answer, where the blocker is a question. "" when nothing is blocked.
func goesOn(t target, b *blocker, asked []questionJSON) string {
	if b == nil {
		return ""
	}
	for i := range asked {
		if q := &asked[i]; q.Open && q.Blocking && q.Task == b.Task && q.ToAnswer != "" {
			return q.ToAnswer
		}
	}
	return fmt.Sprintf("dwp unblock %s %d --answer TEXT --by NAME", t.Name, b.Task)
}

// turnWords are the words for people of a result.
func turnWords(r turn.Result) string {
	switch r {
	case turn.Progress:
		return "further, not completed"
	case turn.NoProgress:
		return "nothing that can be verified came of it"
	case turn.Blocked:
		return "blocked by the agent; a person is needed"
	case turn.StoppedNow:
		return "stopped; a person is needed"
	case turn.PlanDone:
		return "the plan is complete; nothing to do"
	case turn.PlanBlocked:
		return "blocked; nothing may start until a person answers"
	}
	return string(r)
}
