//go:build unix

package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

// TestNotifyEnds: a notification that hangs is ended with all that it started, and one that is interrupted says so; neither is a failure of
// the question (UN-4, C145).
func TestNotifyEnds(t *testing.T) {
	a := &app{env: testEnv(t.TempDir(), &bytes.Buffer{}, &bytes.Buffer{})}
	what := escalateAnswer{opening: opened("escalate"), Question: &questionJSON{Question: strings.Repeat("why? ", 1<<16)}}
	const hangs = "sleep 600 & sleep 600"
	if got := a.notify(t.Context(), hangs, 50*time.Millisecond, what); got != "the notification failed: stopped after the timeout of 50ms; the question is recorded" {
		t.Errorf("hanging: %q", got)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if got := a.notify(gone, hangs, time.Minute, what); got != "the notification failed: interrupted; the question is recorded" {
		t.Errorf("interrupted: %q", got)
	}
	// Who doesn't read, though there is more than a pipe holds, is no fault either.
	if got := a.notify(t.Context(), "exit 0", time.Minute, what); got != "" {
		t.Errorf("not read: %q", got)
	}
	if got := a.notify(t.Context(), "test $(wc -c) -gt 300000", time.Minute, what); got != "" {
		t.Errorf("read: %q", got)
	}
}
