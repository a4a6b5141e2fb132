package agent

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/deepworkplan/dwp/internal/runner"
)

// MostArgument is the longest prompt that goes in as an argument, in bytes. Linux refuses to start a program with one argument of 128 KiB
// or more (MAX_ARG_STRLEN), and what stands around the prompt in the same argument needs room.
const MostArgument = 100 << 10

// mostValue bounds a model's name and a conversation's, in bytes.
const mostValue = 200

// Placeholders stand in arguments for what is known only when the agent is run. There are no others.
const (
	promptMark = "{prompt}"
	fileMark   = "{prompt_file}"
	modelMark  = "{model}"
	resumeMark = "{resume}"
)

// Fault is why an agent can't be run as asked, and what helps.
type Fault struct {
	Message string // lower case, no full stop
	Hint    string // "" when the message says it
}

func (f *Fault) Error() string { return f.Message }

// fault makes a Fault that names the agent.
func (a *Adapter) fault(hint, format string, args ...any) *Fault {
	return &Fault{fmt.Sprintf("agent %q: ", a.Name) + fmt.Sprintf(format, args...), hint}
}

// Custom is the adapter "command" for a program and its arguments, as a caller gives them. The prompt goes in where the placeholders
// say, else on standard input. Its title is the program's name, where that is a plain one.
func Custom(argv []string) (*Adapter, error) {
	a, _ := builtin(CommandName)
	if len(argv) == 0 || argv[0] == "" {
		return nil, a.fault("name it: --agent command -- PROGRAM [ARGUMENT]...", "no program is given")
	}
	a.Program, a.Args, a.Input = argv[0], argv[1:], inputOf(argv[1:])
	if name := filepath.Base(a.Program); plainName(name) {
		a.Title = name
	}
	return &a, a.check()
}

