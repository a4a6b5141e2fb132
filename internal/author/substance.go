package author

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/planmd"
)

// longestGate is what a gate record can hold of a command (PS-12).
const longestGate = 500

// mostTasks bounds what one outline makes; a plan of more is several plans.
const mostTasks = 4000

// Gaps lists everything that an outline lacks to be a plan (PD-4 to PD-6): a placeholder is no substance.
func (o *Outline) Gaps() []Gap {
	c := gaps{}
	c.title("outline", "the plan's title", o.Title)
	c.text("outline", "the plan's Goal", o.Goal)
	c.text("outline", "the plan's Context", o.Context)
	for i, v := range o.Variables {
		where := fmt.Sprintf("variables[%d]", i)
		c.text(where, "a variable's name", v.Name)
		c.text(where, "a variable's value", v.Value)
	}
	switch {
	case len(o.Tasks) == 0:
		c.add("outline", "no task: write a heading \"## Task 1: title\", or the list \"tasks\"")
	case len(o.Tasks) > mostTasks:
		c.add("outline", fmt.Sprintf("%d tasks; at most %d make one plan", len(o.Tasks), mostTasks))
	}
	for i := range o.Tasks {
		c.task(i, &o.Tasks[i], len(o.Tasks))
	}
	c.groups(o)
	c.children(o)
	return c.list
}

// gaps gathers what is missing.
type gaps struct{ list []Gap }

// add notes a gap.
func (c *gaps) add(place, what string) { c.list = append(c.list, Gap{place, what}) }

// text demands words. "TBD" is no substance, and neither is a comment (PD-5).
func (c *gaps) text(place, what, text string) {
	switch {
	case strings.TrimSpace(text) == "":
		c.add(place, what+" is missing")
	case planmd.Placeholder(text):
		c.add(place, what+" is a placeholder")
	case commentOnly(text):
		c.add(place, what+" is nothing but a comment")
	}
}

// commentOnly reports whether a text is one HTML comment and no more: nobody would read it (PD-5).
func commentOnly(text string) bool {
	text, opened := strings.CutPrefix(strings.TrimSpace(text), "<!--")
	_, after, closed := strings.Cut(text, "-->")
	return opened && closed && strings.TrimSpace(after) == ""
}

// title is text that may be a picture: people name things by emoji alone (C133).
func (c *gaps) title(place, what, text string) {
	if !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.Is(unicode.So, r) }) {
		c.text(place, what, text)
	}
}

// items demands one item at least, and words in each.
func (c *gaps) items(place, what string, items []string) {
	if len(items) == 0 {
		c.add(place, what+": none given")
	}
	c.each(place, what, items)
}

// each demands words in every item there is.
func (c *gaps) each(place, what string, items []string) {
	for i, item := range items {
		switch {
		case strings.TrimSpace(item) == "":
			c.add(place, fmt.Sprintf("%s: item %d is empty", what, i+1))
		case planmd.Placeholder(item):
			c.add(place, fmt.Sprintf("%s: item %d has no words", what, i+1))
		}
	}
}

