package planmd

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// labels finds whole labels. Names in strict match as a whole only, the others
// with a qualifier behind them too. Both are sorted by text.
type labels[K ~string] struct{ free, strict []entry[K] }

// entry is a folded word or phrase and what it means.
type entry[K ~string] struct {
	text string
	kind K
}

// pairs is a row of names made of two words: any of left, sep, any of right; with both also the other way round.
type pairs struct {
	kind             SectionKind
	lang             string
	left, sep, right string
	both             bool
}

// separators end a label's name and begin its qualifier.
const separators = "([{—:/&|,;、"

// find returns what a label names: the whole label first, then the part before each separator, the longest
// first, so that "Completion & Log (final)" is not read as "Completion". The zero kind when none.
func (l labels[K]) find(label string) K {
	text := foldLabel(label)
	if kind := l.whole(text); kind != "" {
		return kind
	}
	for {
		// From the end, so that the longest name in front wins.
		cut := strings.LastIndexAny(text, separators)
		if cut <= 0 {
			return ""
		}
		text = trimLabel(text[:cut])
		if kind := lookup(l.free, text); kind != "" {
			return kind
		}
	}
}

// exact returns what a label names as a whole.
func (l labels[K]) exact(label string) K { return l.whole(foldLabel(label)) }

func (l labels[K]) whole(text string) K {
	if kind := lookup(l.strict, text); kind != "" {
		return kind
	}
	return lookup(l.free, text)
}

func lookup[K ~string](sorted []entry[K], text string) K {
	i, ok := slices.BinarySearchFunc(sorted, text, func(e entry[K], text string) int { return strings.Compare(e.text, text) })
	if !ok {
		return ""
	}
	return sorted[i].kind
}

// lexicon finds words and phrases inside a folded text. It is sorted by first character; of those that begin with
// the same one the longest stands first.
type lexicon[K ~string] []entry[K]

// mood says how a text speaks of the word it holds.
type mood int

const (
	plain   mood = iota
	denied       // "not approved", "to be completed": it is not so, or not yet
	partial      // "partially completed"
)

// hit is a word found in a text.
type hit[K ~string] struct {
	kind       K
	start, end int
	mood       mood
}

// all returns the words of the lexicon in a folded text, in order, without overlap. Words of spaced scripts
// count only as whole words: "appending" holds no "pending" (C109).
func (l lexicon[K]) all(text string) []hit[K] {
	var hits []hit[K]
	prev := ' '
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if e, ok := l.at(text, i, r, prev); ok {
			// The mood costs a look back; only words that were found pay for it.
			m := moodBefore(text[:i])
			hits = append(hits, hit[K]{e.kind, i, i + len(e.text), m})
			i += len(e.text)
			prev, _ = utf8.DecodeLastRuneInString(e.text)
			continue
		}
		prev = r
		i += size
	}
	return hits
}

// start returns the word a folded text begins with, after punctuation.
func (l lexicon[K]) start(text string) (hit[K], bool) {
	from := strings.IndexFunc(text, wordRune)
	if from < 0 {
		return hit[K]{}, false
	}
	r, _ := utf8.DecodeRuneInString(text[from:])
	e, ok := l.at(text, from, r, ' ')
	return hit[K]{kind: e.kind, start: from, end: from + len(e.text)}, ok
}

func (l lexicon[K]) at(text string, i int, r, prev rune) (entry[K], bool) {
	if wordRune(prev) && !unspaced(r) {
		return entry[K]{}, false
	}
	from, _ := slices.BinarySearchFunc(l, r, func(e entry[K], r rune) int { return cmp.Compare(initial(e.text), r) })
	for _, e := range l[from:] {
		if initial(e.text) != r {
			break
		}
		if strings.HasPrefix(text[i:], e.text) && ends(text, i+len(e.text)) {
			return e, true
		}
	}
	return entry[K]{}, false
}

func initial(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// ends reports whether a word that stops at i is whole.
func ends(text string, i int) bool {
	last, _ := utf8.DecodeLastRuneInString(text[:i])
	next, size := utf8.DecodeRuneInString(text[i:])
	return size == 0 || unspaced(last) || unspaced(next) || !wordRune(next)
}

// moodBefore reads the last words of the clause in front of a word.
func moodBefore(text string) mood {
	if cut := strings.LastIndexAny(text, "().,;:—|/"); cut >= 0 {
		_, size := utf8.DecodeRuneInString(text[cut:])
		text = text[cut+size:]
	}
	// Three words reach over "has not yet been", and not over a sentence.
	words := strings.Fields(text)
	words = words[max(0, len(words)-3):]
	for i, w := range words {
		if slices.Contains(deniers, w) || i+1 < len(words) && slices.Contains(comers, w+" "+words[i+1]) {
			return denied
		}
		if slices.Contains(partials, w) || strings.HasSuffix(w, "%") && w != "100%" {
			return partial
		}
	}
	for _, suffix := range unspacedDeniers {
		if strings.HasSuffix(strings.TrimSpace(text), suffix) {
			return denied
		}
	}
	return plain
}
