package planmd

import "strings"

// columns of a parallel groups table (PD-12).
type column int

const (
	noColumn column = iota
	groupColumn
	tasksColumn
	teammateColumn
	ownedColumn
)

// columnWords begin the names of those columns, in the languages of PD-11.
var columnWords = [...]struct {
	column column
	words  string
}{
	{groupColumn, "group|grupo|กลุ่ม|组|分组|組"},
	{tasksColumn, "task|tarefa|tarea|งาน|任务|任務"},
	{teammateColumn, "teammate|member|agent|colega|membro|miembro|agente|compañero|ผู้ร่วมทีม|สมาชิก|成员|队友"},
	{ownedColumn, "owned|files|arquivos|archivos|ไฟล์|文件|所属文件|拥有的文件"},
}

func columnOf(head string) column {
	head = strings.ToLower(strings.TrimSpace(head))
	for _, c := range columnWords {
		for word := range strings.SplitSeq(c.words, "|") {
			if strings.HasPrefix(head, word) {
				return c.column
			}
		}
	}
	return noColumn
}

// groups reads the rows of the parallel groups tables in a range; team is set when such a table stands there.
func (p *page) groups(from, to int, team *bool) []Group {
	var found []Group
	var columns []column
	// Each header starts a table anew: a README may have one table per phase.
	for i := from; i < to; i++ {
		b := &p.blocks[i]
		switch b.row {
		case headRow:
			columns = p.groupColumns(b)
			*team = *team || columns != nil
		case bodyRow:
			if columns != nil {
				found = append(found, p.group(b, columns))
			}
		}
	}
	return found
}

// groupColumns reads the header of a table; nil when it is not about groups.
func (p *page) groupColumns(b *block) []column {
	var columns []column
	var has [ownedColumn + 1]bool
	for _, cell := range p.plainCells(b.text) {
		c := columnOf(cell)
		has[c] = true
		columns = append(columns, c)
	}
	// Two columns alone ("Group, Tasks") are a summary; who works or what is owned makes it a decision (LF-8).
	if has[groupColumn] && has[tasksColumn] && (has[teammateColumn] || has[ownedColumn]) {
		return columns
	}
	return nil
}

func (p *page) group(b *block, columns []column) Group {
	g := Group{Span: b.span}
	for i, cell := range p.plainCells(b.text) {
		// A row may be longer than its header; what has no name is left out, as renderers do.
		if i >= len(columns) {
			break
		}
		switch columns[i] {
		case groupColumn:
			g.Name = cell
		case tasksColumn:
			g.Tasks = p.taskNumbers(cell)
		case teammateColumn:
			g.Teammate = cell
		case ownedColumn:
			g.Owned = ownedPaths(cell)
		}
	}
	return g
}

// ownedPaths splits a cell of owned files. "none", a dash and a placeholder own nothing, and so are no file that two
// rows could share (AG-6); a remark in brackets is no part of a path.
func ownedPaths(cell string) []string {
	var paths []string
	// In a table cell a line break is the only way to write a list.
	cell = strings.NewReplacer("<br>", ",", "<br/>", ",", "<br />", ",").Replace(cell)
	for path := range strings.FieldsFuncSeq(cell, func(r rune) bool { return r == ',' || r == ';' }) {
		path, _, _ = strings.Cut(path, " (")
		if path = strings.TrimSpace(path); hasWords(path) && !nothing(path) {
			paths = append(paths, path)
		}
	}
	return paths
}
