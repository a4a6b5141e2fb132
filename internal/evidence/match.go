package evidence

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// phrase is one form of words with its proof: a test runs every example and counter-example, so that adding a
// phrase is adding data.
//
// A pattern is a row of terms: "a|b" alternatives (did_not: several words), a "?" behind makes the term optional,
// "<name>" stands for a list of words, "~" for up to three words of any kind, "^" for the start of a clause, "$" for its
// end, "^^" and "$$" for those of the whole text, "#" for a number above zero, "0" for zero, "!a|b" for a place where none of
// these follows, "=FAIL" for a word in exactly this case, "@" for a word written as a name, "ts*", not as the first, for a word that
// begins so. Words are written without accents.
type phrase struct {
	pattern  string
	language string
	strength strength
	examples []string // a text that holds this phrase, and where it weighs
	counters []string // a text near it that must not be taken
}

// strength says what a phrase proves.
type strength int

const (
	proof strength = iota
	// alone is proof in a text that tells of no run, and a hint beside "14 passed": then it
	// is about a part ("slow tests not run") or about the product.
	alone
	hint
)

// topic is a set of phrases that answer one question.
type topic struct {
	phrases []phrase          // those of one language together
	lists   map[string]string // words behind "<name>", separated by "|"
	cues    map[string]string // per language, separated by "|": a text without any of these words holds none of its phrases
	before  []string          // words that deny a phrase when they stand directly before it
	after   []string          // words that deny it directly after it
	claims  []string          // words earlier in the clause that make it a statement about the product
}

// term is one place of a compiled pattern.
type term struct {
	words    [][]string // alternatives
	optional bool
	gap      bool
	start    bool
	end      bool
	whole    bool // with start or end: of the text, not of the clause
	none     bool // none of the words may follow
}

type pattern struct {
	*phrase
	terms []term
}

// matcher looks for the phrases of a topic. The phrases of a language are compiled for the first text with one of its
// cues: most texts have none, and a program that starts for one plan would spend more on compiling than on reading it.
type matcher struct {
	groups []group // by language, in the order of the topic
	claims []string
	denial func() denial
}

// denial is what stands around a phrase that is denied.
type denial struct{ before, after [][]string }

// group is the phrases of one language. Patterns are filed under each word they can begin with.
type group struct {
	language string
	cues     []string // nil when any text may hold a phrase
	first    func() map[string][]pattern
}

// compile makes a matcher. The phrases themselves wait for a text that needs them.
func compile(t topic) *matcher {
	m := &matcher{claims: t.claims}
	m.denial = sync.OnceValue(func() denial { return denial{wordsOf(t.before), wordsOf(t.after)} })
	for rest := t.phrases; len(rest) > 0; {
		language := rest[0].language
		end := slices.IndexFunc(rest, func(p phrase) bool { return p.language != language })
		if end < 0 {
			end = len(rest)
		}
		phrases := rest[:end]
		rest = rest[end:]
		g := group{language: language, first: sync.OnceValue(func() map[string][]pattern { return file(phrases, t.lists) })}
		if cues := t.cues[language]; cues != "" {
			g.cues = strings.Split(cues, "|")
		}
		m.groups = append(m.groups, g)
	}
	return m
}

// file compiles phrases. Each list of words is cut into tokens once, however many patterns name it.
func file(phrases []phrase, lists map[string]string) map[string][]pattern {
	first, read := map[string][]pattern{}, map[string][][]string{}
	list := func(name string) [][]string {
		if read[name] == nil {
			read[name] = wordsOf(strings.Split(lists[name], "|"))
		}
		return read[name]
	}
	for i := range phrases {
		p := pattern{&phrases[i], parse(phrases[i].pattern, list)}
		for _, word := range firsts(p.terms) {
			first[word] = append(first[word], p)
		}
	}
	return first
}

// parse reads a pattern; list gives the words behind a "<name>".
func parse(text string, list func(name string) [][]string) []term {
	var terms []term
	for word := range strings.FieldsSeq(text) {
		switch word {
		case "^", "^^":
			terms = append(terms, term{start: true, whole: word == "^^"})
			continue
		case "$", "$$":
			terms = append(terms, term{end: true, whole: word == "$$"})
			continue
		case "~":
			terms = append(terms, term{gap: true})
			continue
		}
		word, none := strings.CutPrefix(word, "!")
		word, optional := strings.CutSuffix(word, "?")
		var all [][]string
		for alt := range strings.SplitSeq(word, "|") {
			if listed, ok := strings.CutPrefix(alt, "<"); ok {
				all = append(all, list(strings.TrimSuffix(listed, ">"))...)
				continue
			}
			all = append(all, tokensOf(alt))
		}
		terms = append(terms, term{words: longestFirst(all), optional: optional, none: none})
	}
	return terms
}

