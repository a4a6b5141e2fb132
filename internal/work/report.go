package work

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// Report is the executive report of a plan, as Markdown, made on request from what its files say and from nothing else (WP-1: nothing is made
// up). Texts of the plan are shown as text: nothing in them is structure of the report. What an agent wrote down is called a claim; what verify
// found, and what dwp saw itself, are told apart from it (GU-11).
func Report(s *plan.Snapshot, found *verify.Report, questions []byte, now time.Time) string {
	r := report{s: s, o: s.Overview(), found: found}
	r.head(now)
	r.goal()
	r.outcomes()
	r.evidence()
	r.amendments()
	r.decisions()
	r.open(questions)
	r.receipt()
	return r.b.String()
}

type report struct {
	s     *plan.Snapshot
	o     plan.Overview
	found *verify.Report
	b     strings.Builder
}

func (r *report) line(format string, args ...any) { fmt.Fprintf(&r.b, format+"\n", args...) }

// section begins a section; without lines it says so.
func (r *report) section(title string, lines []string, none string) {
	r.line("\n## %s\n", title)
	if len(lines) == 0 {
		lines = []string{none}
	}
	r.line("%s", strings.Join(lines, "\n"))
}

// head says which plan it is, how far it got, and what the statements are worth.
func (r *report) head(now time.Time) {
	r.line("# Report: %s\n", inert(r.o.Title))
	r.line("- Plan: %s", inert(r.s.Name))
	if v := r.s.Standard(); v != "" {
		r.line("- Standard: %s", inert(v))
	}
	r.line("- Status: %s, %d of %d tasks completed", statusWord(r.o.Status), r.o.Completed, r.o.Total)
	if r.o.Hold != plan.HoldNone && r.o.Hold != plan.HoldCompleted {
		r.line("- Held: %s", inert(string(r.o.Hold)))
	}
	r.line("- Verify: %s, %s", r.found.Verdict, r.levels())
	r.line("- Made: %s from the files of the plan", now.UTC().Format("2006-01-02 15:04 UTC"))
	r.line("\nWhat is marked \"claim\" was written down by an agent or a person; by itself it\nproves nothing. What is marked \"observed\" has the form of a run that dwp saw, and\nits log is as it was recorded. All else was read or counted for this report.")
}

func (r *report) levels() string {
	count := map[rule.Level]int{}
	for _, f := range r.found.Findings {
		count[f.Level] += max(1, f.Count)
	}
	return fmt.Sprintf("%d must, %d should, %d info", count[rule.Must], count[rule.Should], count[rule.Info])
}

func statusWord(s state.Status) string { return strings.ReplaceAll(string(s), "_", " ") }

// goal quotes the goal.
func (r *report) goal() {
	var lines []string
	if d := r.s.README; d != nil {
		if g := d.Section(planmd.Goal); g != nil && !g.Empty {
			for line := range strings.Lines(strings.TrimSpace(d.Text(g.Body))) {
				line = strings.ReplaceAll(printable(strings.TrimRight(line, "\r\n")), "<", "&lt;")
				lines = append(lines, strings.TrimRight("> "+line, " "))
			}
		}
	}
	r.section("Goal", lines, "README.md states none.")
}

// outcomes tell per task what worked, was tried, and failed (PS-14).
func (r *report) outcomes() {
	r.line("\n## Tasks")
	for i := range r.o.Tasks {
		t := &r.o.Tasks[i]
		r.line("\n### Task %d: %s\n", t.ID, inert(t.Title))
		r.line("- Status: %s%s", statusWord(t.Status), r.disagrees(t))
		e := t.Entry
		if e == nil {
			continue
		}
		r.times(e)
		if o := e.Outcome; o != nil {
			r.claim("Worked", o.Worked)
			for _, text := range o.Tried {
				r.claim("Tried", text)
			}
			for _, text := range o.Failed {
				r.claim("Failed", text)
			}
			r.claim("Notes", o.Notes)
		}
	}
}

