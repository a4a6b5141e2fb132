package author

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

var ignorePlace = cmpopts.IgnoreUnexported(Task{})

// An outline comes back from JSON as it was, and makes the same plan: that is what resuming stands on (LF-4).
func TestOutlineRoundTrip(t *testing.T) {
	for name, o := range map[string]Outline{"template": outlineOf(t, Template()), "groups": sample(4, true)} {
		back, gaps := ReadOutline(strictjson.Format(o.encode()))
		if len(gaps) > 0 {
			t.Fatalf("%s: %v", name, gaps)
		}
		if diff := cmp.Diff(o, back, ignorePlace, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		opt := base()
		opt.Objective, opt.Tags, opt.Parent, opt.Trust, opt.By = "sort \"it\"", []string{"a", "b"}, "hub:PLAN_all_boxes", true, "Ada"
		p := prepared(t, o, opt)
		kept, options, gaps := readRecord([]byte(p.Final()[OutlineFile]))
		if len(gaps) > 0 {
			t.Fatalf("%s: %v", name, gaps)
		}
		again := prepared(t, kept, options)
		if diff := cmp.Diff(p.Files, again.Files); diff != "" {
			t.Errorf("%s: resuming renders otherwise (-want +got):\n%s", name, diff)
		}
	}
}

// PD-10, PD-11, LF-10: words below a heading that nobody knows are told, not lost; JSON refuses an unknown field likewise. A smaller
// heading belongs to the section that it stands in, and a heading without words says nothing.
func TestOutlineOtherSections(t *testing.T) {
	added := "\n## Hintergrund\n\nBoxes are old.\n\n## Later\n\n<!-- none -->\n"
	md := strings.Replace(Template(), "## Context\n", "## Context\n\n### History\n\nBoxes were new.\n", 1)
	md = strings.Replace(md, "\n### Goal\n", "\n### Security Notes\n\nNever print the key.\n\n### Goal\n", 1)
	md = strings.Replace(md, "\n## Task 1:", added+"\n## Task 1:", 1)
	o, gaps := ReadOutline([]byte(md))
	var got []string
	for _, g := range gaps {
		name, _, _ := strings.Cut(g.What, ":")
		got = append(got, name)
	}
	if want := []string{`an outline has no place for the section "Security Notes"`, `an outline has no place for the section "Hintergrund"`}; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
	if !strings.Contains(o.Context, "Boxes were new.") {
		t.Errorf("context %q", o.Context)
	}
}

// A program that writes an outline as JSON gives paths in code spans and the whole Execution line, too: they are read as Markdown's
// are, so that a path is one path for the groups and for a split (PD-4, AG-6, LF-10).
func TestOutlineJSONForms(t *testing.T) {
	text := `{"title": "T", "goal": "g.", "context": "c.", "execution": "Sequential \u2014 one reads the other", "tasks": [
		{"title": "One", "context": "c.", "goal": "g.", "surface": {"planned": ["` + "`a.go`\", \"b.go\", \"`c.go` and `d.go`" + `"], "risk": "seam"}, "acceptance": ["x"], "gates": ["make"]}]}`
	o, gaps := ReadOutline([]byte(text))
	if len(gaps) > 0 {
		t.Fatal(gaps)
	}
	if got, want := o.Tasks[0].Surface.Planned, []string{"a.go", "b.go", "`c.go` and `d.go`"}; !slices.Equal(got, want) {
		t.Errorf("planned %q, want %q", got, want)
	}
	if readme := prepared(t, o, base()).Final()["README.md"]; !strings.Contains(readme, "- **Execution:** sequential \u2014 one reads the other\n") {
		t.Errorf("the mode is not stated once:\n%s", readme)
	}
	task, gaps := ParseTask("One|g.|c.|`a.go`; b.go|seam|x|make", 1)
	if want := []string{"a.go", "b.go"}; len(gaps) > 0 || !slices.Equal(task.Surface.Planned, want) {
		t.Errorf("planned %q, want %q; %v", task.Surface.Planned, want, gaps)
	}
}

// What the Markdown says, in any wording, language and form of list that a plan may have (PD-10, PD-11).
func TestMarkdownForms(t *testing.T) {
	src := "\ufeff# Ordenar\r\n\r\n## Objetivo\r\n\r\nTodo en orden.\r\n\r\n## Contexto\r\n\r\nCajas.\r\n\r\n## Task 1: Caja {#task-1}\r\n\r\n" +
		"### Contexto\r\n\r\nCerrada.\r\n\r\n### Objetivo\r\n\r\nAbierta.\r\n\r\n### Touched Surface\r\n\r\n* Planned:\r\n  - `a.txt`\r\n  - b.txt\r\n* Risk class: not applicable: only paper\r\n\r\n" +
		"### Acceptance Criteria\r\n\r\n+ [x] uno\r\n  con detalle\r\n* dos\r\n\r\n### Validation\r\n\r\nCorrer `make box` y `make list`.\r\n"
	o := outlineOf(t, src)
	want := Task{Title: "Caja", Context: "Cerrada.", Goal: "Abierta.", Surface: Surface{Planned: []string{"a.txt", "b.txt"}, Risk: "not applicable: only paper"},
		Acceptance: []string{"uno\ncon detalle", "dos"}, Gates: []string{"make box", "make list"}, Validation: "Correr `make box` y `make list`."}
	if diff := cmp.Diff(want, o.Tasks[0], ignorePlace); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	prepared(t, o, base())
}

func TestItems(t *testing.T) {
	for text, want := range map[string][]string{
		"":                               {},
		"- a\n- b":                       {"a", "b"},
		"1. a\n   more\n2. b":            {"a\nmore", "b"},
		"- [ ] a\n  - below\n\n- [x] b":  {"a\n- below", "b"},
		"words\nand more\n\nother":       {"words\nand more", "other"},
		"- a\n  ```\n  - no item\n  ```": {"a\n```\n- no item\n```"},
		"```\n- no item\n```":            {"```\n- no item\n```"},
		"2026 was a year\n- a":           {"2026 was a year", "a"},
		"- a\n\n  second paragraph\n- b": {"a\n\nsecond paragraph", "b"},
	} {
		if got := items(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestGates(t *testing.T) {
	for text, want := range map[string]struct {
		commands []string
		said     string
	}{
		"```sh\nmake a\n\nmake b \\\n  c\n```\nAll of it.": {[]string{"make a", "make b \\\n  c"}, "All of it."},
		"Run `make a`.":         {[]string{"make a"}, "Run `make a`."},
		"Look at it.":           {nil, "Look at it."},
		"~~~\nmake a\n~~~":      {[]string{"make a"}, ""},
		"```sh\nmake a\nmake b": {[]string{"make a", "make b"}, ""},
	} {
		commands, said := gates(text)
		if !slices.Equal(commands, want.commands) || said != want.said {
			t.Errorf("%q: got %q, %q", text, commands, said)
		}
	}
}

// What an outline lacks is listed all at once, each gap with its place: in Markdown the line, in JSON the path (PD-5, PD-6). No
// placeholder is substance.
func TestGaps(t *testing.T) {
	md := "# T\n\n## Goal\n\nTBD\n\n## Task 1: One\n\n### Goal\n\nDone.\n\n### Touched Surface\n\n- Planned: a\n- Risk class: huge\n\n## Task 3: Three\n\n### Context\n\n...\n"
	_, err := PrepareFrom([]byte(md), "", base())
	want := []Gap{
		{"line 18", "task 3 stands where task 2 is expected: number them 1 to N in order"},
		{"outline", "the plan's Goal is a placeholder"},
		{"outline", "the plan's Context is missing"},
		{"line 7", "task 1 (One): Context is missing"},
		{"line 7", "task 1 (One): Touched Surface, risk class is \"huge\": write isolated, seam, shared/core, unknown, or not applicable and why"},
		{"line 7", "task 1 (One): Acceptance Criteria: none given"},
		{"line 7", "task 1 (One): Validation, gate command: none given; in Markdown it stands in a fenced block of sh"},
		{"line 18", "task 2 (Three): Context is a placeholder"},
		{"line 18", "task 2 (Three): Goal is missing"},
		{"line 18", "task 2 (Three): Touched Surface, planned paths: none given"},
		{"line 18", "task 2 (Three): Touched Surface, risk class is missing: write isolated, seam, shared/core, unknown, or not applicable and why"},
		{"line 18", "task 2 (Three): Acceptance Criteria: none given"},
		{"line 18", "task 2 (Three): Validation, gate command: none given; in Markdown it stands in a fenced block of sh"},
	}
	if diff := cmp.Diff(&Incomplete{want}, err); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = PrepareFrom([]byte(`{"title": 3, "context": "c", "tasks": [{"titel": "x", "gates": ["a", 1], "depends_on": [7]}]}`), "", base())
	for _, g := range []Gap{
		{"title", "must be a string"}, {"tasks[0].titel", "is no field that an outline has here"}, {"tasks[0].gates[1]", "must be a string"},
		{"outline", "the plan's title is missing"}, {"tasks[0]", "task 1: it depends on task 7, which the outline has not"},
	} {
		if !slices.Contains(err.(*Incomplete).Gaps, g) {
			t.Errorf("not told: %v in %v", g, err.(*Incomplete).Gaps)
		}
	}
	for _, src := range []string{"", "words", "{", "{\"a\": 1, \"a\": 2}", "\xff# T\n", "[]", "{}"} {
		if _, err := PrepareFrom([]byte(src), "", base()); err == nil {
			t.Errorf("%q makes a plan", src)
		}
	}
}

// TestStrays: a section of a Markdown outline that the plan would not hold is named with its line, as an unknown field of one in JSON is;
// nothing that was asked for is dropped in silence. What stands inside a section that is read, or is empty, is no such section.
func TestStrays(t *testing.T) {
	const task = "### Context\n\nc\n\n### Goal\n\ng\n\n### Touched Surface\n\n- Planned: a\n- Risk class: isolated\n\n### Acceptance Criteria\n\n- [ ] a\n\n### Validation\n\n    x\n\nRun `make`.\n\n"
	for name, test := range map[string]struct {
		top, inTask string
		want        []Gap
	}{
		"nothing":           {"", "", nil},
		"a section":         {"## Vision\n\nbig\n\n### Goal\n\nsmall\n\n", "", []Gap{{"line 11", `an outline has no place for the section "Vision": put its words into a section that it has, or take it out`}}},
		"in a task":         {"", "### Hints\n\nlook\n\n", []Gap{{"line 36", `an outline has no place for the section "Hints": put its words into a section that it has, or take it out`}}},
		"twice":             {"## Context\n\nmore\n\n", "", []Gap{{"line 11", `the section "Context" stands twice: make one of them`}}},
		"twice in a task":   {"", "### Objetivo\n\nmore\n\n", []Gap{{"line 36", `the section "Objetivo" stands twice: make one of them`}}},
		"below a section":   {"### Why\n\nthis\n\n", "", nil},
		"empty":             {"## Vision\n\n<!-- later -->\n\n", "### Hints\n\n", nil},
		"the plan's own":    {"## Task List\n\n- [ ] Task 1: One\n\n## Execution Rules\n\n1. r\n\n", "### Completion & Log\n\n- **Status:** pending\n\n", nil},
		"above the records": {"## The work\n\n", "", nil},
		"in code":           {"```md\n## Vision\n\nbig\n```\n\n", "", nil},
		"children of a hub": {"## Child Plans\n\n| Repository | Plan |\n|---|---|\n| mill | PLAN_grind_it |\n\n", "", nil},
	} {
		_, gaps := ReadOutline([]byte("# T\n\n## Goal\n\ng\n\n## Context\n\nc\n\n" + test.top + "## Task 1: One\n\n" + task + test.inTask))
		if diff := cmp.Diff(test.want, gaps); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// beyond are the gaps that a schema can't tell.
var beyond = []string{"the plan's title", "the plan's Goal", "placeholder", "has no words", "which the outline has not", "depends on itself", "two groups", "risk class is \"", "needs a reason"}

// schemaOf is the published schema, compiled.
func schemaOf(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(OutlineSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("outline.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("outline.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The schema refuses exactly what the decoder refuses, for every way in which one value of an outline may be off (PS-21's care for
// outlines).
func TestSchemaAgrees(t *testing.T) {
	schema := schemaOf(t)
	o := sample(4, true)
	o.Guidelines, o.Execution, o.Selection = []string{"g"}, "why", Selection{"a", "b", "c", "d", "e"}
	x := &o.Tasks[1]
	x.Read, x.Instructions, x.Outputs, x.Checklist, x.Validation, x.Rollback, x.Delta = []string{"r"}, []string{"i"}, []string{"o"}, []string{"c"}, "v", "r", "d"
	x.Surface.Consumers, x.Surface.Mapping, x.Surface.Gate = "c", "m", "g"
	tried := 0
	mutate(o.encode(), func(doc *strictjson.Value) {
		tried++
		src := strictjson.Format(doc)
		read, gaps := ReadOutline(src)
		for _, g := range read.Gaps() {
			if !slices.ContainsFunc(beyond, func(b string) bool {
				return strings.Contains(g.What, b) && !strings.Contains(g.What, "task") || strings.Contains(g.What, b) && !strings.HasSuffix(b, "is missing")
			}) {
				gaps = append(gaps, g)
			}
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
		if err == nil {
			err = schema.Validate(value)
		}
		if (err == nil) != (len(gaps) == 0) {
			t.Errorf("decoder: %v\nschema: %v\n%s", gaps, err, src)
		}
	})
	if tried < 300 {
		t.Errorf("only %d documents", tried)
	}
}

// mutate calls back with the document, and with it after each single change: a member or element removed, a value of another
// type, an empty text, an unknown member.
func mutate(doc *strictjson.Value, try func(*strictjson.Value)) {
	try(doc)
	var walk func(v *strictjson.Value)
	swap := func(v *strictjson.Value, other strictjson.Value) {
		was := *v
		*v = other
		try(doc)
		*v = was
	}
	walk = func(v *strictjson.Value) {
		for _, other := range []*strictjson.Value{strictjson.NewNull(), strictjson.NewInt(7), strictjson.NewInt(0), strictjson.NewBool(true), strictjson.NewString("words"),
			strictjson.NewString(" "), strictjson.NewArray(), strictjson.NewObject(), strictjson.NewString(strings.Repeat("x", 501))} {
			swap(v, *other)
		}
		for i := range v.Elems {
			was := v.Elems
			v.Elems = slices.Delete(slices.Clone(was), i, i+1)
			try(doc)
			v.Elems = was
			walk(v.Elems[i])
		}
		for i := range v.Members {
			was := v.Members
			v.Members = slices.Delete(slices.Clone(was), i, i+1)
			try(doc)
			v.Members = was
			walk(v.Members[i].Value)
		}
		if v.Kind == strictjson.Object {
			was := v.Members
			v.Members = append(slices.Clone(was), strictjson.Member{Name: "other", Value: strictjson.NewNull()})
			try(doc)
			v.Members = was
		}
	}
	walk(doc)
}

// No outline makes dwp fall over, and what is accepted is conformant, comes back from its own record, and keeps its tasks.
func FuzzOutline(f *testing.F) {
	o := sample(4, true)
	f.Add([]byte(Template()))
	f.Add(strictjson.Format(o.encode()))
	f.Add([]byte("# T\n\n## Goal\n\ng\n\n## Context\n\nc\n\n## Task 1: x\n\n### Context\n\nc\n\n### Goal\n\ng\n\n### Touched Surface\n\n- Planned: a\n- Risk: seam\n\n### Acceptance\n\n- a\n\n### Validation\n\n`make`\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := PrepareFrom(src, "", base())
		if err != nil {
			return
		}
		kept, options, gaps := readRecord([]byte(p.Final()[OutlineFile]))
		if len(gaps) > 0 {
			t.Fatalf("its record can't be read: %v", gaps)
		}
		again, err := Prepare(kept, options)
		if err != nil {
			t.Fatalf("its record makes no plan: %v", err)
		}
		if diff := cmp.Diff(p.Files, again.Files); diff != "" {
			t.Fatalf("its record makes another plan:\n%s", diff)
		}
	})
}
