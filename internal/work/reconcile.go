package work

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// ReconcileTerms is what reconciling may meet: a state.json that is malformed, or none at all.
var ReconcileTerms = update.Terms{Malformed: true}

// HistoryDepth is how many commits reconciling looks at for those that name a task.
const HistoryDepth = historyDepth

// reconcileGuards is the table of the rules by which reconcile refuses.
var reconcileGuards = []update.Guard{
	{ID: "guard/undecided", Requirement: "PS-18", Title: "reconciling decides nothing that the markdown leaves open, and loses no history",
		Hint: "mend what is named by hand, or through refine, then reconcile again"},
	{ID: "guard/rebuild", Requirement: "PS-18", Title: "a state.json whose records can't be read is replaced only when their loss is accepted",
		Hint: "restore it from a copy; with --rebuild it is made anew from the markdown, and the file as it is kept under analysis_results"},
}

// Reconcile regenerates state.json from the markdown, which wins where both disagree (PS-1, PS-18). It loses no record and invents none.
type Reconcile struct {
	revise.Who
	// Rebuild accepts the loss of the records of a state.json that can't be parsed.
	Rebuild bool
	// CreateLayer gives a plan without manifest.json and state.json both: never without being asked (PD-9).
	CreateLayer bool
	// InTurn: inside an unattended turn no approval and no answer to a blocker is taken from the markdown (UN-6).
	InTurn bool
	// History are the newest commits, for those that name a task; nil without git.
	History []git.Commit
	// Answer is what Decide found. It is set by it.
	Answer Reconciliation
}

// Reconciliation is what README.md and state.json disagreed about, and what became of it.
type Reconciliation struct {
	Tasks []Correction
	// Plan are the changes of what is not about one task: counts, status, checkpoint, blocker, approval.
	Plan []string
	// Owing are completed tasks without any record: late evidence is due (GU-6).
	Owing []int
	// Questions are for people: a log says completed and its box is open, a commit names an open task (C37).
	Questions []string
	// Left is what is still malformed in state.json, for nothing in the markdown says what it should be.
	Left []string
	// Lost says which records the new state.json doesn't have; "" for none. Copy is where the old file is kept, or "".
	Lost, Copy string
	// Bare says that the plan has no state layer, and none was asked for.
	Bare bool
	// Completed says that every task is completed now, and nothing published: that is for the finalizer (VP-1).
	Completed bool
}

// Correction is one task on which README.md and state.json disagreed.
type Correction struct {
	Task  int
	Title string
	// Markdown and State are what either says, Direction who is ahead (PS-18), Changes what becomes of the entry.
	Markdown, State string
	Direction       Direction
	Changes         []string
}

// Direction says which way a task's entry and the markdown disagree.
type Direction string

// The directions, as verify names them.
const (
	StateBehind   Direction = "state behind"
	StateAhead    Direction = "state ahead"
	NotInState    Direction = "not in state"
	NotInMarkdown Direction = "not in markdown"
	Details       Direction = "details" // both agree on whether it is done; a title, a locator, a time doesn't fit
)

// reconciling is the work on one plan.
type reconciling struct {
	*Reconcile
	desk  *revise.Desk
	s     *plan.Snapshot
	views map[int]*plan.TaskView
	st    *state.State    // as it stands; without tasks where it can't be read
	era   state.Era       // of the new state
	lite  bool            // of the new state
	parts map[string]bool // where the decoder found fault: "approval", "tasks[2].title"
	lost  map[int]bool    // tasks whose locator leads nowhere, or to another
	owner map[string]int  // the task that records a commit
	named map[int][]git.Commit
	means update.Rewriting
	undecided
	notes    progressNotes
	ask      progressNotes // questions
	fileless []int         // tasks of a Full plan without a file
	open     int           // the first task that is open afterwards
	told     map[int][]int // entries of PROGRESS.md by task
}

