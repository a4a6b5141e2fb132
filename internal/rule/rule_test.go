package rule_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/rule"
)

// TestCatalogueIsComplete holds that explain and the hints have something to say about every rule,
// and that findings cite a requirement that exists (VP-6).
func TestCatalogueIsComplete(t *testing.T) {
	form := regexp.MustCompile(`^[a-z]+(-[a-z]+)*/[a-z0-9]+(-[a-z0-9]+)*$`)
	known := requirements(t)
	seen := map[string]bool{}
	for _, r := range rule.All() {
		if !form.MatchString(r.ID) {
			t.Errorf("rule ID %q is not of the form group/name", r.ID)
		}
		if seen[r.ID] {
			t.Errorf("rule ID %q stands twice", r.ID)
		}
		seen[r.ID] = true
		if !slices.Contains([]rule.Level{rule.Must, rule.Should, rule.Info}, r.Level) {
			t.Errorf("%s: level %q", r.ID, r.Level)
		}
		if !slices.Contains(known, r.Requirement) {
			t.Errorf("%s: requirement %q does not exist", r.ID, r.Requirement)
		}
		checkTexts(t, r)
	}
	if got, want := len(seen), 187; got < want {
		t.Errorf("catalogue has %d rules, want at least %d: IDs are stable, rules are not removed", got, want)
	}
}

// checkTexts holds the form of a rule's explanation: a title like a message, sentences elsewhere.
func checkTexts(t *testing.T, r rule.Rule) {
	t.Helper()
	for name, text := range map[string]string{"title": r.Title, "why": r.Why, "example": r.Example, "mend": r.Mend} {
		switch {
		case strings.TrimSpace(text) == "":
			t.Errorf("%s: %s is empty", r.ID, name)
		case text != strings.TrimSpace(text):
			t.Errorf("%s: %s has space around it", r.ID, name)
		case len(text) > 240:
			t.Errorf("%s: %s has %d bytes, over 240", r.ID, name, len(text))
		}
	}
	if strings.HasSuffix(r.Title, ".") {
		t.Errorf("%s: title ends in a full stop", r.ID)
	}
	for name, text := range map[string]string{"why": r.Why, "mend": r.Mend} {
		if !strings.HasSuffix(text, ".") {
			t.Errorf("%s: %s is no sentence: %q", r.ID, name, text)
		}
	}
}

// TestGroupsStandTogether holds the order of listings: the rules of one group follow each other.
func TestGroupsStandTogether(t *testing.T) {
	var order []string
	for _, r := range rule.All() {
		group, _, _ := strings.Cut(r.ID, "/")
		if len(order) == 0 || order[len(order)-1] != group {
			order = append(order, group)
		}
	}
	slices.Sort(order)
	if unique := slices.Compact(slices.Clone(order)); !slices.Equal(order, unique) {
		t.Errorf("a group stands in two places: %v", order)
	}
}

// TestLookupFindsEveryRule holds that a rule stands in the group its ID names.
func TestLookupFindsEveryRule(t *testing.T) {
	for _, want := range rule.All() {
		if got, ok := rule.Lookup(want.ID); !ok || got != want {
			t.Errorf("Lookup(%q) = %+v, %v", want.ID, got, ok)
		}
	}
	for _, id := range []string{"", "/", "layout", "layout/", "layout/nothing", "nothing/readme", "layout/readme/x"} {
		if got, ok := rule.Lookup(id); ok {
			t.Errorf("Lookup(%q) = %s, want none", id, got.ID)
		}
	}
}

// TestAllIsTheCallers holds that nobody can change the catalogue through what All returned.
func TestAllIsTheCallers(t *testing.T) {
	first := rule.All()
	want := first[0]
	first[0] = rule.Rule{}
	if got := rule.All()[0]; got != want {
		t.Errorf("All()[0] = %+v after a caller changed its copy, want %+v", got, want)
	}
}

func TestRankOrdersLevels(t *testing.T) {
	got := []rule.Level{rule.Info, rule.Must, rule.Should}
	slices.SortFunc(got, func(a, b rule.Level) int { return a.Rank() - b.Rank() })
	if want := []rule.Level{rule.Must, rule.Should, rule.Info}; !slices.Equal(got, want) {
		t.Errorf("sorted by rank: %v, want %v", got, want)
	}
}

func BenchmarkLookup(b *testing.B) {
	for b.Loop() {
		rule.Lookup("receipt/unexpected")
	}
}

// requirements reads the known IDs, which the repository's own tests use too.
func requirements(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("../../testdata/requirements.txt")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			ids = append(ids, line)
		}
	}
	return ids
}
