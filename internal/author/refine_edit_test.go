package author

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

var editDay = time.Date(2026, 9, 3, 12, 0, 0, 0, time.UTC)

// underWay are the texts of a plan whose second task is under way with a record; bend changes them, in the order given.
func underWay(full bool, bend ...func(map[string]string)) map[string]string {
	files := map[string]string{}
	for name, f := range plantest.Plan(plantest.Spec{Tasks: 3, Done: 1, Full: full}) {
		files[name] = string(f.Data)
	}
	const open = `"title": "Load shard 2", "status": "pending", "gates": []`
	files[state.StateFile] = strings.Replace(files[state.StateFile], open,
		`"title": "Load shard 2", "status": "in_progress", "started_at": "2026-09-02T09:00:00Z", "gates": `+plantest.Gate, 1)
	for _, b := range bend {
		b(files)
	}
	return files
}

func inCRLF(files map[string]string) {
	for name, text := range files {
		if strings.HasSuffix(name, ".md") {
			files[name] = strings.ReplaceAll(text, "\n", "\r\n")
		}
	}
}

// withStars gives every criterion another bullet.
func withStars(files map[string]string) {
	for name, text := range files {
		if name != progressFile && strings.HasSuffix(name, ".md") {
			files[name] = strings.NewReplacer("- [ ] counts", "* [ ] counts", "- [ ] checksums", "* [ ] checksums").Replace(text)
		}
	}
}

// withThai names the sections of records in another language (PD-11).
func withThai(files map[string]string) {
	for name, text := range files {
		if strings.HasSuffix(name, ".md") {
			files[name] = strings.ReplaceAll(text, "# Acceptance Criteria", "# เกณฑ์การยอมรับ")
		}
	}
}

// withLabels writes the sections of records as labelled lines.
func withLabels(files map[string]string) {
	head := regexp.MustCompile(`(?m)^### (.*)$`)
	for name, text := range files {
		switch {
		case name == readmeFile:
			files[name] = head.ReplaceAllString(text, "**$1:**")
		case strings.Contains(name, ".task_"):
			files[name] = head.ReplaceAllString(strings.ReplaceAll(text, "\n## ", "\n### "), "**$1:**")
		}
	}
}

func withTick(files map[string]string) {
	for name, text := range files {
		if at := strings.Index(text, "Task 2: Load shard 2 {#task-2}"); at >= 0 || strings.HasPrefix(name, "2.task_") {
			at = max(at, 0)
			files[name] = text[:at] + strings.Replace(text[at:], "[ ] counts", "[x] counts", 1)
		}
	}
}

