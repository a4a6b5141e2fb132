package planmd

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reference is a place where a document names a task by its number.
type Reference struct {
	Kind RefKind
	// Tasks is the task that is named; a range "1-3" of a list names several.
	Tasks []int
	// At are the digits, those of a whole range included; of a RefFile the digits that begin the file name.
	At Span
	// Path is what a RefFile or RefAnchor leads to, as written: "3.task_x.md", "../README.md"; "" for an anchor of the document.
	Path string
	// List numbers the lists of a document: the references of one "Depends on:" line have the same. 0 outside lists.
	List int
}

// RefKind says how sure it is that a number means a task of this plan (LF-10).
type RefKind string

// The kinds of reference. All but RefProse and RefCode are structure: they mean a task of this plan, or lead to where Path says.
const (
	RefHeading RefKind = "heading" // the number in the heading of a record
	RefAnchor  RefKind = "anchor"  // {#task-3}, and links to #task-3
	RefIndex   RefKind = "index"   // the number in an index line, and that of its ordered list
	RefFile    RefKind = "file"    // the name of a task file: a link, or in code
	RefDepends RefKind = "depends" // a "Depends on:" line of a record
	RefGroup   RefKind = "group"   // the Tasks cell of the parallel groups table
	RefReading RefKind = "reading" // "Task 3" in Read Before Starting
	RefProse   RefKind = "prose"   // "Task 3" anywhere else
	RefCode    RefKind = "code"    // an anchor or file name in a code block
)

// Piece is a part of a README that belongs to one task: an index line with what stands below it, or an inline record.
type Piece struct {
	Task int
	// Span goes from the start of its first line to the end of its last line with words, without the line end.
	Span Span
}

// Naming is where a document names tasks, in the order of the file.
type Naming struct {
	Refs []Reference
	// Lines and Records are the pieces of a README.
	Lines, Records []Piece
	// Groups are the rows of the parallel groups table, by the List of their references.
	Groups map[int]Span
}

// NamesInREADME reads where a README names tasks.
func NamesInREADME(src []byte) *Naming {
	p := scan(src)
	n := newNaming(p)
	parts := p.parts()
	for _, q := range parts {
		if q.head < 0 {
			n.groups(q.from, q.to)
			continue
		}
		n.heading(q.head)
		n.record(q.from, q.to, p.endOffset(q))
		if q.anchored {
			if id, ok := q.record.AnchorTask(); ok {
				n.Records = append(n.Records, Piece{id, n.trimmed(Span{q.record.Head.Start, p.endOffset(q)})})
			}
		}
	}
	r := &README{}
	p.readIndex(r, parts)
	for _, line := range append(slices.Clone(r.Index), r.Bullets...) {
		n.line(line)
	}
	slices.SortStableFunc(n.Lines, func(a, b Piece) int { return a.Span.Start - b.Span.Start })
	return n.done()
}

// NamesInTask reads where a task file names tasks.
func NamesInTask(src []byte) *Naming {
	p := scan(src)
	n := newNaming(p)
	from := 0
	if i := p.titleBlock(); i >= 0 && p.firstHeading() == i {
		n.heading(i)
		from = i + 1
	}
	n.record(from, len(p.blocks), len(src))
	return n.done()
}

// NamesIn reads where any other document of a plan names tasks: it has no structure of its own.
func NamesIn(src []byte) *Naming { return newNaming(scan(src)).done() }

// naming gathers references.
type naming struct {
	*page
	Naming
	taken map[int]bool // offsets of digits that are told
	lists int
	item  map[int]int // index of the item that starts a line, by the line's offset
	reads []Span      // the bodies of Read Before Starting
}

func newNaming(p *page) *naming {
	n := &naming{page: p, taken: map[int]bool{}, item: map[int]int{}}
	n.Naming.Groups = map[int]Span{}
	for i := range p.items {
		n.item[p.lineStart(p.items[i].start)] = i
	}
	return n
}

