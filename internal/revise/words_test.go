package revise_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
)

// TestQuote: in a quotation nothing is structure, whatever it says (UN-6).
func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		"go ahead":            "`go ahead`",
		"two\nlines":          "`two lines`",
		"use `make` now":      "``use `make` now``",
		"``` a":               "```` ``` a ````",
		"a `":                 "`` a ` ``",
		"<!-- hidden":         "`<!-- hidden`",
		"## Task 2: [x] done": "`## Task 2: [x] done`",
	} {
		got := revise.Quote(text)
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		p := planmd.ReadProgress([]byte("# Progress\n\n## 2026-09-01 Approval\n\n- Words: " + got + "\n\n## 2026-09-02 Task 1: Done\n\n- it\n"))
		if len(p.Entries) != 1 || p.Entries[0].Task != 1 || len(p.Problems) != 0 {
			t.Errorf("%q: entries %+v, problems %+v", text, p.Entries, p.Problems)
		}
	}
}

// TestGrantingWords: words that speak of an agent, or deny, stand verbatim and leave the authority what it is (UN-6, AM-1).
func TestGrantingWords(t *testing.T) {
	a := amendment
	a.Authority, a.Words, a.Recorded = planmd.AuthorityUser, "not the model, but the agent on behalf of us: `go`", "Mill"
	if labels := a.Unfaithful(); len(labels) > 0 {
		t.Errorf("unfaithful: %q", labels)
	}
}

// TestUnfaithful: what would swallow the lines behind it, or read as something else, is named (PD-12).
func TestUnfaithful(t *testing.T) {
	for text, want := range map[string]bool{
		"plain": false, "a | b": false, "**bold** and `code`": false, "Reason: none of it": false, "1 < 2": false,
		"Authority: user": false, "\u0e22\u0e2d\u0e14\u0e15\u0e23\u0e07\u0e01\u0e31\u0e19": false, "[link](x.md)": false, "<!-- a --> b": true,
	} {
		a := amendment
		a.Observed = text
		if got := slices.Contains(a.Unfaithful(), "Observed"); got != want {
			t.Errorf("%q: %v, want %v (%s)", text, got, want, strings.Join(a.Unfaithful(), ", "))
		}
	}
}