// plainName reports whether a program's name may stand in records as that of the agent: a display name and nothing else (PS-7).
func plainName(name string) bool {
	return len(name) <= 40 && strings.IndexFunc(name, func(r rune) bool {
		return r != '.' && r != '_' && r != '-' && (r > 'z' || r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a')
	}) < 0
}

// Command makes the command that runs the agent: its arguments, environment and standard input. Folder, time and writers are the
// caller's. A *Fault names what the adapter can't do. The arguments are Args, then those for the model, then those for resuming.
func (a *Adapter) Command(c Call) (runner.Command, error) {
	if err := a.check(); err != nil {
		return runner.Command{}, err
	}
	if err := a.accepts(c); err != nil {
		return runner.Command{}, err
	}
	fill := strings.NewReplacer(promptMark, c.Prompt, fileMark, c.PromptFile, modelMark, c.Model, resumeMark, c.Resume)
	argv := []string{a.Program}
	argv = appendFilled(argv, fill, a.Args)
	if c.Model != "" {
		argv = appendFilled(argv, fill, a.Model)
	}
	if c.Resume != "" {
		argv = appendFilled(argv, fill, a.Resume)
	}
	command := runner.Command{Args: argv, Env: a.environ(c)}
	command.Secrets = secretValues(command.Env)
	if a.Input == Stdin {
		command.Stdin = []byte(c.Prompt)
	}
	return command, nil
}

// appendFilled appends arguments with their placeholders filled, in one pass: what a prompt says of {model} stays as it is.
func appendFilled(argv []string, fill *strings.Replacer, args []string) []string {
	for _, arg := range args {
		argv = append(argv, fill.Replace(arg))
	}
	return argv
}

// accepts judges a call.
func (a *Adapter) accepts(c Call) error {
	switch {
	case strings.TrimSpace(c.Prompt) == "" && a.Input != File:
		return a.fault("", "the prompt is empty")
	case a.Input == Argument && len(c.Prompt) > MostArgument:
		return a.fault(`let it go in by "stdin" or "file": member "input" of the agent in .dwp/config.json`,
			"the prompt has %d bytes; as an argument it may have %d", len(c.Prompt), MostArgument)
	case a.Input == Argument && strings.ContainsRune(c.Prompt, 0):
		return a.fault("", "the prompt has a zero byte; an argument can't")
	case a.Input == Argument && strings.HasPrefix(c.Prompt, "-"):
		return a.fault("", "the prompt begins with a hyphen: the agent would take it for an option")
	case a.Input == File && c.PromptFile == "":
		return a.fault("", "the prompt goes in by a file, and none is given")
	case c.Model != "" && len(a.Model) == 0:
		return a.fault(`leave the model to the agent, or say in .dwp/config.json how it is chosen: "model": ["--model", "{model}"]`, "a model can't be chosen")
	case c.Model != "" && !isValue(c.Model):
		return a.fault("a model is one word of at most 200 characters that begins with no hyphen", "%q is no model", shorten(c.Model))
	case c.Resume != "" && len(a.Resume) == 0:
		return a.fault("start a new conversation", "an earlier conversation can't be gone on with")
	case c.Resume != "" && !isValue(c.Resume):
		return a.fault("", "%q is no conversation", shorten(c.Resume))
	}
	return nil
}

// isValue reports whether a text may stand for a model or a conversation: an option that an agent's own output smuggles in, it is not.
func isValue(s string) bool {
	if s == "" || len(s) > mostValue || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// check judges an adapter by itself: each placeholder is known and stands where it is filled, and the prompt gets in by one way.
func (a *Adapter) check() error {
	if a.Program == "" {
		return a.fault(`say which: "program" in .dwp/config.json, or --agent command -- PROGRAM [ARGUMENT]...`, "it has no program")
	}
	for _, list := range []struct {
		name  string
		args  []string
		known []string
	}{
		{"args", a.Args, []string{promptMark, fileMark}},
		{"model", a.Model, []string{modelMark}},
		{"resume", a.Resume, []string{resumeMark}},
	} {
		if err := a.checkMarks(list.name, list.args, list.known); err != nil {
			return err
		}
	}
	return a.checkInput()
}

// checkMarks judges the placeholders of one list.
func (a *Adapter) checkMarks(list string, args, known []string) error {
	seen := len(args) == 0 || list == "args"
	for _, arg := range args {
		for _, mark := range marks(arg) {
			found := false
			for _, k := range known {
				found = found || mark == k
			}
			if !found {
				return a.fault(fmt.Sprintf("there is %s here; text that must hold others belongs into a script", strings.Join(known, " and ")),
					"%s has the unknown placeholder %s", list, mark)
			}
			seen = true
		}
	}
	if !seen {
		return a.fault("", "%s lacks its placeholder %s", list, known[0])
	}
	return nil
}

// checkInput judges whether the prompt gets in, and by the way that input says.
func (a *Adapter) checkInput() error {
	switch {
	case a.Input != Stdin && a.Input != Argument && a.Input != File:
		return a.fault("it is stdin, argument or file", "%q is no way in for the prompt", a.Input)
	case inputOf(a.Args) == a.Input:
		return nil
	case a.Input == Stdin:
		return a.fault(`take the placeholder out, or set "input"`, "the prompt goes in on standard input, and its arguments hold it, too")
	case a.Input == Argument:
		return a.fault("let "+promptMark+" stand where it belongs", "no argument holds the prompt")
	}
	return a.fault("let "+fileMark+" stand where it belongs, and no "+promptMark, "no argument names the prompt's file")
}

// inputOf is the way in that arguments speak of.
func inputOf(args []string) Input {
	way := Stdin
	for _, arg := range args {
		for _, mark := range marks(arg) {
			switch mark {
			case promptMark:
				return Argument
			case fileMark:
				way = File
			}
		}
	}
	return way
}

// marks lists what has the form of a placeholder: small letters and underscores in braces. JSON in an argument has another.
func marks(arg string) []string {
	var found []string
	for {
		open := strings.IndexByte(arg, '{')
		if open < 0 {
			return found
		}
		arg = arg[open:]
		n := 1
		for n < len(arg) && (arg[n] == '_' || 'a' <= arg[n] && arg[n] <= 'z') {
			n++
		}
		if n > 1 && n < len(arg) && arg[n] == '}' {
			found = append(found, arg[:n+1])
		}
		arg = arg[n:]
	}
}

// Find is where the program stands: on PATH, or at its path. A find by a relative path is refused, since what would be run then depends
// on the folder, which a stranger may have filled. No process is started.
func (a *Adapter) Find() (string, error) {
	if a.Program == "" {
		return "", a.check()
	}
	path, err := runner.Find(a.Program)
	switch {
	case errors.Is(err, runner.ErrRelative):
		return "", a.fault("give its absolute path, or put its folder on PATH by an absolute path", "program %q is found only relative to a folder", a.Program)
	case err != nil:
		return "", a.fault("install it, or give its absolute path: \"program\" in .dwp/config.json", "program %q is not found", a.Program)
	}
	return path, nil
}

// shorten cuts a text for a message.
func shorten(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
