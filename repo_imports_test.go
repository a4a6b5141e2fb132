package dwp_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/deepworkplan/dwp"

// edges holds, per package, the packages of this module that it may import: they stand below it
// in the table of docs/design.md. Read-only is an import rule (PS-20): no package here may write.
var edges = map[string][]string{
	"cmd/dwp":             {"internal/cli"},
	"cmd/dwpd":            {"internal/cli", "internal/dcli"},
	"":                    {"internal/plan", "internal/planmd", "internal/rule", "internal/state", "internal/verify"},
	"internal/cli":        {"", "internal/author", "internal/work", "internal/turn", "internal/tui", "internal/agent", "internal/demo", "internal/runner", "internal/revise", "internal/publish", "internal/update", "internal/disk", "internal/verify", "internal/plan", "internal/planmd", "internal/state", "internal/git", "internal/rule"},
	"internal/dcli":       {"internal/cli", "internal/daemon", "internal/runner", "internal/git"},
	"internal/daemon":     {"internal/runner", "internal/disk"},
	"internal/demo":       {"internal/runner", "internal/disk"},
	"internal/runner":     {"internal/evidence"},
	"internal/agent":      {"internal/runner", "internal/evidence", "internal/strictjson"},
	"internal/turn":       {"internal/agent", "internal/work", "internal/runner", "internal/revise", "internal/publish", "internal/update", "internal/verify", "internal/plan", "internal/evidence", "internal/planmd", "internal/state", "internal/git", "internal/disk", "internal/strictjson", "internal/rule"},
	"internal/tui":        {},
	"internal/work":       {"internal/runner", "internal/revise", "internal/publish", "internal/update", "internal/verify", "internal/plan", "internal/evidence", "internal/planmd", "internal/state", "internal/git", "internal/disk", "internal/strictjson", "internal/rule"},
	"internal/revise":     {"internal/publish", "internal/plan", "internal/planmd", "internal/state", "internal/disk", "internal/strictjson"},
	"internal/author":     {"internal/revise", "internal/publish", "internal/update", "internal/verify", "internal/plan", "internal/evidence", "internal/planmd", "internal/state", "internal/disk", "internal/strictjson", "internal/rule"},
	"internal/publish":    {"internal/update", "internal/verify", "internal/plan", "internal/state", "internal/disk", "internal/rule"},
	"internal/disk":       {"internal/strictjson"},
	"internal/crashtest":  {"internal/publish", "internal/verify", "internal/plan", "internal/state", "internal/disk", "internal/rule"},
	"internal/manpage":    {},
	"internal/plantest":   {},
	"internal/turntest":   {},
	"internal/daemontest": {},
	"internal/update":     {"internal/verify", "internal/plan", "internal/evidence", "internal/planmd", "internal/state", "internal/strictjson", "internal/rule"},
	"internal/verify":     {"internal/plan", "internal/evidence", "internal/planmd", "internal/state", "internal/strictjson", "internal/rule"},
	"internal/plan":       {"internal/evidence", "internal/planmd", "internal/state", "internal/strictjson"},
	"internal/evidence":   {},
	"internal/planmd":     {},
	"internal/state":      {"internal/strictjson"},
	"internal/strictjson": {},
	"internal/git":        {},
	"internal/rule":       {},
}

// owners holds, per third-party module, the packages that may import it outside tests. One owner
// each; x/text is shared because file names and headings are compared in one normal form (C29).
var owners = map[string][]string{
	"charm.land/bubbletea/v2":            {"internal/tui"},
	"github.com/charmbracelet/x/ansi":    {"internal/tui"},
	"github.com/spf13/cobra":             {"internal/cli", "internal/dcli", "internal/manpage"}, // the commands of either program
	"github.com/spf13/pflag":             {"internal/cli", "internal/manpage"},
	"github.com/yuin/goldmark":           {"internal/planmd"},
	"github.com/go-json-experiment/json": {"internal/strictjson"},
	"golang.org/x/mod":                   {"internal/plan"},
	"golang.org/x/term":                  {"internal/cli"},
	"golang.org/x/text":                  {"internal/planmd", "internal/plan", "internal/verify"},
	// The queue of turns; none of them is linked by dwp (DESIGN 9).
	"github.com/riverqueue/river": {"internal/daemon"},
	"github.com/jackc/pgx/v5":     {"internal/daemon", "internal/daemontest"},
	"modernc.org/sqlite":          {"internal/daemon"},
	"github.com/robfig/cron/v3":   {"internal/daemon"},
}

