package work

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

func reconcile(t *testing.T, fsys disk.FS, r *Reconcile) (publish.Done, error) {
	t.Helper()
	return publish.Revise(t.Context(), planIn(fsys), ReconcileTerms, r.Decide)
}

// reconciled demands that a reconciliation succeeds, leaves no desync, and that the same again changes nothing.
func reconciled(t *testing.T, fsys disk.FS, r *Reconcile) Reconciliation {
	t.Helper()
	first, err := reconcile(t, fsys, r)
	if err != nil || !first.Changed {
		t.Fatalf("%+v, %v%s", first, err, why(err))
	}
	answer := r.Answer
	tree := fsys.(*disk.Twin).Tree()
	again, err := reconcile(t, fsys, r)
	if err != nil || again.Changed || !maps.Equal(fsys.(*disk.Twin).Tree(), tree) {
		t.Fatalf("again: %+v, %v%s: %+v", again, err, why(err), r.Answer)
	}
	for _, f := range musts(t, fsys) {
		if strings.HasPrefix(f.Rule, "desync/") || strings.HasPrefix(f.Rule, "state/") && len(answer.Left) == 0 || strings.HasPrefix(f.Rule, "blocked/") {
			t.Errorf("%s: %s", f.Rule, f.Message)
		}
	}
	return answer
}

func musts(t *testing.T, fsys disk.FS) []rule.Finding {
	t.Helper()
	list := verify.Plan(snapshot(t, fsys), verify.Options{Now: noon, InGit: true}).Findings
	return slices.DeleteFunc(list, func(f rule.Finding) bool { return f.Level != rule.Must })
}

// entryForms are an entry of task 2 with each status, with and without a record.
var entryForms = []string{"pending", "in_progress", "completed", "blocked", "skipped", "done", "none"}

// TestReconcilePairs: box, log, status and records in every combination: the box wins, every record stays, none is new, a second call
// changes nothing more (PS-18, WP-1).
func TestReconcilePairs(t *testing.T) {
	const old = `"title": "Load shard 2", "status": "pending", "gates": []}`
	for _, full := range []bool{false, true} {
		for _, box := range []string{" ", "x"} {
			for _, log := range []string{"pending", "in progress", "completed", "blocked", ""} {
				for _, status := range entryForms {
					for _, gates := range []string{"[]", plantest.Gate} {
						name := fmt.Sprintf("full %v, box %q, log %q, status %s, %d", full, box, log, status, len(gates))
						pair(t, name, full, box, log, status, gates, old)
					}
				}
			}
		}
	}
}

// pair reconciles one combination.
func pair(t *testing.T, name string, full bool, box, log, status, gates, old string) {
	t.Helper()
	file := map[bool]string{false: "README.md", true: "2.task_load_shard_2.md"}[full]
	files := plantest.Plan(plantest.Spec{Tasks: 4, Done: 1, Full: full})
	edit := func(name, old, new string) {
		f := files[name]
		if !strings.Contains(string(f.Data), old) {
			t.Fatalf("%s has no %q", name, old)
		}
		f.Data = []byte(strings.Replace(string(f.Data), old, new, 1))
	}
	edit("README.md", "- [ ] Task 2", "- ["+box+"] Task 2")
	if box == "x" {
		edit("README.md", "Plan Status: 1/4", "Plan Status: 2/4")
	}
	edit(file, "Status: pending", strings.TrimSuffix("Status: "+log, "Status: "))
	entry := fmt.Sprintf(`"title": "Load shard 2", "status": %q, "started_at": "2026-09-01T09:00:00Z", "gates": %s}`, status, gates)
	counted := 1
	switch status {
	case "completed":
		entry, counted = strings.Replace(entry, `"gates"`, `"completed_at": "2026-09-01T10:00:00Z", "gates"`, 1), 2
	case "blocked":
		edit("state.json", `"blocked": null`, `"blocked": {"task": 2, "reason": "[C1] which?", "since": "2026-09-01T10:00:00Z", "needs": "word"}`)
		edit("state.json", `"status": "in_progress", "completed_count"`, `"status": "blocked", "completed_count"`)
	}
	edit("state.json", `"completed_count": 1`, fmt.Sprintf(`"completed_count": %d`, counted))
	edit("state.json", old, entry)
	if status == "none" {
		text := string(files["state.json"].Data)
		from := strings.Index(text, `    {"id": 2`)
		to := from + strings.Index(text[from:], "\n") + 1
		files["state.json"].Data = []byte(text[:from] + text[to:])
	}
	tw, err := disk.TwinOf(files)
	must(t, err)
	before := snapshot(t, tw)
	r := &Reconcile{Who: mill}
	done, err := reconcile(t, tw, r)
	if err != nil {
		t.Fatalf("%s: %v%s", name, err, why(err))
	}
	agree := (box == "x") == (status == "completed") && status != "done" && status != "none"
	if done.Changed == agree {
		t.Errorf("%s: changed %v: %+v", name, done.Changed, r.Answer)
	}
	tree := tw.Tree()
	if again, err := reconcile(t, tw, &Reconcile{Who: mill}); err != nil || again.Changed || !maps.Equal(tree, tw.Tree()) {
		t.Errorf("%s: again %v, %v", name, again.Changed, err)
	}
	after := snapshot(t, tw)
	recordsKept(t, name, before.State, after.State)
	e := after.State.Tasks[1]
	if box == "x" && (e.Status != state.Completed || e.CompletedAt == nil) || box == " " && (e.Status == state.Completed || e.CompletedAt != nil) {
		t.Errorf("%s: entry %s, completed %v", name, e.Status, e.CompletedAt)
	}
	if question := slices.ContainsFunc(r.Answer.Questions, func(q string) bool { return strings.Contains(q, "log says completed") }); question != (box == " " && log == "completed") {
		t.Errorf("%s: %v", name, r.Answer.Questions)
	}
	for _, f := range musts(t, tw) {
		if p, _, _ := strings.Cut(f.Rule, "/"); p == "desync" || p == "state" || p == "blocked" || p == "checkpoint" || p == "time" {
			t.Errorf("%s: %s: %s", name, f.Rule, f.Message)
		}
	}
}

