package author

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// answers are what a person says to a whole interview, in order. Lists are written with "/".
var answers = []string{
	"Export invoices", "An accountant downloads one file a month.", "Invoices are pages only.",
	"Write CSV", "A function writes CSV.", "Nothing writes it.", "billing/csv.go", "isolated", "The sample is reproduced/Amounts are exact", "go test ./billing",
	"Offer it", "A page offers the month.", "web/month.go lists invoices.", "- web/month.go/- web/page.go", "seam", "Only that month is in the file", "go test ./web | tail -3",
	"", "1, 2", "lite",
}

// converse answers every question, and returns what was asked, as "About: Flag", and what was asked again.
func converse(t *testing.T, v *Interview, answers []string) (asked, again []string) {
	t.Helper()
	for _, a := range answers {
		q, ok := v.Next()
		if !ok {
			t.Fatalf("no question is left for %q", a)
		}
		if q.Ask == "" || q.Hint == "" || q.Flag == "" || q.About == "" {
			t.Errorf("a question lacks words: %+v", q)
		}
		asked = append(asked, q.About)
		if why := v.Answer(strings.Split(a, "/")); why != "" {
			again = append(again, why)
		}
	}
	return asked, again
}

// C145: the questions of an interview, in order, make an outline from which a conformant plan is made; each has a flag.
func TestInterviewMakesAPlan(t *testing.T) {
	v := &Interview{}
	// Paths hold slashes, which the lists of this test would split.
	said := slices.Clone(answers)
	said[6], said[13], said[9], said[16] = "csv.go", "- month.go/- page.go", "go test billing", "go test web | tail -3"
	asked, again := converse(t, v, said)
	if len(again) > 0 {
		t.Errorf("asked again: %q", again)
	}
	if q, ok := v.Next(); ok {
		t.Errorf("one more question: %+v", q)
	}
	if got := strings.Join(slices.Compact(asked), ", "); got != "The plan, Task 1, Task 2, Task 3, Order, Format" {
		t.Errorf("asked about: %s", got)
	}
	o := v.Outline
	if len(o.Tasks) != 2 || v.Format != "lite" || len(o.Groups) != 2 || !slices.Equal(o.Groups[1].Owned, []string{"month.go", "page.go"}) || !slices.Equal(o.Tasks[0].Acceptance, []string{"The sample is reproduced", "Amounts are exact"}) {
		t.Errorf("%+v", o)
	}
	opt := base()
	opt.Format = v.Format
	conforms(t, o, opt)
	// What is kept of it reads back as the same outline.
	kept, gaps := ReadOutline(o.JSON())
	if len(gaps) > 0 || !bytes.Equal(kept.JSON(), o.JSON()) {
		t.Errorf("%v\n%s", gaps, kept.JSON())
	}
}

// Answers that lack substance are asked again, with the same reason that an outline would be refused for; the rest is kept.
func TestInterviewAsksAgain(t *testing.T) {
	v := &Interview{Taken: func(name string) bool { return name == "PLAN_old_work" }}
	for _, step := range []struct{ bad, why, good string }{
		{"", "title is missing", ""},
		{"old work", "there is a plan PLAN_old_work already", ""},
		{"TBD", "title is a placeholder", "New work"},
		{"...", "Goal is a placeholder", "It works."},
		{"", "Context is missing", "It does not."},
		{"", "one task at least", ""},
		{"N/A", "title is a placeholder", "Do it"},
		{"<!-- later -->", "Goal is nothing but a comment", "It is done."},
		{"", "Context is missing", "Nothing is there."},
		{"", "planned paths: none given", "a.go"},
		{"big", `is "big": write isolated`, ""},
		{"not applicable", "needs a reason", "isolated"},
		{"TBD", "item 1 has no words", "It runs"},
		{strings.Repeat("x", 501), "a record holds 500", ""},
		{"curl -H 'Authorization: Bearer " + strings.Repeat("aB3dE6gH", 3) + "'", "looks like a secret", "go test"},
		{"", "", ""}, // no more tasks
		{"small", "write lite or full", "full"},
	} {
		why := v.Answer([]string{step.bad})
		if step.why == "" != (why == "") || !strings.Contains(why, step.why) {
			t.Errorf("%q: %q, want %q", step.bad, why, step.why)
		}
		if step.good != "" {
			if why := v.Answer([]string{step.good}); why != "" {
				t.Errorf("%q: %q", step.good, why)
			}
		}
		v.Next()
	}
	if q, ok := v.Next(); ok {
		t.Errorf("one more question: %+v", q)
	}
	if gaps := v.Outline.Gaps(); len(gaps) > 0 {
		t.Errorf("%v", gaps)
	}
}

