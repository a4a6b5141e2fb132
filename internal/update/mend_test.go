package update_test

import (
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

const (
	admitting = `"gates": [{"command": "make chart", "passes": true, "exit_code": 0, "last_run": "2026-09-01T10:50:00Z", "evidence": "was not executed"}]`
	failing   = `"passes": false, "exit_code": 1, "last_run": "2026-09-01T09:50:00Z", "evidence": "1 failed"`
	passing   = `"passes": true, "exit_code": 0, "last_run": "2026-09-01T09:50:00Z", "evidence": "8 passed"`
)

// A record that passes against its own words, written by other hands, is mended by a new run in a change of its own task, and
// stands in the way of every other change (GU-1, AM-3).
func TestBadEvidenceIsMendedByItsOwnTask(t *testing.T) {
	bad := func() *fixture {
		return tides("iipp").swap(t, "state.json", `"gates": []`, admitting).log(t, 2, "Depends on: none")
	}
	for _, test := range []struct {
		name string
		ch   update.Change
		rule string
	}{
		{"another task", update.Change{Task: 2, Notes: "x"}, "evidence/never-ran"},
		{"its own task, without a run", update.Change{Task: 1, Notes: "x"}, "evidence/never-ran"},
		{"its own task, completed on it", complete(1), "evidence/never-ran"},
		{"its own task, run again", update.Change{Task: 1, Gates: []update.Gate{gateOf("make chart", 1, "1 failed")}}, ""},
		{"its own task, run again and completed", complete(1, pass("make chart")), ""},
	} {
		_, refusal := bad().next(t, test.ch, now)
		if got := ruleOf(refusal); got != test.rule {
			t.Errorf("%s: refused under %q, want %q: %v", test.name, got, test.rule, refusal)
		}
	}
}

// A completed task whose latest record fails is mended by reopening it; everything else is refused, a replay too (PS-13, GU-6).
func TestFailingEvidenceIsMendedByReopening(t *testing.T) {
	bad := func() *fixture {
		return tides("cp").amend(t, 1, 1, "none").swap(t, "state.json", passing, failing)
	}
	for _, ch := range []update.Change{start(2), complete(1), complete(1, pass("make chart")), {Task: 1, CheckpointStep: "done"}} {
		if _, refusal := bad().next(t, ch, now); ruleOf(refusal) != "evidence/failing" && ruleOf(refusal) != "guard/completed" {
			t.Errorf("%+v: %v", ch, refusal)
		}
	}
	f := bad()
	f.must(t, reopen(1), now)
	f.must(t, complete(1, pass("make chart")), later(1))
}

// Bare dates are compared as days, and stay what they are (C137).
func TestRunsDatedByDay(t *testing.T) {
	for _, test := range []struct{ recorded, given, rule string }{
		{"2026-09-01", "2026-09-01T00:00:00Z", ""},
		{"2026-09-01T10:00:00Z", "2026-09-01", ""},
		{"2026-09-01", "2026-08-31T23:59:59Z", "guard/gate-older"},
		{"2026-09-01T10:00:00Z", "2026-08-31", "guard/gate-older"},
	} {
		f := tides("ip").swap(t, "state.json", `"gates": []`, `"gates": [{"command": "make chart", "passes": false, "exit_code": 1, "last_run": "`+test.recorded+`", "evidence": "1 failed"}]`)
		_, refusal := f.next(t, complete(1, with(pass("make chart"), func(g *update.Gate) { g.LastRun = test.given })...), now)
		if got := ruleOf(refusal); got != test.rule {
			t.Errorf("%s after %s: refused under %q, want %q", test.given, test.recorded, got, test.rule)
		}
		if refusal == nil {
			if got := f.read(t).State.Tasks[0].Gates[0].LastRun.Text; got != test.given {
				t.Errorf("last_run %s, want %s", got, test.given)
			}
		}
	}
}

// Marks of other tools are marks too: they have no time and no amendment to compare with (PS-13).
func TestMarksOfOtherTools(t *testing.T) {
	for _, mark := range []string{"[invalidated by refine] ", "Invalidated by refine on 2026-09-01, half-hourly is needed now: ", "[invalidated by refine someday, maybe] "} {
		f := tides("ip").swap(t, "state.json", `"gates": []`, `"gates": [{"command": "make chart", `+strings.Replace(passing, "8 passed", mark+"8 passed", 1)+`}]`)
		if _, refusal := f.next(t, complete(1), now); ruleOf(refusal) != "evidence/invalidated" {
			t.Errorf("%q: completed on it: %v", mark, refusal)
		}
		old := with(gateOf("make chart", 0, "8 passed"), func(g *update.Gate) { g.LastRun = "2026-09-01T09:50:00Z" })
		if _, refusal := f.next(t, complete(1, old...), now); ruleOf(refusal) != "guard/old-evidence" {
			t.Errorf("%q: completed on the same run: %v", mark, refusal)
		}
		st := f.must(t, complete(1, pass("make chart")), now)
		if gates := st.Tasks[0].Gates; len(gates) != 2 || !evidence.Invalidated(gates[0].Evidence) {
			t.Errorf("%q: records %+v", mark, gates)
		}
	}
}

// A replay on a completed plan whose state has no checkpoint writes none (GU-4).
func TestReplayWithoutCheckpoint(t *testing.T) {
	f := tides("cc").swap(t, "state.json", `"checkpoint": {"task": 2, "step": "done", "at": "2026-09-01T10:00:00Z", "note": ""}`, `"checkpoint": null`)
	result, refusal := f.next(t, complete(1), now)
	if refusal != nil || result.Changed {
		t.Errorf("changed %t, %v", result.Changed, refusal)
	}
}

// GU-5: groups declare too: a task of the same group goes on while another is blocked, the next group waits.
func TestBlockerAndGroups(t *testing.T) {
	f := tides("bppp").swap(t, "README.md", "## Goal", "## Team Agents\n\n| Group | Tasks | Teammate | Owned files |\n|---|---|---|---|\n| A | 1, 2 | ana | a |\n| B | 3 | bo | b |\n\n## Goal")
	f.must(t, start(2), now)
	for _, task := range []int{3, 4} {
		if _, refusal := f.next(t, start(task), now); ruleOf(refusal) != "guard/blocker" {
			t.Errorf("task %d: %v", task, refusal)
		}
	}
}

// A replay of what was done before the blocker came brings nothing new and is let through (GU-4, GU-5).
func TestReplayWhileBlocked(t *testing.T) {
	result, refusal := update.Next(tides("cbp").read(t), update.Change{Task: 1, Status: state.Completed}, now)
	if refusal != nil || result.Changed {
		t.Errorf("changed %t, %v", result.Changed, refusal)
	}
}

// A refusal names the first of many (GU-7), and is an error that says so.
func TestRefusalNamesTheFirstOfMany(t *testing.T) {
	_, refusal := update.Next(tides("pppppppp").read(t), start(8), now)
	want := "task 8 waits for task 1, 2, 3, 4, 5 and 2 more; nothing was written"
	if refusal == nil || refusal.Error() != want || refusal.Requirement != "GU-7" {
		t.Errorf("got %v, want %q", refusal, want)
	}
}

// An amendment that names every task again and again, or a huge answer file, takes no more than linear time (TRAPS).
func TestLargeTexts(t *testing.T) {
	f := tides("cp").amend(t, 1, 1, strings.Repeat("tasks 1-2 reopened; ", 1<<16))
	f.must(t, reopen(1), now)
	g := tides("bp")
	ch := update.Change{Task: 1, Status: state.InProgress, ResolveBlocker: true, InTurn: true,
		Questions: []byte("# Q Task 1\nAnswer: " + strings.Repeat("2026-99-99 ", 1<<17))}
	if _, refusal := g.next(t, ch, now); ruleOf(refusal) != "guard/person" {
		t.Errorf("got %v", refusal)
	}
}
