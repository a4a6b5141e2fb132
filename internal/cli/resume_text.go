package cli

import (
	"fmt"
	"strings"

	"github.com/deepworkplan/dwp/internal/disk"
)

// write prints the brief as Markdown, for an agent to read (WP-1). What others wrote is quoted, so that it can't fake the frame (C157).
func (v *resumption) write(p page) {
	p.line("# Resume %s\n", cleanLine(v.Plan))
	v.writeFirst(p)
	v.writeHead(p)
	if v.Goal != "" {
		p.line("\n## Goal of the plan\n\n%s", cleanBlock(v.Goal))
	}
	v.writeGaps(p)
	v.writeDesync(p)
	v.writeQuestions(p)
	v.writeBlocked(p)
	v.writeAnswers(p)
	if len(v.Decisions) > 0 {
		p.line("\n## Decisions on record\n\n%s", quoted(strings.Join(v.Decisions, "\n\n")))
	}
	v.writeSeam(p)
}

// writeFirst says what comes first: a smoke test that failed, then the verdict, then what was mended.
func (v *resumption) writeFirst(p page) {
	if v.Smoke != nil && !v.Smoke.Passed {
		p.para(0, "The smoke test failed, "+v.Smoke.Outcome+": "+v.Smoke.Command)
		p.line("")
	}
	p.para(0, sentence(v.Message)+".")
	for i, text := range v.Fixed {
		if i == 0 {
			p.line("\nFixed:\n")
		}
		item(p, sentence(text))
	}
}

// writeHead prints the facts of the plan and of the position.
func (v *resumption) writeHead(p page) {
	p.line("")
	fact := func(label, text string) {
		if text != "" {
			item(p, label+": "+text)
		}
	}
	fact("Title", v.Title)
	fact("Folder", v.Path)
	updated := v.Updated
	if v.UpdatedBy != nil {
		updated += " by " + joined(" / ", v.UpdatedBy.Agent, v.UpdatedBy.Model)
	}
	fact("Updated", updated)
	fact("Done", fmt.Sprintf("%d of %d", v.Completed, v.Total))
	if t := v.Position; t != nil {
		fact("Position", fmt.Sprintf("task %d, %s: %s", t.ID, statusWords(t.Status), t.Title))
	}
	if n := len(v.Running); n > 1 || n == 1 && (v.Position == nil || v.Running[0] != v.Position.ID) {
		fact("In progress", numbers(v.Running))
	}
	if c := v.Checkpoint; c != nil {
		fact("Checkpoint", joined(" - ", fmt.Sprintf("task %d: %s", c.Task, c.Step), c.Note, c.At))
	}
	if v.Smoke != nil && v.Smoke.Passed {
		fact("Smoke test", "passed, "+v.Smoke.Outcome+": "+v.Smoke.Command)
	}
	fact("Locked", v.Lock)
	for _, c := range v.Copies {
		age := "older"
		if c.Newer {
			age = "newer"
		}
		fact("Also in", joined(", ", c.Path, age, c.Updated, fmt.Sprintf("%d of %d done", c.Completed, c.Total)))
	}
}

// item prints a list item of our own words, wrapped.
func item(p page, text string) { p.flow("- ", 2, 2, cleanLine(text)) }

// writeGaps lists what to finish, each with its command on a line of its own, to copy.
func (v *resumption) writeGaps(p page) {
	for i, g := range v.Gaps {
		if i == 0 {
			p.line("\n## To finish first\n")
		}
		text := sentence(g.Message)
		if len(g.Tasks) > 0 {
			text += " (" + tasksWords(g.Tasks) + ")"
		}
		item(p, text)
		if g.Command != "" {
			p.line("  `%s`", cleanLine(g.Command))
		}
		if g.Hint != "" {
			p.para(2, sentence(g.Hint))
		}
	}
}

// writeDesync is the table of PS-18.
func (v *resumption) writeDesync(p page) {
	if len(v.Desync) == 0 {
		return
	}
	p.line("\n## README.md and state.json disagree\n\n| Task | Markdown | state.json | Which way |\n|---|---|---|---|")
	const most = 30
	for i, d := range v.Desync {
		if i == most {
			p.line("\nAnd %d more.", len(v.Desync)-most)
			break
		}
		p.line("| %d | %s | %s | %s |", d.Task, d.Markdown, strings.ReplaceAll(cleanLine(d.State), "|", `\|`), d.Way)
	}
}

// writeQuestions lists what the files can't answer, then the open entries of QUESTIONS.md.
func (v *resumption) writeQuestions(p page) {
	head := "\n## Questions\n"
	say := func() {
		if head != "" {
			p.line("%s", head)
			head = ""
		}
	}
	for _, d := range v.Doubts {
		say()
		item(p, sentence(d.Message))
		p.line("  `%s`", cleanLine(d.Command))
		for _, c := range d.Commits[:min(len(d.Commits), shownCommits)] {
			p.flow("  - ", 4, 4, cleanLine(c.ID+" "+c.Subject))
		}
		if more := len(d.Commits) - shownCommits; more > 0 {
			p.line("  - and %d more", more)
		}
	}
	for _, q := range v.Asked {
		if q.Open {
			say()
			item(p, "In QUESTIONS.md: "+q.Title)
			if q.Text != "" {
				p.line("\n%s\n", indented(quoted(q.Text)))
			}
		}
	}
}

