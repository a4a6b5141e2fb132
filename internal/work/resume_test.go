package work

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// twinOf is a folder with these files.
func twinOf(t *testing.T, tree map[string]string) *disk.Twin {
	t.Helper()
	tw := disk.NewTwin()
	for name, text := range tree {
		if dir, folder := strings.CutSuffix(name, "/"); folder {
			must(t, tw.PutDir(dir))
		} else {
			must(t, tw.Put(name, []byte(text), 0o644))
		}
	}
	return tw
}

// factsIn are the facts that the folder itself holds.
func factsIn(t *testing.T, tw *disk.Twin) Facts {
	t.Helper()
	lock, err := disk.Inspect(tw, planIn(tw).System)
	must(t, err)
	op, err := disk.Pending(tw)
	must(t, err)
	return Facts{Lock: lock, Operation: op}
}

// lacks lists what a resume finds, as "kind tasks".
func lackedIn(t *testing.T, tw *disk.Twin) []string {
	t.Helper()
	var list []string
	for _, g := range Resume(snapshot(t, tw), factsIn(t, tw)).Gaps {
		text := string(g.Kind)
		if len(g.Tasks) > 0 {
			text += " " + numbersOf(g.Tasks)
		}
		list = append(list, text)
	}
	return list
}

func numbersOf(ids []int) string {
	var parts []string
	for _, id := range ids {
		parts = append(parts, string(rune('0'+id)))
	}
	return strings.Join(parts, ",")
}

// mendIn does what resume --fix does.
func mendIn(t *testing.T, tw *disk.Twin) (recovered publish.Recovered, done publish.Done) {
	t.Helper()
	recovered, err := publish.Recover(t.Context(), planIn(tw), nil)
	must(t, err)
	done, err = publish.Revise(t.Context(), planIn(tw), update.Terms{Stateless: true}, (&Mend{Who: mill}).Decide)
	if err != nil {
		t.Fatalf("%v%s", err, why(err))
	}
	return recovered, done
}

// courses are a plan whose second task is being completed, before and after.
func courses(t *testing.T) (before, after map[string]string) {
	t.Helper()
	tw := withGate(t, inProgress(t, true), 2)
	before = tw.Tree()
	must(t, second(do(t, tw, completion(2).Decide)))
	return before, tw.Tree()
}

const secondTask = "2.task_load_shard_2.md"

