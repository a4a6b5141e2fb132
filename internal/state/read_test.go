package state

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// TestReadWhole: a file with every member of its era has no fault (PS-6, PS-8, PS-21).
func TestReadWhole(t *testing.T) {
	for _, era := range eras {
		m, faults := mustManifest(t, manifestText(era))
		if len(faults) > 0 || m.Era != era {
			t.Errorf("%s manifest: era %s, faults %+v", era, m.Era, faults)
		}
		s, faults := mustState(t, stateText(era))
		if len(faults) > 0 || s.Era != era {
			t.Errorf("%s state: era %s, faults %+v", era, s.Era, faults)
		}
	}
}

// TestReadManifestValues: every member arrives in its field; v1 has no plan_format.
func TestReadManifestValues(t *testing.T) {
	m, _ := mustManifest(t, manifestText(V1))
	m.Doc, m.CreatedAt.Node, m.CreatedBy.Node = nil, nil, nil
	want := &Manifest{Era: V1, Schema: SchemaURL(ManifestFile, V1), SpecVersion: "5.0.0", Name: "PLAN_tide_tables",
		Title: "Tide tables", Archetype: "individual", Rigor: "standard",
		CreatedAt: Time{Text: "2026-09-01T09:00:00Z", Value: time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC)},
		CreatedBy: &Actor{Agent: "agent-one", Model: "model-one"}, Tags: []string{"harbour"}, TaskCount: 2,
		ParentPlan: "fleet:PLAN_harbour_works"}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("got  %+v\nwant %+v", m, want)
	}
	if m, _ := mustManifest(t, manifestText(V2)); m.PlanFormat != "full" {
		t.Errorf("plan_format = %q", m.PlanFormat)
	}
}

// TestReadStateValues: every member arrives in its field.
func TestReadStateValues(t *testing.T) {
	s, _ := mustState(t, stateText(V5))
	one := s.Tasks[0]
	gate := one.Gates[0]
	for name, check := range map[string]struct{ got, want any }{
		"plan":            {s.Plan, "PLAN_tide_tables"},
		"updated_at":      {s.UpdatedAt.Value.UTC().Format(time.RFC3339), "2026-09-01T08:30:00Z"},
		"updated_by":      {s.UpdatedBy.Agent + s.UpdatedBy.Model, "agent-onemodel-one"},
		"status":          {s.Status, Blocked},
		"counts":          {[2]int{s.CompletedCount, s.TaskCount}, [2]int{1, 2}},
		"axes":            {s.Format + " " + s.Materialization + " " + s.Approval, "full promoting approved"},
		"promotion":       {s.Promotion.From + s.Promotion.To + s.Promotion.Phase, "litefullintent"},
		"task":            {fmt.Sprint(one.ID, one.Title, one.Status), "1Read the tablescompleted"},
		"locator":         {one.Locator.Kind + ":" + one.Locator.Value, "file:1.task_read_tables.md"},
		"started_at":      {one.StartedAt.Text, "2026-09-01T09:00:00Z"},
		"completed_at":    {one.CompletedAt.Value, time.Date(2026, 9, 1, 10, 30, 0, 250_000_000, time.UTC)},
		"commit":          {one.Commit + one.CommitNode.Text, "a1b2c3da1b2c3d"},
		"gate":            {fmt.Sprint(gate.Command, gate.Passes, *gate.ExitCode, gate.LastRun.Text, gate.Evidence), "make checktrue 02026-09-01T10:29:00Z31 passed"},
		"bare gate":       {one.Gates[1].ExitCode == nil && one.Gates[1].LastRun == nil && !one.Gates[1].Passes, true},
		"outcome":         {fmt.Sprint(one.Outcome.Tried, one.Outcome.Failed, one.Outcome.Worked, one.Outcome.Notes), "[one pass] []two passestables are in local time"},
		"no outcome":      {s.Tasks[1].Outcome == nil && s.Tasks[1].StartedAt == nil && s.Tasks[1].CommitNode == nil, true},
		"checkpoint":      {fmt.Sprint(s.Checkpoint.Task, s.Checkpoint.Step, s.Checkpoint.Note, s.Checkpoint.At.Text), "2instructions:1waits2026-09-01T10:30:00Z"},
		"blocked":         {fmt.Sprint(s.Blocked.Task, s.Blocked.Reason, s.Blocked.Needs, s.Blocked.Since.Text), "2[S2] no key for the tide servicea key2026-09-01T10:30:00Z"},
		"place of a gate": {place(s.Doc, gate.Node), "36:9"},
	} {
		if !reflect.DeepEqual(check.got, check.want) {
			t.Errorf("%s = %v, want %v", name, check.got, check.want)
		}
	}
	v1, _ := mustState(t, stateText(V1)) // v1's file is a locator too (PS-9)
	if l := v1.Tasks[0].Locator; l.Kind != "file" || l.Value != "1.task_read_tables.md" || l.Node == nil || v1.Format != "" {
		t.Errorf("v1 locator = %+v, format %q", l, v1.Format)
	}
}

