package turn

import (
	"bytes"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"pgregory.net/rapid"
)

func full() *Record {
	at := time.Date(2026, 9, 1, 23, 0, 0, 5000, time.UTC)
	return &Record{
		N: 12, ID: "ab12", Plan: "PLAN_a_b", Task: 3, Agent: "claude", Model: "m", Queue: "q", Fence: 1 << 60, Started: at, Ended: at.Add(time.Minute),
		Process: disk.Process{PID: 7, Start: "1", Boot: "b", Host: "h", Namespace: "n"}, Result: StoppedNow,
		Stop: &Stop{Condition: S3, Rule: "turn/surface", Task: 3, Reason: "why \u00e9", Needs: "look"},
		Run: &Run{End: "timed out", Code: -1, Duration: 90*time.Second + 1, Log: Dir + "/12.log", LogSHA: "ff", Cut: 9,
			Report: Told{Conversation: "c", Failed: true, Text: "all done", Cost: 0.125, HasCost: true}},
		Before: Standing{StateSHA256: "1", ReadmeSHA256: "2", Head: "3", Dirty: 4}, After: Standing{StateSHA256: "5"},
		Gained:   Gained{Completed: true, Gates: []string{"make", "go test ./..."}, Checkpoint: true, Commits: []string{"3"}, Criteria: 2},
		Surface:  Surface{Planned: []string{"a"}, Declared: []string{"b"}, Changed: []string{"a", "c"}, Outside: []string{"c"}},
		Findings: []Finding{{"turn/surface", "c"}}, Untidy: []string{"mine.txt"},
	}
}

// UN-2: what is written of a turn reads back as it was.
func TestRecordRoundTrip(t *testing.T) {
	for name, r := range map[string]*Record{"full": full(), "begin": {N: 1, Plan: "PLAN_a_b", Task: 1, Result: Open, Started: full().Started},
		"cost of nothing": {N: 1, Plan: "PLAN_a_b", Result: Lost, Run: &Run{Report: Told{HasCost: true}}}} {
		data := r.Format()
		got, err := ParseRecord(data)
		if err != nil || !reflect.DeepEqual(got, r) {
			t.Errorf("%s: %v\ngot  %+v\nwant %+v", name, err, got, r)
		}
	}
	for _, want := range []string{`"version": 1`, `"started": "2026-09-01T23:00:00.000005Z"`, `"state_sha256": "1"`, `"log_sha256": "ff"`, `"duration": "1m30.000000001s"`, `"cost": 0.125`} {
		if !bytes.Contains(full().Format(), []byte(want)) {
			t.Errorf("no %s in\n%s", want, full().Format())
		}
	}
}

func TestRecordRoundTripOfAny(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z\x{e9}"\\ ]{0,8}`)
		words := rapid.SliceOfN(word, 1, 4)
		r := &Record{N: rapid.IntRange(1, 1<<40).Draw(t, "n"), Plan: "PLAN_a_b", Task: rapid.IntRange(0, 99).Draw(t, "task"), Result: Progress,
			Agent: word.Draw(t, "agent"), Started: time.Unix(rapid.Int64Range(1, 4e9).Draw(t, "at"), rapid.Int64Range(0, 1e9-1).Draw(t, "ns")).UTC(),
			Run:     &Run{Code: rapid.IntRange(-1, 255).Draw(t, "code"), Duration: time.Duration(rapid.Int64().Draw(t, "d")), Report: Told{Cost: rapid.Float64Range(0, 1e9).Draw(t, "cost"), HasCost: true}},
			Gained:  Gained{Gates: words.Draw(t, "gates"), Criteria: rapid.IntRange(0, 9).Draw(t, "criteria")},
			Surface: Surface{Changed: words.Draw(t, "changed")}}
		if got, err := ParseRecord(r.Format()); err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("%v\ngot  %+v\nwant %+v", err, got, r)
		}
	})
}

