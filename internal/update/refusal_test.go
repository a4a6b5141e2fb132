package update_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// pass is a gate that passed just now.
func pass(command string) update.Gate {
	zero := 0
	return update.Gate{Command: command, Passes: true, ExitCode: &zero, Evidence: "9 passed"}
}

// with lets a gate be bent in a table.
func with(g update.Gate, bend func(*update.Gate)) []update.Gate {
	bend(&g)
	return []update.Gate{g}
}

func complete(task int, gates ...update.Gate) update.Change {
	return update.Change{Task: task, Status: state.Completed, Gates: gates}
}

func start(task int) update.Change { return update.Change{Task: task, Status: state.InProgress} }

// refusals is the table of everything that an update refuses: the plan, the change, the rule. Exit code 2 where usage is set.
var refusals = []struct {
	name  string
	plan  string // statuses, see tides
	bend  func(t *testing.T, f *fixture)
	ch    update.Change
	rule  string
	usage bool
}{
	// What is no request (GU-1, GU-2).
	{name: "no task", plan: "pp", ch: update.Change{Status: state.InProgress}, rule: "guard/task", usage: true},
	{name: "unknown status", plan: "pp", ch: update.Change{Task: 1, Status: "done"}, rule: "guard/status", usage: true},
	{name: "unknown task", plan: "pp", ch: start(3), rule: "guard/unknown-task"},

	// The file (GU-1, GU-9, PS-23, C33, C47).
	{name: "no state", plan: "pp", bend: func(_ *testing.T, f *fixture) { delete(f.files, "state.json") }, ch: start(1), rule: "guard/no-state"},
	{name: "no README", plan: "pp", bend: func(_ *testing.T, f *fixture) { delete(f.files, "README.md") }, ch: start(1), rule: "guard/unreadable"},
	{name: "merge in README", plan: "pp", bend: swapped("README.md", "A coast.", "<<<<<<< ours\nA coast.\n=======\nB\n>>>>>>> theirs"), ch: start(1), rule: "guard/unreadable"},
	{name: "torn state", plan: "pp", bend: swapped("state.json", `"blocked": null}`, ""), ch: start(1), rule: "json/syntax"},
	{name: "duplicate key", plan: "pp", bend: swapped("state.json", `"plan":`, `"plan": "PLAN_x_y", "plan":`), ch: start(1), rule: "json/duplicate-key"},
	{name: "moved on", plan: "pp", ch: update.Change{Task: 1, Status: state.InProgress, ExpectedSHA256: strings.Repeat("0", 64)}, rule: "guard/moved-on"},
	{name: "count wrong (C33)", plan: "cp", bend: swapped("state.json", `"completed_count": 1`, `"completed_count": 2`), ch: start(2), rule: "state/completed-count"},
	{name: "status wrong (PS-17)", plan: "cp", bend: swapped("state.json", `"status": "in_progress", "completed_count"`, `"status": "pending", "completed_count"`), ch: start(2), rule: "state/status"},
	{name: "other task malformed", plan: "cpp", bend: swapped("state.json", `"passes": true`, `"passes": null`), ch: start(2), rule: "gate/shape"},
	{name: "other plan's state (C89)", plan: "pp", bend: swapped("state.json", "PLAN_tide_charts", "PLAN_tide_tables"), ch: start(1), rule: "state/plan-name"},
	{name: "other task rests on exit 143 (C91)", plan: "cp", bend: swapped("state.json", `"exit_code": 0`, `"exit_code": 143`), ch: start(2), rule: "gate/pass-with-failure"},
	{name: "other task rests on invalidated evidence", plan: "cpp", bend: swapped("state.json", "8 passed", "[invalidated by refine] 8 passed"), ch: start(2), rule: "evidence/invalidated"},

	// The plan (GU-8, PS-22, C103).
	{name: "newer standard", plan: "pp", bend: swapped("README.md", "spec 5.0.0", "spec 6.0.0"), ch: start(1), rule: "standard/newer"},
	{name: "a standard that is none (PS-22)", plan: "pp", bend: func(t *testing.T, f *fixture) {
		f.swap(t, "README.md", "**Standard:** DWP spec 5.0.0\n", "").swap(t, "manifest.json", `"spec_version": "5.0.0"`, `"spec_version": "5.x"`)
	}, ch: start(1), rule: "standard/unknown"},
	{name: "unknown schema", plan: "pp", bend: swapped("state.json", "plan-state/v5", "plan-state/v7"), ch: start(1), rule: "schema/unknown"},
	{name: "promotion", plan: "pp", bend: swapped("state.json", `"ready", "approval": "approved", "promotion": null`, `"promoting", "approval": "approved", "promotion": {"from": "lite", "to": "full", "phase": "intent"}`), ch: start(1), rule: "promotion/unfinished"},
	{name: "partial", plan: "pp", bend: swapped("state.json", `"materialization": "ready"`, `"materialization": "materializing"`), ch: start(1), rule: "materialization/partial"},
	{name: "publication", plan: "pp", bend: added(".finalizing.json", "{}"), ch: start(1), rule: "publication/unfinished"},
	{name: "operation", plan: "pp", bend: added(".dwp-op/op.json", "{}"), ch: start(1), rule: "operation/unfinished"},
	{name: "state not approved (C103)", plan: "pp", bend: swapped("state.json", `"approval": "approved"`, `"approval": "pending"`), ch: start(1), rule: "guard/not-approved"},
	{name: "README not approved (C103)", plan: "pp", bend: swapped("README.md", "**Approval:** approved", "**Approval:** pending"), ch: start(1), rule: "guard/not-approved"},
	{name: "approved nowhere (C103)", plan: "pp", bend: func(t *testing.T, f *fixture) {
		f.swap(t, "state.json", `"approval": "approved", `, "").swap(t, "README.md", "**Approval:** approved\n", "")
	}, ch: complete(1, pass("make chart")), rule: "guard/not-approved"},

	// Order (GU-7).
	{name: "start too early", plan: "ppp", ch: start(2), rule: "order/too-early"},
	{name: "complete too early", plan: "ppp", ch: complete(2, pass("make chart")), rule: "order/too-early"},
	{name: "review before the rest", plan: "cpp", ch: start(3), rule: "order/too-early"},

	// Gates (PS-12, C77, C79, C81, C91).
	{name: "no gate (C79)", plan: "pp", ch: complete(1), rule: "evidence/none"},
	{name: "empty evidence (C79)", plan: "pp", ch: complete(1, with(pass("make chart"), func(g *update.Gate) { g.Evidence = "  " })...), rule: "evidence/empty"},
	{name: "dots as evidence (PD-5)", plan: "pp", ch: complete(1, with(pass("make chart"), func(g *update.Gate) { g.Evidence = "..." })...), rule: "evidence/empty"},
	{name: "a placeholder as evidence (PD-5)", plan: "pp", ch: complete(1, with(pass("make chart"), func(g *update.Gate) { g.Evidence = "N/A" })...), rule: "evidence/empty"},
	{name: "empty command", plan: "pp", ch: complete(1, pass(" ")), rule: "evidence/empty"},
	{name: "exit 143 (C91)", plan: "pp", ch: complete(1, with(pass("make chart"), func(g *update.Gate) { n := 143; g.ExitCode = &n })...), rule: "gate/pass-with-failure"},
	{name: "pass without exit code", plan: "pp", ch: complete(1, with(pass("make chart"), func(g *update.Gate) { g.ExitCode = nil })...), rule: "gate/pass-with-failure"},
	{name: "fail with exit 0", plan: "pp", ch: update.Change{Task: 1, Gates: with(pass("make chart"), func(g *update.Gate) { g.Passes = false })}, rule: "gate/fail-with-success"},
	{name: "failing gate", plan: "pp", ch: complete(1, gateOf("make chart", 2, "1 failed")), rule: "evidence/failing"},
	{name: "other command fails (GU-4)", plan: "ip", bend: swapped("state.json", `"gates": []`, `"gates": [{"command": "make lint", "passes": false, "exit_code": 1, "evidence": "1 issue"}]`), ch: complete(1, pass("make chart")), rule: "evidence/failing"},
	{name: "never ran (AM-3)", plan: "pp", ch: complete(1, gateOf("make chart", 0, "the loop was never entered")), rule: "evidence/never-ran"},
	{name: "zero tests (PS-13)", plan: "pp", ch: complete(1, gateOf("make chart", 0, "collected 0 items")), rule: "evidence/zero-tests"},
	{name: "filtered exit (C77)", plan: "pp", ch: complete(1, gateOf("tsc 2>&1 | tail -5; echo EXIT=$?", 0, "tsc: not found")), rule: "evidence/filtered-exit"},
	{name: "441 characters", plan: "pp", ch: complete(1, gateOf("make chart", 0, strings.Repeat("x", 441))), rule: "gate/length"},
	{name: "long command", plan: "pp", ch: complete(1, pass(strings.Repeat("x", 501))), rule: "gate/length"},
	{name: "two lines of evidence", plan: "pp", ch: complete(1, gateOf("make chart", 0, "8 passed\u20288 passed")), rule: "gate/one-line"},
	{name: "log missing (C81)", plan: "pp", ch: complete(1, gateOf("make chart", 0, "8 passed, log=analysis_results/x.log")), rule: "gate/pointer-missing"},
	{name: "log outside (C81)", plan: "pp", ch: complete(1, gateOf("make chart", 0, "8 passed, log=../outside.log")), rule: "gate/pointer-outside"},
	{name: "marked evidence", plan: "pp", ch: complete(1, gateOf("make chart", 0, "[invalidated by refine] 8 passed")), rule: "guard/gate-mark"},
	{name: "run in 2999 (PS-11)", plan: "pp", ch: complete(1, with(pass("make chart"), func(g *update.Gate) { g.LastRun = "2999-01-01T00:00:00Z" })...), rule: "time/future"},
	{name: "run in month 13", plan: "pp", ch: complete(1, with(pass("make chart"), func(g *update.Gate) { g.LastRun = "2026-13-01T00:00:00Z" })...), rule: "state/timestamp"},
	{name: "older run", plan: "ip", bend: swapped("state.json", `"gates": []`, `"gates": [{"command": "make chart", "passes": false, "exit_code": 1, "last_run": "2026-09-01T11:00:00Z", "evidence": "1 failed"}]`),
		ch: complete(1, with(pass("make chart"), func(g *update.Gate) { g.LastRun = "2026-09-01T10:00:00Z" })...), rule: "guard/gate-older"},

	// Texts (PS-7, PS-11, PS-14 to PS-16, C161).
	{name: "commit with a newline", plan: "pp", ch: update.Change{Task: 1, Commit: "a1b2c3d\n"}, rule: "commit/shape"},
	{name: "commit main", plan: "pp", ch: update.Change{Task: 1, Commit: "main"}, rule: "commit/shape"},
	{name: "commit of 41", plan: "pp", ch: update.Change{Task: 1, Commit: strings.Repeat("a", 41)}, rule: "commit/shape"},
	{name: "worked too long", plan: "pp", ch: update.Change{Task: 1, Worked: strings.Repeat("é", 501)}, rule: "outcome/shape"},
	{name: "notes too long", plan: "pp", ch: update.Change{Task: 1, Notes: strings.Repeat("é", 1001)}, rule: "outcome/shape"},
	{name: "tried on two lines", plan: "pp", ch: update.Change{Task: 1, Tried: []string{"a\nb"}}, rule: "outcome/shape"},
	{name: "failed too long", plan: "pp", ch: update.Change{Task: 1, Failed: []string{strings.Repeat("x", 301)}}, rule: "outcome/shape"},
	{name: "step too long", plan: "pp", ch: update.Change{Task: 1, CheckpointStep: strings.Repeat("x", 201)}, rule: "checkpoint/shape"},
	{name: "note of two lines (PS-15)", plan: "pp", ch: update.Change{Task: 1, CheckpointStep: "x", CheckpointNote: "half\nway"}, rule: "checkpoint/shape"},
	{name: "reopen reason of two lines (PS-15)", plan: "cp", ch: update.Change{Task: 1, Status: state.InProgress, ReopenReason: "a\nb"}, rule: "checkpoint/shape"},
	{name: "note too long", plan: "pp", ch: update.Change{Task: 1, CheckpointStep: "x", CheckpointNote: strings.Repeat("x", 501)}, rule: "checkpoint/shape"},
	{name: "reason too long", plan: "pp", ch: update.Change{Task: 1, BlockReason: strings.Repeat("x", 1001)}, rule: "blocked/shape"},
	{name: "needs too long", plan: "pp", ch: update.Change{Task: 1, BlockReason: "[S2] x", BlockNeeds: strings.Repeat("x", 501)}, rule: "blocked/shape"},
	{name: "not UTF-8", plan: "pp", ch: update.Change{Task: 1, Notes: "a\xff"}, rule: "guard/text"},
	{name: "bearer token (C161)", plan: "pp", ch: complete(1, gateOf("make chart", 0, "Authorization: Bearer "+strings.Repeat("aB3dE6gH", 3))), rule: "secret/json"},
	{name: "key header (C161)", plan: "pp", ch: update.Change{Task: 1, Notes: "-----BEGIN RSA " + "PRIVATE KEY----- MII"}, rule: "secret/json"},
	{name: "e-mail as agent", plan: "pp", ch: update.Change{Task: 1, Agent: "ana@example.com"}, rule: "secret/personal"},

	// Skipping and ending (PS-10, VP-1).
	{name: "skip", plan: "pp", ch: update.Change{Task: 1, Status: state.Skipped}, rule: "guard/skip"},
	{name: "skip the review", plan: "cp", ch: update.Change{Task: 2, Status: state.Skipped}, rule: "guard/skip"},
	{name: "work on a skipped one", plan: "sp", ch: start(1), rule: "guard/skip"},
	{name: "skipping completes nothing (C105)", plan: "csi", ch: complete(3, pass("make chart")), rule: "guard/skipped-left"},
	{name: "end without a start", plan: "cp", ch: complete(2, pass("make chart")), rule: "guard/not-started"},

	// Completed tasks (GU-6).
	{name: "move a completed task", plan: "cp", ch: start(1), rule: "guard/completed"},
	{name: "block a completed task", plan: "cp", ch: update.Change{Task: 1, BlockReason: "[S2] x"}, rule: "guard/completed"},
	{name: "note on a completed task", plan: "cp", ch: update.Change{Task: 1, Notes: "more"}, rule: "guard/completed"},
	{name: "other evidence on a completed task", plan: "cp", ch: complete(1, gateOf("make chart", 0, "10 passed")), rule: "guard/completed"},
	{name: "another command on a completed task", plan: "cp", ch: complete(1, pass("make lint")), rule: "guard/completed"},
	{name: "late evidence that fails", plan: "cp", bend: noGates, ch: complete(1, gateOf("make chart", 1, "1 failed")), rule: "evidence/failing"},
	{name: "reopen without amendment", plan: "cp", ch: reopen(1), rule: "guard/amendment"},
	{name: "amendment without authority (AM-1)", plan: "cp", bend: amended("- Authority: user\n", ""), ch: reopen(1), rule: "amendment/fields"},
	{name: "amendment on an agent's authority (AM-1)", plan: "cp", bend: amended("Authority: user", "Authority: agent"), ch: reopen(1), rule: "amendment/authority"},
	{name: "amendment without a day (AM-1)", plan: "cp", bend: amended(" — 2026-09-01", ""), ch: reopen(1), rule: "amendment/date"},
	{name: "amendment of tomorrow's tomorrow (AM-1)", plan: "cp", bend: amended("2026-09-01", "2026-09-03"), ch: reopen(1), rule: "amendment/date"},
	{name: "deferred on evidence (AM-2)", plan: "cp", bend: amended("Disposition: revised", "Disposition: deferred to task 2", "Authority: user", "Authority: evidence"), ch: reopen(1), rule: "amendment/deferral"},
	{name: "reopen without words", plan: "cp", ch: update.Change{Task: 1, Status: state.InProgress, ReopenReason: " "}, rule: "guard/options"},
	{name: "reopen to completed", plan: "cp", ch: update.Change{Task: 1, Status: state.Completed, ReopenReason: "x"}, rule: "guard/options"},
	{name: "reopen an open one", plan: "pp", ch: reopen(1), rule: "guard/not-completed"},
	{name: "reopen without a word about task 2 (TRAPS)", plan: "ccp", bend: func(t *testing.T, f *fixture) { f.amend(t, 1, 1, "none") }, ch: reopen(1), rule: "guard/dependants"},
	{name: "preserved without why", plan: "ccp", bend: func(t *testing.T, f *fixture) { f.amend(t, 1, 1, "Task 2 preserved") }, ch: reopen(1), rule: "guard/dependants"},

	// Blockers (GU-5, PS-16).
	{name: "block without reason", plan: "pp", ch: update.Change{Task: 1, Status: state.Blocked}, rule: "guard/block-reason"},
	{name: "block without words", plan: "pp", ch: update.Change{Task: 1, Status: state.Blocked, BlockReason: " "}, rule: "guard/block-reason"},
	{name: "needs without reason", plan: "pp", ch: update.Change{Task: 1, BlockNeeds: "a key"}, rule: "guard/block-reason"},
	{name: "block and start", plan: "pp", ch: update.Change{Task: 1, Status: state.InProgress, BlockReason: "[S2] x"}, rule: "guard/options"},
	{name: "block and resolve", plan: "bp", ch: update.Change{Task: 1, BlockReason: "[S2] x", ResolveBlocker: true}, rule: "guard/options"},
	{name: "second blocker", plan: "cbp", ch: update.Change{Task: 3, BlockReason: "[S2] x"}, rule: "guard/other-blocker"},
	{name: "resolve another's", plan: "cbp", ch: update.Change{Task: 3, Status: state.InProgress, ResolveBlocker: true}, rule: "guard/other-blocker"},
	{name: "resolve nothing", plan: "pp", ch: update.Change{Task: 1, Status: state.InProgress, ResolveBlocker: true}, rule: "guard/no-blocker"},
	{name: "resolve and stay", plan: "bp", ch: update.Change{Task: 1, ResolveBlocker: true}, rule: "guard/resolve-status"},
	{name: "move without resolving", plan: "bp", ch: start(1), rule: "guard/blocker"},
	{name: "move another while blocked", plan: "bp", ch: start(2), rule: "guard/blocker"},
	{name: "record for another while blocked", plan: "bp", ch: update.Change{Task: 2, Gates: []update.Gate{pass("make chart")}}, rule: "guard/blocker"},
	{name: "resolve in a turn (UN-6)", plan: "bp", ch: update.Change{Task: 1, Status: state.InProgress, ResolveBlocker: true, InTurn: true}, rule: "guard/person"},
}

