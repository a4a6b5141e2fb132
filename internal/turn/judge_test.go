package turn

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/state"
	"pgregory.net/rapid"
)

func changed(list ...string) (changes []Change) {
	for _, item := range list {
		kind := map[byte]git.ChangeKind{'A': git.Added, 'M': git.Modified, 'D': git.Deleted}[item[0]]
		changes = append(changes, Change{item[2:], kind})
	}
	return changes
}

func progress(text string) func(*world) { return put("PROGRESS.md", text) }

// UN-2, UN-3: one row per rule and near miss. before changes the plan on which the turn begins, after what the turn leaves, which
// comes on top.
func TestJudge(t *testing.T) {
	type changes = []func(*world)
	ana := criterion(" ", "Ana signs off the wording")
	const asked = "# Questions\n\n## Q1 (Task 2): May the wording go out? Ana signs off the wording\n\n- Class: C1\n- Recommended: no\n- Blocks: nothing: it can wait\n- Asked: 2026-09-02 by Mill\n"
	onBase := evidence.BaseLine("0123456789abcdef", evidence.Observed{Outcome: "exit 1 in 1.2s", Log: "analysis_results/gates/1.log", SHA256: strings.Repeat("a", 64)})
	observed := evidence.Observed{Outcome: "exit 0 in 1.2s", Log: "analysis_results/gates/1.log", SHA256: state.Digest([]byte("ok\n"))}.Line()
	for name, test := range map[string]struct {
		before, after changes
		with          func(e *Evidence)
		result        Result
		stop          string // "S3 turn/surface 2": condition, rule, task
		findings      []string
	}{
		// Progress.
		"nothing happened":                 {nil, nil, nil, NoProgress, "", nil},
		"the agent failed":                 {nil, nil, func(e *Evidence) { e.End = runner.TimedOut }, NoProgress, "", nil},
		"completed, the gate asserted":     {nil, changes{completed}, nil, Completed, "", []string{"turn/asserted"}},
		"completed in README.md alone":     {nil, changes{edit("README.md", "- [ ] Task 2", "- [x] Task 2")}, nil, StoppedNow, "S3 turn/desync 2", []string{"turn/desync"}},
		"completed before":                 {changes{completed}, nil, nil, NoProgress, "", nil},
		"a gate passes":                    {nil, changes{gates("make|0|12 passed")}, nil, Progress, "", nil},
		"a gate passed before":             {changes{gates("make|0|12 passed")}, changes{gates("make|0|12 passed", " make |0|13 passed")}, nil, NoProgress, "", nil},
		"a gate that never ran":            {nil, changes{gates("make|0|not run, assumed to pass")}, nil, NoProgress, "", nil},
		"a gate that selected no test":     {nil, changes{gates("make|0|0 tests run")}, nil, NoProgress, "", nil},
		"an invalidated gate":              {nil, changes{gates("make|0|12 passed [invalidated by refine 2026-09-02]")}, nil, NoProgress, "", nil},
		"an asserted gate, to be observed": {nil, changes{gates("make|0|12 passed")}, func(e *Evidence) { e.Observed = true }, NoProgress, "", nil},
		"a checkpoint moved":               {nil, changes{checkpoint(2, "instructions:2")}, nil, Progress, "", nil},
		"a checkpoint of the start":        {nil, changes{checkpoint(2, "start")}, nil, NoProgress, "", nil},
		"a checkpoint of another task":     {nil, changes{checkpoint(3, "instructions:2")}, nil, NoProgress, "", nil},
		"a commit":                         {nil, nil, func(e *Evidence) { e.Git, e.Commits = true, []git.Commit{{ID: "c1"}} }, Progress, "", nil},
		"a criterion ticked":               {nil, changes{edit(second, "- [ ] counts agree", "- [x] counts agree")}, nil, Progress, "", nil},
		"a criterion written and ticked":   {nil, changes{criterion("x", "it is nice")}, nil, NoProgress, "", nil},
		"a criterion ticked before":        {changes{edit(second, "- [ ] counts agree", "- [x] counts agree")}, nil, nil, NoProgress, "", nil},

		// The agent stops by itself (C101).
		"blocked by the agent":    {nil, changes{blocked(2, "[C1] Q1: which key?")}, nil, Blocked, "", nil},
		"blocked before, as now":  {changes{blocked(2, "[S2] key")}, nil, nil, NoProgress, "", nil},
		"another task is blocked": {nil, changes{blocked(3, "[S2] key")}, nil, NoProgress, "", nil},

		// S1.
		"a gate fails":             {nil, changes{gates("make|1|2 failed")}, nil, NoProgress, "", []string{"turn/gate-failing"}},
		"a gate failed and passes": {changes{gates("make|1|2 failed")}, changes{gates("make|1|2 failed", "make|0|2 passed")}, nil, Progress, "", nil},
		"S1: fails on the base":    {nil, changes{gates("make|1|" + onBase)}, nil, StoppedNow, "S1 turn/gate-failing 2", []string{"turn/gate-failing"}},
		"base named in prose":      {nil, changes{gates("make|1|fails on the base too, I think")}, nil, NoProgress, "", []string{"turn/gate-failing"}},
		"S1: completed on a failing gate": {nil, changes{completed, func(w *world) {
			w.replace("state.json", `"completed_at": "2026-09-02T10:00:00Z", "commit": "0badc0de", "gates": [{"command": "make test-shard", "passes": true, "exit_code": 0`,
				`"completed_at": "2026-09-02T10:00:00Z", "commit": "0badc0de", "gates": [{"command": "make test-shard", "passes": false, "exit_code": 1`)
		}}, nil, StoppedNow, "S1 turn/gate-failing 3", []string{"turn/gate-failing"}},
		"S1: completed on an asserted gate": {nil, changes{completed}, func(e *Evidence) { e.Observed = true }, StoppedNow, "S1 turn/asserted 3", []string{"turn/asserted"}},
		"completed on an observed gate": {nil, changes{completed, put("analysis_results/gates/1.log", "ok\n"), func(w *world) {
			text := string(w.files["state.json"].Data)
			i := strings.LastIndex(text, "12 passed")
			w.write("state.json", text[:i]+observed+text[i+len("12 passed"):])
		}}, func(e *Evidence) { e.Observed = true }, Completed, "", nil},
		"S1: the log of an observed gate is gone": {nil, changes{completed, func(w *world) {
			text := string(w.files["state.json"].Data)
			i := strings.LastIndex(text, "12 passed")
			w.write("state.json", text[:i]+observed+text[i+len("12 passed"):])
		}}, func(e *Evidence) { e.Observed = true }, StoppedNow, "S1 turn/asserted 3", []string{"turn/asserted"}},

		// S2, UN-6.
		"S2, UN-6: a person's criterion ticked": {changes{ana}, changes{edit(second, "- [ ] Ana signs", "- [x] Ana signs")}, nil, StoppedNow, "S2 turn/human-gate 2", []string{"turn/human-gate"}},
		"ticked on the person's answer": {changes{ana, put(plan.QuestionsFile, asked+"- Answered by Ana on 2026-09-02: yes\n")},
			changes{edit(second, "- [ ] Ana signs", "- [x] Ana signs")}, nil, Progress, "", nil},
		"S2: ticked on a relayed answer": {changes{ana, put(plan.QuestionsFile, asked+"- Relayed by Mill on 2026-09-02, as the words of Ana: yes\n")},
			changes{edit(second, "- [ ] Ana signs", "- [x] Ana signs")}, nil, StoppedNow, "S2 turn/human-gate 2", []string{"turn/human-gate"}},
		"ticked before the turn":   {changes{criterion("x", "Ana signs off the wording")}, nil, nil, NoProgress, "", nil},
		"S2: all that is left":     {changes{ana, tickAll}, changes{gates("make test-shard|0|12 passed")}, nil, StoppedNow, "S2 turn/human-gate 2", []string{"turn/human-gate"}},
		"not yet all that is left": {changes{ana}, changes{gates("make test-shard|0|12 passed")}, nil, Progress, "", nil},
		"no gate passed yet":       {changes{ana, tickAll}, nil, nil, NoProgress, "", nil},
		"S2: approval appeared":    {changes{edit("README.md", "**Approval:** approved", "**Approval:** pending")}, changes{edit("README.md", "**Approval:** pending", "**Approval:** approved")}, nil, StoppedNow, "S2 turn/authority 2", []string{"turn/authority"}},
		"S2: opt-in appeared": {changes{edit("README.md", "**Unattended:** allowed by Ana on 2026-09-01\n", "")}, changes{edit("README.md", "Execution:", "**Unattended:** allowed by Ana on 2026-09-01\nExecution:")},
			nil, StoppedNow, "S2 turn/authority 2", []string{"turn/authority"}},
		"S2: an amendment of a person appeared": {nil, changes{edit(second, "Status: pending", "Status: pending\n\n### Amendment 1 \u2014 2026-09-02\n\n- Original criterion: counts agree\n- Authority: user\n")},
			nil, StoppedNow, "S2 turn/authority 2", []string{"turn/authority"}},
		"an amendment by evidence": {nil, changes{edit(second, "Status: pending", "Status: pending\n\n### Amendment 1 \u2014 2026-09-02\n\n- Original criterion: counts agree\n- Authority: evidence\n")}, nil, NoProgress, "", nil},
		"S2: an answer appeared":   {changes{put(plan.QuestionsFile, asked)}, changes{put(plan.QuestionsFile, asked+"- Answered by Ana on 2026-09-02: yes\n")}, nil, StoppedNow, "S2 turn/authority 2", []string{"turn/authority"}},
		"S2: another question put under an answer": {changes{ana, put(plan.QuestionsFile, "# Questions\n\n## Q1 (Task 2): Which colour?\n\n- Class: C1\n- Answered by Ana on 2026-09-01: yes, the blue one\n")},
			changes{edit(plan.QuestionsFile, "- Class: C1", "Ana signs off the wording\n\n- Class: C1"), edit(second, "- [ ] Ana signs", "- [x] Ana signs")}, nil, StoppedNow, "S2 turn/authority 2", []string{"turn/authority"}},
		"an answered question, and another": {changes{put(plan.QuestionsFile, asked+"- Answered by Ana on 2026-09-02: yes\n")},
			changes{put(plan.QuestionsFile, asked+"- Answered by Ana on 2026-09-02: yes\n\n## Q2 (Task 2): Which colour?\n\n- Class: C2\n- Asked: 2026-09-02 by Mill\n")}, nil, NoProgress, "", nil},
		"a relayed answer": {changes{put(plan.QuestionsFile, asked)}, changes{put(plan.QuestionsFile, asked+"- Relayed by Mill on 2026-09-02, as the words of Ana: yes\n")}, nil, NoProgress, "", nil},
		"a question":       {nil, changes{put(plan.QuestionsFile, asked)}, nil, NoProgress, "", nil},
		// AM-1, WP-5: nobody rewrites what it is measured by.
		"S2: a gate rewritten":          {nil, changes{edit(second, "make test-shard", "true")}, nil, StoppedNow, "S2 turn/demands 2", []string{"turn/demands"}},
		"S2: a criterion taken out":     {nil, changes{edit(second, "- [ ] counts agree\n", "")}, nil, StoppedNow, "S2 turn/demands 2", []string{"turn/demands"}},
		"S2: a criterion weakened":      {nil, changes{edit(second, "- [ ] counts agree", "- [x] counts agree, nearly")}, nil, StoppedNow, "S2 turn/demands 2", []string{"turn/demands"}},
		"S2: another task's gate":       {nil, changes{edit("3.task_load_shard_3.md", "make test-shard", "true")}, nil, StoppedNow, "S2 turn/demands 2", []string{"turn/demands"}},
		"S2: the record is gone":        {nil, changes{remove(second)}, nil, StoppedNow, "S2 turn/demands 2", []string{"turn/demands"}},
		"a gate and a criterion more":   {nil, changes{edit(second, "make test-shard", "make test-shard\nmake lint"), criterion(" ", "it is nice")}, nil, NoProgress, "", nil},
		"a criterion ticked, remarked":  {nil, changes{edit(second, "- [ ] counts agree", "- [x] counts agree (12 passed)")}, nil, NoProgress, "", nil},
		"a criterion with a dash":       {nil, changes{edit(second, "- [ ] counts agree", "- [ ] counts agree \u2014 12 passed")}, nil, NoProgress, "", nil},
		"a criterion amended on record": {nil, changes{edit(second, "- [ ] counts agree", "- [ ] sums agree"), edit(second, "Status: pending", "Status: pending\n\n### Amendment 1 \u2014 2026-09-02\n\n- Original criterion: counts agree\n- Authority: evidence\n")}, nil, NoProgress, "", []string{"turn/demands"}},
		"S2: a test deleted":            {nil, nil, func(e *Evidence) { e.Changes = changed("D load/x_test.go") }, StoppedNow, "S2 turn/tests-removed 2", []string{"turn/tests-removed"}},
		"a test moved":                  {nil, nil, func(e *Evidence) { e.Changes = changed("D load/x_test.go", "A load/sub/x_test.go") }, NoProgress, "", nil},
		"S2: two tests, one moved": {nil, nil, func(e *Evidence) {
			e.Changes = changed("D load/a/x_test.go", "D load/b/x_test.go", "A load/c/x_test.go")
		}, StoppedNow, "S2 turn/tests-removed 2", []string{"turn/tests-removed"}},
		"a test that the plan names":       {changes{planned("`load/x_test.go`")}, nil, func(e *Evidence) { e.Changes = changed("D load/x_test.go") }, NoProgress, "", nil},
		"a test that went with its source": {changes{planned("`load/x.go`, `load/`")}, nil, func(e *Evidence) { e.Changes = changed("D load/x.go", "D load/x_test.go") }, NoProgress, "", nil},
		"a test modified":                  {nil, nil, func(e *Evidence) { e.Changes = changed("M load/x_test.go") }, NoProgress, "", nil},
		"a source deleted":                 {nil, nil, func(e *Evidence) { e.Changes = changed("D load/x.go") }, NoProgress, "", nil},

		// S3.
		"S3: outside the surface":                 {nil, nil, func(e *Evidence) { e.Changes = changed("M load/x.go", "A deploy/prod.yaml") }, StoppedNow, "S3 turn/surface 2", []string{"turn/surface"}},
		"within the surface":                      {nil, nil, func(e *Evidence) { e.Changes = changed("M load/x.go", "A load/sub/y.go") }, NoProgress, "", nil},
		"declared":                                {nil, changes{edit(second, "Status: pending", "Status: pending\nActual surface: `deploy/`")}, func(e *Evidence) { e.Changes = changed("A deploy/prod.yaml") }, NoProgress, "", nil},
		"S3: planned surface widened in the turn": {nil, changes{planned("`deploy/`")}, func(e *Evidence) { e.Changes = changed("A deploy/prod.yaml") }, StoppedNow, "S3 turn/surface 2", []string{"turn/surface"}},
		"no planned path":                         {changes{planned("nothing in particular")}, nil, func(e *Evidence) { e.Changes = changed("A deploy/prod.yaml") }, NoProgress, "", []string{"turn/surface"}},
		"the plan's own files":                    {nil, nil, func(e *Evidence) { e.Changes = changed("M .dwp/plans/PLAN_a_b/x", "A sub/.dwp/x") }, NoProgress, "", nil},
		"very many changes":                       {nil, nil, func(e *Evidence) { e.Cut = true }, NoProgress, "", []string{"turn/surface"}},
		"S3: state.json by hand":                  {nil, changes{checkpoint(2, "instructions:2")}, func(e *Evidence) { e.States = []string{"aa"} }, StoppedNow, "S3 turn/state-by-hand 2", []string{"turn/state-by-hand"}},
		"S3: state.json by hand, nothing by dwp":  {nil, changes{checkpoint(2, "instructions:2")}, func(e *Evidence) { e.States = []string{} }, StoppedNow, "S3 turn/state-by-hand 2", []string{"turn/state-by-hand"}},
		"state.json by dwp":                       {nil, changes{checkpoint(2, "instructions:2")}, func(e *Evidence) { e.States = []string{"aa", e.After.Files["state.json"].SHA256()} }, Progress, "", nil},
		"state.json as it was":                    {nil, nil, func(e *Evidence) { e.States = []string{} }, NoProgress, "", nil},
		"who wrote is not known":                  {nil, changes{checkpoint(2, "instructions:2")}, nil, Progress, "", nil},
		"S3: two tasks": {nil, changes{completed, func(w *world) {
			w.entry(3, `"status": "in_progress", "started_at": "2026-09-02T11:00:00Z", "gates": []`)
		}}, nil, StoppedNow, "S3 turn/two-tasks 3", []string{"turn/two-tasks", "turn/asserted"}},
		"S3: another box ticked":              {nil, changes{edit("README.md", "- [ ] Task 3", "- [x] Task 3")}, nil, StoppedNow, "S3 turn/two-tasks 2", []string{"turn/two-tasks", "turn/desync"}},
		"S3: another task is gone":            {nil, changes{edit("README.md", "- [ ] Task 4", "- Step 4"), remove("4.task_final_review.md"), edit("state.json", `"id": 4`, `"id": 5`)}, nil, StoppedNow, "S3 turn/two-tasks 2", []string{"turn/two-tasks", "turn/desync"}},
		"S3: faults":                          {nil, nil, func(e *Evidence) { e.Faults = []Finding{{"index/count", "counts 9"}, {"x/y", "z"}} }, StoppedNow, "S3 turn/faults 2", []string{"turn/faults"}},
		"S3: git can't see any more":          {nil, changes{checkpoint(2, "half")}, func(e *Evidence) { e.Unseen = "not a git repository" }, StoppedNow, "S3 turn/unseen 2", []string{"turn/unseen"}},
		"S3: state.json is gone":              {nil, changes{remove("state.json")}, func(e *Evidence) { e.States = []string{} }, StoppedNow, "S3 turn/state-by-hand 2", []string{"turn/state-by-hand", "turn/two-tasks", "turn/desync"}},
		"S3: rewound":                         {nil, nil, func(e *Evidence) { e.Git, e.Rewound, e.Commits = true, true, []git.Commit{{ID: "c1"}} }, StoppedNow, "S3 turn/rewound 2", []string{"turn/rewound"}},
		"S3: completed by a commit elsewhere": {nil, changes{completed}, func(e *Evidence) { e.Git, e.Stranded = true, true }, StoppedNow, "S3 turn/rewound 3", []string{"turn/rewound", "turn/asserted"}},
		"completed, then amended":             {nil, changes{completed}, func(e *Evidence) { e.Git, e.Stranded, e.Commits = true, true, []git.Commit{{ID: "c2"}} }, Completed, "", []string{"turn/rewound", "turn/asserted"}},
		"S3: PROGRESS.md told more":           {changes{progress("## 2026-09-01 Task 1\n\n- done\n")}, changes{progress("## 2026-09-02 Task 1\n\n- done\n")}, nil, StoppedNow, "S3 turn/faults 2", []string{"turn/faults"}},
		"PROGRESS.md tells more":              {changes{progress("## 2026-09-01 Task 1\n\n- done\n")}, changes{progress("### 2026-09-01 Task 1\r\n\r\n- done, too\n\n## Discovered\n\n- a\n")}, nil, NoProgress, "", nil},
		"S2: the agents' configuration":       {nil, nil, func(e *Evidence) { e.Reconfigured = true }, StoppedNow, "S2 turn/authority 2", []string{"turn/authority"}},
		"the first stop is told, all are found": {nil, nil, func(e *Evidence) { e.Git, e.Rewound, e.Changes = true, true, changed("D other/x_test.go") }, StoppedNow, "S3 turn/rewound 2",
			[]string{"turn/rewound", "turn/tests-removed", "turn/surface"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := Evidence{Before: laid(t, test.before...), After: laid(t, append(slices.Clone(test.before), test.after...)...), Task: 2}
			if test.with != nil {
				test.with(&e)
			}
			j := Judge(e)
			stop := ""
			if j.Stop != nil {
				stop = string(j.Stop.Condition) + " " + j.Stop.Rule + " " + string(rune('0'+j.Stop.Task))
				if j.Stop.Reason == "" || j.Stop.Needs == "" || strings.ContainsAny(j.Stop.Reason+j.Stop.Needs, "\n\r") {
					t.Errorf("%+v", j.Stop)
				}
			}
			if j.Result != test.result || stop != test.stop || !slices.Equal(rulesOf(j.Findings), test.findings) {
				t.Errorf("got  %s, %q, %q\nwant %s, %q, %q\n%+v", j.Result, stop, rulesOf(j.Findings), test.result, test.stop, test.findings, j)
			}
		})
	}
}

