package update_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// later is a time after now, by minutes.
func later(minutes int) time.Time { return now.Add(time.Duration(minutes) * time.Minute) }

// The life of a plan, change by change (GU-1 to GU-4, PS-4, PS-15, PS-17).
func TestPlanLife(t *testing.T) {
	f := tides("ppp")
	st := f.must(t, start(1), now)
	if st.Status != state.InProgress || st.Tasks[0].StartedAt.Text != "2026-09-01T12:00:00Z" {
		t.Errorf("after the start: status %s, started %+v", st.Status, st.Tasks[0].StartedAt)
	}
	if cp := st.Checkpoint; cp == nil || cp.Task != 1 || cp.Step != "start" || strings.Contains(cp.Note, "closed") {
		t.Errorf("checkpoint after the start: %+v", cp)
	}
	st = f.must(t, complete(1, pass("make chart")), later(10))
	if st.CompletedCount != 1 || st.Tasks[0].CompletedAt.Text != "2026-09-01T12:10:00Z" || st.Tasks[0].StartedAt.Text != "2026-09-01T12:00:00Z" {
		t.Errorf("after the end: count %d, times %+v %+v", st.CompletedCount, st.Tasks[0].StartedAt, st.Tasks[0].CompletedAt)
	}
	if cp := st.Checkpoint; cp.Task != 2 || cp.Step != "start" || cp.At.Text != "2026-09-01T12:10:00Z" {
		t.Errorf("checkpoint after the end: %+v", cp)
	}
	f.must(t, complete(2, pass("make chart")), later(20)) // without a start: started_at is not made up
	if st = f.read(t).State; st.Tasks[1].StartedAt != nil {
		t.Errorf("started_at was made up: %+v", st.Tasks[1].StartedAt)
	}
	f.must(t, start(3), later(30))
	result, refusal := f.next(t, complete(3, pass("make chart")), later(40))
	if refusal != nil || !result.Terminal {
		t.Fatalf("the end of the plan: terminal %t, %v", result.Terminal, refusal)
	}
	st = f.read(t).State
	if cp := st.Checkpoint; st.Status != state.Completed || cp.Task != 3 || cp.Step != "done" {
		t.Errorf("status %s, checkpoint %+v", st.Status, cp)
	}
}

// TRAPS: a call without a checkpoint keeps a finer one; it only moves forward or by request (PS-15).
func TestCheckpointKeepsTheFinerPoint(t *testing.T) {
	point := func(task int, step string) update.Change {
		return update.Change{Task: task, CheckpointStep: step, CheckpointNote: "half done"}
	}
	groups := func(f *fixture) *fixture {
		return f.swap(t, "README.md", "## Goal", "## Team Agents\n\n| Group | Tasks | Teammate | Owned files |\n|---|---|---|---|\n| A | 1 | ana | a |\n| A | 2 | bo | b |\n\n## Goal")
	}
	for _, test := range []struct {
		name    string
		f       *fixture
		changes []update.Change
		want    string
	}{
		{"a gate recorded", tides("ip"), []update.Change{point(1, "instructions:2"), {Task: 1, Gates: []update.Gate{gateOf("make chart", 1, "1 failed")}}}, "1 instructions:2 half done"},
		{"started again", tides("ip"), []update.Change{point(1, "instructions:2"), start(1)}, "1 instructions:2 half done"},
		{"another of the group started", groups(tides("ipp")), []update.Change{point(1, "instructions:2"), start(2)}, "1 instructions:2 half done"},
		{"another of the group completed", groups(tides("iip")), []update.Change{point(1, "instructions:2"), complete(2, pass("make chart"))}, "1 instructions:2 half done"},
		{"its own task completed", tides("ipp"), []update.Change{point(1, "instructions:2"), complete(1, pass("make chart"))}, "2 start next: task 2"},
		{"back by request", tides("ipp"), []update.Change{point(1, "instructions:4"), point(1, "instructions:2")}, "1 instructions:2 half done"},
		{"a note alone", tides("ip"), []update.Change{point(1, "instructions:2"), {Task: 1, CheckpointNote: "nearly"}}, "1 instructions:2 nearly"},
		{"a note without a point", tides("ip"), []update.Change{{Task: 1, CheckpointNote: "nearly"}}, "1 start nearly"},
		{"the end, with another step", tides("ci"), []update.Change{{Task: 2, Status: state.Completed, Gates: []update.Gate{pass("make chart")}, CheckpointStep: "review"}}, "2 done "},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i, ch := range test.changes {
				test.f.must(t, ch, later(i))
			}
			cp := test.f.read(t).State.Checkpoint
			if got := fmt.Sprintf("%d %s %s", cp.Task, cp.Step, cp.Note); got != test.want {
				t.Errorf("checkpoint %q, want %q", got, test.want)
			}
		})
	}
}

