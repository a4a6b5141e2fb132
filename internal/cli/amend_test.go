package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/plantest"
)

// VP-5, GU-6, AM-1: a published plan that is amended is published again, and stays conformant; then the amendment reopens its task.
func TestAmendPublished(t *testing.T) {
	m := layPlan(t, plantest.Spec{Tasks: 3, Done: 3})
	steps := []struct {
		args []string
		says string // on either stream
	}{
		{[]string{"finalize"}, "published"},
		{[]string{"amend", m.folder, "--task", "2", "--criterion", "1", "--disposition", "failed", "--observed", "one shard is counted twice", "--reason", "retries",
			"--authority", "evidence", "--invalidated", "make test-shard", "--affected", "2", "--affected", "3 reopened"}, "; the plan is published again"},
		{[]string{"verify", m.folder}, "CONFORMANT  (0 must"},
		{[]string{"reopen", m.folder, "2", "--reason", "Amendment 1", "--agent", "Mill"}, "reopened; its gates have to pass again"},
	}
	for _, step := range steps {
		args := step.args
		if args[0] == "finalize" {
			args = append(args, m.folder)
		}
		code, stdout, stderr := m.dwp(nil, args...)
		if code != ExitOK || !strings.Contains(strings.Join(strings.Fields(stdout), " "), strings.Join(strings.Fields(step.says), " ")) {
			t.Fatalf("dwp %v: code %d, %s%s", args, code, stdout, stderr)
		}
		if args[0] == "amend" && !strings.Contains(stderr, "dwp reopen "+filepath.Base(m.folder)+" 2 --reason TEXT") {
			t.Errorf("amend doesn't say how to reopen: %s", stderr)
		}
	}
	for _, name := range []string{"FINALIZATION-1.json", "FINALIZATION-2.json"} {
		if _, err := os.Stat(filepath.Join(m.folder, "analysis_results", name)); err != nil {
			t.Error(err)
		}
	}
	if text := text(t, m.state()); strings.Count(text, "invalidated by refine 2026-09-02T12:00:00Z, amendment 1") != 1 {
		t.Errorf("state.json: %s", text)
	}
}
