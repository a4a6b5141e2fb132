package cli

import (
	"maps"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/plantest"
)

// turnWriters are calls of every writer that would, outside a turn, get as far as their change, or as the plan's rules for it. PLAN is the
// plan, {state} its state.json, {folder} its folder, {top} its repository, and {gate} a gate that passed.
var turnWriters = []string{
	"create --name new_plan --from outline.md", "create --name new_plan --dir {top} --from outline.md", "create --resume cut_off", "create --discard cut_off --yes",
	"create lite trust --by Ada --name new_plan --from outline.md",
	"gate run PLAN 2 -- true", "gate record PLAN 2 --gate {gate}",
	"amend PLAN --task 2 --criterion 1 --observed x --disposition failed --reason y --authority evidence",
	"migrate PLAN --to v2", "migrate PLAN --standard 5.0.0 --reason x --dry-run", "approve PLAN --by Ada", "approve PLAN --by Ada --unattended", "resume PLAN --fix",
	"start PLAN", "start PLAN 2", "checkpoint PLAN --step half", "block PLAN 2 --class S1 --reason why --needs what", "unblock PLAN 2 --answer yes --by Ada",
	"reopen PLAN 1 --reason why", "complete PLAN 2 --worked x --skills none --commit none",
	"reconcile PLAN", "reconcile PLAN --rebuild", "reconcile PLAN --create-layer", "promote PLAN", "promote PLAN --withdraw",
	"refine PLAN --from changes.json", "refine add PLAN --from tasks.md", "refine move PLAN 3 --after 1", "refine remove PLAN 2",
	"refine edit PLAN 2 --from task.json", "refine split PLAN 2 --from tasks.md",
	"escalate PLAN --class C1 --question a --default b", "answer PLAN Q1 --text a --by Ada", "decide PLAN --choice a --why b --revert c",
	"skills add PLAN --task 2 --title x", "skills update PLAN T1-1 --disposition none",
	"handoff export PLAN", "handoff import pack.tar.gz", "handoff import pack.tar.gz --dir {top}",
	"run PLAN --max-turns 1", "turn PLAN", "recover PLAN", "recover PLAN --withdraw", "lock clear PLAN --owner unknown", "lock clear PLAN --lease unknown",
	"state update {state} --task 2 --status in_progress", "state finalize {folder} --candidate {state}", "state finalize {folder} --candidate {state} --recover",
}

// turnExempt are the writers that get past an ended turn, and why.
var turnExempt = map[string]string{
	"report":   "it writes a text beside the plan, and changes none",
	"finalize": "a plan with open tasks is refused first; TestFinalizeInEndedTurn has one without",
}

// call puts the names of a laid plan into a call.
func (m made) call(command string) []string {
	fill := strings.NewReplacer("PLAN", plantest.Name, "{state}", m.state(), "{folder}", m.folder, "{top}", m.top, "{gate}", passed)
	words := strings.Fields(command)
	for i := range words {
		words[i] = fill.Replace(words[i])
	}
	return append([]string{"-C", m.top}, words...)
}

// TestNoWriterGetsPastAnEndedTurn (UN-1, UN-2, UN-6, LF-7, C65): an agent whose turn is over, or that is at another plan than its turn's,
// gets no change done by any command: each refuses by the rule that says why, and not a byte is written.
func TestNoWriterGetsPastAnEndedTurn(t *testing.T) {
	m, other := layPlan(t, startedPlan), layPlan(t, startedPlan)
	_, outline, _ := m.dwp(nil, "create", "--outline-template")
	writeTree(t, m.top, map[string]string{"outline.md": outline, "tasks.md": outline, "changes.json": `{"changes": [{"do": "edit", "number": 2, "task": {"goal": "x"}}]}`, "task.json": `{"goal": "x"}`, "pack.tar.gz": "x"})
	_, inTurn := other.lease(t, 2)
	const ended = "DWP_TURN=12-0123456789abcdef"
	before := contents(t, m.top)
	for what, settings := range map[string][]string{
		"ended": {ended, "DWP_PLAN=" + m.folder}, "no plan": {ended}, "another plan": append(inTurn, "DWP_PLAN="+other.folder),
	} {
		for _, command := range turnWriters {
			if what == "another plan" && strings.HasPrefix(command, "create --") && !strings.Contains(command, "--discard") {
				continue // its turn lives, and a new plan is nobody's: a hub's task may make those of its children
			}
			code, stdout, stderr := m.dwp(settings, m.call(command)...)
			over := strings.Contains(stderr, "guard/turn-over (UN-2)") && (code == ExitLocked || code == ExitNo && strings.HasPrefix(command, "state "))
			if authority := code == ExitNo && strings.Contains(stderr, "guard/in-turn (UN-6)"); !over && !authority {
				t.Errorf("%s: dwp %s: code %d: %s%s", what, command, code, stdout, stderr)
			}
			if !maps.Equal(before, contents(t, m.top)) {
				t.Fatalf("%s: dwp %s wrote", what, command)
			}
		}
	}
}

// TestTurnWritersAreComplete: what TestNoWriterGetsPastAnEndedTurn calls is every writer there is.
func TestTurnWritersAreComplete(t *testing.T) {
	for _, command := range writers {
		found := false
		words := strings.Fields(command)
		for _, call := range turnWriters {
			to := strings.Fields(call)
			found = found || to[0] == words[0] && (!isParent(words[0], words[1:]) || to[1] == words[1])
		}
		if !found && turnExempt[words[0]] == "" {
			t.Errorf("turnWriters has no call like dwp %s", command)
		}
	}
}

// isParent reports whether the second word of a call is the name of a command below the first.
func isParent(name string, rest []string) bool {
	if len(rest) == 0 {
		return false
	}
	a := &app{env: testEnv("", nil, nil)}
	found, _, err := a.rootCmd().Find([]string{name, rest[0]})
	return err == nil && found.Name() == rest[0]
}

// TestFinalizeInEndedTurn (UN-2, C65): nor is a plan whose tasks are done published.
func TestFinalizeInEndedTurn(t *testing.T) {
	m := layPlan(t, plantest.Spec{Tasks: 3, Ready: true})
	before := contents(t, m.top)
	code, _, stderr := m.dwp([]string{"DWP_TURN=12-0123456789abcdef"}, m.call("finalize PLAN")...)
	if code != ExitLocked || !strings.Contains(stderr, "guard/turn-over") || !maps.Equal(before, contents(t, m.top)) {
		t.Errorf("code %d: %s", code, stderr)
	}
}

// TestCreateInTurn (UN-2): while its turn lives, an agent may make a plan, which no one has approved.
func TestCreateInTurn(t *testing.T) {
	m := layPlan(t, startedPlan)
	_, outline, _ := m.dwp(nil, "create", "--outline-template")
	writeTree(t, m.top, map[string]string{"outline.md": outline})
	_, inTurn := m.lease(t, 2)
	code, _, stderr := m.dwp(append(inTurn, "DWP_PLAN="+m.folder), m.call("create --name new_plan --from outline.md")...)
	if code != ExitOK {
		t.Errorf("code %d: %s", code, stderr)
	}
}
