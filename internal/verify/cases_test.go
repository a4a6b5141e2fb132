package verify_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
)

// edit replaces text in one file of a plan: the first place, or all with every. An empty old appends; an absent file is made.
type edit struct {
	file, old, new string
	every          bool
}

// fieldCase is one scenario of FIELD_CASES or TRAPS as far as reading is concerned. Base is "lite" or "full", a healthy
// plan of four tasks, two of them completed; "done" has all of them completed; "bare" is an older plan without JSON.
type fieldCase struct {
	name, base string
	edits      []edit
	want       []string // rules that must report
	silent     []string // rules that must not
	level      rule.Level
	verdict    verify.Verdict
}

var fieldCases = []fieldCase{
	{name: "C01 ticked boxes in a fence are no progress", base: "lite",
		edits:   []edit{{"README.md", "## Execution Rules", "```md\n- [x] Task 9: demo\n- [x] Task 3: demo\n```\n\n## Execution Rules", false}},
		verdict: verify.Conformant},
	{name: "C05 a stray fence swallows the tasks behind it", base: "full",
		edits:   []edit{{"README.md", "- [ ] Task 3", "\n```\n\n- [ ] Task 3", false}},
		want:    []string{"text/fence-unclosed"},
		verdict: verify.Nonconformant},
	{name: "C05 a stray fence that a later block closes", base: "lite",
		edits: []edit{{"README.md", "## Task List", "```\n\n## Task List", false}},
		want:  []string{"text/fence-runaway"}, verdict: verify.Nonconformant},
	{name: "C07 other box marks are reported and count as open", base: "lite",
		edits:   []edit{{"README.md", "- [ ] Task 3", "- [~] Task 3", false}, {"README.md", "- [ ] Task 4", "- [-] Task 4", false}},
		want:    []string{"index/unknown-mark"},
		silent:  []string{"index/count", "state/task-count", "desync/state-behind", "desync/state-ahead"},
		verdict: verify.Nonconformant},
	{name: "C09 a comment that documents the line format", base: "lite",
		edits:   []edit{{"README.md", "- [x] Task 1", "<!--\nThe form of a line:\n- [ ] Task 1: Title\n-->\n\n- [x] Task 1", false}},
		verdict: verify.Conformant},
	{name: "C11 a heading quoted in code inside a quote", base: "lite",
		edits:   []edit{{"README.md", "## Execution Rules", "> see `## Task 3: x {#task-3}`\n\n## Execution Rules", false}},
		verdict: verify.Conformant},
	{name: "C13 underlined headings", base: "full",
		edits: []edit{{"3.task_load_shard_3.md", "## Acceptance Criteria\n", "Acceptance Criteria\n---\n", false},
			{"3.task_load_shard_3.md", "## Validation\n", "Validation\n----------\n", false}},
		verdict: verify.Conformant},
	{name: "C15 CRLF everywhere", base: "full", edits: []edit{{"*", "\n", "\r\n", true}}, verdict: verify.Conformant},
	{name: "C17 an index without boxes is never 0 of 0", base: "full",
		edits: []edit{{"README.md", "- [x] Task", "- Task", true}, {"README.md", "- [ ] Task", "- Task", true}},
		want:  []string{"index/no-boxes"}, verdict: verify.Nonconformant},
	{name: "C19 empty boxes and sub-boxes", base: "lite",
		edits: []edit{{"README.md", "- [x] Task 2: Load shard 2\n", "- [x] Task 2: Load shard 2\n  - [ ] sub step\n  - [x] another\n", false},
			{"README.md", "- [ ] Task 4: Final Review\n", "- [ ] Task 4: Final Review\n- [x]\n- [ ]   \n", false}},
		want: []string{"index/empty-box"}, level: rule.Should,
		silent:  []string{"index/order", "index/count", "index/duplicate", "state/task-count", "desync/missing-entry"},
		verdict: verify.Conformant},
	{name: "C23 index lines in forms seen in the wild", base: "full",
		edits: []edit{{"README.md", "- [x] Task 1: [Load shard 1](1.task_load_shard_1.md)", "- [x] **Task 1:** Load shard 1 ✅\n      See: [1.task_load_shard_1.md](./1.task_load_shard_1.md)", false},
			{"README.md", "- [x] Task 2: [Load shard 2](2.task_load_shard_2.md)", "- [x] Task 2 (urgent): [Load shard 2](./2.task_load_shard_2.md)", false},
			{"README.md", "- [ ] Task 3: [Load shard 3](3.task_load_shard_3.md)", "- [ ] [3. Load shard 3](3.task_load_shard_3.md)", false},
			{"README.md", "- [ ] Task 4: [Final Review](4.task_final_review.md)", "- [ ] 4. `4.task_final_review.md` — Final Review", false}},
		verdict: verify.Conformant},
	{name: "C25 two files of one number", base: "full",
		edits: []edit{{"3.task_other_shard.md", "", "# Task 3: Other shard\n", false},
			{"README.md", "- [ ] Task 4", "- [ ] Task 3: [Other shard](3.task_other_shard.md)\n- [ ] Task 4", false}},
		want: []string{"layout/duplicate-task-file", "index/duplicate"}, verdict: verify.Nonconformant},
	{name: "C29 link and file differ only in normal form", base: "full",
		edits: []edit{{"README.md", "3.task_load_shard_3.md", "3.task_se\u00f1al.md", true}, {"state.json", "3.task_load_shard_3.md", "3.task_se\u00f1al.md", true},
			{"3.task_load_shard_3.md", "", "rename:3.task_sen\u0303al.md", false}},
		want: []string{"index/normal-form"}, level: rule.Info, silent: []string{"index/link-target", "state/locator-file", "layout/extra-task-file"}, verdict: verify.Conformant},
	{name: "C31 a plan from before the state layer, all logs pending", base: "bare",
		edits: []edit{{"README.md", "- [ ]", "- [x]", true}, {"README.md", "2/5", "5/5", true}, {"PROGRESS.md", "", "remove", false},
			{"*.task_*", "Status: completed", "**Status:** ⏳ Pending", true}},
		want: []string{"layout/progress", "log/pending"}, silent: []string{"log/skills", "review/last", "schema/missing"}, verdict: verify.Nonconformant},
	{name: "C33 completed_count disagrees with the entries", base: "lite", edits: []edit{{"state.json", `"completed_count": 2`, `"completed_count": 3`, false}},
		want: []string{"state/completed-count"}, verdict: verify.Nonconformant},
	{name: "C35 the status line says more than the boxes", base: "lite", edits: []edit{{"README.md", "Plan Status: 2/4", "Plan Status: 4/4", false}},
		want: []string{"index/count"}, verdict: verify.Nonconformant},
	{name: "C39 task files in a sub-folder", base: "bare",
		edits: []edit{{"README.md", "](", "](tasks/", true}, {"*.task_*", "", "rename:tasks/", false}},
		want:  []string{"layout/nested-task-files"}, silent: []string{"index/missing", "index/link-target"}, verdict: verify.Nonconformant},
	{name: "C41 no schema field, tasks an object", base: "lite",
		edits: []edit{{"state.json", "", `replace:{"plan": "generated_load", "tasks": {"1": {"status": "pending"}}}`, false}},
		want:  []string{"schema/missing"}, silent: []string{"state/type", "desync/missing-entry"}, verdict: verify.Nonconformant},
	{name: "C43 a schema newer than the tool", base: "lite", edits: []edit{{"state.json", "plan-state/v2.json", "plan-state/v9.json", false}},
		want: []string{"schema/unknown"}, silent: []string{"record/section"}, verdict: verify.Nonconformant},
	{name: "C43 a standard newer than the tool", base: "lite", edits: []edit{{"README.md", "DWP spec 5.0.0", "DWP spec 99.0.0", false}, {"manifest.json", "5.0.0", "99.0.0", false}},
		want: []string{"standard/newer"}, silent: []string{"standard/differs"}, verdict: verify.Nonconformant},
	{name: "C45 byte-order marks are read and named", base: "lite",
		edits: []edit{{"state.json", "{", "\ufeff{", false}, {"manifest.json", "{", "\ufeff{", false}, {"README.md", "# Load", "\ufeff# Load", false}},
		want:  []string{"json/bom", "text/bom"}, level: rule.Info, verdict: verify.Conformant},
	{name: "C47 conflict markers in state.json", base: "lite", edits: []edit{{"state.json", `"status": "in_progress"`, "\n<<<<<<< HEAD\n\"status\": \"in_progress\"\n=======\n\"status\": \"pending\"\n>>>>>>> theirs\n", false}},
		want: []string{"json/conflict-markers"}, verdict: verify.Nonconformant},
	{name: "C47 conflict markers in README.md", base: "lite", edits: []edit{{"README.md", "- [ ] Task 3", "<<<<<<< HEAD\n- [ ] Task 3: Load shard 3\n=======\n- [x] Task 3", false}},
		want: []string{"text/conflict-markers"}, verdict: verify.Nonconformant},
	{name: "C49 a half-written state.json", base: "lite", edits: []edit{{"state.json", "", "cut:60", false}},
		want: []string{"json/syntax"}, verdict: verify.Nonconformant},
	{name: "C51 an unknown approval", base: "lite", edits: []edit{{"state.json", `"approval": "approved"`, `"approval": "maybe"`, false}},
		want: []string{"state/value"}, verdict: verify.Nonconformant},
	{name: "C51 a gap in ids", base: "lite", edits: []edit{{"state.json", `"id": 2`, `"id": 7`, false}}, want: []string{"state/task-ids"}, verdict: verify.Nonconformant},
	{name: "C75 a hand-written record under an open box", base: "lite",
		edits: []edit{{"README.md", "- [x] Task 2", "- [ ] Task 2", false}, {"README.md", "Plan Status: 2/4", "Plan Status: 1/4", false}},
		want:  []string{"desync/state-ahead"}, verdict: verify.Nonconformant},
	{name: "C77 the exit code of tail hides a missing compiler", base: "lite",
		edits: []edit{{"state.json", `"command": "make test-shard"`, `"command": "tsc 2>&1 | tail -5; echo EXIT=$?"`, false}, {"state.json", `"evidence": "12 passed"`, `"evidence": "tsc: not found"`, false}},
		want:  []string{"evidence/filtered-exit"}, level: rule.Must, verdict: verify.Nonconformant},
	{name: "C77 a filtered exit code with good evidence is advice", base: "lite",
		edits: []edit{{"state.json", `"command": "make test-shard"`, `"command": "make test-shard | tail -5"`, false}},
		want:  []string{"evidence/filtered-exit"}, level: rule.Should, verdict: verify.Conformant},
	{name: "C79 completed without a gate", base: "lite", edits: []edit{{"state.json", plantest.Gate, "[]", false}}, want: []string{"evidence/none"}, verdict: verify.Nonconformant},
	{name: "C79 completed on a placeholder", base: "lite", edits: []edit{{"state.json", `"evidence": "12 passed"`, `"evidence": "TBD"`, false}}, want: []string{"evidence/empty", "evidence/doubtful"}, verdict: verify.Nonconformant},
	{name: "C79 completed on empty evidence", base: "lite", edits: []edit{{"state.json", `"evidence": "12 passed"`, `"evidence": "  "`, false}}, want: []string{"evidence/empty"}, verdict: verify.Nonconformant},
	{name: "C81 a pointer to a missing log", base: "lite", edits: []edit{{"state.json", `"evidence": "12 passed"`, `"evidence": "log=analysis_results/x.log"`, false}},
		want: []string{"gate/pointer-missing"}, silent: []string{"gate/pointer-outside"}, verdict: verify.Nonconformant},
	{name: "C81 a pointer outside the plan", base: "lite", edits: []edit{{"state.json", `"evidence": "12 passed"`, `"evidence": "log=../outside.log"`, false}},
		want: []string{"gate/pointer-outside"}, verdict: verify.Nonconformant},
	{name: "C87, C93 the latest record of a command counts: a failed run before it is history", base: "lite",
		edits: []edit{{"state.json", plantest.Gate, "[" + record(false, 1, "2 failed") + ", " + record(true, 0, "12 passed") + "]", false}}, silent: []string{"evidence/failing"}, verdict: verify.Conformant},
	{name: "C87 an older pass does not cover a later failure", base: "lite",
		edits: []edit{{"state.json", plantest.Gate, "[" + record(true, 0, "12 passed") + ", " + record(false, 1, "2 failed") + "]", false}}, want: []string{"evidence/failing"}, verdict: verify.Nonconformant},
	{name: "PS-13 an amendment that only lists the failing command excuses nothing", base: "lite",
		edits: []edit{{"state.json", plantest.Gate, "[" + record(false, 1, "2 failed") + "]", false}, {"README.md", "Documentation decision: none needed\n", "Documentation decision: none needed\n\n" + replacing("none"), false}},
		want:  []string{"evidence/failing"}, verdict: verify.Nonconformant},
	{name: "PS-13 an amendment that names the command which replaces it", base: "lite",
		edits: []edit{{"state.json", plantest.Gate, "[" + record(false, 1, "2 failed") + ", " + strings.Replace(record(true, 0, "9 passed"), "make test-shard", "make test-all", 1) + "]", false},
			{"README.md", "Documentation decision: none needed\n", "Documentation decision: none needed\n\n" + replacing("`make test-all`"), false}},
		silent: []string{"evidence/failing"}, verdict: verify.Conformant},
	{name: "C89 the state of another plan", base: "lite", edits: []edit{{"state.json", `"plan": "PLAN_generated_load"`, `"plan": "PLAN_other_work"`, false}},
		want: []string{"state/plan-name"}, verdict: verify.Nonconformant},
	{name: "C91 passed with exit code 143", base: "lite", edits: []edit{{"state.json", `"exit_code": 0`, `"exit_code": 143`, false}}, want: []string{"gate/pass-with-failure"}, verdict: verify.Nonconformant},
	{name: "C105 skipped completes nothing", base: "lite",
		edits: []edit{{"state.json", `"title": "Load shard 3", "status": "pending"`, `"title": "Load shard 3", "status": "skipped"`, false}},
		want:  []string{"skipped/authority"}, silent: []string{"desync/state-behind", "desync/state-ahead"}, verdict: verify.Nonconformant},
	{name: "C109 a finished log may speak of appending and pending", base: "lite",
		edits: []edit{{"README.md", "Summary: loaded.", "Summary: before appending the second leg; no pending questions", false}}, silent: []string{"log/pending"}, verdict: verify.Conformant},
	{name: "C109 a pending log under a completed task", base: "lite",
		edits: []edit{{"README.md", "Status: completed", "- **Status:** pending", false}}, want: []string{"log/pending"}, verdict: verify.Nonconformant},
	{name: "C111 an interrupted publication", base: "lite", edits: []edit{{".finalizing.json", "", "{}", false}}, want: []string{"publication/unfinished"}, verdict: verify.Nonconformant},
	{name: "C135 prose in other languages under English keys", base: "lite",
		edits: []edit{{"README.md", "Every shard is loaded.", "Todos os shards são carregados; ทุกส่วนถูกโหลด; todo cargado.", false}, {"README.md", "Summary: loaded.", "Summary: carregado e conferido.", true}}, verdict: verify.Conformant},
	{name: "C137 date-only values stay as they are", base: "lite", edits: []edit{{"manifest.json", "2026-09-01T08:00:00Z", "2026-09-01", false}}, silent: []string{"state/timestamp", "manifest/value"}, verdict: verify.Conformant},
	{name: "C139 equal times, a gate one second later", base: "lite",
		edits:  []edit{{"state.json", `"started_at": "2026-09-01T09:00:00Z"`, `"started_at": "2026-09-01T10:00:00Z"`, false}, {"state.json", "2026-09-01T09:59:00Z", "2026-09-01T10:00:01Z", false}},
		silent: []string{"time/order", "time/last-run"}, verdict: verify.Conformant},
	{name: "C141 README missing", base: "lite", edits: []edit{{"README.md", "", "remove", false}}, want: []string{"layout/readme"}, verdict: verify.Nonconformant},
	{name: "C161 a bearer token in evidence", base: "lite", edits: []edit{{"state.json", `"evidence": "12 passed"`, `"evidence": "Authorization: ` + `Bearer abcdefghij0123456789klmnop"`, false}},
		want: []string{"secret/json"}, verdict: verify.Nonconformant},
	{name: "C165 a line of 200 KB", base: "lite", edits: []edit{{"README.md", "A database of shards.", "A database of shards. " + strings.Repeat("word ", 40000), false}}, verdict: verify.Conformant},

	{name: "TRAPS month 13", base: "lite", edits: []edit{{"state.json", "2026-09-01T10:00:00Z", "2026-13-01T10:00:00Z", false}}, want: []string{"state/timestamp"}, verdict: verify.Nonconformant},
	{name: "TRAPS a time in 2999", base: "lite", edits: []edit{{"state.json", "2026-09-01T09:59:00Z", "2999-09-01T09:59:00Z", false}}, want: []string{"time/future"}, verdict: verify.Nonconformant},
	{name: "TRAPS a commit with a newline", base: "lite", edits: []edit{{"state.json", "0badc0de", "0badc0de\\n", false}}, want: []string{"commit/shape"}, verdict: verify.Nonconformant},
	{name: "TRAPS a later task done first", base: "lite",
		edits: []edit{{"README.md", "- [x] Task 1", "- [ ] Task 1", false}, {"README.md", "Plan Status: 2/4", "Plan Status: 1/4", false}}, want: []string{"order/too-early"}, verdict: verify.Nonconformant},
	{name: "TRAPS a gate without exit code under a completed task", base: "lite", edits: []edit{{"state.json", `"exit_code": 0, `, "", false}}, want: []string{"gate/pass-with-failure"}, verdict: verify.Nonconformant},
	{name: "TRAPS schema key removed", base: "lite", edits: []edit{{"state.json", `"schema": "https://deepworkplan.com/schema/plan-state/v2.json", `, "", false}}, want: []string{"schema/missing"}, verdict: verify.Nonconformant},
	{name: "TRAPS one of the two JSON files deleted", base: "full", edits: []edit{{"manifest.json", "", "remove", false}}, want: []string{"layout/json-alone"}, verdict: verify.Nonconformant},
	{name: "TRAPS both deleted, current standard: current rules with advice", base: "full",
		edits: []edit{{"manifest.json", "", "remove", false}, {"state.json", "", "remove", false}, {"3.task_load_shard_3.md", "## Touched Surface", "## Elsewhere", false}},
		want:  []string{"layer/missing", "record/section"}, verdict: verify.Nonconformant},
	{name: "TRAPS checkpoint of a task that does not exist", base: "lite", edits: []edit{{"state.json", `"checkpoint": null`, `"checkpoint": {"task": 9, "step": "start", "at": "2026-09-01T10:00:00Z", "note": ""}`, false}},
		want: []string{"checkpoint/task"}, verdict: verify.Nonconformant},
	{name: "TRAPS manifest full, state lite, no promotion", base: "lite", edits: []edit{{"manifest.json", `"lite"`, `"full"`, false}}, want: []string{"state/format"}, verdict: verify.Nonconformant},
	{name: "TRAPS collected 0 items", base: "lite", edits: []edit{{"state.json", "12 passed", "collected 0 items", false}}, want: []string{"evidence/zero-tests"}, verdict: verify.Nonconformant},
	{name: "TRAPS didn't run", base: "lite", edits: []edit{{"state.json", "12 passed", "the suite didn't run", false}}, want: []string{"evidence/never-ran"}, verdict: verify.Nonconformant},
	{name: "TRAPS a Goal that is only TBD", base: "lite", edits: []edit{{"README.md", "Every shard is loaded.", "TBD", false}}, want: []string{"readme/goal"}, verdict: verify.Nonconformant},
	{name: "TRAPS every section inside one fence", base: "full", edits: []edit{{"3.task_load_shard_3.md", "## Context", "~~~~~\n## Context", false}, {"3.task_load_shard_3.md", "Status: pending", "Status: pending\n~~~~~", false}},
		want: []string{"record/section"}, verdict: verify.Nonconformant},
	{name: "TRAPS a record inside a comment", base: "lite", edits: []edit{{"README.md", "## Task 3: Load shard 3", "<!--\n## Task 3: Load shard 3", false}, {"README.md", "## Task 4: Final", "-->\n\n## Task 4: Final", false}},
		want: []string{"record/anchor"}, verdict: verify.Nonconformant},
	{name: "TRAPS a folder that is not ours is not our plan", base: "lite", edits: []edit{{"contract.json", "", "{}", false}}, want: []string{"standard/generation"}, silent: []string{"index/count"}, verdict: verify.Nonconformant},
	{name: "TRAPS ## X in a fenced sample inside a record", base: "lite", edits: []edit{{"README.md", "Shard loaded, counted and compared.", "Shard loaded.\n\n```md\n## Goal\n## Task 9: x {#task-9}\n```", false}}, verdict: verify.Conformant},
	{name: "TRAPS prose boxes and Task 1.1", base: "lite", edits: []edit{{"README.md", "Work the first open task.", "- [ ] output of Task 1 is reused\n- [ ] Task 1.1: a step", false}}, silent: []string{"index/duplicate", "index/count"}, verdict: verify.Conformant},
	{name: "TRAPS bullets and tabs", base: "lite", edits: []edit{{"README.md", "- [x] Task 1", "*\t[x] Task 1", false}, {"README.md", "- [ ] Task 3", "+ [ ] Task 3", false}}, verdict: verify.Conformant},
	{name: "TRAPS heading forms", base: "lite", edits: []edit{{"README.md", "### Goal\n", "### Goal ###\n", false}, {"README.md", "### Context\n", " ### Context:\n", false}}, verdict: verify.Conformant},
	{name: "TRAPS a completed plan with a start checkpoint", base: "done", edits: []edit{{"state.json", `"step": "done"`, `"step": "start"`, false}}, want: []string{"checkpoint/final"}, verdict: verify.Nonconformant},
	{name: "TRAPS a Final Review that denies its parts", base: "done",
		edits: []edit{{"README.md", "last:Summary: loaded.", "Summary: No security, no final-state and no skills work was done.", false}},
		want:  []string{"review/denied"}, verdict: verify.Nonconformant},
	{name: "TRAPS SECURITY_REVIEW.md empty", base: "done", edits: []edit{{"analysis_results/SECURITY_REVIEW.md", "", "replace:# Security review\n\n<!-- later -->\n", false}}, want: []string{"review/security-empty"}, verdict: verify.Nonconformant},
	{name: "TRAPS a critical finding unfixed", base: "done", edits: []edit{{"analysis_results/SECURITY_REVIEW.md", "No findings.", "- **Critical:** the token is logged, unfixed", false}}, want: []string{"review/critical-open"}, verdict: verify.Nonconformant},
	{name: "TRAPS a critical finding in a table", base: "done", edits: []edit{{"analysis_results/SECURITY_REVIEW.md", "No findings.", "| Severity | Finding | State |\n|---|---|---|\n| Critical | the token is logged | open |", false}}, want: []string{"review/critical-open"}, verdict: verify.Nonconformant},
	{name: "TRAPS no open critical finding", base: "done", edits: []edit{{"analysis_results/SECURITY_REVIEW.md", "No findings.", "There is no open critical finding. No critical finding remains. Critical path reviewed.", false}}, verdict: verify.Conformant},
	{name: "TRAPS no SECURITY_REVIEW.md", base: "done", edits: []edit{{"analysis_results/SECURITY_REVIEW.md", "", "remove", false}}, want: []string{"review/security-file"}, verdict: verify.Nonconformant},
	{name: "TRAPS a line that starts with a code span of three backticks", base: "lite", edits: []edit{{"README.md", "Work the first open task.", "```make``` builds it.\n\n- item\n  ```sh\n  make\n\n    ```\n", false}}, verdict: verify.Conformant},
	{name: "TRAPS a fence closed by the end of its list item", base: "lite", edits: []edit{{"README.md", "Work the first open task.", "- item\n  ```sh\n  make\n\nWork the first open task.", false}}, verdict: verify.Conformant},
	{name: "TRAPS **Context** in prose is no label", base: "lite", edits: []edit{{"README.md", "Shard loaded, counted and compared.", "Shard loaded.\n\n**Context** matters here.", false}}, verdict: verify.Conformant},
	{name: "TRAPS a sub-heading first", base: "lite", edits: []edit{{"README.md", "Shard loaded, counted and compared.", "#### Why\n\nShards are slow.", false}}, silent: []string{"record/section"}, verdict: verify.Conformant},
	{name: "TRAPS one byte that is not UTF-8", base: "full", edits: []edit{{"3.task_load_shard_3.md", "Shard loaded", "Sh\xffard loaded", false}, {"README.md", "Plan Status: 2/4", "Plan Status: 3/4", false}},
		want: []string{"text/not-utf8", "index/count"}, verdict: verify.Nonconformant},
	{name: "TRAPS a hook that is not executed twice", base: "lite", edits: []edit{{"state.json", "12 passed", "12 passed; hook is not executed twice; executed=0.8s", false}}, verdict: verify.Conformant},
}

// replacing is an amendment that gives up the gate of a task for another one.
func replacing(other string) string {
	return "#### Amendment 1 — 2026-09-02\n\n- **Original criterion:** `make test-shard` passes\n- **Observed:** the target is gone\n- **Disposition:** revised\n- **Revised criterion:** " + other +
		"\n- **Reason:** the build changed\n- **Authority:** developer\n- **Affected tasks:** 1\n- **Evidence invalidated:** make test-shard\n- **Evidence preserved:** none\n"
}

func record(passes bool, exit int, evidence string) string {
	return fmt.Sprintf(`{"command": "make test-shard", "passes": %v, "exit_code": %d, "last_run": "2026-09-01T09:59:00Z", "evidence": %q}`, passes, exit, evidence)
}

func TestFieldCases(t *testing.T) {
	for _, fc := range fieldCases {
		t.Run(fc.name, func(t *testing.T) {
			r := check(t, apply(t, basePlan(fc.base), fc.edits))
			if r.Verdict != fc.verdict {
				t.Errorf("verdict %s, want %s\n%s", r.Verdict, fc.verdict, list(r))
			}
			for _, id := range fc.want {
				f := found(r, id)
				if f == nil {
					t.Errorf("%s is silent\n%s", id, list(r))
				} else if fc.level != "" && f.Level != fc.level {
					t.Errorf("%s has level %s, want %s", id, f.Level, fc.level)
				}
			}
			for _, id := range fc.silent {
				if f := found(r, id); f != nil {
					t.Errorf("%s reports: %s", id, f.Message)
				}
			}
		})
	}
}

