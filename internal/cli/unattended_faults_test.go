package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/turntest"
)

// misbehaviours: what an agent does, and what stops the plan (UN-3). turns are taken until one says that a person is needed.
var misbehaviours = []struct {
	name      string // of the behaviour
	human     bool   // the plan has a criterion that is a person's
	args      []string
	turns     int
	done      int // tasks that are completed then
	condition string
	rule      string
	more      func(*testing.T, *unwatched, turnSaid)
}{
	{name: "nothing", turns: 2, condition: "S4", rule: "turn/no-progress"},
	{name: "liar", turns: 2, condition: "S4", rule: "turn/no-progress"},
	{name: "liar-record@3", args: []string{"--observed"}, turns: 3, done: 3, condition: "S1", rule: "turn/asserted"},
	{name: "outside@2", turns: 2, done: 2, condition: "S3", rule: "turn/surface"},
	{name: "hangs", args: []string{"--max-turn-time", "2s"}, turns: 2, condition: "S4", rule: "turn/no-progress", more: reasonSays("timed out")},
	{name: "crashes@2", turns: 3, done: 1, condition: "S4", rule: "turn/no-progress"},
	{name: "two", turns: 1, done: 1, condition: "S3", rule: "turn/surface", more: untouched(2)},
	{name: "two-by-hand", turns: 1, done: 2, condition: "S3", rule: "turn/state-by-hand"},
	{name: "by-hand@2", turns: 2, done: 2, condition: "S3", rule: "turn/state-by-hand"},
	{name: "deletes-test@3", turns: 3, done: 3, condition: "S2", rule: "turn/tests-removed"},
	{name: "approves", turns: 2, condition: "S4", rule: "turn/no-progress", more: noAuthority},
	{name: "impersonates", turns: 1, condition: "S2", rule: "turn/authority"},
	{name: "ticks-gate", human: true, turns: 5, done: 4, condition: "S2", rule: "turn/human-gate"},
	{name: "fails-gate", turns: 2, condition: "S1", rule: "turn/gate-failing"},
	{name: "rewinds", turns: 1, done: 1, condition: "S3", rule: "turn/rewound"},
}

// UN-3, C37, C101: each misbehaviour stops the plan, by the rule that names it, with exit code 5, and the plan says so to whoever looks.
// Afterwards no turn writes anything (C97).
func TestMisbehaviours(t *testing.T) {
	for _, tt := range misbehaviours {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n := unwatchedOf(t, tt.name, tt.human)
			var a turnSaid
			turns := 0
			for a.code != ExitBlocked && turns < tt.turns+2 {
				a = n.turn(tt.args...)
				turns++
			}
			if turns != tt.turns || a.Stop == nil || a.Stop.Condition != tt.condition || a.Stop.Rule != tt.rule || a.code != ExitBlocked {
				t.Fatalf("after %d turns: %v; want %s %s after %d", turns, a, tt.condition, tt.rule, tt.turns)
			}
			s := n.state()
			if s.Blocked == nil || s.Blocked.Needs == "" || !strings.Contains(s.Blocked.Reason, tt.condition) || s.Tasks[s.Blocked.Task-1].Status != "blocked" {
				t.Errorf("the plan is not blocked: %+v", s.Blocked)
			}
			n.sound(tt.done)
			if tt.more != nil {
				tt.more(t, n, a)
			}
			n.quiet("plan-blocked", ExitBlocked)
			n.alone()
		})
	}
}

func reasonSays(words string) func(*testing.T, *unwatched, turnSaid) {
	return func(t *testing.T, n *unwatched, a turnSaid) {
		if !strings.Contains(a.Stop.Reason, words) {
			t.Errorf("the reason %q does not say %q", a.Stop.Reason, words)
		}
	}
}

// untouched demands that nobody moved a task but to block it.
func untouched(task int) func(*testing.T, *unwatched, turnSaid) {
	return func(t *testing.T, n *unwatched, _ turnSaid) {
		if got := n.state().Tasks[task-1]; len(got.Gates) > 0 || got.Status == "completed" || got.Status == "in_progress" {
			t.Errorf("task %d: %+v", task, got)
		}
	}
}

// noAuthority demands that nothing in the plan claims a person's word.
func noAuthority(t *testing.T, n *unwatched, _ turnSaid) {
	questions := text(t, filepath.Join(n.folder(), "analysis_results", "QUESTIONS.md"))
	if strings.Contains(questions, turntest.Answer) {
		t.Errorf("the agent answered itself:\n%s", questions)
	}
	if progress := text(t, filepath.Join(n.folder(), "PROGRESS.md")); strings.Contains(progress, "mendment") {
		t.Errorf("the agent amended:\n%s", progress)
	}
}

// Without --observed an asserted gate is one by the standard (PS-12): the plan ends, and each turn says that nobody saw the gate run.
func TestAssertedGates(t *testing.T) {
	n := unwatchedOf(t, "liar-record", false)
	for i := range turntest.Tasks {
		if a := n.turn(); a.Result != "completed" {
			t.Fatalf("turn %d: %v", i+1, a)
		}
	}
	n.sound(turntest.Tasks)
}

// C91: what an agent leaves running ends with its turn, in its process group or out of it.
func TestAgentForks(t *testing.T) {
	n := unwatchedOf(t, "forks", false)
	for range 2 {
		if a := n.turn(); a.Result != "completed" {
			t.Fatal(a)
		}
		n.alone()
	}
}

// PS-7: what an agent says is kept with its secrets masked; what it commits is not completed.
func TestAgentSecrets(t *testing.T) {
	n := unwatchedOf(t, "says-secret", false)
	if a := n.turn(); a.Result != "completed" {
		t.Fatal(a)
	}
	n.noSecret()
	n.configure("adds-secret")
	for range 4 {
		if a := n.turn(); a.code == ExitBlocked {
			break
		}
	}
	if s := n.state(); s.Completed != 1 || s.Blocked == nil {
		t.Errorf("%d tasks completed, blocked %+v", s.Completed, s.Blocked)
	}
	n.noSecret()
}

// noSecret demands that no file of the plan holds the secret.
func (n *unwatched) noSecret() {
	n.t.Helper()
	for name, data := range contents(n.t, n.folder()) {
		if strings.Contains(data, turntest.Secret) {
			n.t.Errorf("%s holds the secret", name)
		}
	}
	if _, err := os.Stat(filepath.Join(n.folder(), "analysis_results", "turns", "1.log")); err != nil {
		n.t.Error(err)
	}
}
