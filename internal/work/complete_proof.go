package work

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// criteria: every acceptance criterion is ticked, or named by the call (WP-2).
func (w *closing) criteria() {
	var boxes []planmd.Box
	section := w.section(planmd.Acceptance)
	if section != nil {
		boxes = section.Boxes
	}
	for _, n := range w.Criteria {
		if n < 1 || n > len(boxes) {
			w.add("guard/criterion", w.t.File, nil, noPlace, "there is no criterion %d; the task has %d", n, len(boxes))
		}
	}
	for i, b := range boxes {
		if !b.Checked() && !w.named(i) {
			at := planmd.Span{Start: b.Span.Start, End: b.Span.End}
			w.add("record/open-criteria", w.t.File, w.t.Doc, at, "criterion %d is open: %s", i+1, firstLine(w.t.Doc, b))
			w.hint("name it with --check-criteria when it was shown to hold; otherwise an amendment revises it")
		}
	}
}

func (w *closing) named(i int) bool { return w.AllCriteria || slices.Contains(w.Criteria, i+1) }

// section is a section of the task's record, or nil.
func (w *closing) section(kind planmd.SectionKind) *planmd.Section {
	if w.t.Record == nil {
		return nil
	}
	return w.t.Record.Section(kind)
}

// firstLine is what stands behind a box on its line.
func firstLine(doc *planmd.Doc, b planmd.Box) string {
	line, _, _ := strings.Cut(string(doc.Src[b.Span.End:min(len(doc.Src), b.Span.End+200)]), "\n")
	return revise.OneLine(strings.ToValidUTF8(line, "")) // the last letter may be cut
}

// tickBoxes ticks the boxes that the call names, and no other.
func (w *closing) tickBoxes() {
	e := w.d.Record(w.t)
	if s := w.section(planmd.Acceptance); s != nil {
		for i, b := range s.Boxes {
			if w.named(i) {
				e.Tick(b, true)
			}
		}
	}
	if s := w.section(planmd.Checklist); s != nil && w.Checklist {
		for _, b := range s.Boxes {
			e.Tick(b, true)
		}
	}
}

// standing are the records that carry the completion: the latest of each command, passing, not history (PS-13, C87).
func (w *closing) standing() []*state.Gate {
	if w.t.Entry == nil {
		return nil
	}
	var list []*state.Gate
	seen := map[string]bool{}
	// From the end: the latest of a command counts, pass or not (C87).
	for i := range slices.Backward(w.t.Entry.Gates) {
		g := &w.t.Entry.Gates[i]
		if command := evidence.Command(g.Command); !seen[command] {
			seen[command] = true
			if g.Passes && !evidence.Invalidated(g.Evidence) {
				list = append(list, g)
			}
		}
	}
	slices.Reverse(list)
	return list
}

// proofs are the evidence lines of log and PROGRESS.md. A record of any tool may hold what a terminal would obey: state.json
// keeps it escaped, a document gets none of it (C157).
func (w *closing) proofs() []string {
	var list []string
	for _, g := range w.standing() {
		list = append(list, printable(revise.OneLine(quoteCode(g.Command)+": "+g.Evidence)))
	}
	return list
}

// quoteCode puts a command into a code span that it can't close.
func quoteCode(command string) string {
	command = revise.OneLine(command)
	fence := "`"
	for strings.Contains(command, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		command = " " + command + " "
	}
	return fence + command + fence
}

// decisions sums the dispositions up for PROGRESS.md.
func (w *closing) decisions() string {
	text := "skills " + or(w.Skills, valueOf(w.t.Record.Log.Skills))
	if docs := or(w.Docs, valueOf(w.t.Record.Log.Documentation)); docs != "" {
		text += "; documentation " + docs
	}
	return text
}

// gates: each command of Validation has a record that passes, or an amendment says what replaces it (WP-2, PS-13). A failing one closes
// nothing, wherever the failure comes from (WP-4).
func (w *closing) gates() {
	section := w.section(planmd.Validation)
	if section == nil {
		return
	}
	// Known are the commands that an amendment may name: those with a record, and the one that has none.
	var passing, known []string
	for _, g := range w.standing() {
		passing, known = append(passing, g.Command), append(known, g.Command)
	}
	for _, code := range section.Code {
		for _, command := range Commands(code) {
			if !recorded(command, code, passing) && !w.replaced(command, passing, append(known, command)) {
				w.add("guard/gate-unrecorded", w.t.File, w.t.Doc, section.Head, "no passing record of %s", quoteCode(command))
			}
		}
	}
}

// recorded reports whether a record is of a command: as it is written, as a part of a longer one, or with the whole block. How words are
// quoted doesn't matter: gate run records 'a b' where the plan says "a b".
func recorded(command, block string, passing []string) bool {
	return slices.ContainsFunc(passing, func(p string) bool {
		return hasWords(unquoted(p), unquoted(command)) || evidence.Command(p) == evidence.Command(block)
	})
}