// GU-4: a retry replaces its own command's record, however it is spaced; others keep theirs (TRAPS "A " and "A").
func TestRetryReplacesItsOwnRecord(t *testing.T) {
	f := tides("ip")
	f.must(t, update.Change{Task: 1, Gates: []update.Gate{gateOf("make lint", 1, "1 issue"), gateOf("make chart ", 1, "1 failed")}}, now)
	st := f.must(t, update.Change{Task: 1, Gates: []update.Gate{gateOf("make chart", 0, "9 passed")}}, later(1))
	gates := st.Tasks[0].Gates
	if len(gates) != 2 || gates[0].Command != "make lint" || gates[0].Passes || !gates[1].Passes || gates[1].LastRun.Text != "2026-09-01T12:01:00Z" {
		t.Errorf("records: %+v", gates)
	}
	// C93: a failed-then-passed gate is history, not a fault; the other one still stands in the way.
	if _, refusal := f.next(t, complete(1), later(2)); refusal == nil || refusal.Rule != "evidence/failing" {
		t.Errorf("completed over a failing lint: %v", refusal)
	}
	f.must(t, complete(1, gateOf("make lint", 0, "0 issues found in 12 files")), later(3))
}

// GU-4: a replay that brings nothing new writes nothing; the same gate run again moves its last_run, and no time of the task (TRAPS).
func TestReplayAndRerun(t *testing.T) {
	f := tides("ipp")
	ch := complete(1, pass("make chart"))
	ch.Worked, ch.Tried, ch.Commit, ch.Agent = "sorted by hour", []string{"by day"}, "a1b2c3d", "bo"
	f.must(t, ch, now)
	before := f.files["state.json"].Data
	result, refusal := f.next(t, ch, now)
	if refusal != nil || result.Changed || !bytes.Equal(result.State, before) {
		t.Errorf("replay: changed %t, %v", result.Changed, refusal)
	}
	st := f.must(t, ch, later(3))
	if got := st.Tasks[0].Gates[0].LastRun.Text; got != "2026-09-01T12:03:00Z" {
		t.Errorf("last_run %s", got)
	}
	if got := st.Tasks[0].CompletedAt.Text; got != "2026-09-01T12:00:00Z" {
		t.Errorf("completed_at moved to %s", got)
	}
	if len(st.Tasks[0].Outcome.Tried) != 1 {
		t.Errorf("tried twice: %q", st.Tasks[0].Outcome.Tried)
	}
}

