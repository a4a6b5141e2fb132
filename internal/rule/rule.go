// Package rule owns the catalogue: every rule that dwp checks, with its stable
// ID, level, requirement and explanation, and the finding a rule reports.
// It knows nothing of plans. Requirements: VP-6, and the ID of every other one as data.
package rule

import "strings"

// Rule describes one check of the catalogue.
type Rule struct {
	// ID is stable: group, slash, name.
	ID string `json:"id"`
	// Level is the strongest level the rule reports; Levels says when it is weaker ("" if never).
	Level  Level  `json:"level"`
	Levels string `json:"levels,omitempty"`
	// Requirement is the ID in REQUIREMENTS.md that findings cite.
	Requirement string `json:"requirement"`
	// Title is one line: what the rule demands, in lower case.
	Title string `json:"title"`
	// Why says what goes wrong without it.
	Why string `json:"why"`
	// Example is a short text that trips the rule.
	Example string `json:"example"`
	// Mend says what to do about a finding.
	Mend string `json:"mend"`
}

// All returns the catalogue, ordered as listings print it. The slice is the caller's.
func All() []Rule {
	var all []Rule
	for _, g := range groups {
		all = append(all, g.rules...)
	}
	return all
}

// Lookup finds a rule by its ID.
func Lookup(id string) (Rule, bool) {
	name, _, ok := strings.Cut(id, "/")
	if !ok {
		return Rule{}, false
	}
	for _, g := range groups {
		if g.name != name {
			continue
		}
		for _, r := range g.rules {
			if r.ID == id {
				return r, true
			}
		}
	}
	return Rule{}, false
}
