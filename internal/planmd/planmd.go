// Package planmd reads the Markdown of a plan: README.md, task records (inline or one
// file each), their logs and amendments, PROGRESS.md, SECURITY_REVIEW.md and
// SKILLS_CANDIDATES.md. A CommonMark parser locates the block structure; every
// result carries the byte span it came from, so that findings name a line and later edits
// change only their own bytes. What stands in code, a quote or a comment is not
// structure. Requirements: PD-4 to PD-8, PD-10 to PD-12, AM-1 as far as form goes.
//
// The package says what is written. Whether that is right is for verify.
package planmd

// Span is a range of bytes of the file as it is on disk, a byte-order mark included.
type Span struct{ Start, End int }

// Doc is one Markdown file and what is wrong with its structure as such.
type Doc struct {
	Src      []byte
	Problems []Problem
	lines    []int // offset of each line start
}

// ProblemKind names a fault of Markdown structure.
type ProblemKind string

// The structural faults a document can have.
const (
	// NotUTF8 is the first byte that is not UTF-8; the rest is still read.
	NotUTF8 ProblemKind = "not-utf8"
	// ByteOrderMark is advice: the file starts with one (C45).
	ByteOrderMark ProblemKind = "bom"
	// ConflictMarker is the first line of an unresolved merge (C47).
	ConflictMarker ProblemKind = "conflict-marker"
	// FenceUnclosed is a code fence of the document's top level that nothing closes (C05).
	FenceUnclosed ProblemKind = "fence-unclosed"
	// FenceRunaway is a closed code fence that swallowed plan structure because its opener is stray: inside
	// it stands another fence opener with an info string, and headings, anchors or index lines (C05).
	FenceRunaway ProblemKind = "fence-runaway"
	// CommentUnclosed is an HTML comment that nothing closes.
	CommentUnclosed ProblemKind = "comment-unclosed"
)

// Problem is one structural fault. Span starts at the line to name.
type Problem struct {
	Kind   ProblemKind
	Span   Span
	Detail string // what was swallowed or seen, for the message; may be ""
}

// Box is a checkbox at the start of a list item.
type Box struct {
	Mark string // the text between the brackets: " ", "x", "X", or another mark (C07)
	Span Span   // from "[" to "]"
}

// Checked reports whether the box is ticked.
func (b Box) Checked() bool { return b.Mark == "x" || b.Mark == "X" }

// Known reports whether the mark is one of the standard's three spellings.
func (b Box) Known() bool { return b.Mark == " " || b.Checked() }

// IndexLine is one line of the task index, in any form seen in the wild (C23).
type IndexLine struct {
	ID      int
	Title   string // without number, tag, emphasis, link markup, trailing check marks
	Tag     string // "urgent" of "Task 3 (urgent): x"; else ""
	Box     *Box   // nil for a plain bullet (C17)
	Link    string // target as written (unescaped, without "./" and fragment), or the file name in a code span; "" when none
	Span    Span   // the item's own lines, sub-items excluded
	SubOpen int    // boxes in sub-items that are open, and that are ticked (C19)
	SubDone int
}

// Claim is a written count of completed tasks: "Plan Status: 1/3 completed", "Tasks completed: 0 / 18".
type Claim struct {
	Done, Total int
	Label       string
	Span        Span // the whole line
	At          Span // the bytes of the count alone, "1/3"
}

// Field is a labelled line: "**Standard:** DWP spec 5.0.0", "- **Status:** pending".
type Field struct {
	Kind  FieldKind
	Label string // as written, without markup and colon
	Value string // without the markup around it, space-trimmed; may be ""
	Span  Span   // the whole line, without its line end
	At    Span   // the value's own bytes
}

// FieldKind is the canonical name of a labelled line, whatever its wording or language (PD-11).
type FieldKind string

// Labelled lines that more than one reader asks for. FieldOther is any other label.
const (
	FieldOther     FieldKind = ""
	FieldStandard  FieldKind = "standard"   // Standard
	FieldApproval  FieldKind = "approval"   // Approval
	FieldFormat    FieldKind = "format"     // Format
	FieldExecution FieldKind = "execution"  // Execution
	FieldCount     FieldKind = "count"      // Plan Status, Tasks completed, Overall progress, Completed
	FieldStatus    FieldKind = "status"     // Status, Current status, Phase: prose status, and the log's status
	FieldOptIn     FieldKind = "unattended" // Unattended
	FieldDepends   FieldKind = "depends"    // Depends on
	FieldPlanned   FieldKind = "planned"    // Touched Surface: planned paths
	FieldActual    FieldKind = "actual"     // Touched Surface: actual paths
	FieldConsumers FieldKind = "consumers"  // Touched Surface: affected consumers
	FieldRisk      FieldKind = "risk"       // Touched Surface: risk class
	FieldMapping   FieldKind = "mapping"    // Touched Surface: test mapping used
	FieldGate      FieldKind = "gate"       // Touched Surface: gate chosen and why
	FieldSkills    FieldKind = "skills"     // log: skills disposition
	FieldDocs      FieldKind = "docs"       // log: documentation decision
	FieldReconcile FieldKind = "reconcile"  // log: documentation reconciliation
	// The fields of an amendment (AM-1).
	FieldOriginal    FieldKind = "original"    // original criterion, verbatim
	FieldObserved    FieldKind = "observed"    // what was observed
	FieldDisposition FieldKind = "disposition" // disposition
	FieldRevised     FieldKind = "revised"     // revised criterion, if any
	FieldReason      FieldKind = "reason"      // reason
	FieldAuthority   FieldKind = "authority"   // authority: user, developer, evidence
	FieldAffected    FieldKind = "affected"    // affected tasks
	FieldInvalidated FieldKind = "invalidated" // evidence invalidated
	FieldPreserved   FieldKind = "preserved"   // evidence preserved
)

