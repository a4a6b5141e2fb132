package planmd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// indexRow is what a test says about an index line.
type indexRow struct {
	ID               int
	Mark             string
	Title, Tag, Link string
}

func indexRows(lines []IndexLine) []indexRow {
	var rows []indexRow
	for _, l := range lines {
		r := indexRow{ID: l.ID, Title: l.Title, Tag: l.Tag, Link: l.Link, Mark: "-"}
		if l.Box != nil {
			r.Mark = l.Box.Mark
		}
		rows = append(rows, r)
	}
	return rows
}

// TestIndexForms reads every form of an index line that was seen in the wild, inside a Task List section (C23).
func TestIndexForms(t *testing.T) {
	tests := []struct {
		line string
		want indexRow
	}{
		{"- [ ] Task 1: Read the feed", indexRow{1, " ", "Read the feed", "", ""}},
		{"- [x] **Task 2:** Read it \u2705", indexRow{2, "x", "Read it", "", ""}},
		{"- [X] **Task 2**: Read it", indexRow{2, "X", "Read it", "", ""}},
		{"- [x] **Task 2: Read it** \u2714\ufe0f", indexRow{2, "x", "Read it", "", ""}},
		{"- [ ] Task 3 (urgent): Read it", indexRow{3, " ", "Read it", "urgent", ""}},
		{"- [ ] 任务 3（加急）：读", indexRow{3, " ", "读", "加急", ""}},
		{"- [ ] **Task 3 (urgent):** Read it", indexRow{3, " ", "Read it", "urgent", ""}},
		{"- [ ] Task 3 [P]: Read it", indexRow{3, " ", "Read it", "P", ""}},
		{"- [ ] [4. Read it](4.task_read.md)", indexRow{4, " ", "Read it", "", "4.task_read.md"}},
		{"- [ ] 5. `5.task_read.md` \u2014 the feed", indexRow{5, " ", "the feed", "", "5.task_read.md"}},
		{"- [ ] 5. `tasks/5.task_read.md` \u2014 use `x`", indexRow{5, " ", "use x", "", "tasks/5.task_read.md"}},
		{"- [x] Task 1: CLI\n      See: [1.task_cli.md](./1.task_cli.md)", indexRow{1, "x", "CLI", "", "1.task_cli.md"}},
		{"- [x] Task 1: CLI\n  - See: [1.task_cli.md](./1.task_cli.md)", indexRow{1, "x", "CLI", "", "1.task_cli.md"}},
		{"- [ ] Task 1: [Read it](./1.task_read.md)", indexRow{1, " ", "Read it", "", "1.task_read.md"}},
		{"- [ ] Task 1: [Read it](<1.task_read it.md> \"x\")", indexRow{1, " ", "Read it", "", "1.task_read it.md"}},
		{"- [ ] Task 1: Read it ([file](1.task_read.md#goal))", indexRow{1, " ", "Read it", "", "1.task_read.md"}},
		{"- [ ] Task 1: Read it \u2014 [1.task_read.md](1.task_read.md)", indexRow{1, " ", "Read it", "", "1.task_read.md"}},
		{"- [ ] Task 1: Use [Go](https://go.dev/) here", indexRow{1, " ", "Use Go here", "", ""}},
		{"- [ ] **[Task 7](7.task_read.md)** \u2014 Read it", indexRow{7, " ", "Read it", "", "7.task_read.md"}},
		{"- [ ] [Task 7: Read it](7.task_read.md)", indexRow{7, " ", "Read it", "", "7.task_read.md"}},
		{"- [ ] [Read it](./7.task_read.md)", indexRow{7, " ", "Read it", "", "7.task_read.md"}},
		{"- [ ] [7.task_read.md](./7.task_read.md): Read it", indexRow{7, " ", "Read it", "", "7.task_read.md"}},
		{"- [ ] 7.task_read.md \u2014 Read it", indexRow{7, " ", "Read it", "", "7.task_read.md"}},
		{"- [ ] Task 8 - Read it", indexRow{8, " ", "Read it", "", ""}},
		{"- [ ] Task 8 \u2013 Read it", indexRow{8, " ", "Read it", "", ""}},
		{"- [ ] Task 8 Read it", indexRow{8, " ", "Read it", "", ""}},
		{"- [ ] Task #8: Read it", indexRow{8, " ", "Read it", "", ""}},
		{"- [ ] #9 Read it", indexRow{9, " ", "Read it", "", ""}},
		{"- [ ] 9) Read it", indexRow{9, " ", "Read it", "", ""}},
		{"- [ ] Task 10", indexRow{10, " ", "", "", ""}},
		{"- [ ] \U0001f6a7 Task 10: Read it", indexRow{10, " ", "Read it", "", ""}},
		{"- [ ] Task 12: snake_case and *stars* `code_x`", indexRow{12, " ", "snake_case and stars code_x", "", ""}},
		{"- [ ] Task 12: `a*b*c` \\*d\\*", indexRow{12, " ", "a*b*c *d*", "", ""}},
		{"- [ ] Task 12: a\n  - [ ] Task 12: check it", indexRow{12, " ", "a", "", ""}},
		{"- [ ] Task 12: Read <!-- soon --> it", indexRow{12, " ", "Read  it", "", ""}},
		{"- [x] Tarefa 2: Ler", indexRow{2, "x", "Ler", "", ""}},
		{"- [x] Tarea 2: Leer", indexRow{2, "x", "Leer", "", ""}},
		{"- [x] 任务 2：读", indexRow{2, "x", "读", "", ""}},
		{"- [x] 任务2：读", indexRow{2, "x", "读", "", ""}},
		{"- [x] งาน 2: อ่าน", indexRow{2, "x", "อ่าน", "", ""}},
		// Markers and white space (TRAPS, PD-10).
		{"* [ ] Task 1: a", indexRow{1, " ", "a", "", ""}},
		{"+ [ ] Task 1: a", indexRow{1, " ", "a", "", ""}},
		{"-\t[ ] Task 1: a", indexRow{1, " ", "a", "", ""}},
		{"1. [ ] Task 1: a", indexRow{1, " ", "a", "", ""}},
		{"3. [ ] Read it", indexRow{3, " ", "Read it", "", ""}},
		{"- [ ]\n  Task 1: a", indexRow{1, " ", "a", "", ""}},
		// Unknown marks (C07).
		{"- [~] Task 2: a", indexRow{2, "~", "a", "", ""}},
		{"- [-] Task 2: a", indexRow{2, "-", "a", "", ""}},
		{"- [\u2713] Task 2: a", indexRow{2, "\u2713", "a", "", ""}},
		{"- [\u2714\ufe0f] Task 2: a", indexRow{2, "\u2714\ufe0f", "a", "", ""}},
		{"- [] Task 2: a", indexRow{2, "", "a", "", ""}},
		{"- [  ] Task 2: a", indexRow{2, "  ", "a", "", ""}},
		{"- [done] Task 2: a", indexRow{2, "done", "a", "", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			r := ReadREADME([]byte("# T\n\n## 4. Task List\n\n" + tt.line + "\n\n## Goal\n"))
			if diff := cmp.Diff([]indexRow{tt.want}, indexRows(r.Index)); diff != "" {
				t.Errorf("index (-want +got):\n%s", diff)
			}
			for _, x := range r.Index {
				if got := r.Text(x.Box.Span); got != "["+x.Box.Mark+"]" {
					t.Errorf("box stands at %q", got)
				}
			}
			if len(r.Bullets) != 0 {
				t.Errorf("bullets: got %v, want none", r.Bullets)
			}
		})
	}
}

