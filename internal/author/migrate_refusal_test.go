package author

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
)

// This file: what migrations refuse, and migrations of the standard.

// migrations are the two calls that most refusals are tried with.
var (
	toV2        = SchemaMigration{Who: mender, ApprovedBy: "Ada"}
	toStandard5 = StandardMigration{Who: mender, To: "5.0.0", Reason: "one standard for all"}
)

func standard(to, from, reason string) publish.Decide {
	return StandardMigration{Who: mender, To: to, From: from, Reason: reason}.Decide
}

// bare is an older plan without JSON; its tasks have nine sections and it ends the old way.
func bare(t testing.TB, swaps ...swap) fstest.MapFS {
	return vectorPlan(t, "healthy/older-without-json", swaps...)
}

func TestMigrationRefusals(t *testing.T) {
	v5 := func(name string) fstest.MapFS { return vectorPlan(t, name) }
	torn := func(from, to string, file string) fstest.MapFS { return v1Plan(t, swap{file, from, to}) }
	tests := []struct {
		name   string
		files  fstest.MapFS
		decide publish.Decide
		rule   string
		find   string // a finding that is listed
		usage  bool
	}{
		{"PS-21 v5 goes back to nothing", v5("healthy/full-v5-2of4"), toV2.Decide, "guard/migrate-forward", "", false},
		{"PS-21 a pair of v1 and v5", torn("plan-manifest/v1", "plan-manifest/v5", state.ManifestFile), toV2.Decide, "schema/torn", "", false},
		{"PS-21 no JSON", bare(t), toV2.Decide, "guard/migrate-layer", "", false},
		{"PS-21 no manifest", v1Plan(t, swap{state.ManifestFile, "", "-"}), toV2.Decide, "guard/migrate-layer", "", false},
		{"PS-21 an axis that v1 doesn't know", v1Plan(t, swap{state.StateFile, `"tasks": [`, `"format": "lite", "tasks": [`}), toV2.Decide, "guard/migrate-field", "", false},
		{"LF-7 an approval that v1 doesn't know", v1Fresh(t, swap{state.StateFile, `"tasks": [`, `"approval": "approved", "tasks": [`}),
			SchemaMigration{Who: mender}.Decide, "guard/migrate-field", "", false},
		{"PS-21 a promotion that v1 doesn't know", v1Plan(t, swap{state.StateFile, `"tasks": [`, `"promotion": {}, "tasks": [`}), toV2.Decide, "guard/migrate-field", "", false},
		{"PS-21 a locator that v1 doesn't know", v1Plan(t, swap{state.StateFile, `"file": "1`, `"locator": "x", "file": "1`}), toV2.Decide, "guard/migrate-field", "", false},
		{"PS-6 a plan_format that v1 doesn't know", v1Plan(t, swap{state.ManifestFile, `"tags"`, `"plan_format": "lite", "tags"`}), toV2.Decide, "guard/migrate-field", "", false},
		{"PS-13 v2 demands evidence", v1Plan(t, swap{state.StateFile, gatesOf(t, v1Plan(t)), "[]"}), toV2.Decide, "guard/not-conformant", "evidence/none", false},
		{"PD-3 v2 demands PROMPTS.md", v1Plan(t, swap{"PROMPTS.md", "", "-"}), toV2.Decide, "guard/not-conformant", "layout/prompts", false},
		{"PS-18 a desync is for reconcile", v1Plan(t, swap{"README.md", "- [x] Task 2", "- [ ] Task 2"}, swap{"README.md", "2/4", "1/4"}), toV2.Decide,
			"guard/not-conformant", "desync/state-ahead", false},
		{"PS-5 an operation is unfinished", v1Plan(t, swap{".dwp-op/op.json", "", "{}"}), toV2.Decide, "operation/unfinished", "", false},
		{"PS-7 a secret for a name", v1Plan(t), SchemaMigration{Who: mender, ApprovedBy: "ghp_" + strings.Repeat("aB3dE6gH", 5)}.Decide, "secret/markdown", "", false},
		{"UN-6 an agent for a person", v1Plan(t), SchemaMigration{Who: mender, ApprovedBy: "the Codex"}.Decide, "guard/migrate-approval", "", false},
		{"PS-7 an address for a name", v1Plan(t), SchemaMigration{Who: mender, ApprovedBy: "ada@example.com"}.Decide, "secret/personal", "", false},
		{"two lines for a name", v1Plan(t), SchemaMigration{Who: mender, ApprovedBy: "Ada\nBo"}.Decide, "guard/migrate-text", "", true},
		{"a long name", v1Plan(t), SchemaMigration{Who: mender, ApprovedBy: strings.Repeat("a", 101)}.Decide, "guard/migrate-text", "", true},
		{"two lines for a reason", v1Plan(t), SchemaMigration{Who: mender, ApprovedBy: "Ada", Sequential: "a\u2028b"}.Decide, "guard/migrate-text", "", true},
		{"a name that is a comment", v1Plan(t), SchemaMigration{Who: mender, ApprovedBy: "Ada <!-- x -->"}.Decide, "guard/migrate-text", "", false},

		{"PS-22 back", v1Plan(t), standard("1.1.0", "", "x"), "guard/migrate-forward", "", false},
		{"PS-22 there is no 3.x", v1Plan(t), standard("3.0.0", "", "x"), "guard/migrate-forward", "", false},
		{"PS-22 newer than this tool", v1Plan(t), standard("5.1.0", "", "x"), "guard/migrate-forward", "", false},
		{"PS-22 no version", v1Plan(t), standard("5", "", "x"), "guard/migrate-forward", "", true},
		{"PS-22 no reason", v1Plan(t), standard("5.0.0", "", ""), "guard/migrate-text", "", true},
		{"PS-22 a reason that reads as a migration", v1Plan(t), standard("5.0.0", "", "so; from 2.0.0 on 2020-01-01 too"), "guard/migrate-text", "", false},
		{"PS-22 from another standard", v1Plan(t), standard("5.0.0", "1.0.0", "x"), "guard/migrate-from", "", false},
		{"PS-22 from nowhere", bare(t, swap{"README.md", bareStandard(t), ""}), standard("4.0.0", "", "x"), "guard/migrate-from", "", false},
		{"PS-22 from no version", bare(t, swap{"README.md", bareStandard(t), ""}), standard("4.0.0", "yore", "x"), "guard/migrate-from", "", true},
		{"PD-9 the three-task ending is not converted", bare(t), standard("5.0.0", bareFrom(t), "x"), "guard/not-conformant", "review/last", false},
		{"PD-5 open tasks owe ten sections", v1Plan(t, surfaceless(t, v1Plan(t), "3.task_answer_quote_requests.md")), toStandard5.Decide, "guard/not-conformant", "record/section", false},
	}
	rules := map[string]bool{}
	for _, tt := range tests {
		tw := migrating(t, tt.files)
		before := tw.Tree()
		_, dry := PreviewMigration(planOn(tw), tt.decide)
		_, err := Migrate(t.Context(), planOn(tw), tt.decide)
		refused, ok := errors.AsType[*publish.Refused](err)
		if !ok || refused.Rule != tt.rule || refused.Usage != tt.usage {
			t.Errorf("%s: got %v", tt.name, explained(err))
			continue
		}
		if explained(dry) != explained(err) {
			t.Errorf("%s: a dry run says %s", tt.name, explained(dry))
		}
		if found := slices.ContainsFunc(refused.Findings, func(f rule.Finding) bool { return f.Rule == tt.find }); found != (tt.find != "") {
			t.Errorf("%s: %s", tt.name, explained(err))
		}
		if refused.Requirement == "" || refused.Hint == "" || !strings.HasSuffix(refused.Message, "; nothing was written") || strings.Contains(explained(err), "aB3dE6gH") {
			t.Errorf("%s: words: %+v", tt.name, refused)
		}
		if !maps.Equal(before, tw.Tree()) {
			t.Errorf("%s: something was written", tt.name)
		}
		rules[tt.rule] = true
	}
	for _, g := range migrateGuards {
		if !rules[g.ID] && g.ID != "guard/migrate-approval" { // TestMigrateApproval
			t.Errorf("no case is refused under %s", g.ID)
		}
	}
}

