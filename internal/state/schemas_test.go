package state

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// compile builds the validator of a published schema, formats asserted.
func compile(t *testing.T, kind string, era Era) *jsonschema.Schema {
	t.Helper()
	text, found := Schema(kind, era)
	if !found {
		t.Fatalf("no schema for %s %s", kind, era)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	url := SchemaURL(kind+".json", era)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(url, doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile(url)
}

// validators compiles all six schemas, keyed like "state-v5".
func validators(t *testing.T) map[string]*jsonschema.Schema {
	all := map[string]*jsonschema.Schema{}
	for _, era := range eras {
		for _, kind := range []string{"manifest", "state"} {
			all[kind+"-"+string(era)] = compile(t, kind, era)
		}
	}
	return all
}

// musts returns the faults that break conformance, or the syntax error as one.
func musts(t *testing.T, kind string, src []byte) []Fault {
	t.Helper()
	var faults []Fault
	var err error
	if kind == "manifest" {
		_, faults, err = ReadManifest(src)
	} else {
		_, faults, err = ReadState(src)
	}
	if err != nil {
		return []Fault{{Rule: "json/syntax", Message: err.Error()}}
	}
	var must []Fault
	for _, f := range faults {
		known, found := rule.Lookup(f.Rule)
		if !found {
			t.Errorf("rule %q is not in the catalogue", f.Rule)
		}
		if known.Level == rule.Must {
			must = append(must, f)
		}
	}
	return must
}

// agree compares the decoder with the schema on one document.
func agree(t *testing.T, schema *jsonschema.Schema, kind string, src []byte) {
	t.Helper()
	faults := musts(t, kind, src)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
	if err == nil {
		err = schema.Validate(doc)
	}
	if (err == nil) != (len(faults) == 0) {
		t.Errorf("decoder and schema disagree\ndecoder: %+v\nschema: %v\n%s", faults, err, src)
	}
}

// retyped are the values that take the place of every other one.
func retyped() []string {
	long := strings.Repeat("x", 1001)
	return []string{
		"null", "true", "false", "0", "1", "-1", "1.5", "4294967296", strings.Repeat("9", 5000), `""`, `"x"`, `"3"`, `"full"`,
		`"completed"`, `"skipped"`, `"maybe"`, `"promoting"`, `"two\nlines"`, `"two\u2028lines"`, `"two\u0085lines"`, `"a1b2c3d\n"`,
		`"2026-13-01T00:00:00Z"`, `"2026-02-30"`, `"2026-09-01"`, `"2026-09-01T10:30:00"`, `"2026-09-01 10:30:00Z"`,
		`"2026-09-01t10:30:00.5z"`, `"2026-09-01T10:30:00,5Z"`, `"2026-09-01T1:30:00Z"`, `"2026-09-01T10:30:00+24:00"`,
		`"2026-09-01T10:30:00-23:59"`, `"2026-09-01T10:30:00.Z"`, `"0001-01-01T00:00:00Z"`, `":PLAN_x"`, `"a:PLAN_x"`, `"a:PLAN_"`,
		`"` + long[:200] + `"`, `"` + long[:201] + `"`, `"` + strings.Repeat("\u4e16", 300) + `"`, `"` + strings.Repeat("\u4e16", 301) + `"`,
		`"` + long[:500] + `"`, `"` + long[:501] + `"`, `"` + long[:1000] + `"`, `"` + long + `"`,
		"[]", `["x"]`, "[null]", "[[]]", "[{}]", "{}", `{"extra":1}`,
	}
}

// mutations calls yield with documents that differ from src in one place: a member dropped, added, renamed, or
// a value replaced by each of retyped.
func mutations(t *testing.T, src string, yield func(name string, doc []byte)) {
	var places func(v *strictjson.Value, way []int)
	edit := func(way []int, change func(parent, v *strictjson.Value, i int)) []byte {
		root := tree(t, src)
		parent, v, i := (*strictjson.Value)(nil), root, 0
		for _, i = range way {
			parent = v
			v = child(v, i)
		}
		change(parent, v, i)
		return strictjson.Format(root)
	}
	places = func(v *strictjson.Value, way []int) {
		name := fmt.Sprint(way)
		if len(way) > 0 {
			yield("drop "+name, edit(way, func(parent, v *strictjson.Value, i int) { drop(parent, i) }))
		}
		for _, text := range retyped() {
			yield("retype "+name, edit(way, func(_, v *strictjson.Value, _ int) { *v = *tree(t, text) }))
		}
		if v.Kind == strictjson.Object {
			yield("extra "+name, edit(way, func(_, v *strictjson.Value, _ int) { v.Set("extra", strictjson.NewInt(1)) }))
		}
		for i := range v.Members {
			places(v.Members[i].Value, append(way[:len(way):len(way)], i))
			yield("rename "+name, edit(way, func(_, v *strictjson.Value, _ int) { v.Members[i].Name += "_" }))
		}
		for i := range v.Elems {
			places(v.Elems[i], append(way[:len(way):len(way)], i))
		}
	}
	places(tree(t, src), nil)
}

// child is the i-th value below v.
func child(v *strictjson.Value, i int) *strictjson.Value {
	if v.Kind == strictjson.Object {
		return v.Members[i].Value
	}
	return v.Elems[i]
}

// drop removes the i-th value below v.
func drop(v *strictjson.Value, i int) {
	if v.Kind == strictjson.Object {
		v.Delete(v.Members[i].Name)
		return
	}
	v.Elems = append(v.Elems[:i], v.Elems[i+1:]...)
}

// TestDecoderAgreesWithSchema: on every mutation of a whole file in every era, the decoder has a must fault
// exactly when the published schema refuses (PS-12, PS-21).
func TestDecoderAgreesWithSchema(t *testing.T) {
	schemas := validators(t)
	total, refused := 0, 0
	for _, era := range eras {
		for kind, src := range map[string]string{"manifest": manifestText(era), "state": stateText(era)} {
			schema := schemas[kind+"-"+string(era)]
			agree(t, schema, kind, []byte(src))
			mutations(t, src, func(name string, doc []byte) {
				total++
				if len(musts(t, kind, doc)) > 0 {
					refused++
				}
				agree(t, schema, kind, doc)
			})
		}
	}
	if refused < 1000 || total-refused < 1000 {
		t.Errorf("%d mutations of which %d are refused: too few of one sort to prove anything", total, refused)
	}
}

// TestSchemaCannotSay lists what the decoder refuses and a JSON Schema can't express. Whoever adds a line here
// has found a new exception.
func TestSchemaCannotSay(t *testing.T) {
	schema := compile(t, "state", V5)
	state := func(old, new string) string { return strings.Replace(stateText(V5), old, new, 1) }
	for name, src := range map[string]string{
		"a duplicate key":              state(`"plan":`, `"plan": "PLAN_x", "plan":`),
		"an integer spelled as 1.0":    state(`"completed_count": 1`, `"completed_count": 1.0`),
		"an integer spelled as 1e0":    state(`"completed_count": 1`, `"completed_count": 1e0`),
		"a leap second":                state(`2026-09-01T10:29:00Z`, `2016-12-31T23:59:60Z`),
		"a lone surrogate in a string": state(`two passes`, `two \ud800`),
		"a byte that is not UTF-8":     state(`two passes`, "two \xff"),
		"over-deep nesting":            state(`"plan":`, `"deep": `+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`, "plan":`),
	} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(src))
		if err == nil {
			err = schema.Validate(doc)
		}
		if err != nil {
			t.Errorf("%s: the schema refuses it too: %v", name, err)
		}
		if len(musts(t, "state", []byte(src))) == 0 {
			t.Errorf("%s: the decoder accepts it", name)
		}
	}
}

