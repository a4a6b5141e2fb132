package planmd

import "strings"

// ReadCandidates reads a SKILLS_CANDIDATES.md (PD-8): IDs at the start of headings, list items, and rows of tables.
func ReadCandidates(src []byte) *Candidates {
	p := scan(src)
	c := &Candidates{}
	idColumn := false
	for i := range p.blocks {
		b := &p.blocks[i]
		switch {
		case b.kind == headingBlock:
			p.candidate(c, b, p.plain(b.text), false)
		case b.row == headRow:
			cells := p.plainCells(b.text)
			idColumn = len(cells) > 0 && isIDHead(cells[0])
		case b.row == bodyRow:
			if cells := p.plainCells(b.text); len(cells) > 0 {
				p.candidate(c, b, cells[0], idColumn)
			}
		case b.lead:
			p.candidate(c, b, p.plain(p.items[b.item].text), false)
		case b.kind == lineBlock && b.first && b.item < 0 && b.row == noRow:
			p.candidate(c, b, p.plain(b.text), false)
		}
	}
	c.Doc = p.Doc
	return c
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
		c.List = append(c.List, Candidate{ID: id, Task: task, Seq: seq, Span: b.span})
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