// recordsKept: every record of the state before stands in the one after, as it was or marked as history; none is new.
func recordsKept(t *testing.T, name string, before, after *state.State) {
	t.Helper()
	for i := range before.Tasks {
		was := &before.Tasks[i]
		at := slices.IndexFunc(after.Tasks, func(e state.Task) bool { return e.ID == was.ID })
		if at < 0 {
			if len(was.Gates) > 0 || was.Outcome != nil {
				t.Errorf("%s: task %d is lost", name, was.ID)
			}
			continue
		}
		is := &after.Tasks[at]
		if len(is.Gates) != len(was.Gates) || (was.Outcome == nil) != (is.Outcome == nil) || is.Commit != was.Commit && was.Commit != "" {
			t.Errorf("%s: task %d has %d records, had %d", name, was.ID, len(is.Gates), len(was.Gates))
			continue
		}
		for g := range was.Gates {
			if was.Gates[g].Command != is.Gates[g].Command || !strings.HasSuffix(is.Gates[g].Evidence, was.Gates[g].Evidence) ||
				was.Status == state.Completed && is.Status != state.Completed && !evidence.Invalidated(is.Gates[g].Evidence) {
				t.Errorf("%s: task %d record %+v was %+v", name, was.ID, is.Gates[g], was.Gates[g])
			}
		}
	}
}

// TestReconcileHealthy: where nothing disagrees nothing is written, in any form of plan (PS-18).
func TestReconcileHealthy(t *testing.T) {
	for _, full := range []bool{false, true} {
		for done := range 4 {
			tw := folder(t, plantest.Spec{Tasks: 3, Done: done, Full: full})
			before := tw.Tree()
			r := &Reconcile{Who: mill}
			if got, err := reconcile(t, tw, r); err != nil || got.Changed || !maps.Equal(before, tw.Tree()) {
				t.Errorf("full %v, %d done: %+v, %v: %+v", full, done, got, err, r.Answer)
			}
		}
	}
	tw := last(t, true) // a published one
	_, err := do(t, tw, completion(3).Decide)
	must(t, err)
	if got, err := reconcile(t, tw, &Reconcile{Who: mill}); err != nil || got.Changed {
		t.Errorf("published: %+v, %v", got, err)
	}
}

