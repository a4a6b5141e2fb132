//go:build unix

package work

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// gatePlan is a plan of three tasks, the second in progress.
func gatePlan(t *testing.T) (*disk.Twin, publish.Plan) {
	t.Helper()
	tw, err := disk.TwinOf(plantest.Plan(plantest.Spec{Tasks: 3, Done: 1}))
	if err != nil {
		t.Fatal(err)
	}
	p := publish.Plan{FS: tw, Name: plantest.Name, Now: func() time.Time { return start }, Owner: disk.Owner{Agent: "tester", Command: "test"}}
	if _, err := publish.Apply(t.Context(), p, update.Change{Task: 2, Status: state.InProgress, Agent: "tester"}); err != nil {
		t.Fatal(err)
	}
	return tw, p
}

// shell is a gate of task 2 that sh runs.
func shell(t *testing.T, script string) GateRun {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell here")
	}
	words := []string{"sh", "-c", script}
	return GateRun{
		Task: 2, Agent: "tester", Words: words, Text: runner.Quote(words),
		Command: runner.Command{Args: words, Now: func() time.Time { return start }},
	}
}

// digestFindings are the findings about observed runs, as "level message".
func digestFindings(t *testing.T, fsys fs.FS) []string {
	t.Helper()
	var found []string
	for _, f := range verify.Plan(snapshot(t, fsys), verify.Options{Now: start}).Findings {
		if strings.HasPrefix(f.Rule, "gate/") || strings.HasPrefix(f.Rule, "evidence/") {
			found = append(found, string(f.Level)+" "+f.Rule)
		}
	}
	return found
}

