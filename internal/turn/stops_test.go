package turn

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"pgregory.net/rapid"
)

// told is a stop on one line.
func told(s *Stop) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("%s %s %d", s.Condition, s.Rule, s.Task)
}

// UN-3, C97, C103: one row per rule and near miss of what keeps a turn from beginning.
func TestStopBefore(t *testing.T) {
	type changes = []func(*world)
	const head = "# Questions\n\n"
	question := func(class, about, blocks, more string) func(*world) {
		return put(plan.QuestionsFile, head+"## Q1"+about+": Which tariff?\n\n- Class: "+class+"\n- Recommended: the new one\n"+blocks+"- Asked: 2026-09-02 by Mill\n"+more)
	}
	const behind, later = "- Blocks: nothing yet: it waits behind the blocker of task 3\n", "- Blocks: nothing: it can wait\n"
	pending2 := func(w *world) { w.entry(2, `"status": "pending", "gates": []`) }
	reads := func(link string) func(*world) { return edit(second, "- `load/README.md`", "- "+link) }
	for name, test := range map[string]struct {
		changes changes
		last    []Record
		dirty   []string
		want    string
	}{
		"nothing stands in the way": {nil, nil, nil, ""},
		// S2.
		"S2: approval withdrawn":                          {changes{edit("README.md", "**Approval:** approved", "**Approval:** pending"), edit("state.json", `"approval": "approved"`, `"approval": "pending"`)}, nil, nil, "S2 turn/approval 2"},
		"S2: approved in one place":                       {changes{edit("README.md", "**Approval:** approved", "**Approval:** pending")}, nil, nil, "S2 turn/approval 2"},
		"S2: critical question behind a blocker":          {changes{question("C2", " (Task 2)", behind, "")}, nil, nil, "S2 turn/question 2"},
		"S2: written by hand, a person's own act":         {changes{question("C1", " (Task 2)", "", "")}, nil, nil, "S2 turn/question 2"},
		"UN-7: it can wait":                               {changes{question("C1", " (Task 2)", later, "")}, nil, nil, ""},
		"UN-7: about another task":                        {changes{question("C2", " (Task 3)", behind, "")}, nil, nil, ""},
		"about the plan as a whole":                       {changes{question("C1", "", "", "")}, nil, nil, ""},
		"answered":                                        {changes{question("C2", " (Task 2)", behind, "- Answered by Ana on 2026-09-03: the old one\n")}, nil, nil, ""},
		"it blocked the task, and a person resolved that": {changes{question("C2", " (Task 2)", "- Blocks: task 2, and what waits for it: 3, 4\n", "")}, nil, nil, ""},
		"S2, UN-6: nothing left but a person's approval":  {changes{criterion(" ", "Ana signs off the wording"), tickAll, gates("make test-shard|0|12 passed")}, nil, nil, "S2 turn/human-gate 2"},
		"a person's approval, and work":                   {changes{criterion(" ", "Ana signs off the wording"), gates("make test-shard|0|12 passed")}, nil, nil, ""},
		"C97: a blocker is no stop of its own":            {changes{blocked(2, "[S2] key")}, nil, nil, ""},
		// S3.
		"S3: newer standard":                     {changes{edit("README.md", "DWP spec 5.0.0", "DWP spec 9.0.0")}, nil, nil, "S3 turn/standard 2"},
		"S3: malformed":                          {changes{put("state.json", "{")}, nil, nil, "S3 turn/malformed 2"},
		"S3: duplicates":                         {changes{edit("README.md", "- [ ] Task 3:", "- [ ] Task 2:")}, nil, nil, "S3 turn/duplicates 2"},
		"S3: desync":                             {changes{edit("README.md", "- [ ] Task 2", "- [x] Task 2")}, nil, nil, "S3 turn/desync 2"},
		"S3: tasks wait for each other":          {changes{edit(second, "## Context", "Depends on: 3\n\n## Context"), edit("3.task_load_shard_3.md", "## Context", "Depends on: 2\n\n## Context")}, nil, nil, "S3 turn/stuck 2"},
		"S3: a file to read is missing":          {changes{reads("[tariffs](analysis_results/tariffs.md)")}, nil, nil, "S3 turn/missing-file 2"},
		"S3: a record to read is missing":        {changes{reads("[before](1.task_other.md#log)")}, nil, nil, "S3 turn/missing-file 2"},
		"a file to read is there":                {changes{reads("[notes](analysis_results/notes.md), [before](./1.task_load_shard_1.md#goal)")}, nil, nil, ""},
		"a link out of the plan":                 {changes{reads("[code](../../../load/x.go), [site](https://example.org/analysis_results/x.md), [here](#goal)")}, nil, nil, ""},
		"a link elsewhere in the record":         {changes{edit(second, "- a loaded shard", "- [report](analysis_results/report.md)")}, nil, nil, ""},
		"S3: concurrent work":                    {changes{pending2}, nil, []string{"load/x.go"}, "S3 turn/concurrent 2"},
		"an untidy tree":                         {changes{pending2}, nil, []string{"notes.txt", "other/"}, ""},
		"the task has begun":                     {nil, nil, []string{"load/x.go"}, ""},
		"a turn left it":                         {changes{pending2}, []Record{{N: 1, Task: 1, Result: Completed, Surface: Surface{Changed: []string{"load/x.go"}}}}, []string{"load/x.go"}, ""},
		"a turn left it in a new folder":         {changes{pending2}, []Record{{N: 1, Task: 1, Result: Completed, Surface: Surface{Changed: []string{"load/x.go"}}}}, []string{"load/"}, ""},
		"a turn left another file":               {changes{pending2}, []Record{{N: 1, Task: 1, Result: Completed, Surface: Surface{Changed: []string{"load/y.go"}}}}, []string{"load/x.go"}, "S3 turn/concurrent 2"},
		"a lost turn may have left it":           {changes{pending2}, []Record{{N: 1, Task: 1, Result: Lost}}, []string{"load/x.go"}, ""},
		"a turn that changed very much may have": {changes{pending2}, []Record{{N: 1, Task: 1, Result: Completed, Surface: Surface{Changed: make([]string, maxListed+1)}}}, []string{"load/x.go"}, ""},
		"the whole repository is planned":        {changes{pending2, planned("`./`")}, nil, []string{"load/x.go"}, ""},
		"a name without a folder":                {changes{pending2, planned("`x.go`")}, nil, []string{"load/x.go"}, ""},
		// S4.
		"S4: a fruitless turn and a lost one":       {nil, []Record{{N: 1, Task: 2, Result: NoProgress}, {N: 2, Task: 2, Result: Lost}}, nil, "S4 turn/no-progress 2"},
		"S4: a person ended the one between":        {nil, []Record{{N: 1, Task: 2, Result: NoProgress}, {N: 2, Task: 2, Result: Interrupted}, {N: 3, Task: 2, Result: NoProgress}}, nil, "S4 turn/no-progress 2"},
		"one fruitless turn":                        {nil, []Record{{N: 1, Task: 2, Result: NoProgress}}, nil, ""},
		"a person ended both":                       {nil, []Record{{N: 1, Task: 2, Result: Interrupted}, {N: 2, Task: 2, Result: Interrupted}}, nil, ""},
		"of other tasks":                            {nil, []Record{{N: 1, Task: 2, Result: NoProgress}, {N: 2, Task: 1, Result: NoProgress}}, nil, ""},
		"progress between":                          {nil, []Record{{N: 1, Task: 2, Result: NoProgress}, {N: 2, Task: 2, Result: Progress}, {N: 3, Task: 2, Result: NoProgress}}, nil, ""},
		"stopped before, and a person let it go on": {nil, []Record{{N: 1, Task: 2, Result: NoProgress}, {N: 2, Task: 2, Result: StoppedNow, Stop: &Stop{Condition: S4}}}, nil, ""},
		"lost, but the plan moved":                  {nil, []Record{{N: 1, Task: 2, Result: NoProgress}, {N: 2, Task: 2, Result: Lost, Before: Standing{StateSHA256: "aa"}}}, nil, ""},
		"lost, but there is a commit":               {nil, []Record{{N: 1, Task: 2, Result: NoProgress}, {N: 2, Task: 2, Result: Lost, Before: Standing{Head: "bb"}}}, nil, ""},
		"S4: lost, and nothing moved":               {nil, []Record{{N: 1, Task: 2, Result: NoProgress}, {N: 2, Task: 2, Result: Lost, Before: Standing{Head: "cc", StateSHA256: "bb"}}}, nil, "S4 turn/no-progress 2"},
		"lost, and the next one began elsewhere":    {nil, []Record{{N: 1, Task: 2, Result: Lost, Before: Standing{Head: "aa"}}, {N: 2, Task: 2, Result: NoProgress, Before: Standing{Head: "bb"}}}, nil, ""},
		"S4: lost, and the next one began there":    {nil, []Record{{N: 1, Task: 2, Result: Lost, Before: Standing{Head: "aa"}}, {N: 2, Task: 2, Result: NoProgress, Before: Standing{Head: "aa"}}}, nil, "S4 turn/no-progress 2"},
	} {
		stop := StopBefore(laid(t, test.changes...), 2, test.last, Standing{Head: "cc", StateSHA256: "bb"}, test.dirty)
		if got := told(stop); got != test.want {
			t.Errorf("%s: got %q, want %q (%+v)", name, got, test.want, stop)
		}
		if stop != nil && (stop.Reason == "" || stop.Needs == "" || strings.Contains(stop.Reason, "\n")) {
			t.Errorf("%s: %+v", name, stop)
		}
	}
}

