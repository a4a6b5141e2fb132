package strictjson

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// bom is the byte-order mark in UTF-8.
const bom = "\xef\xbb\xbf"

// Parse reads one JSON document, strictly (PS-23). A leading byte-order mark is accepted and recorded (C45).
// A non-nil error is a *SyntaxError. Time and memory are linear in len(src); src is not kept.
func Parse(src []byte) (*Document, error) {
	p := &parser{}
	if len(src) > MaxBytes {
		return nil, p.at(0, TooLarge, "the file is larger than 64 MiB")
	}
	p.text = string(src)
	if strings.HasPrefix(p.text, bom) {
		p.base = len(bom)
	}
	root, fault := p.document(src)
	if fault != nil {
		return nil, fault
	}
	return &Document{Root: root, BOM: p.base > 0, text: p.text, marks: index(p.text)}, nil
}

// parser builds the tree from the tokens of jsontext, which keeps the grammar, the encoding and the
// uniqueness of keys; the parser adds places, limits and words.
type parser struct {
	dec  *jsontext.Decoder
	text string
	base int // length of the byte-order mark
	// slab is where values are taken from, many per allocation; values counts them.
	slab   []Value
	values int
	// members are the finished members of the object that is being read, for naming the first of two equal keys.
	members []Member
}

// document reads the whole file.
func (p *parser) document(src []byte) (*Value, *SyntaxError) {
	if strings.TrimLeft(p.text[p.base:], spaces) == "" {
		return nil, p.at(0, Empty, "the file is empty")
	}
	p.dec = jsontext.NewDecoder(bytes.NewBuffer(src[p.base:]))
	root, fault := p.value(1)
	if fault != nil {
		return nil, fault
	}
	end := p.offset()
	if rest := strings.TrimLeft(p.text[end:], spaces); rest != "" {
		return nil, p.refuse(len(p.text)-len(rest), TrailingData, "more text after the end of the JSON value")
	}
	return root, nil
}

// offset is the end of the last token, in bytes from the start of the file.
func (p *parser) offset() int { return p.base + int(p.dec.InputOffset()) }

// value reads the next value. depth is what it would have as an array or object; the root has 1.
func (p *parser) value(depth int) (*Value, *SyntaxError) {
	// Only a peek: asked for the value, the tokenizer would read a nested value whole, past our limits.
	kind := p.dec.PeekKind()
	if p.values++; p.values > MaxValues {
		return nil, p.refuse(p.next(), TooLarge, "more than 4194304 values in one file")
	}
	switch kind {
	case '{', '[':
		if depth > MaxDepth {
			return nil, p.refuse(p.next(), TooDeep, "nested more than 128 levels deep")
		}
		if kind == '{' {
			return p.object(depth)
		}
		return p.array(depth)
	}
	return p.scalar()
}

// scalar reads a null, boolean, number or string; whatever is none of them is refused here.
func (p *parser) scalar() (*Value, *SyntaxError) {
	raw, err := p.dec.ReadValue()
	if err != nil {
		return nil, p.explain(err)
	}
	v := p.make(Null)
	v.End = p.offset()
	v.Start = v.End - len(raw)
	v.Text = p.text[v.Start:v.End]
	switch raw.Kind() {
	case 'n':
		v.Text = ""
	case 't', 'f':
		v.Kind = Bool
	case '0':
		v.Kind = Number
	case '"':
		v.Kind = String
		v.Text, v.Raw = unquote(v.Text)
	}
	return v, nil
}

// array reads "[", its elements and "]".
func (p *parser) array(depth int) (*Value, *SyntaxError) {
	if _, err := p.dec.ReadToken(); err != nil {
		return nil, p.explain(err)
	}
	v := p.make(Array)
	v.Start = p.offset() - 1
	for p.dec.PeekKind() != ']' {
		elem, fault := p.value(depth + 1)
		if fault != nil {
			return nil, fault
		}
		v.Elems = append(v.Elems, elem)
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return nil, p.explain(err)
	}
	v.End = p.offset()
	return v, nil
}

// object reads "{", its members and "}".
func (p *parser) object(depth int) (*Value, *SyntaxError) {
	if _, err := p.dec.ReadToken(); err != nil {
		return nil, p.explain(err)
	}
	v := p.make(Object)
	v.Start = p.offset() - 1
	for p.dec.PeekKind() != '}' {
		m, fault := p.member(v.Members, depth)
		if fault != nil {
			return nil, fault
		}
		v.Members = append(v.Members, m)
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return nil, p.explain(err)
	}
	v.End = p.offset()
	return v, nil
}

// member reads one name and value; before are the members of the same object read so far.
func (p *parser) member(before []Member, depth int) (Member, *SyntaxError) {
	// ReadValue would read a whole array or object before it says that a key must be a string.
	if k := p.dec.PeekKind(); k != '"' && k != jsontext.KindInvalid {
		return Member{}, p.explain(jsontext.ErrNonStringName)
	}
	p.members = before
	raw, err := p.dec.ReadValue()
	if err != nil {
		return Member{}, p.explain(err)
	}
	end := p.offset()
	m := Member{NameStart: end - len(raw)}
	m.Name, m.RawName = unquote(p.text[m.NameStart:end])
	var fault *SyntaxError
	m.Value, fault = p.value(depth + 1)
	return m, fault
}

// make takes a value from the slab.
func (p *parser) make(k Kind) *Value {
	if len(p.slab) == 0 {
		p.slab = make([]Value, min(max(16, p.values), 1024))
	}
	v := &p.slab[0]
	p.slab = p.slab[1:]
	v.Kind = k
	return v
}

// unquote decodes a string that the tokenizer accepted. raw is its spelling if Format would choose another.
func unquote(quoted string) (text, raw string) {
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], ""
	}
	decoded, _ := jsontext.AppendUnquote(nil, quoted) // no error: the tokenizer checked it
	text = string(decoded)
	if canonical, _ := jsontext.AppendQuote(decoded[:0], text); string(canonical) == quoted {
		return text, ""
	}
	return text, quoted
}