// A run is recorded with its log, and verify accepts both; a run again replaces only its own record (GU-4, PS-12).
func TestRunGate(t *testing.T) {
	tw, p := gatePlan(t)
	done, err := RunGate(t.Context(), p, shell(t, "echo '=== 3 passed in 0.01s ==='"))
	if err != nil || !done.Gate.Passes || !done.Done.Changed {
		t.Fatalf("%+v, %v", done, err)
	}
	log, err := fs.ReadFile(tw, done.Log)
	want := "command: " + done.Gate.Command + "\nstarted: 2026-09-02T08:00:00Z\nended: " + done.Outcome + "\ncounted: 3 tests: 3 passed, 0 failed, 0 skipped\n\n=== 3 passed in 0.01s ===\n"
	if err != nil || string(log) != want {
		t.Errorf("the log is %q, want %q", log, want)
	}
	if found := digestFindings(t, tw); len(found) > 0 {
		t.Errorf("verify finds %v", found)
	}
	again, err := RunGate(t.Context(), p, shell(t, "echo '=== 3 passed in 0.01s ==='"))
	if err != nil || again.Log == done.Log {
		t.Fatalf("%+v, %v", again, err)
	}
	if _, err := RunGate(t.Context(), p, shell(t, "exit 5")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range Gates(snapshot(t, tw), 2) {
		got = append(got, strings.Join([]string{string(r.Log), r.LogPath}, " "))
	}
	if len(got) != 2 || got[0] != "intact "+again.Log {
		t.Errorf("recorded are %q", got)
	}
}

// What failed is recorded as it failed, and no completion rests on it (C79, C91, C149, PS-13).
func TestRunGateFailures(t *testing.T) {
	for script, says := range map[string]string{
		"exit 7":                                  "exit 7",
		"kill -9 $$":                              "exit 137",
		"echo '== no tests ran in 0.01s =='":      "0 tests selected",
		"echo '5 skipped in 0.01s'":               "0 tests executed",
		"no-such-program-here":                    "exit 127",
		"echo '14 passed, 0 failed'; exit 1":      "exit 1",
		"printf 'no line end \\377\\000'; exit 2": "exit 2",
	} {
		tw, p := gatePlan(t)
		done, err := RunGate(t.Context(), p, shell(t, script))
		if err != nil || done.Gate.Passes || !strings.Contains(done.Gate.Evidence, says) {
			t.Errorf("%s: %+v, %v", script, done.Gate, err)
		}
		if found := digestFindings(t, tw); len(found) > 0 {
			t.Errorf("%s: verify finds %v", script, found)
		}
		_, err = publish.Apply(t.Context(), p, update.Change{Task: 2, Status: state.Completed, Agent: "tester", Commit: "0badc0de"})
		if refused, ok := errors.AsType[*publish.Refused](err); !ok || !strings.HasPrefix(refused.Rule, "evidence/") {
			t.Errorf("%s: completing gives %v", script, err)
		}
	}
}

// WP-4: a gate that fails once more is told.
func TestRunGateFailsAgain(t *testing.T) {
	_, p := gatePlan(t)
	for n, want := range []int{0, 1, 1} {
		done, err := RunGate(t.Context(), p, shell(t, "exit 1"))
		if err != nil || len(done.Warnings) != want {
			t.Errorf("run %d: %q, %v", n+1, done.Warnings, err)
		}
	}
}

// No task is completed on a log that was changed (PS-12, GU-3); a run again mends it.
func TestChangedLogCompletesNothing(t *testing.T) {
	tw, p := gatePlan(t)
	complete := func() error {
		_, err := publish.Apply(t.Context(), p, update.Change{Task: 2, Status: state.Completed, Agent: "tester", Commit: "0badc0de"})
		return err
	}
	done, err := RunGate(t.Context(), p, shell(t, "echo fine"))
	if err != nil {
		t.Fatal(err)
	}
	if err := disk.WriteFile(tw, done.Log, []byte("edited"), disk.Options{}); err != nil {
		t.Fatal(err)
	}
	if refused, ok := errors.AsType[*publish.Refused](complete()); !ok || refused.Rule != "evidence/log-digest" {
		t.Errorf("got %v", refused)
	}
	if _, err := publish.Apply(t.Context(), p, update.Change{Task: 2, CheckpointStep: "again", Agent: "tester"}); err != nil {
		t.Errorf("a checkpoint: %v", err)
	}
	if _, err := RunGate(t.Context(), p, shell(t, "echo fine")); err != nil {
		t.Fatal(err)
	}
	if err := complete(); err != nil {
		t.Errorf("after another run: %v", err)
	}
}

func TestRunGateNotStarted(t *testing.T) {
	_, p := gatePlan(t)
	run := shell(t, "")
	run.Command.Args = []string{"no-such-program-here"}
	done, err := RunGate(t.Context(), p, run)
	if err != nil || done.Gate.Passes || done.Gate.ExitCode != nil || done.Result.End != runner.NotStarted {
		t.Errorf("%+v, %v", done.Gate, err)
	}
}

// What could not be recorded is not run: a refusal comes before the command does anything (PS-7, C163, GU-1).
func TestRunGateRefusesBefore(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*GateRun)
		rule   string
	}{
		"secret": {func(r *GateRun) { r.Text = "curl -H 'Authorization: Bearer abcdef" + "123456'" }, "secret/json"},
		"of the environment": {func(r *GateRun) {
			r.Text, r.Configured = "check plainword1", []update.EnvValue{{Name: "DB_PASSWORD", Value: "plainword1"}}
		}, "secret/json"},
		"too long":             {func(r *GateRun) { r.Text = strings.Repeat("x", 501) }, "gate/length"},
		"no such task":         {func(r *GateRun) { r.Task = 9 }, "guard/unknown-task"},
		"a completed task":     {func(r *GateRun) { r.Task = 1 }, "guard/completed"},
		"an agent with a mail": {func(r *GateRun) { r.Agent = "ada@example.org" }, "secret/personal"},
	} {
		tw, p := gatePlan(t)
		before := snapshot(t, tw)
		mark := path.Join(t.TempDir(), "ran")
		run := shell(t, "touch "+mark)
		test.change(&run)
		_, err := RunGate(t.Context(), p, run)
		refused, ok := errors.AsType[*publish.Refused](err)
		if !ok || refused.Rule != test.rule {
			t.Errorf("%s: got %v, want %s", name, err, test.rule)
			continue
		}
		if strings.Contains(refused.Message+refused.Hint, "plainword1") || strings.Contains(refused.Message, "abcdef") {
			t.Errorf("%s: the refusal shows the secret", name)
		}
		if _, err := os.Lstat(mark); err == nil {
			t.Errorf("%s: the command ran", name)
		}
		if after := snapshot(t, tw); len(after.Nodes) != len(before.Nodes) {
			t.Errorf("%s: something was written", name)
		}
	}
}

