package state

import (
	"testing"
)

// TestReadWhole: a file with every member of its era has no fault (PS-6, PS-8, PS-21).
func TestReadWhole(t *testing.T) {
	for _, era := range eras {
		m, faults := mustManifest(t, manifestText(era))
		if len(faults) > 0 || m.Era != era {
			t.Errorf("%s manifest: era %s, faults %+v", era, m.Era, faults)
		}
		s, faults := mustState(t, stateText(era))
		if len(faults) > 0 || s.Era != era {
			t.Errorf("%s state: era %s, faults %+v", era, s.Era, faults)
		}
	}
}
