package planmd

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Labels and status values are short. What stands beyond these many bytes is prose and
// is not looked at, which keeps hostile input linear.
const (
	labelLimit = 256
	valueLimit = 512
)

// fold reduces a text to the form in which words are compared: compatibility-normalised (full-width
// forms become ASCII), lower case, Latin accents dropped ("Criterios de aceitacao"), emphasis marks, emoji and
// invisible characters dropped, hyphens inside words a space, every dash " — ", white space collapsed.
// Thai vowel and tone marks stay: they make the word.
func fold(text string) string {
	ascii := isASCII(text)
	if !ascii {
		text = norm.NFKD.String(text)
	}
	var room [64]byte // for most labels
	b := room[:0]
	gap, last := false, rune(0)
	for i, r := range text {
		r = foldRune(r)
		if r == '-' && !dashAt(text, i) {
			r = ' '
		}
		switch {
		case r < 0:
			continue
		case r == ' ':
			gap = true
			continue
		case r == '-' || r == '—':
			if last == '—' {
				continue
			}
			r = '—'
			gap = true
		}
		if gap && len(b) > 0 && !joined(last, r) {
			b = append(b, ' ')
		}
		b = utf8.AppendRune(b, r)
		gap, last = r == '—', r
	}
	if ascii {
		return string(b)
	}
	return norm.NFC.String(string(b))
}

// foldRune maps one character: -1 drops it, ' ' is a gap.
func foldRune(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
		return r
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r == '*' || r == '`' || r == '~' || r == '\\':
		return -1
	case r == '_' || unicode.IsSpace(r):
		return ' '
	case r < utf8.RuneSelf:
		return r
	case '\u0300' <= r && r <= '\u036f', unicode.In(r, unicode.Cf, unicode.Me, unicode.Variation_Selector):
		return -1
	case '\u2010' <= r && r <= '\u2011':
		return '-'
	case '\u2012' <= r && r <= '\u2015', r == '\u2212':
		return '—'
	case unicode.In(r, unicode.So, unicode.Sk, unicode.Zs):
		return ' '
	}
	return unicode.ToLower(r)
}

// dashAt tells a hyphen that separates (" - ", "--") from one inside a word ("pre-approved").
func dashAt(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	_, size := utf8.DecodeRuneInString(text[i:])
	after, _ := utf8.DecodeRuneInString(text[i+size:])
	return !wordRune(before) || !wordRune(after)
}

// joined reports whether white space between two characters means nothing: Thai and Chinese write
// words without it, so that one typed or dropped must not make another label.
func joined(a, b rune) bool { return unspaced(a) && unspaced(b) }

func unspaced(r rune) bool { return r >= '\u0e00' && unicode.In(r, unicode.Thai, unicode.Han) }

// wordRune reports whether a character can be part of a word. The Hangul fillers are letters by class
// and white space by look.
func wordRune(r rune) bool {
	if r == '\u3164' || r == '\u115f' || r == '\u1160' || r == '\uffa0' {
		return false
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// foldValue folds the start of a field's value.
func foldValue(value string) string { return strings.TrimSpace(fold(head(value, valueLimit))) }

// head cuts a text to a number of bytes, at a character's start.
func head(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// foldLabel folds a heading or label: link target, anchor, numbering and outer punctuation go, "and" in
// any language becomes "&".
func foldLabel(label string) string {
	text := fold(unlink(head(strings.TrimSpace(label), labelLimit)))
	if i := strings.LastIndexByte(text, '{'); i > 0 && strings.HasSuffix(text, "}") {
		text = text[:i]
	}
	text = trimLabel(unnumber(trimLabel(text)))
	return ampersand(strings.TrimPrefix(text, "the "))
}

// unlink replaces "[text](target)" around a whole label by its text.
func unlink(label string) string {
	if !strings.HasPrefix(label, "[") || !strings.HasSuffix(label, ")") {
		return label
	}
	text, _, ok := strings.Cut(label[1:], "](")
	if !ok {
		return label
	}
	return text
}

// trimLabel drops the punctuation around a label: colons, closing #s, brackets of any script.
func trimLabel(text string) string {
	text = strings.TrimLeft(text, " #§—:.>+|!【「『《〈·•")
	return strings.TrimRight(text, " #—:.,;!?|】」』》〉。、·")
}

// unnumber drops a numbering in front: "4. ", "3) ", "1.2 ", "(2) ", "iv. ", "一、". A number that is part
// of the word ("3d") stays.
func unnumber(text string) string {
	// "Section 3: Goal". A word for Task, Step or Phase is no numbering: what follows is about that step.
	for _, word := range [...]string{"section ", "seccion ", "secao "} {
		if after, ok := strings.CutPrefix(text, word); ok && after != "" && '0' <= after[0] && after[0] <= '9' {
			text = after
		}
	}
	rest := strings.TrimPrefix(text, "(")
	end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsDigit(r) && r != '.' })
	if end <= 0 {
		end = ordinal(rest)
	}
	if end <= 0 {
		return text
	}
	tail := strings.TrimLeft(rest[end:], ".):、—]")
	if tail == rest[end:] && rest[end-1] != '.' && !strings.HasPrefix(tail, " ") {
		return text
	}
	return strings.TrimLeft(tail, " —:")
}

// ordinal returns the length of a Roman or Chinese numeral or a single letter that is
// followed by a numbering mark, or 0.
func ordinal(text string) int {
	end := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("ivx一二三四五六七八九十", r) })
	if end <= 0 && text != "" && 'a' <= text[0] && text[0] <= 'h' {
		end = 1
	}
	if end <= 0 {
		return 0
	}
	if mark, _ := utf8.DecodeRuneInString(text[end:]); !strings.ContainsRune(".)、", mark) {
		return 0
	}
	return end
}

// ampersand writes every "and" as "&" without white space around it.
func ampersand(text string) string {
	if isASCII(text) && !joins(text) {
		return text // as most labels
	}
	words := strings.Split(text, " ")
	for i, w := range words {
		if isAnd(w) {
			words[i] = "&"
		}
	}
	text = strings.Join(words, " ")
	for _, and := range []string{"และ", "与", "與", "和", "及"} {
		text = strings.ReplaceAll(text, and, "&")
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, " &", "&"), "& ", "&")
}

func isAnd(word string) bool { return word == "and" || word == "y" || word == "e" || word == "+" }

// joins reports whether an ASCII text holds a sign or word for "and".
func joins(text string) bool {
	for word := range strings.SplitSeq(text, " ") {
		if isAnd(word) {
			return true
		}
	}
	return strings.Contains(text, "&")
}
