package dwp_test

import (
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
)

// anyRule in a vector's rule header stands for every rule of the catalogue.
const anyRule = "any"

// vector is one conformance vector; testdata/vectors/README.md explains the headers.
type vector struct {
	name, rule, requirement, expect string
	level                           rule.Level
	plan                            string
	git                             bool
	now                             time.Time
	files                           []txtar.File
}

// notInVectors are the rules that a plan folder alone cannot trip, with the test of outside_test.go that
// covers each instead.
var notInVectors = map[string]string{
	"layout/unreadable":   "TestUnreadableFileIsNotConformant",
	"layout/moved":        "TestMovingFolderIsNotConformant",
	"commit/unknown":      "TestUnknownCommitIsAdvice",
	"plans/stray":         "TestStraysAreNamed",
	"plans/link":          "TestStraysAreNamed",
	"repo/agents-md":      "TestRepositoryChecks",
	"repo/commands":       "TestRepositoryChecks",
	"repo/agent-files":    "TestRepositoryChecks",
	"repo/agents-folders": "TestRepositoryChecks",
	"repo/docs":           "TestRepositoryChecks",
	"repo/security-doc":   "TestRepositoryChecks",
	"repo/plans":          "TestRepositoryChecks",
	"repo/ignored":        "TestRepositoryChecks",
}

func TestVectors(t *testing.T) {
	for _, path := range vectorPaths(t) {
		t.Run(strings.TrimSuffix(path, ".txtar"), func(t *testing.T) {
			t.Parallel()
			v, err := readVector(path)
			if err != nil {
				t.Fatal(err)
			}
			snapshot, err := plan.Open(lay(t, v))
			if err != nil {
				t.Fatalf("open: %v", err)
			}
			check(t, v, verify.Plan(snapshot, verify.Options{Now: v.now, InGit: v.git}))
		})
	}
}

// check compares a report with what a vector expects.
func check(t *testing.T, v vector, report *verify.Report) {
	t.Helper()
	var hits []rule.Finding
	for _, f := range report.Findings {
		if (v.rule == anyRule || f.Rule == v.rule) && (v.level == "" || f.Level == v.level) {
			hits = append(hits, f)
		}
	}
	switch v.expect {
	case "trips":
		if len(hits) == 0 {
			t.Errorf("%s does not trip at level %q; findings: %s", v.rule, v.level, list(report.Findings))
		}
		for _, f := range hits {
			if f.Requirement == "" || f.Message == "" {
				t.Errorf("finding without requirement or message: %+v", f)
			}
		}
	case "silent":
		if len(hits) > 0 {
			t.Errorf("%s is not silent: %s", v.rule, list(hits))
		}
		for _, u := range report.Unevaluated {
			if v.rule == anyRule || u.Rule == v.rule {
				t.Errorf("%s was not evaluated: %s", u.Rule, u.Reason)
			}
		}
	}
}

func list(findings []rule.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "\n\t%s [%s] %s:%d: %s", f.Rule, f.Level, f.File, f.Line, f.Message)
	}
	return b.String()
}

// TestEveryRuleHasItsVectors: one that trips it, one near miss that does not.
func TestEveryRuleHasItsVectors(t *testing.T) {
	seen := map[string]int{}
	for _, path := range vectorPaths(t) {
		v, err := readVector(path)
		if err != nil {
			t.Fatal(err)
		}
		seen[v.rule+" "+v.expect]++
	}
	tests := testFunctions(t)
	for _, r := range rule.All() {
		if test, ok := notInVectors[r.ID]; ok {
			if !tests[test] {
				t.Errorf("%s: the test named for it does not exist: %s", r.ID, test)
			}
			continue
		}
		for _, expect := range []string{"trips", "silent"} {
			if seen[r.ID+" "+expect] == 0 {
				t.Errorf("%s: no vector expects %q", r.ID, expect)
			}
		}
	}
	for id := range notInVectors {
		if _, ok := rule.Lookup(id); !ok {
			t.Errorf("the table of rules without vectors names %q, which is not in the catalogue", id)
		}
	}
}

// testFunctions returns the names of this package's tests.
func testFunctions(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, f := range goFiles(t) {
		if !f.test || f.pkg != "" {
			continue
		}
		for _, decl := range f.syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil {
				found[fn.Name.Name] = true
			}
		}
	}
	return found
}

func vectorPaths(t *testing.T) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir("testdata/vectors", func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".txtar" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d vectors, error %v", len(paths), err)
	}
	return paths
}

func readVector(path string) (vector, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return vector{}, err
	}
	v := vector{plan: "PLAN_quote_service", now: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), files: archive.Files}
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		key, value, _ := strings.Cut(line, ": ")
		if err := v.set(key, value); err != nil {
			return v, fmt.Errorf("%s: %w", path, err)
		}
	}
	return v, v.complete(path)
}

func (v *vector) set(key, value string) (err error) {
	switch key {
	case "vector":
		v.name = value
	case "rule":
		v.rule = value
	case "requirement":
		v.requirement = value
	case "expect":
		v.expect = value
	case "level":
		v.level = rule.Level(value)
	case "plan":
		v.plan = value
	case "git":
		v.git = value == "true"
	case "now":
		v.now, err = time.Parse(time.RFC3339, value)
	default:
		err = fmt.Errorf("unknown header %q", key)
	}
	return err
}

// complete says what is wrong with a vector as such.
func (v *vector) complete(path string) error {
	r, known := rule.Lookup(v.rule)
	switch {
	case filepath.ToSlash(path) != "testdata/vectors/"+v.name+".txtar":
		return fmt.Errorf("%s: vector is %q", path, v.name)
	case !known && v.rule != anyRule:
		return fmt.Errorf("%s: rule %q is not in the catalogue", path, v.rule)
	case known && v.requirement != r.Requirement:
		return fmt.Errorf("%s: requirement %q, the catalogue says %q", path, v.requirement, r.Requirement)
	case v.expect != "trips" && v.expect != "silent", v.expect == "trips" && v.rule == anyRule:
		return fmt.Errorf("%s: expect is %q", path, v.expect)
	case !slices.Contains([]rule.Level{"", rule.Must, rule.Should, rule.Info}, v.level):
		return fmt.Errorf("%s: level is %q", path, v.level)
	case len(v.files) == 0:
		return fmt.Errorf("%s: no files", path)
	}
	return nil
}

// lay writes the plan folder of a vector and returns its path.
func lay(t *testing.T, v vector) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), ".dwp", "plans", v.plan)
	for _, f := range v.files {
		name := filepath.Join(folder, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) == ".dir" {
			continue
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
