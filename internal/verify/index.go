package verify

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
)

// checkIndex: one checkbox line per task, numbered in order, each mark known (PD-4, PS-9, C07, C17, C19, C25).
func checkIndex(c *checker) {
	r := c.s.README
	if len(r.Index) == 0 {
		c.noIndex()
		return
	}
	for _, b := range r.Bullets {
		c.add("index/no-boxes", c.inReadme(b.Span, b.ID), "this line of the task index has no checkbox", "write it as: - [ ] Task N: title")
	}
	for _, b := range r.Empty {
		c.add("index/empty-box", c.inReadme(b.Span, 0), "a checkbox without text", "name the task, or remove the line")
	}
	// Beside the index they count for nothing, but a task that lost its number is not dropped in silence (C23).
	for i := range r.Notes {
		line := &r.Notes[i]
		c.addLevel(rule.Should, "index/order", c.inReadme(line.Span, 0), "a checkbox in the task list names no task: "+quote(line.Title), "when it is a task, write: - [ ] Task N: title")
	}
	seen := map[int]bool{}
	want := 1
	for i := range r.Index {
		line := &r.Index[i]
		at := c.inReadme(line.Span, line.ID)
		if line.Box != nil && !line.Box.Known() {
			c.addWhat("index/unknown-mark", c.inReadme(line.Box.Span, line.ID), "unknown box mark", "["+line.Box.Mark+"]", "a box is [ ] or [x]; progress between them belongs in state.json")
		}
		switch {
		case line.ID == 0:
			c.addWhat("index/order", at, "a checkbox of the task index names no task", line.Title, "write it as: - [ ] Task N: title")
		case seen[line.ID]:
			c.add("index/duplicate", at, "its number stands twice in the task index", "renumber one of them through refine")
		default:
			if line.ID != want {
				c.add("index/order", at, fmt.Sprintf("Task %d stands where Task %d is expected", line.ID, want), "tasks are numbered 1 to N in order")
			}
			seen[line.ID] = true
			want = line.ID + 1
		}
	}
}

// noIndex: never "0 of 0" in silence (C17).
func (c *checker) noIndex() {
	r := c.s.README
	at := rule.Place{File: "README.md"}
	if s := r.Section(planmd.TaskList); s != nil {
		at = c.inReadme(s.Head, 0)
	}
	for _, b := range r.Empty {
		c.add("index/empty-box", c.inReadme(b.Span, 0), "a checkbox without text", "name the task, or remove the line")
	}
	if n := len(c.s.TaskFiles); len(r.Bullets) > 0 {
		c.add("index/no-boxes", at, fmt.Sprintf("the task index has no boxes (%d plain lines, %d task files)", len(r.Bullets), n), "write each line as: - [ ] Task N: title")
	} else {
		c.add("index/missing", at, fmt.Sprintf("the README has no task index (%d task files)", n), "add one line per task: - [ ] Task N: title")
	}
}

// checkLinks: in a Full plan each line links the file of its own number, which exists (PD-4, C29).
func checkLinks(c *checker) {
	for i := range c.s.README.Index {
		line := &c.s.README.Index[i]
		at := c.inReadme(line.Span, line.ID)
		if line.Link == "" {
			c.addLevel(weaker(c.shape.bare), "index/link", at, "the index line does not link its task file", "write it as: - [ ] Task N: [title](N.task_slug.md)")
			continue
		}
		target := path.Clean(line.Link)
		if outside(target) {
			c.addWhat("index/link-outside", at, "the link leads outside the plan", line.Link, "link the task file in the plan folder")
			continue
		}
		if n, ok := plan.TaskNumber(target); ok && line.ID != 0 && n != line.ID {
			c.add("index/link-number", at, fmt.Sprintf("the line links the file of task %d: %s", n, quote(target)), "link its own file")
		}
		switch found := c.onDisk(target); found {
		case target:
		case "":
			c.addWhat("index/link-target", at, "the linked file does not exist", target, "write the file, or mend the link")
		default:
			c.addWhat("index/normal-form", at, "the link and the file on disk differ only in Unicode normal form", found, "nothing is lost; rename one of them to be safe")
		}
	}
}

// outside reports whether a cleaned slash path leaves the folder it is relative to.
func outside(p string) bool {
	return p == ".." || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") || strings.Contains(p, "://") || strings.Contains(p, "\\")
}

// checkCounts: every written count equals the boxes (PD-4, C35); boxes win.
func checkCounts(c *checker) {
	r := c.s.README
	done := 0
	for i := range r.Index {
		if b := r.Index[i].Box; b != nil && b.Checked() {
			done++
		}
	}
	for _, claim := range r.Claims {
		if claim.Done != done || claim.Total != len(r.Index) {
			c.add("index/count", c.inReadme(claim.Span, 0), fmt.Sprintf("says %d/%d, the boxes say %d/%d", claim.Done, claim.Total, done, len(r.Index)), "correct the line; the boxes are the truth")
		}
	}
	if len(r.Claims) == 0 && !r.Materializing {
		c.addLevel(weaker(c.shape.bare), "index/no-count", rule.Place{File: "README.md"}, "the README states no count of completed tasks",
			fmt.Sprintf("add: Plan Status: %d/%d completed", done, len(r.Index)))
	}
	c.checkStatusProse(done)
}

// checkStatusProse compares "Current status: Not started" with the boxes.
func (c *checker) checkStatusProse(done int) {
	r := c.s.README
	for _, f := range r.StatusAt {
		claim := planmd.StatusWord(f.Value)
		started, finished := done > 0, done == len(r.Index)
		wrong := claim == planmd.LogPending && started || claim == planmd.LogCompleted && !finished
		if wrong {
			c.add("index/status-prose", c.inReadme(f.Span, 0), fmt.Sprintf("the status %s disagrees with the boxes, %d of %d ticked", quote(f.Value), done, len(r.Index)), "correct the words; the boxes are the truth")
		}
	}
}

// checkTitles: a task has one title in index, record and entry (C89).
func checkTitles(c *checker) {
	for _, t := range c.view.Tasks {
		if t.Line == nil || t.Line.Title == "" {
			continue
		}
		if t.Entry != nil && t.Entry.Title != "" && !sameTitle(t.Line.Title, t.Entry.Title) {
			c.add("index/title-differs", c.inReadme(t.Line.Span, t.ID), fmt.Sprintf("the index says %s, state.json says %s", quote(t.Line.Title), quote(t.Entry.Title)), "use one title")
		}
		if t.Record != nil && t.Record.Title != "" && !sameTitle(t.Line.Title, t.Record.Title) && c.shape.hasJSON {
			c.add("index/title-differs", c.inReadme(t.Line.Span, t.ID), fmt.Sprintf("the index says %s, its record %s", quote(t.Line.Title), quote(t.Record.Title)), "use one title")
		}
	}
}

// TitleKey is equal for titles that the rules take for the same: reconcile changes none of those (PS-18).
func TitleKey(title string) string { return letters(title) }

// sameTitle compares titles by their letters and digits, in normal form and any case.
func sameTitle(a, b string) bool { return letters(a) == letters(b) }

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFC.String(s))
}
