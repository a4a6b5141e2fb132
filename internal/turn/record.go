package turn

import (
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
)

// Dir is where the records of turns are, in the plan. No receipt covers them (VP-5).
const Dir = "analysis_results/turns"

// Result is how a turn ended.
type Result string

// Results.
const (
	Open        Result = "open"           // it runs, or was lost: the record was written at its begin and not since
	Completed   Result = "completed"      // its task is completed, with everything that belongs to that
	Progress    Result = "progress"       // not completed, but verifiably further (UN-3)
	NoProgress  Result = "no-progress"    // nothing that can be verified came of it
	Blocked     Result = "blocked"        // the agent blocked its task, or asked a critical question
	StoppedNow  Result = "stopped"        // a stop condition holds (UN-3)
	Lost        Result = "lost"           // its process was gone before its end; a later turn found it so
	Interrupted Result = "interrupted"    // a person ended it
	PlanDone    Result = "plan-completed" // there was nothing left to do; no agent was woken
	PlanBlocked Result = "plan-blocked"   // nothing may start until a person answers; no agent was woken
)

// Record is analysis_results/turns/<n>.json: written when the agent is about to be woken, and again at the end.
type Record struct {
	N     int    // of the turn, from 1
	ID    string // of its lease; DWP_TURN is N-ID
	Plan  string
	Task  int
	Agent string // name of the adapter
	Model string
	Queue string
	Fence int64

	Started, Ended time.Time
	Process        disk.Process // that took the turn
	Result         Result
	Stop           *Stop
	// Run is what is known of the agent's process; nil before it ended.
	Run *Run
	// Before and After are the plan and the work tree at both ends.
	Before, After Standing
	Gained        Gained
	Surface       Surface
	Findings      []Finding
	// Untidy are files that were not committed when the task began, which no turn left so and the task doesn't name: somebody else's. Its
	// completion doesn't wait for them.
	Untidy []string
}

// Run is an agent's run.
type Run struct {
	End      string // as runner.End
	Code     int
	Duration time.Duration
	Report   Told
	Log      string // path in the plan folder; "" for none
	LogSHA   string
	Cut      int64
}

// Told is what the agent told of itself. It is no evidence.
type Told struct {
	Conversation string
	Failed       bool
	Text         string // its last words, cut
	Cost         float64
	HasCost      bool
}

// Standing is where plan and work tree stand.
type Standing struct {
	StateSHA256, ReadmeSHA256 string
	Head                      string // "" without git, or before the first commit
	Dirty                     int    // files that are not as Head has them
}

// Gained is the verifiable progress of a turn (UN-3): with nothing in it there is none.
type Gained struct {
	Completed  bool
	Gates      []string // commands whose latest record passes now and did not before
	Checkpoint bool
	Commits    []string
	Criteria   int // acceptance criteria that are ticked now and were not before
}

// Any reports whether there is any.
func (g *Gained) Any() bool {
	return g.Completed || g.Checkpoint || g.Criteria > 0 || len(g.Gates) > 0 || len(g.Commits) > 0
}

// Surface is what the turn changed of the repository against what its task names (WP-4).
type Surface struct {
	Planned, Declared []string // of the task's record, and of its log
	Changed           []string // files, by path in the work tree
	Outside           []string // those of Changed that neither names
}

// Finding is something a turn found out about its task. ID is a rule: "turn/surface".
type Finding struct {
	ID, Message string
}
