package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// AG-1, AG-5, UN-1: docs/agents.md says of each agent how it is called, what it gets of the environment, and that nobody has tried it; and
// its example is a configuration.
func TestDocumentation(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "agents.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	for _, a := range builtins() {
		_, section, ok := strings.Cut(text, "\n## "+a.Title+" (`"+a.Name+"`)\n")
		if !ok {
			t.Errorf("no section %q", a.Title)
			continue
		}
		section, _, _ = strings.Cut(section, "\n## ")
		if a.Name == CommandName {
			continue
		}
		if call := "\n```\n" + strings.Join(append([]string{a.Program}, a.Args...), " ") + "\n```\n"; !strings.Contains(section, call) {
			t.Errorf("%s: the call is not %q", a.Name, call)
		}
		if !strings.Contains(section, "`"+a.Instructions+"`") || !a.Tried && !strings.Contains(section, "Untested: all of it") {
			t.Errorf("%s: lacks instructions or what is untested", a.Name)
		}
		for _, name := range a.Env {
			if !strings.Contains(section, "`"+name+"`") {
				t.Errorf("%s: lacks %s", a.Name, name)
			}
		}
	}
	for _, name := range append(baseEnv(), windowsEnv()...) {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("lacks %s", name)
		}
	}
	_, example, _ := strings.Cut(text, "\n```json\n")
	example, _, _ = strings.Cut(example, "\n```\n")
	if _, err := ParseConfig("docs/agents.md", []byte(example)); err != nil {
		t.Error(err)
	}
}
