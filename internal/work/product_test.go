package work

import (
	"testing"
)

func TestNamesTask(t *testing.T) {
	for message, want := range map[string]bool{
		"feat(x): y - Task 2 of PLAN_a": true, "feat: y\n\nTask 2\nof plan_a.": true,
		"Task 2 of PLAN_ab": false, "Task 12 of PLAN_a": false, "Task 2": false, "Task 2 of PLAN_a_b, Task 2 of PLAN_a": true,
	} {
		if got := NamesTask(message, "PLAN_a", 2); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}