// Decide makes the new state.json. Where nothing disagrees it changes nothing; nor does it the second time.
func (r *Reconcile) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	r.Answer = Reconciliation{}
	w := &reconciling{Reconcile: r, desk: revise.New(s, r.Who), s: s, owner: map[string]int{}}
	_, hasState := s.Nodes[state.StateFile]
	_, hasManifest := s.Nodes[state.ManifestFile]
	if !hasState && !hasManifest && !r.CreateLayer {
		r.Answer.Bare = true
		return &publish.Revision{}, nil
	}
	if err := w.begin(); err != nil {
		return nil, err
	}
	root, err := w.root()
	if err != nil {
		return nil, err
	}
	if hasState && w.st.Doc != nil && bytes.Equal(strictjson.Format(root), strictjson.Format(w.st.Doc.Root)) && hasManifest {
		w.leftovers(s)
		return &publish.Revision{}, nil
	}
	return w.revision(root, hasState, hasManifest)
}

// begin takes stock: what can't be decided is refused before anything is made.
func (w *reconciling) begin() error {
	s := w.s
	if w.st = s.State; w.st == nil {
		w.st = &state.State{}
	}
	w.parts, w.views, w.lost = faultyParts(s.StateFaults), map[int]*plan.TaskView{}, map[int]bool{}
	for i := range w.desk.View.Tasks {
		if t := &w.desk.View.Tasks[i]; w.views[t.ID] == nil {
			w.views[t.ID] = t
		}
	}
	if err := w.readable(); err != nil {
		return err
	}
	w.index()
	w.entries()
	w.locators()
	w.era, w.lite = w.generation()
	w.named = namedTasks(w.History, s.Name)
	return w.undecided.refused()
}

// readable refuses what would lose records without being asked to (PS-18, C49).
func (w *reconciling) readable() error {
	s := w.s
	switch fault := s.StateSyntax; {
	case s.Progress == nil && s.Nodes[revise.ProgressFile].Path != "":
		return refuse("guard/unreadable", "PROGRESS.md can't be read")
	case s.State != nil && s.State.Plan != s.Name:
		return refuse("state/plan-name", "state.json is of plan %q, the folder is %s", strictjson.Shorten(s.State.Plan, 60), s.Name)
	case w.parts["promotion"]:
		return refuse("guard/undecided", "state.json has a promotion that can't be read")
	case w.Rebuild && w.InTurn:
		return refuse("guard/in-turn", "inside a turn nobody accepts the loss of records")
	case w.Rebuild:
	case fault != nil:
		refused := refuse("guard/rebuild", "state.json is malformed at line %d, column %d: %s", fault.Line, fault.Column, fault.Message)
		if fault.Reason == strictjson.ConflictMarker {
			refused.Hint = "resolve the merge in it first"
		}
		return refused
	case w.parts["tasks"] && w.st.Doc.Root.Member("tasks") != nil:
		return refuse("guard/rebuild", "the tasks of state.json are no list: their records can't be read")
	}
	return nil
}

// faultyParts are the members in which the decoder found fault, by path.
func faultyParts(faults []state.Fault) map[string]bool {
	parts := map[string]bool{}
	for i := range faults {
		parts[partOf(faults[i].Path)] = true
	}
	return parts
}

// partOf cuts a path off behind the member of the root, or of a task: "checkpoint", "tasks[2].gates".
func partOf(path string) string {
	first := func(path string) string { return path[:len(path)-len(strings.TrimLeft(path, memberBytes))] }
	if !strings.HasPrefix(path, "tasks[") {
		return first(path)
	}
	task, member, deeper := strings.Cut(path, "].")
	if !deeper {
		return path // the entry itself
	}
	return task + "]." + first(member)
}

// memberBytes are the characters of the names that this tool knows.
const memberBytes = "abcdefghijklmnopqrstuvwxyz_"

// undecided gathers everything that stands in the way, each with its place, so that one round of mending is enough.
type undecided struct{ list []rule.Finding }

