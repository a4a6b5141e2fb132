package author

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// This file: parts of an outline that are given one by one, as flags and answers give them.

// taskForm is how a task is written in one text.
const taskForm = "TITLE|GOAL|CONTEXT|PATHS|RISK|CRITERIA|GATE"

// ParseTask reads a task from one text: "TITLE|GOAL|CONTEXT|PATHS|RISK|CRITERIA|GATE", where paths and criteria are lists with
// semicolons, and the gate is the rest, bars and all; or an object in JSON as an outline has it. n is its number, for messages.
func ParseTask(text string, n int) (Task, []Gap) {
	place := fmt.Sprintf("--task %d", n)
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		doc, err := strictjson.Parse([]byte(text))
		if err != nil {
			return Task{}, []Gap{{place, "not JSON: " + err.Error()}}
		}
		d := decoder{}
		return d.task(place, doc.Root), d.gaps
	}
	fields := strings.SplitN(text, "|", strings.Count(taskForm, "|")+1)
	if len(fields) <= strings.Count(taskForm, "|") {
		return Task{}, []Gap{{place, fmt.Sprintf("it has %d of the parts %s", len(fields), taskForm)}}
	}
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	t := Task{Title: fields[0], Goal: fields[1], Context: fields[2], place: place}
	t.Surface = Surface{Risk: fields[4]}
	for _, p := range parts(fields[3]) {
		t.Surface.Planned = append(t.Surface.Planned, unquoted(p))
	}
	t.Acceptance = parts(fields[5])
	if fields[6] != "" {
		t.Gates = []string{fields[6]}
	}
	return t, nil
}

// parts splits a list at its semicolons.
func parts(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// JSON is the outline as a file that create reads again.
func (o *Outline) JSON() []byte { return strictjson.Format(o.encode()) }

// PrepareOutline is Prepare for an outline whose parts were read one by one; gaps is what could not be read of them.
func PrepareOutline(o Outline, gaps []Gap, opt Options) (*Plan, error) { return prepare(o, gaps, opt) }

// ParseChildren reads child plans as the list of an outline has them, one per text: "services/api: PLAN_token_api, task 1, after
// PLAN_other_one - notes".
func ParseChildren(lines []string) []Child {
	var list []Child
	for i, line := range lines {
		item, _ := unmark(oneLine(line))
		h := planmd.ReadChildren([]byte("## Child Plans\n\n- " + item + "\n"))
		c := Child{place: fmt.Sprintf("child plan %d", i+1)}
		if len(h.Children) == 1 {
			c.Repository, c.Plan, c.Task = h.Children[0].Repository, h.Children[0].Plan, h.Children[0].Task
			c.DependsOn, c.Notes = h.Children[0].DependsOn, h.Children[0].Notes
		}
		list = append(list, c)
	}
	return list
}

// Words tell of a child plan in one line.
func (c *Child) Words() string {
	words := c.Repository + ": " + c.name()
	if c.Task > 0 {
		words += fmt.Sprintf(", task %d", c.Task)
	}
	if len(c.DependsOn) > 0 {
		words += ", after " + strings.Join(c.DependsOn, ", ")
	}
	return words
}
