package work

import (
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
)

// TestBlock: log and state.json say blocked and why; the reason has its class; the answer is kept word for word, is shown to who goes on,
// and the task is in progress again (GU-5, PS-16, C99).
func TestBlock(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := inProgress(t, full)
		done(t, tw, (&Block{Who: mill, Class: "C2", Reason: "two tariffs are called A", Needs: "which one?"}).Decide)
		v := view(t, tw, 2)
		b := snapshot(t, tw).State.Blocked
		if v.Record.Log.State != planmd.LogBlocked || b == nil || b.Reason != "[C2] two tariffs are called A" || b.Needs != "which one?" || b.Task != 2 {
			t.Fatalf("log %s, blocker %+v", v.Record.Log.State, b)
		}
		conformant(t, snapshot(t, tw))
		const words = "the one of *2026*\n\n# Task 3: no\n- [x] Task 3: done\nStatus: completed"
		done(t, tw, (&Unblock{Who: mill, Answer: words, By: "Ada"}).Decide)
		v = view(t, tw, 2)
		if got := Answers(v); len(got) != 1 || got[0] != (Answer{"Ada", "2026-09-02", words}) {
			t.Errorf("full %v: %+v", full, got)
		}
		if v.Record.Log.State != planmd.LogInProgress || v.Entry.Status != state.InProgress || snapshot(t, tw).State.Blocked != nil {
			t.Errorf("log %s, entry %s", v.Record.Log.State, v.Entry.Status)
		}
		conformant(t, snapshot(t, tw))
		withGate(t, tw, 2)
		done(t, tw, completion(2).Decide) // no line of question and answer is in the way of the end
	}
}

// TestBlockRefused: another's blocker is not replaced; inside a turn no answer is made up (GU-5, UN-6).
func TestBlockRefused(t *testing.T) {
	tw := inProgress(t, false)
	must(t, second(do(t, tw, (&Block{Who: mill, Class: "S3", Reason: "no database", Needs: "one"}).Decide)))
	if got, _ := refusedBy(second(do(t, tw, (&Block{Who: mill, Task: 3, Class: "C1", Reason: "another", Needs: "x"}).Decide))); got != "guard/other-blocker" {
		t.Errorf("another blocker: %s", got)
	}
	answer := &Unblock{Who: mill, Answer: "use the one in the cellar", By: "Ada", InTurn: true}
	if got, _ := refusedBy(second(do(t, tw, answer.Decide))); got != "guard/person" {
		t.Errorf("made up in a turn: %s", got)
	}
	answer.Questions = []byte("## Q1 (Task 2)\n\nWhich database?\n\n- Answer by Ada on 2026-09-02: take another\n")
	if got, _ := refusedBy(second(do(t, tw, answer.Decide))); got != "guard/person" {
		t.Errorf("other words in a turn: %s", got)
	}
	for _, said := range []string{"## Q1 (Task 2)\n\nShall I use the one in the cellar?\n\n- Answer: no (Ada, 2026-09-02)\n",
		"## Q1 (Task 2)\n\n- Answer: by no means use the one in the cellar (Ada, 2026-09-02)\n",
		"## Q1 (Task 2)\n\n- Answer: use the one in the cellar, but not this week, 2026-09-02\n",
		"## Q1 (Task 2)\n\n- Answer: no, 2026-09-02\n\n## Q2 (Task 3)\n\n- Answer: use the one in the cellar (Ada, 2026-09-02)\n",
		"## Q1 (Task 2)\n\n- Answer: no, 2026-09-02\n- Answer: use the one in the cellar (Ada, 2026-08-01)\n",
	} {
		answer.Questions = []byte(said)
		if got, _ := refusedBy(second(do(t, tw, answer.Decide))); got != "guard/person" {
			t.Errorf("%q, in a turn: %q", said, got)
		}
	}
	answer.Questions = []byte("## Q1 (Task 2)\n\nWhich database?\n\n- Answer: use the one in the cellar (Ada, 2026-09-02)\n")
	done(t, tw, answer.Decide)
	if _, err := do(t, tw, (&Unblock{Who: mill, Answer: "again", By: "Ada"}).Decide); err == nil {
		t.Error("an answer without a question")
	}
	secret := &Block{Who: mill, Class: "C1", Reason: "the key ghp_" + strings.Repeat("a1B2", 10), Needs: "x"}
	if got, _ := refusedBy(second(do(t, tw, secret.Decide))); got != "secret/json" {
		t.Errorf("a secret: %s", got)
	}
}

// TestSignedSo: what is an answer, and what only begins with it (UN-6).
func TestSignedSo(t *testing.T) {
	for _, test := range []struct {
		line string
		want bool
	}{
		{"keep both", true}, {"keep both, 2026-09-02", true}, {"keep both, on 2026-09-02.", true}, {"*keep  both* 2026-09-02", false},
		{"keep both \u2014 Ana, 2026-09-02", true}, {"keep both (Ana, 2026-09-02)", true}, {"**keep both**", true},
		{"keep both, or none, 2026-09-02", false}, {"keep bothers 2026-09-02", false}, {"keep both on Monday", false}, {"do keep both", false}, {"", false},
	} {
		if got := signedSo(test.line, "keep both"); got != test.want {
			t.Errorf("%q: %v", test.line, got)
		}
	}
}
