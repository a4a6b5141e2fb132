package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/plantest"
)

// made is a plan on disk, in a repository of its own.
type made struct {
	top    string // the repository
	folder string
}

func (m made) state() string { return filepath.Join(m.folder, "state.json") }

// make lays a plan out; edits change its files first.
func layPlan(t testing.TB, spec plantest.Spec, edits ...func(testing.TB, fstest.MapFS)) made {
	t.Helper()
	files := plantest.Plan(spec)
	for _, edit := range edits {
		edit(t, files)
	}
	top := t.TempDir()
	m := made{top, filepath.Join(top, ".dwp", "plans", plantest.Name)}
	texts := map[string]string{}
	for name, f := range files {
		texts[".dwp/plans/"+plantest.Name+"/"+name] = string(f.Data)
	}
	writeTree(t, top, texts)
	if err := os.Mkdir(filepath.Join(top, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return m
}

// dwp runs one command line in the repository; settings are its environment.
func (m made) dwp(settings []string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	env := testEnv(m.top, &out, &errs, settings...)
	env.Environ = func() []string { return settings }
	code = Main(args, env)
	return code, out.String(), errs.String()
}

// update runs state update on the plan.
func (m made) update(args ...string) (code int, stdout, stderr string) {
	return m.dwp(nil, append([]string{"state", "update", m.state()}, args...)...)
}

// swap replaces a text of a file, which must be there once or more; with "last:" in front, its last place.
func swap(name, old, text string) func(testing.TB, fstest.MapFS) {
	return func(t testing.TB, files fstest.MapFS) {
		t.Helper()
		data := string(files[name].Data)
		at, found := strings.Index(data, old), old
		if last, ok := strings.CutPrefix(old, "last:"); ok {
			at, found = strings.LastIndex(data, last), last
		}
		if at < 0 {
			t.Fatalf("%s does not contain %q", name, found)
		}
		files[name].Data = []byte(data[:at] + text + data[at+len(found):])
	}
}

func put(name, text string) func(testing.TB, fstest.MapFS) {
	return func(_ testing.TB, files fstest.MapFS) {
		files[name] = &fstest.MapFile{Data: []byte(text), Mode: fs.FileMode(0o644)}
	}
}

func drop(name string) func(testing.TB, fstest.MapFS) {
	return func(_ testing.TB, files fstest.MapFS) { delete(files, name) }
}

func text(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// edits is a short name for what bends a plan in a table.
type edits = []func(testing.TB, fstest.MapFS)

const (
	passed = "make test-shard|0|14 passed"
	failed = "make test-shard|1|1 failed"
)

// updateRefusals: each rule of GU, and the field cases that speak of a refused change: what is wrong, the call, the exit code,
// the rule. A long table of the decision itself stands in package update; this one proves flags, codes, and bytes.
var updateRefusals = []struct {
	name  string
	spec  plantest.Spec
	edits edits
	args  string // split at ";"
	code  int
	rule  string
}{
	{"GU-1 no task", plantest.Spec{Tasks: 3, Done: 1}, nil, "--status;in_progress", 2, "guard/task"},
	{"GU-1 unknown status", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;done", 2, "guard/status"},
	{"GU-1 unknown task", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;9;--status;in_progress", 1, "guard/unknown-task"},
	{"GU-1 malformed count, C33", plantest.Spec{Tasks: 3, Done: 1}, edits{swap("state.json", `"completed_count": 1`, `"completed_count": 2`)}, "--task;2;--status;in_progress", 1, "state/completed-count"},
	{"GU-1 another task's gate", plantest.Spec{Tasks: 3, Done: 1}, edits{swap("state.json", `"passes": true`, `"passes": null`)}, "--task;2;--status;in_progress", 1, "gate/shape"},
	{"GU-1 newer schema, C43", plantest.Spec{Tasks: 3, Done: 1}, edits{swap("state.json", "plan-state/v2", "plan-state/v9")}, "--task;2;--status;in_progress", 1, "schema/unknown"},
	{"GU-1 merge marks, C47", plantest.Spec{Tasks: 3, Done: 1}, edits{swap("state.json", `"tasks"`, "\n<<<<<<< ours\n\"tasks\"")}, "--task;2;--status;in_progress", 1, "json/conflict-markers"},
	{"GU-1 cut file, C49", plantest.Spec{Tasks: 3, Done: 1}, edits{swap("state.json", `last:"tasks"`, `"`)}, "--task;2;--status;in_progress", 1, "json/"},
	{"GU-1 approval maybe, C51", plantest.Spec{Tasks: 3, Done: 1}, edits{swap("state.json", `"approval": "approved"`, `"approval": "maybe"`)}, "--task;2;--status;in_progress", 1, ""},
	{"GU-1 gap in the ids, C51", plantest.Spec{Tasks: 3, Done: 1}, edits{swap("state.json", `{"id": 3`, `{"id": 4`)}, "--task;2;--status;in_progress", 1, ""},
	{"GU-1 another plan's state, C89", plantest.Spec{Tasks: 3, Done: 1}, edits{swap("state.json", plantest.Name, "PLAN_other_load")}, "--task;2;--status;in_progress", 1, "state/plan-name"},
	{"GU-2 short form with pipes, C83", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--gate;head f |0| tail|1|FAILED", 1, "guard/gate-form"},
	{"GU-2 gate is a list", plantest.Spec{Tasks: 3, Done: 1}, nil, `--task;2;--gate-json;[]`, 1, ""},
	{"GU-2 command is a list", plantest.Spec{Tasks: 3, Done: 1}, nil, `--task;2;--gate-json;{"command": ["a"], "passes": true, "exit_code": 0, "evidence": "1 ok"}`, 1, ""},
	{"GU-2 duplicate key", plantest.Spec{Tasks: 3, Done: 1}, nil, `--task;2;--gate-json;{"command": "a", "command": "b", "passes": true, "exit_code": 0, "evidence": "1 ok"}`, 1, "duplicate key"},
	{"GU-2 commit", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--commit;main", 1, "commit/shape"},
	{"GU-2 secret, C161", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--gate;make x|1|Authorization: Bearer aB3dE6gHaB3dE6gHaB3dE6gH", 1, "secret/json"},
	{"GU-2 status is empty", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;", 2, "--status is empty"},
	{"GU-2 commit is empty", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;in_progress;--commit;", 2, "--commit is empty"},
	{"GU-2 digest is empty", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;in_progress;--expected-sha256;", 2, "--expected-sha256 is empty"},
	{"GU-2 wait is negative", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;in_progress;--wait;-1s", 2, "--wait is negative"},
	{"GU-3 no gate, C79", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;completed", 1, "evidence/none"},
	{"GU-3 empty evidence, C79", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;completed;--gate;make x|0|  ", 1, "evidence/empty"},
	{"GU-3 failing gate", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;completed;--gate;" + failed, 1, "evidence/failing"},
	{"GU-3 pass with 143, C91", plantest.Spec{Tasks: 3, Done: 1}, nil, `--task;2;--gate-json;{"command": "a", "passes": true, "exit_code": 143, "evidence": "1 ok"}`, 1, "gate/pass-with-failure"},
	{"GU-3 log is missing, C81", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;completed;--gate;make x|0|3 passed, log=analysis_results/x.log", 1, "gate/pointer-missing"},
	{"GU-3 log is outside, C81", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;completed;--gate;make x|0|3 passed, log=../outside.log", 1, "gate/pointer-outside"},
	{"GU-4 older run", plantest.Spec{Tasks: 3, Ready: true}, nil, `--task;3;--gate-json;{"command": "make test-shard", "passes": true, "exit_code": 0, "last_run": "2026-09-01T08:00:00Z", "evidence": "1 ok"}`, 1, "guard/gate-older"},
	{"GU-5 no reason", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;blocked", 1, "guard/block-reason"},
	{"GU-5 no blocker", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;in_progress;--resolve-blocker", 1, "guard/no-blocker"},
	{"GU-6 completed task", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;1;--status;in_progress", 1, "guard/completed"},
	{"GU-6 no amendment", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;1;--status;in_progress;--reopen-reason;Amendment 1", 1, "guard/amendment"},
	{"GU-7 too early", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;3;--status;in_progress", 1, "order/too-early"},
	{"GU-8 not approved", plantest.Spec{Tasks: 3, Done: 1}, edits{swap("state.json", `"approval": "approved"`, `"approval": "pending"`)}, "--task;2;--status;in_progress", 1, "guard/not-approved"},
	{"GU-8 partial", plantest.Spec{Tasks: 3, Done: 1}, edits{swap("state.json", `"materialization": "ready"`, `"materialization": "materializing"`)}, "--task;2;--status;in_progress", 1, "materialization/partial"},
	{"GU-8 publishing", plantest.Spec{Tasks: 3, Done: 1}, edits{put(".finalizing.json", "{}")}, "--task;2;--status;in_progress", 1, "publication/unfinished"},
	{"GU-8 operation", plantest.Spec{Tasks: 3, Done: 1}, edits{put(".dwp-op/op.json", "{}")}, "--task;2;--status;in_progress", 1, "operation/unfinished"},
	{"GU-9 moved on, C55", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;in_progress;--expected-sha256;" + strings.Repeat("0", 64), 1, "guard/moved-on"},
	{"GU-10 locked by a helper, C59", plantest.Spec{Tasks: 3, Done: 1}, edits{put("state.json.lock/.keep", "")}, "--task;2;--status;in_progress;--wait;0s", 1, "state.json.lock is held by someone unknown"},
	{"PS-10 skip", plantest.Spec{Tasks: 3, Done: 1}, nil, "--task;2;--status;skipped", 1, "guard/skip"},
	{"VP-1 not conformant", plantest.Spec{Tasks: 3, Ready: true}, edits{swap("README.md", "- [x] Task 3", "- [ ] Task 3")}, "--task;3;--status;completed", 1, "guard/not-conformant"},
	{"VP-2 log pending, C109", plantest.Spec{Tasks: 3, Ready: true}, edits{swap("README.md", "last:Status: completed", "- **Status:** pending")}, "--task;3;--status;completed", 1, "log/pending"},
	{"VP-2 no security review", plantest.Spec{Tasks: 3, Ready: true}, edits{drop("analysis_results/SECURITY_REVIEW.md")}, "--task;3;--status;completed", 1, "review/security-file"},
	{"VP-2 no PROGRESS", plantest.Spec{Tasks: 3, Ready: true}, edits{drop("PROGRESS.md")}, "--task;3;--status;completed", 1, "layout/progress"},
}

func TestUpdateRefusals(t *testing.T) {
	for _, tt := range updateRefusals {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			refused(t, layPlan(t, tt.spec, tt.edits...), tt.code, tt.rule, append([]string{"state", "update", "state.json"}, strings.Split(tt.args, ";")...)...)
		})
	}
}

// refused demands that a call, made in the plan's folder, ends with code, names the rule, and changes no byte; in JSON too, with the
// same code.
func refused(t *testing.T, m made, code int, rule string, args ...string) {
	t.Helper()
	before := contents(t, m.top)
	got, stdout, stderr := m.dwp(nil, append([]string{"-C", m.folder}, args...)...)
	if got != code || stdout != "" || !strings.HasPrefix(stderr, "dwp: ") || !strings.Contains(stderr, rule) {
		t.Errorf("code %d, want %d with %q:\n%s%s", got, code, rule, stdout, stderr)
	}
	if code == ExitNo && !strings.Contains(stderr, "nothing ") && !strings.Contains(stderr, "was not changed") {
		t.Errorf("it does not say that nothing was written: %s", stderr)
	}
	got, stdout, stderr = m.dwp(nil, append([]string{"-C", m.folder, "--json"}, args...)...)
	if got != code || stderr != "" || !strings.Contains(stdout, `"error": {`) {
		t.Errorf("in JSON: code %d, want %d:\n%s%s", got, code, stdout, stderr)
	}
	for name, was := range before {
		if is := contents(t, m.top)[name]; is != was {
			t.Errorf("%s changed:\n%s", name, is)
		}
	}
	if now := contents(t, m.top); len(now) != len(before) {
		t.Errorf("%d names before, %d after", len(before), len(now))
	}
}

// candidate makes the state that completes a ready plan, as publish does it, and puts it beside the plan.
func (m made) candidate(t testing.TB, edits ...[2]string) string {
	t.Helper()
	copied := layPlan(t, plantest.Spec{Tasks: 3, Ready: true})
	if code, _, stderr := copied.update("--task", "3", "--status", "completed", "--commit", "0badc0de"); code != ExitOK {
		t.Fatalf("make a candidate: %s", stderr)
	}
	data := text(t, copied.state())
	for _, e := range edits {
		if !strings.Contains(data, e[0]) {
			t.Fatalf("the candidate does not contain %q", e[0])
		}
		data = strings.Replace(data, e[0], e[1], 1)
	}
	name := filepath.Join(m.top, "candidate.json")
	if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestCandidateRefusals: a candidate follows from the current state by allowed changes, or nothing is written (VP-1, VP-4, GU-9).
func TestCandidateRefusals(t *testing.T) {
	ready := plantest.Spec{Tasks: 3, Ready: true}
	for _, tt := range []struct {
		name  string
		edits edits
		bend  [][2]string // of the candidate
		args  []string
		rule  string
	}{
		{"VP-1 rewrites a finished title", nil, [][2]string{{"Load shard 1", "Load shard one"}}, nil, "guard/candidate"},
		{"VP-1 rewrites finished gates", nil, [][2]string{{"12 passed", "99 passed"}}, nil, "guard/candidate"},
		{"VP-1 from pending", edits{swap("state.json", `"status": "in_progress", "started_at": "2026-09-01T09:00:00Z", "gates": `+plantest.Gate, `"status": "pending", "gates": []`)}, nil, nil, "guard/candidate"},
		{"VP-1 not approved", edits{swap("state.json", `"approval": "approved"`, `"approval": "pending"`)}, nil, nil, ""},
		{"VP-1 another plan", nil, [][2]string{{plantest.Name, "PLAN_other_load"}}, nil, "guard/candidate"},
		{"VP-1 a time in 2999", nil, [][2]string{{`"completed_at": "2026-09-02T12:00:00Z"`, `"completed_at": "2999-01-01T00:00:00Z"`}}, nil, ""},
		{"VP-2 README lags", edits{swap("README.md", "- [x] Task 3", "- [ ] Task 3")}, nil, nil, "guard/not-conformant"},
		{"VP-4 a publication is under way", edits{put(".finalizing.json", "{}")}, nil, nil, "guard/publishing"},
		{"VP-4 the marker is damaged", edits{put(".finalizing.json", "{}")}, nil, []string{"--recover"}, "guard/damaged-marker"},
		{"GU-9 moved on", nil, nil, []string{"--expected-sha256", strings.Repeat("0", 64)}, "guard/moved-on"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := layPlan(t, ready, tt.edits...)
			refused(t, m, ExitNo, tt.rule, append([]string{"state", "finalize", m.folder, "--candidate", m.candidate(t, tt.bend...)}, tt.args...)...)
		})
	}
}

// A candidate that is no state: a list, nothing, a folder, no file (TRAPS).
func TestCandidateIsNoState(t *testing.T) {
	m := layPlan(t, plantest.Spec{Tasks: 3, Ready: true})
	writeTree(t, m.top, map[string]string{"list.json": "[]", "empty.json": "", "folder/x": ""})
	for _, name := range []string{"list.json", "empty.json"} {
		refused(t, m, ExitNo, "guard/candidate", "state", "finalize", m.folder, "--candidate", filepath.Join(m.top, name))
	}
	for _, name := range []string{"folder", "absent.json"} {
		code, _, stderr := m.dwp(nil, "state", "finalize", m.folder, "--candidate", name)
		if code != ExitNo || !strings.HasPrefix(stderr, "dwp: read ") {
			t.Errorf("%s: code %d, %s", name, code, stderr)
		}
	}
	if code, _, stderr := m.dwp(nil, "state", "finalize", m.folder); code != ExitUsage || !strings.Contains(stderr, "--candidate is missing") {
		t.Errorf("no candidate: code %d, %s", code, stderr)
	}
}