// With the last task done nothing can be blocked: the stop names no task.
func TestJudgeLastTask(t *testing.T) {
	all := func(w *world) {
		for n, title := range []string{2: "Load shard 2", 3: "Load shard 3", 4: "Final Review"} {
			if title != "" {
				w.replace("README.md", "- [ ] Task "+string(rune('0'+n)), "- [x] Task "+string(rune('0'+n)))
				w.entry(n, `"status": "completed", "completed_at": "2026-09-02T10:00:00Z", "gates": []`)
			}
		}
	}
	before := laid(t, all, edit("README.md", "- [x] Task 4", "- [ ] Task 4"), func(w *world) { w.entry(4, `"status": "in_progress", "gates": []`) })
	j := Judge(Evidence{Before: before, After: laid(t, all), Task: 4, Changes: changed("M elsewhere")})
	if j.Stop == nil || j.Stop.Task != 0 || !j.Gained.Completed {
		t.Errorf("%+v", j)
	}
}

// UN-3: whatever git saw of a tree that no commit is of, and however the agent ended, an unchanged plan is no progress.
func TestJudgeNeverSeesProgressInNothing(t *testing.T) {
	plans := []*plan.Snapshot{laid(t), laid(t, completed), laid(t, gates("make|0|12 passed", "lint|1|bad")), laid(t, checkpoint(2, "x")), laid(t, blocked(2, "[S2] x")), {}}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(plans).Draw(t, "plan")
		e := Evidence{Before: s, After: s, Task: rapid.IntRange(0, 6).Draw(t, "task"), Git: rapid.Bool().Draw(t, "git"), Rewound: rapid.Bool().Draw(t, "rewound"),
			Cut: rapid.Bool().Draw(t, "cut"), Observed: rapid.Bool().Draw(t, "observed"), End: rapid.SampledFrom([]runner.End{runner.Exited, runner.TimedOut, runner.NotStarted}).Draw(t, "end"),
			Changes: changed(rapid.SliceOfN(rapid.StringMatching(`[AMD] [a-c]{1,2}(/[a-c]{1,2}(_test)?\.go)?`), 0, 4).Draw(t, "changes")...)}
		if rapid.Bool().Draw(t, "states") {
			e.States = []string{}
		}
		j := Judge(e)
		if j.Gained.Any() || j.Result != NoProgress && j.Result != StoppedNow || (j.Result == StoppedNow) != (j.Stop != nil) {
			t.Fatalf("%+v", j)
		}
		if again := Judge(e); !reflect.DeepEqual(j, again) {
			t.Fatalf("judged twice: %+v, %+v", j, again)
		}
	})
}

// A turn that changed very much has a record of bounded size.
func TestJudgeIsBounded(t *testing.T) {
	s := laid(t)
	e := Evidence{Before: s, After: s, Task: 2}
	for range 3 * maxListed {
		e.Changes = append(e.Changes, Change{strings.Repeat("x", 500), git.Added})
	}
	j := Judge(e)
	if len(j.Surface.Changed) != maxListed+1 || j.Surface.Changed[maxListed] != "(and 1000 more)" || len(j.Stop.Reason) > 500 {
		t.Errorf("%d, %q, %d", len(j.Surface.Changed), j.Surface.Changed[maxListed], len(j.Stop.Reason))
	}
}
