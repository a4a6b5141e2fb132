package work

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// Complete closes a task: log, criteria, README, PROGRESS.md and state.json as one operation, the last task's with the publication of the
// plan (WP-2, PS-19, VP-1, VP-2).
type Complete struct {
	revise.Who
	Task          int
	Worked, Notes string
	Tried, Failed []string
	// Skills is the skills disposition, Docs the documentation decision (PD-8); "" for what the log says already.
	Skills, Docs string
	Bullets      []string // for the entry of PROGRESS.md; made of what is known where they are too few
	// Criteria are the acceptance criteria that the caller says hold, from 1; AllCriteria means every one, and Checklist the execution
	// checklist. No box is ticked that the caller doesn't name.
	Criteria               []int
	AllCriteria, Checklist bool
	Product                Product
	Configured             []update.EnvValue
	// InTurn: inside an unattended turn no criterion that names a person's approval is ticked, unless the person's answer is recorded (UN-6).
	InTurn bool
}

// noPlace is no place in a document.
var noPlace = planmd.Span{}

// closing is the work on one completion.
type closing struct {
	*Complete
	gaps
	s   *plan.Snapshot
	d   *revise.Desk
	t   *plan.TaskView
	log *logbook
	ch  update.Change

	warnings  []string
	approvals []HumanGate // that the call ticks, and a person's answer meets
}

// Decide completes the task, or refuses with everything that is missing. A task that is completed everywhere is not touched: the call
// was cut off behind its end, or repeated.
func (c *Complete) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	d := revise.New(s, c.Who)
	t, err := taskOf(&d.View, c.Task)
	if err != nil {
		return nil, err
	}
	if err := c.texts(); err != nil {
		return nil, err
	}
	if t.Entry != nil && t.Entry.Status == state.Completed && t.Checked && logSays(t, planmd.LogCompleted) {
		return &publish.Revision{Warnings: []string{"task " + strconv.Itoa(t.ID) + " is completed already"}}, nil
	}
	if t.Entry != nil && t.Entry.Status == state.Completed && !t.Checked {
		// Our own order never leaves state.json ahead: somebody wrote it by hand, or alone (C75, PS-18).
		return nil, refuse("guard/hold", "state.json says that task %d is completed, and the README's box is open: the markdown is the truth", t.ID)
	}
	// The change is decided twice: here, so that its refusal is listed with the rest, and by publish on the plan as it will stand,
	// where log and box agree with it and nothing lags behind.
	w := &closing{Complete: c, gaps: gaps{task: t.ID}, s: s, d: d, t: t}
	w.ch = update.Change{Task: t.ID, Status: state.Completed, Worked: c.Worked, Notes: c.Notes, Tried: c.Tried, Failed: c.Failed,
		Commit: c.Product.Commit, Agent: c.Agent, Model: c.Model, Configured: c.Configured}
	return w.decide()
}

// texts checks what goes into documents; the lengths of what goes into state.json alone are checked with the change.
func (c *Complete) texts() error {
	list := []given{{"text of what worked", c.Worked, 500, false}, {"text of the notes", c.Notes, 1000, false}, {"skills disposition", c.Skills, 500, false}, {"documentation decision", c.Docs, 500, false}}
	for _, b := range c.Bullets {
		list = append(list, given{"bullet", b, 500, false})
	}
	for _, tried := range c.Tried {
		list = append(list, given{"text of what was tried", tried, anyLength, false})
	}
	for _, failed := range c.Failed {
		list = append(list, given{"text of what failed", failed, anyLength, false})
	}
	return all(list...)
}

// decide gathers what is missing; only when nothing is, the documents are written. The order of the edits is the order of PS-19.
func (w *closing) decide() (*publish.Revision, error) {
	w.guards()
	w.record()
	w.criteria()
	w.humanGates()
	w.gates()
	w.index()
	w.Product.judge(&w.gaps, w.s, w.t)
	if len(w.Bullets) > maxBullets {
		w.add("guard/bullets", "", nil, noPlace, "%d bullets are given", len(w.Bullets))
	}
	if err := w.refused(); err != nil {
		return nil, err
	}
	w.fillLog()
	tick(w.d, w.t, true)
	bullets := w.progress()
	r, err := w.d.Revision("complete", strconv.Itoa(w.t.ID))
	if err != nil {
		return nil, err
	}
	r.Change, r.Warnings = &w.ch, append(r.Warnings, w.warnings...)
	return r, w.faithful(r, bullets)
}

// guards asks whether the change would be made at all, so that its refusal stands in the same list as the rest (GU-1 to GU-7).
func (w *closing) guards() {
	if _, refusal := update.Next(w.s, w.ch, w.Now); refusal != nil {
		w.pass(refusal)
	}
	// What was said in an earlier update counts.
	known := w.t.Entry != nil && w.t.Entry.Outcome != nil && w.t.Entry.Outcome.Worked != ""
	if planmd.Wordless(w.Worked) && !known {
		w.add("outcome/missing", "", nil, noPlace, "what worked is not said")
		w.hint("give --worked")
	}
}

