package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/turn"
)

// nightly is a run over a plan of three tasks whose turns are given: each is made, then told.
type nightly struct {
	*night
	a           *app
	out, errs   bytes.Buffer
	dir, readme string
	now         time.Time
	calls       int
}

const nightReadme = "# Tea timer\n\n## Goal\n\nBrew.\n\n## Task List\n\n- [x] Task 1: Boil\n- [ ] Task 2: Pour\n- [ ] Task 3: Drink\n\nProgress: 1/3\n"

func newNightly(t *testing.T, settings []string, turns ...func(*nightly) (turn.Outcome, error)) *nightly {
	t.Helper()
	n := &nightly{dir: t.TempDir(), now: time.Date(2026, 9, 2, 22, 0, 0, 0, time.UTC)}
	writeTree(t, n.dir, map[string]string{".dwp/plans/PLAN_tea_timer/README.md": nightReadme, ".dwp/plans/PLAN_tea_timer/PROGRESS.md": "# Progress\n\n## Decisions\n\n- **D1**: old\n"})
	env := testEnv(n.dir, &n.out, &n.errs, settings...)
	env.Now = func() time.Time { return n.now }
	n.a = &app{env: env, out: bufio.NewWriter(&n.out)}
	t.Cleanup(func() { n.a.out.Flush() })
	root, err := n.a.root()
	if err != nil {
		t.Fatal(err)
	}
	at, err := n.a.resolve(root, "tea_timer")
	if err != nil {
		t.Fatal(err)
	}
	n.readme = filepath.Join(at.Path, "README.md")
	n.night = &night{target: at, flags: &runFlags{}, priced: true, endings: func() (chan os.Signal, func()) { return make(chan os.Signal), func() {} }}
	n.loop = &turn.Loop{
		Turn:   turn.Turn{Agent: &agent.Adapter{Name: "claude"}, Plan: publish.Plan{FS: nil, Name: at.Name, Now: env.Now}, Path: at.Path},
		Budget: turn.Budget{Turns: 9, Time: 8 * time.Hour, TurnTime: time.Hour, Cost: 5},
		Sleep:  func(context.Context, time.Duration) error { return nil },
		Look: func() (turn.Reached, error) {
			s, err := plan.Open(at.Path)
			if err != nil {
				return turn.Reached{}, err
			}
			o := s.Overview()
			return turn.Reached{Done: o.Completed, Total: o.Total, Completed: o.Completed == o.Total}, nil
		},
	}
	n.loop.Take = func(context.Context) (turn.Outcome, error) {
		n.calls++
		n.now = n.now.Add(10 * time.Minute)
		return turns[min(n.calls, len(turns))-1](n)
	}
	return n
}

// spent runs it, and returns the exit code with what was said.
func (n *nightly) spent(t *testing.T) (code int, out, errs string) {
	t.Helper()
	code = n.a.finish("run", n.a.spend(t.Context(), n.night))
	n.a.out.Flush()
	return code, strings.ReplaceAll(n.out.String(), n.dir, "DIR"), strings.ReplaceAll(n.errs.String(), n.dir, "DIR")
}

// completes is a turn that completes a task, as its agent would.
func completes(task int, title string, cost float64) func(*nightly) (turn.Outcome, error) {
	return func(n *nightly) (turn.Outcome, error) {
		n.edit("- [ ] Task "+itoa(task), "- [x] Task "+itoa(task))
		r := &turn.Record{N: n.calls + 10, Task: task, Result: turn.Completed, Run: &turn.Run{Report: turn.Told{Cost: cost, HasCost: cost > 0}}}
		r.Gained = turn.Gained{Completed: true, Gates: []string{"go test ./" + strings.ToLower(title)}, Commits: []string{"abc1234"}}
		n.loop.Turn.Tell(turn.Event{Kind: turn.Woke, At: n.now, Text: "the lease is taken"})
		n.loop.Turn.Tell(turn.Event{Kind: turn.Handed, At: n.now, Turn: r.N, Task: task, Title: title, Text: "task " + itoa(task) + " is handed to claude"})
		n.loop.Turn.Output.Write([]byte("an agent's \x1b[2J words\n"))
		return turn.Outcome{Result: turn.Completed, Record: r}, nil
	}
}

func (n *nightly) edit(old, new string) {
	text, err := os.ReadFile(n.readme)
	if err == nil {
		err = os.WriteFile(n.readme, []byte(strings.ReplaceAll(string(text), old, new)), 0o644)
	}
	if err != nil {
		panic(err)
	}
}