// GU-6, C119, TRAPS: reopening keeps the old evidence, marked; the old completion time goes; only new evidence closes the task.
func TestReopen(t *testing.T) {
	f := tides("ccp").amend(t, 1, 1, "Task 2 is preserved, because it reads only the header")
	st := f.must(t, reopen(1), now)
	task := st.Tasks[0]
	if task.Status != state.InProgress || task.CompletedAt != nil || task.StartedAt.Text != "2026-09-01T09:00:00Z" || st.CompletedCount != 1 {
		t.Errorf("reopened: %+v", task)
	}
	if e := task.Gates[0].Evidence; !evidence.Invalidated(e) || !strings.HasSuffix(e, "8 passed") {
		t.Errorf("old evidence: %q", e)
	}
	if cp := st.Checkpoint; cp.Task != 1 || cp.Step != "reopened" || cp.Note != "tides turn fast" {
		t.Errorf("checkpoint: %+v", cp)
	}
	if _, refusal := f.next(t, complete(1), later(1)); refusal == nil || refusal.Rule != "evidence/invalidated" {
		t.Errorf("closed on old evidence: %v", refusal)
	}
	// C117: run again after it was done: one effect.
	if result, refusal := f.next(t, reopen(1), later(1)); refusal != nil || result.Changed {
		t.Errorf("reopened twice: changed %t, %v", result.Changed, refusal)
	}
	// GU-4: one call doesn't close what it speaks of opening; the same call again would be refused.
	both := complete(1, pass("make chart"))
	both.ReopenReason = "tides turn fast"
	if _, refusal := f.next(t, both, later(1)); ruleOf(refusal) != "guard/options" {
		t.Errorf("opened and closed in one call: %v", refusal)
	}
	st = f.must(t, complete(1, pass("make chart")), later(2))
	if task := st.Tasks[0]; len(task.Gates) != 2 || !evidence.Invalidated(task.Gates[0].Evidence) || task.CompletedAt.Text != "2026-09-01T12:02:00Z" {
		t.Errorf("closed: %+v", task)
	}
	// The amendment is used up: the next reopening needs its own.
	if _, refusal := f.next(t, reopen(1), later(3)); refusal == nil || refusal.Rule != "guard/amendment" {
		t.Errorf("reopened by a used amendment: %v", refusal)
	}
	f.amend(t, 1, 2, "2 reopened")
	f.must(t, reopen(1), later(4))
}

// C57: a writer that comes late with the old gate does not close what another process reopened.
func TestOldEvidenceAfterReopening(t *testing.T) {
	old := with(gateOf("make chart", 0, "8 passed"), func(g *update.Gate) { g.LastRun = "2026-09-01T09:50:00Z" })
	for name, ch := range map[string]update.Change{
		"the same record":    complete(1, old...),
		"an older run":       complete(1, with(old[0], func(g *update.Gate) { g.Evidence = "7 passed" })...),
		"of another command": complete(1, with(old[0], func(g *update.Gate) { g.Command = "make lint" })...),
	} {
		f := tides("cp").amend(t, 1, 1, "none")
		f.must(t, reopen(1), now)
		if _, refusal := f.next(t, ch, later(1)); refusal == nil || refusal.Rule != "guard/old-evidence" {
			t.Errorf("%s: %v", name, refusal)
		}
	}
}

// GU-6: the change that reopens a task can't bring its old evidence along; a run of now it can.
func TestReopenWithEvidence(t *testing.T) {
	ch := reopen(1)
	ch.Gates = with(gateOf("make lint", 0, "8 passed"), func(g *update.Gate) { g.LastRun = "2026-09-01T11:00:00Z" })
	if _, refusal := tides("cp").amend(t, 1, 1, "none").next(t, ch, now); ruleOf(refusal) != "guard/old-evidence" {
		t.Errorf("an old run: %v", refusal)
	}
	ch.Gates = []update.Gate{gateOf("make chart", 1, "2 failed")}
	st := tides("cp").amend(t, 1, 1, "none").must(t, ch, now)
	if gates := st.Tasks[0].Gates; len(gates) != 2 || gates[1].Passes {
		t.Errorf("records %+v", gates)
	}
}

// C139: a gate that ran now replaces one that another machine dated a little ahead.
func TestRunOfNowBesideAFasterClock(t *testing.T) {
	f := tides("ip").swap(t, "state.json", `"gates": []`, `"gates": [{"command": "make chart", "passes": false, "exit_code": 1, "last_run": "2026-09-01T12:03:00Z", "evidence": "1 failed"}]`)
	f.must(t, complete(1, pass("make chart")), now)
}

// PS-13: an amendment that names the command which replaces a failing one closes the gap; one that names only the old doesn't.
func TestReplacedCommand(t *testing.T) {
	for _, test := range []struct{ text, rule string }{
		{"- Disposition: revised\n- Reason: `make probe` is replaced by `make chart`\n- Authority: user", ""},
		{"- Disposition: revised\n- Reason: `make probe` needs a device\n- Authority: user", "evidence/failing"},
	} {
		f := tides("ip").log(t, 1, "\n#### Amendment 1 — 2026-09-01\n\n"+test.text+"\n")
		f.must(t, update.Change{Task: 1, Gates: []update.Gate{gateOf("make probe", 1, "no device")}}, now)
		_, refusal := f.next(t, complete(1, pass("make chart")), later(1))
		if got := ruleOf(refusal); got != test.rule {
			t.Errorf("%q: refused under %q, want %q", test.text, got, test.rule)
		}
	}
}

