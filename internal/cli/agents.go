package cli

// agentSign is a variable of the environment by which a known agent can be told.
type agentSign struct {
	variable string
	agent    string // display name; "" to take the variable's value
	model    string // the variable in which this agent's users set the model; "" for none
}

// agentSigns are the variables that agents document for the programs they start, the most telling first. Who makes a change is
// a display name and no proof (PS-7): where no sign is found, nothing is recorded.
var agentSigns = [...]agentSign{
	{"AI_AGENT", "", ""},
	{"CLAUDECODE", "Claude Code", "ANTHROPIC_MODEL"},
	{"GEMINI_CLI", "Gemini CLI", "GEMINI_MODEL"},
	{"CURSOR_AGENT", "Cursor", ""},
	{"CODEX_SANDBOX", "Codex", ""},
}

// knownAgent tells which agent runs the command, and with which model, as far as the environment says.
func (a *app) knownAgent() (agent, model string) {
	for _, s := range agentSigns {
		value := a.env.Getenv(s.variable)
		if value == "" {
			continue
		}
		if agent = s.agent; agent == "" {
			agent = value
		}
		if s.model != "" {
			model = a.env.Getenv(s.model)
		}
		return agent, model
	}
	return "", ""
}
