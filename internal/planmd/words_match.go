package planmd

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// labels finds whole labels. Names in strict match as a whole only, the others
// with a qualifier behind them too.
type labels[K ~string] struct{ free, strict map[string]K }

// pairs is a row of names made of two words: any of left, sep, any of right; with both also the other way round.
type pairs struct {
	kind             SectionKind
	lang             string
	left, sep, right string
	both             bool
}

func newLabels[K ~string](free, strict []row[K]) labels[K] {
	return labels[K]{free: index(free), strict: index(strict)}
}

// newSections is the table of section names. A name that stands in a list of its own keeps its meaning.
func newSections() labels[SectionKind] {
	l := newLabels(sectionRows, sectionExact)
	add := func(kind SectionKind, name string) {
		name = foldLabel(name)
		if l.whole(name) == "" {
			l.free[name] = kind
		}
	}
	for _, p := range sectionPairs {
		for left := range strings.SplitSeq(p.left, "|") {
			for right := range strings.SplitSeq(p.right, "|") {
				add(p.kind, left+p.sep+right)
				if p.both {
					add(p.kind, right+p.sep+left)
				}
			}
		}
	}
	return l
}

func index[K ~string](rows []row[K]) map[string]K {
	m := make(map[string]K)
	for _, r := range rows {
		for word := range strings.SplitSeq(r.words, "|") {
			m[foldLabel(word)] = r.kind
		}
	}
	return m
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
		if kind := l.free[text]; kind != "" {
			return kind
		}
	}
}

// exact returns what a label names as a whole.
func (l labels[K]) exact(label string) K { return l.whole(foldLabel(label)) }

func (l labels[K]) whole(text string) K {
	if kind := l.strict[text]; kind != "" {
		return kind
	}
	return l.free[text]
}

// lexicon finds words and phrases inside a folded text, by their first character.
type lexicon[K ~string] map[rune][]entry[K]

type entry[K ~string] struct {
	kind K
	text string // folded
}

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

func newLexicon[K ~string](rows []row[K]) lexicon[K] {
	l := make(lexicon[K])
	for _, r := range rows {
		for word := range strings.SplitSeq(r.words, "|") {
			text := fold(word)
			first, _ := utf8.DecodeRuneInString(text)
			l[first] = append(l[first], entry[K]{r.kind, text})
		}
	}
	for _, entries := range l {
		// The longest phrase wins where several begin.
		slices.SortStableFunc(entries, func(a, b entry[K]) int { return len(b.text) - len(a.text) })
	}
	return l
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
	for _, e := range l[r] {
		if strings.HasPrefix(text[i:], e.text) && ends(text, i+len(e.text)) {
			return e, true
		}
	}
	return entry[K]{}, false
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