// PS-13, GU-6: an amendment that keeps one gate and invalidates another doesn't replace the one by the other: after the reopening
// both have to run again.
func TestPreservedGateReplacesNothing(t *testing.T) {
	f := tides("ip")
	f.must(t, complete(1, pass("make chart"), pass("make probe")), now)
	f.log(t, 1, strings.NewReplacer("the chart gate", "`make chart`", "preserved: none", "preserved: `make probe`").Replace(amendmentText(1, "none")))
	f.must(t, reopen(1), later(1))
	if _, refusal := f.next(t, complete(1, pass("make probe")), later(2)); ruleOf(refusal) != "evidence/invalidated" {
		t.Errorf("only the preserved gate ran again: %v", refusal)
	}
	f.must(t, complete(1, pass("make probe"), pass("make chart")), later(2))
}

func ruleOf(r *update.Refusal) string {
	if r == nil {
		return ""
	}
	return r.Rule
}

// A long old record keeps to 500 characters with its mark; a record of 440 loses nothing (PS-12).
func TestMarkFits(t *testing.T) {
	for _, length := range []int{440, 441, 500} {
		f := tides("cp").amend(t, 1, 1, "none").swap(t, "state.json", "8 passed", strings.Repeat("ç", length))
		st := f.must(t, reopen(1), now)
		e := st.Tasks[0].Gates[0].Evidence
		if n := len([]rune(e)); n > 500 || !evidence.Invalidated(e) || length == 440 && strings.Count(e, "ç") != 440 {
			t.Errorf("%d: evidence of %d characters, %q", length, n, e[:60])
		}
	}
}

// What an amendment says of dependants, in the ways and languages people write (GU-6, PD-11).
func TestAmendmentSpeaksOfDependants(t *testing.T) {
	for _, test := range []struct {
		affected string
		want     bool
	}{
		{"Task 2 reopened, Task 3 reopened", true},
		{"2 and 3 are reopened", true},
		{"tasks 2-3 preserved: they read the header only", true},
		{"Task 2 reopened. Task 3 preserved; its input is the header", true},
		{"Tarefa 2 reaberta; tarefa 3 preservada porque só lê o cabeçalho", true},
		{"tareas 2 y 3 se conservan: solo leen la cabecera", true},
		{"任务 2 和 3 重新打开", true},
		{"任务 2 保留，只读表头；任务 3 重新打开", true},
		{"งาน 2 และ 3 เปิดใหม่", true},
		{"Task 2 reopened", false},
		{"Task 2, Task 3", false},
		{"Task 2 and 3 preserved", false},
		{"Task 1.2 and 1.3 reopened", false},
		{"reopened on 2026-02-03", false},
		{"none", false},
	} {
		f := tides("cccp").amend(t, 1, 1, test.affected)
		_, refusal := f.next(t, reopen(1), now)
		if got := refusal == nil; got != test.want {
			t.Errorf("%q: accepted %t, want %t: %v", test.affected, got, test.want, refusal)
		}
	}
}

// GU-6, PS-18: a completed task without any record takes late evidence without being reopened; the others go on meanwhile.
func TestLateEvidence(t *testing.T) {
	f := tides("cpp")
	noGates(t, f)
	f.must(t, start(2), now)
	late := with(pass("make chart"), func(g *update.Gate) { g.LastRun = "2026-09-01T13:50:00+02:00" })
	st := f.must(t, complete(1, late...), later(1))
	task := st.Tasks[0]
	if len(task.Gates) != 1 || task.Gates[0].LastRun.Text != "2026-09-01T11:50:00Z" || task.CompletedAt.Text != "2026-09-01T10:00:00Z" {
		t.Errorf("late evidence: %+v", task)
	}
}

