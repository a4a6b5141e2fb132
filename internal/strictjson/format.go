package strictjson

import "github.com/go-json-experiment/json/jsontext"

// Format writes a value as a whole file: two-space indent, UTF-8, final newline. Key order, number spellings and
// the spelling of strings that were read are kept (PS-21, PS-23); white space is not. Text that
// is not UTF-8 is written with replacement characters.
func Format(v *Value) []byte {
	return append(appendValue(nil, v, "\n"), '\n')
}

// appendValue appends v; newline is the line break with the indent of the line that v is on.
func appendValue(dst []byte, v *Value, newline string) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	switch v.Kind {
	case Bool, Number:
		return append(dst, v.Text...)
	case String:
		return appendString(dst, v.Text, v.Raw)
	case Array:
		return appendArray(dst, v.Elems, newline)
	case Object:
		return appendObject(dst, v.Members, newline)
	}
	return append(dst, "null"...)
}

func appendArray(dst []byte, elems []*Value, newline string) []byte {
	if len(elems) == 0 {
		return append(dst, "[]"...)
	}
	inner := newline + "  "
	for i, elem := range elems {
		dst = append(dst, opening(i, '[')...)
		dst = append(dst, inner...)
		dst = appendValue(dst, elem, inner)
	}
	return append(append(dst, newline...), ']')
}

func appendObject(dst []byte, members []Member, newline string) []byte {
	if len(members) == 0 {
		return append(dst, "{}"...)
	}
	inner := newline + "  "
	for i, m := range members {
		dst = append(dst, opening(i, '{')...)
		dst = append(dst, inner...)
		dst = append(appendString(dst, m.Name, m.RawName), ": "...)
		dst = appendValue(dst, m.Value, inner)
	}
	return append(append(dst, newline...), '}')
}

// opening is what stands before the i-th item of a list: its bracket or a comma.
func opening(i int, bracket byte) string {
	if i > 0 {
		return ","
	}
	return string(rune(bracket))
}

// appendString writes text, as raw spells it if that still means text.
func appendString(dst []byte, text, raw string) []byte {
	if raw != "" {
		if decoded, err := jsontext.AppendUnquote(nil, raw); err == nil && string(decoded) == text {
			return append(dst, raw...)
		}
	}
	dst, _ = jsontext.AppendQuote(dst, text) // the error says that text is not UTF-8; Format says what happens then
	return dst
}