// TestReconcileRandom: boxes, statuses, counts, titles and checkpoints at random: the state after agrees with the README, keeps every
// record, and a second call changes nothing (PS-18, C33).
func TestReconcileRandom(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		n := 2 + rng.IntN(6)
		spec := plantest.Spec{Tasks: n, Done: rng.IntN(n + 1), Full: rng.IntN(2) == 0}
		files := plantest.Plan(spec)
		swap := func(file, old, new string) {
			files[file].Data = []byte(strings.Replace(string(files[file].Data), old, new, 1))
		}
		for id := 1; id <= n; id++ {
			mark := fmt.Sprintf("] Task %d:", id)
			switch rng.IntN(4) {
			case 0:
				swap("README.md", "- [ "+mark, "- [x"+mark)
			case 1:
				swap("README.md", "- [x"+mark, "- [ "+mark)
			}
			if rng.IntN(5) == 0 {
				swap("state.json", fmt.Sprintf(`"title": "Load shard %d"`, id), fmt.Sprintf(`"title": "Old %d"`, id))
			}
			if rng.IntN(6) == 0 {
				swap("state.json", fmt.Sprintf(`"id": %d,`, id), fmt.Sprintf(`"id": %d, "mood": [1, 2.50],`, id))
			}
		}
		swap("state.json", fmt.Sprintf(`"completed_count": %d`, spec.Done), fmt.Sprintf(`"completed_count": %d`, rng.IntN(n+1)))
		if rng.IntN(2) == 0 {
			swap("state.json", `"checkpoint": null`, fmt.Sprintf(`"checkpoint": {"task": %d, "step": "x", "at": "2026-09-01T10:00:00Z", "note": "y"}`, 1+rng.IntN(n+2)))
		}
		tw, err := disk.TwinOf(files)
		must(t, err)
		before := snapshot(t, tw)
		r := &Reconcile{Who: mill}
		if _, err := reconcile(t, tw, r); err != nil {
			t.Fatalf("seed %d: %v%s", seed, err, why(err))
		}
		after, name := snapshot(t, tw), fmt.Sprintf("seed %d", seed)
		recordsKept(t, name, before.State, after.State)
		for _, f := range musts(t, tw) {
			if p, _, _ := strings.Cut(f.Rule, "/"); p == "desync" || p == "state" || p == "checkpoint" || p == "time" {
				t.Errorf("%s: %s: %s", name, f.Rule, f.Message)
			}
		}
		for i := range before.State.Tasks { // PS-21, PS-23
			was, is := before.State.Tasks[i].Node.Member("mood"), after.State.Tasks[i].Node.Member("mood")
			if (was == nil) != (is == nil) || was != nil && is.Elems[1].Text != "2.50" {
				t.Errorf("%s: an unknown field changed", name)
			}
		}
		tree := tw.Tree()
		if again, err := reconcile(t, tw, &Reconcile{Who: mill}); err != nil || again.Changed || !maps.Equal(tree, tw.Tree()) {
			t.Errorf("%s: again %v, %v", name, again.Changed, err)
		}
	}
}

// TestReconcileTells: PROGRESS.md says what changed and why, and no bullet reads as the entry of a task; the old file is kept once.
func TestReconcileTells(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 4, Done: 2},
		[3]string{"README.md", "- [x] Task 2", "- [ ] Task 2"}, [3]string{"README.md", "- [ ] Task 3", "- [x] Task 3"})
	old := tw.Tree()["state.json"]
	entries := len(snapshot(t, tw).Progress.Entries)
	answer := reconciled(t, tw, &Reconcile{Who: mill})
	s := snapshot(t, tw)
	if tw.Tree()[answer.Copy] != old {
		t.Errorf("the copy %s is not the old file", answer.Copy)
	}
	if got := len(s.Progress.Entries); got != entries || s.Progress.Refined || s.Progress.Migrated {
		t.Errorf("%d entries, had %d; refined %v, migrated %v", got, entries, s.Progress.Refined, s.Progress.Migrated)
	}
	text := string(s.Progress.Src)
	for _, want := range []string{"## 2026-09-02 State reconciled\n", "- Why: README.md is the truth", "- Open in README.md, so opened; their records are history, and only new evidence closes them: task 2\n",
		"- Ticked in README.md, so completed: task 3\n", "- Late evidence is due: task 3\n", "`" + answer.Copy + "`"} {
		if !strings.Contains(text, want) {
			t.Errorf("PROGRESS.md has no %q:\n%s", want, text)
		}
	}
	if want := []int{3}; !slices.Equal(answer.Owing, want) || answer.Tasks[0].Direction != StateAhead || answer.Tasks[1].Direction != StateBehind {
		t.Errorf("%+v", answer)
	}
	if g := s.State.Tasks[1].Gates[0].Evidence; g != "[invalidated by refine 2026-09-02T12:00:00Z, reconciled] 12 passed" {
		t.Errorf("evidence %q", g)
	}
}

