package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one word, number or sign of a text. Thai and Chinese, which write no spaces, have one
// token per character, so that the same patterns serve every script.
type token struct {
	fold       string // lower case, Latin accents dropped, full-width forms as ASCII
	start, end int    // bytes of the text
}

// number tells what number a token is: -1 when none, else 0 or 1 for zero or more.
func (t token) number() int {
	n := -1
	for i := range len(t.fold) {
		switch c := t.fold[i]; {
		case c == ',' && i > 0:
		case '0' <= c && c <= '9':
			if n < 0 {
				n = 0
			}
			if c != '0' {
				n = 1
			}
		default:
			return -1
		}
	}
	return n
}

// scanner cuts a text into clauses, the unit in which phrases are looked for: what stands on the
// other side of a full stop or a comma is about something else.
type scanner struct {
	text   string
	pos    int
	tokens []token // of the current clause; reused
}

// clauseLimit bounds the memory for a text without any full stop. No phrase is near that long.
const clauseLimit = 512

// clause reads the next clause that has tokens; false at the end of the text.
func (s *scanner) clause() bool {
	s.tokens = s.tokens[:0]
	for s.pos < len(s.text) && len(s.tokens) < clauseLimit {
		r, size := utf8.DecodeRuneInString(s.text[s.pos:])
		switch {
		case wordRune(r):
			s.word(r)
		case s.ends(r, size):
			s.pos += size
			if len(s.tokens) > 0 {
				return true
			}
		default:
			if sign := signOf(r); sign != "" {
				s.tokens = append(s.tokens, token{sign, s.pos, s.pos + size})
			}
			s.pos += size
		}
	}
	return len(s.tokens) > 0
}

// signOf keeps the signs that tie a name to its value ("ran=0/0", "failed: 3").
func signOf(r rune) string {
	switch r {
	case ':', '\uff1a':
		return ":"
	case '=', '\uff1d':
		return "="
	case '/', '\uff0f':
		return "/"
	}
	return ""
}

// ends reports whether a sign ends the clause.
func (s *scanner) ends(r rune, size int) bool {
	switch r {
	case '\n', '\r', '.', ',', ';', '!', '?', '(', ')', '[', ']', '{', '}', '|', '—', '–', '。', '，', '；', '、', '（', '）', '！', '？', '·':
		return true
	case '-':
		// A dash between spaces, not the hyphen of "re-run".
		return s.pos > 0 && s.text[s.pos-1] == ' ' && strings.HasPrefix(s.text[s.pos+size:], " ")
	}
	return false
}

// word reads one token.
func (s *scanner) word(first rune) {
	start := s.pos
	if unspaced(first) {
		s.pos += utf8.RuneLen(first)
		s.tokens = append(s.tokens, token{s.text[start:s.pos], start, s.pos})
		return
	}
	ascii := true
	for s.pos < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.pos:])
		if unspaced(r) || !wordRune(r) && !s.inner(r, size) {
			break
		}
		ascii = ascii && r < utf8.RuneSelf
		s.pos += size
	}
	s.tokens = append(s.tokens, token{foldWord(s.text[start:s.pos], ascii), start, s.pos})
}

// inner reports whether a sign belongs to the word around it: "didn't", "0.8s", "2,936", "main_test.go".
func (s *scanner) inner(r rune, size int) bool {
	next, _ := utf8.DecodeRuneInString(s.text[s.pos+size:])
	switch r {
	case '\'', '\u2019', '_':
		return wordRune(next)
	case '.':
		// "1..0" is TAP's plan of no tests.
		return wordRune(next) && !unspaced(next) || strings.HasPrefix(s.text[s.pos:], "..0")
	case ',':
		prev := s.text[s.pos-1]
		return '0' <= prev && prev <= '9' && '0' <= next && next <= '9'
	}
	return false
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

func unspaced(r rune) bool { return r >= '\u0e00' && unicode.In(r, unicode.Thai, unicode.Han) }

func foldWord(word string, ascii bool) string {
	if ascii {
		return strings.ToLower(word)
	}
	return strings.Map(foldRune, word)
}

// foldRune drops what people leave out when they type in a hurry: the accents of Portuguese and Spanish.
func foldRune(r rune) rune {
	switch {
	case '\u0300' <= r && r <= '\u036f':
		return -1
	case '\uff01' <= r && r <= '\uff5e':
		r -= '\uff01' - '!'
	case r == '\u2019':
		return '\''
	}
	switch r = unicode.ToLower(r); r {
	case 'á', 'à', 'â', 'ã', 'ä':
		return 'a'
	case 'é', 'è', 'ê', 'ë':
		return 'e'
	case 'í', 'ì', 'î', 'ï':
		return 'i'
	case 'ó', 'ò', 'ô', 'õ', 'ö':
		return 'o'
	case 'ú', 'ù', 'û', 'ü':
		return 'u'
	case 'ç':
		return 'c'
	case 'ñ':
		return 'n'
	}
	return r
}
