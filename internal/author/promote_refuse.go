package author

import (
	"strings"

	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/update"
)

// promotionGuards is the table of the rules that speak of a promotion, which no plan at rest can break.
var promotionGuards = []update.Guard{
	{ID: "guard/promotion-faithful", Requirement: "LF-9", Title: "a promotion carries every record whole, or begins nothing",
		Hint: "mend the place that is named in README.md, then promote again"},
	{ID: "guard/promotion-facts", Requirement: "LF-9", Title: "the marker of a promotion and the files of the plan agree",
		Hint: "look at the file that is named; dwp promote --withdraw takes a promotion back that has not switched"},
	{ID: "guard/promotion-differs", Requirement: "LF-9", Title: "every task file says what its record says before the README is switched",
		Hint: "the plan is Lite as before; promote it again when nothing else writes into it"},
	{ID: "guard/promotion-switched", Requirement: "LF-9", Title: "a promotion that has switched goes forward only",
		Hint: "dwp promote finishes it"},
	{ID: "guard/promotion-era", Requirement: "PS-8", Title: "state.json knows formats", Hint: "migrate the plan first"},
}

// rolledBack is the answer when a written file is not what its record says.
func rolledBack(differs error, kept []string) *publish.Refused {
	cause := strings.TrimSuffix(differs.Error(), "; nothing was written")
	r := refuse("guard/promotion-differs", "%s", cause)
	r.Message = cause + "; the promotion was taken back"
	if len(kept) > 0 {
		r.Hint = "what another hand had changed is kept as " + strings.Join(kept, ", ") + "; " + r.Hint
	}
	return r
}
