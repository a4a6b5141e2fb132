package runner

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// testRunner is a line by which a test runner tells how many tests it ran.
type testRunner struct {
	name string
	word string // stands in every such line
	read func(line string) (Counts, bool)
	// unless names a runner whose sum holds these counts too.
	unless string
}

// runners are the lines that are known. Each tells the whole of one run; those of several runs in one output are added.
var runners = [...]testRunner{
	{name: "go test, verbose", word: "--- ", read: goResult},
	{name: "go test", word: "\t", read: goPackage},
	{name: "go test -json", word: `"Action":"`, read: goEvent},
	{name: "pytest", word: " in ", read: listed(`^=* ?((?:\d+ (?:passed|failed|skipped|errors?|deselected|xfailed|xpassed|warnings?|rerun),? ?)+) ?in [\d.]+s\b`)},
	{name: "pytest, none", word: "no tests ran", read: none(`^=* ?no tests ran in [\d.]+s`)},
	{name: "unittest", word: "Ran ", read: total(`^Ran (\d+) tests? in [\d.]+s`)},
	{name: "unittest, skipped", word: "skipped=", read: lessSkipped},
	{name: "unittest, failures", word: "FAILED (", read: lessFailed},
	{name: "jest", word: "Tests:", read: listed(`^Tests:\s+((?:\d+ \w+, )*\d+ total)`)},
	{name: "jest, none", word: "No tests found", read: none(`^No tests found, exiting with code`)},
	{name: "vitest", word: "Tests ", read: listed(`^\s*Tests\s+((?:\d+ \w+(?: \| )?)+) \(\d+\)$`)},
	{name: "vitest, none", word: "No test files found", read: none(`^\s*No test files found`)},
	{name: "mocha", word: " passing", read: listed(`^\s+(\d+ passing) \(\d+\w+\)$`)},
	{name: "mocha, failing", word: " failing", read: listed(`^\s+(\d+ failing)$`)},
	{name: "mocha, pending", word: " pending", read: listed(`^\s+(\d+ pending)$`)},
	{name: "cargo test", word: "test result:", read: listed(`^test result: \w+\. (\d+ passed; \d+ failed; \d+ ignored;)`)},
	{name: "rspec", word: " example", read: examples},
	{name: "ExUnit, bats", word: " test", read: examples},
	{name: "minitest", word: " runs, ", read: minitest},
	{name: "dotnet test", word: "Total:", read: dotnet},
	{name: "phpunit", word: "OK (", read: total(`^OK \((\d+) tests?, \d+ assertions?\)$`)},
	{name: "phpunit, other", word: "Assertions: ", read: named(`^Tests: \d+, Assertions: \d+.*\.$`)},
	{name: "phpunit, none", word: "No tests executed!", read: none(`^No tests executed!$`)},
	{name: "Maven", word: "Tests run: ", read: named(`^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$`)},
	{name: "JUnit XML, all", word: "<testsuites", read: named(`<testsuites\s[^>]*\btests="\d+"`)},
	{name: "JUnit XML", word: "<testsuite ", read: named(`<testsuite\s[^>]*\btests="\d+"`), unless: "JUnit XML, all"},
	{name: "TAP, all", word: "# tests ", read: none(`^# tests 0$`)},
	{name: "TAP, passed", word: "# pass ", read: tapSum(`^# pass +(\d+)$`)},
	{name: "TAP", word: "ok ", read: tapResult, unless: "TAP, passed"},
	{name: "TAP, failed", word: "# fail ", read: tapSum(`^# fail +(\d+)$`)},
	{name: "TAP, skipped", word: "# skip", read: tapSum(`^# skip(?:ped)? +(\d+)$`)},
	{name: "TAP, none", word: "1..0", read: none(`^1\.\.0(?: |$)`)},
	{name: "ctest", word: "tests passed, ", read: ctest},
	{name: "ctest, none", word: "No tests were found!!!", read: none(`^No tests were found!!!$`)},
	{name: "deno", word: " passed", read: listed(`^(?:ok|FAILED) \| (\d+ passed(?: \(\d+ steps?\))? \| \d+ failed.*?) \(\d+m?s\)$`)},
}

// lazily compiles a pattern when a line may be one: a run without tests, and every other command, doesn't pay for it.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// counted reads "3 passed", "1 failed" and the like.
var counted = lazily(`(\d+) ([a-z]+)`)