// record looks at the log: its dispositions, and what the template left for later (PD-8, VP-2).
func (w *closing) record() {
	if w.log = openLog(w.d, w.t); w.log == nil {
		w.add("record/section", w.t.File, nil, noPlace, "the task has no Completion & Log")
		return
	}
	log := &w.t.Record.Log
	skills := or(w.Skills, valueOf(log.Skills))
	head := w.log.section.Head
	switch form := planmd.DispositionForm(skills); {
	case planmd.Undecided(skills) || skills == "":
		w.add("log/skills", w.t.File, w.t.Doc, head, "its log has no skills disposition")
		w.hint("give --skills: none, 'update x', 'create x', or 'defer \u2014 reason, owner'")
	case form == "" || form == planmd.DispositionDefer && !planmd.DeferComplete(skills):
		w.add("log/skills-form", w.t.File, w.t.Doc, head, "the skills disposition %q is none of: none, update x, create x, defer \u2014 reason, owner", skills)
	}
	if docs := or(w.Docs, valueOf(log.Documentation)); docs == "" || planmd.Undecided(docs) {
		// For the Final Review it is a must; elsewhere a decision that is none must not pass for one (PD-8).
		if w.isReview() || w.Docs != "" {
			w.add("log/documentation", w.t.File, w.t.Doc, head, "its log has no documentation decision")
			w.hint("give --docs")
		} else {
			w.warnings = append(w.warnings, "the log has no documentation decision; --docs gives one")
		}
	}
	w.placeholders()
}

// placeholders are lines of the log that say nothing, and that this call doesn't fill in.
func (w *closing) placeholders() {
	will := map[int]bool{}
	for _, f := range []*planmd.Field{
		w.t.Record.Log.Status, w.log.find(planmd.FieldOther, dateLabels...), w.log.find(planmd.FieldOther, evidenceLabels...),
		ifGiven(w.worked(), w.log.find(planmd.FieldOther, summaryLabels...)), ifGiven(w.Skills, w.t.Record.Log.Skills),
		ifGiven(w.Docs, w.t.Record.Log.Documentation), ifGiven(w.Product.Commit, w.log.find(planmd.FieldOther, commitLabels...)),
	} {
		if f != nil {
			will[f.Span.Start] = true
		}
	}
	for _, at := range w.t.Record.Log.Placeholders {
		if !will[at.Start] && !amended(w.t.Record, at.Start) {
			w.add("log/placeholder", w.t.File, w.t.Doc, at, "the log says nothing yet in %q", revise.OneLine(w.t.Doc.Text(at)))
		}
	}
}

func ifGiven(value string, f *planmd.Field) *planmd.Field {
	if value == "" {
		return nil
	}
	return f
}

// The labels of log lines that are filled in where a log has them, in lower case.
var (
	dateLabels     = []string{"date", "completed", "completed on", "completed at", "completion date", "date completed"}
	summaryLabels  = []string{"summary", "what was done", "work done", "result"}
	evidenceLabels = []string{"evidence", "gate results", "validation results", "gates run"}
	commitLabels   = []string{"commit"}
)

// fillLog writes the log: status, date, summary, evidence, dispositions.
func (w *closing) fillLog() {
	log := w.log
	log.say(planmd.LogCompleted)
	log.set("Date", w.Date(), planmd.FieldOther, dateLabels...)
	log.keep("Summary", w.worked(), planmd.FieldOther, summaryLabels...)
	// A line that waits for evidence gets all of it; else one line per gate, and none twice.
	proofs := w.proofs()
	if f := log.find(planmd.FieldOther, evidenceLabels...); f != nil && planmd.Wordless(f.Value) {
		log.fill(f, strings.Join(proofs, "; "))
	} else {
		for _, p := range proofs {
			log.append("Evidence", p)
		}
	}
	if w.Product.Commit != "" {
		log.set("Commit", w.Product.Commit, planmd.FieldOther, commitLabels...)
	}
	w.approved()
	log.set("Skills disposition", w.Skills, planmd.FieldSkills)
	log.set("Documentation decision", w.Docs, planmd.FieldDocs)
	log.done()
	w.tickBoxes()
}

func (w *closing) worked() string {
	if w.Worked == "" && w.t.Entry != nil && w.t.Entry.Outcome != nil {
		return printable(revise.OneLine(w.t.Entry.Outcome.Worked))
	}
	return w.Worked
}

// index: the README has a box to tick.
func (w *closing) index() {
	if w.t.Line == nil || w.t.Line.Box == nil {
		w.add("index/no-boxes", revise.ReadmeFile, nil, noPlace, "the README has no box for the task")
	}
}

// isReview reports whether the task is the plan's Final Review (PD-7).
func (w *closing) isReview() bool { return verify.FinalReview(&w.d.View) == w.t.ID }

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func valueOf(f *planmd.Field) string {
	if f == nil {
		return ""
	}
	return f.Value
}

// maxBullets and minBullets bound an entry of PROGRESS.md (WP-2).
const (
	minBullets = 3
	maxBullets = 5
)

// progress adds the entry of PROGRESS.md, unless one stands already (C73), and returns how many bullets it has; 0 for none.
func (w *closing) progress() int {
	if len(w.Bullets) == 0 && w.told() {
		return 0
	}
	made := []string{"Evidence: " + strings.Join(w.proofs(), "; "), "Decisions: " + w.decisions()}
	bullets := slices.Clone(w.Bullets)
	if len(bullets) == 0 {
		bullets = append(bullets, "What: "+w.worked())
	}
	for _, bullet := range made {
		if len(bullets) < minBullets {
			bullets = append(bullets, bullet)
		}
	}
	// The head names the task, as verify looks for it.
	title := "Task " + strconv.Itoa(w.t.ID) + ": " + w.t.Title
	if w.has(title, bullets) {
		return 0
	}
	w.d.Note(title, bullets...)
	return len(bullets)
}