// done adds what can be anywhere, and sorts.
func (n *naming) done() *Naming {
	for i := range n.blocks {
		switch b := &n.blocks[i]; b.kind {
		case headingBlock, lineBlock, wordsBlock:
			n.targets(b.text, false)
			n.prose(b.text)
		case codeBlock:
			n.targets(b.text, true)
		}
	}
	// The targets of link reference definitions are no block.
	for i := 0; n.refs != nil && i+1 < len(n.lines); i++ {
		if s := n.lineOf(i); s.End > s.Start && n.Src[s.Start] == '[' && bytes.Contains(n.Src[s.Start:s.End], []byte("]:")) {
			n.targets(s, false)
		}
	}
	slices.SortFunc(n.Refs, func(a, b Reference) int { return a.At.Start - b.At.Start })
	return &n.Naming
}

// lineOf is a line by its number, from 0.
func (n *naming) lineOf(i int) Span { return Span{n.lines[i], n.lines[i+1]} }

// add notes a reference, once per place.
func (n *naming) add(r Reference) {
	if !n.taken[r.At.Start] {
		n.taken[r.At.Start] = true
		n.Refs = append(n.Refs, r)
	}
}

// trimmed drops the white space at the end of a span.
func (n *naming) trimmed(s Span) Span {
	for s.End > s.Start && isBlankByte(n.Src[s.End-1]) {
		s.End--
	}
	return s
}

// named notes the number of a name that begins a text.
func (n *naming) named(kind RefKind, s Span) {
	i := s.Start + skipMarkup(n.mask[s.Start:s.End])
	name, ok := scanName(string(n.mask[i:s.End]))
	if !ok {
		return
	}
	for i < s.End && (n.mask[i] < '0' || n.mask[i] > '9') {
		i++
	}
	n.add(Reference{Kind: kind, Tasks: []int{name.id}, At: Span{i, i + digitsAt(n.mask[i:s.End])}})
}

