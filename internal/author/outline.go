package author

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/planmd"
)

// ReadOutline reads an outline in JSON, when its first character is a brace, or in Markdown. What can't be read is a list of
// gaps, all of them at once; then the outline is of no use.
func ReadOutline(src []byte) (Outline, []Gap) { return readOutline(src, 0) }

// readOutline does so; in Markdown the tasks may be numbered from first on, too.
func readOutline(src []byte, first int) (Outline, []Gap) {
	text := bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '{' {
		return readJSON(src)
	}
	return readMarkdown(src, first)
}

// readMarkdown reads an outline that looks like the README of a Lite plan: sections of the plan, then a heading "Task N: title" per
// task with its sections below. planmd reads it, so that labels, numbering and languages are as free as in plans (PD-10, PD-11).
func readMarkdown(src []byte, first int) (Outline, []Gap) {
	r := planmd.ReadREADME(src)
	m := markdown{doc: &r.Doc, first: first}
	for _, p := range r.Problems {
		// A mark at the start and an odd fence are read all the same; the plan is verified later.
		if p.Kind == planmd.NotUTF8 || p.Kind == planmd.ConflictMarker || p.Kind == planmd.FenceUnclosed || p.Kind == planmd.CommentUnclosed {
			m.gap(p.Span.Start, "the outline's text is broken: "+string(p.Kind))
		}
	}
	o := Outline{
		Title: r.Title, Goal: m.body(r.Section(planmd.Goal)), Context: m.body(r.Section(planmd.Context)),
		Guidelines: m.items(r.Section(planmd.Guidelines)),
	}
	if s := r.Section(planmd.Variables); s != nil {
		o.Variables = variables(m.body(s))
	}
	if r.Execution != nil {
		o.Execution = r.Rationale
	}
	for _, g := range r.Groups {
		o.Groups = append(o.Groups, Group{Name: g.Name, Tasks: g.Tasks, Teammate: g.Teammate, Owned: g.Owned})
	}
	if s := r.Section(planmd.Selection); s != nil {
		o.Selection = m.selection(s)
	}
	o.Tasks = m.tasks(r)
	hub := planmd.ReadChildren(src)
	o.Children = m.children(hub)
	m.strays(r)
	return o, m.gaps
}

// markdown reads parts of one document.
type markdown struct {
	doc   *planmd.Doc
	gaps  []Gap
	first int // the number that the first task may have instead of 1; 0 for none
}

// gap notes what can't be read, at an offset.
func (m *markdown) gap(at int, what string) { m.gaps = append(m.gaps, Gap{m.place(at), what}) }

// place names the line of an offset, as editors count.
func (m *markdown) place(at int) string {
	line, _ := m.doc.Position(at)
	return "line " + strconv.Itoa(line)
}

// body is the text of a section, with plain line ends.
func (m *markdown) body(s *planmd.Section) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(strings.ReplaceAll(m.doc.Text(s.Body), "\r\n", "\n"))
}

// items are the items of a section's list.
func (m *markdown) items(s *planmd.Section) []string { return items(m.body(s)) }

// tasks reads the records, with or without anchors, in the order they stand; they must be numbered in it.
func (m *markdown) tasks(r *planmd.README) []Task {
	records := slices.Concat(r.Records, r.Loose)
	slices.SortFunc(records, func(a, b planmd.Record) int { return a.Head.Start - b.Head.Start })
	var tasks []Task
	first := 1
	if m.first > 0 && len(records) > 0 && records[0].ID == m.first {
		first = m.first
	}
	for i := range records {
		rec := &records[i]
		if rec.ID != i+first {
			m.gap(rec.Head.Start, fmt.Sprintf("task %d stands where task %d is expected: number them %d to N in order", rec.ID, i+first, first))
		}
		tasks = append(tasks, m.task(rec))
	}
	return tasks
}

// task reads one record. Sections that an outline need not have stay empty; rendering gives them our own words.
func (m *markdown) task(rec *planmd.Record) Task {
	t := Task{
		Title: rec.Title, place: m.place(rec.Head.Start),
		Context: m.body(rec.Section(planmd.Context)), Goal: m.body(rec.Section(planmd.Goal)),
		Read: m.items(rec.Section(planmd.Reads)), Instructions: m.items(rec.Section(planmd.Instructions)),
		Acceptance: m.items(rec.Section(planmd.Acceptance)), Outputs: m.items(rec.Section(planmd.Outputs)),
		Checklist: m.items(rec.Section(planmd.Checklist)), Rollback: m.body(rec.Section(planmd.Rollback)), Delta: m.body(rec.Section(planmd.Delta)),
		DependsOn: rec.DependsOn, HasDepends: rec.HasDepends,
	}
	if s := rec.Section(planmd.Surface); s != nil {
		t.Surface = m.surface(s)
	}
	if s := rec.Section(planmd.Validation); s != nil {
		t.Gates, t.Validation = gates(m.body(s))
	}
	return t
}

