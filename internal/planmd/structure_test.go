package planmd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func problemKinds(d *Doc) []ProblemKind {
	var kinds []ProblemKind
	for _, p := range d.Problems {
		kinds = append(kinds, p.Kind)
	}
	return kinds
}

// TestProblems names faults of structure and their lines (C05, C45, C47, TRAPS), and passes what only looks like one.
func TestProblems(t *testing.T) {
	tests := []struct {
		name, src string
		want      []ProblemKind
		line      int
	}{
		{"unclosed fence, C05", "# T\n\n- [x] Task 2: b\n```\n- [ ] Task 3: c\n", []ProblemKind{FenceUnclosed}, 4},
		{"unclosed fence without content", "# T\n\n~~~sh\n", []ProblemKind{FenceUnclosed}, 3},
		{"unclosed fence with a shorter closer", "````\na\n```\n", []ProblemKind{FenceUnclosed}, 1},
		{"stray opener closed by the next fence, C05", "a\n\n```\n\n## Task List\n\n- [ ] Task 3: c\n\n```sh\nx\n```\n", []ProblemKind{FenceRunaway}, 3},
		{"stray opener, index line only", "```\n- [ ] Task 3: c\n```sh\nx\n```\n", []ProblemKind{FenceRunaway}, 1},
		{"stray opener, anchor only", "```\n## x {#task-3}\n```sh\nx\n```\n", []ProblemKind{FenceRunaway}, 1},
		{"stray opener of tildes", "~~~\n## Goal\n~~~sh\nx\n~~~\n", []ProblemKind{FenceRunaway}, 1},
		{"fence in a fence without plan structure", "```\ntext\n```sh\nx\n```\n", nil, 0},
		{"sample in a longer fence", "````md\n## Task List\n- [ ] Task 3: c\n```sh\nx\n```\n````\n", nil, 0},
		{"sample in the other fence", "~~~md\n## Goal\n```sh\nx\n```\n~~~\n", nil, 0},
		{"closed at the last line", "```\na\n```", nil, 0},
		{"code span of three backticks at the start of a line", "```a``` text\n\n- [ ] Task 1: x\n", nil, 0},
		{"fence closed by the end of its item", "- ```\n  a\n\ntext\n", nil, 0},
		{"fence closed by the end of its quote", "> ```\n> a\n\ntext\n", nil, 0},
		{"backticks behind four spaces", "a\n\n    ```\n    x\n\ntext\n", nil, 0},
		{"unclosed comment", "# T\n\n<!-- a\n\n## Task 1: x {#task-1}\n", []ProblemKind{CommentUnclosed}, 3},
		{"closed comments", "<!-- a -->\n\n<!--\nb\n-->\n\ntext <!-- c -->\n", nil, 0},
		{"byte-order mark, C45", "\xef\xbb\xbf# T\n", []ProblemKind{ByteOrderMark}, 1},
		{"one stray byte", "# T\n\na\xffb\n", []ProblemKind{NotUTF8}, 3},
		{"conflict, C47", "# T\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n", []ProblemKind{ConflictMarker}, 3},
		{"conflict of which the head is gone", "# T\n\nb\n>>>>>>> other\n", []ProblemKind{ConflictMarker}, 4},
		{"conflict in a sample", "```\n<<<<<<< HEAD\n>>>>>>> x\n```\n\n    <<<<<<< HEAD\n", nil, 0},
		{"underline of seven", "Title\n=======\n", nil, 0},
	}
	for _, tt := range tests {
		for _, newline := range []string{"\n", "\r\n"} {
			src := strings.ReplaceAll(tt.src, "\n", newline)
			r := ReadREADME([]byte(src))
			if diff := cmp.Diff(tt.want, problemKinds(&r.Doc)); diff != "" {
				t.Errorf("%s (%q): -want +got\n%s", tt.name, newline, diff)
				continue
			}
			if len(tt.want) > 0 {
				if line, _ := r.Position(r.Problems[0].Span.Start); line != tt.line {
					t.Errorf("%s (%q): line %d, want %d", tt.name, newline, line, tt.line)
				}
			}
		}
	}
}

