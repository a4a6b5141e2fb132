package work

import (
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// questionGuards is the table of the rules by which escalate and answer refuse.
var questionGuards = []update.Guard{
	{ID: "guard/escalation-class", Requirement: "UN-5", Title: "an escalation names its class, C1 to C5, or is not one",
		Hint: "what has no class the agent decides, and records with dwp decide"},
	{ID: "guard/question", Requirement: "PD-12", Title: "an answer is to a question that was asked", Hint: "dwp questions lists them with their IDs"},
	{ID: "guard/critical", Requirement: "GU-5", Title: "a critical question blocks a task of state.json",
		Hint: "ask without --critical: the question waits in analysis_results/QUESTIONS.md"},
}

// EscalationClass is a kind of question that is a person's (UN-5).
type EscalationClass struct {
	ID, Means string
	// Gate says that the answer is a person's own act: no trust, no default and no standing "be autonomous" stands in for it (UN-6).
	Gate bool
}

// EscalationClasses returns the closed set, in order. The slice is the caller's.
func EscalationClasses() []EscalationClass {
	return []EscalationClass{
		{"C1", "access, a credential or a person's approval is missing", true},
		{"C2", "a destructive, outward-facing or irreversible act that nobody authorised", true},
		{"C3", "the person's literal words conflict with the recommendation, and no reversible option exists", false},
		{"C4", "a mandatory criterion would be dropped or deferred, or the scope grow", true},
		{"C5", "a critical security finding, or the risk of losing data", true},
	}
}

// QuestionTerms is what questions and answers may meet: older plans without a state layer, too.
var QuestionTerms = update.Terms{Stateless: true}

// Asked is a question of a plan as its files tell of it now.
type Asked struct {
	update.Question
	update.Escalation
	// Blocking says that the plan's blocker is this question: its task, and what depends on it, waits for the answer (GU-5).
	Blocking bool
	Holds    []int // the tasks that wait for it, its own first
}

// Open reports whether no person answered it.
func (a *Asked) Open() bool { return len(a.Answers) == 0 }

// Gate reports whether only the person may answer, whatever trust was given before (UN-6).
func (a *Asked) Gate() bool {
	return slices.ContainsFunc(EscalationClasses(), func(c EscalationClass) bool { return c.ID == a.Class && c.Gate })
}

// Questions lists the questions of a plan in their order, hand-written ones among them (PD-12). One that is refused could not be read.
func Questions(s *plan.Snapshot) ([]Asked, error) {
	text, err := questionsText(s)
	if err != nil {
		return nil, err
	}
	var list []Asked
	for _, q := range update.ReadQuestions(text) {
		a := Asked{Question: q, Escalation: q.Escalation()}
		if b := blockerOf(s); b != nil && asksFor(b, a.ID) {
			a.Blocking = true
			a.Holds = append([]int{b.Task}, waiting(s, b.Task)...)
		}
		list = append(list, a)
	}
	return list, nil
}

// questionsText is what QUESTIONS.md says; "" without one. One that is there and can't be read is not taken for none.
func questionsText(s *plan.Snapshot) (string, error) {
	file := s.Files[plan.QuestionsFile]
	_, stands := s.Nodes[plan.QuestionsFile]
	switch {
	case file != nil && file.Err != nil:
		return "", refuse("guard/unreadable", "%s can't be read: %v", plan.QuestionsFile, file.Err)
	case file == nil && stands:
		return "", refuse("guard/unreadable", "%s is no file that can be read", plan.QuestionsFile)
	case file == nil:
		return "", nil
	}
	return string(file.Data), nil
}

func blockerOf(s *plan.Snapshot) *state.Blocker {
	if s.State == nil {
		return nil
	}
	return s.State.Blocked
}

// asksFor reports whether a blocker is a question: its reason goes on with the ID behind the class, "[C2] Q1: which tariff?". The task is
// not compared, for a refine may have given it another number.
func asksFor(b *state.Blocker, id string) bool {
	_, reason, found := strings.Cut(b.Reason, "] ")
	return found && id != "" && strings.HasPrefix(reason, id+": ")
}

// waiting lists the open tasks that depend on one, directly or through others, ascending; without declared dependencies or groups, every
// other one (GU-5).
func waiting(s *plan.Snapshot, on int) (held []int) {
	o := s.Overview()
	declared := s.README != nil && len(s.README.Groups) > 0 ||
		slices.ContainsFunc(o.Tasks, func(t plan.TaskView) bool { return t.Record != nil && t.Record.HasDepends })
	graph, after := s.Graph(), map[int][]int{}
	for i := range o.Tasks {
		t := &o.Tasks[i]
		if t.ID == on || t.Status == state.Completed || t.Status == state.Skipped {
			continue
		}
		if !declared {
			held = append(held, t.ID)
			continue
		}
		for _, d := range graph.DependsOn(t.ID) {
			after[d] = append(after[d], t.ID)
		}
	}
	found := map[int]bool{on: true}
	for todo := []int{on}; len(todo) > 0; todo = todo[1:] {
		for _, id := range after[todo[0]] {
			if !found[id] {
				found[id] = true
				held, todo = append(held, id), append(todo, id)
			}
		}
	}
	slices.Sort(held)
	return held
}