func editTwin(t testing.TB, files map[string]string) publish.Plan {
	t.Helper()
	tw := disk.NewTwin()
	for name, text := range files {
		if dir, _, deep := strings.Cut(name, "/"); deep {
			if err := disk.MkdirAll(tw, dir); err != nil {
				t.Fatal(err)
			}
		}
		if err := disk.WriteFile(tw, name, []byte(text), disk.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	return editPlan(tw)
}

func editPlan(tw *disk.Twin) publish.Plan {
	return publish.Plan{FS: tw, Name: plantest.Name, Now: func() time.Time { return editDay }, Owner: disk.Owner{Command: "dwp test"}}
}

// edit is an edit of task 2 by a text; evidence is its warrant.
func edit(t testing.TB, text string) Edit {
	t.Helper()
	e, gaps := ReadTaskEdit([]byte(text))
	if len(gaps) > 0 {
		t.Fatalf("%q: %v", text, gaps)
	}
	return Edit{Who: revise.Who{Agent: "Mill", Now: editDay}, Task: 2, Text: e,
		Warrant: Warrant{Reason: "the source has no counts", Authority: "evidence"}, Confirm: true}
}

// applied carries an edit out, and reads the plan again.
func applied(t testing.TB, p publish.Plan, e Edit) (Edited, *plan.Snapshot) {
	t.Helper()
	var out Edited
	if _, err := publish.Revise(t.Context(), p, update.Terms{}, e.Decide(&out)); err != nil {
		if gaps, ok := errors.AsType[*Incomplete](err); ok {
			t.Fatalf("gaps: %v", gaps.Gaps)
		}
		if no, ok := errors.AsType[*publish.Refused](err); ok {
			t.Fatalf("%s: %s %v", no.Rule, no.Message, no.Findings)
		}
		t.Fatal(err)
	}
	s, err := plan.Read(p.FS, p.Name)
	if err != nil {
		t.Fatal(err)
	}
	return out, s
}

func taskOf(t testing.TB, s *plan.Snapshot, id int) plan.TaskView {
	t.Helper()
	tasks := s.Overview().Tasks
	i := slices.IndexFunc(tasks, func(v plan.TaskView) bool { return v.ID == id })
	if i < 0 || tasks[i].Record == nil {
		t.Fatalf("task %d is not found", id)
	}
	return tasks[i]
}

func sectionText(v plan.TaskView, kind planmd.SectionKind) string {
	return strings.TrimSpace(plainText(v.Doc, v.Record.Section(kind).Body))
}

// editForms are the editForms of plans in which an edit has to do the same.
var editForms = map[string][]func(map[string]string){
	"plain": {withTick}, "CRLF": {withTick, inCRLF}, "stars": {withTick, withStars}, "Thai labels": {withTick, withThai}, "label form": {withTick, withLabels},
	"label form, CRLF": {withTick, withLabels, inCRLF},
}

// TestEditCriteria: a reworded criterion is open and leaves an amendment with its words verbatim; one whose words stay keeps its tick;
// the records are marked, and nothing else changes (LF-10, AM-1, PD-10, PD-11, C45).
func TestEditCriteria(t *testing.T) {
	for name, bend := range editForms {
		for _, full := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, full %v", name, full), func(t *testing.T) {
				files := underWay(full, bend...)
				p := editTwin(t, files)
				out, s := applied(t, p, edit(t, "## Acceptance Criteria\n\n- counts   agree\n- [x] checksums of both sides agree\n"))
				v := taskOf(t, s, 2)
				got := criteria(listBody(v.Doc, v.Record, v.Record.Section(planmd.Acceptance)))
				if want := []string{"counts agree", "checksums of both sides agree"}; !slices.Equal(textsOf(got), want) {
					t.Fatalf("criteria read %q", textsOf(got))
				}
				if b := v.Record.Section(planmd.Acceptance).Boxes; len(b) != 2 || !b[0].Checked() || b[1].Checked() {
					t.Errorf("boxes %+v", b)
				}
				if name == "stars" && !strings.Contains(got[1].raw, "* [ ] ") {
					t.Errorf("another bullet: %q", got[1].raw)
				}
				log := v.Record.Log.Amendments
				if len(log) != 1 || log[0].Field(planmd.FieldOriginal) != "checksums agree" || log[0].Field(planmd.FieldRevised) != "checksums of both sides agree" ||
					log[0].Field(planmd.FieldDisposition) != "revised" || log[0].Field(planmd.FieldAuthority) != "evidence" {
					t.Errorf("amendments %+v", log)
				}
				if want := "[invalidated by refine 2026-09-03T12:00:00Z, amendment 1] 12 passed"; v.Entry.Gates[0].Evidence != want {
					t.Errorf("evidence %q", v.Entry.Gates[0].Evidence)
				}
				if !slices.Equal(out.Invalidated, []string{"make test-shard"}) || !slices.Equal(out.Amendments, []int{1}) || out.Pending {
					t.Errorf("told %+v", out)
				}
				if len(s.Progress.Amendments) != 1 || !s.Progress.Refined {
					t.Error("PROGRESS.md does not tell of it")
				}
				onlyTask(t, files, p, full)
				stillSound(t, s)
				twice, _ := applied(t, p, edit(t, "## Acceptance Criteria\n\n- counts agree\n- checksums of both sides agree\n"))
				if len(twice.Sections) != 0 {
					t.Errorf("the second time it changes %v", twice.Sections)
				}
			})
		}
	}
}

