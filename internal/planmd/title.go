package planmd

import (
	"strings"
	"unicode"
)

// titleOf returns the title of a task line: rest is what follows the number in the item's text. A link that stands for
// the title gives its text; links and code that only name the task's file are left out.
func (p *page) titleOf(text, rest Span) string {
	for _, l := range p.links(text) {
		if l.text.Start <= rest.Start && rest.Start <= l.text.End {
			// The number stands inside the link: "[4. z](4.task_z.md)".
			if title := trimTitle(p.plain(Span{rest.Start, l.text.End})); title != "" && !isFile(title) {
				return title
			}
			rest.Start = min(l.whole.End, rest.End)
			for rest.Start < rest.End && isEmphasisByte(p.mask[rest.Start]) {
				rest.Start++ // the end of "**[Task 7](...)**"
			}
			break
		}
	}
	// "Task 3: `3.task_x.md` — title": the name is the link, not the title (C23).
	rest = p.skipFile(rest)
	links := p.links(rest)
	if lead := rest.Start + skipMarkup(p.mask[rest.Start:rest.End]); len(links) > 0 && links[0].text.Start == lead {
		if title := trimTitle(p.plain(links[0].text)); title != "" && !isFile(title) {
			return title
		}
	}
	return trimTitle(p.withoutFiles(rest, links))
}

// skipFile skips a task file's name in code, or bare, at the start of a title, and the dash behind it.
func (p *page) skipFile(s Span) Span {
	start := s.Start + skipMarkup(p.mask[s.Start:s.End])
	if start >= s.End {
		return s
	}
	end := start
	if p.mask[start] == codeTick {
		for end < s.End && (p.mask[end] == codeTick || p.mask[end] == codeByte) {
			end++
		}
	} else {
		for end < s.End && !isBlankByte(p.mask[end]) {
			end++
		}
	}
	if !isFile(strings.Trim(string(p.Src[start:end]), "` ")) {
		return s
	}
	return p.trim(Span{end, s.End})
}

// withoutFiles returns the words of a span, the links to task files left out.
func (p *page) withoutFiles(s Span, links []link) string {
	var out strings.Builder
	// Links to other places are words of the title.
	for _, l := range links {
		if !isFile(l.target) {
			continue
		}
		out.WriteString(p.plain(Span{s.Start, l.whole.Start}))
		out.WriteByte(' ')
		s.Start = l.whole.End
	}
	out.WriteString(p.plain(s))
	return out.String()
}

func isEmphasisByte(c byte) bool { return c == '*' || c == '_' || c == '~' }

func isFile(name string) bool {
	_, ok := taskFile(name)
	return ok
}

// trimTitle drops separators in front of a title, and check marks, empty brackets and separators behind it.
func trimTitle(s string) string {
	// Agents add check marks to the title of a finished task; the title stays the same (C31).
	s = strings.TrimLeft(s, " \t:\u2014\u2013-|\u2192")
	for {
		t := strings.TrimRightFunc(s, func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune("\u2014\u2013:|\u2192", r) || isCheckMark(r)
		})
		t = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(t, "()"), "( )"), " -")
		if t == s {
			return s
		}
		s = t
	}
}

// isCheckMark reports whether a character only says that something is done.
func isCheckMark(r rune) bool {
	switch r {
	case '\u2705', '\u2714', '\u2713', '\u2611', '\ufe0f', '\ufe0e', '\U0001f389', '\u2b50':
		return true
	}
	return false
}
