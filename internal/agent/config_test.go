package agent

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// wholeConfig is a configuration with every member.
const wholeConfig = `{
  "$schema": "config.schema.json",
  "version": 1,
  "agent": "mine",
  "model": "big-1",
  "observed_gates": true,
  "notify": "mail -s dwp ada",
  "budgets": {"max_turns": 7, "max_time": "2h30m", "max_turn_time": "90s", "max_cost": 12.5},
  "agents": {
    "claude": {"model": ["-m", "{model}"], "add_env": ["MY_*"]},
    "mine": {
      "title": "My agent", "program": "/opt/mine", "args": ["--do={prompt}"], "input": "argument", "output": "json",
      "model": ["{model}"], "resume": ["{resume}"], "cost": "a.b", "conversation": "c", "error": "d", "result": "e-f_g",
      "env": ["MINE"], "add_env": [], "instructions": "MINE.md"
    }
  }
}`

func TestParseConfig(t *testing.T) {
	c, err := ParseConfig("config.json", []byte(wholeConfig))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Budgets{7, 2*time.Hour + 30*time.Minute, 90 * time.Second, 12.5}); c.Budgets != want || c.Agent != "mine" || c.Model != "big-1" || !c.ObservedGates || c.Notify != "mail -s dwp ada" {
		t.Errorf("%+v", c)
	}
	a, err := c.Adapter("")
	want := Adapter{Name: "mine", Title: "My agent", Program: "/opt/mine", Args: []string{"--do={prompt}"}, Input: Argument, Output: JSON,
		Model: []string{"{model}"}, Resume: []string{"{resume}"}, Cost: "a.b", Conversation: "c", Error: "d", Result: "e-f_g",
		Env: []string{"MINE"}, Instructions: "MINE.md", Source: "the user's own"}
	if err != nil || fmt.Sprintf("%+v", *a) != fmt.Sprintf("%+v", want) {
		t.Errorf("%+v, %v", a, err)
	}
}

