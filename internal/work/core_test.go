package work

import (
	"errors"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

var mill = revise.Who{Agent: "Mill", Now: noon}

// folder is a made plan on a twin; edits, "file", "old", "new", change it first.
func folder(t *testing.T, spec plantest.Spec, edits ...[3]string) *disk.Twin {
	t.Helper()
	files := plantest.Plan(spec)
	for _, e := range edits {
		f := files[e[0]]
		if !strings.Contains(string(f.Data), e[1]) {
			t.Fatalf("%s has no %q", e[0], e[1])
		}
		f.Data = []byte(strings.Replace(string(f.Data), e[1], e[2], 1))
	}
	tw, err := disk.TwinOf(files)
	must(t, err)
	return tw
}

func do(t *testing.T, fsys disk.FS, decide publish.Decide) (publish.Done, error) {
	t.Helper()
	return publish.Revise(t.Context(), planIn(fsys), update.Terms{}, decide)
}

// done demands that an operation succeeds and leaves a conformant plan, and that the same again changes nothing.
func done(t *testing.T, fsys disk.FS, decide publish.Decide) publish.Done {
	t.Helper()
	first, err := do(t, fsys, decide)
	if err != nil || !first.Changed {
		t.Fatalf("%+v, %v%s", first, err, why(err))
	}
	again, err := do(t, fsys, decide)
	if err != nil || again.Changed {
		t.Fatalf("asked again: %+v, %v", again, err)
	}
	return first
}

// why lists the findings of a refusal.
func why(err error) string {
	text := ""
	if refused, ok := errors.AsType[*publish.Refused](err); ok {
		for _, f := range refused.Findings {
			text += "\n  " + f.Rule + ": " + f.Message
		}
	}
	return text
}

func conformant(t *testing.T, s *plan.Snapshot) {
	t.Helper()
	if r := verify.Plan(s, verify.Options{Now: noon, InGit: true}); r.Verdict != verify.Conformant {
		t.Errorf("%s %+v", r.Verdict, r.Findings)
	}
}

// refusedBy is the rule of a refusal, and the rules of its findings.
func refusedBy(err error) (rule string, list []string) {
	refused, ok := errors.AsType[*publish.Refused](err)
	if !ok {
		return "", nil
	}
	for _, f := range refused.Findings {
		list = append(list, f.Rule)
	}
	return refused.Rule, list
}

func view(t *testing.T, fsys disk.FS, task int) *plan.TaskView {
	t.Helper()
	o := snapshot(t, fsys).Overview()
	return &o.Tasks[task-1]
}

// inProgress is a plan whose second task was started.
func inProgress(t *testing.T, full bool, edits ...[3]string) *disk.Twin {
	t.Helper()
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 1, Full: full}, edits...)
	_, err := do(t, tw, (&Start{Who: mill, Task: 2}).Decide)
	must(t, err)
	return tw
}

// withGate records that the gate of a task passed.
func withGate(t *testing.T, tw *disk.Twin, task int) *disk.Twin {
	t.Helper()
	gate, refusal := update.ParseGate("make test-shard|0|12 passed")
	if refusal != nil {
		t.Fatal(refusal)
	}
	_, err := publish.Apply(t.Context(), planIn(tw), update.Change{Task: task, Gates: []update.Gate{gate}, Agent: "Mill"})
	must(t, err)
	return tw
}

// completion of the second task, which misses nothing.
func completion(task int) *Complete {
	return &Complete{Who: mill, Task: task, Worked: "bulk copy", Tried: []string{"row by row"}, Skills: "none", Docs: "none needed: nothing public changed",
		AllCriteria: true, Checklist: true, Product: Product{Asked: CommitNone}}
}