// surface reads the labelled lines of a Touched Surface, each with what is indented below it.
func (m *markdown) surface(s *planmd.Section) Surface {
	var out Surface
	for i := range s.Fields {
		f := &s.Fields[i]
		end := s.Body.End
		if i+1 < len(s.Fields) {
			end = s.Fields[i+1].Span.Start
		}
		value := afterLabel(strings.ReplaceAll(m.doc.Text(planmd.Span{Start: f.Span.Start, End: max(f.Span.Start, end)}), "\r\n", "\n"))
		switch f.Kind {
		case planmd.FieldPlanned, planmd.FieldActual:
			out.Planned = append(out.Planned, paths(value)...)
		case planmd.FieldConsumers:
			out.Consumers = oneLine(value)
		case planmd.FieldRisk:
			out.Risk = oneLine(value)
		case planmd.FieldMapping:
			out.Mapping = oneLine(value)
		case planmd.FieldGate:
			out.Gate = oneLine(value)
		}
	}
	return out
}

// afterLabel is what follows a label and its colon, on its line and on those below, the common indent taken off.
func afterLabel(text string) string {
	at := strings.IndexAny(text, ":\uff1a")
	if at < 0 {
		return ""
	}
	value := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(text[at:], ":"), "\uff1a"), "*_")
	first, below, _ := strings.Cut(value, "\n")
	if first = strings.TrimSpace(first); first != "" {
		first += "\n"
	}
	return strings.TrimSpace(first + strings.TrimPrefix(undent("\n"+below), "\n"))
}

// selection reads the labelled lines of a Format Selection.
func (m *markdown) selection(s *planmd.Section) Selection {
	var out Selection
	for i := range s.Fields {
		f := &s.Fields[i]
		for word, to := range map[string]*string{
			"scope": &out.Scope, "depend": &out.Dependencies, "detail": &out.Detail, "uncertain": &out.Uncertainties, "rationale": &out.Rationale,
		} {
			if strings.Contains(strings.ToLower(f.Label), word) {
				*to = oneLine(f.Value)
			}
		}
	}
	return out
}

// paths splits a list of paths: one per item, or separated by commas on one line.
func paths(value string) []string {
	var out []string
	for _, item := range items(value) {
		parts := []string{item}
		if !strings.Contains(item, "(") { // a remark in brackets may hold a comma
			parts = strings.Split(item, ",")
		}
		for _, p := range parts {
			if p = oneLine(p); p != "" {
				out = append(out, unquoted(p))
			}
		}
	}
	return out
}

// items splits Markdown into the items of its list: a marker at the start of a line begins one, with its box and number left
// off, and what is indented, or inside a fence, goes on with it. A paragraph is an item of its own.
func items(text string) []string {
	var list []string
	var f fence
	fresh := true // the next line of words begins an item
	for line := range strings.SplitSeq(text, "\n") {
		inside := f.inside(line)
		rest, marked := unmark(line)
		blank := strings.TrimSpace(line) == ""
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		switch {
		case !inside && marked:
			list, fresh = append(list, rest), false
		case len(list) == 0 && blank:
		case blank && !inside:
			list[len(list)-1] += "\n"
			fresh = true
		case fresh && !inside && !indented:
			list, fresh = append(list, line), false
		case len(list) == 0:
			list, fresh = append(list, line), false
		default:
			list[len(list)-1] += "\n" + line
			fresh = false
		}
	}
	for i := range list {
		list[i] = undent(strings.TrimRight(list[i], " \t\n"))
	}
	return list
}

