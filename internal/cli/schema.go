package cli

import (
	"encoding/json"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/spf13/cobra"
)

// schemaCmd prints the published schemas (PS-21), for editors and other tools; dwp itself decodes without them.
func (a *app) schemaCmd() *cobra.Command {
	var era string
	cmd := &cobra.Command{
		Use:     "schema KIND",
		Short:   "Print a JSON Schema: plan's files, outline, changes, config",
		GroupID: groupSetUp,
		Long: `Print the JSON Schema of manifest.json or state.json (KIND is manifest or state)
as it is built into dwp. An era is a generation of the files: v1, v2 or v5. KIND
outline is what dwp create takes, KIND refine what dwp refine --from takes, KIND
config what .dwp/config.json holds; these have no era.

Exit codes: 0 printed; 2 there is no such KIND or era.`,
		Example: `  dwp schema state > state.schema.json
  dwp schema manifest --era v1`,
		Args:      between(1, 1),
		ValidArgs: []string{"manifest", "state", "outline", "refine", "config"},
		RunE:      func(_ *cobra.Command, args []string) error { return a.schema(args[0], era) },
	}
	cmd.Flags().StringVar(&era, "era", string(state.V5), "the `ERA` of the files: v1, v2, or v5, which is the default")
	cmd.RegisterFlagCompletionFunc("era", cobra.FixedCompletions([]string{"v1", "v2", "v5"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// schema prints the bytes as they are embedded; nothing is fetched (AG-5).
func (a *app) schema(kind, era string) error {
	text, ok := state.Schema(kind, state.Era(era))
	switch kind {
	case "outline":
		text, ok, era = author.OutlineSchema(), true, ""
	case "refine":
		text, ok, era = author.ChangesSchema(), true, ""
	case "config":
		text, ok, era = agent.ConfigSchema(), true, ""
	}
	if !ok {
		return usage("unknown-schema", "KIND is manifest, state, outline, refine or config, --era is v1, v2 or v5", "there is no schema of %q in %q", kind, era)
	}
	if !a.json {
		a.out.Write(ensureNewline(text))
		return nil
	}
	return a.writeJSON(struct {
		opening
		Kind   string          `json:"kind"`
		Era    string          `json:"era"`
		Schema json.RawMessage `json:"schema"`
		closing
	}{opened("schema"), kind, era, text, closed(nil, nil)})
}