// TestStart: log and state.json say in progress, the box stays open; the lowest open task is taken, and a second call changes nothing
// (GU-7, PS-19, C27).
func TestStart(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := folder(t, plantest.Spec{Tasks: 3, Done: 1, Full: full})
		st := &Start{Who: mill}
		done(t, tw, st.Decide)
		if st.Chosen != 2 || !st.Begun || st.By != "Mill" {
			t.Errorf("chosen %d, begun %v by %q", st.Chosen, st.Begun, st.By)
		}
		v := view(t, tw, 2)
		if v.Record.Log.State != planmd.LogInProgress || v.Entry.Status != state.InProgress || v.Checked || v.Entry.StartedAt == nil {
			t.Errorf("full %v: log %s, entry %s, box %v", full, v.Record.Log.State, v.Entry.Status, v.Checked)
		}
		conformant(t, snapshot(t, tw))
	}
}

// TestStartRefused: nothing starts too early, without approval, under a blocker, after its end, or in a plan whose parts disagree, and
// no task that is not there (GU-7, GU-8, LF-7, C89, C103). Nothing is written.
func TestStartRefused(t *testing.T) {
	for name, test := range map[string]struct {
		edits [][3]string
		task  int
		rule  string
	}{
		"too early":   {nil, 3, "order/too-early"},
		"completed":   {nil, 1, "guard/completed"},
		"unknown":     {nil, 9, "guard/unknown-task"},
		"no approval": {[][3]string{{"README.md", "**Approval:** approved", "**Approval:** pending"}}, 2, "guard/not-approved"},
		"desync":      {[][3]string{{"README.md", "- [x] Task 1", "- [ ] Task 1"}}, 2, "guard/hold"},
		"other plan":  {[][3]string{{"state.json", `"plan": "PLAN_generated_load"`, `"plan": "PLAN_other_load"`}}, 2, "state/plan-name"},
		"blocked":     {[][3]string{{"state.json", `"blocked": null`, `"blocked": {"task": 3, "reason": "[C1] x", "since": "2026-09-01T10:00:00Z", "needs": "y"}`}, {"state.json", `"status": "in_progress", "completed_count"`, `"status": "blocked", "completed_count"`}, {"state.json", `"title": "Final Review", "status": "pending"`, `"title": "Final Review", "status": "blocked"`}}, 2, "guard/blocker"},
	} {
		tw := folder(t, plantest.Spec{Tasks: 3, Done: 1}, test.edits...)
		before := tw.Tree()
		_, err := do(t, tw, (&Start{Who: mill, Task: test.task}).Decide)
		if got, _ := refusedBy(err); got != test.rule {
			t.Errorf("%s: %v", name, err)
		}
		if after := tw.Tree(); len(after) != len(before) || after["state.json"] != before["state.json"] || after["README.md"] != before["README.md"] {
			t.Errorf("%s: something was written", name)
		}
	}
}