func swapped(file, old, text string) func(*testing.T, *fixture) {
	return func(t *testing.T, f *fixture) { f.swap(t, file, old, text) }
}

func added(file, text string) func(*testing.T, *fixture) {
	return func(_ *testing.T, f *fixture) { f.add(file, text) }
}

// noGates takes the record of the first completed task away.
func noGates(t *testing.T, f *fixture) {
	f.swap(t, "state.json", `[{"command": "make chart", "passes": true, "exit_code": 0, "last_run": "2026-09-01T09:50:00Z", "evidence": "8 passed"}]`, "[]")
}

func gateOf(command string, exit int, evidence string) update.Gate {
	return update.Gate{Command: command, Passes: exit == 0, ExitCode: &exit, Evidence: evidence}
}

// amended puts an amendment into the log of task 1, with words of it replaced, pair by pair.
func amended(pairs ...string) func(*testing.T, *fixture) {
	return func(t *testing.T, f *fixture) {
		f.log(t, 1, strings.NewReplacer(pairs...).Replace(amendmentText(1, "none")))
	}
}

func reopen(task int) update.Change {
	return update.Change{Task: task, Status: state.InProgress, ReopenReason: "tides turn fast"}
}

// TestRefusals: each rule of GU and what it rests on, the input, the rule, no byte changed.
func TestRefusals(t *testing.T) {
	for _, test := range refusals {
		t.Run(test.name, func(t *testing.T) {
			f := tides(test.plan)
			if test.bend != nil {
				test.bend(t, f)
			}
			s := f.read(t)
			var before []byte
			if file := s.Files["state.json"]; file != nil {
				before = bytes.Clone(file.Data)
			}
			result, refusal := update.Next(s, test.ch, now)
			switch {
			case refusal == nil:
				t.Fatalf("accepted: %s", result.State)
			case refusal.Rule != test.rule || refusal.Usage != test.usage:
				t.Errorf("refused under %s (usage %t), want %s (usage %t): %v", refusal.Rule, refusal.Usage, test.rule, test.usage, refusal)
			case result.State != nil || result.Changed || result.Terminal:
				t.Errorf("a refusal comes with a result: %+v", result)
			case before != nil && !bytes.Equal(before, s.Files["state.json"].Data):
				t.Error("the snapshot was changed")
			}
			checkWords(t, refusal)
		})
	}
}

