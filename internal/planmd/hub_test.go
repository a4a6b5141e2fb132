package planmd

import (
	"strings"
	"testing"
)

// AG-4, PD-10, PD-11: a tracking table is found by its columns, in any order and language, with CRLF, links and code in its cells; what
// stands in code or in a table of other things is no row.
func TestReadHub(t *testing.T) {
	src := "# Manifest\r\n\r\n- **Hub:** `fleet:PLAN_one_login`\r\n\r\n| Status | Child plan | Repository | Task | Waits for |\r\n|---|---|---|---|---|\r\n" +
		"| 2/4 on 2026-09-01 | [PLAN_a_b](../a) | `a` | Task 12 | - |\r\n| x | PLAN_c_d | ../c | - | a:PLAN_a_b and PLAN_e_f |\r\n\r\n" +
		"| File | Plan |\r\n|---|---|\r\n| a | b |\r\n\r\n```\r\n| Repository | Plan |\r\n|---|---|\r\n| code | code |\r\n```\r\n\r\n" +
		"| Repositório | Plano | Tarefa |\r\n|---|---|---|\r\n| web | PLAN_g_h | 3 | more |\r\n"
	h := ReadHub([]byte(src))
	var rows []string
	for _, c := range h.Children {
		rows = append(rows, strings.Join([]string{c.Repository, c.Plan, string(rune('0' + c.Task)), strings.Join(c.DependsOn, "+"), c.Status}, ","))
	}
	got, want := strings.Join(rows, "\n"), "a,PLAN_a_b,<,,2/4 on 2026-09-01\n../c,PLAN_c_d,0,a:PLAN_a_b+PLAN_e_f,x\nweb,PLAN_g_h,3,,"
	if got != want || !h.Table || h.Name != "fleet:PLAN_one_login" {
		t.Errorf("%q\n%s\nwant\n%s", h.Name, got, want)
	}
	if h := ReadHub([]byte("# Manifest\n\nwords\n")); h.Table || len(h.Children) > 0 {
		t.Errorf("%+v", h)
	}
}

// Any bytes are read without a panic, and every row points into the text.
func FuzzReadHub(f *testing.F) {
	f.Add([]byte("| Repository | Plan |\n|---|---|\n| a | PLAN_a_b |\n"))
	f.Add([]byte("## Child Plans\n\n- a: PLAN_a_b, task 2, after PLAN_c_d - notes\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, h := range []*Hub{ReadHub(src), ReadChildren(src)} {
			for _, c := range h.Children {
				if c.Span.Start < 0 || c.Span.Start > c.Span.End || c.Span.End > len(src) || c.Task < 0 {
					t.Fatalf("%+v", c)
				}
			}
		}
	})
}
