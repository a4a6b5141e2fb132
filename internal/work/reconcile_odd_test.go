package work

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// TestReconcileOddForms: line ends, a byte-order mark, another script, a plan without PROGRESS.md, JSON on one line: what is not about
// the disagreement keeps its bytes (PD-10, PS-23).
func TestReconcileOddForms(t *testing.T) {
	for name, odd := range map[string]func(file string, data []byte) []byte{
		"CRLF": func(file string, data []byte) []byte {
			if strings.HasSuffix(file, ".md") {
				data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
			}
			return data
		},
		"BOM": func(_ string, data []byte) []byte { return append([]byte("\ufeff"), data...) },
		"Thai": func(_ string, data []byte) []byte {
			return bytes.ReplaceAll(data, []byte("Load shard 2"), []byte("\u0e42\u0e2b\u0e25\u0e14 2 \U0001f6b2"))
		},
		"no PROGRESS.md": func(file string, data []byte) []byte {
			if file == "PROGRESS.md" {
				return nil
			}
			return data
		},
		"one line": func(file string, data []byte) []byte {
			if file == "state.json" {
				return bytes.ReplaceAll(data, []byte("\n"), nil)
			}
			return data
		},
	} {
		files := plantest.Plan(plantest.Spec{Tasks: 4, Done: 1})
		for file, f := range files {
			if f.Data = odd(file, f.Data); f.Data == nil {
				delete(files, file)
			}
		}
		tw, err := disk.TwinOf(files)
		must(t, err)
		if got, err := reconcile(t, tw, &Reconcile{Who: mill}); err != nil || got.Changed {
			t.Errorf("%s: nothing disagrees: %+v, %v", name, got, err)
		}
		before := tw.Tree()
		must(t, tw.Put("README.md", []byte(strings.Replace(before["README.md"], "- [ ] Task 2", "- [x] Task 2", 1)), 0o644))
		reconciled(t, tw, &Reconcile{Who: mill})
		after := tw.Tree()
		if progress := after["PROGRESS.md"]; !strings.HasPrefix(progress, before["PROGRESS.md"]) || name == "CRLF" && strings.Count(progress, "\n") != strings.Count(progress, "\r\n") {
			t.Errorf("%s: PROGRESS.md is not as it was, with an entry behind:\n%q", name, progress)
		}
		if s := snapshot(t, tw); s.State.Tasks[1].Status != state.Completed || s.State.Tasks[1].Title != s.README.Index[1].Title {
			t.Errorf("%s: %+v", name, s.State.Tasks[1])
		}
	}
}

// TestReconcileHostile: what a broken state.json says goes into PROGRESS.md as words, never as structure, and no secret does (PS-7, C157).
func TestReconcileHostile(t *testing.T) {
	const text = `\n# Task 3: x\n\n- [x] Task 3: done\n<!-- `
	for _, value := range []string{text, "ghp_" + strings.Repeat("a1B2", 10)} {
		tw := folder(t, plantest.Spec{Tasks: 4, Done: 1}, [3]string{"README.md", "- [ ] Task 2", "- [x] Task 2"},
			[3]string{"state.json", `"status": "in_progress", "completed_count"`, `"status": "` + value + `", "completed_count"`},
			[3]string{"state.json", `"checkpoint": null`, `"checkpoint": {"task": 2, "step": "` + value + `", "at": "2026-09-01T10:00:00Z", "note": "` + value + `"}`},
			[3]string{"state.json", `"title": "Load shard 2"`, `"title": "` + value + `"`})
		entries := len(snapshot(t, tw).Progress.Entries)
		if _, err := reconcile(t, tw, &Reconcile{Who: mill}); err != nil {
			t.Fatalf("%v%s", err, why(err))
		}
		s := snapshot(t, tw)
		if got := len(s.Progress.Entries); got != entries || len(s.Progress.Problems) > 0 || strings.Contains(string(s.Progress.Src), "ghp_") {
			t.Errorf("%d entries, had %d: %q", got, entries, s.Progress.Src)
		}
	}
}

