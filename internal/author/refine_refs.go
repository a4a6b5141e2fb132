package author

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
)

// patch is another text for some bytes of a document.
type patch struct {
	at   planmd.Span
	text string
}

// patches are what the new numbers make of the references of a document, in the order of the file. owner tells whose record an
// offset stands in; nil where there are no records. What is left to a person is noted.
func (l *layout) patches(file string, doc *planmd.Doc, refs []planmd.Reference, owner func(at int) *plan.TaskView) []patch {
	var out []patch
	for i := 0; i < len(refs); {
		r := refs[i]
		var t *plan.TaskView
		if owner != nil {
			t = owner(r.At.Start)
		}
		if r.List > 0 {
			n := i
			for i < len(refs) && refs[i].List == r.List {
				i++
			}
			out = append(out, l.list(doc, refs[n:i])...)
			continue
		}
		i++
		if text, ok := l.number(&r, doc, t); ok {
			out = append(out, patch{r.At, text})
		} else {
			l.leave(file, doc, &r, t)
		}
	}
	return out
}

// number is what replaces the number of one reference; false leaves it.
func (l *layout) number(r *planmd.Reference, doc *planmd.Doc, t *plan.TaskView) (string, bool) {
	to := l.to[r.Tasks[0]]
	if to == 0 || len(r.Tasks) > 1 || amended(t, r.At) {
		return "", false
	}
	switch r.Kind {
	case planmd.RefHeading, planmd.RefIndex:
	case planmd.RefAnchor:
		if !l.ownReadme(r.Path) {
			return "", false
		}
	case planmd.RefFile:
		if !l.ownFile(r.Path) {
			return "", false
		}
	case planmd.RefReading:
		if t != nil && l.worked(t) {
			return "", false // it was read; that is history
		}
	default:
		return "", false
	}
	return padded(to, doc.Text(r.At)), true
}

// amended reports whether a place stands in an amendment, which nobody edits (AM-1).
func amended(t *plan.TaskView, at planmd.Span) bool {
	return t != nil && t.Record != nil && slices.ContainsFunc(t.Record.Log.Amendments, func(a planmd.Amendment) bool {
		return a.Span.Start <= at.Start && at.End <= a.Span.End
	})
}

// ownReadme reports whether an anchor is one of this plan: of the document itself, or of its README.
func (l *layout) ownReadme(to string) bool {
	return to == "" || l.inPlan(to) == readmeFile
}

// ownFile reports whether a path leads to a task file of this plan.
func (l *layout) ownFile(to string) bool { return l.files[l.inPlan(to)] }

// inPlan is a path as the plan's folder has it: paths that name the folder lead there from anywhere.
func (l *layout) inPlan(to string) string {
	to = path.Clean(to)
	if _, inside, ok := strings.Cut("/"+to, "/"+l.desk.S.Name+"/"); ok {
		return inside
	}
	return to
}

// list is what replaces the numbers of one list, each where it stands: a range that is none any more becomes several numbers, and
// numbers that follow a range are put into it. One without heirs goes, with what separates it from the one before.
func (l *layout) list(doc *planmd.Doc, refs []planmd.Reference) []patch {
	var items []listItem
	changed, left := false, 0
	for _, r := range refs {
		item := listItem{at: r.At}
		if len(r.Tasks) > 1 {
			item.dash = strings.Trim(doc.Text(r.At), "0123456789")
		}
		for _, id := range r.Tasks {
			heirs := l.heirsOf(id)
			if r.Kind == planmd.RefGroup {
				heirs = l.rowOf(id)
			}
			changed = changed || len(heirs) != 1 || heirs[0] != id
			for _, heir := range heirs {
				if !slices.Contains(item.ids, heir) {
					item.ids = append(item.ids, heir)
				}
			}
		}
		left += len(item.ids)
		if n := len(items); n > 0 && items[n-1].joins(&item, doc) {
			items[n-1].ids = append(items[n-1].ids, item.ids...)
			items[n-1].at.End, items[n-1].dash = item.at.End, or(items[n-1].dash, item.dash)
			continue
		}
		items = append(items, item)
	}
	switch {
	case !changed:
		return nil
	case left == 0:
		return []patch{{planmd.Span{Start: listStart(doc, refs[0].At.Start), End: refs[len(refs)-1].At.End}, "none"}}
	}
	return written(items)
}

// listItem is a number or range of a list, and what it becomes.
type listItem struct {
	at   planmd.Span
	ids  []int
	dash string // of a range
}

