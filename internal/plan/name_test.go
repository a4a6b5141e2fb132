package plan

import "testing"

// PD-2: PLAN_ and two to five lower-case words.
func TestValidName(t *testing.T) {
	for name, want := range map[string]bool{
		"PLAN_move_archives": true, "PLAN_a_b_c_d_e": true, "PLAN_move_2": true,
		"": false, "PLAN_": false, "PLAN_move": false, "PLAN_a_b_c_d_e_f": false, "plan_move_archives": false, "move_archives": false,
		"PLAN_move__archives": false, "PLAN_move_": false, "PLAN__move_it": false, "PLAN_Move_it": false, "PLAN_move-it_all": false, "PLAN_caf\u00e9_bar": false,
		"PLAN_move_it\n": false, "PLAN_move it_all": false,
	} {
		if got := ValidName(name); got != want {
			t.Errorf("ValidName(%q) = %t, want %t", name, got, want)
		}
	}
}