// disagrees says when box and entry tell different things: the box is what counts (PS-18).
func (r *report) disagrees(t *plan.TaskView) string {
	if t.Entry == nil || t.Line == nil || t.Checked == (t.Entry.Status == state.Completed) {
		return ""
	}
	return ", though state.json says " + statusWord(t.Entry.Status)
}

func (r *report) times(e *state.Task) {
	var parts []string
	if e.StartedAt != nil {
		parts = append(parts, "from "+day(e.StartedAt.Value))
	}
	if e.CompletedAt != nil {
		parts = append(parts, "to "+day(e.CompletedAt.Value))
	}
	if e.Commit != "" {
		parts = append(parts, "commit "+inert(e.Commit))
	}
	if len(parts) > 0 {
		r.line("- Recorded: %s (claim)", strings.Join(parts, ", "))
	}
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// claim is one statement of an agent.
func (r *report) claim(label, text string) {
	if text = inert(text); text != "" {
		r.line("- %s: %s (claim)", label, text)
	}
}

// evidence lists the gate records that count, and how many others there are (PS-12, GU-4).
func (r *report) evidence() {
	var rows []string
	history := 0
	for _, g := range Gates(r.s, 0) {
		if g.History {
			history++
			continue
		}
		result, when, kind := "failed", "", "claim"
		if g.Passes {
			result = "passed"
		}
		if g.ExitCode != nil {
			result += ", exit " + strconv.Itoa(*g.ExitCode)
		}
		if g.LastRun != nil {
			when = day(g.LastRun.Value)
		}
		switch {
		case g.Observed && g.Log == LogIntact:
			kind = "observed"
		case g.Observed:
			kind = "claim; its log is " + string(g.Log)
		}
		rows = append(rows, fmt.Sprintf("| %d | %s | %s | %s | %s | %s |", g.Task, inert(g.Command), result, when, inert(g.Evidence), kind))
	}
	if len(rows) > 0 {
		rows = slices.Insert(rows, 0, "| Task | Command | Result | When | Evidence | Kind |", "|---|---|---|---|---|---|")
	}
	if history > 0 {
		rows = append(rows, fmt.Sprintf("\nOlder or invalidated records, which count no more: %d.", history))
	}
	r.section("Evidence", rows, "No gate is recorded.")
}

// amendments lists what was changed, moved, or not met, and who allowed it (AM-1).
func (r *report) amendments() {
	var lines []string
	for i := range r.o.Tasks {
		t := &r.o.Tasks[i]
		if t.Status == state.Skipped {
			lines = append(lines, fmt.Sprintf("- Task %d is skipped", t.ID))
		}
		if t.Record == nil {
			continue
		}
		for _, a := range t.Record.Log.Amendments {
			lines = append(lines, fmt.Sprintf("- Task %d, amendment %d, %s (claim)", t.ID, a.Number, inert(a.Date)))
			for _, f := range a.Fields {
				if text := inert(f.Value); text != "" {
					lines = append(lines, "  - "+inert(f.Label)+": "+text)
				}
			}
		}
	}
	r.section("Amendments and exceptions", lines, "None is recorded.")
}

// decisions lists what was decided without a person (UN-5).
func (r *report) decisions() {
	var lines []string
	for _, d := range plan.Decisions(r.s.Progress) {
		about := inert(d.Date)
		if d.Task > 0 {
			about = strings.TrimPrefix(about+", task "+strconv.Itoa(d.Task), ", ")
		}
		if d.By != "" {
			about = strings.TrimPrefix(about+", by "+inert(d.By), ", ")
		}
		if about != "" {
			about = " (" + about + ")"
		}
		lines = append(lines, fmt.Sprintf("- %s%s: %s (claim)", inert(d.ID), about, inert(d.Choice)))
		for _, part := range [][2]string{{"Options", strings.Join(d.Options, "; ")}, {"Why", d.Why}, {"Revert", d.Revert}} {
			if text := inert(part[1]); text != "" {
				lines = append(lines, "  - "+part[0]+": "+text)
			}
		}
	}
	r.section("Decisions", lines, "None is recorded.")
}

// open lists what is left: tasks, the blocker, findings, questions, undecided candidates, discovered work, critical findings.
func (r *report) open(questions []byte) {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, "- "+fmt.Sprintf(format, args...)) }
	if st := r.s.State; st != nil && st.Blocked != nil {
		add("Blocked, task %d: %s; needs: %s (claim)", st.Blocked.Task, inert(st.Blocked.Reason), inert(st.Blocked.Needs))
	}
	if left := r.o.Total - r.o.Completed; left > 0 {
		add("Tasks not completed: %d", left)
	}
	if r.s.Review != nil {
		for _, c := range r.s.Review.Critical {
			add("Critical security finding, unresolved: %s", inert(c.Text))
		}
	}
	for _, f := range r.found.Findings {
		if f.Level != rule.Info {
			add("Verify, %s, %s: %s", f.Level, inert(f.Rule), inert(f.Message))
		}
	}
	for _, u := range r.found.Unevaluated {
		add("Verify could not evaluate %s: %s", inert(u.Rule), inert(u.Reason))
	}
	for _, q := range openQuestions(questions) {
		add("Question without an answer: %s", inert(q))
	}
	for _, c := range candidates(r.s).List {
		if c.Disposition == nil || planmd.Undecided(c.Disposition.Value) {
			add("Skills candidate %s, undecided: %s", inert(c.ID), inert(c.Title))
		}
	}
	if n := r.discovered(); n > 0 {
		add("Discovered work in PROGRESS.md, for the next refine: %d lines", n)
	}
	r.section("Open points", lines, "None was found.")
}

