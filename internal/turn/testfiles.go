package turn

import (
	"path"
	"slices"
	"strings"
)

// This file: which files are tests, by the name patterns of several languages (WP-5).

// testForm is one way in which languages name a test of "cache": prefix, then the name, then suffix with the ending.
type testForm struct {
	prefix, suffix string
	endings        []string
}

var (
	scripts = []string{".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue"}
	jvm     = []string{".java", ".kt", ".scala", ".groovy"}
	native  = []string{".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".zig"}
	// several are languages whose tests end in _test.
	several = slices.Concat([]string{".go", ".py", ".rb", ".exs", ".dart", ".rs", ".clj", ".cljs", ".lua", ".jl", ".erl", ".nim"}, native)
)

// testForms are the patterns. A capital letter counts: Latest.java is no test, LaTest.java is one.
var testForms = []testForm{
	{"", "_test", several},
	{"test_", "", slices.Concat([]string{".py", ".rb", ".lua", ".jl", ".sh", ".bats", ".nim"}, native)},
	{"", ".test", slices.Concat(scripts, []string{".py", ".sh"})},
	{"", ".spec", slices.Concat(scripts, []string{".py"})},
	{"", "-test", scripts},
	{"", "_spec", []string{".rb", ".lua", ".cr"}},
	{"", "Test", slices.Concat(jvm, []string{".cs", ".php", ".swift", ".m"})},
	{"", "Tests", slices.Concat(jvm, []string{".cs", ".swift", ".m", ".fs"})},
	{"", "IT", []string{".java", ".kt"}},
	{"", "Spec", slices.Concat(jvm, []string{".hs", ".swift"})},
	{"Test", "", []string{".java", ".kt"}},
	{"", "", []string{".bats", ".t", ".feature"}},
}

// testFolders are folders whose source files are tests whatever they are called.
var testFolders = []string{"__tests__", "tests", "test", "spec"}

// testEndings are the endings of source files in them; data of tests is no test.
var testEndings = slices.Concat(scripts, jvm, several, []string{".cs", ".php", ".swift", ".ex", ".sh", ".pl", ".hs"})

// isTest reports whether a file is a test by its name, or by that of a folder that it lies in.
func isTest(file string) bool {
	if _, ok := testStem(path.Base(file)); ok {
		return true
	}
	return slices.Contains(testEndings, path.Ext(file)) && inTests(file)
}

// inTests reports whether a file lies in a folder of tests.
func inTests(file string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(f string) bool { return slices.Contains(testFolders, f) })
}

// testStem is the name of what a test file is about: "cache" of cache_test.go, test_cache.py and CacheTest.java.
func testStem(base string) (stem string, ok bool) {
	ending := path.Ext(base)
	name := strings.TrimSuffix(base, ending)
	for _, f := range testForms {
		if !slices.Contains(f.endings, ending) {
			continue
		}
		rest, prefixed := strings.CutPrefix(name, f.prefix)
		rest, suffixed := strings.CutSuffix(rest, f.suffix)
		// "Test.java" is about nothing, and "Testing.java" is not about "ing".
		capital := f.prefix != "Test" || rest != "" && 'A' <= rest[0] && rest[0] <= 'Z'
		if prefixed && suffixed && capital && rest != "" {
			return rest, true
		}
	}
	return "", false
}

// stemOf is a file's name without its ending.
func stemOf(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}
