package work

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// classes are those that the reason of a blocker begins with: stop conditions and calls for a person (PS-16, UN-3, UN-5).
var classes = []string{"S1", "S2", "S3", "S4", "C1", "C2", "C3", "C4", "C5"}

// Classes returns them, in order. The slice is the caller's.
func Classes() []string { return append([]string(nil), classes...) }

// Block records why a task can't go on and what it needs (GU-5, PS-16).
type Block struct {
	revise.Who
	Task                 int // 0 for the one in progress
	Class, Reason, Needs string
	Chosen               int // the task that Decide took
	Configured           []update.EnvValue
	// Title and Bullets are an entry of PROGRESS.md that stands and falls with the blocker; none without a title. A call that is repeated
	// would add another: its caller looks first (UN-3).
	Title   string
	Bullets []string
}

// reason is the reason behind its class, which it may carry itself.
func (b *Block) reason() string {
	mark := "[" + b.Class + "] " // once, however often the caller writes it
	return mark + strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(b.Reason), strings.TrimSpace(mark)))
}

// Decide blocks the task: its log says so, and why; state.json has the record. The same call again changes nothing.
func (b *Block) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	id, err := b.chosen(s)
	if err != nil {
		return nil, err
	}
	return b.on(revise.New(s, b.Who), id)
}

// on blocks a task on a desk, which may hold more of the same operation.
func (b *Block) on(d *revise.Desk, id int) (*publish.Revision, error) {
	b.Chosen = id
	t, err := taskOf(&d.View, id)
	if err != nil {
		return nil, err
	}
	if err := all(given{"reason", b.Reason, 1000, false}, given{"needs", b.Needs, 500, false}); err != nil {
		return nil, err
	}
	// Whether another's blocker stands, and what the record may hold, is the guards' (GU-5).
	ch := update.Change{Task: id, BlockReason: b.reason(), BlockNeeds: b.Needs, Agent: b.Agent, Model: b.Model, Configured: b.Configured}
	log := openLog(d, t)
	if log != nil {
		log.append("Blocked", b.told(d.S))
	}
	if b.Title != "" {
		d.Note(b.Title, b.Bullets...)
	}
	return withStatus(d, t, log, planmd.LogBlocked, "block", ch)
}

// chosen is the task in progress, or the one that is blocked already: a call that is repeated means the same task.
func (b *Block) chosen(s *plan.Snapshot) (int, error) {
	if b.Task == 0 && s.State != nil && s.State.Blocked != nil && s.State.Blocked.Reason == b.reason() {
		return s.State.Blocked.Task, nil
	}
	return Current(s, b.Task)
}

// told is the blocker as the log has it. Since when it stands doesn't move when it is told again.
func (b *Block) told(s *plan.Snapshot) string {
	day := b.Date()
	if old := s.State.Blocked; old != nil && old.Reason == b.reason() && !old.Since.Value.IsZero() {
		day = old.Since.Value.UTC().Format("2006-01-02")
	}
	text := "on " + day + ", " + b.reason()
	if b.Needs != "" {
		text += "; needs: " + b.Needs
	}
	return revise.OneLine(text)
}

// Unblock records a person's answer, word for word, and lets the task go on (GU-5, C99).
type Unblock struct {
	revise.Who
	Task       int // 0 for the blocked one
	Answer, By string
	// InTurn: nobody's authority is claimed inside an unattended turn; the answer must be recorded already, in QUESTIONS.md, whose
	// text Questions is, or in an amendment (GU-5, UN-6).
	InTurn    bool
	Questions []byte
	Chosen    int // the task that Decide took
}

// Decide resolves the blocker. The same call again changes nothing.
func (u *Unblock) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	u.Answer = strings.Trim(strings.ReplaceAll(u.Answer, "\r\n", "\n"), "\n")
	d := revise.New(s, u.Who)
	if u.Chosen = u.Task; u.Chosen == 0 {
		switch b := s.State.Blocked; {
		case b != nil:
			u.Chosen = b.Task
		case u.repeated(d):
			return &publish.Revision{}, nil
		default:
			return nil, refuse("guard/no-blocker", "no task is blocked")
		}
	}
	t, err := taskOf(&d.View, u.Chosen)
	if err != nil {
		return nil, err
	}
	if err := all(given{"answer", u.Answer, 4000, true}, given{"name", u.By, 100, false}); err != nil {
		return nil, err
	}
	// Repeated after its end: the blocker is gone, the answer stands. With a blocker, the same words may answer another question.
	if s.State.Blocked == nil && answeredSo(t, u) {
		return &publish.Revision{}, nil
	}
	if u.InTurn && s.State.Blocked != nil && !u.recorded(t, s.State.Blocked.Since.Value) {
		return nil, refuse("guard/person", "inside a turn only a person's recorded answer is taken, word for word: from an entry of %s about task %d, or from an amendment on a person's authority", questionsFile, t.ID)
	}
	list, told, err := u.tell(d)
	if err != nil {
		return nil, err
	}
	r, err := u.on(d, t)
	if err != nil || told == nil {
		return r, err
	}
	return r, told.faithful(list, r)
}

