package update_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/update"
)

// TestParseGate: the short form holds two separators with an integer between them, or is refused (GU-2, C83, TRAPS).
func TestParseGate(t *testing.T) {
	for _, test := range []struct {
		text, command, evidence string
		exit                    int
		refused                 bool
	}{
		{text: "go test ./...|0|9 passed", command: "go test ./...", evidence: "9 passed"},
		{text: " go test ./... | 1 | 2 failed ", command: "go test ./...", evidence: "2 failed", exit: 1},
		{text: "go test|-9|killed", command: "go test", evidence: "killed", exit: -9},
		{text: "go test|0|", command: "go test"}, // Next refuses it: a pass needs evidence
		{text: "head f |0| tail|1|FAILED", refused: true},
		{text: "go test ./... | tee out.txt|0|9 passed", refused: true},
		{text: "go test|0|a|b|c", refused: true},
		{text: "a || b|0|9 passed", refused: true},
		{text: "go test|0", refused: true},
		{text: "go test", refused: true},
		{text: "", refused: true},
		{text: "go test|zero|9 passed", refused: true},
		{text: "go test||9 passed", refused: true},
		{text: "go test|+0|9 passed", refused: true},
		{text: "go test|0.0|9 passed", refused: true},
		{text: "go test|0x0|9 passed", refused: true},
		{text: "go test|" + strings.Repeat("9", 5000) + "|9 passed", refused: true},
		{text: "a | grep b | wc", refused: true},
	} {
		g, refusal := update.ParseGate(test.text)
		if (refusal != nil) != test.refused {
			t.Errorf("%q: %v", test.text, refusal)
			continue
		}
		if test.refused {
			if g.Passes || refusal.Rule != "guard/gate-form" || refusal.Usage {
				t.Errorf("%q: passes %t, %+v", test.text, g.Passes, refusal)
			}
			checkWords(t, refusal)
			continue
		}
		if g.Command != test.command || *g.ExitCode != test.exit || g.Evidence != test.evidence || g.Passes != (test.exit == 0) || g.LastRun != "" {
			t.Errorf("%q: %+v, exit %d", test.text, g, *g.ExitCode)
		}
	}
}

// TestParseGateJSON: the closed object of PS-12, read strictly; command and evidence are kept exactly (GU-2, C83, TRAPS).
func TestParseGateJSON(t *testing.T) {
	g, refusal := update.ParseGateJSON(`{"command": "go test ./... | tee out.txt", "passes": true, "exit_code": 0, "last_run": "2026-09-01T10:30:00Z", "evidence": " a|b|c "}`)
	if refusal != nil || g.Command != "go test ./... | tee out.txt" || g.Evidence != " a|b|c " || !g.Passes || *g.ExitCode != 0 || g.LastRun != "2026-09-01T10:30:00Z" {
		t.Errorf("%+v %v", g, refusal)
	}
	g, refusal = update.ParseGateJSON(`{"command": "x", "passes": false, "exit_code": null}`)
	if refusal != nil || g.ExitCode != nil || g.Passes {
		t.Errorf("%+v %v", g, refusal)
	}
	for _, test := range []struct{ text, rule string }{
		{`[]`, "gate/shape"},
		{``, "gate/shape"},
		{`null`, "gate/shape"},
		{`{}`, "gate/shape"},
		{`{"command": ["go", "test"], "passes": true, "exit_code": 0}`, "gate/shape"},
		{`{"command": "x", "command": "y", "passes": true, "exit_code": 0}`, "gate/shape"},
		{`{"command": "x", "passes": null}`, "gate/shape"},
		{`{"command": "x", "passes": "true"}`, "gate/shape"},
		{`{"command": "x", "passes": 1}`, "gate/shape"},
		{`{"command": null, "passes": true}`, "gate/shape"},
		{`{"passes": true, "exit_code": 0}`, "gate/shape"},
		{`{"command": "x", "exit_code": 0}`, "gate/shape"},
		{`{"command": "x", "passes": true, "exit_code": "0"}`, "gate/shape"},
		{`{"command": "x", "passes": true, "exit_code": 0.0}`, "gate/shape"},
		{`{"command": "x", "passes": true, "exit_code": 99999999999}`, "gate/shape"},
		{`{"command": "x", "passes": true, "exit_code": 0, "last_run": 5}`, "gate/shape"},
		{`{"command": "x", "passes": true, "exit_code": 0, "host": "y"}`, "gate/unknown-field"},
		{`{"command": "x", "passes": true, "exit_code": 0} {}`, "gate/shape"},
		{`{"command": "x", "passes": true, "exit_code": NaN}`, "gate/shape"},
		{"{\"command\": \"\xff\", \"passes\": true}", "gate/shape"},
		{`{"command": "\ud800", "passes": true}`, "gate/shape"},
		{strings.Repeat("[", 200000), "gate/shape"},
	} {
		_, refusal := update.ParseGateJSON(test.text)
		if ruleOf(refusal) != test.rule {
			t.Errorf("%.60q: refused under %q, want %q: %v", test.text, ruleOf(refusal), test.rule, refusal)
			continue
		}
		checkWords(t, refusal)
	}
}