// TestNonsenseState: whatever lies under the name state.json gets an answer, and nothing is made of it (GU-1, PS-23, TRAPS).
func TestNonsenseState(t *testing.T) {
	whole := string(tides("cp").files["state.json"].Data)
	put := func(old, text string) string { return strings.Replace(whole, old, text, 1) }
	for name, test := range map[string]struct{ src, rule string }{
		"empty":            {"", "json/syntax"},
		"a list":           {"[]", "state/type"},
		"null":             {"null", "state/type"},
		"a stray byte":     {put("Chart bay", "Chart \xff bay"), "json/syntax"},
		"a raw byte":       {put("Chart bay", "Chart \u00e9\xff bay"), "json/syntax"},
		"deep":             {strings.Repeat("[", 200000), "json/limits"},
		"a long integer":   {put(`"completed_count": 1`, `"completed_count": `+strings.Repeat("9", 5000)), "state/value"},
		"a lone surrogate": {put("Chart bay", `Chart \ud800 bay`), "json/syntax"},
		"NaN":              {put(`"plan":`, `"x": NaN, "plan":`), "json/syntax"},
		"a duplicate key":  {put(`"passes": true`, `"passes": true, "passes": true`), "json/duplicate-key"},
		"trailing data":    {whole + "{}", "json/syntax"},
		"a merge (C47)":    {"<<<<<<< ours\n" + whole, "json/conflict-markers"},
		"tasks a string":   {put(`"tasks": [`, `"tasks": "x", "y": [`), "state/type"},
		"no tasks":         {put(`"tasks": [`, `"x-tasks": [`), "state/missing-field"},
		"a task a number":  {put(`"tasks": [`, `"tasks": [7, `), "state/type"},
		"no schema":        {put(`"schema"`, `"x-schema"`), "schema/missing"},
	} {
		f := tides("cp").add("state.json", test.src)
		_, refusal := update.Next(f.read(t), start(2), now)
		if got := ruleOf(refusal); got != test.rule {
			t.Errorf("%s: refused under %q, want %q: %v", name, got, test.rule, refusal)
			continue
		}
		checkWords(t, refusal)
	}
	// C45: a byte-order mark is no defect.
	f := tides("cp").add("state.json", "\ufeff"+whole)
	if _, refusal := update.Next(f.read(t), start(2), now); refusal != nil {
		t.Errorf("a byte-order mark: %v", refusal)
	}
}