// GU-5, PS-16: a blocker, its renewal, and its end.
func TestBlocker(t *testing.T) {
	f := tides("ip")
	result, refusal := f.next(t, update.Change{Task: 1, BlockReason: "no key"}, now)
	if refusal != nil || !slices.ContainsFunc(result.Warnings, func(w string) bool { return strings.Contains(w, "class") }) {
		t.Errorf("a reason without class: %v, warnings %q", refusal, result.Warnings)
	}
	st := f.must(t, update.Change{Task: 1, Status: state.Blocked, BlockReason: "[S2] no key", BlockNeeds: "a key"}, later(1))
	if b := st.Blocked; st.Status != state.Blocked || st.Tasks[0].Status != state.Blocked || b.Task != 1 || b.Reason != "[S2] no key" || b.Needs != "a key" || b.Since.Text != "2026-09-01T12:00:00Z" {
		t.Errorf("status %s, blocker %+v", st.Status, b)
	}
	if result, refusal := f.next(t, update.Change{Task: 1, BlockReason: "[S2] no key"}, later(2)); refusal != nil || result.Changed {
		t.Errorf("the same blocker again: changed %t, %v", result.Changed, refusal)
	}
	resolve := update.Change{Task: 1, Status: state.InProgress, ResolveBlocker: true}
	st = f.must(t, resolve, later(3))
	if st.Blocked != nil || st.Status != state.InProgress {
		t.Errorf("resolved: status %s, blocker %+v", st.Status, st.Blocked)
	}
	if result, refusal := f.next(t, resolve, later(4)); refusal != nil || result.Changed {
		t.Errorf("resolved again: changed %t, %v", result.Changed, refusal)
	}
}

// GU-5: with declared dependencies only what waits for the blocked task stands still.
func TestBlockerLetsIndependentTasksGoOn(t *testing.T) {
	f := tides("bppp").log(t, 2, "Depends on: none").log(t, 3, "Depends on: 1")
	if graph := f.read(t).Graph(); len(graph.DependsOn(2)) != 0 || len(graph.DependsOn(3)) != 1 {
		t.Fatalf("the fixture declares nothing: %v %v", graph.DependsOn(2), graph.DependsOn(3))
	}
	f.must(t, start(2), now)
	if _, refusal := f.next(t, start(3), now); ruleOf(refusal) != "guard/blocker" {
		t.Errorf("a task that waits for the blocked one: %v", refusal)
	}
}

// GU-5, UN-6: inside a turn a blocker is resolved by a person's recorded answer, not an older one, nor another task's.
func TestResolveInTurn(t *testing.T) {
	ch := update.Change{Task: 1, Status: state.InProgress, ResolveBlocker: true, InTurn: true}
	for _, test := range []struct {
		name, questions, amendment string
		want                       bool
	}{
		{"answered", "## Q1: Task 1\n\n- Question: which key?\n- Answer: the new one — Ana, 2026-09-01\n", "", true},
		{"before another", "## Q1: Task 1\nAnswer: yes, 2026-09-02\n\n## Q2: Task 2\nQuestion: when?\n", "", true},
		{"dated before the words", "## Q1: Task 1\n\n- **Answered by Ana on 2026-09-01:** the new one\n", "", true},
		{"not answered", "## Q1: Task 1\n\n- Question: which key?\n- Answer:\n", "", false},
		{"answered before", "## Q1: Task 1\n\n- Answer: the old one, 2026-08-30\n", "", false},
		{"another task", "## Q1: Task 2\n\n- Answer: yes, 2026-09-01\n", "", false},
		{"amended by a person", "", "user", true},
		{"amended by a person who is named first", "", "Ana (user)", true},
		{"amended by a person in Spanish (PD-11)", "", "usuario", true},
		{"amended by evidence", "", "evidence", false},
		{"relayed (UN-6)", "", "user, relayed by the agent", false},
		{"nothing", "", "", false},
	} {
		f := tides("bp")
		if test.amendment != "" {
			f.log(t, 1, "\n#### Amendment 1 — 2026-09-01\n\n- Reason: key found\n- Authority: "+test.amendment+"\n")
		}
		ch.Questions = []byte(test.questions)
		_, refusal := f.next(t, ch, now)
		if got := refusal == nil; got != test.want {
			t.Errorf("%s: accepted %t, want %t: %v", test.name, got, test.want, refusal)
		}
	}
}

