// Package author makes plans. From an outline, the substance that a person or an agent hands over, it renders every text of a
// plan, and writes them through disk in an order that can be taken up again after any crash. What it renders is a pure function of
// outline and options; it is verified as a whole before the first byte is written, so that there is never a plan that does not
// conform, and never a placeholder. Requirements: LF-1 to LF-6, LF-8, PD-2, PD-4 to PD-7 as far as new plans go, PS-3, PS-6 to PS-9.
package author

import (
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
)

// Standard is the version of the standard that new plans are written under.
const Standard = "5.0.0"

// Outline is the substance of a plan. Texts are Markdown; lists hold one item each, which may go on over several lines.
type Outline struct {
	Title      string
	Goal       string
	Context    string
	Variables  []Variable
	Guidelines []string
	// Execution is why the tasks run one after the other; "" for our own words. Groups replace it.
	Execution string
	Groups    []Group
	Selection Selection
	Tasks     []Task
	// Children are the child plans that a hub coordinates (AG-4).
	Children []Child
}

// Variable is a name that tasks use as {{NAME}}, and its value.
type Variable struct{ Name, Value string }

// Group is one row of the parallel groups table: rows of one name are one group (PD-12, AG-6).
type Group struct {
	Name     string
	Tasks    []int
	Teammate string
	Owned    []string
}

// Selection is what the author knows about the choice of format; what is "" is filled from what was observed (LF-5).
type Selection struct {
	Scope, Dependencies, Detail, Uncertainties, Rationale string
}

// Task is the substance of one record (PD-5).
type Task struct {
	Title        string
	Context      string
	Read         []string
	Goal         string
	Surface      Surface
	Instructions []string
	Acceptance   []string
	Outputs      []string
	// Gates are the commands that validate the task; Validation is what is to be said about them.
	Gates      []string
	Validation string
	Checklist  []string
	Rollback   string
	Delta      string
	// DependsOn are the tasks it waits for. Without HasDepends it waits for all earlier ones (GU-7).
	DependsOn  []int
	HasDepends bool

	place string // where it stands in the outline: "line 12", "tasks[1]"
}

// Surface is what a task means to touch (PD-6). Risk is isolated, seam, shared/core, unknown, or "not applicable: why".
type Surface struct {
	Planned   []string
	Consumers string
	Risk      string
	Mapping   string
	Gate      string
}

// Gap is something that the outline lacks, or that no plan can be made of, and where.
type Gap struct {
	Place string `json:"place"` // "line 12" of a Markdown outline, "tasks[1].goal" of one in JSON; "outline" for the whole
	What  string `json:"what"`
}

// Options are the choices of the call; they and the outline determine every text of the plan.
type Options struct {
	Name      string // folder name, valid by PD-2; "" to make one of the title
	Objective string // the words of the request, "" for none
	Format    string // the wish: "lite", "full" or ""
	Trust     bool
	By        string // who allows unattended work; needed with Trust (LF-3)
	Archetype string // "" for individual
	Rigor     string // "" to go by what is observed (LF-6)
	Parent    string // "repo:PLAN_x", or ""
	// Repository is the name of the repository that a hub is written into: its children name it as REPOSITORY:PLAN_x (PS-6).
	Repository string
	Tags       []string
	Agent      string
	Model      string
	Era        state.Era // V2, or V5
	CreatedAt  time.Time // in UTC, to the second
}

// File is one text of a plan and its slash path in the plan folder.
type File struct {
	Path string
	Text string
}

// Plan is a plan that was worked out and verified, ready to be written.
type Plan struct {
	Options
	Outline Outline
	Choice  Choice
	// Files are the texts, in the order of LF-4. README.md and state.json stand in it twice: as they are while the plan
	// materializes, and last as they are when it is ready.
	Files []File
	// Advice is what verify would have otherwise: should findings, none of them for our own words.
	Advice []rule.Finding

	tasks int // with the Final Review
}

// Incomplete says that the outline has not the substance of a plan: everything that is missing. Nothing was written.
type Incomplete struct{ Gaps []Gap }

func (e *Incomplete) Error() string {
	return "no plan can be made of the outline: " + counted(len(e.Gaps), "gap") + "; nothing was written"
}

// Unsound says that what the outline makes would not conform, and why. Nothing was written.
type Unsound struct{ Findings []rule.Finding }

func (e *Unsound) Error() string {
	return "a plan made of this outline would not conform; nothing was written"
}

// oneLine makes a title or a cell of any text.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
