package author

import (
	"slices"

	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/update"
)

// Guards returns the rules that operations of this package are refused under, in the order of listings. The slice is the caller's.
func Guards() []update.Guard {
	return slices.Concat(amendGuards, promotionGuards, taskGuards, editGuards, migrateGuards)
}

// refuse makes a refusal under one of them, or under a rule that publish, update or verify knows.
func refuse(id, format string, args ...any) *publish.Refused {
	return publish.RefuseBy(Guards(), id, format, args...)
}
