package update_test

import (
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// read decodes a state that has no fault.
func read(t testing.TB, src []byte) *state.State {
	t.Helper()
	st, faults, err := state.ReadState(src)
	if err != nil || len(faults) > 0 {
		t.Fatalf("%v %+v", err, faults)
	}
	return st
}

// TestFollows: a candidate is followed from the current state by allowed changes of the last open task alone (VP-1, TRAPS).
func TestFollows(t *testing.T) {
	end := complete(3, pass("make chart"))
	end.Worked, end.Commit, end.Agent = "read twice", "a1b2c3d", "bo"
	for _, test := range []struct {
		name     string
		plan     string
		old, new string // in the candidate
		want     string // a part of the refusal; "" for none
	}{
		{"as Next makes it", "cci", "", "", ""},
		{"another title", "cci", `"title": "Chart bay 1"`, `"title": "Chart bay one"`, "title of task 1"},
		{"another gate", "cci", `"evidence": "8 passed"`, `"evidence": "9 passed"`, "gates of task 1"},
		{"a gate less", "cci", "\"gates\": [\n        {\n          \"command\": \"make chart\",\n          \"passes\": true,\n          \"exit_code\": 0,\n          \"last_run\": \"2026-09-01T09:50:00Z\",\n          \"evidence\": \"8 passed\"\n        }\n      ]", `"gates": []`, "gates of task 1"},
		{"another outcome", "cci", `"worked": "sorted by hour"`, `"worked": "sorted by day"`, "outcome of task 1"},
		{"another start", "cci", `"started_at": "2026-09-01T10:30:00Z"`, `"started_at": "2026-09-01T10:31:00Z"`, "started_at of task 3"},
		{"another locator", "cci", `"#task-3"`, `"#task-4"`, "locator of task 3"},
		{"another review", "cci", `"title": "Final Review"`, `"title": "Review"`, "title of task 3"},
		{"not approved", "cci", `"approval": "approved"`, `"approval": "pending"`, "not approved"},
		{"another approval", "cci", `"approval": "approved"`, `"approval": "pre_approved"`, "changes approval"},
		{"another plan", "cci", "PLAN_tide_charts", "PLAN_tide_tables", "is of plan"},
		{"an unknown field", "cci", `"plan":`, `"x-note": 1, "plan":`, "changes x-note"},
		{"not completed", "cci", "\"status\": \"completed\",\n  \"completed_count\"", "\"status\": \"in_progress\",\n  \"completed_count\"", "not a completed plan"},
		{"a wrong count", "cci", `"completed_count": 3`, `"completed_count": 2`, "not a completed plan"},
		{"an end in 2999", "cci", `"completed_at": "2026-09-01T12:00:00Z"`, `"completed_at": "2999-09-01T12:00:00Z"`, "in the future"},
		{"updated before", "cci", `"updated_at": "2026-09-01T12:00:00Z"`, `"updated_at": "2026-08-01T12:00:00Z"`, "before the current state"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := tides(test.plan)
			current := f.read(t).State
			f.must(t, end, now)
			if test.old != "" {
				f.swap(t, "state.json", test.old, test.new)
			}
			judge(t, update.Follows(current, decode(t, f), now), test.want)
		})
	}
}

func judge(t *testing.T, refusal *update.Refusal, want string) {
	t.Helper()
	switch {
	case refusal == nil && want == "":
	case refusal == nil:
		t.Errorf("accepted, want a refusal that says %q", want)
	case want == "" || !strings.Contains(refusal.Message, want):
		t.Errorf("refused under %s: %v; want %q", refusal.Rule, refusal, want)
	default:
		checkWords(t, refusal)
	}
}