// checkWords: a refusal names a rule that can be explained and what to do, says that nothing was written, and shows no secret.
func checkWords(t *testing.T, r *update.Refusal) {
	t.Helper()
	_, known := rule.Lookup(r.Rule)
	for _, g := range update.Guards() {
		known = known || g.ID == r.Rule
	}
	if !known || r.Requirement == "" || r.Hint == "" {
		t.Errorf("refusal without rule, requirement or hint: %+v", r)
	}
	// dwp start, reopen, unblock refuse by the same rules and have none of these flags.
	for _, flag := range []string{"--status", "--reopen-reason", "--block-reason", "--resolve-blocker"} {
		if strings.Contains(r.Hint, flag) && !strings.Contains(r.Hint, "dwp state update") {
			t.Errorf("the hint %q names the flag of another command", r.Hint)
		}
	}
	if !strings.HasSuffix(r.Message, "; nothing was written") {
		t.Errorf("the message %q does not say that nothing was written", r.Message)
	}
	if strings.Contains(fmt.Sprint(*r), "aB3dE6gH") {
		t.Errorf("the refusal shows the secret: %+v", r)
	}
}

// TestEveryGuardRefuses: the table has a case for each rule of Guards, but for those that other tables prove.
func TestEveryGuardRefuses(t *testing.T) {
	elsewhere := map[string]string{"guard/gate-form": "TestParseGate", "guard/moving": "TestMovingFolder", "guard/old-evidence": "TestOldEvidenceAfterReopening",
		"guard/lost": "TestRewrite", "guard/invented": "TestRewrite", "guard/candidate": "TestFollows"}
	for _, test := range refusals {
		elsewhere[test.rule] = test.name
	}
	for _, g := range update.Guards() {
		if elsewhere[g.ID] == "" {
			t.Errorf("no case is refused under %s", g.ID)
		}
		if g.Title == "" || g.Hint == "" || g.Requirement == "" {
			t.Errorf("incomplete: %+v", g)
		}
	}
}

// TestMovingFolder: what was read while the folder changed is not worked on (C55, GU-9).
func TestMovingFolder(t *testing.T) {
	s := *tides("pp").read(t)
	s.Moved = true
	if _, refusal := update.Next(&s, start(1), now); refusal == nil || refusal.Rule != "guard/moving" {
		t.Errorf("got %v", refusal)
	}
}

// A clock before the start of the task by more than a little is refused as a time in the future of the state (PS-11).
func TestClockFarBehind(t *testing.T) {
	_, refusal := update.Next(tides("ip").read(t), complete(1, pass("make chart")), now.Add(-24*time.Hour))
	if refusal == nil || refusal.Rule != "time/future" {
		t.Errorf("got %v", refusal)
	}
}
