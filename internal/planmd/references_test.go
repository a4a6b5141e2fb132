package planmd

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const namesText = `# Plan

The money of task 12 of the budget.

## Team Agents

| Group | Tasks | Owned files |
|---|---|---|
| A | 2, Task 3 | a.go |

## Task List

1. [ ] Task 1: [One](1.task_one.md)
   - [ ] step
2. [ ] **Task 2:** Two ([record](#task-2))

## Task 2: Two {#task-2}

**Depends on:** 1-3, Task 5 (for 2 reasons)

### Read Before Starting

- Task 1's log, and task 1 of old
- [it](README.md#task-1), ` + "`../PLAN_b/README.md#task-1`" + ` <!-- Task 4 -->

### Validation

` + "```sh\ntest -s 1.task_one.md # Task 3\n```" + `

### Dependencies

- Task 4: the rest
`

// TestNames: every number that names a task stands where At says, with the kind of its place; code and comments are no prose (LF-10).
func TestNames(t *testing.T) {
	n := NamesInREADME([]byte(namesText))
	var got []string
	for _, r := range n.Refs {
		got = append(got, fmt.Sprintf("%s %v %q %s", r.Kind, r.Tasks, namesText[r.At.Start:r.At.End], r.Path))
	}
	want := []string{
		`prose [12] "12" `, `group [2] "2" `, `group [3] "3" `, `index [1] "1" `, `index [1] "1" `, `file [1] "1" 1.task_one.md`, `index [2] "2" `, `index [2] "2" `,
		`anchor [2] "2" `, `heading [2] "2" `, `anchor [2] "2" `, `depends [1 2 3] "1-3" `, `depends [5] "5" `, `reading [1] "1" `, `prose [1] "1" `,
		`anchor [1] "1" README.md`, `anchor [1] "1" ../PLAN_b/README.md`, `code [1] "1" 1.task_one.md`, `depends [4] "4" `,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(n.Lines) != 2 || !strings.HasSuffix(namesText[:n.Lines[0].Span.End], "- [ ] step") || len(n.Records) != 1 || !strings.HasSuffix(namesText[:n.Records[0].Span.End], "the rest") {
		t.Errorf("lines %+v, records %+v", n.Lines, n.Records)
	}
	if len(n.Groups) != 1 {
		t.Errorf("groups %+v", n.Groups)
	}
}

// TestArchived: the heading of an archived record names its task, and no other heading does (PS-10).
func TestArchived(t *testing.T) {
	g := ReadProgress([]byte("# Progress\n\n## 2026-10-01 Refine: record of Task 3 archived\n\n> # Task 3: x\n\n## Refine: Task 4 moved\n\n## Task 5 archived\n"))
	if len(g.Archived) != 1 || g.Archived[0].Task != 3 || !g.Refined {
		t.Errorf("%+v", g.Archived)
	}
}

// FuzzNames: on any input each reference stands inside the document, in order, on a number that it names.
func FuzzNames(f *testing.F) {
	for _, s := range []string{namesText, "#task-1", "- [ ] Task 1", "# Task 1: x {#task-1}\nDepends on: 1-", "|Group|Tasks|Files|\n|-|-|-|\n|a|1-3|", "## Task List\n1. [ ] a\n", "[a]: 1.task_a.md\n\n[a]", "\u0e07\u0e32\u0e19 3"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, n := range []*Naming{NamesInREADME(src), NamesInTask(src), NamesIn(src)} {
			last := 0
			for _, r := range n.Refs {
				if r.At.Start < last || r.At.End > len(src) || r.At.End <= r.At.Start {
					t.Fatalf("%+v behind %d of %d bytes", r, last, len(src))
				}
				if id, digits := scanNumber(string(src[r.At.Start:r.At.End])); digits == 0 || id != r.Tasks[0] {
					t.Fatalf("%+v reads %q", r, src[r.At.Start:r.At.End])
				}
				last = r.At.End
			}
			for _, p := range slices.Concat(n.Lines, n.Records) {
				if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(src) {
					t.Fatalf("piece %+v of %d bytes", p, len(src))
				}
			}
		}
	})
}

// TestNamesInLists: a list that goes over several lines is told number by number (PD-12, C23).
func TestNamesInLists(t *testing.T) {
	const text = "# Task 3: x\n\n**Depends on:**\n\n- Task 1\n- 2 (first)\n\n## Goal\n\nx\n"
	var got []string
	for _, r := range NamesInTask([]byte(text)).Refs {
		got = append(got, fmt.Sprintf("%s %v %d", r.Kind, r.Tasks, r.List))
	}
	if want := []string{"heading [3] 0", "depends [1] 1", "depends [2] 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
