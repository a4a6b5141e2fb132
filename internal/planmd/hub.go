package planmd

import (
	"slices"
	"strings"
)

// Hub is an ORCHESTRATOR_MANIFEST.md (AG-4): which child plans, in which repositories, a plan coordinates.
type Hub struct {
	Doc
	// Name is the value of its "Hub:" line, "fleet:PLAN_one_login": what a child names as its parent (PS-6). "" without one.
	Name string
	// Table says that a tracking table stands in it, with rows or without.
	Table    bool
	Children []Child
}

// Child is one row of a tracking table, or one item of an outline's list: one child plan.
type Child struct {
	Repository string   // a folder relative to the hub's root, as written
	Plan       string   // as written
	Task       int      // the hub's task that it belongs to; 0 when none is named
	DependsOn  []string // the child plans that it waits for, as written
	Status     string   // as recorded last
	Notes      string
	Span       Span
}

// The columns of a tracking table.
type childColumn int

const (
	noChildColumn childColumn = iota
	repositoryColumn
	planColumn
	hubTaskColumn
	waitsColumn
	statusColumn
	notesColumn
)

// childColumnWords begin the names of those columns, in the languages of PD-11.
var childColumnWords = [...]struct {
	column childColumn
	words  string
}{
	{repositoryColumn, "repo|sub-repo|submodule|คลัง|ที่เก็บ|仓库|倉庫|儲存庫|存储库"},
	{planColumn, "plan|child plan|child|sub-plan|แผน|计划|計劃|子计划"},
	{hubTaskColumn, "task|hub task|tarefa|tarea|งาน|任务|任務"},
	{waitsColumn, "depend|waits for|after|blocked by|ขึ้นกับ|รอ|依赖|依賴"},
	{statusColumn, "status|state|progress|estado|situação|สถานะ|状态|狀態"},
	{notesColumn, "note|remark|comment|nota|observa|หมายเหตุ|备注|備註"},
}

// childSections are the names of the section of an outline that lists child plans.
var childSections = []string{"child plans", "children", "child plan", "planos filhos", "planes hijos", "แผนลูก", "子计划", "子計劃"}

// ReadHub reads an ORCHESTRATOR_MANIFEST.md. Every table that has a column of repositories and one of plans counts.
func ReadHub(src []byte) *Hub {
	p := scan(src)
	h := &Hub{}
	p.childRows(h, 0, len(p.blocks))
	for i := range p.blocks {
		if l := p.labelOf(i); l != nil && h.Name == "" && strings.EqualFold(l.text, "hub") {
			h.Name = strings.Trim(l.value, "` ")
		}
	}
	h.Doc = p.Doc
	return h
}

// ReadChildren reads the section "Child Plans" of an outline: a table, or a list of "repository: PLAN_name, task 2, after
// PLAN_other" with notes behind a dash.
func ReadChildren(src []byte) *Hub {
	p := scan(src)
	h := &Hub{}
	level, from := 0, 0
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind != headingBlock {
			continue
		}
		if level > 0 && b.level <= level {
			p.childSection(h, from, i)
			level = 0
		}
		name := strings.ToLower(dropNumbering(p.headingOf(i).text))
		if level == 0 && slices.Contains(childSections, name) {
			level, from = b.level, i+1
		}
	}
	if level > 0 {
		p.childSection(h, from, len(p.blocks))
	}
	h.Doc = p.Doc
	return h
}

func (p *page) childSection(h *Hub, from, to int) {
	h.Table = true
	p.childRows(h, from, to)
	for i := from; i < to; i++ {
		if b := &p.blocks[i]; b.lead && p.depth(b) == 1 {
			h.Children = append(h.Children, p.childItem(b))
		}
	}
}

