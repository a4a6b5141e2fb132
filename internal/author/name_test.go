package author

import (
	"strings"
	"testing"
)

// C133, PD-2: a title in any script makes a valid name, and different titles make different ones.
func TestNameFor(t *testing.T) {
	for title, want := range map[string]string{
		"Export invoices as CSV":                             "PLAN_export_invoices_as_csv",
		"Rewrite the whole of the billing engine":            "PLAN_rewrite_whole_of_billing_engine",
		"Show the deposit on the receipt":                    "PLAN_show_deposit_on_receipt",
		"Move every report of the old server to the new one": "PLAN_move_every_report_of_old",
		"Keep what riders see in the cellar":                 "PLAN_keep_what_riders_see",
		"The a the a the an":                                 "PLAN_the_a_the_a_the",
		"Refactor":                                           "PLAN_refactor_plan",
		"plan":                                               "PLAN_plan_plan",
	} {
		if got := NameFor(title); got != want {
			t.Errorf("%q: got %s, want %s", title, got, want)
		}
	}
	seen := map[string]string{}
	for _, title := range []string{
		"修复登录页面", "修复注册页面", "แก้ไขหน้าเข้าสู่ระบบ", "\U0001f680\U0001f680", "\U0001f680", "修复 login", "改进 login", "Añadir página", "...",
		strings.Repeat("verylongword", 40), "a", "1", "Plan",
	} {
		name := NameFor(title)
		if !ValidName(name) {
			t.Errorf("%q makes %q", title, name)
		}
		if other, taken := seen[name]; taken {
			t.Errorf("%q and %q make %s", title, other, name)
		}
		seen[name] = title
	}
}

// C133: task files in any script are named, and never collide.
func TestTaskFile(t *testing.T) {
	for _, tt := range []struct {
		n     int
		title string
		want  string
	}{
		{1, "Write invoices as CSV", "1.task_write_invoices_as_csv.md"},
		{2, "修复登录页面", "2.task_2.md"},
		{3, "\U0001f680", "3.task_3.md"},
		{12, "Move one two three four five six", "12.task_move_one_two_three_four_five.md"},
		{4, "../../etc/passwd", "4.task_etcpasswd.md"},
	} {
		if got := taskFile(tt.n, tt.title); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.title, got, tt.want)
		}
	}
}

func TestValidName(t *testing.T) {
	for name, want := range map[string]bool{
		"PLAN_a_b": true, "PLAN_a_b_c_d_e": true, "PLAN_a": false, "PLAN_a_b_c_d_e_f": false, "PLAN_A_b": false, "a_b": false, "PLAN_a__b": false, "PLAN_": false, "": false,
		"PLAN_a_b/..": false,
	} {
		if got := ValidName(name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}
