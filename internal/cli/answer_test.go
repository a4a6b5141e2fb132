package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepworkplan/dwp/internal/plantest"
)

var startedPlan = plantest.Spec{Tasks: 3, Done: 1}

// fullWriter takes nothing but the empty write, as a file on a full disk does.
type fullWriter struct{}

func (fullWriter) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return 0, syscall.ENOSPC
}

// TRAPS, C159: when it is certain that the answer is lost, the change is not made; when that shows only afterwards, the change stands,
// the exit code is the change's, and standard error says so. State and code never disagree.
func TestLostAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		stdout  interface{ Write([]byte) (int, error) }
		code    int
		changed bool
		stderr  string
	}{
		"closed":         {failingWriter{syscall.EBADF}, ExitNo, false, "nothing was written"},
		"device full":    {failingWriter{syscall.ENOSPC}, ExitNo, false, "nothing was written"},
		"disk full":      {fullWriter{}, ExitOK, true, "dwp: warning: the change was made; write standard output: no space left"},
		"reader is gone": {failingWriter{syscall.EPIPE}, ExitOK, true, ""},
	} {
		for _, format := range []string{"--json=false", "--json"} {
			m := layPlan(t, startedPlan)
			before := text(t, m.state())
			var stderr bytes.Buffer
			code := Main([]string{"state", "update", m.state(), "--task", "2", "--status", "in_progress", format}, testEnv(m.top, tt.stdout, &stderr))
			if changed := text(t, m.state()) != before; code != tt.code || changed != tt.changed || format != "--json" && !strings.Contains(stderr.String(), tt.stderr) {
				t.Errorf("%s, %s: code %d, changed %v, want %d, %v: %s", name, format, code, changed, tt.code, tt.changed, stderr.String())
			}
		}
	}
}

// The same with a real process: /dev/full is found before the change; with standard output closed there is nobody to tell, and it is made.
func TestLostAnswerOfProcess(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer full.Close()
	m := layPlan(t, startedPlan)
	before := contents(t, m.top)
	cmd := dwpProcess(t, "state", "update", m.state(), "--task", "2", "--status", "in_progress")
	cmd.Stdout = full
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != ExitNo || len(contents(t, m.top)) != len(before) || !strings.Contains(before[".dwp/plans/"+plantest.Name+"/state.json"], text(t, m.state())) {
		t.Errorf("code %d, want %d and no change", got, ExitNo)
	}
}

// The replay of a change writes nothing, not even the file's time (GU-4); another change of the same task does.
func TestReplay(t *testing.T) {
	m := layPlan(t, startedPlan)
	args := []string{"--task", "2", "--status", "in_progress"}
	if code, stdout, stderr := m.update(args...); code != ExitOK || !strings.Contains(stdout, "task 2: in_progress; sha256 ") {
		t.Fatalf("code %d: %s%s", code, stdout, stderr)
	}
	before := fingerprint(t, m.top)
	if code, stdout, stderr := m.update(args...); code != ExitOK || !strings.Contains(stdout, "task 2: nothing to change; sha256 ") {
		t.Errorf("code %d: %s%s", code, stdout, stderr)
	}
	now := fingerprint(t, m.top)
	for name, was := range before {
		if now[name] != was && name != m.folder { // the lock came and went in the folder
			t.Errorf("%s changed", name)
		}
	}
}

// What is printed is what --expected-sha256 takes and what hash prints (GU-9).
func TestDigests(t *testing.T) {
	m := layPlan(t, startedPlan)
	_, hash, _ := m.dwp(nil, "state", "hash", m.state())
	code, stdout, stderr := m.update("--task", "2", "--status", "in_progress", "--expected-sha256", strings.TrimSpace(hash))
	if code != ExitOK {
		t.Fatalf("code %d: %s", code, stderr)
	}
	_, now, _ := m.dwp(nil, "state", "hash", m.state())
	if now == hash || !strings.HasSuffix(stdout, "sha256 "+now) {
		t.Errorf("printed %q, the digest is %q", stdout, now)
	}
	refused(t, m, ExitNo, "guard/moved-on", "state", "update", m.state(), "--task", "2", "--gate", passed, "--expected-sha256", strings.TrimSpace(hash))
}

