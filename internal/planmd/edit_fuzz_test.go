package planmd

import (
	"bytes"
	"strings"
	"testing"
)

// around demands that an edit left every byte outside of some spans, which are in order, as it was.
func around(t *testing.T, what string, before, after []byte, spans ...Span) {
	t.Helper()
	at, rest := 0, after
	for i, s := range append(spans, Span{len(before), len(before)}) {
		kept, j := before[at:s.Start], 0 // what comes first stands at the start, what comes last at the end
		if i == len(spans) && i > 0 {
			j = len(rest) - len(kept)
		} else if i > 0 {
			j = bytes.Index(rest, kept)
		}
		if j < 0 || !bytes.HasPrefix(rest[j:], kept) {
			t.Fatalf("%s: %q is gone\nbefore %q\nafter  %q", what, kept, before, after)
		}
		rest, at = rest[j+len(kept):], s.End
	}
}

// edited is the document after one change, which may not fail.
func edited(t *testing.T, doc *Doc, change func(*Edit)) []byte {
	t.Helper()
	e, was := NewEdit(doc), string(doc.Src)
	change(e)
	out, err := e.Bytes()
	if err != nil {
		t.Fatalf("%v in %q", err, doc.Src)
	}
	if string(doc.Src) != was {
		t.Fatal("the document was written to")
	}
	return out
}

// FuzzEdit: whatever the document, a change touches its own bytes only, and a box or a count says afterwards what was asked (DESIGN 1, PD-4,
// C07, C35).
func FuzzEdit(f *testing.F) {
	for _, s := range append(seeds, "Plan Status: 1 / 2\r\n- [ ] Task 1: a\r\n- [X] Task 2: b 3/4\r\n", "# T\n\n**Status:**\n## Completion & Log\n**Status:** pending  \n") {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		readme := ReadREADME(src)
		ticks(t, readme)
		counts(t, readme)
		record := ReadTask(src)
		for i := range record.Sections {
			section := &record.Sections[i]
			for k := range section.Fields {
				field := &section.Fields[k]
				around(t, "SetField", src, edited(t, &record.Doc, func(e *Edit) { e.SetField(field, "said") }), field.At)
				around(t, "FillField", src, edited(t, &record.Doc, func(e *Edit) { e.FillField(field, "said") }), field.At)
				below := edited(t, &record.Doc, func(e *Edit) { e.AddLines(field.Span, record.Like(field, "Date", "today")) })
				grown(t, "AddLines", src, below)
			}
			grown(t, "AppendTo", bytes.TrimRight(src, " \t\r\n"), edited(t, &record.Doc, func(e *Edit) { e.AppendTo(section.Body, "- said") }))
		}
		if out := edited(t, &record.Doc, func(e *Edit) { e.Append("- said\n") }); !bytes.HasPrefix(out, src) {
			t.Fatalf("Append changed what stood: %q to %q", src, out)
		}
	})
}

// ticks closes and opens every box of an index: each is as it was asked, and nothing else is read otherwise.
func ticks(t *testing.T, readme *README) {
	t.Helper()
	for _, done := range []bool{true, false} {
		var spans []Span
		out := edited(t, &readme.Doc, func(e *Edit) {
			for i := range readme.Index {
				if b := readme.Index[i].Box; b != nil {
					e.Tick(*b, done)
					spans = append(spans, b.Span)
				}
			}
		})
		around(t, "Tick", readme.Src, out, spans...)
		after := ReadREADME(out)
		if len(after.Index) != len(readme.Index) {
			t.Fatalf("%d lines became %d: %q", len(readme.Index), len(after.Index), out)
		}
		for i := range after.Index {
			was, is := &readme.Index[i], &after.Index[i]
			if is.ID != was.ID || is.Title != was.Title || (is.Box == nil) != (was.Box == nil) || is.Box != nil && is.Box.Checked() != done {
				t.Fatalf("line %+v became %+v, asked %v: %q", was, is, done, out)
			}
		}
	}
}

// counts corrects every count.
func counts(t *testing.T, readme *README) {
	t.Helper()
	var spans []Span
	out := edited(t, &readme.Doc, func(e *Edit) {
		for _, c := range readme.Claims {
			e.Count(c, 3, 7)
			spans = append(spans, c.At)
		}
	})
	around(t, "Count", readme.Src, out, spans...)
	after := ReadREADME(out)
	if len(after.Claims) != len(readme.Claims) {
		t.Fatalf("%d counts became %d: %q", len(readme.Claims), len(after.Claims), out)
	}
	for _, c := range after.Claims {
		if c.Done != 3 || c.Total != 7 {
			t.Fatalf("a count is %d/%d: %q", c.Done, c.Total, out)
		}
	}
}

// grown demands that something was put into a text, in one place, and nothing taken out.
func grown(t *testing.T, what string, before, after []byte) {
	t.Helper()
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	if !bytes.HasSuffix(bytes.TrimRight(after, " \t\r\n"), bytes.TrimRight(before[head:], " \t\r\n")) || len(after) <= len(before) || !strings.Contains(string(after), "said") && what != "AddLines" {
		t.Fatalf("%s took something out\nbefore %q\nafter  %q", what, before, after)
	}
}
