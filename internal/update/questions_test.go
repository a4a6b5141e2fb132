package update

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestReadQuestions: an entry is open until a line of it is labelled as an answer, in whatever form and line ends (PD-12, C99).
func TestReadQuestions(t *testing.T) {
	tests := []struct {
		name, text string
		want       []Question
	}{
		{"nothing", "# Questions\n\nNone yet.\n", nil},
		{"all of level 1", "# Q1\na\n# Q2\nb\n", []Question{{Title: "Q1", Text: "a"}, {Title: "Q2", Text: "b"}}},
		{"title alone", "# Questions\n\n", nil},
		{"open", "# Questions\n\n## Q1: Which port? (task 2)\n\nRecommended: 8080\n- Answer:\n",
			[]Question{{Title: "Q1: Which port? (task 2)", Text: "Recommended: 8080\n- Answer:"}}},
		{"answered", "## Q1 ##\r\nWhich port?\r\n- **Answered by Ana on 2026-09-01:** 80\r\n",
			[]Question{{Title: "Q1", Text: "Which port?", Answers: []QuestionAnswer{{"Answered by Ana on 2026-09-01", "80", "2026-09-01"}}}}},
		{"Thai and Chinese", "## ก\nคำตอบ: ได้ 2026-09-02\n## 二\n回答：好\n", []Question{
			{Title: "ก", Answers: []QuestionAnswer{{"คำตอบ", "ได้ 2026-09-02", "2026-09-02"}}},
			{Title: "二", Answers: []QuestionAnswer{{"回答", "好", ""}}}}},
		{"in code", "## Q1\n```\nAnswer: no\n# no heading\n```\n", []Question{{Title: "Q1", Text: "```\nAnswer: no\n# no heading\n```"}}},
		{"no heading", "Answer: to nothing\n", nil},
		{"no headings but words", "## #tag and\nx\n#hash\n", []Question{{Title: "#tag and", Text: "x\n#hash"}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, ReadQuestions(tt.text), cmpopts.IgnoreUnexported(Question{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// FuzzReadQuestions: no text breaks it, what it returns stands in the text, and no entry is without words.
func FuzzReadQuestions(f *testing.F) {
	f.Add("# Questions\n\n## Q1\r\nx\n- **Answered by Ana:** y, 2026-09-01\n```\n## z\n")
	f.Add("\ufeff#\n回答：\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, q := range ReadQuestions(text) {
			if q.Text == "" && len(q.Answers) == 0 || !strings.Contains(text, q.Title) {
				t.Errorf("%+v", q)
			}
			for _, a := range q.Answers {
				if a.Text == "" || !strings.Contains(text, a.Text) || !strings.Contains(text, a.Label) || !strings.Contains(text, a.Date) {
					t.Errorf("%+v", a)
				}
			}
		}
	})
}