// gatesOf is the first gates list of a plan's state.json as it is written.
func gatesOf(t testing.TB, files fstest.MapFS) string {
	t.Helper()
	text := string(files[state.StateFile].Data)
	from := strings.Index(text, `"gates": [`) + len(`"gates": `)
	return text[from : from+strings.Index(text[from:], "]")+1]
}

// surfaceless takes the Touched Surface out of a task file.
func surfaceless(t testing.TB, files fstest.MapFS, name string) swap {
	t.Helper()
	text := string(files[name].Data)
	from, to := strings.Index(text, "## Touched Surface"), strings.Index(text, "## Instructions")
	if from < 0 || to < from {
		t.Fatalf("%s has no Touched Surface", name)
	}
	return swap{name, text[from:to], "\n"}
}

// bareStandard is the Standard line of the older plan; "" when it has none.
func bareStandard(t testing.TB) string {
	t.Helper()
	r := planmd.ReadREADME(bare(t)["README.md"].Data)
	if r.Standard == nil {
		return ""
	}
	return r.Text(r.Standard.Span)
}

// bareFrom is the version to name for the older plan; "" when it names one itself.
func bareFrom(t testing.TB) string {
	if bareStandard(t) == "" {
		return "1.0"
	}
	return ""
}

// PS-3, PS-22, PD-9: the README declares the migration, and the one before it; PROGRESS.md tells it; the manifest and the state stay. Tasks
// completed before keep their nine sections and their logs.
func TestMigrateStandard(t *testing.T) {
	files := v1Plan(t, surfaceless(t, v1Plan(t), "1.task_read_tariff_table.md"),
		swap{"2.task_compute_rental_price.md", "- **Skills disposition:** none\n", ""})
	tree, _ := migratedPlan(t, files, standard("4.0.0", "", "typed plans"))
	line := "**Standard:** DWP spec 4.0.0 (migrated from 1.2.0 on 2026-10-01 \u2014 typed plans)\n"
	if want := strings.Replace(string(files["README.md"].Data), "**Standard:** DWP spec 1.2.0\n", line, 1); tree["README.md"] != want {
		t.Errorf("README.md:\n%s", tree["README.md"])
	}
	tree, _ = migratedPlan(t, filesOf(tree), toStandard5.Decide)
	line = "**Standard:** DWP spec 5.0.0 (migrated from 1.2.0 on 2026-10-01 \u2014 typed plans; from 4.0.0 on 2026-10-01 \u2014 one standard for all)\n"
	if !strings.Contains(tree["README.md"], line) {
		t.Errorf("README.md:\n%s", tree["README.md"])
	}
	for _, name := range []string{state.ManifestFile, state.StateFile, "1.task_read_tariff_table.md"} {
		if tree[name] != string(files[name].Data) {
			t.Errorf("%s changed", name)
		}
	}
	for _, said := range []string{"Migrated to standard 4.0.0", "Migrated to standard 5.0.0", "- Why: one standard for all"} {
		if !strings.Contains(tree["PROGRESS.md"], said) {
			t.Errorf("PROGRESS.md does not say %q", said)
		}
	}
}