// line names a place of README.md, which stands at a span of it.
func (u *undecided) line(doc *planmd.Doc, at planmd.Span, task int, format string, args ...any) {
	f := rule.Finding{Place: rule.Place{File: revise.ReadmeFile, Task: task}, Message: fmt.Sprintf(format, args...)}
	f.Line, f.Column = doc.Position(at.Start)
	u.add(f)
}

// value names a place of state.json.
func (u *undecided) value(doc *strictjson.Document, v *strictjson.Value, task int, format string, args ...any) {
	f := rule.Finding{Place: rule.Place{File: state.StateFile, Task: task}, Message: fmt.Sprintf(format, args...)}
	if doc != nil && v != nil {
		f.Line, f.Column = doc.Position(v.Start)
	}
	u.add(f)
}

func (u *undecided) add(f rule.Finding) {
	g := reconcileGuards[0]
	f.Rule, f.Level, f.Requirement, f.Hint = g.ID, rule.Must, g.Requirement, g.Hint
	u.list = append(u.list, f)
}

// refused is the refusal that lists them; nil without any.
func (u *undecided) refused() error {
	if len(u.list) == 0 {
		return nil
	}
	r := refuse("guard/undecided", "README.md and state.json can't be reconciled; undecided: %d (%s)", len(u.list), u.list[0].Message)
	r.Findings = u.list
	return r
}

// index refuses a README whose index does not say in one way which tasks there are (C05, C17, C25).
func (w *reconciling) index() {
	readme := w.s.README
	boxed := map[int]bool{}
	for i := range readme.Index {
		line := &readme.Index[i]
		switch {
		case boxed[line.ID]:
			w.line(&readme.Doc, line.Span, line.ID, "task %d stands twice in the index", line.ID)
		case line.ID != i+1:
			w.line(&readme.Doc, line.Span, line.ID, "line %d of the index is task %d", i+1, line.ID)
		}
		boxed[line.ID] = true
	}
	for i := range readme.Bullets {
		if line := &readme.Bullets[i]; !boxed[line.ID] {
			w.line(&readme.Doc, line.Span, line.ID, "task %d has no box: done or open is not said", line.ID)
		}
	}
	if len(readme.Index) == 0 {
		w.line(&readme.Doc, planmd.Span{}, 0, "the README has no index of tasks")
	}
	for _, p := range readme.Problems {
		if p.Kind == planmd.FenceUnclosed || p.Kind == planmd.FenceRunaway || p.Kind == planmd.CommentUnclosed {
			w.line(&readme.Doc, p.Span, 0, "what is opened here hides what follows: tasks may be among it")
		}
	}
	records := map[int]bool{}
	for i := range readme.Records {
		r := &readme.Records[i]
		if id, anchored := r.AnchorTask(); anchored && records[id] {
			w.line(&readme.Doc, r.Head, id, "task %d has two records", id)
		} else if anchored {
			records[id] = true
		}
	}
}

// entries refuses a state.json whose entries can't be told apart, or that knows finished work of which the README knows nothing.
func (w *reconciling) entries() {
	seen := map[int]bool{}
	for i := range w.st.Tasks {
		t := &w.st.Tasks[i]
		switch {
		case w.faulty(i, "id") || t.ID < 1:
			w.value(w.st.Doc, t.Node, 0, "entry %d of state.json has no number that can be read", i+1)
		case seen[t.ID]:
			w.value(w.st.Doc, t.Node, t.ID, "state.json has two entries of task %d", t.ID)
		case t.ID > len(w.s.README.Index) && hasHistory(t):
			w.value(w.st.Doc, t.Node, t.ID, "state.json has history of task %d (%s), and the README has no line of it", t.ID, t.Status)
		}
		seen[t.ID] = true
		if t.Commit != "" {
			w.owner[t.Commit] = t.ID
		}
	}
	w.renumbered()
	if b := w.st.Blocked; b != nil && (b.Task < 1 || b.Task > len(w.s.README.Index)) {
		w.value(w.st.Doc, b.Node, 0, "the blocker names task %d, of which the README has no line", b.Task)
	}
	for i := range w.s.README.Index {
		line := &w.s.README.Index[i]
		if t := w.views[line.ID]; line.Box != nil && !line.Box.Known() && t != nil && t.Entry != nil && t.Entry.Status == state.Completed {
			w.line(&w.s.README.Doc, line.Span, line.ID, "the box [%s] of task %d says neither done nor open, and state.json says completed", line.Box.Mark, line.ID)
		}
	}
}

