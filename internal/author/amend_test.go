package author

import (
	"errors"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// amendedTwin is a plan of which the first of four tasks is completed, the second in progress with a gate record; edits, "file", "old",
// "new", change it first, and a file without "old" goes.
func amendedTwin(t *testing.T, full bool, edits ...[3]string) *disk.Twin {
	t.Helper()
	files := plantest.Plan(plantest.Spec{Tasks: 4, Done: 1, Full: full})
	started := [3]string{"state.json", `"title": "Load shard 2", "status": "pending", "gates": []`,
		`"title": "Load shard 2", "status": "in_progress", "started_at": "2026-09-01T09:30:00Z", "gates": ` + plantest.Gate}
	for _, e := range append([][3]string{started}, edits...) {
		switch {
		case e[1] == "":
			delete(files, e[0])
			continue
		case !strings.Contains(string(files[e[0]].Data), e[1]):
			t.Fatalf("%s has no %q", e[0], e[1])
		}
		files[e[0]].Data = []byte(strings.ReplaceAll(string(files[e[0]].Data), e[1], e[2]))
	}
	tw, err := disk.TwinOf(files)
	must(t, err)
	return tw
}

func planOf(fsys disk.FS) publish.Plan {
	return publish.Plan{FS: fsys, Name: plantest.Name, Now: crashtest.World(clock).Now, Owner: disk.Owner{Command: "dwp amend"},
		InGit: true, System: crashtest.World(clock)}
}

func amend(t *testing.T, fsys disk.FS, a Amending) (publish.Done, error) {
	t.Helper()
	a.Now = clock
	return publish.Revise(t.Context(), planOf(fsys), AmendTerms, a.Decide)
}

func reread(t *testing.T, fsys disk.FS) (*plan.Snapshot, *verify.Report) {
	t.Helper()
	s, err := plan.Read(fsys, plantest.Name)
	must(t, err)
	return s, verify.Plan(s, verify.Options{Now: clock, InGit: true})
}

// amendingOf are amendments of the second task, one per disposition.
func amendingOf(disposition string) Amending {
	a := Amending{Task: 2, Original: "counts agree", Observed: "one shard is counted twice", Disposition: disposition, Reason: "the loader retries",
		Authority: planmd.AuthorityUser, Statement: "yes, the agent may do that, not more", Who: revise.Who{Agent: "Mill"}}
	switch disposition {
	case DispositionRevised:
		a.Revised, a.Invalidated = "counts agree but for retries", []string{"make test-shard"}
	case DispositionDeferred:
		a.To = 3
	case DispositionException:
		a.Boundary = "shard 2 only"
	case DispositionUnexecuted, DispositionFailed:
		a.Authority, a.Statement = planmd.AuthorityEvidence, ""
		a.Invalidated, a.Preserved = []string{"make test-shard"}, []string{"the log of the first load"}
	}
	return a
}

// TestAmend: each disposition leaves an amendment in both places that reads as it was given, with the authority it names; the line of the
// original stays; the criterion that now stands is an open box where it has to hold; evidence that is invalidated is marked; and
// the same call again changes nothing (AM-1, AM-2, AM-4, PD-12, C117).
func TestAmend(t *testing.T) {
	for _, full := range []bool{false, true} {
		for _, disposition := range Dispositions() {
			tw := amendedTwin(t, full)
			a := amendingOf(disposition)
			for round, want := range []bool{true, false} {
				done, err := amend(t, tw, a)
				if err != nil || done.Changed != want {
					t.Fatalf("%s, full %v, round %d: %+v, %v", disposition, full, round, done, err)
				}
			}
			s, report := reread(t, tw)
			tasks := s.Overview().Tasks
			log := tasks[1].Record.Log.Amendments
			if report.Verdict != verify.Conformant || len(log) != 1 || len(s.Progress.Amendments) != 1 || s.Progress.Amendments[0].Task != 2 {
				t.Fatalf("%s, full %v: %+v, %+v", disposition, full, log, report.Findings)
			}
			if by := planmd.Authority(log[0].Field(planmd.FieldAuthority)); by != a.Authority || log[0].Date != "2026-09-01" {
				t.Errorf("%s: authority %q on %s", disposition, by, log[0].Date)
			}
			text := tasks[1].Doc.Text(log[0].Span)
			if a.Statement != "" && !strings.Contains(text, "- Granting words: `"+a.Statement+"`\n") || !strings.Contains(text, "Recorded by: Mill") {
				t.Errorf("%s: %s", disposition, text)
			}
			boxes := func(i int) (n int) { return len(tasks[i].Record.Section(planmd.Acceptance).Boxes) }
			own, other := 2, 2
			switch disposition {
			case DispositionRevised:
				own = 3
			case DispositionDeferred:
				other = 3
			}
			if boxes(1) != own || boxes(2) != other || !strings.Contains(tasks[1].Doc.Text(tasks[1].Record.Section(planmd.Acceptance).Body), "- [ ] counts agree\n") {
				t.Errorf("%s, full %v: %d and %d criteria, want %d and %d", disposition, full, boxes(1), boxes(2), own, other)
			}
			marked := strings.HasPrefix(s.State.Tasks[1].Gates[0].Evidence, "[invalidated by refine 2026-09-01T10:00:00Z, amendment 1] 12 passed")
			if marked != (len(a.Invalidated) > 0) {
				t.Errorf("%s: evidence %q", disposition, s.State.Tasks[1].Gates[0].Evidence)
			}
		}
	}
}

// TestAmendClosesTheOrigin: a criterion that was revised, deferred or excepted is no open one of a completed task any more; one whose
// scenario was not executed, or whose gate failed, is (AM-2, AM-4).
func TestAmendClosesTheOrigin(t *testing.T) {
	for disposition, closed := range map[string]bool{DispositionDeferred: true, DispositionException: true, DispositionUnexecuted: false, DispositionFailed: false} {
		a := amendingOf(disposition)
		a.Task, a.Invalidated = 1, nil
		tw := amendedTwin(t, true, [3]string{"1.task_load_shard_1.md", "- [x] counts agree", "- [ ] counts agree"})
		open := func() (found bool) {
			_, report := reread(t, tw)
			for _, f := range report.Findings {
				found = found || f.Rule == "record/open-criteria"
			}
			return found
		}
		if !open() {
			t.Error("the criterion is not open before")
		}
		if _, err := amend(t, tw, a); err != nil {
			t.Fatal(err)
		}
		if open() == closed {
			t.Errorf("%s: closed is %v", disposition, !closed)
		}
	}
}

// TestAmendRefuses: what an amendment is refused for; nothing is written (AM-1, AM-2, AM-4, UN-6, PS-7).
func TestAmendRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		disposition string
		change      func(*Amending)
		rule, says  string
	}{
		"no such task":         {DispositionFailed, func(a *Amending) { a.Task = 9 }, "guard/amend-task", "no task 9"},
		"another criterion":    {DispositionFailed, func(a *Amending) { a.Original = "counts" }, "guard/amend-criterion", `there are 1 "counts agree" 2 "checksums agree"`},
		"no such number":       {DispositionFailed, func(a *Amending) { a.Original, a.Criterion = "", 3 }, "guard/amend-criterion", "no criterion 3"},
		"deferral by evidence": {DispositionDeferred, func(a *Amending) { a.Authority = planmd.AuthorityEvidence }, "guard/amend-authority", "not by evidence"},
		"exception by developer": {DispositionException, func(a *Amending) { a.Authority = planmd.AuthorityDeveloper },
			"guard/amend-authority", "not by developer"},
		"no granting words":    {DispositionException, func(a *Amending) { a.Statement = "" }, "guard/amend-authority", "granting words"},
		"in a turn, user":      {DispositionException, func(a *Amending) { a.Turn = true }, "guard/in-turn", "user"},
		"in a turn, words":     {DispositionFailed, func(a *Amending) { a.Turn, a.Statement = true, "go on" }, "guard/in-turn", "granting words"},
		"in a turn, developer": {DispositionDeferred, func(a *Amending) { a.Turn, a.Authority = true, planmd.AuthorityDeveloper }, "guard/in-turn", "developer"},
		"deferred nowhere":     {DispositionDeferred, func(a *Amending) { a.To = 9 }, "guard/amend-target", "no task 9"},
		"deferred to itself":   {DispositionDeferred, func(a *Amending) { a.To = 2 }, "guard/amend-target", "not later"},
		"affects nothing":      {DispositionFailed, func(a *Amending) { a.Affected = []string{"the third"} }, "guard/amend-task", "no number"},
		"affects none of ours": {DispositionFailed, func(a *Amending) { a.Affected = []string{"2, 7 reopened"} }, "guard/amend-task", "no task 7"},
		"foreign evidence":     {DispositionFailed, func(a *Amending) { a.Invalidated = []string{"make all"} }, "guard/amend-evidence", `it has "make test-shard"`},
		"a comment":            {DispositionFailed, func(a *Amending) { a.Observed = "it <!-- hides" }, "guard/amend-text", "comment"},
		"a secret":             {DispositionFailed, func(a *Amending) { a.Observed = "token ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6" }, "secret/json", "secret"},
		"deferred by the back": {DispositionException, func(a *Amending) { a.Statement, a.Authority = "", planmd.AuthorityEvidence }, "guard/amend-authority", "exception"},
	} {
		t.Run(name, func(t *testing.T) {
			tw := amendedTwin(t, true)
			before := tw.Tree()
			a := amendingOf(test.disposition)
			test.change(&a)
			_, err := amend(t, tw, a)
			refused, ok := errors.AsType[*publish.Refused](err)
			if !ok || refused.Rule != test.rule || refused.Requirement == "" || refused.Hint == "" || !strings.Contains(refused.Message, test.says) {
				t.Fatalf("got %+v", err)
			}
			if !maps.Equal(before, tw.Tree()) {
				t.Error("something was written")
			}
		})
	}
}

