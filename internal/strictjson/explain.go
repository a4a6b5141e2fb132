package strictjson

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// spaces is JSON's white space.
const spaces = " \t\r\n"

// at makes a SyntaxError for a place.
func (p *parser) at(offset int, reason Reason, message string) *SyntaxError {
	place := mark{1, 1}
	if p.base > 0 {
		place.column = 0
	}
	place = place.after(p.text[:offset])
	return &SyntaxError{Offset: offset, Line: int(place.line), Column: max(int(place.column), 1), Reason: reason, Message: message}
}

// refuse makes the SyntaxError of a text that was given up at offset. An unresolved merge is the cause of whatever
// the tokenizer trips over, near or far, so it goes first (C47).
func (p *parser) refuse(offset int, reason Reason, message string) *SyntaxError {
	if at, marker := conflict(p.text); marker != "" {
		return p.at(at, ConflictMarker, fmt.Sprintf("git conflict marker %q", marker))
	}
	return p.at(offset, reason, message)
}

// conflict finds the first git conflict marker at the start of a line. No JSON text has one: a line break inside a
// string must be escaped.
func conflict(text string) (offset int, marker string) {
	skipped := len(text) - len(strings.TrimPrefix(text, bom))
	for line := range strings.Lines(text[skipped:]) {
		if m := conflictMarker(line); m != "" {
			return skipped, m
		}
		skipped += len(line)
	}
	return 0, ""
}

// conflictMarker returns the marker that a line starts with, or "". Seven signs and not one more; after "=======" the line ends.
func conflictMarker(line string) string {
	for _, sign := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		rest, found := strings.CutPrefix(line, sign)
		if !found || strings.HasPrefix(rest, sign[:1]) {
			continue
		}
		if sign != "=======" || strings.TrimRight(rest, "\r\n") == "" {
			return sign
		}
	}
	return ""
}

// explain turns an error of the tokenizer into our words. Its own texts "may change over time", so what went wrong
// is read from the place and the text.
func (p *parser) explain(err error) *SyntaxError {
	start := p.next()
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return p.refuse(start, DuplicateKey, p.duplicate(err))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		// The place is the end: that is where the missing text belongs (C49).
		return p.refuse(len(p.text), Truncated, "unexpected end of file inside "+p.inside(start))
	}
	offset := start
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset = min(p.base+int(syntactic.ByteOffset), len(p.text))
	}
	// From here on the order matters: a byte that is not UTF-8 may stand inside a string, and what is inside a
	// string is no token.
	rest := p.text[offset:]
	if r, size := utf8.DecodeRuneInString(rest); r == utf8.RuneError && size == 1 {
		return p.refuse(offset, InvalidUTF8, p.notUTF8(offset))
	}
	if start < offset && p.text[start] == '"' {
		return p.refuse(offset, BadSyntax, inString(rest))
	}
	if comma := p.comma(offset, start); comma != "" {
		return p.refuse(offset, BadSyntax, comma)
	}
	// Inside a word or number the tokenizer stops at the wrong character; we name the whole from its start.
	return p.refuse(min(offset, start), BadSyntax, p.unexpected(min(offset, start)))
}

// next is where the token after the last one begins, behind white space and at most one delimiter.
func (p *parser) next() int {
	rest := strings.TrimLeft(p.text[p.offset():], spaces)
	if rest != "" && (rest[0] == ',' || rest[0] == ':') {
		rest = strings.TrimLeft(rest[1:], spaces)
	}
	return len(p.text) - len(rest)
}

// duplicate says which key stands twice, and where it stood first.
func (p *parser) duplicate(err error) string {
	name := ""
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		name = syntactic.JSONPointer.LastToken()
	}
	message := "duplicate key " + quote(name)
	for _, m := range p.members {
		if m.Name == name {
			message += fmt.Sprintf(", first on line %d", p.at(m.NameStart, DuplicateKey, "").Line)
		}
	}
	return message
}

// inside names what was open when the file ended.
func (p *parser) inside(start int) string {
	if start < len(p.text) {
		if p.text[start] == '"' {
			return "a string"
		}
		return "a value"
	}
	switch kind, _ := p.dec.StackIndex(p.dec.StackDepth()); kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	return "a value"
}