// C93: each change is signed by who made it; the manifest's maker stays. Without the options, the known agent that runs dwp.
func TestWhoMadeTheChange(t *testing.T) {
	m := layPlan(t, startedPlan)
	manifest := text(t, filepath.Join(m.folder, "manifest.json"))
	for _, tt := range []struct {
		settings []string
		args     []string
		want     string
	}{
		{nil, []string{"--gate", failed, "--agent", "ana", "--model", "m1"}, `"updated_by": { "agent": "ana", "model": "m1" }`},
		{nil, []string{"--gate", passed, "--agent", "bo"}, `"updated_by": { "agent": "bo" }`},
		{[]string{"CLAUDECODE=1", "ANTHROPIC_MODEL=m2"}, []string{"--status", "in_progress"}, `"agent": "Claude Code", "model": "m2"`},
		{[]string{"GEMINI_CLI=1"}, []string{"--checkpoint-step", "half"}, `"agent": "Gemini CLI"`},
		{[]string{"CURSOR_AGENT=1"}, []string{"--checkpoint-step", "more"}, `"agent": "Cursor"`},
		{[]string{"AI_AGENT=own-agent", "CLAUDECODE=1"}, []string{"--checkpoint-step", "most"}, `"agent": "own-agent"`},
		{[]string{"CLAUDECODE=1"}, []string{"--checkpoint-step", "all", "--agent", "cy"}, `"updated_by": { "agent": "cy" }`},
	} {
		code, _, stderr := m.dwp(tt.settings, append([]string{"state", "update", m.state(), "--task", "2"}, tt.args...)...)
		if got := strings.Join(strings.Fields(text(t, m.state())), " "); code != ExitOK || !strings.Contains(got, tt.want) {
			t.Errorf("%v %v: code %d, no %s in state.json: %s", tt.settings, tt.args, code, tt.want, stderr)
		}
	}
	if text(t, filepath.Join(m.folder, "manifest.json")) != manifest {
		t.Error("the manifest changed")
	}
}

// C137: whatever the zone, times are written in UTC with Z, and a bare date of an older record stays one.
func TestTimesAreUTC(t *testing.T) {
	dated := swap("state.json", `"started_at": "2026-09-01T09:00:00Z"`, `"started_at": "2026-09-01"`)
	for _, hours := range []int{9, -5} {
		m := layPlan(t, startedPlan, dated)
		var out, errs bytes.Buffer
		env := testEnv(m.top, &out, &errs)
		at := time.Date(2026, 9, 2, 23, 30, 0, 0, time.UTC).In(time.FixedZone("there", hours*3600))
		env.Now = func() time.Time { return at }
		code := Main([]string{"state", "update", m.state(), "--task", "2", "--status", "in_progress"}, env)
		got := text(t, m.state())
		if code != ExitOK || !strings.Contains(got, `"started_at": "2026-09-02T23:30:00Z"`) || !strings.Contains(got, `"started_at": "2026-09-01",`) {
			t.Errorf("%+d h: code %d: %s", hours, code, errs.String())
		}
	}
}

// C139: equal times, and a gate a second after the completion, are no fault.
func TestSmallClockDifferences(t *testing.T) {
	m := layPlan(t, startedPlan, func(tb testing.TB, files fstest.MapFS) {
		swap("state.json", `"last_run": "2026-09-01T09:59:00Z"`, `"last_run": "2026-09-01T10:00:01Z"`)(tb, files)
		swap("state.json", `"started_at": "2026-09-01T09:00:00Z"`, `"started_at": "2026-09-01T10:00:00Z"`)(tb, files)
	})
	if code, _, stderr := m.update("--task", "2", "--status", "in_progress"); code != ExitOK {
		t.Errorf("code %d: %s", code, stderr)
	}
}

