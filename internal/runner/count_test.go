package runner

import (
	"strings"
	"testing"
)

func countsOf(output string) Counts {
	c := newCounter()
	l := c.stream()
	for len(output) > 0 { // in pieces, as a pipe hands them over
		n := min(7, len(output))
		l.add([]byte(output[:n]))
		output = output[n:]
	}
	return c.sum()
}

// Each runner's lines, as it prints them; several runs in one output are added (PS-13, C149).
func TestCounts(t *testing.T) {
	for name, test := range map[string]struct{ output, want string }{
		"nothing":                {"compiled 14 files\nall good, 3 of them new\n", ""},
		"prose":                  {"we ran 0 tests in May; 5 passed the exam\n", ""},
		"go":                     {"ok  \texample.com/a\t0.012s\nok  \texample.com/b\t(cached)\n?   \texample.com/c\t[no test files]\n", "packages: 2 ok, 0 failed"},
		"go coverage":            {"ok  \texample.com/a\t0.012s\tcoverage: 81.0% of statements\n", "packages: 1 ok, 0 failed"},
		"go failing":             {"--- FAIL: TestA (0.00s)\n    a_test.go:5: no\nFAIL\nFAIL\texample.com/a\t0.002s\nFAIL\n", "1 tests: 0 passed, 1 failed, 0 skipped; packages: 0 ok, 1 failed"},
		"go verbose":             {"=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/x (0.00s)\n--- SKIP: TestB (0.00s)\nPASS\nok  \texample.com/a\t0.002s\n", "2 tests: 1 passed, 0 failed, 1 skipped; packages: 1 ok, 0 failed"},
		"go no test files":       {"?   \texample.com/c\t[no test files]\n", "0 tests selected"},
		"go nothing selected":    {"ok  \texample.com/a\t0.002s [no tests to run]\nok  \texample.com/b\t(cached) [no tests to run]\n", "0 tests selected"},
		"go one selected":        {"ok  \texample.com/a\t0.002s [no tests to run]\nok  \texample.com/b\t0.003s\n", "packages: 1 ok, 0 failed"},
		"go json":                {`{"Action":"run","Package":"a","Test":"TestA"}` + "\n" + `{"Action":"output","Package":"a","Test":"TestA","Output":"--- PASS: TestA (0.00s)\n"}` + "\n" + `{"Action":"pass","Package":"a","Test":"TestA","Elapsed":0}` + "\n" + `{"Action":"pass","Package":"a","Test":"TestA/x"}` + "\n" + `{"Action":"fail","Package":"a","Test":"TestB"}` + "\n" + `{"Action":"fail","Package":"a"}` + "\n", "2 tests: 1 passed, 1 failed, 0 skipped"},
		"pytest":                 {"collected 5 items\n\n....s\n=== 4 passed, 1 skipped, 2 warnings in 0.12s ===\n", "5 tests: 4 passed, 0 failed, 1 skipped"},
		"pytest quiet":           {"1 failed, 3 passed, 1 error in 1.02s\n", "5 tests: 3 passed, 2 failed, 0 skipped"},
		"pytest none":            {"===== no tests ran in 0.01s =====\n", "0 tests selected"},
		"pytest deselected":      {"===== 14 deselected in 0.01s =====\n", "0 tests selected"},
		"unittest":               {"Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n", "5 tests: 2 passed, 2 failed, 1 skipped"},
		"unittest none":          {"Ran 0 tests in 0.000s\n\nOK\n", "0 tests selected"},
		"jest":                   {"Test Suites: 2 passed, 2 total\nTests:       1 failed, 1 skipped, 12 passed, 14 total\n", "14 tests: 12 passed, 1 failed, 1 skipped"},
		"jest none":              {"No tests found, exiting with code 0\n", "0 tests selected"},
		"vitest":                 {" Test Files  2 passed (2)\n\x1b[2m      Tests \x1b[22m \x1b[32m3 passed\x1b[39m | 1 skipped (4)\n", "4 tests: 3 passed, 0 failed, 1 skipped"},
		"vitest none":            {"No test files found, exiting with code 0\n", "0 tests selected"},
		"mocha":                  {"\n  3 passing (10ms)\n  1 pending\n  2 failing\n\n  1) adds\n", "6 tests: 3 passed, 2 failed, 1 skipped"},
		"mocha none":             {"\n  0 passing (1ms)\n", "0 tests selected"},
		"cargo, two crates":      {"test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n", "8 tests: 6 passed, 1 failed, 1 skipped"},
		"cargo none":             {"running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s\n", "0 tests selected"},
		"rspec":                  {"5 examples, 1 failure, 1 pending\n", "5 tests: 3 passed, 1 failed, 1 skipped"},
		"rspec none":             {"0 examples, 0 failures\n", "0 tests selected"},
		"minitest":               {"5 runs, 9 assertions, 0 failures, 1 errors, 1 skips\n", "5 tests: 3 passed, 1 failed, 1 skipped"},
		"dotnet":                 {"Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 20 ms - a.dll (net8.0)\n", "6 tests: 5 passed, 0 failed, 1 skipped"},
		"phpunit":                {"OK (5 tests, 10 assertions)\n", "5 tests: 5 passed, 0 failed, 0 skipped"},
		"phpunit failing":        {"Tests: 5, Assertions: 10, Failures: 1, Errors: 1, Skipped: 1.\n", "5 tests: 2 passed, 2 failed, 1 skipped"},
		"phpunit none":           {"No tests executed!\n", "0 tests selected"},
		"Maven":                  {"[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in A\n[INFO] Tests run: 8, Failures: 1, Errors: 0, Skipped: 2\n", "8 tests: 5 passed, 1 failed, 2 skipped"},
		"JUnit XML":              {`<testsuites tests="4" failures="1" errors="0" time="0.1"><testsuite name="a" tests="4" failures="1"></testsuite></testsuites>` + "\n", "4 tests: 3 passed, 1 failed, 0 skipped"},
		"JUnit XML, one suite":   {`<testsuite name="a" tests="4" failures="0" errors="0" skipped="1" time="0.1">` + "\n", "4 tests: 3 passed, 0 failed, 1 skipped"},
		"TAP":                    {"TAP version 13\n1..3\nok 1 - a\n    ok 1 - inner\nnot ok 2 - b\nok 3 - c # SKIP no display\n", "3 tests: 1 passed, 1 failed, 1 skipped"},
		"TAP of node":            {"ok 1 - a\n1..1\n# tests 3\n# suites 1\n# pass 2\n# fail 0\n# skipped 1\n", "3 tests: 2 passed, 0 failed, 1 skipped"},
		"TAP none":               {"1..0 # skipped: nothing here\n", "0 tests selected"},
		"bats":                   {"1..2\nok 1 adds\nok 2 subtracts\n", "2 tests: 2 passed, 0 failed, 0 skipped"},
		"bats, pretty":           {"3 tests, 1 failure, 1 skipped\n", "3 tests: 1 passed, 1 failed, 1 skipped"},
		"ctest":                  {"100% tests passed, 0 tests failed out of 5\n", "5 tests: 5 passed, 0 failed, 0 skipped"},
		"deno":                   {"ok | 5 passed (3 steps) | 0 failed (40ms)\n", "5 tests: 5 passed, 0 failed, 0 skipped"},
		"all skipped":            {"=== 5 skipped in 0.12s ===\n", "0 tests executed, 5 skipped"},
		"two runners":            {"OK (5 tests, 10 assertions)\n=== 2 passed in 0.12s ===\n", "7 tests: 7 passed, 0 failed, 0 skipped"},
		"no newline at the end":  {"OK (5 tests, 10 assertions)", "5 tests: 5 passed, 0 failed, 0 skipped"},
		"CRLF":                   {"OK (5 tests, 10 assertions)\r\n", "5 tests: 5 passed, 0 failed, 0 skipped"},
		"behind a progress bar":  {"50%\r100%\rOK (5 tests, 10 assertions)\n", "5 tests: 5 passed, 0 failed, 0 skipped"},
		"a number beyond all":    {"OK (99999999999999999999 tests, 1 assertions)\n", "0 tests selected"},
		"a line without an end":  {strings.Repeat("x", 3*lineMost) + "\nOK (5 tests, 10 assertions)\n", "5 tests: 5 passed, 0 failed, 0 skipped"},
		"not UTF-8, and control": {"\xff\x00\x1b[\nOK (5 tests, 10 assertions)\n", "5 tests: 5 passed, 0 failed, 0 skipped"},
	} {
		if got := countsOf(test.output).String(); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// Zero is said only when a runner spoke and nothing ran: a package that did not build may have tests (PS-13).
func TestCountsZero(t *testing.T) {
	for output, want := range map[string]bool{
		"":                                   false,
		"built\n":                            false,
		"?   \ta\t[no test files]\n":         true,
		"FAIL\ta\t0.1s\n":                    false,
		"no tests ran in 0.01s\n":            true,
		"5 skipped in 0.12s\n":               true,
		"1 failed in 0.12s\n":                false,
		"0 examples, 0 failures\n1..0\n":     true,
		"1..0\nOK (5 tests, 1 assertions)\n": false,
	} {
		if got := countsOf(output).Zero(); got != want {
			t.Errorf("%q: got %v, want %v", output, got, want)
		}
	}
}

func FuzzCounts(f *testing.F) {
	f.Add("ok  \ta\t0.1s\n--- PASS: TestA (0.00s)\n")
	f.Add("{\"Action\":\"pass\",\"Test\":\"A\"}\n<testsuite tests=\"1\">\nok 1\n# pass 1\nTests: 1 total")
	f.Add("ok  \t\t\n?   \t\t[no test\nFAILED (failures=1)\n")
	f.Fuzz(func(t *testing.T, output string) {
		c := newCounter()
		c.stream().add([]byte(output))
		if got, want := c.sum(), countsOf(output); got != want {
			t.Errorf("in one piece %+v, in many %+v", got, want)
		}
	})
}
