package cli

import (
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/agent"
	"github.com/spf13/cobra"
)

// agentsCmd lists the agents that plans can be worked with. Nothing is started to find out (AG-5).
func (a *app) agentsCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "agents [NAME]",
		Short:   "List the agents that can work a plan unattended",
		GroupID: groupAutomate,
		Long: `List the agents that dwp can run without a person: name, how the prompt goes in,
whether anybody has tried it with dwp, where it is from, and where its program
stands. With NAME, one in full: the call, the variables it gets, its source.
Agents are built in, or described in .dwp/config.json (dwp schema config). No
program is started.

Exit codes: 0 listed; 2 there is no such agent; 3 the configuration is wrong.`,
		Example: `  dwp agents
  dwp agents claude`,
		Args: atMost(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			c, err := a.config()
			if err != nil || len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return c.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.agents(args) },
	}
}

// agentAnswer is one agent as agents tells of it.
type agentAnswer struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Program string `json:"program"`
	// Path is where the program stands; null when it isn't found, and Problem says why.
	Path    *string      `json:"path"`
	Problem string       `json:"problem"`
	Args    []string     `json:"args"`
	Input   agent.Input  `json:"input"`
	Model   []string     `json:"model"`
	Resume  []string     `json:"resume"`
	Output  agent.Output `json:"output"`
	// Tells are the members of the output by what they tell.
	Tells        map[string]string `json:"tells"`
	Env          []string          `json:"env"`
	Instructions string            `json:"instructions"`
	Default      bool              `json:"default"`
	Tried        bool              `json:"tried"`
	Origin       agent.Origin      `json:"origin"`
	Source       string            `json:"source"`
}

// agents answers with all agents, or with one.
func (a *app) agents(args []string) error {
	c, err := a.config()
	if err != nil {
		return err
	}
	names := args
	if len(args) == 0 {
		names = c.Names()
	}
	var all []agentAnswer
	for _, name := range names {
		if name == "" { // which means the default elsewhere; here it is a mistake
			return usage("bad-agent", "dwp agents lists them", "the agent's name is empty")
		}
		adapter, err := c.Adapter(name)
		if err != nil {
			return agentFailure(err)
		}
		all = append(all, agentOf(c, adapter))
	}
	switch {
	case a.json:
		return a.writeJSON(struct {
			opening
			Agents []agentAnswer `json:"agents"`
			closing
		}{opened("agents"), list(all), closed(nil, nil)})
	case len(args) > 0:
		writeAgent(a.page(), &all[0])
	default:
		writeAgents(a.page(), all)
	}
	return nil
}

// agentOf tells of one adapter.
func agentOf(c *agent.Config, d *agent.Adapter) agentAnswer {
	x := agentAnswer{
		Name: d.Name, Title: d.Title, Program: d.Program, Args: list(d.Args), Input: d.Input, Model: list(d.Model), Resume: list(d.Resume),
		Output: d.Output, Tells: map[string]string{}, Env: list(d.Env), Instructions: d.Instructions, Default: d.Name == c.Agent, Tried: d.Tried,
		Origin: c.Origin(d.Name), Source: d.Source,
	}
	for _, m := range agentTells(d) {
		if m.path != "" {
			x.Tells[m.what] = m.path
		}
	}
	path, err := d.Find()
	if err == nil {
		x.Path = &path
	} else {
		x.Problem = err.Error()
	}
	return x
}

// told is a member of an agent's output, and what it tells.
type told struct{ what, path string }

func agentTells(d *agent.Adapter) []told {
	return []told{{"conversation", d.Conversation}, {"cost", d.Cost}, {"error", d.Error}, {"result", d.Result}}
}

// whence says where an agent is from, in words.
func (x *agentAnswer) whence() string {
	if x.Default {
		return string(x.Origin) + ", default"
	}
	return string(x.Origin)
}

// where says where its program stands.
func (x *agentAnswer) where() string {
	switch {
	case x.Path != nil:
		return cleanLine(*x.Path)
	case x.Program == "":
		return "you give the program"
	}
	return "not found"
}

// triedWords says whether anybody has run it with dwp.
func (x *agentAnswer) triedWords() string {
	if x.Tried {
		return "tried"
	}
	return "untried"
}

// writeAgents prints the agents in columns. A path that doesn't fit stands on a line of its own.
//
//	claude       stdin     untried  built in, default  /usr/bin/claude
func writeAgents(p page, all []agentAnswer) {
	width := 0
	for i := range all {
		width = max(width, textWidth(all[i].Name))
	}
	for i := range all {
		x := &all[i]
		row := pad(pad(pad(pad(x.Name, width+2)+string(x.Input), width+12)+x.triedWords(), width+21)+x.whence(), width+40)
		if textWidth(row)+textWidth(x.where()) <= p.width {
			p.line("%s%s", row, x.where())
			continue
		}
		p.line("%s\n  %s", strings.TrimRight(row, " "), x.where())
	}
}

// writeAgent prints one agent in full.
func writeAgent(p page, x *agentAnswer) {
	const label = 16
	p.line("%s  %s (%s)", p.paint(bold, x.Name), cleanLine(x.Title), x.whence())
	p.labelled("  Program", label, x.Program)
	where := x.where()
	if x.Path == nil && x.Program != "" {
		where = x.Problem
	}
	p.labelled("  Found", label, where)
	p.labelled("  Arguments", label, argumentWords(x.Args))
	p.labelled("  Prompt", label, promptWords(x.Input))
	p.labelled("  With a model", label, argumentWords(x.Model))
	p.labelled("  To resume", label, argumentWords(x.Resume))
	var tells []string
	for _, what := range []string{"conversation", "cost", "error", "result"} {
		if path := x.Tells[what]; path != "" {
			tells = append(tells, what+" in "+path)
		}
	}
	output := string(x.Output)
	if len(tells) > 0 {
		output += ": " + strings.Join(tells, ", ")
	}
	p.labelled("  Output", label, output)
	env := "what every program needs"
	if len(x.Env) > 0 {
		env += ", and " + strings.Join(x.Env, ", ")
	}
	p.labelled("  Environment", label, env)
	p.labelled("  Instructions", label, x.Instructions)
	tried := "yes"
	if !x.Tried {
		tried = "no: nobody has run it with dwp so far"
	}
	p.labelled("  Tried", label, tried)
	p.labelled("  Source", label, x.Source)
}

// argumentWords shows arguments on one line; those with spaces in quotes.
func argumentWords(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = arg
		if arg == "" || strings.ContainsAny(arg, " \t\n\"'") {
			words[i] = strconv.Quote(arg)
		}
	}
	return strings.Join(words, " ")
}

// promptWords says how the prompt goes in.
func promptWords(way agent.Input) string {
	switch way {
	case agent.Argument:
		return "as an argument, where {prompt} stands"
	case agent.File:
		return "in a file, whose path stands for {prompt_file}"
	}
	return "on standard input"
}