// TestStartHeld: without a number the hold is told, not a task (C97, C101).
func TestStartHeld(t *testing.T) {
	for want, tw := range map[plan.Hold]*disk.Twin{
		plan.HoldUnapproved: proposal(t), plan.HoldCompleted: folder(t, plantest.Spec{Tasks: 3, Done: 3}),
	} {
		_, err := do(t, tw, (&Start{Who: mill}).Decide)
		if held, ok := errors.AsType[*Held](err); !ok || held.Hold != want {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestStartApproves: a person's request to start approves the plan in the same operation; nobody approves inside a turn, no agent in its
// own name (LF-7, UN-6, C103).
func TestStartApproves(t *testing.T) {
	tw := proposal(t)
	for _, st := range []*Start{{Who: mill, Approve: "Ada", InTurn: true}, {Who: mill, Approve: "Mill"}} {
		if _, err := do(t, tw, st.Decide); err == nil {
			t.Fatalf("%+v approved", st)
		}
	}
	done(t, tw, (&Start{Who: mill, Approve: "Ada"}).Decide)
	s := snapshot(t, tw)
	if s.State.Approval != "approved" || s.README.Approval.Value != "approved by Ada on 2026-09-02" || s.State.Tasks[0].Status != state.InProgress {
		t.Errorf("approval %q, %q, task 1 %s", s.State.Approval, s.README.Approval.Value, s.State.Tasks[0].Status)
	}
	conformant(t, s)
}

// TestCheckpoint: the point is that of the task in progress (PS-15, C95).
func TestCheckpoint(t *testing.T) {
	tw := inProgress(t, false)
	done(t, tw, (&Checkpoint{Who: mill, Step: "tests written", Note: "parser next"}).Decide)
	if cp := snapshot(t, tw).State.Checkpoint; cp.Task != 2 || cp.Step != "tests written" || cp.Note != "parser next" {
		t.Errorf("%+v", cp)
	}
	if _, err := do(t, folder(t, plantest.Spec{Tasks: 3, Done: 1}), (&Checkpoint{Who: mill, Step: "x"}).Decide); err == nil {
		t.Error("a checkpoint without a task in progress")
	}
}

// TestBlock: log and state.json say blocked and why; the reason has its class; the answer is kept word for word, is shown to who goes on,
// and the task is in progress again (GU-5, PS-16, C99).
func TestBlock(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := inProgress(t, full)
		done(t, tw, (&Block{Who: mill, Class: "C2", Reason: "two tariffs are called A", Needs: "which one?"}).Decide)
		v := view(t, tw, 2)
		b := snapshot(t, tw).State.Blocked
		if v.Record.Log.State != planmd.LogBlocked || b == nil || b.Reason != "[C2] two tariffs are called A" || b.Needs != "which one?" || b.Task != 2 {
			t.Fatalf("log %s, blocker %+v", v.Record.Log.State, b)
		}
		conformant(t, snapshot(t, tw))
		const words = "the one of *2026*\n\n# Task 3: no\n- [x] Task 3: done\nStatus: completed"
		done(t, tw, (&Unblock{Who: mill, Answer: words, By: "Ada"}).Decide)
		v = view(t, tw, 2)
		if got := Answers(v); len(got) != 1 || got[0] != (Answer{"Ada", "2026-09-02", words}) {
			t.Errorf("full %v: %+v", full, got)
		}
		if v.Record.Log.State != planmd.LogInProgress || v.Entry.Status != state.InProgress || snapshot(t, tw).State.Blocked != nil {
			t.Errorf("log %s, entry %s", v.Record.Log.State, v.Entry.Status)
		}
		conformant(t, snapshot(t, tw))
		withGate(t, tw, 2)
		done(t, tw, completion(2).Decide) // no line of question and answer is in the way of the end
	}
}

// TestBlockRefused: another's blocker is not replaced; inside a turn no answer is made up (GU-5, UN-6).
func TestBlockRefused(t *testing.T) {
	tw := inProgress(t, false)
	must(t, second(do(t, tw, (&Block{Who: mill, Class: "S3", Reason: "no database", Needs: "one"}).Decide)))
	if got, _ := refusedBy(second(do(t, tw, (&Block{Who: mill, Task: 3, Class: "C1", Reason: "another", Needs: "x"}).Decide))); got != "guard/other-blocker" {
		t.Errorf("another blocker: %s", got)
	}
	answer := &Unblock{Who: mill, Answer: "use the one in the cellar", By: "Ada", InTurn: true}
	if got, _ := refusedBy(second(do(t, tw, answer.Decide))); got != "guard/person" {
		t.Errorf("made up in a turn: %s", got)
	}
	answer.Questions = []byte("## Q1 (Task 2)\n\nWhich database?\n\n- Answer by Ada on 2026-09-02: take another\n")
	if got, _ := refusedBy(second(do(t, tw, answer.Decide))); got != "guard/person" {
		t.Errorf("other words in a turn: %s", got)
	}
	answer.Questions = []byte("## Q1 (Task 2)\n\nWhich database?\n\n- Answer: use the one in the cellar (Ada, 2026-09-02)\n")
	done(t, tw, answer.Decide)
	if _, err := do(t, tw, (&Unblock{Who: mill, Answer: "again", By: "Ada"}).Decide); err == nil {
		t.Error("an answer without a question")
	}
	secret := &Block{Who: mill, Class: "C1", Reason: "the key ghp_" + strings.Repeat("a1B2", 10), Needs: "x"}
	if got, _ := refusedBy(second(do(t, tw, secret.Decide))); got != "secret/json" {
		t.Errorf("a secret: %s", got)
	}
}

func second(_ publish.Done, err error) error { return err }

// TestComplete: all four places at once, each line of the log once (WP-2, PS-19, PD-8, PS-14).
func TestComplete(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := withGate(t, inProgress(t, full), 2)
		c := completion(2)
		c.Product = Product{Asked: CommitAuto, Git: true, Commit: strings.Repeat("ab12", 10), Known: true}
		done(t, tw, c.Decide)
		s := snapshot(t, tw)
		v := view(t, tw, 2)
		for label, want := range map[string]string{"Status": "completed", "Date": "2026-09-02", "Summary": "bulk copy", "Evidence": "`make test-shard`: 12 passed",
			"Commit": c.Product.Commit, "Skills disposition": "none", "Documentation decision": c.Docs} {
			got := []string{}
			for _, f := range v.Record.Section(planmd.CompletionLog).Fields {
				if f.Label == label {
					got = append(got, f.Value)
				}
			}
			if len(got) != 1 || got[0] != want {
				t.Errorf("full %v: %s reads %q", full, label, got)
			}
		}
		if !v.Checked || v.Entry.Commit != c.Product.Commit || v.Entry.Outcome.Worked != "bulk copy" || s.README.Claims[0].Done != 2 || s.State.CompletedCount != 2 {
			t.Errorf("full %v: box %v, entry %+v", full, v.Checked, v.Entry)
		}
		if e := s.Progress.Entries; e[len(e)-1].Task != 2 || e[len(e)-1].Bullets != 3 {
			t.Errorf("PROGRESS.md: %+v", e)
		}
		if cp := s.State.Checkpoint; cp.Task != 3 {
			t.Errorf("checkpoint %+v", cp)
		}
		conformant(t, s)
	}
}

// TestCompleteRefused: everything that is missing is listed at once, and nothing is written (WP-2, PD-8, C79, C109).
func TestCompleteRefused(t *testing.T) {
	tw := inProgress(t, false, [3]string{"README.md", "Status: pending\n\n## Task 3", "Status: pending\nSummary: TBD\nRisks: {risks}\n\n## Task 3"})
	before := tw.Tree()
	c := &Complete{Who: mill, Task: 2, Criteria: []int{1, 7}, Bullets: make([]string, 6), Product: Product{Asked: CommitAuto, Git: true, Dirty: []string{"a.go", "b.go"}}}
	got, list := refusedBy(second(do(t, tw, c.Decide)))
	want := "evidence/none outcome/missing log/skills log/placeholder log/placeholder guard/criterion record/open-criteria guard/gate-unrecorded guard/work-tree guard/commit guard/bullets"
	if got != "guard/incomplete" || strings.Join(list, " ") != want {
		t.Errorf("%s\n got %s\nwant %s", got, strings.Join(list, " "), want)
	}
	if after := tw.Tree(); after["README.md"] != before["README.md"] || after["state.json"] != before["state.json"] || len(after) != len(before) {
		t.Error("something was written")
	}
}

// TestCompleteOneGap: each gap by itself (WP-2, WP-5, PS-13, C75, C77).
func TestCompleteOneGap(t *testing.T) {
	full := strings.Repeat("ab12", 10)
	commit := func(p Product) func(*Complete) { return func(c *Complete) { p.Git = true; c.Product = p } }
	for name, test := range map[string]struct {
		change func(*Complete)
		rule   string
	}{
		"skills, no form":      {func(c *Complete) { c.Skills = "maybe" }, "log/skills-form"},
		"skills, bare defer":   {func(c *Complete) { c.Skills = "defer" }, "log/skills"},
		"skills, the template": {func(c *Complete) { c.Skills = "none | update x | create x" }, "log/skills"},
		"documentation":        {func(c *Complete) { c.Docs = "TBD" }, "log/documentation"},
		"open criterion":       {func(c *Complete) { c.AllCriteria, c.Criteria = false, []int{2} }, "record/open-criteria"},
		"worked":               {func(c *Complete) { c.Worked = "" }, "outcome/missing"},
		"no commit":            {commit(Product{Asked: CommitAuto}), "guard/commit"},
		"unknown commit":       {commit(Product{Asked: full, Commit: full}), "guard/commit"},
		"another's commit":     {commit(Product{Asked: CommitAuto, Known: true, Commit: plantest.Commit + "00000000000000000000000000000000"}), "guard/commit"},
		"uncommitted":          {commit(Product{Asked: CommitNone, Dirty: []string{"a.go"}}), "guard/work-tree"},
		"a commit names it":    {commit(Product{Asked: CommitNone, History: []git.Commit{{ID: full, Message: "fix: x - Task 2 of " + plantest.Name}}}), "guard/commit"},
		"a leak":               {commit(Product{Asked: CommitAuto, Known: true, Commit: full, Leaks: []Leak{{"a.go", 3, "GitHub token"}}}), "guard/commit-secret"},
	} {
		tw := withGate(t, inProgress(t, false), 2)
		c := completion(2)
		test.change(c)
		got, list := refusedBy(second(do(t, tw, c.Decide)))
		if got != "guard/incomplete" || len(list) != 1 || list[0] != test.rule {
			t.Errorf("%s: %s %v", name, got, list)
		}
	}
}

// TestCompleteTicksNothing: without being told, no criterion and no checklist is ticked (C37, C79).
func TestCompleteTicksNothing(t *testing.T) {
	tw := withGate(t, inProgress(t, false), 2)
	c := completion(2)
	c.AllCriteria, c.Checklist, c.Criteria = false, false, []int{1, 2}
	done(t, tw, c.Decide)
	if v := view(t, tw, 2); v.Record.Section(planmd.Checklist).Boxes[0].Checked() {
		t.Error("the checklist was ticked")
	}
}

// TestCompleteFaithful: what would not read back as it was given is refused (PD-8, PD-10).
func TestCompleteFaithful(t *testing.T) {
	for _, change := range []func(*Complete){
		func(c *Complete) { c.Docs = "see <!-- the" },
		func(c *Complete) { c.Skills = "none\n- [ ] Task 9: x" },
		func(c *Complete) { c.Bullets = []string{"# Task 3: x", "b", "c"} },
		func(c *Complete) { c.Worked = "\u2028x" },
	} {
		tw := withGate(t, inProgress(t, false), 2)
		before := tw.Tree()["README.md"]
		c := completion(2)
		change(c)
		_, err := do(t, tw, c.Decide)
		if err == nil {
			conformant(t, snapshot(t, tw)) // what is taken is harmless
			continue
		}
		if _, ok := errors.AsType[*publish.Refused](err); !ok || tw.Tree()["README.md"] != before {
			t.Errorf("%v", err)
		}
	}
}

// TestCompleteLast: the last task publishes the plan, with everything its markdown says (VP-1, VP-2).
func TestCompleteLast(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := last(t, full)
		first, err := do(t, tw, completion(3).Decide)
		must(t, err)
		if again, err := do(t, tw, completion(3).Decide); !first.Published || err != nil || again.Changed {
			t.Errorf("%+v, again %+v, %v", first, again, err)
		}
		s := snapshot(t, tw)
		if s.Receipt == nil || s.State.Status != state.Completed || s.State.Checkpoint.Step != "done" {
			t.Errorf("receipt %v, %s, %+v", s.Receipt, s.State.Status, s.State.Checkpoint)
		}
		conformant(t, s)
	}
}

