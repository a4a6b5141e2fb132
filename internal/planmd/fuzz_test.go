package planmd

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// seeds are inputs that have gone wrong somewhere, for every fuzz target.
var seeds = []string{
	"", "\n", "\xef\xbb\xbf# T\n", "---\na: b\n---\n# T\n", "---\n", "\xff\x00\x01\x02",
	liteREADME, fullREADME, "# T\n\n```\n- [ ] Task 1: x\n", "<!--\n- [ ] Task 1: x", "<!-->", "- [ ]", "- [",
	"- [ ]\tx\n-\t[x] Task 1: y\n", "## Task 1: x {#task-1}\n\n**Goal:** x\n**Validation:**\n", "{#", "## {#task-1}", "## `x {#task-1}",
	"| a | b |\n|---|---|\n| Critical | x |\n", "a\n===\n", "> ## Task 1: x {#task-1}\n", "* * * - + 1. 2) [x] a",
	"- **Critical:**\n  - x\n    1. y\n", "Task 1", "- T1-1: x\n- Ta-1 y\n", "**a:**b**", "__:__", "**:", "`:`", "\\", "[a](", "[a](<", "[a](b \"c",
	"## Amendment 1 \u2014 2026-09-02\n\n- **Reason:** x\n", "Depends on: 1-3, 99999999999\n",
}

// checkSpan demands bounds and order.
func checkSpan(t *testing.T, what string, s Span, size int) {
	t.Helper()
	if s.Start < 0 || s.End < s.Start || s.End > size {
		t.Fatalf("%s: span %v of %d bytes", what, s, size)
	}
}

func checkFields(t *testing.T, fields []Field, size int) {
	t.Helper()
	for i, f := range fields {
		checkSpan(t, "field "+f.Label, f.Span, size)
		checkSpan(t, "value of "+f.Label, f.At, size)
		if i > 0 && f.Span.Start < fields[i-1].Span.Start {
			t.Fatalf("field %q before %q", fields[i-1].Label, f.Label)
		}
	}
}

func checkSections(t *testing.T, sections []Section, size int) {
	t.Helper()
	for i, s := range sections {
		checkSpan(t, "head of "+s.Label, s.Head, size)
		checkSpan(t, "body of "+s.Label, s.Body, size)
		if s.Body.Start < s.Head.End {
			t.Fatalf("body of %q at %v begins in its head %v", s.Label, s.Body, s.Head)
		}
		if i > 0 && s.Head.Start < sections[i-1].Head.Start {
			t.Fatalf("section %q out of order", s.Label)
		}
		checkFields(t, s.Fields, size)
	}
}

func checkRecord(t *testing.T, r *Record, size int) {
	t.Helper()
	checkSpan(t, "record", r.Span, size)
	checkSpan(t, "record head", r.Head, size)
	checkSpan(t, "depends", r.DependsAt, size)
	checkSections(t, r.Sections, size)
	for _, a := range r.Log.Amendments {
		checkSpan(t, "amendment", a.Span, size)
		checkFields(t, a.Fields, size)
	}
	for _, s := range r.Log.Placeholders {
		checkSpan(t, "placeholder", s, size)
	}
}

// checkDoc demands that positions agree with a plain count of line ends and characters.
func checkDoc(t *testing.T, d *Doc) {
	t.Helper()
	for _, p := range d.Problems {
		checkSpan(t, string(p.Kind), p.Span, len(d.Src))
		line, column := d.Position(p.Span.Start)
		before := d.Src[:p.Span.Start]
		if want := 1 + bytes.Count(before, []byte("\n")); line != want {
			t.Fatalf("line of %d: got %d, want %d", p.Span.Start, line, want)
		}
		start := bytes.LastIndexByte(before, '\n') + 1
		if want := 1 + utf8.RuneCount(before[start:]); column != want && start > 0 {
			t.Fatalf("column of %d: got %d, want %d", p.Span.Start, column, want)
		}
	}
	if got := d.Text(Span{-1, len(d.Src) + 1}); got != string(d.Src) {
		t.Fatalf("text of everything has %d bytes, want %d", len(got), len(d.Src))
	}
}

func checkREADME(t *testing.T, src []byte) {
	t.Helper()
	r := ReadREADME(src)
	checkDoc(t, &r.Doc)
	checkSections(t, r.Sections, len(src))
	for _, list := range [][]IndexLine{r.Index, r.Bullets} {
		for i, x := range list {
			checkSpan(t, "index line", x.Span, len(src))
			if x.Box != nil {
				checkSpan(t, "box", x.Box.Span, len(src))
				if text := r.Text(x.Box.Span); text != "["+x.Box.Mark+"]" {
					t.Fatalf("box %q stands at %q", x.Box.Mark, text)
				}
			}
			if i > 0 && x.Span.Start < list[i-1].Span.Start {
				t.Fatalf("index line %d out of order", i)
			}
		}
	}
	for _, c := range r.Claims {
		checkSpan(t, "claim", c.Span, len(src))
	}
	for _, list := range [][]Record{r.Records, r.Loose} {
		for i := range list {
			checkRecord(t, &list[i], len(src))
			if i > 0 && list[i].Span.Start < list[i-1].Span.End {
				t.Fatalf("records overlap: %v %v", list[i-1].Span, list[i].Span)
			}
		}
	}
}

