package cli

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/deepworkplan/dwp/internal/demo"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/spf13/cobra"
)

// demoCmd shows a plan's life on a repository of its own.
func (a *app) demoCmd() *cobra.Command {
	var keep string
	cmd := &cobra.Command{
		Use:     "demo",
		Short:   "Show a plan's life, on a small repository of its own",
		GroupID: groupSetUp,
		Long: `Make a small git repository with a failing test, write a plan for it, and work
it to its receipt: approval, a gate that fails and one that passes, a refusal,
the Final Review, publication. Each command is shown and really runs; when one
does not end as it should, the demonstration says so and stops.

It needs git and Go, no network, and touches nothing but its own folder: a new
one among the temporary files, or DIR. The folder stays, for you to look around.

Exit codes: 0 shown to the end; 2 DIR is not empty; 3 git or Go is missing, or a
step did not end as it should; 130 interrupted.`,
		Example: `  dwp demo
  dwp demo --keep ~/fence`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.demo(cmd, keep) },
	}
	cmd.Flags().StringVar(&keep, "keep", "", "make the repository in `DIR`, which must be new or empty")
	return cmd
}

// demoAnswer is the JSON answer of demo.
type demoAnswer struct {
	opening
	Folder string      `json:"folder"`
	Steps  []demo.Step `json:"steps"`
	closing
}

// demo finds a folder and the programs, and lets the demonstration run. With --json it is told on standard error.
func (a *app) demo(cmd *cobra.Command, keep string) error {
	if cmd.Flags().Changed("keep") && keep == "" {
		return usage("bad-flag", "name a folder, or leave --keep out", "--keep is empty")
	}
	program, err := os.Executable()
	if err != nil {
		return cannot("no-program", "", "find the program dwp itself: %s", err)
	}
	d := &demo.Demo{Program: program, Now: a.env.Now}
	if a.env.Environ != nil {
		d.Environ = a.env.Environ()
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The folder is looked at before programs are, and made only when they are there.
	if err := a.mayKeep(keep); err != nil {
		return err
	}
	if missing, ok := errors.AsType[*demo.Missing](d.Need(ctx)); ok {
		return cannot("missing-program", "install it, then try again", "the demo needs git and Go; %s", missing)
	}
	if d.Dir, d.Folder, err = a.demoFolder(keep); err != nil {
		return err
	}
	defer d.Folder.Close()
	p := a.demoPage(d)
	steps, err := d.Run(ctx)
	if err != nil {
		return demoFailed(d.Dir, err)
	}
	if a.json {
		return a.writeJSON(demoAnswer{opened("demo"), d.Dir, list(steps), closed(nil, nil)})
	}
	p.line("")
	p.para(0, "That was a plan's life. Look around; nothing else was touched:")
	p.line("  cd %s", cleanLine(runner.Quote([]string{d.Dir})))
	p.line("  git show")
	p.line("  less %s/PROGRESS.md", cleanLine(demo.Plan))
	p.para(0, "When you have seen enough:")
	p.line("  rm -rf %s", cleanLine(runner.Quote([]string{d.Dir})))
	return nil
}

// demoPage lays the demonstration out as it goes: what is said, each command behind a $, and what it prints.
func (a *app) demoPage(d *demo.Demo) page {
	p := a.page()
	if a.json {
		p.w, p.colour = a.env.Stderr, false
	}
	d.Out = p.w
	d.Say = func(text string) {
		p.line("")
		for _, l := range wrap(text, p.width, p.width) {
			p.line("%s", p.paint(bold, l))
		}
	}
	d.Command = func(args []string) {
		for i, l := range commandLines(args, p.width) {
			p.line("%s%s", []string{"$ ", "    "}[min(i, 1)], p.paint(green, l))
		}
		a.out.Flush() // what runs now may take a while
	}
	return p
}

// commandLines breaks a command between its arguments, so that it can be read, and pasted. A flag stays with what follows it.
func commandLines(args []string, width int) []string {
	lines := []string{""}
	for len(args) > 0 {
		n := 1
		if strings.HasPrefix(args[0], "-") && len(args) > 1 && !strings.HasPrefix(args[1], "-") {
			n = 2
		}
		word := runner.Quote(args[:n])
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len(*last)+len(word) > width-8:
			*last += " \\"
			lines = append(lines, word)
		default:
			*last += " " + word
		}
		args = args[n:]
	}
	return lines
}

// demoFailed tells where a demonstration ended that did not come to its end.
func demoFailed(dir string, err error) *failure {
	if errors.Is(err, demo.ErrInterrupted) {
		return &failure{exit: ExitInterrupted, code: "interrupted", message: "interrupted", hint: "what was made is in " + dir}
	}
	return cannot("demo-failed", "look at what was made in "+dir, "the demo did not come to its end: %s", err)
}

// mayKeep accepts a folder that is new or empty: a demonstration never works in a repository of the user's.
func (a *app) mayKeep(keep string) error {
	if keep == "" {
		return nil
	}
	dir, err := a.located(keep)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return usage("bad-folder", "name a folder that is new or empty", "open folder %q: %s", keep, cause(err))
	case len(entries) > 0:
		return usage("not-empty", "name a folder that is new or empty", "the folder %q is not empty; nothing was written", keep)
	}
	return nil
}

// demoFolder makes and opens the folder of the demonstration. Its path is without links, since plans are named so.
func (a *app) demoFolder(keep string) (dir string, folder *disk.Folder, err error) {
	if keep == "" {
		dir, err = disk.MkdirTemp("dwp-demo-")
	} else if dir, err = a.located(keep); err == nil {
		err = a.makeMissing(dir)
	}
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err == nil {
		folder, err = disk.Open(dir)
	}
	if err != nil {
		return "", nil, cannot("unwritable", "", "make the folder of the demo: %s", strings.TrimPrefix(err.Error(), "open plan folder: "))
	}
	return dir, folder, nil
}

// makeMissing makes a folder that may be there already.
func (a *app) makeMissing(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	return a.makeFolder(filepath.Clean(dir))
}
