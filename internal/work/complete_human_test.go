package work

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

const gated = "the tariff table is approved by Ana"

// awaited is a plan whose second task, in progress and with its gate passed, has criteria of its own for the second one.
func awaited(t *testing.T, criterion string) *disk.Twin {
	t.Helper()
	tw := inProgress(t, false, [3]string{"README.md", "- [ ] checksums agree", "- [ ] " + criterion})
	return withGate(t, tw, 2)
}

func inTurn(task int) *Complete {
	c := completion(task)
	c.InTurn = true
	return c
}

// UN-6: inside a turn an approval's box is ticked for nobody; the refusal names the way, and nothing is written.
func TestHumanGateInTurn(t *testing.T) {
	tw := awaited(t, gated)
	before := tw.Tree()
	_, err := do(t, tw, inTurn(2).Decide)
	if _, list := refusedBy(err); len(list) != 1 || list[0] != "guard/human-gate" {
		t.Fatalf("%v%s", err, why(err))
	}
	if text := why(err); !strings.Contains(text, `"approved by Ana"`) {
		t.Errorf("the refusal says %s", text)
	}
	after := tw.Tree()
	for name := range before {
		if before[name] != after[name] {
			t.Errorf("%s was written", name)
		}
	}
	// Left open, it keeps the task open as any box does.
	c := inTurn(2)
	c.AllCriteria, c.Criteria = false, []int{1}
	if _, list := refusedBy(second(do(t, tw, c.Decide))); len(list) != 1 || list[0] != "record/open-criteria" {
		t.Errorf("with the box left open: %v", list)
	}
}

// UN-6: a person's own answer about the task stands for the approval, and the log says which. A relayed one, a no, one about another task and
// one to another question don't.
func TestHumanGateAnswered(t *testing.T) {
	for questions, want := range map[string]string{
		"## Q4 (Task 2): is \"" + gated + "\" met?\n\n- Class: C1\n- Answer by Ana on 2026-09-02: yes, as it is\n":             "Q4",
		"## Q4 (Task 2): may the table be used?\n\n- Class: C1\n- Answer by Ana on 2026-09-02: it may\n":                       "Q4",
		"## The table\n\nTask 2 waits: the tariff table is **approved by Ana**?\n\n- Answer: fine with me (Ana, 2026-09-02)\n": "The table",
		"## Q4 (Task 2): which tariff?\n\n- Class: C2\n- Answer by Ana on 2026-09-02: the new one\n":                           "",
		"## Q4 (Task 3): is \"" + gated + "\" met?\n\n- Class: C1\n- Answer by Ana on 2026-09-02: yes\n":                       "",
		"## Q4 (Task 2): is \"" + gated + "\" met?\n\n- Class: C1\n- Relayed by Mill on 2026-09-02: Ana said yes\n":            "",
		"## Q4 (Task 2): is \"" + gated + "\" met?\n\n- Class: C1\n- Answer by Ana on 2026-09-02: No, two rows are wrong\n":    "",
		"## Q4 (Task 2): is \"" + gated + "\" met?\n\n- Class: C1\n":                                                           "",
		"## Q4 (Task 2): is \"" + gated + "\" met?\n\n- Class: C1\n- Answer by Ana on 2026-09-02: I don't approve it\n":        "",
		"## Q4 (Task 2): which key is it?\n\n- Class: C1\n- Answer by Ana on 2026-09-02: the one in the vault\n":               "",
	} {
		tw := awaited(t, gated)
		must(t, disk.WriteFile(tw, "analysis_results/QUESTIONS.md", []byte("# Questions\n\n"+questions), disk.Options{}))
		if want == "" {
			if _, list := refusedBy(second(do(t, tw, inTurn(2).Decide))); len(list) != 1 || list[0] != "guard/human-gate" {
				t.Errorf("%s\nis taken for an approval: %v", questions, list)
			}
			continue
		}
		done(t, tw, inTurn(2).Decide)
		if text := string(view(t, tw, 2).Doc.Src); !strings.Contains(text, "Approval: criterion 2: a person's answer to "+want) {
			t.Errorf("the log doesn't name %s:\n%s", want, text)
		}
		conformant(t, snapshot(t, tw))
	}
}

// UN-6, PD-11: what is no plain yes is none.
func TestReply(t *testing.T) {
	for text, want := range map[string]string{
		"yes": "yes", "Yes, no changes needed": "yes", "**Approved**, but do not merge before Monday": "yes", "It may": "yes", "Signed off": "yes", "ok": "yes",
		"no": "no", "No, two rows are wrong": "no", "I don't approve this": "no", "I don\u2019t approve this": "no", "Sorry, not yet": "no", "I disagree": "no", "We cannot accept that": "no",
		"Disapproved": "no", "approved by whom?": "no", "wait for Ana": "no", "the new one": "", "notable, that": "", "": "", "nobody asked": "",
		"sim": "yes", "não aprovo": "no", "sí, de acuerdo": "yes", "no lo apruebo": "no",
		"อนุมัติ": "yes", "ไม่อนุมัติ": "no", "同意": "yes", "不同意": "no",
	} {
		yes, no := reply(text)
		if got := either(yes, "yes", either(no, "no", "")); got != want || yes && no {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// UN-6: escalate and answer are the way, from end to end.
func TestHumanGateEscalated(t *testing.T) {
	tw := awaited(t, gated)
	ask := &Escalate{Who: mill, Task: 2, Class: "C1", Question: "is it so that " + gated + "?", Default: "wait", Critical: true}
	must(t, second(do(t, tw, ask.Decide)))
	must(t, second(do(t, tw, replied(ask.ID, "yes").Decide)))
	must(t, second(do(t, tw, (&Unblock{Who: mill, Answer: "yes", By: "Ada"}).Decide)))
	if gates := HumanGates(snapshot(t, tw), view(t, tw, 2)); len(gates) != 1 || gates[0].Answer != "Q1" || gates[0].Number != 2 || gates[0].Checked {
		t.Fatalf("%+v", gates)
	}
	if _, err := do(t, tw, inTurn(2).Decide); err != nil {
		t.Errorf("%v%s", err, why(err))
	}
}

// UN-6: outside a turn the caller may be the person: it is told what the tick claims.
func TestHumanGateOutsideTurn(t *testing.T) {
	tw := awaited(t, gated)
	got, err := do(t, tw, completion(2).Decide)
	if err != nil || !strings.Contains(strings.Join(got.Warnings, "\n"), "criterion 2 names a person's approval") {
		t.Errorf("%+v, %v", got, err)
	}
	tw = awaited(t, "the server approves the request")
	if got, err := do(t, tw, inTurn(2).Decide); err != nil || len(got.Warnings) > 0 {
		t.Errorf("no gate: %+v, %v", got, err)
	}
}

// WP-4: a failure that is proven on the base closes nothing.
func TestBaseFailureClosesNothing(t *testing.T) {
	tw := awaited(t, "checksums agree")
	one := 1
	gate := update.Gate{Command: "make test-shard", ExitCode: &one, LastRun: "2026-09-02T12:00:00Z",
		Evidence: "on base 0123456789ab it fails, too: observed: exit 1 in 1s; log=analysis_results/notes.md sha256:" + state.Digest([]byte("notes\n"))}
	must(t, second(publish.Apply(t.Context(), planIn(tw), update.Change{Task: 2, Gates: []update.Gate{gate}, Agent: "Mill"})))
	if _, list := refusedBy(second(do(t, tw, completion(2).Decide))); !slices.Contains(list, "evidence/failing") {
		t.Errorf("refused by %v", list)
	}
}