// TestVectorsAgreeWithSchema compares decoder and schema on every JSON file of the conformance vectors.
func TestVectorsAgreeWithSchema(t *testing.T) {
	paths, err := filepath.Glob("../../../shared/vectors/verify/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Skip("no conformance vectors here")
	}
	schemas := validators(t)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(text).Files {
			kind, isJSON := strings.CutSuffix(filepath.Base(f.Name), ".json")
			if !isJSON || kind != "manifest" && kind != "state" {
				continue
			}
			var head struct{ Schema string }
			_ = json.Unmarshal(f.Data, &head) // broken on purpose, some of them
			era, _ := EraOf(head.Schema)
			schema := schemas[kind+"-"+string(era)]
			if schema == nil {
				if len(musts(t, kind, f.Data)) == 0 {
					t.Errorf("%s: %s has no known schema and no fault", path, f.Name)
				}
				continue
			}
			t.Run(filepath.Base(path)+"/"+kind, func(t *testing.T) { agree(t, schema, kind, f.Data) })
		}
	}
}

// TestSchemaFiles: the right $id, and v5 is v2 under another URL (PS-21).
func TestSchemaFiles(t *testing.T) {
	for _, kind := range []string{"manifest", "state"} {
		for _, era := range eras {
			text, found := Schema(kind, era)
			if !found {
				t.Fatalf("no schema for %s %s", kind, era)
			}
			if got, want := tree(t, string(text)).Member("$id").Text, SchemaURL(kind+".json", era); got != want {
				t.Errorf("%s %s: $id %s, want %s", kind, era, got, want)
			}
		}
		v2, _ := Schema(kind, V2)
		v5, _ := Schema(kind, V5)
		if strings.ReplaceAll(string(v2), "v2", "v5") != string(v5) {
			t.Errorf("%s: v2 and v5 have different shapes", kind)
		}
	}
	for _, bad := range []struct {
		kind string
		era  Era
	}{{"state", Unknown}, {"state", None}, {"receipt", V5}, {"", V1}, {"../state", V1}} {
		if text, found := Schema(bad.kind, bad.era); found {
			t.Errorf("Schema(%q, %s) = %s", bad.kind, strconv.Quote(string(bad.era)), text)
		}
	}
}
