package author

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// schema is the JSON Schema of an outline (draft 2020-12). The decoder below is what dwp uses; a test proves that both refuse the
// same documents.
//
//go:embed schema.json
var schema []byte

// OutlineSchema returns the JSON Schema of an outline in JSON.
func OutlineSchema() []byte { return slices.Clone(schema) }

// template is the filled example that --outline-template prints.
//
//go:embed template.md
var template string

// Template returns a filled example of an outline in Markdown, to be edited. It makes a conformant plan as it is.
func Template() string { return template }

// readJSON reads an outline in JSON, strictly (PS-23): an unknown field is a mistyped one.
func readJSON(src []byte) (Outline, []Gap) {
	doc, err := strictjson.Parse(src)
	if err != nil {
		place := "outline"
		if e, ok := err.(*strictjson.SyntaxError); ok {
			place = fmt.Sprintf("line %d, column %d", e.Line, e.Column)
		}
		return Outline{}, []Gap{{place, "not JSON: " + err.Error()}}
	}
	d := decoder{}
	o := d.outline(doc.Root)
	return o, d.gaps
}

// decoder gathers every fault of shape.
type decoder struct{ gaps []Gap }

// gap notes a fault of shape, with the path as programs write it: "tasks[2].surface.risk".
func (d *decoder) gap(at, format string, args ...any) {
	if at == "" {
		at = "outline"
	}
	d.gaps = append(d.gaps, Gap{at, fmt.Sprintf(format, args...)})
}

// reading reads one member at its path.
type reading func(at string, v *strictjson.Value)

// object reads an object by a table of its members. What is not in the table is refused.
func (d *decoder) object(at string, v *strictjson.Value, members map[string]reading) {
	if v.Kind != strictjson.Object {
		d.gap(at, "must be an object")
		return
	}
	for _, m := range v.Members {
		path := strings.TrimPrefix(at+"."+m.Name, ".")
		if read, ok := members[m.Name]; ok {
			read(path, m.Value)
		} else {
			d.gap(path, "is no field that an outline has here")
		}
	}
}

// text reads a string; what is in it is for Gaps to judge.
func (d *decoder) text(to *string) reading {
	return func(at string, v *strictjson.Value) {
		if v.Kind != strictjson.String {
			d.gap(at, "must be a string")
			return
		}
		*to = v.Text
	}
}

// list reads each element of an array.
func (d *decoder) list(each func(at string, v *strictjson.Value)) reading {
	return func(at string, v *strictjson.Value) {
		if v.Kind != strictjson.Array {
			d.gap(at, "must be a list")
			return
		}
		for i, e := range v.Elems {
			each(fmt.Sprintf("%s[%d]", at, i), e)
		}
	}
}

// texts reads strings. One of another type keeps its place, so that later paths are right.
func (d *decoder) texts(to *[]string) reading {
	return d.list(func(at string, v *strictjson.Value) {
		var s string
		d.text(&s)(at, v)
		*to = append(*to, s)
	})
}

// paths reads paths, bare.
func (d *decoder) paths(to *[]string) reading {
	return d.list(func(at string, v *strictjson.Value) {
		var s string
		d.text(&s)(at, v)
		*to = append(*to, unquoted(s))
	})
}

// numbers reads the numbers of tasks. Whether there are such tasks is for Gaps to judge.
func (d *decoder) numbers(to *[]int) reading {
	return d.list(func(at string, v *strictjson.Value) {
		var n int
		if d.number(&n)(at, v); n > 0 {
			*to = append(*to, n)
		}
	})
}

// number reads the number of one task.
func (d *decoder) number(to *int) reading {
	return func(at string, v *strictjson.Value) {
		n, err := strconv.Atoi(v.Text)
		if v.Kind != strictjson.Number || err != nil || n < 1 || n > mostTasks {
			d.gap(at, "must be the number of a task")
			return
		}
		*to = n
	}
}

// outline reads the whole. This table of members is what schema.json says, too.
func (d *decoder) outline(v *strictjson.Value) (o Outline) {
	d.object("", v, map[string]reading{
		"title": d.text(&o.Title), "goal": d.text(&o.Goal), "context": d.text(&o.Context),
		"guidelines": d.texts(&o.Guidelines), "execution": d.text(&o.Execution),
		"variables": d.list(func(at string, v *strictjson.Value) {
			var x Variable
			d.object(at, v, map[string]reading{"name": d.text(&x.Name), "value": d.text(&x.Value)})
			o.Variables = append(o.Variables, x)
		}),
		"groups": d.list(func(at string, v *strictjson.Value) {
			var g Group
			d.object(at, v, map[string]reading{"name": d.text(&g.Name), "tasks": d.numbers(&g.Tasks), "teammate": d.text(&g.Teammate), "owned": d.paths(&g.Owned)})
			o.Groups = append(o.Groups, g)
		}),
		"selection": func(at string, v *strictjson.Value) {
			s := &o.Selection
			d.object(at, v, map[string]reading{"scope": d.text(&s.Scope), "dependencies": d.text(&s.Dependencies), "detail": d.text(&s.Detail),
				"uncertainties": d.text(&s.Uncertainties), "rationale": d.text(&s.Rationale)})
		},
		"tasks":    d.list(func(at string, v *strictjson.Value) { o.Tasks = append(o.Tasks, d.task(at, v)) }),
		"children": d.list(func(at string, v *strictjson.Value) { o.Children = append(o.Children, d.child(at, v)) }),
	})
	return o
}

