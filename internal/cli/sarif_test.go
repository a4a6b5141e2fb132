package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// sarifSchemaOf is the schema that OASIS publishes, formats such as uri-reference asserted.
func sarifSchemaOf(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "sarif-2.1.0.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(sarifSchema, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(sarifSchema)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// keepsSchema demands that a log is valid, and that the schema can tell: the same log with one field renamed is not.
func keepsSchema(t *testing.T, schema *jsonschema.Schema, text []byte) {
	t.Helper()
	for _, tt := range []struct {
		text  []byte
		valid bool
	}{{text, true}, {bytes.Replace(text, []byte(`"columnKind"`), []byte(`"columnSort"`), 1), false}} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); (err == nil) != tt.valid {
			t.Errorf("valid is %v, want %v: %v\n%s", err == nil, tt.valid, err, tt.text)
		}
	}
}

func TestSARIFKeepsItsSchema(t *testing.T) {
	schema := sarifSchemaOf(t)
	for name, v := range map[string]*verification{
		"sample":         sample(),
		"several plans":  {plans: append(sample().plans, sample().plans...)},
		"no findings":    {plans: sample().plans[1:2]},
		"only beside":    {findings: sample().findings},
		"no plans":       {err: cannot("no-plans", "", "no plans")},
		"one unreadable": {plans: sample().plans[2:]},
		"nothing at all": {},
		"unknown rule":   {findings: []rule.Finding{{Rule: "made/up", Level: rule.Info, Message: "m"}}},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := marshal(sarifOf(v, "v1.2.3"))
			if err != nil {
				t.Fatal(err)
			}
			keepsSchema(t, schema, text)
		})
	}
}

// C131: what the command prints keeps the schema too, from a repository and with records whose names are odd.
func TestSARIFOfOddRepository(t *testing.T) {
	schema := sarifSchemaOf(t)
	dir := filepath.Join(t.TempDir(), "a b\"c'\\d&e$f<g>\nh\U0001f600%2f[x]#?")
	teaRepository(t, dir)
	odd := "1.task_caf\u00e9 #1%[x]?:<&>.md"
	writeTree(t, dir, map[string]string{
		".dwp/plans/PLAN_odd_names/README.md":  "# Odd\n\n## Task List\n\n- [x] [Task 1: Boil](<" + odd + ">)\n",
		".dwp/plans/PLAN_odd_names/" + odd:     "# Task 1: Boil\n\n```\n",
		".dwp/plans/PLAN_second_pot/README.md": "# Second\n",
	})
	for _, tt := range []struct{ name, args string }{
		{"all", "verify --sarif"}, {"strict", "verify --sarif --strict"}, {"one", "verify --sarif odd_names"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, stdout, stderr := run(dir, strings.Fields(tt.args)...)
			if stderr != "" {
				t.Fatalf("got %q on standard error", stderr)
			}
			keepsSchema(t, schema, []byte(stdout))
			if want := `"uri": ".dwp/plans/PLAN_odd_names/1.task_caf%C3%A9%20%231%25%5Bx%5D%3F:%3C&%3E.md"`; !strings.Contains(stdout, want) {
				t.Errorf("got no %s in\n%s", want, stdout)
			}
		})
	}
	// Plans that lie outside the repository have absolute places.
	var out bytes.Buffer
	env := testEnv(t.TempDir(), &out, &out, "DWP_DIR="+filepath.Join(dir, ".dwp"))
	Main([]string{"verify", "--sarif"}, env)
	keepsSchema(t, schema, out.Bytes())
}

func TestSARIFResults(t *testing.T) {
	run := sarifOf(sample(), "v1.2.3").Runs[0]
	type row struct {
		rule, indexed, level, uri string
		line, related             int
	}
	var got []row
	for _, r := range run.Results {
		at := r.Locations[0].PhysicalLocation
		line := 0
		if at.Region != nil {
			line = at.Region.StartLine
		}
		got = append(got, row{r.RuleID, run.Tool.Driver.Rules[r.RuleIndex].ID, r.Level, at.ArtifactLocation.URI, line, len(r.Related)})
	}
	want := []row{
		{"index/count", "index/count", "error", ".dwp/plans/PLAN_broken_one/README.md", 35, 0},
		{"record/section", "record/section", "error", ".dwp/plans/PLAN_broken_one/2.task_caf%C3%A9%20%231.md", 0, 1},
		{"index/title-differs", "index/title-differs", "warning", ".dwp/plans/PLAN_broken_one/README.md", 20, 0},
		{"text/bom", "text/bom", "note", ".dwp/plans/PLAN_broken_one/PROGRESS.md", 1, 0},
		{"plans/stray", "plans/stray", "note", ".dwp/plans/notes", 0, 0},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if run.Invocations[0].ExecutionSuccessful {
		t.Error("a run with an unreadable plan says it was successful")
	}
	if got := len(run.Invocations[0].ToolExecutionNotifications); got != 2 {
		t.Errorf("got %d notifications, want 2: one plan unreadable, one rule not evaluated", got)
	}
}

func TestSARIFLocations(t *testing.T) {
	c := checked{target: target{
		plan.Entry{Name: "PLAN_a_b", Path: "/repo/.dwp/plans/PLAN_a_b"}, plan.Root{Dir: "/repo", Git: "/repo"},
	}}
	outside := c
	outside.root = plan.Root{Dir: "/elsewhere", Git: "/elsewhere"}
	for _, tt := range []struct {
		name string
		c    checked
		file string
		want sarifArtifact
	}{
		{"file", c, "README.md", sarifArtifact{".dwp/plans/PLAN_a_b/README.md", "%SRCROOT%"}},
		{"folder itself", c, "", sarifArtifact{".dwp/plans/PLAN_a_b/", "%SRCROOT%"}},
		{"newline and percent", c, "a\nb%.md", sarifArtifact{".dwp/plans/PLAN_a_b/a%0Ab%25.md", "%SRCROOT%"}},
		{"outside the repository", outside, "R.md", sarifArtifact{URI: "file:///repo/.dwp/plans/PLAN_a_b/R.md"}},
	} {
		if got := tt.c.locate(tt.file); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
	if got, want := inRepository("a:b").URI, "./a:b"; got != want {
		t.Errorf("a colon in the first segment: got %q, want %q", got, want)
	}
}

func TestSARIFLevels(t *testing.T) {
	for level, want := range map[rule.Level]string{rule.Must: "error", rule.Should: "warning", rule.Info: "note"} {
		if got := sarifLevel(level); got != want {
			t.Errorf("sarifLevel(%s) = %s, want %s", level, got, want)
		}
	}
}
