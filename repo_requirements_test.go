package dwp_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/rule"
)

// laterWork are the requirements that no code of today implements: refining, unattended turns, agents' set-up, recall. Take an
// ID out when its code comes.
var laterWork = []string{
	"RR-1", "RR-2",
}

// touched are requirements of later work that today's code cites where it reads what they write;
// they need no test of their own yet.
var touched = []string{}

// TestEveryRequirementIsCited: each requirement of the sections built is cited by code and by a test, each
// other one stands in the list of later work.
func TestEveryRequirementIsCited(t *testing.T) {
	code, tests := citations(t)
	for _, id := range requirementIDs(t) {
		if slices.Contains(laterWork, id) || slices.Contains(touched, id) {
			continue
		}
		if !code[id] {
			t.Errorf("%s is cited by no code, and is not in the list of later work", id)
		}
		if !tests[id] {
			t.Errorf("%s is cited by no test and no vector", id)
		}
	}
	for _, r := range rule.All() {
		if slices.Contains(laterWork, r.Requirement) {
			t.Errorf("%s is in the list of later work, but rule %s checks it", r.Requirement, r.ID)
		}
	}
}

// TestCitedRequirementsExist: no comment, test or vector cites an ID that does not exist.
func TestCitedRequirementsExist(t *testing.T) {
	known := requirementIDs(t)
	code, tests := citations(t)
	for _, cited := range []map[string]bool{code, tests} {
		for id := range cited {
			if !slices.Contains(known, id) {
				t.Errorf("%s is cited but does not exist", id)
			}
		}
	}
	for _, id := range append(slices.Clone(laterWork), touched...) {
		if !slices.Contains(known, id) {
			t.Errorf("%s is listed but does not exist", id)
		}
	}
}

// citations returns the requirements cited in code (the catalogue, which cites by nature, excepted)
// and in tests: test files, vectors, user stories.
func citations(t *testing.T) (code, tests map[string]bool) {
	t.Helper()
	code, tests = map[string]bool{}, map[string]bool{}
	for _, name := range projectFiles(t) {
		switch ext := path.Ext(name); {
		case strings.HasPrefix(name, "internal/rule/catalogue"), strings.HasPrefix(name, "repo_requirements"):
		case ext == ".go" && !strings.HasSuffix(name, "_test.go"):
			cite(t, name, code)
		case ext == ".go" || ext == ".txtar":
			cite(t, name, tests)
		}
	}
	return code, tests
}

var (
	citation = regexp.MustCompile(`\b(PD|PS|GU|VP|AM|LF|WP|UN|AG|RR)-(\d+)(?: to (?:(PD|PS|GU|VP|AM|LF|WP|UN|AG|RR)-)?(\d+))?\b`)
	// A vector's plan may speak of requirements of its own; only the headers cite.
	body = regexp.MustCompile(`(?s)\n\n.*`)
)

// cite adds the requirements that a file cites. "PS-21 to PS-23" cites three.
func cite(t *testing.T, name string, into map[string]bool) {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(name, "testdata/vectors/") {
		data = body.ReplaceAll(data, nil)
	}
	for _, m := range citation.FindAllStringSubmatch(string(data), -1) {
		first, _ := strconv.Atoi(m[2])
		last := first
		if m[4] != "" && (m[3] == "" || m[3] == m[1]) {
			last, _ = strconv.Atoi(m[4])
		}
		for n := first; n <= last && n <= 99; n++ {
			into[fmt.Sprintf("%s-%d", m[1], n)] = true
		}
	}
}

// requirementIDs reads the list of known requirements.
func requirementIDs(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/requirements.txt")
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

// TestCatalogueAndCodeAgree: code reports every rule of the catalogue and no other.
func TestCatalogueAndCodeAgree(t *testing.T) {
	groups := map[string]bool{}
	unused := map[string]bool{}
	for _, r := range rule.All() {
		group, _, _ := strings.Cut(r.ID, "/")
		groups[group] = true
		unused[r.ID] = true
	}
	shape := regexp.MustCompile(`^([a-z]+)/[a-z0-9-]+$`)
	for _, f := range goFiles(t) {
		if f.test || f.pkg == "internal/rule" || !strings.HasPrefix(f.pkg, "internal/") {
			continue
		}
		for _, text := range stringLiterals(f.syntax) {
			if slices.Contains(f.imports, text) {
				continue
			}
			m := shape.FindStringSubmatch(text)
			if m == nil || !groups[m[1]] || strings.HasPrefix(text, "text/") && f.pkg == "internal/cli" {
				continue
			}
			if _, ok := rule.Lookup(text); !ok {
				t.Errorf("%s names rule %q, which is not in the catalogue", f.path, text)
			}
			delete(unused, text)
		}
	}
	for id := range unused {
		t.Errorf("no code reports rule %s", id)
	}
}

func stringLiterals(file *ast.File) []string {
	var texts []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				texts = append(texts, text)
			}
		}
		return true
	})
	return texts
}
