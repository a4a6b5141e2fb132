//go:build unix

package work

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/update"
)

// TestSmoke: a smoke test is judged as a gate is, its secrets are masked, and one that is interrupted says nothing (WP-1, PS-13, C91, C163).
func TestSmoke(t *testing.T) {
	for script, want := range map[string]bool{
		"echo fine": true, "exit 3": false, "kill -9 $$": false,
		"echo 'ok  	a/b	0.01s [no tests to run]'": false,
	} {
		smoked, err := Smoke(t.Context(), shell(t, script))
		if err != nil || smoked.Passed != want || smoked.Outcome == "" {
			t.Errorf("%q: %+v, %v", script, smoked, err)
		}
	}
	run := shell(t, "echo plainword1")
	var shown bytes.Buffer
	run.Configured, run.Command.Stdout = []update.EnvValue{{Name: "DB_PASSWORD", Value: "plainword1"}}, &shown
	smoked, err := Smoke(t.Context(), run)
	if err != nil || strings.Contains(shown.String()+smoked.Command+smoked.Outcome+string(smoked.Result.Log), "plainword1") {
		t.Errorf("the secret is shown: %q %+v %v", shown.String(), smoked, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Smoke(ctx, shell(t, "sleep 60")); !errors.Is(err, ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
}
