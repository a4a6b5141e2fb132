package cli

import (
	"errors"
	"testing"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/verify"
)

// C147: words and codes agree, for every outcome.
func TestWordsAndCodesAgree(t *testing.T) {
	for _, tt := range []struct {
		verdict verify.Verdict
		words   string
		code    int
		helper  int // exit code of the compatible command
	}{
		{verify.Conformant, "CONFORMANT", 0, 0},
		{verify.Nonconformant, "NOT CONFORMANT", 1, 1},
		{verify.Unverified, "UNVERIFIED", 3, 2},
		{"", "UNVERIFIED", 3, 2},
	} {
		if got := verdictWords(tt.verdict); got != tt.words {
			t.Errorf("%s: words %q, want %q", tt.verdict, got, tt.words)
		}
		if got := verdictExit(tt.verdict); got != tt.code {
			t.Errorf("%s: code %d, want %d", tt.verdict, got, tt.code)
		}
		a := &app{}
		if got := a.finish("conformance", compatible(answer(verdictExit(tt.verdict)))); got != tt.helper {
			t.Errorf("%s: conformance's code %d, want %d", tt.verdict, got, tt.helper)
		}
	}
}

func TestCompatibleFailures(t *testing.T) {
	for _, err := range []error{usage("x", "", "x"), cannot("x", "", "x"), errors.New("x")} {
		if got := failureOf(compatible(err)).exit; got != 2 {
			t.Errorf("%#v: code %d, want 2", err, got)
		}
	}
}

// VP-6, DESIGN: any must finding 1, else anything not evaluated 3, else 0, whatever the order of the plans.
func TestWorse(t *testing.T) {
	const c, n, u = verify.Conformant, verify.Nonconformant, verify.Unverified
	for _, tt := range []struct{ a, b, want verify.Verdict }{
		{c, c, c}, {c, n, n}, {n, c, n}, {c, u, u}, {u, c, u}, {u, n, n}, {n, u, n}, {n, n, n},
	} {
		if got := worse(tt.a, tt.b); got != tt.want {
			t.Errorf("worse(%s, %s) = %s, want %s", tt.a, tt.b, got, tt.want)
		}
	}
}

// C97, C101: blocked is neither success nor error, and each hold has words of its own.
func TestHolds(t *testing.T) {
	seen := map[string]plan.Hold{}
	for hold, code := range map[plan.Hold]int{
		plan.HoldNewer: 1, plan.HoldMalformed: 1, plan.HoldPublishing: 1, plan.HoldOperation: 1, plan.HoldPromoting: 1,
		plan.HoldPartial: 1, plan.HoldUnapproved: 5, plan.HoldBlocked: 5, plan.HoldCompleted: 0, plan.HoldNoTasks: 1,
		plan.HoldAmbiguous: 1, plan.HoldDesync: 1, plan.HoldDependences: 1, plan.HoldSkipped: 1, "unheard-of": 1,
	} {
		if got := holdExit(hold); got != code {
			t.Errorf("holdExit(%s) = %d, want %d", hold, got, code)
		}
		words := holdWords(hold)
		if other, ok := seen[words]; ok {
			t.Errorf("%s and %s have the same words: %q", hold, other, words)
		}
		if hold != "unheard-of" && words == "nothing to start: "+string(hold) {
			t.Errorf("%s is told by its name alone: %q", hold, words)
		}
		seen[words] = hold
	}
}
