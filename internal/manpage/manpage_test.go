package manpage

import "testing"

// Nothing of a text is taken for a request of troff: what begins with a dot, dashes, backslashes.
func TestTroff(t *testing.T) {
	for text, want := range map[string]string{
		".dwp is a folder": "\\&.dwp is a folder",
		"'quoted' --json":  "\\&'quoted' \\-\\-json",
		"a \\ b":           "a \\e b",
	} {
		if got := troff(text); got != want {
			t.Errorf("troff(%q) = %q, want %q", text, got, want)
		}
	}
}
