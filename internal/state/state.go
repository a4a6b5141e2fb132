// Package state owns the machine-readable files of a plan: manifest.json,
// state.json, the publication receipt and the two markers, with their names, eras,
// published schemas and closed shapes. One Go model stands over the three wire forms v1, v2
// and v5. Decoding reports every fault of shape at once, each with its place, and never
// guesses. Requirements: PS-6 to PS-17 as far as one file alone tells, PS-21 to
// PS-23, the file formats of VP-1 and VP-4.
package state

import (
	"time"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// File names of the layer, relative to the plan folder.
const (
	ManifestFile  = "manifest.json"
	StateFile     = "state.json"
	ReceiptFile   = "analysis_results/FINALIZATION.json"
	FinalizeMark  = ".finalizing.json"
	OperationMark = ".dwp-op"
	LockDir       = "state.json.lock"
)

// Era is the schema generation that a file's schema URL names (PS-21).
type Era string

// The eras; None is a plan without JSON, Unknown a URL that is missing or not ours (PS-22).
const (
	None    Era = "none"
	V1      Era = "v1"
	V2      Era = "v2"
	V5      Era = "v5"
	Unknown Era = "unknown"
)

// Status is the progress of a plan or of one task (PS-8, PS-9).
type Status string

// The statuses. Skipped is for tasks only.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Completed  Status = "completed"
	Blocked    Status = "blocked"
	Skipped    Status = "skipped"
)

// Time is a timestamp as it was written. Value is the zero time when it could not be read;
// DateOnly marks a bare date, which is left as it is (C137): its Value is the start of that day in UTC, good for
// comparing days only.
type Time struct {
	Text     string
	Value    time.Time
	DateOnly bool
	Node     *strictjson.Value
}

// Actor is who created or updated a file: a display name at most (PS-7).
type Actor struct {
	Agent, Model string
	Node         *strictjson.Value
}

// Manifest is who the plan is: manifest.json of any era (PS-6).
type Manifest struct {
	Doc         *strictjson.Document
	Era         Era
	Schema      string
	SpecVersion string
	Name        string
	Title       string
	Archetype   string
	Rigor       string
	PlanFormat  string // "" in v1
	CreatedAt   Time
	CreatedBy   *Actor
	Tags        []string
	TaskCount   int
	ParentPlan  string // "" for null or absent
}

// State is how far the plan got: state.json of any era (PS-8).
type State struct {
	Doc             *strictjson.Document
	Era             Era
	Schema          string
	Plan            string
	UpdatedAt       Time
	UpdatedBy       *Actor
	Status          Status
	CompletedCount  int
	TaskCount       int
	Format          string // "" in v1
	Materialization string // "" in v1
	Approval        string // "" when absent
	Promotion       *Promotion
	Tasks           []Task
	Checkpoint      *Checkpoint
	Blocked         *Blocker
}

// Promotion records a Lite plan that is becoming Full (PS-8, LF-9).
type Promotion struct {
	From, To, Phase string
	Node            *strictjson.Value
}

// Task is the entry of one task (PS-9). File-kind locators stand for v1's file field.
type Task struct {
	ID          int
	Title       string
	Status      Status
	Locator     Locator
	StartedAt   *Time
	CompletedAt *Time
	Commit      string
	CommitNode  *strictjson.Value
	Gates       []Gate
	Outcome     *Outcome
	Node        *strictjson.Value
}

// Locator says where the record of a task is: a file name or an anchor (PS-9).
type Locator struct {
	Kind, Value string // Kind is "file" or "inline"
	Node        *strictjson.Value
}

// Gate is one gate record: what an agent says a validation command did (PS-12, GU-11).
type Gate struct {
	Command  string
	Passes   bool
	ExitCode *int // nil when absent
	LastRun  *Time
	Evidence string
	Node     *strictjson.Value
}

// Outcome is the episodic memory of a completed task (PS-14).
type Outcome struct {
	Tried, Failed []string
	Worked, Notes string
	Node          *strictjson.Value
}

// Checkpoint is the finest resume point (PS-15).
type Checkpoint struct {
	Task       int
	Step, Note string
	At         Time
	Node       *strictjson.Value
}

// Blocker is why the plan stopped and what it needs (PS-16).
type Blocker struct {
	Task          int
	Reason, Needs string
	Since         Time
	Node          *strictjson.Value
}

// Receipt is analysis_results/FINALIZATION.json: what a publication verified (VP-1, VP-5).
// Files is nil for receipts of helpers that record no digest per file.
type Receipt struct {
	Doc             *strictjson.Document
	StateSHA256     string
	ArtifactsSHA256 string
	Result          string
	Files           []FileDigest
}

// FileDigest is the digest of one covered file. Length is set for files that may grow by
// appending (PROGRESS, SKILLS_CANDIDATES): the digest then covers that many bytes; -1 means the whole file.
type FileDigest struct {
	Path   string
	SHA256 string
	Length int64
	Node   *strictjson.Value
}

// Fault is one fault of shape in a file of the layer: a catalogue rule, where, and what.
// Value is the node it is about (its span gives the place); Path is like "tasks[2].gates[0].passes".
type Fault struct {
	Rule    string
	Path    string
	Value   *strictjson.Value
	Message string
	Hint    string
}
