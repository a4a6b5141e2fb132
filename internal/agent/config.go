package agent

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// ConfigName is where the configuration stands in the folder .dwp, beside the plans.
const ConfigName = "config.json"

// MostConfig bounds the file, in bytes; the longest honest ones have some kilobytes.
const MostConfig = 1 << 20

// Budgets when nobody gives others. They always hold: people have lost nights to thousands of empty turns.
const (
	// DefaultMaxTurns is more turns than the tasks of a plan of usual length need with some tries each, and few enough to pay for.
	DefaultMaxTurns = 50
	// DefaultMaxTime is a night.
	DefaultMaxTime = 8 * time.Hour
	// DefaultMaxTurnTime is longer than an atomic task takes with its tests; an agent that hangs costs no more than that.
	DefaultMaxTurnTime = 30 * time.Minute
)

// Budgets bound turns in a row.
type Budgets struct {
	MaxTurns    int
	MaxTime     time.Duration
	MaxTurnTime time.Duration
	MaxCost     float64 // US dollars, as far as the agent tells; 0 when nobody says: a run has its own then
}

// Config is what .dwp/config.json says. The zero value is not a configuration: see Defaults.
type Config struct {
	Agent   string // by name; "" is never found here
	Model   string // "" for the agent's own choice
	Budgets Budgets
	// ObservedGates demands that dwp itself saw every gate of a completed task.
	ObservedGates bool
	// Notify is a shell command that gets what happened as JSON on standard input (UN-4); "" for none.
	Notify string

	agents map[string]entry
}

// Defaults is the configuration of who has none.
func Defaults() *Config {
	return &Config{Agent: DefaultName, Budgets: Budgets{MaxTurns: DefaultMaxTurns, MaxTime: DefaultMaxTime, MaxTurnTime: DefaultMaxTurnTime}}
}

// entry is what a user says of one agent; nil is not said.
type entry struct {
	title, program, cost, conversation, err, result, instructions *string
	input                                                         *Input
	output                                                        *Output
	args, model, resume, env, addEnv                              *[]string

	at int // where it stands in the file, in bytes
}

// ConfigFault is one thing that is wrong in a configuration.
type ConfigFault struct {
	Line, Column int    // from 1, columns in characters
	Key          string // the path of the member, as programs write it: "agents.mine.args[2]"; "" for the file
	Message      string // lower case, no full stop
	Hint         string // "" when the message says it
}

// ConfigError is why a configuration is refused: all that is wrong, in the file's order.
type ConfigError struct {
	File   string
	Faults []ConfigFault
}

func (e *ConfigError) Error() string {
	lines := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		lines[i] = fmt.Sprintf("%s:%d:%d: ", e.File, f.Line, f.Column)
		if f.Key != "" {
			lines[i] += f.Key + ": "
		}
		lines[i] += f.Message
	}
	return strings.Join(lines, "\n")
}

// Origin is where an adapter comes from.
type Origin string

// Origins.
const (
	BuiltIn  Origin = "built in"
	Changed  Origin = "changed" // built in, with members of the configuration
	FromUser Origin = "config"
)

// Origin is where the adapter of a name comes from; "" when there is none.
func (c *Config) Origin(name string) Origin {
	_, known := builtin(name)
	_, said := c.agents[name]
	switch {
	case known && said:
		return Changed
	case known:
		return BuiltIn
	case said:
		return FromUser
	}
	return ""
}

// Names lists the adapters there are: the built-in ones in their order, then the user's by name.
func (c *Config) Names() []string {
	var names []string
	for _, a := range builtins() {
		names = append(names, a.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.agents)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Adapter is the adapter of a name, "" for the one that the configuration chooses. A *Fault lists what there is. The adapter
// "command" has no program unless the configuration gives one: see Custom.
func (c *Config) Adapter(name string) (*Adapter, error) {
	if name == "" {
		name = c.Agent
	}
	a, known := builtin(name)
	e, said := c.agents[name]
	if !known && !said {
		hint := "there are " + strings.Join(c.Names(), ", ")
		if near := nearest(name, c.Names()); near != "" {
			hint = fmt.Sprintf("did you mean %s? %s", near, hint)
		}
		return nil, &Fault{fmt.Sprintf("there is no agent %q", shorten(name)), hint}
	}
	if !known {
		a, _ = builtin(CommandName) // another program, of which nothing is known
		a.Name, a.Title, a.Tried, a.Source = name, name, false, "the user's own"
	}
	if said {
		e.apply(&a)
	}
	return &a, nil
}

// apply overrides the members that are given. Arguments tell by their placeholders how the prompt goes in, unless that is said, too.
func (e *entry) apply(a *Adapter) {
	set(&a.Title, e.title)
	set(&a.Program, e.program)
	set(&a.Cost, e.cost)
	set(&a.Conversation, e.conversation)
	set(&a.Error, e.err)
	set(&a.Result, e.result)
	set(&a.Instructions, e.instructions)
	set(&a.Output, e.output)
	set(&a.Args, e.args)
	set(&a.Model, e.model)
	set(&a.Resume, e.resume)
	set(&a.Env, e.env)
	if e.args != nil {
		a.Input = inputOf(a.Args)
	}
	set(&a.Input, e.input)
	if e.addEnv != nil {
		a.Env = slices.Concat(a.Env, *e.addEnv)
	}
	if e.program != nil || e.args != nil {
		a.Tried = false // what was tried is another call
	}
}

// set overrides a value by one that is given.
func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// nearest is the name that is at most two edits away and nearer than the others; "" when none is.
func nearest(name string, known []string) string {
	best, found := 3, ""
	if len(name) > 40 {
		return ""
	}
	for _, k := range known {
		if d := distance(strings.ToLower(name), k); d < best && d < len(k) {
			best, found = d, k
		}
	}
	return found
}

// distance counts the letters to add, drop or change to come from one word to another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
