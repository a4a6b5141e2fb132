package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deepworkplan/dwp/internal/turntest"
)

// UN-2: a good agent brings the plan to its end in eight turns, a task in each, and a ninth changes no byte (C03).
func TestTurnsOfGoodAgent(t *testing.T) {
	n := unwatchedOf(t, "good", false)
	for i := range turntest.Tasks {
		a := n.turn()
		if a.code != ExitOK || a.Result != "completed" || a.Turn != i+1 || a.Stop != nil {
			t.Fatalf("turn %d: %v", i+1, a)
		}
		n.sound(i + 1)
	}
	n.quiet("plan-completed", ExitOK)
	n.alone()
	progress := text(t, filepath.Join(n.folder(), "PROGRESS.md"))
	for i := range turntest.Tasks {
		if got := strings.Count(progress, fmt.Sprintf(" Turn %d\n", i+1)); got != 1 {
			t.Errorf("PROGRESS.md names turn %d %d times:\n%s", i+1, got, progress)
		}
	}
}

// quiet takes five turns with nothing to do: none wakes an agent, and no byte changes (C03, C97).
func (n *unwatched) quiet(result string, code int) {
	n.t.Helper()
	before := contents(n.t, n.top)
	for range 5 {
		if a := n.turn(); a.code != code || a.Result != result {
			n.t.Fatalf("with nothing to do: %v; want %s, code %d", a, result, code)
		}
	}
	if diff := cmp.Diff(before, contents(n.t, n.top)); diff != "" {
		n.t.Errorf("turns with nothing to do wrote (-before +after):\n%s", diff)
	}
}

// UN-2, UN-3: an agent that takes a step in each turn gets on, and no stop condition holds.
func TestTurnsOfSlowAgent(t *testing.T) {
	n := unwatchedOf(t, "slow", false)
	turns := 0
	for a := (turnSaid{}); a.Result != "plan-completed"; turns++ {
		if a = n.turn(); a.code != ExitOK || turns > 30 {
			t.Fatalf("turn %d: %v", turns, a)
		}
	}
	if turns < 2*turntest.Tasks {
		t.Errorf("%d turns", turns)
	}
	n.sound(turntest.Tasks)
}

// C103, UN-1: a plan that no person approved, or whose person did not allow unattended work, is not begun, and no byte changes.
func TestTurnNeedsApproval(t *testing.T) {
	for _, tt := range []struct {
		name    string
		approve []string // of a plan that is new
		rule    string
		edit    [2]string // of README.md
	}{
		{"pending", nil, "guard/turn-opt-in", [2]string{}},
		{"approved to be worked with a person", []string{"approve", "--by", "Ada"}, "guard/turn-opt-in", [2]string{}},
		{"opened, and pending again", []string{"approve", "--by", "Ada", "--unattended"}, "guard/turn-approval", [2]string{"**Approval:** approved", "**Approval:** pending"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := unwatchedOf(t, "good", false)
			const name = "PLAN_second_till"
			n.must("create", "--from", "outline.md", "--name", "second_till", "--ignore")
			if tt.approve != nil {
				n.must(append(tt.approve, name)...)
			}
			if tt.edit[0] != "" {
				n.rewrite(".dwp/plans/"+name+"/README.md", tt.edit)
			}
			before := contents(t, n.top)
			for range 5 {
				code, stdout, stderr := n.dwp("turn", name)
				if code != ExitNo || !strings.Contains(stderr, tt.rule) || !strings.Contains(stderr, "nothing was written") {
					t.Errorf("code %d: %s%s", code, stdout, stderr)
				}
			}
			if diff := cmp.Diff(before, contents(t, n.top)); diff != "" {
				t.Errorf("a refused turn wrote (-before +after):\n%s", diff)
			}
		})
	}
}

// rewrite replaces a text of a file, which must be there.
func (n *unwatched) rewrite(name string, edit [2]string) {
	n.t.Helper()
	old := text(n.t, filepath.Join(n.top, name))
	if !strings.Contains(old, edit[0]) {
		n.t.Fatalf("%s does not contain %q", name, edit[0])
	}
	n.write(name, strings.ReplaceAll(old, edit[0], edit[1]))
}

