package git

import "context"

// ChangeKind is what became of a file.
type ChangeKind string

// Kinds. A renamed file is one that was deleted and one that was added.
const (
	Added    ChangeKind = "added"
	Modified ChangeKind = "modified"
	Deleted  ChangeKind = "deleted"
)

// FileChange is a file that is not as it was.
type FileChange struct {
	Path string
	Kind ChangeKind
}

// Mark is where a work tree stood: its commit, and what was not committed then.
type Mark struct {
	Commit string            // the whole name; "" before the first one
	Files  map[string]string // files that differ from it, by path, each with a digest of its content; "" for one that is gone
	Cut    bool              // there are more
}

// Since is what became of a work tree after a mark.
type Since struct {
	Commits []Commit // the newest first
	Changes []FileChange
	// Rewound says that the mark's commit is no ancestor of HEAD any more: history was rewritten, or another branch checked out.
	Rewound bool
	Cut     bool
}

// Mark tells where the work tree stands now. What lies in a folder .dwp is left out, as in Dirty.
func (r Repo) Mark(ctx context.Context) (Mark, error) { panic("not built") }

// Since tells what became of the work tree after a mark: commits, and the files that are not as they were, committed or not.
func (r Repo) Since(ctx context.Context, m Mark) (Since, error) { panic("not built") }
