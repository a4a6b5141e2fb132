package state

import (
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// parseTime reads an RFC 3339 timestamp, or a bare date, which stays what it is (C137): its Value is the start of that day
// in UTC, good for comparing days only. ok is false, and Value zero, when the text is neither.
func parseTime(v *strictjson.Value) (t Time, ok bool) {
	t = Time{Text: v.Text, Node: v}
	layout := time.RFC3339
	if t.DateOnly = matches(v.Text, "0000-00-00"); t.DateOnly {
		layout = time.DateOnly
	} else if !isRFC3339(v.Text) {
		// time.Parse lets more pass than RFC 3339 does: a comma before the fraction, one-digit hours.
		return t, false
	}
	at, err := time.Parse(layout, strings.ToUpper(v.Text))
	if err != nil {
		return t, false // month 13
	}
	t.Value = at
	return t, true
}

// isRFC3339 checks the form of a timestamp, not whether its numbers exist. Lower-case t and z are in the form.
func isRFC3339(text string) bool {
	const form = "0000-00-00T00:00:00"
	if len(text) <= len(form) || !matches(text[:len(form)], form) {
		return false
	}
	rest := text[len(form):] // the fraction, any number of digits, and the offset
	if rest[0] == '.' {
		digits := len(rest[1:]) - len(strings.TrimLeft(rest[1:], "0123456789"))
		if digits == 0 {
			return false
		}
		rest = rest[1+digits:]
	}
	return matches(rest, "Z") || (matches(rest, "+00:00") || matches(rest, "-00:00")) && rest[1:3] < "24" && rest[4:6] < "60"
}

// matches compares a text with a form in which 0 stands for any digit and letters for both cases.
func matches(text, form string) bool {
	if len(text) != len(form) {
		return false
	}
	for i := range len(form) {
		c := text[i]
		switch f := form[i]; {
		case f == '0' && (c < '0' || c > '9'):
			return false
		case f >= 'A' && f <= 'Z' && c&^0x20 != f:
			return false
		case f != '0' && (f < 'A' || f > 'Z') && c != f:
			return false
		}
	}
	return true
}
