package planmd

import "strings"

// ReadCandidates reads a SKILLS_CANDIDATES.md (PD-8): IDs at the start of headings, list items, and rows of tables, each with its title
// and what was decided about it.
func ReadCandidates(src []byte) *Candidates {
	p := scan(src)
	c := &Candidates{}
	read := candidateReader{page: p, out: c, open: -1, byID: map[string]int{}}
	for i := range p.blocks {
		b := &p.blocks[i]
		switch {
		case b.kind == headingBlock:
			read.begin(b, p.plain(b.text), b.level, 0)
		case b.row == headRow:
			read.columns(b)
		case b.row == bodyRow:
			read.row(b)
		case read.labelled(i):
		case b.lead:
			read.begin(b, p.plain(p.items[b.item].text), 0, p.depth(b))
		case b.kind == lineBlock && b.first && b.item < 0 && b.row == noRow:
			if text := p.plain(b.text); saysNone(text) && p.alone(i) {
				c.None = b.span
			} else {
				read.begin(b, text, 0, 0)
			}
		}
	}
	c.Doc = p.Doc
	return c
}

// candidateReader knows to which candidate the lines belong that follow it.
type candidateReader struct {
	*page
	out          *Candidates
	open         int // index of the candidate that lines belong to, or -1
	level, depth int // of its heading, or of its list item; 0 for the other form
	idColumn     bool
	decided      int            // the column of dispositions of the table being read, or -1
	byID         map[string]int // the first of each ID
}

// begin reads a heading, item or paragraph that may be a candidate. A heading that is no deeper, and an item of no greater depth, ends the
// one before.
func (r *candidateReader) begin(b *block, text string, level, depth int) {
	if level > 0 && (r.level == 0 || level <= r.level) || level == 0 && r.level == 0 && depth <= max(r.depth, 1) {
		r.open = -1
	}
	if n := r.found(b, text, false); n >= 0 {
		r.open, r.level, r.depth = n, level, depth
	}
}

// found reads a candidate, and returns its place in the list; -1 when it is none.
func (r *candidateReader) found(b *block, text string, whole bool) int {
	n := len(r.out.List)
	if r.candidate(r.out, b, text, whole); len(r.out.List) == n {
		return -1
	}
	id := r.out.List[n].ID
	if _, twice := r.byID[id]; !twice {
		r.byID[id] = n
	}
	return n
}

// labelled reads a line such as "Disposition: update x" of the open candidate, or one that names its candidate.
func (r *candidateReader) labelled(i int) bool {
	b, l := &r.blocks[i], r.labelOf(i)
	if l == nil || l.bare {
		return false
	}
	if rest, ok := strings.CutPrefix(strings.ToLower(l.text), "disposition of "); ok {
		id := strings.ToUpper(strings.TrimSpace(rest))
		if at, ok := r.byID[id]; ok { // of one that stands twice, the first: that it stands twice is a finding
			c := &r.out.List[at]
			c.Disposition, c.Later = &Field{Kind: FieldDisposition, Label: l.text, Value: l.value, Span: b.span, At: l.at}, true
		}
		return true
	}
	if r.open < 0 || r.level == 0 && r.depth == 0 || r.level == 0 && b.lead && r.page.depth(b) <= r.depth {
		return false
	}
	c := &r.out.List[r.open]
	switch kind := l.kind; {
	case c.Later:
	case kind == FieldDisposition || kind == FieldSkills:
		c.Disposition = &Field{Kind: kind, Label: l.text, Value: l.value, Span: b.span, At: l.at}
	case kind == FieldReason || strings.EqualFold(l.text, LabelWhy):
		c.Why = l.value
	default:
		return false
	}
	return true
}

// columns reads the header of a table.
func (r *candidateReader) columns(b *block) {
	cells := r.plainCells(b.text)
	r.idColumn, r.decided = len(cells) > 0 && isIDHead(cells[0]), -1
	for i, cell := range cells {
		if kind := r.fieldKind(cell); kind == FieldDisposition || kind == FieldSkills {
			r.decided = i
		}
	}
}

// row reads a row of a table.
func (r *candidateReader) row(b *block) {
	r.open = -1
	cells := r.plainCells(b.text)
	if len(cells) == 0 {
		return
	}
	n := r.found(b, cells[0], r.idColumn)
	if n < 0 {
		return
	}
	c := &r.out.List[n]
	if c.Title == "" && len(cells) > 1 {
		c.Title = cells[1]
	}
	if spans := r.cells(b.text); r.decided > 0 && r.decided < len(cells) && r.decided < len(spans) {
		c.Disposition = &Field{Kind: FieldDisposition, Value: cells[r.decided], Span: b.span, At: r.unwrap(r.trimMask(spans[r.decided]))}
	}
}

// alone reports whether a line is all of its paragraph.
func (p *page) alone(i int) bool {
	return i+1 == len(p.blocks) || p.blocks[i+1].kind != lineBlock || p.blocks[i+1].first
}

// saysNone recognises the sentence that a new plan's file has, and what people write for it.
func saysNone(text string) bool {
	switch strings.ToLower(strings.Trim(text, " .*_()")) {
	case "there are none yet", "none yet", "none", "no candidates yet", "no candidates", "no candidates recorded yet":
		return true
	}
	return false
}

func isIDHead(cell string) bool {
	switch strings.ToLower(strings.Trim(cell, "*_`. ")) {
	case "id", "#", "candidate", "candidate id", "key":
		return true
	}
	return false
}

// candidate reads the ID at the start of a text. whole says that the text is a cell which must be an ID.
func (p *page) candidate(c *Candidates, b *block, text string, whole bool) {
	// Brackets around an ID are dressing: "[T2-1] ...".
	text = strings.TrimLeft(text, "[( ")
	end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(" \t:)]|,\u2014\u2013\uff1a", r) })
	if end < 0 {
		end = len(text)
	}
	id := strings.TrimRight(text[:end], ".")
	task, seq, ok := candidateID(id)
	switch {
	case ok:
		c.List = append(c.List, Candidate{ID: id, Task: task, Seq: seq, Span: b.span, Title: trimDashes(text[end:])})
	case nearID(id) || whole && hasWords(text):
		c.Malformed = append(c.Malformed, Field{Label: id, Value: text, Span: b.span, At: b.text})
	}
}

// candidateID reads "T<task>-<seq>".
func candidateID(id string) (task, seq int, ok bool) {
	rest, ok := strings.CutPrefix(id, "T")
	if !ok {
		return 0, 0, false
	}
	task, n := scanNumber(rest)
	rest, dash := strings.CutPrefix(rest[n:], "-")
	seq, m := scanNumber(rest)
	return task, seq, n > 0 && dash && m > 0 && m == len(rest) && task > 0 && seq > 0
}

// nearID reports whether a word was meant as a candidate's ID: "T3", "Ta-1", "t2-1", "T2_1", "T-1".
func nearID(word string) bool {
	const longest = 8
	if len(word) < 2 || len(word) > longest || word[0] != 'T' && word[0] != 't' {
		return false
	}
	digits := false
	for i := 1; i < len(word); i++ {
		switch c := word[i]; {
		case c >= '0' && c <= '9':
			digits = true
		case c != '-' && c != '.' && c != '#' && !isWordByte(c):
			return false
		}
	}
	rest := strings.TrimLeft(word[1:], "0123456789")
	letters := strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return digits && (rest == "" || len(rest)-len(letters) <= 2)
}
