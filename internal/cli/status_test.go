package cli

import (
	"testing"

	"github.com/deepworkplan/dwp/internal/state"
)

// PS-8: the axes are told apart in words, so that "pending" never stands twice without a name.
func TestStatusWords(t *testing.T) {
	for _, tt := range []struct {
		status                    state.Status
		materialization, approval string
		want                      string
	}{
		{state.Pending, "ready", "pending", "pending; approval pending"},
		{state.InProgress, "ready", "approved", "in progress; approved"},
		{state.Pending, "materializing", "pre_approved", "pending; materializing; pre-approved"},
		{state.Completed, "ready", "", "completed"},
		{"", "", "", "unknown"},
	} {
		v := statusOf{Status: tt.status, Materialization: tt.materialization, Approval: tt.approval}
		if got := v.words(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
