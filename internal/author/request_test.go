package author

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// LF-2: the grammar of the words of create.
func TestParseRequest(t *testing.T) {
	for _, tt := range []struct {
		words string // " -- " splits what stands before and behind it
		want  Request
	}{
		{"trust fix the label", Request{"", true, "fix the label"}},
		{"lite trust fix the label", Request{"lite", true, "fix the label"}},
		{"fix the label trust lite", Request{"lite", true, "fix the label"}},
		{"fix the migration full trust", Request{"full", true, "fix the migration"}},
		{"auto fix it full", Request{"full", true, "fix it"}},
		{"lite lite fix it lite", Request{"lite", false, "fix it"}},
		{"trust auto trust fix it auto", Request{"", true, "fix it"}},
		{"fix the lite theme", Request{"", false, "fix the lite theme"}},
		{"fix trust issues", Request{"", false, "fix trust issues"}},
		{"lite build a full text search", Request{"lite", false, "build a full text search"}},
		{"Full text search", Request{"", false, "Full text search"}},
		{"LITE fix it", Request{"", false, "LITE fix it"}},
		{"lite", Request{"lite", false, ""}},
		{"", Request{}},
		{"lite -- full text search", Request{"lite", false, "full text search"}},
		{"-- trust nobody", Request{"", false, "trust nobody"}},
		{"-- build the lite", Request{"", false, "build the lite"}},
		{"build lite -- trust", Request{"", false, "build lite trust"}},
		{"build it trust -- ", Request{"", true, "build it"}},
		{"lite -- full", Request{"lite", false, "full"}},
	} {
		before, after, ended := strings.Cut(tt.words, "-- ")
		got, err := ParseRequest(strings.Fields(before), strings.Fields(after), ended)
		if err != nil || got != tt.want {
			t.Errorf("%q: got %+v, %v; want %+v", tt.words, got, err, tt.want)
		}
		// A request in one pair of quotes means the same.
		if quoted, err := ParseRequest([]string{before}, []string{after}, ended); err != nil || quoted != tt.want {
			t.Errorf("%q in quotes: got %+v, %v; want %+v", tt.words, quoted, err, tt.want)
		}
	}
}

func TestLiteWithFull(t *testing.T) {
	for _, words := range []string{"lite full fix it", "lite fix it full", "fix it full lite", "full trust lite", "lite full"} {
		if _, err := ParseRequest(strings.Fields(words), nil, false); !errors.Is(err, ErrLiteAndFull) {
			t.Errorf("%q: got %v", words, err)
		}
	}
}

// LF-2: whatever the words, what is left is one run of them, and no option stands at its ends unless "--" put it there.
func FuzzParseRequest(f *testing.F) {
	for _, s := range []string{"lite trust fix the label", "fix full", "a lite b", "full lite", "", "trust trust"} {
		f.Add(s, "", false)
		f.Add(s, s, true)
	}
	options := []string{"lite", "full", "trust", "auto"}
	f.Fuzz(func(t *testing.T, before, after string, ended bool) {
		if !ended {
			after = ""
		}
		r, err := ParseRequest([]string{before}, []string{after}, ended)
		words := strings.Fields(before + " " + after)
		if err != nil {
			if !slices.Contains(words, "lite") || !slices.Contains(words, "full") {
				t.Fatalf("%q: %v", words, err)
			}
			return
		}
		got := strings.Fields(r.Objective)
		if !strings.Contains(" "+strings.Join(words, " ")+" ", " "+r.Objective+" ") && r.Objective != "" {
			t.Fatalf("%q is no run of %q", r.Objective, words)
		}
		if after == "" && len(got) > 0 && (slices.Contains(options, got[0]) || slices.Contains(options, got[len(got)-1])) {
			t.Fatalf("an option is left in %q of %q", got, words)
		}
		if dropped := len(words) - len(got); dropped > 0 && r.Format == "" && !r.Trust {
			t.Fatalf("%d words of %q were dropped without a meaning", dropped, words)
		}
	})
}
