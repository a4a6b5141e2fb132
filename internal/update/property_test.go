package update_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// drawText draws a text that is mostly absent, sometimes good, sometimes bad.
func drawText(rt *rapid.T, name string, good ...string) string {
	bad := []string{"two\nlines", strings.Repeat("x", 1200), "a\xff", "\u2028", " "}
	switch rapid.IntRange(0, 11).Draw(rt, name+" sort") {
	case 0:
		return rapid.SampledFrom(bad).Draw(rt, name)
	case 1:
		return rapid.String().Draw(rt, name)
	case 2, 3, 4:
		return rapid.SampledFrom(good).Draw(rt, name)
	}
	return ""
}

func drawGate(rt *rapid.T) update.Gate {
	g := update.Gate{
		Command:  rapid.SampledFrom([]string{"make chart", "make chart ", "make lint", "make chart | tail -1", "", "go test ./..."}).Draw(rt, "command"),
		Passes:   rapid.IntRange(0, 3).Draw(rt, "passes") > 0,
		Evidence: rapid.SampledFrom([]string{"8 passed", "9 passed", "0 tests executed", "not executed", "2 failed", "", "[invalidated by refine] 8 passed", "log=analysis_results/gates/chart.log", "log=../x.log", strings.Repeat("e", 440), strings.Repeat("e", 441)}).Draw(rt, "evidence"),
		LastRun:  rapid.SampledFrom([]string{"", "", "", "2026-09-01T10:30:00Z", "2026-09-01T13:00:00+02:00", "2026-09-01", "2999-01-01T00:00:00Z", "noon"}).Draw(rt, "last run"),
	}
	if exit := rapid.SampledFrom([]int{0, 0, 0, 1, 143, -99}).Draw(rt, "exit"); exit != -99 {
		g.ExitCode = &exit
	}
	if g.ExitCode != nil && rapid.IntRange(0, 5).Draw(rt, "agree") > 0 {
		g.Passes = *g.ExitCode == 0
	}
	return g
}

// drawSane draws a change that an agent would make; drawWild one that may be nonsense in every part.
func drawSane(rt *rapid.T, tasks int) update.Change {
	ch := update.Change{Task: rapid.IntRange(1, tasks).Draw(rt, "task"),
		Status: rapid.SampledFrom([]state.Status{"", state.InProgress, state.Completed, state.Completed, state.Pending}).Draw(rt, "status")}
	for range rapid.IntRange(0, 2).Draw(rt, "gates") {
		ch.Gates = append(ch.Gates, gateOf(rapid.SampledFrom([]string{"make chart", "make chart ", "make lint"}).Draw(rt, "command"),
			rapid.SampledFrom([]int{0, 0, 0, 0, 1}).Draw(rt, "exit"), rapid.SampledFrom([]string{"8 passed", "9 passed", "log=analysis_results/gates/chart.log"}).Draw(rt, "evidence")))
	}
	sometimes := func(name, value string) string {
		return rapid.SampledFrom([]string{"", "", "", value}).Draw(rt, name)
	}
	ch.Agent, ch.Commit, ch.Worked = sometimes("agent", "bo"), sometimes("commit", "a1b2c3d"), sometimes("worked", "sorted by day")
	ch.CheckpointStep, ch.CheckpointNote = sometimes("step", "instructions:3"), sometimes("note", "nearly")
	switch rapid.IntRange(0, 5).Draw(rt, "extra") {
	case 0:
		ch.Status, ch.ReopenReason = rapid.SampledFrom([]state.Status{state.InProgress, state.Pending}).Draw(rt, "reopen to"), "tides turn"
	case 1:
		ch.ResolveBlocker = true
	case 2:
		ch.Status, ch.BlockReason, ch.BlockNeeds = state.Blocked, "[S2] no key", sometimes("needs", "a key")
	}
	return ch
}