// place spells the position of a node.
func place(d *strictjson.Document, v *strictjson.Value) string {
	line, column := d.Position(v.Start)
	return fmt.Sprintf("%d:%d", line, column)
}

// TestNullIsAbsent: null in place of an optional member is no fault and no value.
func TestNullIsAbsent(t *testing.T) {
	root := tree(t, stateText(V5))
	null := strictjson.NewNull()
	for _, name := range []string{"updated_by", "approval", "promotion", "checkpoint", "blocked"} {
		root.Set(name, null)
	}
	one := root.Member("tasks").Elems[0]
	for _, name := range []string{"started_at", "completed_at", "commit", "outcome"} {
		one.Set(name, null)
	}
	for _, name := range []string{"exit_code", "last_run", "evidence"} {
		one.Member("gates").Elems[0].Set(name, null)
	}
	s, faults := mustState(t, string(strictjson.Format(root)))
	if len(faults) > 0 {
		t.Fatalf("faults: %+v", told(t, faults))
	}
	task := s.Tasks[0]
	if s.UpdatedBy != nil || s.Approval != "" || s.Promotion != nil || s.Checkpoint != nil || s.Blocked != nil || task.StartedAt != nil ||
		task.CompletedAt != nil || task.CommitNode != nil || task.Outcome != nil || task.Gates[0].ExitCode != nil || task.Gates[0].LastRun != nil {
		t.Errorf("a null became a value: %+v", s)
	}
}

// TestDecodesBesideFaults: what is sound around a fault is still decoded, and entries keep their place.
func TestDecodesBesideFaults(t *testing.T) {
	s, faults := mustState(t, strings.NewReplacer(`"id": 1`, `"id": "one"`, `"passes": true`, `"passes": 1`, `"gates": []`, `"gates": [3, {"command": "make", "passes": true}]`,
		`"2026-09-01T10:30:00+02:00"`, `"now"`).Replace(stateText(V5)))
	if len(faults) != 4 {
		t.Errorf("faults: %q", told(t, faults))
	}
	if s.Tasks[0].ID != 0 || s.Tasks[0].Title != "Read the tables" || s.Tasks[0].Gates[0].Command != "make check" || s.UpdatedAt.Text != "now" {
		t.Errorf("task 1 = %+v", s.Tasks[0])
	}
	if g := s.Tasks[1].Gates; len(g) != 2 || g[1].Command != "make" || g[0].Node.Text != "3" {
		t.Errorf("gates of task 2 = %+v", g)
	}
}

