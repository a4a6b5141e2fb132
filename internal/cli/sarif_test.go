package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func sarifSchemaSubset(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "sarif-2.1.0-subset.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestSARIFKeepsItsSchema(t *testing.T) {
	schema := sarifSchemaSubset(t)
	empty := &verification{err: cannot("no-plans", "", "no plans")}
	for name, v := range map[string]*verification{"sample": sample(), "no plans": empty} {
		text, err := marshal(sarifOf(v, "v1.2.3"))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
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