// C161: a gate that holds a secret is refused for that, whatever else is wrong with it, and the secret is not shown.
func TestGateWithSecretIsNotShown(t *testing.T) {
	token := "gh" + "p_" + strings.Repeat("aB3dE6gH", 5)
	for _, text := range []string{"curl -u x:" + token + " y | tail|0|ok", `{"command": "x ` + token + `", "passes": 1}`, `{"` + token + `": 1}`} {
		for _, parse := range []func(string) (update.Gate, *update.Refusal){update.ParseGate, update.ParseGateJSON} {
			_, refusal := parse(text)
			if ruleOf(refusal) != "secret/json" {
				t.Errorf("refused under %q", ruleOf(refusal))
				continue
			}
			checkWords(t, refusal)
		}
	}
}

// FuzzParseGate: no panic; what is accepted has one reading, and a pass has exit code 0 in it.
func FuzzParseGate(f *testing.F) {
	for _, seed := range []string{"go test|0|ok", "head f |0| tail|1|FAILED", "||", "a|-1|b", "a|00|b", "a| 0 |b\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, refusal := update.ParseGate(text)
		if refusal != nil {
			if g.Passes || g.Command != "" {
				t.Errorf("refused with a gate: %+v", g)
			}
			return
		}
		parts := strings.Split(text, "|")
		n, err := strconv.Atoi(strings.TrimSpace(parts[1]))
		if len(parts) != 3 || err != nil || n != *g.ExitCode || g.Passes != (n == 0) {
			t.Errorf("%q: %+v", text, g)
		}
	})
}

// FuzzParseGateJSON: no panic; what is accepted says the same to the standard library.
func FuzzParseGateJSON(f *testing.F) {
	for _, seed := range []string{`{"command": "a|b", "passes": true, "exit_code": 0, "evidence": "x"}`, `[]`, `{"command": 1}`, `{"command": "x", "passes": false}`, `{"passes":true,"passes":false}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, refusal := update.ParseGateJSON(text)
		if refusal != nil {
			return
		}
		var want struct {
			Command, Evidence string
			Passes            bool
			ExitCode          *int   `json:"exit_code"`
			LastRun           string `json:"last_run"`
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &want); err != nil {
			t.Fatalf("accepted what is no JSON: %q: %v", text, err)
		}
		if g.Command != want.Command || g.Evidence != want.Evidence || g.Passes != want.Passes || g.LastRun != want.LastRun || (g.ExitCode == nil) != (want.ExitCode == nil) {
			t.Errorf("%q: %+v, want %+v", text, g, want)
		}
	})
}
