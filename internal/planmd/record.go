package planmd

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// readRecord fills a record from the blocks between from and to, which end at an offset.
func (p *page) readRecord(r *Record, from, to, end int) {
	r.Sections = p.sections(from, to, end)
	p.readDepends(r, from, to)
	if s := r.Section(Surface); s != nil {
		r.Surface = surfaceFacts(s.Fields)
	}
	r.Log = p.readLog(r, from, to, end)
}

// readDepends reads the "Depends on:" line of a record, or its Dependencies section.
func (p *page) readDepends(r *Record, from, to int) {
	// The line may stand anywhere in the record; the first one counts.
	for i := from; i < to; i++ {
		if f, ok := p.field(i, to); ok && f.Kind == FieldDepends {
			r.DependsOn, r.HasDepends, r.DependsAt = p.taskNumbers(f.Value), true, f.At
			return
		}
	}
	// A section may name libraries too; only lines that begin with a task add one.
	if s := r.Section(Dependencies); s != nil && !s.Empty {
		r.HasDepends, r.DependsAt = true, s.Body
		for line := range strings.Lines(p.Text(s.Body)) {
			r.DependsOn = append(r.DependsOn, p.taskNumbers(strings.TrimLeft(line, "-*+ \t"))...)
		}
	}
}

// maxRange bounds the width of a range "1-3", maxRanged what all ranges of one file stand for together: a few bytes name a
// thousand tasks, and a file may hold millions of them.
const (
	maxRange  = 1000
	maxRanged = 1 << 17
)

// taskNumbers reads a list of tasks: "1, 3", "Task 1 and Task 3", "#1", "1-3", "none". It stops at the first word
// that does not belong to a list, so that a reason behind it adds none.
func (p *page) taskNumbers(s string) []int {
	var numbers []int
	for _, r := range p.listed(s) {
		numbers = append(numbers, r.Tasks...)
	}
	return numbers
}

// listed finds the numbers and ranges of a list of tasks; offsets are those of s.
func (p *page) listed(s string) []Reference {
	var refs []Reference
	expect := true // a number may stand here: the start, or behind a separator or the word for Task
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '(': // a remark
			n := strings.IndexByte(s[i:], ')')
			if n < 0 {
				return refs
			}
			i += n + 1
			continue
		// A number where none is expected, "Task 2 in 3 files", ends the list.
		case unicode.IsDigit(r):
			id, digits := scanNumber(s[i:])
			if digits == 0 || !expect {
				return refs
			}
			ref := Reference{Tasks: []int{id}, At: Span{i, i + digits}}
			i += digits
			// "1-3" is three tasks; a range wider than any plan is a typing error.
			if last, n := rangeEnd(s[i:]); n > 0 && last >= id && last-id <= min(maxRange, maxRanged-p.ranged) {
				p.ranged += last - id
				for next := id + 1; next <= last; next++ {
					ref.Tasks = append(ref.Tasks, next)
				}
				i += n
				ref.At.End = i
			} else if !numberEnds(s[i:]) {
				return refs
			}
			refs, expect = append(refs, ref), false
			continue
		case unicode.IsLetter(r):
			n := listWord(s[i:])
			if n == 0 {
				return refs
			}
			i, expect = i+n, true
			continue
		case strings.ContainsRune(",;&+/#[\u3001\uff0c", r):
			expect = true
		case r == ']' || r == '*' || r == '_' || r == '`' || r == '.' || unicode.IsSpace(r):
		default:
			return refs
		}
		i += size
	}
	return refs
}

// listWord measures the word at the start of a text when it belongs to a list of tasks: "Task", "tasks", "and"; else 0.
func listWord(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	if n < 0 {
		n = len(s)
	}
	word := strings.ToLower(s[:n])
	if taskWord(word) || taskWord(strings.TrimSuffix(word, "s")) || conjunction(word) {
		return n
	}
	return 0
}

// rangeEnd reads "-3" behind the first number of a range.
func rangeEnd(s string) (last, length int) {
	rest := strings.TrimLeft(s, " ")
	for _, dash := range [...]string{"-", "\u2013", "\u2014", ".."} {
		if after, ok := strings.CutPrefix(rest, dash); ok {
			after = strings.TrimLeft(after, " ")
			if last, n := scanNumber(after); n > 0 && numberEnds(after[n:]) {
				return last, len(s) - len(after) + n
			}
		}
	}
	return 0, 0
}

// conjunction reports whether a word joins two tasks in a list.
func conjunction(word string) bool {
	switch word {
	case "and", "y", "e", "และ", "和", "与", "及":
		return true
	}
	return false
}

// surfaceFacts picks the facts of a Touched Surface section (PD-6).
func surfaceFacts(fields []Field) SurfaceFacts {
	s := SurfaceFacts{
		Planned:   firstField(fields, FieldPlanned),
		Actual:    firstField(fields, FieldActual),
		Consumers: firstField(fields, FieldConsumers),
		Risk:      firstField(fields, FieldRisk),
		Mapping:   firstField(fields, FieldMapping),
		Gate:      firstField(fields, FieldGate),
	}
	if s.Risk != nil {
		s.RiskClass = riskClass(s.Risk.Value)
	}
	return s
}

// ReadTask reads a task file: all of it is one record, a second title in the middle included.
func ReadTask(src []byte) *TaskFile {
	p := scan(src)
	t := &TaskFile{}
	// A heading that is not the first one can't be the title of a task (see titleBlock for READMEs).
	from := 0
	if i := p.titleBlock(); i >= 0 && p.firstHeading() == i {
		t.Record = p.record(i)
		from = i + 1
	}
	t.Span = Span{0, len(src)}
	p.readRecord(&t.Record, from, len(p.blocks), len(src))
	t.Variables = p.variables()
	t.Doc = p.Doc
	return t
}