// Members of a later dwp are no error; a member that is wrong, and what is no record, is one that names it.
func TestParseRecord(t *testing.T) {
	const least = `"version": 1, "n": 1, "plan": "PLAN_a_b", "result": "open"`
	for _, text := range []string{`{` + least + `}`, `{` + least + `, "later": {"x": [1]}, "surface": {"depth": 4}}`, `{` + least + `, "stop": null, "result2": 3}`,
		`{` + strings.Replace(least, "open", "paused", 1) + `}`} {
		if r, err := ParseRecord([]byte(text)); err != nil || r.N != 1 {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		``: "empty", `[]`: "no object", `{}`: "version 0", `{"version": 2}`: "version 2", `{"version": 1}`: "n, plan or result is missing",
		`{` + least + `, "task": 1.5}`:                     "task is not a whole number",
		`{` + least + `, "task": "1"}`:                     "task is not a whole number",
		`{` + least + `, "started": "yesterday"}`:          "started is not a time",
		`{` + least + `, "findings": [1]}`:                 "findings is not an array of objects",
		`{` + least + `, "findings": [{"id": 1}]}`:         "findings[0].id is not a string",
		`{` + least + `, "gained": {"gates": [1]}}`:        "gained.gates is not an array of strings",
		`{` + least + `, "run": {"duration": "long"}}`:     "run.duration is not a duration",
		`{` + least + `, "run": {"report": {"cost": ""}}}`: "run.report.cost is not a number",
		`{` + least + `, "n": 1}`:                          "twice",
	} {
		if _, err := ParseRecord([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			if want == "empty" || want == "twice" { // in the reader's own words
				if err != nil {
					continue
				}
			}
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// The newest records are read, in the order of their numbers; what has another name is none, and one that can't be read is named.
func TestRecords(t *testing.T) {
	fsys := fstest.MapFS{}
	if list, err := Records(fsys, 5); err != nil || len(list) != 0 {
		t.Errorf("no folder: %v, %v", list, err)
	}
	put := func(name string, n int) {
		fsys[Dir+"/"+name] = &fstest.MapFile{Data: (&Record{N: n, Plan: "PLAN_a_b", Result: Open}).Format()}
	}
	for name, n := range map[string]int{"2.json": 2, "10.json": 10, "9.json": 9, "09.json": 9, "0.json": 0, "10.log": 10, "x.json": 1, "-1.json": 1, "10.states": 10} {
		put(name, n)
	}
	list, err := Records(fsys, 2)
	if err != nil || len(list) != 2 || list[0].N != 9 || list[1].N != 10 {
		t.Errorf("%+v, %v", list, err)
	}
	if all, err := Records(fsys, 99); err != nil || len(all) != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	if none, err := Records(fsys, -1); err != nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
	put("11.json", 12)
	if _, err := Records(fsys, 1); err == nil || !strings.Contains(err.Error(), "turns/11.json: it is the record of turn 12") {
		t.Errorf("another's number: %v", err)
	}
	fsys[Dir+"/13.json"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	if _, err := Records(fsys, 1); err == nil || !strings.Contains(err.Error(), "13.json: no regular file") {
		t.Errorf("a pipe: %v", err)
	}
	fsys[Dir+"/14.json"] = &fstest.MapFile{Data: bytes.Repeat([]byte(" "), maxRecord+1)}
	if _, err := Records(fsys, 1); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("a large one: %v", err)
	}
	if _, err := Records(broken{}, 1); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a folder that can't be read: %v", err)
	}
}

type broken struct{}

func (broken) Open(string) (fs.File, error) { return nil, fs.ErrPermission }

// A record that could be read is written in one way, whatever stood in it.
func FuzzParseRecord(f *testing.F) {
	f.Add(full().Format())
	f.Add([]byte(`{"version": 1, "n": 1, "plan": "PLAN_a_b", "result": "open", "later": 1e999}`))
	f.Add([]byte(`{"version": 1, "n": 1, "plan": "p", "result": "lost", "run": {"report": {"cost": 1e308}, "duration": "-1ns"}, "started": "2026-01-01T00:00:00+07:00"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ParseRecord(data)
		if err != nil {
			return
		}
		again, err := ParseRecord(r.Format())
		if err != nil || !bytes.Equal(again.Format(), r.Format()) {
			t.Errorf("%v\n%s\n%s", err, again.Format(), r.Format())
		}
	})
}
