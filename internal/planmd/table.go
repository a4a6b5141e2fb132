package planmd

import "bytes"

// tables marks the lines of a paragraph, from block start on, that make a table: a header, a delimiter row, rows.
func (p *page) tables(start int) {
	head := -1
	for i := start; i < len(p.blocks); i++ {
		b := &p.blocks[i]
		switch {
		// A line without a bar right below a table is read by people as a line of its own: "Skills disposition: none".
		case head >= 0 && bytes.IndexByte(p.mask[b.text.Start:b.text.End], '|') < 0:
			head = -1
		case head >= 0:
			b.row, b.head = bodyRow, head
		case i > start && p.delimiterRow(b.text) && bytes.IndexByte(p.mask[p.blocks[i-1].text.Start:p.blocks[i-1].text.End], '|') >= 0:
			head = i - 1
			p.blocks[head].row, b.row = headRow, ruleRow
		}
	}
}

// delimiterRow reports whether a line is the "|---|:-:|" between the header of a table and its rows.
func (p *page) delimiterRow(s Span) bool {
	bar, dash := false, false
	for _, c := range p.mask[s.Start:s.End] {
		switch c {
		case '|':
			bar = true
		case '-':
			dash = true
		case ':', ' ', '\t':
		default:
			return false
		}
	}
	return bar && dash
}

// cells splits a row of a table at its bars; those in code or behind a backslash belong to a cell.
func (p *page) cells(s Span) []Span {
	// The outer bars may be left out.
	if s.Start < s.End && p.mask[s.Start] == '|' {
		s.Start++
	}
	var cells []Span
	start := s.Start
	for i := s.Start; i < s.End; i++ {
		switch p.mask[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, p.trim(Span{start, i}))
			start = i + 1
		}
	}
	// What follows the last bar is a cell only when it has words.
	if last := p.trim(Span{min(start, s.End), s.End}); last.Start < last.End {
		cells = append(cells, last)
	}
	return cells
}

// plainCells returns the words of each cell of a row.
func (p *page) plainCells(s Span) []string {
	cells := p.cells(s)
	words := make([]string, len(cells))
	for i, c := range cells {
		words[i] = p.plain(c)
	}
	return words
}
