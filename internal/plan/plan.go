// Package plan finds plans and reads one into an immutable Snapshot, the value that every face and
// check looks at. Nothing is followed outside the plan folder, and nothing is
// written. Requirements: PD-1 to PD-3, WP-3, GU-7 as far as what is next, and which files VP-5 covers.
package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"time"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// Root is where plans live, as found from a folder (PD-1).
type Root struct {
	Dir   string // the folder that holds .dwp
	Plans string // the folder that holds PLAN_x folders; it may not exist
	Git   string // top level of the git work tree Dir is in; "" without git
	Found bool   // Plans exists
	From  string // the folder the search began in, resolved; paths to plans are taken from it
}

// Entry is a plan folder under a root.
type Entry struct {
	Name string // the folder's name
	Path string // absolute
}

// Stray is something under the plans folder that is not a plan folder.
type Stray struct {
	Name   string
	Reason StrayReason
}

// StrayReason says why something under the plans folder is no plan.
type StrayReason string

// Reasons for a Stray.
const (
	StrayName StrayReason = "name" // a folder not named PLAN_*
	StrayFile StrayReason = "file" // a file named PLAN_*
	StrayLink StrayReason = "link" // a symbolic link: dangling, a loop, or leading out of the plans folder
)

// NodeKind is what an entry of the plan folder is.
type NodeKind string

// Kinds of nodes.
const (
	RegularFile NodeKind = "file"
	Folder      NodeKind = "folder"
	Link        NodeKind = "link"
	Special     NodeKind = "special" // FIFO, device, socket: never opened
)

// Node is one entry of the plan folder, by its slash path.
type Node struct {
	Path    string
	Kind    NodeKind
	Size    int64
	Mode    fs.FileMode
	ModTime time.Time
}

// File is a file that was read, or could not be.
type File struct {
	Path string
	Data []byte
	// Err is why it could not be read: permission, I/O, over the size limit (ErrTooLarge). Rules about it are not evaluated (VP-6).
	Err error
}

// SHA256 is the digest of the file as it was read, in lower-case hexadecimal; "" when it could not be read.
func (f *File) SHA256() string { return f.Digest(-1) }

// Digest is SHA256 of the file's first length bytes, of all of them when length is -1. It is "" when there are fewer: a
// receipt covers a file that may grow by the length it had (VP-5).
func (f *File) Digest(length int64) string {
	if f.Err != nil || length > int64(len(f.Data)) {
		return ""
	}
	data := f.Data
	if length >= 0 {
		data = data[:length]
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Snapshot is one plan folder as it stood at one moment (DESIGN 2). Pointers are nil where the
// file is missing, is not a regular file, or could not be read; Node and File tell which. It is not
// changed after Read returned it and may be shared by goroutines.
type Snapshot struct {
	Name string // the folder's name
	Path string // as given to Open; "" from Read
	// Nodes holds every entry of the folder, keyed by slash path.
	Nodes map[string]Node
	// Cut says that Nodes is not complete: the folder is over MaxNodes or deeper than MaxDepth. Documents are read all the same.
	Cut bool
	// Files holds what was read: the documents below, lock owners, logs that evidence names; and, with
	// an Err, folders and entries that could not be looked at.
	Files map[string]*File

	README     *planmd.README
	Progress   *planmd.Progress
	Review     *planmd.Review
	Candidates *planmd.Candidates
	Hub        *planmd.Hub // of a plan that coordinates child plans (AG-4)
	// TaskFiles are the files N.task_*.md at the plan's root, by number, then name.
	TaskFiles []TaskFile
	// Nested are task files in sub-folders (C39), by slash path; read, but not where they belong.
	Nested []TaskFile

	Manifest       *state.Manifest
	ManifestFaults []state.Fault
	ManifestSyntax *strictjson.SyntaxError
	State          *state.State
	StateFaults    []state.Fault
	StateSyntax    *strictjson.SyntaxError
	Receipt        *state.Receipt
	ReceiptFaults  []state.Fault
	ReceiptSyntax  *strictjson.SyntaxError

	// Moved says that the folder kept changing while it was read.
	Moved bool
}

// TaskFile is a file named N.task_<slug>.md.
type TaskFile struct {
	Number int
	Path   string // slash path in the plan folder
	// Doc is nil when the file could not be read: Files[Path].Err says why.
	Doc *planmd.TaskFile
}
