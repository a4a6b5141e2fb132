package agent

import (
	_ "embed"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// configSchema is the JSON Schema of a configuration (draft 2020-12). The decoder below is what dwp uses; a test proves that both
// refuse the same documents.
//
//go:embed config.schema.json
var configSchema []byte

// ConfigSchema returns the JSON Schema of a configuration in JSON.
func ConfigSchema() []byte { return slices.Clone(configSchema) }

// Bounds of texts in a configuration, in characters, and of lists.
const (
	mostText = 1000
	mostArg  = 32 << 10
	mostList = 200
)

// ParseConfig reads a configuration strictly (PS-23): a key that is not known is a mistyped one, and a program that nobody
// meant to run is worse than none. All faults are told at once, in a *ConfigError; name is the file's, for its messages. It holds no
// secret (AG-5): variables are named, and their values come from the environment.
func ParseConfig(name string, data []byte) (*Config, error) {
	if len(data) > MostConfig {
		return nil, &ConfigError{name, []ConfigFault{{1, 1, "", fmt.Sprintf("the file has %d bytes; it may have %d", len(data), MostConfig), ""}}}
	}
	doc, err := strictjson.Parse(data)
	if e, ok := err.(*strictjson.SyntaxError); ok {
		return nil, &ConfigError{name, []ConfigFault{{e.Line, e.Column, "", "not JSON: " + e.Message, ""}}}
	} else if err != nil {
		return nil, err
	}
	r := configReader{doc: doc}
	c := r.config(doc.Root)
	if len(r.faults) == 0 {
		r.beyond(c)
	}
	r.secrets(data, doc.Root)
	if len(r.faults) > 0 {
		slices.SortStableFunc(r.faults, func(a, b ConfigFault) int {
			if a.Line != b.Line {
				return a.Line - b.Line
			}
			return a.Column - b.Column
		})
		return nil, &ConfigError{name, r.faults}
	}
	return c, nil
}

// configReader gathers every fault.
type configReader struct {
	doc    *strictjson.Document
	faults []ConfigFault
}

// fault notes what is wrong at an offset.
func (r *configReader) fault(offset int, key, hint, format string, args ...any) {
	line, column := r.doc.Position(offset)
	r.faults = append(r.faults, ConfigFault{line, column, key, fmt.Sprintf(format, args...), hint})
}

// reading reads the value at a path.
type reading func(at string, v *strictjson.Value)

// object reads an object by a table of its members.
func (r *configReader) object(at string, v *strictjson.Value, members map[string]reading) {
	if v.Kind != strictjson.Object {
		r.fault(v.Start, at, "", "must be an object")
		return
	}
	known := slices.Sorted(maps.Keys(members))
	for _, m := range v.Members {
		path := strings.TrimPrefix(at+"."+strictjson.Shorten(m.Name, mostValue), ".")
		if read, ok := members[m.Name]; ok {
			read(path, m.Value)
			continue
		}
		hint := "there are " + strings.Join(known, ", ")
		if near := nearest(m.Name, known); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		r.fault(m.NameStart, path, hint, "unknown key")
	}
}

// config reads the whole. This table of members is what config.schema.json says, too.
func (r *configReader) config(v *strictjson.Value) *Config {
	c := Defaults()
	c.agents = map[string]entry{}
	r.object("", v, map[string]reading{
		"$schema": func(at string, v *strictjson.Value) { r.word(at, v, "", func(string) bool { return true }) },
		"version": func(at string, v *strictjson.Value) {
			if v.Kind != strictjson.Number || v.Text != "1" {
				r.fault(v.Start, at, "write 1, or use a dwp that knows this version", "must be 1")
			}
		},
		"agent": func(at string, v *strictjson.Value) { c.Agent = r.word(at, v, agentHint, isAgentName) },
		"model": func(at string, v *strictjson.Value) {
			c.Model = r.word(at, v, "one word that begins with no hyphen", isValue)
		},
		"notify":         func(at string, v *strictjson.Value) { c.Notify = r.word(at, v, "one line", isLine) },
		"observed_gates": r.truth(&c.ObservedGates),
		"budgets": func(at string, v *strictjson.Value) {
			r.object(at, v, map[string]reading{
				"max_turns": r.count(&c.Budgets.MaxTurns), "max_cost": r.dollars(&c.Budgets.MaxCost),
				"max_time": r.duration(&c.Budgets.MaxTime), "max_turn_time": r.duration(&c.Budgets.MaxTurnTime),
			})
		},
		"agents": func(at string, v *strictjson.Value) { r.agents(at, v, c.agents) },
	})
	if v.Kind == strictjson.Object && v.Member("version") == nil {
		r.fault(v.Start, "version", `add "version": 1`, "is missing")
	}
	return c
}

// agentHint says what an agent's name is.
const agentHint = "small letters, digits, hyphens, underscores; 40 characters at most"

// agents reads the user's agents, each under its name.
func (r *configReader) agents(at string, v *strictjson.Value, to map[string]entry) {
	if v.Kind != strictjson.Object {
		r.fault(v.Start, at, "", "must be an object")
		return
	}
	for _, m := range v.Members {
		path := at + "." + strictjson.Shorten(m.Name, mostValue)
		if !isAgentName(m.Name) {
			r.fault(m.NameStart, path, agentHint, "is no name of an agent")
			continue
		}
		e := entry{at: m.NameStart}
		r.agent(path, m.Value, &e)
		to[m.Name] = e
	}
}

// agent reads what is said of one agent.
func (r *configReader) agent(at string, v *strictjson.Value, e *entry) {
	r.object(at, v, map[string]reading{
		"title":        r.said(&e.title, "one line", isLine),
		"program":      r.said(&e.program, "a name that is found on PATH, or an absolute path", isProgram),
		"instructions": r.said(&e.instructions, "one line", isLine),
		"cost":         r.said(&e.cost, pathHint, isPath), "conversation": r.said(&e.conversation, pathHint, isPath),
		"error": r.said(&e.err, pathHint, isPath), "result": r.said(&e.result, pathHint, isPath),
		"input": func(at string, v *strictjson.Value) {
			way := Input(r.word(at, v, "stdin, argument or file", oneOf(string(Stdin), string(Argument), string(File))))
			e.input = &way
		},
		"output": func(at string, v *strictjson.Value) {
			way := Output(r.word(at, v, "text, json or json-stream", oneOf(string(Text), string(JSON), string(JSONStream))))
			e.output = &way
		},
		"args": r.words(&e.args, "no zero byte, 32768 characters at most", isArg), "model": r.words(&e.model, "no zero byte, 32768 characters at most", isArg),
		"resume": r.words(&e.resume, "no zero byte, 32768 characters at most", isArg),
		"env":    r.words(&e.env, envHint, isEnvName), "add_env": r.words(&e.addEnv, envHint, isEnvName),
	})
}

// Hints that several members share.
const (
	pathHint = "names joined by dots, of letters, digits, hyphens and underscores"
	envHint  = `a variable's name, without its value, or the beginning of names and "*": "NAME", "NAME_*"`
)

// word reads a string that a predicate accepts.
func (r *configReader) word(at string, v *strictjson.Value, hint string, accept func(string) bool) string {
	switch {
	case v.Kind != strictjson.String:
		r.fault(v.Start, at, "", "must be a string")
	case !accept(v.Text):
		text := v.Text
		if name, _, value := strings.Cut(text, "="); value && hint == envHint { // may be a secret, and messages are kept (AG-5)
			text = name + "=..."
		}
		r.fault(v.Start, at, hint, "%s is not allowed here", strconv.QuoteToASCII(strictjson.Shorten(text, 40)))
	default:
		return v.Text
	}
	return ""
}

// said reads a string that may be left out.
func (r *configReader) said(to **string, hint string, accept func(string) bool) reading {
	return func(at string, v *strictjson.Value) {
		word := r.word(at, v, hint, accept)
		*to = &word
	}
}

// words reads a list of strings.
func (r *configReader) words(to **[]string, hint string, accept func(string) bool) reading {
	return func(at string, v *strictjson.Value) {
		list := []string{}
		switch {
		case v.Kind != strictjson.Array:
			r.fault(v.Start, at, "", "must be a list")
		case len(v.Elems) > mostList:
			r.fault(v.Start, at, "", "has more than %d elements", mostList)
		default:
			for i, e := range v.Elems {
				list = append(list, r.word(fmt.Sprintf("%s[%d]", at, i), e, hint, accept))
			}
		}
		*to = &list
	}
}

// truth reads true or false.
func (r *configReader) truth(to *bool) reading {
	return func(at string, v *strictjson.Value) {
		if v.Kind != strictjson.Bool {
			r.fault(v.Start, at, "", "must be true or false")
			return
		}
		*to = v.Text == "true"
	}
}

// count reads a number of turns. A budget always holds, so there is a highest one.
func (r *configReader) count(to *int) reading {
	return func(at string, v *strictjson.Value) {
		n, err := strconv.Atoi(v.Text)
		if v.Kind != strictjson.Number || err != nil || n < 1 || n > 100_000 {
			r.fault(v.Start, at, "", "must be a whole number from 1 to 100000")
			return
		}
		*to = n
	}
}

// dollars reads an amount of US dollars.
func (r *configReader) dollars(to *float64) reading {
	return func(at string, v *strictjson.Value) {
		x, err := strconv.ParseFloat(v.Text, 64)
		if v.Kind != strictjson.Number || err != nil || x < 0.01 || x > mostCost {
			r.fault(v.Start, at, "", "must be US dollars, from 0.01 to 1000000")
			return
		}
		*to = x
	}
}

// duration reads "2h30m".
func (r *configReader) duration(to *time.Duration) reading {
	return func(at string, v *strictjson.Value) {
		const hint = `hours, minutes, seconds, in this order, at most five digits each, not zero: "8h", "2h30m", "90s"`
		word := r.word(at, v, hint, func(s string) bool { _, ok := parseDuration(s); return ok })
		*to, _ = parseDuration(word)
	}
}

// parseDuration reads a duration of whole hours, minutes and seconds that is not zero. Go's own form knows fractions and signs, too,
// which nobody needs here.
func parseDuration(s string) (time.Duration, bool) {
	var sum time.Duration
	for _, u := range []struct {
		sign string
		unit time.Duration
	}{{"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}} {
		digits, rest, ok := strings.Cut(s, u.sign)
		if !ok {
			continue
		}
		if !isMade(digits, isDigit) || len(digits) > 5 {
			return 0, false
		}
		n, _ := strconv.Atoi(digits)
		sum += time.Duration(n) * u.unit
		s = rest
	}
	return sum, s == "" && sum > 0
}

// beyond judges what a schema can't say: that the agent that is chosen is there, and that each agent can be run as it is described.
func (r *configReader) beyond(c *Config) {
	if c.Origin(c.Agent) == "" {
		_, err := c.Adapter(c.Agent)
		r.told(r.doc.Root.Member("agent").Start, "agent", err)
	}
	for _, name := range slices.Sorted(maps.Keys(c.agents)) {
		a, err := c.Adapter(name)
		if err == nil {
			err = a.check()
		}
		if err != nil {
			r.told(c.agents[name].at, "agents."+name, err)
		}
	}
}

// told notes an adapter's own fault.
func (r *configReader) told(offset int, key string, err error) {
	f, ok := err.(*Fault)
	if !ok {
		f = &Fault{Message: err.Error()}
	}
	r.fault(offset, key, f.Hint, "%s", f.Message)
}

// secrets notes what looks like a secret, in the text and in what its strings mean. The value itself is not repeated.
func (r *configReader) secrets(data []byte, root *strictjson.Value) {
	const hint = `name the variable that holds it in "add_env", and keep the value in your environment`
	found := evidence.Secrets(string(data))
	for _, s := range found {
		r.fault(s.Start, "", hint, "this looks like a secret (%s)", s.Kind)
	}
	if len(found) > 0 {
		return
	}
	var walk func(v *strictjson.Value)
	walk = func(v *strictjson.Value) {
		if v.Raw != "" && len(evidence.Secrets(v.Text)) > 0 {
			r.fault(v.Start, "", hint, "this looks like a secret")
		}
		for _, m := range v.Members {
			walk(m.Value)
		}
		for _, e := range v.Elems {
			walk(e)
		}
	}
	walk(root)
}

// isAgentName reports whether a text may be the name of an agent.
func isAgentName(s string) bool {
	return len(s) <= 40 && isMade(s, func(c byte) bool { return isLower(c) || isDigit(c) || c == '-' || c == '_' }) && s[0] != '-' && s[0] != '_'
}

// isLine reports whether a text is one line of something, without control characters.
func isLine(s string) bool {
	return isArgOf(s, mostText) && s != "" && !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c == 0x7f })
}

