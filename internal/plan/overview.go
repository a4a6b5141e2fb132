package plan

import (
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
	Total           int
	Tasks           []TaskView
	// Next is the lowest open task whose dependencies are done (C27); 0 when there is none. Hold says why
	// nothing may start now, or "".
	Next int
	Hold Hold
}

// Hold is why no task may start (GU-5, GU-8, PS-22).
type Hold string

// The holds, in the order in which they are looked for.
const (
	HoldNone        Hold = ""
	HoldNewer       Hold = "newer"        // PS-22: newer standard, unknown schema, newer generation
	HoldMalformed   Hold = "malformed"    // a JSON file can't be read, or README is missing
	HoldPublishing  Hold = "publishing"   // .finalizing.json stands
	HoldOperation   Hold = "operation"    // .dwp-op stands
	HoldPromoting   Hold = "promoting"    // promotion marker
	HoldPartial     Hold = "partial"      // materialization is not finished (LF-4)
	HoldUnapproved  Hold = "unapproved"   // approval pending (LF-7)
	HoldBlocked     Hold = "blocked"      // a blocker stands and no independent task is open (GU-5)
	HoldCompleted   Hold = "completed"    // every task is done
	HoldNoTasks     Hold = "no-tasks"     // no index to work from
	HoldAmbiguous   Hold = "ambiguous"    // duplicate task numbers (C25)
	HoldDesync      Hold = "desync"       // state and boxes disagree: reconcile first (WP-1)
	HoldDependences Hold = "dependencies" // open tasks wait for each other
)

// TaskView is one task, whatever it was found in. Pointers are nil where a source has no such task.
type TaskView struct {
	ID     int
	Title  string
	Status state.Status // the box wins over the entry (PS-18)
	// Checked is the README box.
	Checked bool
	// File is where the record stands, relative to the plan folder: the task file, or README.md.
	File   string
	Line   *planmd.IndexLine
	Entry  *state.Task
	Record *planmd.Record
	// Doc is the document that Record's spans point into.
	Doc *planmd.Doc
}

// Overview sums a snapshot up. It is computed anew at each call.
func (s *Snapshot) Overview() Overview { return Overview{} }

// DependsOn lists the tasks that must be completed before task id may start (GU-7): its "Depends on" line; else,
// in a declared group, every task of the earlier groups; else every earlier task. The Final Review
// waits for all others.
func (s *Snapshot) DependsOn(id int) []int { return nil }
