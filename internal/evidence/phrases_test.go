package evidence

import (
	"slices"
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
	proveTopic(t, "Invalidated", refineTopic(), func(s string) (Match, bool) { return Match{}, Invalidated(s) })
}

// PD-11: every topic of prose speaks the five languages.
func TestPhraseLanguages(t *testing.T) {
	for name, topic := range map[string]topic{"never": neverTopic(), "ran": ranTopic(), "zero": zeroTopic(), "failure": failureTopic(), "denial": denialTopic()} {
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
