package author

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
)

// The dispositions of an amendment: what becomes of the criterion (AM-2, AM-4).
const (
	DispositionRevised    = "revised"    // another criterion stands for it
	DispositionDeferred   = "deferred"   // it moves to a later task
	DispositionUnexecuted = "unexecuted" // its scenario was not executed: no evidence passes it
	DispositionFailed     = "failed"     // its gate failed, until the same intent reruns and passes
	DispositionException  = "exception"  // a person accepts a bounded exception
)

// Dispositions are all of them, in the order of the standard.
func Dispositions() []string {
	return []string{DispositionRevised, DispositionDeferred, DispositionUnexecuted, DispositionFailed, DispositionException}
}

// Amending is what an amendment is asked to say (AM-1). Texts are one line.
type Amending struct {
	revise.Who
	Task int
	// Original is the criterion, verbatim; Criterion, when not 0, picks it by its place in Acceptance Criteria instead.
	Original    string
	Criterion   int
	Observed    string
	Disposition string // one of the five
	Revised     string // the criterion that stands instead; only with DispositionRevised
	To          int    // the task that it moves to; only with DispositionDeferred
	Boundary    string // how far it reaches; only with DispositionException
	Reason      string
	Authority   string // user, developer or evidence
	Statement   string // the granting words; needed with authority user
	// Affected name tasks by number, each entry with what becomes of them or without: "2, 4", "3 reopened". None is the task itself.
	Affected []string
	// Invalidated are commands of the task's gate records; Preserved is told as it is.
	Invalidated, Preserved []string
	// Turn says that the caller is inside an unattended turn.
	Turn bool
}

// AmendTerms is what an amendment may meet: plans without a state layer have amendments too.
var AmendTerms = update.Terms{Stateless: true}

// Decide makes the revision that amends a task: the amendment in its log and in PROGRESS.md with today's date; the criterion that now
// stands as an open box, the revised one in the same task, a deferred one in the task that it moves to; and the mark on evidence that
// it invalidates. The line of the original stays as it was written. The records of a completed task, too, stay until it is
// reopened, which the warnings say how to do. The same call again does only what is missing (AM-1, AM-2, C117).
func (a *Amending) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	w := &amending{Amending: *a, d: revise.New(s, a.Who)}
	for _, check := range []func() error{w.found, w.authorised, w.criterion, w.disposed, w.affected, w.evidence, w.readable} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	number, already, err := w.d.Amend(w.task, w.amendment())
	if err != nil {
		return nil, refuse("guard/amend-task", "%v", err)
	}
	w.carry(number)
	w.mark(number)
	r, err := w.d.Revision("amend", w.args()...)
	if err != nil || len(r.Changes) == 0 {
		return r, err
	}
	if err := w.faithful(r, already); err != nil {
		return nil, err
	}
	r.Republish = published(s)
	if w.done() && len(w.Invalidated) > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("task %d is completed: its records stay as they are until it is reopened: dwp reopen %s %d --reason TEXT", w.Task, s.Name, w.Task))
	}
	return r, nil
}

// published reports whether a receipt is in force, which has to speak of the plan as it is amended (VP-5).
func published(s *plan.Snapshot) bool {
	_, receipt := s.Nodes[state.ReceiptFile]
	return receipt && completedState(s)
}

// amending is the work on one amendment. The checks fill it in as they pass.
type amending struct {
	Amending
	d      *revise.Desk
	task   *plan.TaskView
	target *plan.TaskView // of a deferral
	tasks  string         // the affected ones, as the amendment names them
	added  *plan.TaskView // the one that gets a criterion; nil for none
}

// done reports whether the task is completed, by box or by entry.
func (w *amending) done() bool {
	return w.task.Checked || w.task.Entry != nil && w.task.Entry.Status == state.Completed
}

// found looks the task up.
func (w *amending) found() error {
	switch w.task = w.d.Task(w.Task); {
	case w.task == nil:
		return refuse("guard/amend-task", "the plan has no task %d", w.Task)
	case w.task.Record == nil || w.task.Doc == nil:
		return refuse("guard/amend-task", "task %d has no record", w.Task)
	case w.task.Record.Section(planmd.CompletionLog) == nil:
		return refuse("guard/amend-task", "the record of task %d has no Completion & Log to append to", w.Task)
	}
	return nil
}