// A user's entry under a built-in's name changes what it gives, and nothing else.
func TestOverride(t *testing.T) {
	c, err := ParseConfig("config.json", []byte(wholeConfig))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := c.Adapter("claude")
	want, _ := Defaults().Adapter("claude")
	want.Model, want.Env = []string{"-m", "{model}"}, []string{"ANTHROPIC_*", "CLAUDE_*", "MY_*"}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("%+v", got)
	}
	origins := map[string]Origin{"claude": Changed, "codex": BuiltIn, "mine": FromUser, "other": ""}
	for name, want := range origins {
		if got := c.Origin(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if names := c.Names(); names[0] != "claude" || names[len(names)-1] != "mine" || len(names) != len(builtins())+1 {
		t.Errorf("%q", names)
	}
}

// Arguments say by their placeholders how the prompt goes in.
func TestInputFollowsArguments(t *testing.T) {
	for args, want := range map[string]Input{`["{prompt}"]`: Argument, `["-f", "{prompt_file}"]`: File, `[]`: Stdin} {
		c, err := ParseConfig("c", []byte(`{"version":1,"agents":{"codex":{"args":`+args+`}}}`))
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if a, _ := c.Adapter("codex"); a.Input != want {
			t.Errorf("%s: %s", args, a.Input)
		}
	}
}

// UN-1: without a configuration, every budget but the cost's holds already.
func TestDefaults(t *testing.T) {
	for _, c := range []*Config{Defaults(), parsed(t, `{"version": 1}`)} {
		if c.Agent != "claude" || c.Budgets != (Budgets{50, 8 * time.Hour, 30 * time.Minute, 0}) || c.ObservedGates || c.Notify != "" || c.Model != "" {
			t.Errorf("%+v", c)
		}
	}
}

func parsed(t *testing.T, text string) *Config {
	t.Helper()
	c, err := ParseConfig("config.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// An agent that isn't there is refused with what there is.
func TestNoSuchAgent(t *testing.T) {
	for name, want := range map[string]string{"cluade": "did you mean claude?", "zzz": "there are claude, codex"} {
		_, err := Defaults().Adapter(name)
		f, ok := errors.AsType[*Fault](err)
		if !ok || !strings.Contains(f.Hint, want) || f.Message != fmt.Sprintf("there is no agent %q", name) {
			t.Errorf("%s: %v %+v", name, err, f)
		}
	}
}

// refused are configurations that are not taken, with the first fault's place and words.
var refused = []struct{ name, text, fault, hint string }{
	{"empty", ``, "c:1:1: not JSON", ""},
	{"comment", "{\n// x\n}", "c:2:1: not JSON: comments are not JSON", ""},
	{"twice", `{"version":1,"version":1}`, "c:1:14: not JSON: duplicate key", ""},
	{"no object", `[]`, "c:1:1: must be an object", ""},
	{"no version", `{}`, "c:1:1: version: is missing", `"version": 1`},
	{"newer", `{"version": 2}`, "c:1:13: version: must be 1", "a dwp that knows"},
	{"mistyped key", "{\"version\":1,\n  \"agnet\": \"claude\"}", "c:2:3: agnet: unknown key", `did you mean "agent"?`},
	{"unknown key", `{"version":1,"shell":"x"}`, "c:1:14: shell: unknown key", "there are $schema, agent, agents"},
	{"unknown key inside", `{"version":1,"agents":{"mine":{"program":"x","arg":[]}}}`, "agents.mine.arg: unknown key", `did you mean "args"?`},
	{"unknown budget", `{"version":1,"budgets":{"max_turn":1}}`, "budgets.max_turn: unknown key", `did you mean "max_turns"?`},
	{"no such agent", `{"version":1,"agent":"cursr"}`, `agent: there is no agent "cursr"`, "did you mean cursor?"},
	{"bad agent name", `{"version":1,"agents":{"My Agent":{}}}`, "agents.My Agent: is no name of an agent", "small letters"},
	{"no program", `{"version":1,"agents":{"mine":{}}}`, `agents.mine: agent "mine": it has no program`, "say which"},
	{"relative program", `{"version":1,"agents":{"mine":{"program":"./run.sh"}}}`, `agents.mine.program: "./run.sh" is not allowed here`, "absolute path"},
	{"unknown placeholder", `{"version":1,"agents":{"mine":{"program":"x","args":["{task}"]}}}`, "unknown placeholder {task}", "{prompt}"},
	{"ways disagree", `{"version":1,"agents":{"codex":{"input":"file"}}}`, "no argument names the prompt's file", "{prompt_file}"},
	{"value of a variable", `{"version":1,"agents":{"codex":{"add_env":["A=b"]}}}`, `add_env[0]: "A=..." is not allowed here`, "without its value"},
	{"whole environment", `{"version":1,"agents":{"codex":{"env":["*"]}}}`, `env[0]: "*" is not allowed here`, ""},
	{"turns", `{"version":1,"budgets":{"max_turns":0}}`, "budgets.max_turns: must be a whole number", ""},
	{"no end", `{"version":1,"budgets":{"max_time":"0h"}}`, `budgets.max_time: "0h" is not allowed here`, "2h30m"},
	{"cost", `{"version":1,"budgets":{"max_cost":-1}}`, "budgets.max_cost: must be US dollars", ""},
	{"observed", `{"version":1,"observed_gates":"yes"}`, "observed_gates: must be true or false", ""},
}

// PS-23, AG-1: what is refused names file, line, column, key and remedy.
func TestConfigRefused(t *testing.T) {
	for _, tt := range refused {
		_, err := ParseConfig("c", []byte(tt.text))
		e, ok := errors.AsType[*ConfigError](err)
		if !ok || !strings.Contains(e.Error(), tt.fault) || !strings.Contains(e.Faults[0].Hint, tt.hint) {
			t.Errorf("%s: %v\n%+v", tt.name, err, e)
		}
	}
	_, err := ParseConfig("c", []byte("{\"x\":1,\n\"version\":2,\n\"budgets\":7}"))
	if e, ok := errors.AsType[*ConfigError](err); !ok || len(e.Faults) != 3 || !slices.IsSortedFunc(e.Faults, func(a, b ConfigFault) int { return a.Line - b.Line }) {
		t.Errorf("not all told in order: %v", err)
	}
	if _, err := ParseConfig("c", bytes.Repeat([]byte(" "), MostConfig+1)); err == nil || !strings.Contains(err.Error(), "it may have 1048576") {
		t.Error(err)
	}
}

// AG-5: no secret stands in a configuration, which may be committed; and no message repeats it.
func TestConfigHoldsNoSecret(t *testing.T) {
	const token = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
	for _, text := range []string{
		`{"version":1,"notify":"notify --token ` + token + `"}`,
		`{"version":1,"agents":{"mine":{"program":"x","args":["` + token + `"]}}}`,
		`{"version":1,"notify":"\u0067hp_` + token[4:] + `"}`,
	} {
		_, err := ParseConfig("c", []byte(text))
		if err == nil || !strings.Contains(err.Error(), "looks like a secret") || strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The name of a variable, and a command that speaks of one, are no secrets.
func TestConfigNamesVariables(t *testing.T) {
	for _, text := range []string{
		`{"version":1,"agents":{"codex":{"add_env":["OPENAI_API_KEY","GITHUB_TOKEN","AWS_SECRET_ACCESS_KEY","DB_PASSWORD"]}}}`,
		`{"version":1,"notify":"curl -H \"Authorization: Bearer $TOKEN\" -d @- https://example.org/hook"}`,
		`{"version":1,"agents":{"x":{"program":"x","args":["--token-file","/run/secrets/token","--api-key-env=OPENAI_API_KEY"]}}}`,
	} {
		if _, err := ParseConfig("c", []byte(text)); err != nil {
			t.Error(err)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for s, want := range map[string]time.Duration{"8h": 8 * time.Hour, "2h30m": 150 * time.Minute, "90s": 90 * time.Second, "1h0m5s": time.Hour + 5*time.Second, "99999h": 99999 * time.Hour} {
		if got, ok := parseDuration(s); !ok || got != want {
			t.Errorf("%s: %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "0s", "0h0m", "1", "h", "-1h", "1.5h", "30m2h", "1hh", "1h ", "100000h", "1ms", "1h1h", "+1h"} {
		if got, ok := parseDuration(s); ok {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// schemaOf compiles the schema that dwp prints.
func schemaOf(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(ConfigSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// agree demands that schema and decoder refuse the same documents. What both can't say alike is left out: spellings of numbers
// beyond the plain ones, and texts that JSON libraries read differently.
func agree(t *testing.T, schema *jsonschema.Schema, text []byte) {
	t.Helper()
	doc, err := strictjson.Parse(text)
	if err != nil || oddNumbers(doc.Root) {
		return
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if err != nil {
		return
	}
	r := configReader{doc: doc}
	r.config(doc.Root)
	if err := schema.Validate(value); (err == nil) != (len(r.faults) == 0) {
		t.Errorf("decoder: %v\nschema: %v\n%s", r.faults, err, text)
	}
}

// oddNumbers reports whether a number is spelled with a point or exponent where only a whole one may stand, or with many digits.
func oddNumbers(v *strictjson.Value) bool {
	if v.Kind == strictjson.Number && (len(v.Text) > 12 || strings.ContainsAny(v.Text, "eE") || strings.HasSuffix(v.Text, ".0") || strings.HasPrefix(v.Text, "-0")) {
		return true
	}
	for _, m := range v.Members {
		if oddNumbers(m.Value) {
			return true
		}
	}
	return slices.ContainsFunc(v.Elems, oddNumbers)
}

// The schema that is printed and the decoder agree: on the tables above, and on the whole configuration with each part taken away,
// replaced by each kind of value, or given a stray.
func TestConfigSchemaAgrees(t *testing.T) {
	schema := schemaOf(t)
	for _, tt := range refused {
		agree(t, schema, []byte(tt.text))
	}
	doc, err := strictjson.Parse([]byte(wholeConfig))
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	mutate(doc.Root, func() {
		tried++
		agree(t, schema, strictjson.Format(doc.Root))
	})
	if tried < 500 {
		t.Errorf("only %d documents", tried)
	}
}

// strange are values that are tried in every place.
func strange() []*strictjson.Value {
	values := []*strictjson.Value{strictjson.NewNull(), strictjson.NewBool(true), strictjson.NewInt(0), strictjson.NewInt(1), strictjson.NewInt(200000),
		strictjson.NewArray(), strictjson.NewObject()}
	for _, s := range []string{"", "a", "-a", "A_*", "*", "a.b", "a..b", "/a/b", "a/b", `C:\x`, "C:x", "1h", "0s", "a b", "a\nb", "a\x00b", "stdin", "json",
		strings.Repeat("x", 41), strings.Repeat("x", 201), strings.Repeat("\u00e9", 1000), strings.Repeat("x", 1001), "{prompt}"} {
		values = append(values, strictjson.NewString(s), strictjson.NewArray(strictjson.NewString(s)))
	}
	return values
}

// mutate calls try after each single change of a document.
func mutate(v *strictjson.Value, try func()) {
	try()
	was := *v
	for _, other := range strange() {
		*v = *other
		try()
	}
	*v = was
	for i := range v.Members {
		removed := slices.Delete(slices.Clone(was.Members), i, i+1)
		v.Members = removed
		try()
		v.Members = append(slices.Clone(removed), strictjson.Member{Name: "stray", Value: was.Members[i].Value})
		try()
		v.Members = was.Members
	}
	for _, m := range v.Members {
		mutate(m.Value, try)
	}
	for _, e := range v.Elems {
		mutate(e, try)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(wholeConfig))
	for _, tt := range refused {
		f.Add([]byte(tt.text))
	}
	f.Add([]byte("\ufeff{\"version\":1}"))
	schema := schemaOf(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := ParseConfig("c", text)
		if err == nil {
			for _, name := range c.Names() {
				if a, err := c.Adapter(name); err != nil || name != CommandName && a.check() != nil {
					t.Errorf("%s: %+v, %v", name, a, err)
				}
			}
			if b := c.Budgets; b.MaxTurns < 1 || b.MaxTime <= 0 || b.MaxTurnTime <= 0 || b.MaxCost < 0 {
				t.Errorf("%+v", b)
			}
		} else if e, ok := errors.AsType[*ConfigError](err); !ok || len(e.Faults) == 0 || e.Faults[0].Line < 1 {
			t.Errorf("%v", err)
		}
		agree(t, schema, text)
	})
}