// TestResumeInterrupted: a task whose four places were written by hand, and not all of them, is recognised at each point, with the command
// that finishes it; that command leads to one and the same end, with one entry in PROGRESS.md (WP-1, WP-2, PS-19, C73).
func TestResumeInterrupted(t *testing.T) {
	before, after := courses(t)
	for _, test := range []struct {
		name    string
		written []string
		want    []string
		verdict Verdict
		command string
	}{
		{"nothing", nil, nil, GoOn, ""},
		{"log", []string{secondTask}, []string{"box-open 2"}, Finish, "dwp complete PLAN_generated_load 2"},
		{"log, README", []string{secondTask, "README.md"}, []string{"state-behind 2"}, Finish, "dwp complete PLAN_generated_load 2"},
		{"log, README, PROGRESS", []string{secondTask, "README.md", "PROGRESS.md"}, []string{"state-behind 2"}, Finish, "dwp complete PLAN_generated_load 2"},
		{"README", []string{"README.md"}, []string{"log-behind 2"}, Finish, "dwp complete PLAN_generated_load 2"},
		{"README, state", []string{"README.md", "state.json"}, []string{"log-behind 2"}, Finish, "dwp complete PLAN_generated_load 2"},
		{"state", []string{"state.json"}, []string{"state-ahead 2"}, Finish, "dwp reconcile PLAN_generated_load"},
		{"all but PROGRESS", []string{secondTask, "README.md", "state.json"}, []string{"entry-missing 2"}, Finish, "dwp resume PLAN_generated_load --fix"},
		{"all", []string{secondTask, "README.md", "PROGRESS.md", "state.json"}, nil, GoOn, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := maps.Clone(before)
			for _, name := range test.written {
				tree[name] = after[name]
			}
			tw := twinOf(t, tree)
			r := Resume(snapshot(t, tw), Facts{})
			if got := lackedIn(t, tw); !slices.Equal(got, test.want) || r.Verdict != test.verdict {
				t.Fatalf("lacks %q, %s; want %q, %s", got, r.Verdict, test.want, test.verdict)
			}
			if len(r.Gaps) > 0 && r.Gaps[0].Command != test.command {
				t.Errorf("command %q, want %q", r.Gaps[0].Command, test.command)
			}
			mendable := len(r.Gaps) > 0 && r.Gaps[0].Mendable
			switch _, done := mendIn(t, tw); {
			case done.Changed != mendable:
				t.Errorf("mended %v, mendable %v", done.Changed, mendable)
			case !mendable && !maps.Equal(tw.Tree(), tree):
				t.Error("--fix changed what is not evident")
			}
			if test.name == "state" { // ahead of everything: nothing of it is taken over but by reconcile (PS-18)
				if rule, _ := refusedBy(second(do(t, tw, completion(2).Decide))); rule != "guard/hold" {
					t.Errorf("refused by %q", rule)
				}
				return
			}
			if !mendable {
				must(t, second(do(t, tw, completion(2).Decide)))
				if diff := cmp.Diff(after, tw.Tree()); diff != "" {
					t.Errorf("the end differs (-want +got):\n%s", diff)
				}
			}
			if got := lackedIn(t, tw); len(got) > 0 {
				t.Errorf("afterwards it lacks %q", got)
			}
			if n := strings.Count(tw.Tree()["PROGRESS.md"], "Task 2: Load shard 2"); n != 1 {
				t.Errorf("%d entries in PROGRESS.md", n)
			}
			conformant(t, snapshot(t, tw))
		})
	}
}

// TestResumeMends: --fix writes the entries and counts that follow from what is there, once; a second resume lacks nothing, and the plan is
// conformant, whatever its form, line ends, language, generation (WP-1, PS-19, PD-10).
func TestResumeMends(t *testing.T) {
	crlf := func(files map[string]string) {
		for name, text := range files {
			if strings.HasSuffix(name, ".md") {
				files[name] = strings.ReplaceAll(text, "\n", "\r\n")
			}
		}
	}
	cut := func(files map[string]string) {
		text := files["PROGRESS.md"]
		files["PROGRESS.md"] = text[:strings.Index(text, "## 2026-09-01 Task 2")]
	}
	for name, test := range map[string]struct {
		full   bool
		change func(files map[string]string)
		want   []string
		says   string // in PROGRESS.md afterwards
	}{
		"entry": {false, cut, []string{"entry-missing 2"}, "## 2026-09-02 Task 2: Load shard 2\n\n- What: bulk copy\n- Evidence: `make test-shard`: 12 passed\n- Decisions: skills none; documentation none needed\n"},
		"entries, Full, CRLF": {true, func(files map[string]string) {
			files["PROGRESS.md"] = "# Progress\n"
			crlf(files)
		}, []string{"entry-missing 1,2"}, "Task 1: Load shard 1\r\n\r\n- What: bulk copy\r\n"},
		"no PROGRESS.md": {false, func(files map[string]string) { delete(files, "PROGRESS.md") }, []string{"entry-missing 1,2"}, "# Progress\n\n## 2026-09-02 Task 1"},
		"count": {false, func(files map[string]string) {
			files["README.md"] = strings.Replace(files["README.md"], "Plan Status: 2/3", "Plan Status: 1 of 3", 1)
		}, []string{"count"}, "# Progress\n"},
		"both, Thai": {false, func(files map[string]string) {
			files["README.md"] = strings.Replace(files["README.md"], "Plan Status: 2/3", "Plan Status: 1/3", 1)
			files["README.md"] = strings.ReplaceAll(files["README.md"], "Load shard 2", "โหลดส่วนที่สอง")
			files["state.json"] = strings.ReplaceAll(files["state.json"], "Load shard 2", "โหลดส่วนที่สอง")
			cut(files)
		}, []string{"entry-missing 2", "count"}, "Task 2: โหลดส่วนที่สอง\n"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for path, f := range plantest.Plan(plantest.Spec{Tasks: 3, Done: 2, Full: test.full}) {
				files[path] = string(f.Data)
			}
			test.change(files)
			tw := twinOf(t, files)
			if got := lackedIn(t, tw); !slices.Equal(got, test.want) {
				t.Fatalf("lacks %q, want %q", got, test.want)
			}
			if _, done := mendIn(t, tw); !done.Changed {
				t.Error("nothing was mended")
			}
			after := tw.Tree()
			if r := Resume(snapshot(t, tw), Facts{}); r.Verdict != GoOn || len(r.Gaps) > 0 {
				t.Errorf("afterwards %s, %+v", r.Verdict, r.Gaps)
			}
			if !strings.Contains(after["PROGRESS.md"], test.says) {
				t.Errorf("PROGRESS.md reads\n%s", after["PROGRESS.md"])
			}
			if after["state.json"] != files["state.json"] {
				t.Error("state.json was changed")
			}
			conformant(t, snapshot(t, tw))
			if _, again := mendIn(t, tw); again.Changed || !maps.Equal(tw.Tree(), after) {
				t.Error("a second time it changes something")
			}
		})
	}
}

