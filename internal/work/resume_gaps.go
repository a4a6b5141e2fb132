package work

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// Gap is something that was left half done. Tasks that lack the same share one.
type Gap struct {
	Kind    GapKind
	Tasks   []int // none for the plan as a whole
	Message string
	// Command finishes it, "" when none does; Hint is what to do then, or beside it.
	Command, Hint string
	// Mendable says that what is missing follows from what is there, so that Mend, or recover, finishes it.
	Mendable bool
}

// GapKind names what was left half done. The words are stable: programs branch on them.
type GapKind string

// Kinds of gaps, those that hide the others first.
const (
	GapUnreadable   GapKind = "unreadable"      // a file that work needs can't be read, or its task list can't be relied on
	GapOperation    GapKind = "operation"       // .dwp-op
	GapPublication  GapKind = "publication"     // .finalizing.json
	GapPromotion    GapKind = "promotion"       // the promotion marker
	GapCreation     GapKind = "materialization" // the plan is not written to its end
	GapLock         GapKind = "lock"            // a lock whose owner is gone
	GapForeignState GapKind = "foreign-state"   // state.json is another plan's (C89)
	GapMalformed    GapKind = "malformed-state" // state.json contradicts itself
	GapBoxOpen      GapKind = "box-open"        // the log says completed, the box is open
	GapStateAhead   GapKind = "state-ahead"     // state.json says completed, the box is open
	GapLogBehind    GapKind = "log-behind"      // the box is ticked, the log says otherwise
	GapStateBehind  GapKind = "state-behind"    // the box is ticked, state.json says otherwise
	GapOneSided     GapKind = "one-sided"       // README.md or state.json doesn't know the task
	GapNoState      GapKind = "no-state"        // there is a manifest.json, and no state.json
	GapEntry        GapKind = "entry-missing"   // done everywhere, but PROGRESS.md has no entry
	GapProgress     GapKind = "no-progress"     // tasks are ticked, and there is no PROGRESS.md (C31)
	GapCount        GapKind = "count"           // README.md counts otherwise than its boxes
)

// Disagreement is a task about which README.md and state.json differ (PS-18).
type Disagreement struct {
	Task     int
	Markdown string // "ticked", "open", "no line"
	State    string // a status, or "no entry"
	Way      string // "state ahead", "state behind", "missing entry", "missing line"
}

// disagreements lists them by task.
func disagreements(s *plan.Snapshot, o *plan.Overview) []Disagreement {
	var list []Disagreement
	for i := range o.Tasks {
		t := &o.Tasks[i]
		d := Disagreement{Task: t.ID, Markdown: "open", State: "no entry"}
		if t.Checked {
			d.Markdown = "ticked"
		}
		if t.Line == nil {
			d.Markdown = "no line"
		}
		if t.Entry != nil {
			d.State = string(t.Entry.Status)
		}
		completed := t.Entry != nil && t.Entry.Status == state.Completed
		switch {
		case s.State == nil, t.Line == nil && t.Entry == nil:
			continue
		case t.Line == nil:
			d.Way = "missing line"
		case t.Entry == nil:
			d.Way = "missing entry"
		case completed && !t.Checked:
			d.Way = "state ahead"
		case t.Checked && !completed:
			d.Way = "state behind"
		default:
			continue
		}
		list = append(list, d)
	}
	return list
}

// lacking is what was left half done: of the plan as a whole first, since that hides or explains the rest.
func lacking(s *plan.Snapshot, o *plan.Overview, f Facts) []Gap {
	w := &looking{s: s, o: o, name: s.Name}
	w.lock(f.Lock)
	if w.whole(f.Operation); !w.hidden {
		w.state()
		w.tasks()
		w.count()
	}
	return w.list
}

// looking gathers gaps.
type looking struct {
	s      *plan.Snapshot
	o      *plan.Overview
	name   string
	list   []Gap
	hidden bool // what comes after can't be told
}

func (w *looking) add(g Gap) { w.list = append(w.list, g) }

// command is a command of dwp on the plan.
func (w *looking) command(words ...string) string {
	return strings.Join(append([]string{"dwp", words[0], w.name}, words[1:]...), " ")
}

// lock: one that is left by a process that is gone. One that is held is no gap: somebody is writing.
func (w *looking) lock(h disk.Holding) {
	if h.Stale() {
		w.add(Gap{Kind: GapLock, Message: "the lock was left by a process that is gone", Command: w.command("recover"), Mendable: true})
	}
}