func FuzzREADME(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkREADME(t, src) })
}

func FuzzTask(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		r := ReadTask(src)
		checkDoc(t, &r.Doc)
		checkRecord(t, &r.Record, len(src))
	})
}

func FuzzReview(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		v := ReadReview(src)
		checkDoc(t, &v.Doc)
		for _, c := range v.Critical {
			checkSpan(t, "critical", c.Span, len(src))
		}
		g := ReadProgress(src)
		checkSections(t, g.Sections, len(src))
		for _, e := range g.Entries {
			checkSpan(t, "entry", e.Span, len(src))
		}
		for _, a := range g.Amendments {
			checkSpan(t, "amendment", a.Span, len(src))
		}
		for _, c := range ReadCandidates(src).List {
			checkSpan(t, "candidate", c.Span, len(src))
		}
	})
}

// TestHugeInputs reads the inputs on which readers of this kind hang or die (TRAPS, C165). A reader that is not linear
// would take minutes here; the test only demands an answer.
func TestHugeInputs(t *testing.T) {
	const n = 20_000
	inputs := map[string]string{
		"blank lines":        strings.Repeat("\n", 200_000),
		"blank lines, list":  "- a\n" + strings.Repeat("\n", 200_000) + "- b\n",
		"long line":          "# T\n\n" + strings.Repeat("word ", 40_000) + "\n\n- [ ] Task 1: x\n",
		"quotes":             strings.Repeat(">", n),
		"quote lines":        strings.Repeat("> ", 200) + "\n" + strings.Repeat(">\n", n),
		"nested lists":       strings.Repeat("- ", n),
		"open brackets":      "- [ ] " + strings.Repeat("[", n),
		"definitions":        strings.Repeat("[a\n", n),
		"link targets":       "## Task List\n- [ ] Task 1: " + strings.Repeat("[a](", n/4),
		"backticks":          backtickRuns(600),
		"comments":           strings.Repeat("a <!-- b\n", n),
		"comment blocks":     strings.Repeat("<!-- b\n\n", n),
		"tags":               strings.Repeat("<a b='", n),
		"labels":             strings.Repeat("**Goal:** x\n", n),
		"empty labels":       strings.Repeat("- Planned:\n", n),
		"nested labels":      strings.Repeat("- Planned:\n  - a:\n    - b:\n", n/4),
		"headings":           strings.Repeat("## Goal\n", n),
		"anchors":            strings.Repeat("## Task 1: x {#task-1}\n", n),
		"open anchors":       "## " + strings.Repeat("{#", n),
		"amendments":         strings.Repeat("## Amendment 1 \u2014 2026-01-01\n", n),
		"rows":               "| a | b |\n|---|---|\n" + strings.Repeat("| Critical | x | y |\n", n),
		"bars":               "a | b\n--|--\n" + strings.Repeat("|", n),
		"setext":             strings.Repeat("a\n", n) + "===\n",
		"boxes":              "## Task List\n" + strings.Repeat("- [ ] x\n", n),
		"phases":             "## Task List\n- [ ] y\n" + strings.Repeat("  - [ ] x\n", n),
		"critical":           strings.Repeat("## Critical\n- x\n", n/2),
		"critical items":     "## Critical\n" + strings.Repeat("- x\n", n/2),
		"severity":           strings.Repeat("- Severity: Critical\n", n),
		"critical findings":  strings.Repeat("### Critical: x\n", n),
		"emphasis":           strings.Repeat("*a _", n),
		"deep phases":        "## Task List\n" + strings.Repeat("- [ ] a\n  - [ ] b\n", n/2),
		"fences":             strings.Repeat("```\na\n```sh\n", n),
		"digits":             "- [ ] Task " + strings.Repeat("1", n),
		"conflicts":          strings.Repeat("<<<<<<< a\n", n),
		"dependencies":       "Depends on: " + strings.Repeat("1-900, ", 2000),
		"variables":          strings.Repeat("{{A}}{{", n),
		"critical, unsorted": "## Critical\n" + strings.Repeat("### a\n", n/2),
	}
	for name, in := range inputs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := []byte(in)
			checkREADME(t, src)
			task := ReadTask(src)
			checkRecord(t, &task.Record, len(src))
			ReadProgress(src)
			ReadReview(src)
			ReadCandidates(src)
		})
	}
}

// backtickRuns has runs of every length, none of which closes another.
func backtickRuns(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s a ", strings.Repeat("`", i+1))
	}
	return b.String()
}
