package author

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

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
	if _, inside, ok := strings.Cut("/"+to, "/"+l.d.S.Name+"/"); ok {
		return inside
	}
	return to
}

// list is what replaces the numbers of one list. Each number is replaced where it stands; when a range stops being one, or a task
// goes, or has several heirs, the numbers are written anew from the first to the last.
func (l *layout) list(doc *planmd.Doc, refs []planmd.Reference) []patch {
	var all []int
	anew, changed := false, false
	for _, r := range refs {
		for _, id := range r.Tasks {
			heirs := l.heirsOf(id)
			changed = changed || len(heirs) != 1 || heirs[0] != id
			anew = anew || len(heirs) != 1 || len(r.Tasks) > 1
			all = append(all, heirs...)
		}
	}
	if !changed {
		return nil
	}
	if !anew {
		var out []patch
		for _, r := range refs {
			out = append(out, patch{r.At, fmt.Sprint(l.heirsOf(r.Tasks[0])[0])})
		}
		return out
	}
	whole := planmd.Span{Start: refs[0].At.Start, End: refs[len(refs)-1].At.End}
	dash := ""
	for _, r := range refs {
		if len(r.Tasks) > 1 && dash == "" {
			dash = strings.Trim(doc.Text(r.At), "0123456789")
		}
	}
	return []patch{{whole, or(listText(all, dash), "none")}}
}

// heirsOf are the tasks, by new number, that stand where a list names one. A number that is no task's stays.
func (l *layout) heirsOf(id int) []int {
	if heirs, ok := l.heirs[id]; ok {
		return heirs
	}
	if to := l.to[id]; to > 0 {
		return []int{to}
	}
	if l.d.Task(id) != nil {
		return nil
	}
	return []int{id}
}

// listText writes numbers, each once, in the order given; with a dash, in ranges where they follow each other.
func listText(ids []int, dash string) string {
	var seen []int
	for _, id := range ids {
		if !slices.Contains(seen, id) {
			seen = append(seen, id)
		}
	}
	if dash == "" {
		return numberList(seen)
	}
	var parts []string
	for i := 0; i < len(seen); {
		n := i
		for i++; i < len(seen) && seen[i] == seen[i-1]+1; i++ {
		}
		if i-n > 1 {
			parts = append(parts, fmt.Sprint(seen[n])+dash+fmt.Sprint(seen[i-1]))
		} else {
			parts = append(parts, fmt.Sprint(seen[n]))
		}
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
		if l.d.Task(id) == nil || l.to[id] == id {
			continue
		}
		line, _ := doc.Position(r.At.Start)
		if n := len(l.left); n > 0 && l.left[n-1].File == file && l.left[n-1].Line == line && l.left[n-1].Task == id {
			return
		}
		text, _, _ := strings.Cut(doc.Text(planmd.Span{Start: lineStart(doc, r.At.Start), End: len(doc.Src)}), "\n")
		l.left = append(l.left, Mention{file, line, id, oneLine(text)})
		return
	}
}

// lineStart is the offset at which the line of an offset begins.
func lineStart(doc *planmd.Doc, at int) int { return bytes.LastIndexByte(doc.Src[:at], '\n') + 1 }

// worked reports whether a task has history: such a task keeps its number (LF-10).
func (l *layout) worked(t *plan.TaskView) bool { return history(l.d.S, t) != "" }