func drawWild(rt *rapid.T, tasks int) update.Change {
	ch := update.Change{
		Task:           rapid.IntRange(1, tasks).Draw(rt, "task"),
		Status:         rapid.SampledFrom([]state.Status{"", state.InProgress, state.InProgress, state.Completed, state.Completed, state.Pending, state.Blocked, state.Skipped, "done"}).Draw(rt, "status"),
		Gates:          rapid.SliceOfN(rapid.Custom(drawGate), 0, 3).Draw(rt, "gates"),
		Worked:         drawText(rt, "worked", "sorted by hour"),
		Notes:          drawText(rt, "notes", "skills: none"),
		Commit:         drawText(rt, "commit", "a1b2c3d"),
		CheckpointStep: drawText(rt, "step", "instructions:2", "done"),
		CheckpointNote: drawText(rt, "note", "half done"),
		Agent:          drawText(rt, "agent", "ana", "bo"),
		Model:          drawText(rt, "model", "m1"),
		BlockNeeds:     drawText(rt, "needs", "a key"),
		ResolveBlocker: rapid.IntRange(0, 3).Draw(rt, "resolve") == 0,
		ExpectedSHA256: "",
		InTurn:         rapid.IntRange(0, 5).Draw(rt, "turn") == 0,
		Questions:      []byte(drawText(rt, "questions", "## Task 1\nAnswer: yes, 2026-09-01\n")),
		ReopenReason:   drawText(rt, "reopen", "tides turn"),
		Tried:          []string{drawText(rt, "tried", "by day")},
		BlockReason:    "",
	}
	if ch.Status == state.Blocked || rapid.IntRange(0, 9).Draw(rt, "block") == 0 {
		ch.BlockReason = drawText(rt, "reason", "[S2] no key", "no key")
	}
	return ch
}

// drawPlan draws a healthy plan in some state of its life, with amendments for reopening.
func drawPlan(rt *rapid.T) *fixture {
	f := tides(rapid.SampledFrom([]string{"ppp", "cpp", "ccp", "ccc", "cip", "cci", "bpp", "cbp", "csp", "i", "c", "ccccip"}).Draw(rt, "plan"))
	tasks := bytes.Count(f.files["state.json"].Data, []byte(`"id":`))
	for task := 1; task <= tasks; task++ {
		for number := 1; number <= 2; number++ {
			f.amendIn(task, number)
		}
	}
	if rapid.Bool().Draw(rt, "declared") {
		f.files["README.md"].Data = bytes.ReplaceAll(f.files["README.md"].Data, []byte("<!-- log 2 -->"), []byte("Depends on: none\n<!-- log 2 -->"))
	}
	// Fields that no schema knows, at the top and in every entry, and numbers spelled oddly.
	src := f.files["state.json"].Data
	src = bytes.Replace(src, []byte(`"plan":`), []byte(`"x-trace": {"b": 1.50e3, "a": "\u00e9"}, "plan":`), 1)
	src = bytes.ReplaceAll(src, []byte(`{"id":`), []byte(`{"x-cost": 1.00, "id":`))
	f.files["state.json"].Data = src
	return f
}

func (f *fixture) amendIn(task, number int) {
	mark := []byte("<!-- log " + string(rune('0'+task)) + " -->")
	text := amendmentText(number, "tasks 1-9 are reopened") + "\n"
	f.files["README.md"].Data = bytes.Replace(f.files["README.md"].Data, mark, append([]byte(text), mark...), 1)
}