// TestAmendForms: criteria are found in Validation and Goal too; plans without JSON, older ones, CRLF and a missing PROGRESS.md are no
// hindrance (PD-9, PD-10, DESIGN 1).
func TestAmendForms(t *testing.T) {
	const file = "2.task_load_shard_2.md"
	for name, test := range map[string]struct {
		original string
		edits    [][3]string
	}{
		"a gate":         {"make test-shard", nil},
		"the goal":       {"Shard loaded, counted and compared.", nil},
		"no JSON":        {"counts agree", [][3]string{{"state.json"}, {"manifest.json"}}},
		"CRLF":           {"counts agree", [][3]string{{file, "\n", "\r\n"}, {"PROGRESS.md", "\n", "\r\n"}}},
		"no PROGRESS.md": {"counts agree", [][3]string{{"PROGRESS.md"}}},
		"two lines":      {"counts agree on every host", [][3]string{{file, "- [ ] counts agree", "- [ ] counts agree\n  on every host"}}},
		"Thai":           {"\u0e22\u0e2d\u0e14\u0e15\u0e23\u0e07\u0e01\u0e31\u0e19", [][3]string{{file, "counts agree", "\u0e22\u0e2d\u0e14\u0e15\u0e23\u0e07\u0e01\u0e31\u0e19"}}},
		"markup":         {"counts **agree** in `load.csv`", [][3]string{{file, "counts agree", "counts **agree** in `load.csv`"}}},
	} {
		t.Run(name, func(t *testing.T) {
			tw := amendedTwin(t, true, test.edits...)
			before := tw.Tree()
			a := amendingOf(DispositionUnexecuted)
			a.Original = test.original
			if done, err := amend(t, tw, a); err != nil || !done.Changed {
				t.Fatalf("%+v, %v", done, err)
			}
			s, report := reread(t, tw)
			log := s.Overview().Tasks[1].Record.Log.Amendments
			if len(log) != 1 || len(s.Progress.Amendments) != 1 {
				t.Fatalf("%+v, %+v", log, report.Findings)
			}
			for _, f := range report.Findings {
				if strings.HasPrefix(f.Rule, "amendment/") {
					t.Errorf("%s: %s", f.Rule, f.Message)
				}
			}
			// What was there stands there still, but for the space at the end of the file.
			if after := tw.Tree(); !strings.HasPrefix(after[file], strings.TrimRight(before[file], "\r\n")) || strings.Contains(before[file], "\r") && strings.Contains(strings.ReplaceAll(after[file], "\r\n", ""), "\n") {
				t.Errorf("the task file: %q", after[file])
			}
			if done, err := amend(t, tw, a); err != nil || done.Changed {
				t.Errorf("again: %+v, %v", done, err)
			}
		})
	}
}

