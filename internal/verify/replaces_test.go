package verify_test

import (
	"testing"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/verify"
)

// PS-13: an amendment replaces a command only when it names it, and says of another that it holds from now on.
func TestReplaces(t *testing.T) {
	const old, other, longer = "go test", "go vet ./...", "go test ./rates/..."
	field := func(kind planmd.FieldKind, value string) planmd.Field { return planmd.Field{Kind: kind, Value: value} }
	for name, test := range map[string]struct {
		fields  []planmd.Field
		passing []string
		want    bool
	}{
		"in one line": {[]planmd.Field{field(planmd.FieldDisposition, "`go test` is replaced by `go vet ./...`")}, []string{other}, true},
		"original and revised": {[]planmd.Field{field(planmd.FieldOriginal, "`go test` passes"), field(planmd.FieldRevised, "`go vet ./...` passes")},
			[]string{other}, true},
		"invalidated, and replaced for a reason": {[]planmd.Field{field(planmd.FieldInvalidated, "go test"), field(planmd.FieldReason, "go vet ./... says it all")},
			[]string{other}, true},
		"under a label of its own": {[]planmd.Field{field(planmd.FieldOther, "go test -> go vet ./...")}, []string{other}, true},
		"without spaces":           {[]planmd.Field{field(planmd.FieldReason, "用go vet ./...代替go test。")}, []string{other}, true},
		"by a longer one":          {[]planmd.Field{field(planmd.FieldReason, "`go test` becomes `go test ./rates/...`")}, []string{longer}, true},
		"one invalidated, one preserved": {[]planmd.Field{field(planmd.FieldInvalidated, "go test"), field(planmd.FieldPreserved, "go vet ./...")},
			[]string{other}, false},
		"both invalidated":         {[]planmd.Field{field(planmd.FieldInvalidated, "go test; go vet ./...")}, []string{other}, false},
		"both observed":            {[]planmd.Field{field(planmd.FieldObserved, "go test fails, go vet ./... passes")}, []string{other}, false},
		"only a longer one":        {[]planmd.Field{field(planmd.FieldReason, "`go test ./rates/...` is enough")}, []string{longer}, false},
		"a part of a word":         {[]planmd.Field{field(planmd.FieldReason, "cargo tests; go vet ./...; go test-all")}, []string{other}, false},
		"the new one doesn't pass": {[]planmd.Field{field(planmd.FieldReason, "go test, then go vet ./...")}, nil, false},
		"only itself":              {[]planmd.Field{field(planmd.FieldReason, "go test again")}, []string{old}, false},
	} {
		a := planmd.Amendment{Number: 1, Fields: test.fields}
		if got := verify.Replaces(&a, old, test.passing, []string{old, other, longer}); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
