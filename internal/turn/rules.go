package turn

import (
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/runner"
)

// Condition is a stop condition (UN-3).
type Condition string

// The conditions.
const (
	S1 Condition = "S1" // a gate fails, and the fix is outside the task
	S2 Condition = "S2" // an approval, a credential or a decision is missing
	S3 Condition = "S3" // reality differs from the plan
	S4 Condition = "S4" // two turns in a row without verifiable progress on the same task
)

// Stop is a condition that holds.
type Stop struct {
	Condition Condition
	Rule      string // "turn/surface": what exactly holds
	Task      int
	Reason    string // one line, without the class
	Needs     string // one line: what a person has to do
}

// Change is one file that a turn changed.
type Change struct {
	Path string
	Kind git.ChangeKind
}

// Evidence is what a turn is judged by: the plan before and after, what git saw, how the agent's process ended. The agent's own words are
// not in it (UN-2).
type Evidence struct {
	Before, After *plan.Snapshot
	Began         Standing // where plan and work tree stood before
	// Faults are the must rules that the plan breaks now and did not before, each with a message.
	Faults []Finding
	Task   int
	Git    bool
	// Unseen says why git, which could be asked before the turn, couldn't after it; "" when it could.
	Unseen  string
	Commits []git.Commit // made in the turn, the newest first
	Changes []Change     // of files of the work tree, in commits or not
	Cut     bool         // there are more than are listed
	// Rewound says that history was rewritten, or another branch checked out.
	Rewound bool
	// Root is the folder that holds .dwp, as a slash path in the work tree, since a plan may name files from there; "" for its top.
	Root string
	// End is how the agent ended.
	End runner.End
	// States are the digests of state.json that dwp wrote in this turn; nil when that is not known.
	States []string
	// Forged names records of turns that are not as their turns left them; the rules rest on them.
	Forged   []string
	Observed bool // gates have to be observed
	// Reconfigured says that the file became another one that names the agents' programs, and what they get.
	Reconfigured bool
	// Stranded says that the commit which the completed task records is in no history of the branch that is checked out.
	Stranded bool
}

// Judgement is what the evidence amounts to.
type Judgement struct {
	Result   Result
	Gained   Gained
	Surface  Surface
	Findings []Finding
	Stop     *Stop // a condition that this turn alone fulfils
	// End is how the agent ended: no evidence, but a word in the reason of a stop. Began is where the plan stood when the turn began.
	End   runner.End
	Began Standing
}
