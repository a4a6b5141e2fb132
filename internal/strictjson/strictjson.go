// Package strictjson reads JSON strictly and remembers where everything stood
// (PS-23): duplicate keys, trailing data, invalid UTF-8, NaN, over-deep and
// over-large input are rejected with their position. What it read it can write
// again with key order, unknown members and number spellings kept.
package strictjson

// Limits of one document (PS-23). Over them Parse answers with a *SyntaxError. MaxValues bounds memory: a
// file of nothing but "[[],[],..." would otherwise take fifty times its size. The largest plans we
// know of (1,000 tasks with 100 gates each) hold under a fifth of it.
const (
	MaxBytes  = 64 << 20
	MaxDepth  = 128
	MaxValues = 4 << 20
)

// Kind is the type of a JSON value.
type Kind byte

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Value is one JSON value with its place. The zero Value is null.
type Value struct {
	Kind Kind
	// Start and End are the byte span in the file as it is on disk, a byte-order mark included;
	// both 0 for values that were made, not read.
	Start, End int
	// Text is the decoded string, or the number as it was spelled, or "true" or "false".
	Text string
	// Raw is how the string was spelled, quotes included, when that is not how Format would spell it
	// (escapes that need not be there); else "". Format uses it only while it still means Text.
	Raw string
	// Members of an object, in file order. Elems of an array.
	Members []Member
	Elems   []*Value
}

// Member is one name and value of an object.
type Member struct {
	Name      string
	NameStart int // byte offset of the opening quote
	// RawName is to Name what Value.Raw is to Value.Text.
	RawName string
	Value   *Value
}

// Document is a parsed file.
type Document struct {
	Root *Value
	// BOM says that the file began with a byte-order mark, which is accepted (C45).
	BOM bool
	// text is the file, BOM included; marks is its index of lines and columns.
	text  string
	marks []mark
}

// SyntaxError says where and why a text is not strict JSON.
type SyntaxError struct {
	// Offset is in bytes from the start of the file; Line and Column count from 1, columns in characters.
	Offset, Line, Column int
	// Reason is one of the Reason constants, for callers that branch.
	Reason Reason
	// Message says what is wrong, lower case, no full stop.
	Message string
}

// Reason classes of a SyntaxError.
type Reason string

// The reasons a text is refused.
const (
	BadSyntax      Reason = "syntax"
	DuplicateKey   Reason = "duplicate-key"
	TrailingData   Reason = "trailing-data"
	InvalidUTF8    Reason = "invalid-utf8"
	ConflictMarker Reason = "conflict-marker"
	TooDeep        Reason = "too-deep"
	TooLarge       Reason = "too-large"
	Truncated      Reason = "truncated"
	Empty          Reason = "empty"
)

func (e *SyntaxError) Error() string { return e.Message }
