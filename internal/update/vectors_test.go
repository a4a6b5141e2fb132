package update_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// updateVector is one conformance vector of guarded updates, as far as the pure decision tells.
type updateVector struct {
	args  []string
	exit  int
	after map[string]any
	files fstest.MapFS
}

func readVector(t *testing.T, path string) updateVector {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	v := updateVector{files: fstest.MapFS{"analysis_results/.keep": {}}}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "args":
			err = json.Unmarshal([]byte(value), &v.args)
		case "after":
			err = json.Unmarshal([]byte(value), &v.after)
		case "expect-exit":
			v.exit, err = strconv.Atoi(value)
		}
		if err != nil {
			t.Fatalf("%s: %s: %v", path, key, err)
		}
	}
	for _, f := range archive.Files {
		v.files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return v
}

// change reads the options of GU-2, as the command will.
func (v *updateVector) change(t *testing.T, sha string) (update.Change, *update.Refusal) {
	t.Helper()
	ch := update.Change{}
	texts := map[string]*string{"--worked": &ch.Worked, "--notes": &ch.Notes, "--commit": &ch.Commit, "--checkpoint-step": &ch.CheckpointStep,
		"--checkpoint-note": &ch.CheckpointNote, "--agent": &ch.Agent, "--model": &ch.Model, "--block-reason": &ch.BlockReason,
		"--block-needs": &ch.BlockNeeds, "--reopen-reason": &ch.ReopenReason, "--expected-sha256": &ch.ExpectedSHA256}
	for i := 0; i < len(v.args); i++ {
		name := v.args[i]
		if name == "--resolve-blocker" {
			ch.ResolveBlocker = true
			continue
		}
		i++
		value := strings.ReplaceAll(v.args[i], "@sha", sha)
		switch name {
		case "--task":
			ch.Task, _ = strconv.Atoi(value)
		case "--status":
			ch.Status = state.Status(value)
		case "--tried":
			ch.Tried = append(ch.Tried, value)
		case "--failed":
			ch.Failed = append(ch.Failed, value)
		case "--gate", "--gate-json":
			parse := update.ParseGate
			if name == "--gate-json" {
				parse = update.ParseGateJSON
			}
			gate, refusal := parse(value)
			if refusal != nil {
				return ch, refusal
			}
			ch.Gates = append(ch.Gates, gate)
		default:
			into := texts[name]
			if into == nil {
				t.Fatalf("unknown option %q", name)
			}
			*into = value
		}
	}
	return ch, nil
}

// TestUpdateVectors runs the shared vectors where they are at hand: exit code 1 is a refusal, 2 one of usage. What the
// finalizer refuses is terminal here.
func TestUpdateVectors(t *testing.T) {
	paths, _ := filepath.Glob("../../../shared/vectors/update/*.txtar")
	if len(paths) == 0 {
		if _, err := os.Stat("../../../shared"); err == nil {
			t.Fatal("no vectors found")
		}
		t.Skip("no conformance vectors here")
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			v := readVector(t, path)
			before := bytes.Clone(v.files["state.json"].Data)
			s, err := plan.Read(v.files, "PLAN_quote_service")
			if err != nil {
				t.Fatal(err)
			}
			ch, refusal := v.change(t, s.Files["state.json"].SHA256())
			var result update.Result
			if refusal == nil {
				result, refusal = update.Next(s, ch, now)
			}
			exit := 0
			if refusal != nil {
				exit = 1
				if refusal.Usage {
					exit = 2
				}
			}
			if !bytes.Equal(s.Files["state.json"].Data, before) {
				t.Error("the snapshot was changed")
			}
			if result.Terminal && v.exit == 1 {
				return // for the finalizer to refuse (VP-2)
			}
			if exit != v.exit {
				t.Fatalf("exit %d, want %d: %v", exit, v.exit, refusal)
			}
			if exit == 0 {
				checkAfter(t, result.State, v.after)
			}
		})
	}
}

func checkAfter(t *testing.T, src []byte, after map[string]any) {
	t.Helper()
	st, faults, err := state.ReadState(src)
	if err != nil || len(faults) > 0 {
		t.Fatalf("the new state: %v %+v", err, faults)
	}
	pair := func(v any) (*state.Task, string) {
		list := v.([]any)
		return &st.Tasks[int(list[0].(float64))-1], list[1].(string)
	}
	for key, want := range after {
		got, ok := "", false
		switch key {
		case "status":
			got, ok = string(st.Status), string(st.Status) == want
		case "completed_count":
			got, ok = strconv.Itoa(st.CompletedCount), float64(st.CompletedCount) == want
		case "task":
			task, status := pair(want)
			got, ok = string(task.Status), string(task.Status) == status
		case "gate_command":
			task, command := pair(want)
			got, ok = task.Gates[len(task.Gates)-1].Command, task.Gates[len(task.Gates)-1].Command == command
		case "blocked_task":
			if want == nil {
				ok = st.Blocked == nil
			} else {
				ok = st.Blocked != nil && float64(st.Blocked.Task) == want
			}
		default:
			t.Fatalf("unknown header after.%s", key)
		}
		if !ok {
			t.Errorf("after: %s is %s, want %v", key, got, want)
		}
	}
}
