package planmd

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// readClaims reads the written counts of completed tasks, and "Plan Status: materializing" (LF-4), in a README's own
// parts. Rows of tables are no claims.
func (p *page) readClaims(r *README, parts []part, own []Field) {
	rules := spansOf(r.Sections, ExecutionRules, Guidelines)
	for _, f := range own {
		for len(rules) > 0 && rules[0].End <= f.Span.Start {
			rules = rules[1:]
		}
		// Rules speak of counts that are to be written: "Progress: 1/8 tasks completed".
		ruled := len(rules) > 0 && rules[0].Start <= f.Span.Start
		if !p.isRow(f) && (!ruled || f.Kind == FieldCount) {
			p.claimField(r, f)
		}
	}
	for i := range r.Sections {
		if r.Sections[i].Kind == PlanStatus {
			p.claimLines(r, &r.Sections[i])
		}
	}
	if len(r.Claims) == 0 && !r.Materializing {
		p.hiddenClaims(r, parts, own)
	}
}

// hiddenClaims looks for the Plan Status line where it is read only for want of a better one: in a table of the plan's
// data, and behind the last record of a Lite plan, which no heading ends.
func (p *page) hiddenClaims(r *README, parts []part, own []Field) {
	fields := slices.Clone(own)
	for _, q := range parts {
		if q.anchored {
			fields = append(fields, p.fields(q.from, q.to)...)
		}
	}
	for _, f := range fields {
		if f.Kind == FieldCount && p.sectionKind(f.Label) == PlanStatus {
			p.claimField(r, f)
		}
	}
}

// claimField reads a labelled line as a claim.
func (p *page) claimField(r *README, f Field) {
	if f.Kind == FieldCount && isMaterializing(f.Value) {
		r.Materializing, r.MaterialAt = true, f.Span
	}
	c, ok := p.scanClaim(f.At)
	if !ok || f.Kind != FieldCount && (c.At.Start > f.At.Start || f.Kind != FieldOther && f.Kind != FieldStatus || !completedWord(f.Label+" "+f.Value)) {
		return
	}
	c.Label, c.Span = f.Label, f.Span
	r.Claims = append(r.Claims, c)
}

// claimLines reads the lines of a Plan Status section that have no label: "1/3 tasks completed".
func (p *page) claimLines(r *README, s *Section) {
	if s.Level == 0 {
		return // the label form is a field, read already
	}
	for _, f := range s.Fields {
		if f.Kind == FieldStatus && isMaterializing(f.Value) {
			r.Materializing, r.MaterialAt = true, f.Span
		}
	}
	// A box in the section is a line of the index, not a count.
	from, to := p.blocksIn(s.Body)
	for i := from; i < to; i++ {
		b := &p.blocks[i]
		if b.kind != lineBlock || b.row != noRow || b.label >= 0 || b.lead && p.items[b.item].box != nil {
			continue
		}
		text := p.plain(b.text)
		if isMaterializing(text) {
			r.Materializing, r.MaterialAt = true, b.span
		}
		if c, ok := p.scanClaim(b.text); ok && completedWord(text) {
			c.Label, c.Span = s.Label, b.span
			r.Claims = append(r.Claims, c)
		}
	}
}

func isMaterializing(value string) bool {
	return strings.EqualFold(strings.Trim(value, "*_`. \u2026"), "materializing")
}

// scanClaim finds the first "X/N" or "X of N" in a span, inline code and comments excluded unless the span is
// all code. Dates and paths are none.
func (p *page) scanClaim(at Span) (Claim, bool) {
	text := p.mask[at.Start:at.End]
	if at.Start < at.End && text[0] == codeByte {
		text = p.Src[at.Start:at.End]
	}
	done, total, start, length := scanCount(string(text[:min(len(text), 4*maxLabel)]))
	return Claim{Done: done, Total: total, At: Span{at.Start + start, at.Start + start + length}}, length > 0
}

// scanCount finds the first count in a text, where it stands and how long it is; length 0 says that there is none.
func scanCount(s string) (done, total, at, length int) {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		// A run of digits is tried once, as a whole: "12/3" holds no "2/3".
		done, digits := scanNumber(s[i:])
		if digits == 0 {
			i += runDigits(s[i:]) - 1
			continue
		}
		if total, n := countTotal(s[i+digits:]); n > 0 && countStarts(s[:i]) {
			return done, total, i, digits + n
		}
		i += digits - 1
	}
	return 0, 0, 0, 0
}

// countTotal reads "/ N" or "of N" and reports its length, 0 when it is not there.
func countTotal(s string) (total, length int) {
	rest := strings.TrimLeft(s, " \u00a0")
	// "of" and its Spanish and Portuguese form need a space before them, "/" does not.
	after, ok := strings.CutPrefix(rest, "/")
	if !ok {
		after, ok = strings.CutPrefix(rest, "\uff0f") // of Chinese and Japanese text
	}
	if !ok {
		if after, ok = strings.CutPrefix(rest, "of "); !ok || rest == s {
			if after, ok = strings.CutPrefix(rest, "de "); !ok || rest == s {
				return 0, 0
			}
		}
	}
	after = strings.TrimLeft(after, " \u00a0")
	total, digits := scanNumber(after)
	if digits == 0 || !numberEnds(after[digits:]) {
		return 0, 0
	}
	return total, len(s) - len(after) + digits
}

// countStarts reports whether a number may begin behind a text: not inside a word, a date or a path.
func countStarts(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	// Dates and paths are full of slashes: 2026/09/01, a/1/2.
	return before == "" || !strings.ContainsRune("/.-_", r) && (r >= utf8.RuneSelf || !isWordByte(byte(r)))
}

func runDigits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}

// isRow reports whether a field comes from a row of a table.
func (p *page) isRow(f Field) bool {
	i := p.blockAt(f.Span.Start)
	return i < len(p.blocks) && p.blocks[i].row != noRow
}

// spansOf lists the bodies of the sections of some kinds.
func spansOf(sections []Section, kinds ...SectionKind) []Span {
	var spans []Span
	for i := range sections {
		for _, k := range kinds {
			if sections[i].Kind == k {
				spans = append(spans, sections[i].Body)
			}
		}
	}
	return spans
}
