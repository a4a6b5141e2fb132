package strictjson

import (
	"bytes"
	"strings"
	"testing"
)

// TestParseRefuses holds the faults of PS-23 and TRAPS, each with its reason, place and words.
func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 200_000) // TRAPS: 200,000 "["
	tests := []struct {
		name, src    string
		reason       Reason
		offset       int
		line, column int
		message      string
	}{
		{"empty file", "", Empty, 0, 1, 1, "the file is empty"},
		{"white space only", " \r\n\t", Empty, 0, 1, 1, "the file is empty"},
		{"byte-order mark only", bom, Empty, 0, 1, 1, "the file is empty"},
		{"trailing data", "{}\n{}", TrailingData, 3, 2, 1, "more text after the end of the JSON value"},
		{"trailing bracket", "{} ]", TrailingData, 3, 1, 4, "more text after the end of the JSON value"},
		{"trailing NUL", "{}\x00", TrailingData, 2, 1, 3, "more text after the end of the JSON value"},
		{"truncated in object", "{\n\"a\":1", Truncated, 7, 2, 6, "unexpected end of file inside an object"},
		{"truncated after key", "{\"a\"", Truncated, 4, 1, 5, "unexpected end of file inside an object"},
		{"truncated after colon", "{\"a\":", Truncated, 5, 1, 6, "unexpected end of file inside an object"},
		{"truncated after comma", "[1,", Truncated, 3, 1, 4, "unexpected end of file inside an array"},
		{"truncated in string", "{\"a\": \"b\u00e9", Truncated, 10, 1, 10, "unexpected end of file inside a string"},
		{"truncated in key", "{\"a", Truncated, 3, 1, 4, "unexpected end of file inside a string"},
		{"truncated in word", "[tru", Truncated, 4, 1, 5, "unexpected end of file inside a value"},
		{"stray byte 0xff in string", "{\"\u00e9\": \"a\xffb\"}", InvalidUTF8, 9, 1, 9, "byte 0xff is not UTF-8"},
		{"stray byte 0xff outside", "{\xff}", InvalidUTF8, 1, 1, 2, "byte 0xff is not UTF-8"},
		{"stray byte 0xff in key", "{\"a\xff\":1}", InvalidUTF8, 3, 1, 4, "byte 0xff is not UTF-8"},
		{"UTF-16", "\xff\xfe{\x00}\x00", InvalidUTF8, 0, 1, 1, "the file is UTF-16, not UTF-8"},
		{"duplicate key", "{\"status\":1,\n \"status\":2}", DuplicateKey, 14, 2, 2, `duplicate key "status", first on line 1`},
		{"duplicate key below", `[{"a":{"b":1,"\u0062":2}}]`, DuplicateKey, 13, 1, 14, `duplicate key "b", first on line 1`},
		{"NaN", "{\"a\": NaN}", BadSyntax, 6, 1, 7, "NaN is not JSON"},
		{"NaN in an open object", "{\"a\": NaN", BadSyntax, 6, 1, 7, "NaN is not JSON"},
		{"Infinity", "[-Infinity]", BadSyntax, 1, 1, 2, "-Infinity is not JSON"},
		{"True", "[True]", BadSyntax, 1, 1, 2, "True is not JSON"},
		{"nulx", "[nulx]", BadSyntax, 1, 1, 2, "nulx is not JSON"},
		{"half a number", "[1.]", BadSyntax, 1, 1, 2, "1. is not JSON"},
		{"plus", "[+1]", BadSyntax, 1, 1, 2, "+1 is not JSON"},
		{"lone surrogate", `["\ud800"]`, BadSyntax, 2, 1, 3, `lone surrogate \ud800`},
		{"lone low surrogate", `["a\udc00b"]`, BadSyntax, 3, 1, 4, `lone surrogate \udc00`},
		{"surrogates in wrong order", `["\ud800\ud800"]`, BadSyntax, 2, 1, 3, `lone surrogate \ud800`},
		{"bad escape", `["\x41"]`, BadSyntax, 2, 1, 3, `escape "\\x" is not JSON`},
		{"bad hex", `["\u00zz"]`, BadSyntax, 2, 1, 3, `escape "\\u00zz" is not JSON`},
		{"line break in string", "{\"a\": \"x\ny\"}", BadSyntax, 8, 1, 9, "line break inside a string"},
		{"tab in string", "[\"\t\"]", BadSyntax, 2, 1, 3, "control character 0x09 inside a string"},
		{"comma before bracket", "[1,\n]", BadSyntax, 2, 1, 3, `comma before "]"`},
		{"comma before brace", "{\"a\":1,}", BadSyntax, 6, 1, 7, `comma before "}"`},
		{"two commas", "[1,,2]", BadSyntax, 3, 1, 4, "unexpected comma"},
		{"comma for colon", `{"a",1}`, BadSyntax, 4, 1, 5, "unexpected comma"},
		{"missing comma", "{\"a\":1 \"b\":2}", BadSyntax, 7, 1, 8, `expected "," or "}", found "\""`},
		{"missing comma in array", "[1 2]", BadSyntax, 3, 1, 4, `expected "," or "]", found "2"`},
		{"missing colon", `{"a" 1}`, BadSyntax, 5, 1, 6, `expected ":", found "1"`},
		{"missing value", `{"a":}`, BadSyntax, 5, 1, 6, `expected a value, found "}"`},
		{"wrong bracket", `[1}`, BadSyntax, 2, 1, 3, `expected "," or "]", found "}"`},
		{"bare key", `{status: 1}`, BadSyntax, 1, 1, 2, "key status is not a string in double quotes"},
		{"number as key", `{"a":1, 12: 1}`, BadSyntax, 8, 1, 9, "key 12 is not a string in double quotes"},
		{"object as key", `{{}: 1}`, BadSyntax, 1, 1, 2, `expected a key, found "{"`},
		{"single quotes", `{'a': 1}`, BadSyntax, 1, 1, 2, "single quotes are not JSON"},
		{"long word", strings.Repeat("A", 61), BadSyntax, 0, 1, 1, strings.Repeat("A", 60) + "... is not JSON"},
		{"comment", "{\n// x\n}", BadSyntax, 2, 2, 1, "comments are not JSON"},
		{"prose", "not json", BadSyntax, 0, 1, 1, "not is not JSON"},
		{"200,000 brackets", deep, TooDeep, 128, 1, 129, "nested more than 128 levels deep"},
		{"200,000 brackets in a key", "{" + deep, BadSyntax, 1, 1, 2, `expected a key, found "["`},
		// C47: the marker is named, on its own line, although the tokenizer trips elsewhere.
		{"conflict marker", "{\n  \"a\": 1,\n<<<<<<< HEAD\n  \"b\": 2\n=======\n  \"b\": 3\n>>>>>>> x\n}",
			ConflictMarker, 12, 3, 1, `git conflict marker "<<<<<<<"`},
		{"conflict marker behind the fault", "{\"a\": NaN,\r\n=======\r\n}", ConflictMarker, 12, 2, 1, `git conflict marker "======="`},
		{"conflict marker at the top", bom + "<<<<<<< HEAD\n{}", ConflictMarker, 3, 1, 1, `git conflict marker "<<<<<<<"`},
		{"conflict marker at the end", "{}\n>>>>>>> main\n", ConflictMarker, 3, 2, 1, `git conflict marker ">>>>>>>"`},
		{"conflict marker and duplicate", "{\"a\":1,\"a\":2,\n||||||| base\n}", ConflictMarker, 14, 2, 1, `git conflict marker "|||||||"`},
		{"a ruler is no marker", "{\n========\n}", BadSyntax, 2, 2, 1, `expected a key, found "="`},
		{"a heading is no marker", "{\n======= x\n}", BadSyntax, 2, 2, 1, `expected a key, found "="`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			doc, err := Parse([]byte(test.src))
			got, ok := err.(*SyntaxError)
			if !ok {
				t.Fatalf("Parse = %v, %v; want a *SyntaxError", doc, err)
			}
			want := SyntaxError{Offset: test.offset, Line: test.line, Column: test.column, Reason: test.reason, Message: test.message}
			if *got != want {
				t.Errorf("got  %+v\nwant %+v", *got, want)
			}
		})
	}
}

