package author

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// mostChanges bounds one change file.
const mostChanges = 1000

// ReadChanges reads a change file, strictly (PS-23). All faults of form are told at once, each with its place.
func ReadChanges(src []byte) ([]Step, []Gap) {
	doc, err := strictjson.Parse(src)
	if err != nil {
		place := "changes"
		if e, ok := err.(*strictjson.SyntaxError); ok {
			place = fmt.Sprintf("line %d, column %d", e.Line, e.Column)
		}
		return nil, []Gap{{place, "not JSON: " + err.Error()}}
	}
	d := decoder{}
	var steps []Step
	d.object("", doc.Root, map[string]reading{"changes": d.list(func(at string, v *strictjson.Value) { steps = append(steps, d.step(at, v)) })})
	switch {
	case len(d.gaps) > 0:
	case len(steps) == 0:
		d.gap("changes", "none are given")
	case len(steps) > mostChanges:
		d.gap("changes", "%d are given; at most %d are one operation", len(steps), mostChanges)
	}
	return steps, d.gaps
}

// step reads one change; what it does says which members it has.
func (d *decoder) step(at string, v *strictjson.Value) Step {
	s := Step{place: at}
	if do := v.Member("do"); v.Kind == strictjson.Object && do != nil && do.Kind == strictjson.String {
		s.Do = do.Text
	}
	members, needed := d.stepMembers(at, &s)
	if members == nil {
		d.gap(at, "do says what is done: add, edit, split, move or remove")
		return s
	}
	members["do"] = func(string, *strictjson.Value) {}
	d.object(at, v, members)
	for _, name := range needed {
		if v.Member(name) == nil {
			d.gap(at, "%s is missing", name)
		}
	}
	after, before := v.Member("after") != nil, v.Member("before") != nil
	switch {
	case after && before:
		d.gap(at, "after and before exclude each other")
	case s.Do == "move" && !after && !before:
		d.gap(at, "it is not said where the task is to stand: after or before")
	case s.Do == "split" && len(s.Parts) < 2 && v.Member("parts") != nil:
		d.gap(at+".parts", "a split needs two parts at least")
	case s.Do == "remove" && v.Member("redirect") != nil && v.Member("drop") != nil:
		d.gap(at, "redirect and drop exclude each other")
	}
	return s
}

// stepMembers are the members of a change, and those that it needs. This is what changes.json says, too.
func (d *decoder) stepMembers(at string, s *Step) (members map[string]reading, needed []string) {
	number, reason := d.number(&s.Task), d.words(&s.Reason)
	after, before := d.number(&s.After), d.number(&s.Before)
	switch s.Do {
	case "add":
		return map[string]reading{"task": d.wholeTask(func(t Task) { s.New = t }), "after": after, "before": before, "reason": reason}, []string{"task"}
	case "edit":
		return map[string]reading{"number": number, "reason": reason, "invalidates": d.list(func(at string, v *strictjson.Value) {
			var command string
			d.words(&command)(at, v)
			s.Invalidates = append(s.Invalidates, command)
		}),
			"task": func(at string, v *strictjson.Value) {
				s.Edit = d.taskEdit(at, v)
				d.partial(at, v, &s.Edit)
			}}, []string{"number", "task"}
	case "split":
		return map[string]reading{"number": number, "reason": reason,
			"parts": d.list(d.wholeTask(func(t Task) { s.Parts = append(s.Parts, t) }))}, []string{"number", "parts"}
	case "move":
		return map[string]reading{"number": number, "after": after, "before": before}, []string{"number"}
	case "remove":
		return map[string]reading{"number": number, "reason": reason, "archive": d.flag(&s.Archive), "drop": d.flag(&s.Drop),
			"redirect": d.number(&s.Redirect)}, []string{"number"}
	}
	return nil, nil
}

// partial demands words in what an edit gives; whether the sections are whole then is for the change to judge.
func (d *decoder) partial(at string, v *strictjson.Value, e *TaskEdit) {
	c, t := gaps{}, &e.task
	for name, check := range map[string]func(place string){
		"title":        func(place string) { c.title(place, "the title", t.Title) },
		"context":      func(place string) { c.text(place, "Context", t.Context) },
		"goal":         func(place string) { c.text(place, "Goal", t.Goal) },
		"read":         func(place string) { c.each(place, "Read Before Starting", t.Read) },
		"outputs":      func(place string) { c.each(place, "Outputs", t.Outputs) },
		"checklist":    func(place string) { c.each(place, "Execution Checklist", t.Checklist) },
		"acceptance":   func(place string) { c.items(place, "Acceptance Criteria", t.Acceptance) },
		"gates":        func(place string) { c.gates(place, t.Gates) },
		"instructions": func(place string) { c.each(place, "Instructions", t.Instructions) },
	} {
		if v.Member(name) != nil {
			check(at + "." + name)
		}
	}
	if surface := v.Member("surface"); surface != nil {
		if surface.Member("planned") != nil {
			c.items(at+".surface.planned", "planned paths", t.Surface.Planned)
		}
		if surface.Member("risk") != nil {
			c.risk(at+".surface.risk", "risk class", t.Surface.Risk)
		}
	}
	if v.Kind == strictjson.Object && len(v.Members) == 0 {
		c.add(at, "nothing is to change: give at least one member")
	}
	slices.SortStableFunc(c.list, func(a, b Gap) int { return strings.Compare(a.Place, b.Place) })
	d.gaps = append(d.gaps, c.list...)
}

// wholeTask reads a task that must have everything that a record needs.
func (d *decoder) wholeTask(take func(Task)) reading {
	return func(at string, v *strictjson.Value) {
		t := d.task(at, v)
		whole := t
		whole.DependsOn = nil // whether there are such tasks is for the change to judge
		c := gaps{}
		c.task(0, &whole, 1)
		d.gaps = append(d.gaps, c.list...)
		take(t)
	}
}

// words reads a string that says something.
func (d *decoder) words(to *string) reading {
	return func(at string, v *strictjson.Value) {
		if d.text(to)(at, v); v.Kind == strictjson.String && oneLine(v.Text) == "" {
			d.gap(at, "must have words")
		}
	}
}

// flag reads true or false.
func (d *decoder) flag(to *bool) reading {
	return func(at string, v *strictjson.Value) {
		if v.Kind != strictjson.Bool {
			d.gap(at, "must be true or false")
			return
		}
		*to = v.Text == "true"
	}
}