func digitsAt(b []byte) int {
	i := 0
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

// heading notes the number of a record's heading.
func (n *naming) heading(block int) {
	if n.headingOf(block).task.id > 0 {
		n.named(RefHeading, n.blocks[block].text)
	}
}

// line notes what an index line says, and how far it reaches with all that stands below it.
func (n *naming) line(line IndexLine) {
	i, ok := n.item[n.lineStart(line.Span.Start)]
	if !ok {
		return
	}
	it := &n.items[i]
	if s, ok := n.taskName(it.text); ok && s.id == line.ID {
		n.named(RefIndex, it.text)
	}
	if it.number == line.ID && it.number > 0 {
		n.add(Reference{Kind: RefIndex, Tasks: []int{line.ID}, At: Span{it.start, it.start + digitsAt(n.Src[it.start:])}})
	}
	end := line.Span.End
	for b := n.blockAt(line.Span.Start); b < len(n.blocks) && n.within(n.blocks[b].item, i); b++ {
		end = max(end, n.blocks[b].span.End)
	}
	n.Lines = append(n.Lines, Piece{line.ID, n.trimmed(Span{n.lineStart(line.Span.Start), end})})
}

// within reports whether an item is another one, or stands below it.
func (n *naming) within(item, outer int) bool {
	for item > outer {
		item = n.items[item].parent
	}
	return item == outer
}

// record notes the lists of a record, and where it says what to read.
func (n *naming) record(from, to, end int) {
	for i := from; i < to; i++ {
		if f, ok := n.field(i, to); ok && f.Kind == FieldDepends {
			n.list(RefDepends, f.At, f.Value)
		}
	}
	sections := n.sections(from, to, end)
	for i := range sections {
		switch s := &sections[i]; s.Kind {
		case Dependencies:
			at := s.Body
			for line := range strings.Lines(n.Text(s.Body)) {
				marker := len(line) - len(strings.TrimLeft(line, "-*+ \t"))
				n.list(RefDepends, Span{at.Start + marker, at.Start + len(line)}, line[marker:])
				at.Start += len(line)
			}
		case Reads:
			n.reads = append(n.reads, s.Body)
		}
	}
}

// groups notes the Tasks cells of the parallel groups tables in a range.
func (n *naming) groups(from, to int) {
	var columns []column
	for i := from; i < to; i++ {
		b := &n.blocks[i]
		switch b.row {
		case headRow:
			columns = n.groupColumns(b)
		case bodyRow:
			for k, cell := range n.cells(b.text) {
				if columns != nil && k < len(columns) && columns[k] == tasksColumn {
					n.list(RefGroup, cell, n.plain(cell))
					n.Naming.Groups[n.lists] = b.span
				}
			}
		}
	}
}

// list notes the numbers of a list of tasks, when what is written is what it reads as.
func (n *naming) list(kind RefKind, at Span, value string) {
	n.lists++
	refs := n.listed(onOneLine(n.Text(at)))
	var all []int
	for i := range refs {
		all = append(all, refs[i].Tasks...)
	}
	if !slices.Equal(all, (&page{}).taskNumbers(value)) {
		return
	}
	for _, r := range refs {
		r.Kind, r.List = kind, n.lists
		r.At = Span{at.Start + r.At.Start, at.Start + r.At.End}
		n.add(r)
	}
}

// onOneLine makes one line of a list that goes over several, its items separated as on one. Offsets stay.
func onOneLine(text string) string {
	out := []byte(text)
	fresh := false // at the start of a line behind the first
	for i, c := range out {
		switch {
		case c == '\n':
			out[i], fresh = ',', true
		case c == ' ', c == '\t', c == '\r':
		case fresh && (c == '-' || c == '*' || c == '+'):
			out[i], fresh = ' ', false
		default:
			fresh = false
		}
	}
	return string(out)
}

// maxTargetName bounds, in bytes, how far a path goes to either side of its number: a line of digits and dots is no work for ever.
const maxTargetName = 512

// targets notes anchors and names of task files, in links, code spans and bare.
func (n *naming) targets(s Span, code bool) {
	for i := s.Start; i < s.End; i++ {
		c := n.Src[i]
		if c < '0' || c > '9' || n.mask[i] == commentByte {
			continue
		}
		from := i
		for from > max(s.Start, i-maxTargetName) && !pathEnds(n.Src[from-1]) {
			from--
		}
		digits := digitsAt(n.Src[i:s.End])
		id, _ := scanNumber(string(n.Src[i : i+digits]))
		before := string(n.Src[from:i])
		to := i + digits
		for to < min(s.End, i+maxTargetName) && !pathEnds(n.Src[to]) && n.Src[to] != '#' {
			to++
		}
		ref := Reference{Tasks: []int{id}, At: Span{i, i + digits}}
		switch file, isFile := taskFile(string(n.Src[i:to])); {
		case id == 0:
		case strings.HasSuffix(before, "#task-") && (i+digits == s.End || pathEnds(n.Src[i+digits])):
			ref.Kind, ref.Path = RefAnchor, strings.TrimSuffix(before, "#task-")
			n.target(ref, code)
		case isFile && file == id && (before == "" || strings.HasSuffix(before, "/")):
			ref.Kind, ref.Path = RefFile, string(n.Src[from:to])
			n.target(ref, code)
		}
		i += digits - 1
	}
}

func (n *naming) target(r Reference, code bool) {
	if code {
		r.Kind = RefCode
	}
	n.add(r)
}

// pathEnds reports whether a byte ends a path or an anchor as people write them.
func pathEnds(c byte) bool {
	return isBlankByte(c) || strings.IndexByte("()[]<>{}\"'`|,;:!*", c) >= 0
}

// prose notes the numbers behind the word for Task.
func (n *naming) prose(s Span) {
	text := string(n.Src[s.Start:s.End])
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) {
			i += size
			continue
		}
		end := i
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) {
				break
			}
			end += size
		}
		from, word := i, strings.ToLower(text[i:end])
		at := end + gap(text[end:])
		i = end
		if !taskWord(word) && !taskWord(strings.TrimSuffix(word, "s")) {
			continue
		}
		for _, ref := range n.listed(text[at:]) {
			ref.At = Span{s.Start + at + ref.At.Start, s.Start + at + ref.At.End}
			if n.mask[ref.At.Start] == commentByte {
				continue
			}
			ref.Kind = RefProse
			if n.isRead(ref.At) && isCapital(text[from:]) {
				ref.Kind = RefReading
			}
			n.add(ref)
		}
	}
}

// isRead reports whether a place is one of what to read before starting.
func (n *naming) isRead(s Span) bool {
	i := sort.Search(len(n.reads), func(i int) bool { return n.reads[i].End >= s.End })
	return i < len(n.reads) && n.reads[i].Start <= s.Start
}

// isCapital reports whether a word begins as names do: "Task 3" names a task, "task 12 of the budget" may not.
func isCapital(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) || !unicode.IsLower(r)
}
