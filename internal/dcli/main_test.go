package dcli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/deepworkplan/dwp/internal/turntest"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	// The tests start hundreds of processes, and under the race detector each would sleep for a second at its end.
	os.Setenv("GORACE", cmp.Or(os.Getenv("GORACE"), "atexit_sleep_ms=0"))
	testscript.Main(m, map[string]func(){
		"dwp":            func() { os.Exit(cli.Main(os.Args[1:], cli.OSEnv())) },
		"dwpd":           func() { os.Exit(Main(os.Args[1:], cli.OSEnv())) },
		"faketurn":       func() { os.Exit(fakeTurn(os.Args[1:])) },
		turntest.Program: func() { os.Exit(turntest.Agent(strings.Join(os.Args[1:], " "), turntest.OSWorld())) },
	})
}

// TestScript runs the stories: what a person types, and what they see.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *rewrite,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "until": until, "mode": mode, "plan": plan},
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", os.Getenv("GORACE"))
			tomorrow := time.Date(time.Now().Year(), time.Now().Month(), time.Now().Day()+1, 2, 0, 0, 0, time.Local)
			if time.Now().Hour() < 2 {
				tomorrow = tomorrow.AddDate(0, 0, -1)
			}
			env.Setenv("TOMORROW", tomorrow.Format("2006-01-02 15:04 MST"))
			path, err := exec.LookPath("faketurn")
			env.Setenv("FAKETURN", path)
			// The checkout around the test must not count as the story's repository.
			return errors.Join(err, os.Mkdir(filepath.Join(env.WorkDir, ".git"), 0o755))
		},
	})
}

// exits CODE COMMAND... runs a command and demands its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("exit code %d, want %s", got, want)
	}
}

// until TEXT COMMAND... runs a command again and again until its output has the text, for two minutes at most.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until TEXT COMMAND...")
	}
	out := ""
	err := eventually(patience, func() bool {
		ts.Check(ts.Exec(args[1], args[2:]...))
		out = ts.ReadFile("stdout")
		return strings.Contains(out, args[0])
	})
	if err != nil {
		ts.Fatalf("%v; the last output: %s", err, out)
	}
}

// mode PERM FILE demands the mode of a file.
func mode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode PERM FILE")
	}
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%o", info.Mode().Perm()); got != args[0] && runtime.GOOS != "windows" {
		ts.Fatalf("mode %s, want %s", got, args[0])
	}
}

// plan NAME TASKS makes the folder of a plan, as far as the queue and the fake turns look at it.
func plan(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: plan NAME TASKS")
	}
	tasks, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(makePlan(ts.MkAbs("."), args[0], tasks))
}