// last is a plan whose Final Review was started, and whose gate passed.
func last(t *testing.T, full bool) *disk.Twin {
	t.Helper()
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 2, Full: full})
	must(t, tw.Put("analysis_results/SECURITY_REVIEW.md", []byte("# Security review\n\nNo findings.\n\n## Documentation reconciliation\n\nAll current.\n"), 0o644))
	_, err := do(t, tw, (&Start{Who: mill}).Decide)
	must(t, err)
	return withGate(t, tw, 3)
}

// TestCompleteLastRefused: without the artefacts of the Final Review nothing is published or written (VP-1, VP-2).
func TestCompleteLastRefused(t *testing.T) {
	tw := last(t, false)
	must(t, tw.Put("analysis_results/SECURITY_REVIEW.md", []byte("# Security review\n"), 0o644))
	before := tw.Tree()
	got, list := refusedBy(second(do(t, tw, completion(3).Decide)))
	if got != "guard/not-conformant" || len(list) != 1 || list[0] != "review/security-empty" {
		t.Errorf("%s %v", got, list)
	}
	if after := tw.Tree(); after["README.md"] != before["README.md"] || len(after) != len(before) {
		t.Error("something was written")
	}
}

// amendment reopens the second task, and speaks of the third.
func amendment(affected string) *revise.Amendment {
	return &revise.Amendment{Original: "counts agree", Observed: "a shard was loaded twice", Disposition: "revised", Revised: "no shard is loaded twice",
		Authority: "evidence", Affected: affected, Invalidated: "`make test-shard`", Preserved: "task 3: it reads no shard", Reason: "it was loaded twice"}
}

