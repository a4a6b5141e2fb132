package turntest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// World is what the agent is given by whoever starts it.
type World struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Environ        []string // NAME=value
	Dir            string   // the repository
}

// OSWorld is that of the process.
func OSWorld() World {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return World{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(), Dir: dir}
}

// Clock is the variable by which the tests' dwp is another time: a duration that is added to the real one.
const Clock = "TURNTEST_CLOCK"

// PIDs is the variable that names a file; the agent appends its process number to it, so that a test can kill it.
const PIDs = "TURNTEST_PIDS"

// Program is the name under which a test binary is the agent.
const Program = "dwp-agent"

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitLost   = 3 // the prompt or the environment doesn't say what to do
)

// Agent is one run of the agent, and returns its exit code. A behaviour is named "outside", or "outside@3" for one that is good up to
// task 3; the name of a behaviour that doesn't exist is refused.
func Agent(behaviour string, w World) int {
	name, from, _ := strings.Cut(behaviour, "@")
	do, ok := behaviours()[name]
	if !ok {
		fmt.Fprintf(w.Stderr, "%s: no behaviour %q; there are %s\n", Program, name, strings.Join(Behaviours(), ", "))
		return exitLost
	}
	a, err := wake(w)
	if err != nil {
		fmt.Fprintf(w.Stderr, "%s: %v\n", Program, err)
		return exitLost
	}
	if n, err := strconv.Atoi(from); err == nil && a.task < n {
		do = (*agent).good
	}
	if err := do(a); err != nil {
		fmt.Fprintf(w.Stderr, "%s: %v\n", Program, err)
		return exitFailed
	}
	return exitDone
}

// Behaviours are the names of all of them, sorted.
func Behaviours() (names []string) {
	for name := range behaviours() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// agent is one run.
type agent struct {
	World
	folder string // of the plan
	plan   string // its name
	task   int
	tool   string // how to call dwp, as the prompt says it
	named  string // the plan, as the prompt's commands name it
}

// wake finds out what the turn is about, from nothing but what every agent gets: the environment and the prompt.
func wake(w World) (*agent, error) {
	a := &agent{World: w}
	if name := a.env(PIDs); name != "" {
		if err := appendTo(name, strconv.Itoa(os.Getpid())+"\n"); err != nil {
			return nil, err
		}
	}
	prompt, err := io.ReadAll(w.Stdin)
	if err != nil {
		return nil, err
	}
	if a.env("DWP_TURN") == "" {
		return nil, errors.New("DWP_TURN is not set: this is no turn")
	}
	a.folder = a.env("DWP_PLAN")
	if !filepath.IsAbs(a.folder) {
		return nil, fmt.Errorf("DWP_PLAN is %q, and no folder's path", a.folder)
	}
	a.plan = filepath.Base(a.folder)
	// The task is the one that the prompt's own command starts.
	found := regexp.MustCompile(`(\S+) start (\S*` + regexp.QuoteMeta(a.plan) + `) (\d+)\b`).FindSubmatch(prompt)
	if found == nil {
		return nil, errors.New("the prompt names no task to start")
	}
	a.tool, a.named = strings.Trim(string(found[1]), "`'\""), string(found[2])
	if filepath.Base(a.tool) != "dwp" { // a test binary under its own name would run its tests
		return nil, fmt.Errorf("the prompt calls dwp %q", a.tool)
	}
	a.task, err = strconv.Atoi(string(found[3]))
	return a, err
}

func (a *agent) env(name string) string {
	for _, v := range slices.Backward(a.Environ) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// say speaks, as agents do.
func (a *agent) say(format string, args ...any) { fmt.Fprintf(a.Stdout, format+"\n", args...) }

// dwp runs a command of dwp on the plan: the name of the plan follows the command's own words.
func (a *agent) dwp(command string, args ...string) error {
	_, err := a.run(slices.Concat([]string{a.tool}, strings.Fields(command), []string{a.named}, args)...)
	return err
}

func (a *agent) git(args ...string) (string, error) {
	return a.run(append([]string{"git", "-c", "user.name=Agent", "-c", "user.email=agent@example.org"}, args...)...)
}

// run runs a program in the repository, and returns what it said.
func (a *agent) run(argv ...string) (string, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env = a.Dir, a.Environ
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, a.Stdout), io.MultiWriter(&errs, a.Stderr)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}

// write writes a file of the repository, with the folders above it.
func (a *agent) write(name, text string) error {
	name = filepath.Join(a.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

func appendTo(name, text string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