// TestReconcileLate: a ticked task without a record is completed, and owes late evidence; once that is given the plan conforms, and goes
// on under guard (PS-18, GU-6, C33).
func TestReconcileLate(t *testing.T) {
	const done = `"title": "Load shard 2", "status": "completed", "started_at": "2026-09-01T09:00:00Z", "completed_at": "2026-09-01T10:00:00Z", "commit": "0badc0de", ` +
		`"outcome": {"tried": [], "failed": [], "worked": "bulk copy", "notes": ""}, "gates": ` + plantest.Gate
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 2}, [3]string{"state.json", `"completed_count": 2`, `"completed_count": 5`},
		[3]string{"state.json", done, `"title": "Load shard 2", "status": "in_progress", "started_at": "2026-09-01T09:00:00Z", "commit": "0badc0de", "gates": []`})
	change := update.Change{Task: 2, Gates: []update.Gate{{Command: "make test-shard", Passes: true, ExitCode: new(int), Evidence: "12 passed"}}}
	if _, err := publish.Apply(t.Context(), planIn(tw), change); err == nil {
		t.Fatal("a false count was updated")
	}
	if answer := reconciled(t, tw, &Reconcile{Who: mill}); !slices.Equal(answer.Owing, []int{2}) {
		t.Errorf("owing %v", answer.Owing)
	}
	if list := musts(t, tw); len(list) != 1 || list[0].Rule != "evidence/none" {
		t.Errorf("%+v", list)
	}
	_, err := publish.Apply(t.Context(), planIn(tw), change)
	must(t, err)
	conformant(t, snapshot(t, tw))
	if s := snapshot(t, tw); s.State.CompletedCount != 2 || s.State.Tasks[1].CompletedAt.Text != "2026-09-01T23:59:59Z" {
		t.Errorf("count %d, completed at %s", s.State.CompletedCount, s.State.Tasks[1].CompletedAt.Text)
	}
}

// TestReconcileReopened: only new evidence closes a task that reconciling opened (GU-6, C57).
func TestReconcileReopened(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 2}, [3]string{"README.md", "- [x] Task 2", "- [ ] Task 2"}, [3]string{"README.md", "Plan Status: 2/3", "Plan Status: 1/3"})
	reconciled(t, tw, &Reconcile{Who: mill})
	_, err := publish.Apply(t.Context(), planIn(tw), update.Change{Task: 2, Status: state.InProgress})
	must(t, err)
	for rule, change := range map[string]update.Change{
		"evidence/invalidated": {Task: 2, Status: state.Completed},
		"guard/old-evidence": {Task: 2, Status: state.Completed, Gates: []update.Gate{{Command: "make test-shard", Passes: true, ExitCode: new(int), Evidence: "12 passed",
			LastRun: "2026-09-01T09:59:00Z"}}},
	} {
		if got, _ := refusedBy(second(publish.Apply(t.Context(), planIn(tw), change))); got != rule {
			t.Errorf("closed: %q, want %s", got, rule)
		}
	}
	_, err = publish.Apply(t.Context(), planIn(tw), update.Change{Task: 2, Status: state.Completed, Gates: []update.Gate{{Command: "make test-shard", Passes: true,
		ExitCode: new(int), Evidence: "13 passed"}}})
	must(t, err)
	if e := snapshot(t, tw).State.Tasks[1]; len(e.Gates) != 2 || !strings.HasSuffix(e.Gates[0].Evidence, ", reconciled] 12 passed") {
		t.Errorf("%+v", e.Gates)
	}
}

// TestReconcileLongEvidence: the mark of history fits whatever the evidence has (PS-12).
func TestReconcileLongEvidence(t *testing.T) {
	for n := 420; n <= 500; n += 8 {
		tw := folder(t, plantest.Spec{Tasks: 3, Done: 2}, [3]string{"README.md", "- [x] Task 1", "- [ ] Task 1"},
			[3]string{"state.json", `"evidence": "12 passed"`, `"evidence": "12 passed ` + strings.Repeat("x", n-len("12 passed ")) + `"`})
		reconciled(t, tw, &Reconcile{Who: mill})
		if text := snapshot(t, tw).State.Tasks[0].Gates[0].Evidence; len(text) > 500 || !strings.Contains(text, "] 12 passed xxx") {
			t.Errorf("%d characters became %d: %q", n, len(text), text)
		}
	}
}

// TestReconcileEnds: the state of a plan whose last box is ticked is completed without being published; the finalizer does that (VP-1).
func TestReconcileEnds(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 3, Ready: true})
	if answer := reconciled(t, tw, &Reconcile{Who: mill}); !answer.Completed || len(answer.Owing) > 0 {
		t.Errorf("%+v", answer)
	}
	s := snapshot(t, tw)
	if s.Receipt != nil || s.State.Status != state.Completed || s.State.Checkpoint == nil || s.State.Checkpoint.Step != "done" {
		t.Errorf("receipt %v, %s, %+v", s.Receipt, s.State.Status, s.State.Checkpoint)
	}
	sealed, err := publish.Seal(t.Context(), planIn(tw))
	if err != nil || !sealed.Published {
		t.Fatalf("%+v, %v%s", sealed, err, why(err))
	}
	conformant(t, snapshot(t, tw))
	if got, err := reconcile(t, tw, &Reconcile{Who: mill}); err != nil || got.Changed {
		t.Errorf("published: %+v, %v", got, err)
	}
}
