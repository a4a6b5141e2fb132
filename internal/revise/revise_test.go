package revise_test

import (
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

var now = time.Date(2026, 9, 3, 23, 30, 0, 0, time.FixedZone("west", -2*3600)) // in UTC it is the next day

// amendment is one that has every field but a revised criterion.
var amendment = revise.Amendment{
	Original: "counts agree", Observed: "the source\nlost a shard", Disposition: "failed", Reason: "the disk is gone",
	Authority: "evidence", Affected: "2", Preserved: "`make test-shard`",
}

func onTwin(t *testing.T, spec plantest.Spec) publish.Plan {
	t.Helper()
	twin := disk.NewTwin()
	for name, f := range plantest.Plan(spec) {
		if dir, _, deep := strings.Cut(name, "/"); deep {
			if err := disk.MkdirAll(twin, dir); err != nil {
				t.Fatal(err)
			}
		}
		if err := disk.WriteFile(twin, name, f.Data, disk.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	return publish.Plan{FS: twin, Name: plantest.Name, Now: func() time.Time { return now }, Owner: disk.Owner{Command: "dwp test"}}
}

// amend is an operation on a task's log, PROGRESS.md and state.json.
func amend(task int) publish.Decide {
	return func(s *plan.Snapshot) (*publish.Revision, error) {
		d := revise.New(s, revise.Who{Agent: "Mill", Now: now})
		_, already, err := d.Amend(d.Task(task), amendment)
		if err != nil || already {
			return &publish.Revision{}, err
		}
		d.State()
		return d.Revision("amend", "2")
	}
}

// TestAmend: an amendment stands in the task's log and in PROGRESS.md with the same words, dated in UTC, numbered; a second call of
// the same adds nothing (AM-1, PD-12, C117), and another gets the next number.
func TestAmend(t *testing.T) {
	for _, full := range []bool{false, true} {
		p := onTwin(t, plantest.Spec{Tasks: 3, Done: 1, Full: full})
		for round, want := range []bool{true, false} {
			done, err := publish.Revise(t.Context(), p, update.Terms{}, amend(2))
			if err != nil || done.Changed != want {
				t.Fatalf("full %v, round %d: %+v, %v", full, round, done, err)
			}
		}
		s, err := plan.Read(p.FS, p.Name)
		if err != nil {
			t.Fatal(err)
		}
		view := s.Overview().Tasks[1]
		log, copies := view.Record.Log.Amendments, s.Progress.Amendments
		if len(log) != 1 || len(copies) != 1 || log[0].Number != 1 || log[0].Date != "2026-09-04" || copies[0].Task != 2 {
			t.Fatalf("full %v: log %+v, copies %+v", full, log, copies)
		}
		if got := log[0].Field("observed"); got != "the source lost a shard" {
			t.Errorf("observed reads %q", got)
		}
		if got := log[0].Field("invalidated"); got != "none" {
			t.Errorf("evidence invalidated reads %q", got)
		}
		if by := s.State.UpdatedBy; by == nil || by.Agent != "Mill" || s.State.UpdatedAt.Text != "2026-09-04T01:30:00Z" {
			t.Errorf("updated by %+v at %v", by, s.State.UpdatedAt)
		}
		if r := verify.Plan(s, verify.Options{Now: now}); r.Verdict != verify.Conformant {
			t.Errorf("full %v: %+v", full, r.Findings)
		}
		amendment.Reason = "and the copy too"
		if _, err := publish.Revise(t.Context(), p, update.Terms{}, amend(2)); err != nil {
			t.Fatal(err)
		}
		amendment.Reason = "the disk is gone"
		if s, err = plan.Read(p.FS, p.Name); err != nil {
			t.Fatal(err)
		}
		if log := s.Overview().Tasks[1].Record.Log.Amendments; len(log) != 2 || log[1].Number != 2 {
			t.Errorf("full %v: the second is %+v", full, log)
		}
	}
}

// TestProgressOpen: an entry that would stand inside a code fence, a comment or other HTML that PROGRESS.md never closes is refused, and
// nothing is written: each repeated call would add another copy that nobody reads (C05, C117, PD-10). What ends by itself hides nothing.
func TestProgressOpen(t *testing.T) {
	for name, test := range map[string]struct{ tail, want string }{
		"fence":          {"\n```\n$ make\n", "the code fence of line "},
		"tildes, CRLF":   {"\r\n~~~~\r\n~~~\r\n", "the code fence of line "},
		"comment":        {"\n<!-- later\n", "the comment of line "},
		"raw HTML":       {"\n<pre>\nx\n", "something before it is never closed"},
		"CDATA":          {"\n<![CDATA[\n", "something before it is never closed"},
		"details":        {"\n<details>\nx\n", ""},
		"fence in item":  {"\n- it:\n  ```\n  $ make\n", ""},
		"same heading":   {"\n## Amendment 1 \u2014 2026-09-04 (Task 3)\n\n- Reason: another\n", ""},
		"no last line":   {"\n- more", ""},
		"closed comment": {"\n<!-- later -->\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := onTwin(t, plantest.Spec{Tasks: 3, Done: 1})
			s, err := plan.Read(p.FS, p.Name)
			if err != nil {
				t.Fatal(err)
			}
			before := append(s.Progress.Src[:len(s.Progress.Src):len(s.Progress.Src)], test.tail...)
			if err := disk.WriteFile(p.FS, revise.ProgressFile, before, disk.Options{}); err != nil {
				t.Fatal(err)
			}
			done, err := publish.Revise(t.Context(), p, update.Terms{}, amend(2))
			refused, _ := errors.AsType[*publish.Refused](err)
			switch {
			case test.want == "" && (err != nil || !done.Changed):
				t.Errorf("%+v, %v", done, err)
			case test.want != "" && (refused == nil || refused.Rule != "guard/progress-open" || !strings.Contains(refused.Message, test.want)):
				t.Errorf("got %v, want %q", err, test.want)
			}
			if s, err = plan.Read(p.FS, p.Name); err != nil {
				t.Fatal(err)
			}
			if got := string(s.Progress.Src); test.want != "" && got != string(before) || !strings.HasPrefix(got, string(before)) {
				t.Errorf("PROGRESS.md reads %q", got)
			}
		})
	}
}

// TestWorse: no operation makes a plan break a rule that it kept, and nothing is written (PS-20).
func TestWorse(t *testing.T) {
	p := onTwin(t, plantest.Spec{Tasks: 3, Done: 1})
	before, err := plan.Read(p.FS, p.Name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = publish.Revise(t.Context(), p, update.Terms{}, func(s *plan.Snapshot) (*publish.Revision, error) {
		d := revise.New(s, revise.Who{Now: now})
		d.Readme().Tick(*d.Task(2).Line.Box, true)
		return d.Revision("tick")
	})
	refused, ok := errors.AsType[*publish.Refused](err)
	if !ok || refused.Rule != "guard/worse" || len(refused.Findings) == 0 {
		t.Fatalf("got %v", err)
	}
	after, err := plan.Read(p.FS, p.Name)
	if err != nil || after.Files["README.md"].SHA256() != before.Files["README.md"].SHA256() || len(after.Nodes) != len(before.Nodes) {
		t.Errorf("something was written: %v", err)
	}
}

// TestLost: a new state.json loses no record (LF-10).
func TestLost(t *testing.T) {
	p := onTwin(t, plantest.Spec{Tasks: 3, Done: 1})
	_, err := publish.Revise(t.Context(), p, update.Terms{}, func(s *plan.Snapshot) (*publish.Revision, error) {
		d := revise.New(s, revise.Who{Now: now})
		d.Entry(1).Set("gates", strictjson.NewArray())
		return d.Revision("lose")
	})
	if refused, ok := errors.AsType[*publish.Refused](err); !ok || refused.Rule != "guard/lost" {
		t.Fatalf("got %v", err)
	}
}

// TestRename: files may exchange names, with what is edited of them; a path that nobody takes is taken away (LF-10).
func TestRename(t *testing.T) {
	p := onTwin(t, plantest.Spec{Tasks: 4, Done: 1, Full: true})
	s, err := plan.Read(p.FS, p.Name)
	if err != nil {
		t.Fatal(err)
	}
	const two, three, four = "2.task_load_shard_2.md", "3.task_load_shard_3.md", "4.task_final_review.md"
	desk := revise.New(s, revise.Who{Now: now})
	desk.Rename(two, three)
	desk.Rename(three, two)
	desk.Rename(four, "5.task_final_review.md")
	desk.Record(desk.Task(2)).Insert(0, "edited ")
	r, err := desk.Revision("rename")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range r.Changes {
		got[c.Path] = strings.TrimSpace(strings.SplitN(string(c.Data), "\n", 2)[0])
		if c.Remove {
			got[c.Path] = "removed"
		}
	}
	want := map[string]string{three: "edited # Task 2: Load shard 2", two: "# Task 3: Load shard 3", "5.task_final_review.md": "# Task 4: Final Review", four: "removed"}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestKeep: a record that PROGRESS.md keeps is a quotation: it is neither entry nor amendment, and it is all there (PS-10).
func TestKeep(t *testing.T) {
	p := onTwin(t, plantest.Spec{Tasks: 3, Done: 1})
	s, err := plan.Read(p.FS, p.Name)
	if err != nil {
		t.Fatal(err)
	}
	desk := revise.New(s, revise.Who{Now: now})
	desk.Note("Refine: record of Task 2 archived", "Removed: it")
	desk.Keep("# Task 2: it\r\n\r\n```\ncode\n```\n\n## Amendment 1 \u2014 2026-01-01\n\n- Reason: none\n")
	r, err := desk.Revision("keep")
	if err != nil || len(r.Changes) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	text := string(r.Changes[0].Data)
	const want = "- Removed: it\n\n> # Task 2: it\n>\n> ```\n> code\n> ```\n>\n> ## Amendment 1 \u2014 2026-01-01\n>\n> - Reason: none\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("got %q", text)
	}
	if back := planmd.ReadProgress([]byte(text)); len(back.Amendments) != 0 || len(back.Entries) != len(s.Progress.Entries) || len(back.Archived) != 1 {
		t.Errorf("%+v", back)
	}
}

// TestAmendEach: several amendments of one task follow one another in its log and in PROGRESS.md, behind those that stand there (AM-1,
// PD-12).
func TestAmendEach(t *testing.T) {
	for _, full := range []bool{false, true} {
		p := onTwin(t, plantest.Spec{Tasks: 3, Done: 1, Full: full})
		if _, err := publish.Revise(t.Context(), p, update.Terms{}, amend(2)); err != nil {
			t.Fatal(err)
		}
		second, third := amendment, amendment
		second.Original, third.Original = "checksums agree", "make test-shard"
		_, err := publish.Revise(t.Context(), p, update.Terms{}, func(s *plan.Snapshot) (*publish.Revision, error) {
			d := revise.New(s, revise.Who{Now: now})
			first, err := d.AmendEach(d.Task(2), []revise.Amendment{second, third})
			if err != nil || first != 2 {
				t.Errorf("full %v: the first is %d, %v", full, first, err)
			}
			return d.Revision("amend", "2")
		})
		if err != nil {
			t.Fatal(err)
		}
		s, err := plan.Read(p.FS, p.Name)
		if err != nil {
			t.Fatal(err)
		}
		log, copies := s.Overview().Tasks[1].Record.Log.Amendments, s.Progress.Amendments
		if len(log) != 3 || len(copies) != 3 || log[1].Number != 2 || log[2].Number != 3 || log[2].Field("original") != "make test-shard" {
			t.Errorf("full %v: log %+v, copies %+v", full, log, copies)
		}
		if r := verify.Plan(s, verify.Options{Now: now}); r.Verdict != verify.Conformant {
			t.Errorf("full %v: %+v", full, r.Findings)
		}
	}
}

// TestSort: changes stand in the order in which they may be seen, state.json last (PS-19).
func TestSort(t *testing.T) {
	changes := []disk.Change{{Path: "state.json"}, {Path: "2.task_b.md", Remove: true}, {Path: "PROMPTS.md"}, {Path: "PROGRESS.md"}, {Path: "README.md"}, {Path: "3.task_b.md"}}
	revise.Sort(changes)
	got := ""
	for _, c := range changes {
		got += c.Path + " "
	}
	if want := "3.task_b.md README.md PROGRESS.md PROMPTS.md 2.task_b.md state.json "; got != want {
		t.Errorf("got %s", got)
	}
}
