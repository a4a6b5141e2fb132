package planmd

import (
	"bytes"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// blockAt returns the index of the first block that starts at or behind an offset.
func (p *page) blockAt(offset int) int {
	return sort.Search(len(p.blocks), func(i int) bool { return p.blocks[i].span.Start >= offset })
}

// part is a range of blocks of a README that belongs to one record, or to none.
type part struct {
	from, to int
	head     int // block of the record's heading; -1 for the README's own part
	anchored bool
	level    int
	record   Record
}

// parts splits a README into its own parts and its task records (LF): a record runs to the next heading of its own or a
// shallower level, or to the next record. A section that only a record has may stand on the record's own level: an
// underlined heading is never deeper than level 2 (C13).
func (p *page) parts() []part {
	// A deeper "Task N" heading inside a record is a note of that record.
	all := []part{{head: -1}}
	var own, held kindSet // the sections met in the README's own parts, and in the record being read
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind != headingBlock {
			continue
		}
		last := &all[len(all)-1]
		h := p.headingOf(i)
		anchored := recordAnchor(h.anchor)
		loose := !anchored && h.task.word && h.task.separated && h.task.id > 0 && b.level >= 2 && !(last.anchored && b.level > last.level)
		switch {
		case anchored || loose:
			last.to = i
			all = append(all, part{from: i + 1, head: i, anchored: anchored, level: b.level, record: p.record(i)})
			held = kindSet{}
			continue
		// A second section of a kind is the README's: a record has each once.
		case last.anchored && b.level == last.level && recordOnly(h.kind, own) && !held[h.kind]:
		case last.head >= 0 && b.level <= last.level:
			last.to = i
			all = append(all, part{from: i, head: -1})
		}
		if all[len(all)-1].head < 0 {
			own = own.with(h.kind)
		} else {
			held = held.with(h.kind)
		}
	}
	all[len(all)-1].to = len(p.blocks)
	return all
}

// kindSet is a set of section kinds; the zero value is empty.
type kindSet map[SectionKind]bool

func (s kindSet) with(kind SectionKind) kindSet {
	if s == nil {
		s = kindSet{}
	}
	s[kind] = true
	return s
}

// recordOnly reports whether a section belongs to a task record: a kind that no README has, or one that this README
// had already before its records.
func recordOnly(kind SectionKind, own kindSet) bool {
	switch kind {
	case Surface, Acceptance, Validation, CompletionLog, Checklist:
		return true
	case Goal, Context, Instructions, Reads, Outputs:
		return own[kind] || kind != Goal && kind != Context
	}
	return false
}

// endOffset returns where a part ends.
func (p *page) endOffset(q part) int {
	if q.to < len(p.blocks) {
		return p.lineStart(p.blocks[q.to].span.Start)
	}
	return len(p.Src)
}

// ReadREADME reads a README.md. It never fails, nor does any of the readers here: what can't be understood is absent from
// the result, and faults of structure are in Doc.Problems.
func ReadREADME(src []byte) *README {
	p := scan(src)
	r := &README{}
	title := p.title(r)
	parts := p.parts()
	var own []Field
	for _, q := range parts {
		end := p.endOffset(q)
		if q.head >= 0 {
			q.record.Span = Span{q.record.Head.Start, end}
			p.readRecord(&q.record, q.from, q.to, end)
			if q.anchored {
				r.Records = append(r.Records, q.record)
			} else {
				r.Loose = append(r.Loose, q.record)
				own = append(own, planFields(p.fields(q.from, q.to))...)
			}
			continue
		}
		from := q.from
		if title >= from && title < q.to {
			r.Sections = append(r.Sections, p.sections(from, title, p.blocks[title].span.Start)...)
			from = title + 1
		}
		r.Sections = append(r.Sections, p.sections(from, q.to, end)...)
		own = append(own, p.fields(q.from, q.to)...)
		r.Groups = append(r.Groups, p.groups(q.from, q.to, &r.TeamTable)...)
	}
	// A heading over nothing is no decision (LF-8).
	if s := r.Section(TeamAgents); s != nil && !s.Empty {
		r.TeamTable = true
	}
	r.Fields = own
	readHeader(r, own)
	p.readClaims(r, parts, own)
	p.readIndex(r, parts)
	r.Variables = p.variables()
	r.Doc = p.Doc
	return r
}

// planFields keeps the labelled lines that speak of the plan, wherever they stand: "Plan Status: 1/3 completed" below
// the last "### Task 3" heading of a Task List is no line of that task.
func planFields(fields []Field) []Field {
	var kept []Field
	for _, f := range fields {
		switch f.Kind {
		case FieldCount, FieldStandard, FieldApproval, FieldExecution, FieldOptIn:
			kept = append(kept, f)
		}
	}
	return kept
}

// title reads the title of a README and returns the heading's block, or -1.
func (p *page) title(r *README) int {
	i := p.titleBlock()
	if i < 0 {
		return -1
	}
	if h := p.headingOf(i); p.blocks[i].level > 1 && (h.task.word || h.anchor != "") {
		return -1
	}
	r.Title, r.TitleAt = p.headingOf(i).text, p.blocks[i].span
	return i
}

