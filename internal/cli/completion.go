package cli

import (
	"bytes"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// completionCmd replaces cobra's own completion command, which knows neither --json nor our exit codes.
func (a *app) completionCmd() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:     "completion SHELL",
		Short:   "Print a completion script for your shell",
		GroupID: groupSetUp,
		Long: `Print a completion script for your shell: bash, zsh, fish or powershell.
It completes commands, flags, plan names and rules.

Exit codes: 0 printed; 2 there is no such shell.`,
		Example: `  source <(dwp completion bash)
  dwp completion zsh > "${fpath[1]}/_dwp"
  dwp completion fish > ~/.config/fish/completions/dwp.fish
  dwp completion powershell | Out-String | Invoke-Expression`,
		Args:      between(1, 1),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(shells, args[0]) {
				return usage("unknown-shell", "one of: "+strings.Join(shells, ", "), "unknown shell %q", args[0])
			}
			return a.completion(cmd.Root(), args[0])
		},
	}
}

// completion prints cobra's script for a shell. It is made in memory first, so that --json can carry it as a string.
func (a *app) completion(root *cobra.Command, shell string) error {
	// The scripts call back "dwp __complete", which cobra answers from the commands' ValidArgs.
	var script bytes.Buffer
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&script, true)
	case "zsh":
		err = root.GenZshCompletion(&script)
	case "fish":
		err = root.GenFishCompletion(&script, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&script)
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.writeJSON(struct {
			opening
			Shell  string `json:"shell"`
			Script string `json:"script"`
			closing
		}{opened("completion"), shell, script.String(), closed(nil, nil)})
	}
	a.out.Write(script.Bytes())
	return nil
}