// childRows reads the rows of the tracking tables in a range.
func (p *page) childRows(h *Hub, from, to int) {
	var columns []childColumn
	for i := from; i < to; i++ {
		b := &p.blocks[i]
		switch b.row {
		case headRow:
			columns = p.childColumns(b)
			h.Table = h.Table || columns != nil
		case bodyRow:
			if columns != nil {
				h.Children = append(h.Children, p.childRow(b, columns))
			}
		}
	}
}

// childColumns reads the header of a table; nil when it is not about child plans.
func (p *page) childColumns(b *block) []childColumn {
	var columns []childColumn
	for _, cell := range p.plainCells(b.text) {
		columns = append(columns, childColumnOf(cell))
	}
	if slices.Contains(columns, repositoryColumn) && slices.Contains(columns, planColumn) {
		return columns
	}
	return nil
}

func childColumnOf(head string) childColumn {
	head = strings.ToLower(strings.TrimSpace(head))
	for _, c := range childColumnWords {
		for word := range strings.SplitSeq(c.words, "|") {
			if strings.HasPrefix(head, word) {
				return c.column
			}
		}
	}
	return noChildColumn
}

func (p *page) childRow(b *block, columns []childColumn) Child {
	c := Child{Span: b.span}
	for i, cell := range p.plainCells(b.text) {
		if i >= len(columns) {
			break
		}
		switch columns[i] {
		case repositoryColumn:
			c.Repository = cell
		case planColumn:
			c.Plan = cell
		case hubTaskColumn:
			c.Task = firstNumber(cell)
		case waitsColumn:
			c.DependsOn = waitsFor(cell)
		case statusColumn:
			c.Status = cell
		case notesColumn:
			if !nothing(cell) {
				c.Notes = cell
			}
		}
	}
	return c
}

// childItem reads "api: PLAN_token_api, task 1, after PLAN_other - notes".
func (p *page) childItem(b *block) Child {
	text := p.plain(p.items[b.item].text)
	c := Child{Span: b.span}
	for _, dash := range []string{" \u2014 ", " \u2013 ", " - "} {
		if head, notes, ok := strings.Cut(text, dash); ok {
			text, c.Notes = head, strings.TrimSpace(notes)
			break
		}
	}
	for i, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' }) {
		part = strings.TrimSpace(part)
		low := strings.ToLower(part)
		switch waits, ok := cutWaits(part); {
		case i == 0:
			// The plan's name is behind the last colon: a path may hold one, a name never.
			at := strings.LastIndexByte(part, ':')
			c.Repository, c.Plan = strings.TrimSpace(part[:max(at, 0)]), strings.TrimSpace(part[at+1:])
		case ok:
			c.DependsOn = append(c.DependsOn, waitsFor(waits)...)
		case strings.HasPrefix(low, "task"):
			c.Task = firstNumber(part)
		case len(c.DependsOn) > 0: // "after PLAN_a, PLAN_b"
			c.DependsOn = append(c.DependsOn, waitsFor(part)...)
		default:
			c.Notes = strings.TrimSpace(part + " " + c.Notes)
		}
	}
	return c
}

// cutWaits takes the words off that say that a child plan waits for others.
func cutWaits(part string) (rest string, ok bool) {
	for _, word := range []string{"after ", "depends on ", "depends on:", "waits for "} {
		if len(part) >= len(word) && strings.EqualFold(part[:len(word)], word) {
			return part[len(word):], true
		}
	}
	return "", false
}

// waitsFor splits the names of child plans; "none" and a dash are none.
func waitsFor(cell string) []string {
	var names []string
	for name := range strings.FieldsFuncSeq(cell, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		if hasWords(name) && !nothing(name) && !strings.EqualFold(name, "and") {
			names = append(names, name)
		}
	}
	return names
}

// firstNumber is the first number in a cell, "Task 2" or "2"; 0 when there is none.
func firstNumber(cell string) int {
	at := strings.IndexAny(cell, "0123456789")
	if at < 0 {
		return 0
	}
	n, _ := scanNumber(cell[at:])
	return n
}
