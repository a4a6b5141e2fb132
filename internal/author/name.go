package author

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
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

// NameFor makes a valid name of a title in any script (C133): its first five words of a-z and 0-9, as a person would cut it; where less
// than two are left, a digest of the title keeps names of different titles apart.
func NameFor(title string) string {
	slug := strings.TrimPrefix(plan.NormaliseName(title), planPrefix)
	words := titleWords(slug)
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

// titleWords are the words of a title that has to be cut: English articles go first, and no word is left at the end that only leads to
// the next one.
func titleWords(slug string) []string {
	all := strings.Split(slug, "_")
	if len(all) <= mostWords {
		return shortWords(slug, mostWords)
	}
	telling := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return slices.Contains([]string{"a", "an", "the"}, w) })
	words := shortWords(strings.Join(telling, "_"), mostWords)
	for len(telling) > mostWords && len(words) > fewestWords && slices.Contains([]string{"and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "to", "with"}, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) < fewestWords {
		return shortWords(slug, mostWords)
	}
	return words
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
