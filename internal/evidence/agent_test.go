package evidence

import "testing"

// UN-6, LF-7: an agent's name in any case and spacing is one; a person's that holds such a word is none.
func TestAgentName(t *testing.T) {
	for name, want := range map[string]bool{
		"Claude": true, "claude  CODE": true, "the Agent": true, "Mill": true, " mill 2 ": true,
		"Ada": false, "Claudette": false, "Ada Codex": false, "": false, "Milla": false,
	} {
		if got := AgentName(name, "Mill", "Mill 2", ""); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}
