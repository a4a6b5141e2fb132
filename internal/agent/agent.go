// Package agent knows how each coding agent is run without a person: adapters are data, built in or from the
// user's configuration, and say how a prompt goes in, what comes out, and which part of the environment is passed.
// It also reads the user's configuration. It knows nothing of plans, starts nothing, and writes nothing.
// Requirements: AG-1, AG-2 as far as instructions' names go, AG-5; UN-1 as far as bounds of authority are the agent's own permissions.
package agent

// Input says how a prompt reaches an agent.
type Input string

// Ways in.
const (
	Stdin    Input = "stdin"
	Argument Input = "argument" // in the place of {prompt} in Args
	File     Input = "file"     // in a file of its own, whose path stands in the place of {prompt_file} in Args
)

// Output says how an agent tells what it did.
type Output string

// Ways out.
const (
	Text       Output = "text"
	JSON       Output = "json"        // one object
	JSONStream Output = "json-stream" // an object a line
)

// Adapter is how one agent is run for one turn.
type Adapter struct {
	Name    string   // by which it is chosen: "claude"
	Title   string   // "Claude Code"
	Program string   // found on PATH, or a path
	Args    []string // of the program; {prompt} and {prompt_file} stand for the prompt
	Input   Input
	// Model are the arguments that choose a model, with {model}; Resume those that go on with an earlier conversation, with {resume}. None
	// means that the agent can't.
	Model, Resume []string
	Output        Output
	// Cost, Conversation, Error and Result name the members of the answer that tell them, as paths of names joined by dots; "" for not told.
	Cost, Conversation, Error, Result string
	// Env are the names of the variables that are passed, "NAME_*" for all that begin so; beside those that every program needs.
	Env []string
	// Instructions is the file in which it looks for instructions of the repository (AG-2).
	Instructions string
	// Tried says that somebody has run it with dwp; Source, which public documentation it is taken from.
	Tried  bool
	Source string
}

// Call is what one run of an agent is made of.
type Call struct {
	Prompt string
	// PromptFile is the file in which the caller has put the prompt; for Input File.
	PromptFile string
	Model      string // "" for the agent's own choice
	Resume     string // "" for a new conversation
	Env        []string
	// Set are variables that the agent gets whatever the allow-list says: DWP_TURN and its like, NAME=value.
	Set []string
}

// Report is what an agent told of its run. Nothing in it is evidence (UN-2).
type Report struct {
	Conversation string // to resume with
	Failed       bool   // by its own word
	Text         string // its last words
	Cost         float64
	HasCost      bool // in US dollars, as agents count
}
