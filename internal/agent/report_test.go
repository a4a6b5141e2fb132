package agent

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReport(t *testing.T) {
	tests := []struct {
		name, agent, output string
		want                Report
	}{
		{"claude", "claude", `{"type":"result","is_error":false,"result":"done","session_id":"abc-1","total_cost_usd":0.25}`,
			Report{Conversation: "abc-1", Text: "done", Cost: 0.25, HasCost: true}},
		{"claude fails", "claude", `{"is_error":true,"result":"no","total_cost_usd":0}`, Report{Failed: true, Text: "no", HasCost: true}},
		{"a warning before", "claude", "warning: old version {1}\n{\n \"result\": \"x\"\n}\nbye\n", Report{Text: "x"}},
		{"an array of events", "claude", `[{"session_id":"a"},7,{"result":"x","session_id":"b"}]`, Report{Conversation: "b", Text: "x"}},
		{"a cut log", "claude", "...ult\":1}\n[12 bytes left out]\n{\"result\":\"x\"}\n", Report{Text: "x"}},
		{"not JSON", "claude", "Credit balance is too low\n", Report{}},
		{"nothing", "claude", "", Report{}},
		{"wrong types", "claude", `{"is_error":"","result":1,"session_id":2,"total_cost_usd":"3"}`, Report{}},
		{"cost below zero", "claude", `{"total_cost_usd":-1}`, Report{}},
		{"cost out of range", "claude", `{"total_cost_usd":1e400,"result":"x"}`, Report{}},
		{"cost beyond belief", "claude", `{"total_cost_usd":1e7}`, Report{}},
		{"an option for a conversation", "claude", `{"session_id":"--dangerously"}`, Report{}},
		{"codex", "codex", `{"type":"thread.started","thread_id":"t1"}
{"type":"item.completed","item":{"type":"reasoning","text":"hm"}}
not an object
{"type":"item.completed","item":{"type":"agent_message","text":"all green"}}
{"type":"turn.completed","usage":{"input_tokens":1}}`, Report{Conversation: "t1", Text: "all green"}},
		{"codex fails", "codex", `{"thread_id":"t1"}` + "\n" + `{"type":"turn.failed","error":{"message":"no"}}`, Report{Conversation: "t1", Failed: true}},
		{"gemini", "gemini", `{"response":"ok","stats":{}}`, Report{Text: "ok"}},
		{"gemini fails", "gemini", `{"error":{"type":"ApiError"}}`, Report{Failed: true}},
		{"copilot", "copilot", "  The tests pass.\n\n", Report{Text: "The tests pass."}},
		{"text that looks like JSON", "hermes", `{"is_error":true}`, Report{Text: `{"is_error":true}`}},
	}
	for _, tt := range tests {
		a, err := Defaults().Adapter(tt.agent)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Report([]byte(tt.output)); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// What an agent prints costs bounded memory: of words the end is kept, an object too long is passed over.
func TestReportBounded(t *testing.T) {
	text := Adapter{Output: Text}
	if r := text.Report([]byte(strings.Repeat("\u00e9", mostWords) + "end")); len(r.Text) > mostWords || !strings.HasSuffix(r.Text, "end") || !utf8.ValidString(r.Text) {
		t.Errorf("%d bytes", len(r.Text))
	}
	stream := Adapter{Output: JSONStream, Result: "r"}
	long := `{"r":"` + strings.Repeat("x", mostObject) + `"}`
	if r := stream.Report([]byte(`{"r":"first"}` + "\n" + long + "\n")); r.Text != "first" {
		t.Errorf("%d bytes", len(r.Text))
	}
	if r := (&Adapter{Output: JSON, Result: "r"}).Report([]byte(long)); r.Text != "" {
		t.Errorf("%d bytes", len(r.Text))
	}
}

func FuzzReport(f *testing.F) {
	for _, s := range []string{"", "{", `{"a":{"b":1}}`, `{"a":{"b":"x"},"c":-1}` + "\n" + `{"c":1e999}`, `[{"a":{"b":true}}]`, "w\n{\"c\":3}", "\xff\n{\"a\":{\"b\":\"\xff\"}}", "[[[["} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		for _, form := range []Output{Text, JSON, JSONStream} {
			a := Adapter{Output: form, Cost: "c", Conversation: "a.b", Error: "a.b", Result: "a.b"}
			r := a.Report(output)
			if r.Cost < 0 || r.Cost > mostCost || r.Cost != r.Cost || !r.HasCost && r.Cost != 0 {
				t.Errorf("cost %v", r.Cost)
			}
			if r.Conversation != "" && !isValue(r.Conversation) {
				t.Errorf("conversation %q", r.Conversation)
			}
			if len(r.Text) > mostWords || !utf8.ValidString(r.Text) {
				t.Errorf("%d bytes of text", len(r.Text))
			}
		}
	})
}