// GU-5, C99: the blocker of a question is named as the question's own, so that an answer to it resolves the blocker.
func TestQuestionStopIsAnswered(t *testing.T) {
	s := laid(t, put(plan.QuestionsFile, "# Questions\n\n## Q7 (Task 2): Which tariff?\n\n- Class: C1\n- Recommended: the new one\n"))
	stop := StopBefore(s, 2, nil, Standing{}, nil)
	if stop == nil || stop.Reason != "Q7: Which tariff?" || !strings.Contains(stop.Needs, "answer to Q7; recommended: the new one") {
		t.Errorf("%+v", stop)
	}
}

// S1, S4: a turn is judged together with those before it.
func TestStopAfter(t *testing.T) {
	failing := []Finding{{"turn/gate-failing", "make"}}
	fruitless := Judgement{Result: NoProgress}
	for name, test := range map[string]struct {
		j    Judgement
		last []Record
		want string
	}{
		"the first fruitless turn":        {fruitless, nil, ""},
		"S4: the second one":              {fruitless, []Record{{Task: 2, Result: NoProgress}}, "S4 turn/no-progress 2"},
		"S4: after a lost one":            {fruitless, []Record{{Task: 2, Result: Lost}}, "S4 turn/no-progress 2"},
		"S4: a person's end between":      {fruitless, []Record{{Task: 2, Result: NoProgress}, {Task: 2, Result: Interrupted}}, "S4 turn/no-progress 2"},
		"after a person's end":            {fruitless, []Record{{Task: 2, Result: Interrupted}}, ""},
		"after progress":                  {fruitless, []Record{{Task: 2, Result: Progress, Gained: Gained{Checkpoint: true}}}, ""},
		"after another task's":            {fruitless, []Record{{Task: 1, Result: NoProgress}}, ""},
		"after a stop":                    {fruitless, []Record{{Task: 2, Result: StoppedNow, Stop: &Stop{}}}, ""},
		"after a block":                   {fruitless, []Record{{Task: 2, Result: Blocked}}, ""},
		"after a lost one that moved":     {Judgement{Result: NoProgress, Began: Standing{StateSHA256: "bb"}}, []Record{{Task: 2, Result: Lost, Before: Standing{StateSHA256: "aa"}}}, ""},
		"progress after a fruitless":      {Judgement{Result: Progress, Gained: Gained{Checkpoint: true}}, []Record{{Task: 2, Result: NoProgress}}, ""},
		"S1: a gate fails again":          {Judgement{Result: Progress, Findings: failing, Gained: Gained{Commits: []string{"c"}}}, []Record{{Task: 2, Result: Progress, Gained: Gained{Commits: []string{"b"}}, Findings: failing}}, "S1 turn/gate-failing 2"},
		"a gate fails the first time":     {Judgement{Result: Progress, Findings: failing, Gained: Gained{Checkpoint: true}}, []Record{{Task: 2, Result: Progress, Gained: Gained{Checkpoint: true}}}, ""},
		"another gate fails":              {Judgement{Result: Progress, Findings: failing, Gained: Gained{Checkpoint: true}}, []Record{{Task: 2, Result: Progress, Gained: Gained{Checkpoint: true}, Findings: []Finding{{"turn/gate-failing", "lint"}}}}, ""},
		"it fails again, another passes":  {Judgement{Result: Progress, Findings: failing, Gained: Gained{Gates: []string{"lint"}}}, []Record{{Task: 2, Result: Progress, Findings: failing}}, ""},
		"it fails again, a criterion met": {Judgement{Result: Progress, Findings: failing, Gained: Gained{Criteria: 1}}, []Record{{Task: 2, Result: Progress, Findings: failing}}, ""},
		"it failed before a stop":         {Judgement{Result: Progress, Findings: failing, Gained: Gained{Checkpoint: true}}, []Record{{Task: 2, Result: StoppedNow, Stop: &Stop{}, Findings: failing}}, ""},
		"completed":                       {Judgement{Result: Completed, Gained: Gained{Completed: true}}, []Record{{Task: 2, Result: NoProgress}}, ""},
		"blocked by the agent":            {Judgement{Result: Blocked}, []Record{{Task: 2, Result: NoProgress}}, ""},
		"its own stop":                    {Judgement{Result: StoppedNow, Stop: &Stop{S3, "turn/surface", 2, "r", "n"}}, nil, "S3 turn/surface 2"},
	} {
		if got := told(StopAfter(&test.j, 2, test.last)); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// How the agents ended stands in the reason, as words: it decides nothing (UN-2).
func TestStopTellsEnds(t *testing.T) {
	last := []Record{{Task: 2, Result: NoProgress, Run: &Run{End: string(runner.TimedOut)}}}
	for end, want := range map[runner.End]string{
		runner.TimedOut:   "2 turns in a row brought nothing that can be verified; the agent timed out 2 times",
		runner.Exited:     "2 turns in a row brought nothing that can be verified; the agent timed out once",
		runner.NotStarted: "2 turns in a row brought nothing that can be verified; the agent timed out once",
	} {
		if stop := StopAfter(&Judgement{Result: NoProgress, End: end}, 2, last); stop == nil || stop.Reason != want {
			t.Errorf("%s: %+v", end, stop)
		}
	}
}

// UN-3: more progress never stops a plan that less does not; the longer fruitless history never lets one go on that the shorter stops; and
// both rules agree: what StopAfter stops at, StopBefore would have stopped at, too, had it been left standing.
func TestStopsAreMonotone(t *testing.T) {
	s := laid(t)
	rapid.Check(t, func(t *rapid.T) {
		var last []Record
		for n := range rapid.IntRange(0, 5).Draw(t, "turns") {
			r := Record{N: n + 1, Task: rapid.IntRange(2, 3).Draw(t, "task"), Result: rapid.SampledFrom([]Result{NoProgress, Lost, Interrupted, Progress, StoppedNow, Blocked}).Draw(t, "result")}
			if r.Result == Progress {
				r.Gained.Checkpoint = true
			}
			last = append(last, r)
		}
		less := Judgement{Result: NoProgress}
		more := Judgement{Result: Progress, Gained: Gained{Commits: []string{"c"}}}
		if StopAfter(&more, 2, last) != nil {
			t.Fatalf("progress stops: %+v", last)
		}
		stop := StopAfter(&less, 2, last)
		if stop != nil && StopAfter(&less, 2, append([]Record{{Task: 2, Result: NoProgress}}, last...)) == nil {
			t.Fatalf("a longer history lets it go on: %+v", last)
		}
		left := append(slices.Clone(last), Record{N: 9, Task: 2, Result: NoProgress})
		if (StopBefore(s, 2, left, Standing{}, nil) != nil) != (stop != nil) {
			t.Fatalf("before and after disagree: %+v", left)
		}
		if !reflect.DeepEqual(stop, StopAfter(&less, 2, last)) {
			t.Fatal("asked twice")
		}
	})
}

// No rule panics on a plan of which hardly anything is there.
func TestRulesOnNothing(t *testing.T) {
	empty := &plan.Snapshot{}
	StopBefore(empty, 1, []Record{{}}, Standing{}, []string{"", "/"})
	Judge(Evidence{Before: empty, After: empty, Changes: changed("D x_test.go"), States: []string{}})
	Judge(Evidence{Before: laid(t), After: empty, Task: 2})
	Judge(Evidence{Before: empty, After: laid(t), Task: 2})
	StopAfter(&Judgement{}, 0, nil)
	if state.Digest(nil) == "" {
		t.Error("no digest")
	}
}
