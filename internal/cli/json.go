package cli

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/deepworkplan/dwp/internal/rule"
)

// jsonVersion is the version of the JSON answers; a change that breaks readers raises it.
const jsonVersion = 1

// opening and closing frame every JSON answer, errors included (DESIGN, JSON): which answer it is, what the command
// found, then what went wrong. encoding/json keeps the order of embedded structs, so a person reads the keys in this one.
type opening struct {
	Version int    `json:"version"`
	Command string `json:"command"`
}

// closing ends an answer. Findings are those outside plans, or of the plan that a publication was refused for.
type closing struct {
	Findings []rule.Finding `json:"findings"`
	Error    *errorBody     `json:"error"`
}

// errorBody is why there is no answer. Code is stable.
type errorBody struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

func opened(command string) opening { return opening{jsonVersion, command} }

// closed ends an answer; f is nil unless the command failed. Even then there is a list of findings, so that readers
// need no special case.
func closed(findings []rule.Finding, f *failure) closing {
	c := closing{Findings: list(findings)}
	if f != nil {
		c.Error = &errorBody{Code: f.code, Message: f.message, Hint: f.hint}
	}
	return c
}

// writeJSON prints one object. Names of paths and plans come out as they are, HTML characters too (C131).
func (a *app) writeJSON(v any) error {
	text, err := marshal(v)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	a.out.Write(text)
	return nil
}

// marshal encodes a value over several lines, for people who read along.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // "a&b" in a path stays readable
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return escapeControls(b.Bytes()), nil
}

// escapeControls writes DEL and the C1 controls as JSON escapes: encoding/json lets them through, and a terminal obeys them.
func escapeControls(text []byte) []byte {
	if !bytes.ContainsFunc(text, isLateControl) {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for _, r := range string(text) {
		if isLateControl(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, string(r)...)
		}
	}
	return out
}

func isLateControl(r rune) bool { return 0x7f <= r && r <= 0x9f }

// list makes an empty JSON array of a nil slice: readers never meet null for a list.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
