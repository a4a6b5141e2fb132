package update

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const asked = `# Questions

## Q2 (Task 3): Which of the two, C#

- Class: C2
- Option: the *old* one
- Option: Answer: none
- Recommended: the *old*
- Blocks: task 3, and what waits for it: 4
- Asked: 2026-09-02 by Mill

Relayed by Codex on 2026-09-02, as the words of Ana:

> the old one

Answer by Ana on 2026-09-03:

> the *new* one of 2025-01-01
>
> ## Q9: no heading
> ` + "```" + `

## Q7

`

// TestEscalation: an entry reads back to the letter: what was asked, what a person answered in however many lines, and apart from that what
// an agent relayed (PD-12, UN-6, C99).
func TestEscalation(t *testing.T) {
	for _, text := range []string{asked, strings.ReplaceAll(asked, "\n", "\r\n")} {
		list := ReadQuestions(text)
		if len(list) != 1 {
			t.Fatalf("%+v", list)
		}
		want := Escalation{Number: 2, ID: "Q2", Class: "C2", Task: 3, Question: "Which of the two, C#", Options: []string{"the *old* one", "Answer: none"},
			Default: "the *old*", Blocks: "task 3, and what waits for it: 4", Date: "2026-09-02", Agent: "Mill"}
		if diff := cmp.Diff(want, list[0].Escalation()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		answer := []QuestionAnswer{{"Answer by Ana on 2026-09-03", "the *new* one of 2025-01-01\n\n## Q9: no heading\n```", "2026-09-03"}}
		relayed := []QuestionAnswer{{"Relayed by Codex on 2026-09-02, as the words of Ana", "the old one", "2026-09-02"}}
		if diff := cmp.Diff(answer, list[0].Answers); diff != "" {
			t.Errorf("answers (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(relayed, list[0].Relayed); diff != "" {
			t.Errorf("relayed (-want +got):\n%s", diff)
		}
		if end := list[0].End(); !strings.HasPrefix(text[end:], "## Q7") {
			t.Errorf("it ends before %q", text[end:])
		}
		if got := LastQuestion(text); got != 7 { // an ID is never given again, though its entry lost its words
			t.Errorf("the last number is %d", got)
		}
	}
}

// TestEscalationByHand: what people write themselves is read as far as it goes (PD-12).
func TestEscalationByHand(t *testing.T) {
	for text, want := range map[string]Escalation{
		"## Which label?\n\nDefault: the lid\n":                {Question: "Which label?", Default: "the lid"},
		"## Q1: Which port? (task 2)\n- **Recommended:** 80\n": {Number: 1, ID: "Q1", Question: "Which port? (task 2)", Default: "80"},
		"## Q12\nwhat?\n":     {Number: 12, ID: "Q12", Question: "Q12"},
		"## Quality\nwhat?\n": {Question: "Quality"},
		"## Q1234567: x\ny\n": {Question: "Q1234567: x"},
		"## Q1 (Task x): y\n* Class: c9\n* Class: c3\n```\nDefault: z\n": {Number: 1, ID: "Q1", Question: "(Task x): y", Class: "C3"},
		"## Q1 (task 2) two\n- Asked: long ago\n- Class: S1\n- Default:": {Number: 1, ID: "Q1", Task: 2, Question: "two"},
	} {
		list := ReadQuestions(text)
		if len(list) != 1 {
			t.Fatalf("%q: %+v", text, list)
		}
		if diff := cmp.Diff(want, list[0].Escalation()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestQuestionAbout: an entry that is marked with its task is about no other one, whatever it names (GU-5).
func TestQuestionAbout(t *testing.T) {
	for text, want := range map[string][3]bool{
		"## Q1 (Task 2): as in task 1?\n- Blocks: task 2, 3\nAnswer: yes, 2026-09-02\n": {false, true, false},
		"## Q1: Task 3\nAnswer: yes, 2026-09-02\n":                                      {false, false, true},
		"## Q1\nTask 1 waits\nAnswer: yes, 2026-09-02\n":                                {true, false, false},
	} {
		for task := 1; task <= 3; task++ {
			if got := ReadQuestions(text)[0].About(task); got != want[task-1] {
				t.Errorf("%q, task %d: got %v", text, task, got)
			}
		}
	}
}