// tell answers the question that the blocker is, so that it is not asked again (UN-7); nil when the blocker is none, or its answer stands in
// QUESTIONS.md already, as inside a turn it has to.
func (u *Unblock) tell(d *revise.Desk) ([]Asked, *AnswerQuestion, error) {
	list, err := Questions(d.S)
	if err != nil || u.InTurn { // what can't be read is no reason to stop: the log keeps the answer
		return nil, nil, nil
	}
	i := slices.IndexFunc(list, func(a Asked) bool { return a.Blocking && a.Holds[0] == u.Chosen })
	if i < 0 {
		return nil, nil, nil
	}
	q := &AnswerQuestion{Who: u.Who, ID: list[i].ID, Text: u.Answer, By: u.By}
	if err := q.claim(); err != nil || q.said(&list[i].Question) {
		return nil, nil, err
	}
	q.write(d, &list[i])
	return list, q, nil
}

// on resolves the blocker of a task on a desk, which may hold more of the same operation.
func (u *Unblock) on(d *revise.Desk, t *plan.TaskView) (*publish.Revision, error) {
	ch := update.Change{Task: t.ID, Status: state.InProgress, ResolveBlocker: true, Agent: u.Agent, Model: u.Model, InTurn: u.InTurn, Questions: u.Questions}
	// Without a place for it the answer would be lost to the next one, who would ask again (C99).
	log := openLog(d, t)
	if log == nil {
		return nil, refuse("record/section", "task %d has no Completion & Log to keep the answer in", t.ID)
	}
	if !answeredSo(t, u) {
		log.block(Answer{By: u.By, Date: u.Date(), Text: u.Answer}.render())
	}
	r, err := withStatus(d, t, log, planmd.LogInProgress, "unblock", ch)
	if err != nil {
		return nil, err
	}
	return r, u.faithful(t, r)
}

// repeated reports whether some task in progress holds this very answer.
func (u *Unblock) repeated(d *revise.Desk) bool {
	for i := range d.View.Tasks {
		t := &d.View.Tasks[i]
		if t.Status == state.InProgress && answeredSo(t, u) {
			u.Chosen = t.ID
			return true
		}
	}
	return false
}

// recorded reports whether a person recorded this very answer since the task was blocked: as an answer in an entry of QUESTIONS.md about the
// task, or as what an amendment on a person's authority says. A part of a longer answer is none, and a question isn't: "A" is not what who
// wrote "not A" said (GU-5, UN-6).
func (u *Unblock) recorded(t *plan.TaskView, since time.Time) bool {
	since = since.UTC().Truncate(24 * time.Hour) // what people date has no more than days
	for _, q := range update.ReadQuestions(string(u.Questions)) {
		for _, a := range q.Answers {
			if q.About(t.ID) && !update.DayBefore(a.Date, since) && signedSo(a.Text, u.Answer) {
				return true
			}
		}
	}
	if t.Record == nil {
		return false
	}
	for i := range t.Record.Log.Amendments {
		a := &t.Record.Log.Amendments[i]
		if ofPerson(a.Field(planmd.FieldAuthority)) && !update.DayBefore(a.Date, since) &&
			slices.ContainsFunc(a.Fields, func(f planmd.Field) bool { return plainly(f.Value, u.Answer) }) {
			return true
		}
	}
	return false
}

// ofPerson reports whether an amendment's authority is a person's.
func ofPerson(authority string) bool {
	who := planmd.Authority(authority)
	return who == planmd.AuthorityUser || who == planmd.AuthorityDeveloper
}

// signedSo reports whether a line of an answer says these words and nothing else but who said them, and when: "the new one (Ana, 2026-09-01)".
func signedSo(line, words string) bool {
	line, words = stripped(line), stripped(words)
	signature, ok := strings.CutPrefix(line, words)
	if signature = strings.TrimRight(signature, " )."); !ok || signature == "" {
		return ok
	}
	start := strings.TrimLeft(signature, " ")
	at := max(0, len(start)-len(time.DateOnly))
	if _, err := time.Parse(time.DateOnly, start[at:]); err != nil {
		return false
	}
	// A name stands behind a bracket or a dash; behind a comma the day alone, or the words would go on there.
	first, _ := utf8.DecodeRuneInString(start)
	return strings.ContainsRune("(-\u2013\u2014", first) || strings.Trim(start[:at], " ,;.") == "" || strings.Trim(start[:at], " ,;.") == "on"
}

// answeredSo reports whether the last answer of a task's log is this one.
func answeredSo(t *plan.TaskView, u *Unblock) bool {
	list := Answers(t)
	return len(list) > 0 && list[len(list)-1].Text == u.Answer && list[len(list)-1].By == revise.OneLine(u.By)
}

// faithful reads the log as it will stand: the answer is there, to the letter.
func (u *Unblock) faithful(t *plan.TaskView, r *publish.Revision) error {
	for _, c := range r.Changes {
		if c.Path != t.File {
			continue
		}
		view := *t
		if view.Record = readBack(t, c.Data); view.Record != nil {
			view.Doc = &planmd.Doc{Src: c.Data}
		}
		if !answeredSo(&view, u) {
			return refuse("guard/faithful", "the answer would not read back as it was given")
		}
	}
	return nil
}