// TestNoIndexLine lists what is no line of the index, in a README whose task list holds task 1 (C01, C03, C09, TRAPS).
func TestNoIndexLine(t *testing.T) {
	for _, text := range []string{
		"```\n- [x] Task 9: demo\n```",
		"3. step\n\n   ```\n   - [ ] Task 9: demo\n   ```",
		"    - [ ] Task 9: demo",
		"<!--\n- [ ] Task 9: Title\n-->",
		"> - [ ] Task 9: x",
		"text `- [ ] Task 9: x` text",
		"- [ ] output of Task 9 is reused",
		"- [ ] Task 1.1: step",
		"- [ ] Task 2-3: both",
		"- [ ]Task 9: x",
		"- [Task 9: x](9.task_x.md)",
		"- [a][b] Task 9: x",
		"- \\[ ] Task 9: x",
		"- [ ] `Task 9: x`",
		"````md\n```sh\n- [ ] Task 9: x\n```\n````",
		"- [ ] Phase 9 \u2014 the backend (tasks 1-4)",
	} {
		t.Run(text, func(t *testing.T) {
			r := ReadREADME([]byte("# T\n\n" + text + "\n\n## Task List\n\n- [x] Task 1: a\n\n## Execution Rules\n\n" + text + "\n"))
			if want := []indexRow{{1, "x", "a", "", ""}}; !cmp.Equal(indexRows(r.Index), want) {
				t.Errorf("got %v, want %v", indexRows(r.Index), want)
			}
			if len(r.Problems) != 0 {
				t.Errorf("problems: got %v, want none", r.Problems)
			}
			r = ReadREADME([]byte("# T\n\n## Task List\n\n" + text + "\n\n- [x] Task 1: a\n"))
			for _, x := range r.Index {
				if x.ID == 9 && x.Box != nil {
					t.Errorf("inside the list: got %+v", x)
				}
			}
		})
	}
}