// testsOnly are the modules that nothing but tests may import.
var testsOnly = []string{
	"github.com/google/go-cmp",
	"github.com/rogpeppe/go-internal",
	"github.com/santhosh-tekuri/jsonschema/v6",
	"pgregory.net/rapid",
}

// notLinked are what the program must not even reach through a dependency: dwp starts hundreds of
// times a day, needs no network, and validates shapes without a schema library (DESIGN 9, 10).
var notLinked = append([]string{
	"net/http", "crypto/tls", "database/sql", "html/template", "testing", "encoding/gob", "plugin",
	"github.com/spf13/cobra/doc",
	"github.com/riverqueue/river", "github.com/jackc/pgx", "modernc.org/sqlite", "github.com/robfig/cron",
}, testsOnly...)

// onlyNames are packages below those of notLinked that do nothing: interfaces, which a library of the live view implements.
var onlyNames = []string{"database/sql/driver"}

// notLinkedByDaemon are what dwpd must not reach: it has a database and nothing else that dwp has not.
var notLinkedByDaemon = append([]string{"testing", "plugin", "github.com/spf13/cobra/doc"}, testsOnly...)

func TestImportsPointDown(t *testing.T) {
	found := map[string]bool{}
	for _, f := range goFiles(t) {
		found[f.pkg] = true
		allowed, ok := edges[f.pkg]
		if !ok {
			t.Errorf("%s: package %q is not in the table of import edges", f.path, f.pkg)
			continue
		}
		if f.test { // tests may look from above, but never make a cycle: the compiler holds that
			continue
		}
		for _, path := range f.imports {
			target, ours := moduleRelative(path)
			if ours && !slices.Contains(allowed, target) {
				t.Errorf("%s imports %q, which the table does not allow", f.path, path)
			}
		}
	}
	for pkg := range edges {
		if !found[pkg] {
			t.Errorf("the table of import edges names %q, which does not exist", pkg)
		}
	}
}

func TestEveryDependencyHasOneOwner(t *testing.T) {
	used := map[string]bool{}
	for _, f := range goFiles(t) {
		for _, path := range f.imports {
			if _, ours := moduleRelative(path); ours || !strings.Contains(path, ".") {
				continue
			}
			mod := moduleOf(path)
			used[mod] = true
			switch {
			case slices.Contains(owners[mod], f.pkg):
			case f.test && slices.Contains(testsOnly, mod):
			case f.test && owners[mod] != nil:
			default:
				t.Errorf("%s imports %q, which is owned by %q", f.path, path, owners[mod])
			}
		}
	}
	for mod := range owners {
		if !used[mod] && mod != "github.com/spf13/pflag" { // pflag comes with cobra
			t.Errorf("the table of owners names %s, which nothing imports", mod)
		}
	}
	for _, mod := range testsOnly {
		if !used[mod] {
			t.Errorf("the list of test modules names %s, which nothing imports", mod)
		}
	}
}

func TestProgramsLinkNoMoreThanTheyNeed(t *testing.T) {
	for program, forbidden := range map[string][]string{"./cmd/dwp": notLinked, "./cmd/dwpd": notLinkedByDaemon} {
		out, err := exec.Command("go", "list", "-deps", program).Output()
		if err != nil {
			t.Fatalf("go list -deps %s: %v", program, err)
		}
		for dep := range strings.Lines(string(out)) {
			dep = strings.TrimSpace(dep)
			for _, no := range forbidden {
				if slices.Contains(onlyNames, dep) {
					continue
				}
				if dep == no || strings.HasPrefix(dep, no+"/") {
					t.Errorf("%s links %s", program, dep)
				}
			}
		}
	}
}

// moduleRelative returns the folder of one of our own packages, "" for the root.
func moduleRelative(path string) (folder string, ours bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

// moduleOf returns the known module that holds a package, or the path itself.
func moduleOf(path string) string {
	for mod := range owners {
		if path == mod || strings.HasPrefix(path, mod+"/") {
			return mod
		}
	}
	for _, mod := range testsOnly {
		if path == mod || strings.HasPrefix(path, mod+"/") {
			return mod
		}
	}
	return path
}