// TestResumeStateless: older plans without JSON are resumed by their boxes, and lack what their logs and PROGRESS.md lack (PD-9, PS-2, C31).
func TestResumeStateless(t *testing.T) {
	files := map[string]string{}
	for path, f := range plantest.Plan(plantest.Spec{Tasks: 3, Done: 2, Full: true}) {
		if !strings.HasSuffix(path, ".json") {
			files[path] = string(f.Data)
		}
	}
	files["README.md"] = strings.Replace(files["README.md"], "**Standard:** DWP spec 5.0.0\n", "", 1)
	r := Resume(snapshot(t, twinOf(t, files)), Facts{})
	if r.Verdict != GoOn || r.Task == nil || r.Task.ID != 3 {
		t.Errorf("%s %+v", r.Verdict, r.Gaps)
	}
	delete(files, "PROGRESS.md")
	for n, name := range []string{"1.task_load_shard_1.md", secondTask} {
		tw := twinOf(t, files)
		want := []string{"entry-missing 1,2", "log-behind 1", "log-behind 1,2"}
		if got := lackedIn(t, tw); got[0] != want[n] {
			t.Errorf("lacks %q, want %q", got, want[n])
		}
		files[name] = strings.Replace(files[name], "Status: completed", "Status: pending", 1)
	}
	tw := twinOf(t, files)
	if got := lackedIn(t, tw); !slices.Equal(got, []string{"log-behind 1,2", "no-progress"}) {
		t.Errorf("lacks %q", got)
	}
	if _, done := mendIn(t, tw); done.Changed {
		t.Error("made up what nobody wrote")
	}
}

