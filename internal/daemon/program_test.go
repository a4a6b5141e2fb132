package daemon

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/google/go-cmp/cmp"
)

// fake is a program that gives an answer and ends with a code.
func fake(t *testing.T, answer, code string) *Program {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &Program{
		Path: self, Queue: "q", Now: time.Now,
		Env: append(os.Environ(), "FAKE_ANSWER="+answer, "FAKE_CODE="+code),
	}
}

// What a turn is told: its plan, the number of its lease, no waiting; and what was ordered for it, when it was.
func TestProgramArguments(t *testing.T) {
	l := &Lease{Plan: Plan{Fence: 7}}
	for _, tt := range []struct {
		o    Order
		want string
	}{
		{Order{}, "turn DIR --json --fence q:7"},
		{
			Order{Agent: "claude", Model: "m x", TurnTime: 90 * time.Second, Observed: true},
			"turn DIR --json --fence q:7 --agent claude --model m x --max-turn-time 1m30s --observed",
		},
	} {
		l.Order = tt.o
		dir := t.TempDir()
		o := fake(t, `{"result":"ARGS"}`, "0").Run(t.Context(), dir, l, time.Second)
		if want := strings.Replace(tt.want, "DIR", dir, 1); o.Result != want {
			t.Errorf("got %q, want %q", o.Result, want)
		}
	}
}

// UN-2: the exit code decides; the answer explains, whatever it is.
func TestProgramOutcome(t *testing.T) {
	for _, tt := range []struct {
		name, answer, code string
		want               Outcome
	}{
		{"moved", `{"result":"progress","task":3,"stop":null}`, "0", Outcome{Result: "progress", Task: 3, Told: true}},
		{"stopped", `{"result":"stopped","task":3,"stop":{"condition":"S3","rule":"turn/surface","reason":"files outside\nits surface","needs":"look"}}`, "5",
			Outcome{Code: 5, Result: "stopped", Task: 3, Note: "[S3] files outside its surface; look", Told: true}},
		{"refused", `{"error":{"code":"x","message":"not approved","hint":"approve it"}}`, "1", Outcome{Code: 1, Note: "not approved; approve it", Told: true}},
		{"no JSON", "boom\x1b[2J", "3", Outcome{Code: 3, Note: "exit code 3, and no answer; it said: boom [2J"}},
		{"task of another shape", `{"result":"progress","task":{"number":3}}`, "0", Outcome{Result: "progress", Told: true}},
		{"too long", `{"result":"` + strings.Repeat("x", 5000) + `"}`, "0", Outcome{Result: strings.Repeat("x", longestNote-3) + "...", Told: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := fake(t, tt.answer, tt.code).Run(t.Context(), t.TempDir(), &Lease{}, time.Second)
			if diff := cmp.Diff(got, tt.want); diff != "" {
				t.Error(diff)
			}
		})
	}
	gone := &Program{Path: "/no/such/program", Now: time.Now}
	if o := gone.Run(t.Context(), t.TempDir(), &Lease{}, time.Second); o.Code != -1 || !strings.Contains(o.Note, "could not be started") {
		t.Errorf("got %+v of a program that is not there", o)
	}
}

// FuzzOutcome: whatever a program answers, a note is one line and bounded.
func FuzzOutcome(f *testing.F) {
	f.Add([]byte(`{"result":"progress","task":3,"stop":null}`), 0)
	f.Add([]byte(`{"stop":{"condition":"S1","reason":"a\nb"},"task":-1e999}`), 5)
	f.Add([]byte(`{"error":{"message":"`+strings.Repeat("\x1b[", 500)+`"}}`), 1)
	f.Fuzz(func(t *testing.T, answer []byte, code int) {
		o := outcomeOf(runner.Result{End: runner.Exited, Code: code, Log: answer}, answer)
		for _, text := range []string{o.Note, o.Result} {
			if strings.ContainsAny(text, "\n\r\x1b\x00") || len([]rune(text)) > longestNote {
				t.Errorf("%q is not one short line", text)
			}
		}
		if o.Code != code {
			t.Errorf("exit code %d became %d", code, o.Code)
		}
	})
}

// Another program of the name dwp is found out before it is given a plan.
func TestProgramCheck(t *testing.T) {
	if err := fake(t, `{"command":"version","dwp":"v1.2.3"}`, "0").Check(t.Context()); err != nil {
		t.Errorf("dwp itself: %v", err)
	}
	for name, p := range map[string]*Program{
		"another program": fake(t, "dwp: no input files", "1"),
		"another answer":  fake(t, `{"command":"list","dwp":""}`, "0"),
		"none":            {Path: "/no/such/program", Now: time.Now},
	} {
		if err := p.Check(t.Context()); err == nil {
			t.Errorf("%s: taken for dwp", name)
		}
	}
}
