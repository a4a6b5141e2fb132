package author

import (
	"errors"
	"strings"
)

// Request is what the words of a call of create say (LF-2).
type Request struct {
	Format    string // "lite", "full", or "" for no wish
	Trust     bool
	Objective string // the words that are content
}

// ErrLiteAndFull marks a request that asks for both formats.
var ErrLiteAndFull = errors.New("lite and full exclude each other")

// ParseRequest tells options and content of a request apart (LF-2). The options are lite, full, trust and auto, which means trust; they
// stand together at either end, in any order, repeated or not. Words in the middle are content, whatever they are. before are
// the words in front of "--", after those behind it, which are content all of them; ended says that "--" was given.
//
// The words are matched as they are written: "Full text search" is an objective. A word that holds spaces, as a request in quotes
// does, counts as the words it is made of.
func ParseRequest(before, after []string, ended bool) (Request, error) {
	words := strings.Fields(strings.Join(before, " "))
	var r Request
	from, to := 0, len(words)
	both := false
	for from < to && r.option(words[from], &both) {
		from++
	}
	// Behind "--" the request goes on, so that what stands before it is no end.
	if rest := strings.Fields(strings.Join(after, " ")); ended && len(rest) > 0 {
		words, to = append(words[:to:to], rest...), len(words)+len(rest)
	} else {
		for to > from && r.option(words[to-1], &both) {
			to--
		}
	}
	if both {
		return Request{}, ErrLiteAndFull
	}
	r.Objective = strings.Join(words[from:to], " ")
	return r, nil
}

// option takes a word when it is an option; both is set when it asks for the other format than one before.
func (r *Request) option(word string, both *bool) bool {
	switch word {
	case "trust", "auto":
		r.Trust = true
	case "lite", "full":
		*both = *both || r.Format != "" && r.Format != word
		r.Format = word
	default:
		return false
	}
	return true
}