// joins reports whether two items become one range: they follow each other, and one of them is a range already.
func (a *listItem) joins(b *listItem, doc *planmd.Doc) bool {
	return (a.dash != "" || b.dash != "") && len(a.ids) > 0 && len(b.ids) > 0 && a.ids[len(a.ids)-1]+1 == b.ids[0] &&
		doc.Text(planmd.Span{Start: a.at.End, End: b.at.Start}) == ", "
}

// written are the patches of a list of which something is left.
func written(items []listItem) []patch {
	var out []patch
	for i, item := range items {
		at := item.at
		if len(item.ids) > 0 {
			out = append(out, patch{at, listText(item.ids, item.dash)})
			continue
		}
		// What stands before the first number that stays goes with the numbers before it.
		if first := slices.IndexFunc(items, func(other listItem) bool { return len(other.ids) > 0 }); i < first {
			at.End = items[i+1].at.Start
		} else {
			at.Start = items[i-1].at.End
		}
		out = append(out, patch{at, ""})
	}
	return out
}

// listStart is where a list begins: a word for Task before its first number belongs to it.
func listStart(doc *planmd.Doc, at int) int {
	before := doc.Text(planmd.Span{Start: lineStart(doc, at), End: at})
	words := strings.TrimRightFunc(before, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || r == ' ' || r == '#' })
	rest := before[len(words):]
	return at - len(strings.TrimLeft(rest, " "))
}

// heirsOf are the tasks, by new number, that stand where a list names one. A number that is no task's stays.
func (l *layout) heirsOf(id int) []int {
	if heirs, ok := l.heirs[id]; ok {
		return heirs
	}
	if to := l.to[id]; to > 0 {
		return []int{to}
	}
	if l.desk.Task(id) != nil {
		return nil
	}
	return []int{id}
}

// rowOf are the tasks, by new number, that stand in a task's row of the groups table: itself, or the parts that it was split into. What
// others depend on instead of a task that goes, does not take its files and teammate over (AG-6).
func (l *layout) rowOf(id int) []int {
	heirs, gone := l.heirs[id]
	if !gone {
		return l.heirsOf(id)
	}
	return slices.DeleteFunc(slices.Clone(heirs), func(n int) bool { return l.order[n-1].old > 0 && l.order[n-1].old != id })
}

// listText writes numbers in the order given; with a dash, in ranges where they follow each other.
func listText(ids []int, dash string) string {
	if dash == "" {
		return numberList(ids)
	}
	var parts []string
	for i := 0; i < len(ids); {
		n := i
		for i++; i < len(ids) && ids[i] == ids[i-1]+1; i++ {
		}
		part := strconv.Itoa(ids[n])
		if i-n > 1 {
			part += dash + strconv.Itoa(ids[i-1])
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// leave notes a reference that is left as it is though a task of that number has another one now, or none. What a task with
// history says is history.
func (l *layout) leave(file string, doc *planmd.Doc, r *planmd.Reference, t *plan.TaskView) {
	if t != nil && (l.worked(t) || l.to[t.ID] == 0) {
		return
	}
	switch {
	case r.Kind == planmd.RefAnchor && !l.ownReadme(r.Path), r.Kind == planmd.RefFile && !l.ownFile(r.Path):
		return // of another plan
	case r.Kind == planmd.RefCode && !l.ownFile(r.Path) && !l.ownReadme(strings.TrimPrefix(r.Path, "#")):
		return
	}
	for _, id := range r.Tasks {
		if l.desk.Task(id) == nil || l.to[id] == id {
			continue
		}
		line, _ := doc.Position(r.At.Start)
		if n := len(l.left); n > 0 && l.left[n-1].File == l.fileName(file) && l.left[n-1].Line == line && l.left[n-1].Task == id {
			return
		}
		text, _, _ := strings.Cut(doc.Text(planmd.Span{Start: lineStart(doc, r.At.Start), End: len(doc.Src)}), "\n")
		l.left = append(l.left, Mention{l.fileName(file), line, id, oneLine(text)})
		return
	}
}

// lineStart is the offset at which the line of an offset begins.
func lineStart(doc *planmd.Doc, at int) int { return bytes.LastIndexByte(doc.Src[:at], '\n') + 1 }

// worked reports whether a task has history: such a task keeps its number (LF-10).
func (l *layout) worked(t *plan.TaskView) bool { return history(l.desk.S, t) != "" }