// PS-7, C163: neither log, evidence nor what is shown holds a secret.
func TestRunGateMasks(t *testing.T) {
	tw, p := gatePlan(t)
	run := shell(t, `printf 'password=hunter'; printf '2345 and plain'; printf 'word1\n'; printf 'plainword1' >&2`)
	run.Text = "check"
	run.Configured = []update.EnvValue{{Name: "DB_PASSWORD", Value: "plainword1"}}
	var shown bytes.Buffer
	run.Command.Stdout, run.Command.Stderr = &shown, &shown
	done, err := RunGate(t.Context(), p, run)
	if err != nil {
		t.Fatal(err)
	}
	log, err := fs.ReadFile(tw, done.Log)
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"log": string(log), "terminal": shown.String(), "evidence": done.Gate.Evidence} {
		if strings.Contains(text, "plainword1") || strings.Contains(text, "hunter2345") {
			t.Errorf("the %s holds a secret: %q", where, text)
		}
	}
	if !strings.Contains(string(log), "password=[masked] and [masked]\n") {
		t.Errorf("the log is %q", log)
	}
}

// meanwhile does something when the command has printed a line.
type meanwhile struct{ do func() }

func (m *meanwhile) Write(p []byte) (int, error) {
	if m.do != nil {
		m.do()
		m.do = nil
	}
	return len(p), nil
}

// No lock is held while a command runs: it may change the plan itself. What it did counts.
func TestRunGateHoldsNoLock(t *testing.T) {
	tw, p := gatePlan(t)
	run := shell(t, "echo started")
	run.Command.Stdout = &meanwhile{func() {
		if _, err := publish.Apply(t.Context(), p, update.Change{Task: 2, CheckpointStep: "gate", Agent: "tester"}); err != nil {
			t.Error(err)
		}
	}}
	if _, err := RunGate(t.Context(), p, run); err != nil {
		t.Fatal(err)
	}
	s := snapshot(t, tw)
	if s.State.Checkpoint == nil || s.State.Checkpoint.Step != "gate" || len(s.State.Tasks[1].Gates) != 1 {
		t.Errorf("the checkpoint is %+v, the gates are %+v", s.State.Checkpoint, s.State.Tasks[1].Gates)
	}
}

// AG-6: while another agent's operation is under way, a gate waits for its end; one that was cut off is refused, and nothing is run.
func TestRunGateBesideAnOperation(t *testing.T) {
	tw, p := gatePlan(t)
	lock, err := disk.Acquire(t.Context(), tw, disk.Owner{}, 0, p.System)
	must(t, err)
	must(t, disk.MkdirAll(tw, state.OperationMark))
	p.Wait = time.Hour
	p.System.Sleep = func(context.Context, time.Duration) error { // the other comes to its end meanwhile
		return errors.Join(disk.RemoveFile(tw, state.OperationMark), lock.Release())
	}
	if done, err := RunGate(t.Context(), p, shell(t, "echo ok")); err != nil || !done.Gate.Passes {
		t.Errorf("got %+v, %v", done.Gate, err)
	}
	must(t, disk.MkdirAll(tw, state.OperationMark))
	mark := path.Join(t.TempDir(), "ran")
	_, err = RunGate(t.Context(), p, shell(t, "touch "+mark))
	if rule, _ := refusedBy(err); rule != "operation/unfinished" {
		t.Errorf("cut off: %v", err)
	}
	if _, err := os.Lstat(mark); err == nil {
		t.Error("cut off: the command ran")
	}
	if h, err := disk.Inspect(tw, p.System); err != nil || h.Held {
		t.Errorf("the lock is left: %+v, %v", h, err)
	}
}

// A run whose result can't be recorded any more keeps its log, and says so; nothing of it stands in state.json.
func TestRunGateNotRecorded(t *testing.T) {
	tw, p := gatePlan(t)
	run := shell(t, "echo started")
	var before []byte
	run.Command.Stdout = &meanwhile{func() {
		if err := disk.WriteFile(tw, state.FinalizeMark, []byte("{}"), disk.Options{}); err != nil {
			t.Error(err)
		}
		before, _ = fs.ReadFile(tw, state.StateFile)
	}}
	_, err := RunGate(t.Context(), p, run)
	late, ok := errors.AsType[*NotRecorded](err)
	if !ok || late.Log == "" || !strings.Contains(err.Error(), "its log is kept in "+late.Log) {
		t.Fatalf("got %v", err)
	}
	if _, err := fs.Stat(tw, late.Log); err != nil {
		t.Error(err)
	}
	if after, _ := fs.ReadFile(tw, state.StateFile); !bytes.Equal(before, after) {
		t.Error("state.json changed")
	}
}

