package dcli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/deepworkplan/dwp/internal/daemon"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/spf13/cobra"
)

// recipeCmd prints what makes a machine's own scheduler take turns.
func (a *app) recipeCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "recipe KIND [PLAN]",
		Short: "Print a recipe for your machine's own scheduler",
		Long: `Print a recipe for your machine's own scheduler, with the paths of this place
filled in, to look at and to install yourself. Nothing is written, and no
database is needed.

` + recipeLines() + `
Exit codes: 0 printed; 2 a wrong call, or a path that can't stand there.`,
		Example: `  dwp daemon recipe systemd > ~/.config/systemd/user/dwp.service
  dwp daemon recipe cron quote_service`,
		Args:      cli.Between(1, 2),
		ValidArgs: daemon.RecipeKinds(),
		RunE:      func(_ *cobra.Command, args []string) error { return a.recipe(args) },

		DisableFlagsInUseLine: true,
	}
	return cmd
}

// recipeLines lists the kinds.
func recipeLines() string {
	var b strings.Builder
	for _, kind := range daemon.RecipeKinds() {
		b.WriteString("  " + kind + strings.Repeat(" ", 10-len(kind)) + daemon.RecipeFor(kind) + "\n")
	}
	return b.String()
}

func (a *app) recipe(args []string) error {
	p, err := a.place()
	if err != nil {
		return err
	}
	dish := daemon.Recipe{Root: p.root, Dwp: "dwp", Dwpd: "dwpd", Home: a.Env().Getenv("HOME")}
	if path, err := os.Executable(); err == nil {
		dish.Dwpd = path
	}
	if path, err := runner.Sister("dwp"); err == nil {
		dish.Dwp = path
	}
	if len(args) == 2 {
		_, folder, err := a.Plan(args[1:])
		if err != nil {
			return err
		}
		dish.Plan = filepath.Clean(folder)
	}
	text, err := dish.Text(args[0])
	if err != nil {
		return cli.Usage("bad-recipe", "one of: "+strings.Join(daemon.RecipeKinds(), ", "), "%s", err)
	}
	if a.JSON() {
		return a.WriteJSON(struct {
			cli.Opening
			Kind string `json:"kind"`
			Text string `json:"text"`
			cli.Closing
		}{cli.Opened("daemon recipe"), args[0], text, cli.Closed()})
	}
	a.Text(text)
	return nil
}