// task reads one task. An empty depends_on is kept apart from none: the one says that it waits for nothing (GU-7).
func (d *decoder) task(at string, v *strictjson.Value) Task {
	t := Task{place: at}
	d.object(at, v, map[string]reading{
		"title": d.text(&t.Title), "context": d.text(&t.Context), "read": d.texts(&t.Read), "goal": d.text(&t.Goal),
		"surface": func(at string, v *strictjson.Value) {
			s := &t.Surface
			d.object(at, v, map[string]reading{"planned": d.paths(&s.Planned), "consumers": d.text(&s.Consumers), "risk": d.text(&s.Risk),
				"mapping": d.text(&s.Mapping), "gate": d.text(&s.Gate)})
		},
		"instructions": d.texts(&t.Instructions), "acceptance": d.texts(&t.Acceptance), "outputs": d.texts(&t.Outputs),
		"gates": d.texts(&t.Gates), "validation": d.text(&t.Validation), "checklist": d.texts(&t.Checklist),
		"rollback": d.text(&t.Rollback), "delta": d.text(&t.Delta),
		"depends_on": func(at string, v *strictjson.Value) {
			t.HasDepends = true
			d.numbers(&t.DependsOn)(at, v)
		},
	})
	return t
}

// encode is the outline as JSON, as it is kept in the plan. What is empty is left out.
func (o *Outline) encode() *strictjson.Value {
	v := strictjson.NewObject()
	setText(v, "title", o.Title)
	setText(v, "goal", o.Goal)
	setText(v, "context", o.Context)
	variables := strictjson.NewArray()
	for _, x := range o.Variables {
		e := strictjson.NewObject()
		setText(e, "name", x.Name)
		setText(e, "value", x.Value)
		variables.Elems = append(variables.Elems, e)
	}
	setList(v, "variables", variables)
	setList(v, "guidelines", textArray(o.Guidelines))
	setText(v, "execution", o.Execution)
	groups := strictjson.NewArray()
	for _, g := range o.Groups {
		e := strictjson.NewObject()
		setText(e, "name", g.Name)
		setList(e, "tasks", numberArray(g.Tasks))
		setText(e, "teammate", g.Teammate)
		setList(e, "owned", textArray(g.Owned))
		groups.Elems = append(groups.Elems, e)
	}
	setList(v, "groups", groups)
	s := strictjson.NewObject()
	for _, f := range []struct{ name, text string }{{"scope", o.Selection.Scope}, {"dependencies", o.Selection.Dependencies},
		{"detail", o.Selection.Detail}, {"uncertainties", o.Selection.Uncertainties}, {"rationale", o.Selection.Rationale}} {
		setText(s, f.name, f.text)
	}
	if len(s.Members) > 0 {
		v.Set("selection", s)
	}
	tasks := strictjson.NewArray()
	for i := range o.Tasks {
		tasks.Elems = append(tasks.Elems, o.Tasks[i].encode())
	}
	v.Set("tasks", tasks)
	children := strictjson.NewArray()
	for i := range o.Children {
		children.Elems = append(children.Elems, o.Children[i].encode())
	}
	setList(v, "children", children)
	return v
}

// encode is one task as JSON.
func (t *Task) encode() *strictjson.Value {
	v, s := strictjson.NewObject(), strictjson.NewObject()
	setText(v, "title", t.Title)
	setText(v, "context", t.Context)
	setList(v, "read", textArray(t.Read))
	setText(v, "goal", t.Goal)
	setList(s, "planned", textArray(t.Surface.Planned))
	setText(s, "consumers", t.Surface.Consumers)
	setText(s, "risk", t.Surface.Risk)
	setText(s, "mapping", t.Surface.Mapping)
	setText(s, "gate", t.Surface.Gate)
	v.Set("surface", s)
	setList(v, "instructions", textArray(t.Instructions))
	setList(v, "acceptance", textArray(t.Acceptance))
	setList(v, "outputs", textArray(t.Outputs))
	setList(v, "gates", textArray(t.Gates))
	setText(v, "validation", t.Validation)
	setList(v, "checklist", textArray(t.Checklist))
	setText(v, "rollback", t.Rollback)
	setText(v, "delta", t.Delta)
	if t.HasDepends {
		v.Set("depends_on", numberArray(t.DependsOn))
	}
	return v
}

// setText adds a member unless its text is empty.
func setText(v *strictjson.Value, name, text string) {
	if text != "" {
		v.Set(name, strictjson.NewString(text))
	}
}

// setList adds a member unless its list is empty.
func setList(v *strictjson.Value, name string, list *strictjson.Value) {
	if len(list.Elems) > 0 {
		v.Set(name, list)
	}
}

// textArray is a list of strings.
func textArray(texts []string) *strictjson.Value {
	a := strictjson.NewArray()
	for _, t := range texts {
		a.Elems = append(a.Elems, strictjson.NewString(t))
	}
	return a
}

// numberArray is a list of numbers.
func numberArray(numbers []int) *strictjson.Value {
	a := strictjson.NewArray()
	for _, n := range numbers {
		a.Elems = append(a.Elems, strictjson.NewInt(n))
	}
	return a
}
