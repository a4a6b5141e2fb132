package strictjson

import "strconv"

// NewString makes a string.
func NewString(text string) *Value { return &Value{Kind: String, Text: text} }

// NewInt makes a number.
func NewInt(n int) *Value { return &Value{Kind: Number, Text: strconv.Itoa(n)} }

// NewBool makes a boolean.
func NewBool(b bool) *Value { return &Value{Kind: Bool, Text: strconv.FormatBool(b)} }

// NewNull makes a null.
func NewNull() *Value { return &Value{} }

// NewArray makes an array of elems.
func NewArray(elems ...*Value) *Value { return &Value{Kind: Array, Elems: elems} }

// NewObject makes an object of members; names must differ.
func NewObject(members ...Member) *Value { return &Value{Kind: Object, Members: members} }

// Member returns the member's value, or nil when v is no object or has no such member.
func (v *Value) Member(name string) *Value {
	if i := v.find(name); i >= 0 {
		return v.Members[i].Value
	}
	return nil
}

// Set gives a member a value. An existing key keeps its position, a new one comes last (PS-23). It does nothing when v
// is no object.
func (v *Value) Set(name string, value *Value) {
	if v == nil || v.Kind != Object {
		return
	}
	if i := v.find(name); i >= 0 {
		v.Members[i].Value = value
		return
	}
	v.Members = append(v.Members, Member{Name: name, Value: value})
}

// Delete removes a member and reports whether it was there.
func (v *Value) Delete(name string) bool {
	i := v.find(name)
	if i < 0 {
		return false
	}
	v.Members = append(v.Members[:i:i], v.Members[i+1:]...)
	return true
}

// Clone copies a value with everything below it. Writers edit a clone: a read document belongs to its snapshot.
func (v *Value) Clone() *Value {
	if v == nil {
		return nil
	}
	c := *v
	c.Members = append([]Member(nil), v.Members...)
	for i := range c.Members {
		c.Members[i].Value = c.Members[i].Value.Clone()
	}
	c.Elems = append([]*Value(nil), v.Elems...)
	for i := range c.Elems {
		c.Elems[i] = c.Elems[i].Clone()
	}
	return &c
}

// find returns the index of a member, or -1.
func (v *Value) find(name string) int {
	if v == nil || v.Kind != Object {
		return -1
	}
	for i := range v.Members {
		if v.Members[i].Name == name {
			return i
		}
	}
	return -1
}
