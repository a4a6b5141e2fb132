package planmd

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWordMark bounds a mark of several characters, such as "[done]", in bytes.
const maxWordMark = 16

// box reads a checkbox at the start of a list item's text: "[", one mark, "]", then white space or the end of the
// line. "[ ]x" and "[text](url)" are none. A word as a mark counts when a task is named behind it, so that no
// task line is lost (C07, C23).
func (p *page) box(s Span) (*Box, Span, bool) {
	line := p.mask[s.Start:s.End]
	if len(line) < 2 || line[0] != '[' {
		return nil, s, false
	}
	end := 1
	for end < len(line) && end <= maxWordMark && line[end] != ']' {
		if line[end] == '[' || line[end] <= codeTick {
			return nil, s, false
		}
		end++
	}
	if end >= len(line) || line[end] != ']' {
		return nil, s, false
	}
	rest := Span{s.Start + end + 1, s.End}
	if r, _ := utf8.DecodeRune(line[end+1:]); rest.Start < rest.End && !unicode.IsSpace(r) {
		return nil, s, false
	}
	mark := string(p.Src[s.Start+1 : s.Start+end])
	rest = p.trim(rest)
	// "[done] Task 3" is a box with a word in it, "[done] x" a remark in brackets.
	if !oneMark(mark) {
		named, ok := p.taskName(rest)
		if !ok || !named.word {
			return nil, s, false
		}
	}
	return &Box{Mark: mark, Span: Span{s.Start, s.Start + end + 1}}, rest, true
}

// oneMark reports whether a mark is nothing, white space, or one character as a reader sees it: a letter or emoji with
// what combines with it.
func oneMark(mark string) bool {
	if strings.TrimSpace(mark) == "" {
		return true
	}
	count, joined := 0, false
	for _, r := range mark {
		const joiner = '\u200d'
		switch {
		case r == joiner:
			joined = true
			continue
		case unicode.In(r, unicode.M, unicode.Cf, unicode.Sk) && count > 0 || joined:
		default:
			count++
		}
		joined = false
	}
	return count == 1
}
