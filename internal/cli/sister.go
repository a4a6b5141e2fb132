package cli

import (
	"bufio"
	"path/filepath"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/spf13/cobra"
)

// What a sister program of dwp shares with it, so that both are called, answer and fail alike (DESIGN, Commands): the frame of a run, the
// folders and plans that a call names, the layout of its answer.

// Sister is one run of such a program.
type Sister struct{ a *app }

// Opening and Closing frame every JSON answer.
type (
	Opening = opening
	Closing = closing
)

// RunSister runs one command line of a sister program, as Main does for dwp. build makes its tree of commands.
func RunSister(args []string, env Env, build func(*Sister) *cobra.Command) int {
	a := &app{env: env, out: bufio.NewWriterSize(env.Stdout, 64<<10)}
	return a.run(args, func() *cobra.Command {
		root := build(&Sister{a})
		root.AddGroup(&cobra.Group{ID: groupAutomate, Title: "Automate"}, &cobra.Group{ID: groupSetUp, Title: "Set up"})
		a.dress(root)
		return root
	})
}

// GroupAutomate is the group of the commands that go on with nobody watching.
const GroupAutomate = groupAutomate

// Usage makes a failure of the call itself.
func Usage(code, hint, format string, args ...any) error { return usage(code, hint, format, args...) }

// Cannot makes a failure of doing what was asked.
func Cannot(code, hint, format string, args ...any) error {
	return cannot(code, hint, format, args...)
}

// Refused makes the failure of what may not be done; nothing was written.
func Refused(code, hint, format string, args ...any) error {
	f := cannot(code, hint, format, args...)
	f.exit = ExitNo
	return f
}

// Opened and Closed make the frame of an answer.
func Opened(command string) Opening { return opened(command) }

// Closed ends an answer that is none of a failure.
func Closed() Closing { return closed(nil, nil) }

// Between demands low to high arguments.
func Between(low, high int) cobra.PositionalArgs { return between(low, high) }

// Parent makes a command that only holds others.
func Parent(use, short, long string, below ...*cobra.Command) *cobra.Command {
	return parentCmd(use, short, groupAutomate, long, below...)
}

// Env is the world of the run.
func (s *Sister) Env() Env { return s.a.env }

// JSON reports whether the answer is to be JSON.
func (s *Sister) JSON() bool { return s.a.json }

// WriteJSON prints one object, which begins with an Opening and ends with a Closing.
func (s *Sister) WriteJSON(v any) error { return s.a.writeJSON(v) }

// Line prints one line of the answer. Its arguments must be clean.
func (s *Sister) Line(format string, args ...any) { s.a.page().line(format, args...) }

// Labelled prints a label in a column of width columns and its text beside it.
func (s *Sister) Labelled(label string, width int, text string) {
	s.a.page().labelled(label, width, text)
}

// Text prints a text as it is.
func (s *Sister) Text(text string) { s.a.out.WriteString(text) }

// Flush sends what was printed, for those who watch a command that runs on.
func (s *Sister) Flush() { s.a.out.Flush() }

// Warn tells what does not keep a command from being done.
func (s *Sister) Warn(text string) { s.a.warn(text) }

// Clean makes any text fit to stand in one line of a terminal.
func (s *Sister) Clean(text string) string { return cleanLine(text) }

// InTurn reports whether the caller is an agent inside an unattended turn (UN-6).
func (s *Sister) InTurn() bool { return s.a.inTurn() }

// Root finds where plans live, from the folder to start from or -C (PD-1).
func (s *Sister) Root() (plan.Root, error) { return s.a.root() }

// Folder makes the path of a folder absolute and demands that it is one.
func (s *Sister) Folder(dir string) (string, error) { return s.a.folder(dir) }

// Plan finds the plan that a call names, and returns its folder, free of links.
func (s *Sister) Plan(args []string) (name, path string, err error) {
	t, err := s.a.one(args)
	if err != nil {
		return "", "", err
	}
	real, err := filepath.EvalSymlinks(t.Path)
	if err != nil {
		return "", "", cannot("unreadable", "", "%s", err)
	}
	return t.Name, real, nil
}

// CompletePlans offers plan names to the shell's completion.
func (s *Sister) CompletePlans(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	return s.a.completePlans(cmd, args, word)
}

// NoArgs refuses a word that names no command.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return unknownCommand(cmd, args[0])
}
