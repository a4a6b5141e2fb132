package update

import (
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
)

// blockers decides what the change may do while a blocker stands, and to the blocker itself (GU-5, PS-16).
func (g *guard) blockers() *Refusal {
	if r := g.blockOptions(); r != nil {
		return r
	}
	b := g.st.Blocked
	switch {
	case g.ch.ResolveBlocker:
		return g.resolve()
	case b != nil && !g.own && g.ch.BlockReason != "":
		return refuse("guard/other-blocker", "task %d is blocked already; its blocker is not replaced", b.Task)
	case b != nil && !g.own && g.waitsFor(b.Task):
		// Whether anything moves at all is known only when the change is made: a replay doesn't (GU-4).
		g.wait = refuse("guard/blocker", "task %d is blocked, and task %d waits for it", b.Task, g.task.ID)
		if g.to != g.from {
			return g.wait
		}
	case g.own && g.to != state.Blocked:
		return refuse("guard/blocker", "task %d is blocked; it goes on only when its blocker is resolved", g.task.ID).
			hint("when what it needs is there, dwp unblock records the answer; with dwp state update give --resolve-blocker too")
	}
	return nil
}

// blockOptions: reason, needs and status belong together. A reason makes the task blocked.
func (g *guard) blockOptions() *Refusal {
	if g.ch.ResolveBlocker && (g.ch.BlockReason != "" || g.ch.BlockNeeds != "") {
		return refuse("guard/options", "one change can't both block and resolve")
	}
	if g.ch.BlockReason != "" {
		switch {
		case g.ch.Status != "" && g.ch.Status != state.Blocked:
			return refuse("guard/options", "a block reason makes the task blocked, not %s", g.ch.Status)
		case strings.TrimSpace(g.ch.BlockReason) == "":
			return refuse("guard/block-reason", "the block reason has no words")
		}
		if !classed(g.ch.BlockReason) {
			g.warn("the block reason does not begin with its class, [S1] to [S4] or [C1] to [C5]")
		}
		g.to = state.Blocked
		return nil
	}
	if !g.own && (g.to == state.Blocked || g.ch.BlockNeeds != "") {
		return refuse("guard/block-reason", "task %d can't be blocked without a reason", g.task.ID)
	}
	return nil
}

// classed: "[S3] …" or "[C1] …" (UN-3, UN-5).
func classed(reason string) bool {
	if len(reason) < 4 || reason[0] != '[' || reason[3] != ']' {
		return false
	}
	return reason[1] == 'S' && reason[2] >= '1' && reason[2] <= '4' || reason[1] == 'C' && reason[2] >= '1' && reason[2] <= '5'
}

// resolve clears the task's own blocker. Without any, a replay that asks for the status the task has is let through.
func (g *guard) resolve() *Refusal {
	switch b := g.st.Blocked; {
	case g.to != state.InProgress && g.to != state.Completed:
		return refuse("guard/resolve-status", "the blocker is resolved, but task %d would stay %s", g.task.ID, g.to)
	case b == nil && g.from != g.to:
		return refuse("guard/no-blocker", "task %d is not blocked", g.task.ID)
	case b != nil && !g.own:
		return refuse("guard/other-blocker", "the blocker is task %d's; task %d can't resolve it", b.Task, g.task.ID).hint("name the blocked task")
	case b != nil && g.ch.InTurn && !g.answered():
		return refuse("guard/person", "no person's answer is recorded for the blocker of task %d", g.task.ID)
	}
	return nil
}

// waitsFor reports whether the task depends on the blocked one. Without declared dependencies or groups every other task
// does (GU-5), earlier ones too.
func (g *guard) waitsFor(blocked int) bool {
	return !g.declares() || g.dependants(blocked)[g.task.ID]
}

// declares reports whether the plan states any dependency or group.
func (g *guard) declares() bool {
	if g.s.README != nil && len(g.s.README.Groups) > 0 {
		return true
	}
	return slices.ContainsFunc(g.view.Tasks, func(t plan.TaskView) bool { return t.Record != nil && t.Record.HasDepends })
}

// dependants is the set of tasks that depend on one, directly or through others.
func (g *guard) dependants(on int) map[int]bool {
	found := map[int]bool{}
	if !g.declares() { // one after the other: every later task, without the lists of all
		for i := range g.st.Tasks {
			if id := g.st.Tasks[i].ID; id > on {
				found[id] = true
			}
		}
		return found
	}
	graph := g.s.Graph()
	waiting := map[int][]int{} // by what they wait for
	for i := range g.st.Tasks {
		id := g.st.Tasks[i].ID
		for _, d := range graph.DependsOn(id) {
			waiting[d] = append(waiting[d], id)
		}
	}
	for todo := []int{on}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, id := range waiting[at] {
			if !found[id] && id != on {
				found[id] = true
				todo = append(todo, id)
			}
		}
	}
	return found
}

// answered reports whether a person answered since the task was blocked: in QUESTIONS.md, or by an amendment on a person's
// authority (GU-5, UN-6). Days are compared, as amendments have no more.
func (g *guard) answered() bool {
	since := g.st.Blocked.Since.Value.UTC().Truncate(24 * time.Hour)
	if g.log != nil {
		for i := range g.log.Log.Amendments {
			a := &g.log.Log.Amendments[i]
			who := planmd.Authority(a.Field(planmd.FieldAuthority))
			if (who == planmd.AuthorityUser || who == planmd.AuthorityDeveloper) && !DayBefore(a.Date, since) {
				return true
			}
		}
	}
	return answeredIn(string(g.ch.Questions), g.task.ID, since)
}

// DayBefore reports whether a day, YYYY-MM-DD, is none, or lies before a time.
func DayBefore(day string, other time.Time) bool {
	at, err := time.Parse(time.DateOnly, day)
	return err != nil || at.Before(other)
}

// answerLabels begin the line of an answer in QUESTIONS.md.
var answerLabels = []string{"answer", "answered", "resposta", "respondida", "respuesta", "คำตอบ", "回答", "答复", "答覆"}

// answeredIn looks in QUESTIONS.md for an entry about a task with a dated answer. What an agent relayed is none (UN-6).
func answeredIn(questions string, task int, since time.Time) bool {
	for _, q := range ReadQuestions(questions) {
		if q.About(task) && slices.ContainsFunc(q.Answers, func(a QuestionAnswer) bool { return !DayBefore(a.Date, since) }) {
			return true
		}
	}
	return false
}

// isAnswer reports whether a label begins with one of the words for an answer: "Answered by Ana".
func isAnswer(label string) bool {
	word, _, _ := strings.Cut(strings.Trim(label, " *_"), " ")
	for _, l := range answerLabels {
		if word == l {
			return true
		}
	}
	return false
}

// dateIn is the last YYYY-MM-DD of a text, or "".
func dateIn(text string) string {
	for end := len(text); end >= len(time.DateOnly); end-- {
		day := text[end-len(time.DateOnly) : end]
		if day[4] != '-' || day[7] != '-' {
			continue
		}
		if _, err := time.Parse(time.DateOnly, day); err == nil {
			return day
		}
	}
	return ""
}
