package plan

import "testing"

// PS-22: the known series are 1.x, 2.x, 4.x and 5.x; what is no version is of none, and never guessed at.
func TestKnownStandard(t *testing.T) {
	for version, want := range map[string]bool{
		"1.2.0": true, "2.0": true, "4.2.1": true, "5.0.0": true, "v5.0.0": true, "5": true,
		"3.1.0": false, "6.0.0": false, "99.0.0": false, "0.9": false, "": false, "5.x": false, "5.0.0.1": false, "next": false,
	} {
		if got := KnownStandard(version); got != want {
			t.Errorf("KnownStandard(%q) = %v, want %v", version, got, want)
		}
	}
}

func TestCompareStandards(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"5.0", "5.0.0", 0}, {"v4.2.0", "4.2", 0}, {"1.1", "1.2", -1}, {"1.10", "1.2", 1}, {"", "1.2", -1}} {
		if got := CompareStandards(tc.a, tc.b); got != tc.want {
			t.Errorf("CompareStandards(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}
