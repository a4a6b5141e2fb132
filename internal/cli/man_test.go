package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The man pages are made of the help, by the tests: the program itself needs no words of troff, and links none.

// TestManPages: docs/man has a page of each command, that says what its help says.
func TestManPages(t *testing.T) {
	want := map[string]string{}
	everyHelp(func(_ string, cmd *cobra.Command) { want[manName(cmd)+".1"] = manPage(cmd) })
	golden(t, filepath.Join("..", "..", "docs", "man"), want)
}

// Nothing of a text is taken for a request of troff: what begins with a dot, dashes, backslashes.
func TestManText(t *testing.T) {
	for text, want := range map[string]string{
		".dwp is a folder": "\\&.dwp is a folder",
		"'quoted' --json":  "\\&'quoted' \\-\\-json",
		"a \\ b":           "a \\e b",
	} {
		if got := troff(text); got != want {
			t.Errorf("troff(%q) = %q, want %q", text, got, want)
		}
	}
}

// manName is the name of a command's page: dwp-state-update.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is the page of a command, in the form of man(7). It bears no date: the same program makes the same page.
func manPage(cmd *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".\\\" Made of the help of dwp. Rewrite with: go test ./internal/cli -run TestManPages -update\n.TH %s 1 \"\" dwp \"Deep Work Plans\"\n",
		strings.ToUpper(strings.ReplaceAll(manName(cmd), "-", "\\-")))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", troff(manName(cmd)), troff(strings.TrimSuffix(cmd.Short, ".")))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n", troff(manUse(cmd)))
	text, exits, _ := strings.Cut(cmd.Long, "Exit codes: ")
	exits, after, _ := strings.Cut(exits, "\n\n")
	manBlock(&b, "DESCRIPTION", strings.TrimSpace(text+"\n\n"+after))
	manCommands(&b, cmd)
	manFlags(&b, "OPTIONS", cmd.LocalNonPersistentFlags())
	if cmd.HasParent() {
		manFlags(&b, "OPTIONS OF EVERY COMMAND", cmd.InheritedFlags())
	} else {
		manFlags(&b, "OPTIONS OF EVERY COMMAND", cmd.PersistentFlags())
		manBlock(&b, "PLAN", strings.TrimSpace(planHelp))
		var lines []string
		for _, l := range exitLines {
			lines = append(lines, fmt.Sprintf("  %d  %s", l.code, l.text))
		}
		exits = strings.Join(lines, "\n")
	}
	manBlock(&b, "EXIT STATUS", exits)
	manBlock(&b, "EXAMPLES", cmd.Example)
	if cmd.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", troff(manName(cmd.Parent())))
	}
	return b.String()
}

// manUse is how a command is called.
func manUse(cmd *cobra.Command) string {
	switch {
	case !cmd.HasParent():
		return "dwp [-C DIR] COMMAND [PLAN] [flags]"
	case cmd.HasAvailableSubCommands():
		return cmd.CommandPath() + " COMMAND"
	}
	return cmd.UseLine()
}

// manBlock writes a section of paragraphs. Lines that are indented are a table, or commands, and stay as they are.
func manBlock(b *strings.Builder, title, text string) {
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

// manCommands lists the commands below one.
func manCommands(b *strings.Builder, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	b.WriteString(".SH COMMANDS\n")
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			fmt.Fprintf(b, ".TP\n.BR %s (1)\n%s\n", troff(manName(c)), troff(c.Short))
		}
	}
}

// manFlags lists flags.
func manFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
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