// renumbered refuses a README whose numbers were changed by hand: records of one task would become those of another.
func (w *reconciling) renumbered() {
	lines := map[string]int{}
	for i := range w.s.README.Index {
		lines[verify.TitleKey(w.s.README.Index[i].Title)] = i + 1
	}
	for i := range w.st.Tasks {
		t := &w.st.Tasks[i]
		if t.ID < 1 || t.ID > len(w.s.README.Index) || !hasHistory(t) {
			continue
		}
		key := verify.TitleKey(t.Title)
		if at := lines[key]; key != "" && at != 0 && at != t.ID && key != verify.TitleKey(w.s.README.Index[t.ID-1].Title) {
			w.value(w.st.Doc, t.Node, t.ID, "state.json has history of task %d, %q, which the README has as task %d", t.ID, strictjson.Shorten(t.Title, 60), at)
		}
	}
}

// locators notes the entries whose locator verify finds fault with, so that both mean the same.
func (w *reconciling) locators() {
	if w.s.State == nil {
		return
	}
	for _, f := range verify.Plan(w.s, verify.Options{Now: w.Now}).Findings {
		if f.Rule != "state/locator" && f.Rule != "state/locator-file" && f.Rule != "state/locator-outside" {
			continue
		}
		w.lost[f.Task] = true
		for _, at := range f.Places {
			w.lost[at.Task] = true
		}
	}
}

// hasHistory reports whether an entry says more than that its task is to be done.
func hasHistory(t *state.Task) bool {
	known := []string{"id", "title", "status", "file", "locator", "gates"}
	return t.Status != state.Pending || len(t.Gates) > 0 || t.Node == nil ||
		slices.ContainsFunc(t.Node.Members, func(m strictjson.Member) bool {
			return m.Value.Kind != strictjson.Null && !slices.Contains(known, m.Name)
		})
}

// faulty reports whether the decoder found fault with a member of an entry.
func (w *reconciling) faulty(entry int, member string) bool {
	at := "tasks[" + strconv.Itoa(entry) + "]"
	return w.parts[at] || w.parts[at+"."+member]
}

// generation is the era and format of the new state: those that it has, its manifest's, else what the README is (PS-21, PD-9).
func (w *reconciling) generation() (era state.Era, lite bool) {
	lite = w.s.Format() == "lite"
	switch {
	case w.st.Era != "":
		era = w.st.Era
	case w.s.Manifest != nil:
		era = w.s.Manifest.Era
	case lite || plan.Series(w.s.Standard()) >= 4:
		era = state.V2
	default:
		era = state.V1 // an older plan owes no approval, no parallelism; the layer doesn't make it owe them
	}
	if w.parts["format"] && era != state.V1 {
		lite = len(w.s.README.Records) > 0
		if w.s.Manifest != nil && w.s.Manifest.PlanFormat == "full" {
			lite = false
		}
	}
	return era, lite && era != state.V1
}

// leftovers lists what is still wrong with state.json by itself: its records are kept as they are, and nothing says what they
// should be.
func (w *reconciling) leftovers(s *plan.Snapshot) {
	if s.State == nil {
		return
	}
	for _, f := range verify.StateAlone(s, verify.Options{Now: w.Now}) {
		if f.Level == rule.Must && !evidenceRule(f.Rule) {
			w.Answer.Left = append(w.Answer.Left, fmt.Sprintf("%s: %s", f.Rule, f.Message))
		}
	}
}