// isProgram reports whether a text may name a program: found on PATH, or an absolute path. A path relative to the folder would run
// whatever a stranger put there.
func isProgram(s string) bool {
	if !isLine(s) || s[0] == '-' {
		return false
	}
	windows := len(s) > 2 && isLetter(s[0]) && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
	return s[0] == '/' || windows || filepath.IsAbs(s) || !strings.ContainsAny(s, `/\`)
}

// isArg reports whether a text may be an argument.
func isArg(s string) bool { return isArgOf(s, mostArg) }

func isArgOf(s string, most int) bool {
	return utf8.RuneCountInString(s) <= most && !strings.ContainsRune(s, 0)
}

// isPath reports whether a text is names joined by dots.
func isPath(s string) bool {
	if len(s) > mostValue {
		return false
	}
	for name := range strings.SplitSeq(s, ".") {
		if !isMade(name, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '-' || c == '_' }) {
			return false
		}
	}
	return true
}

// isEnvName reports whether a text names a variable, or all that begin so; never all there are.
func isEnvName(s string) bool {
	if len(s) > mostValue {
		return false
	}
	s = strings.TrimSuffix(s, "*")
	return isMade(s, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }) && !isDigit(s[0])
}

// oneOf accepts the given words.
func oneOf(words ...string) func(string) bool {
	return func(s string) bool { return slices.Contains(words, s) }
}

// isMade reports whether a text is not empty and made of such bytes only.
func isMade(s string, of func(byte) bool) bool {
	for i := range len(s) {
		if !of(s[i]) {
			return false
		}
	}
	return s != ""
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isLetter(c byte) bool { return isLower(c | 0x20) }