// filesOf is a tree of a twin as a plan to lay out again.
func filesOf(tree map[string]string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range tree {
		if !strings.HasSuffix(name, "/") {
			files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
	}
	return files
}

// PD-9: plans without JSON are migrated too; one without a Standard line gets it below its title, from the version that the caller names.
func TestMigrateStandardWithoutJSON(t *testing.T) {
	files := bare(t)
	if line := bareStandard(t); line != "" {
		files = bare(t, swap{"README.md", line, ""})
	}
	tree, _ := migratedPlan(t, files, standard("2.0.0", "1.0", "it was written so"))
	r := planmd.ReadREADME([]byte(tree["README.md"]))
	if r.StandardVersion != "2.0.0" || !slices.Equal(r.Migrations, []planmd.Migration{{From: "1.0", On: "2026-10-01"}}) {
		t.Errorf("README.md:\n%s", tree["README.md"])
	}
	if _, made := tree[state.StateFile]; made {
		t.Error("a state.json was made")
	}
}

// PD-9: a migration to the current standard keeps a completed security review just before an open Final Review.
func TestMigrateKeepsCompletedReview(t *testing.T) {
	files := v1Plan(t)
	for _, f := range files {
		f.Data = []byte(strings.ReplaceAll(string(f.Data), "Compute the price of a rental", "Security Review"))
		f.Data = []byte(strings.ReplaceAll(string(f.Data), "2.task_compute_rental_price", "2.task_security_review"))
	}
	files["2.task_security_review.md"] = files["2.task_compute_rental_price.md"]
	delete(files, "2.task_compute_rental_price.md")
	delete(files, "3.task_answer_quote_requests.md")
	files["3.task_final_review.md"] = files["4.task_final_review.md"]
	delete(files, "4.task_final_review.md")
	files = swapped(t, files, swap{"README.md", "- [ ] Task 3: [Answer quote requests](./3.task_answer_quote_requests.md)\n", ""})
	for _, f := range files {
		f.Data = []byte(strings.NewReplacer("Task 4", "Task 3", "4.task_final", "3.task_final", "2/4", "2/3").Replace(string(f.Data)))
	}
	text := string(files[state.StateFile].Data)
	from, to := strings.Index(text, "    {\n      \"id\": 3,"), strings.Index(text, "    {\n      \"id\": 4,")
	text = text[:from] + strings.Replace(text[to:], `"id": 4`, `"id": 3`, 1)
	files[state.StateFile].Data = []byte(strings.NewReplacer(`"task_count": 4`, `"task_count": 3`).Replace(text))
	files[state.ManifestFile].Data = []byte(strings.Replace(string(files[state.ManifestFile].Data), `"task_count": 4`, `"task_count": 3`, 1))
	migratedPlan(t, files, toStandard5.Decide)
}

// FuzzMigrationTexts: whatever a person types, a migration is refused, or reads back as it was given, and nothing else in the README moves.
func FuzzMigrationTexts(f *testing.F) {
	for _, seed := range []string{"Ada", "one standard for all", "a | b", "**x**", "<!-- ", "`", "approved by Bo", "migrated from 1.0.0 on 2020-01-01", ")", "\\", "# x", "[a](b)", "\u00a0"} {
		f.Add(seed)
	}
	s, err := plan.Read(v1Plan(f), migratedName)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := SchemaMigration{Who: mender, ApprovedBy: text}.Decide(s)
		if err == nil && text != "" {
			if is := planmd.ReadREADME(changed(r, revise.ReadmeFile)); is.Approval.Value != "approved by "+text+" on 2026-10-01" || is.ApprovalValue != planmd.ApprovalApproved {
				t.Errorf("%q reads %q", text, is.Approval.Value)
			}
		}
		if r, err = (StandardMigration{Who: mender, To: "5.0.0", Reason: text}).Decide(s); err == nil {
			if is := planmd.ReadREADME(changed(r, revise.ReadmeFile)); !strings.Contains(is.Standard.Value, text) || len(is.Index) != 4 || is.MigratedFrom != "1.2.0" {
				t.Errorf("%q reads %q", text, is.Standard.Value)
			}
		}
	})
}

func changed(r *publish.Revision, name string) []byte {
	for _, c := range r.Changes {
		if c.Path == name {
			return c.Data
		}
	}
	return nil
}
