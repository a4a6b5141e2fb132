package work

import (
	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/state"
)

// Log says what became of a log that evidence names.
type Log string

// What becomes of logs. Only observed runs name a digest.
const (
	LogNone       Log = ""
	LogIntact     Log = "intact"
	LogChanged    Log = "changed" // not the one that was recorded
	LogMissing    Log = "missing"
	LogUnreadable Log = "unreadable"
)

// GateRecord is a gate record as a list shows it.
type GateRecord struct {
	Task int
	state.Gate
	// History says that the record doesn't count: a later one of its command stands, or a refine or reopening invalidated it (GU-4).
	History     bool
	Invalidated bool
	Observed    bool   // its evidence has the form of a run by dwp; anybody can write that (GU-11)
	Base        string // the base commit on which it was proven to fail, too (WP-4); "" for none
	LogPath     string
	Log         Log
}

// Gates lists the records of a task, of all tasks with 0, in the order of the file.
func Gates(s *plan.Snapshot, task int) []GateRecord {
	var all []GateRecord
	if s.State == nil {
		return nil
	}
	for i := range s.State.Tasks {
		t := &s.State.Tasks[i]
		if task != 0 && t.ID != task {
			continue
		}
		latest := map[string]int{}
		for g := range t.Gates {
			latest[evidence.Command(t.Gates[g].Command)] = g
		}
		for g := range t.Gates {
			r := GateRecord{Task: t.ID, Gate: t.Gates[g], Invalidated: evidence.Invalidated(t.Gates[g].Evidence)}
			r.History = r.Invalidated || latest[evidence.Command(r.Command)] != g
			if o, ok := evidence.ParseObserved(r.Evidence); ok {
				r.Observed, r.LogPath, r.Log = true, o.Log, logOf(s, o)
			}
			if base, ok := evidence.BaseCommit(r.Evidence); ok && !r.Passes {
				r.Base = base
			}
			all = append(all, r)
		}
	}
	return all
}

// logOf compares a log with what was recorded of it.
func logOf(s *plan.Snapshot, o evidence.Observed) Log {
	_, there := s.Nodes[o.Log]
	f := s.Files[o.Log]
	switch {
	case f == nil && !there:
		return LogMissing
	case f == nil || f.Err != nil:
		return LogUnreadable
	case f.SHA256() != o.SHA256:
		return LogChanged
	}
	return LogIntact
}
