package work

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/update"
)

// Decide records what an agent decided by itself: options, choice, why, how to revert (UN-5).
type Decide struct {
	revise.Who
	Choice, Why, Revert string
	Options             []string
	Task                int    // 0 for none
	ID                  string // that Decide gave, or found
	Configured          []update.EnvValue
}

// LedgerTerms is what decisions and skills candidates may meet: they need no state layer, and change none.
var LedgerTerms = update.Terms{Stateless: true}

// maxOptions bounds the options of a decision.
const maxOptions = 20

// Decide appends the decision to PROGRESS.md, with the next ID. It is put at the very end, because the receipt of a published plan covers
// what PROGRESS.md said then (VP-5): in the Decisions section when that is the last thing there, else below a heading of its own. The same
// decision again adds nothing.
func (c *Decide) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	if err := c.check(s); err != nil {
		return nil, err
	}
	number := 0
	for _, d := range plan.Decisions(s.Progress) {
		number = max(number, d.Number)
		if c.same(&d) {
			c.ID = d.ID
			return &publish.Revision{}, nil
		}
	}
	number++
	c.ID = "D" + strconv.Itoa(number)
	d := revise.New(s, c.Who)
	c.write(d, s.Progress)
	r, err := d.Revision("decide", "--choice", c.Choice)
	if err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, configured(c.Configured, slices.Concat(c.Options, []string{c.Choice, c.Why, c.Revert})...)...)
	return r, c.faithful(s, r)
}

// check refuses texts that can't stand in the document, and a task that the plan doesn't have.
func (c *Decide) check(s *plan.Snapshot) error {
	return sayable(s, c.Who, c.Task, c.Options, given{"choice", c.Choice, 500, false}, given{"reason", c.Why, 1000, false}, given{"way back", c.Revert, 500, false})
}

// sayable: texts and options of a decision or a question say something and can stand in a document, its author's name too, and the task
// that it is about exists; 0 for none.
func sayable(s *plan.Snapshot, who revise.Who, task int, options []string, texts ...given) error {
	if len(options) > maxOptions {
		return refuse("guard/faithful", "there are %d options; at most %d are allowed", len(options), maxOptions)
	}
	for _, o := range options {
		texts = append(texts, given{"option", o, 300, false})
	}
	for _, g := range texts {
		if strings.TrimSpace(g.text) == "" {
			return refuse("guard/faithful", "the %s says nothing", g.what)
		}
	}
	if err := all(texts...); err != nil {
		return err
	}
	if err := signed(who); err != nil || task == 0 {
		return err
	}
	o := s.Overview()
	_, err := taskOf(&o, task)
	return err
}

// signed refuses names of agent and model that may not stand in a plan: a display name at most (PS-7).
func signed(who revise.Who) error {
	if err := all(given{"name of the agent", who.Agent, 200, false}, given{"name of the model", who.Model, 200, false}); err != nil {
		return err
	}
	for _, name := range []string{who.Agent, who.Model} {
		if _, personal := evidence.Personal(name); personal {
			return refuse("secret/personal", "the name of agent or model holds a personal identifier")
		}
	}
	return nil
}

// configured warns of texts that hold values of the environment which may be secrets (C163).
func configured(env []update.EnvValue, texts ...string) (warnings []string) {
	for _, e := range env {
		if e.Value != "" && slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, e.Value) }) {
			warnings = append(warnings, "the text holds the value of the environment variable "+e.Name+"; if it is a secret, take it out")
		}
	}
	return warnings
}

// write puts the decision at the end of PROGRESS.md, whose bytes stay as they are.
func (c *Decide) write(desk *revise.Desk, g *planmd.Progress) {
	if g == nil {
		desk.Create(revise.ProgressFile, []byte("# Progress\n\n## Decisions\n\n"+c.text(3)))
		return
	}
	head, level := "## Decisions\n\n", 3
	for i := range g.Sections {
		s := &g.Sections[i]
		if s.Kind != planmd.Decisions || s.Level == 0 || s.Level > 5 {
			continue
		}
		level = s.Level + 1
		if head = strings.Repeat("#", s.Level) + " " + s.Label + "\n\n"; s.Body.End == len(g.Src) {
			head = ""
		}
	}
	desk.Edit(revise.ProgressFile, &g.Doc).Append(head + c.text(level))
}

// text is the decision as it is written.
func (c *Decide) text(level int) string {
	lines := []string{planmd.LabelChoice + ": " + c.Choice}
	for _, o := range c.Options {
		lines = append(lines, planmd.LabelOption+": "+o)
	}
	lines = append(lines, planmd.LabelWhy+": "+c.Why, planmd.LabelRevert+": "+c.Revert)
	if c.Task != 0 {
		lines = append(lines, planmd.LabelTask+": "+strconv.Itoa(c.Task))
	}
	if c.Agent != "" {
		lines = append(lines, planmd.LabelDecider+": "+c.Agent)
	}
	return strings.Repeat("#", level) + " " + c.ID + " \u2014 " + c.Date() + "\n\n" + revise.Bullets(lines...)
}

// same reports whether a decision says what this one says. Who made it, and when, is no part of that.
func (c *Decide) same(d *planmd.Decision) bool {
	return plainly(d.Choice, c.Choice) && plainly(d.Why, c.Why) && plainly(d.Revert, c.Revert) && d.Task == c.Task &&
		slices.EqualFunc(d.Options, c.Options, plainly)
}

// plainly compares texts as they read: without space and marks around them, as a labelled line is read.
func plainly(a, b string) bool { return stripped(a) == stripped(b) }

func stripped(text string) string { return strings.Trim(revise.OneLine(text), "`*_ ") }

// faithful reads PROGRESS.md as it will stand: one decision more, to the letter, and nothing else that is read otherwise.
func (c *Decide) faithful(s *plan.Snapshot, r *publish.Revision) error {
	before := s.Progress
	if before == nil {
		before = &planmd.Progress{}
	}
	for _, change := range r.Changes {
		if change.Path != revise.ProgressFile {
			continue
		}
		after := planmd.ReadProgress(change.Data)
		n := len(after.Decided)
		if n != len(before.Decided)+1 || after.Decided[n-1].ID != c.ID || !c.same(&after.Decided[n-1]) ||
			len(after.Entries) != len(before.Entries) || len(after.Problems) != len(before.Problems) {
			return refuse("guard/faithful", "the decision would not read back from PROGRESS.md as it was given")
		}
	}
	return nil
}