// authorised: who may allow what (AM-2, AM-4, UN-6).
func (w *amending) authorised() error {
	person := w.Authority == planmd.AuthorityUser || w.Authority == planmd.AuthorityDeveloper
	switch {
	case person && w.Turn:
		return refuse("guard/in-turn", "inside a turn nobody claims the authority of the %s", w.Authority)
	case w.Turn && w.Statement != "":
		return refuse("guard/in-turn", "inside a turn nobody passes on granting words")
	case w.Disposition == DispositionDeferred && !person:
		return refuse("guard/amend-authority", "a requirement is deferred by user or developer, not by %s", w.Authority)
	case w.Disposition == DispositionException && w.Authority != planmd.AuthorityUser:
		return refuse("guard/amend-authority", "an exception is accepted by the user, not by %s", w.Authority)
	case w.Authority == planmd.AuthorityUser && w.Statement == "":
		return refuse("guard/amend-authority", "the user's granting words are missing: give them with --statement")
	}
	return nil
}

// criterion finds the original where it stands: a criterion of Acceptance Criteria, or a line of Validation or Goal (AM-1).
func (w *amending) criterion() error {
	rec := w.task.Record
	var list []planmd.Criterion
	if section := rec.Section(planmd.Acceptance); section != nil {
		list = w.task.Doc.Criteria(section)
	}
	if w.Criterion != 0 {
		if w.Criterion < 1 || w.Criterion > len(list) {
			return refuse("guard/amend-criterion", "task %d has no criterion %d%s", w.Task, w.Criterion, listed(list))
		}
		w.Original = revise.OneLine(list[w.Criterion-1].Text)
		return nil
	}
	w.Original = revise.OneLine(w.Original)
	for _, c := range list {
		if revise.OneLine(c.Text) == w.Original {
			return nil
		}
	}
	for _, kind := range []planmd.SectionKind{planmd.Validation, planmd.Goal} {
		if section := rec.Section(kind); section != nil && standsIn(w.task.Doc.Text(section.Body), w.Original) {
			return nil
		}
	}
	return refuse("guard/amend-criterion", "%q is no criterion of task %d%s", strictjson.Shorten(w.Original, 80), w.Task, listed(list))
}

// standsIn reports whether a text is, or has as a line, an item or a sentence of its own, what is quoted.
func standsIn(text, quoted string) bool {
	if revise.OneLine(text) == quoted {
		return true
	}
	for line := range strings.Lines(text) {
		line = revise.OneLine(strings.TrimLeft(line, " \t-*+"))
		if line == quoted || slices.Contains(strings.SplitAfter(line, ". "), quoted) {
			return true
		}
	}
	return false
}

// listed names the criteria that there are, with their numbers.
func listed(list []planmd.Criterion) string {
	const most = 9
	if len(list) == 0 {
		return "; its Acceptance Criteria list none"
	}
	var b strings.Builder
	b.WriteString("; there are")
	for i, c := range list[:min(len(list), most)] {
		fmt.Fprintf(&b, " %d %q", i+1, strictjson.Shorten(revise.OneLine(c.Text), 80))
	}
	if len(list) > most {
		fmt.Fprintf(&b, " and %d more", len(list)-most)
	}
	return b.String()
}

// disposed: a deferred criterion has a task to go to.
func (w *amending) disposed() error {
	if w.Disposition != DispositionDeferred {
		return nil
	}
	w.target = w.d.Task(w.To)
	switch t := w.target; {
	case t == nil:
		return refuse("guard/amend-target", "the plan has no task %d", w.To)
	case t.ID <= w.Task:
		return refuse("guard/amend-target", "task %d is not later than task %d", t.ID, w.Task)
	case t.Checked || t.Status == state.Completed || t.Status == state.Skipped:
		return refuse("guard/amend-target", "task %d is not open", t.ID)
	case t.Record == nil || t.Doc == nil || t.Record.Section(planmd.Acceptance) == nil:
		return refuse("guard/amend-target", "task %d has no Acceptance Criteria to move to", t.ID)
	}
	return nil
}

