package turn

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/git"
)

// WP-4: paths, folders and globs are found where people write them, and words are not taken for paths.
func TestPathsIn(t *testing.T) {
	for text, want := range map[string]string{
		"`internal/cache/` (new), `go.mod`":                       "internal/cache go.mod",
		"- `a.go`\n- `b/c.go`: the client/server split, e.g. x.y": "a.go b/c.go",
		"`Makefile`":                              "Makefile",
		"`internal/{a,b}.go`":                     "internal/a.go internal/b.go",
		"`a.go, b.go`":                            "a.go b.go",
		"`./src/x.ts:12-30`":                      "src/x.ts",
		"`src\\win\\x.cs`":                        "src/win/x.cs",
		"`internal/...`":                          "internal",
		"`go test ./...` shows it":                "",
		"`**/*.sql`, `docs/*.md`":                 "**/*.sql docs/*.md",
		"src/app/main.go, docs/ and README.md":    "src/app/main.go docs README.md",
		"internal/cache, internal/store (both)":   "internal/cache internal/store",
		"the client/server split, and/or nothing": "",
		"not applicable":                          "", "n/a": "", "N/A - no source": "", "none": "", "TBD": "", "": "",
		"see https://example.org/a.html": "",
		"`../../etc/passwd`":             "etc/passwd", // never above the tree
		"`/srv/x`":                       "srv/x",
		"`a.go`, `a.go`":                 "a.go",
		"e.g. nothing, i.e. no file":     "",
		"\u0e44\u0e1f\u0e25\u0e4c `app/\u0e44\u0e17\u0e22.go`": "app/\u0e44\u0e17\u0e22.go",
		"version 1.2 of the schema":                            "",
	} {
		if got := strings.Join(pathsIn(text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// WP-4: what a name covers, and what it doesn't.
func TestCovers(t *testing.T) {
	for _, test := range []struct{ named, covers, not string }{
		{"internal/cache", "internal/cache/x.go internal/cache/sub/y.go internal/cache", "internal/cached.go internal x.go"},
		{"a/b.go", "a/b.go", "a/b.go.orig a/c.go b.go"},
		{"rates.go", "rates.go deep/rates.go", "my_rates.go"},
		{"docs/*.md", "docs/a.md", "docs/sub/a.md a.md"},
		{"*.md", "a.md docs/a.md", "a.mdx"},
		{"**/*.sql", "a.sql x/a.sql x/y/a.sql", "a.sql.txt"},
		{"src/**", "src/a src/a/b", "srcs/a"},
		{"src/**/gen/*.go", "src/gen/a.go src/x/y/gen/a.go", "src/x/a.go"},
		{".", "a b/c", ""},
		{"[", "", "a"}, // a pattern that is none covers nothing
		{"go.mod", "go.mod go.sum", "go.work.sum package.json"},
		{"web/package.json", "web/package-lock.json web/yarn.lock web/pnpm-lock.yaml pnpm-lock.yaml", "other/package-lock.json Cargo.lock"},
		{"crates/a/Cargo.toml", "Cargo.lock crates/a/Cargo.lock", "other/Cargo.lock"},
		{"pyproject.toml", "uv.lock poetry.lock", "Pipfile.lock"},
		{"a/x.go", "a/x_test.go a/other_test.go a/testdata/x.golden", "b/other_test.go b/testdata/x a/y.go"},
		{"src/x.py", "src/test_x.py tests/test_x.py tests/x_test.py", "tests/test_y.py"},
		{"src/x.ts", "src/x.test.ts src/x.spec.ts src/__tests__/x.ts src/__snapshots__/x.test.ts.snap", "src/y.test.ts src/__snapshots__/y.test.ts.snap"},
		{"lib/x.rb", "spec/x_spec.rb", "spec/y_spec.rb"},
		{"src/main/Cache.java", "src/test/CacheTest.java", "src/test/StoreTest.java"},
	} {
		n := newNamed(strings.Fields(test.named))
		for _, file := range strings.Fields(test.covers) {
			if !n.holds(Change{file, git.Added}, "") {
				t.Errorf("%s does not cover %s", test.named, file)
			}
		}
		for _, file := range strings.Fields(test.not) {
			if n.holds(Change{file, git.Modified}, "") {
				t.Errorf("%s covers %s", test.named, file)
			}
		}
	}
	// WP-5: a test that is new, and what is new beside tests, is outside of nothing; a change of one that was there may weaken it.
	for _, file := range strings.Fields("tests/test_api.py tests/conftest.py tests/data/a.json other/y_test.go spec/support/x.yml src/__snapshots__/y.test.ts.snap") {
		if n := newNamed([]string{"src/x.py"}); !n.holds(Change{file, git.Added}, "") || n.holds(Change{file, git.Modified}, "") || n.holds(Change{file, git.Deleted}, "") {
			t.Errorf("%s", file)
		}
	}
	// A test of something that is named may be added and modified, not deleted; and a plan may name files from its own folder.
	n := newNamed([]string{"a/x.go"})
	if n.holds(Change{"a/x_test.go", git.Deleted}, "") || !n.holds(Change{"svc/a/x.go", git.Modified}, "svc") || n.holds(Change{"other/a/x.go", git.Modified}, "svc") {
		t.Error("deleted tests, or paths from the plan's root")
	}
}

// WP-5: tests of several languages are known by their names, and sources that only sound like it are not.
func TestIsTest(t *testing.T) {
	for _, file := range strings.Fields("a/x_test.go test_x.py x_test.py x.test.ts x.spec.js a.test.tsx x_spec.rb CacheTest.java CacheTests.cs TestCache.java CacheSpec.scala " +
		"tests/it.rs x_test.exs __tests__/x.js FooTest.php x_test.cc run.bats t/basic.t x-test.js spec/models/user.rb") {
		if !isTest(file) {
			t.Errorf("%s is no test", file)
		}
	}
	for _, file := range strings.Fields("test.go x.go latest.py contest.js Latest.java attestation.go testing.go tests/data.json Testing.java test/fixture.txt my_tests.md inspect.rb Test.java protest.ts") {
		if isTest(file) {
			t.Errorf("%s is a test", file)
		}
	}
}

// PD-6: planned and actual surface are read from lines, from lists below them, from a section of prose, and from the log.
func TestSurfaceOf(t *testing.T) {
	for name, test := range map[string]struct {
		changes           []func(*world)
		planned, declared string
	}{
		"a line":          {[]func(*world){planned("`a.go`, `b/`")}, "a.go b", ""},
		"a list below":    {[]func(*world){planned("\n  - `a.go`\n  - `c/d.go` (new)")}, "a.go c/d.go", ""},
		"actual beside":   {[]func(*world){planned("`a.go`\n- Actual: `a.go`, `z.go`")}, "a.go", "a.go z.go"},
		"actual in log":   {[]func(*world){edit(second, "Status: pending", "Status: pending\nActual surface: `z.go`")}, "load", "z.go"},
		"documentation":   {[]func(*world){edit(second, "Status: pending", "Status: pending\n- Documentation: `docs/load.md` has the new flag, and x.go its comment")}, "load", "docs/load.md"},
		"documents only":  {[]func(*world){edit(second, "Status: pending", "Status: pending\n- Documentation: `x.go`, CHANGELOG.md")}, "load", ""},
		"prose":           {[]func(*world){edit(second, "- Planned: `load/`\n- Risk class: isolated", "The loader in `load/x.go` alone.")}, "load/x.go", ""},
		"other labels":    {[]func(*world){edit(second, "- Planned: `load/`\n", "")}, "", ""},
		"no section":      {[]func(*world){edit(second, "## Touched Surface", "## Remarks")}, "", ""},
		"risk is no path": {[]func(*world){planned("`a.go`\n- Consumers: `other.go`")}, "a.go", ""},
	} {
		s := laid(t, test.changes...)
		o := s.Overview()
		p, d := surfaceOf(taskIn(&o, 2))
		if strings.Join(p, " ") != test.planned || strings.Join(d, " ") != test.declared {
			t.Errorf("%s: planned %q, declared %q", name, p, d)
		}
	}
	if p, d := surfaceOf(nil); p != nil || d != nil {
		t.Error("no task has a surface")
	}
}

// A glob with many stars is matched in a time that grows with its length, not with the power of it.
func TestGlobsAreFast(t *testing.T) {
	pattern := strings.Repeat("**/a/", 200) + "b"
	n := newNamed([]string{pattern})
	if n.covers(strings.Repeat("a/", 1000) + "c") {
		t.Error("covered")
	}
	if !n.covers(strings.Repeat("a/", 1000) + "b") {
		t.Error("not covered")
	}
	if list := pathsIn("`" + strings.Repeat("{a,b}", 500) + "`"); len(list) != 64 {
		t.Errorf("braces that mean very many paths: %d", len(list))
	}
}

func FuzzPathsIn(f *testing.F) {
	for _, seed := range []string{"`internal/{a,b}/x.go`, `**/*.md`", "`{a,{b,c}}`", "src/x, `", "`{{{{,}`", "a.go:1-2"} {
		f.Add(seed, "a/b.go")
	}
	f.Fuzz(func(t *testing.T, text, file string) {
		list := pathsIn(text)
		if slices.ContainsFunc(list, func(p string) bool { return p == "" || strings.HasPrefix(p, "/") || strings.HasPrefix(p, "../") }) {
			t.Errorf("%q", list)
		}
		newNamed(list).covers(file)
	})
}