// GU-7: tasks of one group are in progress together; a later group waits.
func TestGroups(t *testing.T) {
	f := tides("pppp").swap(t, "README.md", "## Goal", "## Team Agents\n\n| Group | Tasks | Teammate | Owned files |\n|---|---|---|---|\n| A | 1, 2 | ana | a |\n| B | 3 | bo | b |\n\n## Goal")
	f.must(t, start(2), now)
	f.must(t, start(1), now)
	if _, refusal := f.next(t, start(3), now); ruleOf(refusal) != "order/too-early" {
		t.Errorf("a later group: %v", refusal)
	}
}

// C93: who made the last change is named, and nobody else; the rest of the file keeps its bytes, unknown fields its place (PS-21, PS-23).
func TestUpdaterAndUnknownFields(t *testing.T) {
	f := tides("cpp").swap(t, "state.json", `"status": "pending", "gates"`, `"x-cost": 1.50, "status": "pending", "gates"`).
		swap(t, "state.json", `"plan":`, `"x-trace": {"b": 1e3, "a": "\u00e9"}, "plan":`)
	f.must(t, update.Change{Task: 2, Status: state.InProgress, Agent: "bo", Model: "m2"}, now)
	text := string(f.files["state.json"].Data)
	for _, want := range []string{"\n  \"x-trace\": {\n    \"b\": 1e3,\n    \"a\": \"\\u00e9\"\n  },\n  \"plan\"", `"x-cost": 1.50`, "\"agent\": \"bo\",\n    \"model\": \"m2\""} {
		if !strings.Contains(text, want) {
			t.Errorf("the file lacks %q:\n%s", want, text)
		}
	}
	if !strings.HasSuffix(text, "}\n") {
		t.Error("no final newline")
	}
	st := f.must(t, complete(2, pass("make chart")), later(1))
	if st.UpdatedBy != nil {
		t.Errorf("a change without a name is credited to %+v", st.UpdatedBy)
	}
}

// C137: times are written in UTC; a bare date stays what it is.
func TestTimesAreUTC(t *testing.T) {
	for _, zone := range []*time.Location{time.FixedZone("Tokyo", 9*3600), time.FixedZone("Bogota", -5*3600)} {
		f := tides("cpp").swap(t, "state.json", `"started_at": "2026-09-01T09:00:00Z"`, `"started_at": "2026-09-01"`)
		st := f.must(t, start(2), time.Date(2026, 9, 1, 23, 59, 59, 0, zone))
		want := time.Date(2026, 9, 1, 23, 59, 59, 0, zone).UTC().Format("2006-01-02T15:04:05") + "Z"
		if got := st.Tasks[1].StartedAt.Text; got != want {
			t.Errorf("started_at %s, want %s", got, want)
		}
		if got := st.Tasks[0].StartedAt.Text; got != "2026-09-01" {
			t.Errorf("the bare date became %s", got)
		}
	}
}

// C139: a clock that is a little behind the start does not make a task end before it.
func TestClockALittleBehind(t *testing.T) {
	f := tides("ip")
	st := f.must(t, complete(1, pass("make chart")), time.Date(2026, 9, 1, 10, 44, 0, 0, time.UTC))
	if got := st.Tasks[0].CompletedAt.Text; got != "2026-09-01T10:44:00Z" {
		t.Errorf("completed_at %s", got)
	}
	f = tides("ip").swap(t, "state.json", "2026-09-01T10:30:00Z", "2026-09-01T12:02:00Z")
	st = f.must(t, complete(1, pass("make chart")), now)
	if got := st.Tasks[0].CompletedAt.Text; got != "2026-09-01T12:02:00Z" {
		t.Errorf("completed_at %s, before the start", got)
	}
}

// C163: the value of a configured secret is warned about by its name, and not shown.
func TestConfiguredSecretIsWarnedAbout(t *testing.T) {
	ch := complete(1, gateOf("make chart", 0, "8 passed as plainword1"))
	ch.Configured = update.ConfiguredSecrets([]string{"DB_PASSWORD=plainword1", "HOME=8 passed as", "API_KEY=short", "PWD=/work"})
	if len(ch.Configured) != 1 {
		t.Fatalf("configured: %+v", ch.Configured)
	}
	result, refusal := update.Next(tides("pp").read(t), ch, now)
	all := strings.Join(result.Warnings, "\n")
	if refusal != nil || !strings.Contains(all, "DB_PASSWORD") || strings.Contains(all, "plainword1") {
		t.Errorf("%v, warnings %q", refusal, all)
	}
}

