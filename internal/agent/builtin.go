package agent

import "slices"

// CommandName is the adapter of any other agent: its program is given by the user.
const CommandName = "command"

// DefaultName is the agent of who names none: the first of AG-1.
const DefaultName = "claude"

// builtins are the adapters that dwp knows, in the order of AG-1 (docs/agents.md tells what each call allows, and what nobody has
// tried). They are taken from public documentation; an agent that documents no way to do a thing has none here. Permissions are
// the least that lets an agent edit, test and call dwp with nobody to ask (UN-1).
func builtins() []Adapter {
	return []Adapter{
		{
			Name: "claude", Title: "Claude Code", Program: "claude", Input: Stdin, Output: JSON, Instructions: "CLAUDE.md",
			Args:  []string{"-p", "--output-format", "json", "--permission-mode", "acceptEdits", "--allowedTools", "Bash"},
			Model: []string{"--model", modelMark}, Resume: []string{"--resume", resumeMark},
			Cost: "total_cost_usd", Conversation: "session_id", Error: "is_error", Result: "result",
			Env:    []string{"ANTHROPIC_*", "CLAUDE_*"},
			Source: "code.claude.com/docs: CLI reference, headless mode, permission modes",
		},
		{
			// Options stand before the subcommand resume, which doesn't know all of them.
			Name: "codex", Title: "Codex", Program: "codex", Input: Stdin, Output: JSONStream, Instructions: "AGENTS.md",
			Args:  []string{"exec", "--sandbox", "workspace-write", "--json"},
			Model: []string{"--model", modelMark}, Resume: []string{"resume", resumeMark, "-"},
			Conversation: "thread_id", Error: "error", Result: "item.text",
			Env:    []string{"OPENAI_*", "CODEX_*"},
			Source: "developers.openai.com/codex: non-interactive mode; openai/codex, codex-rs/exec/src/cli.rs",
		},
		{
			Name: "cursor", Title: "Cursor", Program: "cursor-agent", Input: Argument, Output: JSON, Instructions: "AGENTS.md",
			Args:  []string{"-p", "--output-format", "json", "--trust", "--sandbox", "enabled", promptMark},
			Model: []string{"--model", modelMark}, Resume: []string{"--resume", resumeMark},
			Conversation: "session_id", Error: "is_error", Result: "result",
			Env:    []string{"CURSOR_*"},
			Source: "cursor.com/docs/cli: headless, parameters, output format",
		},
		{
			Name: "gemini", Title: "Gemini CLI", Program: "gemini", Input: Stdin, Output: JSON, Instructions: "GEMINI.md",
			Args:  []string{"--output-format", "json", "--approval-mode", "yolo"},
			Model: []string{"--model", modelMark}, Resume: []string{"--resume", resumeMark},
			Conversation: "session_id", Error: "error", Result: "response",
			Env:    []string{"GEMINI_*", "GOOGLE_*"},
			Source: "geminicli.com/docs: headless mode, CLI reference",
		},
		{
			Name: "copilot", Title: "GitHub Copilot CLI", Program: "copilot", Input: Argument, Output: Text, Instructions: "AGENTS.md",
			Args:   []string{"-p", promptMark, "-s", "--no-ask-user", "--allow-tool=write", "--allow-tool=shell"},
			Model:  []string{"--model=" + modelMark},
			Env:    []string{"COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST"},
			Source: "docs.github.com/copilot: CLI programmatic reference, allowing and denying tool use",
		},
		{
			// agy ends by itself after five minutes unless told otherwise; the turn has its own end.
			Name: "antigravity", Title: "Antigravity CLI", Program: "agy", Input: Argument, Output: Text, Instructions: "AGENTS.md",
			Args:  []string{"-p", promptMark, "--dangerously-skip-permissions", "--print-timeout", "24h"},
			Model: []string{"--model", modelMark}, Resume: []string{"--conversation", resumeMark},
			Env:    []string{"ANTIGRAVITY_*", "GEMINI_*", "GOOGLE_*"},
			Source: "release notes and users' guides of Antigravity CLI; no complete reference of its options was found",
		},
		{
			// A timeout of 0 is none; the session's key keeps turns out of the conversation that a person has.
			Name: "openclaw", Title: "OpenClaw", Program: "openclaw", Input: File, Output: Text, Instructions: "AGENTS.md",
			Args:   []string{"agent", "--local", "--session-key", "agent:main:dwp", "--message-file", fileMark, "--timeout", "0"},
			Model:  []string{"--model", modelMark},
			Env:    []string{"OPENCLAW_*", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"},
			Source: "docs.openclaw.ai: openclaw agent, agent send",
		},
		{
			// Not HERMES_*: one of those variables turns all approvals off.
			Name: "hermes", Title: "Hermes Agent", Program: "hermes", Input: Stdin, Output: Text, Instructions: "AGENTS.md",
			Args:  []string{"chat", "--oneshot", "--quiet", "--query-file", "-"},
			Model: []string{"--model", modelMark}, Resume: []string{"--resume", resumeMark},
			Env:    []string{"HERMES_HOME", "OPENROUTER_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"},
			Source: "hermes-agent.nousresearch.com/docs: CLI commands reference, security",
		},
		{
			Name: CommandName, Title: "Any other program", Input: Stdin, Output: Text, Instructions: "AGENTS.md",
			Tried: true, Source: "the user's own",
		},
	}
}

// builtin is a copy of the adapter of that name.
func builtin(name string) (Adapter, bool) {
	all := builtins()
	i := slices.IndexFunc(all, func(a Adapter) bool { return a.Name == name })
	if i < 0 {
		return Adapter{}, false
	}
	return all[i], true
}
