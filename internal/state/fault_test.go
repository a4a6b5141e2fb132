package state

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/rule"
)

// swap replaces the first old in a whole v5 state.
func swap(old, new string) string { return strings.Replace(stateText(V5), old, new, 1) }

// told spells faults as "rule path: message", and checks that each has a place and a rule of the catalogue.
func told(t *testing.T, faults []Fault) []string {
	t.Helper()
	var lines []string
	for _, f := range faults {
		if _, found := rule.Lookup(f.Rule); !found || f.Value == nil {
			t.Errorf("fault without rule or place: %+v", f)
		}
		lines = append(lines, f.Rule+": "+f.Message)
	}
	return lines
}

// TestStateFaults: each fault has its rule, and a message that names the place and the value.
func TestStateFaults(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"missing", swap(`"plan": "PLAN_tide_tables",`, ""), "state/missing-field: plan is missing"},
		{"missing in task", swap(`"title": "Read the tables",`, ""), "state/task-fields: tasks[0].title is missing"},
		{"no gates", swap(`"gates": []`, `"note": 1`), "state/task-fields: tasks[1].gates is missing|" +
			"state/unknown-field: tasks[1].note is a field that the schema of a task entry doesn't know; it is kept"},
		{"retyped", swap(`"task_count": 2`, `"task_count": "2"`), `state/type: task_count is the string "2"; it must be an integer`},
		{"bool as int", swap(`"completed_count": 1`, `"completed_count": true`), "state/type: completed_count is true; it must be an integer"},
		{"fraction", swap(`"completed_count": 1`, `"completed_count": 1.0`), "state/type: completed_count is the number 1.0; it must be an integer"},
		{"negative", swap(`"completed_count": 1`, `"completed_count": -1`), "state/value: completed_count is -1; it must be from 0 to 2147483647"},
		{"plan skipped", swap(`"status": "blocked"`, `"status": "skipped"`), // PS-8: no plan is skipped
			`state/value: status is "skipped"; allowed: pending, in_progress, completed, blocked`},
		{"task status", swap(`"status": "completed"`, `"status": "Done"`),
			`state/task-value: tasks[0].status is "Done"; allowed: pending, in_progress, completed, blocked, skipped`},
		{"C51 approval", swap(`"approval": "approved"`, `"approval": "maybe"`), `state/value: approval is "maybe"; allowed: pending, approved, pre_approved`},
		{"tasks as object", swap("\"tasks\": [\n    {", "\"tasks\": {}, \"old\": [\n    {"), "state/type: tasks is an object; it must be a list|" +
			"state/unknown-field: old is a field that the schema of a state doesn't know; it is kept"},
		{"month 13", swap("2026-09-01T10:30:00+02:00", "2026-13-01T10:30:00Z"), // TRAPS: month 13
			`state/timestamp: updated_at is "2026-13-01T10:30:00Z", which is no RFC 3339 timestamp`},
		{"commit with newline", swap(`"a1b2c3d"`, `"a1b2c3d\n"`), // TRAPS: a commit with a newline
			`commit/shape: tasks[0].commit is "a1b2c3d\n"; it must be 7 to 40 hexadecimal digits`},
		{"gate extra", swap(`"passes": true,`, `"passes": true, "duration": 3,`),
			"gate/unknown-field: tasks[0].gates[0].duration is no field of a gate record, which has only command, passes, exit_code, last_run, evidence"},
		{"passes null", swap(`"passes": true`, `"passes": null`), "gate/shape: tasks[0].gates[0].passes is null; it must be true or false"},
		{"command as list", swap(`"make check"`, `["make","check"]`), "gate/shape: tasks[0].gates[0].command is a list; it must be a string"},
		{"gate as string", swap(`"gates": []`, `"gates": ["make check"]`), `gate/shape: tasks[1].gates[0] is the string "make check"; it must be an object`},
		{"long command", swap("make check", strings.Repeat("m", 501)), "gate/length: tasks[0].gates[0].command has 501 characters; at most 500 are allowed"},
		{"evidence of two lines", swap("31 passed", `31 passed\u2028ok`), "gate/one-line: tasks[0].gates[0].evidence has more than one line"},
		{"last_run", swap("2026-09-01T10:29:00Z", "yesterday"), `state/timestamp: tasks[0].gates[0].last_run is "yesterday", which is no RFC 3339 timestamp`},
		{"outcome of two lines", swap("two passes", `two\r\npasses`), "outcome/shape: tasks[0].outcome.worked has more than one line"},
		{"outcome extra", swap(`"worked":`, `"learned": "", "worked":`),
			"state/closed-object: tasks[0].outcome.learned is no field of an outcome, which has only tried, failed, worked, notes"},
		{"tried as string", swap(`"tried": [
          "one pass"
        ]`, `"tried": "one pass"`), `outcome/shape: tasks[0].outcome.tried is the string "one pass"; it must be a list`},
		{"locator kind", swap(`"kind": "file"`, `"kind": "url"`), `state/task-value: tasks[0].locator.kind is "url"; allowed: file, inline`},
		{"locator extra", swap(`"kind": "file",`, `"kind": "file", "line": 3,`),
			"state/closed-object: tasks[0].locator.line is no field of a locator, which has only kind, value"},
		{"v1's file in v5", swap(`"locator": {
        "kind": "file",
        "value": "1.task_read_tables.md"
      }`, `"file": "1.task_read_tables.md"`), "state/task-fields: tasks[0].locator is missing|" +
			"state/unknown-field: tasks[0].file is a field that the schema of a task entry doesn't know; it is kept"},
		{"checkpoint", swap(`"task": 2`, `"task": 0`), "checkpoint/shape: checkpoint.task is 0; it must be from 1 to 2147483647"},
		{"checkpoint without step", swap(`"step": "instructions:1",`, ""), "checkpoint/shape: checkpoint.step is missing"},
		{"blocked as text", swap(`"needs": "a key"`, `"needs": ["a key"]`), "blocked/shape: blocked.needs is a list; it must be a string"},
		{"promotion", swap(`"to": "full"`, `"to": "lite"`), `promotion/shape: promotion.to is "lite"; allowed: full`},
		{"promotion extra", swap(`"phase": "intent"`, `"phase": "begun", "by": "x"`),
			`promotion/shape: promotion.phase is "begun"; allowed: intent, tasks_written, switched|` +
				"state/unknown-field: promotion.by is a field that the schema of a promotion doesn't know; it is kept"},
		{"odd names", swap(`"phase": "intent"`, `"phase": "intent", "\u001b[31m": 1, "": 2`),
			`state/unknown-field: promotion["\x1b[31m"] is a field that the schema of a promotion doesn't know; it is kept|` +
				`state/unknown-field: promotion[""] is a field that the schema of a promotion doesn't know; it is kept`},
		{"actor", swap(`"updated_by": {`, `"updated_by": 7, "x": {`), "state/type: updated_by is the number 7; it must be an object|" +
			"state/unknown-field: x is a field that the schema of a state doesn't know; it is kept"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.src == stateText(V5) {
				t.Fatal("the mutation changes nothing")
			}
			_, faults := mustState(t, test.src)
			if got := strings.Join(told(t, faults), "|"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestManifestFaults: likewise for manifest.json, all of several faults at once.
func TestManifestFaults(t *testing.T) {
	src := strings.NewReplacer(`"individual"`, `"solo"`, `"standard"`, `3`, `"name": "PLAN_tide_tables",`, "", `"full"`, `"Full"`,
		"2026-09-01T09:00:00Z", "1 September", "fleet:", "", `"harbour"`, `"harbour", 7`, `"title"`, `"Title"`).Replace(manifestText(V2))
	_, faults := mustManifest(t, src)
	want := []string{
		"manifest/missing-field: name is missing",
		`manifest/value: archetype is "solo"; allowed: individual, orchestrator-hub, agent-workspace`,
		"manifest/type: rigor is the number 3; it must be one of micro, standard, deep",
		`manifest/value: plan_format is "Full"; allowed: lite, full`,
		`manifest/value: created_at is "1 September", which is no RFC 3339 timestamp`,
		"manifest/type: tags[1] is the number 7; it must be a string",
		`manifest/value: parent_plan is "PLAN_harbour_works"; it must be repo:PLAN_name, or null`,
		"manifest/unknown-field: Title is a field that the schema of a manifest doesn't know; it is kept",
	}
	if got := told(t, faults); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if hint := faults[3].Hint; hint != `write "full"` {
		t.Errorf("hint for Full = %q", hint)
	}
	if hint := faults[7].Hint; hint != `did you mean "title"?` {
		t.Errorf("hint for Title = %q", hint)
	}
}

// TestLongInteger: 5,000 digits are a fault with a short message, no crash (TRAPS).
func TestLongInteger(t *testing.T) {
	for _, field := range []string{`"completed_count": 1`, `"id": 1`, `"exit_code": 0`} {
		name, _, _ := strings.Cut(field, ":")
		_, faults := mustState(t, swap(field, name+": "+strings.Repeat("9", 5000)))
		if len(faults) != 1 || !strings.HasSuffix(faults[0].Rule, "value") && faults[0].Rule != "gate/shape" || len(faults[0].Message) > 200 {
			t.Errorf("%s: %+v", field, faults)
		}
	}
}

// TestLengthsAreCharacters: 500 characters of three bytes each are within 500 (PS-12).
func TestLengthsAreCharacters(t *testing.T) {
	if _, faults := mustState(t, swap("31 passed", strings.Repeat("\u4e16", 500))); len(faults) > 0 {
		t.Errorf("500 characters: %+v", faults)
	}
	if _, faults := mustState(t, swap("31 passed", strings.Repeat("\u4e16", 501))); len(faults) != 1 {
		t.Errorf("501 characters: %+v", faults)
	}
}

// TestNotAnObject: "[]" and the like are faults of the whole file (TRAPS: a candidate file that holds []).
func TestNotAnObject(t *testing.T) {
	for _, src := range []string{"[]", "null", "3", `"x"`} {
		s, faults := mustState(t, src)
		if s.Era != Unknown || len(faults) != 1 || faults[0].Rule != "state/type" {
			t.Errorf("state %s: era %s, %+v", src, s.Era, faults)
		}
		m, faults := mustManifest(t, src)
		if m.Era != Unknown || len(faults) != 1 || faults[0].Rule != "manifest/type" {
			t.Errorf("manifest %s: era %s, %+v", src, m.Era, faults)
		}
	}
}

// TestUnknownSchema: nothing is guessed about a file without a known schema (PS-22, C41, C43).
func TestUnknownSchema(t *testing.T) {
	state := func(schema string) string {
		return swap(`"schema": "`+SchemaURL(StateFile, V5)+`",`, schema)
	}
	tests := []struct{ name, src, want string }{
		{"C41 missing", state(""), "schema/missing: schema is missing"},
		{"C43 newer", state(`"schema": "https://deepworkplan.com/schema/plan-state/v9.json",`),
			"schema/unknown: schema is of generation v9, newer than this tool knows: v1, v2, v5"},
		{"much newer", state(`"schema": "https://deepworkplan.com/schema/plan-state/v` + strings.Repeat("1", 99) + `.json",`),
			"schema/unknown: schema is of generation v" + strings.Repeat("1", 60) + "..., newer than this tool knows: v1, v2, v5"},
		{"never published", state(`"schema": "https://deepworkplan.com/schema/plan-state/v3.json",`), `schema/unknown: schema is ` +
			`"https://deepworkplan.com/schema/plan-state/v3.json", which is unknown; known are v1, v2 and v5, such as ` + SchemaURL(StateFile, V5)},
		{"swapped", state(`"schema": "` + SchemaURL(ManifestFile, V5) + `",`),
			"schema/unknown: schema is that of a manifest.json, but this file is state.json"},
		{"null", state(`"schema": null,`), "schema/unknown: schema is null; it must be a URL such as " + SchemaURL(StateFile, V5)},
		{"near miss", state(`"schema": "http://deepworkplan.com/schema/plan-state/v5.json",`), `schema/unknown: schema is ` +
			`"http://deepworkplan.com/schema/plan-state/v5.json", which is unknown; known are v1, v2 and v5, such as ` + SchemaURL(StateFile, V5)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, faults := mustState(t, test.src)
			if got := strings.Join(told(t, faults), "|"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if s.Era != Unknown || s.Plan != "" || s.Tasks != nil || s.Doc == nil {
				t.Errorf("decoded all the same: %+v", s)
			}
		})
	}
}

func TestEraOf(t *testing.T) {
	for _, file := range []string{ManifestFile, StateFile} {
		for _, want := range eras {
			if era, of := EraOf(SchemaURL(file, want)); era != want || of != file {
				t.Errorf("EraOf(%s) = %s, %s", SchemaURL(file, want), era, of)
			}
		}
	}
	for _, url := range []string{"", SchemaURL(StateFile, V5) + "/", SchemaURL("README.md", V5), SchemaURL(StateFile, None)} {
		if era, of := EraOf(url); era != Unknown || of != "" {
			t.Errorf("EraOf(%q) = %s, %s", url, era, of)
		}
	}
}

// TestReceipt reads our receipts and those of other helpers, and refuses the rest (VP-1, VP-5).
func TestReceipt(t *testing.T) {
	receipt, faults, err := ReadReceipt([]byte(receiptText()))
	if err != nil || len(faults) > 0 || len(receipt.Files) != 2 {
		t.Fatalf("ours: %+v, %+v, %v", receipt, faults, err)
	}
	if a, b := receipt.Files[0], receipt.Files[1]; a.Length != -1 || b.Length != 120 || b.Path != "PROGRESS.md" {
		t.Errorf("files = %+v", receipt.Files)
	}
	sum := strings.Repeat("0a", 32)
	others := fmt.Sprintf(`{"state_sha256":%q,"artifacts_sha256":%q,"result":"verified"}`, sum, sum)
	if receipt, faults, err := ReadReceipt([]byte(others)); err != nil || len(faults) > 0 || receipt.Files != nil {
		t.Errorf("others': %+v, %+v, %v", receipt, faults, err)
	}
	for old, new := range map[string]string{
		`"verified"`: `"passed"`, `"README.md"`: `"../README.md"`, `"PROGRESS.md"`: `"/etc/hosts"`, `120`: `-1`,
		`"result": "verified", `: "", `{"path": "README.md"`: `7, {"path": "README.md"`, sum: strings.ToUpper(sum), `"files": [`: `"files": 1, "x": [`,
	} {
		_, faults, err := ReadReceipt([]byte(strings.Replace(receiptText(), old, new, 1)))
		if err != nil || len(faults) != 1 || faults[0].Rule != "receipt/shape" {
			t.Errorf("%s for %s: %+v, %v", new, old, faults, err)
		}
	}
	if _, faults, err := ReadReceipt([]byte("[]")); err != nil || len(faults) != 1 {
		t.Errorf("[]: %+v, %v", faults, err)
	}
}
