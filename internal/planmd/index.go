package planmd

import "strings"

// indexReader reads the task index of a README. Which boxes count: those of the Task List section, whatever headings it
// has inside; without such a section, or with nothing in it, all that say "Task N" in the README's own parts.
type indexReader struct {
	*page
	out    *README
	owner  []int // for each list item, the index line it stands under, or -1
	inList bool  // reading a Task List section
	// numbered are ordered items without a box or another number: they count when the index has no boxes at all (C17).
	numbered []IndexLine
	seen     int // boxes and bullets met in the Task List
	// unnamed are boxes of the task list that name no task, by their place in the index: the list each stands in.
	unnamed map[int]int
	named   map[int]bool // the lists in which a task is named
}

func (p *page) readIndex(r *README, parts []part) {
	x := indexReader{page: p, out: r, owner: make([]int, len(p.items)), unnamed: map[int]int{}, named: map[int]bool{}}
	for i := range x.owner {
		x.owner[i] = noLine
	}
	x.inList = true
	for _, s := range p.taskLists() {
		x.read(s[0], s[1])
	}
	x.dropProse()
	// Numbered prose beside boxes is no index; alone it may be all the index there is.
	if len(r.Index) == 0 && len(r.Bullets) == 0 {
		r.Bullets = x.numbered
	}
	if x.seen > 0 || len(r.Bullets) > 0 {
		return
	}
	x.inList = false
	for _, q := range parts {
		if q.head < 0 {
			x.read(q.from, q.to)
		}
	}
}

// dropProse takes the boxes of a list that names no task at all out of the index, when others name some: "- [ ] output of
// Task 1 is reused" below the task list is a note (TRAPS).
func (x *indexReader) dropProse() {
	if len(x.named) == 0 || len(x.unnamed) == 0 {
		return
	}
	kept := x.out.Index[:0]
	for i, line := range x.out.Index {
		if list, ok := x.unnamed[i]; ok && !x.named[list] {
			x.out.Notes = append(x.out.Notes, line)
			continue
		}
		kept = append(kept, line)
	}
	x.out.Index = kept
}

// noLine says that a list item stands under no index line.
const noLine = -1

// taskLists returns the block ranges of the Task List sections: by heading up to the next heading of the same or a
// shallower level, records with an anchor excluded; only when no heading says so, by label.
func (p *page) taskLists() [][2]int {
	var lists [][2]int
	level, from := 0, 0
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind != headingBlock {
			continue
		}
		h := p.headingOf(i)
		if level > 0 && (b.level <= level || recordAnchor(h.anchor)) {
			lists, level = append(lists, [2]int{from, i}), 0
		}
		if level == 0 && !recordAnchor(h.anchor) && h.kind == TaskList && !h.task.word {
			level, from = b.level, i+1
		}
	}
	if level > 0 {
		lists = append(lists, [2]int{from, len(p.blocks)})
	}
	if lists == nil {
		return p.labelledLists()
	}
	return lists
}

// labelledLists returns the Task List in label form: "**Task List:**" up to the next heading.
func (p *page) labelledLists() [][2]int {
	for i := range p.blocks {
		l := p.labelOf(i)
		if l == nil || !l.bold || l.value != "" || p.sectionKind(l.text) != TaskList {
			continue
		}
		to := i + 1
		for to < len(p.blocks) && p.blocks[to].kind != headingBlock {
			to++
		}
		return [][2]int{{i + 1, to}}
	}
	return nil
}

// read reads the items of a range.
func (x *indexReader) read(from, to int) {
	for i := from; i < to; i++ {
		if b := &x.blocks[i]; b.lead {
			x.item(b.item, i, to)
		}
	}
}

// item reads one list item.
func (x *indexReader) item(index, first, to int) {
	// A sub-item belongs to the index line above it, at any depth.
	it := &x.items[index]
	parent := noLine
	if it.parent >= 0 {
		parent = x.owner[it.parent]
		x.owner[index] = parent
	}
	line, n, named := x.line(it, first, to)
	if it.box == nil {
		x.bullet(line, it, n, named, parent)
		return
	}
	if x.inList {
		x.seen++
	}
	switch {
	case named && x.counts(line, n, parent):
		line.Box = it.box
		x.owner[index] = len(x.out.Index)
		x.out.Index = append(x.out.Index, line)
		x.named[it.list] = true
	// An empty box is nobody's sub-box either: it says nothing that could be open or done.
	case x.inList && it.text.Start >= x.ownEnd(first, index, to) || it.text.Start == it.text.End:
		if x.inList {
			x.out.Empty = append(x.out.Empty, *it.box)
		}
	case parent >= 0:
		x.sub(&x.out.Index[parent], it.box)
	case x.inList && it.depth == 1 && !x.phase(index, first, to):
		// A box of the task list that names no task is kept, so that it can be named (C23).
		line.ID, line.Box = 0, it.box
		x.unnamed[len(x.out.Index)] = it.list
		x.owner[index] = len(x.out.Index)
		x.out.Index = append(x.out.Index, line)
	}
}

// sub counts a box under an index line (C19).
func (x *indexReader) sub(line *IndexLine, box *Box) {
	if box.Checked() {
		line.SubDone++
	} else {
		line.SubOpen++
	}
}

// counts decides whether a named task makes an index line here.
func (x *indexReader) counts(line IndexLine, n name, parent int) bool {
	if parent >= 0 {
		// Steps of a task are often numbered; a nested task line says so in full.
		return n.word && n.separated && line.ID != x.out.Index[parent].ID && x.out.Index[parent].ID != 0
	}
	return x.inList || n.word && n.separated
}