// TestResumeEveryCrash: dwp complete is cut off at every instant. Resume names what stands, --fix finishes it, and then the plan is as it was
// or as it would have been, lacks nothing, and is conformant (C73, DESIGN 6).
func TestResumeEveryCrash(t *testing.T) {
	for name, course := range map[string]struct {
		start func() *disk.Twin
		task  int
	}{
		"a task":   {func() *disk.Twin { return withGate(t, inProgress(t, true), 2) }, 2},
		"the last": {func() *disk.Twin { return last(t, false) }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			whole := course.start().Kill()
			before := whole.Tree()
			must(t, second(do(t, whole, completion(course.task).Decide)))
			after := whole.Tree()
			seen := map[GapKind]bool{}
			for at := 1; at <= whole.Ops(); at++ {
				tw := course.start().Kill()
				tw.CrashAt(at)
				do(t, tw, completion(course.task).Decide)
				tw = tw.Kill()
				r := Resume(snapshot(t, tw), factsIn(t, tw))
				for _, g := range r.Gaps {
					if seen[g.Kind] = true; !g.Mendable {
						t.Fatalf("call %d: %+v", at, g)
					}
				}
				if h := factsIn(t, tw).Lock; h.Held && !h.Stale() { // cut off before it said whose it is: a person clears it (C63)
					id := disk.UnknownOwner
					if len(h.Holders) > 0 {
						id = h.Holders[0].ID
					}
					_, err := disk.Clear(tw, id, planIn(tw).System)
					must(t, err)
				}
				mendIn(t, tw)
				if got := lackedIn(t, tw); len(got) > 0 {
					t.Fatalf("call %d: lacks %q afterwards", at, got)
				}
				tree := tw.Tree()
				maps.DeleteFunc(tree, func(name, _ string) bool { return strings.Contains(name, ".tmp-") })
				if !maps.Equal(tree, before) && !maps.Equal(tree, after) {
					t.Fatalf("call %d: neither as before nor as after", at)
				}
				conformant(t, snapshot(t, tw))
			}
			if !seen[GapOperation] || !seen[GapLock] || course.task == 3 && !seen[GapPublication] {
				t.Errorf("seen: %v", seen)
			}
		})
	}
}

// TestResumeDesync: each way in which README.md and state.json disagree is told, with the task (PS-18).
func TestResumeDesync(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 4, Done: 2},
		[3]string{"README.md", "- [x] Task 2: Load shard 2", "- [ ] Task 2: Load shard 2"},
		[3]string{"README.md", "- [ ] Task 3: Load shard 3", "- [x] Task 3: Load shard 3"},
		[3]string{"README.md", "- [ ] Task 4: Final Review", "- [ ] Task 5: Final Review"})
	r := Resume(snapshot(t, tw), Facts{})
	want := []Disagreement{
		{2, "open", "completed", "state ahead"}, {3, "ticked", "pending", "state behind"},
		{5, "open", "no entry", "missing entry"}, {4, "no line", "pending", "missing line"},
	}
	if diff := cmp.Diff(want, r.Desync); diff != "" || r.Verdict != Finish {
		t.Errorf("%s (-want +got):\n%s", r.Verdict, diff)
	}
}

// TestResumeStops: what keeps a plan from going on, and what it comes to (GU-8, PS-22, C43, C47, C89).
func TestResumeStops(t *testing.T) {
	for name, test := range map[string]struct {
		edit [3]string
		want string
	}{
		"newer standard":   {[3]string{"README.md", "5.0.0", "99.0.0"}, "stop newer []"},
		"newer schema":     {[3]string{"state.json", "plan-state/v2.json", "plan-state/v9.json"}, "stop newer []"},
		"conflict":         {[3]string{"README.md", "# Load the shards\n", "# Load the shards\n\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"}, "finish malformed [unreadable]"},
		"torn state":       {[3]string{"state.json", `"tasks": [`, `"tasks": [[`}, "finish malformed [unreadable]"},
		"another's state":  {[3]string{"state.json", `"plan": "PLAN_generated_load"`, `"plan": "PLAN_other_load"`}, "finish  [foreign-state]"},
		"false count":      {[3]string{"state.json", `"completed_count": 1`, `"completed_count": 2`}, "finish  [malformed-state]"},
		"materializing":    {[3]string{"state.json", `"materialization": "ready"`, `"materialization": "materializing"`}, "finish partial [materialization]"},
		"promoting":        {[3]string{"state.json", `"promotion": null`, `"promotion": {"from": "lite", "to": "full", "phase": "intent", "tasks": 3}`}, "finish promoting [promotion]"},
		"unapproved":       {[3]string{"state.json", `"approval": "approved"`, `"approval": "pending"`}, "person unapproved []"},
		"twice one number": {[3]string{"README.md", "- [ ] Task 3: Final", "- [ ] Task 2: Final"}, "finish ambiguous [unreadable]"},
	} {
		tw := folder(t, plantest.Spec{Tasks: 3, Done: 1}, test.edit)
		r := Resume(snapshot(t, tw), factsIn(t, tw))
		got := string(r.Verdict) + " " + string(r.View.Hold) + " [" + strings.Join(lackedIn(t, tw), " ") + "]"
		if got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		before := tw.Tree()
		if _, err := publish.Revise(t.Context(), planIn(tw), update.Terms{Stateless: true}, (&Mend{Who: mill}).Decide); err == nil && !maps.Equal(tw.Tree(), before) {
			t.Errorf("%s: --fix changed something", name)
		}
	}
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 3})
	if r := Resume(snapshot(t, tw), Facts{}); r.Verdict != Over || r.Task != nil {
		t.Errorf("completed: %s, %+v", r.Verdict, r.Gaps)
	}
	tw = inProgress(t, false)
	must(t, second(do(t, tw, (&Block{Who: mill, Class: "C1", Reason: "no access", Needs: "a token"}).Decide)))
	if r := Resume(snapshot(t, tw), Facts{}); r.Verdict != Person || r.View.Hold != plan.HoldBlocked {
		t.Errorf("blocked: %s, %+v", r.Verdict, r.Gaps)
	}
}