// discovered counts the lines of the Discovered section (PD-12).
func (r *report) discovered() (n int) {
	if r.s.Progress == nil {
		return 0
	}
	for i := range r.s.Progress.Sections {
		s := &r.s.Progress.Sections[i]
		if s.Kind != planmd.Discovered || s.Empty {
			continue
		}
		for line := range strings.Lines(r.s.Progress.Text(s.Body)) {
			if strings.TrimSpace(line) != "" {
				n++
			}
		}
	}
	return n
}

// receipt says what was published, and whether it still holds (VP-1, VP-5).
func (r *report) receipt() {
	var lines []string
	if c := r.s.Receipt; c != nil {
		holds := "it agrees with the plan as it stands"
		for _, f := range r.found.Findings {
			if strings.HasPrefix(f.Rule, "receipt/") && f.Level == rule.Must {
				holds = "the plan was changed since: " + inert(f.Message)
				break
			}
		}
		for _, u := range r.found.Unevaluated {
			if strings.HasPrefix(u.Rule, "receipt/") {
				holds = "it could not be compared: " + inert(u.Reason)
				break
			}
		}
		lines = append(lines, "- "+state.ReceiptFile+": "+holds, "- sha256 of the published state.json: "+inert(c.StateSHA256), fmt.Sprintf("- Files it covers: %d", len(c.Files)))
	}
	r.section("Receipt", lines, "The plan is not published.")
}

// inert is a text as one line of words in which Markdown finds nothing: every mark is escaped. An underscore within a word is none.
func inert(text string) string {
	var b strings.Builder
	runes := []rune(printable(revise.OneLine(text)))
	word := func(i int) bool {
		return i >= 0 && i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]))
	}
	for i, c := range runes {
		if strings.ContainsRune("\\`*_[]<>|~&!#$", c) && (c != '_' || !word(i-1) || !word(i+1)) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// printable drops what a terminal or an editor would act on: control and direction characters.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t':
			return ' '
		case unicode.IsControl(c), unicode.Is(unicode.Bidi_Control, c), c == '\u2028', c == '\u2029', c == '\ufeff':
			return -1
		}
		return c
	}, text)
}