// onlyTask: files that the edit doesn't mean to change have their bytes, and so have all lines of the record that it is not about.
func onlyTask(t *testing.T, before map[string]string, p publish.Plan, full bool) {
	t.Helper()
	changed := map[string]bool{progressFile: true, state.StateFile: true, readmeFile: !full, "2.task_load_shard_2.md": full}
	for name, text := range before {
		data, err := fs.ReadFile(p.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case !changed[name] && string(data) != text:
			t.Errorf("%s is changed", name)
		case changed[name] && strings.HasSuffix(name, ".md") && strings.Contains(text, "\r\n") && strings.Count(string(data), "\n") != strings.Count(string(data), "\r\n"):
			t.Errorf("%s mixes line ends", name)
		case name == readmeFile && !full && !strings.HasPrefix(string(data), text[:strings.Index(text, "{#task-2}")]):
			t.Error("what stands before the record is changed")
		}
	}
}

func stillSound(t *testing.T, s *plan.Snapshot) {
	t.Helper()
	if r := verify.Plan(s, verify.Options{Now: editDay}); r.Verdict != verify.Conformant {
		t.Errorf("verify: %+v", r.Findings)
	}
}

// TestEditSections: each section reads back as it was given, in Markdown and in JSON, and what a JSON document leaves out of a
// section stays (LF-10, PD-6).
func TestEditSections(t *testing.T) {
	for _, test := range []struct {
		text string
		kind planmd.SectionKind
		want string
	}{
		{"## Goal\n\nOne shard.\n\n### Why\n\nIt is cold.", planmd.Goal, "One shard.\n\n%s Why\n\nIt is cold."},
		{`{"goal": "One shard."}`, planmd.Goal, "One shard."},
		{"**Context:** cold.", planmd.Context, "cold."},
		{`{"instructions": ["Load.", "Count\nall."]}`, planmd.Instructions, "1. Load.\n2. Count\n   all."},
		{`{"read": ["a", "b"]}`, planmd.Reads, "- a\n- b"},
		{`{"outputs": ["a"]}`, planmd.Outputs, "- a"},
		{`{"rollback": "Drop it."}`, planmd.Rollback, "Drop it."},
		{"## Delta\n\nNone.", planmd.Delta, "None."},
		{`{"surface": {"consumers": "sales"}}`, planmd.Surface, "- **Planned:** `load/`\n- **Consumers:** sales\n- **Risk class:** isolated\n- **Test mapping:** the gates under Validation cover the planned paths\n- **Gate:** every command under Validation"},
		{`{"validation": "Twice."}`, planmd.Validation, "Twice.\n\n```sh\nmake test-shard\n```"},
		{`{"checklist": ["loaded", "counted"]}`, planmd.Checklist, "- [ ] loaded\n- [ ] counted"},
	} {
		for _, full := range []bool{false, true} {
			out, s := applied(t, editTwin(t, underWay(full)), edit(t, test.text))
			want := test.want
			if strings.Contains(want, "%s") {
				want = fmt.Sprintf(want, map[bool]string{false: "####", true: "###"}[full])
			}
			if got := sectionText(taskOf(t, s, 2), test.kind); got != want {
				t.Errorf("%s, full %v: got %q, want %q", test.text, full, got, want)
			}
			if len(out.Sections) != 1 || len(out.Amendments) != 0 || out.Pending {
				t.Errorf("%s: told %+v", test.text, out)
			}
			stillSound(t, s)
		}
	}
}

// TestEditTitle: index line, heading and entry say the same, the file keeps its name; a dependency is written where there was none.
func TestEditTitle(t *testing.T) {
	for _, full := range []bool{false, true} {
		_, s := applied(t, editTwin(t, underWay(full)), edit(t, "# Task 2: Load [the] shard | 2\n\n**Depends on:** none\n"))
		v := taskOf(t, s, 2)
		if v.Title != "Load [the] shard | 2" || v.Record.Title != v.Title || v.Entry.Title != v.Title {
			t.Errorf("full %v: %q, %q, %q", full, v.Title, v.Record.Title, v.Entry.Title)
		}
		if !v.Record.HasDepends || len(v.Record.DependsOn) != 0 || full && v.File != "2.task_load_shard_2.md" {
			t.Errorf("full %v: depends %v, file %s", full, v.Record.DependsOn, v.File)
		}
		stillSound(t, s)
	}
}

