package verify

import (
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/planmd"
)

// Replaces reports whether an amendment names a command together with a passing one that replaces it (PS-13): the old one
// anywhere, the new one where an amendment says what holds from now on. Lists of invalidated and of preserved evidence name commands
// too, and replace none. known are all commands of the task: "go test" is not named by "go test ./rates/...".
func Replaces(a *planmd.Amendment, command string, passing, known []string) bool {
	old := evidence.Command(command)
	if old == "" || !mentions(a, func(planmd.FieldKind) bool { return true }, old, known) {
		return false
	}
	for _, other := range passing {
		if other = evidence.Command(other); other != "" && other != old && mentions(a, decides, other, known) {
			return true
		}
	}
	return false
}

// decides: the fields that say what holds from now on; those of any other label may.
func decides(kind planmd.FieldKind) bool {
	switch kind {
	case planmd.FieldOriginal, planmd.FieldObserved, planmd.FieldAuthority, planmd.FieldAffected, planmd.FieldInvalidated, planmd.FieldPreserved:
		return false
	}
	return true
}

// mentions reports whether one of the fields of the wanted kinds names a command.
func mentions(a *planmd.Amendment, wanted func(planmd.FieldKind) bool, command string, known []string) bool {
	for i := range a.Fields {
		if wanted(a.Fields[i].Kind) && namesCommand(a.Fields[i].Value, command, known) {
			return true
		}
	}
	return false
}

// namesCommand looks for a command in a text, as a whole, and not as a part of a longer one that is known.
func namesCommand(text, command string, known []string) bool {
	if !strings.Contains(text, command) {
		return false
	}
	for _, longer := range known {
		if longer = evidence.Command(longer); len(longer) > len(command) && strings.Contains(longer, command) {
			text = strings.ReplaceAll(text, longer, "\x00")
		}
	}
	for from := 0; ; {
		at := strings.Index(text[from:], command)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(command)
		if !wordAt(text, start-1) && !wordAt(text, end) {
			return true
		}
		from = end
	}
}

// wordAt reports whether the byte at a place goes on with a word, so that what ends or begins beside it is a part of a longer one. Only
// ASCII is looked at: Chinese and Thai put a command between words without a space.
func wordAt(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	b := text[i]
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_' || b == '-' || b == '/'
}