func (v *resumption) writeBlocked(p page) {
	if b := v.Blocked; b != nil {
		p.line("\n## Blocked\n")
		item(p, joined(", ", fmt.Sprintf("Task %d", b.Task), "since "+b.Since)+": "+b.Reason)
		if b.Needs != "" {
			item(p, "Needs: "+b.Needs)
		}
	}
}

// writeAnswers gives each answer once: those of the task whose brief follows stand there (C99).
func (v *resumption) writeAnswers(p page) {
	head := "\n## Answers"
	say := func() {
		if head != "" {
			p.line("%s", head)
			head = ""
		}
	}
	for _, a := range v.Answers {
		if v.Next == nil || v.Next.Task == nil || v.Next.Task.ID != a.Task {
			say()
			p.line("\n%s\n\n%s", cleanLine(joined(", ", fmt.Sprintf("Task %d", a.Task), a.By, a.Date)+":"), quoted(a.Text))
		}
	}
	for _, q := range v.Asked {
		for _, a := range q.Answers {
			say()
			p.line("\n%s\n\n%s", cleanLine("QUESTIONS.md, "+joined(", ", q.Title, a.Label)+":"), quoted(a.Text))
		}
	}
}

// writeSeam prints what was written last: log, PROGRESS.md, git.
func (v *resumption) writeSeam(p page) {
	if v.Log != "" && v.Position != nil {
		p.line("\n## Log of task %d\n\n%s", v.Position.ID, quoted(v.Log))
	}
	if v.Entry != "" {
		p.line("\n## Last entry of PROGRESS.md\n\n%s", quoted(v.Entry))
	}
	g := v.Git
	if g == nil {
		return
	}
	p.line("\n## Git\n")
	for _, c := range g.Naming {
		if c.Begun {
			item(p, fmt.Sprintf("Commits name task %d, which is begun: %s. See what they hold before doing it again", c.Task, commitNames(c.Commits)))
		}
	}
	for _, c := range g.Commits {
		item(p, c.ID+" "+c.Subject)
	}
	if len(g.Commits) == 0 {
		item(p, "No commits")
	}
	switch {
	case len(g.Dirty) == 0 && !g.DirtyCut:
		item(p, "Everything is committed")
	default:
		item(p, "Not committed: "+filesWords(g.Dirty, g.DirtyCut))
	}
}

func commitNames(all []resumeCommit) string {
	var names []string
	for _, c := range all {
		names = append(names, c.ID)
	}
	return enumerate(names)
}

// filesWords lists the first of many files.
func filesWords(files []string, cut bool) string {
	text := enumerate(files)
	if cut && !strings.HasSuffix(text, ", ...") {
		text += ", ..."
	}
	return text
}

// tasksWords is like "task 3", "tasks 3, 4" or "tasks 1-15, 17".
func tasksWords(ids []int) string {
	if len(ids) == 1 {
		return fmt.Sprintf("task %d", ids[0])
	}
	var parts []string
	for i := 0; i < len(ids); {
		last := i
		for last+1 < len(ids) && ids[last+1] == ids[last]+1 {
			last++
		}
		if last-i < 2 { // two in a row are no range
			last = i
			parts = append(parts, fmt.Sprint(ids[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", ids[i], ids[last]))
		}
		i = last + 1
	}
	return "tasks " + strings.Join(parts, ", ")
}

// sentence begins a text with a capital letter, unless it begins with the name of a file.
func sentence(text string) string {
	if word, _, _ := strings.Cut(text, " "); text == "" || strings.Contains(word, ".") {
		return text
	}
	return capital(text)
}

// maxQuoted bounds how much of a text the brief quotes, in bytes: the rest is in the file.
const maxQuoted = 8000

// quoted is a text as a block quote.
func quoted(text string) string {
	text = strings.TrimSpace(cleanBlock(text))
	rest := ""
	if len(text) > maxQuoted {
		at := strings.LastIndexByte(text[:maxQuoted], '\n')
		if at < 0 {
			at = strings.LastIndexByte(text[:maxQuoted], ' ')
		}
		if at < 0 {
			at = len(strings.ToValidUTF8(text[:maxQuoted], ""))
		}
		text, rest = text[:at], "\n\n(It goes on in the file.)"
	}
	return "> " + strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n> "), "> \n", ">\n") + rest
}

// indented belongs to the list item above it.
func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// heldWords names who holds the lock.
func heldWords(h disk.Holding) string {
	var names []string
	for _, holder := range h.Holders {
		names = append(names, ownerWords(holder))
	}
	if len(names) == 0 {
		return "somebody unknown is writing; dwp lock show says more"
	}
	return "held by " + strings.Join(names, "; ")
}
