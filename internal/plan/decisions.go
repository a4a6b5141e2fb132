package plan

import "github.com/deepworkplan/dwp/internal/planmd"

// Decisions are the decisions that a PROGRESS.md records, in its order; none without one (UN-5). The slice is shared: it is not to be changed.
func Decisions(g *planmd.Progress) []planmd.Decision {
	if g == nil {
		return nil
	}
	return g.Decided
}
