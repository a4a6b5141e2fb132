package planmd

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// ReadProgress reads a PROGRESS.md: what it says about each task, its amendments, and whether it records a refine or a
// declared migration.
func ReadProgress(src []byte) *Progress {
	p := scan(src)
	g := &Progress{}
	end, from := len(src), p.afterTitle()
	g.Sections = p.sections(from, len(p.blocks), end)
	g.Amendments = p.amendments(from, len(p.blocks), end)
	p.decisions(g)
	p.entries(g, g.own())
	p.placeAmendments(g)
	g.Doc = p.Doc
	return g
}

// own are the places of amendments and decisions, in order: they have numbers and tasks of their own, and are no entries of a task.
// A decision of one line is left out: that line may well be what is said of a task.
func (g *Progress) own() []Span {
	spans := make([]Span, 0, len(g.Amendments)+len(g.Decided))
	for i := range g.Amendments {
		spans = append(spans, g.Amendments[i].Span)
	}
	for i := range g.Decided {
		if d := &g.Decided[i]; d.Why != "" && d.Revert != "" {
			spans = append(spans, d.Span)
		}
	}
	slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	return spans
}

// afterTitle returns the block behind the title of a file: a heading of level 1 that comes first.
func (p *page) afterTitle() int {
	for i := range p.blocks {
		if p.blocks[i].kind == headingBlock {
			if p.blocks[i].level == 1 && !p.headingOf(i).task.word {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

// entries reads headings, table rows and list items that name a task. A list below a heading entry belongs to it.
func (p *page) entries(g *Progress, own []Span) {
	taskColumn, open, level, next := -1, -1, 0, 0
	for i := range p.blocks {
		b := &p.blocks[i]
		for next < len(own) && own[next].End <= b.span.Start {
			next++
		}
		inside := next < len(own) && own[next].Start <= b.span.Start
		if b.kind == headingBlock && open >= 0 && b.level <= level {
			g.Entries[open].Span.End, open = p.lineStart(b.span.Start), -1
		}
		switch {
		case inside:
		case b.kind == headingBlock:
			text := p.headingOf(i).text
			g.note(text)
			g.archive(text, b.span)
			if id := entryTask(text); id > 0 && (open < 0 || g.Entries[open].Task != id) {
				if open >= 0 {
					g.Entries[open].Span.End = p.lineStart(b.span.Start)
				}
				open, level = len(g.Entries), b.level
				g.Entries = append(g.Entries, Entry{Task: id, Span: b.span})
			}
		case b.row == headRow:
			taskColumn = p.taskColumn(b)
		case b.row == bodyRow && taskColumn >= 0:
			if id := p.rowTask(b, taskColumn); id > 0 {
				g.Entries = append(g.Entries, Entry{Task: id, Span: b.span})
			}
		case b.lead && open >= 0:
			g.Entries[open].Bullets++
		case b.lead:
			p.itemEntry(g, i)
		}
	}
	if open >= 0 {
		g.Entries[open].Span.End = len(p.Src)
	}
}

// itemEntry reads a list item outside the heading entries: an entry of its own, or a bullet nested under one.
func (p *page) itemEntry(g *Progress, i int) {
	b := &p.blocks[i]
	it := &p.items[b.item]
	text := p.plain(it.text)
	if it.depth == 1 {
		g.note(text)
	}
	// Bullets below an item entry are its bullets.
	if it.depth > 1 && len(g.Entries) > 0 {
		g.Entries[len(g.Entries)-1].Bullets++
		return
	}
	if id := entryTask(text); id > 0 {
		g.Entries = append(g.Entries, Entry{Task: id, Span: b.span, Bullets: 1})
	}
}

// maxEntryHead bounds how far into a heading or item the name of its task may stand, in bytes: behind a date, time or emoji.
const maxEntryHead = 64

// entryTask returns the task that an entry's head names: at its start, or behind a date and time or a word such as "Completed".
func entryTask(text string) int {
	head := text[:min(len(text), maxEntryHead)]
	for i := 0; i < len(head); {
		rest := text[i:]
		if start := strings.IndexFunc(rest, isNameStart); start < 0 {
			return 0
		} else if n, ok := scanName(rest[start:]); ok && n.word {
			return n.id
		} else {
			i += start
		}
		word := strings.IndexAny(text[i:], " \t")
		if word < 0 || !stampWord(text[i:i+word]) && !completedWord(text[i:i+word]) {
			return 0
		}
		i += word + 1
	}
	return 0
}

func isNameStart(r rune) bool { return r == '#' || isLetterOrDigit(r) }

// stampWord reports whether a word is part of a date or time: it has digits and begins with one.
func stampWord(word string) bool {
	return word != "" && word[0] >= '0' && word[0] <= '9' && strings.ContainsAny(word, "-:/.")
}

// taskColumn returns the column of a table that holds task numbers or names, or -1.
func (p *page) taskColumn(b *block) int {
	for i, cell := range p.plainCells(b.text) {
		word := strings.TrimRight(strings.ToLower(cell), ". ")
		if word == "#" || word == "no" || word == "id" || taskWord(cell) || taskWord(strings.TrimSuffix(cell, "s")) {
			return i
		}
	}
	return -1
}

// rowTask returns the task that a row is about, or 0.
func (p *page) rowTask(b *block, column int) int {
	cells := p.plainCells(b.text)
	if column >= len(cells) {
		return 0
	}
	if id, digits := scanNumber(cells[column]); digits > 0 && numberEnds(cells[column][digits:]) {
		return id
	}
	return entryTask(cells[column])
}

// refineWords and migrateWords begin the words for a refine and a migration, in the languages of PD-11.
var (
	refineWords  = [...]string{"refine", "refinement", "refinad", "refinar", "refinamiento", "refinamento", "ปรับแผน", "ปรับปรุงแผน", "细化", "调整计划"}
	migrateWords = [...]string{"migrat", "migrad", "migrac", "migraç", "ย้าย", "迁移"}
)

// note looks for a refine or a migration in the head of an entry.
func (g *Progress) note(text string) {
	text = strings.ToLower(text[:min(len(text), 4*maxLabel)])
	g.Refined = g.Refined || hasAny(text, refineWords[:])
	g.Migrated = g.Migrated || hasAny(text, migrateWords[:])
}

// archive reads the heading "DATE Refine: record of Task 3 archived", which is our own: no other writes one.
func (g *Progress) archive(text string, at Span) {
	lower := strings.ToLower(text[:min(len(text), 4*maxLabel)])
	if !hasAny(lower, []string{"archived"}) || !hasAny(lower, refineWords[:]) {
		return
	}
	for rest := text; rest != ""; {
		if n, ok := scanName(rest); ok && n.word {
			g.Archived = append(g.Archived, Archive{n.id, at})
			return
		}
		_, rest, _ = strings.Cut(rest, " ")
	}
}

// hasAny reports whether a text has a word that begins with one of some stems; scripts without spaces match anywhere.
func hasAny(text string, stems []string) bool {
	for _, stem := range stems {
		for i := 0; ; {
			n := strings.Index(text[i:], stem)
			if n < 0 {
				break
			}
			if i += n; i == 0 || stem[0] >= utf8.RuneSelf || !isWordByte(text[i-1]) && text[i-1] < utf8.RuneSelf {
				return true
			}
			i += len(stem)
		}
	}
	return false
}

// placeAmendments gives an amendment the task of the entry it stands in, when its own head names none.
func (p *page) placeAmendments(g *Progress) {
	k := 0
	for i := range g.Amendments {
		a := &g.Amendments[i]
		for k < len(g.Entries) && g.Entries[k].Span.End <= a.Span.Start {
			k++
		}
		if a.Task == 0 && k < len(g.Entries) && g.Entries[k].Span.Start <= a.Span.Start {
			a.Task = g.Entries[k].Task
		}
	}
}