// Candidates that no guarded change leads to: jumps over statuses, several tasks, other plans (TRAPS "Publication").
func TestFollowsRefusesJumps(t *testing.T) {
	for _, test := range []struct{ name, current, candidate, want string }{
		{"from pending", "ccp", "ccc", "from pending to completed"},
		{"from blocked", "ccb", "ccc", "changes blocked"},
		{"from skipped", "csi", "ccc", "from skipped to completed"},
		{"skipped still", "csi", "csc", "leaves task 2 skipped"},
		{"left in progress", "cci", "cci", "leaves task 3 in_progress"},
		{"fewer tasks", "cci", "cc", "has 2 tasks"},
		{"the same completed plan", "ccc", "ccc", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			judge(t, update.Follows(decode(t, tides(test.current)), decode(t, tides(test.candidate)), now), test.want)
		})
	}
	for _, test := range []struct{ old, new, want string }{
		{`"materialization": "ready"`, `"materialization": "materializing"`, "not ready"},
		{`"evidence": "8 passed"`, `"evidence": "7 passed"`, "gates of task 1"},
		{`"worked": "sorted by hour"`, `"worked": "sorted by day"`, "outcome of task 1"},
		{`"last_run": "2026-09-01T09:50:00Z"`, `"last_run": "2026-09-01T09:59:00Z"`, ""},
		{`"gates": [{`, `"gates": [{"command": "x", "passes": true, "exit_code": 0}, {`, "gates of task 1"},
	} {
		judge(t, update.Follows(decode(t, tides("ccc")), decode(t, tides("ccc").swap(t, "state.json", test.old, test.new)), now), test.want)
	}
	empty := decode(t, tides("p").swap(t, "state.json", `"tasks": [`, `"tasks": [], "x": [`))
	judge(t, update.Follows(empty, empty, now), "no tasks")
	two := tides("cii") // an editor completes both in one candidate
	current := decode(t, two)
	two.must(t, complete(2, pass("make chart")), now)
	two.must(t, complete(3, pass("make chart")), now)
	judge(t, update.Follows(current, decode(t, two), now), "changes task 2 and task 3")
	if refusal := update.Follows(nil, nil, time.Time{}); refusal == nil || refusal.Rule != "guard/candidate" {
		t.Errorf("nothing follows nothing: %v", refusal)
	}
}

// What a guarded change makes of a completed plan follows too: late evidence, a rerun, a reopened plan closed again (VP-5, GU-4, GU-6).
func TestFollowsWhatNextMakes(t *testing.T) {
	late := tides("ccc")
	noGates(t, late)
	again := tides("ccc").amend(t, 1, 1, "Tasks 2 and 3 preserved: they read the header only")
	again.must(t, reopen(1), now)
	history := tides("cic").swap(t, "state.json", `"gates": []`, `"gates": [{"command": "make chart", "passes": false, "exit_code": 1, "evidence": "1 failed"}]`)
	for name, f := range map[string]*fixture{"late": late, "rerun": tides("ccc"), "reopened": again, "retried": history} {
		task := 1
		if name == "retried" {
			task = 2
		}
		g := gateOf("make chart", 0, "8 passed")
		current := f.read(t).State
		result, refusal := f.next(t, complete(task, g), later(1))
		if refusal != nil || !result.Terminal {
			t.Errorf("%s: terminal %t, %v", name, result.Terminal, refusal)
			continue
		}
		if refusal := update.Follows(current, read(t, result.State), later(1)); refusal != nil {
			t.Errorf("%s: %v", name, refusal)
		}
	}
}

// A candidate keeps every record: the history of a reopened task too (GU-4).
func TestFollowsKeepsHistory(t *testing.T) {
	f := tides("cc").amend(t, 1, 1, "Task 2 preserved: it reads the header only")
	f.must(t, reopen(1), now)
	current := f.read(t).State
	f.must(t, complete(1, gateOf("make chart", 0, "9 passed")), later(1))
	whole := string(f.files["state.json"].Data)
	for name, src := range map[string]string{
		"changes the invalidated record": strings.Replace(whole, "] 8 passed", "] 7 passed", 1),
		"drops the record":               strings.Replace(strings.Replace(whole, `"command": "make chart"`, `"command": "make tide"`, 1), `"command": "make chart"`, `"command": "make tide"`, 1),
	} {
		judge(t, update.Follows(current, read(t, []byte(src)), later(1)), name)
	}
}