// Where no log can be written is found before the run, and a disk that fills up during it is told (C81, PS-5).
func TestRunGateWithoutALog(t *testing.T) {
	for name, spoil := range map[string]func(*disk.Twin) error{
		"a link":    func(tw *disk.Twin) error { return tw.PutLink(GateLogs, "../..") },
		"a file":    func(tw *disk.Twin) error { return tw.Put(GateLogs, nil, 0o644) },
		"read-only": func(tw *disk.Twin) error { tw.Fail(disk.OpMkdir, GateLogs, fs.ErrPermission); return nil },
		"later full": func(tw *disk.Twin) error {
			tw.Fail(disk.OpCreate, GateLogs+"/*", errors.New("no space left"))
			return nil
		},
	} {
		tw, p := gatePlan(t)
		if err := spoil(tw); err != nil {
			t.Fatal(err)
		}
		mark := path.Join(t.TempDir(), "ran")
		_, err := RunGate(t.Context(), p, shell(t, "touch "+mark))
		late, after := errors.AsType[*NotRecorded](err)
		_, missing := os.Lstat(mark)
		if err == nil || after != (name == "later full") || after != (missing == nil) || after && late.Log != "" {
			t.Errorf("%s: %v; ran: %v", name, err, missing == nil)
		}
		if n := len(Gates(snapshot(t, tw), 2)); n > 0 {
			t.Errorf("%s: %d records", name, n)
		}
	}
}

// C91: an interrupted run says nothing, so nothing is recorded.
func TestRunGateInterrupted(t *testing.T) {
	tw, p := gatePlan(t)
	run := shell(t, "echo started; sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	run.Command.Stdout = &meanwhile{cancel}
	before, _ := fs.ReadFile(tw, state.StateFile)
	if _, err := RunGate(ctx, p, run); !errors.Is(err, ErrInterrupted) {
		t.Errorf("got %v", err)
	}
	if after, _ := fs.ReadFile(tw, state.StateFile); !bytes.Equal(before, after) {
		t.Error("state.json changed")
	}
}

// A log that is changed or gone is seen: by the list and by verify (PS-12, C81, VP-5).
func TestGatesSeeTheirLogs(t *testing.T) {
	tw, p := gatePlan(t)
	done, err := RunGate(t.Context(), p, shell(t, "echo fine"))
	if err != nil {
		t.Fatal(err)
	}
	expect := func(want Log, findings string) {
		t.Helper()
		all := Gates(snapshot(t, tw), 2)
		if len(all) != 1 || all[0].Log != want || !all[0].Observed || all[0].History {
			t.Errorf("got %+v, want %s", all, want)
		}
		if got := strings.Join(digestFindings(t, tw), ", "); got != findings {
			t.Errorf("%s: verify finds %q, want %q", want, got, findings)
		}
	}
	expect(LogIntact, "")
	if err := disk.WriteFile(tw, done.Log, []byte("edited"), disk.Options{}); err != nil {
		t.Fatal(err)
	}
	expect(LogChanged, "should evidence/log-digest")
	if err := disk.RemoveFile(tw, done.Log); err != nil {
		t.Fatal(err)
	}
	expect(LogMissing, "must gate/pointer-missing")
}

// A crash at any instant leaves the old state.json or the new one with the log that it names, even when only what was flushed survives
// (PS-5, C81): the log is written first.
func TestRunGateCrash(t *testing.T) {
	for k, over := 1, false; !over; k++ {
		for _, survival := range []disk.Survival{{}, {Remainder: true, Seed: uint64(k)}} {
			tw, p := gatePlan(t)
			if err := disk.MkdirAll(tw, GateLogs); err != nil {
				t.Fatal(err)
			}
			tw.CrashAt(tw.Ops() + k)
			r := ended(runner.Exited, 0, "", runner.Counts{})
			record(t.Context(), p, update.Change{Task: 2, Agent: "tester"}, r, GateDone{})
			over = !tw.Crashed()
			left := tw.Crash(survival)
			if found := digestFindings(t, left); len(found) > 0 {
				t.Errorf("call %d: verify finds %v", k, found)
			}
			for _, g := range Gates(snapshot(t, left), 2) {
				if g.Log != LogIntact {
					t.Errorf("call %d: a record names a log that is %s", k, g.Log)
				}
			}
		}
		if over && k < 20 {
			t.Errorf("only %d crash points: nothing was recorded", k)
		}
	}
}