// stops is a turn that stops the plan, after its agent has decided something.
func stops(n *nightly) (turn.Outcome, error) {
	progress := filepath.Join(filepath.Dir(n.readme), "PROGRESS.md")
	text, err := os.ReadFile(progress)
	if err == nil {
		err = os.WriteFile(progress, []byte(string(text)+"- **D2**: green tea\n"), 0o644)
	}
	r := &turn.Record{N: n.calls + 10, Task: 3, Result: turn.StoppedNow, Run: &turn.Run{}}
	stop := &turn.Stop{Condition: turn.S3, Rule: "turn/surface", Task: 3, Reason: "cup.txt is outside the task", Needs: "say whether cup.txt stays"}
	n.loop.Turn.Tell(turn.Event{Kind: turn.Stopped, At: n.now, Turn: r.N, Task: 3, Text: "[S3] cup.txt is outside the task"})
	return turn.Outcome{Result: turn.StoppedNow, Record: r, Stop: stop, Warnings: []string{"git is slow"}}, err
}

// The morning shows what was done, what was decided, and what is needed; on the way there is a line for each event, and nothing of the
// agent's own words.
func TestRunTellsTheMorning(t *testing.T) {
	n := newNightly(t, nil, completes(2, "Pour", 0.4), stops)
	code, out, errs := n.spent(t)
	want := `PLAN_tea_timer: stopped, a person is needed (2 turns, 20m00s, $0.40, 2 of 3
tasks done)
  [S3] task 3: cup.txt is outside the task (turn/surface)

Turns (analysis_results/turns)
  turn 11: task 2: completed (10m00s, $0.40, 1 gate passes, 1 commit)
  turn 12: task 3: stopped; a person is needed (10m00s)

Tasks completed
  task 2: Pour

Decisions

  D2       green tea

Needed
  say whether cup.txt stays
`
	if code != ExitBlocked || out != want {
		t.Errorf("code %d, output\n%s", code, out)
	}
	lines := `2026-09-02T22:00:00Z PLAN_tea_timer: 1 of 3 tasks done; at most 9 turns, 8h00m
2026-09-02T22:10:00Z the lease is taken
2026-09-02T22:10:00Z turn 11: task 2 is handed to claude: Pour
2026-09-02T22:10:00Z turn 11: task 2: completed (10m00s, $0.40, 1 gate passes, 1 commit)
2026-09-02T22:20:00Z turn 12: [S3] cup.txt is outside the task
2026-09-02T22:20:00Z turn 12: task 3: stopped; a person is needed (10m00s)
dwp: warning: git is slow
`
	if errs != lines {
		t.Errorf("on the way\n%s", errs)
	}
}

// Each end has its exit code, and JSON names it; to reach a bound is no error.
func TestRunEnds(t *testing.T) {
	result := func(r turn.Result) func(*nightly) (turn.Outcome, error) {
		return func(*nightly) (turn.Outcome, error) { return turn.Outcome{Result: r}, nil }
	}
	fails := func(err error) func(*nightly) (turn.Outcome, error) {
		return func(*nightly) (turn.Outcome, error) { return turn.Outcome{}, err }
	}
	for name, c := range map[string]struct {
		turn func(*nightly) (turn.Outcome, error)
		end  turn.End
		code int
		err  string // code in JSON
	}{
		"done":        {result(turn.PlanDone), turn.EndCompleted, ExitOK, ""},
		"turns":       {result(turn.Progress), turn.EndMaxTurns, ExitOK, ""},
		"costs":       {completes(2, "Pour", 6), turn.EndMaxCost, ExitOK, ""},
		"blocked":     {result(turn.PlanBlocked), turn.EndBlocked, ExitBlocked, ""},
		"stopped":     {stops, turn.EndStopped, ExitBlocked, ""},
		"interrupted": {result(turn.Interrupted), turn.EndInterrupted, ExitInterrupted, ""},
		"refused":     {fails(publish.RefuseBy(nil, "guard/open-plan", "no")), turn.EndRefused, ExitNo, "guard/open-plan"},
		"disk":        {fails(errors.New("no space left")), turn.EndFailed, ExitCannot, "error"},
		"no agent":    {fails(&turn.NotRun{Agent: "claude", Reason: "not found"}), turn.EndNoAgent, ExitCannot, "no-agent"},
	} {
		t.Run(name, func(t *testing.T) {
			n := newNightly(t, nil, c.turn)
			n.a.json = true
			code, out, _ := n.spent(t)
			var said struct {
				End    turn.End
				Turns  []ranTurn
				Totals ranTotals
				Error  *errorBody
			}
			if err := json.Unmarshal([]byte(out), &said); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if code != c.code || said.End != c.end || said.Totals.Turns != len(said.Turns) {
				t.Errorf("code %d, end %q, %d turns; want %d, %q", code, said.End, len(said.Turns), c.code, c.end)
			}
			if (said.Error == nil) != (c.err == "") || said.Error != nil && said.Error.Code != c.err {
				t.Errorf("error %+v, want %q", said.Error, c.err)
			}
		})
	}
}