// affected names the affected tasks; each exists.
func (w *amending) affected() error {
	if len(w.Affected) == 0 {
		w.tasks = strconv.Itoa(w.Task)
		if w.target != nil {
			w.tasks += ", " + strconv.Itoa(w.To)
		}
		return nil
	}
	for _, entry := range w.Affected {
		ids, _ := leading(entry)
		if len(ids) == 0 {
			return refuse("guard/amend-task", "the affected tasks %q begin with no number of a task", strictjson.Shorten(entry, 80))
		}
		for _, id := range ids {
			if w.d.Task(id) == nil {
				return refuse("guard/amend-task", "the plan has no task %d, which the amendment says is affected", id)
			}
		}
	}
	w.tasks = strings.Join(w.Affected, "; ")
	return nil
}

// leading reads the numbers that an entry begins with, "2, 4 reopened", and what follows them.
func leading(entry string) (ids []int, rest string) {
	rest = strings.TrimSpace(entry)
	for {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.Atoi(rest[:digits])
		if err != nil {
			return ids, rest
		}
		ids = append(ids, n)
		rest = strings.TrimLeft(rest[digits:], " ")
		if after, more := strings.CutPrefix(rest, ","); more {
			rest = strings.TrimLeft(after, " ")
			continue
		}
		return ids, rest
	}
}

// evidence: what is invalidated is recorded. A plan without a state layer has no records to compare with.
func (w *amending) evidence() error {
	if w.task.Entry == nil {
		return nil
	}
	for _, command := range w.Invalidated {
		if !slices.ContainsFunc(w.task.Entry.Gates, func(g state.Gate) bool { return evidence.Command(g.Command) == evidence.Command(command) }) {
			return refuse("guard/amend-evidence", "task %d has no gate record of %q%s", w.Task, strictjson.Shorten(command, 80), recorded(w.task.Entry.Gates))
		}
	}
	return nil
}

func recorded(gates []state.Gate) string {
	if len(gates) == 0 {
		return "; it has none at all"
	}
	var commands []string
	for i := range gates {
		if c := strconv.Quote(strictjson.Shorten(gates[i].Command, 80)); !slices.Contains(commands, c) {
			commands = append(commands, c)
		}
	}
	return "; it has " + strings.Join(commands, ", ")
}

// amendment is what stands in the log. The authority is one word: what else is known about it has lines of its own, because a word
// such as agent beside it would void it (UN-6).
func (w *amending) amendment() revise.Amendment {
	var invalidated []string
	for _, c := range w.Invalidated {
		invalidated = append(invalidated, revise.Quote(c))
	}
	return revise.Amendment{
		Original: w.Original, Observed: w.Observed, Disposition: w.disposition(), Revised: w.Revised, Reason: w.Reason, Authority: w.Authority,
		Affected: w.tasks, Invalidated: strings.Join(invalidated, ", "), Preserved: strings.Join(w.Preserved, "; "),
		Words: w.Statement, Recorded: w.recordedBy(),
	}
}

// recordedBy says whose word it is that a person allowed the change: nothing here proves it.
func (w *amending) recordedBy() string {
	by := cmp.Or(w.Agent, "the caller of dwp")
	if w.Authority != planmd.AuthorityEvidence {
		by += ", who claims that authority"
	}
	return by
}

func (w *amending) disposition() string {
	switch w.Disposition {
	case DispositionDeferred:
		return fmt.Sprintf("deferred to Task %d", w.To)
	case DispositionException:
		return "exception, bounded: " + w.Boundary
	}
	return w.Disposition
}

// readable refuses texts that would not read back, and what verify would hold against the amendment.
func (w *amending) readable() error {
	a := w.amendment()
	for _, text := range []string{a.Original, a.Observed, a.Disposition, a.Revised, a.Reason, a.Affected, a.Invalidated, a.Preserved, a.Words, a.Recorded} {
		if found := evidence.Secrets(text); len(found) > 0 {
			return refuse("secret/json", "the amendment holds what looks like a secret: %s", found[0].Kind)
		}
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }) {
			return refuse("guard/amend-text", "a text of the amendment is not UTF-8, or has a control character")
		}
		if strings.Contains(text, "<!--") { // it might be closed further down, and hide what is between
			return refuse("guard/amend-text", "a text of the amendment opens a comment")
		}
	}
	if labels := a.Unfaithful(); len(labels) > 0 {
		return refuse("guard/amend-text", "the amendment would not read back as it was given: %s", strings.Join(labels, ", "))
	}
	return nil
}

// args tell whoever finds the operation unfinished what was asked for.
func (w *amending) args() []string {
	return []string{"--task", strconv.Itoa(w.Task), "--disposition", w.Disposition, "--authority", w.Authority}
}