// TestAmendCutOffElsewhere: of an amendment that another tool cut off, or that lost its copy, only what is missing is done (C117).
func TestAmendCutOffElsewhere(t *testing.T) {
	for _, undone := range []string{"PROGRESS.md", state.StateFile} {
		tw := amendedTwin(t, true)
		before := tw.Tree()
		a := amendingOf(DispositionRevised)
		_, err := amend(t, tw, a)
		must(t, err)
		after := tw.Tree()
		must(t, tw.Put(undone, []byte(before[undone]), 0o644))
		done, err := amend(t, tw, a)
		if err != nil || !done.Changed {
			t.Fatalf("%s: %+v, %v", undone, done, err)
		}
		if now := tw.Tree(); !maps.Equal(now, after) {
			t.Errorf("%s: ends otherwise", undone)
		}
	}
}

// TestAmendCompleted: the records of a completed task stay until it is reopened, and how is told; a plan that was published is published
// again, with the old receipt under another name; then the amendment reopens the task (GU-6, VP-5, AM-3).
func TestAmendCompleted(t *testing.T) {
	tw, err := disk.TwinOf(plantest.Plan(plantest.Spec{Tasks: 3, Done: 3}))
	must(t, err)
	if _, err := publish.Seal(t.Context(), planOf(tw)); err != nil {
		t.Fatal(err)
	}
	old := tw.Tree()[state.ReceiptFile]
	a := amendingOf(DispositionFailed)
	a.Invalidated, a.Affected = []string{"make test-shard"}, []string{"2", "3 reopened"}
	done, err := amend(t, tw, a)
	if err != nil || !done.Published || len(done.Warnings) != 1 || !strings.Contains(done.Warnings[0], "dwp reopen ") {
		t.Fatalf("%+v, %v", done, err)
	}
	s, report := reread(t, tw)
	if report.Verdict != verify.Conformant || s.Receipt == nil || s.State.Tasks[1].Gates[0].Evidence != "12 passed" {
		t.Errorf("%+v", report.Findings)
	}
	if got := tw.Tree()["analysis_results/FINALIZATION-1.json"]; got != old {
		t.Error("the old receipt was not kept")
	}
	if done, err := amend(t, tw, a); err != nil || done.Changed || done.Published {
		t.Errorf("again: %+v, %v", done, err)
	}
	change := update.Change{Task: 2, Status: state.InProgress, ReopenReason: "Amendment 1: counted twice", Agent: "Mill"}
	if _, err := publish.Apply(t.Context(), planOf(tw), change); err != nil {
		t.Fatal(err)
	}
	s, _ = reread(t, tw)
	if got := s.State.Tasks[1].Gates[0].Evidence; !strings.HasPrefix(got, "[invalidated by refine ") || !strings.Contains(got, "amendment 1] 12 passed") {
		t.Errorf("evidence %q", got)
	}
	if tree := tw.Tree(); tree[state.ReceiptFile] != "" || tree["analysis_results/FINALIZATION-2.json"] == "" {
		t.Error("the receipt of the reopened plan is still in force")
	}
}

