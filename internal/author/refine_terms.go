package author

import "github.com/deepworkplan/dwp/internal/update"

// RefineTerms is what a refinement may meet: older plans without a state layer too (PS-2).
var RefineTerms = update.Terms{Stateless: true}