// whole looks for what was cut off as a whole, in the order of plan's holds (GU-8, LF-4, LF-9, VP-4).
func (w *looking) whole(op *disk.Operation) {
	w.hidden = true
	switch w.o.Hold {
	case plan.HoldMalformed, plan.HoldAmbiguous, plan.HoldNoTasks:
		words := map[plan.Hold]string{
			plan.HoldMalformed: "a file of the plan can't be read or relied on", plan.HoldAmbiguous: "a task number stands twice",
			plan.HoldNoTasks: "README.md has no task list to work from",
		}
		w.add(Gap{Kind: GapUnreadable, Message: words[w.o.Hold], Command: w.command("verify"), Hint: "mend what it names by hand"})
	case plan.HoldOperation:
		w.operation(op)
	case plan.HoldPublishing:
		w.add(Gap{Kind: GapPublication, Message: "the publication of the completed plan was cut off", Command: w.command("recover"), Mendable: true})
	case plan.HoldPromoting:
		w.add(Gap{Kind: GapPromotion, Message: "the promotion from Lite to Full was cut off", Command: w.command("promote")})
	case plan.HoldPartial:
		w.add(Gap{Kind: GapCreation, Message: "the plan was not written to its end", Command: "dwp create --resume " + w.name,
			Hint: "or dwp create --discard " + w.name})
	default:
		w.hidden = false
	}
}

// operation tells which one was cut off, and what of it is still to be written.
func (w *looking) operation(op *disk.Operation) {
	g := Gap{Kind: GapOperation, Message: "an operation on several files was cut off", Command: w.command("recover"), Mendable: true}
	if op != nil {
		var left []string
		for _, c := range op.Files {
			_, stands := w.s.Nodes[c.Path]
			switch have := w.s.Files[c.Path]; {
			case have != nil && have.SHA256() != c.After, have == nil && stands == (c.After == ""):
				left = append(left, c.Path) // of a file that a snapshot doesn't read, it is known only whether it stands
			}
		}
		g.Message = "the operation " + strings.Join(append([]string{op.Name}, op.Args...), " ") + " was cut off"
		if len(left) > 0 {
			g.Message += "; still to write: " + few(left, false)
		}
	}
	w.add(g)
}

// state: one that is another plan's, or contradicts itself, says nothing about the tasks (C89, GU-1).
func (w *looking) state() {
	st := w.s.State
	if st == nil {
		if w.s.Manifest != nil {
			w.add(Gap{Kind: GapNoState, Message: "there is no state.json beside manifest.json", Command: w.command("reconcile")})
		}
		return
	}
	if st.Plan != "" && st.Plan != w.name {
		w.hidden = true
		w.add(Gap{Kind: GapForeignState, Message: fmt.Sprintf("state.json is of another plan, %q", revise.OneLine(st.Plan)),
			Hint: "put the plan's own state.json back; its gates and outcomes are in it"})
		return
	}
	// What records prove is verify's business, and times that lie ahead are: the same files give the same account (C95).
	endOfTime := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	for _, f := range verify.StateAlone(w.s, verify.Options{Now: endOfTime}) {
		if f.Level == rule.Must && !strings.HasPrefix(f.Rule, "evidence/") {
			w.hidden = true
			w.add(Gap{Kind: GapMalformed, Message: fmt.Sprintf("state.json is malformed at line %d (%s): %s", f.Line, f.Rule, f.Message), Command: w.command("reconcile")})
			return
		}
	}
}

// tasks compares the four places of each task: its log, its box, PROGRESS.md and its entry (WP-2, PS-19, C73).
func (w *looking) tasks() {
	if w.hidden {
		return
	}
	told := tellings(w.s.Progress)
	for i := range w.o.Tasks {
		t := &w.o.Tasks[i]
		switch kind := w.out(t, told[t.ID]); {
		case kind == "":
		case w.group(kind) != nil:
			g := w.group(kind)
			g.Tasks = append(g.Tasks, t.ID)
		default:
			w.add(Gap{Kind: kind, Tasks: []int{t.ID}})
		}
	}
	for i := range w.list {
		if g := &w.list[i]; len(g.Tasks) > 0 {
			w.explain(g)
		}
	}
	if _, stands := w.s.Nodes[revise.ProgressFile]; !stands && w.o.Completed > 0 && w.group(GapEntry) == nil {
		w.add(Gap{Kind: GapProgress, Message: "tasks are completed, and there is no PROGRESS.md", Hint: "write what is known of them by hand"})
	}
}

