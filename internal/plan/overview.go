package plan

import (
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
)

// Overview is what a plan amounts to, for people and agents: the markdown first, the
// state layer where markdown is silent (PS-1, WP-3).
type Overview struct {
	Title           string
	Era             state.Era
	Format          string // "lite" or "full"
	Materialization string // "materializing", "ready", "promoting"
	Approval        string // "pending", "approved", "pre_approved"; "" where the era has no such axis (PS-8)
	Status          state.Status
	Completed       int // ticked boxes
	Total           int // all tasks, wherever they were found: a swallowed index never makes a plan complete (C05)
	// Tasks are those of the index in its order, then those that only other sources have, by number.
	Tasks []TaskView
	// Next is the lowest open task whose dependencies are done (C27); 0 when there is none. It is the answer of
	// boxes and dependencies alone; Hold says why nothing may start now all the same, or "".
	Next int
	Hold Hold

	graph *Graph
}

// Graph is which of the tasks wait for which.
func (o *Overview) Graph() *Graph { return o.graph }

// TaskView is one task, whatever it was found in. Pointers are nil where a source has no such task.
type TaskView struct {
	ID     int
	Title  string
	Status state.Status // the box wins over the entry (PS-18)
	// Checked is the README box.
	Checked bool
	// File is where the record stands, relative to the plan folder: the task file, or README.md; "" without a record.
	File   string
	Line   *planmd.IndexLine
	Entry  *state.Task
	Record *planmd.Record
	// Doc is the document that Record's spans point into.
	Doc *planmd.Doc
}

// satisfied reports whether tasks that depend on this one may go on: it is completed, or out of scope (PS-10).
func (t *TaskView) satisfied() bool { return t.Status == state.Completed || t.Status == state.Skipped }

// offered reports whether the task may be worked on when nothing holds it.
func (t *TaskView) offered() bool { return t.Status == state.Pending || t.Status == state.InProgress }

// Overview sums a snapshot up. It is computed anew at each call.
func (s *Snapshot) Overview() Overview {
	o := Overview{
		Title:           s.title(),
		Era:             s.Era(),
		Format:          s.Format(),
		Materialization: s.materialization(),
		Approval:        s.Approval(),
		Tasks:           s.tasks(),
	}
	o.Total = len(o.Tasks)
	for i := range o.Tasks {
		if o.Tasks[i].Checked {
			o.Completed++
		}
	}
	o.Status = s.status(o.Tasks)
	o.graph = newGraph(s, o.Tasks)
	o.Next = o.graph.next(o.Tasks)
	o.Hold = s.hold(&o)
	return o
}

func (s *Snapshot) title() string {
	if s.README != nil && s.README.Title != "" {
		return s.README.Title
	}
	if s.Manifest != nil && s.Manifest.Title != "" {
		return s.Manifest.Title
	}
	return s.Name
}

// Era is the schema generation of the state layer: that of state.json, else of manifest.json, else None.
// Files that are there but could not be read are of an unknown one.
func (s *Snapshot) Era() state.Era {
	switch {
	case s.State != nil:
		return s.State.Era
	case s.Manifest != nil:
		return s.Manifest.Era
	case s.has(state.StateFile) || s.has(state.ManifestFile):
		return state.Unknown
	}
	return state.None
}

// has reports whether anything has that name in the plan folder.
func (s *Snapshot) has(p string) bool {
	_, ok := s.Nodes[p]
	return ok
}

// Format is "lite" or "full": what state.json says, the manifest, the README's Format line; else a
// README with records in it is Lite.
func (s *Snapshot) Format() string {
	switch {
	case s.State != nil && s.State.Format != "":
		return s.State.Format
	case s.Manifest != nil && s.Manifest.PlanFormat != "":
		return s.Manifest.PlanFormat
	case s.README == nil:
		return formatFull
	}
	if line := s.README.Format; line != nil {
		words := strings.FieldsFunc(strings.ToLower(line.Value), func(r rune) bool { return r < 'a' || r > 'z' })
		if i := slices.IndexFunc(words, func(w string) bool { return w == formatLite || w == formatFull }); i >= 0 {
			return words[i]
		}
	}
	if len(s.README.Records) > 0 {
		return formatLite
	}
	return formatFull
}

// Formats of a plan and values of its materialization (PS-6, PS-8).
const (
	formatLite    = "lite"
	formatFull    = "full"
	materializing = "materializing"
	ready         = "ready"
	promoting     = "promoting"
)

func (s *Snapshot) materialization() string {
	switch {
	case s.State != nil && s.State.Promotion != nil:
		return promoting
	case s.README != nil && s.README.Materializing:
		return materializing
	case s.State != nil && s.State.Materialization != "":
		return s.State.Materialization
	}
	return ready
}

// Approval is the plan's approval (PS-8): what state.json says, else the README's Approval line, else
// "pending". It is "" for v1 and for plans without JSON, which have no such axis.
func (s *Snapshot) Approval() string {
	switch era := s.Era(); {
	case era == state.None || era == state.V1:
		return ""
	case s.State != nil && s.State.Approval != "":
		return s.State.Approval
	case s.README != nil && s.README.ApprovalValue != "":
		return s.README.ApprovalValue
	}
	return planmd.ApprovalPending
}

// status derives the plan's status from its tasks (PS-17). Only ticked boxes complete a plan, all of them, in
// a README whose index can be trusted (C05, C17).
func (s *Snapshot) status(tasks []TaskView) state.Status {
	pending, ticked := 0, 0
	for i := range tasks {
		if tasks[i].Status == state.Pending {
			pending++
		}
		if tasks[i].Checked {
			ticked++
		}
	}
	switch {
	case s.blockerStands(tasks):
		return state.Blocked
	case pending == len(tasks):
		return state.Pending
	case ticked == len(tasks) && !s.indexDoubtful():
		return state.Completed
	}
	return state.InProgress
}

// blockerStands reports whether a blocker holds: recorded, and not overtaken by a ticked box; or a blocked task.
func (s *Snapshot) blockerStands(tasks []TaskView) bool {
	var ticked bool
	for i := range tasks {
		if tasks[i].Status == state.Blocked {
			return true
		}
		if b := s.blocker(); b != nil && tasks[i].ID == b.Task {
			ticked = ticked || tasks[i].Checked
		}
	}
	return s.blocker() != nil && !ticked
}

func (s *Snapshot) blocker() *state.Blocker {
	if s.State == nil {
		return nil
	}
	return s.State.Blocked
}

// indexDoubtful reports whether the README may hold index lines that nobody can see: something is open
// that swallows what follows (C05).
func (s *Snapshot) indexDoubtful() bool {
	return s.README != nil && slices.ContainsFunc(s.README.Problems, func(p planmd.Problem) bool {
		return p.Kind == planmd.FenceUnclosed || p.Kind == planmd.FenceRunaway || p.Kind == planmd.CommentUnclosed
	})
}
