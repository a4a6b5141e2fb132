package author

import (
	"fmt"
	"strings"
	"testing"
)

// LF-5: explicit full wins; explicit lite is kept unless something does not fit; without a wish the signals decide, and the
// reason is told. LF-6: micro work is told so.
func TestChoice(t *testing.T) {
	long := strings.Repeat("Read the sheet, note its date, and put it into its folder. ", 140)
	for _, tt := range []struct {
		name   string
		wish   string
		tasks  int
		groups bool
		change func(*Task) // of the second task, or the only one
		format string
		rigor  string
		why    string
	}{
		{"small", "", 2, false, nil, "lite", "standard", "bounded work"},
		{"one isolated task", "", 1, false, nil, "lite", "micro", "bounded work"},
		{"one task across a seam", "", 1, false, func(t *Task) { t.Surface.Risk = "seam" }, "lite", "standard", "bounded work"},
		{"many tasks", "", 5, false, nil, "full", "standard", "5 tasks are more than 3"},
		{"groups", "", 4, true, nil, "full", "standard", "parallel groups"},
		{"core surface", "", 2, false, func(t *Task) { t.Surface.Risk = "shared/core" }, "full", "standard", "task 2 is shared/core"},
		{"long", "", 2, false, func(t *Task) { t.Context = long[:4000] }, "full", "standard", "task 2 needs long instructions"},
		{"full asked for", "full", 1, false, nil, "full", "micro", "Full was asked for"},
		{"lite asked for", "lite", 30, false, func(t *Task) { t.Surface.Risk = "core" }, "lite", "standard", "every record is compact"},
		{"lite with a long record", "lite", 2, false, func(t *Task) { t.Context = long }, "full", "standard", "the record of task 2 takes"},
		{"lite with a script", "lite", 2, false, func(t *Task) { t.Gates = []string{"make a \\\n  b"} }, "full", "standard", "a gate of task 2 is a script"},
		{"lite with headings", "lite", 2, false, func(t *Task) { t.Context = "#### Why\n\nwords" }, "full", "standard", "headings of its own"},
		{"unknown risk", "", 2, false, func(t *Task) { t.Surface.Risk = "unknown" }, "lite", "standard", "bounded work"},
	} {
		o := sample(tt.tasks, tt.groups)
		if tt.change != nil {
			tt.change(&o.Tasks[min(1, tt.tasks-1)])
		}
		opt := base()
		opt.Format = tt.wish
		p := prepared(t, o, opt)
		c := p.Choice
		if c.Format != tt.format || c.Rigor != tt.rigor || !strings.Contains(c.Rationale, tt.why) || c.Overruled != (tt.wish == "lite" && tt.format == "full") {
			t.Errorf("%s: %+v", tt.name, c)
		}
		readme := p.Final()[readmeFile]
		for _, recorded := range []string{c.Scope, c.Dependencies, c.Detail, c.Uncertainties, c.Rationale} {
			if recorded == "" || !strings.Contains(readme, recorded) {
				t.Errorf("%s: the README does not record %q", tt.name, recorded)
			}
		}
		if told := strings.Contains(readme, "needs no plan"); told != (tt.rigor == "micro") {
			t.Errorf("%s: micro told is %v", tt.name, told)
		}
	}
	o := sample(2, false)
	o.Tasks[1].Surface.Risk = "unknown: the scanner may be broken"
	if got := prepared(t, o, base()).Choice.Uncertainties; got != "the risk of task 2 is unknown" {
		t.Errorf("uncertainties %q", got)
	}
	o.Selection = Selection{Scope: "two boxes", Dependencies: "the scanner", Detail: "little", Uncertainties: "the scanner", Rationale: "It is small."}
	if got := prepared(t, o, base()).Choice.Uncertainties; got != "the scanner; the risk of task 2 is unknown" {
		t.Errorf("uncertainties %q", got)
	}
	o.Tasks[1].Surface.Risk = "seam"
	if got := prepared(t, o, base()).Choice; got.Scope != "two boxes" || got.Uncertainties != "the scanner" || !strings.HasPrefix(got.Rationale, "It is small; recommended") {
		t.Errorf("the author's words: %+v", got)
	}
}

// AG-1, AG-2: every supported agent has its prompts, in its own style of command.
func TestPrompts(t *testing.T) {
	p := prepared(t, sample(2, false), base())
	text := p.Final()[promptsFile]
	for _, a := range agents {
		for _, command := range []string{"execute", "resume", "status"} {
			want := fmt.Sprintf("| %s | `%sdwp-%s %s` |", a.name, a.style, command, p.Name)
			if a.style == "" { // plain words, which stand once for all who take them
				want = "In plain words, for OpenClaw, Hermes, and any other agent:\n\n> Re"
				if !strings.Contains(want, a.name) || strings.Count(text, want) != 3 {
					t.Errorf("%s has no prompt", a.name)
				}
				continue
			}
			if !strings.Contains(text, want) {
				t.Errorf("no prompt %q", want)
			}
		}
	}
	if len(agents) != 8 || agents[0].style != "/" {
		t.Errorf("%d agents, the first with %q", len(agents), agents[0].style)
	}
}