// TestParseTooLarge keeps the limits of size: in bytes, and in values, which take more room than their bytes.
func TestParseTooLarge(t *testing.T) {
	for name, src := range map[string][]byte{
		"bytes":  append(bytes.Repeat([]byte(" "), MaxBytes), '1'),
		"values": []byte("[" + strings.Repeat("0,", MaxValues) + "0]"),
	} {
		_, err := Parse(src)
		if e, ok := err.(*SyntaxError); !ok || e.Reason != TooLarge {
			t.Errorf("%s: got %v, want %s", name, err, TooLarge)
		}
	}
}

// TestParseDepthLimit accepts exactly MaxDepth levels.
func TestParseDepthLimit(t *testing.T) {
	nest := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if _, err := Parse(nest(MaxDepth)); err != nil {
		t.Errorf("%d levels: %v", MaxDepth, err)
	}
	if _, err := Parse(nest(MaxDepth + 1)); err == nil {
		t.Errorf("%d levels were accepted", MaxDepth+1)
	}
}

// TestParseTree reads kinds, texts and spans.
func TestParseTree(t *testing.T) {
	src := bom + "{\"a\\u0062\": [null, true, -1.50e+2, \"\\u00e9\\n\"], \"\": {}}\n" // C45
	doc, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if !doc.BOM {
		t.Error("BOM = false")
	}
	list := doc.Root.Member("ab")
	if list == nil || list.Kind != Array || len(list.Elems) != 4 {
		t.Fatalf("ab = %+v", list)
	}
	wants := []struct {
		kind         Kind
		text, source string
	}{{Null, "", "null"}, {Bool, "true", "true"}, {Number, "-1.50e+2", "-1.50e+2"}, {String, "\u00e9\n", `"\u00e9\n"`}}
	for i, want := range wants {
		v := list.Elems[i]
		if v.Kind != want.kind || v.Text != want.text || src[v.Start:v.End] != want.source {
			t.Errorf("element %d = %v %q at %q, want %+v", i, v.Kind, v.Text, src[v.Start:v.End], want)
		}
	}
	if m := doc.Root.Members[0]; src[m.NameStart] != '"' || m.NameStart != 4 {
		t.Errorf("NameStart = %d", m.NameStart)
	}
	if empty := doc.Root.Member(""); empty == nil || src[empty.Start:empty.End] != "{}" {
		t.Errorf("member with an empty name = %+v", empty)
	}
}

