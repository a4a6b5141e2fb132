package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// awake returns the compiled phrases of the languages that a text may speak.
func (m *matcher) awake(text string) []map[string][]pattern {
	folded := foldWord(text, strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0)
	var firsts []map[string][]pattern
	for i := range m.groups {
		if m.groups[i].awake(folded) {
			firsts = append(firsts, m.groups[i].first())
		}
	}
	return firsts
}

// awake reports whether a folded text may hold a phrase of this group. Each phrase has a place where one of the cues must
// stand, or a Thai or Chinese word: a test proves that from the patterns. "fail*" is any word that begins so. A word ends at
// any sign: "isn't" is "isn" and "t".
func (g *group) awake(folded string) bool {
	if g.language == "th" || g.language == "zh" {
		return strings.ContainsFunc(folded, unspaced)
	}
	if g.cues == nil {
		return true
	}
	for word := range strings.FieldsFuncSeq(folded, func(r rune) bool { return r >= utf8.RuneSelf || !alnum(byte(r)) }) {
		if slices.ContainsFunc(g.cues, func(cue string) bool { return isCue(word, cue) }) {
			return true
		}
	}
	return false
}

func isCue(word, cue string) bool {
	stem, open := strings.CutSuffix(cue, "*")
	return word == stem || open && strings.HasPrefix(word, stem)
}