// TestReopen: amendment, log, box, count, PROGRESS.md and state.json in one; only new evidence closes the task again, and it gets an
// entry of its own (GU-6, AM-1, C117).
func TestReopen(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := folder(t, plantest.Spec{Tasks: 4, Done: 3, Full: full})
		o := &Reopen{Who: mill, Task: 2, Reason: "it was loaded twice", Amendment: amendment("2, 3")}
		done(t, tw, o.Decide)
		s, v := snapshot(t, tw), view(t, tw, 2)
		if v.Checked || v.Record.Log.State != planmd.LogInProgress || len(v.Record.Log.Amendments) != 1 || v.Entry.Status != state.InProgress ||
			v.Entry.CompletedAt != nil || s.README.Claims[0].Done != 2 || len(s.Progress.Amendments) != 1 {
			t.Fatalf("full %v: %+v", full, v.Entry)
		}
		if got, list := refusedBy(second(do(t, tw, completion(2).Decide))); got != "guard/incomplete" {
			t.Errorf("closed on the old evidence: %s %v", got, list)
		}
		withGate(t, tw, 2)
		done(t, tw, completion(2).Decide)
		entries := 0
		for _, e := range snapshot(t, tw).Progress.Entries {
			if e.Task == 2 {
				entries++
			}
		}
		if entries != 3 { // completed, reopened, completed
			t.Errorf("%d entries about task 2", entries)
		}
		conformant(t, snapshot(t, tw))
	}
}

