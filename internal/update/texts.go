package update

import (
	"strings"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/evidence"
)

// EnvValue is a variable of the environment with its value.
type EnvValue struct{ Name, Value string }

// shortest is the length below which a value of the environment is no secret worth a warning: "true", "8080".
const shortest = 8

// ConfiguredSecrets picks from an environment ("NAME=value") the values whose names speak of a secret (C163). It is a help,
// not a proof: a secret under a plain name is not seen.
func ConfiguredSecrets(environ []string) []EnvValue {
	var found []EnvValue
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if len(value) >= shortest && secretName(name) {
			found = append(found, EnvValue{name, value})
		}
	}
	return found
}

// secretName looks at the words of a variable's name.
func secretName(name string) bool {
	for part := range strings.SplitSeq(strings.ToUpper(name), "_") {
		switch part {
		case "PASS", "PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "SECRETS", "TOKEN", "KEY", "APIKEY", "CREDENTIAL", "CREDENTIALS", "PAT", "DSN":
			return true
		}
	}
	return false
}

// text is one text that a change gives, with its limits.
type text struct {
	field, value string
	rule         string // under which its limits are refused
	most         int    // characters; 0 for no limit
	line         bool   // one line only
}

// given lists the texts of a change.
func (ch *Change) given() []text {
	const out, point, block = "outcome/shape", "checkpoint/shape", "blocked/shape"
	all := []text{
		{"worked", ch.Worked, out, 500, true}, {"notes", ch.Notes, out, 1000, true},
		{"checkpoint step", ch.CheckpointStep, point, 200, false}, {"checkpoint note", ch.CheckpointNote, point, 500, true},
		{"block reason", ch.BlockReason, block, 1000, false}, {"block needs", ch.BlockNeeds, block, 500, false},
		{"reopen reason", ch.ReopenReason, point, 500, true}, // it becomes the checkpoint's note, which is one line
		{"agent", ch.Agent, "state/value", 200, true}, {"model", ch.Model, "state/value", 200, true},
		{"commit", ch.Commit, "commit/shape", 40, true},
	}
	for _, t := range ch.Tried {
		all = append(all, text{"tried", t, out, 300, true})
	}
	for _, t := range ch.Failed {
		all = append(all, text{"failed", t, out, 300, true})
	}
	for i := range ch.Gates {
		gate := &ch.Gates[i]
		all = append(all, text{"gate command", gate.Command, "gate/length", 500, false}, text{"gate evidence", gate.Evidence, "gate/length", newEvidence, true},
			text{"gate last_run", gate.LastRun, "gate/shape", 40, true})
	}
	return all
}

// newEvidence is how long new evidence may be: less than the 500 of the format, so that a mark fits (PS-12).
const newEvidence = 440

// lineBreaks is every character that ends a line, the Unicode ones too.
const lineBreaks = "\n\r\v\f\u0085\u2028\u2029"

// texts checks what the change says, before any of it is believed (PS-7, PS-11, PS-12, PS-14 to PS-16, C161).
func (g *guard) texts() *Refusal {
	for _, t := range g.ch.given() {
		if r := t.refused(); r != nil {
			return r
		}
		g.configured(t)
	}
	for _, name := range []string{g.ch.Agent, g.ch.Model} {
		if _, personal := evidence.Personal(name); personal {
			return refuse("secret/personal", "the name of agent or model holds a personal identifier")
		}
	}
	if c := g.ch.Commit; c != "" && (len(c) < 7 || strings.Trim(c, "0123456789abcdefABCDEF") != "") {
		return refuse("commit/shape", "the commit %q is not 7 to 40 hexadecimal digits", shorten(c))
	}
	return nil
}

// refused checks encoding, secrets, length and lines of one text. A secret is named by kind and field, never shown.
func (t *text) refused() *Refusal {
	if !utf8.ValidString(t.value) {
		return refuse("guard/text", "the %s is not UTF-8", t.field)
	}
	if found := evidence.Secrets(t.value); len(found) > 0 {
		return refuse("secret/json", "the %s holds what looks like a secret: %s", t.field, found[0].Kind).
			hint("leave it out or mask it with ***, and revoke it if it was shown anywhere")
	}
	if n := utf8.RuneCountInString(t.value); t.most > 0 && n > t.most {
		return refuse(t.rule, "the %s has %d characters; at most %d are allowed", t.field, n, t.most).hint("shorten it; keep whole output in a file under analysis_results")
	}
	if t.line && strings.ContainsAny(t.value, lineBreaks) {
		id := t.rule
		if id == "gate/length" {
			id = "gate/one-line"
		}
		return refuse(id, "the %s has more than one line", t.field).hint("write one line")
	}
	return nil
}

// configured warns of values of the environment (C163).
func (g *guard) configured(t text) {
	for _, env := range g.ch.Configured {
		if len(env.Value) >= shortest && strings.Contains(t.value, env.Value) {
			g.warn("the %s holds the value of the environment variable %s; if it is a secret, take it out", t.field, env.Name)
		}
	}
}