// FuzzAmend: whatever the texts say, the amendment is refused, or reads as given in both places, and nothing else of the plan reads
// otherwise than before (AM-1, DESIGN 1).
func FuzzAmend(f *testing.F) {
	for _, text := range []string{"plain", "<!--", "-->", "`", "``` x", "# Task 3: x", "| a | b |", "Status: completed", "- [ ] Task 2: y", "[x](y", "{#task-3}", "**", "\\", "&lt;!--",
		"Amendment 2 \u2014 2026-01-01", "\u0e22\u0e2d\u0e14", "<script>", "<details>", "a\u2028b", "{{NAME}}", "***", "---", "===", "~~~"} {
		f.Add(text, "because", "words")
		f.Add("seen", text, "words")
		f.Add("seen", "because", text)
	}
	files := plantest.Plan(plantest.Spec{Tasks: 3, Done: 1})
	before, err := plan.Read(files, plantest.Name)
	if err != nil {
		f.Fatal(err)
	}
	was := verify.Plan(before, verify.Options{Now: clock, InGit: true})
	f.Fuzz(func(t *testing.T, observed, reason, revised string) {
		a := Amending{Task: 2, Criterion: 1, Observed: observed, Reason: reason, Disposition: DispositionRevised, Revised: revised, Authority: planmd.AuthorityUser,
			Statement: observed + " " + reason, Who: revise.Who{Now: clock}}
		if strings.TrimSpace(revised) == "" {
			return
		}
		r, err := a.Decide(before)
		if err != nil {
			return
		}
		changed := maps.Clone(files)
		for _, c := range r.Changes {
			changed[c.Path] = &fstest.MapFile{Data: c.Data, Mode: 0o644}
		}
		after, err := plan.Read(changed, plantest.Name)
		must(t, err)
		if len(after.Progress.Amendments) != 1 || len(after.Progress.Entries) != len(before.Progress.Entries) || len(after.README.Index) != len(before.README.Index) ||
			len(after.README.Records) != len(before.README.Records) || after.README.ApprovalValue != before.README.ApprovalValue {
			t.Fatalf("the plan reads otherwise: %s", after.Progress.Src)
		}
		is := verify.Plan(after, verify.Options{Now: clock, InGit: true})
		if was.Verdict == verify.Conformant && is.Verdict != verify.Conformant {
			for _, finding := range is.Findings {
				if !strings.HasPrefix(finding.Rule, "secret/") && finding.Level == rule.Must && !strings.HasPrefix(finding.Rule, "readme/") {
					t.Fatalf("%s: %s", finding.Rule, finding.Message)
				}
			}
		}
	})
}