func check(t testing.TB, files fs.FS) *verify.Report {
	t.Helper()
	s, err := plan.Read(files, plantest.Name)
	if err != nil {
		t.Fatal(err)
	}
	return verify.Plan(s, verify.Options{Now: now, InGit: true})
}

func found(r *verify.Report, id string) *rule.Finding {
	for i := range r.Findings {
		if r.Findings[i].Rule == id {
			return &r.Findings[i]
		}
	}
	return nil
}

func list(r *verify.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "  %s %s %s:%d:%d %s\n", f.Level, f.Rule, f.File, f.Line, f.Column, f.Message)
	}
	return b.String()
}

// generated is a healthy plan of four tasks, two of them completed.
func generated(format string) fstest.MapFS {
	return plantest.Plan(plantest.Spec{Tasks: 4, Done: 2, Full: format == "full"})
}

func basePlan(kind string) fstest.MapFS {
	switch kind {
	case "bare":
		return barePlan()
	case "done":
		return plantest.Plan(plantest.Spec{Tasks: 4, Done: 4})
	}
	return generated(kind)
}

// barePlan is an older plan: no JSON, no Standard line, nine-section tasks, the three-task ending; two of five are done.
func barePlan() fstest.MapFS {
	files := fstest.MapFS{"analysis_results/notes.md": {Data: []byte("notes\n")}, "PROMPTS.md": {Data: []byte("# Prompts\n")}}
	var index, progress strings.Builder
	for i, slug := range []string{"sort_the_archive", "index_the_archive", "security_review", "skills_agents_discovery", "executive_report"} {
		n, title := i+1, strings.ReplaceAll(slug, "_", " ")
		box, status := " ", "Status: not started"
		if n <= 2 {
			box, status = "x", "Status: completed"
			fmt.Fprintf(&progress, "## Task %d\n\n- done\n\n", n)
		}
		name := fmt.Sprintf("%d.task_%s.md", n, slug)
		fmt.Fprintf(&index, "- [%s] Task %d: [%s](%s)\n", box, n, title, name)
		files[name] = &fstest.MapFile{Data: fmt.Appendf(nil, "# Task %d: %s\n\n## Context\n\nAn archive.\n\n## Goal\n\nDone well.\n\n## Instructions\n\n1. Do it.\n\n## Acceptance Criteria\n\n- [%s] holds\n\n## Validation\n\n```sh\nmake check\n```\n\n## Completion & Log\n\n%s\n", n, title, box, status)}
	}
	files["README.md"] = &fstest.MapFile{Data: []byte("# Archive\n\n## Goal\n\nA sorted archive.\n\n## Context\n\nPaper.\n\n## Task List\n\n" + index.String() + "\nPlan Status: 2/5 completed\n")}
	files["PROGRESS.md"] = &fstest.MapFile{Data: []byte("# Progress\n\n" + progress.String())}
	return files
}