// AG-6: tasks that run together are named by their numbers, and never write the same file.
func TestInterviewParallel(t *testing.T) {
	v := &Interview{Outline: sample(3, false)}
	for numbers, want := range map[string]string{
		"1": "two numbers at least", "1 9": `"9" is no task`, "1,1": "task 1 stands twice", "one, two": `"one" is no task`, "0 1": `"0" is no task`, "": "",
	} {
		if wrong := v.Parallel(numbers); wrong == "" != (want == "") || !strings.Contains(wrong, want) {
			t.Errorf("%q: %q, want %q", numbers, wrong, want)
		}
	}
	v.Outline.Tasks[1].Surface.Planned = v.Outline.Tasks[0].Surface.Planned
	if wrong := v.Parallel("1 2"); !strings.Contains(wrong, "both plan to write") {
		t.Errorf("shared file: %q", wrong)
	}
	if wrong := v.Parallel("2; 3"); wrong != "" || len(v.Outline.Groups) != 2 {
		t.Errorf("%q, %+v", wrong, v.Outline.Groups)
	}
	if wrong := v.Parallel("1 3"); !strings.Contains(wrong, "stands in two groups") {
		t.Errorf("second group: %q", wrong)
	}
}

// What flags answer is not asked for.
func TestInterviewSkips(t *testing.T) {
	v := &Interview{Outline: sample(2, false), Format: "full", TasksGiven: true, ParallelGiven: true}
	if q, ok := v.Next(); ok {
		t.Errorf("asked: %+v", q)
	}
	v = &Interview{Outline: sample(1, false), TasksGiven: true, Hub: true}
	if q, _ := v.Next(); q.About != "Child plans" || q.Flag != "--child" {
		t.Errorf("asked: %+v", q)
	}
	if why := v.Answer([]string{"- /srv/api: PLAN_a_b"}); !strings.Contains(why, "write a path from the hub's root") {
		t.Errorf("%q", why)
	}
	if why := v.Answer([]string{"api: PLAN_a_b, task 1", "", "- ../web: PLAN_c_d, after PLAN_a_b - later"}); why != "" || len(v.Outline.Children) != 2 {
		t.Errorf("%q, %+v", why, v.Outline.Children)
	}
	if got := v.Outline.Children[1].Words(); got != "../web: PLAN_c_d, after PLAN_a_b" || v.Outline.Children[1].Notes != "later" {
		t.Errorf("%q", got)
	}
}

// A task in one text: seven parts, of which the last keeps its bars; or JSON.
func TestParseTask(t *testing.T) {
	task, gaps := ParseTask("Write CSV | It is written. | Nothing is. | a.go; b/c.go | isolated | One; Two; | go test | tail -3", 1)
	if len(gaps) > 0 || task.Title != "Write CSV" || task.Goal != "It is written." || task.Context != "Nothing is." || task.Surface.Risk != "isolated" ||
		!slices.Equal(task.Surface.Planned, []string{"a.go", "b/c.go"}) || !slices.Equal(task.Acceptance, []string{"One", "Two"}) || !slices.Equal(task.Gates, []string{"go test | tail -3"}) {
		t.Errorf("%v, %+v", gaps, task)
	}
	task, gaps = ParseTask(` {"title": "Write CSV", "gates": ["a | b"], "depends_on": []}`, 1)
	if len(gaps) > 0 || task.Title != "Write CSV" || !slices.Equal(task.Gates, []string{"a | b"}) || !task.HasDepends {
		t.Errorf("%v, %+v", gaps, task)
	}
	for text, want := range map[string]string{"Write CSV": "it has 1 of the parts TITLE|GOAL", "": "it has 1 of", "{": "not JSON", `{"titel": "x"}`: "no field", `{"title": 1}`: "must be a string"} {
		if _, gaps := ParseTask(text, 2); len(gaps) != 1 || !strings.Contains(gaps[0].What, want) || !strings.HasPrefix(gaps[0].Place, "--task 2") {
			t.Errorf("%q: %v", text, gaps)
		}
	}
}

// Whatever is answered, an interview neither panics nor accepts what Gaps would refuse.
func FuzzInterview(f *testing.F) {
	f.Add(strings.Join(answers, "\n"))
	f.Add("\n\n\x00\n- [ ] x\n## y\n{#task-1}\n")
	f.Fuzz(func(t *testing.T, said string) {
		v := &Interview{Hub: len(said)%2 == 0}
		for line := range strings.SplitSeq(said, "\n") {
			if _, ok := v.Next(); !ok {
				if gaps := v.Outline.Gaps(); len(gaps) > 0 {
					t.Fatalf("%v", gaps)
				}
				return
			}
			v.Answer(strings.Split(line, "/"))
		}
	})
}
