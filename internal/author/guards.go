package author

import (
	"slices"

	"github.com/deepworkplan/dwp/internal/update"
)

// Guards returns the rules that operations of this package are refused under, in the order of listings. The slice is the caller's.
func Guards() []update.Guard {
	return slices.Concat(amendGuards, promotionGuards)
}