// wordsOf cuts alternatives into the tokens a text would give.
func wordsOf(alts []string) [][]string {
	out := make([][]string, 0, len(alts))
	for _, alt := range alts {
		out = append(out, tokensOf(alt))
	}
	return longestFirst(out)
}

func tokensOf(alt string) []string {
	var words []string
	for piece := range strings.FieldsSeq(strings.ReplaceAll(alt, "_", " ")) {
		words = append(words, pieces(piece)...)
	}
	return words
}

// longestFirst puts "not yet" before "not".
func longestFirst(alts [][]string) [][]string {
	slices.SortStableFunc(alts, func(a, b []string) int { return len(b) - len(a) })
	return alts
}

func pieces(piece string) []string {
	if piece == "#" || piece == name || len(piece) > 1 && (piece[0] == '=' || strings.HasSuffix(piece, "*")) {
		return []string{piece}
	}
	var words []string
	for s := (scanner{text: piece}); s.clause(); {
		for _, t := range s.tokens {
			words = append(words, t.fold)
		}
	}
	return words
}

// firsts lists the words a pattern can begin with; exact-case words are filed in lower case.
func firsts(terms []term) []string {
	var out []string
	for _, t := range terms {
		if t.none {
			continue
		}
		for _, words := range t.words {
			if word := words[0]; len(word) > 1 && word[0] == '=' {
				out = append(out, strings.ToLower(word[1:]))
			} else {
				out = append(out, word)
			}
		}
		if t.words != nil && !t.optional && !t.none {
			break
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// find returns the first proof in a text, else the first hint. ran tells whether the text elsewhere
// speaks of a run; it is asked only when that decides.
func (m *matcher) find(text string, ran func(string) bool) (Match, bool) {
	firsts := m.awake(text)
	if len(firsts) == 0 {
		return Match{}, false
	}
	var weak *Match
	// Asked at most once, which keeps a long text linear.
	asked, did := false, false
	s := scanner{text: text}
	for s.clause() {
		for i := range s.tokens {
			for p, end := range m.starting(firsts, text, s.tokens, i) {
				found := Match{text[s.tokens[i].start:s.tokens[end-1].end], p.language, p.strength != proof}
				if p.strength == alone {
					if !asked {
						asked, did = true, ran(text)
					}
					found.Hint = did
				}
				if !found.Hint {
					return found, true
				}
				if weak == nil {
					weak = &found
				}
			}
		}
	}
	if weak != nil {
		return *weak, true
	}
	return Match{}, false
}

// starting goes through the patterns that match at a token, with the token behind each match.
func (m *matcher) starting(firsts []map[string][]pattern, text string, tokens []token, i int) iter.Seq2[pattern, int] {
	return func(yield func(pattern, int) bool) {
		for _, word := range []string{initial(tokens[i]), name} {
			for _, first := range firsts {
				for _, p := range first[word] {
					if end, ok := m.at(p, text, tokens, i); ok && !yield(p, end) {
						return
					}
				}
			}
		}
	}
}

// initial is the word under which patterns that can begin at a token are filed.
func initial(t token) string {
	switch n := t.number(); {
	case n > 0:
		return "#"
	case n == 0:
		return "0"
	}
	return t.fold
}

// at matches a pattern at a token and weighs the words around it.
func (m *matcher) at(p pattern, text string, tokens []token, i int) (int, bool) {
	end, ok := walk(p.terms, text, tokens, i, i, m.claims)
	if !ok || end == i || m.claims != nil && quoted(text, tokens, i, end) {
		return 0, false
	}
	for _, words := range m.denial().after {
		if has(tokens[end:], words) {
			return 0, false
		}
	}
	for _, words := range m.denial().before {
		if denies(tokens[:i], words) {
			return 0, false
		}
	}
	return end, p.strength == proof || !m.claimed(tokens[:i])
}

// quoted reports whether a sentence only quotes a phrase: the label "Not run" is shown. A quotation that is the clause, or
// the value of a name, is said and not quoted. It is asked where a topic has claims: where the product may be the subject.
func quoted(text string, tokens []token, i, end int) bool {
	if i == 0 && end == len(tokens) || i > 0 && (tokens[i-1].fold == ":" || tokens[i-1].fold == "=") {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:tokens[i].start])
	after, _ := utf8.DecodeRuneInString(text[tokens[end-1].end:])
	const opening, closing = "\"'`\u201c\u2018\u00ab\u300c", "\"'`\u201d\u2019\u00bb\u300d"
	return strings.ContainsRune(opening, before) && strings.ContainsRune(closing, after)
}

// margin is how many bytes of signs may stand around a whole text.
const margin = 16

// wordless reports whether a text has no words, as what stands before or behind a phrase that is the whole text.
func wordless(text string) bool {
	return len(text) <= margin && !strings.ContainsFunc(text, wordRune)
}

// auxiliaries may stand between a denied noun and its verb: "no test was (not executed)".
var auxiliaries = []string{"was", "were", "has", "have", "been", "foi", "foram", "fue", "fueron", "se"}

// denies reports whether a denying word stands before a phrase: directly, or with its noun between, and then
// an auxiliary. A colon parts them: "no docker: not run".
func denies(tokens []token, words []string) bool {
	for gap := 0; gap <= 2; gap++ {
		from := len(tokens) - len(words) - gap
		if from < 0 {
			return false
		}
		if has(tokens[from:], words) {
			return true
		}
		next := tokens[len(tokens)-1-gap].fold
		if next == ":" || gap == 1 && !slices.Contains(auxiliaries, tokens[len(tokens)-1].fold) {
			return false
		}
	}
	return false
}

func (m *matcher) claimed(tokens []token) bool {
	for _, t := range tokens[max(0, len(tokens)-12):] {
		if slices.Contains(m.claims, t.fold) {
			return true
		}
	}
	return false
}

func has(tokens []token, words []string) bool {
	if len(tokens) < len(words) {
		return false
	}
	for i, word := range words {
		if !same(word, tokens[i]) {
			return false
		}
	}
	return true
}

func same(word string, t token) bool {
	switch word {
	case "#":
		return t.number() > 0
	case "0":
		return t.number() == 0
	}
	if stem, ok := strings.CutSuffix(word, "*"); ok {
		return strings.HasPrefix(t.fold, stem)
	}
	return word == t.fold
}

// walk matches the terms from a token on and returns where it ends. The work per token is bounded by the pattern.
func walk(terms []term, text string, tokens []token, first, i int, claims []string) (int, bool) {
	if len(terms) == 0 {
		return i, true
	}
	t, rest := terms[0], terms[1:]
	switch {
	case t.start:
		if first != 0 && tokens[first-1].fold != ":" && tokens[first-1].fold != "=" {
			return 0, false
		}
		if t.whole && !wordless(text[:tokens[first].start]) {
			return 0, false
		}
		return walk(rest, text, tokens, first, i, claims)
	case t.end:
		if i < len(tokens) && tokens[i].fold != ":" {
			return 0, false
		}
		if t.whole && i > 0 && !wordless(text[tokens[i-1].end:]) {
			return 0, false
		}
		return walk(rest, text, tokens, first, i, claims)
	case t.none:
		for _, words := range t.words {
			if taken(words, text, tokens[i:]) {
				return 0, false
			}
		}
		return walk(rest, text, tokens, first, i, claims)
	case t.gap:
		return leap(rest, text, tokens, first, i, claims)
	}
	for _, words := range t.words {
		if taken(words, text, tokens[i:]) {
			if end, ok := walk(rest, text, tokens, first, i+len(words), claims); ok {
				return end, true
			}
		}
	}
	if t.optional {
		return walk(rest, text, tokens, first, i, claims)
	}
	return 0, false
}

// leap tries the rest of a pattern after zero to three words that claim nothing.
func leap(rest []term, text string, tokens []token, first, i int, claims []string) (int, bool) {
	for n := 0; n <= 3 && i+n <= len(tokens); n++ {
		if end, ok := walk(rest, text, tokens, first, i+n, claims); ok {
			return end, true
		}
		if i+n < len(tokens) && slices.Contains(claims, tokens[i+n].fold) {
			break
		}
	}
	return 0, false
}

// name is the word of a pattern that any word written as a name is.
const name = "@"

func taken(words []string, text string, tokens []token) bool {
	if len(words) == 1 && words[0] == name {
		return len(tokens) > 0 && properName(text[tokens[0].start:tokens[0].end])
	}
	if len(words) == 1 && len(words[0]) > 1 && words[0][0] == '=' {
		return len(tokens) > 0 && text[tokens[0].start:tokens[0].end] == words[0][1:]
	}
	return has(tokens, words)
}
