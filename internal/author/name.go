package author

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"

	"github.com/deepworkplan/dwp/internal/plan"
)

const planPrefix = "PLAN_"

// The words of a plan's name (PD-2), and of the slug of a task file.
const (
	fewestWords   = 2
	mostWords     = 5
	mostTaskWords = 6
	longestWord   = 40
)

// ValidName reports whether a new plan may have a name: PD-2's form, and a name that typing it again gives.
func ValidName(name string) bool { return plan.ValidName(name) && plan.NormaliseName(name) == name }

// NameFor makes a valid name of a title in any script (C133): its first five words of a-z and 0-9, those that only join others left
// out of longer titles; where less than two are left, a digest of the title keeps names of different titles apart.
func NameFor(title string) string {
	slug := strings.TrimPrefix(plan.NormaliseName(title), planPrefix)
	words := shortWords(slug, mostWords)
	if strings.Count(slug, "_") >= mostWords {
		if telling := shortWords(tellingWords(slug), mostWords); len(telling) >= fewestWords {
			words = telling
		}
	}
	switch {
	case len(words) >= fewestWords:
	case len(words) == 1 && !dropsLetters(title):
		words = append(words, "plan")
	case len(words) == 1:
		words = append(words, digestWord(title))
	default:
		words = []string{"work", digestWord(title)}
	}
	name := planPrefix + strings.Join(words, "_")
	if !ValidName(name) { // "plan plan x": the prefix is not part of a slug
		name = planPrefix + "work_" + digestWord(title)
	}
	return name
}

// joiningWords are words that tell nothing of what a plan is about, in the languages of PD-11 that are written in a-z.
const joiningWords = " a an and as at by for from in into of on or so that the to with " +
	"as com da das de do dos e em na nas no nos o os ou para por que um uma " +
	"al con del el en la las lo los o para por que un una y "

// tellingWords is a slug without the words that only join others: cut at five words it would often end in one.
func tellingWords(slug string) string {
	var kept []string
	for w := range strings.SplitSeq(slug, "_") {
		if !strings.Contains(joiningWords, " "+w+" ") {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, "_")
}

// digestWord is eight letters and digits that stand for a title.
func digestWord(title string) string {
	sum := sha256.Sum256([]byte(title))
	return hex.EncodeToString(sum[:4])
}

// dropsLetters reports whether a title has letters that no slug keeps.
func dropsLetters(title string) bool {
	return strings.IndexFunc(title, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }) >= 0
}

// shortWords are the first words of a slug, each cut to a length that file systems take.
func shortWords(slug string, most int) []string {
	var words []string
	for w := range strings.SplitSeq(slug, "_") {
		if w != "" && len(words) < most {
			words = append(words, w[:min(len(w), longestWord)])
		}
	}
	return words
}

// taskFile is the name of a task's file. The number keeps names distinct; a title without letters of a slug
// leaves the number alone (C133).
func taskFile(n int, title string) string {
	words := shortWords(strings.TrimPrefix(plan.NormaliseName(title), planPrefix), mostTaskWords)
	if len(words) == 0 {
		words = []string{strconv.Itoa(n)}
	}
	return strconv.Itoa(n) + ".task_" + strings.Join(words, "_") + ".md"
}