func (w *looking) group(kind GapKind) *Gap {
	i := slices.IndexFunc(w.list, func(g Gap) bool { return g.Kind == kind })
	if i < 0 {
		return nil
	}
	return &w.list[i]
}

// out tells which of a task's places is out of step with the others; "" when none is. The box leads (WP-1: [x] is trusted), and what
// comes before it in the order of PS-19 is looked at first.
func (w *looking) out(t *plan.TaskView, told bool) GapKind {
	says := planmd.LogNone
	if t.Record != nil {
		says = t.Record.Log.State
	}
	stated := t.Entry != nil && t.Entry.Status == state.Completed
	stateless := w.s.State == nil
	switch {
	case t.Line == nil && t.Entry == nil:
		return "" // a stray record is nobody's task
	case !stateless && (t.Line == nil || t.Entry == nil):
		return GapOneSided
	case !t.Checked && stated:
		return GapStateAhead
	case !t.Checked && says == planmd.LogCompleted:
		return GapBoxOpen
	case !t.Checked:
		return ""
	case says == planmd.LogPending, says == planmd.LogInProgress, says == planmd.LogBlocked:
		return GapLogBehind
	case !stateless && !stated:
		return GapStateBehind
	case !told && says == planmd.LogCompleted:
		return GapEntry
	}
	return ""
}

// explain words a gap of tasks, and names the way out.
func (w *looking) explain(g *Gap) {
	which := "N"
	if len(g.Tasks) == 1 {
		which = strconv.Itoa(g.Tasks[0])
	}
	complete := w.command("complete", which)
	if w.s.State == nil {
		complete = "" // it needs the state layer
	}
	switch g.Kind {
	case GapOneSided:
		g.Message, g.Command = "README.md and state.json don't have the same tasks", w.command("reconcile")
	case GapStateAhead:
		g.Message, g.Command = "state.json says completed, the box in README.md is open: the box counts", w.command("reconcile")
		g.Hint = "it is open again then; when the work holds, complete it"
	case GapBoxOpen:
		g.Message, g.Command = "the log says completed, the box in README.md is open", complete
		if complete == "" {
			g.Hint = "when the work holds, tick the box and correct the count by hand; else correct the log"
		}
	case GapLogBehind:
		g.Message, g.Command = "the box in README.md is ticked, the log does not say completed", complete
		if complete == "" {
			g.Hint = "finish the log by hand"
		}
	case GapStateBehind:
		g.Message, g.Command = "the box in README.md is ticked, state.json does not say completed", complete
		g.Hint = "or, without new evidence, " + w.command("reconcile")
	case GapEntry:
		g.Message, g.Command, g.Mendable = "completed everywhere else, PROGRESS.md has no entry", w.command("resume", "--fix"), true
	}
}

// count: what README.md counts is not what its boxes say (PD-4, C35). It is mended only where the boxes themselves are in step, and never
// under a receipt that covers it (VP-5).
func (w *looking) count() {
	if w.hidden || len(wrongCounts(w.s, w.o)) == 0 {
		return
	}
	g := Gap{Kind: GapCount, Message: fmt.Sprintf("README.md does not count %d/%d, as its boxes do", w.o.Completed, len(w.s.README.Index))}
	unsettled := slices.ContainsFunc(w.list, func(g Gap) bool { return !g.Mendable })
	switch _, sealed := w.s.Nodes[state.ReceiptFile]; {
	case sealed:
		g.Hint = "it was published with another count: correct it by hand"
	case unsettled:
		g.Hint = "it is corrected once the boxes are settled"
	default:
		g.Command, g.Mendable = w.command("resume", "--fix"), true
	}
	w.add(g)
}

// wrongCounts are the counts of README.md that its boxes contradict, as verify compares them.
func wrongCounts(s *plan.Snapshot, o *plan.Overview) []planmd.Claim {
	return slices.DeleteFunc(slices.Clone(s.README.Claims), func(c planmd.Claim) bool {
		return c.Done == o.Completed && c.Total == len(s.README.Index)
	})
}

// tellings are the tasks that PROGRESS.md has an entry about, one that came after the task was reopened for the last time.
func tellings(p *planmd.Progress) map[int]bool {
	told := map[int]bool{}
	if p == nil {
		return told
	}
	for _, e := range p.Entries {
		head, _, _ := strings.Cut(p.Text(e.Span), "\n")
		told[e.Task] = !strings.HasSuffix(strings.TrimSpace(head), reopenedWord)
	}
	return told
}