// titleBlock returns the heading that is the title of a file, or -1: the first of level 1, else the first heading when
// it is no section. A title may sound like a section ("# Validation service"); only where several headings of
// level 1 do are they sections.
func (p *page) titleBlock() int {
	first, top, other, known := -1, -1, -1, 0
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind != headingBlock {
			continue
		}
		if first < 0 {
			first = i
		}
		if b.level > 1 {
			continue
		}
		if top < 0 {
			top = i
		}
		if h := p.headingOf(i); h.kind != Other && !h.task.word {
			known++
		} else if other < 0 {
			other = i
		}
	}
	switch {
	// A record whose sections are all "# Goal" has no title among them but the odd one out.
	case top >= 0 && known > 1:
		return other
	case top >= 0:
		return top
	case first >= 0 && (p.headingOf(first).kind == Other || p.headingOf(first).task.word):
		return first
	}
	return -1
}

// readHeader reads the labelled lines that concern the plan as a whole (PD-4).
func readHeader(r *README, own []Field) {
	// The first line of a kind with a value counts: further down a README may quote the form of another.
	r.Standard = firstField(own, FieldStandard)
	if r.Standard != nil {
		r.StandardVersion, r.Migrations = standardVersions(r.Standard.Value)
		if len(r.Migrations) > 0 {
			r.MigratedFrom = r.Migrations[0].From
		}
	}
	if r.Approval = firstField(own, FieldApproval); r.Approval != nil {
		r.ApprovalValue = approvalValue(r.Approval.Value)
	}
	r.Format = firstField(own, FieldFormat)
	if r.Execution = firstField(own, FieldExecution); r.Execution != nil {
		r.Rationale = rationale(r.Execution.Value)
	}
	if r.OptIn = firstField(own, FieldOptIn); r.OptIn != nil {
		r.OptInBy, r.OptInOn = optIn(r.OptIn.Value)
	}
	for _, f := range own {
		if f.Kind == FieldStatus {
			r.StatusAt = append(r.StatusAt, f)
		}
	}
}

// standardVersions reads "DWP spec 5.0.0 (migrated from 1.2.0 on DATE — reason; from 4.2.0 on DATE — reason)": the version in
// force, and the declared migrations that led to it, oldest first (PS-22).
func standardVersions(value string) (version string, migrations []Migration) {
	// The version in force stands first; the one behind "migrated from" must not be taken for it.
	const migrated, again = "migrated from", "; from "
	i := strings.Index(strings.ToLower(value), migrated)
	if i < 0 || i+len(migrated) > len(value) {
		return firstVersion(value), nil
	}
	for n, part := range strings.Split(value[i+len(migrated):], again) {
		m := migration(part)
		switch {
		case n == 0 && m.From == "":
			return firstVersion(value[:i]), nil
		case n == 0 || m.On != "" && strings.HasPrefix(strings.TrimSpace(part), m.From): // else it is words of a reason
			migrations = append(migrations, m)
		}
	}
	return firstVersion(value[:i]), migrations
}

// migration reads "4.2.0 on DATE — reason".
func migration(text string) Migration {
	m := Migration{From: firstVersion(text)}
	rest := strings.TrimSpace(text[strings.Index(text, m.From)+len(m.From):])
	if day, dated := strings.CutPrefix(rest, "on "); dated {
		m.On = dateWord(day)
	}
	return m
}

// firstVersion returns the first X.Y or X.Y.Z of a text.
func firstVersion(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		end := i
		for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' && end+1 < len(s) && s[end+1] >= '0' && s[end+1] <= '9') {
			end++
		}
		if dots := strings.Count(s[i:end], "."); dots == 1 || dots == 2 {
			return s[i:end]
		}
		i = end
	}
	return ""
}

// rationale returns what follows the mode of an Execution line: behind a dash or a colon.
func rationale(value string) string {
	best, length := len(value), 0
	// The earliest separator splits; a reason may hold dashes of its own.
	for _, sep := range [...]string{"\u2014", "\u2013", " - ", ":", " -- "} {
		if i := strings.Index(value, sep); i >= 0 && i < best {
			best, length = i, len(sep)
		}
	}
	return strings.TrimSpace(value[best+length:])
}

// optIn reads "allowed by NAME on DATE".
func optIn(value string) (by, on string) {
	const allowed = "allowed by "
	if len(value) < len(allowed) || !strings.EqualFold(value[:len(allowed)], allowed) {
		return "", ""
	}
	name := value[len(allowed):]
	// The last " on " splits: names may hold one.
	i := strings.LastIndex(name, " on ")
	if i < 0 {
		return strings.TrimSpace(name), ""
	}
	return strings.TrimSpace(name[:i]), dateWord(name[i+len(" on "):])
}

// variables lists the names used as {{NAME}} outside comments, each once, in order. "${{ x }}" is another tool's.
func (p *page) variables() []string {
	var names []string
	seen := map[string]bool{}
	for i := p.base; ; {
		n := bytes.Index(p.Src[i:], []byte("{{"))
		if n < 0 {
			return names
		}
		start := i + n + 2
		end := variableEnd(p.Src, start)
		i = start
		if end < 0 || p.mask[start] == commentByte || start > 2 && p.Src[start-3] == '$' {
			continue
		}
		if name := strings.TrimSpace(string(p.Src[start:end])); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
}

// variableEnd returns the offset of the "}}" behind a name, or -1.
func variableEnd(src []byte, start int) int {
	i := start + runLength(src[start:], ' ')
	first := i
	for i < len(src) && i-first < maxLabel {
		r, n := utf8.DecodeRune(src[i:])
		if !unicode.IsLetter(r) && r != '_' && (i == first || !unicode.IsDigit(r) && r != '-' && !unicode.IsMark(r)) {
			break
		}
		i += n
	}
	end := i + runLength(src[i:], ' ')
	if i == first || !bytes.HasPrefix(src[end:], []byte("}}")) {
		return -1
	}
	return end
}
