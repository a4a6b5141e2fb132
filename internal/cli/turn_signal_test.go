package cli

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
	"testing"
)

// TestEndingSignals: a terminal that goes away ends turn and run by a checkpoint, as Ctrl-C does; under nohup it does not (PS-15).
func TestEndingSignals(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("the tests themselves run under nohup")
	}
	if !slices.Contains(endingSignals(), os.Signal(syscall.SIGHUP)) {
		t.Errorf("%v lacks the hang-up", endingSignals())
	}
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	if slices.Contains(endingSignals(), os.Signal(syscall.SIGHUP)) {
		t.Errorf("%v has what is ignored", endingSignals())
	}
}
