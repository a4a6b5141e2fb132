package state_test

import (
	"testing"

	"github.com/deepworkplan/dwp/internal/state"
)

// PS-17, PS-10: a blocker outweighs all; skipped work neither completes a plan nor leaves it pending.
func TestDerived(t *testing.T) {
	const c, i, p, b, s = state.Completed, state.InProgress, state.Pending, state.Blocked, state.Skipped
	for _, test := range []struct {
		tasks     []state.Status
		blocker   bool
		want      state.Status
		completed int
	}{
		{nil, false, p, 0},
		{[]state.Status{p, p}, false, p, 0},
		{[]state.Status{c, p}, false, i, 1},
		{[]state.Status{i, p}, false, i, 0},
		{[]state.Status{c, c}, false, c, 2},
		{[]state.Status{c, s}, false, i, 1},
		{[]state.Status{s, p}, false, i, 0},
		{[]state.Status{c, b}, false, b, 1},
		{[]state.Status{c, c}, true, b, 2},
	} {
		st := &state.State{}
		for n, status := range test.tasks {
			st.Tasks = append(st.Tasks, state.Task{ID: n + 1, Status: status})
		}
		if test.blocker {
			st.Blocked = &state.Blocker{}
		}
		if status, completed := st.Derived(); status != test.want || completed != test.completed {
			t.Errorf("%v, blocker %v: %s, %d; want %s, %d", test.tasks, test.blocker, status, completed, test.want, test.completed)
		}
	}
}