// TestEditGates: a gate that goes takes its own record with it and leaves an amendment; one that comes grows the scope, so that
// approval is pending again unless a person's authority is stated (LF-7, LF-10, AM-1, PS-13).
func TestEditGates(t *testing.T) {
	for _, full := range []bool{false, true} {
		out, s := applied(t, editTwin(t, underWay(full)), edit(t, `{"gates": ["make test-all"]}`))
		v := taskOf(t, s, 2)
		if len(out.Added) != 0 || len(out.Revised) != 1 || out.Pending || !strings.Contains(v.Entry.Gates[0].Evidence, "invalidated by refine") {
			t.Errorf("full %v: %+v", full, out)
		}
		if a := v.Record.Log.Amendments; len(a) != 1 || !verify.Replaces(&a[0], "make test-shard", []string{"make test-all"}, nil) {
			t.Errorf("full %v: the amendment doesn't name what replaces the gate: %+v", full, a)
		}
		stillSound(t, s)

		grown := edit(t, `{"gates": ["make test-shard", "make lint"]}`)
		out, s = applied(t, editTwin(t, underWay(full)), grown)
		if !out.Pending || s.README.ApprovalValue != "pending" || s.State.Approval != "pending" || len(out.Amendments)+len(out.Invalidated) != 0 {
			t.Errorf("full %v: %+v, approval %s", full, out, s.State.Approval)
		}
		grown.Warrant = Warrant{Authority: "user", Statement: "lint it too, says the agent", By: "Ada"}
		out, s = applied(t, editTwin(t, underWay(full)), grown)
		if out.Pending || s.State.Approval != "approved" || !strings.Contains(string(s.Progress.Src), "`lint it too, says the agent`") {
			t.Errorf("full %v: %+v, approval %s", full, out, s.State.Approval)
		}
		stillSound(t, s)
	}
}

// TestEditInvalidates: a changed criterion takes the ground from the records that are named, and from no other (LF-10).
func TestEditInvalidates(t *testing.T) {
	second := func(files map[string]string) {
		files[state.StateFile] = strings.Replace(files[state.StateFile], `"2026-09-02T09:00:00Z", "gates": [`,
			`"2026-09-02T09:00:00Z", "gates": [{"command": "make lint", "passes": true, "exit_code": 0, "last_run": "2026-09-02T09:59:00Z", "evidence": "clean"}, `, 1)
	}
	e := edit(t, `{"acceptance": ["counts agree", "sums agree"]}`)
	e.Invalidates = []string{"make  test-shard"}
	out, s := applied(t, editTwin(t, underWay(true, second)), e)
	gates := taskOf(t, s, 2).Entry.Gates
	if !slices.Equal(out.Invalidated, []string{"make test-shard"}) || gates[0].Evidence != "clean" || !strings.HasPrefix(gates[1].Evidence, "[invalidated") {
		t.Errorf("%+v, %+v", out, gates)
	}
	if a := taskOf(t, s, 2).Record.Log.Amendments[0]; a.Field(planmd.FieldPreserved) != "`make lint`" && a.Field(planmd.FieldPreserved) != "make lint" {
		t.Errorf("preserved %q", a.Field(planmd.FieldPreserved))
	}
}