// hasWords reports whether a command line has another in it, from one end of a word to another: "cmake test-all" has no "make test", and
// a run of one package is none of all that lie below it.
func hasWords(line, part string) bool {
	const between = " \t;&|()<>"
	ends := func(rest string, at int) bool { return rest == "" || strings.IndexByte(between, rest[at]) >= 0 }
	for from := 0; part != ""; {
		i := strings.Index(line[from:], part)
		if i < 0 {
			break
		}
		i += from
		before, after := line[:i], line[i+len(part):]
		if ends(before, len(before)-1) && ends(after, 0) {
			return true
		}
		from = i + 1
	}
	return false
}

// unquoted is a command without its quotes, on one line.
func unquoted(command string) string {
	return revise.OneLine(strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(command))
}

func (w *closing) replaced(command string, passing, known []string) bool {
	for i := range w.t.Record.Log.Amendments {
		if verify.Replaces(&w.t.Record.Log.Amendments[i], command, passing, known) {
			return true
		}
	}
	return false
}

// Commands are the commands of a code block of Validation, one a line: comments, prompts and continued lines are understood; a block
// that is a script, with loops or here-documents, is one command, and what is no command is none. They are data: nothing runs them.
func Commands(block string) []string {
	block = strings.ReplaceAll(strings.ReplaceAll(block, "\r\n", "\n"), "\\\n", " ")
	var list []string
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "$ "))
		word, _, _ := strings.Cut(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		// Taken apart, a loop or a here-document would ask for records of its lines.
		case strings.Contains(line, "<<") || slices.Contains(scriptWords, word):
			return []string{strings.TrimSpace(block)}
		// A variable was not filled in, or the line is data: JSON, a label, a quotation.
		case strings.Contains(line, "{{") || strings.Trim(word, programBytes) != "":
		default:
			line, _, _ = strings.Cut(line, " # ")
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

// scriptWords begin a line of a script that means nothing by itself.
var scriptWords = []string{"if", "for", "while", "until", "case", "function", "set", "trap"}

// programBytes are what a program's name, or an assignment before it, is made of.
const programBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./+@~=$%"

// told reports whether PROGRESS.md has an entry about the task, one that came after it was reopened for the last time.
func (w *closing) told() bool { return tellings(w.s.Progress)[w.t.ID] }

// has reports whether PROGRESS.md has this very entry.
func (w *closing) has(title string, bullets []string) bool {
	return w.s.Progress != nil && strings.Contains(strings.ReplaceAll(string(w.s.Progress.Src), "\r\n", "\n"),
		w.d.Date()+" "+title+"\n\n"+revise.Bullets(bullets...))
}

// faithful reads the documents as they will stand: they say what was given, and nothing else came about.
func (w *closing) faithful(r *publish.Revision, bullets int) error {
	for _, c := range r.Changes {
		switch {
		case c.Path == w.t.File:
			if why := w.misread(readBack(w.t, c.Data)); why != "" {
				return refuse("guard/faithful", "the record of task %d would not read back as it was given: %s", w.t.ID, why)
			}
		case c.Path == revise.ProgressFile && bullets > 0:
			entries := planmd.ReadProgress(c.Data).Entries
			had := 0
			if w.s.Progress != nil {
				had = len(w.s.Progress.Entries)
			}
			if n := len(entries); n != had+1 || entries[n-1].Task != w.t.ID || entries[n-1].Bullets != bullets {
				return refuse("guard/faithful", "the entry of PROGRESS.md would not read back as it was given")
			}
		}
	}
	return nil
}

// misread compares a record with what it was meant to say.
func (w *closing) misread(back *planmd.Record) string {
	switch {
	case back == nil || len(back.Sections) != len(w.t.Record.Sections):
		return "its sections"
	case back.Log.State != planmd.LogCompleted:
		return "its status"
	case w.Skills != "" && !says(back.Log.Skills, w.Skills):
		return "its skills disposition"
	case w.Docs != "" && !says(back.Log.Documentation, w.Docs):
		return "its documentation decision"
	case len(back.Log.Amendments) != len(w.t.Record.Log.Amendments):
		return "its amendments"
	case len(back.Log.Placeholders) > 0:
		return "a line of its log"
	}
	for _, b := range criteriaOf(back) {
		if !b.Checked() {
			return "its criteria"
		}
	}
	if got, want := len(criteriaOf(back)), len(criteriaOf(w.t.Record)); got != want {
		return fmt.Sprintf("its criteria: %d, not %d", got, want)
	}
	return ""
}

func criteriaOf(r *planmd.Record) []planmd.Box {
	if s := r.Section(planmd.Acceptance); s != nil {
		return s.Boxes
	}
	return nil
}

func says(f *planmd.Field, want string) bool {
	return f != nil && revise.OneLine(f.Value) == revise.OneLine(want)
}