// TestReopenRefused: without an amendment, or one that is silent about a completed dependant, nothing is opened (GU-6, AM-1); inside a
// turn nobody's authority is claimed (UN-6).
func TestReopenRefused(t *testing.T) {
	silent := amendment("none")
	silent.Preserved = "none"
	person := amendment("2, 3")
	person.Authority = "user"
	for rule, o := range map[string]*Reopen{
		"guard/amendment":     {Who: mill, Task: 2, Reason: "x"},
		"guard/dependants":    {Who: mill, Task: 2, Reason: "x", Amendment: silent},
		"guard/in-turn":       {Who: mill, Task: 2, Reason: "x", Amendment: person, InTurn: true},
		"guard/not-completed": {Who: mill, Task: 4, Reason: "x", Amendment: amendment("4")},
	} {
		tw := folder(t, plantest.Spec{Tasks: 4, Done: 3})
		before := tw.Tree()["README.md"]
		if got, _ := refusedBy(second(do(t, tw, o.Decide))); got != rule || tw.Tree()["README.md"] != before {
			t.Errorf("got %s, want %s", got, rule)
		}
	}
}

// TestReopenPublished: the receipt of a published plan is kept under another name in the same operation; closed again, the plan has a
// new one (VP-5).
func TestReopenPublished(t *testing.T) {
	tw := last(t, false)
	must(t, second(do(t, tw, completion(3).Decide)))
	old := tw.Tree()[state.ReceiptFile]
	a := amendment("3")
	a.Preserved = "none"
	done(t, tw, (&Reopen{Who: mill, Task: 3, Reason: "it was loaded twice", Amendment: a}).Decide)
	if tree := tw.Tree(); tree["analysis_results/FINALIZATION-1.json"] != old || tree[state.ReceiptFile] != "" {
		t.Error("the receipt was not kept, or is still in force")
	}
	withGate(t, tw, 3)
	if d, err := do(t, tw, completion(3).Decide); err != nil || !d.Published {
		t.Errorf("%+v, %v%s", d, err, why(err))
	}
	conformant(t, snapshot(t, tw))
}