// task demands the sections that a record must have, with words in them. Those it should have are filled in when they are
// left out: reading, instructions, outputs, checklist.
func (c *gaps) task(i int, t *Task, count int) {
	place := t.place
	if place == "" {
		place = fmt.Sprintf("tasks[%d]", i)
	}
	name := fmt.Sprintf("task %d", i+1)
	if t.Title != "" {
		name += fmt.Sprintf(" (%s)", oneLine(t.Title))
	}
	of := func(what string) string { return name + ": " + what }
	c.title(place, of("title"), t.Title)
	c.text(place, of("Context"), t.Context)
	c.text(place, of("Goal"), t.Goal)
	c.items(place, of("Touched Surface, planned paths"), t.Surface.Planned)
	c.risk(place, of("Touched Surface, risk class"), t.Surface.Risk)
	c.items(place, of("Acceptance Criteria"), t.Acceptance)
	if len(t.Gates) == 0 {
		c.add(place, of("Validation, gate command: none given; in Markdown it stands in a fenced block of sh"))
	}
	c.each(place, of("Validation, gate command"), t.Gates)
	c.each(place, of("Read Before Starting"), t.Read)
	c.each(place, of("Instructions"), t.Instructions)
	c.each(place, of("Outputs"), t.Outputs)
	c.each(place, of("Execution Checklist"), t.Checklist)
	for _, g := range t.Gates {
		c.gate(place, of("a gate"), g)
	}
	for _, id := range t.DependsOn {
		switch {
		case id < 1 || id > count:
			c.add(place, of(fmt.Sprintf("it depends on task %d, which the outline has not", id)))
		case id == i+1:
			c.add(place, of("it depends on itself"))
		}
	}
}

// gate demands that a record can hold a command (PS-12).
func (c *gaps) gate(place, what, command string) {
	if n := utf8.RuneCountInString(command); n > longestGate {
		c.add(place, fmt.Sprintf("%s has %d characters; a record holds %d: put it into a script", what, n, longestGate))
	}
}

// riskClasses are the words of PD-6. "not applicable" needs a reason behind it.
var riskClasses = []string{"isolated", "seam", "shared/core", "shared", "core", "unknown"}

// riskWords says what a risk class may be.
const riskWords = "write isolated, seam, shared/core, unknown, or not applicable and why"

// risk demands one of the classes, in any case and with any remark behind it; "not applicable" alone says nothing.
func (c *gaps) risk(place, what, risk string) {
	word, reason := risk, ""
	if i := strings.IndexAny(risk, " :,;.(\t\n\u2014"); i >= 0 {
		word, reason = risk[:i], risk[i:]
	}
	word = strings.ToLower(word)
	_, why, none := strings.Cut(strings.ToLower(risk), "not applicable")
	switch {
	case strings.TrimSpace(risk) == "":
		c.add(place, what+" is missing: "+riskWords)
	case slices.Contains(riskClasses, word):
	case none && strings.TrimSpace(reason) != "" && !planmd.Placeholder(why):
	case none:
		c.add(place, what+": \"not applicable\" needs a reason")
	default:
		c.add(place, what+fmt.Sprintf(" is %q: %s", oneLine(risk), riskWords))
	}
}

// groups: each names tasks of the outline, a task is in one group, and no two tasks of one group plan to write the same file
// (AG-6). Who owns which file is verified with the plan.
func (c *gaps) groups(o *Outline) {
	seen := map[int]bool{}
	writes := map[[2]string]int{} // the task by group and path
	for i, g := range o.Groups {
		place := fmt.Sprintf("groups[%d]", i)
		c.text(place, "a group's name", g.Name)
		if len(g.Tasks) == 0 {
			c.add(place, "group "+oneLine(g.Name)+" has no task")
		}
		for _, id := range g.Tasks {
			if id < 1 || id > len(o.Tasks) {
				c.add(place, fmt.Sprintf("group %s names task %d, which the outline has not", oneLine(g.Name), id))
			} else if seen[id] {
				c.add(place, fmt.Sprintf("task %d stands in two groups", id))
			} else {
				c.planned(place, g.Name, id, o.Tasks[id-1].Surface.Planned, writes)
			}
			seen[id] = true
		}
	}
}

// planned notes what a task of a group writes, and tells when another one of it does, too.
func (c *gaps) planned(place, group string, id int, planned []string, writes map[[2]string]int) {
	for _, p := range planned {
		key := [2]string{strings.ToLower(oneLine(group)), path.Clean(p)}
		if other := writes[key]; other != 0 && other != id {
			c.add(place, fmt.Sprintf("tasks %d and %d of group %s both plan to write %s", other, id, oneLine(group), p))
		}
		writes[key] = id
	}
}
