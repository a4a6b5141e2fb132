package work

import (
	"errors"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/update"
)

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

// TestCompleteFailingGate: a gate that failed, or was killed, closes nothing until it passes; its own later pass replaces it (WP-4, C91, C93).
func TestCompleteFailingGate(t *testing.T) {
	for _, code := range []int{1, 143} {
		tw := inProgress(t, false)
		must(t, second(publish.Apply(t.Context(), planIn(tw), update.Change{Task: 2, Gates: []update.Gate{{Command: "make test-shard", ExitCode: &code, Evidence: "12 passed, 1 failed"}}})))
		got, list := refusedBy(second(do(t, tw, completion(2).Decide)))
		if got != "guard/incomplete" || strings.Join(list, " ") != "evidence/failing guard/gate-unrecorded" {
			t.Errorf("exit code %d: %s %v", code, got, list)
		}
		done(t, withGate(t, tw, 2), completion(2).Decide)
	}
}

// TestCompleteByHand: a state.json that was edited to say completed is not made true (C75).
func TestCompleteByHand(t *testing.T) {
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 2}, [3]string{"README.md", "- [x] Task 2", "- [ ] Task 2"})
	if got, _ := refusedBy(second(do(t, tw, completion(2).Decide))); got != "guard/hold" {
		t.Errorf("got %s", got)
	}
}

// TestCompleteResumes: where an agent that works by hand, or another tool, was cut off between the files, only what is missing is done,
// to the same end, and PROGRESS.md has one entry (C73, PS-19).
func TestCompleteResumes(t *testing.T) {
	start := func() *disk.Twin { return withGate(t, inProgress(t, true), 2) }
	whole := start()
	must(t, second(do(t, whole, completion(2).Decide)))
	want := whole.Tree()
	order := []string{"2.task_load_shard_2.md", "README.md", "PROGRESS.md"}
	for cut := range len(order) + 1 {
		tw := start()
		for _, name := range order[:cut] {
			must(t, tw.Put(name, []byte(want[name]), 0o644))
		}
		done(t, tw, completion(2).Decide)
		for name, text := range tw.Tree() {
			if text != want[name] {
				t.Errorf("cut after %d files: %s differs", cut, name)
			}
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

// TestCompleteControls: what a terminal would obey stays in state.json, escaped, whichever tool recorded it; log and PROGRESS.md
// show the rest of the evidence (C157).
func TestCompleteControls(t *testing.T) {
	for _, full := range []bool{false, true} {
		tw := inProgress(t, full)
		zero := 0
		must(t, second(publish.Apply(t.Context(), planIn(tw), update.Change{Task: 2, Gates: []update.Gate{
			{Command: "make test-shard", Passes: true, ExitCode: &zero, Evidence: "\x1b[32m12 passed\x1b[0m\x00, 0\x7f failed"},
			{Command: "printf '\x1b[1m'", Passes: true, ExitCode: &zero, Evidence: "3 passed"},
		}})))
		done(t, tw, completion(2).Decide)
		for path, text := range tw.Tree() {
			if strings.HasSuffix(path, ".md") && strings.ContainsAny(text, "\x00\x1b\x7f") {
				t.Errorf("%s holds control characters", path)
			}
		}
		const want = "`make test-shard`: [32m12 passed[0m, 0 failed"
		if text := tw.Tree()["PROGRESS.md"]; !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
		if got := snapshot(t, tw).State.Tasks[1].Gates[0].Evidence; got != "\x1b[32m12 passed\x1b[0m\x00, 0\x7f failed" {
			t.Errorf("the record changed: %q", got)
		}
	}
}

// TestControlsRefused: no text of a call has control characters, whether a document or state.json alone keeps it (C157).
func TestControlsRefused(t *testing.T) {
	const text = "\x1b[31mred"
	tried, failed := completion(2), completion(2)
	tried.Tried, failed.Failed = []string{text}, []string{text}
	for name, decide := range map[string]publish.Decide{
		"tried": tried.Decide, "failed": failed.Decide,
		"step": (&Checkpoint{Who: mill, Step: text}).Decide, "note": (&Checkpoint{Who: mill, Step: "half", Note: text}).Decide,
		"reason": (&Block{Who: mill, Task: 2, Class: "C1", Reason: text, Needs: "x"}).Decide,
	} {
		tw := withGate(t, inProgress(t, false), 2)
		before := tw.Tree()
		got, _ := refusedBy(second(do(t, tw, decide)))
		if got != "guard/faithful" || !maps.Equal(tw.Tree(), before) {
			t.Errorf("%s: refused by %q", name, got)
		}
	}
}

// TestRecorded: which records are of a command (WP-2).
func TestRecorded(t *testing.T) {
	for _, test := range []struct {
		command, record string
		want            bool
	}{
		{"go test ./...", "go test ./...", true}, {"go test ./...", "cd x && go test  ./...", true}, {`echo "5 passed"`, "echo '5 passed'", true},
		{"go test ./...", "go test ./a", false}, {"make", "", false},
		{"make test", "cmake test", false}, {"make test", "make test-unit", false}, {"go test ./internal", "go test ./internal/work", false},
		{"make test", "make testing; (make test)", true}, {"make test", "make test>out", true}, {"make test", "bash -o pipefail -c 'make test | tee log'", true},
	} {
		if got := recorded(test.command, "block", []string{test.record}); got != test.want {
			t.Errorf("%q by %q: %v", test.command, test.record, got)
		}
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

// TestFirstLine: a long criterion is cut between two letters, not inside one (PD-11).
func TestFirstLine(t *testing.T) {
	doc := &planmd.Doc{Src: []byte("- [ ] " + strings.Repeat("\u0e01", 100) + "\nmore")}
	if got := firstLine(doc, planmd.Box{Span: planmd.Span{Start: 2, End: 5}}); !utf8.ValidString(got) || !strings.HasPrefix(got, "\u0e01") || strings.Contains(got, "more") {
		t.Errorf("got %q", got)
	}
}
