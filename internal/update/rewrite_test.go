package update_test

import (
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// TestRewrite: what whole rewrites may do to a state, and what they lose or make up (DESIGN 3, LF-9, LF-10, PS-10, PS-18, PS-21).
func TestRewrite(t *testing.T) {
	const record = `{"command": "make chart", "passes": true, "exit_code": 0, "last_run": "2026-09-01T09:50:00Z", "evidence": "8 passed"}`
	for _, test := range []struct {
		name     string
		old, new string // statuses
		bend     [2]string
		oldBend  [2]string
		means    update.Rewriting
		rule     string
	}{
		{name: "nothing changes", old: "cip", new: "cip"},
		{name: "approve", old: "ppp", new: "ppp", oldBend: [2]string{`"approval": "approved"`, `"approval": "pending"`}},
		{name: "promote", old: "cp", new: "cp", bend: [2]string{`"format": "lite"`, `"format": "full"`}},
		{name: "Full to Lite", old: "cp", new: "cp", oldBend: [2]string{`"format": "lite"`, `"format": "full"`}, rule: "state/format"},
		{name: "another plan", old: "cp", new: "cp", bend: [2]string{"PLAN_tide_charts", "PLAN_tide_tables"}, rule: "state/plan-name"},
		{name: "migrate", old: "cp", new: "cp", oldBend: [2]string{"plan-state/v5", "plan-state/v2"}, means: update.Rewriting{Migrated: true}},
		{name: "migrate in silence", old: "cp", new: "cp", oldBend: [2]string{"plan-state/v5", "plan-state/v2"}, rule: "schema/torn"},
		{name: "migrate back", old: "cp", new: "cp", bend: [2]string{"plan-state/v5", "plan-state/v2"}, means: update.Rewriting{Migrated: true}, rule: "schema/torn"},
		{name: "an unknown field goes", old: "cp", new: "cp", oldBend: [2]string{`"plan":`, `"x-cost": 1, "plan":`}, rule: "guard/lost"},
		{name: "a task's unknown field goes", old: "cp", new: "cp", oldBend: [2]string{`{"id": 1,`, `{"x-cost": 1, "id": 1,`}, rule: "guard/lost"},

		{name: "a task is added", old: "cp", new: "cpp", means: update.Rewriting{Renumber: map[int]int{2: 3}}},
		{name: "a task goes", old: "cpp", new: "cp", rule: "guard/lost"},
		{name: "a pending task is archived", old: "cpp", new: "cp", means: update.Rewriting{Archived: []int{2}, Renumber: map[int]int{3: 2}}},
		{name: "a skipped task is archived (PS-10)", old: "csp", new: "cp", means: update.Rewriting{Archived: []int{2}, Renumber: map[int]int{3: 2}}},
		{name: "a completed task is archived", old: "ccp", new: "cp", means: update.Rewriting{Archived: []int{2}, Renumber: map[int]int{3: 2}}, rule: "guard/lost"},
		{name: "two become one", old: "cpp", new: "cp", means: update.Rewriting{Renumber: map[int]int{3: 2}}, rule: "guard/lost"},
		{name: "a wild mapping", old: "cp", new: "cp", means: update.Rewriting{Renumber: map[int]int{2: -7}}, rule: "guard/lost"},
		{name: "history under the wrong number", old: "cp", new: "pc", rule: "guard/lost"},
		{name: "history under its new number", old: "cp", new: "pc", means: update.Rewriting{Renumber: map[int]int{1: 2, 2: 1}}},
		{name: "a gap", old: "cp", new: "cp", bend: [2]string{`{"id": 2,`, `{"id": 3,`}, rule: "state/task-ids"},
		{name: "a wrong count", old: "cp", new: "cp", bend: [2]string{`"completed_count": 1`, `"completed_count": 2`}, rule: "state/completed-count"},
		{name: "a wrong total", old: "cp", new: "cp", bend: [2]string{`"task_count": 2`, `"task_count": 3`}, rule: "state/task-count"},
		{name: "a wrong status", old: "cp", new: "cp", bend: [2]string{`"status": "in_progress", "completed_count"`, `"status": "pending", "completed_count"`}, rule: "state/status"},

		{name: "a record goes", old: "cp", new: "cp", bend: [2]string{record, ""}, rule: "guard/lost"},
		{name: "a record turns", old: "cp", new: "cp", bend: [2]string{`"8 passed"`, `"9 passed"`}, rule: "guard/lost"},
		{name: "a record is dated anew", old: "cp", new: "cp", bend: [2]string{"09:50:00Z", "09:51:00Z"}, rule: "guard/lost"},
		{name: "a record is marked", old: "ip", new: "ip", oldBend: [2]string{`"gates": []`, `"gates": [` + record + `]`},
			bend: [2]string{`"gates": []`, `"gates": [` + strings.Replace(record, "8 passed", "[invalidated by refine] 8 passed", 1) + `]`}},
		{name: "a long record is marked and cut", old: "ip", new: "ip", oldBend: [2]string{`"gates": []`, `"gates": [` + strings.Replace(record, "8 passed", strings.Repeat("x", 500), 1) + `]`},
			bend: [2]string{`"gates": []`, `"gates": [` + strings.Replace(record, "8 passed", "[invalidated by refine 2026-09-01] "+strings.Repeat("x", 450)+"...", 1) + `]`}},
		{name: "a marked record turns", old: "ip", new: "ip", oldBend: [2]string{`"gates": []`, `"gates": [` + record + `]`},
			bend: [2]string{`"gates": []`, `"gates": [` + strings.Replace(record, "8 passed", "[invalidated by refine] 7 passed", 1) + `]`}, rule: "guard/lost"},
		{name: "a mark goes", old: "ip", new: "ip", oldBend: [2]string{`"gates": []`, `"gates": [` + strings.Replace(record, "8 passed", "[invalidated by refine] 8 passed", 1) + `]`},
			bend: [2]string{`"gates": []`, `"gates": [` + record + `]`}, rule: "guard/lost"},
		{name: "a record is made up (PS-18)", old: "ip", new: "ip", bend: [2]string{`"gates": []`, `"gates": [` + record + `]`}, rule: "guard/invented"},
		{name: "a new task has a record", old: "cp", new: "cpp", bend: [2]string{`"gates": []`, `"gates": [` + record + `]`}, means: update.Rewriting{Renumber: map[int]int{2: 3}}, rule: "guard/invented"},
		{name: "a new task is done", old: "cp", new: "ccp", means: update.Rewriting{Renumber: map[int]int{2: 3}}, rule: "guard/invented"},
		{name: "an outcome goes", old: "cp", new: "cp", bend: [2]string{`, "outcome": {"tried": [], "failed": [], "worked": "sorted by hour", "notes": ""}`, ""}, rule: "guard/lost"},
		{name: "an outcome turns", old: "cp", new: "cp", bend: [2]string{"sorted by hour", "sorted by day"}, rule: "guard/lost"},
		{name: "what was tried goes", old: "cp", new: "cp", oldBend: [2]string{`"tried": []`, `"tried": ["by day"]`}, rule: "guard/lost"},
		{name: "a commit goes", old: "cp", new: "cp", oldBend: [2]string{`"outcome"`, `"commit": "a1b2c3d", "outcome"`}, rule: "guard/lost"},
		{name: "another start", old: "cp", new: "cp", bend: [2]string{`"started_at": "2026-09-01T09:00:00Z"`, `"started_at": "2026-09-01T09:01:00Z"`}, rule: "guard/lost"},
		{name: "another end", old: "cp", new: "cp", bend: [2]string{`"completed_at": "2026-09-01T10:00:00Z"`, `"completed_at": "2026-09-01T10:01:00Z"`}, rule: "guard/lost"},
		{name: "an end that is no time gets one (PS-18)", old: "cp", new: "cp", oldBend: [2]string{`"completed_at": "2026-09-01T10:00:00Z"`, `"completed_at": "01/09/2026"`}},
		{name: "a new task is in progress by its log (PS-18)", old: "cp", new: "cip", means: update.Rewriting{Renumber: map[int]int{2: 3}, Started: []int{2}}},
		{name: "a new task is in progress", old: "cp", new: "cip", means: update.Rewriting{Renumber: map[int]int{2: 3}, Started: []int{3}}, rule: "guard/invented"},

		{name: "completed to pending", old: "cp", new: "pp", rule: "guard/lost"},
		{name: "reopened without a mark", old: "cp", new: "ip", means: update.Rewriting{Reopened: []int{1}},
			bend: [2]string{`"started_at": "2026-09-01T10:30:00Z", "gates": []`, `"started_at": "2026-09-01T09:00:00Z", "outcome": {"tried": [], "failed": [], "worked": "sorted by hour", "notes": ""}, "gates": [` + record + `]`}, rule: "guard/lost"},
		{name: "reopened with a mark", old: "cp", new: "ip", means: update.Rewriting{Reopened: []int{1}},
			bend: [2]string{`"started_at": "2026-09-01T10:30:00Z", "gates": []`, `"started_at": "2026-09-01T09:00:00Z", "outcome": {"tried": [], "failed": [], "worked": "sorted by hour", "notes": ""}, "gates": [` + strings.Replace(record, "8 passed", "[invalidated by refine] 8 passed", 1) + `]`}},
		{name: "pending to completed", old: "pp", new: "cp", rule: "guard/invented"},
		{name: "a ticked task without a record (PS-18)", old: "pp", new: "cp", bend: [2]string{record, ""}, means: update.Rewriting{Completed: []int{1}}},
		{name: "skipped in silence", old: "cpp", new: "csp", rule: "guard/skip"},
		{name: "skipped by a person", old: "cpp", new: "csp", means: update.Rewriting{Skipped: []int{2}}},
		{name: "a blocker goes", old: "bp", new: "ip", rule: "guard/blocker"},
		{name: "a blocker is resolved", old: "bp", new: "ip", means: update.Rewriting{Unblocked: true}},
		{name: "another blocker", old: "bp", new: "bp", bend: [2]string{"no tide key", "no tide table"}, rule: "guard/lost"},
	} {
		t.Run(test.name, func(t *testing.T) {
			old, new := tides(test.old), tides(test.new)
			if test.bend[0] != "" {
				new.swap(t, "state.json", test.bend[0], test.bend[1])
			}
			if test.oldBend[0] != "" {
				old.swap(t, "state.json", test.oldBend[0], test.oldBend[1])
			}
			refusal := update.Rewrite(decode(t, old), decode(t, new), test.means)
			if got := ruleOf(refusal); got != test.rule {
				t.Errorf("refused under %q, want %q: %v", got, test.rule, refusal)
			}
			if refusal != nil {
				checkWords(t, refusal)
			}
		})
	}
}

// decode decodes a state whatever is wrong with its numbers.
func decode(t *testing.T, f *fixture) *state.State {
	t.Helper()
	st, _, err := state.ReadState(f.files["state.json"].Data)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// Create starts from nothing: every task pending, no history (LF-4).
func TestRewriteCreates(t *testing.T) {
	if refusal := update.Rewrite(nil, decode(t, tides("ppp")), update.Rewriting{}); refusal != nil {
		t.Errorf("a fresh plan: %v", refusal)
	}
	for _, plan := range []string{"cpp", "ipp"} {
		if refusal := update.Rewrite(nil, decode(t, tides(plan)), update.Rewriting{}); ruleOf(refusal) != "guard/invented" {
			t.Errorf("%s: %v", plan, refusal)
		}
	}
	if refusal := update.Rewrite(nil, nil, update.Rewriting{}); ruleOf(refusal) != "guard/lost" {
		t.Errorf("nothing at all: %v", refusal)
	}
}