// TestEditRefuses: what is refused, under which rule; nothing is written (LF-10, GU-6, PS-10, UN-6, AM-2, PD-7, PS-7).
func TestEditRefuses(t *testing.T) {
	const goal = "## Goal\n\nOther.\n"
	reworded := `{"acceptance": ["counts agree", "sums agree"]}`
	for name, test := range map[string]struct {
		text string
		bend func(*Edit)
		rule string
	}{
		"unknown task":        {goal, func(e *Edit) { e.Task = 9 }, "guard/unknown-task"},
		"completed":           {goal, func(e *Edit) { e.Task = 1 }, "guard/completed"},
		"unconfirmed":         {reworded, func(e *Edit) { e.Confirm = false }, "guard/confirm"},
		"no reason":           {reworded, func(e *Edit) { e.Reason = "" }, "guard/warrant"},
		"no authority":        {reworded, func(e *Edit) { e.Authority = "" }, "guard/warrant"},
		"no such authority":   {reworded, func(e *Edit) { e.Authority = "maintainer" }, "guard/warrant"},
		"dropped by evidence": {`{"acceptance": ["counts agree"]}`, func(*Edit) {}, "guard/person-needed"},
		"no words":            {reworded, func(e *Edit) { e.Authority = "user" }, "guard/warrant"},
		"user in a turn":      {reworded, func(e *Edit) { e.Authority, e.Statement, e.InTurn = "user", "yes", true }, "guard/in-turn"},
		"growth in a turn":    {`{"gates": ["make test-shard", "x"]}`, func(e *Edit) { e.InTurn = true }, "guard/in-turn"},
		"no such record":      {reworded, func(e *Edit) { e.Invalidates = []string{"make z"} }, "guard/no-evidence"},
		"nothing to mark":     {goal, func(e *Edit) { e.Invalidates = []string{"make test-shard"} }, "guard/no-evidence"},
		"no review any more":  {`{"title": "Clean up"}`, func(e *Edit) { e.Task = 3 }, "guard/final-review"},
		"a secret":            {"## Goal\n\nUse AKIAIOSFODNN7EXAMPLQ to log in.\n", func(*Edit) {}, "secret/markdown"},
		"a secret in reason":  {reworded, func(e *Edit) { e.Reason = "AKIAIOSFODNN7EXAMPLQ is wrong" }, "secret/markdown"},
	} {
		p := editTwin(t, underWay(true))
		before := p.FS.(*disk.Twin).Tree()
		e := edit(t, test.text)
		test.bend(&e)
		var out Edited
		_, err := publish.Revise(t.Context(), p, update.Terms{}, e.Decide(&out))
		if no, ok := errors.AsType[*publish.Refused](err); !ok || no.Rule != test.rule {
			t.Errorf("%s: got %v, want %s", name, err, test.rule)
		}
		if !maps.Equal(before, p.FS.(*disk.Twin).Tree()) {
			t.Errorf("%s: something was written", name)
		}
	}
}

// TestEditGaps: what would not read as it was given is no edit, and every fault of a text is told (PD-5, PD-6).
func TestEditGaps(t *testing.T) {
	for text, want := range map[string]string{
		"## Goal\n\nTBD\n":                           "Goal is a placeholder",
		"## Goal\n\nBig\n===\n\nx\n":                 "no section that refine edits",
		`{"goal": "x\n\nBig\n===\n\ny"}`:             "would not read as it was given",
		"## Validation\n\nLook at it.\n":             "gate command: none given",
		"## Touched Surface\n\n- Planned: `a`\n":     "risk class is missing",
		"# Task 3: x\n\n## Goal\n\ny\n":              "the text is of task 3",
		"**Depends on:** 2\n":                        "depends on itself",
		"**Depends on:** 7\n":                        "which the plan has not",
		"## Goal\n\nx\n\n- [ ] Task 4: another\n":    "",
		"## Context\n\n<!-- open\n":                  "comment-unclosed",
		"## Completion & Log\n\nStatus: completed\n": "never edited",
		"## Notes\n\nx\n":                            "",
		"## Goal\n\nx\n\n## Notes\n\nx\n":            "no section that refine edits",
		"## Goal\n\nx\n\n## Goal\n\ny\n":             "given twice",
		"":                                           "nothing is to change",
		`{"goal": 1, "log": "x"}`:                    "must be a string",
		`{"goal": "x"`:                               "not JSON",
	} {
		e, gaps := ReadTaskEdit([]byte(text))
		if len(gaps) == 0 {
			var out Edited
			p := editTwin(t, underWay(false))
			_, err := publish.Revise(t.Context(), p, update.Terms{}, Edit{Who: revise.Who{Now: editDay}, Task: 2, Text: e}.Decide(&out))
			if incomplete, ok := errors.AsType[*Incomplete](err); ok {
				gaps = incomplete.Gaps
			} else if err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
		if want != "" && !strings.Contains(fmt.Sprint(gaps), want) {
			t.Errorf("%q: got %v, want %q", text, gaps, want)
		}
	}
	if _, gaps := SectionEdit("Goal", "x\n\n**Context:** y"); len(gaps) == 0 {
		t.Error("two sections under the name of one")
	}
	if e, gaps := SectionEdit("Critérios de aceitação", "- a"); len(gaps) != 0 || e.parts[0].kind != planmd.Acceptance {
		t.Errorf("in Portuguese: %v", gaps)
	}
}
