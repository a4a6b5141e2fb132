package planmd_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/deepworkplan/dwp/internal/planmd"
)

// TestCandidateEntries: titles and dispositions are read in every form that people use; a line that names its candidate outweighs what was
// said before (PD-8).
func TestCandidateEntries(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string
		none bool
	}{
		"none":       {"# Skills\n\nText about it.\n\nThere are none yet.\n", nil, true},
		"prose":      {"# Skills\n\nThere are none yet, but\nthere will be.\n", nil, false},
		"items":      {"# Skills\n\n- T1-1: Read the log \u2014 often\n  - Why: it helps\n  - Disposition: update logs\n- **T2-1** x\n- other\n  - Disposition: none\n", []string{"T1-1|Read the log \u2014 often|it helps|update logs", "T2-1|x||"}, false},
		"headings":   {"# Skills\n\n## T1-1 \u2014 Logs\n\n- Why: a\n- Disposition: create y\n\n## Notes\n\n- Disposition: none\n", []string{"T1-1|Logs|a|create y"}, false},
		"table":      {"| ID | Skill | Disposition |\n|---|---|---|\n| T3-2 | logs | **defer** |\n| T3-3 | more | |\n", []string{"T3-2|logs||defer", "T3-3|more||"}, false},
		"later line": {"- T1-1: a\n  - Disposition: none\n- T1-2: b\n\nDisposition of T1-1: update x\n\n- Disposition of T1-2: none\n", []string{"T1-1|a||update x", "T1-2|b||none"}, false},
		"paragraphs": {"T1-1 one\n\nDisposition: none\n", []string{"T1-1|one||"}, false},
	} {
		c := planmd.ReadCandidates([]byte(tt.text))
		var got []string
		for _, x := range c.List {
			value := ""
			if x.Disposition != nil {
				value = x.Disposition.Value
			}
			got = append(got, fmt.Sprintf("%s|%s|%s|%s", x.ID, x.Title, x.Why, value))
		}
		if !slices.Equal(got, tt.want) || (c.None.End > 0) != tt.none || len(c.Malformed) > 0 {
			t.Errorf("%s: got %q, none %v, malformed %v; want %q", name, got, c.None, c.Malformed, tt.want)
		}
	}
}