// TestIndexWithoutList takes "Task N" boxes from anywhere when no section is called a task list; numbers alone don't count then.
func TestIndexWithoutList(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n## Work\n\n- [x] Task 1: a\n- [ ] 2. b\n- [ ] Task 3 is fun\n- [ ] Phase 1 \u2014 c\n\n## Task 4: d {#task-4}\n\n- [ ] Task 5: e\n"))
	if want := []indexRow{{1, "x", "a", "", ""}}; !cmp.Equal(indexRows(r.Index), want) {
		t.Errorf("got %v, want %v", indexRows(r.Index), want)
	}
}

// TestIndexSubHeadings keeps the tasks below sub-headings of the task list, known names included.
func TestIndexSubHeadings(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n## Task List\n\n### Phase 1 \u2014 x\n\n- [x] Task 1: a\n\n### Validation\n\n- [ ] Task 2: b\n\n## Outputs\n\n- [ ] Task 3: c\n"))
	if want := []indexRow{{1, "x", "a", "", ""}, {2, " ", "b", "", ""}}; !cmp.Equal(indexRows(r.Index), want) {
		t.Errorf("got %v, want %v", indexRows(r.Index), want)
	}
}

// TestIndexLabelForm reads a task list behind a "**Task List:**" line.
func TestIndexLabelForm(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n**Task List:**\n\n- [x] 1. a\n- [ ] 2. b\n"))
	if want := []indexRow{{1, "x", "a", "", ""}, {2, " ", "b", "", ""}}; !cmp.Equal(indexRows(r.Index), want) {
		t.Errorf("got %v, want %v", indexRows(r.Index), want)
	}
}

// TestPlainBullets reads a task list without boxes (C17): never nothing.
func TestPlainBullets(t *testing.T) {
	for _, list := range []string{
		"- Task 1: a\n- Task 2: b\n",
		"- [a](1.task_a.md)\n- [b](2.task_b.md)\n",
		"- 1. `1.task_a.md` \u2014 a\n- 2. `2.task_b.md` \u2014 b\n",
		"1. `tasks/1.task_a.md` \u2014 a\n2. `tasks/2.task_b.md` \u2014 b\n",
		"1. a\n2. b\n",
		"* **Task 1** \u2014 a\n* **Task 2** \u2014 b\n",
	} {
		r := ReadREADME([]byte("# T\n\n## Task List\n\n" + list))
		var got []string
		for _, b := range r.Bullets {
			got = append(got, strings.Repeat("i", b.ID)+b.Title)
		}
		if want := []string{"ia", "iib"}; !cmp.Equal(got, want) || len(r.Index) != 0 {
			t.Errorf("%q: got %v and index %v, want %v", list, got, r.Index, want)
		}
	}
}

