package update

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// Gate is a gate record as a change gives it (PS-12).
type Gate struct {
	Command  string
	Passes   bool
	ExitCode *int // nil when the command gave none
	Evidence string
	// LastRun is when it ran, RFC 3339 or a bare date; "" means now.
	LastRun string
}

// ParseGate reads the short form, command|exit_code|evidence (GU-2). It holds exactly two separators with an integer
// between them; every other text is refused, not guessed at: in "head f |0| tail|1|FAILED" any cut is a guess, and one of
// them makes a pass of a failure (C83, TRAPS). White space around the three parts is dropped. The record passes when the exit
// code is 0, and ran now.
func ParseGate(gate string) (Gate, *Refusal) {
	if r := secretIn(gate); r != nil {
		return Gate{}, r
	}
	parts := strings.Split(gate, "|")
	if len(parts) != 3 {
		return Gate{}, refuse("guard/gate-form", "the gate %q has %d separators |, not 2", shorten(gate), len(parts)-1)
	}
	number := strings.TrimSpace(parts[1])
	code, err := strconv.ParseInt(number, 10, 64)
	if err != nil || number[0] == '+' || code < minExit || code > maxExit {
		return Gate{}, refuse("guard/gate-form", "the gate %q has %q where its exit code stands", shorten(gate), shorten(parts[1]))
	}
	exit := int(code)
	return Gate{Command: strings.TrimSpace(parts[0]), Passes: exit == 0, ExitCode: &exit, Evidence: strings.TrimSpace(parts[2])}, nil
}

// secretIn comes before everything else that is said of a gate: other refusals show a part of it (C161).
func secretIn(gate string) *Refusal {
	t := text{field: "gate", value: strings.ToValidUTF8(gate, "")}
	return t.refused()
}

// Exit codes run from a signal's negative number to Windows' unsigned ones, as in package state.
const (
	minExit = math.MinInt32
	maxExit = math.MaxUint32
)

// ParseGateJSON reads a record as a JSON object (GU-2): the closed object of PS-12, read strictly (PS-23). Command and evidence
// are kept exactly as they are written (C83).
func ParseGateJSON(gate string) (Gate, *Refusal) {
	if r := secretIn(gate); r != nil {
		return Gate{}, r
	}
	doc, err := strictjson.Parse([]byte(gate))
	if err != nil {
		return Gate{}, refuse("gate/shape", "the gate is no strict JSON: %v", err)
	}
	if doc.Root.Kind != strictjson.Object {
		return Gate{}, refuse("gate/shape", "the gate is no JSON object")
	}
	f := fields{doc.Root, nil}
	g := Gate{
		Command:  f.text("command", true),
		Passes:   f.passes(),
		ExitCode: f.exitCode(),
		LastRun:  f.text("last_run", false),
		Evidence: f.text("evidence", false),
	}
	f.rest()
	return g, f.fault
}

// fields reads the members of a gate object; the first fault is kept.
type fields struct {
	root  *strictjson.Value
	fault *Refusal
}

// refuse keeps a fault, unless there is one already.
func (f *fields) refuse(id, format string, args ...any) {
	if f.fault == nil {
		f.fault = refuse(id, format, args...)
	}
}

// member returns a member of a kind. One that is optional may be null or absent.
func (f *fields) member(name string, kind strictjson.Kind, required bool) *strictjson.Value {
	v := f.root.Member(name)
	switch {
	case v == nil && required:
		f.refuse("gate/shape", "the gate has no %s", name)
	case v == nil, v.Kind == strictjson.Null && !required:
		return nil
	case v.Kind != kind:
		f.refuse("gate/shape", "the gate's %s has the wrong type", name)
		return nil
	}
	return v
}

// text reads a string; "" when there is none.
func (f *fields) text(name string, required bool) string {
	if v := f.member(name, strictjson.String, required); v != nil {
		return v.Text
	}
	return ""
}

// passes reads the verdict. Null is none: a check that could not run did not pass (PS-12).
func (f *fields) passes() bool {
	v := f.member("passes", strictjson.Bool, true)
	return v != nil && v.Text == "true"
}

// exitCode reads an integer spelled as one; nil when there is none.
func (f *fields) exitCode() *int {
	v := f.member("exit_code", strictjson.Number, false)
	if v == nil {
		return nil
	}
	code, err := strconv.ParseInt(v.Text, 10, 64)
	if err != nil || code < minExit || code > maxExit {
		f.refuse("gate/shape", "the gate's exit_code is %s, which is no exit code", shorten(v.Text))
		return nil
	}
	exit := int(code)
	return &exit
}

// rest refuses every member that a record doesn't have.
func (f *fields) rest() {
	for _, m := range f.root.Members {
		if !slices.Contains([]string{"command", "passes", "exit_code", "last_run", "evidence"}, m.Name) {
			f.refuse("gate/unknown-field", "the gate has the field %q, which is none of a gate record", shorten(m.Name))
		}
	}
}