// unmark takes the marker of a list item off: "- ", "* ", "+ ", "3. ", "3) ", and a checkbox behind it.
func unmark(line string) (rest string, marked bool) {
	digits := strings.TrimLeft(line, "0123456789")
	switch {
	case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "* "), strings.HasPrefix(line, "+ "),
		strings.HasPrefix(line, "-\t"), strings.HasPrefix(line, "*\t"), strings.HasPrefix(line, "+\t"):
		rest = line[2:]
	case digits != line && len(line)-len(digits) < 10 && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")):
		rest = digits[2:]
	default:
		return line, false
	}
	rest = strings.TrimLeft(rest, " \t")
	if len(rest) >= 4 && rest[0] == '[' && rest[2] == ']' && rest[3] == ' ' {
		rest = strings.TrimLeft(rest[4:], " \t")
	}
	return rest, true
}

// undent takes the common indent off the lines behind the first.
func undent(item string) string {
	first, rest, more := strings.Cut(item, "\n")
	if !more {
		return item
	}
	lines := strings.Split(rest, "\n")
	common := -1
	for _, l := range lines {
		if n := len(l) - len(strings.TrimLeft(l, " \t")); strings.TrimSpace(l) != "" && (common < 0 || n < common) {
			common = n
		}
	}
	for i, l := range lines {
		lines[i] = l[min(max(common, 0), len(l)):]
	}
	return first + "\n" + strings.Join(lines, "\n")
}

// gates takes the commands out of a Validation: the lines of its fenced blocks, or without any the code spans of its prose. The
// rest of the text is what is said about them.
func gates(text string) (commands []string, said string) {
	var f fence
	var rest []string
	for line := range strings.SplitSeq(text, "\n") {
		was := f.mark != ""
		switch inside := f.inside(line); {
		case inside && was && f.mark != "":
			commands = addLine(commands, strings.TrimRight(line, " \t"))
		case inside:
		default:
			rest = append(rest, line)
		}
	}
	said = strings.TrimSpace(strings.Join(rest, "\n"))
	if len(commands) > 0 {
		return commands, said
	}
	for i, span := range strings.Split(said, "`") {
		if i%2 == 1 && strings.TrimSpace(span) != "" {
			commands = append(commands, oneLine(span))
		}
	}
	return commands, said
}

// addLine adds a line of a fenced block: one that follows a backslash goes on with the command before it.
func addLine(commands []string, line string) []string {
	n := len(commands)
	switch {
	case n > 0 && strings.HasSuffix(commands[n-1], "\\"):
		commands[n-1] += "\n" + line
	case strings.TrimSpace(line) == "":
	default:
		commands = append(commands, strings.TrimSpace(line))
	}
	return commands
}

// variables reads "- NAME: value" and "NAME = value" lines, and the rows of a table.
func variables(text string) []Variable {
	var list []Variable
	for _, item := range items(text) {
		for line := range strings.SplitSeq(item, "\n") {
			if v, ok := variable(line); ok {
				list = append(list, v)
			}
		}
	}
	return list
}

// variable reads one line. A table's header and its rule are none.
func variable(line string) (Variable, bool) {
	line = strings.TrimSpace(line)
	name, value, ok := strings.Cut(line, ":")
	if cells := strings.Split(strings.Trim(line, "|"), "|"); strings.HasPrefix(line, "|") && len(cells) > 1 {
		name, value, ok = cells[0], strings.Join(cells[1:], "|"), strings.Trim(line, "|:- ") != "" && !strings.EqualFold(strings.TrimSpace(cells[0]), "variable") && !strings.EqualFold(strings.TrimSpace(cells[0]), "name")
	} else if eq, v, found := strings.Cut(line, "="); found && (!ok || len(eq) < len(name)) {
		name, value, ok = eq, v, true
	}
	name = strings.Trim(name, " \t*`{}")
	return Variable{Name: name, Value: strings.Trim(value, " \t*")}, ok && name != ""
}

// fence follows fenced code over the lines of a text.
type fence struct{ mark string }

// inside reports whether a line belongs to fenced code, its opening and closing lines included. After the opening line mark is set;
// after the closing line it is empty again.
func (f *fence) inside(line string) bool {
	t := strings.TrimLeft(line, " \t")
	run := t[:len(t)-len(strings.TrimLeft(t, "`"))]
	if run == "" {
		run = t[:len(t)-len(strings.TrimLeft(t, "~"))]
	}
	switch {
	case f.mark == "" && len(run) >= 3 && !(run[0] == '`' && strings.Contains(t[len(run):], "`")):
		f.mark = run
		return true
	case f.mark == "":
		return false
	case len(run) >= len(f.mark) && run[0] == f.mark[0] && strings.TrimSpace(t[len(run):]) == "":
		f.mark = ""
	}
	return true
}
