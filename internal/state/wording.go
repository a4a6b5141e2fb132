package state

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// nearest finds the name that text means when case and separators don't count, or "".
func nearest(text string, names []string) string {
	if len(text) > 40 {
		return ""
	}
	folded := fold(text)
	if folded == "done" || folded == "complete" {
		folded = "completed"
	}
	for _, name := range names {
		if fold(name) == folded {
			return name
		}
	}
	return ""
}

// plainName spells a member's name for a path: as it is when it is a plain word, else quoted in brackets, since a message goes to
// terminals and the file may hold anything.
func plainName(name string) string {
	odd := func(r rune) bool { return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if name == "" || strings.ContainsFunc(name, odd) {
		return "[" + strconv.Quote(shorten(name)) + "]"
	}
	return shorten(name)
}

// fold drops what people vary in a name.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(text))
}

// show names a value for a message.
func show(v *strictjson.Value) string {
	switch v.Kind {
	case strictjson.String:
		return fmt.Sprintf("the string %q", shorten(v.Text))
	case strictjson.Number:
		return "the number " + shorten(v.Text)
	case strictjson.Bool:
		return v.Text
	case strictjson.Array:
		return "a list"
	case strictjson.Object:
		return "an object"
	}
	return "null"
}

// shorten keeps messages readable whatever the file holds.
func shorten(text string) string { return strictjson.Shorten(text, 60) }
