package author

import (
	"strconv"
	"strings"
)

// page gathers the text of a file.
type page struct{ strings.Builder }

// paragraph adds a block of text and an empty line.
func (p *page) paragraph(text string) {
	if text = strings.TrimSpace(text); text != "" {
		p.WriteString(text + "\n\n")
	}
}

// heading adds a heading.
func (p *page) heading(level int, text string) {
	p.paragraph(strings.Repeat("#", level) + " " + text)
}

// bullets adds a list; mark is "- " or "- [ ] ".
func (p *page) bullets(mark string, list []string) {
	for _, item := range list {
		p.WriteString(hang(mark, item, 2))
	}
	p.WriteString("\n")
}

// numbered adds a numbered list.
func (p *page) numbered(list []string) {
	for i, item := range list {
		mark := strconv.Itoa(i+1) + ". "
		p.WriteString(hang(mark, item, len(mark)))
	}
	p.WriteString("\n")
}

// text ends a file with one line end.
func (p *page) text() string { return strings.TrimRight(p.String(), "\n") + "\n" }

// hang writes an item of a list, its further lines indented below the first.
func hang(mark, item string, indent int) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(item), "\n") {
		switch {
		case i == 0:
			b.WriteString(mark)
		case strings.TrimSpace(line) != "":
			b.WriteString(strings.Repeat(" ", indent))
		}
		b.WriteString(strings.TrimRight(line, " \t\r") + "\n")
	}
	return b.String()
}

// field is a labelled line.
func field(label, value string) string { return "**" + label + ":** " + value }

// nest moves the headings of a text below level, all by the same step, so that they stay inside the section they are put
// into. Code is left as it is.
func nest(text string, level int) string {
	shallowest := 7
	eachHeading(text, func(_ int, depth int) { shallowest = min(shallowest, depth) })
	step := level + 1 - shallowest
	if shallowest > 6 || step <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	eachHeading(text, func(i int, depth int) {
		rest := strings.TrimLeft(lines[i], " #")
		lines[i] = strings.Repeat("#", min(depth+step, 6)) + " " + rest
	})
	return strings.Join(lines, "\n")
}

// eachHeading calls back for each heading of the form "## text" outside fenced code, with its line and depth.
func eachHeading(text string, found func(line, depth int)) {
	var f fence
	for i, line := range strings.Split(text, "\n") {
		if f.inside(line) {
			continue
		}
		t := strings.TrimLeft(line, " ")
		depth := len(t) - len(strings.TrimLeft(t, "#"))
		if len(line)-len(t) < 4 && depth >= 1 && depth <= 6 && (len(t) == depth || t[depth] == ' ' || t[depth] == '\t') {
			found(i, depth)
		}
	}
}

// hasHeading reports whether a text has a heading of its own.
func hasHeading(text string) bool {
	has := false
	eachHeading(text, func(int, int) { has = true })
	return has
}

// code fences commands; the fence is longer than any in them.
func code(commands []string) string {
	text := strings.Join(commands, "\n")
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + "sh\n" + text + "\n" + mark
}

// escape keeps brackets of a title from being read as a link, and bars from being read as a table's.
func escape(title string) string {
	return strings.NewReplacer("[", "\\[", "]", "\\]", "|", "\\|").Replace(title)
}

// quoted puts a path into a code span; what is more than a path stays as it is.
func quoted(path string) string {
	if strings.ContainsAny(path, " `\t\n") {
		return oneLine(path)
	}
	return "`" + path + "`"
}

// unquoted is a path without the code span that somebody put it into, so that one path is compared and written in one way (AG-6, LF-10).
func unquoted(path string) string {
	path = strings.TrimSpace(path)
	if in, ok := strings.CutPrefix(path, "`"); ok {
		if in, ok = strings.CutSuffix(in, "`"); ok && in != "" && !strings.Contains(in, "`") {
			return in
		}
	}
	return path
}

// quotedList is quoted for several paths.
func quotedList(paths []string) string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = quoted(p)
	}
	return strings.Join(out, ", ")
}

// numberList is "1, 3", as a Depends on line has it.
func numberList(ids []int) string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = strconv.Itoa(id)
	}
	return strings.Join(out, ", ")
}

// or is a text, or else another one for none.
func or(text, other string) string {
	if text = strings.TrimSpace(text); text == "" {
		return other
	}
	return text
}