// TestReconcileSources: when a ticked task was completed is taken from its log, PROGRESS.md, its commit, else it is now; the source is
// told (PS-11).
func TestReconcileSources(t *testing.T) {
	tick := [3]string{"README.md", "- [ ] Task 2", "- [x] Task 2"}
	id := strings.Repeat("ab12", 10)
	commit := git.Commit{ID: id, Message: "feat: x - Task 2 of " + plantest.Name, At: time.Date(2026, 9, 1, 15, 4, 5, 0, time.UTC)}
	for name, test := range map[string]struct {
		edits   [][3]string
		history []git.Commit
		want    string
		commit  string
	}{
		"log":      {edits: [][3]string{{"README.md", "Status: pending", "Status: completed\nDate: 2026-08-30"}}, history: []git.Commit{commit}, want: "2026-08-30T23:59:59Z", commit: id},
		"exact":    {edits: [][3]string{{"README.md", "Status: pending", "Status: completed\n- **Timestamp:** 2026-08-30T20:59+08:00"}}, want: "2026-08-30T12:59:00Z"},
		"progress": {edits: [][3]string{{"PROGRESS.md", "# Progress\n", "# Progress\n\n## 2026-08-31 Task 2: x\n\n- y\n"}}, want: "2026-08-31T23:59:59Z"},
		"today":    {edits: [][3]string{{"README.md", "Status: pending", "Status: completed\nDate: 2026-09-02"}}, want: "2026-09-02T12:00:00Z"},
		"commit":   {history: []git.Commit{commit}, want: "2026-09-01T15:04:05Z", commit: id},
		"two":      {history: []git.Commit{commit, {ID: strings.Repeat("cd34", 10), Message: commit.Message}}, want: "2026-09-02T12:00:00Z"},
		"longer":   {history: []git.Commit{{ID: id, Message: "Task 2 of " + plantest.Name + "_two, Task 22 of " + plantest.Name}}, want: "2026-09-02T12:00:00Z"},
		"future":   {edits: [][3]string{{"README.md", "Status: pending", "Status: completed\nDate: 2027-01-01"}}, want: "2026-09-02T12:00:00Z"},
		"nothing":  {want: "2026-09-02T12:00:00Z"},
	} {
		tw := folder(t, plantest.Spec{Tasks: 3, Done: 1}, append(test.edits, tick)...)
		r := &Reconcile{Who: mill, History: test.history}
		reconciled(t, tw, r)
		if e := snapshot(t, tw).State.Tasks[1]; e.CompletedAt.Text != test.want || e.Commit != test.commit {
			t.Errorf("%s: %s, commit %q", name, e.CompletedAt.Text, e.Commit)
		}
	}
}

// TestReconcilePublished: a published plan that was opened by hand is open, its receipt is history, and that is told; one that stays
// completed is not touched, so that what changed stays visible (VP-5).
func TestReconcilePublished(t *testing.T) {
	tw := last(t, false)
	_, err := do(t, tw, completion(3).Decide)
	must(t, err)
	readme := tw.Tree()["README.md"]
	must(t, tw.Put("README.md", []byte(strings.Replace(readme, "- [x] Task 2: Load shard 2", "- [x] Task 2: Load another one", 1)), 0o644))
	if _, err := reconcile(t, tw, &Reconcile{Who: mill}); err == nil || !strings.Contains(err.Error(), "published") {
		t.Errorf("a retitled task of a published plan: %v", err)
	}
	must(t, tw.Put("README.md", []byte(strings.Replace(readme, "- [x] Task 2: Load shard 2", "- [ ] Task 2: Load shard 2", 1)), 0o644))
	reconciled(t, tw, &Reconcile{Who: mill})
	s := snapshot(t, tw)
	if s.Receipt != nil || tw.Tree()["analysis_results/FINALIZATION-1.json"] == "" || s.State.Status != state.InProgress || !strings.Contains(string(s.Progress.Src), "the receipt is kept as history") {
		t.Errorf("receipt %v, status %s", s.Receipt, s.State.Status)
	}
	if cp := s.State.Checkpoint; cp.Task != 2 || cp.Step != "reconciled" {
		t.Errorf("checkpoint %+v", cp)
	}
}

