package plan

import (
	"path/filepath"
	"testing"
)

// Linux keeps names that are no UTF-8; what lies behind them is read like anything else.
func TestOpenNamesOfBytes(t *testing.T) {
	base := folder(t, map[string]string{"PLAN_a/bad\xff/2.task_x.md": "", "PLAN_a/1.task_\xfe.md": "# Task 1: x"})
	s, err := Open(filepath.Join(base, "PLAN_a"))
	must(t, err)
	if len(s.TaskFiles) != 1 || s.TaskFiles[0].Doc == nil || len(s.Nested) != 1 || s.Nested[0].Doc == nil || s.Moved {
		t.Errorf("got %v, %v, moved %v", s.TaskFiles, s.Nested, s.Moved)
	}
}
