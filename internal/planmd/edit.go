package planmd

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Edit gathers changes of one document by byte span. What is not changed keeps its bytes, whatever they are (DESIGN 1): line
// ends, spacing, a byte-order mark, text that nobody understands. Texts are given with "\n" and take the line ends of the document.
type Edit struct {
	doc     *Doc
	patches []patch
}

// patch is one replacement; an insertion has an empty span.
type patch struct {
	span Span
	text string
}

// ErrOverlap: two changes are of the same bytes. It is a fault of the caller, never of the document.
var ErrOverlap = errors.New("two changes of the same bytes")

// NewEdit begins to change a document. The document itself is never written to: it belongs to its snapshot.
func NewEdit(d *Doc) *Edit { return &Edit{doc: d} }

// Replace gives a span another text. Nothing is noted when it has that text already.
func (e *Edit) Replace(s Span, text string) {
	if text = e.ends(text); e.doc.Text(s) != text {
		e.patches = append(e.patches, patch{s, text})
	}
}

// Insert puts a text before the byte at an offset. Insertions at one place keep the order in which they were made.
func (e *Edit) Insert(at int, text string) {
	if text != "" {
		e.patches = append(e.patches, patch{Span{at, at}, e.ends(text)})
	}
}

// Delete takes a span out.
func (e *Edit) Delete(s Span) { e.Replace(s, "") }

// Changed reports whether there is anything to write.
func (e *Edit) Changed() bool { return len(e.patches) > 0 }

// Bytes is the document with its changes. The error is ErrOverlap.
func (e *Edit) Bytes() ([]byte, error) {
	patches := slices.Clone(e.patches)
	slices.SortStableFunc(patches, func(a, b patch) int {
		if a.span.Start != b.span.Start {
			return a.span.Start - b.span.Start
		}
		return a.span.End - b.span.End // what is inserted before a span comes before what replaces it
	})
	var out []byte
	at := 0
	for _, p := range patches {
		if p.span.Start < at || p.span.End < p.span.Start || p.span.End > len(e.doc.Src) {
			return nil, ErrOverlap
		}
		out = append(append(out, e.doc.Src[at:p.span.Start]...), p.text...)
		at = p.span.End
	}
	return append(out, e.doc.Src[at:]...), nil
}

// ends gives a text the line ends of the document.
func (e *Edit) ends(text string) string {
	if !e.doc.CRLF() {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// CRLF reports whether the document's lines end as on Windows: its first one decides (PD-10).
func (d *Doc) CRLF() bool {
	n := bytes.IndexByte(d.Src, '\n')
	return n > 0 && d.Src[n-1] == '\r'
}

// Tick opens or closes a box. A box that says so already, in whatever spelling, keeps it (C07).
func (e *Edit) Tick(b Box, done bool) {
	switch {
	case b.Checked() == done:
	case done:
		e.Replace(b.Span, "[x]")
	default:
		e.Replace(b.Span, "[ ]")
	}
}

// Count corrects a written count, in the form it has: "1/3", "1 / 3", "1 of 3".
func (e *Edit) Count(c Claim, done, total int) {
	numbers := []string{strconv.Itoa(done), strconv.Itoa(total)}
	var out strings.Builder
	inside := false
	for _, r := range e.doc.Text(c.At) {
		switch {
		case !unicode.IsDigit(r):
			inside = false
			out.WriteRune(r)
		case !inside && len(numbers) > 0:
			inside = true
			out.WriteString(numbers[0])
			numbers = numbers[1:]
		}
	}
	e.Replace(c.At, out.String())
}

// SetField gives a labelled line another value; what stands around the value stays. A value stands apart from its label, whether or not
// the one before did.
func (e *Edit) SetField(f *Field, value string) {
	at := f.At.Start
	if e.doc.Text(f.At) == value {
		return
	}
	if before := strings.TrimRight(string(e.doc.Src[:min(at, len(e.doc.Src))]), ":*"); value != "" && at > 0 &&
		(f.At.End == at && !strings.ContainsRune(" \t\n", rune(e.doc.Src[at-1])) || len(before) < at) {
		value = " " + value
	}
	e.Replace(f.At, value)
}

// AddLines puts lines of their own below the line that holds the end of a span.
func (e *Edit) AddLines(below Span, lines ...string) {
	text := strings.Join(lines, "\n")
	last := max(below.Start, below.End-1)
	next := e.doc.nextLine(last)
	if next == len(e.doc.Src) && !bytes.HasSuffix(e.doc.Src, []byte("\n")) {
		e.Insert(next, "\n"+text)
		return
	}
	e.Insert(next, text+"\n")
}

// DeleteLines takes out whole lines, from the one that holds the start of a span to the one that holds its end.
func (e *Edit) DeleteLines(s Span) {
	e.Delete(Span{e.doc.lineStart(s.Start), e.doc.nextLine(max(s.Start, s.End-1))})
}

// AppendTo puts a block of text at the end of a span, such as a section's body, with an empty line before it, and one behind it
// when something follows.
func (e *Edit) AppendTo(s Span, text string) {
	end := s.Start + len(bytes.TrimRight(e.doc.bytes(s), " \t\r\n"))
	block := "\n\n" + strings.Trim(text, "\n")
	if strings.TrimSpace(string(e.doc.Src[end:])) == "" {
		// The last thing in the file: it ends with one line end.
		e.Replace(Span{end, len(e.doc.Src)}, block+"\n")
		return
	}
	e.Insert(end, block)
}

// Append puts a block of text at the end of the file, with an empty line before it. Not a byte of what stands there changes: a
// receipt covers what PROGRESS.md said (VP-5).
func (e *Edit) Append(text string) {
	src := e.doc.Src
	gap := "\n\n"
	switch {
	case len(bytes.TrimSpace(src)) == 0, bytes.HasSuffix(src, []byte("\n\n")), bytes.HasSuffix(src, []byte("\n\r\n")):
		gap = ""
	case bytes.HasSuffix(src, []byte("\n")):
		gap = "\n"
	}
	e.Insert(len(src), gap+strings.Trim(text, "\n")+"\n")
}
