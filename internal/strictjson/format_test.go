package strictjson

import (
	"bytes"
	"strings"
	"testing"
)

// TestFormat: two-space indent, final newline, key order, number spellings and string spellings kept (PS-23).
func TestFormat(t *testing.T) {
	src := `{"z":1.0e0,"a":[],"m":{},"l":[1,{"k":"\u00e9\/","\u006b2":"` + "\u00e9\u2028<>" + `"}],"n":null,"t":true}`
	want := `{
  "z": 1.0e0,
  "a": [],
  "m": {},
  "l": [
    1,
    {
      "k": "\u00e9\/",
      "\u006b2": "` + "\u00e9\u2028<>" + `"
    }
  ],
  "n": null,
  "t": true
}
`
	doc, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(Format(doc.Root)); got != want {
		t.Errorf("Format =\n%s\nwant\n%s", got, want)
	}
}

// TestFormatMade writes values that were made, among them some that Parse can't return.
func TestFormatMade(t *testing.T) {
	v := NewObject(Member{Name: "a \"quote\"\n", Value: NewString("tab\t and \x00")}, Member{Name: "none"})
	v.Set("n", NewInt(-3))
	v.Set("b", NewBool(false))
	v.Set("list", NewArray(NewNull(), nil, &Value{Kind: String, Text: "\xff"}))
	want := "{\n  \"a \\\"quote\\\"\\n\": \"tab\\t and \\u0000\",\n  \"none\": null,\n  \"n\": -3,\n  \"b\": false,\n" +
		"  \"list\": [\n    null,\n    null,\n    \"\ufffd\"\n  ]\n}\n"
	if got := string(Format(v)); got != want {
		t.Errorf("Format =\n%q\nwant\n%q", got, want)
	}
}

// TestFormatChangedText: a writer that changes Text need not know of Raw.
func TestFormatChangedText(t *testing.T) {
	doc, err := Parse([]byte(`"\u0061"`))
	if err != nil {
		t.Fatal(err)
	}
	doc.Root.Text = "b"
	if got := string(Format(doc.Root)); got != "\"b\"\n" {
		t.Errorf("Format = %q", got)
	}
}

func TestEdit(t *testing.T) {
	doc, err := Parse([]byte(`{"a":1,"b":{"x":2},"c":3}`))
	if err != nil {
		t.Fatal(err)
	}
	before := string(Format(doc.Root))
	v := doc.Root.Clone()
	v.Set("b", NewInt(9))        // keeps its position
	v.Set("d", NewString("new")) // comes last
	v.Member("d").Set("x", v)    // no object: nothing happens
	(*Value)(nil).Set("x", v)    // nor here
	if !v.Delete("a") || v.Delete("a") {
		t.Error("Delete reports the wrong thing")
	}
	if got, want := string(Format(v)), "{\n  \"b\": 9,\n  \"c\": 3,\n  \"d\": \"new\"\n}\n"; got != want {
		t.Errorf("edited =\n%s\nwant\n%s", got, want)
	}
	doc.Root.Clone().Member("b").Set("x", NewInt(8))
	if after := string(Format(doc.Root)); after != before {
		t.Errorf("editing a clone changed the original:\n%s", after)
	}
	if got := v.Member("zzz"); got != nil {
		t.Errorf("Member of a missing name = %+v", got)
	}
}

// equal compares two trees, places aside.
func equal(a, b *Value) bool {
	if a.Kind != b.Kind || a.Text != b.Text || a.Raw != b.Raw || len(a.Members) != len(b.Members) || len(a.Elems) != len(b.Elems) {
		return false
	}
	for i := range a.Members {
		m, n := a.Members[i], b.Members[i]
		if m.Name != n.Name || m.RawName != n.RawName || !equal(m.Value, n.Value) {
			return false
		}
	}
	for i := range a.Elems {
		if !equal(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	return true
}

// FuzzParse: no panic; a fault has a place inside the file; what was read is written with the same tree, and
// writing is stable.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "{}", bom + "[1, 2.50, -0]", `{"a":{"b":["\ud83d\ude00","\/"]},"c":null}`, `{"a":1,"a":2}`, "[\"\xff\"]",
		"<<<<<<< HEAD\n{}\n=======\n", `["\ud800"]`, "[1,]", "{\"a\":NaN", strings.Repeat("[", 200), "{} x", "[tru",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		doc, err := Parse(src)
		if err != nil {
			e, ok := err.(*SyntaxError)
			if !ok || e.Offset < 0 || e.Offset > len(src) || e.Line < 1 || e.Column < 1 || e.Message == "" {
				t.Fatalf("bad fault %#v", err)
			}
			return
		}
		out := Format(doc.Root)
		again, err := Parse(out)
		if err != nil {
			t.Fatalf("Format wrote what Parse refuses: %v\n%q", err, out)
		}
		if !equal(doc.Root, again.Root) {
			t.Fatalf("the tree changed:\n%q\n%q", src, out)
		}
		if third := Format(again.Root); !bytes.Equal(out, third) {
			t.Fatalf("Format is not stable:\n%q\n%q", out, third)
		}
	})
}

// sample is about a megabyte of what a state file holds.
func sample() []byte {
	gate := `{"command":"go test ./rates/...","passes":true,"exit_code":0,"last_run":"2026-09-01T10:30:00Z","evidence":"14 passed, 0 failed"},`
	return []byte(`{"tasks":[` + strings.Repeat(gate, 1<<20/len(gate)) + `{}]}`)
}

func BenchmarkParse(b *testing.B) {
	src := sample()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	doc, err := Parse(sample())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(Format(doc.Root))))
	}
}

// BenchmarkPosition asks for places all over a single line of 15 MB.
func BenchmarkPosition(b *testing.B) {
	doc, err := Parse([]byte(`"` + strings.Repeat("x", 15<<20) + `"`))
	if err != nil {
		b.Fatal(err)
	}
	offset := 0
	for b.Loop() {
		offset = (offset + 7_654_321) % (15 << 20)
		doc.Position(offset)
	}
}