// TestAmendCrashes: an amendment that is cut off stands nowhere, or everywhere, or is finished by recover; never twice (C117, PS-5). A
// published plan has a receipt again afterwards, whenever it was cut off (VP-5).
func TestAmendCrashes(t *testing.T) {
	deferred := amendingOf(DispositionDeferred)
	deferred.Invalidated = []string{"make test-shard"}
	late := amendingOf(DispositionException)
	late.Task = 1
	for name, row := range map[string]struct {
		start func() *disk.Twin
		a     Amending
	}{
		"open":      {func() *disk.Twin { return amendedTwin(t, true) }, deferred},
		"published": {func() *disk.Twin { return publishedTwin(t) }, late},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row.a.Now = clock
			crashtest.Matrix(t, crashtest.Operation{Start: row.start, Plan: planOf, Remainders: *seeds,
				Run: func(p publish.Plan) error {
					_, err := publish.Revise(t.Context(), p, AmendTerms, row.a.Decide)
					return err
				},
			})
		})
	}
}

// publishedTwin is a completed plan whose receipt is in force.
func publishedTwin(t *testing.T) *disk.Twin {
	t.Helper()
	tw, err := disk.TwinOf(plantest.Plan(plantest.Spec{Tasks: 2, Done: 2}))
	must(t, err)
	_, err = publish.Seal(t.Context(), planOf(tw))
	must(t, err)
	return tw.Kill()
}