// TestCoreCrashes: an operation that is cut off leaves the plan as it was, or one that recover finishes; and completing the last task
// never leaves a completed state without its markdown (WP-2, PS-19, VP-4, C71, C73).
func TestCoreCrashes(t *testing.T) {
	published := func() *disk.Twin {
		tw := last(t, false)
		must(t, second(do(t, tw, completion(3).Decide)))
		return tw.Kill()
	}
	for name, op := range map[string]struct {
		start  func() *disk.Twin
		decide publish.Decide
	}{
		"start":             {func() *disk.Twin { return folder(t, plantest.Spec{Tasks: 3, Done: 1}) }, (&Start{Who: mill, Task: 2}).Decide},
		"start and approve": {func() *disk.Twin { return proposal(t) }, (&Start{Who: mill, Approve: "Ada"}).Decide},
		"block":             {func() *disk.Twin { return inProgress(t, true) }, (&Block{Who: mill, Class: "C1", Reason: "why", Needs: "what"}).Decide},
		"reopen":            {func() *disk.Twin { return folder(t, plantest.Spec{Tasks: 4, Done: 3, Full: true}) }, (&Reopen{Who: mill, Task: 2, Reason: "x", Amendment: amendment("2, 3")}).Decide},
		"reopen published":  {published, (&Reopen{Who: mill, Task: 3, Reason: "x", Amendment: amendment("3")}).Decide},
		"complete":          {func() *disk.Twin { return withGate(t, inProgress(t, true), 2) }, completion(2).Decide},
		"complete the last": {func() *disk.Twin { return last(t, true) }, completion(3).Decide},
	} {
		t.Run(name, func(t *testing.T) {
			crashtest.Matrix(t, crashtest.Operation{
				Start: func() *disk.Twin { return op.start().Kill() }, Plan: planIn, Remainders: 1,
				Run: func(p publish.Plan) error {
					_, err := publish.Revise(t.Context(), p, update.Terms{}, op.decide)
					return err
				},
			})
		})
	}
}

// TestCommands: what a code block of Validation asks for (WP-2).
func TestCommands(t *testing.T) {
	for block, want := range map[string]string{
		"go test ./...\ngo vet ./...\n":             "go test ./...|go vet ./...",
		"# tests\n$ make test # all\n\n":            "make test",
		"go test \\\n  ./...\n":                     "go test    ./...",
		"for f in *; do\n  echo $f\ndone\n":         "for f in *; do\n  echo $f\ndone",
		"{\"a\": 1}\n":                              "",
		"name: value\n":                             "",
		"run {{LIMIT}}\n":                           "",
		"CGO_ENABLED=0 go build\r\n./x.sh | tail\n": "CGO_ENABLED=0 go build|./x.sh | tail",
	} {
		if got := strings.Join(Commands(block), "|"); got != want {
			t.Errorf("%q: %q, want %q", block, got, want)
		}
	}
}

// TestNamesTask: a commit names its task, and no longer number or name (WP-2).
func TestNamesTask(t *testing.T) {
	for message, want := range map[string]bool{
		"feat(x): y - Task 2 of PLAN_a": true, "feat: y\n\nTask 2\nof plan_a.": true,
		"Task 2 of PLAN_ab": false, "Task 12 of PLAN_a": false, "Task 2": false, "Task 2 of PLAN_a_b, Task 2 of PLAN_a": true,
	} {
		if got := NamesTask(message, "PLAN_a", 2); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}
