package author

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
)

// readme edits README.md: numbers where they stand, the pieces of tasks that move, come or go, rows of groups that nobody is left
// in, and the count.
func (l *layout) readme() error {
	r := l.desk.S.README
	names := planmd.NamesInREADME(r.Src)
	rows := l.emptyRows(names)
	patches := l.patches(readmeFile, &r.Doc, l.lasting(names), l.recordAt(names))
	e := l.desk.Readme()
	carried := l.carried(names.Lines)
	if l.lite {
		carried = append(carried, l.carried(names.Records)...)
	}
	for _, row := range rows {
		e.DeleteLines(row)
	}
	inside := append(slices.Clone(rows), carried...)
	slices.SortFunc(inside, func(a, b planmd.Span) int { return a.Start - b.Start })
	for _, p := range patches {
		i := sort.Search(len(inside), func(i int) bool { return inside[i].End > p.at.Start })
		if i == len(inside) || p.at.Start < inside[i].Start {
			e.Replace(p.at, p.text)
		}
	}
	lines := placing{l, e, &r.Doc, names.Lines, patches, "\n", l.indexLine(names)}
	if err := lines.place(); err != nil {
		return err
	}
	if l.lite {
		records := placing{l, e, &r.Doc, names.Records, patches, "\n\n", l.inlineRecord(names)}
		if err := records.place(); err != nil {
			return err
		}
	}
	total := len(l.desk.View.Tasks)
	for _, c := range r.Claims {
		if c.Total == total { // a count that was wrong before is not ours to mend
			e.Count(c, c.Done, len(l.order))
		}
	}
	return nil
}

// recordAt tells whose inline record an offset stands in.
func (l *layout) recordAt(names *planmd.Naming) func(at int) *plan.TaskView {
	return func(at int) *plan.TaskView {
		i := sort.Search(len(names.Records), func(i int) bool { return names.Records[i].Span.End > at })
		if i == len(names.Records) || at < names.Records[i].Span.Start {
			return nil
		}
		return l.desk.Task(names.Records[i].Task)
	}
}

// lasting are the references that are to be looked at: what stands in the piece of a task that goes is gone, and what the selection of the
// format says is of the day of creation.
func (l *layout) lasting(names *planmd.Naming) []planmd.Reference {
	var out []planmd.Span
	for _, p := range slices.Concat(names.Lines, names.Records) {
		if l.to[p.Task] == 0 {
			out = append(out, p.Span)
		}
	}
	selection := l.desk.S.README.Section(planmd.Selection)
	slices.SortFunc(out, func(a, b planmd.Span) int { return a.Start - b.Start })
	return slices.DeleteFunc(slices.Clone(names.Refs), func(r planmd.Reference) bool {
		i := sort.Search(len(out), func(i int) bool { return out[i].End > r.At.Start })
		return i < len(out) && out[i].Start <= r.At.Start ||
			r.Kind == planmd.RefProse && selection != nil && selection.Body.Start <= r.At.Start && r.At.Start < selection.Body.End
	})
}

// emptyRows are the rows of the groups table that have no task any more.
func (l *layout) emptyRows(names *planmd.Naming) []planmd.Span {
	left := map[int]int{}
	for _, r := range names.Refs {
		if r.Kind == planmd.RefGroup {
			for _, id := range r.Tasks {
				left[r.List] += len(l.rowOf(id))
			}
		}
	}
	var rows []planmd.Span
	for _, list := range sortedKeys(left) {
		if left[list] == 0 {
			rows = append(rows, names.Groups[list])
		}
	}
	return rows
}

// carried are the spans of pieces that don't stay where they are.
func (l *layout) carried(pieces []planmd.Piece) []planmd.Span {
	var out []planmd.Span
	for _, p := range pieces {
		if !l.stays(p.Task) {
			out = append(out, p.Span)
		}
	}
	return out
}

// stays reports whether the pieces of a task stay where they are.
func (l *layout) stays(id int) bool { return l.to[id] > 0 && l.order[l.to[id]-1].staying() }

// placing puts pieces of the README in their new order.
type placing struct {
	*layout
	edit    *planmd.Edit
	doc     *planmd.Doc
	pieces  []planmd.Piece // in the order of the file
	patches []patch
	gap     string // between two pieces, where the document shows no other
	fresh   func(n int, t *Task) string
}

// place takes out what goes or moves, and puts in what comes.
func (p *placing) place() error {
	at := map[int]int{}
	for i, piece := range p.pieces {
		if i > 0 && p.pieces[i-1].Span.End > piece.Span.Start {
			return refuse("guard/disordered", "task %d stands within task %d in %s", piece.Task, p.pieces[i-1].Task, readmeFile)
		}
		if _, twice := at[piece.Task]; !twice {
			at[piece.Task] = i
		}
	}
	p.takeOut()
	for i, s := range p.order {
		if s.staying() {
			continue
		}
		text := ""
		if s.task != nil {
			text = p.fresh(i+1, s.task)
		} else if k, ok := at[s.old]; ok {
			text = p.text(p.pieces[k].Span)
		} else {
			return fmt.Errorf("task %d has no place in %s", s.old, readmeFile)
		}
		if err := p.putIn(i, text, at); err != nil {
			return err
		}
	}
	return nil
}

// putIn inserts a piece beside its neighbour that stays.
func (p *placing) putIn(slot int, text string, at map[int]int) error {
	neighbour := func(step int) (int, bool) {
		for i := slot + step; i >= 0 && i < len(p.order); i += step {
			if p.order[i].staying() {
				k, ok := at[p.order[i].old]
				return k, ok
			}
		}
		return 0, false
	}
	k, ok := neighbour(-1)
	if !ok || p.order[slot].before {
		if next, found := neighbour(1); found {
			p.edit.Insert(p.pieces[next].Span.Start, text+p.between(next-1, next))
			return nil
		}
	}
	if !ok {
		return fmt.Errorf("no task that stays is beside number %d", slot+1)
	}
	p.edit.Insert(p.pieces[k].Span.End, p.between(k, k-1)+text)
	return nil
}