// listed reads a list like "3 passed, 1 skipped", which is the pattern's first group.
func listed(pattern string) func(string) (Counts, bool) {
	re := lazily(pattern)
	return func(line string) (Counts, bool) {
		m := re().FindStringSubmatch(line)
		if m == nil {
			return Counts{}, false
		}
		var c Counts
		for _, part := range counted().FindAllStringSubmatch(m[1], -1) {
			c.count(part[2], number(part[1]))
		}
		return c, true
	}
}

// count adds n tests of a kind. What was deselected was not selected.
func (c *Counts) count(kind string, n int) {
	switch kind {
	case "passed", "passing", "xpassed", "xfailed":
		c.Passed += n
	case "failed", "failing", "error", "errors", "failures", "failure":
		c.Failed += n
	case "skipped", "pending", "ignored", "todo", "skips", "excluded", "disabled", "incomplete", "risky":
		c.Skipped += n
	default:
		return
	}
	c.Selected += n
}

// named reads "Tests: 5, Failures: 1" and tests="5" failures="1": the first is the sum, the others are parts of it.
func named(pattern string) func(string) (Counts, bool) {
	re := lazily(pattern + `[^>]*`)
	return func(line string) (Counts, bool) {
		text := re().FindString(line)
		if text == "" {
			return Counts{}, false
		}
		var c Counts
		for _, part := range pairs().FindAllStringSubmatch(text, -1) {
			n := number(part[2])
			switch kind := strings.ToLower(part[1]); kind {
			case "tests", "run", "total":
				c.Selected += n
			case "failures", "errors", "skipped", "disabled", "incomplete", "failed":
				c.count(kind, n)
				c.Selected -= n
			}
		}
		c.Passed = max(0, c.Selected-c.Failed-c.Skipped)
		return c, true
	}
}

var pairs = lazily(`\b([A-Za-z]+)(?:="|: +)(\d+)`)

// total reads a number of tests that all count as passed; other lines take those away that didn't.
func total(pattern string) func(string) (Counts, bool) {
	re := lazily(pattern)
	return func(line string) (Counts, bool) {
		m := re().FindStringSubmatch(line)
		if m == nil {
			return Counts{}, false
		}
		n := number(m[1])
		return Counts{Selected: n, Passed: n}, true
	}
}

// none reads a line that says that there were no tests.
func none(pattern string) func(string) (Counts, bool) {
	re := lazily(pattern)
	return func(line string) (Counts, bool) { return Counts{}, re().MatchString(line) }
}

// number reads digits; what is no number of tests is 0.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil || n > 1e9 {
		return 0
	}
	return n
}

// goResult reads "--- PASS: TestA (0.00s)". Those of subtests are indented, and belong to their test.
func goResult(line string) (Counts, bool) {
	for kind, c := range map[string]Counts{
		"--- PASS: ": {Selected: 1, Passed: 1}, "--- FAIL: ": {Selected: 1, Failed: 1}, "--- SKIP: ": {Selected: 1, Skipped: 1},
	} {
		if strings.HasPrefix(line, kind) && strings.HasSuffix(line, "s)") {
			return c, true
		}
	}
	return Counts{}, false
}

// goPackage reads "ok  \tpkg\t0.1s", "FAIL\tpkg\t0.1s" or "[build failed]", and those of packages without tests.
func goPackage(line string) (Counts, bool) {
	fields := strings.Split(line, "\t")
	if len(fields) < 3 {
		return Counts{}, false
	}
	last := fields[2]
	timed := strings.HasSuffix(last, "s") && last[0] >= '0' && last[0] <= '9' || last == "(cached)"
	for _, more := range fields[2:] {
		if strings.Contains(more, "[no test") {
			return Counts{}, strings.TrimSpace(fields[0]) == "ok" || fields[0] == "?   "
		}
	}
	switch {
	case fields[0] == "ok  " && (timed || strings.HasPrefix(last, "(cached)") || len(fields) > 3):
		return Counts{Packages: 1}, true
	case fields[0] == "ok  " && strings.Contains(last, "s "):
		return Counts{Packages: 1}, true
	case fields[0] == "FAIL" && timed:
		return Counts{Broken: 1}, true
	}
	return Counts{}, false
}

// goEvent reads the end of a test in the JSON of go test.
func goEvent(line string) (Counts, bool) {
	if !strings.HasPrefix(line, "{") {
		return Counts{}, false
	}
	action, test := jsonText(line, `"Action":"`), jsonText(line, `"Test":"`)
	switch {
	case test == "" && action == "skip": // a package without tests
		return Counts{}, true
	case test == "" || strings.Contains(test, "/"):
		return Counts{}, false
	case action == "pass":
		return Counts{Selected: 1, Passed: 1}, true
	case action == "fail":
		return Counts{Selected: 1, Failed: 1}, true
	case action == "skip":
		return Counts{Selected: 1, Skipped: 1}, true
	}
	return Counts{}, false
}