// TestParseLongInteger: a number of 5,000 digits is JSON; its reader decides (TRAPS).
func TestParseLongInteger(t *testing.T) {
	digits := strings.Repeat("9", 5000)
	doc, err := Parse([]byte(digits))
	if err != nil || doc.Root.Text != digits {
		t.Fatalf("Parse: %v", err)
	}
	if got := string(Format(doc.Root)); got != digits+"\n" {
		t.Errorf("Format changed the number")
	}
}

func TestPosition(t *testing.T) {
	src := bom + "{\r\n  \"\u00e9\u4e16\U0001f600\": 1\n}"
	doc, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ offset, line, column int }{
		{-1, 1, 1}, {0, 1, 1}, {3, 1, 1}, {4, 1, 2}, {6, 2, 1}, {8, 2, 3},
		{strings.Index(src, "1"), 2, 10}, {len(src) - 1, 3, 1}, {len(src), 3, 2}, {len(src) + 9, 3, 2},
	}
	for _, test := range tests {
		if line, column := doc.Position(test.offset); line != test.line || column != test.column {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", test.offset, line, column, test.line, test.column)
		}
	}
	if line, column := new(Document).Position(3); line != 1 || column != 1 {
		t.Errorf("Position in the zero document = %d:%d", line, column)
	}
}

// TestPositionAcrossBlocks compares the index with counting from the start, with characters and lines that
// cross the borders of blocks.
func TestPositionAcrossBlocks(t *testing.T) {
	src := "[\"" + strings.Repeat("a\u4e16", 900) + "\",\n" + strings.Repeat("1,\n", 700) + "\"" + strings.Repeat("\U0001f600", 600) + "\"]"
	doc, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	line, column := 1, 1
	for offset, r := range src {
		if gotLine, gotColumn := doc.Position(offset); gotLine != line || gotColumn != column {
			t.Fatalf("Position(%d) = %d:%d, want %d:%d", offset, gotLine, gotColumn, line, column)
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
}
