package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionCmd prints what a bug report needs.
func (a *app) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of dwp",
		GroupID: groupSetUp,
		Long: `Print the version of dwp, and with --json that of Go it was built with.

Exit codes: 0.`,
		Example: "  dwp version --json",
		Args:    atMost(0),
		RunE:    func(*cobra.Command, []string) error { return a.printVersion() },
	}
}

// printVersion answers dwp version and dwp --version alike.
func (a *app) printVersion() error {
	if a.json {
		return a.writeJSON(struct {
			opening
			Dwp string `json:"dwp"`
			Go  string `json:"go"`
			closing
		}{opened("version"), version(), runtime.Version(), closed(nil, nil)})
	}
	a.page().line("dwp %s", version())
	return nil
}

// version is the module version this binary was built from; "(devel)" when the build did not record one.
func version() string {
	// The go command writes it into the binary; there is no number here that a release could forget to raise.
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
