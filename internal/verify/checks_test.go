package verify

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
)

// TestChecksReportOnlyTheirRules: a row of the table may report only the rules it names, so that "passed" and "not
// evaluated" are true of every rule (VP-6). Each vector is run row by row.
func TestChecksReportOnlyTheirRules(t *testing.T) {
	for name, files := range vectorPlans(t) {
		s, err := plan.Read(files, "PLAN_quote_service")
		if err != nil {
			t.Fatal(err)
		}
		c := newChecker(s, Options{Now: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), InGit: true})
		for _, ch := range checks {
			before := len(c.notes)
			c.run(ch)
			for _, n := range c.notes[before:] {
				if !slices.Contains(ch.rules, n.rule) {
					t.Errorf("%s: the row of %v reports %s", name, ch.rules, n.rule)
				}
			}
		}
	}
}

// vectorPlans are the plan folders of the conformance vectors, by path.
func vectorPlans(t *testing.T) map[string]fstest.MapFS {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/vectors/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	plans := map[string]fstest.MapFS{}
	for _, p := range paths {
		plans[filepath.ToSlash(p)] = LayOut(t, p)
	}
	return plans
}

// LayOut lays out the plan folder of a vector, for the tests outside the package too.
func LayOut(t testing.TB, path string) fstest.MapFS {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range a.Files {
		if folder, ok := strings.CutSuffix(f.Name, "/.dir"); ok { // a folder, which txtar can't hold empty
			files[folder] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
			continue
		}
		files[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	return files
}

// TestLevelsAreTheCatalogues: a finding has its rule's level, or one that the catalogue names as an exception, since
// "dwp explain" tells people how much a rule weighs. Each exception that is named occurs in a vector, or in a plan of
// the oldest shape whose PROGRESS.md is broken as text (PD-9, PD-10).
func TestLevelsAreTheCatalogues(t *testing.T) {
	plans := vectorPlans(t)
	for name, progress := range map[string]string{"bytes": "caf\xe9\n", "fence": "```\nmake\n", "runaway": "```\n## Goal\n```sh\nmake\n```\n", "comment": "<!-- draft\n"} {
		plans[name] = fstest.MapFS{"README.md": {Data: []byte("- [ ] Task 1: Sort\n")}, "PROGRESS.md": {Data: []byte(progress)}}
	}
	seen := map[string]bool{}
	for name, files := range plans {
		s, err := plan.Read(files, "PLAN_sort")
		if err != nil {
			t.Fatal(err)
		}
		for _, opt := range []Options{{InGit: true}, {Strict: true}} {
			for _, f := range Plan(s, opt).Findings {
				r, _ := rule.Lookup(f.Rule)
				if f.Level != r.Level && !slices.Contains(exceptions(r), f.Level) {
					t.Errorf("%s: %s is %s; the catalogue says %s; %s", name, f.Rule, f.Level, r.Level, r.Levels)
				}
				seen[f.Rule+" "+string(f.Level)] = true
			}
		}
	}
	for _, r := range rule.All() {
		for _, level := range exceptions(r) {
			if !seen[r.ID+" "+string(level)] {
				t.Errorf("no plan here has %s at level %s, which the catalogue names", r.ID, level)
			}
		}
	}
}

// exceptions are the levels that a rule's Levels text names: "should in v1", "should for x, info for y".
func exceptions(r rule.Rule) []rule.Level {
	var levels []rule.Level
	for _, level := range []rule.Level{rule.Must, rule.Should, rule.Info} {
		if strings.Contains(", "+r.Levels, ", "+string(level)+" ") {
			levels = append(levels, level)
		}
	}
	return levels
}

// TestEveryRuleHasACheck: the catalogue and the table agree; plans/ and repo/ rules are checked outside plans, and
// commit/unknown after git was asked.
func TestEveryRuleHasACheck(t *testing.T) {
	checked := map[string]bool{"commit/unknown": true}
	for _, ch := range checks {
		for _, id := range ch.rules {
			checked[id] = true
			if _, ok := rule.Lookup(id); !ok {
				t.Errorf("the table names %s, which is not in the catalogue", id)
			}
		}
	}
	for _, r := range rule.All() {
		if group, _, _ := strings.Cut(r.ID, "/"); !checked[r.ID] && group != "plans" && group != "repo" {
			t.Errorf("no check evaluates %s", r.ID)
		}
	}
}

func TestRanges(t *testing.T) {
	for _, tc := range []struct {
		ids  []int
		want string
	}{{nil, ""}, {[]int{4}, "4"}, {[]int{1, 2, 3, 7}, "1-3, 7"}, {[]int{1, 3, 4}, "1, 3-4"}} {
		if got := ranges(tc.ids); got != tc.want {
			t.Errorf("ranges(%v) = %q, want %q", tc.ids, got, tc.want)
		}
	}
}

func TestFindCycle(t *testing.T) {
	chain := map[int][]int{}
	for i := range 100000 {
		chain[i+1] = []int{i}
	}
	for _, tc := range []struct {
		name  string
		edges map[int][]int
		want  []int
	}{
		{"none", map[int][]int{2: {1}, 3: {1, 2}}, nil},
		{"two", map[int][]int{1: {2}, 2: {1}}, []int{1, 2, 1}},
		{"three behind a diamond", map[int][]int{1: {2, 3}, 2: {4}, 3: {4}, 4: {5}, 5: {3}}, []int{4, 5, 3, 4}},
		{"a long chain", chain, nil},
	} {
		if got := findCycle(tc.edges); !slices.Equal(got, tc.want) {
			t.Errorf("%s: findCycle = %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestEndingOf: the mandatory tasks by title; a longer title makes an ordinary task (PD-9).
func TestEndingOf(t *testing.T) {
	for title, want := range map[string]ending{
		"Final Review": finalReview, "Final Review (mandatory)": finalReview, "Final Review & Comprehensive Validation": ordinary,
		"Revisão final": finalReview, "最终审查": finalReview, "Security Review": securityReview, "Security review of the login form": ordinary,
		"Skills & Agents Discovery": skillsDiscovery, "Executive Report": executiveReport, "Executive reporting API": ordinary,
	} {
		if got := endingOf(title); got != want {
			t.Errorf("endingOf(%q) = %d, want %d", title, got, want)
		}
	}
}

// TestMessagesAreBounded: in a plan of thousands of tasks each may wait for thousands, and all of them for each other in a
// ring; a message names a few, so that the report stays linear in the plan.
func TestMessagesAreBounded(t *testing.T) {
	const tasks = 10_000
	var readme strings.Builder
	readme.WriteString("# Load\n\n## Task List\n\n")
	for id := 1; id <= tasks; id++ {
		fmt.Fprintf(&readme, "- [%c] Task %d: Load a shard\n", " x"[id%2], id)
	}
	for id := 1; id <= 100; id++ {
		fmt.Fprintf(&readme, "\n## Task %d: Load a shard {#task-%d}\n\nDepends on: %d\n", id, id, id%100+1)
	}
	s, err := plan.Read(fstest.MapFS{"README.md": {Data: []byte(readme.String())}}, "PLAN_quote_service")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, f := range Plan(s, Options{}).Findings {
		told[f.Rule] = true
		if len(f.Message) > 500 && len(f.Places) == 0 {
			t.Errorf("%s: a message of %d bytes: %.80s...", f.Rule, len(f.Message), f.Message)
		}
	}
	for _, id := range []string{"order/too-early", "depends/cycle"} {
		if !told[id] {
			t.Errorf("%s is silent", id)
		}
	}
}
