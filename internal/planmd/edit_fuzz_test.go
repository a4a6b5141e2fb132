package planmd

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// oneEdit is one semantic edit of a document, chosen and placed by lot: what it does to the README, and what must then be read. nil
// when the document has nothing to edit so.
func oneEdit(r *README, kind, pick int) (do func(*Edit), holds func(*README) bool) {
	switch kind {
	case 0: // a box
		if len(r.Index) == 0 || r.Index[pick%len(r.Index)].Box == nil {
			return nil, nil
		}
		i := pick % len(r.Index)
		done := !r.Index[i].Box.Checked()
		return func(e *Edit) { e.Tick(*r.Index[i].Box, done) },
			func(is *README) bool {
				return len(is.Index) == len(r.Index) && is.Index[i].Box != nil && is.Index[i].Box.Checked() == done
			}
	case 1: // the count
		if len(r.Claims) == 0 {
			return nil, nil
		}
		i := pick % len(r.Claims)
		return func(e *Edit) { e.Count(r.Claims[i], 7, 9) },
			func(is *README) bool {
				return len(is.Claims) == len(r.Claims) && is.Claims[i].Done == 7 && is.Claims[i].Total == 9
			}
	case 2: // a value
		if r.Approval == nil || r.ApprovalValue == "" {
			return nil, nil
		}
		return func(e *Edit) { e.SetField(r.Approval, "approved by Ada on 2026-09-01") },
			func(is *README) bool { return is.Approval != nil && is.ApprovalValue == ApprovalApproved }
	case 3: // the end
		return func(e *Edit) { e.Append("the end of it") }, func(*README) bool { return true }
	}
	return nil, nil
}

// FuzzSemanticEdit: whatever the document is, an edit changes only its own bytes, what it asked for is read back, and the same edit
// once more changes nothing (DESIGN 1, PD-10, VP-5).
func FuzzSemanticEdit(f *testing.F) {
	for _, s := range seeds {
		for kind := range 4 {
			f.Add([]byte(s), kind, len(s))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, kind, pick int) {
		was := bytes.Clone(src)
		r := ReadREADME(src)
		do, holds := oneEdit(r, kind, max(pick, 0))
		if do == nil {
			return
		}
		e := NewEdit(&r.Doc)
		do(e)
		got, err := e.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(src, was) {
			t.Fatal("the document was written to")
		}
		own(t, e, src, got)
		is := ReadREADME(got)
		if !holds(is) {
			t.Fatalf("%q\nreads otherwise than it was asked for: %q", src, got)
		}
		if kind == 3 && !bytes.HasPrefix(got, src) {
			t.Fatal("what stood there before the end changed")
		}
	})
}

// own demands that the bytes between the changes of an edit are those of the document, in its order.
func own(t *testing.T, e *Edit, src, got []byte) {
	t.Helper()
	grown := 0
	for _, p := range e.patches {
		grown += len(p.text) - (p.span.End - p.span.Start)
		if e.doc.CRLF() && strings.Contains(strings.ReplaceAll(p.text, "\r\n", ""), "\n") {
			t.Fatalf("a line end of another kind in %q", p.text)
		}
	}
	if len(got) != len(src)+grown {
		t.Fatalf("%d bytes, want %d", len(got), len(src)+grown)
	}
	if len(e.patches) == 1 {
		p := e.patches[0]
		if !bytes.HasPrefix(got, src[:p.span.Start]) || !bytes.HasSuffix(got, src[p.span.End:]) {
			t.Fatal("bytes changed that nobody asked for")
		}
	}
}

// FuzzPatches: changes of any spans, in any order, are applied to their own bytes, or refused as an overlap; never a panic.
func FuzzPatches(f *testing.F) {
	f.Add([]byte("# A\r\n\r\nB\r\n"), 1, 3, 4, 7, "x\ny")
	f.Add([]byte(""), 0, 0, 0, 0, "")
	f.Add([]byte("abc"), -1, 9, 2, 1, "z")
	f.Fuzz(func(t *testing.T, src []byte, a, b, c, d int, text string) {
		inside := func(n int) int { return min(max(n, 0), len(src)) }
		first, second := Span{inside(a), inside(b)}, Span{inside(c), inside(d)}
		if first.Start > first.End || second.Start > second.End {
			return
		}
		e := NewEdit(&ReadREADME(src).Doc)
		e.Replace(first, text)
		e.Replace(second, "")
		got, err := e.Bytes()
		if err != nil {
			if !errors.Is(err, ErrOverlap) || first.End <= second.Start || second.End <= first.Start {
				t.Fatalf("%v and %v: %v", first, second, err)
			}
			return
		}
		own(t, e, src, got)
	})
}