// jsonText is the text behind a key, as go test writes it; names and actions have no quotes in them.
func jsonText(line, key string) string {
	_, rest, ok := strings.Cut(line, key)
	if !ok {
		return ""
	}
	text, _, _ := strings.Cut(rest, `"`)
	return text
}

var (
	exampleLine  = lazily(`^(\d+) (?:examples?|tests?), ((?:\d+ \w+(?:, )?)+)$`)
	minitestLine = lazily(`^(\d+) runs, \d+ assertions, ((?:\d+ \w+(?:, )?)+)$`)
	dotnetLine   = lazily(`^(?:Passed|Failed)!\s+- Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+), Total:\s+(\d+)`)
	skippedPart  = lazily(`^(?:OK|FAILED) \(.*\bskipped=(\d+)`)
	failedPart   = lazily(`\b(?:failures|errors)=(\d+)`)
	tapLine      = lazily(`^(not ok|ok) \d+\b(.*)$`)
	ctestLine    = lazily(`^\d+% tests passed, (\d+) tests? failed out of (\d+)$`)
)

// examples reads "5 examples, 0 failures, 1 pending".
func examples(line string) (Counts, bool) { return partly(exampleLine(), line) }

func minitest(line string) (Counts, bool) { return partly(minitestLine(), line) }

// partly reads a sum and the parts of it that did not pass.
func partly(re *regexp.Regexp, line string) (Counts, bool) {
	m := re.FindStringSubmatch(line)
	if m == nil {
		return Counts{}, false
	}
	var c Counts
	for _, part := range counted().FindAllStringSubmatch(m[2], -1) {
		c.count(part[2], number(part[1]))
	}
	c.Selected = number(m[1])
	c.Passed = max(0, c.Selected-c.Failed-c.Skipped)
	return c, true
}

func dotnet(line string) (Counts, bool) {
	m := dotnetLine().FindStringSubmatch(line)
	if m == nil {
		return Counts{}, false
	}
	return Counts{Failed: number(m[1]), Passed: number(m[2]), Skipped: number(m[3]), Selected: number(m[4])}, true
}

// lessSkipped and lessFailed take from unittest's sum what did not pass.
func lessSkipped(line string) (Counts, bool) {
	m := skippedPart().FindStringSubmatch(line)
	if m == nil {
		return Counts{}, false
	}
	return Counts{Passed: -number(m[1]), Skipped: number(m[1])}, true
}

func lessFailed(line string) (Counts, bool) {
	var c Counts
	for _, m := range failedPart().FindAllStringSubmatch(line, -1) {
		c.Failed += number(m[1])
	}
	c.Passed = -c.Failed
	return c, c.Failed > 0 && strings.HasPrefix(line, "FAILED (")
}

// tapResult reads one result of TAP; those of subtests are indented.
func tapResult(line string) (Counts, bool) {
	m := tapLine().FindStringSubmatch(line)
	switch {
	case m == nil:
		return Counts{}, false
	case strings.Contains(strings.ToLower(m[2]), "# skip"):
		return Counts{Selected: 1, Skipped: 1}, true
	case m[1] == "ok" || strings.Contains(strings.ToLower(m[2]), "# todo"):
		return Counts{Selected: 1, Passed: 1}, true
	}
	return Counts{Selected: 1, Failed: 1}, true
}

// tapSum reads a line of the summary that some producers of TAP add.
func tapSum(pattern string) func(string) (Counts, bool) {
	re := lazily(pattern)
	kind := "passed"
	switch {
	case strings.Contains(pattern, "fail"):
		kind = "failed"
	case strings.Contains(pattern, "skip"):
		kind = "skipped"
	}
	return func(line string) (Counts, bool) {
		m := re().FindStringSubmatch(line)
		if m == nil {
			return Counts{}, false
		}
		var c Counts
		c.count(kind, number(m[1]))
		return c, true
	}
}

func ctest(line string) (Counts, bool) {
	m := ctestLine().FindStringSubmatch(line)
	if m == nil {
		return Counts{}, false
	}
	c := Counts{Failed: number(m[1]), Selected: number(m[2])}
	c.Passed = max(0, c.Selected-c.Failed)
	return c, true
}