// TestResumeCommits: commits that name a task which nobody began are asked about, those of a task in progress or done are not, and none is
// taken for progress (C37, WP-1).
func TestResumeCommits(t *testing.T) {
	history := []git.Commit{
		{ID: strings.Repeat("a", 40), Message: "feat: x - Task 3 of PLAN_generated_load"},
		{ID: strings.Repeat("b", 40), Message: "feat: y - Task 1 of PLAN_generated_load, task 2 of plan_generated_load"},
		{ID: strings.Repeat("c", 40), Message: "feat: z - Task 3 of PLAN_generated_load_2"},
	}
	tw := folder(t, plantest.Spec{Tasks: 4})
	before := tw.Tree()
	r := Resume(snapshot(t, tw), Facts{Git: true, History: history})
	var asked []int
	for _, d := range r.Doubts {
		if asked = append(asked, d.Task); d.Kind != "commit" || len(d.Commits) != 1 {
			t.Errorf("%+v", d)
		}
	}
	if !slices.Equal(asked, []int{1, 2, 3}) || r.Verdict != Person || r.View.Completed != 0 || !maps.Equal(tw.Tree(), before) {
		t.Errorf("asked about %v, %s, %d completed", asked, r.Verdict, r.View.Completed)
	}

	r = Resume(snapshot(t, tw), Facts{Git: true, History: history[:1], Turned: []int{3}})
	if r.Verdict != GoOn || len(r.Doubts) > 0 || len(r.Claims) != 1 || !r.Claims[0].Begun {
		t.Errorf("a turn was about it: %s %+v %+v", r.Verdict, r.Doubts, r.Claims)
	}

	tw = inProgress(t, false) // task 1 is done, task 2 in progress
	r = Resume(snapshot(t, tw), Facts{Git: true, History: history[1:]})
	if r.Verdict != GoOn || len(r.Doubts) > 0 || len(r.Claims) != 1 || r.Claims[0].Task != 2 || !r.Claims[0].Begun {
		t.Errorf("%s %+v %+v", r.Verdict, r.Doubts, r.Claims)
	}
	entry := snapshot(t, tw)
	entry.State.Tasks[1].Commit = strings.Repeat("b", 12)
	if r = Resume(entry, Facts{Git: true, History: history[1:]}); len(r.Claims) != 0 {
		t.Errorf("a commit that is on record is told: %+v", r.Claims)
	}
}

