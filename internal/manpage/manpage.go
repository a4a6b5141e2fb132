// Package manpage makes manual pages of the help of commands, for the tests that keep docs/man: the programs themselves need no words of troff,
// and link none.
package manpage

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Name is the name of a command's page: dwp-state-update.
func Name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// Main is what only the page of a whole program says.
type Main struct{ Use, Plan, Exits string }

// Page is the page of a command, in the form of man(7). made is the test that makes it; main is for the page of a program. It bears no date: the
// same program makes the same page.
func Page(cmd *cobra.Command, made string, main Main) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".\\\" Made of the help of dwp. Rewrite with: %s -update\n.TH %s 1 \"\" dwp \"Deep Work Plans\"\n",
		made, strings.ToUpper(strings.ReplaceAll(Name(cmd), "-", "\\-")))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", troff(Name(cmd)), troff(strings.TrimSuffix(cmd.Short, ".")))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n", troff(use(cmd, main)))
	text, exits, _ := strings.Cut(cmd.Long, "Exit codes: ")
	exits, after, _ := strings.Cut(exits, "\n\n")
	block(&b, "DESCRIPTION", strings.TrimSpace(text+"\n\n"+after))
	commands(&b, cmd)
	flagsOf(&b, "OPTIONS", cmd.LocalNonPersistentFlags())
	if cmd.HasParent() {
		flagsOf(&b, "OPTIONS OF EVERY COMMAND", cmd.InheritedFlags())
	} else {
		flagsOf(&b, "OPTIONS OF EVERY COMMAND", cmd.PersistentFlags())
		block(&b, "PLAN", strings.TrimSpace(main.Plan))
		exits = main.Exits
	}
	block(&b, "EXIT STATUS", exits)
	block(&b, "EXAMPLES", cmd.Example)
	if cmd.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", troff(Name(cmd.Parent())))
	}
	return b.String()
}

// use is how a command is called.
func use(cmd *cobra.Command, main Main) string {
	switch {
	case !cmd.HasParent():
		return main.Use
	case cmd.HasAvailableSubCommands():
		return cmd.CommandPath() + " COMMAND"
	}
	return cmd.UseLine()
}

// block writes a section of paragraphs. Lines that are indented are a table, or commands, and stay as they are.
func block(b *strings.Builder, title, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	fixed := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if now := strings.HasPrefix(line, "  "); now != fixed {
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[now])
			fixed = now
		}
		if line == "" {
			b.WriteString(".PP\n")
			continue
		}
		b.WriteString(troff(line) + "\n")
	}
	if fixed {
		b.WriteString(".fi\n")
	}
}

// commands lists the commands below one.
func commands(b *strings.Builder, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	b.WriteString(".SH COMMANDS\n")
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			fmt.Fprintf(b, ".TP\n.BR %s (1)\n%s\n", troff(Name(c)), troff(c.Short))
		}
	}
}

// flagsOf lists flags.
func flagsOf(b *strings.Builder, title string, flags *pflag.FlagSet) {
	written := false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if !written {
			fmt.Fprintf(b, ".SH %s\n", title)
			written = true
		}
		arg, text := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(b, ".TP\n%s\n%s\n", strings.TrimSpace("\\fB"+troff(name)+"\\fR "+troff(arg)), troff(text))
	})
}

// troff writes a line so that it is printed as it is.
func troff(line string) string {
	line = strings.NewReplacer("\\", "\\e", "-", "\\-").Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = "\\&" + line
	}
	return line
}