// GU-1: where README or log lag behind, the change succeeds and says what verify will report.
func TestLaggingMarkdownIsWarnedAbout(t *testing.T) {
	result, refusal := update.Next(tides("ip").read(t), complete(1, pass("make chart")), now)
	all := strings.Join(result.Warnings, "\n")
	for _, want := range []string{"box of task 1", "log of task 1", "PROGRESS.md", "outcome"} {
		if refusal != nil || !strings.Contains(all, want) {
			t.Errorf("no warning about %q: %v %q", want, refusal, all)
		}
	}
}

// PS-8: an approval that state.json doesn't have is the README's; v1 has no such axis.
func TestApprovalComesFromTheReadme(t *testing.T) {
	f := tides("pp").swap(t, "state.json", `"approval": "approved", `, "")
	f.must(t, start(1), now)
}

// PS-21: a v1 state is changed as v1; it has no approval to wait for.
func TestV1(t *testing.T) {
	f := tides("pp").swap(t, "state.json", "plan-state/v5", "plan-state/v1").swap(t, "manifest.json", "plan-manifest/v5", "plan-manifest/v1").
		swap(t, "state.json", `"format": "lite", "materialization": "ready", "approval": "approved", "promotion": null, `, "").
		swap(t, "manifest.json", `, "plan_format": "lite"`, "").swap(t, "README.md", "**Approval:** approved\n", "")
	for id := 1; id <= 2; id++ {
		f.swap(t, "state.json", fmt.Sprintf(`"locator": {"kind": "inline", "value": "#task-%d"}`, id), fmt.Sprintf(`"file": "%d.task_x.md"`, id))
	}
	f.must(t, start(1), now)
	if _, refusal := f.next(t, complete(1), later(1)); ruleOf(refusal) != "evidence/none" { // GU-3 knows no era
		t.Errorf("without evidence: %v", refusal)
	}
	st := f.must(t, complete(1, pass("make chart")), later(1))
	if st.Era != state.V1 || st.CompletedCount != 1 {
		t.Errorf("era %s, count %d", st.Era, st.CompletedCount)
	}
}

// What holds for Lite holds for Full: the log of the task file is the one that counts (GU-6).
func TestFullPlan(t *testing.T) {
	f := tides("ccp").swap(t, "manifest.json", `"lite"`, `"full"`).swap(t, "state.json", `"format": "lite"`, `"format": "full"`).swap(t, "README.md", "**Format:** lite", "**Format:** full")
	for id, title := range []string{1: "Chart bay 1", 2: "Chart bay 2", 3: "Final Review"} {
		if id == 0 {
			continue
		}
		name := fmt.Sprintf("%d.task_x.md", id)
		f.swap(t, "state.json", fmt.Sprintf(`"inline", "value": "#task-%d"`, id), fmt.Sprintf(`"file", "value": %q`, name))
		f.swap(t, "README.md", fmt.Sprintf("Task %d: %s\n", id, title), fmt.Sprintf("Task %d: [%s](%s)\n", id, title, name))
		f.add(name, fmt.Sprintf("# Task %d: %s\n\n## Goal\n\nA chart.\n\n## Completion & Log\n\nStatus: completed\n", id, title))
	}
	if _, refusal := f.next(t, reopen(1), now); ruleOf(refusal) != "guard/amendment" {
		t.Errorf("without amendment: %v", refusal)
	}
	f.swap(t, "1.task_x.md", "Status: completed\n", "Status: completed\n"+amendmentText(1, "2 is reopened"))
	f.must(t, reopen(1), now)
}

// GU-9: the digest is of the bytes that were parsed.
func TestExpectedDigest(t *testing.T) {
	f := tides("pp")
	ch := start(1)
	ch.ExpectedSHA256 = strings.ToUpper(f.read(t).Files["state.json"].SHA256())
	if _, refusal := f.next(t, ch, now); refusal != nil {
		t.Errorf("the right digest: %v", refusal)
	}
}