// Nothing happened, so there is nothing to tell but why (UN-1).
func TestRunThatIsRefused(t *testing.T) {
	n := newNightly(t, nil, func(*nightly) (turn.Outcome, error) {
		return turn.Outcome{}, publish.RefuseBy(nil, "guard/open-plan", "no opt-in")
	})
	code, out, errs := n.spent(t)
	if code != ExitNo || out != "" || !strings.Contains(errs, "guard/open-plan (VP-1): no opt-in; nothing was written") {
		t.Errorf("code %d, output %q\n%s", code, out, errs)
	}
}

// UN-4: the notification gets the answer to read, after an interrupt too; its failure is a warning.
func TestRunNotifies(t *testing.T) {
	n := newNightly(t, nil, func(*nightly) (turn.Outcome, error) { return turn.Outcome{Result: turn.Interrupted}, nil })
	n.flags.notify = "cat > told.json"
	code, _, errs := n.spent(t)
	text, err := os.ReadFile(filepath.Join(n.dir, "told.json"))
	if err != nil {
		t.Fatal(err)
	}
	var told ranAnswer
	if err := json.Unmarshal(text, &told); err != nil || told.End != turn.EndInterrupted || code != ExitInterrupted {
		t.Errorf("code %d, told %q, %v\n%s", code, told.End, err, errs)
	}
	n = newNightly(t, nil, func(*nightly) (turn.Outcome, error) { return turn.Outcome{Result: turn.PlanDone}, nil })
	n.flags.notify = "exit 7"
	if code, _, errs := n.spent(t); code != ExitOK || !strings.Contains(errs, "dwp: warning: the notification failed: exit code 7; the run is over all the same") {
		t.Errorf("code %d\n%s", code, errs)
	}
}

// The first interrupt cancels the turn, which ends by its checkpoint; the second doesn't wait for it.
func TestRunIsInterruptedTwice(t *testing.T) {
	n := newNightly(t, nil)
	hangs := make(chan struct{})
	t.Cleanup(func() { close(hangs) })
	pressed := make(chan os.Signal, 2)
	n.loop.Take = func(ctx context.Context) (turn.Outcome, error) {
		pressed <- os.Interrupt
		<-ctx.Done()
		pressed <- os.Interrupt
		<-hangs
		return turn.Outcome{}, nil
	}
	n.endings = func() (chan os.Signal, func()) { return pressed, func() {} }
	n.flags.notify = "touch told"
	code, _, errs := n.spent(t)
	if code != ExitInterrupted || !strings.Contains(errs, "interrupted: the turn ends by a checkpoint") {
		t.Errorf("code %d\n%s", code, errs)
	}
	if _, err := os.Stat(filepath.Join(n.dir, "told")); err == nil {
		t.Error("the second interrupt waits for a notification")
	}
}

// A fault of the program in a turn ends as any other.
func TestRunTellsOfAFault(t *testing.T) {
	n := newNightly(t, nil, func(*nightly) (turn.Outcome, error) {
		var nothing *turn.Record
		return turn.Outcome{Result: nothing.Result}, nil
	})
	if code, _, errs := n.spent(t); code != ExitCannot || !strings.Contains(errs, "dwp: internal error: runtime error") {
		t.Errorf("code %d\n%s", code, errs)
	}
}

// Every bound is finite: what is none is a wrong call, before a plan is looked for. Inside a turn no run is begun (UN-1, UN-6).
func TestRunRefusesTheCall(t *testing.T) {
	dir := t.TempDir()
	teaRepository(t, dir)
	for call, want := range map[string]string{
		"run --max-turns 0": "--max-turns is not above zero: 0", "run --max-time -1s": "--max-time is not above zero",
		"run --max-turn-time 0s": "--max-turn-time is not above zero", "run --max-cost 0": "--max-cost is no amount", "run --max-cost NaN": "--max-cost is no amount",
		"run --max-cost Inf": "--max-cost is no amount", "run --until tomorrow": `--until "tomorrow" is none of its words`, "run --notify  ": "--notify is empty",
	} {
		var out, errs bytes.Buffer
		args := strings.SplitN(call, " ", 3)
		if code := Main(args, testEnv(dir, &out, &errs)); code != ExitUsage || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: code %d: %s", call, code, errs.String())
		}
	}
	var out, errs bytes.Buffer
	if code := Main([]string{"run"}, testEnv(dir, &out, &errs, "DWP_TURN=3-x")); code != ExitNo || !strings.Contains(errs.String(), "guard/in-turn (UN-6)") {
		t.Errorf("in a turn: code %d: %s", code, errs.String())
	}
}