// C163: a value of the environment whose name speaks of a secret is warned about, and not shown.
func TestConfiguredSecretIsWarnedAbout(t *testing.T) {
	m := layPlan(t, startedPlan)
	code, stdout, stderr := m.dwp([]string{"DB_PASSWORD=plainword1"}, "state", "update", m.state(), "--task", "2", "--gate", "make x|0|3 passed with plainword1")
	if code != ExitOK || !strings.Contains(stderr, "dwp: warning: ") || !strings.Contains(stderr, "DB_PASSWORD") || strings.Contains(stdout+stderr, "plainword1") {
		t.Errorf("code %d: %s%s", code, stdout, stderr)
	}
}

// C83: with a pipe in command or evidence, the JSON form keeps both exactly.
func TestJSONGateKeepsPipes(t *testing.T) {
	m := layPlan(t, startedPlan)
	gate := `{"command": "go test ./... | tee out.txt", "passes": false, "exit_code": 1, "evidence": "a|b|c 1 failed"}`
	code, _, stderr := m.update("--task", "2", "--gate-json", gate)
	if got := text(t, m.state()); code != ExitOK || !strings.Contains(got, `"go test ./... | tee out.txt"`) || !strings.Contains(got, `"a|b|c 1 failed"`) {
		t.Errorf("code %d: %s", code, stderr)
	}
}

// TRAPS: a mode stays, a read-only state is not silently replaced, a link is refused, and so is a file of another name or kind.
func TestStateFileOnDisk(t *testing.T) {
	m := layPlan(t, startedPlan)
	mode := func(perm os.FileMode) {
		if err := os.Chmod(m.state(), perm); err != nil {
			t.Fatal(err)
		}
	}
	mode(0o664)
	if code, _, stderr := m.update("--task", "2", "--status", "in_progress"); code != ExitOK {
		t.Fatalf("code %d: %s", code, stderr)
	}
	if info, err := os.Stat(m.state()); err != nil || info.Mode().Perm() != 0o664 {
		t.Errorf("mode %v, %v; want 664", info.Mode(), err)
	}
	mode(0o444)
	refused(t, m, ExitNo, "read-only", "state", "update", m.state(), "--task", "2", "--gate", passed)
	mode(0o644)
	link := filepath.Join(m.top, "state.json")
	if err := os.Symlink(m.state(), link); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, says string
		code       int
	}{
		{link, "symbolic link", ExitNo}, {filepath.Join(m.folder, "README.md"), "is not named state.json", ExitUsage}, {m.folder, "is not named state.json", ExitUsage},
		{"state.json/state.json", "read ", ExitNo}, {"", "empty", ExitUsage},
	} {
		if code, _, stderr := m.dwp(nil, "state", "update", tt.name, "--task", "2"); code != tt.code || !strings.Contains(stderr, tt.says) {
			t.Errorf("%q: code %d, want %d with %q: %s", tt.name, code, tt.code, tt.says, stderr)
		}
	}
}

// A plan folder behind a link is locked by its real name, so that both ways to it keep each other out (TRAPS).
func TestLinkedFolder(t *testing.T) {
	m := layPlan(t, startedPlan, put("state.json.lock/.keep", ""))
	linked := filepath.Join(m.top, ".dwp", "plans", "PLAN_linked_load")
	if err := os.Symlink(m.folder, linked); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := m.dwp(nil, "state", "update", filepath.Join(linked, "state.json"), "--task", "2", "--status", "in_progress", "--wait", "0s")
	if code != ExitNo || !strings.Contains(stderr, m.folder) && !strings.Contains(stderr, plantest.Name+"/state.json.lock is held") {
		t.Errorf("code %d: %s", code, stderr)
	}
}

// C45: a byte-order mark is read, or named; never a half-write.
func TestByteOrderMark(t *testing.T) {
	m := layPlan(t, startedPlan, swap("state.json", `{"schema"`, "\ufeff"+`{"schema"`))
	before := text(t, m.state())
	code, stdout, stderr := m.update("--task", "2", "--status", "in_progress")
	switch after := text(t, m.state()); code {
	case ExitOK:
		if after == before || !strings.Contains(after, `"in_progress"`) {
			t.Errorf("said done: %s", stdout)
		}
	default:
		if after != before || !strings.Contains(stderr, "byte-order mark") {
			t.Errorf("code %d: %s", code, stderr)
		}
	}
}