// bullet reads an item without a box: a task line that lacks one (C17), or the link of the task line above it.
func (x *indexReader) bullet(line IndexLine, it *item, n name, named bool, parent int) {
	if !x.inList {
		return
	}
	if parent >= 0 {
		// "  - See: [1.task_a.md](...)" below a task is where its link went (C23).
		if above := &x.out.Index[parent]; above.Link == "" && line.Link != "" {
			if _, ok := taskFile(line.Link); ok {
				above.Link = line.Link
			}
		}
		return
	}
	switch _, file := taskFile(line.Link); {
	case named && (n.separated || file):
		x.out.Bullets = append(x.out.Bullets, line)
	case it.number > 0 && it.depth == 1 && line.Title != "":
		line.ID = it.number
		x.numbered = append(x.numbered, line)
	}
}

// phase reports whether a box without a task stands for a group of tasks: "Phase 1 — ...", or tasks nested below it.
func (x *indexReader) phase(index, first, to int) bool {
	words := x.plain(x.items[index].text)
	if i := strings.IndexAny(words, "0123456789"); i > 0 && oneOf(strings.TrimSpace(words[:i]), phaseWords) {
		return true
	}
	for i := first + 1; i < to; i++ {
		b := &x.blocks[i]
		if b.item < 0 || x.items[b.item].depth <= x.items[index].depth && b.item != index {
			return false
		}
		if b.lead && x.items[b.item].box != nil {
			if n, ok := x.taskName(x.items[b.item].text); ok && n.word && n.separated {
				return true
			}
		}
	}
	return false
}

// phaseWords stand before the number of a group of tasks, in the languages of PD-11.
const phaseWords = "phase|stage|step|milestone|wave|sprint|group|part|fase|etapa|paso|passo|hito|marco|grupo|parte|阶段|步骤|第|ระยะ|ระยะที่|เฟส|ขั้นตอน|ขั้นตอนที่"

// ownEnd returns the end of an item's own lines: those before its first sub-item.
func (x *indexReader) ownEnd(first, index, to int) int {
	end := x.blocks[first].span.End
	for i := first; i < to && x.blocks[i].item == index && x.blocks[i].kind == lineBlock; i++ {
		end = x.blocks[i].span.End
	}
	return end
}

// line reads what an item says about a task: number, tag, title and link.
func (x *indexReader) line(it *item, first, to int) (IndexLine, name, bool) {
	index := x.blocks[first].item
	// A link on the second line of a wrapped item is still its link.
	own := x.ownEnd(first, index, to)
	line := IndexLine{Span: Span{x.lineStart(it.start), own}}
	line.Link = x.taskLink(first, index, to)
	n, named := x.taskName(it.text)
	file, hasFile := taskFile(line.Link)
	// "3.task_x.md" begins with a number that is only part of a file name.
	if named && !n.word && hasFile && n.id != file && !n.separated {
		named = false
	}
	rest := it.text
	switch {
	case named:
		line.ID, line.Tag = n.id, n.tag
		rest.Start = min(n.rest, rest.End)
	case hasFile && x.fileLeads(it.text, line.Link):
		line.ID, n.separated, named = file, true, true
	case it.number > 0 && it.box != nil && x.inList && it.depth == 1:
		line.ID, n.separated, named = it.number, true, true
	}
	line.Title = x.titleOf(it.text, rest)
	return line, n, named
}

// fileLeads reports whether an item is about the task file it links to: the link, or the name in code, comes first.
func (x *indexReader) fileLeads(s Span, target string) bool {
	start := s.Start + skipMarkup(x.mask[s.Start:s.End])
	if start >= s.End {
		return false
	}
	if links := x.links(s); len(links) > 0 && links[0].target == target {
		return links[0].text.Start <= start
	}
	return x.mask[start] == codeTick || strings.HasPrefix(string(x.Src[start:s.End]), target)
}

// taskLink returns the link of an item's own lines: to a task file, else to any place in the plan; a task
// file's name in code counts.
func (x *indexReader) taskLink(first, index, to int) string {
	other := ""
	for i := first; i < to && x.blocks[i].item == index && x.blocks[i].kind == lineBlock; i++ {
		s := x.blocks[i].text
		for _, l := range x.links(s) {
			if _, ok := taskFile(l.target); ok {
				return l.target
			}
			if other == "" && !strings.Contains(l.target, ":") {
				other = l.target
			}
		}
		if target := x.codeTarget(s); target != "" {
			return target
		}
	}
	return other
}

// codeTarget returns the task file named in a span, in code or at its start.
func (x *indexReader) codeTarget(s Span) string {
	for i := s.Start; i < s.End; i++ {
		if x.mask[i] != codeByte {
			continue
		}
		end := i + runLength(x.mask[i:s.End], codeByte)
		target := cleanTarget(strings.TrimSpace(string(x.Src[i:end])))
		if _, ok := taskFile(target); ok {
			return target
		}
		i = end
	}
	start := s.Start
	if it := x.items[x.blocks[x.blockAt(x.lineStart(s.Start))].item]; it.box != nil && it.text.Start > start && it.text.Start < s.End {
		start = it.text.Start
	}
	word, _, _ := strings.Cut(string(x.Src[start:min(s.End, start+maxTarget)]), " ")
	if _, ok := taskFile(word); ok {
		return cleanTarget(word)
	}
	return ""
}
