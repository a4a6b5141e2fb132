package evidence

import (
	"slices"
	"strings"
	"testing"
)

// proveTopic runs the examples of every phrase: each example is found, as strong as the phrase says and by
// its language; each counter-example is not found as proof, for a hint not at all.
func proveTopic(t *testing.T, name string, topic topic, find func(string) (Match, bool)) {
	t.Helper()
	for _, p := range topic.phrases {
		if len(p.examples) == 0 || len(p.counters) == 0 {
			t.Errorf("%s: phrase %q needs an example and a counter-example", name, p.pattern)
		}
		for _, text := range p.examples {
			got, ok := find(text)
			if !ok || got.Hint != (p.strength == hint) {
				t.Errorf("%s(%q) = %+v, %t; phrase %q should be found with hint %t", name, text, got, ok, p.pattern, p.strength == hint)
			}
			if !matchesAlone(topic, p, text) {
				t.Errorf("%s: phrase %q does not match its own example %q", name, p.pattern, text)
			}
		}
		for _, text := range p.counters {
			if got, ok := find(text); ok {
				t.Errorf("%s(%q) = %+v; a counter-example of %q was taken", name, text, got, p.pattern)
			}
		}
	}
}

// matchesAlone reports whether one phrase, without the others of its topic, finds a text.
func matchesAlone(t topic, p phrase, text string) bool {
	t.phrases = []phrase{p}
	_, ok := compile(t).find(text, never)
	return ok
}

// AM-3, PS-13, C75, C77.
func TestPhrases(t *testing.T) {
	proveTopic(t, "NeverRan", neverTopic(), NeverRan)
	proveTopic(t, "ran", ranTopic(), func(s string) (Match, bool) { return ranMatcher().find(s, never) })
	proveTopic(t, "ZeroSelected", zeroTopic(), ZeroSelected)
	proveTopic(t, "TellsFailure", failureTopic(), TellsFailure)
	proveTopic(t, "Negated", denialTopic(), Negated)
	proveTopic(t, "HumanGate", humanTopic(), func(s string) (Match, bool) { words, ok := HumanGate(s); return Match{Text: words}, ok })
	proveTopic(t, "Invalidated", refineTopic(), func(s string) (Match, bool) { return Match{}, Invalidated(s) })
}

// PD-11: every topic of prose speaks the five languages.
func TestPhraseLanguages(t *testing.T) {
	for name, topic := range map[string]topic{"never": neverTopic(), "ran": ranTopic(), "zero": zeroTopic(), "failure": failureTopic(), "denial": denialTopic(), "human": humanTopic()} {
		var got []string
		for _, p := range topic.phrases {
			if p.language != "" && !slices.Contains(got, p.language) {
				got = append(got, p.language)
			}
		}
		slices.Sort(got)
		if want := []string{"en", "es", "pt", "th", "zh"}; !slices.Equal(got, want) {
			t.Errorf("topic %s has phrases in %v, want %v", name, got, want)
		}
	}
}

func allTopics() map[string]topic {
	return map[string]topic{
		"never": neverTopic(), "ran": ranTopic(), "zero": zeroTopic(), "failure": failureTopic(), "denial": denialTopic(), "refine": refineTopic(), "human": humanTopic(),
	}
}

// A phrase can't be hidden by the cues of its language: it has a place, not an optional one, where each of the words that may
// stand there is a cue, or Thai or Chinese.
func TestCues(t *testing.T) {
	for name, topic := range allTopics() {
		m := compile(topic)
		for i := range m.groups {
			g := &m.groups[i]
			seen := map[string]bool{}
			for _, patterns := range g.first() {
				for _, p := range patterns {
					if !seen[p.pattern] && !slices.ContainsFunc(p.terms, func(place term) bool { return wakes(g, place) }) {
						t.Errorf("%s %s: no place of phrase %q needs a cue", name, g.language, p.pattern)
					}
					seen[p.pattern] = true
				}
			}
		}
	}
}

// wakes reports whether any text with this term wakes the group.
func wakes(g *group, place term) bool {
	if place.optional || place.none || place.words == nil {
		return g.awake("")
	}
	for _, words := range place.words {
		for _, zero := range []string{"0", "00", "0,0"} {
			text := make([]string, len(words))
			for i, word := range words {
				switch word = strings.TrimSuffix(strings.ToLower(strings.TrimPrefix(word, "=")), "*"); word {
				case "#":
					word = "7"
				case "0":
					word = zero
				}
				text[i] = word
			}
			if !g.awake(strings.Join(text, " ")) {
				return false
			}
		}
	}
	return true
}

// FuzzCues compares the answers with those of matchers whose languages are all awake.
func FuzzCues(f *testing.F) {
	asleep, awake := map[string]*matcher{}, map[string]*matcher{}
	for name, topic := range allTopics() {
		asleep[name], awake[name] = compile(topic), compile(topic)
		for i := range awake[name].groups {
			awake[name].groups[i].language, awake[name].groups[i].cues = "", nil
		}
		for _, p := range topic.phrases {
			for _, text := range slices.Concat(p.examples, p.counters) {
				f.Add(text)
			}
		}
	}
	for _, text := range []string{"", "\uff2e\uff2f\uff34 run", "na\u0303o executado", ")\u0301not run", "00 tests", "tests: 0,0", "\xffnot run\xff", "ไnot executed", "'not''run'", "isn\u2019t run", "a_not run", "NOT\u00a0RUN"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, m := range asleep {
			got, ok := m.find(text, never)
			want, found := awake[name].find(text, never)
			if got != want || ok != found {
				t.Errorf("%s(%q) = %+v, %t; with all languages awake %+v, %t", name, text, got, ok, want, found)
			}
		}
	})
}
