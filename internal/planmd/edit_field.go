package planmd

import (
	"bytes"
	"strings"
)

// FillField gives a labelled line a value. One that has none yet gets it behind its colon.
func (e *Edit) FillField(f *Field, value string) {
	if f.At.Start < f.At.End {
		e.SetField(f, value)
		return
	}
	gap := " "
	if at := f.At.Start; at == 0 || bytes.IndexByte([]byte(" \t\n"), e.doc.Src[at-1]) >= 0 {
		gap = ""
	}
	if rest := e.doc.Text(Span{f.At.Start, e.doc.lineEnd(f.At.Start)}); strings.TrimSpace(rest) != "" && rest[0] != ' ' {
		value += " "
	}
	e.Insert(f.At.Start, gap+value)
}

// Like writes a labelled line in the form of another: its list mark, emphasis and colon ("- **Status:** x" makes "- **Date:** y").
// Where that one has a form of its own, a table row, a heading, a numbered item, several labels, it is a plain list item.
func (d *Doc) Like(f *Field, label, value string) string {
	plain := "- " + label + ": " + value
	start := d.lineStart(f.Span.Start)
	line := d.Text(Span{start, d.lineEnd(f.Span.Start)})
	i := strings.Index(line, f.Label)
	if i < 0 || strings.Trim(line[:i], " \t-*+_") != "" || strings.Contains(line, "|") {
		return plain
	}
	between, rest := line[i+len(f.Label):], ""
	if from, to := f.At.Start-start-i-len(f.Label), f.At.End-start-i-len(f.Label); f.At.Start < f.At.End && 0 <= from && to <= len(between) {
		between, rest = between[:from], between[to:]
	}
	if rest = strings.TrimRight(rest, " \t"); strings.Trim(rest, "*_") != "" {
		rest = ""
	}
	if strings.Trim(between, " \t:*_\uff1a") != "" {
		return plain
	}
	return line[:i] + label + strings.TrimRight(between, " \t") + " " + value + rest
}