// between is what separates pieces at a place: what stands behind one of two pieces, the first that has only space there.
func (p *placing) between(k, other int) string {
	return orElse(p.blank(k), orElse(p.blank(other), p.gap))
}

// orElse is a text as it is, or another one for none.
func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// blank is the white space between a piece and the next one; "" when anything else stands there.
func (p *placing) blank(k int) string {
	if k < 0 || k+1 >= len(p.pieces) || p.pieces[k].Span.End > p.pieces[k+1].Span.Start {
		return ""
	}
	gap := p.doc.Text(planmd.Span{Start: p.pieces[k].Span.End, End: p.pieces[k+1].Span.Start})
	if strings.TrimSpace(gap) != "" {
		return ""
	}
	return gap
}

// takeOut deletes the pieces that don't stay, with the space on one side of them.
func (p *placing) takeOut() {
	for i := 0; i < len(p.pieces); i++ {
		if p.stays(p.pieces[i].Task) {
			continue
		}
		first := i
		for i+1 < len(p.pieces) && p.blank(i) != "" && !p.stays(p.pieces[i+1].Task) {
			i++
		}
		out := planmd.Span{Start: p.pieces[first].Span.Start, End: p.pieces[i].Span.End}
		switch {
		case p.blank(first-1) != "":
			out.Start = p.pieces[first-1].Span.End
		case p.blank(i) != "":
			out.End = p.pieces[i+1].Span.Start
		default:
			rest := p.doc.Text(planmd.Span{Start: out.End, End: len(p.doc.Src)})
			out.End += strings.IndexByte(rest+"\n", '\n')
			out.End = min(out.End+1, len(p.doc.Src))
		}
		p.edit.Delete(out)
	}
}

// text is a span of the document with its new numbers.
func (p *placing) text(s planmd.Span) string {
	var b strings.Builder
	at := s.Start
	i := sort.Search(len(p.patches), func(i int) bool { return p.patches[i].at.Start >= s.Start })
	for ; i < len(p.patches) && p.patches[i].at.End <= s.End; i++ {
		b.WriteString(p.doc.Text(planmd.Span{Start: at, End: p.patches[i].at.Start}) + p.patches[i].text)
		at = p.patches[i].at.End
	}
	return b.String() + p.doc.Text(planmd.Span{Start: at, End: s.End})
}

// indexLine writes the index line of a new task in the form of the lines that are there: indent, bullet, word for Task, emphasis.
func (l *layout) indexLine(names *planmd.Naming) func(n int, t *Task) string {
	head, word, bold, colon := "- ", "Task", "", ":"
	numbered := false
	for i := range l.desk.S.README.Index {
		line := &l.desk.S.README.Index[i]
		if line.Box == nil || line.ID == 0 {
			continue
		}
		src := l.desk.S.README.Text(line.Span)
		box := line.Box.Span.Start - line.Span.Start
		if box < 0 || box > len(src) {
			continue
		}
		head = src[:box]
		marker := strings.TrimLeft(head, " \t")
		numbered = marker != "" && marker[0] >= '0' && marker[0] <= '9'
		word, bold, colon = nameForm(src[line.Box.Span.End-line.Span.Start:])
	}
	return func(n int, t *Task) string {
		title, lead := escape(oneLine(t.Title)), head
		if !l.lite {
			title = "[" + title + "](" + taskFile(n, t.Title) + ")"
		}
		if numbered {
			marker := strings.TrimLeft(head, " \t")
			lead = head[:len(head)-len(marker)] + fmt.Sprint(n) + strings.TrimLeft(marker, "0123456789")
		}
		return fmt.Sprintf("%s[ ] %s%s %d%s%s %s", lead, bold, word, n, colon, bold, title)
	}
}

// nameForm reads how a line names its task behind the box: " **Tarea 3:** title".
func nameForm(text string) (word, bold, colon string) {
	word, colon = "Task", ":"
	text = strings.TrimLeft(text, " \t[")
	if rest, ok := strings.CutPrefix(text, "**"); ok {
		text = rest
		bold = "**"
	}
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	if end <= 0 {
		return word, "", colon
	}
	rest := strings.TrimLeft(text[end:], " \u00a0")
	if rest == "" || rest[0] < '0' || rest[0] > '9' {
		return word, "", colon
	}
	word, rest = text[:end], strings.TrimLeft(rest, "0123456789")
	if bold != "" && !strings.HasPrefix(rest, ":**") {
		bold = "" // the emphasis goes on over the title
	}
	if strings.HasPrefix(rest, "\uff1a") {
		colon = "\uff1a"
	}
	return word, bold, colon
}

// inlineRecord renders the record of a new task in a Lite plan, on the level of those that are there.
func (l *layout) inlineRecord(names *planmd.Naming) func(n int, t *Task) string {
	level := 2
	for _, p := range names.Records {
		text := l.desk.S.README.Text(p.Span)
		if depth := len(text) - len(strings.TrimLeft(text, "#")); depth > 0 {
			level = depth
		}
	}
	l.sections = level + 1
	return func(n int, t *Task) string {
		text := strings.TrimRight(record(t, n, nil, lite), "\n")
		if level <= 2 {
			return text
		}
		lines := strings.Split(text, "\n")
		eachHeading(text, func(i, _ int) { lines[i] = strings.Repeat("#", level-2) + lines[i] })
		return strings.Join(lines, "\n")
	}
}