// TestFenceDetail says what a fence swallowed.
func TestFenceDetail(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n```\ntext\n- [ ] Task 3: c\n"))
	if len(r.Problems) != 1 || r.Problems[0].Detail != "- [ ] Task 3: c" {
		t.Errorf("got %+v, want the swallowed task", r.Problems)
	}
}

// TestFrontMatter skips it and keeps the offsets of the file; a rule at the top is no front matter.
func TestFrontMatter(t *testing.T) {
	for _, tt := range []struct{ src, title string }{
		{"---\ntitle: x\ntags: [a]\n---\n# Real\n", "Real"},
		{"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\n# Real\r\n", "Real"},
		{"---\n# a comment\ntitle: x\n...\n\n# Real\n", "Real"},
		{"---\n\n# Real\n\ntext\n\n---\n", "Real"},
		{"---\ntext\n\n# Real\n---\n", "Real"},
		{"---\n", ""},
		{"---\na: b\n# Real\n", "Real"},
	} {
		r := ReadREADME([]byte(tt.src))
		if r.Title != tt.title {
			t.Errorf("%q: title %q, want %q", tt.src, r.Title, tt.title)
		}
		if tt.title != "" && r.Text(r.TitleAt) != "# Real" {
			t.Errorf("%q: title at %q", tt.src, r.Text(r.TitleAt))
		}
	}
}

// TestPosition counts lines and characters, a byte-order mark left out.
func TestPosition(t *testing.T) {
	d := ReadREADME([]byte("\xef\xbb\xbfa\u00e9b\r\n\u4efb\u52a1x\n")).Doc
	for _, tt := range []struct{ offset, line, column int }{
		{0, 1, 1}, {3, 1, 1}, {4, 1, 2}, {6, 1, 3}, {9, 2, 1}, {15, 2, 3}, {17, 3, 1}, {999, 3, 1}, {-1, 1, 1},
	} {
		if line, column := d.Position(tt.offset); line != tt.line || column != tt.column {
			t.Errorf("offset %d: got %d:%d, want %d:%d", tt.offset, line, column, tt.line, tt.column)
		}
	}
	plain := Doc{Src: []byte("a\nbc")}
	if line, column := plain.Position(3); line != 2 || column != 2 {
		t.Errorf("a document that was not scanned: got %d:%d, want 2:2", line, column)
	}
}

// TestHeadings reads headings in every form as the same section (C13, TRAPS).
func TestHeadings(t *testing.T) {
	for _, head := range []string{
		"## Goal", "## Goal ##", "### Goal:", " ### Goal", "   ## Goal", "Goal\n----", "Goal\n====", "## 1. Goal", "## 3) Goal:", "## **Goal**",
		"#\tGoal", "## Goal {#goal}", "## Goal {#goal} ##", "## \U0001f3af Goal", "## Objetivo", "## 目标", "## เป้าหมาย",
	} {
		src := "# Task 1: x\n\n" + head + "\n\nWords here.\n\n## Validation\n\nmake\n"
		r := ReadTask([]byte(src))
		s := r.Section(Goal)
		if s == nil {
			t.Errorf("%q: no Goal in %+v", head, r.Sections)
			continue
		}
		if got := r.Text(s.Head); strings.TrimSpace(got) != strings.TrimSpace(head) {
			t.Errorf("%q: head is %q", head, got)
		}
		if got := r.Text(s.Body); s.Empty || strings.TrimSpace(got) != "Words here." {
			t.Errorf("%q: empty %v, body %q", head, s.Empty, got)
		}
	}
}

// TestNoHeading lists what is no heading of the plan (C11, PD-10).
func TestNoHeading(t *testing.T) {
	for _, text := range []string{
		"```\n## Validation\n```", "    ## Validation", "> ## Validation", "- ## Validation", "<!--\n## Validation\n-->",
		"`## Validation`", "\\## Validation", "##Validation", "####### Validation", "<div>\n## Validation\n</div>",
	} {
		r := ReadTask([]byte("# Task 1: x\n\n## Goal\n\ntext\n\n" + text + "\n"))
		if s := r.Section(Validation); s != nil {
			t.Errorf("%q: got a section %+v", text, s)
		}
	}
}

// TestCRLF reads a file the same with either line end (C15).
func TestCRLF(t *testing.T) {
	unix, dos := ReadREADME([]byte(liteREADME)), ReadREADME([]byte(strings.ReplaceAll(liteREADME, "\n", "\r\n")))
	if diff := cmp.Diff(indexRows(unix.Index), indexRows(dos.Index)); diff != "" {
		t.Error(diff)
	}
	for i := range unix.Records {
		a, b := unix.Records[i], dos.Records[i]
		if a.ID != b.ID || a.Title != b.Title || a.Log.State != b.Log.State || len(a.Sections) != len(b.Sections) || !cmp.Equal(a.DependsOn, b.DependsOn) {
			t.Errorf("record %d: got %+v, want %+v", i, b, a)
		}
		for j := range a.Sections {
			got, want := b.Sections[j], a.Sections[j]
			if strings.ReplaceAll(dos.Text(got.Body), "\r\n", "\n") != unix.Text(want.Body) || got.Empty != want.Empty || !cmp.Equal(got.Code, want.Code) {
				t.Errorf("section %s: got %q", want.Label, dos.Text(got.Body))
			}
		}
	}
}

// TestLongLine reads on behind a line of 200 KB (C165).
func TestLongLine(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n" + strings.Repeat("word ", 40_000) + "\n\n## Task List\n\n- [x] Task 1: " + strings.Repeat("a", 200_000) + "\n- [ ] Task 2: b\n"))
	if len(r.Index) != 2 || len(r.Index[0].Title) != 200_000 || r.Index[1].ID != 2 {
		t.Errorf("got %d lines, want 2", len(r.Index))
	}
}