func (f *fixture) snapshot(t fataler) *plan.Snapshot {
	s, err := plan.Read(f.files, "PLAN_tide_charts")
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

type fataler interface {
	Fatalf(format string, args ...any)
}

// musts lists what breaks conformance as far as state.json alone tells.
func musts(s *plan.Snapshot, at time.Time) []rule.Finding {
	var found []rule.Finding
	for _, f := range verify.StateAlone(s, verify.Options{Now: at}) {
		if f.Level == rule.Must {
			found = append(found, f)
		}
	}
	return found
}

// TestInvariants: whatever is asked for, Next doesn't panic and changes nothing it was given; what it accepts breaks no must rule that
// reads state.json alone (PS-9 to PS-17), keeps the fields it doesn't know and the bytes of other tasks (PS-21, PS-23), brings nothing
// new when it is replayed (GU-4), loses no record (LF-10), and, at the end of the plan, follows from the state before (VP-1).
func TestInvariants(t *testing.T) {
	accepted, changed, ended := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		f := drawPlan(rt)
		at := now
		s := f.snapshot(rt)
		if found := musts(s, at); len(found) > 0 {
			rt.Fatalf("the plan is not healthy: %+v", found)
		}
		for range rapid.IntRange(1, 8).Draw(rt, "changes") {
			draw := drawSane
			if rapid.IntRange(0, 3).Draw(rt, "wild") == 0 {
				draw = drawWild
			}
			ch := draw(rt, len(s.State.Tasks))
			at = at.Add(time.Duration(rapid.IntRange(0, 90).Draw(rt, "seconds")) * time.Second)
			before := bytes.Clone(s.Files["state.json"].Data)
			result, refusal := update.Next(s, ch, at)
			if !bytes.Equal(before, s.Files["state.json"].Data) || !bytes.Equal(strictjson.Format(s.State.Doc.Root), canonical(rt, before)) {
				rt.Fatalf("the snapshot was changed")
			}
			if refusal != nil {
				continue
			}
			accepted++
			if !result.Changed {
				if !bytes.Equal(result.State, before) || result.Terminal {
					rt.Fatalf("nothing changed, and yet %t %s", result.Terminal, result.State)
				}
				continue
			}
			changed++
			f.files["state.json"].Data = result.State
			old := s
			s = f.snapshot(rt)
			if found := musts(s, at); len(found) > 0 {
				rt.Fatalf("breaks %+v\n%s", found, result.State)
			}
			checkKept(rt, old.State, s.State, ch)
			if result.Terminal {
				ended++
				if refusal := update.Follows(old.State, s.State, at); refusal != nil {
					rt.Fatalf("its own end is refused: %v", refusal)
				}
			}
			if again, refusal := update.Next(s, ch, at); refusal != nil && refusal.Rule != "guard/other-blocker" || again.Changed {
				rt.Fatalf("replay: changed %t, %v\n%s", again.Changed, refusal, again.State)
			}
		}
	})
	if accepted < 20 || changed < 15 {
		t.Errorf("%d accepted, %d changed, %d ended: too few to prove anything", accepted, changed, ended)
	}
}

func canonical(t fataler, src []byte) []byte {
	doc, err := strictjson.Parse(src)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return strictjson.Format(doc.Root)
}

// checkKept compares two states around a change of one task.
func checkKept(t fataler, old, new *state.State, ch update.Change) {
	for i := range old.Tasks {
		was, is := strictjson.Format(old.Tasks[i].Node), strictjson.Format(new.Tasks[i].Node)
		if i+1 != ch.Task && !bytes.Equal(was, is) {
			t.Fatalf("task %d was changed: %s", i+1, is)
		}
		if cost := new.Tasks[i].Node.Member("x-cost"); cost == nil || cost.Text != "1.00" {
			t.Fatalf("task %d lost its unknown field: %s", i+1, is)
		}
		if i+1 == ch.Task && len(new.Tasks[i].Gates) < len(old.Tasks[i].Gates) {
			t.Fatalf("task %d lost a record: %s", i+1, is)
		}
	}
	was, is := old.Doc.Root.Member("x-trace"), new.Doc.Root.Member("x-trace")
	if is == nil || !bytes.Equal(strictjson.Format(was), strictjson.Format(is)) {
		t.Fatalf("the unknown field of the state was changed")
	}
	for i := range min(len(old.Doc.Root.Members), 13) {
		if name := old.Doc.Root.Members[i].Name; name != new.Doc.Root.Members[i].Name && new.Doc.Root.Member("updated_by") != nil && old.UpdatedBy != nil {
			t.Fatalf("key %s changed its place", name)
		}
	}
}