// notUTF8 says which byte is wrong; UTF-16 is named, since its cure is another one.
func (p *parser) notUTF8(offset int) string {
	if strings.HasPrefix(p.text, "\xff\xfe") || strings.HasPrefix(p.text, "\xfe\xff") {
		return "the file is UTF-16, not UTF-8"
	}
	return fmt.Sprintf("byte 0x%02x is not UTF-8", p.text[offset])
}

// inString says what is wrong inside a string whose text goes on with rest.
func inString(rest string) string {
	switch {
	case rest[0] == '\n' || rest[0] == '\r':
		return "line break inside a string"
	case rest[0] != '\\':
		return fmt.Sprintf("control character 0x%02x inside a string", rest[0])
	case strings.HasPrefix(rest, `\u`):
		escape := rest[:min(6, len(rest))]
		if unit, err := strconv.ParseUint(escape[2:], 16, 16); err == nil && utf16.IsSurrogate(rune(unit)) {
			return "lone surrogate " + escape
		}
		return fmt.Sprintf("escape %s is not JSON", quote(escape))
	}
	return fmt.Sprintf("escape %s is not JSON", quote(rest[:min(2, len(rest))]))
}

// comma explains a comma that has no business at offset; start is the token behind it. "" if that's not the fault.
func (p *parser) comma(offset, start int) string {
	if offset >= len(p.text) || p.text[offset] != ',' {
		return ""
	}
	if start < len(p.text) && (p.text[start] == ']' || p.text[start] == '}') {
		return fmt.Sprintf("comma before %q", p.text[start:start+1])
	}
	return "unexpected comma"
}

// unexpected says what was expected at offset and what stands there instead.
func (p *parser) unexpected(offset int) string {
	expected := p.expected(offset)
	found := word(p.text[offset:])
	switch {
	case found == "":
		return "expected " + expected
	case found[0] == '/' || found[0] == '#':
		return "comments are not JSON"
	case found[0] == '\'':
		return "single quotes are not JSON"
	case expected == aKey && len(found) > 1:
		return fmt.Sprintf("key %s is not a string in double quotes", shorten(found))
	case strings.HasPrefix(expected, aValue) && (len(found) > 1 || isWord(found[0])):
		return shorten(found) + " is not JSON"
	}
	return fmt.Sprintf("expected %s, found %s", expected, quote(found))
}

// What may stand at a place.
const (
	aKey   = "a key"
	aValue = "a value"
)

// expected names what the grammar wants at offset. The tokenizer counts names and values of an object alike, so an odd
// length means that a value is due.
func (p *parser) expected(offset int) string {
	delimited := strings.Trim(p.text[p.offset():offset], spaces) != ""
	kind, length := p.dec.StackIndex(p.dec.StackDepth())
	switch {
	case kind == '{' && length%2 == 1 && !delimited:
		return `":"`
	case kind == '{' && length%2 == 0 && (delimited || length == 0):
		return aKey
	case kind == '{' && length%2 == 0:
		return `"," or "}"`
	case kind == '[' && length > 0 && !delimited:
		return `"," or "]"`
	}
	return aValue
}

// word takes the run of word or number characters that text starts with, or one character.
func word(text string) string {
	n := 0
	for n < len(text) && isWord(text[n]) {
		n++
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(text)
	}
	return text[:n]
}

// isWord reports whether c belongs to a literal, a number, or what people take for one.
func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' || c == '_'
}

// quote puts text in quotes, shortened.
func quote(text string) string { return fmt.Sprintf("%q", shorten(text)) }

// shown is how much of a file's text a message holds, in characters.
const shown = 60

func shorten(text string) string { return Shorten(text, shown) }

// Shorten cuts a text of a file for a message, to most characters and an ellipsis: whoever wrote the file chose its length.
func Shorten(text string, most int) string {
	runes := 0
	for i := range text {
		if runes == most {
			return text[:i] + "..."
		}
		runes++
	}
	return text
}