// TestEmptyAndSubBoxes counts boxes without text and sub-boxes apart from tasks (C19).
func TestEmptyAndSubBoxes(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n## Task List\n\n- [x]\n- [ ]   \n- [x] Task 2: b\n  - [ ] sub step\n  - [x] 1. numbered step\n    - [~] deeper\n  - [ ]\n- [ ] Task 3: c\n- [ ] lost\n- [ ] T4: d\n- [ ] Phase 2: all\n"))
	want := []indexRow{{2, "x", "b", "", ""}, {3, " ", "c", "", ""}, {0, " ", "lost", "", ""}, {0, " ", "T4: d", "", ""}}
	if !cmp.Equal(indexRows(r.Index), want) {
		t.Fatalf("got %v, want %v", indexRows(r.Index), want)
	}
	if x := r.Index[0]; x.SubOpen != 2 || x.SubDone != 1 {
		t.Errorf("sub-boxes: got %d open, %d done; want 2 and 1", x.SubOpen, x.SubDone)
	}
	if len(r.Empty) != 3 {
		t.Errorf("empty boxes: got %d, want 3", len(r.Empty))
	}
	if got, want := r.Text(r.Index[0].Span), "- [x] Task 2: b"; got != want {
		t.Errorf("own lines: got %q, want %q", got, want)
	}
}

// TestNestedTasks reads tasks under phase boxes, which are no tasks themselves.
func TestNestedTasks(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n## Task List\n\n- [ ] Backend\n  - [x] Task 1: a\n  - [ ] Task 2: b\n- [ ] Phase 2 \u2014 front\n  - [ ] Task 3: c\n"))
	want := []indexRow{{1, "x", "a", "", ""}, {2, " ", "b", "", ""}, {3, " ", "c", "", ""}}
	if !cmp.Equal(indexRows(r.Index), want) {
		t.Errorf("got %v, want %v", indexRows(r.Index), want)
	}
}

// TestDuplicateTasks keeps both lines of a number that was given twice (C25).
func TestDuplicateTasks(t *testing.T) {
	r := ReadREADME([]byte("# T\n\n## Task List\n\n- [ ] Task 4: [a](4.task_cache.md)\n- [ ] Task 4: [b](4.task_queue.md)\n"))
	want := []indexRow{{4, " ", "a", "", "4.task_cache.md"}, {4, " ", "b", "", "4.task_queue.md"}}
	if !cmp.Equal(indexRows(r.Index), want) {
		t.Errorf("got %v, want %v", indexRows(r.Index), want)
	}
}

// TestLinkBytes keeps the bytes of a link as written, composed or not, and decodes percent signs (C29).
func TestLinkBytes(t *testing.T) {
	for link, want := range map[string]string{
		"3.task_se\u00f1al.md":   "3.task_se\u00f1al.md",
		"3.task_sen\u0303al.md":  "3.task_sen\u0303al.md",
		"3.task_se%C3%B1al.md":   "3.task_se\u00f1al.md",
		"././3.task_a.md#x":      "3.task_a.md",
		"3.task_a(b).md":         "3.task_a(b).md",
		"tasks/3.task_100%25.md": "tasks/3.task_100%.md",
		"3.task_%zz.md":          "3.task_%zz.md",
	} {
		r := ReadREADME([]byte("# T\n\n## Task List\n\n- [ ] Task 3: [a](" + link + ")\n"))
		if len(r.Index) != 1 || r.Index[0].Link != want {
			t.Errorf("%s: got %v, want %q", link, indexRows(r.Index), want)
		}
	}
}
