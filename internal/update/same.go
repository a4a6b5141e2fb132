package update

import (
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// same compares two values by what they say: the order of members, white space and spellings of a string don't count, spellings
// of a number do. An absent member is not null.
func same(a, b *strictjson.Value) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.Kind != b.Kind || len(a.Members) != len(b.Members) || len(a.Elems) != len(b.Elems):
		return false
	case a.Kind == strictjson.Array:
		for i := range a.Elems {
			if !same(a.Elems[i], b.Elems[i]) {
				return false
			}
		}
		return true
	case a.Kind == strictjson.Object:
		return len(differing(a, b)) == 0
	}
	return a.Text == b.Text
}

// differing lists the members that two objects don't share, by name, in the order of a, then of b.
func differing(a, b *strictjson.Value) []string {
	var names []string
	in := members(b)
	for _, m := range a.Members {
		if !same(m.Value, in[m.Name]) {
			names = append(names, m.Name)
		}
	}
	was := members(a)
	for _, m := range b.Members {
		if was[m.Name] == nil {
			names = append(names, m.Name)
		}
	}
	return names
}

func members(v *strictjson.Value) map[string]*strictjson.Value {
	in := make(map[string]*strictjson.Value, len(v.Members))
	for _, m := range v.Members {
		in[m.Name] = m.Value
	}
	return in
}

// root is the tree of a state; an empty object where there is none.
func root(st *state.State) *strictjson.Value {
	if st == nil || st.Doc == nil || st.Doc.Root == nil {
		return strictjson.NewObject()
	}
	return st.Doc.Root
}

// node is the tree of a task.
func node(t *state.Task) *strictjson.Value {
	if t.Node == nil {
		return strictjson.NewObject()
	}
	return t.Node
}