// TestSyntaxError: what is no strict JSON is not decoded at all (PS-23, C47, C49).
func TestSyntaxError(t *testing.T) {
	for src, want := range map[string]strictjson.Reason{
		"": strictjson.Empty, `{"a":1,"a":2}`: strictjson.DuplicateKey, stateText(V5)[:400]: strictjson.Truncated,
		"<<<<<<< HEAD\n" + stateText(V5): strictjson.ConflictMarker, stateText(V5) + "{}": strictjson.TrailingData,
	} {
		s, faults, stateErr := ReadState([]byte(src))
		m, _, manifestErr := ReadManifest([]byte(src))
		r, _, receiptErr := ReadReceipt([]byte(src))
		if s != nil || faults != nil || m != nil || r != nil {
			t.Errorf("%.20q was decoded", src)
		}
		for _, err := range []error{stateErr, manifestErr, receiptErr} {
			if e, ok := errors.AsType[*strictjson.SyntaxError](err); !ok || e.Reason != want {
				t.Errorf("%.20q: %v, want %s", src, err, want)
			}
		}
	}
}

// TestByteOrderMark: a state saved with a byte-order mark is read, and Doc says so (C45).
func TestByteOrderMark(t *testing.T) {
	s, faults := mustState(t, "\xef\xbb\xbf"+stateText(V5))
	if !s.Doc.BOM || len(faults) > 0 || s.Plan != "PLAN_tide_tables" {
		t.Errorf("BOM %v, faults %+v", s.Doc.BOM, faults)
	}
}

