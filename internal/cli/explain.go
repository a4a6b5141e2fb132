package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/turn"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/work"
	"github.com/spf13/cobra"
)

// explainCmd prints the catalogue. It needs no repository, so that a finding from a build log can be looked up anywhere.
func (a *app) explainCmd() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:     "explain RULE",
		Short:   "Explain a rule: what, why, and how to mend",
		GroupID: groupCheck,
		Long: `Explain a rule of the catalogue: what it demands, why, the requirement it comes
from, an example that breaks it, and how to mend a finding. The first part of
a rule's name alone (index, desync) explains every rule of that group. The
group guard holds the rules that changes are refused for, the group turn what
stops a plan that is worked with nobody watching.

Exit codes: 0 explained; 2 there is no such rule.`,
		Example: `  dwp explain desync/state-ahead
  dwp explain guard/moved-on
  dwp explain index
  dwp explain --all`,
		Args: func(cmd *cobra.Command, args []string) error {
			if all {
				return atMost(0)(cmd, args)
			}
			return between(1, 1)(cmd, args)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, r := range allRules() {
				if len(args) == 0 {
					names = append(names, r.ID+"\t"+r.Title)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if all {
				return a.explainAll()
			}
			return a.explain(args[0])
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "list the whole catalogue")
	return cmd
}

// allRules is the catalogue of what verify reports, then the guards: what a change or a publication is refused for; then what stops a plan
// that is worked alone.
func allRules() []rule.Rule {
	rules := rule.All()
	for _, g := range slices.Concat(update.Guards(), publish.Guards(), work.Guards(), author.Guards(), turn.Guards()) {
		rules = append(rules, rule.Rule{ID: g.ID, Level: rule.Must, Levels: "a change that breaks it is refused",
			Requirement: g.Requirement, Title: g.Title, Mend: g.Hint})
	}
	return append(rules, turn.Rules()...)
}

// explain prints a rule, or every rule of a group.
func (a *app) explain(id string) error {
	rules := matching(strings.TrimSpace(id))
	if len(rules) == 0 {
		return usage("unknown-rule", ruleHint(id), "unknown rule %q", id)
	}
	if a.json {
		return a.writeRules(rules)
	}
	p := a.page()
	for i, r := range rules {
		if i > 0 {
			p.line("")
		}
		writeRule(p, r)
	}
	return nil
}

// matching returns the rule of that ID, or every rule of the group.
func matching(id string) []rule.Rule {
	// A whole ID first: no rule is named like a group.
	var group []rule.Rule
	for _, r := range allRules() {
		if r.ID == id {
			return []rule.Rule{r}
		}
	}
	for _, r := range allRules() {
		if strings.HasPrefix(r.ID, strings.TrimSuffix(id, "/")+"/") {
			group = append(group, r)
		}
	}
	return group
}

// ruleHint names rules whose ID has the asked words in it.
func ruleHint(id string) string {
	// People remember the second part better than the group it stands in.
	_, name, found := strings.Cut(id, "/")
	if !found {
		name = id
	}
	var near []string
	for _, r := range allRules() {
		if name != "" && strings.Contains(r.ID, strings.ToLower(name)) {
			near = append(near, r.ID)
		}
	}
	if len(near) == 0 {
		return "dwp explain --all lists every rule"
	}
	return "did you mean " + enumerate(near) + "?"
}

// writeRules prints rules with every part the catalogue has.
func (a *app) writeRules(rules []rule.Rule) error {
	return a.writeJSON(struct {
		opening
		Rules []rule.Rule `json:"rules"`
		closing
	}{opened("explain"), rules, closed(nil, nil)})
}

// writeRule prints one rule; parts that the catalogue leaves empty are left out.
func writeRule(p page, r rule.Rule) {
	const label = 14
	p.line("%s", p.paint(bold, r.ID))
	level := string(r.Level)
	if r.Levels != "" {
		level += "; " + r.Levels
	}
	p.labelled("  What", label, r.Title)
	p.labelled("  Level", label, level)
	p.labelled("  Requirement", label, r.Requirement)
	p.labelled("  Why", label, r.Why)
	// An example of several lines is a piece of a file, whose lines must not be joined.
	if strings.Contains(r.Example, "\n") {
		p.line("  Example")
		for l := range strings.Lines(r.Example) {
			p.line("    %s", strings.TrimRight(cleanBlock(l), "\n"))
		}
	} else {
		p.labelled("  Example", label, r.Example)
	}
	p.labelled("  Mend", label, r.Mend)
}

// explainAll lists the catalogue in its own order, a blank line between groups.
func (a *app) explainAll() error {
	if a.json {
		return a.writeRules(allRules())
	}
	p := a.page()
	group, width := "", 0
	rules := allRules()
	for _, r := range rules {
		width = max(width, len(r.ID))
	}
	for _, r := range rules {
		if g, _, _ := strings.Cut(r.ID, "/"); g != group {
			if group != "" {
				p.line("")
			}
			group = g
		}
		first := fmt.Sprintf("%s  %s", r.ID+strings.Repeat(" ", width-len(r.ID)), p.paint(levelStyle(r.Level), fmt.Sprintf("%-6s", r.Level)))
		p.flow(first+"  ", width+10, width+10, r.Title)
	}
	return nil
}