// UN-3, C97: a stop that finds a question in its place can't be written as the plan's blocker. It holds all the same: no turn wakes an agent
// again before a person has answered, and then it takes the question's place.
func TestStopBehindAQuestion(t *testing.T) {
	n := unwatchedOf(t, "gives-up", false)
	var results []string
	for a := (turnSaid{}); a.Result != "plan-blocked" && len(results) < 8; {
		a = n.turn()
		results = append(results, fmt.Sprintf("%d %s", a.Task, a.Result))
	}
	if want := []string{"1 completed", "2 blocked", "4 no-progress", "4 stopped", "0 plan-blocked"}; !slices.Equal(results, want) {
		t.Fatalf("got %q, want %q", results, want)
	}
	n.quiet("plan-blocked", ExitBlocked)
	n.must("answer", turntest.Plan, "Q1", "--text", turntest.Answer, "--by", "Ada")
	if a := n.turn(); a.Result != "stopped" || a.Stop == nil || a.Stop.Rule != "turn/no-progress" || a.Stop.Task != 4 {
		t.Errorf("the stop of task 4 went with the answer about another task: %v", a)
	}
	n.quiet("plan-blocked", ExitBlocked)
	n.must("unblock", turntest.Plan, "4", "--answer", "try again", "--by", "Ada")
	if a := n.turn(); a.Result != "completed" || a.Task != turntest.AskTask {
		t.Errorf("after both answers: %v", a)
	}
	n.sound(2)
}

// UN-5, UN-7, C97, C99, C101: a critical question blocks its chain only; the others are done in the same night. Then nothing is
// written until a person answers, a day later; the agent has the answer, and asks no more.
func TestBlockedAnsweredResumed(t *testing.T) {
	n := unwatchedOf(t, "asks", false)
	n.later = 10 * time.Hour
	var tasks []int
	for range turntest.Tasks {
		a := n.turn()
		if a.Result == "plan-blocked" {
			break
		}
		tasks = append(tasks, a.Task)
		if a.Task == turntest.AskTask && (a.Result != "blocked" || a.code != ExitBlocked) {
			t.Errorf("the turn that asked: %v", a)
		}
	}
	if want := []int{1, 2, 4, 5}; !slices.Equal(tasks, want) {
		t.Fatalf("the turns were about the tasks %v, want %v", tasks, want)
	}
	n.sound(3)
	n.quiet("plan-blocked", ExitBlocked)
	n.later += 24 * time.Hour
	n.quiet("plan-blocked", ExitBlocked)

	n.must("answer", turntest.Plan, "Q1", "--text", turntest.Answer, "--by", "Ada")
	n.later += 24 * time.Hour
	for _, task := range []int{2, 3, 6, 7, 8} {
		if a := n.turn(); a.Result != "completed" || a.Task != task {
			t.Fatalf("after the answer: %v; want task %d", a, task)
		}
	}
	n.sound(turntest.Tasks)
	questions := text(t, filepath.Join(n.folder(), "analysis_results", "QUESTIONS.md"))
	if got := strings.Count(questions, turntest.Question); got != 1 {
		t.Errorf("the question was asked %d times:\n%s", got, questions)
	}
	if !strings.Contains(questions, turntest.Answer) {
		t.Errorf("the answer is not there:\n%s", questions)
	}
}

// UN-6: a criterion that is a person's stays open under trust, and under granting words as wide as one likes, until that person has spoken.
func TestHumanGateStaysClosed(t *testing.T) {
	n := unwatchedOf(t, "good", true)
	for done := 0; ; done++ {
		a := n.turn()
		if a.Result == "completed" {
			continue
		}
		if a.Task != turntest.HumanTask || a.code != ExitBlocked {
			t.Fatalf("after %d tasks: %v", done, a)
		}
		break
	}
	n.sound(turntest.HumanTask - 1)
	n.quiet("plan-blocked", ExitBlocked)
	n.must("answer", turntest.Plan, "Q1", "--text", "yes, I approve the limit of five", "--by", "Ada")
	for n.state().Completed < turntest.Tasks {
		if a := n.turn(); a.Result != "completed" {
			t.Fatalf("after Ada's answer: %v", a)
		}
	}
	n.sound(turntest.Tasks)
}
