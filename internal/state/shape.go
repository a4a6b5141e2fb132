package state

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// rules are the catalogue IDs under which the faults of one object are reported.
type rules struct {
	missing string // a required member is absent
	kind    string // a member has another JSON type
	value   string // outside an enumeration, a range or a pattern
	length  string // too many characters
	line    string // more than one line
	time    string // no RFC 3339 timestamp
	unknown string // a member the object doesn't know
	closed  bool   // such a member is not kept but refused (PS-12, PS-21)
}

// need says whether a member must be there. An optional member that is null counts as absent.
type need bool

const (
	optional need = false
	required need = true
)

// reader collects every fault of one file; it never stops at the first.
type reader struct {
	faults []Fault
}

// path leads from the root to a value. It is spelled out only for a fault: most of 100,000 gates have none.
type path struct {
	up      *path
	name    string // of a member
	index   int    // of an element of an array
	inArray bool
}

// element is the path of the i-th element of the array at p.
func (p *path) element(i int) *path { return &path{up: p, index: i, inArray: true} }

// String spells a path like "tasks[2].gates[0].passes".
func (p *path) String() string {
	if p == nil {
		return ""
	}
	if p.inArray {
		return p.up.String() + "[" + strconv.Itoa(p.index) + "]"
	}
	name := plainName(p.name)
	if up := p.up.String(); up != "" && name[0] != '[' {
		return up + "." + name
	}
	return p.up.String() + name
}

// object is one object while it is decoded. Members are asked for by name; rest reports those nobody asked for.
type object struct {
	r     *reader
	at    *path
	node  *strictjson.Value
	rules rules
	asked []string
}

// object opens v as an object; it is nil, with a fault, when v is something else.
func (r *reader) object(v *strictjson.Value, at *path, ru rules) *object {
	if v.Kind != strictjson.Object {
		r.wrongKind(ru.kind, v, at, "an object")
		return nil
	}
	return &object{r: r, at: at, node: v, rules: ru, asked: make([]string, 0, 16)}
}

// report adds a fault; the message begins with the path.
func (r *reader) report(rule string, v *strictjson.Value, at *path, hint, format string, args ...any) {
	where := at.String()
	subject := where
	if subject == "" {
		subject = "the file"
	}
	r.faults = append(r.faults, Fault{Rule: rule, Path: where, Value: v, Hint: hint,
		Message: subject + " " + fmt.Sprintf(format, args...)})
}

// wrongKind reports a value of another JSON type than wanted (PS-21).
func (r *reader) wrongKind(rule string, v *strictjson.Value, at *path, want string) {
	hint := ""
	switch {
	case v.Kind == strictjson.String && want == "an integer" && v.Text != "" && strings.Trim(v.Text, "0123456789") == "":
		hint = "write the number without quotes"
	case want == "true or false" && v.Kind == strictjson.Null:
		hint = "a check that could not run did not pass: write false, and the reason as evidence"
	}
	r.report(rule, v, at, hint, "is %s; it must be %s", show(v), want)
}

// to is the path of a member of o.
func (o *object) to(name string) *path { return &path{up: o.at, name: name} }

// member returns a member's value; nil when it is absent, or optional and null.
func (o *object) member(name string, n need) *strictjson.Value {
	o.asked = append(o.asked, name)
	v := o.node.Member(name)
	switch {
	case v == nil && n == required:
		o.r.report(o.rules.missing, o.node, o.to(name), "", "is missing")
	case v != nil && v.Kind == strictjson.Null && n == optional:
		return nil
	}
	return v
}

// typed is member for one JSON type; nil, with a fault, when the value has another.
func (o *object) typed(name string, n need, kind strictjson.Kind, want string) *strictjson.Value {
	v := o.member(name, n)
	if v != nil && v.Kind != kind {
		o.r.wrongKind(o.rules.kind, v, o.to(name), want)
		return nil
	}
	return v
}

// text reads a string.
func (o *object) text(name string, n need) string {
	if v := o.typed(name, n, strictjson.String, "a string"); v != nil {
		return v.Text
	}
	return ""
}

// atMost reads a string of at most most characters.
func (o *object) atMost(name string, n need, most int) string {
	v := o.typed(name, n, strictjson.String, "a string")
	if v == nil {
		return ""
	}
	o.checkLength(v, o.to(name), most)
	return v.Text
}

// line reads a string of at most most characters on one line.
func (o *object) line(name string, n need, most int) string {
	v := o.typed(name, n, strictjson.String, "a string")
	if v == nil {
		return ""
	}
	o.checkLine(v, o.to(name), most)
	return v.Text
}