// SectionKind is the canonical name of a section, whatever its label's wording, numbering or language (PD-11).
type SectionKind string

// Sections of a README, of a task record, and of PROGRESS.md. Other is a heading nobody asked about.
const (
	Goal            SectionKind = "Goal"
	Context         SectionKind = "Context"
	TaskList        SectionKind = "Task List"
	PlanStatus      SectionKind = "Plan Status"
	ExecutionRules  SectionKind = "Execution Rules"
	Guidelines      SectionKind = "Guidelines"
	Variables       SectionKind = "Variables"
	OutputsTable    SectionKind = "Analysis Outputs"
	Selection       SectionKind = "Format Selection"
	TeamAgents      SectionKind = "Team Agents"
	Reads           SectionKind = "Read Before Starting"
	Surface         SectionKind = "Touched Surface"
	Instructions    SectionKind = "Instructions"
	Acceptance      SectionKind = "Acceptance Criteria"
	Outputs         SectionKind = "Outputs"
	Validation      SectionKind = "Validation"
	Checklist       SectionKind = "Execution Checklist"
	CompletionLog   SectionKind = "Completion & Log"
	Rollback        SectionKind = "Rollback"
	Delta           SectionKind = "Delta"
	TeamMetadata    SectionKind = "Team Agents Metadata"
	Dependencies    SectionKind = "Dependencies"
	Decisions       SectionKind = "Decisions"
	Discovered      SectionKind = "Discovered"
	DocsReconciling SectionKind = "Documentation Reconciliation"
	Other           SectionKind = ""
)

// Section is one section, in heading form (ATX or setext) or as a "**Label:**" line.
type Section struct {
	Kind  SectionKind
	Label string // as written, without numbering, markup and colon
	Level int    // heading level; 0 for the label form
	Head  Span   // the heading or the label line
	Body  Span   // everything after it, up to the next section
	Empty bool   // no words: only white space, comments, placeholders (PD-5)
	Boxes []Box
	Code  []string // contents of its fenced and indented code blocks
	// Fields are the labelled lines in it, in order, outside code, quotes and comments.
	Fields []Field
}

// Record is a task record: behind an anchor in a Lite README, or a whole task file.
type Record struct {
	ID       int    // number in the heading; 0 when it has none
	Title    string // heading text without "Task N:"
	Anchor   string // "task-2" of {#task-2}; "" when absent
	Head     Span   // the heading; empty when a task file has none
	Span     Span   // the whole record
	Sections []Section
	// DependsOn are the task numbers of its "Depends on:" line; HasDepends tells a line that says none from no line.
	DependsOn  []int
	HasDepends bool
	DependsAt  Span
	Log        Log
	Surface    SurfaceFacts
}

// Section returns the section of a kind: the shallowest, then the first; nil when there is none.
func (r *Record) Section(kind SectionKind) *Section { return find(r.Sections, kind) }

// SurfaceFacts are what a Touched Surface section states (PD-6).
type SurfaceFacts struct {
	Planned, Actual, Consumers, Risk, Mapping, Gate *Field
	// RiskClass is isolated, seam, shared, unknown, not-applicable, or "" for another word.
	RiskClass string
}

// LogState is the state a log's status line claims.
type LogState string

// The states of a log. LogNone: no status line; LogOther: a value of no known word.
const (
	LogNone       LogState = ""
	LogPending    LogState = "pending"
	LogInProgress LogState = "in_progress"
	LogCompleted  LogState = "completed"
	LogBlocked    LogState = "blocked"
	LogSkipped    LogState = "skipped"
	LogOther      LogState = "other"
)

// Log is what a Completion & Log section says (PD-8, C109).
type Log struct {
	State         LogState
	Status        *Field
	Skills        *Field // skills disposition
	Documentation *Field // documentation decision
	Reconciled    bool   // shows a documentation reconciliation
	Placeholders  []Span // labelled lines without a value, "TBD", "{...}"
	Amendments    []Amendment
}

