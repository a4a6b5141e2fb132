package planmd

import (
	"slices"
	"testing"
)

// TestLinks: every target stands where At says, by whatever form; code, comments and quotes of code have none.
func TestLinks(t *testing.T) {
	const text = "# A [t](#task-1)\n\n" +
		"Text [one](#task-2), [two](<a b.md> \"title\"), [ref], [words][Ref]\nand [over\nlines](#task-3).\n\n" +
		"> quoted [q](q.md)\n\n`[code](no.md)` <!-- [comment](no.md) -->\n\n```\n[code](no.md)\n[ref2]: no.md\n```\n\n" +
		"- item [i](i.md#x)\n  - [below](b(1).md)\n\n[ref]: #task-9 \"title\"\n[other]: <x y.md>\n\nEnd [other][]\n"
	type row struct{ target, label, at string }
	want := []row{
		{"#task-1", "", "#task-1"}, {"#task-2", "", "#task-2"}, {"a b.md", "", "a b.md"}, {"", "ref", "[ref]"}, {"", "ref", "[words][Ref]"},
		{"#task-3", "", "#task-3"}, {"q.md", "", "q.md"}, {"i.md#x", "", "i.md#x"}, {"b(1).md", "", "b(1).md"},
		{"#task-9", "ref", "#task-9"}, {"x y.md", "other", "x y.md"}, {"", "other", "[other][]"},
	}
	doc := newDoc([]byte(text))
	var got []row
	for _, l := range doc.Links() {
		got = append(got, row{l.Target, l.Label, doc.Text(l.At)})
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

func FuzzLinks(f *testing.F) {
	for _, s := range []string{"[a](b)", "[a]: b\n\n[a]", "[a](<b", "![i](j \"t\")", "> - [x](y)\n", "[a]:\n", "[a]: <\n\n[a]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		doc := newDoc(src)
		for _, l := range doc.Links() {
			if l.Target != "" && doc.Text(l.At) != l.Target {
				t.Errorf("%q stands not at %v", l.Target, l.At)
			}
		}
	})
}
