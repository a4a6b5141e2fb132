package evidence

import (
	"slices"
	"strings"
)

// agentNames are the names by which agents are known, in lower case. A name is no proof; knowing these stops honest mistakes.
var agentNames = []string{"claude", "claude code", "codex", "cursor", "gemini", "gemini cli", "copilot", "github copilot", "chatgpt", "gpt",
	"aider", "devin", "agent", "ai", "assistant", "model", "llm", "bot"}

// AgentName reports whether a name under which an approval is to be recorded is that of an agent: the caller's own, its model's, or a
// known one (UN-6, LF-7). own are the caller's; "" is none.
func AgentName(name string, own ...string) bool {
	name = folded(name)
	return slices.ContainsFunc(own, func(o string) bool { return o != "" && folded(o) == name }) ||
		slices.Contains(agentNames, strings.TrimPrefix(name, "the "))
}

// folded is a name as names are compared: case and spacing make no other one.
func folded(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }
