package work

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/verify"
)

var start = time.Date(2026, 9, 2, 8, 0, 0, 0, time.UTC)

func ended(end runner.End, code int, reason string, counts runner.Counts) *ran {
	return &ran{
		task: 2, command: "go test ./...", slug: "go-test", head: git.Head{Commit: "1a2b3c4", Dirty: true}, inGit: true,
		result: runner.Result{End: end, Code: code, Reason: reason, Started: start, Duration: 1234 * time.Millisecond, Counts: counts},
	}
}

var digest = strings.Repeat("0a", 32)

// What a run came to decides the record, and nothing that was printed makes a pass of it (PS-12, PS-13, C77, C91, C149).
func TestGateOfARun(t *testing.T) {
	known := runner.Counts{Known: true, Selected: 3, Passed: 2, Skipped: 1}
	for name, test := range map[string]struct {
		run    *ran
		passes bool
		code   int // -1 for none
		says   string
	}{
		"exit 0":           {ended(runner.Exited, 0, "", known), true, 0, "observed: exit 0 in 1.2s; 3 tests: 2 passed, 0 failed, 1 skipped; log="},
		"exit 0, silent":   {ended(runner.Exited, 0, "", runner.Counts{}), true, 0, "observed: exit 0 in 1.2s; log="},
		"exit 1":           {ended(runner.Exited, 1, "", known), false, 1, "exit 1 in 1.2s"},
		"no tests":         {ended(runner.Exited, 0, "", runner.Counts{Known: true}), false, 0, "0 tests selected"},
		"all skipped":      {ended(runner.Exited, 0, "", runner.Counts{Known: true, Skipped: 5, Selected: 5}), false, 0, "0 tests executed, 5 skipped"},
		"killed":           {ended(runner.Signalled, 143, "killed by signal 15 (terminated)", known), false, 143, "exit 143 in 1.2s, killed by signal 15 (terminated)"},
		"timeout":          {ended(runner.TimedOut, 137, "stopped after the timeout of 1s", known), false, 137, "stopped after the timeout of 1s"},
		"timeout, exit 0":  {ended(runner.TimedOut, 0, "stopped after the timeout of 1s", known), false, -1, "no exit code after 1.2s, stopped"},
		"no such program":  {ended(runner.NotStarted, -1, "executable file not found in $PATH", runner.Counts{}), false, -1, "could not be started: executable file not found in $PATH"},
		"reason of lines":  {ended(runner.NotStarted, -1, "a\nb; c\u2028d", runner.Counts{}), false, -1, "could not be started: a b, c d;"},
		"packages":         {ended(runner.Exited, 0, "", runner.Counts{Known: true, Packages: 3}), true, 0, "packages: 3 ok, 0 failed"},
		"failures, exit 0": {ended(runner.Exited, 0, "", runner.Counts{Known: true, Selected: 3, Passed: 2, Failed: 1}), true, 0, "3 tests: 2 passed, 1 failed, 0 skipped"},
	} {
		log := test.run.logName(1)
		g := test.run.gate(log, digest)
		code := -1
		if g.ExitCode != nil {
			code = *g.ExitCode
		}
		if g.Passes != test.passes || code != test.code || !strings.Contains(g.Evidence, test.says) {
			t.Errorf("%s: passes %v, code %d, %q", name, g.Passes, code, g.Evidence)
		}
		if o, ok := evidence.ParseObserved(g.Evidence); !ok || o.Log != log || o.SHA256 != digest || o.Head != "1a2b3c4" || o.Tree != "dirty" {
			t.Errorf("%s: reads back as %+v", name, o)
		}
		if g.LastRun != "2026-09-02T08:00:00Z" {
			t.Errorf("%s: ran at %s", name, g.LastRun)
		}
	}
}

// C77: a filter's exit code makes no pass of a failure that the output told of.
func TestGateOfAFilteredRun(t *testing.T) {
	r := ended(runner.Exited, 0, "", runner.Counts{Known: true, Selected: 3, Passed: 2, Failed: 1})
	r.command = "sh -c 'go test ./... | tail -5'"
	if g := r.gate(r.logName(1), digest); g.Passes {
		t.Errorf("it passes with %q", g.Evidence)
	}
	r.command = "bash -o pipefail -c 'go test ./... | tail -5'"
	if g := r.gate(r.logName(1), digest); !g.Passes {
		t.Errorf("with pipefail it fails with %q", g.Evidence)
	}
}

// The longest evidence still is a line of at most 440 characters (PS-12).
func TestGateEvidenceIsShort(t *testing.T) {
	n := 999_999_999
	r := ended(runner.Signalled, 255, strings.Repeat("reason ", 100), runner.Counts{Known: true, Selected: n, Passed: n, Failed: n, Skipped: n, Packages: n, Broken: n})
	r.slug, r.task, r.result.Duration = strings.Repeat("a", 23), math.MaxInt32, math.MaxInt64
	if line := r.evidence(r.logName(999), digest); len(line) > 440 {
		t.Errorf("%d characters: %s", len(line), line)
	}
}

// The name of a log says what ran, and never becomes part of what the evidence says.
func TestLogName(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./...":                     "go-test",
		"/usr/bin/make -C dir check":        "make-dir-check",
		"npm run test:unit":                 "npm-run-test-unit",
		"sh -c echo a; exit 3":              "sh-echo-a-exit",
		"./a-program-with-a-very-long-name": "a-program-with-a",
		"":                                  "gate",
		"--":                                "gate",
		"\u6d4b\u8bd5":                      "gate",
		"tests not run":                     "tests-not-run",
		"C:\\Tools\\Check.EXE all":          "check-exe-all",
	} {
		r := ended(runner.Exited, 0, "", runner.Counts{})
		r.slug = slug(strings.Fields(command))
		if got, want := r.logName(1), GateLogs+"/2-20260902T080000Z-"+want+".log"; got != want {
			t.Errorf("%q: got %s, want %s", command, got, want)
		}
		g := r.gate(r.logName(2), digest)
		if id, words := verify.Rejects(g.Command, g.Evidence); id != "" || !g.Passes {
			t.Errorf("%q: %s: %q", command, id, words)
		}
	}
}

func FuzzLogName(f *testing.F) {
	f.Add("go test ./...")
	f.Add("no tests ran")
	f.Fuzz(func(t *testing.T, command string) {
		r := ended(runner.Exited, 0, "", runner.Counts{})
		r.slug = slug(strings.Fields(command))
		name := r.logName(1)
		p := evidence.Pointers(r.evidence(name, digest))
		if len(p) != 1 || p[0].Path != name || !p[0].Inside {
			t.Errorf("%q: %s is read as %v", command, name, p)
		}
		if id, _ := verify.Rejects("make", r.evidence(name, digest)); id != "" {
			t.Errorf("%q: %s takes the pass away: %s", command, name, id)
		}
	})
}