// lines reads an optional list of one-line strings of at most most characters each.
func (o *object) lines(name string, most int) []string {
	var texts []string
	for i, v := range o.list(name, optional) {
		at := o.to(name).element(i)
		if v.Kind != strictjson.String {
			o.r.wrongKind(o.rules.kind, v, at, "a string")
			continue
		}
		if most > 0 {
			o.checkLine(v, at, most)
		}
		texts = append(texts, v.Text)
	}
	return texts
}

// checkLength counts characters, not bytes.
func (o *object) checkLength(v *strictjson.Value, at *path, most int) {
	if n := utf8.RuneCountInString(v.Text); n > most {
		o.r.report(o.rules.length, v, at, "shorten it", "has %d characters; at most %d are allowed", n, most)
	}
}

// lineBreaks is every character that ends a line, the Unicode ones too.
const lineBreaks = "\n\r\v\f\u0085\u2028\u2029"

// checkLine is checkLength for a text that must be one line.
func (o *object) checkLine(v *strictjson.Value, at *path, most int) {
	o.checkLength(v, at, most)
	if strings.ContainsAny(v.Text, lineBreaks) {
		o.r.report(o.rules.line, v, at, "write a summary, not the whole output", "has more than one line")
	}
}

// choice reads a string out of a closed set. Another string is reported and returned as it is, never coerced (C51).
func (o *object) choice(name string, n need, allowed ...string) string {
	v := o.typed(name, n, strictjson.String, "one of "+strings.Join(allowed, ", "))
	if v == nil {
		return ""
	}
	if !slices.Contains(allowed, v.Text) {
		hint := ""
		if near := nearest(v.Text, allowed); near != "" {
			hint = fmt.Sprintf("write %q", near)
		}
		o.r.report(o.rules.value, v, o.to(name), hint, "is %q; allowed: %s", shorten(v.Text), strings.Join(allowed, ", "))
	}
	return v.Text
}

// maxCount bounds numbers of tasks, and what counts them.
const maxCount = math.MaxInt32

// integer reads a whole number from low to high; found is false when there is none to use.
func (o *object) integer(name string, n need, low, high int64) (number int64, found bool) {
	v := o.typed(name, n, strictjson.Number, "an integer")
	if v == nil {
		return 0, false
	}
	if strings.ContainsAny(v.Text, ".eE") {
		o.r.wrongKind(o.rules.kind, v, o.to(name), "an integer")
		return 0, false
	}
	number, err := strconv.ParseInt(v.Text, 10, 64)
	if err != nil || number < low || number > high {
		o.r.report(o.rules.value, v, o.to(name), "", "is %s; it must be from %d to %d", shorten(v.Text), low, high)
		return 0, false
	}
	return number, true
}

// count is integer for numbers that fit an int.
func (o *object) count(name string, n need, low int64) int {
	number, _ := o.integer(name, n, low, maxCount)
	return int(number)
}

// boolean reads true or false.
func (o *object) boolean(name string, n need) bool {
	v := o.typed(name, n, strictjson.Bool, "true or false")
	return v != nil && v.Text == "true"
}

// list reads the elements of an array.
func (o *object) list(name string, n need) []*strictjson.Value {
	if v := o.typed(name, n, strictjson.Array, "a list"); v != nil {
		return v.Elems
	}
	return nil
}

// object reads a member that is an object, under rules of its own.
func (o *object) object(name string, n need, ru rules) *object {
	v := o.member(name, n)
	if v == nil {
		return nil
	}
	return o.r.object(v, o.to(name), ru)
}

// time reads a timestamp; nil when there is none.
func (o *object) time(name string, n need) *Time {
	v := o.typed(name, n, strictjson.String, "an RFC 3339 timestamp")
	if v == nil {
		return nil
	}
	t, ok := parseTime(v)
	if !ok {
		o.r.report(o.rules.time, v, o.to(name), "write it like 2026-09-01T10:30:00Z",
			"is %q, which is no RFC 3339 timestamp", shorten(v.Text))
	}
	return &t
}

// rest reports the members that were not asked for (PS-12, PS-21). what names the object, with its article.
func (o *object) rest(what string) {
	for _, m := range o.node.Members {
		if slices.Contains(o.asked, m.Name) {
			continue
		}
		hint := ""
		if near := nearest(m.Name, o.asked); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		if o.rules.closed {
			o.r.report(o.rules.unknown, m.Value, o.to(m.Name), hint, "is no field of %s, which has only %s", what, strings.Join(o.asked, ", "))
			continue
		}
		o.r.report(o.rules.unknown, m.Value, o.to(m.Name), hint, "is a field that the schema of %s doesn't know; it is kept", what)
	}
}