// TestParseTime: RFC 3339 and nothing looser; a bare date is left as it is (C137).
func TestParseTime(t *testing.T) {
	for text, want := range map[string]string{
		"2026-09-01T10:30:00Z":         "2026-09-01T10:30:00Z",
		"2026-09-01T10:30:00.123456Z":  "2026-09-01T10:30:00.123456Z",
		"2026-09-01t10:30:00z":         "2026-09-01T10:30:00Z",
		"2026-09-01T23:30:00-05:00":    "2026-09-02T04:30:00Z",
		"0001-01-01T00:00:00Z":         "0001-01-01T00:00:00Z",
		"2999-01-01T00:00:00Z":         "2999-01-01T00:00:00Z", // the future is verify's matter
		"2026-09-01":                   "2026-09-01T00:00:00Z",
		"2026-09-01T10:30:00." + nines: "2026-09-01T10:30:00.999999999Z",
	} {
		got, ok := parseTime(strictjson.NewString(text))
		if !ok || got.Value.UTC().Format(time.RFC3339Nano) != want || got.Text != text || got.DateOnly != (len(text) == 10) {
			t.Errorf("parseTime(%q) = %+v, %v, want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "now", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-02-30", "2026-9-1", "2026-09-01T10:30:00",
		"2026-09-01 10:30:00Z", "2026-09-01T1:30:00Z", "2026-09-01T10:30Z", "2026-09-01T10:30:00,5Z", "2026-09-01T10:30:00.Z", "2026-09-01T24:00:00Z",
		"2026-09-01T10:30:00+24:00", "2026-09-01T10:30:00+05:60", "2026-09-01T10:30:00+0530", "2026-09-01T10:30:60Z", "2026-09-01T10:30:00Z\n", "20260901T103000Z"} {
		if got, ok := parseTime(strictjson.NewString(text)); ok || !got.Value.IsZero() {
			t.Errorf("parseTime(%q) = %v, want a refusal", text, got.Value)
		}
	}
}

const nines = "999999999999999999999999999999999999999999999999999999999999999999999999Z"

// TestManyTasks: 1,000 tasks with 100 gates each, every gate faulty, all of them reported (TRAPS). Every place in
// a file of one line is found by a short walk.
func TestManyTasks(t *testing.T) {
	gates := strings.TrimSuffix(strings.Repeat(`{"command":"make","passes":null},`, 100), ",")
	var tasks []string
	for id := 1; id <= 1000; id++ {
		tasks = append(tasks, fmt.Sprintf(`{"id":%d,"title":"t","status":"pending","locator":{"kind":"inline","value":"#task-%d"},"gates":[%s]}`, id, id, gates))
	}
	src := fmt.Sprintf(`{"schema":%q,"plan":"PLAN_x","updated_at":"2026-09-01T00:00:00Z","status":"pending","completed_count":0,"task_count":1000,`+
		`"format":"lite","materialization":"ready","tasks":[%s]}`, SchemaURL(StateFile, V5), strings.Join(tasks, ","))
	s, faults := mustState(t, src)
	if len(s.Tasks) != 1000 || len(faults) != 100_000 {
		t.Fatalf("%d tasks, %d faults", len(s.Tasks), len(faults))
	}
	last := faults[len(faults)-1]
	if last.Path != "tasks[999].gates[99].passes" {
		t.Errorf("last path = %s", last.Path)
	}
	for _, f := range faults {
		if line, column := s.Doc.Position(f.Value.Start); line != 1 || column != f.Value.Start+1 {
			t.Fatalf("%s at %d:%d", f.Path, line, column)
		}
	}
}

// TestHugeString: 15 MB in one string is a fault of length: its length is told, its text is not.
func TestHugeString(t *testing.T) {
	_, faults := mustState(t, swap("31 passed", strings.Repeat("x", 15<<20)))
	if len(faults) != 1 || faults[0].Rule != "gate/length" || len(faults[0].Message) > 200 {
		t.Errorf("faults: %d", len(faults))
	}
}

// seeds are whole files and some broken ones, for the fuzz targets.
func seeds(f *testing.F, whole func(Era) string) {
	for _, era := range eras {
		f.Add([]byte(whole(era)))
		f.Add([]byte(strings.ReplaceAll(whole(era), `"`+"2026", "2026")))
	}
	for _, text := range []string{"", "[]", "{}", `{"schema":null}`, `{"schema":"` + SchemaURL(StateFile, V5) + `","tasks":[{"gates":[[]]}]}`} {
		f.Add([]byte(text))
	}
}

// checkFaults holds what is true of every list of faults.
func checkFaults(t *testing.T, faults []Fault, err error) {
	if err != nil {
		if _, ok := errors.AsType[*strictjson.SyntaxError](err); !ok {
			t.Fatalf("error %T", err)
		}
		return
	}
	for _, f := range faults {
		if f.Rule == "" || f.Value == nil || f.Message == "" || len(f.Message) > 2000 {
			t.Fatalf("bad fault %+v", f)
		}
	}
}

func FuzzReadState(f *testing.F) {
	seeds(f, stateText)
	f.Fuzz(func(t *testing.T, src []byte) {
		_, faults, err := ReadState(src)
		checkFaults(t, faults, err)
	})
}

func FuzzReadManifest(f *testing.F) {
	seeds(f, manifestText)
	f.Fuzz(func(t *testing.T, src []byte) {
		_, faults, err := ReadManifest(src)
		checkFaults(t, faults, err)
	})
}

func FuzzReadReceipt(f *testing.F) {
	seeds(f, func(Era) string { return receiptText() })
	f.Fuzz(func(t *testing.T, src []byte) {
		r, faults, err := ReadReceipt(src)
		checkFaults(t, faults, err)
		for i := 0; err == nil && i < len(r.Files); i++ {
			if p := r.Files[i].Path; p != "" && !fs.ValidPath(p) {
				t.Fatalf("path %q leads outside", p)
			}
		}
	})
}

func BenchmarkReadState(b *testing.B) {
	gate := `{"command":"go test ./...","passes":true,"exit_code":0,"last_run":"2026-09-01T10:30:00Z","evidence":"14 passed, 0 failed"},`
	src := []byte(swap(`"gates": []`, `"gates": [`+strings.Repeat(gate, 1<<20/len(gate))+`{"command":"x","passes":false}]`))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, faults, err := ReadState(src); err != nil || len(faults) > 0 {
			b.Fatal(err, faults)
		}
	}
}
