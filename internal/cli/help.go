package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// help prints the help of a command. It is plain code, not a template, so that no template is parsed at each start.
func (a *app) help(cmd *cobra.Command, _ []string) {
	var b strings.Builder
	writeHelp(&b, cmd)
	if !a.json {
		a.out.WriteString(b.String())
		return
	}
	a.writeJSON(struct {
		opening
		Topic string `json:"topic"`
		Help  string `json:"help"`
		closing
	}{opened("help"), cmd.CommandPath(), b.String(), closed(nil, nil)})
}

// helpCmd replaces cobra's own help command, whose errors go round our exit codes.
func (a *app) helpCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		GroupID: groupSetUp,
		Long: `Show the help of a command, or of dwp itself.

Exit codes: 0 shown; 2 there is no such command.`,
		Example: "  dwp help verify",
		Args:    atMost(2),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range cmd.Root().Commands() {
				if c.IsAvailableCommand() && len(args) == 0 {
					names = append(names, c.Name()+"\t"+c.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			at := cmd.Root()
			for _, name := range args {
				next := childOf(at, name)
				if next == nil {
					return unknownCommand(at, name)
				}
				at = next
			}
			return at.Help()
		},
	}
}

// childOf finds a command below another; nil when there is none.
func childOf(cmd *cobra.Command, name string) *cobra.Command {
	for _, c := range cmd.Commands() {
		if c.Name() == name {
			return c
		}
	}
	return nil
}

// unknownCommand is the failure of a word that names no command below cmd.
func unknownCommand(cmd *cobra.Command, word string) *failure {
	hint := "see " + cmd.CommandPath() + " --help"
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage("unknown-command", hint, "unknown command %q", strings.TrimPrefix(cmd.CommandPath()+" "+word, "dwp "))
}

// parentCmd makes a command that only holds others: alone it shows its help, and a word that is none of them is refused. Its example is
// the first one of each of them.
func parentCmd(use, short, group, long string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, GroupID: group, Long: long,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknownCommand(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SuggestionsMinimumDistance: 2,
	}
	cmd.Long += "\n\nExit codes: those of the commands below; 2 for a word that is none of them."
	var examples []string
	for _, c := range below {
		for line := range strings.Lines(c.Example) {
			examples = append(examples, strings.TrimSuffix(line, "\n"))
			if !strings.HasSuffix(line, "\\\n") { // a command may go on in the next line
				break
			}
		}
	}
	cmd.Example = strings.Join(examples, "\n")
	cmd.AddCommand(below...)
	return cmd
}

// writeHelp prints what the command is, how it is called, examples, flags; for dwp itself also the commands and the
// exit codes.
func writeHelp(b *strings.Builder, cmd *cobra.Command) {
	// A command whose short text says it all has no long one.
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	fmt.Fprintf(b, "%s\n\nUsage:\n", strings.TrimSpace(text))
	// cobra would say "dwp [command]", and nothing of -C.
	switch {
	case !cmd.HasParent():
		fmt.Fprintf(b, "  %s [-C DIR] COMMAND [PLAN] [flags]\n", cmd.CommandPath())
	case cmd.HasAvailableSubCommands():
		fmt.Fprintf(b, "  %s COMMAND\n", cmd.CommandPath())
	default:
		fmt.Fprintf(b, "  %s\n", cmd.UseLine())
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, g := range cmd.Groups() {
		writeGroup(b, cmd, g)
	}
	if cmd.HasParent() && cmd.HasAvailableSubCommands() {
		writeGroup(b, cmd, &cobra.Group{Title: "Commands"})
	}
	writeFlags(b, "Flags", cmd.LocalNonPersistentFlags())
	if cmd.HasParent() {
		writeFlags(b, "Flags of every command", cmd.InheritedFlags())
		return
	}
	writeFlags(b, "Flags of every command", cmd.PersistentFlags())
	b.WriteString(planHelp)
	b.WriteString("\nExit codes:\n")
	for _, l := range exitLines {
		fmt.Fprintf(b, "  %-3d  %s\n", l.code, l.text)
	}
	b.WriteString("\nRun dwp COMMAND --help for one command.\n")
}

// planHelp says what PLAN may be, once for all commands.
const planHelp = `
PLAN is a plan's name with or without PLAN_, a path to its folder, or latest
(the one changed last). Without it DWP_PLAN is used. With neither, verify,
status and list cover all plans; the others take the only open plan and stop
when there are several. DWP_DIR (absolute) names another folder than .dwp.
`

// writeGroup lists the commands of one group.
func writeGroup(b *strings.Builder, cmd *cobra.Command, g *cobra.Group) {
	fmt.Fprintf(b, "\n%s:\n", g.Title)
	for _, c := range cmd.Commands() {
		// cobra doesn't count its help command as available.
		if c.GroupID == g.ID && (c.IsAvailableCommand() || c.Name() == "help") {
			fmt.Fprintf(b, "  %-12s  %s\n", c.Name(), c.Short)
		}
	}
}

// writeFlags lists flags by name in one aligned column.
func writeFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	var rows [][2]string
	width := 0
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		arg, text := pflag.UnquoteUsage(f)
		name := "    --" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", --" + f.Name
		}
		if arg != "" {
			name += " " + arg
		}
		width = max(width, len(name))
		rows = append(rows, [2]string{name, text})
	})
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	// Help reads the same on every terminal, since it is compared; it is wrapped for the narrowest that is common.
	column := 2 + width + 2
	for _, r := range rows {
		lines := wrap(r[1], defaultWidth-column, defaultWidth-column)
		fmt.Fprintf(b, "  %-*s  %s\n", width, r[0], strings.Join(lines, "\n"+strings.Repeat(" ", column)))
	}
}