// TestResumeOnTheSeam: the log of the task, the last entry of PROGRESS.md whatever it is about, decisions, and answers are told as they
// stand (WP-1, C99).
func TestResumeOnTheSeam(t *testing.T) {
	tw := inProgress(t, false, [3]string{"PROGRESS.md", "- none\n", "- none\n\n## Decisions\n\n- D1: keep both\n\n### D2\n\nuse bulk\n\n## 2026-09-01 Note\n\nlast words\n"})
	must(t, second(do(t, tw, (&Block{Who: mill, Class: "C1", Reason: "which", Needs: "a word"}).Decide)))
	must(t, second(do(t, tw, (&Unblock{Who: mill, Answer: "the left one\n\n# and no other", By: "Ada"}).Decide)))
	r := Resume(snapshot(t, tw), Facts{Questions: []byte("# Questions\n\n## Q1 (task 3)\n\nwhen?\n\n## Q2\n\nwhere?\nAnswered by Ada: here, 2026-09-01\n")})
	if r.Entry != "## 2026-09-01 Note\n\nlast words" {
		t.Errorf("entry %q", r.Entry)
	}
	if want := []string{"- D1: keep both\n\n### D2\n\nuse bulk"}; !slices.Equal(r.Decisions, want) {
		t.Errorf("decisions %q", r.Decisions)
	}
	if want := []TaskAnswer{{2, Answer{By: "Ada", Date: "2026-09-02", Text: "the left one\n\n# and no other"}}}; !slices.Equal(r.Answers, want) {
		t.Errorf("answers %+v", r.Answers)
	}
	if !strings.HasPrefix(r.Log, "Status: in_progress") || !strings.Contains(r.Log, "the left one") {
		t.Errorf("log %q", r.Log)
	}
	if len(r.Questions) != 2 || len(r.Questions[0].Answers) != 0 || len(r.Questions[1].Answers) != 1 || r.Verdict != GoOn {
		t.Errorf("questions %+v, %s", r.Questions, r.Verdict)
	}
	if r.Task.Entry.Status != state.InProgress || !slices.Equal(r.Running, []int{2}) {
		t.Errorf("position %+v", r.Task)
	}
}

// TestMendCrashes: what --fix writes is one operation (DESIGN 6).
func TestMendCrashes(t *testing.T) {
	crashtest.Matrix(t, crashtest.Operation{
		Start: func() *disk.Twin {
			return folder(t, plantest.Spec{Tasks: 3, Done: 2}, [3]string{"PROGRESS.md", "Task 2: Load shard 2", "Note"},
				[3]string{"README.md", "Plan Status: 2/3", "Plan Status: 1/3"})
		},
		Plan: planIn, Remainders: 1,
		Run: func(p publish.Plan) error {
			_, err := publish.Revise(t.Context(), p, update.Terms{Stateless: true}, (&Mend{Who: mill}).Decide)
			return err
		},
	})
}

// FuzzTasksNamed: of each task that it finds, the message has the words.
func FuzzTasksNamed(f *testing.F) {
	f.Add("feat: x - Task 3 of PLAN_a, task 12 of plan_a.")
	f.Add("Task 1 of PLAN_a_b task 1 of PLAN_a")
	f.Fuzz(func(t *testing.T, message string) {
		plain := strings.ToLower(strings.Join(strings.Fields(message), " "))
		for _, id := range TasksNamed(message, "PLAN_a") {
			if !strings.Contains(plain, fmt.Sprintf("task %d of plan_a", id)) {
				t.Errorf("task %d in %q", id, message)
			}
		}
	})
}

// BenchmarkResume measures the account of a large plan.
func BenchmarkResume(b *testing.B) {
	s, err := plan.Read(plantest.Plan(plantest.Spec{Tasks: 2000, Done: 1000}), plantest.Name)
	if err != nil {
		b.Fatal(err)
	}
	var history []git.Commit
	for range HistoryDepth {
		history = append(history, git.Commit{ID: strings.Repeat("a", 40), Message: "feat: x - Task 1500 of " + plantest.Name + strings.Repeat("\n\nwords", 100)})
	}
	for b.Loop() {
		if r := Resume(s, Facts{Git: true, History: history}); r.Task.ID != 1001 {
			b.Fatal(r.Task.ID)
		}
	}
}
