//go:build unix

package cli

import (
	"context"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// A turn ends by its checkpoint when its terminal goes away, as a run does (PS-15).
func TestEndedBy(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		if signal.Ignored(s) { // under nohup
			continue
		}
		ctx, stop := endedBy(t.Context())
		if err := syscall.Kill(syscall.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(30 * time.Second):
			t.Errorf("%s ends nothing", s)
		}
		stop()
		if context.Cause(t.Context()) != nil {
			t.Error("the caller's context is over, too")
		}
	}
}