// apply makes the edits. New texts "remove", "rename:NAME", "replace:TEXT" and "cut:PERCENT" act on whole files.
func apply(t *testing.T, files fstest.MapFS, edits []edit) fstest.MapFS {
	t.Helper()
	for _, e := range edits {
		var names []string
		for name := range files {
			if name == e.file || e.file == "*" || e.file == "*.task_*" && strings.Contains(name, ".task_") {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		if len(names) == 0 {
			files[e.file] = &fstest.MapFile{Data: []byte(e.new)}
		}
		for _, name := range names {
			editFile(t, files, name, e)
		}
	}
	return files
}

func editFile(t *testing.T, files fstest.MapFS, name string, e edit) {
	t.Helper()
	f := files[name]
	text := string(f.Data)
	to, rename := strings.CutPrefix(e.new, "rename:")
	all, replace := strings.CutPrefix(e.new, "replace:")
	switch {
	case e.old == "" && e.new == "remove":
		delete(files, name)
	case e.old == "" && rename:
		delete(files, name)
		if strings.HasSuffix(to, "/") {
			to += name
		}
		files[to] = f
	case e.old == "" && replace:
		f.Data = []byte(all)
	case e.old == "" && e.new == "cut:60":
		f.Data = f.Data[:len(f.Data)*60/100]
	case e.every:
		if name == e.file && !strings.Contains(text, e.old) { // with a pattern of names, some may go without
			t.Fatalf("%s does not contain %q", name, e.old)
		}
		f.Data = []byte(strings.ReplaceAll(text, e.old, e.new))
	case strings.HasPrefix(e.old, "last:"):
		old := strings.TrimPrefix(e.old, "last:")
		at := strings.LastIndex(text, old)
		f.Data = []byte(text[:at] + e.new + text[at+len(old):])
	default:
		if !strings.Contains(text, e.old) {
			t.Fatalf("%s does not contain %q", name, e.old)
		}
		f.Data = []byte(strings.Replace(text, e.old, e.new, 1))
	}
}
