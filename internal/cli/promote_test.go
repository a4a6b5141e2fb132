package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/plantest"
)

// A dry run says what would become of every file, in colour on a terminal, and hostile text can't fake its frame (C157). Both dry run
// and promotion answer with one object on --json.
func TestPromoteAnswers(t *testing.T) {
	m := layPlan(t, plantest.Spec{Tasks: 2, Done: 1}, swap("README.md", "Every shard is loaded.", "Every shard is \x1b[2J loaded."))
	code, stdout, stderr := m.dwp(nil, "promote", "--dry-run")
	if code != ExitOK || strings.Contains(stdout, "\x1b") || !strings.Contains(stdout, "\n+- [x] Task 1: [Load shard 1](1.task_load_shard_1.md)\n") {
		t.Fatalf("code %d: %s%s", code, stdout, stderr)
	}
	var out, errs bytes.Buffer
	env := testEnv(m.top, &out, &errs)
	env.Width = 80
	if code := Main([]string{"promote", "--dry-run"}, env); code != ExitOK || !strings.Contains(out.String(), "\x1b[31m-## Task 1: Load shard 1 {#task-1}\x1b[0m\n") {
		t.Errorf("on a terminal: code %d: %.500s", code, out.String())
	}
	_, stdout, _ = m.dwp(nil, "promote", "--dry-run", "--json")
	if !strings.Contains(stdout, `"dry_run": true`) || !strings.Contains(stdout, `+# Task 1: Load shard 1\n`) {
		t.Errorf("dry run: %.500s", stdout)
	}
	if _, err := os.Stat(filepath.Join(m.folder, "1.task_load_shard_1.md")); err == nil {
		t.Fatal("a dry run wrote")
	}
	code, stdout, stderr = m.dwp([]string{"DWP_AGENT=Mill"}, "promote", "--json")
	if code != ExitOK || !strings.Contains(stdout, `"changed": true`) || !strings.Contains(stdout, `"files": [`) {
		t.Errorf("code %d: %s%s", code, stdout, stderr)
	}
}

// BenchmarkPromoteSixty compares one cold process that promotes a plan of 60 tasks with the least that its files cost, as for create: the
// same bytes under the same names, each flushed, and the folder after each (PS-5). They take turns.
func BenchmarkPromoteSixty(b *testing.B) {
	dwp, empty := buildPrograms(b)
	var ours, starts, flushes []time.Duration
	for b.Loop() {
		m := layPlan(b, plantest.Spec{Tasks: 60, Done: 20})
		starts = append(starts, timeOf(b, m.top, empty))
		ours = append(ours, timeOf(b, m.top, dwp, "promote"))
		flushes = append(flushes, flushAgain(b, m.folder, filepath.Join(m.top, "again"), "README.md", "state.json"))
	}
	b.ReportMetric(median(ours)*1e3, "ms")
	b.ReportMetric(median(starts)*1e3, "empty-ms")
	b.ReportMetric(median(flushes)*1e3, "flush-ms")
	b.ReportMetric(0, "ns/op")
}
