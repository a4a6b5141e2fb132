package planmd

import "testing"

// TestCriticalFindings counts the unresolved critical findings of a review (PD-7, TRAPS).
func TestCriticalFindings(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{"**Critical:** token in the log, unfixed", 1},
		{"- **Critical:** token in the log", 1},
		{"- Critical: not fixed yet", 1},
		{"Critical: no rate limit on login", 1},
		{"- [Critical] SQL injection in search", 1},
		{"- **[CRITICAL]** SQL injection in search", 1},
		{"- Critical \u2014 SQL injection in search", 1},
		{"| Severity | Finding | Status |\n|---|---|---|\n| Critical | x | open |\n| High | y | open |", 1},
		{"| Finding | Severity |\n|---|---|\n| x | \U0001f534 Critical |", 1},
		{"| Critical | x | open |", 1},
		{"| Critical | High |\n|---|---|\n| 2 | 0 |", 1},
		{"| Severity | Count |\n|---|---|\n| Critical | 1 |", 1},
		{"## Critical\n\n- a\n- b", 2},
		{"## Critical findings\n\nThe token leaks.", 1},
		{"## Critical\n\n### Token leaks\n\ndetails\n\n### Keys leak\n\ndetails", 2},
		{"### Critical: token leaks\n\ndetails", 1},
		{"### 1. Critical \u2014 token leaks", 1},
		{"### Token leaks\n\n- **Severity:** Critical\n- **Status:** open", 1},
		{"Critical findings:\n\n- a\n- b", 1},
		{"**Critical:** a, to be fixed", 1},
		{"**Critical:** a, accepted", 1},
		{"**Crítico:** chave exposta", 1},
		{"**严重:** 密钥泄露", 1},

		{"There is no open critical finding.", 0},
		{"No critical finding remains.", 0},
		{"**No critical findings.**", 0},
		{"Critical path reviewed.", 0},
		{"- Critical path: reviewed", 0},
		{"- Critical paths reviewed", 0},
		{"Critical: none", 0},
		{"- **Critical:** None found.", 0},
		{"Critical: 0", 0},
		{"Critical findings: 0", 0},
		{"Critical: n/a", 0},
		{"Critical: \u2014", 0},
		{"Critical: No critical findings", 0},
		{"Critical: no open issues", 0},
		{"**Critical:** token in the log \u2014 fixed in a1b2c3d", 0},
		{"**Critical:** token in the log\u2014fixed", 0},
		{"**Critical:** token in the log; accepted by Ada Byron on 2026-09-01", 0},
		{"**Critical:** token in the log\nresolved by rotation", 0},
		{"## Critical\n\nNone.", 0},
		{"## Critical\n", 0},
		{"## Critical findings\n\n- None", 0},
		{"## Critical (0)\n\nNothing found.", 0},
		{"## Critical: none", 0},
		{"## Critical\n\n- token leaks \u2014 resolved", 0},
		{"## Critical\n\n### Token leaks\n\nStatus: fixed", 0},
		{"### Critical: token leaks\n\n- Status: mitigated", 0},
		{"### Token leaks\n\n- **Severity:** Critical\n- **Status:** resolved", 0},
		{"| Severity | Finding | Status |\n|---|---|---|\n| Critical | x | fixed |", 0},
		{"| Severity | Count |\n|---|---|\n| Critical | 0 |\n| High | 2 |", 0},
		{"| Critical | High |\n|---|---|\n| 0 | 3 |", 0},
		{"| Severity | Finding |\n|---|---|\n| Critical | None |", 0},
		{"| Severity | Finding |\n|---|---|\n| Critical | |", 0},
		{"```\n**Critical:** x\n```", 0},
		{"<!-- **Critical:** x -->", 0},
		{"> **Critical:** how findings are written", 0},
		{"**Crítico:** ninguno", 0},
		{"**Crítico:** nenhum", 0},
		{"**严重:** 无", 0},
		{"- **Risk Level:** Low", 0},
	}
	for _, tt := range tests {
		v := ReadReview([]byte("# Security review\n\n## Scope\n\nAll of it.\n\n" + tt.text + "\n"))
		if len(v.Critical) != tt.want {
			t.Errorf("%q: got %+v, want %d", tt.text, v.Critical, tt.want)
		}
		if v.Empty {
			t.Errorf("%q: empty", tt.text)
		}
	}
}

func TestReviewEmpty(t *testing.T) {
	for src, want := range map[string]bool{
		"": true, "\n \n": true, "# Security review\n": true, "# Security review\n\nTBD\n": true, "<!-- x -->": true, "# Security review\n\nClean.\n": false,
	} {
		if v := ReadReview([]byte(src)); v.Empty != want {
			t.Errorf("%q: got %v, want %v", src, v.Empty, want)
		}
	}
}

// TestReviewDocumentation finds the documentation reconciliation.
func TestReviewDocumentation(t *testing.T) {
	for text, want := range map[string]bool{
		"## Documentation reconciliation\n\nAll current.": true, "Documentation reconciliation: done": true,
		"## Documentation reconciliation\n": false, "```\n## Documentation reconciliation\n\nx\n```": false, "Clean.": false,
	} {
		if v := ReadReview([]byte("# Security review\n\n" + text + "\n")); v.Documentation != want {
			t.Errorf("%q: got %v, want %v", text, v.Documentation, want)
		}
	}
}
