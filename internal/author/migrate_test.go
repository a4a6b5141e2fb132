package author

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

const migratedName = "PLAN_quote_service"

var migrationDay = time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC)

// mender is who migrates in these tests.
var mender = revise.Who{Agent: "mender", Now: migrationDay}

// swap replaces text in one file of a plan, once; an empty old appends, and "-" as new takes the file away.
type swap struct{ file, old, new string }

// vectorPlan is the plan of a conformance vector, with some texts swapped.
func vectorPlan(t testing.TB, name string, swaps ...swap) fstest.MapFS {
	t.Helper()
	a, err := txtar.ParseFile(path.Join("../../testdata/vectors", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range a.Files {
		files[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	return swapped(t, files, swaps...)
}

// swapped swaps texts of a plan.
func swapped(t testing.TB, files fstest.MapFS, swaps ...swap) fstest.MapFS {
	t.Helper()
	for _, s := range swaps {
		f := files[s.file]
		switch {
		case s.new == "-":
			delete(files, s.file)
		case f == nil:
			files[s.file] = &fstest.MapFile{Data: []byte(s.new), Mode: 0o644}
		case s.old == "":
			f.Data = append(slices.Clone(f.Data), s.new...)
		case !strings.Contains(string(f.Data), s.old):
			t.Fatalf("%s has no %q", s.file, s.old)
		default:
			f.Data = []byte(strings.Replace(string(f.Data), s.old, s.new, 1))
		}
	}
	return files
}

// v1Plan is a plan of v1 with two of four tasks completed, and v1Fresh one that was not begun.
func v1Plan(t testing.TB, swaps ...swap) fstest.MapFS { return vectorPlan(t, "healthy/v1", swaps...) }

func v1Fresh(t testing.TB, swaps ...swap) fstest.MapFS {
	return swapped(t, older(vectorPlan(t, "healthy/full-v5-0of4")), swaps...)
}

// v1Done is a completed plan of v1 that has no receipt.
func v1Done(t testing.TB, swaps ...swap) fstest.MapFS {
	return swapped(t, older(vectorPlan(t, "healthy/full-v2-published", swap{state.ReceiptFile, "", "-"})), swaps...)
}

// older writes the JSON files of a plan as v1 has them: without axes, with file instead of locator.
func older(files fstest.MapFS) fstest.MapFS {
	for _, s := range [][2]string{
		{`(plan-(?:manifest|state))/v\d`, "$1/v1"}, {`,\s*"plan_format": "full"`, ""}, {`"(format|materialization|approval)": "\w+",\s*`, ""},
		{`,\s*"promotion": null`, ""}, {`"promotion": null,\s*`, ""}, {`"locator": \{\s*"kind": "file",\s*"value": ("[^"]*")\s*\}`, `"file": $1`},
	} {
		for _, name := range []string{state.ManifestFile, state.StateFile} {
			files[name].Data = regexp.MustCompile(s[0]).ReplaceAll(files[name].Data, []byte(s[1]))
		}
	}
	readme := files["README.md"]
	readme.Data = regexp.MustCompile(`(?m)^\*\*(Approval|Format):.*\n`).ReplaceAll(readme.Data, nil)
	return files
}

func planOn(fsys disk.FS) publish.Plan {
	return publish.Plan{FS: fsys, Name: migratedName, Now: func() time.Time { return migrationDay },
		Owner: disk.Owner{Agent: "mender", Command: "dwp migrate"}, System: stillWorld(), InGit: true}
}

// stillWorld is a system whose clock stands and in which waiting takes no time.
func stillWorld() disk.System {
	return disk.System{
		Now:   func() time.Time { return migrationDay },
		Sleep: func(context.Context, time.Duration) error { return nil },
		Self: func() disk.Process {
			return disk.Process{PID: 42, Start: "1", Boot: "boot", Host: "host", Namespace: "ns"}
		},
		Start: func(int) (string, bool) { return "", false },
	}
}

func migrating(t testing.TB, files fstest.MapFS) *disk.Twin {
	t.Helper()
	tw, err := disk.TwinOf(files)
	if err != nil {
		t.Fatal(err)
	}
	return tw
}

func judgedOn(t testing.TB, fsys fs.FS) *verify.Report {
	t.Helper()
	s, err := plan.Read(fsys, migratedName)
	if err != nil {
		t.Fatal(err)
	}
	return verify.Plan(s, verify.Options{Now: migrationDay, InGit: true})
}

// migratedPlan migrates, and holds what is true of every migration: a dry run foretells it to the byte and writes nothing; the plan conforms;
// a second call changes nothing (PS-21).
func migratedPlan(t testing.TB, files fstest.MapFS, decide publish.Decide) (tree map[string]string, done publish.Done) {
	t.Helper()
	tw := migrating(t, files)
	before := tw.Tree()
	draft, err := PreviewMigration(planOn(tw), decide)
	if err != nil {
		t.Fatal(explained(err))
	}
	if !maps.Equal(before, tw.Tree()) {
		t.Fatal("the dry run wrote")
	}
	if done, err = Migrate(context.Background(), planOn(tw), decide); err != nil || !done.Changed {
		t.Fatalf("migrate: %+v, %v", done, explained(err))
	}
	tree = tw.Tree()
	for _, c := range draft.Changes {
		if !c.Remove && tree[c.Path] != string(c.Data) {
			t.Errorf("%s is not what the dry run foretold", c.Path)
		}
	}
	if r := judgedOn(t, tw); r.Verdict != verify.Conformant {
		t.Errorf("%s: %v", r.Verdict, r.Findings)
	}
	again, err := Migrate(context.Background(), planOn(tw), decide)
	if err != nil || again.Changed || again.Published || !maps.Equal(tree, tw.Tree()) {
		t.Errorf("a second call: %+v, %v", again, err)
	}
	return tree, done
}

// explained shows the findings of a refusal, too.
func explained(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if refused, ok := errors.AsType[*publish.Refused](err); ok {
		for _, f := range refused.Findings {
			text += "\n" + shown(f)
		}
	}
	return text
}

// PS-3, PS-8, PS-9, PS-21, PS-23: the manifest changes schema and gains plan_format, nothing else, to the byte; the state gains its axes and
// locators, and keeps unknown fields, order, and the spelling of numbers and strings.
func TestMigrateSchema(t *testing.T) {
	files := v1Plan(t,
		swap{state.ManifestFile, `"tags": [`, `"x_cost": 1.50e+3, "x\u005fnote": "\u0041\/b",   "tags": [`},
		swap{state.StateFile, `"tasks": [`, `"x_cost": 1.50e+3, "tasks": [`},
		swap{state.StateFile, `"title": "Read the tariff table"`, `"x_paid": -0.0, "title": "Read the tar\u0069ff table"`},
		swap{state.StateFile, `"file": "1.task_read_tariff_table.md"`, `"file": "1.task_read_tariff_t\u0061ble.md"`})
	tree, _ := migratedPlan(t, files, SchemaMigration{Who: mender, ApprovedBy: "Ada"}.Decide)

	want := strings.Replace(string(files[state.ManifestFile].Data), "plan-manifest/v1.json", "plan-manifest/v2.json", 1)
	want = strings.Replace(want, "\"parent_plan\": null\n", "\"parent_plan\": null,\n  \"plan_format\": \"full\"\n", 1)
	if got := tree[state.ManifestFile]; got != want {
		t.Errorf("manifest.json:\n%s\nwant:\n%s", got, want)
	}
	st := tree[state.StateFile]
	for _, kept := range []string{`"x_cost": 1.50e+3`, `"x_paid": -0.0`, `"Read the tar\u0069ff table"`, `"value": "1.task_read_tariff_t\u0061ble.md"`,
		`"evidence": "31 passed, 0 failed"`, `"commit": "4be1c07"`, `"worked": "one pass over the file, errors collected"`,
		"\"format\": \"full\",\n  \"materialization\": \"ready\",\n  \"approval\": \"approved\",\n  \"tasks\": ["} {
		if !strings.Contains(st, kept) {
			t.Errorf("state.json has no %s", kept)
		}
	}
	if strings.Contains(st, "Ada") || strings.Contains(st, `"file":`) {
		t.Errorf("state.json:\n%s", st)
	}
	line := "**Approval:** approved by Ada on 2026-10-01\n"
	if got := strings.Replace(tree["README.md"], line, "", 1); got != string(files["README.md"].Data) || !strings.Contains(tree["README.md"], line) {
		t.Errorf("README.md:\n%s", tree["README.md"])
	}
	said, kept := strings.CutPrefix(tree["PROGRESS.md"], string(files["PROGRESS.md"].Data))
	if !kept || !strings.Contains(said, "## 2026-10-01 Migrated from schema v1 to v2") || !strings.Contains(said, "approved by Ada") {
		t.Errorf("PROGRESS.md gained %q", said)
	}
}

// PD-10, PS-23: Windows line ends stay, in Markdown and in the manifest; a byte-order mark too. Without a final line end the manifest gets one.
func TestMigrateKeepsLineEnds(t *testing.T) {
	files := v1Plan(t)
	for _, f := range files {
		f.Data = []byte(strings.ReplaceAll(string(f.Data), "\n", "\r\n"))
	}
	files["README.md"].Data = append([]byte("\ufeff"), files["README.md"].Data...)
	files[state.ManifestFile].Data = []byte(strings.TrimRight(string(files[state.ManifestFile].Data), "\r\n"))
	tree, _ := migratedPlan(t, files, SchemaMigration{Who: mender, ApprovedBy: "Ada"}.Decide)
	for _, name := range []string{"README.md", "PROGRESS.md"} {
		if strings.Count(tree[name], "\n") != strings.Count(tree[name], "\r\n") {
			t.Errorf("%s has mixed line ends", name)
		}
	}
	if !strings.HasPrefix(tree["README.md"], "\ufeff# ") || !strings.HasSuffix(tree[state.ManifestFile], ",\r\n  \"plan_format\": \"full\"\r\n}\n") {
		t.Errorf("README.md begins %q, manifest.json ends %q", tree["README.md"][:8], tree[state.ManifestFile][len(tree[state.ManifestFile])-40:])
	}
}

// PS-8, LF-7, UN-6: nobody's approval is lost, and none is made up.
func TestMigrateApproval(t *testing.T) {
	says := func(line string) swap {
		return swap{"README.md", "Execution: seq", "**Approval:** " + line + "\nExecution: seq"}
	}
	for name, tt := range map[string]struct {
		files fstest.MapFS
		by    string
		want  string // the new state's approval; "" when refused
		line  string // that README.md has then; "" for no Approval line
		warns string
	}{
		"approved":                    {v1Plan(t, says("approved by Bo on 2026-08-01")), "", "approved", "approved by Bo on 2026-08-01", ""},
		"pre-approved":                {v1Plan(t, says("pre-approved")), "", "pre_approved", "pre-approved", ""},
		"approved, and approved-by":   {v1Plan(t, says("approved by Bo")), "Ada", "approved", "approved by Bo", "--approved-by records nothing"},
		"pending and not begun":       {v1Fresh(t, says("pending")), "", "pending", "pending", "pending now"},
		"pending, then approved":      {v1Fresh(t, says("pending")), "Ada", "approved", "approved by Ada on 2026-10-01", ""},
		"pending and begun":           {v1Plan(t, says("pending")), "", "", "", ""},
		"pending and begun, approved": {v1Plan(t, says("pending")), "Ada", "approved", "approved by Ada on 2026-10-01", ""},
		"nobody, begun":               {v1Plan(t), "", "", "", ""},
		"nobody, completed":           {v1Done(t), "", "", "", ""},
		"nobody, not begun":           {v1Fresh(t), "", "pending", "", "nothing starts before a person approves it"},
		"nobody, not begun, approved": {v1Fresh(t), "Ada", "approved", "approved by Ada on 2026-10-01", ""},
		"no approval at all":          {v1Plan(t, says("rejected by Bo")), "", "", "", ""},
		"relayed":                     {v1Fresh(t), "Ada, relayed by mender", "", "", ""},
	} {
		m := SchemaMigration{Who: mender, ApprovedBy: tt.by}
		if tt.want == "" {
			_, err := PreviewMigration(planOn(migrating(t, tt.files)), m.Decide)
			want := "guard/migrate-approval"
			if tt.by != "" {
				want = "guard/migrate-text"
			}
			if refused, ok := errors.AsType[*publish.Refused](err); !ok || refused.Rule != want {
				t.Errorf("%s: %v", name, explained(err))
			}
			continue
		}
		tree, done := migratedPlan(t, tt.files, m.Decide)
		if !strings.Contains(tree[state.StateFile], `"approval": "`+tt.want+`"`) {
			t.Errorf("%s: not %s", name, tt.want)
		}
		if has := strings.Contains(tree["README.md"], "**Approval:** "+tt.line); has != (tt.line != "") || strings.Count(tree["README.md"], "**Approval:**") > 1 {
			t.Errorf("%s: README.md:\n%s", name, tree["README.md"])
		}
		if said := strings.Join(done.Warnings, "\n"); !strings.Contains(said, tt.warns) {
			t.Errorf("%s: warns %q", name, said)
		}
	}
}

// PD-4: a new line of the header has the form of those that are there: a line, a row of a table, an item; else it is a paragraph.
func TestMigrateHeaderForms(t *testing.T) {
	const header = "**Standard:** DWP spec 1.2.0\nExecution: sequential \u2014 each task builds on the one before\n"
	for form, want := range map[string]string{
		"**Standard:** DWP spec 1.2.0\n**Execution:** sequential \u2014 a\n":                         "1.2.0\n**Approval:** approved by Ada on 2026-10-01\n**Ex",
		"| Standard | DWP spec 1.2.0 |\n|---|---|\n| Execution | sequential \u2014 a |\n| a | b |\n": "approved by Ada on 2026-10-01",
		"- **Standard:** DWP spec 1.2.0\n- **Execution:** sequential \u2014 a\n":                     "1.2.0\n- **Approval:** approved by Ada on 2026-10-01\n- **Ex",
	} {
		tree, _ := migratedPlan(t, v1Plan(t, swap{"README.md", header, form}), SchemaMigration{Who: mender, ApprovedBy: "Ada"}.Decide)
		if !strings.Contains(tree["README.md"], want) {
			t.Errorf("%q:\n%s", form, tree["README.md"][:400])
		}
	}
}

// PD-4, LF-8: a plan with plan_format states how its tasks run. Who migrates may say it; what stands is kept.
func TestMigrateStatesParallelism(t *testing.T) {
	silent := swap{"README.md", "Execution: sequential \u2014 each task builds on the one before\n", ""}
	_, err := PreviewMigration(planOn(migrating(t, v1Fresh(t, silent))), SchemaMigration{Who: mender}.Decide)
	if refused, ok := errors.AsType[*publish.Refused](err); !ok || refused.Rule != "guard/not-conformant" || !strings.Contains(refused.Hint, "--sequential") {
		t.Errorf("without a word: %v", explained(err))
	}
	tree, _ := migratedPlan(t, v1Fresh(t, silent), SchemaMigration{Who: mender, Sequential: "one database"}.Decide)
	if !strings.Contains(tree["README.md"], "**Execution:** sequential \u2014 one database\n") {
		t.Errorf("README.md:\n%s", tree["README.md"])
	}
	tree, done := migratedPlan(t, v1Fresh(t), SchemaMigration{Who: mender, Sequential: "one database"}.Decide)
	if strings.Contains(tree["README.md"], "one database") || !strings.Contains(strings.Join(done.Warnings, ""), "--sequential writes nothing") {
		t.Errorf("warns %q, README.md:\n%s", done.Warnings, tree["README.md"])
	}
}

// PS-15: from v2 on, the checkpoint of a completed plan is its last task, step done. Where it stood is told.
func TestMigrateCheckpoint(t *testing.T) {
	files := v1Done(t)
	at := regexp.MustCompile(`"checkpoint": \{[^}]*\}`)
	files[state.StateFile].Data = at.ReplaceAll(files[state.StateFile].Data,
		[]byte(`"checkpoint": {"task": 2, "step": "half", "at": "2026-09-01T12:00:00Z", "note": "two to go"}`))
	tree, _ := migratedPlan(t, files, SchemaMigration{Who: mender, ApprovedBy: "Ada"}.Decide)
	got := strings.Join(strings.Fields(at.FindString(tree[state.StateFile])), " ")
	if got != `"checkpoint": { "task": 4, "step": "done", "at": "2026-09-01T12:00:00Z", "note": "two to go" }` {
		t.Errorf("%s", got)
	}
	if !strings.Contains(tree["PROGRESS.md"], `it stood at task 2, step "half"`) {
		t.Errorf("PROGRESS.md:\n%s", tree["PROGRESS.md"])
	}
}

// PS-21: of a pair that another tool left torn, the other file follows, when both say the same and the whole conforms.
func TestMigrateFinishesTornPair(t *testing.T) {
	whole, _ := migratedPlan(t, v1Plan(t), SchemaMigration{Who: mender, ApprovedBy: "Ada"}.Decide)
	for moved, left := range map[string]string{state.ManifestFile: state.StateFile, state.StateFile: state.ManifestFile} {
		files := v1Plan(t, swap{"README.md", "Execution: seq", "**Approval:** approved by Ada\nExecution: seq"})
		files[moved].Data = []byte(whole[moved])
		if r := judgedOn(t, files); r.Verdict != verify.Nonconformant {
			t.Errorf("%s alone: %s", moved, r.Verdict)
		}
		tree, _ := migratedPlan(t, files, SchemaMigration{Who: mender}.Decide)
		if tree[state.ManifestFile] != whole[state.ManifestFile] || tree[moved] != whole[moved] && moved == state.ManifestFile {
			t.Errorf("%s was moved before, %s follows otherwise", moved, left)
		}
		if !strings.Contains(tree["PROGRESS.md"], "another tool had moved it alone") {
			t.Errorf("PROGRESS.md:\n%s", tree["PROGRESS.md"])
		}
	}
}

// VP-5: a published plan is published again, and its old receipt is kept. What was changed since the publication is not hidden by it.
func TestMigratePublishedPlan(t *testing.T) {
	for name, decide := range map[string]publish.Decide{
		"schema":   SchemaMigration{Who: mender, ApprovedBy: "Ada"}.Decide,
		"standard": StandardMigration{Who: mender, To: "5.0.0", Reason: "one standard for all"}.Decide,
	} {
		tw := sealed(t)
		receipt := tw.Tree()[state.ReceiptFile]
		done, err := Migrate(t.Context(), planOn(tw), decide)
		if err != nil || !done.Published {
			t.Fatalf("%s: %+v, %v", name, done, explained(err))
		}
		tree := tw.Tree()
		if tree["analysis_results/FINALIZATION-1.json"] != receipt || tree[state.ReceiptFile] == receipt || tree[state.ReceiptFile] == "" {
			t.Errorf("%s: receipts: %v", name, slices.Sorted(maps.Keys(tree)))
		}
		if r := judgedOn(t, tw); r.Verdict != verify.Conformant {
			t.Errorf("%s: %v", name, r.Findings)
		}
		again, err := Migrate(t.Context(), planOn(tw), decide)
		if err != nil || again.Changed || again.Published || !maps.Equal(tree, tw.Tree()) {
			t.Errorf("%s: a second call: %+v, %v", name, again, err)
		}
	}
	tw := sealed(t)
	must(t, tw.Put("PROMPTS.md", []byte("# Prompts\n\nOther words.\n"), 0o644))
	_, err := Migrate(t.Context(), planOn(tw), SchemaMigration{Who: mender, ApprovedBy: "Ada"}.Decide)
	if refused, ok := errors.AsType[*publish.Refused](err); !ok || refused.Rule != "guard/changed-after" {
		t.Errorf("changed after publication: %v", explained(err))
	}
}

// sealed is a completed plan of v1 under standard 4, with its receipt.
func sealed(t testing.TB) *disk.Twin {
	t.Helper()
	files := v1Done(t)
	for _, name := range []string{"README.md", state.ManifestFile} {
		files[name].Data = []byte(strings.ReplaceAll(string(files[name].Data), "5.0.0", "4.0.0"))
	}
	tw := migrating(t, files)
	if done, err := publish.Seal(context.Background(), planOn(tw)); err != nil || !done.Published {
		t.Fatalf("seal: %+v, %v", done, explained(err))
	}
	return tw.Kill()
}
