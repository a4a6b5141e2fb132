package agent

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// AG-1: the call of each built-in agent, whole, with a model and a conversation where it can have them. Whoever changes one changes
// what agents may do with nobody watching, and docs/agents.md.
func TestBuiltinCommands(t *testing.T) {
	tests := []struct{ name, plain, full string }{
		{"claude", "claude -p --output-format json --permission-mode acceptEdits --allowedTools Bash", "--model m --resume r"},
		{"codex", "codex exec --sandbox workspace-write --json", "--model m resume r -"},
		{"cursor", "cursor-agent -p --output-format json --trust --sandbox enabled PROMPT", "--model m --resume r"},
		{"gemini", "gemini --output-format json --approval-mode yolo", "--model m --resume r"},
		{"copilot", "copilot -p PROMPT -s --no-ask-user --allow-tool=write --allow-tool=shell", "--model=m"},
		{"antigravity", "agy -p PROMPT --dangerously-skip-permissions --print-timeout 24h", "--model m --conversation r"},
		{"openclaw", "openclaw agent --local --session-key agent:main:dwp --message-file /tmp/p.md --timeout 0", "--model m"},
		{"hermes", "hermes chat --oneshot --quiet --query-file -", "--model m --resume r"},
	}
	var names []string
	for _, tt := range tests {
		names = append(names, tt.name)
		a, err := Defaults().Adapter(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		call := Call{Prompt: "PROMPT", PromptFile: "/tmp/p.md"}
		got, err := a.Command(call)
		if err != nil || strings.Join(got.Args, " ") != tt.plain {
			t.Errorf("%s: %q, %v\nwant %q", tt.name, got.Args, err, tt.plain)
		}
		if want := a.Input == Stdin; (string(got.Stdin) == "PROMPT") != want || (got.Stdin == nil) == want {
			t.Errorf("%s: standard input %q", tt.name, got.Stdin)
		}
		call.Model = "m"
		if len(a.Resume) > 0 {
			call.Resume = "r"
		}
		if got, err = a.Command(call); err != nil || strings.Join(got.Args, " ") != tt.plain+" "+tt.full {
			t.Errorf("%s: %q, %v\nwant %q", tt.name, got.Args, err, tt.full)
		}
	}
	if got := Defaults().Names(); !slices.Equal(got, append(names, CommandName)) {
		t.Errorf("names %q", got)
	}
}

// AG-1: each built-in adapter says where it is from, what it is called, and where instructions stand (AG-2); none but "command" claims
// to have been tried.
func TestBuiltinsSayWhatTheyAre(t *testing.T) {
	for _, a := range builtins() {
		if a.Title == "" || a.Source == "" || a.Instructions == "" || a.Tried != (a.Name == CommandName) {
			t.Errorf("%+v", a)
		}
		if a.Name != CommandName && a.check() != nil {
			t.Errorf("%s: %v", a.Name, a.check())
		}
	}
}

// Placeholders are filled in one pass, wherever they stand in an argument; what a prompt itself says of them stays.
func TestCommandFills(t *testing.T) {
	a := Adapter{Name: "x", Program: "x", Args: []string{"--p={prompt}", `{"json":1}`, "{}", "{A}"}, Model: []string{"-m{model}"}, Input: Argument}
	got, err := a.Command(Call{Prompt: "do {model} {resume}", Model: "big"})
	if want := []string{"x", "--p=do {model} {resume}", `{"json":1}`, "{}", "{A}", "-mbig"}; err != nil || !slices.Equal(got.Args, want) {
		t.Errorf("%q, %v", got.Args, err)
	}
}

func TestCommandRefuses(t *testing.T) {
	stdin := Adapter{Name: "x", Program: "x", Input: Stdin}
	arg := Adapter{Name: "x", Program: "x", Input: Argument, Args: []string{"{prompt}"}}
	with := func(a Adapter, change func(*Adapter)) Adapter { change(&a); return a }
	tests := []struct {
		name  string
		a     Adapter
		c     Call
		want  string
		hints string
	}{
		{"no program", Adapter{Name: "x", Input: Stdin}, Call{Prompt: "p"}, "it has no program", "--agent command"},
		{"unknown placeholder", with(stdin, func(a *Adapter) { a.Args = []string{"a{b}{plan}"} }), Call{Prompt: "p"}, "unknown placeholder {b}", "script"},
		{"model in args", with(stdin, func(a *Adapter) { a.Args = []string{"{model}"} }), Call{Prompt: "p"}, "unknown placeholder {model}", ""},
		{"model without its mark", with(stdin, func(a *Adapter) { a.Model = []string{"--m"} }), Call{Prompt: "p"}, "model lacks its placeholder {model}", ""},
		{"resume without its mark", with(stdin, func(a *Adapter) { a.Resume = []string{"--m"} }), Call{Prompt: "p"}, "resume lacks its placeholder", ""},
		{"no such way in", with(stdin, func(a *Adapter) { a.Input = "smoke" }), Call{Prompt: "p"}, `"smoke" is no way in`, ""},
		{"argument missing", with(arg, func(a *Adapter) { a.Args = nil }), Call{Prompt: "p"}, "no argument holds the prompt", ""},
		{"stdin and argument", with(arg, func(a *Adapter) { a.Input = Stdin }), Call{Prompt: "p"}, "hold it, too", ""},
		{"file missing", with(arg, func(a *Adapter) { a.Input = File }), Call{Prompt: "p", PromptFile: "f"}, "no argument names", ""},
		{"no file", with(arg, func(a *Adapter) { a.Input, a.Args = File, []string{"{prompt_file}"} }), Call{Prompt: "p"}, "none is given", ""},
		{"empty", stdin, Call{Prompt: " \n"}, "the prompt is empty", ""},
		{"too long", arg, Call{Prompt: strings.Repeat("x", MostArgument+1)}, "has 102401 bytes; as an argument it may have 102400", `"stdin" or "file"`},
		{"zero", arg, Call{Prompt: "a\x00"}, "zero byte", ""},
		{"option", arg, Call{Prompt: "--help"}, "begins with a hyphen", ""},
		{"model", stdin, Call{Prompt: "p", Model: "m"}, "a model can't be chosen", "config.json"},
		{"model of two words", with(stdin, func(a *Adapter) { a.Model = []string{"{model}"} }), Call{Prompt: "p", Model: "a b"}, `"a b" is no model`, ""},
		{"model as option", with(stdin, func(a *Adapter) { a.Model = []string{"{model}"} }), Call{Prompt: "p", Model: "--yolo"}, "is no model", ""},
		{"resume", stdin, Call{Prompt: "p", Resume: "r"}, "can't be gone on with", "new"},
		{"resume as option", with(stdin, func(a *Adapter) { a.Resume = []string{"{resume}"} }), Call{Prompt: "p", Resume: "-x"}, "is no conversation", ""},
	}
	for _, tt := range tests {
		_, err := tt.a.Command(tt.c)
		f, ok := errors.AsType[*Fault](err)
		if !ok || !strings.Contains(f.Message, tt.want) || !strings.Contains(f.Hint, tt.hints) || !strings.HasPrefix(f.Message, `agent "x": `) {
			t.Errorf("%s: %v (%+v)", tt.name, err, f)
		}
	}
}

// A prompt of any length goes in on standard input or by a file.
func TestLongPrompts(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	stdin := Adapter{Name: "x", Program: "x", Input: Stdin}
	if got, err := stdin.Command(Call{Prompt: long}); err != nil || len(got.Stdin) != len(long) || len(got.Args) != 1 {
		t.Error(err)
	}
	arg := Adapter{Name: "x", Program: "x", Input: Argument, Args: []string{"{prompt}"}}
	if got, err := arg.Command(Call{Prompt: long[:MostArgument]}); err != nil || len(got.Args[1]) != MostArgument {
		t.Error(err)
	}
}

// AG-5: nothing of the caller's environment is passed that neither list names; credentials of others stay.
func TestEnvironment(t *testing.T) {
	a, _ := Defaults().Adapter("claude")
	got, err := a.Command(Call{Prompt: "p", Env: []string{
		"PATH=/bin", "AWS_SECRET_ACCESS_KEY=no", "ANTHROPIC_API_KEY=sekrit-value", "GITHUB_TOKEN=no", "LC_ALL=C", "LCX=no", "XLC_A=no", "DWP_TURN=old",
		"DWP_DIR=/x", "=C:=odd", "nonsense", "OPENAI_API_KEY=no", "GOFLAGS=-v", "VIRTUAL_ENV=/v", "PYENV_ROOT=/p", "Path=no", "PATHS=no",
	}, Set: []string{"DWP_TURN=3-a", "PATH=/mine"}})
	want := []string{"ANTHROPIC_API_KEY=sekrit-value", "LC_ALL=C", "DWP_DIR=/x", "GOFLAGS=-v", "VIRTUAL_ENV=/v", "PYENV_ROOT=/p", "DWP_TURN=3-a", "PATH=/mine"}
	if err != nil || !slices.Equal(got.Env, want) {
		t.Errorf("%q, %v", got.Env, err)
	}
	if want := []string{"sekrit-value"}; !slices.Equal(got.Secrets, want) {
		t.Errorf("masked: %q", got.Secrets)
	}
	// What a word in the shell's environment would allow is not allowed, unless the user's own list has its name.
	for _, name := range []string{"copilot", "codex", "hermes"} {
		a, _ := Defaults().Adapter(name)
		call := Call{Prompt: "p", Env: []string{"COPILOT_ALLOW_ALL=true", "COPILOT_HOME=/c", "CODEX_UNSAFE_ALLOW_NO_SANDBOX=1", "CODEX_HOME=/x", "HERMES_YOLO_MODE=1", "HERMES_HOME=/h"}}
		got, err := a.Command(call)
		if err != nil || len(got.Env) != 1 || !strings.Contains(got.Env[0], "_HOME=") {
			t.Errorf("%s: %q, %v", name, got.Env, err)
		}
		a.Env = append(a.Env, "COPILOT_ALLOW_ALL")
		if got, _ := a.Command(call); len(got.Env) != 2 {
			t.Errorf("%s: %q", name, got.Env)
		}
	}
	for variable, want := range map[string]int{"DB_PASS=12345678": 1, "MY_CREDENTIALS=12345678": 1, "api_key=12345678": 1, "TOKEN=1234567": 0, "LANG=en_GB.UTF-8": 0} {
		if got := secretValues([]string{variable}); len(got) != want {
			t.Errorf("%s: masked %q", variable, got)
		}
	}
	// None at all is not the caller's own.
	if got, _ := a.Command(Call{Prompt: "p"}); got.Env == nil || len(got.Env) != 0 {
		t.Errorf("%#v", got.Env)
	}
	if got := filtered(Call{Env: []string{"Path=x", "systemroot=y", "A_b=z", "B=no"}}, []string{"PATH", "a_*"}, true); !slices.Equal(got, []string{"Path=x", "systemroot=y", "A_b=z"}) {
		t.Errorf("Windows: %q", got)
	}
}

func TestCustom(t *testing.T) {
	tests := []struct {
		argv  []string
		way   Input
		title string
		bad   string
	}{
		{[]string{"sh", "-c", "cat"}, Stdin, "sh", ""},
		{[]string{"/opt/night/worker.sh", "{prompt}"}, Argument, "worker.sh", ""},
		{[]string{"x", "--f={prompt_file}"}, File, "x", ""},
		{[]string{"x", "{prompt}", "{prompt_file}"}, Argument, "x", ""},
		{[]string{"ana@example.org"}, Stdin, "Any other program", ""}, // PS-7: no personal identifier
		{[]string{"a\nb"}, Stdin, "Any other program", ""},
		{[]string{strings.Repeat("x", 41)}, Stdin, "Any other program", ""},
		{[]string{"x", "{what}"}, "", "", "unknown placeholder"},
		{[]string{""}, "", "", "no program"},
		{nil, "", "", "no program"},
	}
	for _, tt := range tests {
		a, err := Custom(tt.argv)
		if tt.bad != "" {
			if err == nil || !strings.Contains(err.Error(), tt.bad) {
				t.Errorf("%q: %v", tt.argv, err)
			}
			continue
		}
		if err != nil || a.Input != tt.way || a.Name != CommandName || a.Title != tt.title {
			t.Errorf("%q: %+v, %v", tt.argv, a, err)
		}
	}
}

// A program that is found only by way of the current folder is refused: a stranger's repository could bring its own "claude".
func TestFind(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "worker.exe")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	find := func(name string) (string, error) { return (&Adapter{Name: "x", Program: name}).Find() }
	if got, err := find(program); err != nil || got != program {
		t.Errorf("%q, %v", got, err)
	}
	t.Setenv("PATH", dir)
	if got, err := find("worker.exe"); err != nil || got != program {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := find("nobody"); err == nil || !strings.Contains(err.Error(), "is not found") {
		t.Error(err)
	}
	if _, err := find(""); err == nil || !strings.Contains(err.Error(), "has no program") {
		t.Error(err)
	}
	t.Chdir(dir)
	t.Setenv("PATH", ".")
	for _, name := range []string{"worker.exe", "./worker.exe"} {
		if _, err := find(name); err == nil || !strings.Contains(err.Error(), "only relative") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