// TestReconcileBlocker: a ticked task is not blocked; what the blocker said is kept. Inside a turn a box is nobody's answer, and a line
// no approval (GU-5, UN-6).
func TestReconcileBlocker(t *testing.T) {
	blocked := [][3]string{{"state.json", `"blocked": null`, `"blocked": {"task": 2, "reason": "[C1] which *one*?", "since": "2026-09-01T10:00:00Z", "needs": "a word"}`},
		{"state.json", `"status": "in_progress", "completed_count"`, `"status": "blocked", "completed_count"`},
		{"state.json", `"title": "Load shard 2", "status": "pending"`, `"title": "Load shard 2", "status": "blocked"`}, {"README.md", "- [ ] Task 2", "- [x] Task 2"}}
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 1}, blocked...)
	if got, _ := refusedBy(second(reconcile(t, tw, &Reconcile{Who: mill, InTurn: true}))); got != "guard/person" {
		t.Errorf("inside a turn: %s", got)
	}
	reconciled(t, tw, &Reconcile{Who: mill})
	if s := snapshot(t, tw); s.State.Blocked != nil || !strings.Contains(string(s.Progress.Src), "which *one*?") && !strings.Contains(string(s.Progress.Src), `which \*one\*?`) {
		t.Errorf("%+v\n%s", s.State.Blocked, s.Progress.Src)
	}
	tw = folder(t, plantest.Spec{Tasks: 3, Done: 1}, [3]string{"state.json", `"approval": "approved"`, `"approval": "pending"`})
	if got, _ := refusedBy(second(reconcile(t, tw, &Reconcile{Who: mill, InTurn: true}))); got != "guard/in-turn" {
		t.Errorf("approved inside a turn: %s", got)
	}
	reconciled(t, tw, &Reconcile{Who: mill})
	if got := snapshot(t, tw).State.Approval; got != "approved" {
		t.Errorf("approval %s", got)
	}
	must(t, tw.Remove("state.json")) // nor of a state that is gone
	if got, _ := refusedBy(second(reconcile(t, tw, &Reconcile{Who: mill, InTurn: true}))); got != "guard/in-turn" {
		t.Errorf("made anew inside a turn: %s", got)
	}
	if got, _ := refusedBy(second(reconcile(t, tw, &Reconcile{Who: mill, InTurn: true, Rebuild: true}))); got != "guard/in-turn" {
		t.Errorf("rebuilt inside a turn: %s", got)
	}
	tw = folder(t, plantest.Spec{Tasks: 3, Done: 1}, [3]string{"README.md", "**Approval:** approved", "**Approval:** pending"})
	reconciled(t, tw, &Reconcile{Who: mill, InTurn: true})
	if got := snapshot(t, tw).State.Approval; got != "pending" {
		t.Errorf("approval %s", got)
	}
}

// TestReconcileQuestions: commits that name open tasks tick nothing (C37).
func TestReconcileQuestions(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 3})
	r := &Reconcile{Who: mill, History: []git.Commit{{ID: strings.Repeat("ab12", 10), Message: "x - Task 1 of " + plantest.Name}}}
	if done, err := reconcile(t, tw, r); err != nil || done.Changed || len(r.Answer.Questions) != 1 || !strings.Contains(r.Answer.Questions[0], "commit ab12ab12ab12 names it") {
		t.Errorf("%+v, %v, %v", done, err, r.Answer.Questions)
	}
}

// TestReconcileCrash cuts a reconciliation off at every step (PS-5, PS-19): of a state behind and ahead, of a torn file, of a published
// plan, of one without any state.
func TestReconcileCrash(t *testing.T) {
	for name, test := range map[string]struct {
		start func() *disk.Twin
		ask   Reconcile
	}{
		"both ways": {start: func() *disk.Twin {
			return folder(t, plantest.Spec{Tasks: 4, Done: 2}, [3]string{"README.md", "- [x] Task 2", "- [ ] Task 2"}, [3]string{"README.md", "- [ ] Task 3", "- [x] Task 3"})
		}},
		"torn": {ask: Reconcile{Rebuild: true}, start: func() *disk.Twin {
			return folder(t, plantest.Spec{Tasks: 3, Done: 1, Full: true}, [3]string{"state.json", `"blocked": null}`, ``})
		}},
		"published": {start: func() *disk.Twin {
			tw := folder(t, plantest.Spec{Tasks: 3, Done: 3}, [3]string{"README.md", "- [x] Task 2", "- [ ] Task 2"})
			must(t, tw.Put(state.ReceiptFile, []byte("{}"), 0o644))
			return tw
		}},
		"no layer": {ask: Reconcile{CreateLayer: true}, start: func() *disk.Twin {
			files := plantest.Plan(plantest.Spec{Tasks: 3, Done: 1, Full: true})
			delete(files, "state.json")
			delete(files, "manifest.json")
			tw, err := disk.TwinOf(files)
			must(t, err)
			return tw
		}},
	} {
		t.Run(name, func(t *testing.T) {
			crashtest.Matrix(t, crashtest.Operation{
				Start: test.start, Plan: func(fsys disk.FS) publish.Plan { return planIn(fsys) }, Remainders: 1,
				Run: func(p publish.Plan) error {
					r := test.ask
					r.Who = mill
					_, err := publish.Revise(t.Context(), p, ReconcileTerms, r.Decide)
					return err
				},
			})
		})
	}
}
