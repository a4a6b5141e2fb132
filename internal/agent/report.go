package agent

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
)

// Bounds of what is read of an agent's output, in bytes. A longer object is passed over: an agent's words are no evidence (UN-2), and
// may cost no memory to speak of.
const (
	mostObject = 4 << 20
	mostWords  = 16 << 10
)

// mostCost is the highest cost that is believed, in US dollars.
const mostCost = 1e6

// Report reads an agent's output. What can't be read is no error: the report is then empty. In a stream the last object that has a
// member tells it. Text between objects is passed over.
func (a *Adapter) Report(output []byte) Report {
	var r Report
	if a.Output != JSON && a.Output != JSONStream {
		r.Text = lastWords(string(output))
		return r
	}
	for _, object := range objects(output, a.Output) {
		a.take(&r, object)
	}
	return r
}

// take takes from one object what it tells.
func (a *Adapter) take(r *Report, object map[string]any) {
	if id, ok := member(object, a.Conversation).(string); ok && isValue(id) {
		r.Conversation = id
	}
	if words, ok := member(object, a.Result).(string); ok {
		r.Text = lastWords(words)
	}
	if cost, ok := member(object, a.Cost).(float64); ok && cost >= 0 && cost <= mostCost && !math.IsNaN(cost) {
		r.Cost, r.HasCost = cost, true
	}
	if told := member(object, a.Error); told != nil {
		r.Failed = isFailure(told)
	}
}

// isFailure reports whether the member that tells of an error tells of one: true, words, an object with something in it.
func isFailure(told any) bool {
	switch told := told.(type) {
	case bool:
		return told
	case string:
		return told != ""
	case float64:
		return told != 0
	case map[string]any:
		return len(told) > 0
	case []any:
		return len(told) > 0
	}
	return false
}

// member follows a path of names joined by dots; nil when it leads nowhere.
func member(object map[string]any, path string) any {
	if path == "" {
		return nil
	}
	var at any = object
	for name := range strings.SplitSeq(path, ".") {
		inner, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = inner[name]
	}
	return at
}

// objects lists the objects of an output. One object may be spread over lines, and be an array of objects; anything else is read
// a line at a time, so that warnings before it, and what a cut log lost, do no harm.
func objects(output []byte, form Output) []map[string]any {
	if form == JSON && len(output) <= mostObject {
		if found := whole(output); found != nil {
			return found
		}
		// A warning may stand before the object: it begins on the first line that begins like one.
		if at := bytes.Index(output, []byte("\n{")); at >= 0 {
			if found := whole(output[at:]); found != nil {
				return found
			}
		}
	}
	var found []map[string]any
	for line := range bytes.Lines(output) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] != '{' || len(line) > mostObject {
			continue
		}
		var object map[string]any
		if json.Unmarshal(line, &object) == nil {
			found = append(found, object)
		}
	}
	return found
}

// whole reads a text that is one object, or an array of them; nil when it is neither.
func whole(text []byte) []map[string]any {
	var value any
	// A decoder reads one value, and minds nothing that stands behind it.
	if json.NewDecoder(bytes.NewReader(text)).Decode(&value) != nil {
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		return []map[string]any{value}
	case []any:
		var found []map[string]any
		for _, e := range value {
			if object, ok := e.(map[string]any); ok {
				found = append(found, object)
			}
		}
		return found
	}
	return nil
}

// lastWords is the end of a text, bounded, valid UTF-8.
func lastWords(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	if len(text) > mostWords {
		text = strings.ToValidUTF8(text[len(text)-mostWords:], "") // the cut may go through a character
	}
	return text
}