// Amendment is one "Amendment N — YYYY-MM-DD" heading and its fields (AM-1, PD-12).
type Amendment struct {
	Number int
	Date   string // as written
	Task   int    // the task it belongs to as far as the place tells; 0 in PROGRESS.md when not named
	Span   Span
	Fields []Field
}

// Group is one row of a parallel groups table (PD-12).
type Group struct {
	Name     string
	Tasks    []int
	Teammate string
	Owned    []string
	Span     Span
}

// Approval values (PS-8).
const (
	ApprovalPending     = "pending"
	ApprovalApproved    = "approved"
	ApprovalPreApproved = "pre_approved"
	ApprovalOther       = "other"
)

// README is a plan's README.md.
type README struct {
	Doc
	Title    string
	TitleAt  Span
	Index    []IndexLine // boxes that name a task, in order of appearance
	Bullets  []IndexLine // lines of the task list that name a task but have no box (C17)
	Empty    []Box       // boxes of the task list without text (C19)
	Notes    []IndexLine // boxes of a list in the task list that names no task: a checklist beside the index
	Claims   []Claim
	StatusAt []Field // prose status lines: "Current status: Not started"
	// Materializing says that the Plan Status line reads "materializing" (LF-4).
	Materializing bool
	MaterialAt    Span
	Standard      *Field
	// Series facts of the Standard line: the version, and the one it declares a migration from ("" when none).
	StandardVersion, MigratedFrom string
	// Migrations are the declared migrations of the Standard line, oldest first; MigratedFrom is where the first began.
	Migrations       []Migration
	Approval         *Field
	ApprovalValue    string // one of the Approval constants; "" without a line
	Format           *Field
	Execution        *Field // Value begins with the mode; Rationale is what follows the dash
	Rationale        string
	Groups           []Group
	TeamTable        bool   // a Team Agents table or section stands in it
	OptIn            *Field // "Unattended: allowed by NAME on DATE"
	OptInBy, OptInOn string
	Sections         []Section // of the README itself, records excluded
	Fields           []Field   // the labelled lines of the README itself, in order
	Records          []Record  // headings with a {#task-N} anchor, in order
	Loose            []Record  // headings "Task N: …" of the same level without an anchor
	Variables        []string  // names used as {{NAME}} anywhere outside code comments
}

// Migration is a declared migration of a plan's standard (PS-22): the version it came from, and the day as it is written, "" without.
type Migration struct{ From, On string }

// Section returns the README's own section of a kind, or nil.
func (r *README) Section(kind SectionKind) *Section { return find(r.Sections, kind) }

// TaskFile is a file N.task_<slug>.md.
type TaskFile struct {
	Doc
	Record
	Variables []string
}

// Progress is PROGRESS.md.
type Progress struct {
	Doc
	Entries    []Entry
	Amendments []Amendment
	Sections   []Section
	// Decided are its decisions, in order (UN-5).
	Decided []Decision
	// Refined and Migrated: it records a refine, a declared migration.
	Refined, Migrated bool
	// Archived are tasks that left the plan, and whose record stands in it from then on (PS-10).
	Archived []Archive
}

// Archive is an entry that keeps the record of a task that left the plan; Task is the number that it had.
type Archive struct {
	Task int
	Span Span // the heading
}

// Entry is a PROGRESS.md entry or table row about one task.
type Entry struct {
	Task int
	Span Span
	// Bullets counts its list items; rows of a table have none.
	Bullets int
}

// Review is analysis_results/SECURITY_REVIEW.md (PD-7).
type Review struct {
	Doc
	Empty    bool
	Critical []Critical // findings it lists as critical and neither resolved nor accepted by a person
	// Documentation says that it shows a documentation reconciliation.
	Documentation bool
}

// Critical is one unresolved critical finding.
type Critical struct {
	Text string
	Span Span
}

// Candidate is one entry of SKILLS_CANDIDATES.md.
type Candidate struct {
	ID   string // "T<task>-<seq>"
	Task int
	Seq  int
	Span Span
	// Title is what stands behind the ID: the rest of the heading or item, or the next cell of the row.
	Title string
	Why   string
	// Disposition is what was decided (PD-8); nil without a line or cell for it. Later says that it stands in a line of its own that
	// names the candidate, which outweighs what was said before.
	Disposition *Field
	Later       bool
}

// Candidates is analysis_results/SKILLS_CANDIDATES.md. Malformed are entries whose ID has another form.
type Candidates struct {
	Doc
	List      []Candidate
	Malformed []Field
	// None is the paragraph that says that there are no candidates; empty without one.
	None Span
}

func find(sections []Section, kind SectionKind) *Section {
	var best *Section
	for i := range sections {
		s := &sections[i]
		if s.Kind == kind && (best == nil || depthOf(s.Level) < depthOf(best.Level)) {
			best = s
		}
	}
	return best
}

// depthOf orders heading levels; the label form comes behind all of them.
func depthOf(level int) int {
	if level == 0 {
		return labelLevel
	}
	return level
}
